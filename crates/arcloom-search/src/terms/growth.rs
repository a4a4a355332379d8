//! The terms of one task, level by level: a level is a cost.
//!
//! Every slot has its terms in buckets by what they cost there, so that the calls of a level are the
//! ways to choose one term per slot whose costs add up to it. What a call gives joins the buckets above
//! its level; those below are settled, and growth can stop and go on at any call.

use std::hash::{BuildHasher, Hash, Hasher};

use arcloom_dsl::Caller;
use arcloom_lang::{Builder, NodeId, Op, Program, infer};
use arcloom_value::{FixedHasher, FixedMap, Grid, PrimId, Ty, Value, fits};

use super::fragments::Fragment;
use super::grammar::{FillerId, Grammar, Rule, Slot, Step, TermCost};

/// Work units one call may take.
const CALL_BUDGET: u64 = 20_000;
/// What a call counts besides what it says it did.
const PER_CALL: u64 = 30;
/// No growth holds more than about this many bytes, nor more terms.
const MOST_BYTES: usize = 60 << 20;
const MOST_TERMS: usize = 400_000;
/// No side of a grid is longer.
const LONGEST_SIDE: usize = 30;
/// Terms do not get dearer than this.
const LAST_LEVEL: TermCost = 120;

type TermId = u32;
type TypeId = u16;

#[derive(Clone, Copy, Debug)]
enum Head {
    Input,
    Leaf(u16),
    Color,
    Step(Step),
}

#[derive(Clone, Copy, Debug)]
struct Term {
    head: Head,
    filler: FillerId,
    args: [TermId; 4],
    arity: u8,
    ty: TypeId,
    /// What its parts cost.
    inner: TermCost,
    /// The same on every input because it is written down.
    constant: bool,
}

/// A term whose values are grids, one per input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    term: TermId,
    /// Demos whose output it is.
    pub fits: usize,
    pub cost: TermCost,
}

/// Where growth stopped.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    level: TermCost,
    rule: usize,
    /// Cost and place of the first argument.
    first: (TermCost, usize),
}

/// All terms found so far.
pub struct TermGrowth<'g> {
    grammar: &'g Grammar,
    inputs: usize,
    targets: Vec<Grid>,
    terms: Vec<Term>,
    values: Vec<Value>,
    types: Vec<Ty>,
    seen: FixedMap<u64, TermId>,
    /// By slot and cost there.
    buckets: Vec<Vec<Vec<TermId>>>,
    /// Slots and costs for terms of a type with a filler.
    openings: FixedMap<(TypeId, FillerId), Vec<(u32, TermCost)>>,
    results: FixedMap<(PrimId, [TypeId; 4]), TypeId>,
    cursor: Cursor,
    caller: Caller,
    grids: Vec<Hit>,
    bytes: usize,
    /// Work done so far, in cells and elements looked at.
    pub work: u64,
}

