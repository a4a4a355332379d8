//! The style sheet and the modules, part of the binary.

use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// The files, by name.
const FILES: &[(&str, &str, &str)] = &[
    ("style.css", CSS, include_str!("../assets/style.css")),
    ("page.js", JS, include_str!("../assets/page.js")),
    ("thumbs.js", JS, include_str!("../assets/thumbs.js")),
    ("steps.js", JS, include_str!("../assets/steps.js")),
    ("events.js", JS, include_str!("../assets/events.js")),
    ("charts.js", JS, include_str!("../assets/charts.js")),
    ("listen.js", JS, include_str!("../assets/listen.js")),
    ("zoom.js", JS, include_str!("../assets/zoom.js")),
];

static DRAW: LazyLock<String> = LazyLock::new(crate::look::style);

/// The mark of the pages: a grid in three colours.
pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' \
    viewBox='0 0 3 3'%3E%3Cpath fill='%231E93FF' d='M0 0h1v1h1v1h1v1h-1v-1h-1v-1h-1z'/%3E\
    %3Cpath fill='%23F93C31' d='M2 0h1v1h-1zM0 2h1v1h-1z'/%3E\
    %3Cpath fill='%23FFDC00' d='M1 0h1v1h-1zM0 1h1v1h-1zM2 1h1v1h-1zM1 2h1v1h-1z'/%3E%3C/svg%3E";

/// One of the files.
pub(crate) fn file(name: &str) -> Response {
    if name == "draw.css" {
        return ([(header::CONTENT_TYPE, CSS)], DRAW.as_str()).into_response();
    }
    match FILES.iter().find(|(known, _, _)| *known == name) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    }
}
