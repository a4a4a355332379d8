//! Tells pages when the archive has changed.
//!
//! `evolve` and `solve` are other processes; what they share is the archive. One task here looks at the
//! file's outside twice a second while somebody listens, and tells all listeners when it has changed;
//! pages then ask for their part anew. Nothing is held open in between, so that the writer can move its
//! journal into the file at any time.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};

use crate::routes::App;
use crate::site::Site;

/// How often the archive is looked at.
const PERIOD: Duration = Duration::from_millis(500);
/// How often something is sent when there is nothing to say, so that lost clients are noticed.
const BEAT: Duration = Duration::from_secs(8);
/// Most listeners at once.
const LISTENERS: usize = 48;

/// Tells listeners when the archive has changed.
#[derive(Clone)]
pub(crate) struct Follower {
    changes: watch::Receiver<u64>,
    room: Arc<Semaphore>,
}

impl Follower {
    /// Starts to follow. Must be called inside the runtime.
    pub(crate) fn start(site: Arc<Site>) -> Follower {
        let (sender, changes) = watch::channel(0);
        tokio::spawn(async move {
            let mut last = None;
            loop {
                sleep(PERIOD).await;
                // The receiver that the application keeps is no listener.
                if sender.receiver_count() > 1
                    && let Some(store) = &site.store
                {
                    let stamp = Some(store.stamp());
                    if stamp != last {
                        last = stamp;
                        sender.send_modify(|n| *n += 1);
                    }
                }
                if sender.is_closed() {
                    return;
                }
            }
        });
        Follower { changes, room: Arc::new(Semaphore::new(LISTENERS)) }
    }
}

/// The changes of the archive, each as a number. What is shown of them is asked for page by page, so one
/// stream serves all pages of a browser.
pub(crate) async fn stream(State(app): State<App>) -> Response {
    let Ok(place) = app.events.room.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are listening.\n")
            .into_response();
    };
    // One event waits at most: a slow client gets the latest state, not all of them.
    let (sender, receiver) = mpsc::channel::<Bytes>(1);
    tokio::spawn(async move {
        let _place = place;
        let mut changes = app.events.changes.clone();
        changes.mark_changed();
        loop {
            let event = match timeout(BEAT, changes.changed()).await {
                Ok(Ok(())) => changed(*changes.borrow_and_update()),
                Ok(Err(_)) => return,
                Err(_) => Bytes::from_static(b": still here\n\n"),
            };
            if sender.send(event).await.is_err() {
                return;
            }
        }
    });
    let mut response = Body::new(Events(receiver)).into_response();
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// An event that says how often the archive has changed.
fn changed(times: u64) -> Bytes {
    Bytes::from(format!("event: changed\ndata: {times}\n\n"))
}

/// A body of which more comes as it happens.
struct Events(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_one_event() {
        assert_eq!(changed(3), "event: changed\ndata: 3\n\n");
    }
}