impl<'g> TermGrowth<'g> {
    /// The growth of a task: the inputs of its demos and tests, and the outputs of the demos.
    pub fn new(grammar: &'g Grammar, inputs: &[Grid], targets: &[Grid]) -> TermGrowth<'g> {
        let mut growth = TermGrowth {
            grammar,
            inputs: inputs.len(),
            targets: targets.to_vec(),
            terms: Vec::new(),
            values: Vec::new(),
            types: Vec::new(),
            seen: FixedMap::default(),
            buckets: vec![Vec::new(); grammar.slots.len()],
            openings: FixedMap::default(),
            results: FixedMap::default(),
            cursor: Cursor { level: 1, ..Cursor::default() },
            caller: Caller::new(CALL_BUDGET),
            grids: Vec::new(),
            bytes: 0,
            work: 0,
        };
        let leaf = |head, filler, constant| Term {
            head,
            filler,
            args: [0; 4],
            arity: 0,
            ty: 0,
            inner: 0,
            constant,
        };
        let values = inputs.iter().map(|g| Value::Grid(g.clone())).collect();
        growth.add(leaf(Head::Input, grammar.input, false), &Ty::Grid, values);
        for color in colors(inputs, targets) {
            let term = leaf(Head::Color, grammar.color, true);
            growth.add(term, &Ty::COLOR, vec![Value::Int(color.into()); inputs.len()]);
        }
        for (number, known) in (0..).zip(&grammar.leaves) {
            let term = leaf(Head::Leaf(number), known.filler, true);
            growth.add(term, &known.ty, vec![known.value.clone(); inputs.len()]);
        }
        growth
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Never: the input is a term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The terms whose values are grids, in the order in which they were found.
    pub fn grids(&self) -> &[Hit] {
        &self.grids
    }

    /// The grids of a hit, one per input.
    pub fn values(&self, hit: Hit) -> impl Iterator<Item = &Grid> {
        self.row(hit.term).iter().filter_map(|value| match value {
            Value::Grid(grid) => Some(grid),
            _ => None,
        })
    }

    /// The program of a hit.
    pub fn program(&self, hit: Hit, name: &str) -> Program {
        let mut builder = Builder::default();
        let output = self.write(hit.term, &mut builder);
        builder.finish(name.to_owned(), output)
    }

    /// Grows until `work` is used up in all; says whether there is more to find.
    pub fn grow(&mut self, work: u64) -> bool {
        while self.cursor.level <= LAST_LEVEL {
            while let Some(&rule) = self.grammar.rules.get(self.cursor.rule) {
                let Cursor { level, first: (from, skip), .. } = self.cursor;
                let last = if rule.arity == 1 { level } else { level - 1 };
                let start = if rule.arity == 1 { level } else { from.max(1) };
                for cost in start..=last {
                    let skip = if cost == from { skip } else { 0 };
                    for place in skip..self.bucket(rule.slot, cost).len() {
                        if self.is_full() || self.work > work {
                            self.cursor.first = (cost, place);
                            return !self.is_full();
                        }
                        let mut args = [0; 4];
                        args[0] = self.bucket(rule.slot, cost)[place];
                        self.fill(rule, 1, level - cost, &mut args);
                    }
                }
                self.cursor = Cursor { rule: self.cursor.rule + 1, ..self.cursor };
                self.cursor.first = (0, 0);
            }
            self.cursor = Cursor { level: self.cursor.level + 1, ..Cursor::default() };
        }
        false
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_BYTES || self.terms.len() > MOST_TERMS
    }

    fn bucket(&self, slot: usize, cost: TermCost) -> &[TermId] {
        self.buckets[slot].get(usize::from(cost)).map_or(&[], Vec::as_slice)
    }

    /// Chooses the arguments from number `n` on so that they cost `left`, and makes the calls.
    fn fill(&mut self, rule: Rule, n: usize, left: TermCost, args: &mut [TermId; 4]) {
        if n == rule.arity {
            self.call(rule, args);
            return;
        }
        let is_last = n + 1 == rule.arity;
        let (start, last) = if is_last { (left, left) } else { (1, left.saturating_sub(1)) };
        for cost in start..=last {
            for place in 0..self.bucket(rule.slot + n, cost).len() {
                args[n] = self.bucket(rule.slot + n, cost)[place];
                self.fill(rule, n + 1, left - cost, args);
            }
        }
    }

    fn call(&mut self, rule: Rule, args: &[TermId; 4]) {
        let given = &args[..rule.arity];
        let constant = given.iter().all(|&a| self.terms[a as usize].constant);
        if constant {
            return;
        }
        let mut values = Vec::with_capacity(self.inputs);
        for input in 0..self.inputs {
            let given = args.map(|a| &self.values[a as usize * self.inputs + input]);
            let given = &given[..rule.arity];
            self.caller.reset();
            let outcome = match rule.step {
                Step::Call(prim) => self.caller.call_prim(prim, given).ok(),
                Step::Fragment(n) => {
                    self.grammar.fragments[usize::from(n)].run(given, &mut self.caller)
                }
            };
            self.work += PER_CALL + self.caller.spent();
            let Some(value) = outcome.map(|value| value.canonical()) else { return };
            if is_outlandish(&value) {
                return;
            }
            values.push(value);
        }
        if values.iter().all(|v| v.len() == Some(0)) {
            return;
        }
        let mut types = [TypeId::MAX; 4];
        for (ty, &arg) in types.iter_mut().zip(given) {
            *ty = self.terms[arg as usize].ty;
        }
        let ty = match rule.step {
            Step::Call(prim) => self.result_type(prim, rule.arity, types),
            Step::Fragment(n) => {
                let grammar = self.grammar;
                self.type_id(&grammar.fragments[usize::from(n)].ty)
            }
        };
        let (head, filler) = (Head::Step(rule.step), rule.filler);
        let (args, arity, inner) = (*args, rule.arity as u8, self.cursor.level);
        self.keep(Term { head, filler, args, arity, ty, inner, constant }, values);
    }

    fn result_type(&mut self, prim: PrimId, arity: usize, args: [TypeId; 4]) -> TypeId {
        if let Some(&known) = self.results.get(&(prim, args)) {
            return known;
        }
        let given: Vec<&Ty> = args[..arity].iter().map(|&t| &self.types[usize::from(t)]).collect();
        let ty = infer::call_result(prim, &given);
        let id = self.type_id(&ty);
        self.results.insert((prim, args), id);
        id
    }

    fn type_id(&mut self, ty: &Ty) -> TypeId {
        let known = self.types.iter().position(|t| t == ty);
        let id = known.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        });
        id as TypeId
    }

