//! One population for one task: its children, and who of all stays.

use std::cmp::Reverse;
use std::sync::Arc;

use arcloom_dsl::differ::{Comparison, total};
use arcloom_evolve::{ALL, Context, Donors, Parent, Rates, Tally, TaskFacts, mutate};
use arcloom_graph::batt::BattBuilder;
use arcloom_graph::{Backend, BattPlan, Column, GridCode, Stop, TaskColumns, TaskInputs, TaskView};
use arcloom_lang::{NodeId, Program, ProgramId};
use arcloom_store::TaskId;
use arcloom_tasks::{Pair, Task};
use arcloom_value::{FixedMap, FixedSet, Grid};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Evolution;
use super::member::{Fitness, Made, Member};

/// A task as evolution sees it: no test answers.
pub(super) struct Ground<'a> {
    pub(super) task: &'a Task,
    pub(super) id: TaskId,
    pub(super) facts: TaskFacts,
    pub(super) view: TaskView,
    /// What children are run on.
    pub(super) demos: TaskInputs,
    /// What a solver must stand besides the demos.
    pub(super) more: &'a [Pair],
}

impl<'a> Ground<'a> {
    pub(super) fn new(task: &'a Task, more: &'a [Pair]) -> Ground<'a> {
        let view = TaskView::new(task);
        Ground {
            task,
            id: super::task_id(task),
            facts: super::facts(task),
            demos: view.given_demos(),
            view,
            more,
        }
    }

    /// Input grids, demos before tests.
    pub(super) fn grids(&self) -> impl Iterator<Item = &Grid> {
        let demos = self.task.demos.iter().map(|pair| &pair.input);
        demos.chain(self.task.tests.iter().map(|test| &test.input))
    }
}

/// What it takes to make a program and to weave it in, in units of work: by the clock, on training tasks.
pub(super) const CHILD_WORK: u64 = 5_000;

/// Most new solvers of one generation that are looked at.
const SOLVERS: usize = 8;

/// A population, best first. Members that stay are shared from generation to generation.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    pub(super) members: Vec<Arc<Member>>,
}

/// What a generation made of a colony.
pub(super) struct Brood {
    pub(super) colony: Population,
    pub(super) tally: Tally,
    /// Distinct children that were run.
    pub(super) evaluations: u64,
    /// Places of members that were not there before.
    pub(super) joined: Vec<usize>,
    /// Calls that all children have on all demos, and those that were made for them and for the
    /// members they came from.
    pub(super) calls: (u64, u64),
    /// What making and running the children took, in units of work.
    pub(super) work: u64,
}

/// A child that was run.
struct Child {
    program: Program,
    parent: usize,
    operator: usize,
    /// Place of its root among the batt's.
    place: usize,
}

/// Where parts of other programs come from: mostly the colony itself, else the library and the
/// solvers of other tasks.
struct Pool<'a> {
    own: &'a [Arc<Member>],
    others: [&'a [Parent]; 2],
}

impl Donors for Pool<'_> {
    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<&Parent> {
        let draw = rng.next_u64();
        let place = (draw >> 8) as usize;
        let pick = |list: &'_ [Parent]| (!list.is_empty()).then(|| place % list.len());
        match draw % 4 {
            0 => pick(self.others[0]).map(|n| &self.others[0][n]),
            1 => pick(self.others[1]).map(|n| &self.others[1][n]),
            _ => None,
        }
        .or_else(|| {
            let n = self.own.len();
            (n > 0).then(|| &self.own[place % n].parent)
        })
    }
}

impl Population {
    /// The best of these, at most `most`.
    pub(super) fn of(members: Vec<Member>, most: usize) -> Population {
        let mut colony = Population { members: members.into_iter().map(Arc::new).collect() };
        colony.settle(most);
        colony
    }

    /// The best validated solver.
    pub(super) fn solver(&self) -> Option<&Member> {
        self.members.first().map(|member| &**member).filter(|member| member.is_solver())
    }

    /// Takes a member of another island in.
    pub(super) fn welcome(&mut self, guest: Arc<Member>, most: usize) {
        if self.members.iter().all(|member| member.id != guest.id) {
            self.members.push(guest);
            self.settle(most);
        }
    }

