//! A batt on tasks: every root and every grid on the way to one is a candidate.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | run | `arcloom-graph`, `run/cpu.rs`, `run/device.rs` | every node on every input of a task |
//! | score | `run/score.rs` | demo pairs solved, and how near the rest is |
//! | group | `run/group.rs` | candidates that do the same on all inputs become one |
//! | judge | `run/judge.rs` | differs on the best groups, the ranking |
//! | slice | `run/slice.rs` | the best programs cut out of the graph |
//! | report | `run/report.rs` | test answers, which nothing above has seen |
//! | keep | `run/keep.rs` | what was found, in an archive |

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arcloom_graph::batt::Batt;
use arcloom_graph::{
    Allowance, BattPlan, ColumnSource, Limits, Profile, RunCounts, SharedColumns, Stop, TaskView,
};
use arcloom_lang::NodeId;
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Grid;

use self::cpu::CachedCpu;
use self::differs::Bench;
use self::score::Scores;
use crate::attempts::Attempts;
use crate::cache::CacheStats;
use crate::engine::Engine;
use crate::timing::{ThreadClock, about, span};

mod cpu;
pub mod device;
pub mod differs;
mod group;
mod judge;
mod keep;
pub mod report;
pub(crate) mod score;
mod slice;

pub use device::{DeviceChoice, DeviceReport};
pub use differs::{DifferFault, Differs};

pub use judge::{Candidate, DifferScore};
pub use keep::KeptStats;
pub(crate) use keep::UNUSED_FOR;
pub use report::TaskReport;

/// How long what looks like little work is done by one thread before the others are woken.
const ALONE: Duration = Duration::from_millis(30);

/// What a run is to do.
#[derive(Debug)]
pub struct RunOptions {
    /// Distinct candidates per task that differs judge.
    pub judged: usize,
    /// Distinct candidates per task that are cut out and reported.
    pub kept: usize,
    /// Distinct candidates per task that are handed on with their grids, the smallest first.
    pub pictures: usize,
    /// Who judges.
    pub differs: Differs,
    /// Also take the time of every call.
    pub profile: bool,
    /// What the batt may take on a task; what is not come to is over budget.
    pub allowance: Option<Allowance>,
    /// Who evaluates. What devices do is not kept in caches.
    pub device: DeviceChoice,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        let differs = Differs::native();
        let device = DeviceChoice::Cpu;
        RunOptions {
            judged: 64,
            kept: 3,
            pictures: 0,
            differs,
            profile: false,
            allowance: None,
            device,
        }
    }
}

/// A batt on many tasks.
#[derive(Debug)]
pub struct RunReport {
    /// The tasks that were finished, in the order of the set.
    pub tasks: Vec<TaskReport>,
    /// Tasks that were not finished because the run was stopped.
    pub unfinished: usize,
    /// What it took, in counts.
    pub counts: RunCounts,
    /// Time of calls by primitive, where asked for.
    pub profile: Option<Profile>,
    /// What was not computed again.
    pub cache: CacheStats,
    /// Who evaluated.
    pub backend: &'static str,
    /// What devices did, where some were asked for.
    pub device: Option<DeviceReport>,
}

impl RunReport {
    /// Tasks on which some candidate fits all demos.
    pub fn fits(&self) -> usize {
        self.tasks.iter().filter(|task| task.verdict.is_fit()).count()
    }

    /// Tasks all of whose tests are right within two attempts.
    pub fn right(&self) -> usize {
        self.tasks.iter().filter(|task| task.verdict.is_right()).count()
    }
}

/// A batt on one task, as far as a solver may know it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRun {
    /// Number of demo pairs.
    pub demos: usize,
    /// Nodes that give a grid on some input.
    pub candidates: usize,
    /// Of these, how many behave differently on some input.
    pub groups: usize,
    /// Programs whose result fails on every input.
    pub failed_programs: usize,
    /// Programs stopped by the budget on some input.
    pub stopped_programs: usize,
    /// The best candidates, best first.
    pub best: Vec<Candidate>,
    /// What is handed in.
    pub attempts: Attempts,
    /// What it took.
    pub counts: RunCounts,
    /// User differs that failed or gave something else than a score.
    pub differ_faults: Vec<DifferFault>,
    /// Candidates with their grids, as many as were asked for.
    pub pictures: Vec<CandidateGrids>,
}

