//! Random closures on random containers against plain calls: values, failures and work.

use super::*;
use crate::kernel::mask::tests::Random;
use crate::registry::Registry;

const ONE: [&str; 34] = [
    "identity",
    "first",
    "last",
    "initset",
    "center",
    "ulcorner",
    "shape",
    "even",
    "positive",
    "flip",
    "maximum",
    "minimum",
    "increment",
    "decrement",
    "double",
    "sign",
    "invert",
    "halve",
    "crement",
    "uppermost",
    "leftmost",
    "height",
    "width",
    "size",
    "color",
    "lowermost",
    "rightmost",
    "vline",
    "hline",
    "first",
    "last",
    "center",
    "neighbors",
    "size",
];
const TWO: [&str; 14] = [
    "astuple",
    "equality",
    "manhattan",
    "greater",
    "both",
    "either",
    "add",
    "subtract",
    "multiply",
    "hmatching",
    "vmatching",
    "astuple",
    "connect",
    "equality",
];

fn prim(name: &str) -> Value {
    Value::Prim(Registry::get().find(name).unwrap())
}

fn bound(random: &mut Random, patches: &[Value]) -> Value {
    match random.below(6) {
        0 | 1 => Value::Int(random.below(5) as i64 - 2),
        2 | 3 => Value::Pair(random.below(5) as i32 - 2, random.below(9) as i32),
        4 => patches[random.below(patches.len())].clone(),
        _ => [Value::Int(i64::MAX - 1), Value::pair(i64::MAX, 3), Value::Cell(2, 1, 4)]
            [random.below(3)]
        .clone(),
    }
}

fn closure(random: &mut Random, depth: usize, patches: &[Value]) -> Value {
    let one = |random: &mut Random| prim(ONE[random.below(ONE.len())]);
    let two = |random: &mut Random| prim(TWO[random.below(TWO.len())]);
    if depth == 0 {
        return one(random);
    }
    let inner = |random: &mut Random| closure(random, depth - 1, patches);
    Value::closure(match random.below(9) {
        0 | 1 => Closure::Compose(inner(random), inner(random)),
        2 => Closure::Chain(one(random), one(random), inner(random)),
        3 | 4 => Closure::Fork(two(random), inner(random), inner(random)),
        5 => Closure::Matcher(inner(random), bound(random, patches)),
        6 => Closure::RBind(two(random), bound(random, patches), 1),
        7 => Closure::LBind(two(random), bound(random, patches), 1),
        _ => match random.below(3) {
            0 => Closure::Power(inner(random), 2),
            _ => Closure::LBind(prim("apply"), inner(random), 1),
        },
    })
}

fn containers(random: &mut Random) -> (Vec<Value>, Vec<Value>) {
    let mut side = |n: usize| random.below(n) as i64 - 2;
    let mut patches = Vec::new();
    for round in 0..24 {
        let cells: Vec<_> = (0..1 + round % 5)
            .map(|_| (side(3), side(4), side(if round == 7 { 90 } else { 6 })))
            .collect();
        let places: Vec<_> = cells.iter().map(|c| (c.1, c.2)).collect();
        patches.push(if round % 2 == 0 { Value::object(&cells) } else { Value::indices(&places) });
    }
    let places: Vec<_> = (0..9).map(|_| (side(6), side(9))).collect();
    let cells: Vec<_> = (0..9).map(|_| (side(4), side(6), side(9))).collect();
    let pairs = |a: &Value, b: &Value| {
        let of = |v: &Value| v.iter().into_iter().flatten().collect::<Vec<_>>();
        let all = of(a).into_iter().flat_map(|x| of(b).into_iter().map(move |y| (x.clone(), y)));
        Value::set(all.map(|(x, y)| Value::tuple2(x, y)).collect())
    };
    let (places, cells) = (Value::indices(&places), Value::object(&cells));
    let few = Value::set(patches[..6].to_vec());
    let mixed =
        Value::tuple([patches[0].clone(), Value::Int(4), places.clone(), Value::Pair(1, 2)]);
    let numbers = Value::tuple([3, -1, 0, i64::MAX, i64::MIN].map(Value::Int));
    let all = vec![
        pairs(&places, &places),
        pairs(&cells, &cells),
        pairs(&few, &few),
        pairs(&places, &few),
        Value::set(patches.clone()),
        Value::tuple(patches.clone()),
        places,
        cells,
        mixed,
        numbers,
    ];
    (all, patches)
}

