//! What the nodes of a batt came to on one input, as far as it leaves the worker: the grids.

use arcloom_value::Grid;

use crate::table::ValueId;
use crate::worker::NodeSlot;

mod known;

/// What a node came to on one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GridCode(u32);

impl GridCode {
    /// The node failed.
    pub const FAILED: GridCode = GridCode(u32::MAX);
    /// The node, or one it depends on, was stopped by the budget.
    pub const STOPPED: GridCode = GridCode(u32::MAX - 1);
    /// The node has a value that is not a grid.
    pub const OTHER: GridCode = GridCode(u32::MAX - 2);

    /// The code of the grid in this place of [`Column::grids`].
    #[inline]
    pub fn at(place: usize) -> GridCode {
        debug_assert!(place < GridCode::OTHER.0 as usize);
        GridCode(place as u32)
    }

    /// Position of the grid in [`Column::grids`], if the value is one.
    #[inline]
    pub fn grid(self) -> Option<usize> {
        (self < GridCode::OTHER).then_some(self.0 as usize)
    }
}

/// The grids of all nodes on one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// By node.
    pub codes: Vec<GridCode>,
    /// The distinct grids, in the order of the first nodes that have them.
    pub grids: Vec<Grid>,
    /// Where grids stayed on a device: what is known of each. Empty where all of them are here.
    pub marks: Vec<Mark>,
}

/// What is known of a grid that may have stayed on a device. Of one that is here, the grid itself is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// A hash of its cells.
    pub print: u64,
    /// Cells that are as in the expected grid; `None` where that has another size or is not known.
    pub right: Option<u32>,
    /// True when it may be an answer: sides up to 64, colours from 0 to 15.
    pub plain: bool,
    /// True when [`Column::grids`] has it; otherwise what is in its place there means nothing.
    pub here: bool,
}

impl Column {
    /// The grid of a node, if it has one.
    pub fn grid(&self, node: usize) -> Option<&Grid> {
        let place = self.codes[node].grid()?;
        debug_assert!(self.is_here(place), "a grid that was not fetched");
        Some(&self.grids[place])
    }

    /// About how much memory this takes.
    pub fn bytes(&self) -> usize {
        let grids: usize = self.grids.iter().map(|grid| grid.cells().len() + 32).sum();
        self.codes.len() * size_of::<GridCode>() + grids
    }

    /// The grids of slots whose values have numbers below `values`.
    pub(crate) fn new(
        slots: &[NodeSlot],
        values: usize,
        grid: impl Fn(ValueId) -> Option<Grid>,
    ) -> Column {
        let mut grids = Vec::new();
        // Where a value's grid is, once a node has it.
        let mut places = vec![GridCode::FAILED; values];
        let mut code = |id: ValueId| {
            let place = &mut places[id.place() as usize];
            if *place == GridCode::FAILED {
                *place = GridCode::OTHER;
                if let Some(grid) = grid(id) {
                    *place = GridCode(grids.len() as u32);
                    grids.push(grid);
                }
            }
            *place
        };
        let codes = slots.iter().map(|slot| match slot {
            Ok(id) => code(*id),
            Err(error) if error.is_budget() => GridCode::STOPPED,
            Err(_) => GridCode::FAILED,
        });
        let codes = codes.collect();
        Column { codes, grids, marks: Vec::new() }
    }
}
