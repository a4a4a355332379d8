//! What devices came to as the columns of a run. The CPU evaluates, input by input, the nodes that no device
//! has and those that left what a device can hold, and it draws the few grids that are looked at: these are
//! compared with the hash that the device gave, so that nothing is reported that the CPU has not seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arcloom_graph::batt::Batt;
use arcloom_graph::{
    BattPlan, Column, ColumnSource, Cpu, GridCode, Mark, SharedColumns, Stop, TaskInputs,
};
use arcloom_value::{FixedMap, Grid};

use crate::fleet::NodeRecords;
use crate::lower::{ComputedBy, Lowered};
use crate::record::{Record, print_of};
use crate::runtime::DeviceInputs;

#[cfg(test)]
mod tests;

/// The inputs of tasks as they are sent to devices, all in one batch.
#[derive(Debug, Clone, Default)]
pub struct TaskBatch {
    /// The inputs, what is expected of the demos beside them.
    pub inputs: DeviceInputs,
    /// First input of every task.
    first: Vec<usize>,
    /// Inputs that no device can take.
    too_large: Vec<bool>,
}

impl TaskBatch {
    /// Begins the next task.
    pub fn begin_task(&mut self) {
        self.first.push(self.inputs.len());
    }

    /// Adds an input to it, and what is expected of it, where it is a demo.
    pub fn add(&mut self, input: &Grid, expected: Option<&Grid>) {
        self.too_large.push(!self.inputs.add(input, expected));
    }

    /// Some of the inputs, all of one task.
    pub fn pick(&self, chosen: &[usize]) -> TaskBatch {
        TaskBatch {
            inputs: self.inputs.pick(chosen),
            first: vec![0],
            too_large: vec![false; chosen.len()],
        }
    }
}

/// A batt and the CPU that does what devices do not.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// The batt.
    pub batt: &'a Batt,
    /// The same made ready.
    pub plan: &'a BattPlan,
    /// What evaluates it here.
    pub cpu: &'a Cpu,
}

impl Host<'_> {
    /// Adds the nodes that these depend on.
    pub fn close(&self, needed: &mut [bool]) {
        for n in (0..needed.len()).rev() {
            if needed[n] {
                self.batt.nodes()[n].args.iter().for_each(|arg| needed[arg.index()] = true);
            }
        }
    }
}

/// What devices came to on the tasks of a run.
pub struct DeviceColumns<'a> {
    host: Host<'a>,
    lowered: Arc<Lowered>,
    records: NodeRecords,
    batch: TaskBatch,
    over: AtomicU64,
    drawn: AtomicU64,
    wrong: AtomicU64,
}

/// What was counted while columns were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceCounts {
    /// Values that left what a device can hold.
    pub over: u64,
    /// Grids that were computed again because somebody looked at them.
    pub drawn: u64,
    /// Tasks on which a device gave another grid than the CPU.
    pub wrong: u64,
}

impl<'a> DeviceColumns<'a> {
    /// What a fleet gave for this batch.
    pub fn new(
        host: Host<'a>,
        lowered: Arc<Lowered>,
        records: NodeRecords,
        batch: TaskBatch,
    ) -> DeviceColumns<'a> {
        let [over, drawn, wrong] = [(); 3].map(|()| AtomicU64::new(0));
        DeviceColumns { host, lowered, records, batch, over, drawn, wrong }
    }

    /// What was counted so far.
    pub fn counts(&self) -> DeviceCounts {
        let [over, drawn, wrong] =
            [&self.over, &self.drawn, &self.wrong].map(|count| count.load(Ordering::Relaxed));
        DeviceCounts { over, drawn, wrong }
    }

    /// The nodes that the CPU is to evaluate on an input.
    pub fn needed(&self, input: usize) -> Vec<bool> {
        let mut over = 0;
        let mut needed: Vec<bool> = self
            .lowered
            .places
            .iter()
            .map(|place| match *place {
                ComputedBy::Cpu => true,
                // Never a grid; whoever needs it asks for it.
                ComputedBy::Inner => false,
                ComputedBy::Slot(slot) => {
                    let record = self.record(slot, input);
                    over += u64::from(record == Some(Record::Over));
                    record.is_none_or(|record| record == Record::Over)
                }
            })
            .collect();
        self.over.fetch_add(over, Ordering::Relaxed);
        self.host.close(&mut needed);
        needed
    }

    fn record(&self, slot: u32, input: usize) -> Option<Record> {
        if self.batch.too_large[input] { None } else { self.records.get(slot, input) }
    }

    /// What the CPU and the devices have, as one column.
    fn join(&self, input: usize, needed: &[bool], own: &Column) -> Column {
        let mut joined = Joined::default();
        for (n, &code) in own.codes.iter().enumerate() {
            let code = if needed[n] {
                code.grid().map_or(code, |place| joined.add_grid(&own.grids[place]))
            } else {
                let slot = match self.lowered.places[n] {
                    ComputedBy::Slot(slot) => Some(slot),
                    ComputedBy::Cpu | ComputedBy::Inner => None,
                };
                match slot.map(|slot| self.record(slot, input)) {
                    None | Some(Some(Record::Other(_))) => GridCode::OTHER,
                    Some(Some(Record::Grid(seen))) => {
                        let (print, right, plain) = (seen.print, seen.right, seen.plain);
                        joined.place(Mark { print, right, plain, here: false })
                    }
                    Some(_) => GridCode::FAILED,
                }
            };
            joined.column.codes.push(code);
        }
        joined.column
    }

    /// For every column the nodes whose grids are away, and what these depend on.
    fn undrawn(&self, columns: &[Arc<Column>], nodes: &[usize]) -> Vec<Vec<bool>> {
        let needed = |column: &Arc<Column>| {
            let mut needed = vec![false; column.codes.len()];
            away(column, nodes).into_iter().for_each(|node| needed[node] = true);
            self.host.close(&mut needed);
            needed
        };
        columns.iter().map(needed).collect()
    }

    /// Puts grids that the CPU computed in the place of those that are away.
    fn fill(&self, column: &mut Column, own: &Column, nodes: Vec<usize>) -> Option<()> {
        for node in nodes {
            let (place, grid) = (column.codes[node].grid()?, own.grid(node)?);
            if column.marks[place].print != print_of(grid) {
                return None;
            }
            column.grids[place] = grid.clone();
            column.marks[place].here = true;
            self.drawn.fetch_add(1, Ordering::Relaxed);
        }
        Some(())
    }
}

