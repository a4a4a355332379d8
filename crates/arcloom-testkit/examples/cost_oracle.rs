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
//! `--part=0/2` does every second primitive, so that two cores can share the work.

#![expect(clippy::print_stdout, reason = "the table goes to standard output")]

use std::time::{Duration, Instant};

use arcloom_dsl::{Caller, Outcome, Primitive, Registry, words};
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::lower::load_expr;
use arcloom_lang::node::Op;
use arcloom_lang::syntax::{ExpectedResult, parse_example};
use arcloom_value::{Closure, Code, CodeStep, PrimId, Slot, Ty, Value};

/// Calls of a primitive inside a closure.
const CALLS: i64 = 3;
/// Primitives that give no value for any large argument, and why.
const ONLY_SMALL: &[(&str, &str)] = &[
    ("chain", "takes functions only"),
    ("compose", "takes functions only"),
    ("cut_panels", "the grid must have lines that cut it into equal panels"),
    ("drop_lines", "the grid must have lines of one colour"),
    ("fork", "takes functions only"),
    ("lookup_cells", "the table must have an entry for everything that the sheets show"),
    ("paste_colors", "there must be a grid for each colour"),
    ("paste_panels", "there must be a grid for each panel"),
    ("restore_lines", "the grid must be what is left without the lines of the other"),
    ("tile_panels", "there must be a grid for each panel"),
];

fn main() {
    let mark = std::env::args().any(|arg| arg == "--mark");
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (part, parts) = part().unwrap_or((0, 1));
    let values = Large::all();
    let mut silent = Vec::new();
    for (n, (id, prim)) in Registry::get().all().enumerate() {
        let name = prim.name;
        if n % parts != part {
            continue;
        }
        // Words of rules are evaluated when a program is read: their examples hold no call of them.
        if words::is_word(id) {
            continue;
        }
        if !only.is_empty() && !only.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut gave = false;
        for case in cases(id, prim, &values) {
            for (calls, closure) in [(1, false), (CALLS, true)] {
                let mut caller = Caller::default();
                let ((good, units), time) = if mark {
                    case_begins();
                    (case.run(&mut caller, closure), Duration::ZERO)
                } else {
                    case.timed(&mut caller, closure)
                };
                gave |= good;
                println!("{name}\t{}\t{calls}\t{good}\t{units}\t{}", case.label, time.as_nanos());
            }
        }
        if gave == ONLY_SMALL.iter().any(|&(small, _)| small == name) {
            silent.push(name);
        }
    }
    case_begins();
    assert!(silent.is_empty(), "no case gives a value, or is in ONLY_SMALL and does: {silent:?}");
}

/// Of `--part=N/M`: primitives whose number leaves N when divided by M.
fn part() -> Option<(usize, usize)> {
    let text = std::env::args().find_map(|arg| Some(arg.strip_prefix("--part=")?.to_owned()))?;
    let (part, parts) = text.split_once('/')?;
    Some((part.parse().ok()?, parts.parse().ok().filter(|parts| *parts > 0)?))
}

/// A place for callgrind to begin a new account at.
#[inline(never)]
fn case_begins() {
    std::hint::black_box(());
}

/// One call.
struct Case<'a> {
    prim: PrimId,
    label: String,
    args: Vec<Value>,
    /// The places of arguments that are made first, each by a call.
    made: Vec<(usize, &'a Recipe)>,
}

