//! For each kind of operator, a child that it should find.

use std::collections::BTreeSet;

use arcloom_evolve::{Context, Finding, Parent, TaskFacts};
use arcloom_lang::text::print;
use arcloom_lang::{Form, Program};
use arcloom_value::{Grid, Value};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::world::{operator, program};

/// A task whose outputs have green where the inputs have blue, twice as wide.
fn demos() -> crate::world::Demos {
    let grid = |rows: &[&[i8]]| Grid::from_rows(rows).expect("rows of one width");
    vec![
        (grid(&[&[0, 1], &[2, 0]]), grid(&[&[0, 3, 0, 3], &[2, 0, 2, 0]])),
        (grid(&[&[1, 0]]), grid(&[&[3, 0, 3, 0]])),
    ]
}

fn finding(differ: &'static str, value: Value) -> Finding {
    Finding { differ, demo: 0, value }
}

/// Children of many seeds.
fn children(name: &str, parent: &str, donor: &str) -> Vec<Program> {
    let facts = TaskFacts::new(&demos());
    let findings = [
        finding("palette_extra", Value::Int(1)),
        finding("palette_missing", Value::Int(3)),
        finding("shape", Value::pair(2, 4)),
        finding("position", Value::pair(1, 2)),
    ];
    let parent = Parent::new(program(parent));
    let donors = vec![Parent::new(program(donor))];
    let context = Context { parent: &parent, donors: &donors, facts: &facts, findings: &findings };
    let one = |seed| operator(name).child(&context, &mut ChaCha8Rng::seed_from_u64(seed));
    (0..2000).filter_map(one).collect()
}

/// The operator reaches the wanted program from the parent.
fn reaches(name: &str, parent: &str, wanted: &str) {
    reaches_with(name, parent, "I", wanted);
}

fn reaches_with(name: &str, parent: &str, donor: &str, wanted: &str) {
    let wanted = program(wanted);
    let found = children(name, parent, donor);
    let texts: BTreeSet<String> = found.iter().map(|p| print(p, Form::Inline)).collect();
    let some: Vec<&String> = texts.iter().take(40).collect();
    assert!(
        found.contains(&wanted),
        "{name}: {} does not come from {parent}, but\n{some:#?}",
        print(&wanted, Form::Inline)
    );
}

#[test]
fn constants_change_within_their_kind() {
    let fill = "fill(I, THREE, ofcolor(I, FIVE))";
    reaches("color", fill, "fill(I, TWO, ofcolor(I, FIVE))");
    reaches("color", fill, "fill(I, THREE, ofcolor(I, ONE))");
    // One three is a colour, the other a number.
    let both = "upscale(fill(I, THREE, ofcolor(I, FIVE)), THREE)";
    reaches("color", both, "upscale(fill(I, ONE, ofcolor(I, FIVE)), THREE)");
    reaches("number", both, "upscale(fill(I, THREE, ofcolor(I, FIVE)), FOUR)");
    let colors = children("number", both, "I");
    assert!(colors.iter().all(|p| print(p, Form::Inline).contains("THREE, ofcolor(I, FIVE)")));
    // The same colour everywhere.
    reaches("color", "fill(I, THREE, ofcolor(I, THREE))", "fill(I, ONE, ofcolor(I, ONE))");
    let shoot = "fill(I, ONE, shoot(ORIGIN, UP))";
    reaches("pair", shoot, "fill(I, ONE, shoot(ORIGIN, DOWN))");
    reaches("pair", shoot, "fill(I, ONE, shoot(ORIGIN, UP_RIGHT))");
    reaches(
        "flag",
        "fill(I, ONE, merge(objects(I, T, F, T)))",
        "fill(I, ONE, merge(objects(I, T, T, T)))",
    );
    reaches(
        "notion",
        "fill(I, ONE, merge(objects(I, T, F, T)))",
        "fill(I, ONE, merge(objects(I, F, T, F)))",
    );
    reaches("notion", "paint(I, first(o_g(I, 5)))", "paint(I, first(o_g(I, 7)))");
    reaches(
        "rank",
        "canvas(get_color_rank_t(I, F0), UNITY)",
        "canvas(get_color_rank_t(I, L1), UNITY)",
    );
    reaches("angle", "mir_rot_t(I, A0)", "mir_rot_t(I, A4)");
    reaches(
        "angle",
        "fill(I, ONE, initset(corner(asindices(I), 0)))",
        "fill(I, ONE, initset(corner(asindices(I), 3)))",
    );
}