impl ColumnSource for DeviceColumns<'_> {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn columns(&self, number: usize, task: &TaskInputs, stop: &Stop) -> Option<SharedColumns> {
        let first = self.batch.first[number];
        let needed: Vec<Vec<bool>> =
            (0..task.inputs.len()).map(|n| self.needed(first + n)).collect();
        let all = self.host.cpu.evaluate_part(self.host.plan, task, &needed, stop)?;
        let columns = all.columns.iter().zip(&needed).enumerate();
        let join = |(n, (own, needed)): (usize, (&Column, &Vec<bool>))| {
            Arc::new(self.join(first + n, needed, own))
        };
        Some(SharedColumns {
            columns: columns.map(join).collect(),
            counts: all.counts,
            profile: all.profile,
        })
    }

    fn draw(&self, task: &TaskInputs, columns: &mut [Arc<Column>], nodes: &[usize]) -> Option<()> {
        let needed = self.undrawn(columns, nodes);
        if !needed.iter().flatten().any(|needed| *needed) {
            return Some(());
        }
        let all = self.host.cpu.evaluate_part(self.host.plan, task, &needed, &Stop::default())?;
        for (column, own) in columns.iter_mut().zip(&all.columns) {
            let nodes = away(column, nodes);
            let filled = self.fill(Arc::make_mut(column), own, nodes);
            if filled.is_none() {
                self.wrong.fetch_add(1, Ordering::Relaxed);
                return None;
            }
        }
        Some(())
    }
}

/// Those of these nodes whose grid is away.
fn away(column: &Column, nodes: &[usize]) -> Vec<usize> {
    let is_away =
        |node: &usize| column.codes[*node].grid().is_some_and(|place| !column.is_here(place));
    nodes.iter().copied().filter(is_away).collect()
}

/// A column that is put together of grids that are here and grids that are away.
struct Joined {
    column: Column,
    /// By hash, where a grid is.
    places: FixedMap<u64, usize>,
}

impl Default for Joined {
    fn default() -> Joined {
        let column = Column { codes: Vec::new(), grids: Vec::new(), marks: Vec::new() };
        Joined { column, places: FixedMap::default() }
    }
}

impl Joined {
    /// A grid that is here.
    fn add_grid(&mut self, grid: &Grid) -> GridCode {
        let mark = Mark { print: print_of(grid), right: None, plain: false, here: false };
        let code = self.place(mark);
        if let Some(place) = code.grid().filter(|place| !self.column.marks[*place].here) {
            self.column.grids[place] = grid.clone();
            self.column.marks[place].here = true;
        }
        code
    }

    /// The place of the grid with this mark; until it is here, another grid stands for it.
    fn place(&mut self, mark: Mark) -> GridCode {
        let Column { grids, marks, .. } = &mut self.column;
        let place = *self.places.entry(mark.print).or_insert_with(|| {
            marks.push(mark);
            grids.push(Grid::two_by_two([0; 4]));
            marks.len() - 1
        });
        GridCode::at(place)
    }
}