impl Case<'_> {
    /// Makes the call; whether it gave a value, and the units it was charged. Callgrind counts what
    /// happens in here.
    #[inline(never)]
    fn run(&self, caller: &mut Caller, closure: bool) -> (bool, u64) {
        caller.reset();
        let outcome = self.outcome(caller, closure);
        (std::hint::black_box(outcome).is_ok(), caller.spent())
    }

    fn outcome(&self, caller: &mut Caller, closure: bool) -> Outcome {
        let mut args = self.args.clone();
        for &(place, (name, parts)) in &self.made {
            args[place] = call(caller, name, parts)?;
        }
        if closure {
            self.inside(caller, &args)
        } else {
            caller.call_prim(self.prim, &args.iter().collect::<Vec<_>>())
        }
    }

    /// `apply(lambda x: prim(args), interval(0, CALLS, 1))`
    fn inside(&self, caller: &mut Caller, args: &[Value]) -> Outcome {
        let slots = (0..args.len()).map(|n| Slot::Capture(n as u16)).collect();
        let steps = vec![CodeStep::Call(self.prim, slots)];
        let code = Code::new(1, Vec::new(), steps, Slot::Step(0));
        let function = Value::closure(Closure::Lambda(code.into(), args.into()));
        let over = Value::tuple((0..CALLS).map(Value::Int).collect::<Vec<_>>());
        call(caller, "apply", &[function, over])
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

/// The calls of a primitive: an example's arguments with large values among them, where the signature
/// accepts them.
fn cases<'a>(id: PrimId, prim: &Primitive, values: &'a [Large]) -> Vec<Case<'a>> {
    let asked = &Registry::get().sig(id).params;
    let Some(example) = example(id, prim) else { return Vec::new() };
    let case = |places: &[(usize, &'a Large)]| {
        let mut case =
            Case { prim: id, label: String::new(), args: example.clone(), made: Vec::new() };
        for &(place, large) in places {
            let comma = if case.label.is_empty() { "" } else { "," };
            case.label += &format!("{comma}{place}={}", large.name);
            match &large.value {
                Form::Held(value) => case.args[place] = value.clone(),
                Form::Made(recipe) => case.made.push((place, recipe)),
            }
        }
        case
    };
    let fitting = |place: usize| {
        let fits = move |large: &&Large| asked[place].accepts(&large.ty);
        values.iter().filter(fits)
    };
    let mut cases = Vec::new();
    for place in 0..example.len() {
        cases.extend(fitting(place).map(|large| case(&[(place, large)])));
    }
    for (a, b) in [(0, 1), (1, 2)].into_iter().filter(|&(_, b)| b < example.len()) {
        for first in fitting(a) {
            let seconds = fitting(b).filter(|second| first.goes_with(second));
            cases.extend(seconds.map(|second| case(&[(a, first), (b, second)])));
        }
    }
    cases
}

/// The arguments of the first call in a primitive's documentation that succeeds.
fn example(id: PrimId, prim: &Primitive) -> Option<Vec<Value>> {
    let arguments = |text: &str| -> Option<Vec<Value>> {
        let example = parse_example(text).ok()?;
        if matches!(example.right, ExpectedResult::Fails) {
            return None;
        }
        let program = load_expr(&example.ast, example.left).ok()?;
        let none = Value::None;
        let inputs = Inputs { input: &none, samples: &none, expected: &none };
        let traced = Machine::default().trace(&Plan::new(&program), &inputs);
        let node = program.nodes().iter().rev().find(|node| node.op == Op::Call(id))?;
        node.args.iter().map(|arg| traced.values[arg.index()].clone()).collect()
    };
    prim.examples().find_map(arguments)
}

/// A large value in one of the forms that values have.
struct Large {
    name: &'static str,
    ty: Ty,
    value: Form,
}

