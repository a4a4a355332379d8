//! Recognised shapes against the plain loop, and budgets.

use super::*;
use crate::registry::Registry;
use crate::toll;

fn prim(name: &str) -> Value {
    Value::Prim(Registry::get().find(name).unwrap())
}

fn call(cx: &mut Caller, name: &str, args: &[&Value]) -> Outcome {
    cx.reset();
    cx.call_prim(Registry::get().find(name).unwrap(), args)
}

fn made(name: &str, args: &[&Value]) -> Value {
    call(&mut Caller::default(), name, args).unwrap()
}

/// Patches of one word and of several per row, in corners of all signs.
fn patches() -> Vec<Value> {
    let mut seed = 11u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) % n) as i64
    };
    (0..60)
        .map(|round| {
            let span = [4, 12, 70, 150][round % 4];
            let cells: Vec<_> = (0..1 + below(25))
                .map(|_| (below(3), below(span) - 40, below(span) - 30))
                .collect();
            let places: Vec<_> = cells.iter().map(|&(_, i, j)| (i, j)).collect();
            if round % 3 == 0 { Value::object(&cells) } else { Value::indices(&places) }
        })
        .collect()
}

/// Both callers agree; the general one has no fast forms, so it never takes a recognised path.
#[track_caller]
fn check(name: &str, args: &[&Value]) {
    let fast = call(&mut Caller::default(), name, args).ok();
    let plain = call(&mut Caller::general(u64::MAX), name, args).ok();
    assert_eq!(fast, plain.map(|v| v.canonical()), "{name}{args:?}");
}

#[test]
fn recognised_functions_give_what_the_plain_loop_gives() {
    let patches = patches();
    let ray = |d| made("rbind", &[&prim("shoot"), &d]);
    let mut functions: Vec<Value> =
        ["neighbors", "dneighbors", "ineighbors", "hfrontier", "vfrontier"].map(prim).into();
    for (i, j) in [(0, 1), (-1, 0), (1, 1), (1, -1), (0, 0), (2, 2), (1, 2), (0, -9)] {
        functions.push(ray(Value::Pair(i, j)));
    }
    functions.push(made("fork", &[&prim("combine"), &prim("hfrontier"), &prim("vfrontier")]));
    functions.push(made("fork", &[&prim("combine"), &ray(Value::Pair(0, 1)), &prim("size")]));
    for pattern in patches.iter().take(12) {
        functions.push(made("lbind", &[&prim("shift"), pattern]));
    }
    for f in &functions {
        for patch in &patches {
            check("mapply", &[f, patch]);
        }
    }
}

#[test]
fn positions_of_many_patches_are_those_of_each() {
    let patches = patches();
    for n in 0..patches.len() {
        check("mapply", &[&prim("toindices"), &Value::set(patches[..n].to_vec())]);
    }
}

#[test]
fn reading_one_part_only_gives_what_the_plain_loop_gives() {
    let zero = Value::Int(0);
    let mut functions = Vec::new();
    for part in ["first", "last"].map(prim) {
        functions.extend([
            part.clone(),
            made("matcher", &[&part, &zero]),
            made("compose", &[&prim("even"), &part]),
            made("chain", &[&prim("flip"), &prim("positive"), &part]),
            made("fork", &[&prim("add"), &part, &part]),
            made("fork", &[&prim("greater"), &prim("first"), &part]),
        ]);
    }
    for f in &functions {
        for patch in &patches() {
            check("sfilter", &[patch, f]);
            check("apply", &[f, patch]);
            check("argmax", &[patch, f]);
        }
    }
}

#[test]
fn huge_counts_stop_before_any_work() {
    let huge = Value::Int(i64::MAX);
    let one = Value::Int(1);
    let row = Value::tuple(vec![one.clone(); 2000]);
    let over = |name: &str, args: &[&Value]| {
        call(&mut Caller::default(), name, args).is_err_and(|e| e.is_budget())
    };
    assert!(over("repeat", &[&one, &huge]));
    assert!(over("repeat", &[&row, &Value::Int(2000)]));
    assert!(over("interval", &[&Value::Int(i64::MIN), &huge, &one]));
    assert!(over("product", &[&row, &row]));
    assert!(over("prapply", &[&prim("add"), &row, &row]));
    assert!(over("power", &[&prim("double"), &huge]));
    assert!(over("multiply", &[&Value::tuple2(row.clone(), row), &huge]));
}

