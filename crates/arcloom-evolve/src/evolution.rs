//! The loop: populations of programs, one per task, bred until they solve it.
//!
//! | file | what it does |
//! |---|---|
//! | `evolution/config.rs` | settings, and the part of them that names a run |
//! | `evolution/task.rs` | a task as evolution sees it |
//! | `evolution/member.rs` | a program in a population: its fitness, what is wrong with it |
//! | `evolution/population.rs` | the members of a task on an island, and which of them stay |
//! | `evolution/breed.rs` | children of a population, evaluated in one batt |
//! | `evolution/exchange.rs` | programs sent to islands elsewhere, and taken in from there |
//! | `evolution/propose.rs` | programs written by someone outside |
//! | `evolution/validate.rs` | what a program must stand before it is called a solver |
//! | `evolution/state.rs` | where a run stands between generations, there and back |
//! | `evolution/journal.rs` | what keeps a run, as the loop sees it |
//! | `evolution/progress.rs` | a generation in figures, for whoever watches |
//!
//! A generation depends on the seed, its number and the populations before it, and on nothing else: no
//! clock, no number of threads. A journal keeps it as a whole or not at all, so whoever kills the process
//! loses the generation in flight, and starting again goes on from the one before.
//!
//! What is kept, and where, is behind [`Journal`]; which outputs are handed in is for whoever asks. Nothing
//! here knows an archive.

use std::sync::Arc;
use std::time::Instant;

use arcloom_graph::spans::span;
use arcloom_graph::{Machine, Stop, Workers};
use arcloom_tasks::Task;

use crate::parent::Parent;
use crate::rates::Tally;

mod breed;
mod config;
mod exchange;
mod journal;
mod member;
mod population;
mod progress;
mod propose;
mod state;
mod task;
mod validate;

pub use config::EvolveConfig;
pub use exchange::{Exchange, Folder, Ring, pack, unpack};
pub use journal::{Founder, Founders, Generation, Journal, StoredPopulation, StoredRun};
pub use member::{Fitness, MadeFrom, Member, MemberOrigin};
pub use population::Population;
pub use progress::{Nearest, OperatorRow, Progress};
pub use propose::{Asked, Asking, Attempt, Fate, Guest, Helpers, Proposer, ProposerFault, Reply};
pub use state::EvolutionState;
pub use task::EvolveTask;
pub use validate::{Validation, validate};

use breed::{Breeding, Brood, CHILD_WORK};
use progress::Done;
use propose::Desk;

/// A run of evolution: what all its tasks have in common.
pub struct Evolution<'a> {
    /// The threads that do the work, within their limits.
    pub workers: &'a Workers,
    /// Settings.
    pub config: &'a EvolveConfig,
    /// What the library offers as donors.
    pub donors: &'a [Parent],
    /// Who else makes programs.
    pub helpers: &'a Helpers,
    /// Ends the run: between generations by the clock, within one by hand.
    pub stop: &'a Stop,
}

/// How a run ended.
pub struct Evolved<'a> {
    /// The tasks, in the order of the set.
    pub tasks: Vec<EvolveTask<'a>>,
    /// What is alive.
    pub state: EvolutionState,
    /// Generations that were there when this process began.
    pub resumed_at: u64,
    /// Distinct programs evaluated by this process.
    pub evaluations: u64,
    /// The last generation's figures.
    pub last: Option<Progress>,
    /// True when the run was stopped from outside.
    pub stopped: bool,
}

/// What a generation did.
#[derive(Default)]
pub struct GenerationStep {
    /// Distinct programs that were run.
    pub evaluations: u64,
    /// Members that were not in their population before: island, task, place among its members.
    pub joined: Vec<(usize, usize, usize)>,
    /// Populations that changed: island, task.
    pub changed: Vec<(usize, usize)>,
    /// Calls of new children, and those that were made.
    pub calls: (u64, u64),
    /// Programs from outside that were taken in.
    pub guests: Vec<Guest>,
}

