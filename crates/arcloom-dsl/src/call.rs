//! Calling functions: the failure type, the budget of one call, and the interpreter of closures.

use arcloom_value::{Closure, Code, CodeStep, Grid, PrimId, Slot, Value};
use smallvec::SmallVec;

use crate::flat::Layout;
use crate::fused;
use crate::memo::Memo;
use crate::record::Call;
use crate::registry::Registry;
use crate::stop::Stop;
use crate::toll;

/// The result of a call: a value, or why there is none.
pub type Outcome = Result<Value, EvalError>;

/// How deep values may nest; keeps comparing and dropping them within the stack.
const MAX_DEPTH: u32 = 256;
/// How much a value may hold for each unit of a step's budget.
const WEIGHT_PER_UNIT: u64 = 4;
/// Units of work after which a step asks whether to stop: a fraction of a millisecond of work.
const SLICE: u64 = 1 << 16;
/// How deep calls of closures may nest.
const MAX_CALLS: u32 = 400;

/// What went wrong. Never a bug in the engine: the program did not fit its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An argument, counted from 0, is of a kind the primitive cannot use.
    #[error("argument {} has the wrong kind", .0 + 1)]
    Kind(u8),
    /// Something inside an argument is of a kind the primitive cannot use.
    #[error("an element has the wrong kind")]
    Element,
    /// An element was asked for where there is none.
    #[error("there is no such element: the container is empty or nothing matches")]
    Empty,
    /// A row, column or element outside the container was asked for.
    #[error("index out of range")]
    Range,
    /// Something else than two parts where a pair is meant.
    #[error("expected exactly two parts")]
    Parts,
    /// Division by zero.
    #[error("division by zero")]
    Zero,
    /// An integer left the 64-bit range.
    #[error("integer overflow")]
    Overflow,
    /// Values without an order between them were compared.
    #[error("values of unlike kinds were compared")]
    Order,
    /// A value that is not a function was called.
    #[error("called a value that is not a function")]
    NotAFunction,
    /// A function was called with the wrong number of arguments.
    #[error("function called with {0} arguments")]
    Arity(u8),
    /// An argument is outside the values that have a meaning.
    #[error("argument {} is outside its range of meaning", .0 + 1)]
    Domain(u8),
    /// The call took more work or memory than allowed.
    #[error("over budget")]
    Budget,
    /// Somebody asked the whole run to stop; the outcome is nobody's.
    #[error("stopped")]
    Stopped,
    /// Values or calls are nested too deeply.
    #[error("nested too deeply")]
    Depth,
    /// A function of the host language failed; the number is that of the reason.
    #[error("{}", crate::foreign::reason(*.0))]
    Foreign(u16),
}

/// Why a program failed on an input, and in which primitive. Small and `Copy`: failing is as cheap
/// as succeeding, and texts are put together only for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvalError {
    /// What went wrong.
    pub fault: Fault,
    prim: u16,
}

impl EvalError {
    const NOWHERE: u16 = u16::MAX;

    /// The primitive that failed, if one did.
    pub fn prim(self) -> Option<PrimId> {
        (self.prim != Self::NOWHERE).then_some(PrimId(self.prim))
    }

    /// The error with its place, unless it has one already.
    #[inline]
    pub fn at(self, prim: PrimId) -> EvalError {
        if self.prim == Self::NOWHERE { EvalError { prim: prim.0, ..self } } else { self }
    }

    /// True when the call was stopped rather than wrong.
    pub fn is_budget(self) -> bool {
        self.fault == Fault::Budget
    }

    /// True for what no program may catch: the rest of the step cannot be run either.
    pub(crate) fn ends_the_step(self) -> bool {
        matches!(self.fault, Fault::Budget | Fault::Depth | Fault::Stopped)
    }
}

