//! The same work done in several ways: checked to come to the same, then timed.
//!
//! | file | what it does |
//! |---|---|
//! | `bench/size.rs` | which sizes can be had, and the programs and tasks of each |
//! | `bench/mode.rs` | the work in one mode: programs one by one, or a batt on threads or devices |
//! | `bench/verify.rs` | whether all modes give the same bytes |
//! | `bench/report.rs` | what was measured, and the ratios |
//!
//! Every size is verified before the first one is timed, and the runs that are timed are compared
//! again: a ratio between two ways of computing different things says nothing.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use arcloom::run::device;
use arcloom::timing::cpu_time;
use arcloom::{
    Caller, ChooseError, ConfigError, DeviceChoice, DeviceReport, Engine, Entry, Limits, RunReport,
    Stop, TaskSet,
};

use self::mode::Workload;
use self::verify::Verified;

mod mode;
mod report;
mod size;
mod verify;

pub(crate) use mode::Mode;
pub(crate) use report::{BenchReport, Experiment, Point, Row};
pub(crate) use size::{Axis, Sizes};
pub(crate) use verify::{NodePlace, RunDifference};

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    /// Numbers of threads.
    pub(crate) jobs: Vec<usize>,
    /// Sizes of the experiment on tasks; the smallest is what the one on programs runs on.
    pub(crate) task_counts: Vec<usize>,
    /// Sizes of the experiment on programs; the smallest is what the others run.
    pub(crate) program_counts: Vec<usize>,
    /// Sizes of the experiment on grids.
    pub(crate) batches: Vec<usize>,
    /// Seed of all draws. A larger draw holds the smaller ones.
    pub(crate) seed: u64,
    /// How often everything is timed; the shortest time counts.
    pub(crate) repeats: usize,
    /// Units of work one call may spend.
    pub(crate) budget: u64,
    /// Also every device, all of them where there are several, and `auto`.
    pub(crate) devices: bool,
    /// Whether a merged graph that is slower than its programs alone is a fault.
    pub(crate) never_slower: bool,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        BenchOptions {
            jobs: vec![1, 2, 4, 8],
            task_counts: vec![32, 100, 400],
            program_counts: vec![32, 100, 400, 800],
            batches: vec![20, 100, 200, 1000],
            seed: 0,
            repeats: 3,
            budget: Caller::DEFAULT_BUDGET,
            devices: false,
            never_slower: false,
        }
    }
}

impl BenchOptions {
    /// The sizes at which a merged graph is to be no slower than its programs alone.
    pub(crate) fn never_slower() -> BenchOptions {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        BenchOptions {
            jobs: vec![1, cores],
            task_counts: vec![32, 100, 400],
            program_counts: vec![32],
            batches: vec![20, 100, 200],
            repeats: 5,
            never_slower: true,
            ..BenchOptions::default()
        }
    }
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// The caller's: nothing to run, or nothing to run it on.
    #[error("there are no {what} to measure; name some")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// The caller's or the system's: no engine.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The caller's: a draw of more than there are.
    #[error(transparent)]
    Choose(#[from] ChooseError),
    /// The caller's: stopped too early.
    #[error("stopped before anything was measured")]
    Stopped,
    /// Ours: two modes came to different results.
    #[error(transparent)]
    Differs(#[from] Box<RunDifference>),
}

/// A comparison made ready.
pub(crate) struct Bench<'a> {
    programs: &'a [Entry],
    tasks: &'a TaskSet,
    options: BenchOptions,
    sizes: Vec<Sizes>,
    /// One per number of threads. All are kept, because the processor time of a thread that has ended
    /// is lost.
    engines: Vec<(Mode, Engine)>,
    /// What devices are called.
    devices: Vec<String>,
}

impl<'a> Bench<'a> {
    /// Finds the sizes that can be had and starts the threads.
    pub(crate) fn new(
        programs: &'a [Entry],
        tasks: &'a TaskSet,
        options: &BenchOptions,
    ) -> Result<Bench<'a>, BenchError> {
        let mut options = options.clone();
        options.jobs.sort_unstable();
        options.jobs.dedup();
        options.repeats = options.repeats.max(1);
        for (what, none) in [
            ("programs", programs.is_empty()),
            ("tasks", tasks.tasks.is_empty()),
            ("numbers of jobs", options.jobs.is_empty()),
        ] {
            if none {
                return Err(BenchError::Nothing { what });
            }
        }
        let engine = |&threads: &usize| {
            let engine = Engine::builder().threads(threads).call_budget(options.budget).build()?;
            Ok((Mode::Jobs(threads), engine))
        };
        let engines: Result<Vec<_>, ConfigError> = options.jobs.iter().map(engine).collect();
        let (mut engines, mut devices) = (engines?, Vec::new());
        if options.devices {
            devices.extend(device::devices().0.into_iter().map(|info| info.name));
            let each = (0..devices.len()).map(|n| DeviceChoice::Gpu(Some(n)));
            let all = (devices.len() > 1).then_some(DeviceChoice::Gpu(None));
            for choice in each.chain(all).chain([DeviceChoice::Auto]) {
                let engine = Engine::builder().call_budget(options.budget).build()?;
                engines.push((Mode::Device(choice), engine));
            }
        }
        let grids = tasks.tasks.iter().map(|task| task.demos.len() + task.tests.len()).sum();
        let sizes = vec![
            Sizes::new(Axis::Tasks, &options.task_counts, tasks.tasks.len()),
            Sizes::new(Axis::Programs, &options.program_counts, programs.len()),
            Sizes::new(Axis::Grids, &options.batches, grids),
        ];
        Ok(Bench { programs, tasks, sizes, engines, devices, options })
    }

