//! The search loop: populations of programs, one per task, bred until they solve it.
//!
//! | file | what it does |
//! |---|---|
//! | `evolve/config.rs` | settings, and the part of them that names a run |
//! | `evolve/member.rs` | a program in a population: its fitness, what is wrong with it |
//! | `evolve/colony.rs` | one population: children, evaluated in one batt, and selection |
//! | `evolve/exchange.rs` | programs sent to islands elsewhere, and taken in from there |
//! | `evolve/propose.rs` | programs written by someone outside |
//! | `evolve/validate.rs` | what a program must stand before it is called a solver |
//! | `evolve/keep.rs` | everything of a generation, for the archive |
//! | `evolve/resume.rs` | populations and rates out of the archive again |
//! | `evolve/progress.rs` | a generation in figures, for whoever watches |
//!
//! A generation depends on the seed, its number and the populations before it, and on nothing else: no
//! clock, no number of threads. It is stored as a whole or not at all, so whoever kills the process
//! loses the generation in flight, and starting again goes on from the one before.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use arcloom_evolve::{Parent, Rates, Tally, TaskFacts};
use arcloom_graph::{Cpu, Machine, Stop};
use arcloom_store::{NewRun, ProgramRecord, RunNumber, RunState, StoreError, TaskId};
use arcloom_tasks::{GridLimits, Task, TaskSet};

use crate::archive::Storage;
use crate::attempts::{self, Attempts, Vote};
use crate::engine::Engine;
use crate::library::Entry;
use crate::run::{RunOptions, TaskRun};
use crate::standing::Standing;

mod colony;
pub mod config;
pub mod exchange;
mod keep;
mod member;
pub mod progress;
pub mod propose;
mod resume;
mod validate;

pub use config::EvolveConfig;
pub use exchange::Exchange;
pub use member::Fitness;
pub use progress::{Nearest, Progress};
pub use propose::{Asked, Attempt, Helpers, Proposer, ProposerFault};
pub use validate::{Validation, validate};

use colony::{Brood, CHILD_WORK, Ground, Population};
use member::{Made, Member};
use propose::Guest;

/// A task that was not solved by what was there, and is now.
#[derive(Debug, Clone)]
pub struct NewSolver {
    /// The task.
    pub task: String,
    /// The program, validated.
    pub program: arcloom_lang::Program,
    /// The generation it came up in.
    pub generation: u64,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct EvolveReport {
    /// Generations that are done, generation 0 included.
    pub generations: u64,
    /// Generations that were there when this process began.
    pub resumed_at: u64,
    /// Tasks solved by what was there, and now.
    pub solved: (usize, usize),
    /// Tasks solved since generation 0, in the order of the set.
    pub found: Vec<NewSolver>,
    /// For each task, in the order of the set, what is handed in.
    pub standings: Vec<Standing>,
    /// Distinct programs evaluated by this process.
    pub evaluations: u64,
    /// The last generation's figures.
    pub last: Option<Progress>,
    /// True when the run was stopped from outside.
    pub stopped: bool,
    /// True when the archive could not be written any more and the last generations are not in it.
    pub unstored: bool,
}

/// What all tasks of a run have in common.
struct Evolution<'a> {
    engine: &'a Engine,
    config: &'a EvolveConfig,
    backend: Cpu,
    /// What the library offers as donors.
    library: Vec<Parent>,
    helpers: &'a Helpers,
}

