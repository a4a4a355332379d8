//! A run with devices: they say what every node comes to, the CPU does what they cannot and draws the
//! few grids that are looked at.
//!
//! A device evaluates the programs it has kernels for on all inputs of all tasks in one batch. What
//! comes back is 12 bytes per node and input: a hash of the grid, how many cells are right, whether it
//! failed. That is enough to score and to group candidates. The CPU evaluates, input by input, the
//! nodes that no device has and those that left what a device can hold. Grids of the best candidates
//! are then computed by the CPU and compared with the hash, so that nothing is reported that it has
//! not seen.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arcloom_gpu::record::print_of;
use arcloom_gpu::{
    ComputedBy, DeviceInfo, DeviceInputs, Fleet, Listing, Lowered, NodeRecords, Record, Use,
};
use arcloom_graph::{Backend, Column, Cpu, GridCode, Mark, Profile, RunCounts, Stop, TaskInputs};
use arcloom_tasks::{GridLimits, Task, TaskSet};
use arcloom_value::{FixedMap, Grid, Value};

use super::{PreparedBatt, given};
use crate::engine::Engine;

/// The part of a step's budget that a device may spend before it leaves the value to the CPU. A device
/// counts what goes into a call and comes out; the CPU charges up to three times that for the call and,
/// for putting a list of 4,096 in order, another six times.
const DEVICE_SHARE: u64 = 16;

/// Programs that are evaluated together on a device, so that they share what they have in common.
const TOGETHER: usize = 64;
/// DeviceInputs that `auto` tries both ways.
const PROBE: usize = 16;

/// Who is to evaluate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The CPU alone.
    #[default]
    Cpu,
    /// Whoever is faster on a probe of the work.
    Auto,
    /// All devices, or one of them by number; the CPU does the rest.
    Gpu(Option<usize>),
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceChoice, String> {
        match text {
            "cpu" => Ok(DeviceChoice::Cpu),
            "auto" => Ok(DeviceChoice::Auto),
            "gpu" => Ok(DeviceChoice::Gpu(None)),
            _ => text
                .strip_prefix("gpu:")
                .and_then(|number| number.parse().ok())
                .map(|number| DeviceChoice::Gpu(Some(number)))
                .ok_or_else(|| format!("`{text}` is none of auto, cpu, gpu, gpu:N")),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Gpu(None) => f.write_str("gpu"),
            DeviceChoice::Gpu(Some(n)) => write!(f, "gpu:{n}"),
        }
    }
}

/// What devices did in a run, and what they did not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceReport {
    /// Who was asked for.
    pub asked: DeviceChoice,
    /// Why `auto` chose as it did, in words.
    pub chosen: Option<String>,
    /// What each device did.
    pub uses: Vec<Use>,
    /// Programs of the batt.
    pub programs: usize,
    /// Programs that devices have all kernels for.
    pub covered: usize,
    /// How many of the others there are, by reason.
    pub reasons: Vec<(String, usize)>,
    /// Programs times inputs evaluated by devices.
    pub runs: u64,
    /// Values that came back, 12 bytes each.
    pub results: u64,
    /// Of these, how many left what a device can hold and were evaluated again.
    pub over: u64,
    /// Grids that were computed again because somebody looked at them.
    pub drawn: u64,
    /// What went wrong; the CPU did that work.
    pub faults: Vec<String>,
    /// Finding devices, building kernels, lowering.
    pub setup: Duration,
}

/// What devices came to, and what is needed to use it.
pub(super) struct DeviceRun {
    lowered: Lowered,
    records: NodeRecords,
    /// First input of every task in the batch.
    first: Vec<usize>,
    /// DeviceInputs that no device can take.
    too_large: Vec<bool>,
    over: AtomicU64,
    drawn: AtomicU64,
    wrong: AtomicU64,
}

