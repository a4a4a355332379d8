//! Addresses, and the bounds of what one request may ask.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arcloom::draw::Palette;
use arcloom::{JSON_SCHEMA, Stop};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, Render};
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::failure::Failure;
use crate::guard::{self, Guard};
use crate::live::{self, Ends};
use crate::look::{self, Look};
use crate::pages::{self, Page};
use crate::server::REQUEST;
use crate::site::Site;
use crate::standing::Scope;
use crate::{assets, events, png};

/// Largest body of a request: a program is a few kilobytes.
pub(crate) const BODY: usize = 64 << 10;
/// Longest that an answer to a form may run programs: it is given while somebody types.
pub(crate) const LIVE: Duration = Duration::from_secs(3);
/// Longest wait for a body, and bodies that are read at once. Others are turned away, so that clients which
/// stop sending leave connections to those that ask for pages.
const BODY_TIME: Duration = Duration::from_secs(3);
const BODIES: usize = 48;
/// Longest wait for others' pages to be made.
const TURN: Duration = Duration::from_secs(10);

/// What handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) site: Arc<Site>,
    /// Pages that may be made at once: making one takes a core.
    turns: Arc<Semaphore>,
    /// Bodies that may be read at once.
    bodies: Arc<Semaphore>,
    pub(crate) events: events::Follower,
}

/// All addresses.
pub(crate) fn router(site: Arc<Site>, guard: Guard) -> Router {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let app = App {
        events: events::Follower::start(site.clone()),
        site,
        turns: Arc::new(Semaphore::new(2 * cores)),
        bodies: Arc::new(Semaphore::new(BODIES)),
    };
    let timely = Router::new()
        .route("/", get(|| async { Redirect::to("/tasks") }))
        .route("/tasks", get(|app, ask| page(app, ask, |_, s, l, p| pages::tasks::page(s, l, p))))
        .route("/task/{id}", get(|app, ask| page(app, ask, pages::task::page)))
        .route(
            "/programs",
            get(|app, ask| page(app, ask, |_, s, l, p| pages::programs::page(s, l, p))),
        )
        .route("/program/{id}", get(|app, ask| page(app, ask, pages::program::page)))
        .route("/lineage/{id}", get(|app, ask| page(app, ask, pages::lineage::page)))
        .route("/runs", get(|app, ask| page(app, ask, |_, s, l, p| pages::runs::list(s, l, p))))
        .route("/run/{id}", get(|app, ask| page(app, ask, pages::run::page)))
        .route("/run/{id}/live", get(|app, ask| page(app, ask, pages::run::live)))
        .route("/matrix", get(|app, ask| page(app, ask, |_, s, l, p| pages::matrix::page(s, l, p))))
        .route(
            "/compare",
            get(|app, ask| page(app, ask, |_, s, l, p| pages::compare::page(s, l, p))),
        )
        .route("/batt", get(|app, ask| page(app, ask, |_, s, l, p| pages::batt::page(s, l, p))))
        .route("/dsl", get(|app, ask| page(app, ask, |_, s, l, p| pages::dsl::list(s, l, p))))
        .route("/dsl/{id}", get(|app, ask| page(app, ask, pages::dsl::page)))
        .route("/trace", post(|app, form| part(app, form, pages::trace::answer)))
        .route("/evaluate", post(|app, form| part(app, form, pages::dsl::evaluate)))
        .route("/thumb.png", get(thumb))
        .route("/save", post(|app, form| part(app, form, pages::save::answer)))
        .route("/look", post(choose))
        .route("/scope", post(choose_scope))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { assets::file(&name) }))
        .fallback(missing)
        .layer(middleware::from_fn_with_state(app.clone(), read_body))
        .layer(middleware::from_fn(in_time));
    // A stream of events has no end.
    timely
        .route("/events", get(events::stream))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(app)
}

/// Names and values as they were sent.
type Pairs = Vec<(String, String)>;

/// Parameters of an address or a form.
#[derive(Debug, Default)]
pub(crate) struct Params(Pairs);

impl Params {
    /// The parameters of a query.
    pub(crate) fn of_query(query: &str) -> Params {
        let uri = format!("/?{query}").parse::<axum::http::Uri>().unwrap_or_default();
        let pairs = Query::<Pairs>::try_from_uri(&uri);
        Params(pairs.map(|Query(pairs)| pairs).unwrap_or_default())
    }

