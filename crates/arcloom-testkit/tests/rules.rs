//! Rewrite rules keep every outcome, and facts about nodes hold.

use arcloom_dsl::{Caller, EvalError};
use arcloom_graph::batt::facts::{LEAST_BUDGET, MAX_SIDE, ValueKind};
use arcloom_graph::batt::{BattBuilder, Draft, RewriteRule, rules};
use arcloom_graph::{Inputs, Machine, Plan, Traced};
use arcloom_lang::{Form, NodeId, Program, load_snippet, text};
use arcloom_testkit::generate::GenerateOptions;
use arcloom_testkit::{Chooser, Expression, Seeded, random_grid, random_program};
use arcloom_value::Value;

fn load(text: &str) -> Program {
    load_snippet(text).unwrap_or_else(|error| panic!("{text}: {:?}", error.kind)).0
}

fn run(program: &Program, input: &Value, budget: u64) -> Result<Value, EvalError> {
    let none = Value::None;
    let inputs = Inputs { input, samples: &none, expected: &none };
    let outcome = Machine::new(Caller::new(budget)).run(&Plan::new(program), &inputs);
    outcome.map_err(|failure| failure.error)
}

/// A small grid, or now and then the largest there is.
fn grid(choice: &mut Seeded) -> Value {
    let side = if choice.once_in(10) { MAX_SIDE as usize } else { 7 };
    Value::Grid(random_grid(choice, side))
}

/// Every program alone and cut out of a batt merged with these rules has the same outcome. Gives the
/// number of nodes that were rewritten.
fn check(programs: &[Program], rules: &'static [RewriteRule], choice: &mut Seeded) -> usize {
    let mut builder = BattBuilder::with_rules(rules);
    for program in programs {
        builder.add(program, "");
    }
    let fired = builder.fired().map(|(_, n)| n).sum();
    let batt = builder.finish();
    if fired == 0 {
        return 0;
    }
    for (program, root) in programs.iter().zip(batt.roots()) {
        let cut = batt.slice(root.node, "solve_cut");
        for _ in 0..3 {
            let input = grid(choice);
            for budget in [LEAST_BUDGET, Caller::DEFAULT_BUDGET] {
                assert_eq!(
                    run(&cut, &input, budget),
                    run(program, &input, budget),
                    "\n{}\n{}\non {input:?}",
                    text::print(program, Form::Straight),
                    text::print(&cut, Form::Straight),
                );
            }
        }
    }
    fired
}

