//! What devices did in a run, for those who are told.

use std::time::Duration;

use arcloom_gpu::{DeviceColumns, Use};

use super::DeviceChoice;

/// What devices did in a run, and what they did not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceReport {
    /// Who was asked for.
    pub asked: DeviceChoice,
    /// Why `auto` chose as it did, in words.
    pub chosen: Option<String>,
    /// What each device did.
    pub uses: Vec<Use>,
    /// Programs of the batt.
    pub programs: usize,
    /// Programs that devices have all kernels for.
    pub covered: usize,
    /// How many of the others there are, by reason.
    pub reasons: Vec<(String, usize)>,
    /// Programs times inputs evaluated by devices.
    pub runs: u64,
    /// Values that came back, 12 bytes each.
    pub results: u64,
    /// Of these, how many left what a device can hold and were evaluated again.
    pub over: u64,
    /// Grids that were computed again because somebody looked at them.
    pub drawn: u64,
    /// What went wrong; the CPU did that work.
    pub faults: Vec<String>,
    /// Finding devices, building kernels, lowering.
    pub setup: Duration,
}

impl DeviceReport {
    /// Adds what was counted while columns were made.
    pub(crate) fn finish(&mut self, columns: &DeviceColumns<'_>) {
        let counts = columns.counts();
        self.over = counts.over;
        self.drawn = counts.drawn;
        if counts.wrong > 0 {
            self.faults.push(format!(
                "a device gave other grids than the CPU on {} tasks, which the CPU ran again; please \
                 report this",
                counts.wrong
            ));
        }
    }
}
