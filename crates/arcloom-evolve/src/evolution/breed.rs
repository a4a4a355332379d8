//! Children of a population: made, evaluated in one batt, and who of all stays.

use std::cmp::Reverse;
use std::sync::Arc;

use arcloom_dsl::differ::{Comparison, PERFECT, total};
use arcloom_graph::batt::{Batt, BattBuilder};
use arcloom_graph::spans::{about, span};
use arcloom_graph::{Backend, BattPlan, Column, GridCode, Machine, TaskColumns};
use arcloom_lang::{NodeId, Program, ProgramId};
use arcloom_value::{FixedMap, FixedSet};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Evolution;
use super::member::{Fitness, Member, MemberOrigin};
use super::population::Population;
use super::task::EvolveTask;
use crate::mutate::{Context, Donors, mutate};
use crate::operators::ALL;
use crate::parent::Parent;
use crate::rates::{Rates, Tally};

/// What it takes to make a program and to merge it in, in units of work: by the clock, on training tasks.
pub(super) const CHILD_WORK: u64 = 5_000;

/// Most new solvers of one generation that are looked at.
const SOLVERS: usize = 8;

/// What a generation made of a population.
pub(super) struct Brood {
    pub(super) population: Population,
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

/// Children of a population before they are run.
struct Litter {
    /// The members and the children, merged.
    batt: Batt,
    children: Vec<Child>,
    /// Steps of the batt.
    steps: usize,
    /// Programs that were merged, equal ones counted apart.
    added: usize,
}

/// What all populations of a generation are bred with.
pub(super) struct Breeding<'a> {
    pub(super) run: &'a Evolution<'a>,
    /// The solvers of all tasks.
    pub(super) champions: &'a [Parent],
    pub(super) rates: &'a Rates,
    pub(super) generation: u64,
}

/// Where parts of other programs come from: mostly the population itself, else the library and the
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

