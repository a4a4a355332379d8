//! Several devices on one run: who does what, and what happens when one is lost.
//!
//! Inputs are ordered by cost, the largest first, so that groups beside each other have alike work to
//! do. A single device is sent all of them at once; several are first given a few each, and from then
//! on portions by how fast they turned out to be. On its inputs a device does the stretches in
//! batches, two of them under way at a time: while one is computed the next is sent and the one before
//! is received. What a device that failed had not given back is left out, with the reason, and the
//! device is not asked again.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::lower::Lowered;
use crate::record::{self, Record};
use crate::runtime::{
    DeviceBatch, DeviceError, DeviceInfo, DeviceInputs, Returned, Runtime, Shape, TimeSpan, Took,
};
use crate::{cuda, opencl};

/// Words of a group's part of the heap besides constants and registers.
const HEAP: usize = 1 << 18;
/// Most bytes of results of one batch.
const MOST_RESULTS: u64 = 128 << 20;
/// Batches that are under way at a time.
const UNDER_WAY: usize = 2;
/// Batches on the same inputs: enough for most transfers to be done beside a kernel.
const BATCHES: usize = 4;
/// Jobs per group that a batch has at least; with fewer, launches would cost more than is gained.
const JOBS: usize = 16;
/// The part of a device's equal share that its speed is measured on.
const TRIAL: usize = 8;
/// Groups per unit of a device that is no CPU and does not say how many fit: what the kernel's registers are
/// made for. More would wait for the first ones to end.
const GROUPS: u32 = 16;
/// Lanes of a group on a device that is no CPU.
pub(crate) const LANES: usize = 32;

/// The devices of this machine, and why some library has none.
#[derive(Debug, Default)]
pub struct Listing {
    found: Vec<Found>,
    /// What libraries said that have no device.
    pub absent: Vec<String>,
}

#[derive(Debug)]
enum Found {
    Cuda(cuda::ListedCuda),
    OpenCl(opencl::ListedOpenCl),
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
                let new = |found: &opencl::ListedOpenCl| {
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
    /// From the beginning of the run until the device had nothing more to do.
    pub wall: Duration,
    /// Its batches, in the order in which they came back.
    pub batches: Vec<DeviceBatch>,
}

impl Use {
    /// The share of the time in which it ran kernels.
    pub fn utilisation(&self) -> f64 {
        self.took.busy.as_secs_f64() / self.wall.as_secs_f64().max(1e-9)
    }

    /// Bytes sent and received per second of that time.
    pub fn bytes_per_second(&self) -> f64 {
        (self.took.up + self.took.down) as f64 / self.wall.as_secs_f64().max(1e-9)
    }
}

/// What devices came to on the inputs.
#[derive(Debug, Default)]
pub struct NodeRecords {
    /// By input: the portion it is in and its place there.
    places: Vec<Option<(u32, u32)>>,
    portions: Vec<Portion>,
    /// Programs times inputs.
    runs: u64,
    /// What each device did.
    pub uses: Vec<Use>,
}

/// What a device came to on some inputs.
#[derive(Debug)]
struct Portion {
    /// Inputs, by their numbers in the run.
    inputs: Vec<usize>,
    /// What came back, batch by batch: the results it has, and their words.
    batches: Vec<(Range<usize>, Vec<u32>)>,
}

impl NodeRecords {
    fn new(inputs: usize, portions: Vec<Portion>) -> NodeRecords {
        let mut places = vec![None; inputs];
        for (number, portion) in (0..).zip(&portions) {
            for (place, &input) in (0..).zip(&portion.inputs) {
                places[input] = Some((number, place));
            }
        }
        NodeRecords { places, portions, runs: 0, uses: Vec::new() }
    }

    /// So many results on these inputs from one device.
    #[cfg(test)]
    pub(crate) fn of_words(inputs: usize, results: usize, words: Vec<u32>) -> NodeRecords {
        let portion = Portion { inputs: (0..inputs).collect(), batches: vec![(0..results, words)] };
        NodeRecords::new(inputs, vec![portion])
    }

    /// What a result is on an input; `None` where no device did it.
    pub fn get(&self, slot: u32, input: usize) -> Option<Record> {
        let (portion, place) = (*self.places.get(input)?)?;
        let portion = &self.portions[portion as usize];
        let slot = slot as usize;
        let batch = portion.batches.partition_point(|(slots, _)| slots.end <= slot);
        let (slots, words) = portion.batches.get(batch).filter(|(slots, _)| slots.start <= slot)?;
        let row = (slot - slots.start) * portion.inputs.len();
        let at = (row + place as usize) * record::WORDS;
        Some(Record::new([words[at], words[at + 1], words[at + 2]]))
    }

