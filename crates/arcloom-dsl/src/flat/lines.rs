//! Lines drawn for the elements of a set: numbers that sort as the lines do, each drawn once.

use arcloom_value::{Seq, Value};

use super::{Given, Layout, REGS};
use crate::kernel::figure;

/// Fewest elements that are worth it.
const SOME: usize = 8;
/// Coordinates lie this near to 0, so that a line is a number.
const NEAR: i64 = 1 << 17;
/// Longest line; its rows are one word.
const LONGEST: usize = 64;

/// The lines that a function gives for the elements of a set.
pub(crate) struct Drawn {
    /// The distinct lines, ascending; nothing comes first if it is among them.
    pub(crate) lines: Vec<Value>,
    /// How many positions the lines have that were left out because they are there already.
    pub(crate) again: usize,
    /// What the calls cost.
    pub(super) work: usize,
    /// The element whose call cannot be paid for, after calls that cost so much; no lines then.
    pub(super) stopped: Option<usize>,
}

impl Layout {
    /// The lines for these elements with so much work to spend; `None` when the plain calls are to be
    /// made.
    pub(super) fn draw(&mut self, seq: &Seq, left: u64) -> Option<Drawn> {
        let (ends, color) = match self.given {
            Given::Line(ends) => (ends, None),
            Given::Painted(color, ends) => (ends, Some(color)),
            _ => return None,
        };
        if seq.len() < SOME {
            return None;
        }
        if let Some(product) = seq.product()
            && color.is_none()
            && let Some(drawn) = self.draw_between(product, ends, left)
        {
            return Some(drawn);
        }
        let mut keys: Vec<u64> = Vec::new();
        let times = if color.is_some() { 2 } else { 1 };
        let (mut length, mut work, mut n, mut stopped) = (0, 0usize, 0, None);
        let mut draw = |layout: &mut Layout| {
            for n in 0..layout.code.len() {
                let step = layout.code[n];
                let n = step.op.on(layout.at(step.a), layout.at(step.b))?;
                layout.regs[usize::from(step.to) % REGS] = n;
            }
            let [ai, aj, bi, bj] = ends.map(|n| layout.at(n));
            let len = figure::straight((ai, aj), (bi, bj));
            let cost = len.unwrap_or(0).saturating_mul(times).saturating_add(layout.work);
            if work.saturating_add(cost) as u64 > left {
                stopped = Some(n);
                return None;
            }
            (n, work) = (n + 1, work + cost);
            if let Some(len) = len {
                let color = color.map_or(Some(0), |c| i8::try_from(layout.at(c)).ok())?;
                keys.push(key(color, (ai, aj), (bi, bj), len)?);
                length += len;
            }
            Some(())
        };
        let all = match seq.product() {
            Some(product) => self.each_pair(product, draw),
            None => seq.items().iter().try_for_each(|item| {
                if self.shape.load(item, &mut self.regs) { draw(self) } else { None }
            }),
        };
        if stopped.is_some() {
            return Some(Drawn { lines: Vec::new(), again: 0, work, stopped });
        }
        all?;
        let nothing = keys.len() < seq.len();
        keys.sort_unstable();
        keys.dedup();
        let mut lines = Vec::with_capacity(keys.len() + 1);
        if nothing {
            lines.push(Value::empty_set());
        }
        let mut drawn = 0;
        for key in keys {
            let (line, len) = line(key, color.is_some())?;
            lines.push(line);
            drawn += len;
        }
        Some(Drawn { lines, again: length - drawn, work, stopped: None })
    }
}

/// A number for the line between two places: colour, where it starts, its direction and its length.
///
/// A line starts at its uppermost end, of a horizontal one the left. Lines with one start are, in
/// order, those to the right, down left, down and down right, each from the shortest to the longest:
/// their second positions ascend, and a part comes before the whole.
#[inline]
fn key(color: i8, (ai, aj): (i64, i64), (bi, bj): (i64, i64), len: usize) -> Option<u64> {
    let near = |n: i64| (-NEAR..NEAR).contains(&n);
    if len > LONGEST || ![ai, aj, bi, bj].into_iter().all(near) {
        return None;
    }
    let (direction, j) = match (ai == bi, aj == bj) {
        (true, _) => (0, aj.min(bj)),
        (_, true) => (2, aj),
        _ if (bi > ai) == (bj > aj) => (3, aj.min(bj)),
        _ => (1, aj.max(bj)),
    };
    let color = (i16::from(color) + 128) as u64;
    let (i, j) = ((ai.min(bi) + NEAR) as u64, (j + NEAR) as u64);
    Some(color << 56 | i << 38 | j << 20 | direction << 18 | len as u64)
}

/// The line with this number, and its length.
fn line(key: u64, painted: bool) -> Option<(Value, usize)> {
    let coordinate = |bits: u64| (bits & (2 * NEAR as u64 - 1)) as i64 - NEAR;
    let (i, j, len) = (coordinate(key >> 38), coordinate(key >> 20), key as usize & 0x3_ffff);
    let (di, dj) = [(0, 1), (1, -1), (1, 0), (1, 1)][(key >> 18 & 3) as usize];
    let line = figure::line(i, j, di, dj, len);
    if !painted {
        return Some((line, len));
    }
    let Value::Patch(line) = line else { return None };
    let color = ((key >> 56) as i16 - 128) as i8;
    Some((Value::Patch(line.recolored(color)?), len))
}
