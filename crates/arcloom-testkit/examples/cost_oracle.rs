//! Does every primitive pay for its work? Calls each one on large values of every form, alone and
//! inside a closure, and says what a charged unit of work takes.
//!
//! ```text
//! cargo run --release -p arcloom-testkit --example cost_oracle            # by the clock, to look at
//! cargo xtask oracle                                                      # by instructions, a test
//! ```
//!
//! Arguments are those of a primitive's documented examples, with large values put in the place of one
//! of them or of two. `--mark` calls [`case_begins`] before every case and prints a line for it: run
//! under callgrind with `--dump-before=*case_begins*`, each dump is the work of one line.

#![expect(clippy::print_stdout, reason = "the table goes to standard output")]

use std::time::{Duration, Instant};

use arcloom_exec::{Inputs, Machine, Plan};
use arcloom_ir::lower::load_expr;
use arcloom_ir::node::Op;
use arcloom_prims::{Caller, Outcome, Primitive, Registry};
use arcloom_syntax::{Expected, parse_example};
use arcloom_value::{Closure, Code, CodeStep, PrimId, Slot, Ty, Value};

/// Calls of a primitive inside a closure.
const CALLS: i64 = 8;
/// Documented examples of a primitive whose arguments are used.
const EXAMPLES: usize = 1;

fn main() {
    let mark = std::env::args().any(|arg| arg == "--mark");
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let values = Large::all();
    let registry = Registry::get();
    for (id, prim) in registry.all() {
        if !only.is_empty() && !only.iter().any(|name| name == prim.name) {
            continue;
        }
        for case in cases(id, prim, &values).iter().filter(|case| case.fits) {
            for (how, closure) in [("alone", false), ("inside", true)] {
                let mut caller = Caller::default();
                case_begins();
                let (units, time) = if mark {
                    (case.run(&mut caller, closure), Duration::ZERO)
                } else {
                    case.timed(&mut caller, closure)
                };
                let ((good, units), name) = (units, prim.name);
                let (label, fits) = (&case.label, case.fits);
                println!("{name}\t{label}\t{how}\t{fits}\t{good}\t{units}\t{}", time.as_nanos());
            }
        }
    }
    case_begins();
}

/// A place for callgrind to begin a new account at.
#[inline(never)]
fn case_begins() {
    std::hint::black_box(());
}

/// One call.
struct Case {
    prim: PrimId,
    label: String,
    /// True when the values are of the types that the primitive asks for.
    fits: bool,
    args: Vec<Value>,
}

impl Case {
    /// Makes the call; whether it gave a value, and the units it was charged.
    fn run(&self, caller: &mut Caller, closure: bool) -> (bool, u64) {
        caller.reset();
        let outcome = if closure { self.inside(caller) } else { self.alone(caller) };
        (std::hint::black_box(outcome).is_ok(), caller.spent())
    }

    fn alone(&self, caller: &mut Caller) -> Outcome {
        let args: Vec<&Value> = self.args.iter().collect();
        caller.call_prim(self.prim, &args)
    }

    /// `apply(lambda x: prim(args), interval(0, CALLS, 1))`
    fn inside(&self, caller: &mut Caller) -> Outcome {
        let slots = (0..self.args.len()).map(|n| Slot::Capture(n as u16)).collect();
        let steps = vec![CodeStep::Call(self.prim, slots)];
        let code = Code::new(1, Vec::new(), steps, Slot::Step(0));
        let function = Value::closure(Closure::Lambda(code.into(), self.args.clone().into()));
        let over = Value::tuple((0..CALLS).map(Value::Int).collect::<Vec<_>>());
        let apply = Registry::get().find("apply").ok_or(arcloom_prims::Fault::NotAFunction)?;
        caller.call_prim(apply, &[&function, &over])
    }

    fn timed(&self, caller: &mut Caller, closure: bool) -> ((bool, u64), Duration) {
        let mut best = Duration::MAX;
        let mut units = (false, 0);
        for _ in 0..3 {
            let start = Instant::now();
            units = self.run(caller, closure);
            best = best.min(start.elapsed());
        }
        (units, best)
    }
}

