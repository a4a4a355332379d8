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

use std::sync::OnceLock;

use arcloom_value::{Closure, Patch, Value};
use smallvec::SmallVec;

use crate::call::{Caller, Outcome, Room};
use crate::registry::Registry;

/// Fewest elements that are worth laying a closure out for.
const FEW: usize = 4;
/// No tuple of numbers that is put together here weighs more.
const SMALL: u64 = 64;
/// Numbers that one layout may hold. A power of two.
const REGS: usize = 64;
/// Most names that one layout may use.
const NAMES: usize = 128;
/// Largest exponent of `power` that is followed.
const MAX_POWER: u32 = 4;

/// A function that is called on one element of a container after the other.
pub(crate) struct Repeated<'f> {
    function: &'f Value,
    layout: Option<Box<Layout>>,
}

impl<'f> Repeated<'f> {
    /// The function, laid out if it can be for the elements of this container.
    pub(crate) fn new(cx: &Caller, function: &'f Value, over: &Value) -> Repeated<'f> {
        Repeated { function, layout: layout(cx, function, over).map(Box::new) }
    }

    /// The function as it is.
    pub(crate) fn plain(function: &'f Value) -> Repeated<'f> {
        Repeated { function, layout: None }
    }

    /// True when `None` was given in place of a function.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        matches!(self.function, Value::None)
    }

    /// What the function gives for an element.
    #[inline]
    pub(crate) fn call(&mut self, cx: &mut Caller, item: &Value) -> Outcome {
        if let Some(layout) = &mut self.layout
            && cx.affords(layout.work)
            && let Some(value) = layout.run(item)
        {
            cx.charge(layout.work)?;
            return Ok(value);
        }
        cx.call1(self.function, item)
    }
}

fn layout(cx: &Caller, function: &Value, over: &Value) -> Option<Layout> {
    let Value::Closure(_) = function else { return None };
    let room = cx.room();
    if over.len()? < FEW || !cx.takes_fast_forms() || room.weight < SMALL {
        return None;
    }
    let shape = match over {
        Value::Tuple(seq) | Value::Set(seq) => Shape::of(seq.items().first()?)?,
        Value::Patch(p) => Shape::One(if p.is_object() { Part::Cell } else { Part::Place }),
        _ => return None,
    };
    let mut builder = Builder {
        names: SmallVec::new(),
        regs: [0; REGS],
        used: 0,
        fixed: 0,
        code: SmallVec::new(),
        work: 0,
        nesting: 0,
        room,
        weight: over.bulk().weight,
    };
    let arg = match shape {
        Shape::One(part) => builder.part(part)?,
        Shape::Two(a, b) => {
            let (a, b) = (builder.part(a)?, builder.part(b)?);
            builder.name(Name::Two(a, b))?
        }
    };
    let result = builder.call1(function, arg)?;
    let result = builder.result(result)?;
    builder.drop_unread_signs(result);
    Some(Layout { shape, code: builder.code, regs: builder.regs, work: builder.work, result })
}

/// The shape of a part of an element.
#[derive(Clone, Copy)]
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
#[derive(Clone, Copy)]
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
struct Layout {
    shape: Shape,
    code: SmallVec<[Step; 16]>,
    regs: [i64; REGS],
    work: usize,
    result: Given,
}

/// Where the result is found.
#[derive(Clone, Copy)]
enum Given {
    Number(u8),
    Place(u8, u8),
}

impl Layout {
    #[inline]
    fn run(&mut self, item: &Value) -> Option<Value> {
        if !self.shape.load(item, &mut self.regs) {
            return None;
        }
        for step in &self.code {
            let n = step.op.on(self.at(step.a), self.at(step.b))?;
            self.regs[usize::from(step.to) % REGS] = n;
        }
        Some(match self.result {
            Given::Number(n) => Value::Int(self.at(n)),
            Given::Place(i, j) => Value::pair(self.at(i), self.at(j)),
        })
    }

    #[inline]
    fn at(&self, reg: u8) -> i64 {
        self.regs[usize::from(reg) % REGS]
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
        })
    }
}

/// A value whose numbers are not known yet.
#[derive(Clone, Copy)]
enum Name<'f> {
    Number(u8),
    /// A tuple of two.
    Two(u8, u8),
    /// A patch that is not empty, by its measures.
    Patch([u8; 6]),
    /// Something bound to a function.
    Bound(&'f Value),
}

