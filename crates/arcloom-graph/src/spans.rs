//! Where the time of a run goes: one clock, nested spans, each of which has its own time alone.
//!
//! A thread is at any moment in one row of the table: that of the innermost [`span`] it is in. So the rows of one
//! thread add up to its time. What threads share ([`section`]) is divided by their number, and what they waited is a
//! row of its own, `idle`; so all rows together add up to the time on the wall.
//!
//! A [`group`] puts its name before the rows of the spans in it: `evolution: mutate`.
//!
//! Nothing is measured, and next to nothing is spent, on threads that no [`Spans`] has entered.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The row of threads without work.
const IDLE: &str = "idle";
/// Spans shorter than this are in the table, but not on the timeline.
const SHORTEST_EVENT: Duration = Duration::from_micros(20);
/// Most events of a timeline: some hundred megabytes.
const MOST_EVENTS: usize = 2_000_000;

/// Group and span.
type Key = (&'static str, &'static str);

/// Time of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeRow {
    /// Its name in reports.
    pub name: String,
    /// Its share of the time on the wall.
    pub wall: Duration,
    /// Processor time of all threads; zero where the system does not say.
    pub cpu: Duration,
}

/// Something a thread did, for a timeline.
#[derive(Debug, Clone)]
pub struct Event {
    /// What it worked on: a task, or nothing in particular.
    pub about: String,
    /// The row.
    pub name: String,
    /// Number of the thread, from 0.
    pub thread: usize,
    /// Since the start.
    pub start: Duration,
    /// How long it took.
    pub time: Duration,
}

/// Collects the times of one run.
#[derive(Clone)]
pub struct Spans(Arc<Inner>);

struct Inner {
    start: Instant,
    cpu: Duration,
    rows: Mutex<Rows>,
    /// Of the threads of the section that is at work.
    shared: Mutex<Rows>,
    events: Option<Mutex<Vec<Event>>>,
}

#[derive(Clone, Copy)]
struct Row {
    key: Key,
    /// When a thread was first in it.
    first: Instant,
    wall: Duration,
    cpu: Duration,
}

#[derive(Default)]
struct Rows(Vec<Row>);

impl Rows {
    fn place(&mut self, key: Key, first: Instant) -> usize {
        let known = self.0.iter().position(|row| row.key == key);
        known.unwrap_or_else(|| {
            self.0.push(Row { key, first, wall: Duration::ZERO, cpu: Duration::ZERO });
            self.0.len() - 1
        })
    }

    fn add(&mut self, more: Row) {
        let place = self.place(more.key, more.first);
        let row = &mut self.0[place];
        row.first = row.first.min(more.first);
        row.wall += more.wall;
        row.cpu += more.cpu;
    }
}

/// What a thread is at.
struct Thread {
    inner: Arc<Inner>,
    rows: Rows,
    current: usize,
    since: Instant,
    since_cpu: Duration,
    /// True for one that shares a section.
    is_worker: bool,
    about: String,
}

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static THREAD: RefCell<Option<Thread>> = const { RefCell::new(None) };
}

impl Thread {
    fn new(inner: Arc<Inner>, key: Key, is_worker: bool) -> Thread {
        let (since, since_cpu) = (Instant::now(), thread_cpu());
        let mut rows = Rows::default();
        let current = rows.place(key, since);
        Thread { inner, rows, current, since, since_cpu, is_worker, about: String::new() }
    }

    /// Ends the stretch in the present row and begins one in another.
    fn go_to(&mut self, row: usize) {
        // In this order: where the system gives the processor to others, it does so while it is asked for the
        // first, and the wait belongs to the row that is left.
        let cpu = thread_cpu();
        let now = Instant::now();
        let left = &mut self.rows.0[self.current];
        left.wall += now - self.since;
        left.cpu += cpu.saturating_sub(self.since_cpu);
        (self.current, self.since, self.since_cpu) = (row, now, cpu);
    }

    fn enter(&mut self, key: Key) -> usize {
        let place = self.rows.place(key, Instant::now());
        let before = self.current;
        self.go_to(place);
        before
    }

    fn key(&self) -> Key {
        self.rows.0[self.current].key
    }

    fn event(&self, key: Key, start: Instant) {
        let time = start.elapsed();
        let Some(events) = self.inner.events.as_ref().filter(|_| time >= SHORTEST_EVENT) else {
            return;
        };
        let mut events = lock(events);
        if events.len() < MOST_EVENTS {
            events.push(Event {
                about: self.about.clone(),
                name: name(key),
                thread: rayon::current_thread_index().map_or(0, |n| n + 1),
                start: start.saturating_duration_since(self.inner.start),
                time,
            });
        }
    }
}

