//! Who may ask.
//!
//! A page of some other site, open in the same browser, can send requests to this machine. Three
//! things keep it out: requests must be for the address that is listened on (a name that someone
//! points at this machine is not that), they must not come from a page of another origin, and where
//! others than this machine's users can connect at all, they must know a token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

const COOKIE: &str = "arcloom_token";
/// Nothing but this server's own files, and nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Decides who may ask.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    address: SocketAddr,
    token: Option<Arc<str>>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token: token.map(Arc::from) }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// True for a token that can stand in an address and a cookie and is not quickly guessed.
    pub(crate) fn good(token: &str) -> bool {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        token.len() >= 8 && token.len() <= 256 && token.bytes().all(plain)
    }

    /// 128 bits of the system's randomness.
    pub(crate) fn make_token() -> std::io::Result<String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// True for a `Host` that means this server. With a token any will do: a page under a foreign
    /// name has no cookie of this one.
    fn is_here(&self, headers: &HeaderMap) -> bool {
        let Some(host) = text(headers, header::HOST) else { return false };
        if self.token.is_some() {
            return true;
        }
        let port = self.address.port();
        let name = host.strip_suffix(&format!(":{port}")).or((port == 80).then_some(host));
        name.is_some_and(|name| {
            let bare = name.trim_start_matches('[').trim_end_matches(']');
            name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        })
    }

    /// True unless a page of another origin sends this. Following a link here is no harm.
    fn is_own(&self, request: &Request) -> bool {
        let headers = request.headers();
        let host = text(headers, header::HOST).unwrap_or_default();
        if let Some(origin) = text(headers, header::ORIGIN)
            && origin != format!("http://{host}")
        {
            return false;
        }
        let get = |name: &'static str| headers.get(name).and_then(|value| value.to_str().ok());
        let follows = get("sec-fetch-mode") == Some("navigate") && request.method() == Method::GET;
        matches!(get("sec-fetch-site"), None | Some("same-origin" | "none")) || follows
    }

    fn is_known(&self, given: Option<&str>) -> bool {
        match (&self.token, given) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(token), Some(given)) => {
                // All bytes are compared, so that the time does not tell how many are right.
                let differs = token.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
                token.len() == given.len() && differs == 0
            }
        }
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A cookie of a request.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let pairs = text(headers, header::COOKIE)?.split(';');
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(n, _)| *n == name).map(|(_, v)| v)
}

/// Lets a request through, or not, and says what the answer may do.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let refuse = |reason: &'static str| (StatusCode::FORBIDDEN, reason).into_response();
    let mut response = if !guard.is_here(request.headers()) {
        refuse("This server answers only at the address that `arcloom serve` printed.\n")
    } else if !guard.is_own(&request) {
        refuse("Requests from other sites are refused.\n")
    } else {
        let uri = request.uri().clone();
        let in_query = uri
            .query()
            .and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("token=")));
        if in_query.is_some() && guard.token.is_some() && guard.is_known(in_query) {
            // The token goes into a cookie and out of the address, which people copy.
            let rest: Vec<&str> = uri
                .query()
                .unwrap_or_default()
                .split('&')
                .filter(|pair| !pair.starts_with("token="))
                .collect();
            let to = match rest.is_empty() {
                true => uri.path().to_owned(),
                false => format!("{}?{}", uri.path(), rest.join("&")),
            };
            let to = format!("/{}", to.trim_start_matches('/'));
            let token = guard.token().unwrap_or_default();
            let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
            (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)])
                .into_response()
        } else if guard.is_known(cookie(request.headers(), COOKIE)) {
            next.run(request).await
        } else {
            let reason = "Open the address with the token that `arcloom serve` printed.\n";
            (StatusCode::UNAUTHORIZED, reason).into_response()
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        // Without any, browsers would not say where our own forms come from.
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn guard(token: Option<&str>) -> Guard {
        Guard::new(SocketAddr::from(([127, 0, 0, 1], 8732)), token.map(str::to_owned))
    }

    fn request(method: &str, headers: &[(&str, &str)]) -> Request {
        let request = axum::http::Request::builder().method(method).uri("/");
        let add = |request: axum::http::request::Builder, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        headers.iter().fold(request, add).body(Body::empty()).unwrap()
    }

    #[test]
    fn only_this_address_is_here() {
        let is_here = |host: &str| guard(None).is_here(request("GET", &[("host", host)]).headers());
        for host in ["127.0.0.1:8732", "localhost:8732", "[::1]:8732"] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "example.com:8732",
            "localhost",
            "localhost:80",
            "127.0.0.1.example.com:8732",
            "localhost.:8732",
            "192.168.1.4:8732",
            "0.0.0.0:8732",
            "",
        ] {
            assert!(!is_here(host), "{host}");
        }
        assert!(!guard(None).is_here(request("GET", &[]).headers()), "no host at all");
    }

    #[test]
    fn other_origins_are_refused() {
        let is_own = |method: &str, headers: &[(&str, &str)]| {
            let mut all = vec![("host", "localhost:8732")];
            all.extend(headers);
            guard(None).is_own(&request(method, &all))
        };
        assert!(is_own("POST", &[]), "no browser");
        assert!(is_own("POST", &[("origin", "http://localhost:8732")]));
        assert!(is_own("GET", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]));
        for headers in [
            &[("origin", "http://example.com")][..],
            &[("origin", "http://localhost:9999")],
            &[("origin", "https://localhost:8732")],
            &[("origin", "null")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
        ] {
            assert!(!is_own("POST", headers), "{headers:?}");
        }
    }

    #[test]
    fn a_token_has_to_be_known() {
        assert!(guard(None).is_known(None));
        let guard = guard(Some("secret-secret"));
        for given in
            [None, Some(""), Some("secret-secre"), Some("secret-secret1"), Some("Secret-secret")]
        {
            assert!(!guard.is_known(given), "{given:?}");
        }
        assert!(guard.is_known(Some("secret-secret")));
        let tokens = [Guard::make_token().unwrap(), Guard::make_token().unwrap()];
        assert!(tokens[0] != tokens[1] && tokens.iter().all(|token| Guard::good(token)));
        for bad in ["", "short", "with a space", "with;semicolon"] {
            assert!(!Guard::good(bad), "{bad}");
        }
    }
}