/// A caller with so much of its budget left. A small budget would keep closures from being laid out.
fn with_left(left: usize) -> Caller {
    let mut caller = Caller::new(2_000_000);
    caller.charge(2_000_000 - left).unwrap();
    caller
}

#[test]
fn laid_out_closures_do_what_plain_calls_do() {
    let mut random = Random(21);
    let (containers, patches) = containers(&mut random);
    let (mut laid_out, mut numbers, mut stops) = (0, 0, 0);
    for _ in 0..100_000 {
        let depth = 1 + random.below(4);
        let f = closure(&mut random, depth, &patches);
        let over = &containers[random.below(containers.len())];
        let left = [2_000_000, 60, 300][random.below(3)];
        let (mut fast, mut plain) = (with_left(left), with_left(left));
        let mut repeated = Repeated::new(&mut fast, &f, over);
        laid_out += usize::from(repeated.layout.is_some());
        // All at once, on a caller of its own.
        let mut all = with_left(left);
        let given = repeated.numbers(&mut all, over).map(|given| given.map(<[i64]>::to_vec));
        let (given, stopped) = match given {
            Ok(given) => (given, None),
            Err(error) => (None, Some((error, all.spent()))),
        };
        let mut failed = None;
        for (n, item) in over.iter().unwrap().enumerate() {
            let (left, right) = (repeated.call(&mut fast, &item), plain.call1(&f, &item));
            assert_eq!(left, right, "{f:?} {item:?}");
            if let Some(given) = &given {
                assert_eq!(left, Ok(Value::Int(given[n])), "{f:?} {item:?}");
            }
            if let Err(error) = left {
                failed = Some((error, plain.spent()));
                break;
            }
            numbers += usize::from(repeated.layout.is_some());
            assert_eq!(fast.spent(), plain.spent(), "{f:?} {item:?}");
        }
        if stopped.is_some() {
            stops += 1;
            assert_eq!(stopped, failed, "{f:?}");
        }
        if let Some(given) = given {
            assert_eq!((over.len(), all.spent()), (Some(given.len()), plain.spent()), "{f:?}");
        }
    }
    assert!(laid_out > 2000 && numbers > 20_000, "{laid_out} {numbers}");
    assert!(stops > 100, "{stops}");
}

/// One caller for all loops, so that layouts are taken over from functions like the next one.
#[test]
fn layouts_taken_over_do_what_plain_calls_do() {
    let mut random = Random(22);
    let (containers, patches) = containers(&mut random);
    let (mut fast, mut plain) = (Caller::default(), Caller::default());
    let mut taken_over = 0;
    // The distance of a place from the middle of a patch, of a tuple of both.
    let middle = Value::closure(Closure::Compose(prim("center"), prim("last")));
    let abs = Value::closure(Closure::Fork(prim("multiply"), prim("sign"), prim("identity")));
    let away = Value::closure(Closure::Chain(
        Value::closure(Closure::Fork(prim("add"), prim("first"), prim("last"))),
        Value::closure(Closure::LBind(prim("apply"), abs, 1)),
        Value::closure(Closure::Fork(prim("subtract"), prim("first"), middle)),
    ));
    for _ in 0..20_000 {
        let over = &containers[random.below(containers.len())];
        let two = prim(TWO[random.below(3)]);
        let shared = match random.below(3) {
            0 => closure(&mut random, 1, &patches),
            1 => away.clone(),
            _ => prim("initset"),
        };
        let form = random.below(3);
        for _ in 0..3 {
            let fixed = bound(&mut random, &patches);
            let f = Value::closure(Closure::LBind(two.clone(), fixed.clone(), 1));
            let f = Value::closure(match form {
                0 => Closure::Compose(shared.clone(), f),
                1 => Closure::Compose(f, shared.clone()),
                _ => {
                    let matcher = Closure::Matcher(shared.clone(), fixed);
                    Closure::Fork(prim("both"), Value::closure(matcher), f)
                }
            });
            let like = fast.kept.as_ref().is_some_and(|kept| kept.is_like(&f));
            let mut repeated = Repeated::new(&mut fast, &f, over);
            taken_over += usize::from(like && repeated.layout.is_some());
            for item in over.iter().unwrap() {
                fast.reset();
                plain.reset();
                let (left, right) = (repeated.call(&mut fast, &item), plain.call1(&f, &item));
                assert_eq!(left, right, "{f:?} {item:?}");
                assert!(left.is_err() || fast.spent() == plain.spent(), "{f:?} {item:?}");
            }
            repeated.end(&mut fast);
        }
    }
    assert!(taken_over > 100, "{taken_over}");
}

