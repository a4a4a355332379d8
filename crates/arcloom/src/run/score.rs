//! How near every grid of every demo is to the expected one. Each distinct grid is looked at once.

use std::sync::Arc;

use arcloom_graph::Column;
use arcloom_tasks::Pair;

/// A thousandth of perfection.
pub(super) const PERFECT: u32 = 1000;

/// Per demo, what its distinct grids are worth.
pub(super) struct Scores {
    demos: Vec<Demo>,
}

struct Demo {
    /// Position of the expected grid among the column's, if some node has it.
    expected: Option<usize>,
    /// Share of right cells in thousandths, by grid; 0 for another shape.
    near: Vec<u32>,
}

impl Scores {
    pub(super) fn new(columns: &[Arc<Column>], demos: &[Pair]) -> Scores {
        let demo = |(column, pair): (&Arc<Column>, &Pair)| {
            let area = pair.output.cells().len();
            let right = |place| column.right_cells(place, &pair.output);
            let right: Vec<Option<usize>> = (0..column.places()).map(right).collect();
            Demo {
                expected: right.iter().position(|right| *right == Some(area)),
                near: right.into_iter().map(|r| r.map_or(0, |r| share(r, area))).collect(),
            }
        };
        Scores { demos: columns.iter().zip(demos).map(demo).collect() }
    }

    /// Number of demos that a node solves.
    pub(super) fn solved(&self, columns: &[Arc<Column>], node: usize) -> usize {
        let right = |(demo, column): &(&Demo, &Arc<Column>)| {
            demo.expected.is_some() && column.codes[node].grid() == demo.expected
        };
        self.demos.iter().zip(columns).filter(right).count()
    }

    /// Mean share of right cells of a node over the demos, in thousandths.
    pub(super) fn near(&self, columns: &[Arc<Column>], node: usize) -> u32 {
        let one = |(demo, column): (&Demo, &Arc<Column>)| {
            column.codes[node].grid().map_or(0, |place| demo.near[place])
        };
        let sum: u32 = self.demos.iter().zip(columns).map(one).sum();
        sum / (self.demos.len() as u32).max(1)
    }
}

/// Share of right cells in thousandths.
fn share(right: usize, area: usize) -> u32 {
    (right * PERFECT as usize / area.max(1)) as u32
}