    /// What programs that run alone are held to, as the batts are.
    fn limits(&self) -> Limits {
        self.engines.first().map_or_else(Limits::default, |(_, engine)| engine.limits())
    }

    /// The sizes of each experiment, and those that cannot be had.
    pub(crate) fn sizes(&self) -> &[Sizes] {
        &self.sizes
    }

    /// How many steps `progress` of [`Bench::run`] will hear of.
    pub(crate) fn steps(&self) -> usize {
        let sizes: usize = self.sizes.iter().map(|sizes| sizes.sizes.len()).sum();
        sizes * (1 + self.engines.len()) * (1 + self.options.repeats)
    }

    /// Verifies, then measures. `progress` hears how many steps are done. Stopped early, what was
    /// measured by then is reported.
    pub(crate) fn run(
        &self,
        stop: &Stop,
        progress: &dyn Fn(usize),
    ) -> Result<BenchReport, BenchError> {
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(done);
        };
        let mut verified = Vec::new();
        for sizes in &self.sizes {
            for &size in &sizes.sizes {
                let work = self.workload(sizes.axis, size)?;
                let place = NodePlace { axis: sizes.axis, size };
                let limits = self.limits();
                let same = verify::verify(&work, &self.engines, limits, place, stop, &mut step)?;
                verified.push(same.ok_or(BenchError::Stopped)?);
            }
        }
        let mut verified = verified.into_iter();
        let mut experiments = Vec::new();
        for sizes in &self.sizes {
            let mut points = Vec::new();
            for (&size, verified) in sizes.sizes.iter().zip(&mut verified) {
                let work = self.workload(sizes.axis, size)?;
                let place = NodePlace { axis: sizes.axis, size };
                let rows = self.measure(&work, &verified, place, stop, &mut step)?;
                let Some(rows) = rows else { break };
                points.push(Point {
                    size,
                    tasks: work.tasks.tasks.len(),
                    programs: work.programs.len(),
                    grids: work.grids(),
                    rows,
                    digest: verified.digest,
                });
            }
            if !points.is_empty() {
                experiments.push(Experiment { sizes: sizes.clone(), points });
            }
        }
        if experiments.is_empty() {
            return Err(BenchError::Stopped);
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let (repeats, stopped) = (self.options.repeats, stop.is_set());
        let devices = self.devices.clone();
        Ok(BenchReport { cores, repeats, stopped, devices, experiments })
    }

