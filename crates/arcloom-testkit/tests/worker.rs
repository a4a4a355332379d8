//! A batt run as a whole: every program in it comes to what it comes to alone.

use arcloom_dsl::{Caller, EvalError};
use arcloom_graph::{Backend, BattPlan, Cpu, Inputs, Limits, Plan, Stop, TaskInputs, Worker};
use arcloom_lang::{NodeId, Program, load_file};
use arcloom_testkit::generate::GenerateOptions;
use arcloom_testkit::{Seeded, random_grid, random_program};
use arcloom_value::Value;

/// What programs come to, alone and merged, on some grids.
fn compare(programs: &[Program], grids: &[Value], samples: &Value, budget: u64) -> (usize, usize) {
    let limits = Limits::new(budget).expect("a budget");
    let mut builder = limits.batt_builder();
    programs.iter().for_each(|program| _ = builder.add(program, ""));
    let batt = builder.finish();
    let roots: Vec<NodeId> = batt.roots().iter().map(|root| root.node).collect();
    let plan = BattPlan::new(&batt);
    let plans: Vec<Plan> = programs.iter().map(Plan::new).collect();
    let mut worker = Worker::new(limits);
    let mut machine = limits.machine();
    let (mut ran, mut stopped) = (0, 0);
    for input in grids {
        let inputs = Inputs { input, samples, expected: &Value::None };
        let merged = worker.outcomes(&plan, &inputs, &roots);
        for ((program, plan), merged) in programs.iter().zip(&plans).zip(merged) {
            let alone: Result<Value, EvalError> =
                machine.run(plan, &inputs).map_err(|failure| failure.error);
            assert_eq!(alone, merged, "{program:?} on {input:?}");
            ran += usize::from(alone.is_ok());
            stopped += usize::from(alone.is_err_and(EvalError::is_budget));
        }
    }
    let counts = worker.take_counts();
    assert_eq!(counts.nodes, counts.calls + counts.remembered + counts.inherited);
    (ran, stopped)
}

fn random(seed: u64, count: usize) -> (Vec<Program>, Vec<Value>) {
    let mut choice = Seeded::new(seed);
    let options = GenerateOptions::default();
    let programs = (0..count).map(|_| random_program(&mut choice, &options)).collect();
    let grids = (0..4).map(|_| Value::Grid(random_grid(&mut choice, 10))).collect();
    (programs, grids)
}

#[test]
fn random_programs_come_to_the_same_merged_and_alone() {
    let (mut ran, mut all) = (0, 0);
    for seed in 0..60 {
        let (programs, grids) = random(seed, 60);
        ran += compare(&programs, &grids, &Value::None, Caller::DEFAULT_BUDGET).0;
        all += programs.len() * grids.len();
    }
    assert!(ran * 10 >= all * 3, "{ran} of {all} ran without failure");
}

#[test]
fn budget_stops_are_the_same_too() {
    let mut stopped = 0;
    for (seed, budget) in [5, 30, 100, 1000].into_iter().cycle().take(24).enumerate() {
        let (programs, grids) = random(1000 + seed as u64, 60);
        stopped += compare(&programs, &grids, &Value::None, budget).1;
    }
    assert!(stopped > 100, "{stopped} were stopped");
}

#[test]
fn what_depends_on_the_demo_pairs_alone_is_the_same() {
    let text = "\
def solve_a(S, I, C):
    x1 = apply(first, S)
    x2 = apply(last, S)
    x3 = merge(apply(palette, x1))
    x4 = merge(apply(palette, x2))
    O = replace(I, first(x3), first(x4))
    return O
def solve_b(S, I, C):
    x1 = apply(first, S)
    O = hconcat(I, first(x1))
    return O
def solve_c(S, I, C):
    O = first(first(first(first(S))))
    return O
def solve_d(S, I, C):
    O = fill(I, c_zo_n(S, identity(p_g), 0), ofcolor(I, 0))
    return O
";
    let loaded = load_file(text);
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let (_, grids) = random(7, 0);
    let pairs = grids.chunks(2).map(|pair| Value::tuple(pair.to_vec()));
    let samples = Value::tuple(pairs.collect::<Vec<_>>());
    let (ran, _) = compare(&loaded.programs, &grids, &samples, Caller::DEFAULT_BUDGET);
    assert!(ran >= 8, "{ran} ran");
    // An empty `S` makes them fail, the same way in both.
    compare(&loaded.programs, &grids, &Value::empty_tuple(), Caller::DEFAULT_BUDGET);
}

/// The grids that leave a batt do not depend on the form that primitives were handed.
#[test]
fn general_form_gives_the_same_columns() {
    let mut choice = Seeded::new(11);
    let programs: Vec<Program> =
        (0..60).map(|_| random_program(&mut choice, &GenerateOptions::default())).collect();
    let mut builder = Limits::default().batt_builder();
    programs.iter().for_each(|program| _ = builder.add(program, ""));
    let plan = BattPlan::new(&builder.finish());
    let inputs = (0..6).map(|_| Value::Grid(random_grid(&mut choice, 6))).collect();
    let job = TaskInputs { samples: Value::empty_tuple(), inputs };
    let columns = |limits: Limits| {
        Cpu::new(limits).evaluate(&plan, &job, &Stop::default()).expect("nobody stops it").columns
    };
    let fast = columns(Limits::default());
    assert!(fast.iter().any(|column| column.grids.len() > 3), "some give grids");
    assert_eq!(fast, columns(Limits::default().general_form(true)));
}
