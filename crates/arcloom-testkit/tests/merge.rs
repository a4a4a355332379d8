//! Merging keeps every program: cut out of the batt again, it does what it did alone.

use std::time::{Duration, Instant};

use arcloom::{Catalog, Choice, CorpusError, Entry, Library, Limits, TaskSet, card, samples_value};
use arcloom_dsl::EvalError;
use arcloom_graph::batt::BattBuilder;
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::Program;
use arcloom_value::Value;

/// Programs in one draw.
const DRAWN: usize = 32;

/// One input grid with the demo pairs of its task.
struct Case {
    task: String,
    input: Value,
    samples: Value,
}

fn cases(tasks: &TaskSet) -> Vec<Case> {
    let mut cases = Vec::new();
    for task in &tasks.tasks {
        let samples = samples_value(&task.demos);
        let inputs = task.demos.iter().map(|p| &p.input).chain(task.tests.iter().map(|p| &p.input));
        cases.extend(inputs.map(|grid| Case {
            task: task.id.clone(),
            input: Value::Grid(grid.clone()),
            samples: samples.clone(),
        }));
    }
    cases
}

fn outcome(plan: &Plan, case: &Case) -> Result<Value, EvalError> {
    let none = Value::None;
    let inputs = Inputs { input: &case.input, samples: &case.samples, expected: &none };
    Machine::default().run(plan, &inputs).map_err(|failure| failure.error)
}

/// Number of programs of a draw that survive: equal graphs, or equal outcomes on every case.
fn surviving<'c>(programs: &[&Entry], cases: impl Fn(&Entry) -> Vec<&'c Case>) -> usize {
    let batt = card(Limits::default(), programs.iter().copied()).batt;
    let same = |(entry, root): (&&Entry, &arcloom_graph::batt::Root)| {
        let cut: Program = batt.slice(root.node, &root.name);
        let plan = Plan::new(&cut);
        let equal = |case: &Case| outcome(&plan, case) == outcome(&entry.plan, case);
        root.name == entry.program.name
            && (cut == entry.program || cases(entry).into_iter().all(equal))
    };
    programs.iter().zip(batt.roots()).filter(|pair| same(*pair)).count()
}

fn library(catalog: &Catalog, name: &str) -> Library {
    Library::load(catalog, &[name.to_owned()], &mut std::io::empty())
        .expect("a library that is there")
}

fn draw(library: &Library, count: usize, seed: u64) -> Vec<&Entry> {
    let choice = Choice { count: Some(count), seed, ..Choice::default() };
    let drawn = choice.pick(&library.programs, |e| [e.task.as_str()]).expect("enough programs");
    drawn.into_iter().map(|n| &library.programs[n]).collect()
}

#[test]
fn built_in_programs_survive_on_all_built_in_grids() {
    let catalog = Catalog::open(None);
    let library = library(&catalog, "library:embedded");
    let cases = cases(&catalog.resolve_tasks("embedded").unwrap());
    for seed in 0..20 {
        let count = 1 + seed as usize * 31 / 19;
        let programs = draw(&library, count, seed);
        assert_eq!(surviving(&programs, |_| cases.iter().collect()), count, "seed {seed}");
    }
}

#[test]
fn public_programs_survive_in_a_hundred_draws() {
    let catalog = Catalog::open(None);
    let tasks = match catalog.resolve_tasks("arc1/training") {
        Ok(tasks) => tasks,
        Err(CorpusError::NotPulled { .. } | CorpusError::NoDataDir) => {
            println!("\n*** skipped: no data pulled (arcloom data pull) ***\n");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let cases = cases(&tasks);
    // An arc-dsl checkout is there only where someone has registered it.
    for name in ["library:rearc", "library:arc-dsl"] {
        let specs = [name.to_owned()];
        let Ok(library) = Library::load(&catalog, &specs, &mut std::io::empty()) else {
            println!("\n*** skipped: {name} is not there ***\n");
            continue;
        };
        for seed in 0..100 {
            let programs = draw(&library, DRAWN, seed);
            // The program's own grids, and foreign ones, on which programs fail in many ways.
            let chosen = |entry: &Entry| -> Vec<&Case> {
                let own = cases.iter().filter(|case| case.task == entry.task);
                own.chain(cases.iter().skip(seed as usize).step_by(97)).collect()
            };
            assert_eq!(surviving(&programs, chosen), DRAWN, "{name}, seed {seed}");
        }
    }
}

#[test]
fn ten_thousand_copies_are_one_program() {
    let catalog = Catalog::open(None);
    let library = library(&catalog, "library:embedded");
    let program = &library.find("half_count_square").unwrap().program;
    let start = Instant::now();
    let mut builder = BattBuilder::default();
    for _ in 0..10_000 {
        builder.add(program, "half_count_square");
    }
    let batt = builder.finish();
    let figures = arcloom_graph::batt::Stats::new(&batt);
    let spent = start.elapsed();
    assert_eq!(batt.nodes().len(), program.nodes().len());
    assert_eq!(batt.roots().len(), 10_000);
    assert_eq!(figures.duplicates[0].len(), 10_000);
    assert_eq!(batt.labels()[9_999], "solve_half_count_square_10000");
    assert!(spent < Duration::from_secs(10), "{spent:?}");
}