/// A condition that is not recognised, `flip` twice over, costs two calls more.
#[test]
fn moved_patterns_leave_what_the_plain_loop_says() {
    let patches: Vec<_> =
        patches().into_iter().filter(|v| !matches!(v, Value::Patch(p) if p.is_object())).collect();
    for (n, over) in patches.iter().enumerate() {
        let near = made("lbind", &[&prim("shift"), &patches[(n * 7 + 1) % patches.len()]]);
        let whole = made("mapply", &[&near, over]);
        for (left_out, size) in [(0, 0), (1, 0), (1, 1), (3, 2)] {
            let rest: Vec<_> = whole.iter().unwrap().skip(left_out).collect();
            let outside = made("rbind", &[&prim("difference"), &Value::set(rest)]);
            let size = made("matcher", &[&prim("size"), &Value::Int(size)]);
            let twice = made("compose", &[&prim("flip"), &prim("flip")]);
            let inner = made("compose", &[&outside, &near]);
            let fast = made("compose", &[&size, &inner]);
            check("sfilter", &[over, &fast]);
            check("sfilter", &[over, &made("chain", &[&size, &outside, &near])]);
            let plain = made("compose", &[&twice, &fast]);
            let (mut cx, mut other) = (Caller::default(), Caller::default());
            call(&mut cx, "sfilter", &[over, &fast]).unwrap();
            call(&mut other, "sfilter", &[over, &plain]).unwrap();
            let calls = over.len().unwrap() as u64;
            assert_eq!(cx.spent() + 4 * calls, other.spent());
            let over_budget = |f: &Value, budget| {
                call(&mut Caller::new(budget), "sfilter", &[over, f]).unwrap_err()
            };
            assert!(over_budget(&fast, cx.spent() - 1).is_budget());
        }
    }
}

#[test]
fn lines_drawn_for_a_set_are_those_drawn_one_by_one() {
    let ends = |n: &str, m: &str| made("fork", &[&prim("connect"), &prim(n), &prim(m)]);
    let inner = |f: &str| {
        let part = made("compose", &[&prim("last"), &prim(f)]);
        (part, made("compose", &[&prim("color"), &prim("identity")]))
    };
    let ((first, color), (last, _)) = (inner("first"), inner("last"));
    let between = made("fork", &[&prim("connect"), &first, &last]);
    let painted = made("fork", &[&prim("recolor"), &color, &between]);
    for patch in &patches() {
        let Value::Patch(p) = patch else { continue };
        let pairs = made("product", &[patch, patch]);
        let lines = if p.is_object() {
            vec![between.clone(), painted.clone()]
        } else {
            vec![ends("first", "last"), ends("last", "first"), ends("last", "last")]
        };
        for f in &lines {
            check("apply", &[f, &pairs]);
            check("mapply", &[f, &pairs]);
            // The work of all calls, and of merging what they give.
            let (mut calls, mut parts) = (0, 0);
            let mut cx = Caller::default();
            for item in pairs.iter().unwrap() {
                cx.reset();
                parts += cx.call1(f, &item).unwrap().len().unwrap() as u64;
                calls += cx.spent();
            }
            let sorted = toll::sorting(pairs.len().unwrap()) as u64;
            for (name, work) in [("apply", calls + sorted), ("mapply", calls + parts)] {
                call(&mut cx, name, &[f, &pairs]).unwrap();
                assert_eq!(cx.spent(), work);
                let stopped = call(&mut Caller::new(work - 1), name, &[f, &pairs]);
                assert!(stopped.is_err_and(|e| e.is_budget()));
            }
        }
    }
}