/// The calls of a primitive: its examples' arguments with large values among them.
fn cases(id: PrimId, prim: &Primitive, values: &[Large]) -> Vec<Case> {
    let mut cases = Vec::new();
    let asked = &Registry::get().sig(id).params;
    for (n, args) in examples(id, prim).into_iter().take(EXAMPLES).enumerate() {
        for place in 0..args.len() {
            for large in values {
                let mut args = args.clone();
                args[place] = large.value.clone();
                let fits = asked[place].accepts(&large.ty);
                let label = format!("{n}.{place}={}", large.name);
                cases.push(Case { prim: id, label, fits, args });
            }
        }
        if args.len() < 2 || n > 0 {
            continue;
        }
        for (a, b) in [(0, 1), (1, 2)].into_iter().filter(|&(_, b)| b < args.len()) {
            for first in values {
                for second in values.iter().filter(|second| first.goes_with(second)) {
                    let mut args = args.clone();
                    (args[a], args[b]) = (first.value.clone(), second.value.clone());
                    let label = format!("{a}={},{b}={}", first.name, second.name);
                    let fits = asked[a].accepts(&first.ty) && asked[b].accepts(&second.ty);
                    cases.push(Case { prim: id, label, fits, args });
                }
            }
        }
    }
    cases
}

/// The arguments of the calls in a primitive's documentation that succeed.
fn examples(id: PrimId, prim: &Primitive) -> Vec<Vec<Value>> {
    let arguments = |text: &str| -> Option<Vec<Value>> {
        let example = parse_example(text).ok()?;
        if matches!(example.right, Expected::Fails) {
            return None;
        }
        let program = load_expr(&example.ast, example.left).ok()?;
        let none = Value::None;
        let inputs = Inputs { input: &none, samples: &none, expected: &none };
        let traced = Machine::default().trace(&Plan::new(&program), &inputs);
        let node = program.nodes().iter().rev().find(|node| node.op == Op::Call(id))?;
        node.args.iter().map(|arg| traced.values[arg.index()].clone()).collect()
    };
    prim.examples().filter_map(arguments).collect()
}

/// A large value in one of the forms that values have.
struct Large {
    name: &'static str,
    ty: Ty,
    value: Value,
}

impl Large {
    fn goes_with(&self, other: &Large) -> bool {
        self.name == other.name
            || (self.name.contains("cells") && other.name.contains("cells"))
            || (self.name.contains("grid") && other.name.contains("cells"))
    }

