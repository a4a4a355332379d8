//! Whether all modes give the same bytes.
//!
//! First the outcome of every program on every input: the value, or the error and where it happened,
//! as the sequential mode has it and as the batt has it on every number of threads. Then the whole
//! report of the batt, everything but time and cache: the same on every number of threads, with the
//! answers that the sequential mode has.

use std::fmt::{self, Write};

use arcloom::graph::{BattPlan, Inputs, Worker};
use arcloom::{
    Engine, Limits, Outcome, Registry, RunCounts, RunReport, Stop, TaskReport, TaskView, Value,
    text,
};

use super::mode::{self, Mode, Workload};
use super::size::Axis;

/// A hash of some bytes.
type Digest = [u8; 16];

/// Where something was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodePlace {
    /// The experiment.
    pub(crate) axis: Axis,
    /// The size.
    pub(crate) size: usize,
}

impl fmt::Display for NodePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.size, self.axis.name())
    }
}

/// Two modes that came to different results: a bug of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at {place}, {mode} does not give what {reference} gives: {what}")]
pub(crate) struct RunDifference {
    /// Where.
    pub(crate) place: NodePlace,
    /// What the other mode was compared with.
    pub(crate) reference: Mode,
    /// The other mode.
    pub(crate) mode: Mode,
    /// What differs.
    pub(crate) what: String,
}

/// What all modes have come to at one size.
pub(super) struct Verified {
    /// Hash of all outcomes.
    pub(super) digest: String,
    /// By input, then by program.
    outcomes: Vec<Digest>,
    /// Of the first batt that was run: its threads, and what it reports by task, then of all tasks;
    /// the same again without counts.
    reports: (Mode, [Vec<Digest>; 2]),
}

/// Compares all modes. `step` is called after each. `None` when stopped.
pub(super) fn verify(
    work: &Workload<'_>,
    engines: &[(Mode, Engine)],
    limits: Limits,
    place: NodePlace,
    stop: &Stop,
    step: &mut dyn FnMut(),
) -> Result<Option<Verified>, Box<RunDifference>> {
    let programs = work.programs.len();
    let mut outcomes = vec![Digest::default(); work.grids() * programs];
    mode::sequential(work, limits, stop, |program, input, outcome| {
        outcomes[input * programs + program] = of_outcome(&outcome);
    });
    step();
    let mut all = blake3::Hasher::new();
    outcomes.iter().for_each(|outcome| {
        all.update(outcome);
    });
    let digest = all.finalize().to_hex().to_string();
    let mut verified =
        Verified { digest, outcomes, reports: (Mode::Sequential, Default::default()) };
    for (mode, engine) in engines {
        if stop.is_set() {
            return Ok(None);
        }
        // Devices keep their values; what they come to is in the report, where all nodes count.
        let woven = mode.counts().then(|| woven_outcomes(work, engine, stop));
        if stop.is_set() {
            return Ok(None);
        }
        if let Some(woven) = woven
            && let Some(what) = first_difference(work, &verified.outcomes, &woven)
        {
            let (reference, mode) = (Mode::Sequential, *mode);
            return Err(Box::new(RunDifference { place, reference, mode, what }));
        }
        let run = mode::batt(work, engine, *mode, stop);
        if stop.is_set() {
            return Ok(None);
        }
        if verified.reports.1[0].is_empty() {
            verified.reports = (*mode, [true, false].map(|counts| of_report(&run, counts)));
        }
        verified.check(work, &run, *mode, place)?;
        step();
    }
    Ok(Some(verified))
}

impl Verified {
    /// Compares the report of a run with what is known to be right.
    pub(super) fn check(
        &self,
        work: &Workload<'_>,
        run: &RunReport,
        mode: Mode,
        place: NodePlace,
    ) -> Result<(), Box<RunDifference>> {
        let differs =
            |reference, what| Err(Box::new(RunDifference { place, reference, mode, what }));
        let (reference, [expected, without_counts]) = &self.reports;
        let expected = if mode.counts() { expected } else { without_counts };
        let found = of_report(run, mode.counts());
        if let Some(n) =
            (0..found.len().max(expected.len())).find(|&n| found.get(n) != expected.get(n))
        {
            let what = match run.tasks.get(n) {
                Some(task) => format!("the report on task {}", task.id),
                None => "the counts of all tasks".to_owned(),
            };
            return differs(*reference, what);
        }
        match self.wrong_answer(work, run) {
            Some(what) => differs(Mode::Sequential, what),
            None => Ok(()),
        }
    }