    /// One member per behaviour, the best ones, in order.
    fn settle(&mut self, most: usize) {
        self.members.sort_by_cached_key(|member| member.rank());
        let mut seen = FixedSet::default();
        self.members.retain(|member| seen.insert(member.behaviour));
        self.members.truncate(most);
    }

    /// Children of the members, run together on the demos; the best of old and new stay. `None` when
    /// stopped.
    #[expect(clippy::too_many_arguments, reason = "one call, each of them another thing")]
    pub(super) fn breed(
        &self,
        loom: &Evolution<'_>,
        ground: &Ground<'_>,
        champions: &[Parent],
        rates: &Rates,
        generation: u64,
        seed: [u8; 32],
        stop: &Stop,
    ) -> Option<Brood> {
        let mut rng = ChaCha8Rng::from_seed(seed);
        let mut tally = Tally::default();
        let donors = Pool { own: &self.members, others: [&loom.library, champions] };
        let mut weaver = BattBuilder::with_rules(&[]);
        let mut roots: FixedSet<NodeId> =
            self.members.iter().map(|member| weaver.add(member.program(), "")).collect();
        let mut children: Vec<Child> = Vec::new();
        let (mut calls, mut added) = ((0, 0), self.members.len());
        for _ in 0..loom.config.children {
            let Some(parent) = self.pick(&mut rng) else { break };
            let member = &self.members[parent];
            let context = Context {
                parent: &member.parent,
                donors: &donors,
                facts: &ground.facts,
                findings: &member.findings,
            };
            let made = mutate(&context, &mut rng, rates, &mut tally);
            let Some((operator, program)) = made else { continue };
            let root = weaver.add(&program, "");
            added += 1;
            if roots.insert(root) {
                calls.0 += (program.size() * ground.view.demo_count()) as u64;
                children.push(Child { program, parent, operator, place: added - 1 });
            }
        }
        let steps = weaver.steps();
        let batt = weaver.finish();
        let node = |child: &Child| batt.roots()[child.place].node;
        let plan = BattPlan::new(&batt);
        let TaskColumns { columns, counts, .. } =
            loom.backend.evaluate(&plan, &ground.demos, stop)?;
        // Those of members are made as well, and those known in advance once for all demos.
        let in_advance = steps - plan.steps() - plan.steps_per_task();
        calls.1 = counts.calls + in_advance as u64;
        let mut judge = Judge { ground, columns: &columns, said: FixedMap::default() };
        let mut known: FixedSet<Vec<GridCode>> = FixedSet::default();
        let old = batt.roots().iter().take(self.members.len());
        known.extend(old.map(|root| judge.codes(root.node)));
        let worst = (self.members.len() >= loom.config.population)
            .then(|| self.members.last().map(|member| member.fitness))
            .flatten();
        let mut order: Vec<(Fitness, usize)> = children
            .iter()
            .enumerate()
            .map(|(n, child)| (judge.fitness(node(child), child.program.size()), n))
            .collect();
        for &(fitness, n) in &order {
            let child = &children[n];
            let improving = fitness.improves(&self.members[child.parent].fitness);
            tally.outcome(child.operator, true, improving);
        }
        // Of children that do the same the best comes first and is the one that is looked at.
        order.sort_by_key(|(fitness, n)| (fitness.key(), *n));
        let evaluations = children.len() as u64;
        let work = counts.work + CHILD_WORK * added as u64;
        let grown = |child: &Child| {
            let operator = ALL.get(child.operator).map(|operator| operator.name);
            let parents = vec![self.members[child.parent].id];
            let program = child.program.clone();
            let made = Made::bred(generation, operator, parents);
            Arc::new(Member::new(program, made, ground, loom.machine(stop)))
        };
        let old = self.members.iter().map(|member| Entrant::Member(member.clone(), false));
        let mut entrants: Vec<Entrant<'_>> = old.collect();
        let mut solvers = 0;
        for (fitness, n) in order {
            let child = &children[n];
            let codes = judge.codes(node(child));
            let too_poor = worst.is_some_and(|worst| fitness.key() > worst.key());
            if too_poor || codes.iter().all(|code| code.grid().is_none()) {
                continue;
            }
            // Solvers do the same on all demos, yet may differ on the tests.
            let solves = fitness.solved as usize == ground.view.demo_count();
            solvers += usize::from(solves);
            let is_new = known.insert(codes);
            if if solves { solvers > SOLVERS } else { !is_new } {
                continue;
            }
            entrants.push(match solves {
                true => Entrant::Member(grown(child), true),
                false => Entrant::Child(child, fitness),
            });
        }
        let (members, joined) = settled(entrants, loom.config.population, grown);
        Some(Brood { colony: Population { members }, tally, evaluations, joined, calls, work })
    }