fn with<R>(work: impl FnOnce(&mut Thread) -> R) -> Option<R> {
    THREAD.with_borrow_mut(|thread| thread.as_mut().map(work))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name((group, span): Key) -> String {
    match (group, span) {
        ("", span) => span.to_owned(),
        (group, "") => group.to_owned(),
        (group, span) => format!("{group}: {span}"),
    }
}

impl Spans {
    /// Starts the clock. Events are kept only if asked for.
    pub fn new(events: bool) -> Spans {
        Spans(Arc::new(Inner {
            start: Instant::now(),
            cpu: process_cpu(),
            rows: Mutex::default(),
            shared: Mutex::default(),
            events: events.then(Mutex::default),
        }))
    }

    /// Measures what this thread does until the guard is dropped.
    pub fn enter(&self) -> Entered {
        put(Thread::new(self.0.clone(), ("", ""), false));
        Entered(PhantomData)
    }

    /// The time of every row, in the order in which they began. What no span was made for is in none of them.
    pub fn rows(&self) -> Vec<TimeRow> {
        // What this thread did is written down as far as it got.
        let _ = with(|thread| {
            thread.go_to(thread.current);
            flush(thread);
        });
        let mut rows = lock(&self.0.rows).0.clone();
        rows.sort_by_key(|row| (row.key == ("", IDLE), row.first));
        let rows = rows.into_iter().filter(|row| row.key != ("", ""));
        let rows = rows.map(|row| TimeRow { name: name(row.key), wall: row.wall, cpu: row.cpu });
        rows.filter(|row| !row.wall.is_zero()).collect()
    }

    /// Time on the wall and processor time since the start.
    pub fn whole(&self) -> TimeRow {
        let (wall, cpu) = (self.0.start.elapsed(), process_cpu().saturating_sub(self.0.cpu));
        TimeRow { name: "all".to_owned(), wall, cpu }
    }

    /// What each thread did, if that was asked for, in the order of the starts.
    pub fn events(&self) -> Vec<Event> {
        let Some(events) = &self.0.events else { return Vec::new() };
        let mut events = lock(events).clone();
        events.sort_by_key(|event| (event.start, event.thread));
        events
    }
}

fn put(thread: Thread) {
    THREAD.set(Some(thread));
    ON.set(true);
}

/// Adds what a thread did to the table that it belongs to.
fn flush(thread: &mut Thread) {
    let inner = thread.inner.clone();
    let mut rows = lock(if thread.is_worker { &inner.shared } else { &inner.rows });
    for row in &mut thread.rows.0 {
        rows.add(*row);
        (row.wall, row.cpu) = (Duration::ZERO, Duration::ZERO);
    }
}

/// While it lives, its thread is measured.
pub struct Entered(PhantomData<*const ()>);

impl Drop for Entered {
    fn drop(&mut self) {
        let _ = with(|thread| {
            thread.go_to(thread.current);
            flush(thread);
        });
        ON.set(false);
        THREAD.set(None);
    }
}

/// While it lives, its thread is in its row. Guards of one thread are dropped in the opposite order.
#[must_use = "the span ends when this is dropped"]
pub struct SpanGuard {
    /// The row before, and the beginning.
    before: Option<(usize, Instant)>,
    own: PhantomData<*const ()>,
}

impl Drop for SpanGuard {
    fn drop(&mut self) {
        let Some((before, start)) = self.before else { return };
        let _ = with(|thread| {
            thread.event(thread.key(), start);
            thread.go_to(before);
        });
    }
}

fn guard(key: impl FnOnce(Key) -> Key) -> SpanGuard {
    let before = ON.get().then(|| {
        with(|thread| {
            let key = key(thread.key());
            let before = thread.enter(key);
            (before, thread.since)
        })
    });
    SpanGuard { before: before.flatten(), own: PhantomData }
}

/// What this thread does until the guard is dropped is in the row of this name.
#[inline]
pub fn span(name: &'static str) -> SpanGuard {
    guard(|(group, _)| (group, name))
}

/// Rows of spans until the guard is dropped begin with this name; so does what is in none of them.
#[inline]
pub fn group(name: &'static str) -> SpanGuard {
    guard(|_| (name, ""))
}

/// What this thread works on from now on, for the timeline.
pub fn about(what: &str) {
    if ON.get() {
        let _ = with(|thread| {
            if thread.inner.events.is_some() {
                what.clone_into(&mut thread.about);
            }
        });
    }
}

/// Work that threads share, as the thread sees it that hands it out.
pub struct Section {
    inner: Arc<Inner>,
    key: Key,
    /// Where it began, and how many threads share it; nothing within another section.
    outer: Option<(Instant, usize)>,
}

/// Begins work that so many threads share; nothing where nothing is measured.
pub fn section(threads: usize) -> Option<Section> {
    if !ON.get() {
        return None;
    }
    with(|thread| {
        let outer = (!thread.is_worker).then(|| {
            // What this thread did so far is its own; from here on it waits.
            thread.go_to(thread.current);
            (thread.since, threads.max(1))
        });
        Section { inner: thread.inner.clone(), key: thread.key(), outer }
    })
}

impl Section {
    /// What the present thread does until the guard is dropped belongs to this section.
    pub fn enter(&self) -> Share {
        match with(|thread| thread.enter(self.key)) {
            Some(before) => Share { before: Some(before), own: PhantomData },
            None => {
                put(Thread::new(self.inner.clone(), self.key, true));
                Share { before: None, own: PhantomData }
            }
        }
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        let Some((start, threads)) = self.outer else { return };
        let _ = with(|thread| {
            // The wait is no row of this thread's: it is divided among what the others did.
            (thread.since, thread.since_cpu) = (Instant::now(), thread_cpu());
            let whole = thread.since - start;
            let shared = std::mem::take(&mut *lock(&self.inner.shared));
            let mut rows = lock(&self.inner.rows);
            let mut busy = Duration::ZERO;
            for row in shared.0 {
                let wall = row.wall / threads as u32;
                busy += wall;
                rows.add(Row { wall, ..row });
            }
            let wall = whole.saturating_sub(busy);
            rows.add(Row { key: ("", IDLE), first: start, wall, cpu: Duration::ZERO });
        });
    }
}

/// While it lives, its thread works for a section.
pub struct Share {
    /// The row before, on a thread that was measured already.
    before: Option<usize>,
    own: PhantomData<*const ()>,
}

impl Drop for Share {
    fn drop(&mut self) {
        match self.before {
            Some(before) => _ = with(|thread| thread.go_to(before)),
            None => drop(Entered(PhantomData)),
        }
    }
}

/// The row of running programs, on inputs of demos or on those of tests.
pub fn run_of(demos: bool) -> &'static str {
    if demos { "run demos" } else { "run tests" }
}