    /// Values that came back.
    pub fn results(&self) -> u64 {
        let of = |portion: &Portion| {
            let slots = portion.batches.iter().map(|(slots, _)| slots.len()).sum::<usize>();
            (slots * portion.inputs.len()) as u64
        };
        self.portions.iter().map(of).sum()
    }

    /// Programs times inputs that were done.
    pub fn runs(&self) -> u64 {
        self.runs
    }
}

/// The inputs that no device has taken yet, in order of cost, and how fast devices turned out to be.
struct Deal {
    order: Vec<usize>,
    /// What all inputs before this place cost, by place; one more than there are inputs.
    before: Vec<u64>,
    next: usize,
    /// Cost per second, by device; 0 for one that is lost.
    speeds: Vec<Option<f64>>,
}

impl Deal {
    fn new(inputs: &DeviceInputs, devices: usize) -> Deal {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|&n| (std::cmp::Reverse(inputs.area(n)), n));
        let mut before = vec![0];
        for &n in &order {
            // Cells, and something for every step that does not depend on them.
            before.push(before.last().copied().unwrap_or(0) + inputs.area(n) as u64 + 32);
        }
        Deal { order, before, next: 0, speeds: vec![None; devices] }
    }

    fn cost(&self, range: &Range<usize>) -> u64 {
        self.before[range.end] - self.before[range.start]
    }

    /// The next inputs for a device, as places in the order; at most so many.
    fn take(&mut self, device: usize, most: usize) -> Option<Range<usize>> {
        let all = self.order.len();
        if self.next == all {
            return None;
        }
        let devices = self.speeds.iter().filter(|speed| **speed != Some(0.0)).count().max(1);
        let (whole, left) = (self.cost(&(0..all)), self.cost(&(self.next..all)));
        let trial = whole / (devices * TRIAL) as u64;
        let share = match self.speeds[device] {
            _ if devices == 1 => left,
            None => trial,
            Some(own) => {
                // Who is not measured yet is taken to be like the mean of the others.
                let known: Vec<f64> = self.speeds.iter().copied().flatten().collect();
                let running = known.iter().filter(|speed| **speed > 0.0).count().max(1);
                let sum = known.iter().sum::<f64>() * devices as f64 / running as f64;
                // Half of what would be fair: speeds change, and the end is to come at one time.
                ((left as f64 * own / sum / 2.0) as u64).max(trial / 4)
            }
        };
        let until = self.before[self.next] + share.max(1);
        let end = self.before.partition_point(|&cost| cost < until).min(all);
        let range = self.next..end.max(self.next + 1).min(self.next.saturating_add(most));
        self.next = range.end;
        Some(range)
    }
}

/// A device at work: what it took, and what came of it.
struct Turn<'a> {
    device: &'a mut dyn Runtime,
    number: usize,
    deal: &'a Mutex<Deal>,
    lowered: &'a Lowered,
    inputs: &'a DeviceInputs,
    work_limit: i32,
    used: Use,
    portions: Vec<Portion>,
    runs: u64,
    spans: Vec<TimeSpan>,
}

