//! Several devices on one batch: who does what, and what happens when one is lost.
//!
//! The inputs are dealt out in portions; a device that is done with one takes the next, so that faster
//! ones do more. A single device gets everything at once, if its memory allows. A portion whose device
//! failed is left out, with the reason, and the device is not asked again.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::lower::Lowered;
use crate::record::{self, Record};
use crate::runtime::{DeviceError, DeviceInfo, Inputs, Runtime, Shape, Took};
use crate::{cuda, opencl};

/// Words of a group's part of the heap besides constants and registers.
const HEAP: usize = 1 << 18;
/// Most bytes of results in one portion.
const MOST_RESULTS: u64 = 256 << 20;
/// Portions per device, where there are several.
const PORTIONS: usize = 4;
/// Groups per unit of a device that is no CPU: enough to have work while others wait for memory.
const GROUPS: usize = 16;
/// Lanes of a group on a device that is no CPU.
const LANES: usize = 32;

/// The devices of this machine, and why some library has none.
#[derive(Debug, Default)]
pub struct Listing {
    found: Vec<Found>,
    /// What libraries said that have no device.
    pub absent: Vec<String>,
}

#[derive(Debug)]
enum Found {
    Cuda(cuda::Found),
    OpenCl(opencl::Found),
}

impl Found {
    fn info(&self) -> &DeviceInfo {
        match self {
            Found::Cuda(found) => &found.info,
            Found::OpenCl(found) => &found.info,
        }
    }

    fn open(&self) -> Result<Box<dyn Runtime>, DeviceError> {
        Ok(match self {
            Found::Cuda(found) => Box::new(found.open()?),
            Found::OpenCl(found) => Box::new(found.open()?),
        })
    }
}

impl Listing {
    /// Looks for devices: CUDA's first, then those of OpenCL that are not the same.
    pub fn new() -> Listing {
        let mut listing = Listing::default();
        match cuda::devices() {
            Ok(found) => listing.found.extend(found.into_iter().map(Found::Cuda)),
            Err(error) => listing.absent.push(error.to_string()),
        }
        let has_cuda = !listing.found.is_empty();
        match opencl::devices() {
            Ok(found) => {
                // NVIDIA's devices are there twice; CUDA's way needs no compiler.
                let new = |found: &opencl::Found| {
                    !(has_cuda
                        && listing.found.iter().any(|known| known.info().name == found.info.name))
                };
                let new: Vec<_> = found.into_iter().filter(new).map(Found::OpenCl).collect();
                listing.found.extend(new);
            }
            Err(error) => listing.absent.push(error.to_string()),
        }
        listing
    }

    /// What they are, in the order of their numbers.
    pub fn infos(&self) -> impl ExactSizeIterator<Item = &DeviceInfo> {
        self.found.iter().map(Found::info)
    }

    /// Makes one device ready, or all of them.
    pub fn open(&self, number: Option<usize>) -> Result<Fleet, DeviceError> {
        let chosen: Vec<&Found> = match number {
            Some(n) => self.found.get(n).into_iter().collect(),
            None => self.found.iter().collect(),
        };
        if chosen.is_empty() {
            let known = self.found.len();
            let reason = match number {
                Some(n) if known > 0 => format!("number {n} of {known}, counted from 0"),
                _ => self.absent.join("; "),
            };
            return Err(DeviceError::Absent(reason));
        }
        let mut fleet = Fleet::default();
        let mut fault = None;
        for found in chosen {
            match found.open() {
                Ok(device) => fleet.devices.push(device),
                Err(error) => {
                    fleet.faults.push(format!("{}: {error}", found.info().name));
                    fault = Some(error);
                }
            }
        }
        match fault {
            Some(error) if fleet.devices.is_empty() => Err(error),
            _ => Ok(fleet),
        }
    }
}

/// Devices that are ready.
#[derive(Default)]
pub struct Fleet {
    devices: Vec<Box<dyn Runtime>>,
    /// What went wrong with devices that are not among them any more.
    pub faults: Vec<String>,
}

/// What one device did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Which one.
    pub device: DeviceInfo,
    /// How many inputs it took.
    pub inputs: usize,
    /// What that took.
    pub took: Took,
}

