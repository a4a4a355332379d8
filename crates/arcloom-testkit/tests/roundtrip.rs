//! Random programs: printing and reading again changes nothing, both forms agree, nothing panics.

use arcloom_dsl::Caller;
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::{Form, load_file, text, verify::verify};
use arcloom_testkit::generate::GenerateOptions;
use arcloom_testkit::{Seeded, random_grid, random_program};
use arcloom_value::Value;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn reading_what_was_printed_gives_the_same_program(seed: u64) {
        let program = random_program(&mut Seeded::new(seed), &GenerateOptions::default());
        verify(&program).unwrap();
        let forms = [Form::Straight, Form::Inline, Form::ArcDsl].map(|f| text::print(&program, f));
        // With Python definitions of what arc-dsl lacks, which are not for the loader.
        let file = text::print_file([&program], Form::ArcDsl);
        for printed in forms.into_iter().chain([file]) {
            let loaded = load_file(&printed);
            prop_assert!(loaded.errors.is_empty(), "{printed}\n{:?}", loaded.errors);
            prop_assert_eq!(&loaded.programs[0], &program, "{}", printed);
            prop_assert_eq!(loaded.programs[0].id(), program.id());
        }
    }

    #[test]
    fn the_general_form_gives_the_same_outcome(seed: u64) {
        let mut choice = Seeded::new(seed);
        let program = random_program(&mut choice, &GenerateOptions::default());
        let plan = Plan::new(&program);
        let grid = Value::Grid(random_grid(&mut choice, 8));
        let none = Value::None;
        let inputs = Inputs { input: &grid, samples: &none, expected: &none };
        let fast = Machine::default().run(&plan, &inputs);
        let general = Machine::new(Caller::general(Caller::DEFAULT_BUDGET)).run(&plan, &inputs);
        let printed = text::print(&program, Form::Straight);
        match (fast, general) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b, "{}", printed),
            (Err(a), Err(b)) => prop_assert_eq!(a.node, b.node, "{}", printed),
            (a, b) => prop_assert!(false, "{printed}\n{grid:?}\nfast {a:?}\ngeneral {b:?}"),
        }
    }
}

#[test]
fn at_least_thirty_percent_of_random_programs_run() {
    let total = 4000;
    let good = (0..total)
        .filter(|&seed| {
            let mut choice = Seeded::new(seed);
            let program = random_program(&mut choice, &GenerateOptions::default());
            let grid = Value::Grid(random_grid(&mut choice, 10));
            let none = Value::None;
            let inputs = Inputs { input: &grid, samples: &none, expected: &none };
            program.size() > 0 && Machine::default().run(&Plan::new(&program), &inputs).is_ok()
        })
        .count();
    assert!(good * 10 >= total as usize * 3, "{good} of {total}");
}