impl Engine {
    /// Evolves programs for tasks, starting from a library, until the configuration or `stop` says so.
    /// A run with the same seed, settings, library and tasks that is in the archive goes on.
    pub fn evolve<'a>(
        &self,
        library: &[Entry],
        tasks: &TaskSet,
        config: &EvolveConfig,
        archive: impl Into<Storage<'a>>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<EvolveReport, StoreError> {
        self.evolve_with(library, tasks, config, archive, stop, &Helpers::default(), progress)
    }

    /// The same, with others who write programs too.
    #[expect(clippy::too_many_arguments, reason = "one call, each of them another thing")]
    pub fn evolve_with<'a>(
        &self,
        library: &[Entry],
        tasks: &TaskSet,
        config: &EvolveConfig,
        archive: impl Into<Storage<'a>>,
        stop: &Stop,
        helpers: &Helpers,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<EvolveReport, StoreError> {
        let start = Instant::now();
        let storage: Storage<'_> = archive.into();
        let grounds: Vec<Ground<'_>> =
            self.spread(&tasks.tasks, |task| Ground::new(task, config.more_pairs.of(&task.id)));
        let loom = Evolution {
            engine: self,
            config,
            backend: self.cpu(),
            library: library.iter().map(|entry| Parent::new(entry.program.clone())).collect(),
            helpers,
        };
        let identity = config.identity(library, &tasks.tasks, self.limits().call_budget());
        let version = crate::version();
        let known = storage.archive.find_run(config.seed, &identity, &version)?;
        let mut state = match known {
            Some(run) if run.generations > 0 => {
                resume::resume(storage.archive, &run, &grounds, &loom)?
            }
            found => {
                let run = match found {
                    Some(run) => run.number,
                    None => {
                        let (seed, config) = (config.seed, identity);
                        storage.archive.begin_run(&NewRun {
                            seed,
                            config,
                            version,
                            started: now(),
                        })?
                    }
                };
                State::new(run, &grounds, config)
            }
        };
        let resumed_at = state.generation;
        let mut evaluations = 0;
        let (mut first, mut last) = (None, None);
        let (mut stopped, mut unstored) = (false, false);
        while !config.is_over(state.generation, state.work) {
            if stop.is_due() {
                stopped = true;
                break;
            }
            let step = if state.generation == 0 {
                loom.found(library, tasks, &grounds, &mut state, stop)
            } else {
                loom.generation(&grounds, &mut state, stop)
            };
            let Some(step) = step else {
                stopped = true;
                break;
            };
            evaluations += step.evaluations;
            // Generations are stored in order: after one that is not, none is.
            if !unstored {
                let batch = loom.batch(tasks, &grounds, &state, &step);
                if let Err(error) = storage.archive.commit(&batch) {
                    storage.give_up(error)?;
                    unstored = true;
                }
            }
            let done = progress::Done {
                generations: state.generation + 1 - resumed_at,
                evaluations,
                elapsed: start.elapsed(),
                archive_bytes: storage.archive.bytes(),
                first: *first.get_or_insert_with(|| start.elapsed()),
                left: stop.left(),
            };
            let figures = state.progress(&grounds, &step, &done, config);
            progress(&figures);
            last = Some(figures);
            state.generation += 1;
            if state.solved() == grounds.len() && config.stop_when_solved {
                break;
            }
        }
        if config.is_over(state.generation, state.work)
            && !unstored
            && let Err(error) = storage.archive.set_run_state(state.run, RunState::Finished)
        {
            storage.give_up(error)?;
            unstored = true;
        }
        Ok(EvolveReport {
            generations: state.generation,
            resumed_at,
            solved: (state.solved_at_start, state.solved()),
            found: state.found(&grounds),
            standings: state.standings(&grounds),
            evaluations,
            last,
            stopped,
            unstored,
        })
    }
}

/// Where a run stands between generations.
struct State {
    run: RunNumber,
    /// The next generation.
    generation: u64,
    rates: Rates,
    /// Work of all children so far.
    work: u64,
    /// Everything operators did since the start of the run.
    tally: Tally,
    /// By island, then task.
    colonies: Vec<Vec<Population>>,
    solved_at_start: usize,
}

/// What a generation did.
struct Step {
    evaluations: u64,
    /// Members that were not in their colony before: island, task, place among its members.
    joined: Vec<(usize, usize, usize)>,
    /// Colonies that changed.
    changed: Vec<(usize, usize)>,
    /// Calls of new children, and those that were made.
    calls: (u64, u64),
    /// Programs from outside that were taken in.
    guests: Vec<Guest>,
}