/// The inputs of all tasks, expected outputs of the demos beside them.
fn batch(tasks: &TaskSet) -> (DeviceInputs, Vec<usize>, Vec<bool>) {
    let (mut inputs, mut first, mut too_large) = (DeviceInputs::default(), Vec::new(), Vec::new());
    for task in &tasks.tasks {
        first.push(inputs.len());
        for pair in &task.demos {
            too_large.push(!inputs.add(&pair.input, Some(&pair.output)));
        }
        // Answers of tests are not asked for, let alone sent.
        for test in &task.tests {
            too_large.push(!inputs.add(&test.input, None));
        }
    }
    (inputs, first, too_large)
}

/// Asks the devices that were chosen; what comes of it is also reported when nothing does.
pub(super) fn ask(
    engine: &Engine,
    carding: &PreparedBatt<'_>,
    tasks: &TaskSet,
    choice: DeviceChoice,
    stop: &Stop,
) -> (Option<DeviceRun>, Option<DeviceReport>) {
    let number = match choice {
        DeviceChoice::Cpu => return (None, None),
        DeviceChoice::Auto => None,
        DeviceChoice::Gpu(number) => number,
    };
    let start = Instant::now();
    let mut report = DeviceReport { asked: choice, ..DeviceReport::default() };
    let mut fleet = match engine.take_devices(number) {
        Ok(fleet) => fleet,
        Err(error) => {
            report.setup = start.elapsed();
            match choice {
                DeviceChoice::Auto => report.chosen = Some(format!("the CPU: {error}")),
                _ => report.faults.push(error.to_string()),
            }
            return (None, Some(report));
        }
    };
    let stretches = carding.batt.roots().len().div_ceil(TOGETHER);
    let lowered = Lowered::new(carding.batt, &carding.plan, stretches);
    report.programs = lowered.programs.len();
    report.covered = lowered.covered();
    report.reasons =
        lowered.reasons().into_iter().map(|(reason, n)| (reason.to_string(), n)).collect();
    let (inputs, first, too_large) = batch(tasks);
    // A step is paid for on the CPU alone: where it might not afford what a device does, it decides.
    let limit = i32::try_from(engine.limits().call_budget() / DEVICE_SHARE).unwrap_or(i32::MAX);
    report.setup = start.elapsed();
    if choice == DeviceChoice::Auto {
        let (chosen, why) =
            probe(engine, carding, tasks, &mut fleet, &lowered, &inputs, limit, stop);
        report.chosen = Some(why);
        if !chosen {
            report.faults.clone_from(&fleet.faults);
            engine.keep_devices(number, fleet);
            return (None, Some(report));
        }
    }
    let records = fleet.run(&lowered, &inputs, limit);
    report.uses = records.uses.clone();
    report.runs = records.runs();
    report.results = records.results();
    report.faults.clone_from(&fleet.faults);
    engine.keep_devices(number, fleet);
    (Some(DeviceRun::new(lowered, records, first, too_large)), Some(report))
}

