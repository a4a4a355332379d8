//! All elements of a container at once: every step is done for several elements before the next one.

use std::ops::Range;

use arcloom_value::{Patch, Value};
use smallvec::SmallVec;

use super::{Given, Layout, Op, REGS, Shape};

/// How many elements are worked on together.
pub(super) const LANES: usize = 16;
/// Most numbers for which space is kept.
const KEPT: usize = 1 << 14;

/// One number of several elements.
pub(super) type Column = [i64; LANES];

/// Space for working on several elements.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) columns: Vec<Column>,
    /// What the function gives, element by element.
    pub(super) numbers: Vec<i64>,
    /// How many of these are asked for.
    count: usize,
}

impl Batch {
    /// Gives back the space of a very long list.
    pub(super) fn shrink(&mut self) {
        if self.numbers.capacity() > KEPT {
            self.numbers = Vec::new();
        }
    }
}

impl Layout {
    /// Works out what the function gives for the first elements, `count` of them and maybe a few more;
    /// false when one of these needs the plain call.
    pub(super) fn run_all(&mut self, over: &Value, count: usize) -> bool {
        self.batch.count = count;
        self.batch.numbers.clear();
        count == 0 || self.run_elements(over) || self.batch.numbers.len() >= count
    }

    /// Works out what the function gives for all elements; false when one of these needs the plain
    /// call or enough is done.
    fn run_elements(&mut self, over: &Value) -> bool {
        self.batch.columns.resize(self.used, [0; LANES]);
        for (n, column) in self.batch.columns.iter_mut().enumerate() {
            if self.fixed >> n & 1 == 1 {
                *column = [self.regs[n]; LANES];
            }
        }
        match over {
            Value::Patch(patch) => self.run_cells(patch),
            Value::Tuple(seq) | Value::Set(seq) => {
                if let Some(product) = seq.product() {
                    return self.run_pairs(product);
                }
                let mut loaded = [0; REGS];
                let read = self.read_among(0..self.shape.count());
                seq.items().chunks(LANES).all(|items| {
                    for (lane, item) in items.iter().enumerate() {
                        if !self.shape.load(item, &mut loaded) {
                            return false;
                        }
                        for &n in &read {
                            self.batch.columns[n][lane] = loaded[n];
                        }
                    }
                    self.run_lanes(items.len())
                })
            }
            _ => false,
        }
    }

    /// Those of the numbers of an element that are read.
    pub(super) fn read_among(&self, numbers: Range<usize>) -> SmallVec<[usize; 12]> {
        numbers.filter(|n| self.read >> n & 1 == 1).collect()
    }

    /// The elements of a patch, in order.
    fn run_cells(&mut self, patch: &Patch) -> bool {
        let frame = patch.frame();
        let stride = frame.stride();
        let (color, row, column) = if frame.coloured { (Some(0), 1, 2) } else { (None, 0, 1) };
        let mut lane = 0;
        for k in 0..patch.layer_count() {
            for (at, &word) in patch.layer(k).iter().enumerate() {
                let i = i64::from(frame.top) + (at / stride) as i64;
                let left = i64::from(frame.left) + (at % stride * 64) as i64;
                let mut bits = word;
                while bits != 0 {
                    if let Some(color) = color {
                        let color: &mut Column = &mut self.batch.columns[color];
                        color[lane] = patch.color(k).into();
                    }
                    self.batch.columns[row][lane] = i;
                    self.batch.columns[column][lane] = left + i64::from(bits.trailing_zeros());
                    bits &= bits - 1;
                    lane += 1;
                    if lane == LANES {
                        if !self.run_lanes(LANES) {
                            return false;
                        }
                        lane = 0;
                    }
                }
            }
        }
        lane == 0 || self.run_lanes(lane)
    }

    /// All steps on the first lanes.
    pub(super) fn run_lanes(&mut self, used: usize) -> bool {
        let Given::Number(given) = self.given else { return false };
        if used < LANES {
            // Lanes without an element repeat the first one, so that they cannot fail on their own.
            for column in &mut self.batch.columns[..self.shape.count()] {
                let first = column[0];
                column[used..].fill(first);
            }
        }
        for step in &self.code {
            let (a, b) = (self.column(step.a), self.column(step.b));
            let mut out = [0; LANES];
            if !step.op.on_all(a, b, &mut out) {
                return false;
            }
            self.batch.columns[usize::from(step.to)] = out;
        }
        let given = *self.column(given);
        self.batch.numbers.extend_from_slice(&given[..used]);
        self.batch.numbers.len() < self.batch.count
    }

    #[inline]
    fn column(&self, reg: u8) -> &Column {
        &self.batch.columns[usize::from(reg)]
    }
}

impl Shape {
    /// How many numbers an element has.
    fn count(self) -> usize {
        match self {
            Shape::One(part) => part.count(),
            Shape::Two(a, b) => a.count() + b.count(),
        }
    }
}

impl Op {
    /// [`Op::on`] for all lanes; false when it gives nothing for one of them.
    fn on_all(self, a: &Column, b: &Column, out: &mut Column) -> bool {
        // The most frequent operations, written so that the loops have no branches.
        match self {
            Op::Add => lanes(a, b, out, i64::overflowing_add),
            Op::Subtract => lanes(a, b, out, i64::overflowing_sub),
            Op::Abs => lanes(a, b, out, |a, _| (a.wrapping_abs(), a == i64::MIN)),
            Op::Equal => lanes(a, b, out, |a, b| (i64::from(a == b), false)),
            Op::Greater => lanes(a, b, out, |a, b| (i64::from(a > b), false)),
            Op::Both => lanes(a, b, out, |a, b| (if a != 0 { b } else { a }, false)),
            Op::Either => lanes(a, b, out, |a, b| (if a != 0 { a } else { b }, false)),
            Op::Middle => lanes(a, b, out, |a, b| a.overflowing_add(b >> 1)),
            Op::IsEven => lanes(a, b, out, |a, _| (i64::from(a & 1 == 0), false)),
            Op::IsPositive => lanes(a, b, out, |a, _| (i64::from(a > 0), false)),
            Op::Max => lanes(a, b, out, |a, b| (a.max(b), false)),
            _ => (0..LANES).all(|n| match self.on(a[n], b[n]) {
                Some(number) => {
                    out[n] = number;
                    true
                }
                None => false,
            }),
        }
    }
}

#[inline]
fn lanes(a: &Column, b: &Column, out: &mut Column, f: impl Fn(i64, i64) -> (i64, bool)) -> bool {
    let mut failed = false;
    for n in 0..LANES {
        let (number, fails) = f(a[n], b[n]);
        out[n] = number;
        failed |= fails;
    }
    !failed
}