impl Turn<'_> {
    /// Takes portions until there are none.
    fn work(&mut self) -> Result<(), DeviceError> {
        let (info, lowered) = (self.device.info().clone(), self.lowered);
        // Two batches and what they are received into.
        let room = room(&info).min(MOST_RESULTS) as usize / UNDER_WAY;
        let widest = lowered.stretches.iter().map(|stretch| stretch.slots.len()).max().unwrap_or(1);
        let most = (room / (widest.max(1) * record::BYTES)).max(1);
        // Batches that are not put under way yet, and those that are: the portion and its stretches.
        let (mut waiting, mut under_way) = (VecDeque::new(), VecDeque::new());
        let start = Instant::now();
        let mut done = 0;
        loop {
            while under_way.len() < UNDER_WAY {
                if waiting.is_empty() {
                    let mut deal = self.deal.lock().unwrap_or_else(PoisonError::into_inner);
                    // Until its speed is known a device has one portion, and no more.
                    let alone = deal.speeds.len() == 1 || deal.speeds[self.number].is_some();
                    if !alone && !under_way.is_empty() {
                        break;
                    }
                    let Some(range) = deal.take(self.number, most) else { break };
                    let (chosen, cost) = (deal.order[range.clone()].to_vec(), deal.cost(&range));
                    drop(deal);
                    let shape = shape(&info, lowered, chosen.len());
                    let given = self.inputs.pick(&chosen);
                    self.device.begin(lowered, &given, shape, self.work_limit)?;
                    self.used.took.uploads += 1;
                    let each = chosen.len() * record::BYTES;
                    let batches = batches(lowered, chosen.len(), shape.groups, room / each);
                    let shares = batches.len() as u64;
                    waiting.extend(
                        batches
                            .into_iter()
                            .map(|batch| (self.portions.len(), batch, cost / shares)),
                    );
                    self.portions.push(Portion { inputs: chosen, batches: Vec::new() });
                }
                let Some((portion, stretches, cost)) = waiting.pop_front() else { break };
                let begun = start.elapsed();
                self.device.submit(lowered, stretches.clone())?;
                under_way.push_back((portion, stretches, cost, begun));
            }
            self.used.wall = start.elapsed();
            let Some((portion, stretches, cost, begun)) = under_way.pop_front() else {
                return Ok(());
            };
            let Returned { words, up, down, spans } = self.device.finish()?;
            let mut took = Took { up, down, launches: 1, ..Took::default() };
            took.add(&spans);
            self.spans.extend(spans);
            self.used.took.up += up;
            self.used.took.down += down;
            self.used.took.launches += 1;
            let portion = &mut self.portions[portion];
            let programs: usize =
                lowered.stretches[stretches.clone()].iter().map(|stretch| stretch.programs).sum();
            self.runs += (programs * portion.inputs.len()) as u64;
            self.used.batches.push(DeviceBatch {
                inputs: portion.inputs.len(),
                programs,
                begun,
                done: start.elapsed(),
                took,
            });
            portion.batches.push((lowered.part(stretches.clone()).slots, words));
            if stretches.end == lowered.stretches.len() {
                self.used.inputs += portion.inputs.len();
            }
            done += cost;
            let speed = done as f64 / start.elapsed().as_secs_f64().max(1e-9);
            let mut deal = self.deal.lock().unwrap_or_else(PoisonError::into_inner);
            deal.speeds[self.number] = Some(speed.max(f64::MIN_POSITIVE));
        }
    }
}

/// The stretches in batches of about the same size, of which each has results of so many slots at most.
fn batches(lowered: &Lowered, inputs: usize, groups: usize, slots: usize) -> Vec<Range<usize>> {
    let all = lowered.stretches.len();
    let wanted = (all * inputs / (groups * JOBS)).clamp(1, BATCHES);
    let size = all.div_ceil(wanted);
    let mut batches: Vec<Range<usize>> = Vec::new();
    for n in 0..all {
        let more = lowered.stretches[n].slots.len();
        match batches.last_mut() {
            Some(last)
                if last.len() < size && lowered.part(last.clone()).slots.len() + more <= slots =>
            {
                last.end = n + 1;
            }
            _ => batches.push(n..n + 1),
        }
    }
    batches
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
    pub fn run(
        &mut self,
        lowered: &Lowered,
        inputs: &DeviceInputs,
        work_limit: i32,
    ) -> NodeRecords {
        if inputs.is_empty() || lowered.slots.is_empty() || self.devices.is_empty() {
            return NodeRecords::new(inputs.len(), Vec::new());
        }
        let deal = &Mutex::new(Deal::new(inputs, self.devices.len()));
        let work = |(number, device): (usize, &mut Box<dyn Runtime>)| {
            let used = Use {
                device: device.info().clone(),
                inputs: 0,
                took: Took::default(),
                wall: Duration::ZERO,
                batches: Vec::new(),
            };
            let device = &mut **device;
            let (portions, spans) = (Vec::new(), Vec::new());
            let mut turn = Turn {
                device,
                number,
                deal,
                lowered,
                inputs,
                work_limit,
                used,
                portions,
                runs: 0,
                spans,
            };
            let outcome = turn.work();
            if outcome.is_err() {
                deal.lock().unwrap_or_else(PoisonError::into_inner).speeds[number] = Some(0.0);
            }
            turn.used.took.add(&turn.spans);
            (turn.used, turn.portions, turn.runs, outcome.err())
        };
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .devices
                .iter_mut()
                .enumerate()
                .map(|device| scope.spawn(move || work(device)))
                .collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        let (mut lost, mut portions, mut uses, mut runs) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (outcome, device) in outcomes.into_iter().zip(&self.devices) {
            let name = &device.info().name;
            let Ok((used, more, ran, error)) = outcome else {
                self.faults.push(format!("{name}: the driver's bindings panicked"));
                lost.push(true);
                continue;
            };
            if let Some(error) = &error {
                self.faults.push(format!("{name}: {error}"));
            }
            lost.push(error.is_some());
            uses.push(used);
            portions.extend(more);
            runs += ran;
        }
        let mut lost = lost.into_iter();
        self.devices.retain(|_| !lost.next().unwrap_or(true));
        NodeRecords { runs, uses, ..NodeRecords::new(inputs.len(), portions) }
    }
}

