//! Streams as threads and events as points in them.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::{LAUNCH_FAILED, SUCCESS};

/// What callers have of a stream or an event: a number.
pub(crate) type Handle = *mut c_void;

/// Something to be done in a stream; what it gives is an error code.
pub(crate) type Job = Box<dyn FnOnce() -> c_int + Send>;

struct Stream {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

/// An event: when it came, and whether everything before it went well.
#[derive(Default)]
struct Event {
    came: Mutex<Option<(Instant, c_int)>>,
    news: Condvar,
}

#[derive(Default)]
struct All {
    last: usize,
    streams: BTreeMap<usize, Stream>,
    /// An event is made anew whenever it is recorded, so that who waits for it waits for that.
    events: BTreeMap<usize, Arc<Event>>,
    /// The first error of any stream: the driver gives it for everything from then on.
    error: c_int,
}

static ALL: Mutex<Option<All>> = Mutex::new(None);

fn with<R>(work: impl FnOnce(&mut All) -> R) -> R {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    work(all.get_or_insert_default())
}

fn number(handle: Handle) -> usize {
    handle.addr()
}

fn handle(number: usize) -> Handle {
    std::ptr::without_provenance_mut(number)
}

pub(crate) fn create() -> Handle {
    let (jobs, taken) = channel::<Job>();
    let work = move || {
        for job in taken {
            // Nothing more is done once something went wrong.
            if with(|all| all.error) == SUCCESS {
                let code = job();
                with(|all| all.error = if all.error == SUCCESS { code } else { all.error });
            }
        }
    };
    let thread = std::thread::spawn(work);
    with(|all| {
        all.last += 1;
        all.streams.insert(all.last, Stream { jobs, thread });
        handle(all.last)
    })
}

pub(crate) fn destroy(stream: Handle) -> c_int {
    let Some(stream) = with(|all| all.streams.remove(&number(stream))) else {
        return LAUNCH_FAILED;
    };
    drop(stream.jobs);
    if stream.thread.join().is_ok() { SUCCESS } else { LAUNCH_FAILED }
}

pub(crate) fn enqueue(stream: Handle, job: Job) -> c_int {
    let jobs = with(|all| all.streams.get(&number(stream)).map(|stream| stream.jobs.clone()));
    match jobs {
        Some(jobs) if jobs.send(job).is_ok() => with(|all| all.error),
        _ => LAUNCH_FAILED,
    }
}

pub(crate) fn synchronize(stream: Handle) -> c_int {
    let event = create_event();
    let code = record(event, stream);
    let code = if code == SUCCESS { wait_for(event) } else { code };
    destroy_event(event);
    code
}

pub(crate) fn create_event() -> Handle {
    with(|all| {
        all.last += 1;
        all.events.insert(all.last, Arc::default());
        handle(all.last)
    })
}

pub(crate) fn destroy_event(event: Handle) {
    with(|all| all.events.remove(&number(event)));
}

pub(crate) fn record(event: Handle, stream: Handle) -> c_int {
    let made = Arc::new(Event::default());
    let kept = made.clone();
    with(|all| all.events.insert(number(event), kept));
    // It comes after an error as well, or nobody would ever hear of that.
    let marker = Marker(made);
    let job: Job = Box::new(move || {
        drop(marker);
        SUCCESS
    });
    enqueue(stream, job)
}

/// An event comes when this goes, whether the job that has it was done or left out.
struct Marker(Arc<Event>);

impl Drop for Marker {
    fn drop(&mut self) {
        let error = with(|all| all.error);
        let mut came = self.0.came.lock().unwrap_or_else(PoisonError::into_inner);
        *came = Some((Instant::now(), error));
        self.0.news.notify_all();
    }
}

fn await_event(event: &Event) -> c_int {
    let mut came = event.came.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some((_, code)) = *came {
            return code;
        }
        came = event.news.wait(came).unwrap_or_else(PoisonError::into_inner);
    }
}

pub(crate) fn wait_for(event: Handle) -> c_int {
    let event = with(|all| all.events.get(&number(event)).cloned());
    event.map_or(LAUNCH_FAILED, |event| await_event(&event))
}

/// The stream goes on when the event, as it was recorded last, has come.
pub(crate) fn wait(stream: Handle, event: Handle) -> c_int {
    let event = with(|all| all.events.get(&number(event)).cloned());
    let Some(event) = event else { return LAUNCH_FAILED };
    enqueue(stream, Box::new(move || await_event(&event)))
}

/// Milliseconds between two events that came.
pub(crate) fn elapsed(start: Handle, end: Handle) -> Option<f32> {
    let when = |event: Handle| {
        let event = with(|all| all.events.get(&number(event)).cloned())?;
        let came = event.came.lock().unwrap_or_else(PoisonError::into_inner);
        came.map(|(when, _)| when)
    };
    let (start, end) = (when(start)?, when(end)?);
    Some(end.saturating_duration_since(start).as_secs_f32() * 1e3)
}