#[test]
fn lists_of_positions_and_cells_are_read_as_patches() {
    let patches = patches();
    let grid = Value::grid(9, 11, &[0, 1, 2].repeat(33));
    let three = Value::Int(3);
    for (n, patch) in patches.iter().enumerate() {
        let other = &patches[(n * 5 + 2) % patches.len()];
        let mut items: Vec<Value> = patch.iter().unwrap().collect();
        items.extend_from_within(items.len() / 2..);
        items.reverse();
        let mut lists = vec![Value::tuple(items.clone())];
        // Colours that a grid cannot hold, and elements of several kinds.
        lists.push(Value::tuple([&items[..], &[Value::cell(300, 1, 1)]].concat()));
        lists.push(Value::tuple([&items[..], &[Value::pair(200, 1)]].concat()));
        for list in &lists {
            check("paint", &[&grid, list]);
            check("underpaint", &[&grid, list]);
            check("fill", &[&grid, &three, list]);
            check("underfill", &[&grid, &three, list]);
            check("shift", &[list, &Value::Pair(-3, 60)]);
            check("shift", &[list, &Value::pair(1 << 40, 0)]);
            check("recolor", &[&three, list]);
            check("toindices", &[list]);
            for name in ["adjacent", "hmatching", "vmatching", "manhattan", "gravitate"] {
                check(name, &[other, list]);
                check(name, &[list, other]);
            }
            for name in ["box", "corners", "center", "normalize", "delta", "shape"] {
                check(name, &[list]);
            }
        }
        check("product", &[patch, other]);
        check("totuple", &[patch]);
        for parts in [&patches[..n], &[patch.clone(), other.clone(), Value::empty_set()]] {
            check("merge", &[&Value::tuple(parts.to_vec())]);
        }
    }
}

#[test]
fn measures_of_patches_rank_as_calls_do() {
    let patches = patches();
    let names =
        ["size", "height", "width", "color", "uppermost", "leftmost", "lowermost", "rightmost"];
    for f in names.map(prim) {
        for n in [1, 2, 5, 60] {
            let list = patches[..n].to_vec();
            let mixed = [&list[..], &[Value::empty_set()]].concat();
            for over in [Value::tuple(list.clone()), Value::set(list), Value::tuple(mixed)] {
                for name in ["argmax", "argmin", "valmax", "valmin", "sfilter", "order"] {
                    check(name, &[&over, &f]);
                }
                let mut cx = Caller::default();
                if call(&mut cx, "argmax", &[&over, &f]).is_ok() {
                    assert_eq!(cx.spent(), over.len().unwrap() as u64);
                }
            }
        }
    }
}

/// `branch` is not laid out, so that the first function of the `fork` never is.
#[test]
fn forks_with_one_part_laid_out_give_what_the_plain_call_gives() {
    let one = Value::Int(1);
    let sum = made("fork", &[&prim("add"), &prim("first"), &prim("last")]);
    let fails = made("compose", &[&prim("size"), &prim("first")]);
    let first = made("rbind", &[&prim("branch"), &one]);
    let first = made("fork", &[&first, &prim("first"), &prim("last")]);
    for second in [&sum, &made("compose", &[&prim("even"), &sum]), &fails] {
        for a in [&first, &fails] {
            let f = made("fork", &[&prim("greater"), a, second]);
            for patch in &patches() {
                check("sfilter", &[patch, &f]);
                check("apply", &[&f, patch]);
                check("argmax", &[patch, &f]);
                let mut cx = Caller::default();
                if call(&mut cx, "apply", &[&f, patch]).is_ok() {
                    let sorted = toll::sorting(patch.len().unwrap()) as u64;
                    let spent = cx.spent() - sorted;
                    let mut calls = 0;
                    for item in patch.iter().unwrap() {
                        cx.reset();
                        cx.call1(&f, &item).unwrap();
                        calls += cx.spent();
                    }
                    assert_eq!(spent, calls + toll::framed([patch]) as u64);
                }
            }
        }
    }
}