/// Whether devices are faster than the CPU on some of the inputs, and the measurement in words.
#[expect(clippy::too_many_arguments, reason = "everything there is about the run")]
fn probe(
    engine: &Engine,
    carding: &PreparedBatt<'_>,
    tasks: &TaskSet,
    fleet: &mut Fleet,
    lowered: &Lowered,
    inputs: &DeviceInputs,
    limit: i32,
    stop: &Stop,
) -> (bool, String) {
    let every = (inputs.len() / PROBE).max(1);
    let chosen: Vec<usize> = (0..inputs.len()).step_by(every).take(PROBE).collect();
    let part = inputs.pick(&chosen);
    // The first launch pays for what later ones have.
    fleet.run(lowered, &part, limit);
    let start = Instant::now();
    let records = fleet.run(lowered, &part, limit);
    let device = start.elapsed();
    if records.runs() == 0 {
        return (false, "the CPU: no device did the probe".to_owned());
    }
    // What devices leave to the CPU counts as well, as what it does alone does.
    let run = DeviceRun::new(lowered.clone(), records, Vec::new(), vec![false; chosen.len()]);
    let given: Vec<TaskInputs> = tasks.tasks.iter().map(given).collect();
    let flat: Vec<(&TaskInputs, &Value)> =
        given.iter().flat_map(|task| task.inputs.iter().map(move |input| (task, input))).collect();
    let cpu = engine.cpu();
    let jobs: Vec<(usize, TaskInputs)> = chosen
        .iter()
        .map(|&n| (flat[n].0.samples.clone(), vec![flat[n].1.clone()]))
        .map(|(samples, inputs)| TaskInputs { samples, inputs })
        .enumerate()
        .collect();
    let time = |work: &(dyn Fn(&(usize, TaskInputs)) + Sync)| {
        let start = Instant::now();
        engine.spread(&jobs, work);
        start.elapsed()
    };
    let device = device
        + time(&|(n, job)| {
            let needed = run.needed(carding, *n);
            cpu.evaluate_part(&carding.plan, job, &[needed], stop);
        });
    let host = time(&|(_, job)| {
        cpu.evaluate(&carding.plan, job, stop);
    });
    let faster = device < host;
    let who = if faster { "the devices" } else { "the CPU" };
    let why = format!(
        "{who}: {} inputs take {:.1} ms with devices, {:.1} ms without, on {} threads",
        chosen.len(),
        device.as_secs_f64() * 1e3,
        host.as_secs_f64() * 1e3,
        engine.threads(),
    );
    (faster, why)
}

/// Adds what nodes depend on.
fn close(carding: &PreparedBatt<'_>, needed: &mut [bool]) {
    for n in (0..needed.len()).rev() {
        if needed[n] {
            carding.batt.nodes()[n].args.iter().for_each(|arg| needed[arg.index()] = true);
        }
    }
}

impl DeviceRun {
    fn new(
        lowered: Lowered,
        records: NodeRecords,
        first: Vec<usize>,
        too_large: Vec<bool>,
    ) -> DeviceRun {
        let [over, drawn, wrong] = [(); 3].map(|()| AtomicU64::new(0));
        DeviceRun { lowered, records, first, too_large, over, drawn, wrong }
    }

    /// Every node on every input of a task; `None` when stopped.
    pub(super) fn columns(
        &self,
        carding: &PreparedBatt<'_>,
        cpu: &Cpu,
        number: usize,
        task: &Task,
        given: &TaskInputs,
        stop: &Stop,
    ) -> Option<(Vec<Arc<Column>>, RunCounts, Option<Profile>)> {
        let first = self.first[number];
        let needed: Vec<Vec<bool>> =
            (0..given.inputs.len()).map(|n| self.needed(carding, first + n)).collect();
        let all = cpu.evaluate_part(&carding.plan, given, &needed, stop)?;
        let join = |(n, column): (usize, Column)| {
            let expected = task.demos.get(n).map(|pair| &pair.output);
            Arc::new(self.join(first + n, &needed[n], &column, expected))
        };
        let columns = all.columns.into_iter().enumerate().map(join).collect();
        Some((columns, all.counts, all.profile))
    }

    /// The nodes that the CPU is to evaluate on an input.
    fn needed(&self, carding: &PreparedBatt<'_>, input: usize) -> Vec<bool> {
        let mut over = 0;
        let mut needed: Vec<bool> = self
            .lowered
            .places
            .iter()
            .map(|place| match *place {
                ComputedBy::Cpu => true,
                // Never a grid; whoever needs it asks for it.
                ComputedBy::Inner => false,
                ComputedBy::Slot(slot) => {
                    let record = self.record(slot, input);
                    over += u64::from(record == Some(Record::Over));
                    record.is_none_or(|record| record == Record::Over)
                }
            })
            .collect();
        self.over.fetch_add(over, Ordering::Relaxed);
        close(carding, &mut needed);
        needed
    }

    fn record(&self, slot: u32, input: usize) -> Option<Record> {
        if self.too_large[input] { None } else { self.records.get(slot, input) }
    }