    /// Every mode as often as asked for, and the shortest time of each. The order of the modes moves
    /// on from repeat to repeat, so that none is always the one that runs after a pause. `None` when
    /// stopped.
    fn measure(
        &self,
        work: &Workload<'_>,
        verified: &Verified,
        place: NodePlace,
        stop: &Stop,
        step: &mut dyn FnMut(),
    ) -> Result<Option<Vec<Row>>, BenchError> {
        let count = 1 + self.engines.len();
        let mut best: Vec<Option<Row>> = vec![None; count];
        for repeat in 0..self.options.repeats {
            for n in (0..count).map(|n| (n + repeat) % count) {
                if stop.is_set() {
                    return Ok(None);
                }
                // What is stopped half way through is not what was verified.
                let is_whole = || !stop.is_set();
                let row = match n.checked_sub(1) {
                    None => {
                        let limits = self.limits();
                        let run =
                            || mode::sequential(work, limits, stop, |_, _, outcome| drop(outcome));
                        timed(Mode::Sequential, run, |()| Ok(()))?
                    }
                    Some(n) => {
                        let (mode, engine) = &self.engines[n];
                        let check = |run| match is_whole() {
                            true => verified.check(work, &run, *mode, place),
                            false => Ok(()),
                        };
                        let note = RefCell::new(None);
                        let check = |run: RunReport| {
                            note.replace(run.device.as_ref().and_then(note_of));
                            check(run)
                        };
                        let row = timed(*mode, || mode::batt(work, engine, *mode, stop), check)?;
                        Row { note: note.into_inner(), ..row }
                    }
                };
                if stop.is_set() {
                    return Ok(None);
                }
                step();
                best[n] = Some(match best[n].take() {
                    Some(best) => best.with(row),
                    None => row,
                });
            }
        }
        Ok(Some(best.into_iter().flatten().collect()))
    }

    /// The programs and tasks of one size; what is not varied has the smallest of its own sizes.
    fn workload(&self, axis: Axis, size: usize) -> Result<Workload<'a>, ChooseError> {
        let smallest = |axis: Axis| {
            let own = self.sizes.iter().find(|sizes| sizes.axis == axis);
            own.and_then(|sizes| sizes.sizes.first()).copied().unwrap_or(1)
        };
        let seed = self.options.seed;
        let programs = if axis == Axis::Programs { size } else { smallest(Axis::Programs) };
        let tasks = match axis {
            Axis::Grids => size::batch(self.tasks, size, seed)?,
            Axis::Tasks => size::draw_tasks(self.tasks, size, seed)?,
            Axis::Programs => size::draw_tasks(self.tasks, smallest(Axis::Tasks), seed)?,
        };
        Ok(Workload { programs: size::draw_programs(self.programs, programs, seed)?, tasks })
    }
}

/// What there is to say about devices besides how long they took.
fn note_of(report: &DeviceReport) -> Option<String> {
    report.faults.first().or(report.chosen.as_ref()).cloned()
}

/// Work shorter than this is done again until so much time has passed: the processor time of a thread
/// moves on in steps of some milliseconds.
const SHORT: Duration = Duration::from_millis(20);

/// The shortest time of some work, and the mean processor time. What it comes to is checked while
/// the clock stands still.
fn timed<R>(
    mode: Mode,
    work: impl Fn() -> R,
    check: impl Fn(R) -> Result<(), Box<RunDifference>>,
) -> Result<Row, Box<RunDifference>> {
    let (mut shortest, mut all, mut runs) = (Duration::MAX, Duration::ZERO, 0);
    let mut cpu = Some(Duration::ZERO);
    while runs == 0 || all < SHORT {
        let (before, start) = (cpu_time(), Instant::now());
        let result = work();
        // A clock that did not move would make a rate of infinity.
        let wall = start.elapsed().max(Duration::from_nanos(1));
        let spent = cpu_time().zip(before).map(|(now, then)| now.saturating_sub(then));
        cpu = cpu.zip(spent).map(|(sum, more)| sum + more);
        (shortest, all, runs) = (shortest.min(wall), all + wall, runs + 1);
        check(result)?;
    }
    let cpu = cpu.map(|cpu| cpu / runs);
    Ok(Row { mode, wall: shortest, slowest: shortest, cpu, note: None })
}

#[cfg(test)]
mod tests;