/// What devices came to on the inputs.
#[derive(Debug, Default)]
pub struct Records {
    inputs: usize,
    portions: Vec<(Range<usize>, Vec<u32>)>,
    /// What each device did.
    pub uses: Vec<Use>,
}

impl Records {
    /// What a result is on an input; `None` where no device did it.
    pub fn get(&self, slot: u32, input: usize) -> Option<Record> {
        let (range, words) = self.portions.iter().find(|(range, _)| range.contains(&input))?;
        let at = (slot as usize * range.len() + input - range.start) * record::WORDS;
        Some(Record::new([words[at], words[at + 1], words[at + 2]]))
    }

    /// Inputs that were done.
    pub fn done(&self) -> usize {
        self.portions.iter().map(|(range, _)| range.len()).sum()
    }

    /// Inputs in all.
    pub fn inputs(&self) -> usize {
        self.inputs
    }
}

impl Fleet {
    /// A fleet of these devices.
    pub fn of(devices: Vec<Box<dyn Runtime>>) -> Fleet {
        Fleet { devices, faults: Vec::new() }
    }

    /// What its devices are.
    pub fn infos(&self) -> impl Iterator<Item = &DeviceInfo> {
        self.devices.iter().map(|device| device.info())
    }

    /// All programs on all inputs. A device that fails leaves the fleet, and `faults` says why.
    pub fn run(&mut self, lowered: &Lowered, inputs: &Inputs, work_limit: i32) -> Records {
        let all = inputs.len();
        if all == 0 || lowered.slots.is_empty() || self.devices.is_empty() {
            return Records { inputs: all, ..Records::default() };
        }
        let each = (lowered.slots.len() * record::BYTES) as u64;
        let room = self.devices.iter().map(|device| device.info()).map(|info| {
            let memory =
                if info.largest > 0 { info.largest.min(info.memory / 4) } else { u64::MAX };
            memory.min(MOST_RESULTS)
        });
        let fits = (room.min().unwrap_or(MOST_RESULTS) / each).max(1) as usize;
        let share = match self.devices.len() {
            1 => all,
            n => all.div_ceil(n * PORTIONS),
        };
        let size = share.min(fits);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = |device: &mut Box<dyn Runtime>| {
            let mut used = Use { device: device.info().clone(), inputs: 0, took: Took::default() };
            loop {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= all {
                    return (used, None);
                }
                let range = start..all.min(start + size);
                let part;
                let given = if range.len() == all {
                    inputs
                } else {
                    part = inputs.part(range.clone());
                    &part
                };
                let shape = shape(device.info(), lowered, given.len());
                match device.run(lowered, given, shape, work_limit) {
                    Ok((words, took)) => {
                        used.inputs += range.len();
                        used.took += took;
                        let mut done =
                            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        done.push((range, words));
                    }
                    Err(error) => return (used, Some(error)),
                }
            }
        };
        let outcomes: Vec<(Use, Option<DeviceError>)> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                self.devices.iter_mut().map(|device| scope.spawn(|| work(device))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let mut lost = Vec::new();
        let mut uses = Vec::new();
        for (used, error) in outcomes {
            if let Some(error) = &error {
                self.faults.push(format!("{}: {error}", used.device.name));
            }
            lost.push(error.is_some());
            uses.push(used);
        }
        let mut lost = lost.into_iter();
        self.devices.retain(|_| !lost.next().unwrap_or(true));
        let mut portions = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        portions.sort_by_key(|(range, _)| range.start);
        Records { inputs: all, portions, uses }
    }
}

/// How work is laid out: on a device that is a CPU a group is a thread, elsewhere as many groups as
/// keep it busy and a quarter of its memory has room for.
fn shape(info: &DeviceInfo, lowered: &Lowered, inputs: usize) -> Shape {
    let heap = (lowered.consts.len() + lowered.registers * 8 + HEAP).next_multiple_of(8);
    let jobs = inputs * lowered.stretches.len();
    let units = info.units.max(1) as usize;
    let (groups, lanes) = if info.is_cpu { (units, 1) } else { (units * GROUPS, LANES) };
    let room = (info.memory / 4).min(if info.largest > 0 { info.largest } else { u64::MAX });
    let most = (room / (heap as u64 * 4)).max(1) as usize;
    Shape { groups: groups.min(jobs).min(most).max(1), lanes, heap }
}
