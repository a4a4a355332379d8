//! One program: text, size and cost, and what is stored of it on each task.

use arcloom_evolve::validate;
use arcloom_graph::view::grids;
use arcloom_graph::{Limits, Plan, TaskView};
use arcloom_lang::Program;
use arcloom_store::{PredictionRecord, ProgramRecord, ResultRecord, ScoreRecord};
use arcloom_tasks::Task;

use super::handed_in::{Seen, Witnesses};
use super::{AtHand, Check, Stored, Verified};
use crate::archive::{result_of, score_records};
use crate::attempts::grid_text;
use crate::eval::Evaluation;

/// What a program is worth on a task within some limits, found out now.
struct Again<'t> {
    task: &'t Task,
    result: ResultRecord,
    scores: Vec<ScoreRecord>,
    /// Its grids for the tests, as text.
    tests: Vec<Option<String>>,
}

/// Everything that one program may have been worth: by the orders of pairs that the task is at hand in, and by
/// the limits of runs. Worked out as far as it takes until something fits.
struct Tries<'c, 't> {
    check: &'c Check<'t>,
    program: &'c Program,
    plan: &'c Plan,
    places: Vec<(&'c (&'t Task, TaskView), Limits)>,
    scored: bool,
    done: Vec<Again<'t>>,
}

impl<'c, 't> Tries<'c, 't> {
    fn new(
        check: &'c Check<'t>,
        record: &ProgramRecord,
        (program, plan): (&'c Program, &'c Plan),
        at: &'c AtHand<'t>,
    ) -> Tries<'c, 't> {
        let places = check
            .limits_of(record)
            .flat_map(|limits| at.forms.iter().map(move |form| (form, limits)));
        Tries { check, program, plan, places: places.collect(), scored: false, done: Vec::new() }
    }

    fn at(&mut self, n: usize) -> Option<&Again<'t>> {
        while self.done.len() <= n {
            let ((task, view), limits) = self.places.get(self.done.len())?;
            let Evaluation { outputs, fit } =
                self.check.engine.evaluate(&mut limits.machine(), self.plan, view);
            let (id, of) = (self.program.id(), task.visible_id());
            let mut scores = match self.scored {
                true => score_records(id, of, view, &outputs.demos),
                false => Vec::new(),
            };
            // As the archive gives them.
            scores.sort_by(|a, b| a.differ.cmp(&b.differ));
            self.done.push(Again {
                task,
                scores,
                tests: grids(&outputs.tests).map(|grid| grid.map(grid_text)).collect(),
                result: result_of(id, task, &outputs, &fit),
            });
        }
        self.done.get(n)
    }

    /// The first that fits.
    fn find(&mut self, fits: impl Fn(&Again<'t>) -> bool) -> Option<usize> {
        let mut n = 0;
        loop {
            if fits(self.at(n)?) {
                return Some(n);
            }
            n += 1;
        }
    }
}

/// The pairs in some order.
fn sorted(pairs: &str) -> Vec<u8> {
    let mut bytes = pairs.as_bytes().to_vec();
    bytes.sort_unstable();
    bytes
}

