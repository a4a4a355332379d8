//! Devices that CUDA's driver has, with kernels compiled beforehand (`cargo xtask ptx`).

use crate::lower::Lowered;
use crate::runtime::{DeviceError, DeviceInfo, Inputs, Runtime, Shape, Took};

/// A device and what it is, not yet made ready.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it is.
    pub info: DeviceInfo,
}

/// The devices of CUDA's driver, or why there are none.
pub fn devices() -> Result<Vec<Found>, DeviceError> {
    Err(DeviceError::Absent("CUDA: not yet".to_owned()))
}

/// A device made ready.
pub struct Cuda {
    info: DeviceInfo,
}

impl Found {
    /// Loads the kernels.
    pub fn open(&self) -> Result<Cuda, DeviceError> {
        Ok(Cuda { info: self.info.clone() })
    }
}

impl Runtime for Cuda {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn run(&mut self, _: &Lowered, _: &Inputs, _: Shape, _: i32) -> Result<(Vec<u32>, Took), DeviceError> {
        Err(DeviceError::Absent("CUDA: not yet".to_owned()))
    }
}
