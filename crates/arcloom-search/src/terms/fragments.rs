//! Fragments: what programs have in common, as single steps.
//!
//! A fragment is a few calls with holes, `(fill #0 #1 (delta #2))`, or without any: a function that
//! programs build the same way, `(compose flip square)`. [`learn`] finds those that programs of several
//! tasks share. They can also be read from a file, and so come from another tool that looks for common
//! parts: the text of a fragment is that of Stitch's abstractions, see [`super::stitch`].

use std::collections::{BTreeMap, BTreeSet};

use arcloom_dsl::{Caller, Registry};
use arcloom_lang::{Node, NodeId, Op, Program, infer};
use arcloom_value::{PrimId, Ty, Value};

use super::counts::{Filler, TermPlace};
use super::stitch;

/// Fragments that are kept, and in how many tasks one must occur.
const MOST: usize = 300;
const TASKS: usize = 3;
/// Calls and holes of a fragment at most.
const MOST_CALLS: usize = 4;
pub(super) const MOST_HOLES: usize = 3;
/// Ways to cut one node that are looked at.
const MOST_CUTS: usize = 60;

/// Calls with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Arguments first; a hole is a parameter. The last one is the result.
    pub(super) nodes: Vec<Node>,
    /// What goes into each hole.
    pub(super) holes: Vec<Ty>,
    pub(super) ty: Ty,
    /// The function that a fragment without holes is.
    pub(super) value: Option<Value>,
}

/// Where a fragment stood, and what was in its holes.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    pub(super) places: BTreeMap<TermPlace, u32>,
    pub(super) fillers: Vec<BTreeMap<Filler, u32>>,
}

impl Fragment {
    /// A fragment of these nodes; `None` when it is not one that a step can be made of: one call is a
    /// step already, and what has no hole has to be a function.
    pub fn new(nodes: Vec<Node>) -> Option<Fragment> {
        let registry = Registry::get();
        let count = nodes.iter().filter_map(|n| hole(n).map(|k| k + 1)).max().unwrap_or(0);
        if count > MOST_HOLES || calls(&nodes) < usize::from(count > 0) + 1 {
            return None;
        }
        let mut holes: Vec<Option<Ty>> = vec![None; count];
        for node in &nodes {
            let Op::Call(prim) = node.op else { continue };
            let sig = registry.sig(prim);
            for (param, arg) in sig.params.iter().zip(&node.args) {
                if let Some(k) = hole(nodes.get(arg.index())?) {
                    let ty = super::grammar::bounded(param, &sig.bounds);
                    holes[k].get_or_insert_with(|| ty.clone());
                }
            }
        }
        let holes: Vec<Ty> = holes.into_iter().collect::<Option<_>>()?;
        let mut types: Vec<Ty> = Vec::new();
        for node in &nodes {
            let args: Vec<&Ty> = node.args.iter().map(|a| &types[a.index()]).collect();
            types.push(match hole(node) {
                Some(k) => holes[k].clone(),
                None => infer::node_type(&node.op, &args),
            });
        }
        let ty = types.pop()?;
        let mut fragment = Fragment { nodes, holes, ty, value: None };
        if fragment.holes.is_empty() {
            fragment.value = fragment.run(&[], &mut Caller::default()).filter(Value::is_function);
            fragment.value.as_ref()?;
        }
        Some(fragment)
    }

    /// What it gives for these arguments.
    pub(super) fn run(&self, args: &[&Value], caller: &mut Caller) -> Option<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match &node.op {
                Op::Param(k) => (*args.get(usize::from(*k))?).clone(),
                Op::Const(value) => value.clone(),
                Op::Call(prim) => {
                    let given: Vec<&Value> = node.args.iter().map(|a| &values[a.index()]).collect();
                    caller.call_prim(*prim, &given).ok()?
                }
                _ => return None,
            };
            values.push(value);
        }
        values.pop()
    }

    /// The fragment as text: `(fill #0 #1 (delta #2))`.
    pub fn text(&self) -> String {
        stitch::body(&self.nodes)
    }

    /// Number of holes.
    pub fn arity(&self) -> usize {
        self.holes.len()
    }

    /// Number of calls.
    pub fn calls(&self) -> usize {
        calls(&self.nodes)
    }

    /// What is in the holes where the fragment is a part of a program; `None` where it is not.
    pub fn occurs(&self, program: &Program, at: NodeId) -> Option<Vec<NodeId>> {
        let mut found: Vec<Option<NodeId>> = vec![None; self.arity()];
        let last = self.nodes.len().checked_sub(1)?;
        self.matches(last, program, at, &mut found).then_some(())?;
        found.into_iter().collect()
    }

    fn matches(
        &self,
        own: usize,
        program: &Program,
        at: NodeId,
        found: &mut [Option<NodeId>],
    ) -> bool {
        let (own, node) = (&self.nodes[own], program.node(at));
        if let Some(k) = hole(own) {
            return *found[k].get_or_insert(at) == at;
        }
        own.op == node.op
            && own.args.len() == node.args.len()
            && own
                .args
                .iter()
                .zip(&node.args)
                .all(|(own, &at)| self.matches(own.index(), program, at, found))
    }
}

