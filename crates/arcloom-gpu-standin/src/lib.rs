//! CUDA's driver as far as arcloom calls it, for machines without one: memory is the host's, and a
//! launch runs the kernel text on the first OpenCL device. Results are therefore real, while what is
//! loaded is not looked at.
//!
//! `ARCLOOM_STANDIN_FAULT` makes it go wrong: `old` (a driver that is too old), `memory` (large
//! allocations fail), `refuse` (the module is not taken), `lost` (launches fail).
//!
//! SAFETY, for all of it: callers keep the driver's contract, that is, what they hand in to be written
//! points to room for it and what they hand in to be read holds as many bytes as they say. Addresses on
//! the device are checked against what was allocated. The only caller is `arcloom-gpu/src/cuda.rs`.

#![allow(non_snake_case, reason = "the driver's names")]
#![expect(clippy::missing_safety_doc, reason = "the driver's documentation has it")]

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Mutex;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device, get_all_devices};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

const SUCCESS: c_int = 0;
const OUT_OF_MEMORY: c_int = 2;
const NO_DEVICE: c_int = 100;
const INVALID_PTX: c_int = 218;
const LAUNCH_FAILED: c_int = 719;

/// Parameters of the kernel that are buffers, and those that are numbers.
const BUFFERS: usize = 7;
const NUMBERS: usize = 6;

/// What was allocated, by address.
static MEMORY: Mutex<BTreeMap<u64, Box<[u8]>>> = Mutex::new(BTreeMap::new());

fn fault(name: &str) -> bool {
    std::env::var("ARCLOOM_STANDIN_FAULT").is_ok_and(|fault| fault == name)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    unsafe { *version = if fault("old") { 11000 } else { 11080 } };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_flags: c_uint) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    unsafe { *count = 1 };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, number: c_int) -> c_int {
    unsafe { *device = number };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) -> c_int {
    unsafe { *bytes = 1 << 30 };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    _what: c_int,
    _dev: c_int,
) -> c_int {
    unsafe { *value = 1 };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, len: c_int, _device: c_int) -> c_int {
    let text = b"stand-in\0";
    let len = text.len().min(len.unsigned_abs() as usize);
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, len) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, _dev: c_int) -> c_int {
    unsafe { *context = std::ptr::without_provenance_mut(8) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(_context: *mut c_void) -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSynchronize() -> c_int {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadData(
    module: *mut *mut c_void,
    _image: *const c_void,
) -> c_int {
    unsafe { *module = std::ptr::without_provenance_mut(8) };
    if fault("refuse") { INVALID_PTX } else { SUCCESS }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *mut c_void,
    _module: *mut c_void,
    _name: *const c_char,
) -> c_int {
    unsafe { *function = std::ptr::without_provenance_mut(8) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(at: *mut u64, bytes: usize) -> c_int {
    if fault("memory") && bytes > 1 << 16 {
        return OUT_OF_MEMORY;
    }
    let block = vec![0u8; bytes].into_boxed_slice();
    let address = block.as_ptr() as u64;
    MEMORY.lock().unwrap().insert(address, block);
    unsafe { *at = address };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(at: u64) -> c_int {
    MEMORY.lock().unwrap().remove(&at);
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int {
    let mut memory = MEMORY.lock().unwrap();
    let block = memory.get_mut(&to).and_then(|block| block.get_mut(..bytes));
    let Some(block) = block else { return LAUNCH_FAILED };
    let from = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) };
    block.copy_from_slice(from);
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int {
    let memory = MEMORY.lock().unwrap();
    let block = memory.get(&from).and_then(|block| block.get(..bytes));
    let Some(block) = block else { return LAUNCH_FAILED };
    unsafe { std::ptr::copy_nonoverlapping(block.as_ptr(), to.cast(), bytes) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    _function: *mut c_void,
    groups: c_uint,
    _y: c_uint,
    _z: c_uint,
    lanes: c_uint,
    _by: c_uint,
    _bz: c_uint,
    _shared: c_uint,
    _stream: *mut c_void,
    params: *mut *mut c_void,
    _extra: *mut *mut c_void,
) -> c_int {
    if fault("lost") {
        return LAUNCH_FAILED;
    }
    let params = unsafe { std::slice::from_raw_parts(params, BUFFERS + NUMBERS) };
    let buffers: Vec<u64> =
        params[..BUFFERS].iter().map(|place| unsafe { *place.cast::<u64>() }).collect();
    let numbers: Vec<i32> =
        params[BUFFERS..].iter().map(|place| unsafe { *place.cast::<i32>() }).collect();
    match launch(&buffers, &numbers, groups as usize, lanes as usize) {
        Ok(()) => SUCCESS,
        Err(code) => code,
    }
}

/// The same launch on the first OpenCL device.
fn launch(buffers: &[u64], numbers: &[i32], groups: usize, lanes: usize) -> Result<(), c_int> {
    let failed = |_| LAUNCH_FAILED;
    let devices = get_all_devices(CL_DEVICE_TYPE_ALL).map_err(|_| NO_DEVICE)?;
    let device = Device::new(*devices.first().ok_or(NO_DEVICE)?);
    let context = Context::from_device(&device).map_err(failed)?;
    let text = arcloom_gpu::source::text();
    let program = Program::create_and_build_from_source(&context, &text, "-cl-std=CL1.2")
        .map_err(|_| INVALID_PTX)?;
    let kernel = Kernel::create(&program, arcloom_gpu::source::ENTRY).map_err(failed)?;
    let mut memory = MEMORY.lock().unwrap();
    unsafe {
        let queue = CommandQueue::create(&context, device.id(), 0).map_err(failed)?;
        let mut copies: Vec<Buffer<u8>> = Vec::new();
        for address in buffers {
            let block = memory.get(address).ok_or(LAUNCH_FAILED)?;
            let none = std::ptr::null_mut();
            let mut copy =
                Buffer::create(&context, CL_MEM_READ_WRITE, block.len(), none).map_err(failed)?;
            queue.enqueue_write_buffer(&mut copy, CL_BLOCKING, 0, block, &[]).map_err(failed)?;
            copies.push(copy);
        }
        let mut call = ExecuteKernel::new(&kernel);
        copies.iter().for_each(|copy| {
            call.set_arg(copy);
        });
        numbers.iter().for_each(|number| {
            call.set_arg(number);
        });
        call.set_global_work_size(groups * lanes).set_local_work_size(lanes);
        call.enqueue_nd_range(&queue).map_err(failed)?.wait().map_err(failed)?;
        // Only the last buffer is read afterwards.
        if let (Some(copy), Some(address)) = (copies.last(), buffers.last())
            && let Some(block) = memory.get_mut(address)
        {
            queue.enqueue_read_buffer(copy, CL_BLOCKING, 0, block, &[]).map_err(failed)?;
        }
    }
    Ok(())
}
