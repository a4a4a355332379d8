//! What a device must be able to do, and what can go wrong with it.

use std::fmt;
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
    /// Units that work side by side.
    pub units: u32,
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
pub struct Inputs {
    /// All cells, one grid after the other.
    pub cells: Vec<i8>,
    /// Per input: place, height and width of the grid, then of the expected one; a height of 0 where
    /// none is known.
    pub items: Vec<i32>,
}

impl Inputs {
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

    /// Some of them.
    pub fn part(&self, range: std::ops::Range<usize>) -> Inputs {
        let mut part = Inputs::default();
        for item in self.items[range.start * 6..range.end * 6].chunks_exact(3) {
            let (start, len) = (item[0] as usize, (item[1] * item[2]) as usize);
            part.items.extend([part.cells.len() as i32, item[1], item[2]]);
            part.cells.extend_from_slice(&self.cells[start..start + len]);
        }
        part
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

/// What one batch took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Took {
    /// Bytes sent.
    pub up: u64,
    /// Bytes received.
    pub down: u64,
    /// Kernels launched.
    pub launches: u64,
    /// Time of transfers to the device.
    pub sending: Duration,
    /// Time of kernels.
    pub busy: Duration,
    /// Time of transfers from the device.
    pub receiving: Duration,
}

impl std::ops::AddAssign for Took {
    fn add_assign(&mut self, more: Took) {
        self.up += more.up;
        self.down += more.down;
        self.launches += more.launches;
        self.sending += more.sending;
        self.busy += more.busy;
        self.receiving += more.receiving;
    }
}

/// A device that runs bytecode.
pub trait Runtime: Send {
    /// What it is.
    fn info(&self) -> &DeviceInfo;

    /// All stretches on all inputs: one upload of the inputs, one download. Three words per result and
    /// input, by result.
    fn run(
        &mut self,
        lowered: &Lowered,
        inputs: &Inputs,
        shape: Shape,
        work_limit: i32,
    ) -> Result<(Vec<u32>, Took), DeviceError>;
}
