//! Devices that OpenCL has. The library is looked for when it is first asked for.
#![expect(unsafe_code, reason = "OpenCL's calls take pointers and sizes")]

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device, get_all_devices};
use opencl3::error_codes::ClError;
use opencl3::event::Event;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_int, cl_mem_flags};

use crate::lower::Lowered;
use crate::record;
use crate::runtime::{
    Api, DeviceError, DeviceInfo, DeviceInputs, Returned, Runtime, Shape, TimeSpan, Work,
};
use crate::source;

/// One at a time: some loaders are not made for being asked by two threads at once.
static LOADING: Mutex<()> = Mutex::new(());

/// A device and what it is, not yet made ready.
#[derive(Debug, Clone)]
pub struct ListedOpenCl {
    device: Device,
    /// What it is.
    pub info: DeviceInfo,
}

/// The devices of all OpenCL platforms, or why there are none.
pub fn devices() -> Result<Vec<ListedOpenCl>, DeviceError> {
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
            groups: 0,
            capability: None,
            is_cpu: device.dev_type().is_ok_and(|kind| kind & CL_DEVICE_TYPE_CPU != 0),
        };
        ListedOpenCl { device, info }
    };
    Ok(ids.into_iter().map(found).collect())
}

/// A device made ready: the kernels are built.
///
/// There is a queue for each of sending, computing and receiving, so that these go on side by side;
/// events keep what belongs together in order. Kernels share one heap and follow each other.
pub struct OpenCl {
    info: DeviceInfo,
    context: Context,
    up: CommandQueue,
    compute: CommandQueue,
    down: CommandQueue,
    kernel: Kernel,
    heap: Option<(usize, Buffer<i32>)>,
    resident: Option<Arc<Resident>>,
    flights: VecDeque<Flight>,
}

/// What lies on the device for several batches, and its copies on the host, which must stay until
/// they are sent.
struct Resident {
    cells: Sent<i8>,
    items: Sent<i32>,
    consts: Sent<i32>,
    /// Number of constants' words.
    const_words: usize,
    inputs: usize,
    shape: Shape,
    work_limit: i32,
    /// Whether some batch has reported the sending.
    reported: AtomicBool,
}

/// Something on its way to the device.
struct Sent<T> {
    host: Vec<T>,
    device: Buffer<T>,
    event: Event,
}

impl<T> Sent<T> {
    fn bytes(&self) -> u64 {
        std::mem::size_of_val(self.host.as_slice()) as u64
    }
}

/// A batch that is under way. Nothing of it may go before the last event has come.
struct Flight {
    resident: Arc<Resident>,
    code: Sent<i32>,
    table: Sent<i32>,
    _results: Buffer<u32>,
    words: Vec<u32>,
    ran: Event,
    received: Event,
}

impl ListedOpenCl {
    /// Builds the kernels.
    pub fn open(&self) -> Result<OpenCl, DeviceError> {
        self.open_text(&source::text())
    }

    /// Builds another kernel text, such as one that counts what it does.
    pub fn open_text(&self, text: &str) -> Result<OpenCl, DeviceError> {
        let _guard = LOADING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let context = Context::from_device(&self.device).map_err(lost)?;
        let queue = || {
            let id = self.device.id();
            // SAFETY: the device is the context's own.
            unsafe { CommandQueue::create(&context, id, CL_QUEUE_PROFILING_ENABLE) }.map_err(lost)
        };
        let (up, compute, down) = (queue()?, queue()?, queue()?);
        let program = Program::create_and_build_from_source(&context, text, "-cl-std=CL1.2")
            .map_err(|log| {
                DeviceError::Build(log.lines().take(12).collect::<Vec<_>>().join("; "))
            })?;
        let kernel = Kernel::create(&program, source::ENTRY).map_err(lost)?;
        let info = self.info.clone();
        let flights = VecDeque::new();
        Ok(OpenCl { info, context, up, compute, down, kernel, heap: None, resident: None, flights })
    }
}