impl Check<'_> {
    /// Checks a program and all that is stored of it; and gives the grids that it makes of tests.
    pub(super) fn program(&self, stored: &Stored, wanted: &Witnesses) -> (Verified, Vec<Seen>) {
        let (mut verified, mut seen) = (Verified::default(), Vec::new());
        let record = &stored.program;
        let program = match record.program() {
            Ok(program) => program,
            Err(error) => {
                verified.problems.push(error.to_string());
                return (verified, seen);
            }
        };
        verified.programs = 1;
        let id = record.id;
        if program.size() as u64 != record.size {
            let (size, stored) = (program.size(), record.size);
            verified.problems.push(format!("program {id}: has {size} calls, stored are {stored}"));
        }
        // A text of the same program in other words, or with words beside it.
        if self.same_version && ProgramRecord::new(&program, "").text != record.text {
            verified.problems.push(format!("program {id}: its text is not as programs are stored"));
        }
        let plan = Plan::new(&program);
        let mut costs = vec![0];
        for result in &stored.results {
            let Some(at) = self.tasks.get(&result.task) else {
                *verified.missing.entry(self.name(result.task).to_owned()).or_default() += 1;
                continue;
            };
            let mut tries = Tries::new(self, record, (&program, &plan), at);
            tries.scored = stored.scores.iter().any(|score| score.task == result.task);
            let before = verified.problems.len();
            self.result(&mut tries, at, stored, result, &mut verified);
            verified.results += usize::from(verified.problems.len() == before);
            costs.extend(tries.done.iter().map(|again| again.result.work));
            if wanted.wants(result.task) {
                seen.extend(tries.done.iter().flat_map(|again| {
                    let tests = again.tests.iter().enumerate();
                    tests.filter_map(|(test, grid)| {
                        Some(Seen::new(result.task, test, grid.as_ref()?))
                    })
                }));
            }
        }
        self.cost(record, (&program, &plan), &costs, &mut verified);
        (verified, seen)
    }

    /// Checks one result with its scores and predictions.
    fn result(
        &self,
        tries: &mut Tries<'_, '_>,
        at: &AtHand<'_>,
        stored: &Stored,
        result: &ResultRecord,
        verified: &mut Verified,
    ) {
        let (id, name) = (result.program, self.name(result.task));
        let mut wrong =
            |what: String| verified.problems.push(format!("program {id} on {name}: {what}"));
        // Where the order of the pairs is not known, work may depend on it too.
        let exact = at.is_home;
        let reads_order = tries.program.reads_samples() && !exact;
        let same = |again: &Again<'_>| {
            let again = &again.result;
            let pairs = match exact {
                true => again.pairs == result.pairs,
                false => sorted(&again.pairs) == sorted(&result.pairs),
            };
            pairs
                && again.similarity == result.similarity
                && (again.work == result.work || reads_order)
                && again.behaviour == result.behaviour
        };
        let found = tries.find(same);
        let Some(again) = tries.at(found.unwrap_or(0)) else { return };
        if found.is_none() {
            let fresh = &again.result;
            if sorted(&fresh.pairs) != sorted(&result.pairs) {
                wrong(format!(
                    "solves {} of {} pairs, stored are {} of {}",
                    fresh.solved(),
                    fresh.demos(),
                    result.solved(),
                    result.demos()
                ));
            } else if fresh.behaviour != result.behaviour {
                wrong("gives other grids than stored".to_owned());
            } else if fresh.similarity != result.similarity {
                let (similarity, stored) = (fresh.similarity, result.similarity);
                wrong(format!("has a similarity of {similarity} thousandths, stored are {stored}"));
            } else if fresh.pairs != result.pairs {
                wrong(format!("solves pairs {}, stored are {}", fresh.pairs, result.pairs));
            } else {
                wrong(format!("takes {} work units, stored are {}", fresh.work, result.work));
            }
            return;
        }
        let task = again.task;
        let is_full = again.result.is_solved();
        let scores: Vec<&ScoreRecord> =
            stored.scores.iter().filter(|score| score.task == result.task).collect();
        if !scores.is_empty()
            && tries.find(|again| again.scores.iter().eq(scores.iter().copied())).is_none()
        {
            let fresh = tries.at(found.unwrap_or(0)).map_or(&[][..], |again| &again.scores);
            let other = fresh.iter().find(|fresh| !scores.contains(fresh));
            let said = scores.iter().find(|score| other.is_some_and(|o| o.differ == score.differ));
            wrong(match (other, said) {
                (Some(fresh), Some(said)) => {
                    format!(
                        "the score of {} is {}, stored is {}",
                        fresh.differ, fresh.score, said.score
                    )
                }
                (Some(fresh), None) => format!("the score of {} is missing", fresh.differ),
                (None, _) => "has scores of differs that there are none of".to_owned(),
            });
        }
        let predictions: Vec<&PredictionRecord> =
            stored.predictions.iter().filter(|p| p.task == result.task).collect();
        let foretells = |again: &Again<'_>| {
            let grids = again.tests.iter().enumerate();
            let mut grids: Vec<(usize, &str)> =
                grids.filter_map(|(n, grid)| Some((n, grid.as_deref()?))).collect();
            let mut said: Vec<(usize, &str)> =
                predictions.iter().map(|p| (p.test as usize, p.grid.as_str())).collect();
            if !exact {
                // The tests may be in another order too.
                grids.sort_unstable_by_key(|(_, grid)| *grid);
                said.sort_unstable_by_key(|(_, grid)| *grid);
                return grids.iter().map(|(_, grid)| grid).eq(said.iter().map(|(_, grid)| grid));
            }
            grids == said
        };
        if !predictions.is_empty() && tries.find(foretells).is_none() {
            wrong("predicts other grids for the tests than stored".to_owned());
        }
        let told = Told { by_run: !scores.is_empty(), made_here: stored.program.run.is_some() };
        match self.validated(tries, task, is_full, result, told) {
            Belief::Right => {}
            Belief::Wrong(expected) => wrong(format!(
                "validated is {}, stored is {}",
                word(expected),
                word(result.validated)
            )),
            Belief::Unknown => verified.unconfirmed("validation on pairs that are not at hand"),
        }
    }

    /// Whether a result may be called validated as it is.
    fn validated(
        &self,
        tries: &Tries<'_, '_>,
        task: &Task,
        is_full: bool,
        result: &ResultRecord,
        told: Told,
    ) -> Belief {
        if !is_full {
            return if result.validated.is_none() { Belief::Right } else { Belief::Wrong(None) };
        }
        // Without further pairs there are only the task's own demos to keep back.
        let leaves_out = tries.program.reads_samples() && task.demos.len() > 1;
        let may_be = |stands: bool| {
            let mut limits = tries.places.iter().map(|(_, limits)| limits.machine());
            limits.any(|mut machine| validate(tries.program, task, &[], &mut machine) == stands)
        };
        match result.validated {
            // Only runs validate; a result of an import says nothing.
            None if !leaves_out || !told.by_run => Belief::Right,
            None => Belief::Wrong(Some(may_be(true))),
            Some(stands) if leaves_out && may_be(stands) => Belief::Right,
            // What fails on its own demos stands nothing.
            Some(true) if leaves_out => Belief::Wrong(Some(false)),
            Some(_) if self.kept_back || !told.made_here => Belief::Unknown,
            Some(stands) if leaves_out => Belief::Wrong(Some(!stands)),
            Some(_) => Belief::Wrong(None),
        }
    }

    /// What a program costs is its work on the task that it was made for, which is not stored: on one of
    /// them all.
    fn cost(
        &self,
        record: &ProgramRecord,
        (program, plan): (&Program, &Plan),
        known: &[u64],
        verified: &mut Verified,
    ) {
        // A program that was only read has no cost, and one that is kept as an ancestor no result.
        if known.contains(&record.cost) || known.len() == 1 && record.cost > 0 && self.was_pruned {
            return;
        }
        let made_here = record.run.is_some();
        for at in self.tasks.values() {
            let mut tries = Tries::new(self, record, (program, plan), at);
            if tries.find(|again| again.result.work == record.cost).is_some() {
                return;
            }
        }
        if made_here && self.tasks.len() == self.names.len() {
            let (id, cost) = (record.id, record.cost);
            verified.problems.push(format!(
                "program {id}: is stored with a cost of {cost}, which it has on none of the tasks"
            ));
        } else {
            verified.unconfirmed("cost of a program");
        }
    }
}

/// Who said that a result is validated.
#[derive(Clone, Copy)]
struct Told {
    /// It has scores, which only runs store.
    by_run: bool,
    /// A run of this archive made the program.
    made_here: bool,
}

/// What to think of a statement.
enum Belief {
    Right,
    /// It should say this.
    Wrong(Option<bool>),
    Unknown,
}

fn word(validated: Option<bool>) -> &'static str {
    match validated {
        None => "none",
        Some(true) => "1",
        Some(false) => "0",
    }
}