/// A candidate that gives a grid on every input.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateGrids {
    /// The node of the batt.
    pub node: NodeId,
    /// Number of calls of the program that ends there.
    pub size: u32,
    /// One grid for each demo, then one for each test.
    pub grids: Vec<Grid>,
}

impl TaskRun {
    /// Demos that the best candidate fits.
    pub fn fits(&self) -> usize {
        self.best.first().map_or(0, |best| best.solved)
    }
}

/// Everything about a batt that does not depend on the task.
pub(crate) struct PreparedBatt<'a> {
    pub(crate) batt: &'a Batt,
    pub(crate) plan: BattPlan,
    /// Number of calls of the program that ends in each node.
    pub(crate) sizes: Vec<u32>,
    /// Programs that end in each node, for nodes where some do.
    pub(crate) roots: BTreeMap<u32, Vec<usize>>,
}

impl<'a> PreparedBatt<'a> {
    fn new(batt: &'a Batt) -> PreparedBatt<'a> {
        let mut roots = BTreeMap::<u32, Vec<usize>>::new();
        for (n, root) in batt.roots().iter().enumerate() {
            roots.entry(root.node.0).or_default().push(n);
        }
        PreparedBatt { batt, plan: BattPlan::new(batt), sizes: batt.sizes(), roots }
    }
}

impl Engine {
    /// Runs a batt on tasks. `progress` hears how many tasks are done; `stop` ends the run early, and
    /// what was finished by then is reported.
    pub fn run(
        &self,
        batt: &Batt,
        tasks: &TaskSet,
        options: &RunOptions,
        stop: &Stop,
        progress: &(dyn Fn(usize) + Sync),
    ) -> RunReport {
        let prepared = {
            let _span = span("card");
            PreparedBatt::new(batt)
        };
        let inputs: usize = tasks.tasks.iter().map(|t| t.demos.len() + t.tests.len()).sum();
        let together = self.workers().share(prepared.plan.steps().saturating_mul(inputs));
        let side_by_side = together && self.shares_inputs(tasks.tasks.len());
        let backend = self.cpu().with_profile(options.profile).side_by_side(side_by_side);
        let backend = backend.within(options.allowance);
        let cache = self.cache().begin(&prepared, self.limits(), options.allowance);
        let (device, mut device_report) = match options.device {
            DeviceChoice::Cpu => (None, None),
            choice => {
                let _span = span("device");
                device::ask(self, &prepared, &backend, &tasks.tasks, choice, stop)
            }
        };
        let cpu = CachedCpu { plan: &prepared.plan, cpu: &backend, cache: &cache };
        // What a device gives is not believed when the CPU sees otherwise.
        let device_source = device.as_ref().map(|device| device as &dyn ColumnSource);
        let sources: Vec<&dyn ColumnSource> =
            device_source.into_iter().chain([&cpu as _]).collect();
        let done = AtomicUsize::new(0);
        let runs = {
            let _span = span("run");
            let (prepared, sources) = (&prepared, &sources[..]);
            let limits = self.limits();
            let job = Job { prepared, sources, options, limits, stop };
            let numbered: Vec<(usize, &Task)> = tasks.tasks.iter().enumerate().collect();
            let run = |&(number, task): &(usize, &Task)| {
                let run = job.run(number, task);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                run
            };
            let (mut runs, mut rest) = (Vec::with_capacity(numbered.len()), &numbered[..]);
            let start = Instant::now();
            while let Some((first, others)) = rest.split_first()
                && !together
                && start.elapsed() < ALONE
            {
                runs.push(run(first));
                rest = others;
            }
            if !rest.is_empty() {
                runs.extend(self.spread(rest, run));
            }
            runs
        };
        if let (Some(device), Some(report)) = (&device, &mut device_report) {
            report.finish(device);
        }
        let mut report = RunReport {
            tasks: Vec::new(),
            unfinished: runs.iter().filter(|run| run.is_none()).count(),
            counts: RunCounts::default(),
            profile: None,
            cache: cache.finish(),
            backend: sources[0].name(),
            device: device_report,
        };
        {
            let _span = span("report");
            for (task, run) in tasks.tasks.iter().zip(runs) {
                let Some((run, profile)) = run else { continue };
                report.counts += run.counts;
                if let Some(more) = profile {
                    report.profile.get_or_insert_default().merge(&more);
                }
                report.tasks.push(TaskReport::new(batt, task, run));
            }
        }
        report
    }
}

impl Engine {
    /// Runs a batt on tasks and goes on with each of them while its results are at hand; `None` is
    /// given where the run was stopped. The clock was started when the task was begun.
    pub(crate) fn run_then<R: Send>(
        &self,
        batt: &Batt,
        tasks: &[Task],
        options: &RunOptions,
        stop: &Stop,
        then: impl Fn(&Task, Option<TaskRun>, ThreadClock) -> R + Sync + Send,
    ) -> Vec<R> {
        let (prepared, limits) = (PreparedBatt::new(batt), self.limits());
        let side_by_side = self.shares_inputs(tasks.len());
        let backend = self.cpu().side_by_side(side_by_side).within(options.allowance);
        let (device, report) = match options.device {
            DeviceChoice::Cpu => (None, None),
            choice => {
                let _span = span("device");
                device::ask(self, &prepared, &backend, tasks, choice, stop)
            }
        };
        let cache = self.cache().begin(&prepared, limits, options.allowance);
        let cpu = CachedCpu { plan: &prepared.plan, cpu: &backend, cache: &cache };
        let device_source = device.as_ref().map(|device| device as &dyn ColumnSource);
        let sources: Vec<&dyn ColumnSource> =
            device_source.into_iter().chain([&cpu as _]).collect();
        let (prepared, sources) = (&prepared, &sources[..]);
        let job = Job { prepared, sources, options, limits, stop };
        let numbered: Vec<(usize, &Task)> = tasks.iter().enumerate().collect();
        let results = self.spread(&numbered, |&(number, task)| {
            let clock = ThreadClock::start();
            then(task, job.run(number, task).map(|(run, _)| run), clock)
        });
        if let Some(mut report) = report {
            if let Some(device) = &device {
                report.finish(device);
            }
            self.note_devices(report);
        }
        results
    }
}

/// What all tasks of a run have in common.
struct Job<'a> {
    prepared: &'a PreparedBatt<'a>,
    /// Who gives the columns; the next one is asked when what one gave is not to be believed.
    sources: &'a [&'a dyn ColumnSource],
    options: &'a RunOptions,
    limits: Limits,
    stop: &'a Stop,
}

