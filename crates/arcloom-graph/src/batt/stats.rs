//! What merging saved, in figures.
//!
//! A *step* is a node that computes something; constants and inputs are counted apart. A step is
//! *shared* when it takes part in more than one program.

use std::collections::BTreeMap;

use arcloom_dsl::{Class, CostClass, Registry};
use arcloom_lang::program::is_step;
use arcloom_lang::{Node, NodeId, Op, Program};

use crate::batt::graph::Batt;

/// Nodes by what they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NameCount {
    /// Calls and what else computes something.
    pub steps: usize,
    /// Constants, named functions included.
    pub constants: usize,
    /// `I`, `S` and `C`.
    pub inputs: usize,
}

impl NameCount {
    /// The nodes of a graph or program.
    pub fn of<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> NameCount {
        nodes.into_iter().fold(NameCount::default(), |mut count, node| {
            match &node.op {
                op if is_step(op) => count.steps += 1,
                Op::Const(_) => count.constants += 1,
                _ => count.inputs += 1,
            }
            count
        })
    }

    /// The nodes of many programs, each counted on its own.
    pub fn of_programs<'a>(programs: impl IntoIterator<Item = &'a Program>) -> NameCount {
        NameCount::of(programs.into_iter().flat_map(Program::nodes))
    }

    /// All nodes.
    pub fn nodes(&self) -> usize {
        self.steps + self.constants + self.inputs
    }
}

/// Figures about a batt.
#[derive(Debug, Clone)]
pub struct Stats {
    /// Its nodes.
    pub count: NameCount,
    /// Steps on the longest way from an input to a result.
    pub depth: usize,
    /// One per program, in the order of the roots.
    pub programs: Vec<ProgramStats>,
    /// Steps by what the time of a call grows with; calls of computed functions as [`CostClass::Search`].
    pub by_cost: BTreeMap<CostClass, usize>,
    /// Calls of primitives by family.
    pub by_class: BTreeMap<Class, usize>,
    /// For each node the number of programs it takes part in.
    pub users: Vec<u32>,
    /// Programs that end in the same node, by index; those alone are left out.
    pub duplicates: Vec<Vec<usize>>,
}

/// Figures about one program of a batt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramStats {
    /// Its steps in the batt.
    pub steps: usize,
    /// Those that another program has too.
    pub shared: usize,
    /// Steps on its longest way from an input to the result.
    pub depth: usize,
}

impl Stats {
    /// The figures of a batt.
    pub fn new(batt: &Batt) -> Stats {
        let nodes = batt.nodes();
        let mut depth = vec![0; nodes.len()];
        for (n, node) in nodes.iter().enumerate() {
            let below = node.args.iter().map(|arg| depth[arg.index()]).max().unwrap_or(0);
            depth[n] = below + usize::from(is_step(&node.op));
        }
        let (users, steps) = walk_programs(batt);
        let programs = batt.roots().iter().zip(&steps).map(|(root, steps)| ProgramStats {
            steps: steps.len(),
            shared: steps.iter().filter(|id| users[id.index()] > 1).count(),
            depth: depth[root.node.index()],
        });
        let (mut by_cost, mut by_class) = (BTreeMap::new(), BTreeMap::new());
        for node in nodes.iter().filter(|node| is_step(&node.op)) {
            *by_cost.entry(cost(&node.op)).or_default() += 1;
            if let Op::Call(id) = node.op {
                *by_class.entry(Registry::get().primitive(id).class).or_default() += 1;
            }
        }
        Stats {
            count: NameCount::of(nodes),
            depth: batt.roots().iter().map(|root| depth[root.node.index()]).max().unwrap_or(0),
            programs: programs.collect(),
            by_cost,
            by_class,
            users,
            duplicates: duplicates(batt),
        }
    }

    /// Steps that more than one program has.
    pub fn shared(&self, batt: &Batt) -> usize {
        self.most_shared(batt).len()
    }

    /// Steps that more than one program has, those of the most programs first.
    pub fn most_shared(&self, batt: &Batt) -> Vec<(NodeId, u32)> {
        let mut shared: Vec<(NodeId, u32)> = (0..)
            .map(NodeId)
            .zip(self.users.iter().copied())
            .filter(|&(id, users)| users > 1 && is_step(&batt.nodes()[id.index()].op))
            .collect();
        shared.sort_by_key(|&(id, users)| (std::cmp::Reverse(users), id));
        shared
    }
}

/// What the time of a step grows with.
pub fn cost(op: &Op) -> CostClass {
    match op {
        Op::Call(id) => Registry::get().primitive(*id).cost,
        Op::Apply => CostClass::Search,
        _ => CostClass::Scalar,
    }
}

/// For each node how many programs it takes part in, and the steps of each program. Programs that end
/// in the same node are walked once.
fn walk_programs(batt: &Batt) -> (Vec<u32>, Vec<Vec<NodeId>>) {
    let nodes = batt.nodes();
    let mut users = vec![0; nodes.len()];
    let mut seen = vec![usize::MAX; nodes.len()];
    let mut first: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut steps: Vec<Vec<NodeId>> = Vec::with_capacity(batt.roots().len());
    let mut repeats = vec![0; batt.roots().len()];
    for (n, root) in batt.roots().iter().enumerate() {
        if let Some(&earlier) = first.get(&root.node) {
            repeats[earlier] += 1;
            steps.push(steps[earlier].clone());
            continue;
        }
        first.insert(root.node, n);
        let mut found = Vec::new();
        let mut stack = vec![root.node];
        while let Some(id) = stack.pop() {
            if seen[id.index()] == n {
                continue;
            }
            seen[id.index()] = n;
            users[id.index()] += 1;
            if is_step(&nodes[id.index()].op) {
                found.push(id);
            }
            stack.extend(nodes[id.index()].args.iter().copied());
        }
        steps.push(found);
    }
    // A step counts for every program that ends in the same node.
    for (n, &more) in repeats.iter().enumerate().filter(|(_, more)| **more > 0) {
        steps[n].iter().for_each(|id| users[id.index()] += more);
    }
    (users, steps)
}

fn duplicates(batt: &Batt) -> Vec<Vec<usize>> {
    let mut ends: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (n, root) in batt.roots().iter().enumerate() {
        ends.entry(root.node).or_default().push(n);
    }
    let mut groups: Vec<Vec<usize>> = ends.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}

#[cfg(test)]
mod tests {
    use arcloom_lang::load_file;

    use super::*;
    use crate::batt::BattBuilder;

    #[test]
    fn shared_steps_are_counted_for_each_program() {
        let loaded = load_file(
            "def solve_a(I):\n    return hconcat(rot90(I), I)\n\n\
             def solve_b(I):\n    return vmirror(rot90(I))\n\n\
             def solve_c(I):\n    return vmirror(rot90(I))\n",
        );
        let mut builder = BattBuilder::with_rules(&[]);
        for program in &loaded.programs {
            builder.add(program, program.task());
        }
        let batt = builder.finish();
        let stats = Stats::new(&batt);
        assert_eq!(NameCount::of_programs(&loaded.programs).steps, 6);
        assert_eq!(stats.count, NameCount { steps: 3, constants: 0, inputs: 1 });
        let shared: Vec<(usize, usize)> =
            stats.programs.iter().map(|p| (p.shared, p.steps)).collect();
        assert_eq!(shared, [(1, 2), (2, 2), (2, 2)]);
        assert_eq!(stats.duplicates, [[1, 2]]);
        assert_eq!(stats.most_shared(&batt)[0].1, 3, "rot90(I) is in all of them");
        assert_eq!(stats.depth, 2);
    }
}