impl Breeding<'_> {
    /// Children of the members, run together on the demos; the best of old and new stay. `None` when
    /// stopped.
    pub(super) fn breed(
        &self,
        population: &Population,
        task: &EvolveTask<'_>,
        seed: [u8; 32],
    ) -> Option<Brood> {
        about(&task.task.id);
        let _stage = span("select");
        let members = population.members();
        let mut tally = Tally::default();
        let Litter { batt, children, steps, added } =
            self.children(members, task, ChaCha8Rng::from_seed(seed), &mut tally);
        let node = |child: &Child| batt.roots()[child.place].node;
        let weave = span("weave");
        let plan = BattPlan::new(&batt);
        drop(weave);
        let cpu = self.run.workers.cpu();
        let TaskColumns { columns, counts, .. } =
            cpu.evaluate(&plan, &task.demos, self.run.stop)?;
        // Calls of members are made as well, and those known in advance once for all demos.
        let in_advance = steps - plan.steps() - plan.steps_per_task();
        let own = children.iter().map(|child| child.program.size() * task.view.demo_count());
        let calls = (own.sum::<usize>() as u64, counts.calls + in_advance as u64);
        let machine = self.run.machine();
        let mut judge = Judge { task, columns: &columns, said: FixedMap::default(), machine };
        let differs = span("differs");
        let judged = children.iter().enumerate();
        let mut order: Vec<(Fitness, usize)> = judged
            .map(|(n, child)| (judge.fitness(node(child), child.program.size()), n))
            .collect();
        drop(differs);
        for &(fitness, n) in &order {
            let child = &children[n];
            let improving = fitness.improves(&members[child.parent].fitness);
            tally.outcome(child.operator, true, improving);
        }
        // Of children that do the same the best comes first and is the one that is looked at.
        order.sort_by_key(|(fitness, n)| (fitness.key(), *n));
        let grown = |child: &Child| {
            let operator = ALL.get(child.operator).map(|operator| operator.name);
            let parents = vec![members[child.parent].id];
            let made = MemberOrigin::bred(self.generation, operator, parents);
            Arc::new(Member::new(child.program.clone(), made, task, self.run.machine()))
        };
        let old = batt.roots().iter().take(members.len());
        let mut known: FixedSet<Vec<GridCode>> = old.map(|root| judge.codes(root.node)).collect();
        let most = self.run.config.population;
        let worst = members.last().filter(|_| members.len() >= most).map(|worst| worst.fitness);
        let old = members.iter().map(|member| Entrant::Member(member.clone(), false));
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
            let solves = fitness.fits as usize == task.view.demo_count();
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
        let (members, joined) = settled(entrants, most, grown);
        Some(Brood {
            population: Population::restored(members),
            tally,
            evaluations: children.len() as u64,
            joined,
            calls,
            work: counts.work + CHILD_WORK * added as u64,
        })
    }

    /// Children of the members, merged with them into one batt.
    fn children(
        &self,
        members: &[Arc<Member>],
        task: &EvolveTask<'_>,
        mut rng: ChaCha8Rng,
        tally: &mut Tally,
    ) -> Litter {
        let donors = Pool { own: members, others: [self.run.donors, self.champions] };
        let mut merged = BattBuilder::with_rules(&[]);
        let weave = span("weave");
        let mut roots: FixedSet<NodeId> =
            members.iter().map(|member| merged.add(member.program(), "")).collect();
        drop(weave);
        let mut children: Vec<Child> = Vec::new();
        let mut added = members.len();
        for _ in 0..self.run.config.children {
            let Some(parent) = pick(members.len(), &mut rng) else { break };
            let Member { parent: from, findings, .. } = &*members[parent];
            let context = Context { parent: from, donors: &donors, facts: &task.facts, findings };
            let mutation = span("mutate");
            let Some((operator, program)) = mutate(&context, &mut rng, self.rates, tally) else {
                continue;
            };
            drop(mutation);
            let _weave = span("weave");
            if roots.insert(merged.add(&program, "")) {
                children.push(Child { program, parent, operator, place: added });
            }
            added += 1;
        }
        let _weave = span("weave");
        Litter { steps: merged.steps(), batt: merged.finish(), children, added }
    }
}

/// The place of a member, the better ones more often: the best of two drawn.
fn pick(members: usize, rng: &mut ChaCha8Rng) -> Option<usize> {
    let n = members as u64;
    (n > 0).then(|| {
        let (one, other) = (rng.next_u64() % n, rng.next_u64() % n);
        one.min(other) as usize
    })
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

/// What `Population::settle` would make of all entrants, and the places of those that are new. Children
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
    task: &'a EvolveTask<'a>,
    columns: &'a [Column],
    /// By demo and grid: the similarity, and how near it is by all differs. Many children give the same grids.
    said: FixedMap<(usize, usize), (u32, u32)>,
    /// Runs the user's differs.
    machine: Machine,
}

impl Judge<'_> {
    fn codes(&self, node: NodeId) -> Vec<GridCode> {
        self.columns.iter().map(|column| column.codes[node.index()]).collect()
    }

    fn fitness(&mut self, node: NodeId, size: usize) -> Fitness {
        let mut fitness = Fitness { fits: 0, similarity: 0, near: 0, size: size as u32 };
        for (demo, (column, expected)) in
            self.columns.iter().zip(self.task.view.expected()).enumerate()
        {
            let Some(place) = column.codes[node.index()].grid() else { continue };
            let (similarity, near) = *self.said.entry((demo, place)).or_insert_with(|| {
                let grid = &column.grids[place];
                let similarity = u32::from(total(&Comparison::new(grid, expected)));
                (similarity, self.task.near(demo, grid, similarity, &mut self.machine))
            });
            fitness.fits += u32::from(similarity == u32::from(PERFECT));
            fitness.similarity += similarity;
            fitness.near += near;
        }
        let demos = (self.task.view.demo_count() as u32).max(1);
        fitness.similarity /= demos;
        fitness.near /= demos;
        fitness
    }
}
