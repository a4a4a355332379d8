//! Where the time went, so that it adds up.
//!
//! Stages that one thread does are measured as they are. The stages of the section that all threads
//! share are measured on each thread and divided by their number; what the threads spent waiting for
//! the last of them is a stage of its own. So the stages sum to the wall time of the whole.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading programs and tasks.
    Load,
    /// Merging programs and making the batt ready.
    Card,
    /// Devices: finding them, building kernels, one batch of everything they have kernels for.
    Device,
    /// Evaluating nodes.
    Run,
    /// Comparing grids with the expected ones.
    Score,
    /// Finding candidates of equal behaviour.
    Group,
    /// Differs, and the ranking.
    Judge,
    /// Cutting programs out of the graph.
    Slice,
    /// Threads without work.
    Idle,
    /// Comparing attempts with test answers.
    Report,
    /// Writing results.
    Print,
}

impl Stage {
    /// All of them, in the order they happen.
    pub const ALL: [Stage; 11] = [
        Stage::Load,
        Stage::Card,
        Stage::Device,
        Stage::Run,
        Stage::Score,
        Stage::Group,
        Stage::Judge,
        Stage::Slice,
        Stage::Idle,
        Stage::Report,
        Stage::Print,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Card => "card",
            Stage::Device => "device",
            Stage::Run => "run",
            Stage::Score => "score",
            Stage::Group => "group",
            Stage::Judge => "judge",
            Stage::Slice => "slice",
            Stage::Idle => "idle",
            Stage::Report => "report",
            Stage::Print => "print",
        }
    }
}

/// Time of one stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Its share of the wall time.
    pub wall: Duration,
    /// Processor time of all threads; zero where the system does not say.
    pub cpu: Duration,
}

/// Something a thread did, for a timeline.
#[derive(Debug, Clone)]
pub struct Event {
    /// What it worked on: a task, or nothing in particular.
    pub name: String,
    /// The stage.
    pub stage: Stage,
    /// Number of the thread, from 0.
    pub thread: usize,
    /// Since the start of the run.
    pub start: Duration,
    /// How long it took.
    pub time: Duration,
}

/// Collects the times of one run.
#[derive(Debug)]
pub struct Timing {
    start: Instant,
    single: [Spent; Stage::ALL.len()],
    /// Nanoseconds on all threads together, by stage of the shared section.
    shared: [AtomicU64; Stage::ALL.len()],
    section: Spent,
    workers: usize,
    events: Option<Mutex<Vec<Event>>>,
}

impl Timing {
    /// Starts the clock. Events are kept only if asked for.
    pub fn new(events: bool) -> Timing {
        Timing {
            start: Instant::now(),
            single: Default::default(),
            shared: Default::default(),
            section: Spent::default(),
            workers: 1,
            events: events.then(Mutex::default),
        }
    }

    /// Does something that is one stage, on this thread alone.
    pub fn stage<R>(&mut self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let (start, cpu) = (Instant::now(), cpu_time());
        let result = work();
        let spent = Spent { wall: start.elapsed(), cpu: cpu_since(cpu) };
        self.add(stage, spent);
        self.event(String::new(), stage, start, spent.wall);
        result
    }

    /// Adds time that was measured elsewhere.
    pub fn add(&mut self, stage: Stage, spent: Spent) {
        let total = &mut self.single[stage as usize];
        total.wall += spent.wall;
        total.cpu += spent.cpu;
    }

    /// Does what threads share, `workers` of which have stages of their own. Only one such section is
    /// measured.
    pub fn section<R>(&mut self, workers: usize, work: impl FnOnce(&Timing) -> R) -> R {
        self.workers = workers.max(1);
        let (start, cpu) = (Instant::now(), cpu_time());
        let result = work(self);
        self.section = Spent { wall: start.elapsed(), cpu: cpu_since(cpu) };
        result
    }

    /// A stop watch for one piece of work inside the shared section.
    pub fn clock<'t>(&'t self, name: &'t str) -> Clock<'t> {
        Clock { timing: self, name, start: Instant::now() }
    }

    /// The time of every stage.
    pub fn stages(&self) -> Vec<(Stage, Spent)> {
        let busy: Vec<Duration> =
            self.shared.iter().map(|ns| Duration::from_nanos(ns.load(Ordering::Relaxed))).collect();
        let all: Duration = busy.iter().sum();
        let workers = self.workers as f64;
        let row = |stage: Stage| {
            let single = self.single[stage as usize];
            let part = busy[stage as usize];
            let share = part.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
            let mut wall = single.wall + part.div_f64(workers);
            if stage == Stage::Idle {
                wall += self.section.wall.saturating_sub(all.div_f64(workers));
            }
            (stage, Spent { wall, cpu: single.cpu + self.section.cpu.mul_f64(share) })
        };
        Stage::ALL.into_iter().map(row).collect()
    }

    /// What each thread did, if that was asked for, in the order of the starts.
    pub fn events(&self) -> Vec<Event> {
        let Some(events) = &self.events else { return Vec::new() };
        let mut events = events.lock().unwrap_or_else(PoisonError::into_inner).clone();
        events.sort_by_key(|event| (event.start, event.thread));
        events
    }

    fn event(&self, name: String, stage: Stage, start: Instant, time: Duration) {
        if let Some(events) = &self.events {
            let thread = rayon::current_thread_index().map_or(0, |n| n + 1);
            let start = start.saturating_duration_since(self.start);
            let event = Event { name, stage, thread, start, time };
            events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        }
    }
}

/// A stop watch for one piece of work.
pub struct Clock<'t> {
    timing: &'t Timing,
    name: &'t str,
    start: Instant,
}

impl Clock<'_> {
    /// What was done since the last time was this stage.
    pub fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        let time = now - self.start;
        self.timing.shared[stage as usize].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        self.timing.event(self.name.to_string(), stage, self.start, time);
        self.start = now;
    }
}

/// Processor time of the thread that it was started on.
#[derive(Debug, Clone, Copy)]
pub struct ThreadClock(Option<Duration>);

impl ThreadClock {
    /// Starts it.
    pub fn start() -> ThreadClock {
        ThreadClock(thread_time())
    }

    /// Time since then, asked on the same thread; `None` where the system does not say.
    pub fn spent(self) -> Option<Duration> {
        thread_time().zip(self.0).map(|(now, then)| now.saturating_sub(then))
    }
}

/// Processor time of this thread so far. Linux only.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Processor time of this process so far: nanoseconds of every thread that is alive, or else ticks of
/// a hundredth of a second. Linux only; there is no portable way without a foreign function.
pub fn cpu_time() -> Option<Duration> {
    nanoseconds().or_else(ticks)
}

fn cpu_since(start: Option<Duration>) -> Duration {
    let since = cpu_time().zip(start).map(|(now, then)| now.saturating_sub(then));
    since.unwrap_or_default()
}

fn nanoseconds() -> Option<Duration> {
    let mut total = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    (total > 0).then(|| Duration::from_nanos(total))
}

fn ticks() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the command in parentheses and may hold spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

/// Most memory this process had in use at one time, where the system says.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
