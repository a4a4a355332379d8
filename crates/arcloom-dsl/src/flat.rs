//! Closures laid out as instructions on plain numbers, for loops that call one closure many times.
//!
//! The elements of a container nearly always have one shape: a position, a cell, a patch, a tuple of
//! two of these. Given the shape, a closure over them is followed once with names in place of
//! numbers: tuples that are only put together to be taken apart again vanish, a patch is the numbers
//! of its frame, and what is left is arithmetic.
//!
//! Whatever is not covered (another primitive, an element of another shape, an overflow, a budget
//! that does not suffice) is left to the plain call, which starts over on that element: functions
//! have no effects, so that nothing shows but the outcome. Work is counted as the plain call does.

mod batch;
mod builder;
mod lines;
mod pairs;
mod prims;

use arcloom_value::{Closure, Parts, Patch, Product, Value};
use smallvec::SmallVec;

use self::batch::Batch;
use self::builder::Builder;
pub(crate) use self::lines::Drawn;
use self::prims::{Prim, prims};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::figure;
use crate::toll::SMALL;

/// Fewest elements that are worth laying a closure out for.
const FEW: usize = 3;
/// Elements that a layout may fail on, more than it serves, before the rest are called plainly.
const MISSES: u32 = 8;
/// Numbers that one layout may hold. A power of two, and at most the bits of a word.
const REGS: usize = 64;
/// Where `color` stands among the measures of a patch.
const COLOR: usize = 5;

/// A function that is called on one element of a container after the other.
pub(crate) struct Repeated<'f> {
    function: &'f Value,
    layout: Option<Box<Layout>>,
    /// How many more elements the layout failed on than it served.
    misses: u32,
    /// What a measure of patches gives for the elements, once asked for.
    measured: Vec<i64>,
    /// Of a `fork` that cannot be laid out, its second function if that can.
    second: Option<Box<Layout>>,
}

impl<'f> Repeated<'f> {
    /// The function, laid out if it can be for the elements of this container.
    pub(crate) fn new(cx: &mut Caller, function: &'f Value, over: &Value) -> Repeated<'f> {
        let layout = layout(cx, function, over);
        let second = if layout.is_none() { second(cx, function, over) } else { None };
        Repeated { function, layout, misses: 0, measured: Vec::new(), second }
    }

    /// True when `None` was given in place of a function.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        matches!(self.function, Value::None)
    }

    /// True when the function was laid out.
    pub(crate) fn is_laid_out(&self) -> bool {
        self.layout.is_some()
    }

    /// What the function gives for an element.
    #[inline]
    pub(crate) fn call(&mut self, cx: &mut Caller, item: &Value) -> Outcome {
        if let Some(layout) = &mut self.layout
            && self.misses < MISSES
        {
            if let Some((value, work)) = layout.run(cx, item) {
                self.misses = self.misses.saturating_sub(1);
                cx.charge(work)?;
                return Ok(value);
            }
            self.misses += 1;
        }
        match (&mut self.second, self.function) {
            (Some(second), Value::Closure(function)) => {
                call_fork(cx, function.closure(), second, item)
            }
            _ => cx.call1(self.function, item),
        }
    }

    /// What the function gives for all elements of the container it was laid out for, if these are
    /// numbers throughout. Pays for all calls; fails as the first call that cannot be paid for.
    #[inline]
    pub(crate) fn numbers(
        &mut self,
        cx: &mut Caller,
        over: &Value,
    ) -> Result<Option<&[i64]>, EvalError> {
        let Some(len) = over.len() else { return Ok(None) };
        if let Value::Prim(id) = self.function {
            // One unit for each call; the measures themselves charge nothing.
            if !cx.takes_fast_forms() || !cx.affords(len) {
                return Ok(None);
            }
            let Some(measured) = measured(prims()[usize::from(id.0)], over) else {
                return Ok(None);
            };
            self.measured = measured;
            cx.charge(len)?;
            return Ok(Some(&self.measured));
        }
        let Some(layout) = self.layout.as_mut() else { return Ok(None) };
        let Given::Number(_) = layout.given else { return Ok(None) };
        let paid = usize::try_from(cx.left()).unwrap_or(usize::MAX) / layout.work.max(1);
        if !layout.run_all(over, paid.min(len)) {
            return Ok(None);
        }
        cx.charge(layout.work * paid.min(len))?;
        if paid < len {
            return Err(stop(cx, self.function, over, paid));
        }
        Ok(self.layout.as_ref().map(|layout| &layout.batch.numbers[..]))
    }