#[test]
fn constants_are_derived_and_settled() {
    let derived = "fill(I, get_nth_t(c_zo(S, p_g), F0), ofcolor(I, ONE))";
    reaches("derive", "fill(I, THREE, ofcolor(I, ONE))", derived);
    reaches("settle", derived, "fill(I, THREE, ofcolor(I, ONE))");
    reaches(
        "derive",
        "fill(I, THREE, ofcolor(I, ONE))",
        "fill(I, THREE, ofcolor(I, get_nth_t(c_iz(S, p_g), F0)))",
    );
    reaches(
        "derive",
        "hupscale(I, TWO)",
        "hupscale(I, divide(width(last(first(S))), width(first(first(S)))))",
    );
    reaches("settle", "hupscale(I, numcolors(I))", "hupscale(I, TWO)");
    reaches("derive", "canvas(ZERO, THREE_BY_THREE)", "canvas(ZERO, shape(I))");
    reaches("settle", "canvas(mostcolor(I), UNITY)", "canvas(ZERO, UNITY)");
}

#[test]
fn an_angle_is_derived_where_one_fits() {
    let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
    let facts = TaskFacts::new(&[(grid(&[&[1, 2], &[3, 4]]), grid(&[&[3, 4], &[1, 2]]))]);
    let parent = Parent::new(program("mir_rot_t(I, 0)"));
    let donors = Vec::new();
    let context = Context { parent: &parent, donors: &donors, facts: &facts, findings: &[] };
    let child = operator("derive").child(&context, &mut ChaCha8Rng::seed_from_u64(0));
    assert_eq!(child, Some(program("mir_rot_t(I, a_mr(S))")));
}

#[test]
fn primitives_are_exchanged() {
    reaches("swap", "vmirror(I)", "hmirror(I)");
    reaches("swap", "vmirror(I)", "rot90(I)");
    let largest = "subgrid(argmax(objects(I, T, F, T), size), I)";
    reaches("swap", largest, "subgrid(argmin(objects(I, T, F, T), size), I)");
    reaches("swap", "fill(I, ONE, ofcolor(I, ZERO))", "underfill(I, ONE, ofcolor(I, ZERO))");
    reaches("ranked", largest, "subgrid(get_arg_rank(objects(I, T, F, T), size, F1), I)");
    reaches("ranked", "canvas(mostcolor(I), UNITY)", "canvas(get_color_rank_t(I, F1), UNITY)");
    reaches("ranked", "vmirror(I)", "mir_rot_t(I, A4)");
}

#[test]
fn values_are_taken_from_elsewhere() {
    reaches("rewire", "hconcat(vmirror(I), I)", "hconcat(vmirror(I), vmirror(I))");
    reaches(
        "rewire",
        "x1 = hmirror(I)\nfill(x1, ONE, ofcolor(I, TWO))",
        "x1 = hmirror(I)\nfill(x1, ONE, ofcolor(x1, TWO))",
    );
    reaches("rewire", "hconcat(vmirror(I), I)", "vmirror(I)");
    reaches("exchange", "hconcat(vmirror(I), I)", "hconcat(I, vmirror(I))");
    reaches("exchange", "replace(I, ONE, TWO)", "replace(I, TWO, ONE)");
}

#[test]
fn steps_come_and_go() {
    reaches("insert", "hconcat(I, I)", "hconcat(I, vmirror(I))");
    reaches("insert", "fill(I, ONE, ofcolor(I, TWO))", "fill(I, ONE, outbox(ofcolor(I, TWO)))");
    reaches("insert", "canvas(ONE, shape(I))", "canvas(ONE, double(shape(I)))");
    reaches("delete", "hconcat(I, vmirror(I))", "hconcat(I, I)");
    reaches("delete", "trim(vmirror(I))", "trim(I)");
    reaches("wrap", "vmirror(I)", "trim(vmirror(I))");
    reaches("wrap", "vmirror(I)", "upscale(vmirror(I), TWO)");
    reaches("wrap", "vmirror(I)", "hconcat(vmirror(I), I)");
}