impl State {
    fn new(run: RunNumber, grounds: &[Ground<'_>], config: &EvolveConfig) -> State {
        let colonies = vec![vec![Population::default(); grounds.len()]; config.islands.max(1)];
        let (rates, tally) = (Rates::default(), Tally::default());
        State { run, generation: 0, work: 0, rates, tally, colonies, solved_at_start: 0 }
    }

    /// The best solver of a task on any island.
    fn solver(&self, task: usize) -> Option<&Member> {
        let best = self.colonies.iter().filter_map(|island| island[task].solver());
        best.min_by_key(|member| member.rank())
    }

    fn solved(&self) -> usize {
        let tasks = self.colonies.first().map_or(0, Vec::len);
        (0..tasks).filter(|&task| self.solver(task).is_some()).count()
    }

    /// What is handed in for each task.
    fn standings(&self, grounds: &[Ground<'_>]) -> Vec<Standing> {
        let of_task = |(task, ground): (usize, &Ground<'_>)| self.handed_in(task, ground);
        grounds.iter().enumerate().map(of_task).collect()
    }

    /// What is handed in for a task: the two best outputs for each test.
    fn handed_in(&self, task: usize, ground: &Ground<'_>) -> Standing {
        let islands = self.colonies.iter().flat_map(|island| &island[task].members);
        let mut members: Vec<&Member> = islands.map(Arc::as_ref).collect();
        let evidence = |member: &Member| {
            let Fitness { solved, similarity, .. } = member.fitness;
            (member.is_solver(), solved, similarity)
        };
        members.sort_by_key(|member| (Reverse(evidence(member)), member.rank()));
        let of_test = |test: usize| {
            let votes = members.iter().filter_map(|member| {
                let answer = member.tests.get(test)?.as_ref().ok()?;
                let (evidence, size) = (evidence(member), member.fitness.size);
                // One per behaviour on an island, so each is a witness of its own.
                Some(Vote { answer, evidence, witnesses: 1, size })
            });
            let votes = votes.filter(|vote| GridLimits::SIXTEEN.allow(vote.answer));
            attempts::best(votes).into_iter().cloned().collect()
        };
        let best = members.first();
        Standing {
            task: ground.id,
            name: ground.task.id.clone(),
            demos: ground.view.demo_count(),
            fits: best.map_or(0, |best| best.fitness.solved as usize),
            similarity: best.map_or(0, |best| best.fitness.similarity),
            origin: best.map_or_else(String::new, |best| best.origin()),
            program: best.map(|best| best.id),
            attempts: Attempts::new((0..ground.view.test_count()).map(of_test).collect()),
        }
    }

    fn found(&self, grounds: &[Ground<'_>]) -> Vec<NewSolver> {
        let found = |(task, ground): (usize, &Ground<'_>)| {
            let member = self.solver(task).filter(|member| member.made.generation > 0)?;
            let program = member.program().clone();
            let task = ground.task.id.clone();
            Some(NewSolver { task, program, generation: member.made.generation })
        };
        grounds.iter().enumerate().filter_map(found).collect()
    }
}

impl Evolution<'_> {
    /// Generation 0: the best of the library on every task, with every grid on the way.
    fn found(
        &self,
        library: &[Entry],
        tasks: &TaskSet,
        grounds: &[Ground<'_>],
        state: &mut State,
        stop: &Stop,
    ) -> Option<Step> {
        let batt = self.engine.merge(library);
        let options = RunOptions { kept: self.config.population, ..RunOptions::default() };
        let runs = self.engine.run_then(&batt, &tasks.tasks, &options, stop, |_, run| run);
        let runs: Option<Vec<TaskRun>> = runs.into_iter().collect();
        let runs: Vec<(usize, TaskRun)> = runs?.into_iter().enumerate().collect();
        let colonies = self.engine.spread(&runs, |(task, run)| {
            let ground = &grounds[*task];
            if stop.is_set() {
                return Population::default();
            }
            let members = run.best.iter().map(|best| {
                let source = best.roots.first().map(|root| library[*root].file.clone());
                let source = source.unwrap_or_else(|| ProgramRecord::TRANSFER.to_owned());
                let made = Made { generation: 0, source, by: None, parents: Vec::new() };
                Member::new(best.program.clone(), made, ground, self.machine(stop))
            });
            Population::of(members.collect(), self.config.population)
        });
        if stop.is_set() {
            return None;
        }
        for island in &mut state.colonies {
            island.clone_from(&colonies);
        }
        state.solved_at_start = state.solved();
        let joined = (0..state.colonies.len()).flat_map(|island| {
            let sizes = state.colonies[island].iter().map(|colony| colony.members.len());
            sizes.enumerate().flat_map(move |(task, n)| (0..n).map(move |m| (island, task, m)))
        });
        let changed = (0..state.colonies.len())
            .flat_map(|island| (0..grounds.len()).map(move |task| (island, task)));
        Some(Step {
            evaluations: runs.iter().map(|(_, run)| run.counts.inputs).sum::<u64>()
                * library.len() as u64
                / tasks.tasks.len().max(1) as u64,
            joined: joined.collect(),
            changed: changed.collect(),
            calls: (0, 0),
            guests: Vec::new(),
        })
    }

    /// A machine for members, which ends with the run.
    fn machine(&self, stop: &Stop) -> Machine {
        let mut machine = self.engine.machine();
        machine.watch(stop);
        machine
    }

    /// One generation of every colony that has not solved its task.
    fn generation(&self, grounds: &[Ground<'_>], state: &mut State, stop: &Stop) -> Option<Step> {
        let welcomed = self.migrate(state);
        let mut guests = self.ask(grounds, state);
        guests.extend(self.trade(grounds, state));
        let champions: Vec<Parent> = (0..grounds.len())
            .filter_map(|task| state.solver(task))
            .map(|member| member.parent.clone())
            .collect();
        let jobs: Vec<(usize, usize)> = (0..grounds.len())
            .filter(|&task| state.solver(task).is_none_or(|solver| self.is_young(solver, state)))
            .flat_map(|task| (0..state.colonies.len()).map(move |island| (island, task)))
            .collect();
        let broods: Vec<Option<Brood>> = self.engine.spread(&jobs, |&(island, task)| {
            if stop.is_set() {
                return None;
            }
            let colony = &state.colonies[island][task];
            let seed = self.config.stream(state.generation, island, grounds[task].id);
            colony.breed(
                self,
                &grounds[task],
                &champions,
                &state.rates,
                state.generation,
                seed,
                stop,
            )
        });
        if stop.is_set() {
            return None;
        }
        let broods: Option<Vec<Brood>> = broods.into_iter().collect();
        let mut step = Step {
            evaluations: 0,
            joined: Vec::new(),
            changed: welcomed,
            calls: (0, 0),
            guests: Vec::new(),
        };
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
            state.colonies[island][task] = brood.colony;
        }
        let guested = guests.iter().map(|(task, _)| *task);
        let islands = 0..state.colonies.len();
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
    fn is_young(&self, solver: &Member, state: &State) -> bool {
        solver.made.generation > 0
            && state.generation <= solver.made.generation + self.config.polish
    }

    /// Every so often the best of each island are also tried on the next one. Gives the colonies that
    /// took somebody in.
    fn migrate(&self, state: &mut State) -> Vec<(usize, usize)> {
        let mut changed = Vec::new();
        let islands = state.colonies.len();
        let every = self.config.migrate_every.max(1);
        if islands < 2 || !state.generation.is_multiple_of(every) {
            return changed;
        }
        let best: Vec<Vec<Option<Arc<Member>>>> = state
            .colonies
            .iter()
            .map(|island| island.iter().map(|colony| colony.members.first().cloned()).collect())
            .collect();
        for (island, colonies) in state.colonies.iter_mut().enumerate() {
            let from = &best[(island + islands - 1) % islands];
            for (task, (colony, guest)) in colonies.iter_mut().zip(from).enumerate() {
                let Some(guest) = guest else { continue };
                colony.welcome(guest.clone(), self.config.population);
                if colony.members.iter().any(|member| member.id == guest.id) {
                    changed.push((island, task));
                }
            }
        }
        changed
    }
}

/// Seconds since 1970, for records only.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// Bytes of memory of this process, where the system tells; for records only.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The identity of a task in an archive.
fn task_id(task: &Task) -> TaskId {
    TaskId(task.visible_id().0)
}

/// Facts of a task for mutation; only demo pairs go in.
fn facts(task: &Task) -> TaskFacts {
    let pairs = task.demos.iter().map(|pair| (pair.input.clone(), pair.output.clone()));
    let demos: Vec<_> = pairs.collect();
    TaskFacts::new(&demos)
}
