//! What a device must be able to do, and what can go wrong with it.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use crate::lower::Lowered;

/// How kernels are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Api {
    /// CUDA's driver, with kernels that were compiled beforehand.
    Cuda,
    /// OpenCL, which compiles the kernel text when a device is first used.
    OpenCl,
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Api::Cuda => "CUDA",
            Api::OpenCl => "OpenCL",
        })
    }
}

/// What is known of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub api: Api,
    /// Version of its driver.
    pub driver: String,
    /// Bytes of memory.
    pub memory: u64,
    /// Most bytes of one buffer.
    pub largest: u64,
    /// Units that work side by side: multiprocessors, or threads of a device that is the CPU.
    pub units: u32,
    /// Work-groups that a unit has room for at a time, by the registers of the kernel; 0 where nobody says.
    pub groups: u32,
    /// CUDA's compute capability.
    pub capability: Option<(u32, u32)>,
    /// True for a device that is the CPU in another guise, as PoCL's is.
    pub is_cpu: bool,
}

/// What went wrong with a device. The work goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no such library, or it has no device.
    #[error("no device: {0}")]
    Absent(String),
    /// The kernel text was refused.
    #[error("the kernels could not be built: {0}")]
    Build(String),
    /// The device has no room for the batch.
    #[error("out of memory on the device: {0}")]
    Memory(String),
    /// Anything else, a lost device among it.
    #[error("the device failed: {0}")]
    Lost(String),
}

/// The inputs of a run, as they lie on the device for as long as it lasts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceInputs {
    /// All cells, one grid after the other.
    pub cells: Vec<i8>,
    /// Per input: place, height and width of the grid, then of the expected one; a height of 0 where
    /// none is known.
    pub items: Vec<i32>,
}

impl DeviceInputs {
    /// Adds an input and what is expected of it, if anything is known. Returns whether the device can
    /// take it.
    pub fn add(
        &mut self,
        input: &arcloom_value::Grid,
        expected: Option<&arcloom_value::Grid>,
    ) -> bool {
        let fits = input.height() <= 64 && input.width() <= 64 && !input.cells().contains(&-128);
        for grid in [Some(input), expected] {
            let grid = grid.filter(|_| fits);
            let (height, width) = grid.map_or((0, 0), |grid| (grid.height(), grid.width()));
            self.items.extend([self.cells.len() as i32, height as i32, width as i32]);
            self.cells.extend(grid.map_or(&[][..], |grid| grid.cells()));
        }
        fits
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.items.len() / 6
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Some of them, in this order.
    pub fn pick(&self, chosen: &[usize]) -> DeviceInputs {
        let mut part = DeviceInputs::default();
        for item in chosen.iter().flat_map(|n| self.items[n * 6..n * 6 + 6].chunks_exact(3)) {
            let (start, len) = (item[0] as usize, (item[1] * item[2]) as usize);
            part.items.extend([part.cells.len() as i32, item[1], item[2]]);
            part.cells.extend_from_slice(&self.cells[start..start + len]);
        }
        part
    }

    /// Cells of an input.
    pub fn area(&self, n: usize) -> usize {
        (self.items[n * 6 + 1] * self.items[n * 6 + 2]) as usize
    }

    /// Bytes that go to the device.
    pub fn bytes(&self) -> u64 {
        (self.cells.len() + self.items.len() * 4) as u64
    }
}

/// How work is laid out on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Work-groups; each has a part of the heap.
    pub groups: usize,
    /// Lanes of a group.
    pub lanes: usize,
    /// Words of a group's part of the heap.
    pub heap: usize,
}

/// What a device did at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Took something from the host.
    Up,
    /// Ran a kernel.
    Kernel,
    /// Gave something back.
    Down,
}

/// From when to when a device did something, by a clock of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpan {
    /// What it did.
    pub work: Work,
    /// When it began.
    pub start: Duration,
    /// When it was done.
    pub end: Duration,
}

/// What came of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Returned {
    /// Three words per result and input, by result.
    pub words: Vec<u32>,
    /// Bytes sent.
    pub up: u64,
    /// Bytes received.
    pub down: u64,
    /// What the device did for it.
    pub spans: Vec<TimeSpan>,
}