    /// What the function gives for all elements of a set, if these are lines throughout or nothing.
    /// Pays for all calls; fails as the first call that cannot be paid for.
    #[inline]
    pub(crate) fn lines(
        &mut self,
        cx: &mut Caller,
        over: &Value,
    ) -> Result<Option<Drawn>, EvalError> {
        let (Some(layout), Value::Set(seq)) = (self.layout.as_mut(), over) else { return Ok(None) };
        let Some(drawn) = layout.draw(seq, cx.left()) else { return Ok(None) };
        cx.charge(drawn.work)?;
        match drawn.stopped {
            Some(n) => Err(stop(cx, self.function, over, n)),
            None => Ok(Some(drawn)),
        }
    }

    /// Ends the loop. The layout is kept: in a loop inside a loop, the next function is often the same
    /// but for the values bound in it.
    #[inline]
    pub(crate) fn end(self, cx: &mut Caller) {
        if let Some(mut layout) = self.layout {
            layout.batch.shrink();
            cx.kept = Some(layout);
        }
    }
}

/// How the call on element `n` fails, which cannot be paid for.
#[cold]
fn stop(cx: &mut Caller, function: &Value, over: &Value, n: usize) -> EvalError {
    let item = match over {
        Value::Tuple(seq) | Value::Set(seq) => match seq.product() {
            Some(product) => product.nth(n),
            None => seq.items().get(n).cloned(),
        },
        _ => over.iter().and_then(|mut items| items.nth(n)),
    };
    let outcome = item.map(|item| cx.call1(function, &item));
    debug_assert!(matches!(outcome, Some(Err(_))), "{function:?}");
    outcome.and_then(Result::err).unwrap_or(Fault::Budget.into())
}

/// Fewest elements for which a part of a function is tried when the whole cannot be laid out.
const MANY: usize = 16;

/// The second function of a `fork`, laid out. It is called after the first one, so that it is not
/// come to where that fails.
fn second(cx: &mut Caller, function: &Value, over: &Value) -> Option<Box<Layout>> {
    let Value::Closure(closure) = function else { return None };
    let Closure::Fork(_, _, second @ Value::Closure(_)) = closure.closure() else { return None };
    if over.len()? < MANY {
        return None;
    }
    let calls = cx.room().calls;
    layout(cx, second, over).filter(|layout| layout.depth < calls)
}

/// A call of a `fork` whose second function is laid out.
fn call_fork(cx: &mut Caller, fork: &Closure, second: &mut Layout, item: &Value) -> Outcome {
    let Closure::Fork(outer, a, b) = fork else { return Err(Fault::NotAFunction.into()) };
    cx.charge(1)?;
    cx.within(|cx| {
        let left = cx.call1(a, item)?;
        let right = match second.run(cx, item) {
            Some((value, work)) => {
                cx.charge(work)?;
                value
            }
            None => cx.call1(b, item)?,
        };
        cx.call2(outer, &left, &right)
    })
}

/// What a measure gives for every element of a set or tuple of patches.
fn measured(prim: Prim, over: &Value) -> Option<Vec<i64>> {
    let (n, end) = match prim {
        Prim::Measure(n) => (n, false),
        Prim::End(n) => (n, true),
        _ => return None,
    };
    let (Value::Tuple(seq) | Value::Set(seq)) = over else { return None };
    if seq.product().is_some() {
        return None;
    }
    let number = |item: &Value| match item {
        Value::Patch(patch) => {
            let m = measures(patch);
            Some(if end { m[n] + m[n + 2] - 1 } else { m[n] })
        }
        _ => None,
    };
    seq.items().iter().map(number).collect()
}

