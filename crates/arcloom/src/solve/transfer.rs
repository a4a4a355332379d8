//! Transfer: what programs of other tasks, and parts of them, do here.
//!
//! The library is one batt that runs on each task before any other ingredient looks at it. Its best candidates are
//! proposals, and the grids on the way to its results are pictures.

use arcloom_graph::batt::Batt;
use arcloom_lang::{Form, text};
use arcloom_search::task::Effort;
use arcloom_tasks::{GridLimits, Task};
use arcloom_value::Grid;

use super::desk::Desk;
use super::finder::{Finder, Hunt, Spent};
use super::parts::entries;
use super::proposals::doubt;
use super::{Ablation, Ingredient, Proposal, Solve};
use crate::run::{Candidate, Differs, RunOptions, TaskRun};
use crate::timing::ThreadClock;

/// Grids the library makes of a task's inputs that the search may start from.
const PICTURES: usize = 400;
/// What it costs the search to start from one of them: a step costs about 10 there.
const PICTURE_COST: u16 = 20;
const CALL_COST: u16 = 2;
/// What a node of the library takes on an input, in nanoseconds. What it really took does not count: it depends
/// on what devices and caches did, and results must not.
const NODE_NANOS: u64 = 2_000;

/// The programs of the library, merged.
pub(super) struct Transfer<'s> {
    solve: Solve<'s>,
    batt: Batt,
}

impl<'s> Transfer<'s> {
    /// The programs of the library without those of a fold; none where it is left out.
    pub(super) fn new(solve: Solve<'s>, withheld: Option<u8>) -> Transfer<'s> {
        let is_used = solve.options.has(Ablation::Ingredient(Ingredient::Transfer));
        let programs = entries(solve.library, withheld).filter(|_| is_used);
        Transfer { solve, batt: solve.engine.merge(programs) }
    }

    /// Runs the library on tasks and hands each of them on with what came of it; those are missing that the run
    /// was stopped at.
    pub(super) fn each<R: Send>(
        &self,
        tasks: &[Task],
        then: impl Fn(&Task, Option<&TaskRun>, ThreadClock) -> Option<R> + Sync + Send,
    ) -> Vec<R> {
        let Solve { engine, options, stop, .. } = self.solve;
        let found = if self.batt.roots().is_empty() {
            engine.spread(tasks, |task| then(task, None, ThreadClock::start()))
        } else {
            let options = RunOptions {
                differs: Differs::none(),
                device: engine.device(),
                pictures: if options.has(Ablation::Pictures) { PICTURES } else { 0 },
                allowance: Some(options.library()),
                ..RunOptions::default()
            };
            engine.run_then(&self.batt, tasks, &options, stop, |task, run, clock| {
                run.and_then(|run| then(task, Some(&run), clock))
            })
        };
        found.into_iter().flatten().collect()
    }
}

impl Finder for Transfer<'_> {
    fn ingredient(&self) -> Ingredient {
        Ingredient::Transfer
    }

    fn begin<'a>(&'a self, desk: &Desk<'a>) -> Option<Box<dyn Hunt<'a> + 'a>> {
        let run = desk.run?;
        let proposals = proposals(run);
        let fits = proposals.iter().any(|proposal| proposal.fits == run.demos);
        let nodes = (self.batt.nodes().len() * desk.view.given().inputs.len()) as u64;
        let work = (NODE_NANOS * nodes).min(self.solve.options.library().as_nanos());
        let batt = &self.batt;
        Some(Box::new(Transferred { batt, run, work, proposals, fits, is_begun: false }))
    }
}

/// What the library did on a task.
struct Transferred<'a> {
    batt: &'a Batt,
    run: &'a TaskRun,
    /// Nanoseconds that it took, by the scale.
    work: u64,
    proposals: Vec<Proposal>,
    fits: bool,
    is_begun: bool,
}

impl<'a> Hunt<'a> for Transferred<'a> {
    fn further(&mut self, desk: &mut Desk<'a>, _effort: &Effort) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        for picture in &self.run.pictures {
            let cost = PICTURE_COST + CALL_COST * picture.size.min(20) as u16;
            let (batt, node) = (self.batt, picture.node);
            desk.pictures.add(&picture.grids, cost, move || batt.slice(node, "picture".to_owned()));
        }
    }

    fn is_settled(&self) -> bool {
        self.fits
    }

    fn spent(&self) -> Spent {
        Spent { work: self.work, ..Spent::default() }
    }

    fn propose(&mut self, desk: &mut Desk<'a>) {
        desk.proposals.add_apart(std::mem::take(&mut self.proposals));
    }
}

/// What programs of the library, and parts of them, propose.
fn proposals(run: &TaskRun) -> Vec<Proposal> {
    let fitting = run.best.iter().filter(|candidate| candidate.solved > 0);
    let whole = fitting.filter_map(|candidate| {
        let outputs: Option<Vec<Grid>> = candidate.predictions.iter().cloned().collect();
        let outputs =
            outputs.filter(|grids| grids.iter().all(|grid| GridLimits::ARC.allow(grid)))?;
        Some((candidate, outputs))
    });
    let proposal = |(place, (candidate, outputs)): (usize, (&Candidate, Vec<Grid>))| Proposal {
        outputs,
        fits: candidate.solved,
        sources: vec![Ingredient::Transfer],
        doubt: doubt(run.demos - candidate.solved, place),
        program: Some(text::print(&candidate.program, Form::Straight)),
    };
    whole.enumerate().map(proposal).collect()
}
