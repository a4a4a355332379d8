//! Counts as costs: which terms may stand where, and for how much.

use std::collections::BTreeSet;

use arcloom_dsl::{Class, Registry};
use arcloom_lang::infer;
use arcloom_value::{FixedMap, PrimId, Role, Ty, Value};

use super::counts::{CallCounts, Filler, TermPlace};
use super::fragments::{Fragment, Uses};

/// The cost of a term, in half bits.
pub type TermCost = u16;

/// What may stand somewhere, as a number.
pub(super) type FillerId = u16;

const NEVER: u8 = u8::MAX;
/// No filler of a place costs more than this.
const DEAREST: f64 = 60.0;
/// How many uses of a place are taken to be spread over everything of its type.
const SPREAD: f64 = 3.0;
/// What one colour costs beyond any colour: about a third of them occur in a task.
const ONE_COLOR: u8 = 3;

/// What terms are made of.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(super) rules: Vec<Rule>,
    pub(super) slots: Vec<Slot>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) fragments: Vec<Fragment>,
    /// The filler that every colour counts as.
    pub(super) color: FillerId,
    pub(super) input: FillerId,
    /// By slot, then by filler.
    costs: Vec<u8>,
    /// Costs as the result of a program.
    results: Vec<u8>,
    fillers: usize,
}

/// What a term with arguments does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Call(PrimId),
    /// A fragment, by its place in the list of them.
    Fragment(u16),
}

/// A way to make a term of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) step: Step,
    pub(super) filler: FillerId,
    /// Its arguments are the slots from here on.
    pub(super) slot: usize,
    pub(super) arity: usize,
}

/// An argument of a rule.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) ty: Ty,
    /// Takes only what was seen there.
    pub(super) strict: bool,
}

impl Slot {
    fn new(ty: &Ty) -> Slot {
        Slot { ty: ty.clone(), strict: is_strict(ty) }
    }
}

/// A term without arguments.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) filler: FillerId,
    pub(super) value: Value,
    pub(super) ty: Ty,
    /// For a fragment without holes its place in the list of them.
    pub(super) fragment: Option<u16>,
}

/// Fillers by number.
#[derive(Default)]
struct Numbers {
    ids: FixedMap<Filler, FillerId>,
    len: usize,
}

impl Numbers {
    fn of(&mut self, filler: Filler) -> FillerId {
        let next = self.len as FillerId;
        let id = *self.ids.entry(filler).or_insert(next);
        self.len += usize::from(id == next);
        id
    }

    fn fresh(&mut self) -> FillerId {
        self.len += 1;
        self.len as FillerId - 1
    }
}