#[test]
fn functions_change() {
    let largest = "subgrid(argmax(objects(I, T, F, T), size), I)";
    reaches("property", largest, "subgrid(argmax(objects(I, T, F, T), height), I)");
    reaches("property", largest, "subgrid(argmax(objects(I, T, F, T), leftmost), I)");
    reaches("specialise", largest, "subgrid(argmax(objects(I, T, F, T), compose(size, delta)), I)");
    reaches(
        "specialise",
        largest,
        "subgrid(argmax(objects(I, T, F, T), compose(invert, size)), I)",
    );
    let lines = "paint(I, extract(objects(I, T, F, T), hline))";
    reaches("specialise", lines, "paint(I, extract(objects(I, T, F, T), compose(flip, hline)))");
    reaches("property", lines, "paint(I, extract(objects(I, T, F, T), vline))");
    reaches("generalise", "order(I, compose(size, dedupe))", "order(I, size)");
    // A function that is called by name is a call.
    reaches("generalise", "x1 = compose(vmirror, trim)\nx1(I)", "vmirror(I)");
    // A display of constants is a constant.
    reaches("settle", "canvas(ONE, (height(I), TWO))", "canvas(ONE, TWO_BY_TWO)");
    let green = "paint(I, extract(objects(I, T, F, T), matcher(color, THREE)))";
    reaches("generalise", green, "paint(I, extract(objects(I, T, F, T), square))");
    reaches("color", green, "paint(I, extract(objects(I, T, F, T), matcher(color, ONE)))");
    reaches("property", green, "paint(I, extract(objects(I, T, F, T), matcher(mostcolor, THREE)))");
}

#[test]
fn parts_are_grafted() {
    let donor = "subgrid(argmax(objects(I, T, F, T), size), I)";
    reaches_with(
        "graft",
        "hconcat(I, I)",
        donor,
        "x1 = subgrid(argmax(objects(I, T, F, T), size), I)\nhconcat(I, x1)",
    );
    // The donor's input may be a grid of the parent.
    reaches_with(
        "graft",
        "x1 = vmirror(I)\nhconcat(x1, I)",
        "trim(I)",
        "x1 = vmirror(I)\nhconcat(x1, trim(x1))",
    );
    reaches_with(
        "graft",
        "fill(I, ONE, ofcolor(I, TWO))",
        "canvas(mostcolor(trim(I)), UNITY)",
        "fill(I, mostcolor(trim(I)), ofcolor(I, TWO))",
    );
}

#[test]
fn programs_are_conjugated() {
    reaches("turned", "tophalf(I)", "hmirror(tophalf(hmirror(I)))");
    // A program that names no colour would do the same.
    assert!(children("recolored", "vmirror(I)", "I").is_empty());
    reaches("turned", "tophalf(I)", "rot270(tophalf(rot90(I)))");
    reaches("turned", "hconcat(I, trim(I))", "x1 = dmirror(I)\ndmirror(hconcat(x1, trim(x1)))");
    reaches(
        "recolored",
        "cover(I, ofcolor(I, ONE))",
        "x1 = switch(I, ONE, THREE)\nswitch(cover(x1, ofcolor(x1, ONE)), ONE, THREE)",
    );
}

#[test]
fn findings_guide_repairs() {
    reaches("repair_palette", "vmirror(I)", "replace(vmirror(I), ONE, THREE)");
    reaches("repair_palette", "vmirror(I)", "switch(vmirror(I), ONE, THREE)");
    reaches("repair_palette", "fill(I, ONE, ofcolor(I, TWO))", "fill(I, THREE, ofcolor(I, TWO))");
    reaches("repair_shape", "vmirror(I)", "crop(vmirror(I), ORIGIN, (2, 4))");
    // The demo pairs say twice as wide.
    reaches("repair_shape", "trim(I)", "hupscale(trim(I), TWO)");
    reaches("repair_shape", "trim(I)", "x1 = trim(I)\nhconcat(x1, x1)");
    reaches("repair_shape", "canvas(ONE, UNITY)", "canvas(ONE, (2, 4))");
    reaches(
        "repair_position",
        "paint(I, asobject(trim(I)))",
        "paint(I, shift(asobject(trim(I)), (1, 2)))",
    );
    let moved = "paint(I, shift(asobject(I), DOWN))";
    reaches("repair_position", moved, "paint(I, shift(asobject(I), (1, 2)))");
    reaches("repair_position", moved, "paint(I, shift(asobject(I), add(DOWN, (1, 2))))");
    let whole = children("repair_position", "vmirror(I)", "I");
    assert!(whole.iter().any(|p| print(p, Form::Inline).contains("canvas(mostcolor(")));
}

#[test]
fn without_findings_there_are_no_repairs() {
    let parent = Parent::new(program("vmirror(I)"));
    let donors = Vec::new();
    let facts = TaskFacts::unknown();
    let context = Context { parent: &parent, donors: &donors, facts: &facts, findings: &[] };
    for name in ["repair_palette", "repair_shape", "repair_position", "graft"] {
        for seed in 0..50 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            assert!(operator(name).child(&context, &mut rng).is_none());
        }
    }
}
