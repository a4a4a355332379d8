//! Following a closure with names in place of numbers.

use arcloom_value::{Closure, Value};
use smallvec::SmallVec;

use super::batch::Batch;
use super::prims::{Prim, prims};
use super::{Bound, COLOR, Given, Layout, Op, Part, REGS, Shape, Step};
use crate::kernel::near;
use crate::toll::SMALL_TUPLE;

/// Most names that one layout may use.
const NAMES: usize = 128;
/// Largest exponent of `power` that is followed.
const MAX_POWER: u32 = 4;

/// A value whose numbers are not known yet.
#[derive(Clone, Copy)]
enum Name<'f> {
    Number(u8),
    /// A tuple of two.
    Two(u8, u8),
    /// A patch that is not empty, by its measures.
    Patch([u8; 6]),
    /// The line that `connect` draws between two places.
    Line([u8; 4]),
    /// The same in a colour.
    Painted(u8, [u8; 4]),
    /// A function bound to another.
    Bound(&'f Value),
}

/// Lays a closure out, following it as `Caller` would call it.
pub(super) struct Builder<'f> {
    names: SmallVec<[Name<'f>; 48]>,
    nesting: u32,
    layout: Box<Layout>,
}

impl<'f> Builder<'f> {
    /// The function laid out for elements of this shape.
    pub(super) fn lay_out(function: &'f Value, shape: Shape) -> Option<Box<Layout>> {
        let layout = Box::new(Layout {
            function: function.clone(),
            shape,
            bound: SmallVec::new(),
            prologue: SmallVec::new(),
            code: SmallVec::new(),
            regs: [0; REGS],
            work: 0,
            depth: 0,
            given: Given::Number(0),
            used: 0,
            fixed: 0,
            read: 0,
            batch: Batch::default(),
        });
        let mut builder = Builder { names: SmallVec::new(), nesting: 0, layout };
        let arg = match shape {
            Shape::One(part) => builder.part(part)?,
            Shape::Two(a, b) => {
                let (a, b) = (builder.part(a)?, builder.part(b)?);
                builder.name(Name::Two(a, b))?
            }
        };
        let result = builder.call1(function, arg)?;
        builder.layout.given = builder.given(result)?;
        builder.drop_unread_signs();
        Some(builder.layout)
    }

    fn name(&mut self, name: Name<'f>) -> Option<u8> {
        self.names.push(name);
        (self.names.len() <= NAMES).then(|| self.names.len() as u8 - 1)
    }

