//! The files of `tests/files`, run in every form that the processor has.
//!
//! `ARCLOOM_BLESS=1 cargo test -p arcloom-testkit --test files` writes what the fast form gives now into
//! the files; the other forms are compared with it all the same.

use arcloom_dsl::{Caller, EvalError};
use arcloom_graph::batt::Batt;
use arcloom_graph::{BattPlan, Inputs, Limits, Plan, Worker};
use arcloom_lang::{Form, NodeId, Program, load_file, text};
use arcloom_testkit::files::{self, TestFile, outcome_text};
use arcloom_value::Value;

/// Outcomes by input and program.
type Outcomes = Vec<Vec<Result<Value, EvalError>>>;

fn alone(file: &TestFile, programs: &[Program], limits: Limits) -> Outcomes {
    let plans: Vec<Plan> = programs.iter().map(Plan::new).collect();
    let mut machine = limits.machine();
    let mut run = |input: &Value| {
        let inputs = Inputs { input, samples: &file.samples, expected: &Value::None };
        let outcome = |plan| machine.run(plan, &inputs).map_err(|failure| failure.error);
        plans.iter().map(outcome).collect()
    };
    file.cases.iter().map(|case| run(&case.input)).collect()
}

fn limits(budget: u64) -> Limits {
    Limits::new(budget).expect("a budget")
}

/// One batt of programs, whose rules are those that are exact at this budget.
fn batt_of<'p>(programs: impl IntoIterator<Item = &'p Program>, budget: u64) -> Batt {
    let mut builder = limits(budget).batt_builder();
    programs.into_iter().for_each(|program| {
        builder.add(program, "");
    });
    builder.finish()
}

/// The outcomes of the roots from `first` on, as many as the file has programs.
fn in_batt(file: &TestFile, batt: &Batt, first: usize) -> Outcomes {
    let roots = batt.roots().iter().skip(first).take(file.programs.len());
    let roots: Vec<NodeId> = roots.map(|root| root.node).collect();
    let plan = BattPlan::new(batt);
    let mut worker = Worker::new(limits(file.budget));
    let mut run = |input: &Value| {
        let inputs = Inputs { input, samples: &file.samples, expected: &Value::None };
        worker.outcomes(&plan, &inputs, &roots)
    };
    file.cases.iter().map(|case| run(&case.input)).collect()
}

fn read_back(program: &Program, form: Form) -> Program {
    let printed = text::print(program, form);
    let mut loaded = load_file(&printed);
    assert!(loaded.errors.is_empty(), "{printed}\n{:?}", loaded.errors);
    loaded.programs.pop().expect("a program was printed")
}

/// What differs from what the file expects, with file and line.
fn differences(file: &TestFile, form: &str, outcomes: &Outcomes) -> Vec<String> {
    let mut differences = Vec::new();
    for (case, outcomes) in file.cases.iter().zip(outcomes) {
        if case.outcomes.len() != outcomes.len() {
            let line = case.outcomes.first().map_or(1, |outcome| outcome.line);
            let place = file.place(line);
            let (has, wants) = (case.outcomes.len(), outcomes.len());
            differences.push(format!("{place}: {has} outcomes of an input for {wants} programs"));
            continue;
        }
        for (expected, outcome) in case.outcomes.iter().zip(outcomes) {
            let found = outcome_text(outcome);
            if found != expected.text {
                let place = file.place(expected.line);
                differences.push(format!("{place}: {form} gives {found}\n  not {}", expected.text));
            }
        }
    }
    differences
}

/// Writes what the fast form gives into the files, where that is asked for.
fn bless(file: TestFile) -> TestFile {
    if std::env::var_os("ARCLOOM_BLESS").is_none() {
        return file;
    }
    let outcomes = alone(&file, &file.programs, limits(file.budget));
    let texts: Vec<Vec<String>> =
        outcomes.iter().map(|outcomes| outcomes.iter().map(outcome_text).collect()).collect();
    std::fs::write(&file.path, file.with_outcomes(&texts)).expect("the file can be written");
    TestFile::read(&file.path).expect("what was written can be read")
}

#[test]
fn every_file_gives_what_it_says_in_every_form() {
    let files: Vec<TestFile> = files::all().unwrap().into_iter().map(bless).collect();
    assert!(files.len() >= 30, "{} files", files.len());
    let usual = || files.iter().filter(|file| file.budget == Caller::DEFAULT_BUDGET);
    let all = batt_of(usual().flat_map(|file| &file.programs), Caller::DEFAULT_BUDGET);
    let mut first = 0;
    let mut wrong = Vec::new();
    for file in &files {
        let mut check = |form: &str, outcomes: Outcomes| {
            wrong.extend(differences(file, form, &outcomes));
        };
        let (programs, budget) = (&file.programs, file.budget);
        check("the fast form", alone(file, programs, limits(budget)));
        check("the general form", alone(file, programs, limits(budget).general_form(true)));
        let batt = batt_of(programs, budget);
        check("a batt", in_batt(file, &batt, 0));
        let cut: Vec<Program> =
            batt.roots().iter().map(|root| batt.slice(root.node, &root.name)).collect();
        check("the batt, cut apart again,", alone(file, &cut, limits(budget)));
        for form in [Form::Straight, Form::Inline, Form::ArcDsl] {
            let read: Vec<Program> = programs.iter().map(|p| read_back(p, form)).collect();
            let name = format!("the text as {form:?}, read back,");
            check(&name, alone(file, &read, limits(budget)));
        }
        if budget == Caller::DEFAULT_BUDGET {
            check("a batt of all files", in_batt(file, &all, first));
            first += programs.len();
        }
    }
    assert!(wrong.is_empty(), "{} wrong outcomes\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn blessing_what_is_right_changes_nothing() {
    for file in files::all().unwrap() {
        let texts: Vec<Vec<String>> = file
            .cases
            .iter()
            .map(|case| case.outcomes.iter().map(|outcome| outcome.text.clone()).collect())
            .collect();
        let before = std::fs::read_to_string(&file.path).unwrap();
        assert_eq!(file.with_outcomes(&texts), before, "{}", file.file_name());
    }
}