impl From<Fault> for EvalError {
    #[inline]
    fn from(fault: Fault) -> EvalError {
        EvalError { fault, prim: Self::NOWHERE }
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.prim() {
            Some(id) => write!(f, "{}: {}", Registry::get().primitive(id).name, self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl std::error::Error for EvalError {}

/// An argument type that is read off a value.
pub trait FromValue: Sized {
    /// Reads argument `index`.
    fn from_value(value: &Value, index: u8) -> Result<Self, EvalError>;
}

impl FromValue for i64 {
    #[inline]
    fn from_value(value: &Value, index: u8) -> Result<i64, EvalError> {
        value.as_int().ok_or(Fault::Kind(index).into())
    }
}

impl FromValue for (i64, i64) {
    #[inline]
    fn from_value(value: &Value, index: u8) -> Result<(i64, i64), EvalError> {
        value.as_pair().ok_or(Fault::Kind(index).into())
    }
}

impl FromValue for bool {
    /// Anything has a truth value.
    #[inline]
    fn from_value(value: &Value, _: u8) -> Result<bool, EvalError> {
        Ok(value.is_true())
    }
}

/// A result type of a primitive.
pub trait IntoValue {
    /// The result as a value.
    fn into_value(self) -> Value;
}

impl IntoValue for Value {
    #[inline]
    fn into_value(self) -> Value {
        self
    }
}

impl IntoValue for i64 {
    #[inline]
    fn into_value(self) -> Value {
        Value::Int(self)
    }
}

impl IntoValue for bool {
    #[inline]
    fn into_value(self) -> Value {
        Value::bool(self)
    }
}

impl IntoValue for (i64, i64) {
    #[inline]
    fn into_value(self) -> Value {
        Value::pair(self.0, self.1)
    }
}

impl IntoValue for Grid {
    #[inline]
    fn into_value(self) -> Value {
        Value::Grid(self)
    }
}

/// What calls have room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// How many closures may still be called inside each other.
    pub(crate) calls: u32,
    /// How much a value may hold.
    pub(crate) weight: u64,
}

/// Runs calls and counts what they cost.
///
/// One unit of work is about one element looked at or made. The budget is that of one step of a
/// program, the functions it calls included; [`Caller::reset`] starts the next step.
///
/// The budget is spent in slices, and between two of them the caller asks whether to stop: however
/// large the budget is, a step ends soon after the run it belongs to.
pub struct Caller {
    registry: &'static Registry,
    calls: &'static [Call],
    /// What is left of the slice being spent.
    left: u64,
    /// What is left of the budget after that.
    reserve: u64,
    budget: u64,
    stop: Option<Stop>,
    nesting: u32,
    general: bool,
    /// The last closure that was laid out, for the next loop over one like it.
    pub(crate) kept: Option<Box<Layout>>,
    /// What a function gave in an earlier loop of this step.
    pub(crate) memo: Option<Memo>,
}

impl Default for Caller {
    fn default() -> Caller {
        Caller::new(Caller::DEFAULT_BUDGET)
    }
}

impl Caller {
    /// Units of work one step may spend unless told otherwise: twice what any step of the published
    /// programs needs on the tasks they were written for.
    pub const DEFAULT_BUDGET: u64 = 1_000_000;

    /// A caller with this budget per step.
    pub fn new(budget: u64) -> Caller {
        let registry = Registry::get();
        let calls = registry.calls();
        Caller {
            registry,
            calls,
            left: budget.min(SLICE),
            reserve: budget.saturating_sub(SLICE),
            budget,
            stop: None,
            nesting: 0,
            general: false,
            kept: None,
            memo: None,
        }
    }

    /// A caller that hands primitives nothing but general forms, to check the fast ones against.
    pub fn general(budget: u64) -> Caller {
        Caller { general: true, ..Caller::new(budget) }
    }

    /// Ends the steps of this caller when `stop` says so.
    pub fn watch(&mut self, stop: &Stop) {
        if !self.stop.as_ref().is_some_and(|watched| watched.is_same(stop)) {
            self.stop = Some(stop.clone());
        }
    }

    /// The table of primitives.
    #[inline]
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// Starts a new step with a full budget.
    #[inline]
    pub fn reset(&mut self) {
        self.left = self.budget.min(SLICE);
        self.reserve = self.budget.saturating_sub(SLICE);
        self.nesting = 0;
        self.memo = None;
    }

    /// Units of work spent in this step.
    pub fn spent(&self) -> u64 {
        self.budget - self.left()
    }

    /// False when primitives are to be handed general forms only.
    #[inline]
    pub(crate) fn takes_fast_forms(&self) -> bool {
        !self.general
    }

    /// How deep calls may still nest, and how much a value may hold.
    #[inline]
    pub(crate) fn room(&self) -> Room {
        Room {
            calls: MAX_CALLS.saturating_sub(self.nesting),
            weight: self.budget.saturating_mul(WEIGHT_PER_UNIT),
        }
    }

    /// True when that much work can still be paid for. What cannot is left to the plain path, which
    /// then stops where it always does.
    #[inline]
    pub(crate) fn affords(&self, work: usize) -> bool {
        self.left() >= work as u64
    }

    /// Units of work that can still be paid for.
    #[inline]
    pub(crate) fn left(&self) -> u64 {
        self.left + self.reserve
    }

    /// Pays for `work` units before they are done.
    #[inline]
    pub fn charge(&mut self, work: usize) -> Result<(), EvalError> {
        match self.left.checked_sub(work as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.charge_reserve(work as u64),
        }
    }

    /// [`Caller::charge`] for what the slice has not enough for.
    #[cold]
    fn charge_reserve(&mut self, work: u64) -> Result<(), EvalError> {
        let Some(left) = self.left().checked_sub(work) else { return Err(Fault::Budget.into()) };
        self.go_on()?;
        self.left = left.min(SLICE);
        self.reserve = left - self.left;
        Ok(())
    }

    /// Fails when the run is to stop, for work that was paid for at once and takes long.
    pub(crate) fn go_on(&self) -> Result<(), EvalError> {
        match &self.stop {
            Some(stop) if stop.is_due() => Err(Fault::Stopped.into()),
            _ => Ok(()),
        }
    }

    /// Pays what a call costs for looking at its arguments.
    #[inline(always)]
    pub(crate) fn pay<const N: usize>(
        &mut self,
        toll: impl Fn([&Value; N]) -> usize + Copy,
        args: [&Value; N],
    ) -> Result<(), EvalError> {
        let work = if self.general { of_canonical(toll, args) } else { toll(args) };
        self.settle(work)
    }

    /// [`Caller::charge`] for what most often is nothing.
    #[inline(always)]
    pub(crate) fn settle(&mut self, work: usize) -> Result<(), EvalError> {
        if work == 0 { Ok(()) } else { self.charge(work) }
    }

    /// Calls a primitive with these arguments.
    pub fn call_prim(&mut self, id: PrimId, args: &[&Value]) -> Outcome {
        let general: SmallVec<[Value; 4]>;
        let general_refs: SmallVec<[&Value; 4]>;
        let args = if self.general {
            general = args.iter().map(|v| v.to_general()).collect();
            general_refs = general.iter().collect();
            &general_refs[..]
        } else {
            args
        };
        let outcome = match (self.calls[usize::from(id.0)], args) {
            (Call::One(f), [a]) => f(self, a),
            (Call::Two(f), [a, b]) => f(self, a, b),
            (Call::Three(f), [a, b, c]) => f(self, a, b, c),
            (Call::Four(f), [a, b, c, d]) => f(self, a, b, c, d),
            _ => Err(Fault::Arity(args.len() as u8).into()),
        };
        self.finished(id, |_| outcome)
    }

    /// Calls a function with one argument.
    #[inline]
    pub fn call1(&mut self, f: &Value, x: &Value) -> Outcome {
        self.charge(1)?;
        match f {
            Value::Prim(id) if !self.general => match self.calls[usize::from(id.0)] {
                Call::One(call) => self.finished(*id, |cx| call(cx, x)),
                _ => Err(EvalError::from(Fault::Arity(1)).at(*id)),
            },
            Value::Closure(function) => self.within(|cx| cx.call_closure1(function.closure(), x)),
            _ => self.call_slow(f, &[x]),
        }
    }

    /// Runs what a closure that is called does, one closure deeper.
    #[inline(always)]
    pub(crate) fn within(&mut self, body: impl FnOnce(&mut Caller) -> Outcome) -> Outcome {
        self.enter()?;
        let outcome = body(self);
        self.nesting -= 1;
        outcome
    }

    /// Counts one more closure inside the ones being called.
    #[inline]
    fn enter(&mut self) -> Result<(), EvalError> {
        if self.nesting >= MAX_CALLS {
            return Err(Fault::Depth.into());
        }
        self.nesting += 1;
        Ok(())
    }

    /// Calls a function on what another one gave.
    ///
    /// Like everything that passes outcomes on it looks at them where they are. Taking the value out of one
    /// and putting it into another reads in one piece what was just written in several, which the
    /// processor waits for.
    #[inline(always)]
    fn call_on(&mut self, f: &Value, given: &Outcome) -> Outcome {
        match given {
            Ok(x) => self.call1(f, x),
            Err(error) => Err(*error),
        }
    }

    /// Calls a closure with one argument, by far the most frequent number.
    fn call_closure1(&mut self, closure: &Closure, x: &Value) -> Outcome {
        match closure {
            Closure::Compose(outer, inner) => {
                if let Some((n, work)) = fused::sized(self, outer, inner, x)
                    && self.affords(work)
                {
                    self.charge(work)?;
                    return Ok(Value::Int(n));
                }
                if let Some(outcome) = fused::merged_lines(self, outer, inner, x) {
                    return outcome;
                }
                let y = self.call1(inner, x);
                self.call_on(outer, &y)
            }
            Closure::Chain(h, g, f) => {
                if let Some((n, work)) = fused::around(self, [h, g, f], x)
                    && self.affords(work)
                {
                    self.charge(work)?;
                    return Ok(Value::Int(n));
                }
                if let Some((n, work)) = fused::sized(self, g, f, x)
                    && self.affords(work)
                {
                    self.charge(work)?;
                    return self.call1(h, &Value::Int(n));
                }
                let y = self.call1(f, x);
                let z = self.call_on(g, &y);
                self.call_on(h, &z)
            }
            Closure::Fork(outer, a, b) => {
                if let Some((first, last)) = fused::parts(self, a, b, x) {
                    self.charge(1)?;
                    self.charge(1)?;
                    return self.call2_here(outer, first, last);
                }
                let left = self.call1(a, x);
                let Ok(left) = &left else { return left };
                let right = self.call1(b, x);
                let Ok(right) = &right else { return right };
                self.call2_here(outer, left, right)
            }
            Closure::Matcher(f, target) => {
                let y = self.call1(f, x);
                let Ok(y) = &y else { return y };
                self.pay(toll::comparison, [y, target])?;
                Ok(Value::bool(y == target))
            }
            Closure::RBind(f, fixed, 1) => self.call2_here(f, x, fixed),
            Closure::LBind(f, fixed, 1) => self.call2_here(f, fixed, x),
            Closure::Power(f, n) => {
                if let Some((ring, work)) = fused::rings(self, f, *n, x) {
                    self.charge(work)?;
                    return Ok(ring);
                }
                let mut value = self.call1(f, x);
                for _ in 1..*n {
                    value = self.call_on(f, &value);
                }
                value
            }
            _ => self.call_closure(closure, &[x]),
        }
    }

    /// Calls a function with two arguments.
    #[inline]
    pub fn call2(&mut self, f: &Value, x: &Value, y: &Value) -> Outcome {
        self.call2_here(f, x, y)
    }

    /// [`Caller::call2`], inlined where closures are called.
    #[inline(always)]
    fn call2_here(&mut self, f: &Value, x: &Value, y: &Value) -> Outcome {
        self.charge(1)?;
        match f {
            Value::Prim(id) if !self.general => match self.calls[usize::from(id.0)] {
                Call::Two(call) => self.finished(*id, |cx| call(cx, x, y)),
                _ => Err(EvalError::from(Fault::Arity(2)).at(*id)),
            },
            _ => self.call_slow(f, &[x, y]),
        }
    }

    /// Calls a function with any number of arguments.
    pub fn call(&mut self, f: &Value, args: &[&Value]) -> Outcome {
        self.charge(1)?;
        self.call_slow(f, args)
    }

    fn call_slow(&mut self, f: &Value, args: &[&Value]) -> Outcome {
        match f {
            Value::Prim(id) => self.call_prim(*id, args),
            Value::Closure(closure) => self.within(|cx| match args {
                [x] => cx.call_closure1(closure.closure(), x),
                _ => cx.call_closure(closure.closure(), args),
            }),
            _ => Err(Fault::NotAFunction.into()),
        }
    }

    /// Calls a closure that takes more arguments than one, or a `lambda`.
    fn call_closure(&mut self, closure: &Closure, args: &[&Value]) -> Outcome {
        match (closure, args) {
            (Closure::RBind(f, fixed, 2), [x, y]) => self.call(f, &[x, y, fixed]),
            (Closure::RBind(f, fixed, 3), [x, y, z]) => self.call(f, &[x, y, z, fixed]),
            (Closure::LBind(f, fixed, 2), [x, y]) => self.call(f, &[fixed, x, y]),
            (Closure::LBind(f, fixed, 3), [x, y, z]) => self.call(f, &[fixed, x, y, z]),
            (Closure::Foreign(function), _) => {
                let outcome = function.call(args);
                outcome.map_err(|reason| Fault::Foreign(crate::foreign::number(reason)).into())
            }
            (Closure::Lambda(code, captures), _) if args.len() == usize::from(code.arity) => {
                self.run_code(code, captures, args)
            }
            _ => Err(Fault::Arity(args.len() as u8).into()),
        }
    }

    fn run_code(&mut self, code: &Code, captures: &[Value], args: &[&Value]) -> Outcome {
        let mut results: Vec<Value> = Vec::with_capacity(code.steps.len());
        for step in &code.steps {
            let value = {
                let find = |slot: &Slot| match *slot {
                    Slot::Param(n) => args[usize::from(n)],
                    Slot::Capture(n) => &captures[usize::from(n)],
                    Slot::Const(n) => &code.constants[usize::from(n)],
                    Slot::Step(n) => &results[n as usize],
                };
                let all =
                    |slots: &[Slot]| -> SmallVec<[&Value; 4]> { slots.iter().map(find).collect() };
                let owned = |slots: &[Slot]| -> Vec<Value> {
                    slots.iter().map(|s| find(s).clone()).collect()
                };
                match step {
                    CodeStep::Call(id, slots) => {
                        self.charge(1)?;
                        self.call_prim(*id, &all(slots))?
                    }
                    CodeStep::Apply(f, slots) => self.call(find(f), &all(slots))?,
                    CodeStep::Tuple(slots) => Value::tuple(owned(slots)),
                    CodeStep::Set(slots) => Value::set(owned(slots)),
                    CodeStep::Lambda(inner, slots) => {
                        Value::closure(Closure::Lambda(inner.clone(), owned(slots).into()))
                    }
                }
            };
            results.push(self.admit(value)?);
        }
        Ok(match code.result {
            Slot::Param(n) => args[usize::from(n)].clone(),
            Slot::Capture(n) => captures[usize::from(n)].clone(),
            Slot::Const(n) => code.constants[usize::from(n)].clone(),
            Slot::Step(n) => results.swap_remove(n as usize),
        })
    }

    /// Number of arguments a function takes, as Python's `rbind` and `lbind` see it.
    pub fn arity(&self, f: &Value) -> Option<u8> {
        match f {
            Value::Prim(id) => Some(self.registry.primitive(*id).arity() as u8),
            Value::Closure(closure) => Some(match closure.closure() {
                Closure::RBind(_, _, open) | Closure::LBind(_, _, open) => *open,
                Closure::Lambda(code, _) => code.arity,
                Closure::Foreign(function) => function.arity(),
                _ => 1,
            }),
            _ => None,
        }
    }

    /// The value, unless it is nested too deeply or holds more than the budget allows to walk over.
    #[inline]
    pub fn admit(&self, value: Value) -> Outcome {
        self.admits(&value)?;
        Ok(value)
    }

    /// What [`Caller::admit`] fails with.
    #[inline]
    fn admits(&self, value: &Value) -> Result<(), EvalError> {
        let bulk = match value {
            Value::Tuple(seq) | Value::Set(seq) => seq.bulk(),
            Value::Closure(function) => function.bulk(),
            // Fast forms share nothing: they are as large as the memory that was paid for.
            _ => return Ok(()),
        };
        if bulk.depth > MAX_DEPTH {
            return Err(Fault::Depth.into());
        }
        if u64::from(bulk.weight) > self.budget.saturating_mul(WEIGHT_PER_UNIT) {
            return Err(Fault::Budget.into());
        }
        Ok(())
    }

    /// What the call of a primitive comes to: a value that is admitted, or an error with its place.
    #[inline(always)]
    fn finished(&mut self, id: PrimId, call: impl FnOnce(&mut Caller) -> Outcome) -> Outcome {
        let mut outcome = call(self);
        if self.general || !is_light(&outcome) {
            self.finish(id, &mut outcome);
        }
        outcome
    }

    fn finish(&self, id: PrimId, outcome: &mut Outcome) {
        match outcome {
            Ok(value) => match self.admits(value) {
                Ok(()) if self.general => *value = value.to_general(),
                Ok(()) => {}
                Err(error) => *outcome = Err(error.at(id)),
            },
            Err(error) => *error = error.at(id),
        }
    }
}

/// What a call costs whose arguments are in general form.
#[cold]
pub(crate) fn of_canonical<const N: usize>(
    toll: impl Fn([&Value; N]) -> usize,
    args: [&Value; N],
) -> usize {
    let canonical = args.map(Value::canonical);
    toll(canonical.each_ref())
}

/// True for what every budget admits: values that share nothing.
#[inline]
fn is_light(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Ok(Value::Int(_) | Value::Pair(..) | Value::Cell(..) | Value::Patch(_) | Value::Grid(_))
    )
}
