//! Columns of records that say what the CPU says are the CPU's columns. No device is needed for that.

use arcloom_graph::batt::BattBuilder;
use arcloom_graph::{Backend, Limits, TaskColumns};
use arcloom_value::Value;

use super::*;

const TEXT: &str = "def solve_a(I):\n    O = vmirror(I)\n    return O\n\n\
    def solve_b(I):\n    x1 = vmirror(I)\n    O = hconcat(x1, I)\n    return O\n\n\
    def solve_c(I):\n    x1 = objects(I, T, F, T)\n    O = fill(I, THREE, first(x1))\n    return O\n";

/// A batt, what the CPU makes of it on two inputs, and what is expected of the first.
struct Scene {
    batt: Batt,
    plan: BattPlan,
    cpu: Cpu,
    task: TaskInputs,
    grids: Vec<Grid>,
    expected: Grid,
}

fn scene() -> Scene {
    let mut builder = BattBuilder::with_rules(&[]);
    for program in &arcloom_lang::lower::load_file(TEXT).programs {
        builder.add(program, "");
    }
    let batt = builder.finish();
    let plan = BattPlan::new(&batt);
    let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
    let grids = vec![grid(&[&[1, 0, 2], &[0, 0, 2]]), grid(&[&[0, 0], &[0, 0]])];
    let inputs = grids.iter().map(|grid| Value::Grid(grid.clone())).collect();
    Scene {
        plan,
        batt,
        cpu: Cpu::new(Limits::default()),
        task: TaskInputs { samples: Value::None, inputs },
        expected: grid(&[&[2, 0, 1], &[2, 0, 0]]),
        grids,
    }
}

impl Scene {
    fn on_cpu(&self) -> TaskColumns {
        self.cpu.evaluate(&self.plan, &self.task, &Stop::default()).unwrap()
    }

    /// The record of a node on an input, as a kernel writes it.
    fn record(&self, own: &Column, node: usize, input: usize) -> [u32; 3] {
        let code = own.codes[node];
        let Some(grid) = own.grid(node) else {
            return [0, 0, if code == GridCode::OTHER { 2 } else { 0 }];
        };
        let print = print_of(grid);
        let place = code.grid().unwrap();
        let right = (input == 0).then(|| own.right_cells(place, &self.expected)).flatten();
        let right = right.map_or(0, |right| 4 | (right as u32) << 4);
        let plain = u32::from(own.is_plain(place)) << 3;
        [print as u32, (print >> 32) as u32, 3 | right | plain]
    }

    /// What a device would say, changed for some slots and inputs.
    fn columns(&self, change: impl Fn(usize, usize, [u32; 3]) -> [u32; 3]) -> DeviceColumns<'_> {
        let lowered = Lowered::new(&self.batt, &self.plan, 1);
        let own = self.on_cpu();
        let mut words = Vec::new();
        for (slot, node) in lowered.slots.iter().enumerate() {
            for (input, column) in own.columns.iter().enumerate() {
                words.extend(change(slot, input, self.record(column, node.index(), input)));
            }
        }
        let records = NodeRecords::of_words(self.grids.len(), lowered.slots.len(), words);
        let mut batch = TaskBatch::default();
        batch.begin_task();
        batch.add(&self.grids[0], Some(&self.expected));
        batch.add(&self.grids[1], None);
        let host = Host { batt: &self.batt, plan: &self.plan, cpu: &self.cpu };
        DeviceColumns::new(host, Arc::new(lowered), records, batch)
    }
}

/// All that is asked of a column before its grids are drawn.
fn known(column: &Column, expected: &Grid) -> Vec<(Option<usize>, bool)> {
    let known = |place| (column.right_cells(place, expected), column.is_plain(place));
    (0..column.places()).map(known).collect()
}

/// The grids of the nodes that have one, after these were drawn.
fn check(scene: &Scene, source: &DeviceColumns<'_>) {
    let own = scene.on_cpu().columns;
    let given = source.columns(0, &scene.task, &Stop::default()).unwrap();
    let mut columns = given.columns;
    assert_eq!(known(&columns[0], &scene.expected), known(&own[0], &scene.expected));
    let nodes: Vec<usize> = (0..scene.batt.nodes().len()).collect();
    // A device does not say what is no grid.
    let has_grid = |column: &Column| -> Vec<Option<usize>> {
        column.codes.iter().map(|code| code.grid()).collect()
    };
    for (column, own) in columns.iter().zip(&own) {
        for (node, code) in has_grid(column).into_iter().enumerate() {
            assert!(code.is_none() || code == own.codes[node].grid(), "node {node}");
        }
    }
    source.draw(&scene.task, &mut columns, &nodes).unwrap();
    for (column, own) in columns.iter().zip(&own) {
        for root in scene.batt.roots() {
            assert_eq!(column.grid(root.node.index()), own.grid(root.node.index()));
        }
    }
}

#[test]
fn records_become_the_columns_of_the_cpu() {
    let scene = scene();
    let source = scene.columns(|_, _, words| words);
    check(&scene, &source);
    assert!(source.counts().drawn > 0, "{:?}", source.counts());
    assert_eq!((source.counts().over, source.counts().wrong), (0, 0));
}

#[test]
fn what_left_the_device_is_evaluated_by_the_cpu() {
    let scene = scene();
    let source = scene.columns(|slot, _, words| if slot == 0 { [0, 0, 1] } else { words });
    check(&scene, &source);
    assert_eq!(source.counts().over, 2);
}

#[test]
fn another_grid_than_the_cpus_is_not_believed() {
    let scene = scene();
    let source = scene.columns(|_, _, [low, high, info]| [low ^ 1, high, info]);
    let mut columns = source.columns(0, &scene.task, &Stop::default()).unwrap().columns;
    let nodes: Vec<usize> = scene.batt.roots().iter().map(|root| root.node.index()).collect();
    assert_eq!(source.draw(&scene.task, &mut columns, &nodes), None);
    assert_eq!(source.counts().wrong, 1);
}