fn hole(node: &Node) -> Option<usize> {
    match node.op {
        Op::Param(k) => Some(usize::from(k)),
        _ => None,
    }
}

fn calls(nodes: &[Node]) -> usize {
    nodes.iter().filter(|n| matches!(n.op, Op::Call(_))).count()
}

/// How fragments are used in these programs.
pub fn uses<'a>(
    fragments: &[Fragment],
    programs: impl IntoIterator<Item = &'a Program>,
) -> Vec<Uses> {
    let fresh =
        |f: &Fragment| Uses { fillers: vec![BTreeMap::new(); f.arity()], ..Uses::default() };
    let mut all: Vec<Uses> = fragments.iter().map(fresh).collect();
    let mut by_head: BTreeMap<PrimId, Vec<usize>> = BTreeMap::new();
    for (n, fragment) in fragments.iter().enumerate() {
        if let Some(Op::Call(prim)) = fragment.nodes.last().map(|node| &node.op) {
            by_head.entry(*prim).or_default().push(n);
        }
    }
    for program in programs {
        let mut places: BTreeMap<NodeId, Vec<TermPlace>> = BTreeMap::new();
        for node in program.nodes() {
            if let Op::Call(prim) = node.op {
                for (n, &arg) in (0..).zip(&node.args) {
                    places.entry(arg).or_default().push(TermPlace::Argument(prim, n));
                }
            }
        }
        places.entry(program.output()).or_default().push(TermPlace::Result);
        for (at, places) in places {
            let Op::Call(prim) = program.node(at).op else { continue };
            for &n in by_head.get(&prim).into_iter().flatten() {
                let Some(filled) = fragments[n].occurs(program, at) else { continue };
                for place in &places {
                    *all[n].places.entry(*place).or_default() += 1;
                }
                for (counts, node) in all[n].fillers.iter_mut().zip(filled) {
                    if let Some(filler) = Filler::of(program.node(node)) {
                        *counts.entry(filler).or_default() += 1;
                    }
                }
            }
        }
    }
    all
}

/// A way to cut a part out of a program.
#[derive(Clone)]
enum Cut {
    Hole(NodeId),
    Keep(NodeId, Vec<Cut>),
}

/// The fragments that programs of several tasks have in common, the ones that save most calls first,
/// with the number of tasks. Functions without holes are kept even if they occur once.
pub fn learn<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Vec<(Fragment, usize)> {
    let mut found: BTreeMap<String, (Fragment, BTreeSet<&str>)> = BTreeMap::new();
    for program in programs {
        let closed = closed(program);
        for (n, node) in program.nodes().iter().enumerate() {
            if !matches!(node.op, Op::Call(_)) {
                continue;
            }
            let at = NodeId(n as u32);
            for cut in cuts(program, &closed, at, MOST_CALLS) {
                let Cut::Keep(..) = cut else { continue };
                let mut nodes = Vec::new();
                write(program, &cut, &mut nodes, &mut Vec::new());
                let text = stitch::body(&nodes);
                if let Some((_, tasks)) = found.get_mut(&text) {
                    tasks.insert(program.task());
                } else if let Some(fragment) = Fragment::new(nodes) {
                    found.insert(text, (fragment, BTreeSet::from([program.task()])));
                }
            }
        }
    }
    let is_kept = |f: &Fragment, tasks: usize| tasks >= TASKS || f.arity() == 0;
    let kept = found.into_values().map(|(fragment, tasks)| (fragment, tasks.len()));
    let mut kept: Vec<(Fragment, usize)> = kept.filter(|(f, n)| is_kept(f, *n)).collect();
    kept.sort_by_key(|(f, tasks)| {
        std::cmp::Reverse((tasks - 1) * (f.calls() - usize::from(f.arity() > 0)))
    });
    let mut open = 0;
    kept.retain(|(f, _)| {
        open += usize::from(f.arity() > 0);
        f.arity() == 0 || open <= MOST
    });
    kept
}

/// Which nodes do not depend on the input.
fn closed(program: &Program) -> Vec<bool> {
    let mut closed: Vec<bool> = Vec::new();
    for node in program.nodes() {
        let own = matches!(node.op, Op::Const(_) | Op::Call(_));
        closed.push(own && node.args.iter().all(|a| closed[a.index()]));
    }
    closed
}