/// What batches took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Took {
    /// Bytes sent.
    pub up: u64,
    /// Bytes received.
    pub down: u64,
    /// Times that inputs were sent: once for all batches on them.
    pub uploads: u64,
    /// Batches, each with one kernel and one download.
    pub launches: u64,
    /// Time of transfers to the device.
    pub sending: Duration,
    /// Time of kernels.
    pub busy: Duration,
    /// Time of transfers from the device.
    pub receiving: Duration,
    /// How much of these three was done while another of them was under way.
    pub overlapped: Duration,
}

/// One batch that came back: what it was, when, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceBatch {
    /// Inputs it was for.
    pub inputs: usize,
    /// Programs on each of them.
    pub programs: usize,
    /// From the beginning of the run to when it was put under way, by the host's clock.
    pub begun: Duration,
    /// And to when it had come back.
    pub done: Duration,
    /// Bytes and times by the device's clock.
    pub took: Took,
}

impl Took {
    /// Adds times.
    pub fn add(&mut self, spans: &[TimeSpan]) {
        for span in spans {
            let time = span.end.saturating_sub(span.start);
            match span.work {
                Work::Up => self.sending += time,
                Work::Kernel => self.busy += time,
                Work::Down => self.receiving += time,
            }
        }
        self.overlapped += overlap(spans);
    }
}

/// The time of all spans less the time in which there was any.
fn overlap(spans: &[TimeSpan]) -> Duration {
    let mut spans: Vec<(Duration, Duration)> =
        spans.iter().map(|span| (span.start, span.end.max(span.start))).collect();
    spans.sort_unstable();
    let (mut twice, mut until) = (Duration::ZERO, Duration::ZERO);
    for (start, end) in spans {
        twice += end.min(until).saturating_sub(start);
        until = until.max(end);
    }
    twice
}

/// A device that runs bytecode. Batches are put under way one after the other and come back in that
/// order; while one is computed the next is sent and the one before it is received.
pub trait Runtime: Send {
    /// What it is.
    fn info(&self) -> &DeviceInfo;

    /// Sends inputs, and the constants of programs, for all batches from now on. Does not wait.
    fn begin(
        &mut self,
        lowered: &Lowered,
        inputs: &DeviceInputs,
        shape: Shape,
        work_limit: i32,
    ) -> Result<(), DeviceError>;

    /// Puts a batch under way: these stretches on all inputs. Does not wait.
    fn submit(&mut self, lowered: &Lowered, stretches: Range<usize>) -> Result<(), DeviceError>;

    /// Waits for the oldest batch.
    fn finish(&mut self) -> Result<Returned, DeviceError>;

    /// Everything in one batch.
    fn run(
        &mut self,
        lowered: &Lowered,
        inputs: &DeviceInputs,
        shape: Shape,
        work_limit: i32,
    ) -> Result<Returned, DeviceError> {
        if lowered.slots.is_empty() || inputs.is_empty() {
            return Ok(Returned::default());
        }
        self.begin(lowered, inputs, shape, work_limit)?;
        self.submit(lowered, 0..lowered.stretches.len())?;
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_is_counted_once() {
        let span = |start: u64, end: u64| {
            let [start, end] = [start, end].map(Duration::from_millis);
            TimeSpan { work: Work::Kernel, start, end }
        };
        let twice = |spans: &[TimeSpan]| overlap(spans).as_millis();
        assert_eq!(twice(&[]), 0);
        assert_eq!(twice(&[span(0, 5), span(5, 9)]), 0);
        assert_eq!(twice(&[span(5, 9), span(0, 6)]), 1);
        assert_eq!(twice(&[span(0, 9), span(2, 4), span(3, 5), span(8, 12)]), 2 + 2 + 1);
    }

    #[test]
    fn picked_inputs_are_the_same() {
        let mut all = DeviceInputs::default();
        let grid = |n: i8| arcloom_value::Grid::two_by_two([n, 0, 0, n]);
        (0..4).for_each(|n| assert!(all.add(&grid(n), (n % 2 == 0).then_some(&grid(9)))));
        let mut expected = DeviceInputs::default();
        assert!(expected.add(&grid(2), Some(&grid(9))) && expected.add(&grid(1), None));
        assert_eq!(all.pick(&[2, 1]), expected);
        assert_eq!(all.pick(&[0, 1, 2, 3]), all);
        assert_eq!(all.area(3), 4);
    }
}
