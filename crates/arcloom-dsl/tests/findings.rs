//! What the differs find, on small grids that one can check by eye.

use arcloom_dsl::differ::{Comparison, Expected, find};
use arcloom_value::{Grid, Value};

#[track_caller]
fn check(name: &str, candidate: &[&[i8]], expected: &[&[i8]], finding: Option<Value>) {
    let expected = Expected::new(&Grid::from_rows(expected).expect("rows of one width"));
    let pair = Comparison::new(&Grid::from_rows(candidate).expect("rows of one width"), &expected);
    assert_eq!(find(name).expect("a built-in differ").judge(&pair).finding, finding, "{name}");
}

#[test]
fn cells_finds_the_expected_cells_that_are_wrong() {
    let wrong = Value::object(&[(2, 0, 1), (4, 1, 1)]);
    check("cells", &[&[1, 5], &[3, 5]], &[&[1, 2], &[3, 4]], Some(wrong.clone()));
    check("cells", &[&[1], &[3]], &[&[1, 2], &[3, 4]], Some(wrong));
    // Nothing expected is wrong, there is only too much of it.
    check("cells", &[&[1, 2, 7]], &[&[1, 2]], None);
}

#[test]
fn cells_finds_no_more_than_so_many() {
    let blank = |c: i8| Grid::new(100, 100, &[c; 10_000]).unwrap();
    let expected = Expected::new(&blank(1));
    let judgement = find("cells").unwrap().judge(&Comparison::new(&blank(2), &expected));
    assert_eq!(judgement.finding.unwrap().len(), Some(1024));
}

#[test]
fn shape_finds_the_expected_one() {
    check("shape", &[&[1]], &[&[1, 2], &[3, 4], &[5, 6]], Some(Value::pair(3, 2)));
    check("shape", &[&[1]], &[&[2]], None);
}

#[test]
fn palettes_find_the_commonest_colour() {
    let (candidate, expected): (&[&[i8]], &[&[i8]]) = (&[&[1, 8, 9, 9]], &[&[1, 2, 4, 4]]);
    check("palette_extra", candidate, expected, Some(Value::Int(9)));
    check("palette_missing", candidate, expected, Some(Value::Int(4)));
    check("palette_missing", &[&[1]], &[&[1, 3, 2]], Some(Value::Int(2)));
    check("palette_extra", &[&[1]], &[&[1, 2]], None);
}

#[test]
fn colors_finds_a_colour_and_how_many_cells_to_add() {
    check("colors", &[&[1, 1, 1, 2, 3]], &[&[1, 3, 3, 3, 2]], Some(Value::pair(1, -2)));
    check("colors", &[&[1, 2]], &[&[2, 1]], None);
}

#[test]
fn rows_and_columns_find_the_one_furthest_off() {
    let (candidate, expected): (&[&[i8]], &[&[i8]]) =
        (&[&[1, 2, 3], &[4, 5, 6]], &[&[1, 2, 9], &[4, 8, 9]]);
    check("rows", candidate, expected, Some(Value::Int(1)));
    check("columns", candidate, expected, Some(Value::Int(2)));
    check("rows", &[&[1, 2]], &[&[1, 2], &[3, 3]], Some(Value::Int(1)));
}

#[test]
fn objects_find_a_missing_one_where_it_should_be() {
    let candidate: &[&[i8]] = &[&[0, 0, 0, 0], &[0, 0, 3, 0], &[0, 0, 0, 0]];
    let expected: &[&[i8]] = &[&[3, 0, 0, 0], &[0, 0, 0, 0], &[0, 0, 3, 5]];
    check("objects4", candidate, expected, Some(Value::object(&[(3, 0, 0)])));
    // Of two equal ones the one that is not there, though the other comes first.
    let first: &[&[i8]] = &[&[3, 0, 0, 0], &[0, 0, 0, 0], &[0, 0, 0, 5]];
    check("objects4", first, expected, Some(Value::object(&[(3, 2, 2)])));
    let twins: &[&[i8]] = &[&[3, 0, 0, 0], &[0, 0, 3, 0], &[0, 0, 0, 0]];
    check("objects4", candidate, twins, Some(Value::object(&[(3, 0, 0)])));
    check("figures8", candidate, expected, Some(Value::object(&[(3, 2, 2), (5, 2, 3)])));
    check("objects8", expected, candidate, None);
    let line: &[&[i8]] = &[&[3, 0, 0, 0], &[0, 0, 0, 0], &[0, 4, 4, 0]];
    check("forms", candidate, line, Some(Value::indices(&[(2, 1), (2, 2)])));
}

#[test]
fn position_finds_the_shift_of_what_is_misplaced() {
    let expected: &[&[i8]] = &[&[1, 0, 0, 0], &[0, 0, 2, 0], &[0, 0, 0, 3], &[0, 0, 0, 0]];
    // The first object is in place, the others lie one further up and to the left.
    let candidate: &[&[i8]] = &[&[1, 2, 0, 0], &[0, 0, 3, 0], &[0, 0, 0, 0], &[0, 0, 0, 0]];
    check("position", candidate, expected, Some(Value::pair(1, 1)));
    // Of two equal objects either may be meant: the shorter way is taken.
    let twins: &[&[i8]] = &[&[5, 0, 0, 0, 0], &[0, 0, 0, 0, 5]];
    let one: &[&[i8]] = &[&[0, 5, 0, 0, 0], &[0, 0, 0, 0, 0]];
    check("position", one, twins, Some(Value::pair(0, -1)));
    check("position", &[&[0, 0, 6]], &[&[7, 0, 0]], None);
}