    /// A test answer in a report that the program alone does not give.
    fn wrong_answer(&self, work: &Workload<'_>, run: &RunReport) -> Option<String> {
        let mut first = 0;
        for (task, report) in work.tasks.tasks.iter().zip(&run.tasks) {
            let tests = first + task.demos.len();
            first = tests + task.tests.len();
            for best in &report.run.best {
                for (test, grid) in best.predictions.iter().enumerate() {
                    let Some(grid) = grid else { continue };
                    let given = of_outcome(&Ok(Value::Grid(grid.clone())));
                    let row = (tests + test) * work.programs.len();
                    let other = |root: &&usize| self.outcomes.get(row + **root) != Some(&given);
                    if let Some(&root) = best.roots.iter().find(other) {
                        let program = &work.programs[root].program.name;
                        let (task, test) = (&task.id, test + 1);
                        return Some(format!("the answer of {program} to task {task} test {test}"));
                    }
                }
            }
        }
        None
    }
}

/// The outcome of every root of the batt on every input, by input, then by program.
fn woven_outcomes(work: &Workload<'_>, engine: &Engine, stop: &Stop) -> Vec<Digest> {
    let batt = engine.merge(work.programs.iter().copied());
    let plan = BattPlan::new(&batt);
    let roots: Vec<_> = batt.roots().iter().map(|root| root.node).collect();
    let views = work.views();
    let items: Vec<Inputs<'_>> = views
        .iter()
        .map(TaskView::given)
        .flat_map(|task| {
            let inputs = |input| Inputs { input, samples: &task.samples, expected: &Value::None };
            task.inputs.iter().map(inputs)
        })
        .collect();
    let rows = engine.workers().spread(&items, |inputs| {
        if stop.is_set() {
            return Vec::new();
        }
        let mut worker = Worker::new(engine.limits());
        let outcomes = worker.outcomes(&plan, inputs, &roots);
        outcomes.iter().map(of_outcome).collect::<Vec<_>>()
    });
    rows.into_iter().flatten().collect()
}

/// The first outcome that differs, in words, and how many do.
fn first_difference(work: &Workload<'_>, one: &[Digest], other: &[Digest]) -> Option<String> {
    let differ = |n: &usize| one.get(*n) != other.get(*n);
    let all = one.len().max(other.len());
    let first = (0..all).find(differ)?;
    let count = (0..all).filter(differ).count();
    let programs = work.programs.len();
    let mut input = first / programs;
    let program = &work.programs[first % programs].program.name;
    let mut place = String::new();
    for task in &work.tasks.tasks {
        let (demos, inputs) = (task.demos.len(), task.demos.len() + task.tests.len());
        if input < inputs {
            place = match input.checked_sub(demos) {
                None => format!("task {} demo {}", task.id, input + 1),
                Some(test) => format!("task {} test {}", task.id, test + 1),
            };
            break;
        }
        input -= inputs;
    }
    Some(format!("{count} of {all} outcomes, the first that of {program} on {place}"))
}

fn of_outcome(outcome: &Outcome) -> Digest {
    let mut bytes = Bytes::default();
    match outcome.as_ref().map(Value::canonical) {
        Ok(Value::Grid(grid)) => {
            let sides = [grid.height() as u64, grid.width() as u64];
            bytes.0.update(b"g").update(&sides[0].to_le_bytes()).update(&sides[1].to_le_bytes());
            let cells: Vec<u8> = grid.cells().iter().map(|cell| cell.cast_unsigned()).collect();
            bytes.0.update(&cells);
        }
        Ok(value) => {
            let names = |id| Registry::get().primitive(id).name;
            bytes.add(format_args!("v{}", value.show(&names)));
        }
        Err(error) => bytes.add(format_args!("e{error}")),
    }
    bytes.finish()
}

/// A hash per task, then one of all tasks: everything but time and cache, and, where they may differ,
/// counts and who evaluated.
fn of_report(run: &RunReport, counts: bool) -> Vec<Digest> {
    let task = |task: &TaskReport| {
        let mut bytes = Bytes::default();
        let mut task = task.clone();
        if !counts {
            task.run.counts = RunCounts::default();
        }
        // All fields, those that will be added later included.
        bytes.add(format_args!("{task:?}"));
        // The form above does not name primitives.
        for best in &task.run.best {
            bytes.add(format_args!("\0{}", text::canonical(&best.program)));
        }
        bytes.finish()
    };
    let mut bytes = Bytes::default();
    bytes.add(format_args!("{}", run.unfinished));
    if counts {
        bytes.add(format_args!("{:?} {}", run.counts, run.backend));
    }
    run.tasks.iter().map(task).chain([bytes.finish()]).collect()
}

/// Text that is hashed as it is written, because some values are long.
#[derive(Default)]
struct Bytes(blake3::Hasher);

impl Bytes {
    fn add(&mut self, text: fmt::Arguments<'_>) {
        // Writing into a hash cannot fail.
        let _ = self.write_fmt(text);
    }

    fn finish(&self) -> Digest {
        let mut digest = Digest::default();
        digest.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        digest
    }
}

impl Write for Bytes {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
