//! Random programs, well and ill typed, on random grids: every run ends with a value or a failure,
//! the same in the fast and the general form.

use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_dsl::Caller;
use arcloom_testkit::generate::GenerateOptions;
use arcloom_testkit::{Bytes, Chooser, random_grid, random_program};
use arcloom_value::Value;

/// What a step may spend in a run. Work that is not paid for shows as a run that takes far longer than
/// its steps, and ends at the fuzzer's time limit.
const BUDGET: u64 = Caller::DEFAULT_BUDGET;
/// The side of the largest grids of ARC.
const SIDE: usize = 30;

pub(crate) fn run(data: &[u8]) {
    let mut choice = Bytes(data);
    let blind = [2, 5, 40, 1000][choice.below(4)];
    let program = random_program(&mut choice, &GenerateOptions { steps: 12, blind, ..GenerateOptions::default() });
    let grid = Value::Grid(random_grid(&mut choice, SIDE));
    let pair = Value::tuple([grid.clone(), grid.clone()]);
    let samples = Value::tuple([pair.clone(), pair]);
    let none = Value::None;
    let inputs = Inputs { input: &grid, samples: &samples, expected: &none };
    let plan = Plan::new(&program);
    let fast = Machine::new(Caller::new(BUDGET)).run(&plan, &inputs);
    let general = Machine::new(Caller::general(BUDGET)).run(&plan, &inputs);
    match (fast, general) {
        (Ok(a), Ok(b)) => assert_eq!(a, b),
        (Err(a), Err(b)) => assert_eq!(a.node, b.node),
        // Near the limit the two forms may differ in where they run out.
        (Err(e), _) | (_, Err(e)) => assert!(e.error.is_budget(), "{e:?}"),
    }
}
