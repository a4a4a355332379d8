//! Devices that CUDA's driver has, with kernels compiled beforehand (`cargo xtask ptx`).
//!
//! The driver is looked for when it is first asked for. The bindings panic where a library or a symbol
//! is missing, so every way in goes through `guarded`.
#![expect(unsafe_code, reason = "the driver's calls take pointers and sizes")]

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{CString, c_void};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cudarc::driver::result::stream::StreamKind;
use cudarc::driver::result::{self, DriverError, event, stream};
use cudarc::driver::sys;

use crate::fleet::LANES;
use crate::lower::Lowered;
use crate::record;
use crate::runtime::{
    Api, DeviceError, DeviceInfo, DeviceInputs, Returned, Runtime, Shape, TimeSpan, Work,
};
use crate::source;

/// The kernels for compute capability 6.0; drivers make of it what newer devices need.
static PTX: &str = include_str!("../ptx/sm_60.ptx");
/// The oldest driver that reads it: CUDA 11.8.
const DRIVER: i32 = 11080;

thread_local! {
    static CATCHES_PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread is caught and becomes an error, so that a panic hook need not report it.
pub fn catches_panics() -> bool {
    CATCHES_PANICS.get()
}

/// What the call gives; a panic of the bindings, as where an old driver lacks a symbol, is an error like any other.
/// The panic hook is the process's, which may ask [`catches_panics`].
fn guarded<T>(call: impl FnOnce() -> Result<T, DeviceError>) -> Result<T, DeviceError> {
    let before = CATCHES_PANICS.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(call));
    CATCHES_PANICS.set(before);
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
pub struct ListedCuda {
    number: i32,
    /// What it is.
    pub info: DeviceInfo,
}

/// The devices of CUDA's driver, or why there are none.
pub fn devices() -> Result<Vec<ListedCuda>, DeviceError> {
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
            use sys::CUdevice_attribute as Ask;
            // SAFETY: the device is one that the driver has just given.
            let memory = unsafe { result::device::total_mem(device) }.map_err(lost)? as u64;
            let number_of = |what| {
                // SAFETY: as above.
                let number =
                    unsafe { result::device::get_attribute(device, what) }.map_err(lost)?;
                Ok(u32::try_from(number).unwrap_or(1))
            };
            let units = number_of(Ask::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
            let major = number_of(Ask::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
            let minor = number_of(Ask::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
            let info = DeviceInfo {
                name: result::device::get_name(device).map_err(lost)?,
                api: Api::Cuda,
                driver: format!("CUDA {}", text(version)),
                memory,
                largest: memory,
                units,
                groups: 0,
                capability: Some((major, minor)),
                is_cpu: false,
            };
            Ok(ListedCuda { number, info })
        };
        (0..count).map(found).collect()
    })
}

/// A device made ready: the kernels are loaded.
///
/// There is a stream for each of sending, computing and receiving, so that these go on side by side;
/// events keep what belongs together in order. Kernels share one heap and follow each other. Memory
/// of batches is used again, because giving it back waits for everything that is under way.
pub struct Cuda {
    info: DeviceInfo,
    context: sys::CUcontext,
    function: sys::CUfunction,
    up: sys::CUstream,
    compute: sys::CUstream,
    down: sys::CUstream,
    /// What times are counted from.
    zero: Event,
    heap: Option<Memory>,
    resident: Option<Arc<Resident>>,
    flights: VecDeque<Flight>,
    spare: Vec<Memory>,
    spare_pinned: Vec<Pinned>,
}

// SAFETY: contexts, functions, streams, events and memory of the driver may be used from any thread;
// every call sets the context of its own thread first.
unsafe impl Send for Cuda {}

impl ListedCuda {
    /// Loads the kernels, and runs them on nothing: a driver that lacks something is found out here.
    pub fn open(&self) -> Result<Cuda, DeviceError> {
        guarded(|| {
            let device = result::device::get(self.number).map_err(lost)?;
            let image = CString::new(PTX).map_err(|error| DeviceError::Build(error.to_string()))?;
            let entry = CString::new(source::ENTRY)
                .map_err(|error| DeviceError::Build(error.to_string()))?;
            // SAFETY: the context is the device's own and stays; the image ends with a zero.
            let (context, function) = unsafe {
                let context = result::primary_ctx::retain(device).map_err(lost)?;
                result::ctx::set_current(context).map_err(lost)?;
                let refused = |error: DriverError| DeviceError::Build(text(&error));
                let module = result::module::load_data(image.as_ptr().cast()).map_err(refused)?;
                (context, result::module::get_function(module, entry).map_err(refused)?)
            };
            let stream = || stream::create(StreamKind::NonBlocking).map_err(lost);
            let mut groups = 0;
            // SAFETY: the function was loaded just now, and there is a place for one number.
            unsafe {
                sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    &raw mut groups,
                    function,
                    LANES as i32,
                    0,
                )
            }
            .result()
            .map_err(lost)?;
            let groups = u32::try_from(groups).unwrap_or(0);
            let mut cuda = Cuda {
                info: DeviceInfo { groups, ..self.info.clone() },
                context,
                function,
                up: stream()?,
                compute: stream()?,
                down: stream()?,
                zero: Event::new()?,
                heap: None,
                resident: None,
                flights: VecDeque::new(),
                spare: Vec::new(),
                spare_pinned: Vec::new(),
            };
            let (nothing, shape) = (Lowered::default(), Shape { groups: 1, lanes: 1, heap: 64 });
            cuda.begin(&nothing, &DeviceInputs::default(), shape, 0)?;
            cuda.submit(&nothing, 0..0)?;
            cuda.finish()?;
            Ok(cuda)
        })
    }
}

