//! Ending a run early: somebody asked for it, or the time is up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asked between nodes. Only ever ends a whole run; no result depends on it.
#[derive(Debug, Default)]
pub struct Stop {
    flag: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops by itself at that moment, for those who ask [`Stop::is_due`].
    pub fn at(deadline: Option<Instant>) -> Stop {
        Stop { flag: AtomicBool::new(false), deadline }
    }

    /// Asks everybody to stop.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Time until it stops by itself.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// True when somebody asked for it.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// True when somebody asked for it or the time is up; reads the clock.
    pub fn is_due(&self) -> bool {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.set();
        }
        self.is_set()
    }
}