/// Lays a closure out, following it as `Caller` would call it.
struct Builder<'f> {
    names: SmallVec<[Name<'f>; 48]>,
    regs: [i64; REGS],
    used: usize,
    /// Which numbers are the same for all elements, as bits.
    fixed: u64,
    code: SmallVec<[Step; 16]>,
    work: usize,
    nesting: u32,
    room: Room,
    weight: u32,
}

impl<'f> Builder<'f> {
    fn name(&mut self, name: Name<'f>) -> Option<u8> {
        self.names.push(name);
        (self.names.len() <= NAMES).then(|| self.names.len() as u8 - 1)
    }

    fn get(&self, name: u8) -> Name<'f> {
        self.names[usize::from(name)]
    }

    fn reg(&mut self) -> Option<u8> {
        self.used += 1;
        (self.used <= REGS).then(|| self.used as u8 - 1)
    }

    fn number(&mut self) -> Option<u8> {
        let reg = self.reg()?;
        self.name(Name::Number(reg))
    }

    fn constant(&mut self, n: i64) -> Option<u8> {
        let reg = self.reg()?;
        self.regs[usize::from(reg)] = n;
        self.fixed |= 1 << reg;
        Some(reg)
    }

    /// A part of an element; its numbers follow each other.
    fn part(&mut self, part: Part) -> Option<u8> {
        match part {
            Part::Number => self.number(),
            Part::Place => {
                let (i, j) = (self.number()?, self.number()?);
                self.name(Name::Two(i, j))
            }
            Part::Cell => {
                let (c, i, j) = (self.number()?, self.number()?, self.number()?);
                let at = self.name(Name::Two(i, j))?;
                self.name(Name::Two(c, at))
            }
            Part::Patch => {
                let mut regs = [0; 6];
                for reg in &mut regs {
                    *reg = self.reg()?;
                }
                self.name(Name::Patch(regs))
            }
        }
    }

    /// A value that is the same for all elements.
    fn bound(&mut self, value: &'f Value) -> Option<u8> {
        let name = match value {
            Value::Int(n) => Name::Number(self.constant(*n)?),
            &Value::Pair(i, j) => {
                let (i, j) = (self.constant(i.into())?, self.constant(j.into())?);
                Name::Two(self.name(Name::Number(i))?, self.name(Name::Number(j))?)
            }
            &Value::Cell(c, i, j) => {
                let (i, j) = (self.constant(i.into())?, self.constant(j.into())?);
                let at = Name::Two(self.name(Name::Number(i))?, self.name(Name::Number(j))?);
                let c = self.constant(c.into())?;
                Name::Two(self.name(Name::Number(c))?, self.name(at)?)
            }
            Value::Patch(p) => {
                let mut regs = [0; 6];
                for (reg, n) in regs.iter_mut().zip(measures(p)) {
                    *reg = self.constant(n)?;
                }
                self.weight = self.weight.saturating_add(value.bulk().weight);
                Name::Patch(regs)
            }
            _ => Name::Bound(value),
        };
        self.name(name)
    }

    /// The number that an operation gives, worked out at once where both numbers are known.
    fn op(&mut self, op: Op, a: u8, b: u8) -> Option<u8> {
        if self.fixed >> a & self.fixed >> b & 1 == 1 {
            let n = op.on(self.regs[usize::from(a)], self.regs[usize::from(b)])?;
            return self.constant(n);
        }
        // A number times its own sign; the sign goes unread then.
        let signed = |last: &Step| (op, last.op, last.a, last.to) == (Op::Multiply, Op::Sign, b, a);
        let (op, a) = if self.code.last().is_some_and(signed) { (Op::Abs, b) } else { (op, a) };
        let to = self.reg()?;
        self.code.push(Step { op, a, b, to });
        Some(to)
    }

    fn call1(&mut self, f: &'f Value, x: u8) -> Option<u8> {
        self.work += 1;
        match f {
            Value::Prim(id) => self.prim1(prims()[usize::from(id.0)], x),
            Value::Closure(function) => {
                self.nesting += 1;
                if self.nesting > self.room.calls {
                    return None;
                }
                let result = self.closure(function.closure(), x)?;
                self.nesting -= 1;
                Some(result)
            }
            _ => None,
        }
    }

    fn closure(&mut self, closure: &'f Closure, x: u8) -> Option<u8> {
        match closure {
            Closure::Compose(outer, inner) => {
                let y = self.call1(inner, x)?;
                self.call1(outer, y)
            }
            Closure::Chain(h, g, f) => {
                let y = self.call1(f, x)?;
                let z = self.call1(g, y)?;
                self.call1(h, z)
            }
            Closure::Fork(outer, a, b) => {
                let left = self.call1(a, x)?;
                let right = self.call1(b, x)?;
                self.call2(outer, left, right)
            }
            Closure::Matcher(f, target) => {
                let left = self.call1(f, x)?;
                let right = self.bound(target)?;
                self.equal(left, right)
            }
            Closure::RBind(f, fixed, 1) => {
                let fixed = self.bound(fixed)?;
                self.call2(f, x, fixed)
            }
            Closure::LBind(f, fixed, 1) => {
                let fixed = self.bound(fixed)?;
                self.call2(f, fixed, x)
            }
            Closure::Power(f, n) if *n <= MAX_POWER => {
                (0..*n).try_fold(x, |value, _| self.call1(f, value))
            }
            _ => None,
        }
    }

    fn call2(&mut self, f: &'f Value, x: u8, y: u8) -> Option<u8> {
        self.work += 1;
        let Value::Prim(id) = f else { return None };
        let number = match prims()[usize::from(id.0)] {
            Prim::Astuple => return self.pair(x, y),
            Prim::Equality => return self.equal(x, y),
            Prim::Apply => return self.apply(x, y),
            Prim::Parts2(op) => return self.matching_parts(op, x, y),
            Prim::Numbers(op) => match (self.get(x), self.get(y)) {
                (Name::Number(a), Name::Number(b)) => self.op(op, a, b)?,
                _ => return None,
            },
            Prim::Manhattan => {
                let (a, b) = self.patches(x, y)?;
                self.op(Op::Single, a[4], b[4])?;
                // What the distance of two single cells costs.
                self.work += crate::kernel::near::distance_cost(1, 1, 1);
                let down = self.op(Op::Subtract, a[0], b[0])?;
                let right = self.op(Op::Subtract, a[1], b[1])?;
                let (down, right) =
                    (self.op(Op::Abs, down, down)?, self.op(Op::Abs, right, right)?);
                self.op(Op::Add, down, right)?
            }
            Prim::Matching(n) => {
                let (a, b) = self.patches(x, y)?;
                self.op(Op::Thin, a[n + 2], b[n + 2])?;
                let (end_a, end_b) =
                    (self.op(Op::Last, a[n], a[n + 2])?, self.op(Op::Last, b[n], b[n + 2])?);
                let (over, under) =
                    (self.op(Op::Greater, a[n], end_b)?, self.op(Op::Greater, b[n], end_a)?);
                let apart = self.op(Op::Either, over, under)?;
                self.op(Op::IsZero, apart, apart)?
            }
            _ => return None,
        };
        self.name(Name::Number(number))
    }

    fn patches(&self, x: u8, y: u8) -> Option<([u8; 6], [u8; 6])> {
        match (self.get(x), self.get(y)) {
            (Name::Patch(a), Name::Patch(b)) => Some((a, b)),
            _ => None,
        }
    }

    /// A tuple of two, unless it might be too large for the budget.
    fn pair(&mut self, a: u8, b: u8) -> Option<u8> {
        for part in [a, b] {
            match self.get(part) {
                Name::Number(_) => {}
                Name::Two(x, y) => {
                    let flat = |n| matches!(self.get(n), Name::Number(_));
                    (flat(x) && flat(y)).then_some(())?;
                }
                Name::Patch(_) => {
                    // No element weighs more than all of them and all that is bound.
                    let most = u64::from(self.weight).saturating_mul(2).saturating_add(8);
                    (most <= self.room.weight).then_some(())?;
                }
                Name::Bound(_) => return None,
            }
        }
        self.name(Name::Two(a, b))
    }

    fn equal(&mut self, x: u8, y: u8) -> Option<u8> {
        let number = match (self.get(x), self.get(y)) {
            (Name::Number(a), Name::Number(b)) => self.op(Op::Equal, a, b)?,
            (Name::Two(a, b), Name::Two(c, d)) => {
                let (first, second) = (self.equal(a, c)?, self.equal(b, d)?);
                match (self.get(first), self.get(second)) {
                    (Name::Number(a), Name::Number(b)) => self.op(Op::Both, a, b)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.name(Name::Number(number))
    }

    /// `apply` on a tuple of two numbers.
    fn apply(&mut self, f: u8, x: u8) -> Option<u8> {
        let (Name::Bound(f), Name::Two(a, b)) = (self.get(f), self.get(x)) else { return None };
        let (Name::Number(_), Name::Number(_)) = (self.get(a), self.get(b)) else { return None };
        let (a, b) = (self.call1(f, a)?, self.call1(f, b)?);
        match (self.get(a), self.get(b)) {
            (Name::Number(_), Name::Number(_)) => self.name(Name::Two(a, b)),
            _ => None,
        }
    }

    /// Both numbers of a place, or the number twice.
    fn numbers(&self, name: u8) -> Option<(u8, u8, bool)> {
        match self.get(name) {
            Name::Number(n) => Some((n, n, true)),
            Name::Two(a, b) => match (self.get(a), self.get(b)) {
                (Name::Number(a), Name::Number(b)) => Some((a, b, false)),
                _ => None,
            },
            _ => None,
        }
    }

    fn matching_parts(&mut self, op: Op, x: u8, y: u8) -> Option<u8> {
        let ((a, b, one), (c, d, other)) = (self.numbers(x)?, self.numbers(y)?);
        let first = self.op(op, a, c)?;
        if one && other {
            return self.name(Name::Number(first));
        }
        let second = self.op(op, b, d)?;
        let (first, second) = (self.name(Name::Number(first))?, self.name(Name::Number(second))?);
        self.name(Name::Two(first, second))
    }

    fn prim1(&mut self, prim: Prim, x: u8) -> Option<u8> {
        let number = match (prim, self.get(x)) {
            (Prim::Identity, _) => return Some(x),
            (Prim::First, Name::Two(a, _)) => return Some(a),
            (Prim::Last, Name::Two(_, b)) => return Some(b),
            (Prim::Parts1(op, n), _) => {
                let n = self.constant(n)?;
                let n = self.name(Name::Number(n))?;
                return self.matching_parts(op, x, n);
            }
            (Prim::Number(op), Name::Number(a)) => self.op(op, a, a)?,
            (Prim::Extreme(op), Name::Two(..)) => match self.numbers(x)? {
                (a, b, false) => self.op(op, a, b)?,
                _ => return None,
            },
            (Prim::Measure(n), Name::Patch(m)) => m[n],
            (Prim::End(n), Name::Patch(m)) => self.op(Op::Last, m[n], m[n + 2])?,
            (Prim::Center, Name::Patch(m)) => {
                let i = self.op(Op::Middle, m[0], m[2])?;
                let j = self.op(Op::Middle, m[1], m[3])?;
                return self.place(i, j);
            }
            (Prim::Corner, Name::Patch(m)) => return self.place(m[0], m[1]),
            (Prim::Extent, Name::Patch(m)) => return self.place(m[2], m[3]),
            (Prim::Line(n), Name::Patch(m)) => {
                let one = self.constant(1)?;
                let along = self.op(Op::Equal, m[n], m[4])?;
                let across = self.op(Op::Equal, m[5 - n], one)?;
                self.op(Op::Both, along, across)?
            }
            (Prim::Initset, Name::Two(a, b)) => return self.single(a, b),
            _ => return None,
        };
        self.name(Name::Number(number))
    }

    fn place(&mut self, i: u8, j: u8) -> Option<u8> {
        let (i, j) = (self.name(Name::Number(i))?, self.name(Name::Number(j))?);
        self.name(Name::Two(i, j))
    }

    /// The set of one place or cell.
    fn single(&mut self, a: u8, b: u8) -> Option<u8> {
        let (i, j, color) = match (self.get(a), self.get(b)) {
            (Name::Number(i), Name::Number(j)) => (i, j, i),
            (Name::Number(c), Name::Two(i, j)) => match (self.get(i), self.get(j)) {
                (Name::Number(i), Name::Number(j)) => (i, j, c),
                _ => return None,
            },
            _ => return None,
        };
        let one = self.constant(1)?;
        self.name(Name::Patch([i, j, one, one, one, color]))
    }

    /// Leaves out steps that nobody reads and that cannot fail.
    fn drop_unread_signs(&mut self, result: Given) {
        let (Given::Number(a) | Given::Place(a, _)) = result;
        let (Given::Number(b) | Given::Place(_, b)) = result;
        let read = self.code.iter().fold(1u64 << a | 1 << b, |read, s| read | 1 << s.a | 1 << s.b);
        self.code.retain(|step| step.op != Op::Sign || read >> step.to & 1 == 1);
    }

    fn result(&self, name: u8) -> Option<Given> {
        match self.numbers(name)? {
            (n, _, true) => Some(Given::Number(n)),
            (i, j, false) => Some(Given::Place(i, j)),
        }
    }
}

/// What a primitive does to values with names.
#[derive(Clone, Copy)]
enum Prim {
    Other,
    Identity,
    First,
    Last,
    Initset,
    Astuple,
    Equality,
    Apply,
    Manhattan,
    Center,
    Corner,
    Extent,
    /// An operation on a number.
    Number(Op),
    /// An operation on two numbers.
    Numbers(Op),
    /// An operation on the numbers of a place.
    Extreme(Op),
    /// An operation on a number or both parts of a place, with this number.
    Parts1(Op, i64),
    /// An operation on numbers or places, part by part.
    Parts2(Op),
    /// A measure of a patch.
    Measure(usize),
    /// The last row or column of a patch.
    End(usize),
    /// All elements along one side of the box, the other side being 1.
    Line(usize),
    /// Whether two patches have a row or column in common.
    Matching(usize),
}

/// What is known of every primitive, by id.
fn prims() -> &'static [Prim] {
    static PRIMS: OnceLock<Vec<Prim>> = OnceLock::new();
    PRIMS.get_or_init(|| Registry::get().all().map(|(_, prim)| by_name(prim.name)).collect())
}

fn by_name(name: &str) -> Prim {
    match name {
        "identity" => Prim::Identity,
        "first" => Prim::First,
        "last" => Prim::Last,
        "initset" => Prim::Initset,
        "astuple" => Prim::Astuple,
        "equality" => Prim::Equality,
        "apply" => Prim::Apply,
        "manhattan" => Prim::Manhattan,
        "center" => Prim::Center,
        "ulcorner" => Prim::Corner,
        "shape" => Prim::Extent,
        "even" => Prim::Number(Op::IsEven),
        "positive" => Prim::Number(Op::IsPositive),
        "flip" => Prim::Number(Op::IsZero),
        "greater" => Prim::Numbers(Op::Greater),
        "both" => Prim::Numbers(Op::Both),
        "either" => Prim::Numbers(Op::Either),
        "maximum" => Prim::Extreme(Op::Max),
        "minimum" => Prim::Extreme(Op::Min),
        "add" => Prim::Parts2(Op::Add),
        "subtract" => Prim::Parts2(Op::Subtract),
        "multiply" => Prim::Parts2(Op::Multiply),
        "increment" => Prim::Parts1(Op::Add, 1),
        "decrement" => Prim::Parts1(Op::Subtract, 1),
        "double" => Prim::Parts1(Op::Multiply, 2),
        "sign" => Prim::Parts1(Op::Sign, 0),
        "invert" => Prim::Parts1(Op::Negate, 0),
        "halve" => Prim::Parts1(Op::Halve, 0),
        "crement" => Prim::Parts1(Op::Crement, 0),
        "uppermost" => Prim::Measure(0),
        "leftmost" => Prim::Measure(1),
        "height" => Prim::Measure(2),
        "width" => Prim::Measure(3),
        "size" => Prim::Measure(4),
        "color" => Prim::Measure(5),
        "lowermost" => Prim::End(0),
        "rightmost" => Prim::End(1),
        "vline" => Prim::Line(2),
        "hline" => Prim::Line(3),
        "hmatching" => Prim::Matching(0),
        "vmatching" => Prim::Matching(1),
        _ => Prim::Other,
    }
}

#[cfg(test)]
mod tests;
