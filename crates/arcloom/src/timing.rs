//! Where the time of a command goes. The table of rows is [`Spans`]; who works says what at with
//! [`span`].

use std::time::Duration;

use arcloom_graph::spans::thread_cpu;
pub use arcloom_graph::spans::{Entered, Event, Spans, TimeRow, about, group, span};

/// Processor time of the thread that it was started on.
#[derive(Debug, Clone, Copy)]
pub struct ThreadClock(Duration);

impl ThreadClock {
    /// Starts it.
    pub fn start() -> ThreadClock {
        ThreadClock(thread_cpu())
    }

    /// Time since then, asked on the same thread; `None` where the system does not say.
    pub fn spent(self) -> Option<Duration> {
        let now = thread_cpu();
        (!now.is_zero()).then(|| now.saturating_sub(self.0))
    }
}

/// Processor time of this process so far: nanoseconds of every thread that is alive, or else ticks of
/// a hundredth of a second. Linux only; there is no portable way without a foreign function.
pub fn cpu_time() -> Option<Duration> {
    nanoseconds().or_else(ticks)
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