impl Job<'_> {
    /// Everything up to the point where answers are looked at; `None` when stopped.
    fn run(&self, number: usize, task: &Task) -> Option<(TaskRun, Option<Profile>)> {
        if self.stop.is_due() {
            return None;
        }
        self.sources.iter().find_map(|source| self.run_with(*source, number, task))
    }

    /// The same with one of the sources; `None` when stopped, or when the source was wrong.
    fn run_with(
        &self,
        source: &dyn ColumnSource,
        number: usize,
        task: &Task,
    ) -> Option<(TaskRun, Option<Profile>)> {
        let Job { prepared, options, .. } = self;
        about(&task.id);
        let stage = span("run");
        let view = TaskView::new(task);
        let given = view.given();
        let SharedColumns { mut columns, counts, profile } =
            source.columns(number, given, self.stop)?;
        drop(stage);

        let stage = span("score");
        let scores = Scores::new(&columns, &task.demos);
        drop(stage);
        let stage = span("group");
        let grouped = group::group(prepared, &columns);
        drop(stage);
        let stage = span("judge");
        let bench = Bench::new(&options.differs, &view, self.limits);
        let order = judge::order(prepared, &columns, &scores, &grouped);
        let first = order.iter().take(options.judged.max(options.kept));
        let nodes: Vec<usize> = first.map(|place| place.group.node).collect();
        source.draw(given, &mut columns, &nodes)?;
        let ranked = judge::rank(&columns, order, bench, options, self.stop)?;
        drop(stage);
        let _stage = span("slice");
        let best = slice::cut(prepared, &columns, task, &view, &ranked, options);
        let attempts = slice::attempts(&columns[task.demos.len()..], &ranked, options.judged);
        let pictures = group::smallest(prepared, &columns, &grouped, options.pictures);
        let nodes: Vec<usize> = attempts.iter().flatten().chain(&pictures).copied().collect();
        source.draw(given, &mut columns, &nodes)?;
        let attempts = slice::answers(&columns[task.demos.len()..], &attempts);
        let run = TaskRun {
            demos: task.demos.len(),
            candidates: grouped.candidates,
            groups: grouped.groups.len(),
            failed_programs: grouped.failed_programs,
            stopped_programs: grouped.stopped_programs,
            best,
            attempts,
            counts,
            differ_faults: ranked.faults,
            pictures: group::pictures(prepared, &columns, &pictures),
        };
        Some((run, profile))
    }
}