impl OpenCl {
    /// A buffer of so many elements, at least one.
    fn buffer<T>(&self, access: cl_mem_flags, len: usize) -> Result<Buffer<T>, DeviceError> {
        // SAFETY: no host memory is given to it.
        unsafe { Buffer::create(&self.context, access, len.max(1), std::ptr::null_mut()) }
            .map_err(lost)
    }

    /// Begins to send this. Callers keep it until the event has come or the queue is empty.
    fn send<T: Clone + Default>(&self, data: &[T]) -> Result<Sent<T>, DeviceError> {
        // There is no such thing as a transfer of nothing.
        let host = if data.is_empty() { vec![T::default()] } else { data.to_vec() };
        let mut device = self.buffer(CL_MEM_READ_WRITE, host.len())?;
        // SAFETY: the buffer is as long as the data, whose place on the heap does not change.
        let event =
            unsafe { self.up.enqueue_write_buffer(&mut device, CL_NON_BLOCKING, 0, &host, &[]) }
                .map_err(lost)?;
        Ok(Sent { host, device, event })
    }

    /// What the groups left on their heap, for tests that count there.
    pub fn heap_words(&self) -> Result<Vec<i32>, DeviceError> {
        let (size, heap) = self.heap.as_ref().ok_or_else(no_inputs)?;
        let mut words = vec![0; *size];
        // SAFETY: the list is as long as the buffer, and the call waits.
        unsafe { self.down.enqueue_read_buffer(heap, CL_BLOCKING, 0, &mut words, &[]) }
            .map_err(lost)?;
        Ok(words)
    }

    /// Waits until nothing is under way. A lost device cannot be helped.
    fn drain(&self) {
        for queue in [&self.up, &self.compute, &self.down] {
            let _ = queue.finish();
        }
    }

    /// Puts a kernel and the receiving of its results under way.
    fn launch(
        &self,
        resident: &Resident,
        code: &Sent<i32>,
        table: &Sent<i32>,
        stretches: usize,
        slots: usize,
    ) -> Result<(Buffer<u32>, Vec<u32>, Event, Event), DeviceError> {
        let mut words = vec![0u32; slots * resident.inputs * record::WORDS];
        let results: Buffer<u32> = self.buffer(CL_MEM_WRITE_ONLY, words.len())?;
        let (_, heap) = self.heap.as_ref().ok_or_else(no_inputs)?;
        let Resident { cells, items, consts, shape, .. } = resident;
        let numbers: [cl_int; 5] = [
            resident.inputs as i32,
            stretches as i32,
            resident.const_words as i32,
            shape.heap as i32,
            resident.work_limit,
        ];
        let sent = [&cells.event, &items.event, &consts.event, &code.event, &table.event];
        let mut launch = ExecuteKernel::new(&self.kernel);
        // SAFETY: these are the kernel's parameters in its order, and the driver keeps buffers for as
        // long as a kernel uses them.
        let ran = unsafe {
            launch.set_arg(&cells.device).set_arg(&items.device).set_arg(&code.device);
            launch.set_arg(&table.device).set_arg(&consts.device).set_arg(heap).set_arg(&results);
            numbers.iter().for_each(|number| {
                launch.set_arg(number);
            });
            launch
                .set_global_work_size(shape.groups * shape.lanes)
                .set_local_work_size(shape.lanes)
                .set_event_wait_list(&sent.map(Event::get));
            launch.enqueue_nd_range(&self.compute)
        }
        .map_err(lost)?;
        let after = [ran.get()];
        // SAFETY: the list is as long as the buffer, and its place on the heap does not change.
        let received = unsafe {
            self.down.enqueue_read_buffer(&results, CL_NON_BLOCKING, 0, &mut words, &after)
        };
        let begun = [&self.up, &self.compute, &self.down].map(|queue| queue.flush());
        let failed = begun.into_iter().find_map(Result::err);
        match (received, failed) {
            (Ok(received), None) => Ok((results, words, ran, received)),
            (Ok(_), Some(error)) | (Err(error), _) => {
                // The list that is being filled is about to go.
                self.drain();
                Err(lost(error))
            }
        }
    }
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        // What is under way reads and writes memory of this.
        self.drain();
    }
}

