//! What is shown while someone waits: one live line on a terminal, a line now and then when standard error
//! goes elsewhere. A live line is never longer than the terminal is wide, and is gone at the end.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt;
use crate::paint::{grouped, shorten};

/// Time left is told once this much work has shown the pace.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a live line is drawn when nothing happens.
const TICK: Duration = Duration::from_millis(200);
/// Seconds between two lines at first, and once it has become clear that this takes a while.
const LINES: (u64, u64) = (10, 60);
/// Columns of a live line besides its bar, and those of the bar.
const BESIDE: usize = 56;
const BAR: (usize, usize) = (8, 32);

/// A display that any thread may move on. Ends when dropped.
pub(crate) struct Progress {
    label: &'static str,
    total: usize,
    start: Instant,
    kind: Kind,
}

enum Kind {
    Silent,
    Bar {
        bar: ProgressBar,
        /// The first that was heard of: the pace is told from there, because what was known before the
        /// run, or is done at once, says nothing about the rest.
        first: OnceLock<(Instant, usize)>,
    },
    /// Number of lines written.
    Lines(AtomicU64),
}

/// Where standard error goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ErrorStream {
    /// A terminal of so many columns.
    Terminal(usize),
    Elsewhere,
}

impl Progress {
    pub(crate) fn new(
        label: &'static str,
        total: usize,
        quiet: bool,
        stream: ErrorStream,
    ) -> Progress {
        let kind = match (quiet, stream) {
            (true, _) => Kind::Silent,
            (false, ErrorStream::Terminal(columns)) => {
                interrupt::handle();
                Kind::Bar { bar: bar(label, total, columns), first: OnceLock::new() }
            }
            (false, ErrorStream::Elsewhere) => Kind::Lines(AtomicU64::new(0)),
        };
        Progress { label, total, start: Instant::now(), kind }
    }

    /// Says how much is done.
    pub(crate) fn at(&self, done: usize) {
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar { bar, first } => {
                bar.set_position(done as u64);
                let &(since, before) = first.get_or_init(|| (Instant::now(), done));
                let left = time_left(
                    since.elapsed(),
                    done.saturating_sub(before),
                    self.total - done.min(self.total),
                );
                bar.set_message(
                    left.map_or(String::new(), |left| format!(", {} left", about(left))),
                );
            }
            Kind::Lines(written) => {
                let seconds = self.start.elapsed().as_secs();
                let due = seconds.min(LINES.1) / LINES.0 + seconds / LINES.1;
                if written.fetch_max(due, Ordering::Relaxed) < due {
                    let (done, total) = (grouped(done), grouped(self.total));
                    let _ = writeln!(io::stderr(), "arcloom: {}: {done} of {total}", self.label);
                }
            }
        }
    }

    /// Says something else meanwhile.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        match &self.kind {
            Kind::Bar { bar, .. } => bar.suspend(say),
            Kind::Silent | Kind::Lines(_) => say(),
        }
    }
}

fn bar(label: &'static str, total: usize, columns: usize) -> ProgressBar {
    let width = columns.saturating_sub(BESIDE).clamp(BAR.0, BAR.1);
    let template =
        format!("  {{prefix}} {{bar:{width}}} {{human_pos}} of {{human_len}}, {{elapsed}}{{msg}}");
    let style = ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━━╌");
    let bar = ProgressBar::new(total as u64).with_style(style).with_prefix(label);
    bar.enable_steady_tick(TICK);
    bar
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Kind::Bar { bar, .. } = &self.kind {
            bar.finish_and_clear();
        }
    }
}

/// The time that is left at the pace so far; `None` while that says nothing.
fn time_left(spent: Duration, done: usize, left: usize) -> Option<Duration> {
    if spent < PATIENCE || done == 0 || left == 0 {
        return None;
    }
    Some(spent.mul_f64(left as f64 / done as f64))
}

/// A time that is only about right: `40 s`, `12 min`, `3 h 20 min`.
pub(crate) fn about(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{} s", seconds.max(1)),
        seconds @ 100..5400 => format!("{} min", (seconds + 30) / 60),
        seconds => {
            let minutes = (seconds + 30) / 60;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

/// A live line of text of its own, for work whose end is not a number. Only on a terminal.
pub(crate) struct Live {
    bar: Option<(ProgressBar, usize)>,
}

impl Live {
    pub(crate) fn new(stream: ErrorStream, text: &str) -> Live {
        let bar = match stream {
            ErrorStream::Elsewhere => None,
            ErrorStream::Terminal(columns) => {
                let style = ProgressStyle::with_template("{spinner} {msg}");
                let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
                interrupt::handle();
                let bar = ProgressBar::new_spinner().with_style(style);
                bar.enable_steady_tick(TICK);
                Some((bar, columns))
            }
        };
        let live = Live { bar };
        live.say(text);
        live
    }

    /// Whether anybody sees it.
    pub(crate) fn is_seen(&self) -> bool {
        self.bar.is_some()
    }

    /// What the line says from now on, cut at the terminal's width.
    pub(crate) fn say(&self, text: &str) {
        if let Some((bar, columns)) = &self.bar {
            bar.set_message(shorten(text, columns.saturating_sub(3)));
        }
    }

    /// Writes something else meanwhile.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some((bar, _)) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some((bar, _)) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_told_once_the_pace_is_known() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(1), 5, 5), None);
        assert_eq!(time_left(seconds(10), 0, 5), None);
        assert_eq!(time_left(seconds(10), 5, 15), Some(seconds(30)));
        assert_eq!(time_left(seconds(10), 5, 0), None);
    }

    #[test]
    fn times_are_about_right() {
        let about = |seconds| about(Duration::from_secs(seconds));
        assert_eq!([about(0), about(40), about(720)], ["1 s", "40 s", "12 min"]);
        assert_eq!(about(12_000), "3 h 20 min");
    }
}
