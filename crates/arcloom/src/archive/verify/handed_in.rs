//! What is handed in for each task: does it follow from programs?

use std::collections::BTreeSet;

use arcloom_graph::{Limits, Plan, TaskView, view};
use arcloom_lang::Program;
use arcloom_store::{Archive, ProgramId, ProgramRecord, StandingRecord, StoreError, TaskId};
use arcloom_tasks::Task;

use super::{AtHand, Check, Verified};
use crate::attempts::{ATTEMPTS, grid_text, read_grid};
use crate::eval::Evaluation;
use crate::solve::{Ingredient, Remembered, RememberedProposal, is_of_solve};

/// A grid that some stored program gives for a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen(TaskId, usize, [u8; 16]);

impl Seen {
    pub(super) fn new(task: TaskId, test: usize, grid: &str) -> Seen {
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(grid.as_bytes()).as_bytes()[..16]);
        Seen(task, test, hash)
    }
}

/// Which grids stored programs give for the tests of tasks for which something is handed in.
pub(super) struct Witnesses {
    tasks: BTreeSet<TaskId>,
    seen: BTreeSet<Seen>,
}

impl Witnesses {
    pub(super) fn of(handed_in: &[StandingRecord]) -> Witnesses {
        let tasks = handed_in.iter().map(|standing| standing.task).collect();
        Witnesses { tasks, seen: BTreeSet::new() }
    }

    pub(super) fn wants(&self, task: TaskId) -> bool {
        self.tasks.contains(&task)
    }

    pub(super) fn saw(&mut self, seen: Vec<Seen>) {
        self.seen.extend(seen);
    }
}