    fn add(&mut self, term: Term, ty: &Ty, values: Vec<Value>) {
        let ty = self.type_id(ty);
        self.keep(Term { ty, ..term }, values);
    }

    /// Keeps a term unless one with the same values and type is there.
    fn keep(&mut self, term: Term, values: Vec<Value>) {
        let mut hasher = FixedHasher.build_hasher();
        values.iter().for_each(|value| value.hash(&mut hasher));
        hasher.write_u16(term.ty);
        let id = self.terms.len() as TermId;
        if *self.seen.entry(hasher.finish()).or_insert(id) != id {
            return;
        }
        let size: usize = values.iter().map(bytes_of).sum();
        self.bytes += size + size_of::<Term>() + 32;
        if values.iter().all(|value| matches!(value, Value::Grid(_))) {
            let right =
                |(value, target): &(&Value, &Grid)| matches!(value, Value::Grid(g) if g == *target);
            let fits = values.iter().zip(&self.targets).filter(right).count();
            let cost = term.inner + self.grammar.result_cost(term.filler);
            self.grids.push(Hit { term: id, fits, cost });
        }
        self.terms.push(term);
        self.values.extend(values);
        let (grammar, types) = (self.grammar, &self.types);
        let openings = self.openings.entry((term.ty, term.filler)).or_insert_with(|| {
            let ty = &types[usize::from(term.ty)];
            let open = |(number, slot): (usize, &Slot)| {
                let cost = grammar.cost(number, term.filler)?;
                fits(&slot.ty, ty).then_some((number as u32, cost))
            };
            grammar.slots.iter().enumerate().filter_map(open).collect()
        });
        for &(slot, cost) in &*openings {
            let buckets = &mut self.buckets[slot as usize];
            let place = usize::from(term.inner + cost);
            if buckets.len() <= place {
                buckets.resize(place + 1, Vec::new());
            }
            buckets[place].push(id);
        }
    }

    fn row(&self, term: TermId) -> &[Value] {
        &self.values[term as usize * self.inputs..][..self.inputs]
    }

    fn write(&self, id: TermId, builder: &mut Builder) -> NodeId {
        let term = &self.terms[id as usize];
        match term.head {
            Head::Input => builder.node(Op::Input, &[]),
            Head::Color => builder.node(Op::Const(self.row(id)[0].clone()), &[]),
            Head::Leaf(number) => {
                let leaf = &self.grammar.leaves[usize::from(number)];
                match leaf.fragment {
                    Some(n) => inline(&self.grammar.fragments[usize::from(n)], &[], builder),
                    None => builder.node(Op::Const(leaf.value.clone()), &[]),
                }
            }
            Head::Step(step) => {
                let args = &term.args[..usize::from(term.arity)];
                let args: Vec<NodeId> = args.iter().map(|&a| self.write(a, builder)).collect();
                match step {
                    Step::Call(prim) => builder.node(Op::Call(prim), &args),
                    Step::Fragment(n) => {
                        inline(&self.grammar.fragments[usize::from(n)], &args, builder)
                    }
                }
            }
        }
    }
}

/// Writes a fragment with these in its holes.
fn inline(fragment: &Fragment, holes: &[NodeId], builder: &mut Builder) -> NodeId {
    let mut places: Vec<NodeId> = Vec::new();
    for node in &fragment.nodes {
        let args: Vec<NodeId> = node.args.iter().map(|a| places[a.index()]).collect();
        places.push(match node.op {
            Op::Param(k) => holes[usize::from(k)],
            _ => builder.node(node.op.clone(), &args),
        });
    }
    places[places.len() - 1]
}

/// The colours of a task.
fn colors(inputs: &[Grid], targets: &[Grid]) -> Vec<i8> {
    let mut colors: Vec<i8> =
        inputs.iter().chain(targets).flat_map(|g| g.cells().iter().copied()).collect();
    colors.push(0);
    colors.sort_unstable();
    colors.dedup();
    colors
}