/// A point in a stream; it goes when this does.
struct Event(sys::CUevent);

// SAFETY: events may be used from any thread whose context is theirs, which callers see to.
unsafe impl Send for Event {}
// SAFETY: what is shared is only asked when it came.
unsafe impl Sync for Event {}

impl Event {
    fn new() -> Result<Event, DeviceError> {
        event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).map(Event).map_err(lost)
    }

    /// One that comes when everything before it in the stream is done.
    fn in_stream(stream: sys::CUstream) -> Result<Event, DeviceError> {
        let event = Event::new()?;
        // SAFETY: both were given by the driver and are still there.
        unsafe { event::record(event.0, stream) }.map_err(lost)?;
        Ok(event)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: it was given by the driver and is given back once. A lost device cannot be helped.
        let _ = unsafe { event::destroy(self.0) };
    }
}

/// Memory of the device; it goes when this does.
struct Memory {
    at: sys::CUdeviceptr,
    bytes: usize,
}

impl Memory {
    fn new(bytes: usize) -> Result<Memory, DeviceError> {
        let bytes = bytes.max(4);
        // SAFETY: a context is current.
        let at = unsafe { result::malloc_sync(bytes) }.map_err(lost)?;
        Ok(Memory { at, bytes })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was given by the driver and is given back once. A lost device cannot be helped.
        let _ = unsafe { result::free_sync(self.at) };
    }
}

/// Memory of the host that the device writes to by itself; into any other it would be received only
/// while somebody waits.
struct Pinned {
    at: *mut c_void,
    words: usize,
}

impl Pinned {
    fn new(words: usize) -> Result<Pinned, DeviceError> {
        // SAFETY: a context is current.
        let at = unsafe { result::malloc_host(words * 4, 0) }.map_err(lost)?;
        // SAFETY: the driver has just given so many bytes, aligned for anything.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), 0, words * 4) };
        Ok(Pinned { at, words })
    }

    /// The first words.
    fn words(&mut self, count: usize) -> &mut [u32] {
        let count = count.min(self.words);
        // SAFETY: there are as many, set when they were allocated, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.at.cast(), count) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: it was given by the driver and is given back once. A lost device cannot be helped.
        let _ = unsafe { result::free_host(self.at) };
    }
}

/// Something on its way to the device, and its copy on the host, which stays until then.
struct Sent<T> {
    host: Vec<T>,
    device: Memory,
    begun: Event,
    done: Event,
}

impl<T> Sent<T> {
    fn bytes(&self) -> u64 {
        std::mem::size_of_val(self.host.as_slice()) as u64
    }
}

/// What lies on the device for several batches.
struct Resident {
    cells: Sent<i8>,
    items: Sent<i32>,
    consts: Sent<i32>,
    inputs: usize,
    shape: Shape,
    work_limit: i32,
    /// Whether some batch has reported the sending.
    reported: AtomicBool,
}