/// Bytes of a device's memory that one thing may have: a quarter, if it is given in one piece.
fn room(info: &DeviceInfo) -> u64 {
    (info.memory / 4).min(if info.largest > 0 { info.largest } else { u64::MAX })
}

/// How work is laid out: on a device that is a CPU a group is a thread, elsewhere as many groups as
/// keep it busy and a quarter of its memory has room for.
fn shape(info: &DeviceInfo, lowered: &Lowered, inputs: usize) -> Shape {
    let heap = (lowered.consts.len() + lowered.registers * 8 + HEAP).next_multiple_of(8);
    let jobs = inputs * lowered.stretches.len();
    let units = info.units.max(1) as usize;
    let fit = if info.groups > 0 { info.groups } else { GROUPS } as usize;
    let (groups, lanes) = if info.is_cpu { (units, 1) } else { (units * fit, LANES) };
    let most = (room(info) / (heap as u64 * 4)).max(1) as usize;
    Shape { groups: groups.min(jobs).min(most).max(1), lanes, heap }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deal(devices: usize, inputs: usize) -> Deal {
        let mut all = DeviceInputs::default();
        let grid = arcloom_value::Grid::two_by_two([0; 4]);
        (0..inputs).for_each(|_| assert!(all.add(&grid, None)));
        Deal::new(&all, devices)
    }

    #[test]
    fn a_single_device_takes_everything() {
        let mut deal = deal(1, 100);
        assert_eq!(deal.take(0, usize::MAX), Some(0..100));
        assert_eq!(deal.take(0, usize::MAX), None);
    }

    #[test]
    fn shares_go_by_speed() {
        let mut deal = deal(2, 1600);
        let trials = [deal.take(0, usize::MAX), deal.take(1, usize::MAX)];
        assert_eq!(trials, [Some(0..100), Some(100..200)], "an eighth of an equal share");
        deal.speeds = vec![Some(3.0), Some(1.0)];
        let sizes = [0, 1].map(|device| deal.take(device, usize::MAX).unwrap().len());
        // Three quarters of half of what is left, then a quarter of half of that.
        assert_eq!(sizes, [525, 110]);
        assert_eq!(deal.take(0, 7).unwrap().len(), 7, "no more than its memory allows");
        deal.speeds[0] = Some(0.0);
        let left = 1600 - 200 - 525 - 110 - 7;
        assert_eq!(deal.take(1, usize::MAX).unwrap().len(), left, "the other one is lost");
    }

    #[test]
    fn the_largest_come_first() {
        let mut all = DeviceInputs::default();
        for side in [1, 3, 2, 3] {
            let cells = vec![0; side * side];
            assert!(all.add(&arcloom_value::Grid::new(side, side, &cells).unwrap(), None));
        }
        assert_eq!(Deal::new(&all, 1).order, [1, 3, 2, 0]);
    }

    #[test]
    fn batches_are_few_and_bounded() {
        let stretch = |n: usize| crate::lower::Stretch {
            code: n..n + 1,
            registers: 1,
            slots: 10 * n..10 * n + 10,
            programs: 64,
        };
        let stretches: Vec<_> = (0..16).map(stretch).collect();
        let code = vec![0; 16 * crate::lower::STEP];
        let lowered = Lowered { stretches, code, ..Lowered::default() };
        assert_eq!(batches(&lowered, 1000, 2, usize::MAX), [0..4, 4..8, 8..12, 12..16]);
        assert_eq!(batches(&lowered, 1, 2, usize::MAX).len(), 1, "too little to be split");
        assert_eq!(batches(&lowered, 1000, 2, 25).len(), 8, "room for two stretches");
        assert_eq!(batches(&lowered, 1000, 2, 1).len(), 16, "never less than a stretch");
    }
}
