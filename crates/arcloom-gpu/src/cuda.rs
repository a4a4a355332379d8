//! Devices that CUDA's driver has, with kernels compiled beforehand (`cargo xtask ptx`).
//!
//! The driver is looked for when it is first asked for. The bindings panic where a library or a symbol
//! is missing, so every way in goes through `guarded`.
#![expect(unsafe_code, reason = "the driver's calls take pointers and sizes")]

use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::lower::Lowered;
use crate::record;
use crate::runtime::{Api, DeviceError, DeviceInfo, Inputs, Runtime, Shape, Took};
use crate::source;

/// The kernels for compute capability 6.0; drivers make of it what newer devices need.
static PTX: &str = include_str!("../ptx/sm_60.ptx");
/// The oldest driver that reads it: CUDA 11.8.
const DRIVER: i32 = 11080;

/// The bindings' panics are caught one at a time, because the hook that prints them is everyone's.
static GUARD: Mutex<()> = Mutex::new(());

/// What the call gives; a panic on the way is an error like any other.
fn guarded<T>(call: impl FnOnce() -> Result<T, DeviceError>) -> Result<T, DeviceError> {
    let _guard = GUARD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(call));
    std::panic::set_hook(hook);
    outcome.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied())
            .unwrap_or("the driver library is not usable");
        Err(DeviceError::Absent(format!("CUDA: {}", text.lines().next().unwrap_or_default())))
    })
}

/// A device and what it is, not yet made ready.
#[derive(Debug, Clone)]
pub struct Found {
    number: i32,
    /// What it is.
    pub info: DeviceInfo,
}

/// The devices of CUDA's driver, or why there are none.
pub fn devices() -> Result<Vec<Found>, DeviceError> {
    guarded(|| {
        // SAFETY: looks for a library by its name.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::Absent("CUDA: no driver library".to_owned()));
        }
        let mut version = 0;
        // SAFETY: a place for one number.
        unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(lost)?;
        let text = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < DRIVER {
            let (has, needs) = (text(version), text(DRIVER));
            return Err(DeviceError::Absent(format!(
                "CUDA: the driver is for CUDA {has}, and {needs} is the oldest that will do"
            )));
        }
        result::init().map_err(lost)?;
        let count = result::device::get_count().map_err(lost)?;
        let found = |number| {
            let device = result::device::get(number).map_err(lost)?;
            let units = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
            // SAFETY: the device is one that the driver has just given.
            let (memory, units) = unsafe {
                let memory = result::device::total_mem(device).map_err(lost)? as u64;
                (memory, result::device::get_attribute(device, units).map_err(lost)?)
            };
            let info = DeviceInfo {
                name: result::device::get_name(device).map_err(lost)?,
                api: Api::Cuda,
                driver: format!("CUDA {}", text(version)),
                memory,
                largest: memory,
                units: u32::try_from(units).unwrap_or(1),
                is_cpu: false,
            };
            Ok(Found { number, info })
        };
        (0..count).map(found).collect()
    })
}

/// A device made ready: the kernels are loaded.
pub struct Cuda {
    info: DeviceInfo,
    context: sys::CUcontext,
    function: sys::CUfunction,
}

// SAFETY: contexts and functions of the driver may be used from any thread; every call sets the
// context of its own thread first.
unsafe impl Send for Cuda {}

impl Found {
    /// Loads the kernels.
    pub fn open(&self) -> Result<Cuda, DeviceError> {
        guarded(|| {
            let device = result::device::get(self.number).map_err(lost)?;
            let image = CString::new(PTX).map_err(|error| DeviceError::Build(error.to_string()))?;
            let entry = CString::new(source::ENTRY)
                .map_err(|error| DeviceError::Build(error.to_string()))?;
            // SAFETY: the context is the device's own and stays; the image ends with a zero.
            unsafe {
                let context = result::primary_ctx::retain(device).map_err(lost)?;
                result::ctx::set_current(context).map_err(lost)?;
                let refused = |error: DriverError| DeviceError::Build(text(&error));
                let module = result::module::load_data(image.as_ptr().cast()).map_err(refused)?;
                let function = result::module::get_function(module, entry).map_err(refused)?;
                Ok(Cuda { info: self.info.clone(), context, function })
            }
        })
    }
}