/// Checks one rule on expressions that it is about; it must fire on at least `least` of them. Each
/// line is a program of its own, added after the ones before it.
#[track_caller]
fn check_rule(name: &str, least: usize, template: impl Fn(&mut Expression<'_, Seeded>) -> String) {
    let rule = rules::ALL.iter().find(|rule| rule.name == name).expect("a rule of this name");
    let mut fired = 0;
    for seed in 0..1_000 {
        let mut choice = Seeded::new(seed);
        let text = template(&mut Expression::new(&mut choice));
        let programs: Vec<Program> = text.lines().map(load).collect();
        fired += usize::from(check(&programs, std::slice::from_ref(rule), &mut choice) > 0);
        check(&programs, rules::ALL, &mut choice);
    }
    assert!(fired >= least, "{name} fired on {fired} of 1000 expressions");
}

#[test]
fn drop_identity() {
    check_rule("drop_identity", 900, |e| format!("identity({})", e.any(3)));
}

#[test]
fn fold_constants() {
    check_rule("fold_constants", 150, |e| match e.word("call tuple").as_str() {
        "call" => e.constant_call(),
        _ => format!("astuple({}, {})", e.constant_call(), e.any(2)),
    });
}

#[test]
fn fold_corners() {
    check_rule("fold_corners", 300, |e| {
        format!("ulcorner({}({}))", e.word("asobject asindices"), e.grid(3))
    });
}

#[test]
fn join_turns() {
    check_rule("join_turns", 400, |e| {
        let piece = match e.word("grid grid grid set any").as_str() {
            "grid" => e.grid(3),
            "set" => e.set(2),
            _ => e.any(2),
        };
        format!("{}({}({piece}))", e.turn(), e.turn())
    });
}

#[test]
fn join_steps() {
    check_rule("join_steps", 400, |e| {
        let number = match e.word("int int pair pair any").as_str() {
            "int" => e.int(3),
            "pair" => e.pair(3),
            _ => e.any(3),
        };
        let mut step = || e.word("increment decrement");
        format!("{}({}({number}))", step(), step())
    });
}

#[test]
fn measure_source() {
    check_rule("measure_source", 300, |e| {
        let made = match e.word("turn turn lift replace fill").as_str() {
            "turn" => format!("{}({})", e.turn(), e.grid(3)),
            "lift" => format!("{}({})", e.word("asobject asindices"), e.grid(3)),
            "replace" => {
                let name = e.word("replace switch");
                format!("{name}({}, {}, {})", e.grid(3), e.int(2), e.int(2))
            }
            _ => format!("fill({}, {}, {})", e.grid(2), e.int(2), e.set(2)),
        };
        format!("{}({made})", e.word("height width shape portrait square asindices"))
    });
}

#[test]
fn drop_totuple() {
    check_rule("drop_totuple", 500, |e| {
        let set = if e.word("set set set any") == "set" { e.set(3) } else { e.any(3) };
        format!("{}(totuple({set}))", e.word("first last size"))
    });
}

#[test]
fn replace_filled() {
    check_rule("replace_filled", 300, |e| {
        let grid = e.grid(3);
        let mut color = || if e.word("int int any") == "int" { e.int(3) } else { e.any(2) };
        format!("fill({grid}, {}, ofcolor({grid}, {}))", color(), color())
    });
}

#[test]
fn fill_canvas() {
    check_rule("fill_canvas", 300, |e| {
        let grid = e.grid(3);
        format!("fill({grid}, {}, asindices({grid}))", e.int(3))
    });
}

#[test]
fn sort_arguments() {
    check_rule("sort_arguments", 100, |e| {
        let name = e.word("add multiply equality");
        let mut side = || match e.word("int pair any any").as_str() {
            "int" => e.int(3),
            "pair" => e.pair(3),
            _ => e.any(3),
        };
        // The second argument is there first, so that sorting exchanges them.
        let (a, b) = (side(), side());
        format!("{b}\n{name}({a}, {b})")
    });
}

#[test]
fn every_rule_has_a_test_of_its_name() {
    let source = include_str!("rules.rs");
    for rule in rules::ALL {
        assert!(source.contains(&format!("fn {}()", rule.name)), "{}", rule.name);
    }
}

#[test]
fn random_programs_keep_their_outcomes() {
    for seed in 0..3_000 {
        let mut choice = Seeded::new(seed);
        let program = random_program(&mut choice, &GenerateOptions::default());
        check(&[program], rules::ALL, &mut choice);
    }
}

/// True when the value is of the kind.
fn fits(value: &Value, kind: ValueKind) -> bool {
    let within = |value: &Value, max: i64| value.as_int().is_some_and(|n| n.abs() <= max);
    let size = value.len().unwrap_or(0);
    let items = |value: &Value| value.iter().into_iter().flatten().collect::<Vec<Value>>();
    match kind {
        ValueKind::Any => true,
        ValueKind::Int { max } => within(value, max),
        ValueKind::Pair { max } => {
            value.is_tuple() && size == 2 && items(value).iter().all(|part| within(part, max))
        }
        ValueKind::Grid { height, width, ints } => {
            let rows = items(value);
            let columns = rows.first().and_then(Value::len).unwrap_or(0);
            let row_fits = |row: &Value| {
                row.is_tuple()
                    && row.len() == Some(columns)
                    && (!ints || items(row).iter().all(|cell| cell.as_int().is_some()))
            };
            value.is_tuple()
                && (1..=height as usize).contains(&size)
                && (1..=width as usize).contains(&columns)
                && rows.iter().all(row_fits)
        }
        ValueKind::Set { len, places } => {
            let place = |item: Value| {
                let at = item.item(1).filter(Value::is_tuple).unwrap_or(item);
                at.len() == Some(2) && items(&at).iter().all(|part| part.as_int().is_some())
            };
            value.is_set()
                && size <= len as usize
                && (!places || items(value).into_iter().all(place))
        }
    }
}

#[test]
fn facts_hold() {
    let (mut known, mut sure) = (0, 0);
    for seed in 0..6_000 {
        let mut choice = Seeded::new(seed);
        let program = match seed % 3 {
            0 => random_program(&mut choice, &GenerateOptions::default()),
            _ => load(&Expression::new(&mut choice).any(4)),
        };
        let mut draft = Draft::default();
        for node in program.nodes() {
            draft.node(node.op.clone(), &node.args);
        }
        let (input, none) = (grid(&mut choice), Value::None);
        let inputs = Inputs { input: &input, samples: &none, expected: &none };
        let mut machine = Machine::new(Caller::new(LEAST_BUDGET));
        let Traced { values, failure, .. } = machine.trace(&Plan::new(&program), &inputs);
        let printed = || text::print(&program, Form::Straight);
        for (n, value) in values.iter().enumerate() {
            let fact = draft.fact(NodeId(n as u32));
            if let Some(value) = value {
                assert!(fits(value, fact.kind), "{}\n{n}: {value:?} {fact:?}", printed());
            }
            known += usize::from(fact.kind != ValueKind::Any);
            sure += usize::from(fact.sure);
        }
        if let Some(failure) = failure {
            assert!(!draft.fact(failure.node).sure, "{}\n{failure:?}", printed());
        }
    }
    assert!(known > 10_000 && sure > 10_000, "{known} kinds and {sure} sure nodes were looked at");
}