/// What one check came to.
pub(super) enum Belief {
    Right,
    Wrong(String),
    Unknown(&'static str),
}

impl Check<'_> {
    pub(super) fn handed_in(
        &self,
        archive: &Archive,
        handed_in: &[StandingRecord],
        grids: &Witnesses,
    ) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        if handed_in.is_empty() {
            return Ok(verified);
        }
        let remembered = Remembered::of(archive)?;
        let believed = |standing: &StandingRecord| match self.shape(standing) {
            Err(belief) => Ok(belief),
            Ok(at) => self.one_handed_in(archive, standing, at, (&remembered, grids)),
        };
        for standing in handed_in {
            match believed(standing)? {
                Belief::Right => verified.handed_in += 1,
                Belief::Wrong(what) => verified
                    .problems
                    .push(format!("what is handed in for {}: {what}", self.name(standing.task))),
                Belief::Unknown(what) => verified.unconfirmed(what),
            }
        }
        Ok(verified)
    }

    /// What the task alone says.
    pub(super) fn shape(&self, standing: &StandingRecord) -> Result<&AtHand<'_>, Belief> {
        let wrong = |what: String| Err(Belief::Wrong(what));
        for (test, grids) in standing.attempts.iter().enumerate() {
            if grids.len() > ATTEMPTS || grids.iter().any(|text| read_grid(text).is_none()) {
                return wrong(format!("the attempts at test {test} are not two grids"));
            }
        }
        let Some(at) = self.tasks.get(&standing.task) else {
            return Err(Belief::Unknown("what is handed in for a task that is not at hand"));
        };
        let Some((task, _)) = at.forms.first() else { return wrong("has no task".to_owned()) };
        if standing.demos as usize != task.demos.len() {
            let (demos, stored) = (task.demos.len(), standing.demos);
            return wrong(format!("the task has {demos} demos, stored are {stored}"));
        }
        if standing.attempts.len() > task.tests.len() {
            let (tests, stored) = (task.tests.len(), standing.attempts.len());
            return wrong(format!("the task has {tests} tests, attempts are stored at {stored}"));
        }
        let nothing = standing.attempts.iter().all(Vec::is_empty);
        if standing.program.is_none() && (standing.fits > 0 || standing.similarity > 0 || !nothing)
        {
            return wrong("is from no program".to_owned());
        }
        Ok(at)
    }

    pub(super) fn one_handed_in(
        &self,
        archive: &Archive,
        standing: &StandingRecord,
        at: &AtHand<'_>,
        (remembered, grids): (&Remembered, &Witnesses),
    ) -> Result<Belief, StoreError> {
        let Some(id) = standing.program else { return Ok(Belief::Right) };
        if is_of_solve(&standing.origin) {
            return self.by_solve(archive, (standing, id), at, (remembered, grids));
        }
        let Some(record) = archive.program(id)? else {
            return Ok(match self.was_pruned {
                true => Belief::Unknown("what is handed in, from a program that pruning took"),
                false => Belief::Wrong(format!("its program {id} is not in the archive")),
            });
        };
        // What does not load is said elsewhere.
        let Ok(program) = record.program() else { return Ok(Belief::Right) };
        if let Some(wrong) = self.worth(standing, &program, at) {
            return Ok(Belief::Wrong(wrong));
        }
        if let Some(wrong) = self.origin(archive, standing, &record)? {
            return Ok(Belief::Wrong(wrong));
        }
        let seen = |(test, grid): (usize, &String)| {
            let given = |test| grids.seen.contains(&Seen::new(standing.task, test, grid));
            // In another order of the tests it is another one's.
            if at.is_home { given(test) } else { (0..at.forms[0].0.tests.len()).any(given) }
        };
        let mut all = standing.attempts.iter().enumerate();
        let unseen = all.find(|(test, grids)| !grids.iter().all(|grid| seen((*test, grid))));
        Ok(match unseen {
            None => Belief::Right,
            Some(_) if self.was_pruned => {
                Belief::Unknown("attempts that no program gives which pruning left")
            }
            Some((test, _)) => {
                Belief::Wrong(format!("no stored program gives an attempt at test {test}"))
            }
        })
    }

    /// What is wrong with where the first attempt is said to be from: the library, or a generation.
    fn origin(
        &self,
        archive: &Archive,
        standing: &StandingRecord,
        record: &ProgramRecord,
    ) -> Result<Option<String>, StoreError> {
        let said = &standing.origin;
        let generation = match said.as_str() {
            "library" => Some(0),
            _ => said.strip_prefix("evolution, generation ").and_then(|n| n.parse::<u64>().ok()),
        };
        let runs = archive.runs()?;
        let most = runs.iter().map(|run| run.generations).max().unwrap_or(0);
        // The program may have come up again later, for this task. Of several runs it is not known which
        // one handed this in.
        let least = record.generation.filter(|_| record.run.is_some() && self.runs == 1);
        let possible = generation.is_some_and(|n| n < most && n >= least.unwrap_or(0));
        Ok((!possible).then(|| format!("is from no generation, stored is {said}")))
    }

    /// Whether a program fits as many demos, and as nearly, as is said.
    fn worth(
        &self,
        standing: &StandingRecord,
        program: &Program,
        at: &AtHand<'_>,
    ) -> Option<String> {
        let plan = Plan::new(program);
        let mut first = None;
        for (limits, (_, view)) in self.places(at) {
            let Evaluation { fit, .. } = self.engine.evaluate(&mut limits.machine(), &plan, view);
            let found = (fit.count() as u32, fit.similarity());
            if found == (standing.fits, standing.similarity) {
                return None;
            }
            first.get_or_insert(found);
        }
        let (fits, similarity) = first?;
        Some(format!(
            "its program fits {fits} demos with a similarity of {similarity} thousandths, stored are {} and {}",
            standing.fits, standing.similarity
        ))
    }

    /// What `solve` handed in: the first attempts are those of its program, the second ones those of another
    /// proposal that it remembers, or of a stored program.
    fn by_solve(
        &self,
        archive: &Archive,
        (standing, id): (&StandingRecord, ProgramId),
        at: &AtHand<'_>,
        (remembered, grids): (&Remembered, &Witnesses),
    ) -> Result<Belief, StoreError> {
        let kept = remembered.all().find(|known| known.id == id).map(|known| known.program.clone());
        let stored = || Ok(archive.program(id)?.and_then(|record| record.program().ok()));
        let Some(program) = kept.map_or_else(stored, |program| Ok(Some(program)))? else {
            return Ok(Belief::Unknown(
                "what `solve` handed in, from a program that is not stored",
            ));
        };
        let named = |known: &RememberedProposal| {
            let origin = known.origin();
            known.id == id
                && (standing.origin == origin || standing.origin.starts_with(&format!("{origin}+")))
        };
        if standing.origin != Ingredient::Evolution.name() && !remembered.all().any(named) {
            return Ok(Belief::Wrong(format!("no such answer is from {}", standing.origin)));
        }
        let plan = Plan::new(&program);
        let mut found = None;
        for (limits, (_, view)) in self.places(at) {
            let Evaluation { outputs, fit } =
                self.engine.evaluate(&mut limits.machine(), &plan, view);
            let firsts = standing.attempts.iter().map(|grids| grids.first().cloned());
            let given = view::grids(&outputs.tests).map(|grid| grid.map(grid_text));
            if fit.similarity() == standing.similarity && given.eq(firsts) {
                found = Some((limits, view, fit.count()));
                break;
            }
        }
        let Some((limits, view, fits)) = found else {
            return Ok(Belief::Wrong("is not what its program gives".to_owned()));
        };
        // Some proposal fits as many demos as is said, and some gives each second attempt.
        let holds = |known: &RememberedProposal| known.holds(view, limits);
        let fits_as_said = fits == standing.fits as usize
            || remembered.all().any(|known| known.fits() == standing.fits as usize && holds(known));
        let second = |test: usize, text: &str| {
            let grid = read_grid(text);
            grids.seen.contains(&Seen::new(standing.task, test, text))
                || remembered
                    .all()
                    .any(|known| known.outputs().get(test) == grid.as_ref() && holds(known))
        };
        let mut seconds = standing.attempts.iter().enumerate();
        let seconds =
            seconds.all(|(test, grids)| grids.get(1).is_none_or(|text| second(test, text)));
        Ok(match (fits_as_said, seconds) {
            (true, true) => Belief::Right,
            _ if self.was_pruned => {
                Belief::Unknown("attempts that no program gives which pruning left")
            }
            (false, _) => Belief::Wrong(format!("fits {fits} demos, stored are {}", standing.fits)),
            (true, false) => Belief::Wrong("no program gives the second attempts".to_owned()),
        })
    }

    /// The limits that something may have been made within, with the forms of a task.
    pub(super) fn places<'t>(
        &'t self,
        at: &'t AtHand<'_>,
    ) -> impl Iterator<Item = (Limits, &'t (&'t Task, TaskView))> {
        self.limits.iter().flat_map(|limits| at.forms.iter().map(move |form| (*limits, form)))
    }
}