/// Grids that no task has.
fn is_outlandish(value: &Value) -> bool {
    match value {
        Value::Grid(g) => {
            g.height() > LONGEST_SIDE
                || g.width() > LONGEST_SIDE
                || g.cells().iter().any(|c| !(0..10).contains(c))
        }
        _ => false,
    }
}

fn bytes_of(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::Grid(grid) => grid.cells().len() + 16,
            Value::Patch(patch) => patch.words().len() * 8 + 40,
            Value::Tuple(seq) | Value::Set(seq) => seq.bulk().weight as usize * 8,
            _ => 0,
        }
}

#[cfg(test)]
mod tests {
    use arcloom_lang::{load_file, load_snippet, text};

    use super::*;
    use crate::terms::{CallCounts, fragments};

    fn grid(rows: &[&[i8]]) -> Grid {
        Grid::from_rows(rows).unwrap()
    }

    /// What its terms are learned from: programs like those that are looked for.
    fn grammar() -> Grammar {
        let text = "def solve_a(I):\n    return subgrid(argmax(objects(I, T, F, T), size), I)\n\
                    def solve_b(I):\n    return hmirror(fill(I, TWO, ofcolor(I, THREE)))\n\
                    def solve_c(I):\n    return fill(I, ONE, mfilter(objects(I, T, F, T), compose(flip, square)))\n";
        let programs = load_file(text).programs;
        let mut counts = CallCounts::default();
        programs.iter().for_each(|program| counts.add(program, 0));
        let fragments: Vec<Fragment> =
            fragments::learn(&programs).into_iter().map(|(f, _)| f).collect();
        let uses = fragments::uses(&fragments, &programs);
        Grammar::new(&counts, None, fragments, &uses)
    }

    fn solution(inputs: &[Grid], targets: &[Grid], work: u64) -> Option<String> {
        let grammar = grammar();
        let mut growth = TermGrowth::new(&grammar, inputs, targets);
        growth.grow(work);
        let hit = growth.grids().iter().copied().find(|hit| hit.fits == targets.len())?;
        assert_eq!(growth.values(hit).take(targets.len()).cloned().collect::<Vec<_>>(), targets);
        Some(text::one_line(&growth.program(hit, "solve")))
    }

    #[test]
    fn finds_what_the_demos_say() {
        let inputs = [grid(&[&[0, 5, 5], &[0, 0, 5], &[7, 0, 0]]), grid(&[&[4, 0], &[4, 0]])];
        let targets = [grid(&[&[7, 0, 0], &[0, 0, 5], &[0, 5, 5]])];
        assert_eq!(solution(&inputs, &targets, 1_000_000).unwrap(), "return hmirror(I)");
        let targets = [grid(&[&[5, 5], &[0, 5]])];
        let found = solution(&inputs, &targets, 1_000_000).unwrap();
        assert_eq!(found, "return subgrid(argmax(objects(I, T, F, T), size), I)");
    }

    #[test]
    fn functions_of_the_library_are_written_out() {
        let input = grid(&[&[0, 5, 5, 0], &[0, 0, 0, 0], &[5, 0, 0, 0]]);
        let target = grid(&[&[0, 1, 1, 0], &[0, 0, 0, 0], &[5, 0, 0, 0]]);
        let found = solution(&[input], &[target], 1_000_000).unwrap();
        assert!(found.contains("compose(flip, square)"), "{found}");
        assert!(load_snippet(&found.replace("return ", "O = ")).is_ok(), "{found}");
    }

    #[test]
    fn growing_in_parts_is_growing_at_once() {
        let inputs = [grid(&[&[0, 5, 5], &[0, 0, 5], &[7, 0, 0]]), grid(&[&[4, 0], &[4, 0]])];
        let targets = [grid(&[&[9]])];
        let grammar = grammar();
        let mut at_once = TermGrowth::new(&grammar, &inputs, &targets);
        at_once.grow(400_000);
        let mut in_parts = TermGrowth::new(&grammar, &inputs, &targets);
        for part in 1..=100 {
            in_parts.grow(part * 4_000);
        }
        // A part may end a call later than it should: one more call of each at the most.
        let written = |growth: &TermGrowth<'_>, n: usize| {
            let hits = growth.grids()[..n].iter();
            hits.map(|hit| text::one_line(&growth.program(*hit, "p"))).collect::<Vec<_>>()
        };
        let n = at_once.grids().len().min(in_parts.grids().len());
        assert!(n > 100 && at_once.grids().len() - n < 5);
        assert_eq!(written(&at_once, n), written(&in_parts, n));
    }
}