    /// All of them but some, as a query without its question mark.
    pub(crate) fn query_without(&self, names: &[&str]) -> String {
        let kept = self.0.iter().filter(|(n, v)| !names.contains(&n.as_str()) && !v.is_empty());
        let pair = |(n, v): &(String, String)| format!("{}={}", pages::encode(n), pages::encode(v));
        kept.map(pair).collect::<Vec<_>>().join("&")
    }

    /// A parameter that is not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(n, _)| n == name)?;
        Some(found.1.trim()).filter(|value| !value.is_empty())
    }

    /// A parameter as it was sent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// A number, if it is one.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }

    /// All values of a parameter.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.trim())
    }

    /// The same parameters with one changed, as an address's query.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        // What is changed begins on the first page.
        let kept = self.0.iter().filter(|(n, v)| n != name && n != "page" && !v.is_empty());
        let new = (!value.is_empty()).then_some((name, value));
        let all = kept.map(|(n, v)| (n.as_str(), v.as_str())).chain(new);
        let pair = |(n, v): (&str, &str)| format!("{}={}", pages::encode(n), pages::encode(v));
        format!("?{}", all.map(pair).collect::<Vec<_>>().join("&"))
    }
}

/// What a request asks for.
struct Ask {
    id: String,
    look: Look,
    params: Params,
    /// Only the changing part of the page is wanted.
    part: bool,
    path: String,
}

impl axum::extract::FromRequestParts<App> for Ask {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        app: &App,
    ) -> Result<Ask, Self::Rejection> {
        let id = Path::<String>::from_request_parts(parts, app).await;
        let params = Query::<Pairs>::from_request_parts(parts, app).await;
        let params = Params(params.map(|Query(pairs)| pairs).unwrap_or_default());
        let accepted = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
        let named = params.get("scope").and_then(Scope::by_name);
        let look = Look {
            scope: named
                .or_else(|| Look::scope_of(&parts.headers))
                .unwrap_or_else(|| app.site.usual_scope()),
            json: accepted.is_some_and(wants_json),
            ..Look::of(&parts.headers, app.site.palette)
        };
        Ok(Ask {
            id: id.map(|Path(id)| id).unwrap_or_default(),
            look,
            params,
            part: parts.headers.contains_key("x-part"),
            path: parts.uri.path_and_query().map_or("/", |p| p.as_str()).to_owned(),
        })
    }
}

/// Makes a page.
async fn page(
    State(app): State<App>,
    ask: Ask,
    make: fn(&str, &Site, &Look, &Params) -> Result<Page, Failure>,
) -> Response {
    let Ask { id, look, params, part, path } = ask;
    let made = app.work(REQUEST, move |site| make(&id, site, &look, &params)).await;
    let (status, page) = match made.and_then(|made| made) {
        Ok(page) => (StatusCode::OK, page),
        Err(failure) => (failure.status(), Page::failure(&failure)),
    };
    if look.json {
        return (status, data(page.data)).into_response();
    }
    let html = if part { page.body } else { page.frame(&look, &path, &app.site) };
    (status, markup(&html)).into_response()
}

/// True for those who take data before pages.
fn wants_json(accepted: &str) -> bool {
    let kinds = accepted.split(',').map(|kind| kind.split(';').next().unwrap_or_default().trim());
    kinds.clone().any(|kind| kind == "application/json")
        && kinds.clone().all(|kind| kind != "text/html")
}

/// A page as data, with the number of the form that all JSON of arcloom has.
fn data(data: Option<Json>) -> impl IntoResponse + use<> {
    let mut json = data.unwrap_or_else(|| json!({ "error": "This page has no data." }));
    if let Some(fields) = json.as_object_mut() {
        fields.insert("schema".to_owned(), json!(JSON_SCHEMA));
    }
    ([(header::CONTENT_TYPE, "application/json"), (header::VARY, "accept")], json.to_string())
}

/// Answers a form with a part of a page.
async fn part(
    State(app): State<App>,
    (headers, form): (HeaderMap, Result<Form<Pairs>, FormRejection>),
    make: fn(&Site, &Look, &Params) -> Result<Markup, Failure>,
) -> Response {
    let pairs = match form {
        Ok(Form(pairs)) => pairs,
        Err(error) => return error.into_response(),
    };
    let look = Look::of(&headers, app.site.palette);
    let made = app.work(LIVE, move |site| make(site, &look, &Params(pairs))).await;
    match made.and_then(|made| made) {
        Ok(html) => markup(&html).into_response(),
        Err(failure) => (failure.status(), failure.message()).into_response(),
    }
}

fn markup(html: &Markup) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html.render().into_string())
}