/// A primitive and its arguments.
type Recipe = (&'static str, Vec<Value>);

enum Form {
    Held(Value),
    /// Its elements are made when they are first looked at, for which the call that gives it was paid:
    /// that call belongs to the case.
    Made(Recipe),
}

impl Large {
    fn goes_with(&self, other: &Large) -> bool {
        let cells = |large: &Large| large.name.starts_with("cells");
        self.name == other.name
            || (cells(self) && cells(other))
            || (matches!(self.name, "grid_square" | "grid_tall") && cells(other))
    }

    fn all() -> Vec<Large> {
        let mut random = Random(1);
        let mut grid = |height: usize, width: usize| grid(height, width, |_, _| random.below(10));
        let (square, small, wide, tall) =
            (grid(60, 60), grid(30, 30), grid(2, 5_000), grid(5_000, 2));
        let grids: Vec<Value> = (0..40).map(|n| grid(12, 10 + n % 7)).collect();
        let sheet_grid = grid(30, 30);
        let mut random = Random(2);
        let places = |count: usize, height: i64, width: i64, random: &mut Random| {
            let place = |random: &mut Random| (random.below(height), random.below(width));
            (0..count).map(|_| place(random)).collect::<Vec<_>>()
        };
        let dense = places(3_000, 60, 60, &mut random);
        let sparse = places(150, 4_000, 60, &mut random);
        let far = places(1_500, 1 << 20, 1 << 20, &mut random);
        let cells = |places: &[(i64, i64)], colors: i64| {
            let cell = |(n, &(i, j)): (usize, &(i64, i64))| (n as i64 % colors, i, j);
            Value::object(&places.iter().enumerate().map(cell).collect::<Vec<_>>())
        };
        let objects: Vec<Value> = (0..150)
            .map(|n| {
                let object = cells(&places(20, 6, 6, &mut random), 1 + n % 3);
                moved(&object, random.below(60), random.below(60))
            })
            .collect();
        let ints = |n: i64| (0..n).map(Value::Int).collect::<Vec<_>>();
        let pairs: Vec<Value> = far.iter().map(|&(i, j)| Value::pair(i, j)).collect();
        let sheets: Vec<Value> = (0..20).map(|_| sheet_of(&mut random)).collect();
        let square_places = Value::indices(&places(70, 12, 12, &mut random));
        let samples: Vec<Value> = grids.chunks(2).map(|pair| Value::tuple(pair.to_vec())).collect();
        let mut some = |n: i64| (0..n).map(|_| Value::Int(random.below(1_000))).collect();
        let sets: Vec<Value> = (0..150).map(|n| Value::set(some(n % 60 + 2))).collect();
        let nested: Vec<Value> = (0..120).map(|n| Value::tuple(ints(30 + n % 20))).collect();
        let tuple = |ty: Ty| Ty::Tuple(Box::new(ty));
        let set = |ty: Ty| Ty::Set(Box::new(ty));
        let mut all: Vec<Large> = [
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
            ("ints_tuple", tuple(Ty::INT), Value::tuple(ints(5_000))),
            ("ints_set", set(Ty::INT), Value::set(ints(5_000))),
            ("ints_few", tuple(Ty::INT), Value::tuple(ints(300))),
            ("pairs_tuple", tuple(Ty::Pair), Value::tuple(pairs)),
            ("grids_tuple", tuple(Ty::Grid), Value::tuple(grids.clone())),
            ("sets_tuple", tuple(set(Ty::INT)), Value::tuple(sets.clone())),
            ("sets_set", set(set(Ty::INT)), Value::set(sets)),
            ("tuples_tuple", tuple(tuple(Ty::INT)), Value::tuple(nested)),
            ("sheet", Ty::Sheet, at(sheet_grid)),
            ("sheets", tuple(Ty::Sheet), Value::tuple(sheets)),
            ("samples", Ty::samples(), Value::tuple(samples)),
            ("number", Ty::INT, Value::Int(300)),
            ("cell", Ty::Cell, Value::tuple2(Value::Int(3), Value::pair(4_000, 4_000))),
            ("pair", Ty::Pair, Value::pair(0, 4_000)),
        ]
        .into_iter()
        .chain(particular(&grids))
        .map(|(name, ty, value)| Large { name, ty, value: Form::Held(value) })
        .collect();
        for (name, ty, prim, args) in [
            (
                "product",
                set(tuple(Ty::Pair)),
                "product",
                vec![square_places.clone(), square_places],
            ),
            ("rows", tuple(tuple(Ty::INT)), "merge", vec![Value::tuple(grids)]),
        ] {
            all.push(Large { name, ty, value: Form::Made((prim, args)) });
        }
        all
    }
}

/// Values that primitives ask for which fail on others.
fn particular(grids: &[Value]) -> Vec<(&'static str, Ty, Value)> {
    let mended = |i: i64, j: i64| if i == 7 && j == 9 { 0 } else { 1 + (i % 3 + j % 3) % 3 };
    let mirrored = |i: i64, j: i64| match (i, j) {
        (7, 9) => 0,
        _ => 1 + i.min(29 - i) * 3 % 5 + j.min(29 - j) % 4,
    };
    let cut = |i: i64, j: i64| if j % 10 == 9 { 5 } else { (i + j) % 3 };
    let marked = |i: i64, j: i64| {
        let corner = |n: i64| !(2..=27).contains(&n);
        let inner = |n: i64| n == 1 || n == 28;
        i64::from(corner(i) && corner(j) && !(inner(i) && inner(j)))
    };
    let stamped = |i: i64, j: i64| match (i, j) {
        (0, 0) => 1,
        (0, 1) => 2,
        (1, 1) => 3,
        _ if i % 5 == 4 && j % 5 == 4 => 2,
        _ => 0,
    };
    let bar = |n: i64| Value::tuple2(grid(3, 1, |_, _| 1), Value::pair(0, n));
    let odd = Value::tuple2(grid(3, 1, |i, _| 2 * (i % 2)), Value::pair(0, 20));
    let bars: Vec<Value> = (0..20).map(bar).chain([odd]).collect();
    let samples = |change: &dyn Fn(&Value) -> Value| {
        let sample = |grid: &Value| Value::tuple2(grid.clone(), change(grid));
        Value::tuple(grids.iter().map(sample).collect::<Vec<_>>())
    };
    let recolored = |grid: &Value| run("replace", &[grid.clone(), Value::Int(7), Value::Int(11)]);
    vec![
        ("sheet_periodic", Ty::Sheet, at(grid(30, 30, mended))),
        ("sheet_mirrored", Ty::Sheet, at(grid(30, 30, mirrored))),
        ("sheet_cut", Ty::Sheet, at(grid(30, 30, cut))),
        ("sheet_marked", Ty::Sheet, at(grid(30, 30, marked))),
        ("sheet_stamped", Ty::Sheet, at(grid(30, 30, stamped))),
        ("sheets_alike", Ty::Tuple(Box::new(Ty::Sheet)), Value::tuple(bars)),
        (
            "samples_mirrored",
            Ty::samples(),
            samples(&|grid| run("vmirror", std::slice::from_ref(grid))),
        ),
        ("samples_new", Ty::samples(), samples(&recolored)),
    ]
}

fn grid(height: usize, width: usize, mut color: impl FnMut(i64, i64) -> i64) -> Value {
    let at = |n: usize| ((n / width) as i64, (n % width) as i64);
    let cells: Vec<i8> = (0..height * width).map(|n| color(at(n).0, at(n).1) as i8).collect();
    Value::grid(height, width, &cells)
}

fn at(grid: Value) -> Value {
    Value::tuple2(grid, Value::pair(1, 2))
}

fn sheet_of(random: &mut Random) -> Value {
    let cells: Vec<i8> = (0..120).map(|_| random.below(4) as i8).collect();
    Value::tuple2(Value::grid(10, 12, &cells), Value::pair(random.below(20), random.below(20)))
}

fn moved(object: &Value, i: i64, j: i64) -> Value {
    run("shift", &[object.clone(), Value::pair(i, j)])
}

fn run(name: &str, args: &[Value]) -> Value {
    call(&mut Caller::default(), name, args).unwrap_or(Value::None)
}

fn call(caller: &mut Caller, name: &str, args: &[Value]) -> Outcome {
    let id = Registry::get().find(name).ok_or(arcloom_dsl::Fault::NotAFunction)?;
    caller.call_prim(id, &args.iter().collect::<Vec<_>>())
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