impl<'a> Evolution<'a> {
    /// Breeds until the configuration or the stop says so. A run that the journal knows goes on; another
    /// begins with what `founders` gives, which is nothing when the run was stopped.
    pub fn run<J: Journal>(
        &self,
        tasks: &'a [Task],
        founders: impl Fn() -> Option<Founders>,
        journal: &mut J,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Evolved<'a>, J::Error> {
        let start = Instant::now();
        let config = self.config;
        let new =
            |task: &'a Task| EvolveTask::new(task, config.more_pairs.of(&task.id), &config.differs);
        let _stage = span("select");
        let recall = span("recall");
        let tasks: Vec<EvolveTask<'a>> = self.workers.spread(tasks, new);
        let mut desk = Desk::default();
        let mut state = match journal.recall()? {
            Some(stored) => EvolutionState::recalled(stored, &tasks, self),
            None => EvolutionState::new(tasks.len(), config),
        };
        drop(recall);
        let resumed_at = state.generation;
        let (mut evaluations, mut stopped) = (0, false);
        let (mut first, mut last) = (None, None);
        while !config.is_over(state.generation, state.work) {
            let step = match self.stop.is_due() {
                true => None,
                false if state.generation == 0 => {
                    let _found = span("library");
                    founders().and_then(|founders| self.found(founders, &tasks, &mut state))
                }
                false => self.generation(&tasks, &mut state, &mut desk),
            };
            let Some(step) = step else {
                stopped = true;
                break;
            };
            evaluations += step.evaluations;
            {
                let _store = span("store");
                journal.keep(&Generation { tasks: &tasks, state: &state, step: &step })?;
            }
            let done = Done {
                generations: state.generation + 1 - resumed_at,
                evaluations,
                elapsed: start.elapsed(),
                archive_bytes: journal.bytes(),
                first: *first.get_or_insert_with(|| start.elapsed()),
                left: self.stop.left(),
            };
            let figures = state.progress(&tasks, &step, &done, config);
            progress(&figures);
            last = Some(figures);
            state.generation += 1;
            if state.solved() == tasks.len() && config.stop_when_solved {
                break;
            }
        }
        if config.is_over(state.generation, state.work) {
            journal.finish()?;
        }
        Ok(Evolved { tasks, state, resumed_at, evaluations, last, stopped })
    }