/// Remembers how a visitor wants things to look.
async fn choose(State(app): State<App>, Form(pairs): Form<Pairs>) -> impl IntoResponse {
    let params = Params(pairs);
    let get = |name| params.get(name).unwrap_or_default();
    let look =
        Look::new(get("palette"), get("shade"), [get("digits"), get("symbols")], app.site.palette);
    remember(look::COOKIE, &look.cookie(), &params)
}

/// Remembers whose programs count for a visitor.
async fn choose_scope(Form(pairs): Form<Pairs>) -> impl IntoResponse {
    let params = Params(pairs);
    let scope = params.get("scope").and_then(Scope::by_name).unwrap_or(Scope::All);
    remember(look::SCOPE_COOKIE, scope.name(), &params)
}

/// Sets a cookie and leads back to where the visitor was, which is a page of ours.
fn remember(cookie: &str, value: &str, params: &Params) -> impl IntoResponse + use<> {
    let back = params.get("back").unwrap_or_default().trim_start_matches(['/', '\\']);
    let back = if back.bytes().all(|b| (0x21..0x7f).contains(&b)) { back } else { "" };
    // A scope in the address would count more than the cookie.
    let (path, query) = back.split_once('?').unwrap_or((back, ""));
    let query = Params::of_query(query).query_without(&["scope"]);
    let mark = if query.is_empty() { "" } else { "?" };
    let cookie = format!("{cookie}={value}; Path=/; SameSite=Strict; Max-Age=31536000");
    let to = format!("/{path}{mark}{query}");
    (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)])
}

/// A grid of a task's first demo as a picture. It is a table of a few hundred bytes, so it takes no turn.
async fn thumb(State(app): State<App>, ask: Ask) -> Response {
    let get = |name| ask.params.get(name).unwrap_or_default();
    let at = app.site.find_task(get("task"), ask.params.get("set"));
    let demo = at.and_then(|at| app.site.task(at).demos.first());
    let grid = match (demo, get("side")) {
        (Some(demo), "output") => &demo.output,
        (Some(demo), _) => &demo.input,
        (None, _) => return (StatusCode::NOT_FOUND, "There is no such task.\n").into_response(),
    };
    let palette = Palette::by_name(get("palette")).unwrap_or(ask.look.palette);
    let head =
        [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "private, max-age=600")];
    (head, png::png(grid, &palette)).into_response()
}

async fn missing(State(app): State<App>, ask: Ask) -> Response {
    let failure = Failure::Missing("There is no such page.".to_owned());
    let html = Page::failure(&failure).frame(&ask.look, "/", &app.site);
    (failure.status(), markup(&html)).into_response()
}

/// Reads the body of a request before anything else is done for it.
async fn read_body(State(app): State<App>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let Ok(place) = app.bodies.try_acquire() else {
        let busy = "Too many requests are being sent. Try again.\n";
        return closing((StatusCode::SERVICE_UNAVAILABLE, busy));
    };
    let (parts, body) = request.into_parts();
    let read = timeout(BODY_TIME, axum::body::to_bytes(body, BODY)).await;
    drop(place);
    match read {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(_)) => closing((StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.\n")),
        Err(_) => closing((StatusCode::REQUEST_TIMEOUT, "The request was not sent in time.\n")),
    }
}

/// An answer after which the connection ends: what is left of the body is not waited for.
fn closing(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn in_time(request: Request, next: Next) -> Response {
    match timeout(REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "This took too long.\n").into_response(),
    }
}

impl App {
    /// Does work that takes a core, when it is its turn. Programs that it runs end after so long, and
    /// when the request does.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        longest: Duration,
        work: impl FnOnce(&Site) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let turn = timeout(TURN, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(Failure::Busy) };
        let site = self.site.clone();
        let stop = Stop::at(Some(Instant::now() + longest));
        let _ends = Ends(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            live::within(&stop, || work(&site))
        });
        done.await.map_err(|_| Failure::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_without_some_of_it() {
        let params = Params::of_query("set=arc1%2Ftraining&state=open&page=3&q=a+b&scope=");
        assert_eq!(params.query_without(&["page"]), "set=arc1/training&state=open&q=a%20b");
        assert_eq!(params.with("state", ""), "?set=arc1/training&q=a%20b");
        assert_eq!(
            params.with("sort", "doubt"),
            "?set=arc1/training&state=open&q=a%20b&sort=doubt"
        );
    }

    #[test]
    fn browsers_get_pages_and_others_data() {
        assert!(wants_json("application/json"));
        assert!(wants_json("application/json;q=0.9, text/plain"));
        assert!(!wants_json("text/html,application/xhtml+xml,application/json;q=0.9"));
        assert!(!wants_json("*/*"));
    }
}