/// Sets of tuples that are left unmade against the same sets put together, over all primitives that
/// loop over them: values, failures and work, with budgets that stop them on the way.
#[test]
fn loops_over_unmade_tuples_do_what_loops_over_made_ones_do() {
    let id = |name: &str| Registry::get().find(name).unwrap();
    let mut random = Random(23);
    let (_, patches) = containers(&mut random);
    let patch = |random: &mut Random, n: usize, colored: bool| {
        let mut side = |n: usize| random.below(n) as i64 - 2;
        let cells: Vec<_> = (0..n).map(|_| (side(4), side(9), side(12))).collect();
        let places: Vec<_> = cells.iter().map(|c| (c.1, c.2)).collect();
        if colored { Value::object(&cells) } else { Value::indices(&places) }
    };
    let sets: Vec<[Value; 2]> = (0..9)
        .map(|n| {
            let part = |random: &mut Random, count: usize| match n % 3 {
                0 => {
                    let one = |k: usize| patch(random, 1 + k % 4, k.is_multiple_of(2));
                    Value::set((0..count).map(one).collect())
                }
                kind => patch(random, count, kind == 1),
            };
            let (a, b) = (part(&mut random, 30), part(&mut random, 24));
            let unmade = Caller::default().call_prim(id("product"), &[&a, &b]).unwrap();
            let Value::Set(seq) = &unmade else { panic!() };
            assert!(seq.product().is_some());
            let unmade = match n {
                0..3 => unmade,
                _ => seq.product().unwrap().filtered(|| random.below(3) > 0),
            };
            let made = Value::set(unmade.iter().unwrap().collect());
            [unmade, made]
        })
        .collect();
    let line = |a: Value, b: Value| Value::closure(Closure::Fork(prim("connect"), a, b));
    let compose = |a: &Value, b: &Value| Value::closure(Closure::Compose(a.clone(), b.clone()));
    let ends = [
        line(prim("first"), prim("last")),
        line(prim("last"), prim("first")),
        line(compose(&prim("last"), &prim("first")), compose(&prim("last"), &prim("last"))),
    ];
    let painted = Value::closure(Closure::Fork(prim("recolor"), prim("color"), ends[2].clone()));
    let mut fine = 0;
    for round in 0..6000 {
        let f = match random.below(6) {
            n @ 0..3 => ends[n].clone(),
            3 => painted.clone(),
            _ => closure(&mut random, 1 + round % 3, &patches),
        };
        let [unmade, made] = &sets[random.below(sets.len())];
        let name =
            ["apply", "mapply", "sfilter", "mfilter", "order", "argmax", "extract"][round % 7];
        let left = [1_000_000, 1000, 4000, 200 + random.below(6000)][random.below(4)];
        // The set is taken apart here, so that one that was looked at before is not.
        let Value::Set(seq) = unmade else { panic!() };
        let fresh = seq.product().unwrap().filtered(|| true);
        let run = |set: &Value| {
            let mut cx = with_left(left);
            let first = matches!(name, "apply" | "mapply");
            let args = if first { [&f, set] } else { [set, &f] };
            (cx.call_prim(id(name), &args), cx.spent())
        };
        let (left, right) = (run(&fresh), run(made));
        assert_eq!(left, right, "{name} {f:?}");
        fine += usize::from(left.0.is_ok());
    }
    assert!(fine > 500, "{fine}");
}
