//! The tuples of a product, which need not be made to be worked on.

use arcloom_value::{Parts, Product, Value};

use super::batch::{Column, LANES};
use super::lines::Drawn;
use super::{Layout, REGS, measures};
use crate::kernel::{between, bits};

/// The numbers of a position, cell or patch, zeros after them.
type Numbers = [i64; 6];

/// The numbers of the parts of tuples, in order, and how many each has.
fn numbers(parts: &Parts) -> (Vec<Numbers>, usize) {
    match parts {
        Parts::Cells(patch) => {
            let mut all = Vec::with_capacity(patch.len());
            bits::each_cell(patch, |c, i, j| {
                let (c, i, j) = (c.into(), i.into(), j.into());
                all.push(if patch.is_object() { [c, i, j, 0, 0, 0] } else { [i, j, 0, 0, 0, 0] });
            });
            (all, if patch.is_object() { 3 } else { 2 })
        }
        Parts::Patches(seq) => {
            let patches = seq.items().iter().filter_map(|item| match item {
                Value::Patch(patch) => Some(measures(patch)),
                _ => None,
            });
            (patches.collect(), 6)
        }
    }
}

impl Layout {
    /// Works out what the function gives for all tuples; false when some need the plain call.
    pub(super) fn run_pairs(&mut self, product: &Product) -> bool {
        let ((firsts, count), (seconds, _)) = (numbers(product.first()), numbers(product.second()));
        self.batch.numbers.reserve(firsts.len());
        if product.is_whole() {
            return self.run_rows(&firsts, &seconds, count);
        }
        let (left, right) = (self.read_among(0..count), self.read_among(count..2 * count));
        let mut lane = 0;
        let run = product.visit(|a, b| {
            for &n in &left {
                self.batch.columns[n][lane] = firsts[a][n];
            }
            for &n in &right {
                self.batch.columns[n][lane] = seconds[b][n - count];
            }
            lane += 1;
            if lane == LANES {
                lane = 0;
                return if self.run_lanes(LANES) { Ok(()) } else { Err(()) };
            }
            Ok(())
        });
        run.is_ok() && (lane == 0 || self.run_lanes(lane))
    }

    /// Every first part with all second parts, whose columns are the same each time.
    fn run_rows(&mut self, firsts: &[Numbers], seconds: &[Numbers], count: usize) -> bool {
        let column = |lanes: &[Numbers], n: usize| -> Column {
            std::array::from_fn(|lane| lanes.get(lane).unwrap_or(&lanes[0])[n])
        };
        let chunks: Vec<(usize, [Column; 6])> = seconds
            .chunks(LANES)
            .map(|lanes| (lanes.len(), std::array::from_fn(|n| column(lanes, n))))
            .collect();
        let (left, right) = (self.read_among(0..count), self.read_among(count..2 * count));
        firsts.iter().all(|first| {
            for &n in &left {
                self.batch.columns[n] = [first[n]; LANES];
            }
            chunks.iter().all(|(used, columns)| {
                for &n in &right {
                    self.batch.columns[n] = columns[n - count];
                }
                self.run_lanes(*used)
            })
        })
    }

    /// The numbers of every tuple in turn, until one gives nothing.
    pub(super) fn each_pair(
        &mut self,
        product: &Product,
        mut visit: impl FnMut(&mut Layout) -> Option<()>,
    ) -> Option<()> {
        let ((firsts, count), (seconds, _)) = (numbers(product.first()), numbers(product.second()));
        let visit_pair = |a: usize, b: usize| {
            let regs: &mut [i64; REGS] = &mut self.regs;
            regs[..count].copy_from_slice(&firsts[a][..count]);
            regs[count..2 * count].copy_from_slice(&seconds[b][..count]);
            visit(self).ok_or(())
        };
        product.visit(visit_pair).ok()
    }

    /// The lines between all positions of two sets, where that is what the function draws.
    pub(super) fn draw_between(
        &self,
        product: &Product,
        ends: [u8; 4],
        left: u64,
    ) -> Option<Drawn> {
        let (Parts::Cells(a), Parts::Cells(b)) = (product.first(), product.second()) else {
            return None;
        };
        let calls = a.len() * b.len();
        // Every call costs this at least.
        if calls.saturating_mul(self.work) as u64 > left {
            return None;
        }
        if ends != [0, 1, 2, 3] || !self.code.is_empty() || !product.is_whole() {
            return None;
        }
        let found = between::lines(a, b)?;
        let drawn: usize = found.lines.iter().filter_map(|line| line.len()).sum();
        let work = calls.saturating_mul(self.work).saturating_add(found.length);
        let drawn = Drawn { lines: found.lines, again: found.length - drawn, work, stopped: None };
        (work as u64 <= left).then_some(drawn)
    }
}