fn layout(cx: &mut Caller, function: &Value, over: &Value) -> Option<Box<Layout>> {
    let Value::Closure(closure) = function else { return None };
    let len = over.len()?;
    if len < FEW || !cx.takes_fast_forms() {
        return None;
    }
    // No tuple that is put together on the way holds more than two elements with all that is bound.
    let room = cx.room();
    let most = u64::from(over.bulk().weight) + u64::from(closure.bulk().weight);
    if 2 * most + 16 > room.weight {
        return None;
    }
    let shape = match over {
        Value::Tuple(seq) | Value::Set(seq) => match seq.product() {
            Some(product) => Shape::of_tuples(product),
            None => Shape::of(seq.items().first()?)?,
        },
        Value::Patch(p) => Shape::One(if p.is_object() { Part::Cell } else { Part::Place }),
        _ => return None,
    };
    if cx.kept.as_ref().is_some_and(|kept| kept.shape == shape && kept.is_like(function)) {
        let mut layout = cx.kept.take()?;
        return (layout.rebind(function) && layout.depth <= room.calls).then_some(layout);
    }
    Builder::lay_out(function, shape).filter(|layout| layout.depth <= room.calls)
}

/// The shape of a part of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Number,
    Place,
    Cell,
    Patch,
}

impl Part {
    fn of(value: &Value) -> Option<Part> {
        Some(match value {
            Value::Int(_) => Part::Number,
            Value::Pair(..) => Part::Place,
            Value::Cell(..) => Part::Cell,
            Value::Patch(_) => Part::Patch,
            _ => return None,
        })
    }

    /// How many numbers a part has.
    fn count(self) -> usize {
        match self {
            Part::Number => 1,
            Part::Place => 2,
            Part::Cell => 3,
            Part::Patch => 6,
        }
    }

    /// Writes the numbers of a part to the front of `regs`; gives how many, or `None` when the value
    /// has another shape.
    #[inline]
    fn load(self, value: &Value, regs: &mut [i64]) -> Option<usize> {
        match (self, value) {
            (Part::Number, &Value::Int(n)) => {
                regs[0] = n;
                Some(1)
            }
            (Part::Place, &Value::Pair(i, j)) => {
                (regs[0], regs[1]) = (i.into(), j.into());
                Some(2)
            }
            (Part::Cell, &Value::Cell(c, i, j)) => {
                (regs[0], regs[1], regs[2]) = (c.into(), i.into(), j.into());
                Some(3)
            }
            (Part::Patch, Value::Patch(p)) => {
                regs[..6].copy_from_slice(&measures(p));
                Some(6)
            }
            _ => None,
        }
    }
}

/// What is known of a patch: first row and column, height, width, number of elements, and what
/// `color` gives.
#[inline]
fn measures(patch: &Patch) -> [i64; 6] {
    let frame = patch.frame();
    let color = if frame.coloured { patch.color(0).into() } else { frame.top.into() };
    let (height, width) = (frame.height.into(), frame.width.into());
    [frame.top.into(), frame.left.into(), height, width, frame.count.into(), color]
}

/// The shape of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    One(Part),
    Two(Part, Part),
}

impl Shape {
    fn of(value: &Value) -> Option<Shape> {
        match value {
            Value::Tuple(seq) => match seq.items() {
                [a, b] => Some(Shape::Two(Part::of(a)?, Part::of(b)?)),
                _ => None,
            },
            Value::Grid(g) if (g.height(), g.width()) == (2, 2) => {
                Some(Shape::Two(Part::Place, Part::Place))
            }
            _ => Part::of(value).map(Shape::One),
        }
    }

    /// The shape of the tuples of a product.
    fn of_tuples(product: &Product) -> Shape {
        let part = |parts: &Parts| match parts {
            Parts::Cells(patch) if patch.is_object() => Part::Cell,
            Parts::Cells(_) => Part::Place,
            Parts::Patches(_) => Part::Patch,
        };
        Shape::Two(part(product.first()), part(product.second()))
    }

    /// Writes the numbers of an element; false when it has another shape.
    #[inline]
    fn load(self, value: &Value, regs: &mut [i64; REGS]) -> bool {
        match (self, value) {
            (Shape::One(part), _) => part.load(value, regs).is_some(),
            (Shape::Two(Part::Place, Part::Place), Value::Grid(g)) => {
                let small = (g.height(), g.width()) == (2, 2);
                if small {
                    regs.iter_mut().zip(g.cells()).for_each(|(reg, &c)| *reg = c.into());
                }
                small
            }
            (Shape::Two(a, b), Value::Tuple(seq)) => match seq.items() {
                [x, y] => a.load(x, regs).and_then(|n| b.load(y, &mut regs[n..])).is_some(),
                _ => false,
            },
            _ => false,
        }
    }
}

