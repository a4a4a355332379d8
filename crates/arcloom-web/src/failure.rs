//! What is said when a page cannot be shown.

use arcloom::archive::StoreError;
use axum::http::StatusCode;

/// Why a page cannot be shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such thing.
    Missing(String),
    /// The request makes no sense.
    Wrong(String),
    /// The request is understood and will not be done.
    Refused(String),
    /// The archive cannot be read.
    Store(StoreError),
    /// Too much is asked at once.
    Busy,
    /// A bug of ours.
    Broken,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Unknown { .. } | StoreError::Ambiguous { .. } => {
                Failure::Missing(error.to_string())
            }
            other => Failure::Store(other),
        }
    }
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Failure::Missing(_) => StatusCode::NOT_FOUND,
            Failure::Wrong(_) => StatusCode::BAD_REQUEST,
            Failure::Refused(_) => StatusCode::CONFLICT,
            Failure::Store(_) | Failure::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Failure::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(crate) fn title(&self) -> &'static str {
        match self {
            Failure::Missing(_) => "Not here",
            Failure::Wrong(_) => "Not understood",
            Failure::Refused(_) => "Refused",
            Failure::Store(_) => "The archive cannot be read",
            Failure::Busy => "Busy",
            Failure::Broken => "A bug",
        }
    }

    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Missing(text) | Failure::Wrong(text) | Failure::Refused(text) => text.clone(),
            Failure::Store(error) => error.to_string(),
            Failure::Busy => "Many pages are being made at the moment. Try again.".to_owned(),
            Failure::Broken => {
                "Making this page went wrong. The terminal that runs `arcloom serve` says where; \
                 please report it."
                    .to_owned()
            }
        }
    }
}
