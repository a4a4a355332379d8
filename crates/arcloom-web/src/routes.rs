//! Addresses, and the bounds of what one request may ask.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arcloom::Stop;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, Render};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::failure::Failure;
use crate::guard::{self, Guard};
use crate::live::{self, Ends};
use crate::look::{self, Look};
use crate::pages::{self, Page};
use crate::server::REQUEST;
use crate::site::Site;
use crate::{assets, events};

/// Largest body of a request: a program is a few kilobytes.
pub(crate) const BODY: usize = 64 << 10;
/// Longest that an answer to a form may run programs: it is given while somebody types.
pub(crate) const LIVE: Duration = Duration::from_secs(3);
/// Longest wait for others' pages to be made.
const TURN: Duration = Duration::from_secs(10);

/// What handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) site: Arc<Site>,
    /// Pages that may be made at once: making one takes a core.
    turns: Arc<Semaphore>,
    pub(crate) events: events::Follower,
}

/// All addresses.
pub(crate) fn router(site: Arc<Site>, guard: Guard) -> Router {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let app = App {
        events: events::Follower::start(site.clone()),
        site,
        turns: Arc::new(Semaphore::new(2 * cores)),
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
        .route("/run/{id}", get(|app, ask| page(app, ask, pages::runs::page)))
        .route("/batt", get(|app, ask| page(app, ask, |_, s, l, p| pages::batt::page(s, l, p))))
        .route("/dsl", get(|app, ask| page(app, ask, |_, s, l, p| pages::dsl::list(s, l, p))))
        .route("/dsl/{id}", get(|app, ask| page(app, ask, pages::dsl::page)))
        .route("/trace", post(|app, form| part(app, form, pages::trace::answer)))
        .route("/evaluate", post(|app, form| part(app, form, pages::dsl::evaluate)))
        .route("/look", post(choose))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { assets::file(&name) }))
        .fallback(missing)
        .layer(middleware::from_fn(in_time));
    // A stream of events has no end.
    timely
        .route("/run/{id}/events", get(events::stream))
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
        let kept = self.0.iter().filter(|(n, v)| n != name && !v.is_empty());
        let all = kept.map(|(n, v)| (n.as_str(), v.as_str())).chain([(name, value)]);
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
        Ok(Ask {
            id: id.map(|Path(id)| id).unwrap_or_default(),
            look: Look::of(&parts.headers, app.site.palette),
            params: Params(params.map(|Query(pairs)| pairs).unwrap_or_default()),
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
    let html = if part { page.body } else { page.frame(&look, &path, &app.site) };
    (status, markup(&html)).into_response()
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
    // Back to where the visitor was, which is a page of ours.
    let back = format!("/{}", get("back").trim_start_matches(['/', '\\']));
    let back = if back.bytes().all(|b| (0x21..0x7f).contains(&b)) { back } else { "/".to_owned() };
    let cookie =
        format!("{}={}; Path=/; SameSite=Strict; Max-Age=31536000", look::COOKIE, look.cookie());
    (StatusCode::SEE_OTHER, [(header::LOCATION, back), (header::SET_COOKIE, cookie)])
}

async fn missing(State(app): State<App>, ask: Ask) -> Response {
    let failure = Failure::Missing("There is no such page.".to_owned());
    let html = Page::failure(&failure).frame(&ask.look, "/", &app.site);
    (failure.status(), markup(&html)).into_response()
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