    /// What the CPU and the devices have, as one column.
    fn join(&self, input: usize, needed: &[bool], own: &Column, expected: Option<&Grid>) -> Column {
        let mut column = Column {
            codes: Vec::with_capacity(own.codes.len()),
            grids: Vec::new(),
            marks: Vec::new(),
        };
        // What stands for grids that are not here.
        let blank = Grid::two_by_two([0; 4]);
        let mut places: FixedMap<u64, usize> = FixedMap::default();
        for (n, &code) in own.codes.iter().enumerate() {
            let (mark, grid) = if needed[n] {
                let Some(place) = code.grid() else {
                    column.codes.push(code);
                    continue;
                };
                let grid = &own.grids[place];
                (mark(grid, expected), Some(grid))
            } else {
                let ComputedBy::Slot(slot) = self.lowered.places[n] else {
                    column.codes.push(GridCode::OTHER);
                    continue;
                };
                match self.record(slot, input) {
                    Some(Record::Grid(seen)) => {
                        let (print, right, plain) = (seen.print, seen.right, seen.plain);
                        (Mark { print, right, plain, here: false }, None)
                    }
                    Some(Record::Other(_)) => {
                        column.codes.push(GridCode::OTHER);
                        continue;
                    }
                    _ => {
                        column.codes.push(GridCode::FAILED);
                        continue;
                    }
                }
            };
            let place = *places.entry(mark.print).or_insert_with(|| {
                column.marks.push(Mark { here: false, ..mark });
                column.grids.push(blank.clone());
                column.marks.len() - 1
            });
            if let Some(grid) = grid.filter(|_| !column.marks[place].here) {
                column.grids[place] = grid.clone();
                column.marks[place].here = true;
            }
            column.codes.push(GridCode::at(place));
        }
        column
    }

    /// Computes the grids of these nodes that are not here. False when one is not what a device said
    /// it is: nothing of the task is to be believed then.
    pub(super) fn draw(
        &self,
        carding: &PreparedBatt<'_>,
        cpu: &Cpu,
        given: &TaskInputs,
        columns: &mut [Arc<Column>],
        nodes: &[usize],
    ) -> bool {
        let missing = |column: &Column| -> Vec<usize> {
            let away = |node: &&usize| {
                column.codes[**node].grid().is_some_and(|place| !column.is_here(place))
            };
            nodes.iter().filter(away).copied().collect()
        };
        let needed: Vec<Vec<bool>> = columns
            .iter()
            .map(|column| {
                let mut needed = vec![false; column.codes.len()];
                missing(column).into_iter().for_each(|node| needed[node] = true);
                close(carding, &mut needed);
                needed
            })
            .collect();
        let any = needed.iter().flatten().any(|needed| *needed);
        if !any {
            return true;
        }
        let all = cpu.evaluate_part(&carding.plan, given, &needed, &Stop::default());
        let Some(all) = all else { return false };
        for (column, own) in columns.iter_mut().zip(all.columns) {
            let nodes = missing(column);
            let column = Arc::make_mut(column);
            for node in nodes {
                let (Some(place), Some(grid)) = (column.codes[node].grid(), own.grid(node)) else {
                    self.wrong.fetch_add(1, Ordering::Relaxed);
                    return false;
                };
                if column.marks[place].print != print_of(grid) {
                    self.wrong.fetch_add(1, Ordering::Relaxed);
                    return false;
                }
                column.grids[place] = grid.clone();
                column.marks[place].here = true;
                self.drawn.fetch_add(1, Ordering::Relaxed);
            }
        }
        true
    }

    /// Adds what was counted on the way.
    pub(super) fn finish(&self, report: &mut DeviceReport) {
        report.over = self.over.load(Ordering::Relaxed);
        report.drawn = self.drawn.load(Ordering::Relaxed);
        let wrong = self.wrong.load(Ordering::Relaxed);
        if wrong > 0 {
            report.faults.push(format!(
                "a device gave other grids than the CPU on {wrong} tasks, which the CPU ran again; \
                 please report this"
            ));
        }
    }
}