/// A batch that is under way. Nothing of it may go before the last event has come.
struct Flight {
    resident: Arc<Resident>,
    code: Sent<i32>,
    table: Sent<i32>,
    results: Memory,
    host: Pinned,
    words: usize,
    kernel: (Event, Event),
    receiving: (Event, Event),
}

impl Cuda {
    fn make_current(&self) -> Result<(), DeviceError> {
        // SAFETY: the context was retained when the device was opened.
        unsafe { result::ctx::set_current(self.context) }.map_err(lost)
    }

    /// Memory that an earlier batch had, or new one.
    fn memory(&mut self, bytes: usize) -> Result<Memory, DeviceError> {
        let fits = self.spare.iter().enumerate().filter(|(_, memory)| memory.bytes >= bytes);
        match fits.min_by_key(|(_, memory)| memory.bytes).map(|(n, _)| n) {
            Some(n) => Ok(self.spare.swap_remove(n)),
            None => Memory::new(bytes),
        }
    }

    fn pinned(&mut self, words: usize) -> Result<Pinned, DeviceError> {
        match self.spare_pinned.iter().position(|pinned| pinned.words >= words) {
            Some(n) => Ok(self.spare_pinned.swap_remove(n)),
            None => Pinned::new(words),
        }
    }

    /// Begins to send this. Callers keep it until the event has come or the stream is empty.
    fn send<T: Clone>(&mut self, data: &[T]) -> Result<Sent<T>, DeviceError> {
        let host = data.to_vec();
        let device = self.memory(std::mem::size_of_val(data))?;
        let begun = Event::in_stream(self.up)?;
        if !host.is_empty() {
            // SAFETY: the memory is as long as the data, whose place on the heap does not change.
            unsafe { result::memcpy_htod_async(device.at, &host, self.up) }.map_err(lost)?;
        }
        // Without an event nobody could wait for what was begun.
        let done = Event::in_stream(self.up).inspect_err(|_| self.drain())?;
        Ok(Sent { host, device, begun, done })
    }

    /// Waits until nothing is under way. A lost device cannot be helped.
    fn drain(&self) {
        for stream in [self.up, self.compute, self.down] {
            // SAFETY: the streams were given by the driver and are still there.
            let _ = unsafe { stream::synchronize(stream) };
        }
    }

    /// Puts a kernel and the receiving of its results under way.
    fn launch(
        &self,
        resident: &Resident,
        [code, table]: [&Sent<i32>; 2],
        stretches: usize,
        results: &Memory,
        to: &mut [u32],
    ) -> Result<[(Event, Event); 2], DeviceError> {
        let heap = self.heap.as_ref().ok_or_else(no_inputs)?;
        let Resident { cells, items, consts, shape, .. } = resident;
        let numbers: [i32; 5] = [
            resident.inputs as i32,
            stretches as i32,
            consts.host.len() as i32,
            shape.heap as i32,
            resident.work_limit,
        ];
        let memory = [&cells.device, &items.device, &code.device, &table.device, &consts.device];
        let memory = memory.into_iter().chain([heap, results]);
        let buffers = memory.map(|memory| (&raw const memory.at).cast::<c_void>().cast_mut());
        let numbers = numbers.iter().map(|number| (&raw const *number).cast::<c_void>().cast_mut());
        let mut args: Vec<*mut c_void> = buffers.chain(numbers).collect();
        let (grid, block) = ((shape.groups as u32, 1, 1), (shape.lanes as u32, 1, 1));
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // What is sent is sent in order: when the last has come, all have.
        // SAFETY: these are the kernel's parameters in its order; what they point to is kept in the
        // flight, or until the streams are empty. The list is as long as the results.
        unsafe {
            stream::wait_event(self.compute, table.done.0, flags).map_err(lost)?;
            let begun = Event::in_stream(self.compute)?;
            result::launch_kernel(self.function, grid, block, 0, self.compute, &mut args)
                .map_err(lost)?;
            let ran = Event::in_stream(self.compute)?;
            stream::wait_event(self.down, ran.0, flags).map_err(lost)?;
            let receiving = Event::in_stream(self.down)?;
            result::memcpy_dtoh_async(to, results.at, self.down).map_err(lost)?;
            Ok([(begun, ran), (receiving, Event::in_stream(self.down)?)])
        }
    }

