//! A run with devices: they say what every node comes to, the CPU does what they cannot and draws the
//! few grids that are looked at.
//!
//! | file | what is in it |
//! |---|---|
//! | `device/choice.rs` | who is asked to evaluate |
//! | `device/report.rs` | what devices did |
//! | `device/ask.rs` | all tasks sent to them in one batch |
//! | `device/trial.rs` | who is faster on some of the work, for `auto` |
//! | `device/measure.rs` | what devices and the CPU take for the same work |
//!
//! A device evaluates the programs it has kernels for on all inputs of all tasks in one batch. What
//! comes back is 12 bytes per node and input: a hash of the grid, how many cells are right, whether it
//! failed. `arcloom-gpu` makes the columns of the run of that; nothing else in the engine knows where
//! columns are from.

use arcloom_gpu::{DeviceInfo, Listing};

mod ask;
mod choice;
mod measure;
mod report;
mod trial;

pub(super) use ask::ask;
pub use choice::DeviceChoice;
pub use measure::{Measured, Measurement, measure};
pub use report::DeviceReport;

/// The devices of this machine in the order of their numbers, and what libraries said that have none.
pub fn devices() -> (Vec<DeviceInfo>, Vec<String>) {
    let listing = Listing::new();
    (listing.infos().cloned().collect(), listing.absent)
}