/// Processor time of this thread so far; zero where the system does not say.
pub fn thread_cpu() -> Duration {
    cpu(false)
}

/// Processor time of this process so far, threads that have ended included; zero where the system does not say.
pub fn process_cpu() -> Duration {
    cpu(true)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn cpu(process: bool) -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(match process {
        true => ClockId::ProcessCPUTime,
        false => ClockId::ThreadCPUTime,
    });
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn cpu(_: bool) -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Workers};

    fn work(time: Duration) {
        let start = thread_cpu();
        while thread_cpu() - start < time {
            std::hint::black_box(start);
        }
    }

    const TICK: Duration = Duration::from_millis(8);

    fn row<'r>(rows: &'r [TimeRow], name: &str) -> &'r TimeRow {
        rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no {name}: {rows:?}"))
    }

    #[test]
    fn rows_have_their_own_time_alone_and_add_up() {
        let spans = Spans::new(true);
        let _on = spans.enter();
        {
            let _outer = span("outer");
            work(TICK);
            {
                let _group = group("inner");
                work(2 * TICK);
                let _span = span("deep");
                work(3 * TICK);
            }
            work(TICK);
        }
        let (rows, whole) = (spans.rows(), spans.whole());
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["outer", "inner", "inner: deep"]);
        for (name, ticks) in [("outer", 2), ("inner", 2), ("inner: deep", 3)] {
            let cpu = row(&rows, name).cpu;
            assert!(cpu >= ticks * TICK && cpu < (ticks + 1) * TICK, "{name}: {cpu:?}");
        }
        let sum: Duration = rows.iter().map(|row| row.wall).sum();
        assert!(sum <= whole.wall && whole.wall - sum < whole.wall / 50, "{sum:?} of {whole:?}");
        assert_eq!(spans.events().len(), 3);
    }

    #[test]
    fn what_threads_share_is_divided_by_their_number() {
        let workers = Workers::new(2, Limits::default()).unwrap();
        let spans = Spans::new(false);
        let _on = spans.enter();
        {
            let _base = span("base");
            workers.spread(&[1, 2, 3, 4, 5, 6, 7], |_| {
                let _span = span("shared");
                work(TICK);
            });
            work(TICK);
        }
        let (rows, whole) = (spans.rows(), spans.whole());
        let shared = row(&rows, "shared");
        assert!(shared.cpu >= 7 * TICK, "{shared:?}");
        // On two threads, whatever else the machine does.
        assert!(row(&rows, "base").cpu >= TICK && row(&rows, "base").cpu < 2 * TICK);
        assert!(row(&rows, "idle").cpu.is_zero());
        let sum: Duration = rows.iter().map(|row| row.wall).sum();
        assert!(sum <= whole.wall && whole.wall - sum < whole.wall / 50, "{sum:?} of {whole:?}");
    }

    #[test]
    fn a_thread_that_nobody_measures_measures_nothing() {
        let _span = span("nothing");
        assert!(section(2).is_none());
        assert!(Spans::new(false).rows().is_empty());
    }
}