/// A closure laid out.
pub(crate) struct Layout {
    function: Value,
    shape: Shape,
    bound: SmallVec<[Bound; 4]>,
    /// Steps on numbers that are the same for all elements.
    prologue: SmallVec<[Step; 8]>,
    code: SmallVec<[Step; 16]>,
    regs: [i64; REGS],
    work: usize,
    /// How deep closures are nested in the function.
    depth: u32,
    given: Given,
    /// How many numbers there are, and which are the same for all elements, as bits.
    used: usize,
    fixed: u64,
    /// Which numbers some step or the result reads, as bits.
    read: u64,
    batch: Batch,
}

/// A value bound in the function: its address there, and its numbers.
struct Bound {
    at: usize,
    part: Part,
    first: u8,
}

/// What the function gives.
#[derive(Clone, Copy)]
enum Given {
    Number(u8),
    Place(u8, u8),
    Line([u8; 4]),
    Painted(u8, [u8; 4]),
}

impl Layout {
    /// The value for an element and the work of the call; `None` when the plain call is to be made.
    #[inline]
    fn run(&mut self, cx: &Caller, item: &Value) -> Option<(Value, usize)> {
        if !self.shape.load(item, &mut self.regs) {
            return None;
        }
        for step in &self.code {
            let n = step.op.on(self.at(step.a), self.at(step.b))?;
            self.regs[usize::from(step.to) % REGS] = n;
        }
        let (value, work) = match self.given {
            Given::Number(n) => (Value::Int(self.at(n)), self.work),
            Given::Place(i, j) => (Value::pair(self.at(i), self.at(j)), self.work),
            Given::Line(ends) => self.line(cx, ends, None)?,
            Given::Painted(color, ends) => self.line(cx, ends, Some(self.at(color)))?,
        };
        cx.affords(work).then_some((value, work))
    }

    /// The line between two places, which is charged by its length, and so is recolouring it.
    fn line(&self, cx: &Caller, ends: [u8; 4], color: Option<i64>) -> Option<(Value, usize)> {
        let [ai, aj, bi, bj] = ends.map(|n| self.at(n));
        let Some(len) = figure::straight((ai, aj), (bi, bj)) else {
            return Some((Value::empty_set(), self.work));
        };
        let times = if color.is_some() { 2 } else { 1 };
        let work = len.saturating_mul(times).saturating_add(self.work);
        if !cx.affords(work) {
            return None;
        }
        let line = figure::between((ai, aj), (bi, bj), len);
        match (color, line) {
            (None, line) => Some((line, work)),
            (Some(color), Value::Patch(line)) => {
                let line = line.recolored(i8::try_from(color).ok()?)?;
                Some((Value::Patch(line), work))
            }
            _ => None,
        }
    }

    #[inline]
    fn at(&self, reg: u8) -> i64 {
        self.regs[usize::from(reg) % REGS]
    }

    /// True when a function differs from the one laid out in nothing but bound numbers, places, cells
    /// and patches, each of which stands in one place only.
    fn is_like(&self, function: &Value) -> bool {
        let places = |n: usize| self.bound[n + 1..].iter().all(|b| b.at != self.bound[n].at);
        (0..self.bound.len()).all(places) && alike(&self.function, function)
    }

    /// Takes over the values bound in a function like the one laid out; false when it is not to be
    /// used for them.
    fn rebind(&mut self, function: &Value) -> bool {
        let old = std::mem::replace(&mut self.function, function.clone());
        if !self.reload(&old, function) {
            return false;
        }
        for n in 0..self.prologue.len() {
            let step = self.prologue[n];
            match step.op.on(self.at(step.a), self.at(step.b)) {
                Some(n) => self.regs[usize::from(step.to) % REGS] = n,
                None => return false,
            }
        }
        true
    }

    fn reload(&mut self, old: &Value, new: &Value) -> bool {
        if let (Value::Closure(a), Value::Closure(b)) = (old, new) {
            // What is the very same closure holds the very same values.
            return std::ptr::eq(a.closure(), b.closure())
                || (parts(a.closure()).into_iter().zip(parts(b.closure())))
                    .all(|(old, new)| self.reload(old, new));
        }
        let at = std::ptr::from_ref(old).addr();
        if let Some(bound) = self.bound.iter_mut().find(|bound| bound.at == at) {
            bound.at = std::ptr::from_ref(new).addr();
            let regs = &mut self.regs[usize::from(bound.first)..];
            return bound.part.load(new, regs).is_some();
        }
        true
    }
}

