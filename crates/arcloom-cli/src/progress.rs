//! What is shown while someone waits: nothing for short work, a bar on a terminal after a second, a
//! line now and then when standard error goes elsewhere.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::paint::grouped;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Seconds between two lines at first, and once it has become clear that this takes a while.
const LINES: (u64, u64) = (10, 60);

/// A display that any thread may move on. Ends when dropped.
pub(crate) struct Progress {
    label: &'static str,
    total: usize,
    start: Instant,
    kind: DataKind,
}

enum DataKind {
    Silent,
    Bar(OnceLock<ProgressBar>),
    /// Number of lines written.
    Lines(AtomicU64),
}

impl Progress {
    pub(crate) fn new(label: &'static str, total: usize, quiet: bool, terminal: bool) -> Progress {
        let kind = match (quiet, terminal) {
            (true, _) => DataKind::Silent,
            (false, true) => DataKind::Bar(OnceLock::new()),
            (false, false) => DataKind::Lines(AtomicU64::new(0)),
        };
        Progress { label, total, start: Instant::now(), kind }
    }

    /// Says how much is done.
    pub(crate) fn at(&self, done: usize) {
        let elapsed = self.start.elapsed();
        match &self.kind {
            DataKind::Silent => {}
            DataKind::Bar(_) if elapsed < PATIENCE => {}
            DataKind::Bar(bar) => bar.get_or_init(|| self.bar(done)).set_position(done as u64),
            DataKind::Lines(written) => {
                let seconds = elapsed.as_secs();
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
        let bar = if let DataKind::Bar(bar) = &self.kind { bar.get() } else { None };
        match bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    fn bar(&self, done: usize) -> ProgressBar {
        let style =
            ProgressStyle::with_template("  {msg} {bar:32} {human_pos} of {human_len}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(self.total as u64).with_style(style.progress_chars("━━╌"));
        bar.set_message(self.label);
        bar.set_position(done as u64);
        // The time left is told from the pace from here on, not from the jump to this position.
        bar.reset_eta();
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let DataKind::Bar(bar) = &self.kind
            && let Some(bar) = bar.get()
        {
            bar.finish_and_clear();
        }
    }
}

/// Something without known end, such as a download. Shown at once, and on a terminal only.
pub(crate) struct Wait(Option<ProgressBar>);

impl Wait {
    pub(crate) fn new(terminal: bool, label: &'static str) -> Wait {
        Wait(terminal.then(|| {
            let bar = ProgressBar::new_spinner().with_message(label).with_elapsed(Duration::ZERO);
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        }))
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