/// What is known of a grid that is here.
fn mark(grid: &Grid, expected: Option<&Grid>) -> Mark {
    let same = expected.filter(|e| (e.height(), e.width()) == (grid.height(), grid.width()));
    let right =
        |e: &Grid| e.cells().iter().zip(grid.cells()).filter(|(a, b)| a == b).count() as u32;
    let plain = GridLimits::SIXTEEN.allow(grid);
    Mark { print: print_of(grid), right: same.map(right), plain, here: true }
}

/// The devices of this machine in the order of their numbers, and what libraries said that have none.
pub fn devices() -> (Vec<DeviceInfo>, Vec<String>) {
    let listing = Listing::new();
    (listing.infos().cloned().collect(), listing.absent)
}

/// What devices and the CPU take for the same work.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Threads of the CPU.
    pub threads: usize,
    /// Seconds that a run of one program on one input takes on them.
    pub cpu_per_run: f64,
    /// By device: what was measured, or why nothing was.
    pub devices: Vec<Result<Measured, String>>,
}

/// What a device takes.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Until it was ready.
    pub setup: Duration,
    /// What a batch takes before the first run.
    pub fixed: Duration,
    /// Seconds that a run takes on top.
    pub per_run: f64,
}

impl Measured {
    /// The number of runs from which on the device is faster; `None` when it never is.
    pub fn break_even(&self, all: &Measurement) -> Option<u64> {
        let gain = all.cpu_per_run - self.per_run;
        (gain > 0.0).then(|| (self.fixed.as_secs_f64() / gain).ceil() as u64)
    }
}

/// Measures every device, and the CPU, on the programs of a batt that devices have kernels for.
pub fn measure(engine: &Engine, batt: &arcloom_graph::batt::Batt, tasks: &TaskSet) -> Measurement {
    let carding = PreparedBatt::new(batt);
    let stretches = batt.roots().len().div_ceil(TOGETHER);
    let lowered = Lowered::new(batt, &carding.plan, stretches);
    let (inputs, ..) = batch(tasks);
    let limit = i32::try_from(engine.limits().call_budget() / DEVICE_SHARE).unwrap_or(i32::MAX);
    let mut needed: Vec<bool> =
        lowered.places.iter().map(|place| *place != ComputedBy::Cpu).collect();
    close(&carding, &mut needed);
    let cpu = engine.cpu();
    let given: Vec<TaskInputs> = tasks.tasks.iter().map(given).collect();
    let evaluate = || {
        engine.spread(&given, |task| {
            let needed = vec![needed.clone(); task.inputs.len()];
            cpu.evaluate_part(&carding.plan, task, &needed, &Stop::default()).is_some()
        });
    };
    let shortest = |work: &mut dyn FnMut()| {
        let once = |work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..5).map(|_| once(work)).min().unwrap_or_default()
    };
    let runs = (lowered.covered() * inputs.len()).max(1) as f64;
    let cpu_per_run = shortest(&mut || evaluate()).as_secs_f64() / runs;
    let listing = Listing::new();
    let one = |n: usize| {
        let start = Instant::now();
        let mut fleet = listing.open(Some(n)).map_err(|error| error.to_string())?;
        let few = inputs.pick(&[0][..inputs.len().min(1)]);
        fleet.run(&lowered, &few, limit);
        let setup = start.elapsed();
        let small = shortest(&mut || {
            fleet.run(&lowered, &few, limit);
        });
        let large = shortest(&mut || {
            fleet.run(&lowered, &inputs, limit);
        });
        if let Some(fault) = fleet.faults.pop() {
            return Err(fault);
        }
        let more = (lowered.covered() * (inputs.len() - few.len())).max(1) as f64;
        let per_run = large.saturating_sub(small).as_secs_f64() / more;
        let used = Duration::from_secs_f64(per_run * lowered.covered() as f64);
        Ok(Measured { setup, fixed: small.saturating_sub(used), per_run })
    };
    let devices = (0..listing.infos().len()).map(one).collect();
    Measurement { threads: engine.threads(), cpu_per_run, devices }
}