/// The values that a closure which can be laid out is made of; where there are fewer, one twice.
fn parts(closure: &Closure) -> [&Value; 3] {
    match closure {
        Closure::Chain(a, b, c) | Closure::Fork(a, b, c) => [a, b, c],
        Closure::Compose(a, b)
        | Closure::Matcher(a, b)
        | Closure::RBind(a, b, _)
        | Closure::LBind(a, b, _) => [a, b, b],
        Closure::Power(f, _) => [f, f, f],
        Closure::Lambda(..) | Closure::Foreign(_) => [&Value::None; 3],
    }
}

/// True when two functions are made alike and differ at most in bound values of one shape.
fn alike(a: &Value, b: &Value) -> bool {
    let (f, g) = match (a, b) {
        (Value::Prim(a), Value::Prim(b)) => return a == b,
        (Value::Closure(a), Value::Closure(b)) => (a.closure(), b.closure()),
        _ => return false,
    };
    let bound = |x: &Value, y: &Value| match (Part::of(x), Part::of(y)) {
        (None, None) => alike(x, y),
        (x, y) => x == y,
    };
    std::ptr::eq(f, g)
        || match (f, g) {
            (Closure::Compose(a, b), Closure::Compose(c, d)) => alike(a, c) && alike(b, d),
            (Closure::Chain(a, b, c), Closure::Chain(d, e, f))
            | (Closure::Fork(a, b, c), Closure::Fork(d, e, f)) => {
                alike(a, d) && alike(b, e) && alike(c, f)
            }
            (Closure::Matcher(f, x), Closure::Matcher(g, y)) => alike(f, g) && bound(x, y),
            (Closure::RBind(f, x, m), Closure::RBind(g, y, n))
            | (Closure::LBind(f, x, m), Closure::LBind(g, y, n)) => {
                m == n && alike(f, g) && bound(x, y)
            }
            (Closure::Power(f, m), Closure::Power(g, n)) => m == n && alike(f, g),
            _ => false,
        }
}

/// One operation on two numbers.
#[derive(Clone, Copy)]
struct Step {
    op: Op,
    a: u8,
    b: u8,
    to: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Add,
    Subtract,
    Multiply,
    Sign,
    Abs,
    Negate,
    Halve,
    Crement,
    IsEven,
    IsPositive,
    IsZero,
    Greater,
    Equal,
    Both,
    Either,
    Max,
    Min,
    /// First row and height: the middle row.
    Middle,
    /// First row and height: the last row.
    Last,
    /// Goes on only where both are 1.
    Single,
    /// Goes on only where every row between the first and the last of a patch is used, because there
    /// is none.
    Thin,
    /// Goes on only where both are so small that looking at patches of that height or width costs
    /// nothing.
    Small,
}

impl Op {
    /// The number; `None` where the plain call fails or has more to look at.
    #[inline]
    fn on(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Op::Add => a.checked_add(b)?,
            Op::Subtract => a.checked_sub(b)?,
            Op::Multiply => a.checked_mul(b)?,
            Op::Sign => a.signum(),
            Op::Abs => a.checked_abs()?,
            Op::Negate => a.checked_neg()?,
            Op::Halve => a >> 1,
            Op::Crement => a.checked_add(a.signum())?,
            Op::IsEven => i64::from(a % 2 == 0),
            Op::IsPositive => i64::from(a > 0),
            Op::IsZero => i64::from(a == 0),
            Op::Greater => i64::from(a > b),
            Op::Equal => i64::from(a == b),
            Op::Both => {
                if a != 0 {
                    b
                } else {
                    a
                }
            }
            Op::Either => {
                if a != 0 {
                    a
                } else {
                    b
                }
            }
            Op::Max => a.max(b),
            Op::Min => a.min(b),
            Op::Middle => a.checked_add(b >> 1)?,
            Op::Last => a.checked_add(b)?.checked_sub(1)?,
            Op::Single => (a == 1 && b == 1).then_some(1)?,
            Op::Thin => (a <= 2 && b <= 2).then_some(1)?,
            Op::Small => (a <= SMALL && b <= SMALL).then_some(1)?,
        })
    }
}

#[cfg(test)]
mod tests;
