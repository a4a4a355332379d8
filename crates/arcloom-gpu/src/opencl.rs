//! Devices that OpenCL has. The library is looked for when it is first asked for.
#![expect(unsafe_code, reason = "OpenCL's calls take pointers and sizes")]

use std::sync::Mutex;
use std::time::Instant;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device, get_all_devices};
use opencl3::error_codes::ClError;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_int};

use crate::lower::Lowered;
use crate::runtime::{Api, DeviceError, DeviceInfo, Inputs, Runtime, Shape, Took};
use crate::source;

/// One at a time: some loaders are not made for being asked by two threads at once.
static LOADING: Mutex<()> = Mutex::new(());

/// A device and what it is, not yet made ready.
#[derive(Debug, Clone)]
pub struct Found {
    device: Device,
    /// What it is.
    pub info: DeviceInfo,
}

/// The devices of all OpenCL platforms, or why there are none.
pub fn devices() -> Result<Vec<Found>, DeviceError> {
    let _guard = LOADING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let ids = get_all_devices(CL_DEVICE_TYPE_ALL)
        .map_err(|error| DeviceError::Absent(format!("OpenCL: {}", name_of(error))))?;
    let found = |id| {
        let device = Device::new(id);
        let text = |text: Result<String, ClError>| text.unwrap_or_default().trim().to_owned();
        let info = DeviceInfo {
            name: text(device.name()),
            api: Api::OpenCl,
            driver: text(device.driver_version()),
            memory: device.global_mem_size().unwrap_or(0),
            largest: device.max_mem_alloc_size().unwrap_or(0),
            units: device.max_compute_units().unwrap_or(1),
            is_cpu: device.dev_type().is_ok_and(|kind| kind & CL_DEVICE_TYPE_CPU != 0),
        };
        Found { device, info }
    };
    Ok(ids.into_iter().map(found).collect())
}

/// A device made ready: the kernels are built.
pub struct OpenCl {
    info: DeviceInfo,
    context: Context,
    queue: CommandQueue,
    kernel: Kernel,
}

impl Found {
    /// Builds the kernels.
    pub fn open(&self) -> Result<OpenCl, DeviceError> {
        let _guard = LOADING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let context = Context::from_device(&self.device).map_err(lost)?;
        // SAFETY: the device is the context's own and no properties are asked for.
        let queue = unsafe { CommandQueue::create(&context, self.device.id(), 0) }.map_err(lost)?;
        let program =
            Program::create_and_build_from_source(&context, &source::text(), "-cl-std=CL1.2")
                .map_err(|log| {
                    DeviceError::Build(log.lines().take(12).collect::<Vec<_>>().join("; "))
                })?;
        let kernel = Kernel::create(&program, source::ENTRY).map_err(lost)?;
        Ok(OpenCl { info: self.info.clone(), context, queue, kernel })
    }
}

impl OpenCl {
    /// A buffer filled with this, or one byte where there is nothing.
    fn send<T: Copy + Default>(
        &self,
        data: &[T],
        took: &mut Took,
    ) -> Result<Buffer<T>, DeviceError> {
        let start = Instant::now();
        let context = &self.context;
        // SAFETY: no host memory is given to it.
        let mut buffer: Buffer<T> = unsafe {
            Buffer::create(context, CL_MEM_READ_ONLY, data.len().max(1), std::ptr::null_mut())
        }
        .map_err(lost)?;
        if !data.is_empty() {
            // SAFETY: the buffer is as long as the data, and the call waits until it is copied.
            unsafe { self.queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, data, &[]) }
                .map_err(lost)?;
        }
        took.up += std::mem::size_of_val(data) as u64;
        took.sending += start.elapsed();
        Ok(buffer)
    }
}

impl Runtime for OpenCl {
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
        let words = lowered.slots.len() * inputs.len() * crate::record::WORDS;
        if words == 0 {
            return Ok((Vec::new(), took));
        }
        let stretches: Vec<i32> = lowered.stretches.iter().flatten().copied().collect();
        let cells = self.send(&inputs.cells, &mut took)?;
        let items = self.send(&inputs.items, &mut took)?;
        let code = self.send(&lowered.code, &mut took)?;
        let stretch = self.send(&stretches, &mut took)?;
        let consts = self.send(&lowered.consts, &mut took)?;
        let context = &self.context;
        let size = shape.groups * shape.heap;
        // SAFETY: no host memory is given to them.
        let (heap, results): (Buffer<i32>, Buffer<u32>) = unsafe {
            let none = std::ptr::null_mut();
            let heap = Buffer::create(context, CL_MEM_READ_WRITE, size, none).map_err(lost)?;
            (heap, Buffer::create(context, CL_MEM_WRITE_ONLY, words, none).map_err(lost)?)
        };
        let start = Instant::now();
        let numbers: [cl_int; 6] = [
            inputs.len() as i32,
            lowered.stretches.len() as i32,
            lowered.consts.len() as i32,
            shape.heap as i32,
            0,
            work_limit,
        ];
        let mut launch = ExecuteKernel::new(&self.kernel);
        // SAFETY: these are the kernel's parameters in its order; buffers outlive the wait below.
        let event = unsafe {
            launch.set_arg(&cells).set_arg(&items).set_arg(&code).set_arg(&stretch);
            launch.set_arg(&consts).set_arg(&heap).set_arg(&results);
            numbers.iter().for_each(|number| {
                launch.set_arg(number);
            });
            launch
                .set_global_work_size(shape.groups * shape.lanes)
                .set_local_work_size(shape.lanes);
            launch.enqueue_nd_range(&self.queue)
        }
        .map_err(lost)?;
        event.wait().map_err(lost)?;
        took.launches += 1;
        took.busy += start.elapsed();
        let start = Instant::now();
        let mut out = vec![0u32; words];
        // SAFETY: the list is as long as the buffer, and the call waits until it is filled.
        unsafe { self.queue.enqueue_read_buffer(&results, CL_BLOCKING, 0, &mut out, &[]) }
            .map_err(lost)?;
        took.down += (words * 4) as u64;
        took.receiving += start.elapsed();
        Ok((out, took))
    }
}

/// The name of an error, without advice for programmers.
fn name_of(error: ClError) -> String {
    error.to_string()
}

fn lost(error: ClError) -> DeviceError {
    // CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
    // CL_INVALID_BUFFER_SIZE.
    match error.0 {
        -4 | -5 | -6 | -61 => DeviceError::Memory(name_of(error)),
        _ => DeviceError::Lost(name_of(error)),
    }
}