    /// From when to when something was done, if the driver says so.
    fn span(&self, work: Work, (begun, done): (&Event, &Event)) -> Option<TimeSpan> {
        let since = |event: &Event| {
            // SAFETY: both have come.
            let millis = unsafe { event::elapsed(self.zero.0, event.0) }.ok()?;
            Duration::try_from_secs_f32(millis / 1e3).ok()
        };
        Some(TimeSpan { work, start: since(begun)?, end: since(done)? })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // What is under way reads and writes memory of this, which goes after it.
        if self.make_current().is_ok() {
            self.drain();
            for stream in [self.up, self.compute, self.down] {
                // SAFETY: they were given by the driver and are given back once.
                let _ = unsafe { stream::destroy(stream) };
            }
        }
    }
}

impl Runtime for Cuda {
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
        self.make_current()?;
        if self.flights.is_empty() {
            // Something may have been sent that no batch was put under way for.
            self.drain();
            // Memory of another run would be kept for nothing.
            (self.resident, self.spare, self.spare_pinned) = (None, Vec::new(), Vec::new());
            self.zero = Event::in_stream(self.compute)?;
        }
        let bytes = shape.groups * shape.heap * 4;
        if self.heap.as_ref().is_none_or(|heap| heap.bytes < bytes) {
            self.heap = None;
            self.heap = Some(Memory::new(bytes)?);
        }
        // What is sent already must stay until the others have failed and the stream is empty.
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
        let (inputs, reported) = (inputs.len(), AtomicBool::new(false));
        let resident = Resident { cells, items, consts, inputs, shape, work_limit, reported };
        self.resident = Some(Arc::new(resident));
        Ok(())
    }

    fn submit(&mut self, lowered: &Lowered, stretches: Range<usize>) -> Result<(), DeviceError> {
        self.make_current()?;
        let resident = self.resident.clone().ok_or_else(no_inputs)?;
        let part = lowered.part(stretches.clone());
        let words = part.slots.len() * resident.inputs * record::WORDS;
        let (code, table) = match (self.send(part.code), self.send(&part.table)) {
            (Ok(code), Ok(table)) => (code, table),
            (code, table) => {
                self.drain();
                return Err(code.err().or(table.err()).unwrap_or_else(no_inputs));
            }
        };
        // One word at least, so that there is something to receive.
        let room = words.max(1);
        let memory = self.memory(room * 4).and_then(|results| Ok((results, self.pinned(room)?)));
        let launched = memory.and_then(|(results, mut host)| {
            let to = host.words(room);
            match self.launch(&resident, [&code, &table], stretches.len(), &results, to) {
                Ok(events) => Ok((results, host, events)),
                Err(error) => {
                    // The list that is being filled is about to go.
                    self.drain();
                    Err(error)
                }
            }
        });
        match launched {
            Ok((results, host, [kernel, receiving])) => {
                let flight =
                    Flight { resident, code, table, results, host, words, kernel, receiving };
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
        self.make_current()?;
        let flight = self.flights.front().ok_or_else(no_inputs)?;
        // SAFETY: the event is in a stream that is still there.
        unsafe { event::synchronize(flight.receiving.1.0) }.map_err(lost)?;
        let mut flight = self.flights.pop_front().ok_or_else(no_inputs)?;
        let words = flight.host.words(flight.words).to_vec();
        let (code, table) = (&flight.code, &flight.table);
        let mut up = code.bytes() + table.bytes();
        let sent = |sent: &Sent<i32>| self.span(Work::Up, (&sent.begun, &sent.done));
        let done = |work, (begun, done): &(Event, Event)| self.span(work, (begun, done));
        let mut spans = vec![sent(code), sent(table)];
        spans.push(done(Work::Kernel, &flight.kernel));
        spans.push(done(Work::Down, &flight.receiving));
        if !flight.resident.reported.swap(true, Ordering::Relaxed) {
            let Resident { cells, items, consts, .. } = &*flight.resident;
            up += cells.bytes() + items.bytes() + consts.bytes();
            spans.extend([sent(items), sent(consts)]);
            spans.push(self.span(Work::Up, (&cells.begun, &cells.done)));
        }
        self.spare.extend([flight.code.device, flight.table.device, flight.results]);
        self.spare_pinned.push(flight.host);
        let down = (words.len() * 4) as u64;
        Ok(Returned { words, up, down, spans: spans.into_iter().flatten().collect() })
    }
}

fn no_inputs() -> DeviceError {
    DeviceError::Lost("nothing was sent before".to_owned())
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
