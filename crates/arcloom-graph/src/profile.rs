//! Time by primitive, for the table that says what bounds a run.

use std::time::Duration;

use arcloom_dsl::Registry;
use arcloom_value::PrimId;

/// Calls and time per primitive; functions called by a primitive count as its own time.
#[derive(Debug, Clone)]
pub struct Profile {
    rows: Vec<(u64, Duration)>,
    /// What reading the clock twice costs, taken off every call.
    clock: Duration,
}

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileRow {
    /// Name of the primitive, or `call` for calls of computed functions.
    pub name: &'static str,
    /// How often it was called.
    pub calls: u64,
    /// Time spent in it.
    pub time: Duration,
}

impl Default for Profile {
    fn default() -> Profile {
        let mut readings: Vec<Duration> =
            (0..1000).map(|_| std::time::Instant::now().elapsed()).collect();
        readings.sort_unstable();
        let clock = readings[readings.len() / 2];
        Profile { rows: vec![Default::default(); Registry::get().all().len() + 1], clock }
    }
}

impl Profile {
    /// Adds one call; `None` stands for the call of a computed function.
    pub fn add(&mut self, prim: Option<PrimId>, time: Duration) {
        let last = self.rows.len() - 1;
        let (calls, total) = &mut self.rows[prim.map_or(last, |id| usize::from(id.0))];
        *calls += 1;
        *total += time.saturating_sub(self.clock);
    }

    /// What was counted so far; counting starts again.
    pub fn take(&mut self) -> Profile {
        let empty = vec![Default::default(); self.rows.len()];
        Profile { rows: std::mem::replace(&mut self.rows, empty), clock: self.clock }
    }

    /// Adds what another profile counted.
    pub fn merge(&mut self, other: &Profile) {
        for (row, more) in self.rows.iter_mut().zip(&other.rows) {
            row.0 += more.0;
            row.1 += more.1;
        }
    }

    /// The table, most time first.
    pub fn table(&self) -> Vec<ProfileRow> {
        let names = Registry::get().all().map(|(_, p)| p.name).chain(["call"]);
        let mut rows: Vec<ProfileRow> = names
            .zip(&self.rows)
            .filter(|(_, row)| row.0 > 0)
            .map(|(name, &(calls, time))| ProfileRow { name, calls, time })
            .collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.time), row.name));
        rows
    }
}