/// Memory of the device; it goes when this does.
struct Memory(sys::CUdeviceptr);

impl Memory {
    fn new(bytes: usize) -> Result<Memory, DeviceError> {
        // SAFETY: a context is current.
        unsafe { result::malloc_sync(bytes.max(4)) }.map(Memory).map_err(lost)
    }

    fn filled<T>(data: &[T], took: &mut Took) -> Result<Memory, DeviceError> {
        let start = Instant::now();
        let memory = Memory::new(std::mem::size_of_val(data))?;
        if !data.is_empty() {
            // SAFETY: the memory is as long as the data.
            unsafe { result::memcpy_htod_sync(memory.0, data) }.map_err(lost)?;
        }
        took.up += std::mem::size_of_val(data) as u64;
        took.sending += start.elapsed();
        Ok(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was given by the driver and is given back once. A lost device cannot be helped.
        let _ = unsafe { result::free_sync(self.0) };
    }
}

impl Runtime for Cuda {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn run(
        &mut self,
        lowered: &Lowered,
        inputs: &Inputs,
        shape: Shape,
        work_limit: i32,
    ) -> Result<(Vec<u32>, Took), DeviceError> {
        let mut took = Took::default();
        let words = lowered.slots.len() * inputs.len() * record::WORDS;
        if words == 0 {
            return Ok((Vec::new(), took));
        }
        // SAFETY: the context was retained when the device was opened.
        unsafe { result::ctx::set_current(self.context) }.map_err(lost)?;
        let stretches: Vec<i32> = lowered.stretches.iter().flatten().copied().collect();
        let memory = [
            Memory::filled(&inputs.cells, &mut took)?,
            Memory::filled(&inputs.items, &mut took)?,
            Memory::filled(&lowered.code, &mut took)?,
            Memory::filled(&stretches, &mut took)?,
            Memory::filled(&lowered.consts, &mut took)?,
            Memory::new(shape.groups * shape.heap * 4)?,
            Memory::new(words * 4)?,
        ];
        let numbers: [i32; 6] = [
            inputs.len() as i32,
            lowered.stretches.len() as i32,
            lowered.consts.len() as i32,
            shape.heap as i32,
            0,
            work_limit,
        ];
        let buffers = memory.iter().map(|memory| (&raw const memory.0).cast::<c_void>().cast_mut());
        let numbers = numbers.iter().map(|number| (&raw const *number).cast::<c_void>().cast_mut());
        let mut args: Vec<*mut c_void> = buffers.chain(numbers).collect();
        let start = Instant::now();
        // SAFETY: these are the kernel's parameters in its order; they outlive the wait.
        unsafe {
            let (grid, block) = ((shape.groups as u32, 1, 1), (shape.lanes as u32, 1, 1));
            let stream = std::ptr::null_mut();
            result::launch_kernel(self.function, grid, block, 0, stream, &mut args)
                .map_err(lost)?;
        }
        result::ctx::synchronize().map_err(lost)?;
        took.launches += 1;
        took.busy += start.elapsed();
        let start = Instant::now();
        let mut out = vec![0u32; words];
        // SAFETY: the list is as long as the memory.
        unsafe { result::memcpy_dtoh_sync(&mut out, memory[6].0) }.map_err(lost)?;
        took.down += (words * 4) as u64;
        took.receiving += start.elapsed();
        Ok((out, took))
    }
}

/// The driver's name for an error. It is not asked for its text: a lost driver may not answer.
fn text(error: &DriverError) -> String {
    format!("{:?}", error.0)
}

fn lost(error: DriverError) -> DeviceError {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::Memory(text(&error)),
        sys::CUresult::CUDA_ERROR_NO_DEVICE => DeviceError::Absent("CUDA: no device".to_owned()),
        _ => DeviceError::Lost(text(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_kernels_are_those_of_the_text() {
        let wanted = format!("// kernel text {:016x}", source::digest());
        let first = PTX.lines().next().unwrap_or_default();
        assert_eq!(first, wanted, "run `cargo xtask ptx`");
    }

    #[test]
    fn a_panic_is_an_error() {
        let outcome: Result<(), DeviceError> = guarded(|| panic!("no such symbol"));
        assert_eq!(outcome, Err(DeviceError::Absent("CUDA: no such symbol".to_owned())));
    }
}
