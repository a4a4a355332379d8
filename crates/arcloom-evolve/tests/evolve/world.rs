//! Parents, tasks and findings that the tests share: the embedded ones, and random programs.

use arcloom_dsl::differ::{Comparison, Expected};
use arcloom_evolve::{Context, Donors, Finding, Operator, Parent, TaskFacts};
use arcloom_lang::{Program, infer, load_file, load_snippet};
use arcloom_testkit::Seeded;
use arcloom_testkit::generate::{GenerateOptions, random_program};
use arcloom_value::Grid;

/// Demo pairs.
pub(crate) type Demos = Vec<(Grid, Grid)>;

/// The demo pairs of an embedded task.
pub(crate) fn demos(json: &str) -> Demos {
    let task: serde_json::Value = serde_json::from_str(json).expect("a task");
    let grid = |value: &serde_json::Value| {
        let rows: Vec<Vec<i8>> = serde_json::from_value(value.clone()).expect("rows");
        Grid::from_rows(&rows).expect("rows of one width")
    };
    let train = task["train"].as_array().expect("demo pairs");
    train.iter().map(|pair| (grid(&pair["input"]), grid(&pair["output"]))).collect()
}

/// The program of one or more lines without a `def`.
pub(crate) fn program(text: &str) -> Program {
    load_snippet(text).expect("a program").0
}

/// What is wrong with answering each demo pair by its input.
pub(crate) fn findings(demos: &Demos) -> Vec<Finding> {
    let one = |(n, (input, output)): (usize, &(Grid, Grid))| {
        let expected = Expected::new(output);
        Finding::all(n, &Comparison::new(input, &expected))
    };
    demos.iter().enumerate().flat_map(one).collect()
}

/// Programs with what the embedded ones do without.
const DIALECT: &[&str] = &[
    "mir_rot_t(I, a_mr(S))",
    "hconcat(I, mir_rot_t(I, A2))",
    "fill(I, get_nth_t(c_zo(S, p_g), F0), ofcolor(I, get_nth_t(c_iz(S, p_g), F0)))",
    "subgrid(get_arg_rank(o_g(I, R5), size, F1), I)",
    "replace(I, get_color_rank_t(I, F1), get_color_rank_t(I, L1))",
    "fill(I, TWO, connect(corner(asindices(I), R0), corner(asindices(I), R3)))",
    "paint(I, shift(get_nth_f(o_g(I, R7), L1), UP_RIGHT))",
    "paint(canvas(ZERO, shape(I)), get_nth_by_key_t(o_g_t(I, R5), F0, lambda x: size(x)))",
];

/// A task with the programs to mutate on it.
pub(crate) struct World {
    pub(crate) tasks: Vec<(TaskFacts, Vec<Finding>)>,
    pub(crate) parents: Vec<Parent>,
}

impl World {
    /// The embedded tasks and programs, some that use ranks, codes and demo pairs, and as many random
    /// programs that can be right.
    pub(crate) fn new() -> World {
        let mut programs = load_file(arcloom_tasks::embedded::programs()).programs;
        programs.extend(DIALECT.iter().map(|text| program(text)));
        let written = programs.len();
        let options = GenerateOptions { blind: usize::MAX, ..GenerateOptions::default() };
        let random = (0..).map(|seed| random_program(&mut Seeded::new(seed), &options));
        let sound = random.filter(|p| p.size() > 1 && infer::warnings(p).is_empty());
        programs.extend(sound.take(written));
        let tasks = arcloom_tasks::embedded::tasks().iter().map(|(_, json)| {
            let demos = demos(json);
            (TaskFacts::new(&demos), findings(&demos))
        });
        World { tasks: tasks.collect(), parents: programs.into_iter().map(Parent::new).collect() }
    }

    /// The n-th of many combinations of parent and task.
    pub(crate) fn context(&self, n: usize) -> Context<'_> {
        let (facts, findings) = &self.tasks[n % self.tasks.len()];
        let parent = &self.parents[(n / 3) % self.parents.len()];
        Context { parent, donors: &self.parents as &dyn Donors, facts, findings }
    }
}

/// The operator of this name.
pub(crate) fn operator(name: &str) -> &'static Operator {
    arcloom_evolve::ALL.iter().find(|o| o.name == name).expect("an operator")
}
