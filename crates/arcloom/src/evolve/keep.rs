//! Everything of a generation, for the archive.

use arcloom_dsl::differ::{ALL, Comparison, Differ};
use arcloom_graph::view::grids;
use arcloom_store::{
    GenerationBatch, GenerationRecord, PopulationRecord, PredictionRecord, ProgramRecord, Prune,
    Records, ResultRecord, RunState, ScoreRecord, TaskRecord,
};
use arcloom_tasks::TaskSet;

use super::colony::Ground;
use super::member::Member;
use super::validate::Validation;
use super::{Evolution, State, Step, now, resident, resume};
use crate::attempts::grid_text;

impl Evolution<'_> {
    /// What a generation brought, and what is alive after it.
    pub(super) fn batch(
        &self,
        tasks: &TaskSet,
        grounds: &[Ground<'_>],
        state: &State,
        step: &Step,
    ) -> GenerationBatch {
        let mut records = Records::default();
        if state.generation == 0 {
            let task = |ground: &Ground<'_>| TaskRecord {
                id: ground.id,
                name: ground.task.id.clone(),
                set: tasks.name.clone(),
            };
            records.tasks = grounds.iter().map(task).collect();
        }
        let member = |&(island, task, place): &(usize, usize, usize)| {
            Some((&grounds[task], state.colonies[island][task].members.get(place)?))
        };
        // Guests first: what joined may be their children.
        let guests = step.guests.iter().map(|(task, member)| (&grounds[*task], member));
        let joined: Vec<(&Ground<'_>, &Member)> = guests
            .chain(step.joined.iter().filter_map(member))
            .map(|(ground, member)| (ground, &**member))
            .collect();
        let scores = self.engine.spread(&joined, |(ground, m)| scores(m, ground));
        records.scores = scores.into_iter().flatten().collect();
        for (ground, member) in joined {
            add(&mut records, state, ground, member);
        }
        let populations = step.changed.iter().map(|&(island, task)| PopulationRecord {
            task: grounds[task].id,
            island: island as u32,
            members: state.colonies[island][task].members.iter().map(|m| m.id).collect(),
            state: resume::generations(&state.colonies[island][task]),
        });
        if self.config.hands_in {
            let mut changed: Vec<usize> = step.changed.iter().map(|&(_, task)| task).collect();
            changed.sort_unstable();
            changed.dedup();
            let standings = changed.into_iter().map(|task| state.handed_in(task, &grounds[task]));
            records.standings = standings.map(|standing| standing.record()).collect();
        }
        let every = self.config.prune_every;
        // By the number of the generation, so that interrupted runs prune at the same moments.
        let due = every > 0 && state.generation.is_multiple_of(every) && state.generation > 0;
        let prune = due.then(|| Prune { limit: self.config.archive_limit, ..Prune::default() });
        GenerationBatch {
            figures: GenerationRecord {
                run: state.run,
                number: state.generation,
                evaluations: step.evaluations,
                new_programs: records.programs.len() as u64,
                solved: state.solved() as u64,
                stats: stats(grounds, state, step),
                finished: now(),
                memory: resident(),
            },
            operators: state.operators(),
            populations: populations.collect(),
            records,
            checkpoint: resume::checkpoint(state),
            state: RunState::Running,
            prune,
        }
    }
}

/// The records of one member.
fn add(records: &mut Records, state: &State, ground: &Ground<'_>, member: &Member) {
    let mut record = ProgramRecord::new(member.program(), &member.made.source);
    record.cost = member.work;
    record.run = Some(state.run);
    record.generation = Some(member.made.generation);
    record.operator = member.made.by.map(str::to_owned);
    record.added = now();
    record.parents.clone_from(&member.made.parents);
    let id = record.id;
    records.programs.push(record);
    records.results.push(ResultRecord {
        program: id,
        task: ground.id,
        pairs: member.pairs.clone(),
        similarity: member.fitness.similarity,
        work: member.work,
        behaviour: member.behaviour,
        validated: member.validation.and_then(Validation::record),
    });
    if member.is_solver() {
        let grids = grids(&member.tests).enumerate();
        records.predictions.extend(grids.filter_map(|(test, grid)| {
            let grid = grid_text(grid?);
            Some(PredictionRecord { program: id, task: ground.id, test: test as u32, grid })
        }));
    }
}

/// What each differ says, as the mean over the demos. Only members that stay are asked for this, so
/// that breeding need not remember it for all.
fn scores(member: &Member, ground: &Ground<'_>) -> Vec<ScoreRecord> {
    let mut sums = vec![0; ALL.len()];
    for (grid, expected) in grids(&member.demos).zip(ground.view.expected()) {
        let Some(grid) = grid else { continue };
        let comparison = Comparison::new(grid, expected);
        for (sum, differ) in sums.iter_mut().zip(ALL) {
            *sum += u32::from(differ.score(&comparison));
        }
    }
    let demos = (ground.view.demo_count() as u32).max(1);
    let record = |(differ, sum): (&Differ, u32)| ScoreRecord {
        program: member.id,
        task: ground.id,
        differ: differ.name.to_owned(),
        score: sum / demos,
    };
    ALL.iter().zip(sums).map(record).collect()
}

/// Figures of a generation that have no column of their own, as a JSON object.
fn stats(grounds: &[Ground<'_>], state: &State, step: &Step) -> String {
    let alive = state.colonies.iter().flatten().map(|colony| colony.members.len());
    let nearest = state.nearest(grounds).map(|near| {
        serde_json::json!({"task": near.task, "solved": near.solved, "demos": near.demos,
                           "similarity": near.similarity})
    });
    serde_json::json!({
        "colonies_changed": step.changed.len(),
        "joined": step.joined.len(),
        "alive": alive.sum::<usize>(),
        "calls": step.calls.0,
        "calls_computed": step.calls.1,
        "nearest": nearest,
    })
    .to_string()
}
