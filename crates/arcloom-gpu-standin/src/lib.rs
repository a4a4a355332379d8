//! CUDA's driver as far as arcloom calls it, for machines without one: memory is the host's, and a
//! launch runs the kernel text on the first OpenCL device. Results are therefore real, while what is
//! loaded is not looked at.
//!
//! Streams are real as well (`stream.rs`): each is a thread that does one thing after the other, so
//! that what is not kept in order by events happens in the wrong one.
//!
//! `ARCLOOM_STANDIN_FAULT` makes it go wrong: `old` (a driver that is too old), `memory` (large
//! allocations fail), `refuse` (the module is not taken), `lost` (the first launch with work fails),
//! `later` (the second does). `ARCLOOM_STANDIN_SLOW` names what takes a while longer: `up`, `launch` or
//! `down`, by which a missing wait comes to light.
//!
//! SAFETY, for all of it: callers keep the driver's contract, that is, what they hand in to be written
//! points to room for it and what they hand in to be read holds as many bytes as they say, for as long
//! as it is under way. Addresses on the device are checked against what was allocated. The only caller
//! is `arcloom-gpu/src/cuda.rs`.

#![allow(non_snake_case, reason = "the driver's names")]
#![expect(clippy::missing_safety_doc, reason = "the driver's documentation has it")]

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device, get_all_devices};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

mod stream;

use stream::{Handle, Job};

const SUCCESS: c_int = 0;
const OUT_OF_MEMORY: c_int = 2;
const NO_DEVICE: c_int = 100;
const INVALID_PTX: c_int = 218;
const NOT_READY: c_int = 600;
const LAUNCH_FAILED: c_int = 719;

/// Parameters of the kernel that are buffers, and those that are numbers.
const BUFFERS: usize = 7;
const NUMBERS: usize = 5;

/// What was allocated, by address.
static MEMORY: Mutex<BTreeMap<u64, Box<[u8]>>> = Mutex::new(BTreeMap::new());

fn fault(name: &str) -> bool {
    std::env::var("ARCLOOM_STANDIN_FAULT").is_ok_and(|fault| fault == name)
}

/// Launches with work so far.
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

/// Takes a while, where that was asked for.
fn dawdle(what: &str) {
    if std::env::var("ARCLOOM_STANDIN_SLOW").is_ok_and(|slow| slow == what) {
        std::thread::sleep(Duration::from_millis(30));
    }
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
pub unsafe extern "C" fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    groups: *mut c_int,
    _function: *mut c_void,
    _lanes: c_int,
    _shared: usize,
) -> c_int {
    unsafe { *groups = 2 };
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
pub unsafe extern "C" fn cuMemHostAlloc(
    at: *mut *mut c_void,
    bytes: usize,
    _flags: c_uint,
) -> c_int {
    let mut address = 0;
    let code = unsafe { cuMemAlloc_v2(&raw mut address, bytes) };
    unsafe { *at = std::ptr::with_exposed_provenance_mut(address as usize) };
    code
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(at: *mut c_void) -> c_int {
    unsafe { cuMemFree_v2(at.expose_provenance() as u64) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, _flags: c_uint) -> c_int {
    unsafe { *stream = stream::create() };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamDestroy_v2(stream: Handle) -> c_int {
    stream::destroy(stream)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(stream: Handle) -> c_int {
    stream::synchronize(stream)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: c_uint) -> c_int {
    stream::wait(stream, event)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut Handle, _flags: c_uint) -> c_int {
    unsafe { *event = stream::create_event() };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventDestroy_v2(event: Handle) -> c_int {
    stream::destroy_event(event);
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(event: Handle, stream: Handle) -> c_int {
    stream::record(event, stream)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventSynchronize(event: Handle) -> c_int {
    stream::wait_for(event)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(millis: *mut f32, start: Handle, end: Handle) -> c_int {
    match stream::elapsed(start, end) {
        Some(time) => {
            unsafe { *millis = time };
            SUCCESS
        }
        None => NOT_READY,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    stream: Handle,
) -> c_int {
    // As the driver does with memory that is not its own: it is copied before the call returns.
    let staged = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }.to_vec();
    let job: Job = Box::new(move || {
        dawdle("up");
        let mut memory = MEMORY.lock().unwrap();
        let block = memory.get_mut(&to).and_then(|block| block.get_mut(..bytes));
        let Some(block) = block else { return LAUNCH_FAILED };
        block.copy_from_slice(&staged);
        SUCCESS
    });
    stream::enqueue(stream, job)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    bytes: usize,
    stream: Handle,
) -> c_int {
    let to = to.expose_provenance() as u64;
    let job: Job = Box::new(move || {
        dawdle("down");
        let mut memory = MEMORY.lock().unwrap();
        let block = memory.get(&from).and_then(|block| block.get(..bytes)).map(<[u8]>::to_vec);
        // Only memory of the driver's own is received into while nobody waits.
        let place = memory.get_mut(&to).and_then(|place| place.get_mut(..bytes));
        let (Some(block), Some(place)) = (block, place) else { return LAUNCH_FAILED };
        place.copy_from_slice(&block);
        SUCCESS
    });
    stream::enqueue(stream, job)
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
    stream: Handle,
    params: *mut *mut c_void,
    _extra: *mut *mut c_void,
) -> c_int {
    let params = unsafe { std::slice::from_raw_parts(params, BUFFERS + NUMBERS) };
    let buffers: Vec<u64> =
        params[..BUFFERS].iter().map(|place| unsafe { *place.cast::<u64>() }).collect();
    let numbers: Vec<i32> =
        params[BUFFERS..].iter().map(|place| unsafe { *place.cast::<i32>() }).collect();
    let has_work = numbers[0] > 0 && numbers[1] > 0;
    let job: Job = Box::new(move || {
        dawdle("launch");
        let before = if has_work { LAUNCHES.fetch_add(1, Ordering::Relaxed) } else { 0 };
        // A device that is lost is found out by whoever waits for it.
        if has_work && (fault("lost") || (fault("later") && before > 0)) {
            return LAUNCH_FAILED;
        }
        match launch(&buffers, &numbers, groups as usize, lanes as usize) {
            Ok(()) => SUCCESS,
            Err(code) => code,
        }
    });
    stream::enqueue(stream, job)
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
    unsafe {
        let queue = CommandQueue::create(&context, device.id(), 0).map_err(failed)?;
        let mut copies: Vec<Buffer<u8>> = Vec::new();
        for address in buffers {
            // Held for as long as it is copied: other streams go on while the kernel runs.
            let memory = MEMORY.lock().unwrap();
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
            && let Some(block) = MEMORY.lock().unwrap().get_mut(address)
        {
            queue.enqueue_read_buffer(copy, CL_BLOCKING, 0, block, &[]).map_err(failed)?;
        }
    }
    Ok(())
}