impl Grammar {
    /// The grammar of the counts without one fold, with fragments and where they were used.
    pub fn new(
        counts: &CallCounts,
        without: Option<u8>,
        fragments: Vec<Fragment>,
        uses: &[Uses],
    ) -> Grammar {
        let registry = Registry::get();
        let mut numbers = Numbers::default();
        let (color, input) = (numbers.fresh(), numbers.of(Filler::Input));
        let counted: Vec<(TermPlace, Filler, u32)> = counts.without(without).collect();
        let called: BTreeSet<PrimId> = counted
            .iter()
            .filter_map(|(place, ..)| match place {
                TermPlace::Argument(prim, _) => Some(*prim),
                TermPlace::Result => None,
            })
            .filter(|prim| registry.primitive(*prim).class != Class::Samples)
            .collect();
        let mut rules = Vec::new();
        let mut slots = Vec::new();
        let mut slot_of: FixedMap<TermPlace, usize> = FixedMap::default();
        for prim in called {
            let sig = registry.sig(prim);
            let (slot, arity) = (slots.len(), sig.params.len());
            let (step, filler) = (Step::Call(prim), numbers.of(Filler::Call(prim)));
            rules.push(Rule { step, filler, slot, arity });
            for (n, param) in (0..).zip(&sig.params) {
                slot_of.insert(TermPlace::Argument(prim, n), slots.len());
                slots.push(Slot::new(bounded(param, &sig.bounds)));
            }
        }
        // Slots of fragments follow those of calls.
        let mut of_fragments: Vec<(FillerId, usize)> = Vec::new();
        for (number, fragment) in (0..).zip(&fragments) {
            let (filler, slot) = (numbers.fresh(), slots.len());
            of_fragments.push((filler, slot));
            slots.extend(fragment.holes.iter().map(Slot::new));
            if fragment.arity() > 0 {
                let (step, arity) = (Step::Fragment(number), fragment.arity());
                rules.push(Rule { step, filler, slot, arity });
            }
        }

        let mut leaves: Vec<Leaf> = Vec::new();
        let mut known: BTreeSet<(Filler, Ty)> = BTreeSet::new();
        // By slot, with the results as the last one.
        let mut seen: Vec<Vec<(FillerId, u32)>> = vec![Vec::new(); slots.len() + 1];
        for &(place, filler, n) in &counted {
            let number = slot_of.get(&place).copied();
            let slot = number.map(|n| &slots[n]);
            let ty = match (filler, slot.map(|s| &s.ty)) {
                (Filler::Int(_), Some(Ty::Int(role))) => Ty::Int(*role),
                (Filler::Int(_), _) => Ty::INT,
                (Filler::Pair(..), _) => Ty::Pair,
                (Filler::Function(prim), _) => infer::type_of(&Value::Prim(prim)),
                (Filler::Input | Filler::Call(_), _) => Ty::Any,
            };
            let id = match filler {
                Filler::Int(_) if ty == Ty::COLOR => color,
                filler => numbers.of(filler),
            };
            let value = match filler {
                Filler::Int(n) if ty != Ty::COLOR => Some(Value::Int(n)),
                Filler::Pair(a, b) => Some(Value::Pair(a, b)),
                Filler::Function(prim) => Some(Value::Prim(prim)),
                _ => None,
            };
            if let Some(value) = value
                && known.insert((filler, ty.clone()))
            {
                leaves.push(Leaf { filler: id, value, ty, fragment: None });
            }
            let list = &mut seen[number.unwrap_or(slots.len())];
            match list.iter_mut().find(|(f, _)| *f == id) {
                Some((_, sum)) => *sum += n,
                None => list.push((id, n)),
            }
        }
        let results = slots.len();
        for (number, ((fragment, uses), &(filler, slot))) in
            (0..).zip(fragments.iter().zip(uses).zip(&of_fragments))
        {
            if let Some(value) = &fragment.value {
                let (value, ty) = (value.clone(), fragment.ty.clone());
                leaves.push(Leaf { filler, value, ty, fragment: Some(number) });
            }
            for (place, &n) in &uses.places {
                seen[slot_of.get(place).copied().unwrap_or(results)].push((filler, n));
            }
            // One that nobody uses yet may be anything's argument, and is dear.
            if uses.places.is_empty() {
                seen[results].push((filler, 1));
            }
            for (n, counts) in uses.fillers.iter().enumerate() {
                let is_color = slots[slot + n].ty == Ty::COLOR;
                for (&part, &count) in counts {
                    let id = match part {
                        Filler::Int(_) if is_color => color,
                        part => numbers.of(part),
                    };
                    seen[slot + n].push((id, count));
                }
            }
        }
        let fillers = numbers.len;
        let mut shares = vec![0.0; fillers];
        let all: u32 = seen.iter().flatten().map(|(_, n)| n).sum();
        for &(filler, n) in seen.iter().flatten() {
            shares[usize::from(filler)] += f64::from(n) / f64::from(all.max(1));
        }
        let strict = |slot: usize| slots.get(slot).is_some_and(|s| s.strict);
        let costs = (0..=slots.len())
            .flat_map(|slot| row(&seen[slot], &shares, strict(slot), color))
            .collect::<Vec<u8>>();
        let results = costs[slots.len() * fillers..].to_vec();
        Grammar { rules, slots, leaves, fragments, color, input, costs, results, fillers }
    }

    /// What it costs to put this into a slot, beyond what is inside of it.
    #[inline]
    pub(super) fn cost(&self, slot: usize, filler: FillerId) -> Option<TermCost> {
        let cost = self.costs[slot * self.fillers + usize::from(filler)];
        (cost != NEVER).then_some(cost.into())
    }

    /// What it costs as the result.
    pub(super) fn result_cost(&self, filler: FillerId) -> TermCost {
        self.results[usize::from(filler)].into()
    }
}

/// A variable stands for its bound.
pub(super) fn bounded<'a>(param: &'a Ty, bounds: &'a [Ty]) -> &'a Ty {
    match param {
        Ty::Var(v) => bounds.get(usize::from(*v)).unwrap_or(&Ty::Any),
        other => other,
    }
}

/// Types that say too little, or whose values are a choice of a few.
fn is_strict(ty: &Ty) -> bool {
    match ty {
        Ty::Int(role) => !matches!(role, Role::Number | Role::Color),
        ty => matches!(ty, Ty::Fn(..) | Ty::Var(_) | Ty::Any | Ty::Num),
    }
}

/// The costs of all fillers of one slot.
fn row(seen: &[(FillerId, u32)], shares: &[f64], strict: bool, color: FillerId) -> Vec<u8> {
    let total: u32 = seen.iter().map(|(_, n)| n).sum();
    let mut counts = vec![0u32; shares.len()];
    seen.iter().for_each(|&(filler, n)| counts[usize::from(filler)] += n);
    let cost = |(filler, (&n, share)): (usize, (&u32, &f64))| {
        if n == 0 && (strict || *share == 0.0) {
            return NEVER;
        }
        let p = (f64::from(n) + SPREAD * share) / (f64::from(total) + SPREAD);
        let cost = (-2.0 * p.log2()).round().clamp(1.0, DEAREST) as u8;
        cost + if filler == usize::from(color) { ONE_COLOR } else { 0 }
    };
    counts.iter().zip(shares).enumerate().map(cost).collect()
}
