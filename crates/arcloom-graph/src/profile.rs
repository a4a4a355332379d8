//! Time by primitive, for the table that says what bounds a run.

use std::time::{Duration, Instant};

use arcloom_dsl::Registry;
use arcloom_value::PrimId;

use crate::spans::thread_cpu;

/// Calls and processor time per primitive; functions called by a primitive count as its own time. Calls are too short
/// for the processor's clock: they are measured on the wall, and what a stretch of them took is scaled to the
/// processor time of the stretch ([`CpuWatch`]).
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
    /// Processor time spent in it.
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

/// Measures a stretch of calls on this thread.
pub struct CpuWatch {
    start: Instant,
    cpu: Duration,
}

impl CpuWatch {
    /// The stretch begins.
    pub fn start() -> CpuWatch {
        CpuWatch { start: Instant::now(), cpu: thread_cpu() }
    }

    /// The stretch ends: what was measured in it, in processor time.
    pub fn scaled(&self, profile: Option<Profile>) -> Option<Profile> {
        let mut profile = profile?;
        let (wall, cpu) = (self.start.elapsed(), thread_cpu().saturating_sub(self.cpu));
        // Where the system does not say, the wall has to do.
        if !cpu.is_zero() && cpu < wall {
            let share = cpu.as_secs_f64() / wall.as_secs_f64();
            profile.rows.iter_mut().for_each(|(_, time)| *time = time.mul_f64(share));
        }
        Some(profile)
    }
}
