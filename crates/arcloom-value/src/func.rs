//! Functions as values: named primitives, combinations of functions, and bodies of `lambda`s.
//!
//! Equality and order are structural. Python compares functions by identity; no published program
//! depends on the difference.

use triomphe::Arc;

use crate::foreign::Foreign;
use crate::value::{Bulk, Value};

/// Index of a primitive in this build's registry. Only names are ever stored or exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimId(pub u16);

/// A function that a program builds while it runs, with its bulk at hand.
pub struct Function {
    bulk: Bulk,
    closure: Closure,
}

impl Function {
    /// The closure, its bulk worked out.
    pub fn new(closure: Closure) -> Function {
        Function { bulk: closure.bulk(), closure }
    }

    /// How large this is, everything in it counted.
    #[inline]
    pub fn bulk(&self) -> Bulk {
        self.bulk
    }

    /// What the function is made of.
    #[inline]
    pub fn closure(&self) -> &Closure {
        &self.closure
    }
}

/// What a function built by a program is made of.
#[derive(Clone)]
pub enum Closure {
    /// `compose(outer, inner)`: `outer(inner(x))`.
    Compose(Value, Value),
    /// `chain(h, g, f)`: `h(g(f(x)))`.
    Chain(Value, Value, Value),
    /// `fork(outer, a, b)`: `outer(a(x), b(x))`.
    Fork(Value, Value, Value),
    /// `matcher(function, target)`: `function(x) == target`.
    Matcher(Value, Value),
    /// `rbind(function, fixed)` and how many arguments are still open.
    RBind(Value, Value, u8),
    /// `lbind(function, fixed)` and how many arguments are still open.
    LBind(Value, Value, u8),
    /// `power(function, n)` for n > 1.
    Power(Value, u32),
    /// A `lambda` or helper function, with the values it captured.
    Lambda(Arc<Code>, Box<[Value]>),
    /// A function of the language that the engine is used from.
    Foreign(Foreign),
}

impl Closure {
    fn bulk(&self) -> Bulk {
        match self {
            Closure::Compose(a, b)
            | Closure::Matcher(a, b)
            | Closure::RBind(a, b, _)
            | Closure::LBind(a, b, _) => Bulk::around([a.bulk(), b.bulk()].into_iter()),
            Closure::Chain(a, b, c) | Closure::Fork(a, b, c) => {
                Bulk::around([a.bulk(), b.bulk(), c.bulk()].into_iter())
            }
            Closure::Power(f, _) => Bulk::around(std::iter::once(f.bulk())),
            Closure::Lambda(code, captures) => {
                Bulk::around(captures.iter().map(Value::bulk).chain([code.bulk]))
            }
            Closure::Foreign(_) => Bulk::around(std::iter::empty()),
        }
    }

    /// The values this closure is made of.
    pub fn parts(&self) -> smallvec::SmallVec<[&Value; 3]> {
        match self {
            Closure::Compose(a, b) | Closure::Matcher(a, b) => [a, b].into_iter().collect(),
            Closure::Chain(a, b, c) | Closure::Fork(a, b, c) => [a, b, c].into_iter().collect(),
            Closure::RBind(f, x, _) | Closure::LBind(f, x, _) => [f, x].into_iter().collect(),
            Closure::Power(f, _) => std::iter::once(f).collect(),
            Closure::Lambda(_, captures) => captures.iter().collect(),
            Closure::Foreign(_) => smallvec::SmallVec::new(),
        }
    }
}

/// Where a step of [`Code`] finds an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A parameter of the function.
    Param(u8),
    /// A value captured when the function was made.
    Capture(u16),
    /// A constant of the code.
    Const(u16),
    /// The result of an earlier step.
    Step(u32),
}

/// One step of [`Code`].
#[derive(Debug, Clone)]
pub enum CodeStep {
    /// Call of a primitive.
    Call(PrimId, Box<[Slot]>),
    /// Call of a computed function.
    Apply(Slot, Box<[Slot]>),
    /// A tuple put together from parts.
    Tuple(Box<[Slot]>),
    /// A set put together from parts.
    Set(Box<[Slot]>),
    /// An inner function that captures these values.
    Lambda(Arc<Code>, Box<[Slot]>),
}

/// The body of a `lambda` or helper function: steps in order, then the slot of the result.
#[derive(Debug, Clone)]
pub struct Code {
    /// Number of parameters.
    pub arity: u8,
    /// Constants the steps refer to.
    pub constants: Box<[Value]>,
    /// The steps in order.
    pub steps: Box<[CodeStep]>,
    /// Where the result is found.
    pub result: Slot,
    /// How large the constants and inner functions are.
    pub bulk: Bulk,
}

impl Code {
    /// The code, with its bulk worked out.
    pub fn new(arity: u8, constants: Vec<Value>, steps: Vec<CodeStep>, result: Slot) -> Code {
        let inner = steps.iter().filter_map(|step| match step {
            CodeStep::Lambda(code, _) => Some(code.bulk),
            _ => None,
        });
        let bulk = Bulk::around(constants.iter().map(Value::bulk).chain(inner));
        Code { arity, constants: constants.into(), steps: steps.into(), result, bulk }
    }
}