    fn get(&self, name: u8) -> Name<'f> {
        self.names[usize::from(name)]
    }

    fn reg(&mut self) -> Option<u8> {
        self.layout.used += 1;
        (self.layout.used <= REGS).then(|| self.layout.used as u8 - 1)
    }

    fn number(&mut self) -> Option<u8> {
        let reg = self.reg()?;
        self.name(Name::Number(reg))
    }

    fn constant(&mut self, n: i64) -> Option<u8> {
        let reg = self.reg()?;
        self.layout.regs[usize::from(reg)] = n;
        self.layout.fixed |= 1 << reg;
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
        let Some(part) = Part::of(value) else {
            return if value.is_function() { self.name(Name::Bound(value)) } else { None };
        };
        let first = self.layout.used;
        let name = self.part(part)?;
        part.load(value, &mut self.layout.regs[first..])?;
        for reg in first..self.layout.used {
            self.layout.fixed |= 1 << reg;
        }
        self.layout.bound.push(Bound {
            at: std::ptr::from_ref(value).addr(),
            part,
            first: first as u8,
        });
        Some(name)
    }

    /// The number that an operation gives, worked out at once where both numbers are known.
    fn op(&mut self, op: Op, a: u8, b: u8) -> Option<u8> {
        if self.layout.fixed >> a & self.layout.fixed >> b & 1 == 1 {
            let n = op.on(self.layout.at(a), self.layout.at(b))?;
            let to = self.constant(n)?;
            self.layout.prologue.push(Step { op, a, b, to });
            return Some(to);
        }
        // A number times its own sign; the sign goes unread then.
        let signed = |last: &Step| (op, last.op, last.a, last.to) == (Op::Multiply, Op::Sign, b, a);
        let (op, a) =
            if self.layout.code.last().is_some_and(signed) { (Op::Abs, b) } else { (op, a) };
        let to = self.reg()?;
        self.layout.code.push(Step { op, a, b, to });
        Some(to)
    }

    fn call1(&mut self, f: &'f Value, x: u8) -> Option<u8> {
        self.layout.work += 1;
        match f {
            Value::Prim(id) => self.prim1(prims()[usize::from(id.0)], x),
            Value::Closure(function) => {
                self.nesting += 1;
                self.layout.depth = self.layout.depth.max(self.nesting);
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
        self.layout.work += 1;
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
                self.layout.work += near::distance_cost(1, 1, 1);
                let down = self.op(Op::Subtract, a[0], b[0])?;
                let right = self.op(Op::Subtract, a[1], b[1])?;
                let (down, right) =
                    (self.op(Op::Abs, down, down)?, self.op(Op::Abs, right, right)?);
                self.op(Op::Add, down, right)?
            }
            Prim::Matching(n) => {
                let (a, b) = self.patches(x, y)?;
                self.op(Op::Thin, a[n + 2], b[n + 2])?;
                self.op(Op::Small, a[3 - n], b[3 - n])?;
                let (end_a, end_b) =
                    (self.op(Op::Last, a[n], a[n + 2])?, self.op(Op::Last, b[n], b[n + 2])?);
                let (over, under) =
                    (self.op(Op::Greater, a[n], end_b)?, self.op(Op::Greater, b[n], end_a)?);
                let apart = self.op(Op::Either, over, under)?;
                self.op(Op::IsZero, apart, apart)?
            }
            Prim::Connect => match (self.numbers(x)?, self.numbers(y)?) {
                ((a, b, false), (c, d, false)) => return self.name(Name::Line([a, b, c, d])),
                _ => return None,
            },
            Prim::Recolor => match (self.get(x), self.get(y)) {
                (Name::Number(color), Name::Line(ends)) => {
                    return self.name(Name::Painted(color, ends));
                }
                _ => return None,
            },
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

    /// A tuple of two places, numbers or patches.
    fn pair(&mut self, a: u8, b: u8) -> Option<u8> {
        let simple = |name: u8| match self.get(name) {
            Name::Number(_) | Name::Patch(_) => true,
            Name::Two(..) => self.numbers(name).is_some(),
            _ => false,
        };
        if simple(a) && simple(b) { self.name(Name::Two(a, b)) } else { None }
    }

    /// What a tuple of numbers weighs, as in [`arcloom_value::value::Bulk`].
    fn weight(&self, name: u8) -> usize {
        match self.get(name) {
            Name::Two(a, b) => 1 + self.weight(a) + self.weight(b),
            _ => 1,
        }
    }

    fn equal(&mut self, x: u8, y: u8) -> Option<u8> {
        // Comparing larger tuples is charged.
        if self.weight(x).min(self.weight(y)) > SMALL_TUPLE {
            return None;
        }
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
            (Prim::Each(op), _) => return self.matching_parts(op, x, x),
            (Prim::Number(op), Name::Number(a)) => self.op(op, a, a)?,
            (Prim::Extreme(op), Name::Two(..)) => match self.numbers(x)? {
                (a, b, false) => self.op(op, a, b)?,
                _ => return None,
            },
            (Prim::Measure(n), Name::Patch(m)) => m[n],
            // What `color` takes is the first part of the first element.
            (Prim::Measure(COLOR), Name::Two(a, _)) => match self.get(a) {
                Name::Two(c, _) => return Some(c),
                _ => return None,
            },
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
    fn drop_unread_signs(&mut self) {
        let mut read = match self.layout.given {
            Given::Number(n) => 1 << n,
            Given::Place(i, j) => 1 << i | 1 << j,
            Given::Line(ends) => ends.iter().fold(0u64, |read, n| read | 1 << n),
            Given::Painted(c, ends) => ends.iter().fold(1 << c, |read, n| read | 1 << n),
        };
        for step in &self.layout.code {
            read |= 1 << step.a | 1 << step.b;
        }
        self.layout.code.retain(|step| step.op != Op::Sign || read >> step.to & 1 == 1);
        self.layout.read = read;
    }

    fn given(&self, name: u8) -> Option<Given> {
        match self.get(name) {
            Name::Line(ends) => Some(Given::Line(ends)),
            Name::Painted(color, ends) => Some(Given::Painted(color, ends)),
            _ => match self.numbers(name)? {
                (n, _, true) => Some(Given::Number(n)),
                (i, j, false) => Some(Given::Place(i, j)),
            },
        }
    }
}