    /// A member, the better ones more often: the best of two drawn.
    fn pick(&self, rng: &mut ChaCha8Rng) -> Option<usize> {
        let n = self.members.len() as u64;
        (n > 0).then(|| {
            let (one, other) = (rng.next_u64() % n, rng.next_u64() % n);
            one.min(other) as usize
        })
    }
}

/// Who may be in the next population.
enum Entrant<'a> {
    /// A member, and whether it is new.
    Member(Arc<Member>, bool),
    /// A child that does not solve the task; most of them are not good enough to be made members.
    Child(&'a Child, Fitness),
}

impl Entrant<'_> {
    /// Its rank but for the name, which takes longer to work out and seldom matters.
    fn standing(&self) -> impl Ord + use<> {
        match self {
            Entrant::Member(member, _) => (Reverse(member.is_solver()), member.fitness.key()),
            Entrant::Child(_, fitness) => (Reverse(false), fitness.key()),
        }
    }

    fn id(&self) -> ProgramId {
        match self {
            Entrant::Member(member, _) => member.id,
            Entrant::Child(child, _) => child.program.id(),
        }
    }
}

/// What [`Population::settle`] would make of all entrants, and the places of those that are new. Children
/// become members one by one, best first, until there are enough.
fn settled(
    mut entrants: Vec<Entrant<'_>>,
    most: usize,
    grown: impl Fn(&Child) -> Arc<Member>,
) -> (Vec<Arc<Member>>, Vec<usize>) {
    entrants.sort_by_cached_key(Entrant::standing);
    let mut seen = FixedSet::default();
    let (mut members, mut joined) = (Vec::new(), Vec::new());
    for equals in entrants.chunk_by_mut(|a, b| a.standing() == b.standing()) {
        if members.len() == most {
            break;
        }
        if equals.len() > 1 {
            equals.sort_by_cached_key(Entrant::id);
        }
        for entrant in equals.iter() {
            if members.len() == most {
                break;
            }
            let (member, is_new) = match entrant {
                Entrant::Member(member, is_new) => (member.clone(), *is_new),
                Entrant::Child(child, _) => (grown(child), true),
            };
            if seen.insert(member.behaviour) {
                if is_new {
                    joined.push(members.len());
                }
                members.push(member);
            }
        }
    }
    (members, joined)
}

/// What nodes came to on the demos.
struct Judge<'a> {
    ground: &'a Ground<'a>,
    columns: &'a [Column],
    /// Similarity by demo and grid; many children give the same grids.
    said: FixedMap<(usize, usize), u32>,
}

impl Judge<'_> {
    fn codes(&self, node: NodeId) -> Vec<GridCode> {
        self.columns.iter().map(|column| column.codes[node.index()]).collect()
    }

    fn fitness(&mut self, node: NodeId, size: usize) -> Fitness {
        let mut fitness = Fitness { solved: 0, similarity: 0, size: size as u32 };
        for (demo, (column, expected)) in
            self.columns.iter().zip(self.ground.view.expected()).enumerate()
        {
            let Some(place) = column.codes[node.index()].grid() else { continue };
            let similarity = *self.said.entry((demo, place)).or_insert_with(|| {
                u32::from(total(&Comparison::new(&column.grids[place], expected)))
            });
            fitness.solved += u32::from(similarity == u32::from(arcloom_dsl::differ::PERFECT));
            fitness.similarity += similarity;
        }
        fitness.similarity /= (self.ground.view.demo_count() as u32).max(1);
        fitness
    }
}
