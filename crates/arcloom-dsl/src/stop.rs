//! Ending a run early: somebody asked for it, or the time is up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asked between nodes, and inside a step after every slice of its budget. Only ever ends a whole
/// run: an outcome that was cut short is thrown away with it. Clones stop together.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    flag: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops by itself at that moment, for those who ask [`Stop::is_due`].
    pub fn at(deadline: Option<Instant>) -> Stop {
        Stop(Arc::new(State { flag: AtomicBool::new(false), deadline }))
    }

    /// Asks everybody to stop.
    pub fn set(&self) {
        self.0.flag.store(true, Ordering::Relaxed);
    }

    /// Time until it stops by itself.
    pub fn left(&self) -> Option<Duration> {
        self.0.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// True when somebody asked for it.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.flag.load(Ordering::Relaxed)
    }

    /// True when somebody asked for it or the time is up; reads the clock.
    pub fn is_due(&self) -> bool {
        if self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.set();
        }
        self.is_set()
    }

    /// True when the two stop together.
    pub(crate) fn is_same(&self, other: &Stop) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