    /// Generation 0: the best of what is there on every task, the same on every island.
    fn found(
        &self,
        founders: Founders,
        tasks: &[EvolveTask<'_>],
        state: &mut EvolutionState,
    ) -> Option<GenerationStep> {
        let jobs: Vec<(&EvolveTask<'_>, Vec<Founder>)> =
            tasks.iter().zip(founders.of_tasks).collect();
        let populations = self.workers.spread(&jobs, |(task, founders)| {
            if self.stop.is_set() {
                return Population::default();
            }
            let members = founders.iter().map(|founder| {
                let made = MemberOrigin { generation: 0, from: founder.from.clone() };
                Member::new(founder.program.clone(), made, task, self.machine())
            });
            Population::of(members.collect(), self.config.population)
        });
        if self.stop.is_set() {
            return None;
        }
        for island in &mut state.islands {
            island.clone_from(&populations);
        }
        state.solved_at_start = state.solved();
        let islands = 0..state.islands.len();
        let places = |(task, population): (usize, &Population)| {
            (0..population.members().len()).map(move |place| (task, place)).collect::<Vec<_>>()
        };
        let members: Vec<_> = populations.iter().enumerate().flat_map(places).collect();
        let joined = |island| members.iter().map(move |&(task, place)| (island, task, place));
        Some(GenerationStep {
            evaluations: founders.evaluations,
            joined: islands.clone().flat_map(joined).collect(),
            changed: islands.flat_map(|i| (0..tasks.len()).map(move |task| (i, task))).collect(),
            ..GenerationStep::default()
        })
    }

    /// A machine for members, which ends with the run.
    fn machine(&self) -> Machine {
        let mut machine = self.workers.machine();
        machine.watch(self.stop);
        machine
    }

    /// One generation of every population that has not solved its task.
    fn generation(
        &self,
        tasks: &[EvolveTask<'_>],
        state: &mut EvolutionState,
        desk: &mut Desk,
    ) -> Option<GenerationStep> {
        let exchange = span("exchange");
        let welcomed = self.migrate(state);
        let mut guests = self.ask(tasks, state, desk);
        guests.extend(self.trade(tasks, state));
        drop(exchange);
        let champions = (0..tasks.len()).filter_map(|task| state.solver(task));
        let champions: Vec<Parent> = champions.map(|member| member.parent.clone()).collect();
        let is_bred = |task: usize| {
            state.solver(task).is_none_or(|solver| self.is_young(solver, state.generation))
        };
        let jobs: Vec<(usize, usize)> = (0..tasks.len())
            .filter(|&task| is_bred(task))
            .flat_map(|task| (0..state.islands.len()).map(move |island| (island, task)))
            .collect();
        let generation = state.generation;
        let breeding =
            Breeding { run: self, champions: &champions, rates: &state.rates, generation };
        let broods: Vec<Option<Brood>> = self.workers.spread(&jobs, |&(island, task)| {
            if self.stop.is_set() {
                return None;
            }
            let seed = self.config.stream(generation, island, tasks[task].id);
            breeding.breed(&state.islands[island][task], &tasks[task], seed)
        });
        if self.stop.is_set() {
            return None;
        }
        let broods: Option<Vec<Brood>> = broods.into_iter().collect();
        let mut step = GenerationStep { changed: welcomed, ..GenerationStep::default() };
        let mut tally = Tally::default();
        // Also where nothing is bred, so that a bound of work is reached.
        state.work += CHILD_WORK;
        for (&(island, task), brood) in jobs.iter().zip(broods?) {
            step.evaluations += brood.evaluations;
            state.work += brood.work;
            step.calls.0 += brood.calls.0;
            step.calls.1 += brood.calls.1;
            tally.add(&brood.tally);
            step.joined.extend(brood.joined.iter().map(|&place| (island, task, place)));
            if !brood.joined.is_empty() {
                step.changed.push((island, task));
            }
            state.islands[island][task] = brood.population;
        }
        let guested = guests.iter().map(|(task, _)| *task);
        let islands = 0..state.islands.len();
        step.changed.extend(guested.flat_map(|task| islands.clone().map(move |i| (i, task))));
        step.changed.sort_unstable();
        step.changed.dedup();
        step.guests = guests;
        state.tally.add(&tally);
        state.rates.adapt(&tally);
        Some(step)
    }

    /// True when a shorter program may still be found soon: the first solver is rarely the simplest,
    /// and the simplest most likely holds on the tests.
    fn is_young(&self, solver: &Member, generation: u64) -> bool {
        solver.made.generation > 0 && generation <= solver.made.generation + self.config.polish
    }

    /// Every so often the best of each island are also tried on the next one. Gives the populations that
    /// took somebody in.
    fn migrate(&self, state: &mut EvolutionState) -> Vec<(usize, usize)> {
        let mut changed = Vec::new();
        let islands = state.islands.len();
        let every = self.config.migrate_every.max(1);
        if islands < 2 || !state.generation.is_multiple_of(every) {
            return changed;
        }
        let best: Vec<Vec<Option<Arc<Member>>>> = state
            .islands
            .iter()
            .map(|island| island.iter().map(|p| p.members().first().cloned()).collect())
            .collect();
        for (island, populations) in state.islands.iter_mut().enumerate() {
            let from = &best[(island + islands - 1) % islands];
            for (task, (population, guest)) in populations.iter_mut().zip(from).enumerate() {
                let Some(guest) = guest else { continue };
                population.welcome(guest.clone(), self.config.population);
                if population.has(guest.id) {
                    changed.push((island, task));
                }
            }
        }
        changed
    }
}