impl Runtime for OpenCl {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn begin(
        &mut self,
        lowered: &Lowered,
        inputs: &DeviceInputs,
        shape: Shape,
        work_limit: i32,
    ) -> Result<(), DeviceError> {
        if self.flights.is_empty() {
            // Something may have been sent that no batch was put under way for.
            self.drain();
        }
        let size = shape.groups * shape.heap;
        if self.heap.as_ref().is_none_or(|(has, _)| *has < size) {
            self.heap = None;
            self.heap = Some((size, self.buffer(CL_MEM_READ_WRITE, size)?));
        }
        // What is sent already must stay until the others have failed and the queue is empty.
        let cells = self.send(&inputs.cells);
        let items = self.send(&inputs.items);
        let consts = self.send(&lowered.consts);
        let (cells, items, consts) = match (cells, items, consts) {
            (Ok(cells), Ok(items), Ok(consts)) => (cells, items, consts),
            (cells, items, consts) => {
                self.drain();
                let errors = [cells.err(), items.err(), consts.err()];
                return Err(errors.into_iter().flatten().next().unwrap_or_else(no_inputs));
            }
        };
        self.resident = Some(Arc::new(Resident {
            cells,
            items,
            consts,
            const_words: lowered.consts.len(),
            inputs: inputs.len(),
            shape,
            work_limit,
            reported: AtomicBool::new(false),
        }));
        Ok(())
    }

    fn submit(&mut self, lowered: &Lowered, stretches: Range<usize>) -> Result<(), DeviceError> {
        let resident = self.resident.as_ref().ok_or_else(no_inputs)?;
        let part = lowered.part(stretches.clone());
        let (code, table) = match (self.send(part.code), self.send(&part.table)) {
            (Ok(code), Ok(table)) => (code, table),
            (code, table) => {
                self.drain();
                return Err(code.err().or(table.err()).unwrap_or_else(no_inputs));
            }
        };
        match self.launch(resident, &code, &table, stretches.len(), part.slots.len()) {
            Ok((results, words, ran, received)) => {
                let resident = resident.clone();
                let flight =
                    Flight { resident, code, table, _results: results, words, ran, received };
                self.flights.push_back(flight);
                Ok(())
            }
            Err(error) => {
                self.drain();
                Err(error)
            }
        }
    }

    fn finish(&mut self) -> Result<Returned, DeviceError> {
        self.flights.front().ok_or_else(no_inputs)?.received.wait().map_err(lost)?;
        let flight = self.flights.pop_front().ok_or_else(no_inputs)?;
        let Flight { resident, code, table, words, ran, received, .. } = flight;
        let mut spans = vec![
            span(Work::Up, &code.event),
            span(Work::Up, &table.event),
            span(Work::Kernel, &ran),
            span(Work::Down, &received),
        ];
        let mut up = code.bytes() + table.bytes();
        if !resident.reported.swap(true, Ordering::Relaxed) {
            let Resident { cells, items, consts, .. } = &*resident;
            up += cells.bytes() + items.bytes() + consts.bytes();
            let events = [&cells.event, &items.event, &consts.event];
            spans.extend(events.map(|event| span(Work::Up, event)));
        }
        let down = (words.len() * 4) as u64;
        Ok(Returned { words, up, down, spans: spans.into_iter().flatten().collect() })
    }
}

/// When the device did what the event is about, if it says so.
fn span(work: Work, event: &Event) -> Option<TimeSpan> {
    let [start, end] = [event.profiling_command_start(), event.profiling_command_end()]
        .map(|time| time.ok().map(Duration::from_nanos));
    Some(TimeSpan { work, start: start?, end: end? })
}

fn no_inputs() -> DeviceError {
    DeviceError::Lost("nothing was sent before".to_owned())
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