    fn all() -> Vec<Large> {
        let mut random = Random(1);
        let mut grid = |height: usize, width: usize| {
            let cells: Vec<i8> = (0..height * width).map(|_| random.below(10) as i8).collect();
            Value::grid(height, width, &cells)
        };
        let (square, small, wide, tall) =
            (grid(100, 100), grid(30, 30), grid(2, 20_000), grid(20_000, 2));
        let grids: Vec<Value> = (0..50).map(|n| grid(20, 10 + n % 7)).collect();
        let sheet_grid = grid(60, 60);
        let mut random = Random(2);
        let places = |count: usize, height: i64, width: i64, random: &mut Random| {
            let place = |random: &mut Random| (random.below(height), random.below(width));
            (0..count).map(|_| place(random)).collect::<Vec<_>>()
        };
        let dense = places(9_000, 100, 100, &mut random);
        let sparse = places(300, 8_000, 60, &mut random);
        let far = places(4_000, 1 << 20, 1 << 20, &mut random);
        let cells = |places: &[(i64, i64)], colors: i64| {
            let cell = |(n, &(i, j)): (usize, &(i64, i64))| (n as i64 % colors, i, j);
            Value::object(&places.iter().enumerate().map(cell).collect::<Vec<_>>())
        };
        let objects: Vec<Value> = (0..400)
            .map(|n| {
                let object = cells(&places(20, 6, 6, &mut random), 1 + n % 3);
                moved(&object, random.below(60), random.below(60))
            })
            .collect();
        let ints = |n: i64| (0..n).map(Value::Int).collect::<Vec<_>>();
        let pairs: Vec<Value> = far.iter().map(|&(i, j)| Value::pair(i, j)).collect();
        let at = |grid: &Value| Value::tuple2(grid.clone(), Value::pair(1, 2));
        let sheets: Vec<Value> = (0..40).map(|_| sheet_of(&mut random)).collect();
        let square_places = Value::indices(&places(120, 12, 12, &mut random));
        let product = run("product", &[&square_places, &square_places]);
        let rows = run("merge", &[&Value::tuple(grids.clone())]);
        let samples: Vec<Value> = grids.chunks(2).map(|pair| Value::tuple(pair.to_vec())).collect();
        let mut some = |n: i64| (0..n).map(|_| Value::Int(random.below(1_000))).collect();
        let sets: Vec<Value> = (0..400).map(|n| Value::set(some(n % 60 + 2))).collect();
        let nested: Vec<Value> = (0..300).map(|_| Value::tuple(ints(40))).collect();
        let tuple = |ty: Ty| Ty::Tuple(Box::new(ty));
        let set = |ty: Ty| Ty::Set(Box::new(ty));
        [
            ("grid_square", Ty::Grid, square),
            ("grid_small", Ty::Grid, small),
            ("grid_wide", Ty::Grid, wide),
            ("grid_tall", Ty::Grid, tall),
            ("cells_dense", Ty::Indices, Value::indices(&dense)),
            ("cells_sparse", Ty::Indices, Value::indices(&sparse)),
            ("cells_far", Ty::Indices, Value::indices(&far)),
            ("cells_object", Ty::Object, cells(&dense, 10)),
            ("cells_far_object", Ty::Object, cells(&far, 3)),
            ("objects_set", Ty::objects(), Value::set(objects.clone())),
            ("objects_tuple", tuple(Ty::Object), Value::tuple(objects)),
            ("ints_tuple", tuple(Ty::INT), Value::tuple(ints(20_000))),
            ("ints_set", set(Ty::INT), Value::set(ints(20_000))),
            ("ints_few", tuple(Ty::INT), Value::tuple(ints(300))),
            ("pairs_tuple", tuple(Ty::Pair), Value::tuple(pairs)),
            ("grids_tuple", tuple(Ty::Grid), Value::tuple(grids)),
            ("sets_tuple", tuple(set(Ty::INT)), Value::tuple(sets.clone())),
            ("sets_set", set(set(Ty::INT)), Value::set(sets)),
            ("tuples_tuple", tuple(tuple(Ty::INT)), Value::tuple(nested)),
            ("product", set(tuple(Ty::Pair)), product),
            ("rows", tuple(tuple(Ty::INT)), rows),
            ("sheet", Ty::Sheet, at(&sheet_grid)),
            ("sheets", tuple(Ty::Sheet), Value::tuple(sheets)),
            ("samples", Ty::samples(), Value::tuple(samples)),
            ("number", Ty::INT, Value::Int(1_000)),
        ]
        .into_iter()
        .map(|(name, ty, value)| Large { name, ty, value })
        .collect()
    }
}

fn sheet_of(random: &mut Random) -> Value {
    let cells: Vec<i8> = (0..120).map(|_| random.below(4) as i8).collect();
    Value::tuple2(Value::grid(10, 12, &cells), Value::pair(random.below(20), random.below(20)))
}

fn moved(object: &Value, i: i64, j: i64) -> Value {
    run("shift", &[object, &Value::pair(i, j)])
}

fn run(name: &str, args: &[&Value]) -> Value {
    let id = Registry::get().find(name).unwrap_or(PrimId(0));
    Caller::default().call_prim(id, args).unwrap_or(Value::None)
}

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as i64
    }
}
