//! Answers against their programs: what both the tests and `examples/prove.rs` need.
#![allow(dead_code, reason = "each user takes what it needs")]

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::sheet;
use arcloom_graph::{Inputs, Machine, Plan as Ready};
use arcloom_lang::{Form, Program, load_bytes, text};
use arcloom_search::costs::Costs;
use arcloom_search::picture::PictureId;
use arcloom_search::program;
use arcloom_search::steps::Item;
use arcloom_search::task::{Effort, Problem, SearchAnswer, search};
use arcloom_search::without::Without;
use arcloom_tasks::Task;
use arcloom_value::{Grid, Value};

/// A grid as the search sees it.
pub(crate) fn sheet_of(grid: &Grid) -> Option<Sheet> {
    let cells = grid.cells().iter().map(|&c| u8::try_from(c).ok().filter(|c| *c < 10));
    Sheet::new(grid.height(), grid.width(), cells.collect::<Option<_>>()?)
}

/// A task as the search sees it.
pub(crate) fn problem(task: &Task) -> Option<Problem> {
    let demos = task.demos.iter().map(|p| Some((sheet_of(&p.input)?, sheet_of(&p.output)?)));
    Some(Problem {
        demos: demos.collect::<Option<_>>()?,
        tests: task.tests.iter().map(|p| sheet_of(&p.input)).collect::<Option<_>>()?,
        pictures: Vec::new(),
    })
}

/// What the search finds, with learned costs.
pub(crate) fn answers(problem: &Problem, effort: &Effort) -> Vec<SearchAnswer> {
    search(problem, std::slice::from_ref(effort), &Costs::learned(None), &Without::default()).0
}

/// An item of the search as the DSL sees it.
pub(crate) fn value_of(item: &Item) -> Value {
    match item {
        Item::One(s) => sheet::value(s),
        Item::Many(list) => sheet::list_value(list),
    }
}

/// What a program makes of an input.
pub(crate) fn run(ready: &Ready, samples: &Value, input: &Value) -> Result<Value, String> {
    let inputs = Inputs { input, samples, expected: &Value::None };
    Machine::default().run(ready, &inputs).map_err(|failure| failure.error.to_string())
}

/// The text of an answer's program, or what is wrong with it: the program is made, printed, read back
/// and run, and must give the answer's outputs and those of as many demos as the answer fits.
pub(crate) fn proven(
    problem: &Problem,
    answer: &SearchAnswer,
    name: &str,
) -> Result<String, String> {
    proven_with(problem, answer, name, &BTreeMap::new())
}

/// The same of an answer that starts from pictures, with their programs.
pub(crate) fn proven_with(
    problem: &Problem,
    answer: &SearchAnswer,
    name: &str,
    pictures: &BTreeMap<PictureId, Program>,
) -> Result<String, String> {
    let made =
        program::program(&answer.plan, name, pictures).map_err(|e| format!("{name}: {e}"))?;
    let printed = text::print(&made, Form::Straight);
    let loaded = load_bytes(printed.as_bytes());
    if let Some(error) = loaded.errors.first() {
        return Err(format!("{name}: {error:?}\n{printed}"));
    }
    if let Some(note) = loaded.notes.first() {
        return Err(format!("{name}: {note:?}\n{printed}"));
    }
    let [read] = &loaded.programs[..] else { return Err(format!("{name}: not one\n{printed}")) };
    if *read != made {
        return Err(format!("{name}: printing changed it\n{printed}"));
    }
    let ready = Ready::new(read);
    let grid = |s: &Sheet| sheet::value(s).item(0).unwrap_or(Value::None);
    let pairs = problem.demos.iter().map(|(i, o)| Value::tuple2(grid(i), grid(o)));
    let samples = Value::tuple(pairs.collect::<Vec<_>>());
    let right = problem.demos.iter().filter(|(input, output)| {
        run(&ready, &samples, &grid(input)).is_ok_and(|found| found == grid(output))
    });
    let right = right.count();
    if right < answer.fits {
        return Err(format!("{name}: {right} demos, not {}\n{printed}", answer.fits));
    }
    for (input, output) in problem.tests.iter().zip(&answer.outputs) {
        match run(&ready, &samples, &grid(input)) {
            Ok(found) if found == grid(output) => {}
            Ok(found) => return Err(format!("{name}: {found:?}, not {output:?}\n{printed}")),
            Err(error) => return Err(format!("{name}: {error}\n{printed}")),
        }
    }
    Ok(printed)
}