/// The ways to cut at a node with up to so many calls: left whole if it is closed, else a hole, or kept
/// with its arguments cut in turn.
fn cuts(program: &Program, closed: &[bool], at: NodeId, most: usize) -> Vec<Cut> {
    let node = program.node(at);
    let whole = |program: &Program, at: NodeId| -> Cut {
        fn keep(program: &Program, at: NodeId) -> Cut {
            Cut::Keep(at, program.node(at).args.iter().map(|&a| keep(program, a)).collect())
        }
        keep(program, at)
    };
    if closed[at.index()] {
        let is_color = matches!(&node.op, Op::Const(Value::Int(n)) if *n > 1);
        return vec![if is_color { Cut::Hole(at) } else { whole(program, at) }];
    }
    let mut all = vec![Cut::Hole(at)];
    if most == 0 || !matches!(node.op, Op::Call(_)) {
        return all;
    }
    let mut ways: Vec<(Vec<Cut>, usize)> = vec![(Vec::new(), most - 1)];
    for &arg in &node.args {
        let mut next = Vec::new();
        for (before, left) in &ways {
            for cut in cuts(program, closed, arg, *left) {
                let taken = open_calls(&cut, closed);
                let mut args = before.clone();
                args.push(cut);
                next.push((args, left - taken.min(*left)));
            }
        }
        next.truncate(MOST_CUTS);
        ways = next;
    }
    all.extend(ways.into_iter().map(|(args, _)| Cut::Keep(at, args)));
    all
}

fn open_calls(cut: &Cut, closed: &[bool]) -> usize {
    match cut {
        Cut::Keep(at, args) if !closed[at.index()] => {
            1 + args.iter().map(|a| open_calls(a, closed)).sum::<usize>()
        }
        _ => 0,
    }
}

/// Writes a cut as nodes; what is in the same hole twice is the same hole.
fn write(program: &Program, cut: &Cut, nodes: &mut Vec<Node>, holes: &mut Vec<NodeId>) -> NodeId {
    let node = match cut {
        Cut::Hole(at) => {
            let known = holes.iter().position(|h| h == at);
            let k = known.unwrap_or_else(|| {
                holes.push(*at);
                holes.len() - 1
            });
            Node { op: Op::Param(k as u16), args: Default::default() }
        }
        Cut::Keep(at, args) => {
            let args = args.iter().map(|arg| write(program, arg, nodes, holes)).collect();
            Node { op: program.node(*at).op.clone(), args }
        }
    };
    let known = nodes.iter().position(|n| *n == node);
    NodeId(known.unwrap_or_else(|| {
        nodes.push(node);
        nodes.len() - 1
    }) as u32)
}

#[cfg(test)]
mod tests {
    use arcloom_lang::load_file;

    use super::*;

    #[test]
    fn what_three_tasks_share_is_found_with_its_holes() {
        let text = "def solve_a(I):\n    x1 = objects(I, T, F, T)\n    return fill(I, THREE, mapply(delta, x1))\n\
                    def solve_b(I):\n    x1 = fgpartition(I)\n    return fill(I, FOUR, mapply(delta, x1))\n\
                    def solve_c(I):\n    x1 = hmirror(I)\n    x2 = partition(x1)\n\
                    \x20   return hmirror(fill(x1, TWO, mapply(delta, x2)))\n";
        let programs = load_file(text).programs;
        let learned = learn(&programs);
        let texts: Vec<String> = learned.iter().map(|(f, _)| f.text()).collect();
        assert_eq!(texts, ["(fill #0 #1 (mapply delta #2))"]);
        assert_eq!(learned[0].1, 3);
        let fragments: Vec<Fragment> = learned.into_iter().map(|(f, _)| f).collect();
        let uses = uses(&fragments, &programs);
        assert_eq!(uses[0].places.values().sum::<u32>(), 3);
        assert_eq!(uses[0].fillers[0].len(), 2, "{:?}", uses[0].fillers[0]);
    }

    #[test]
    fn closed_functions_are_found_and_open_ones_are_not() {
        let text = "def solve_a(I):\n    x1 = objects(I, T, F, T)\n    x2 = compose(flip, square)\n\
                    \x20   x3 = sfilter(x1, x2)\n    x4 = rbind(bordering, I)\n    x5 = mfilter(x3, x4)\n\
                    \x20   return fill(I, 2, x5)\n";
        let learned = learn(&load_file(text).programs);
        assert_eq!(learned.len(), 1);
        assert!(learned[0].0.value.as_ref().is_some_and(Value::is_function));
    }
}
