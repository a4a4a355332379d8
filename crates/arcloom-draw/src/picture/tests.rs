use arcloom_value::{Closure, PrimId};

use super::*;
use crate::testing::{grid, pictured};

/// The cells one line per row (`-` empty, `#` mark), `G` when there is a ghost, and the caption.
fn summary(picture: &Picture) -> String {
    match picture {
        Picture::Grid { cells, ghost, caption, .. } => {
            let spot = |spot: &Spot| match spot {
                Spot::Empty => "-".to_owned(),
                Spot::Mark => "#".to_owned(),
                Spot::Color(n) => n.to_string(),
            };
            let rows: Vec<String> =
                cells.iter().map(|row| row.iter().map(spot).collect()).collect();
            format!("{}{} {caption}", rows.join("/"), if ghost.is_some() { " G" } else { "" })
        }
        Picture::Row(parts) => {
            format!("[{}]", parts.iter().map(summary).collect::<Vec<_>>().join(" | "))
        }
        Picture::Text(text) => format!("'{text}'"),
    }
}

#[track_caller]
fn check(value: Value, context: Option<&Grid>, expected: &str) {
    assert_eq!(summary(&pictured(&value, context)), expected);
    assert_eq!(summary(&pictured(&value.to_general(), context)), expected, "in general form");
}

#[test]
fn scalars_and_functions_are_text() {
    check(Value::Int(-5), None, "'-5'");
    check(Value::None, None, "'None'");
    check(Value::pair(3, 4), None, "'(3, 4)'");
    check(Value::cell(5, 1, 2), None, "'(5, (1, 2))'");
    check(Value::Prim(PrimId(1)), None, "'vmirror'");
    let both = Value::closure(Closure::Compose(Value::Prim(PrimId(1)), Value::Prim(PrimId(2))));
    check(both, None, "'compose(vmirror, hmirror)'");
}

#[test]
fn empty_values_are_text() {
    check(Value::tuple(vec![]), None, "'()'");
    check(Value::set(vec![]), None, "'frozenset()'");
    check(Value::tuple(vec![Value::empty_tuple(); 2]), None, "'((), ())'");
    check(Value::set(vec![Value::set(vec![])]), None, "'frozenset({frozenset()})'");
}

#[test]
fn grids_show_their_size() {
    check(grid("120 345").into(), None, "120/345 2x3");
    let big = |n| Value::tuple(vec![Value::Int(n), Value::Int(1), Value::None]);
    check(Value::tuple(vec![big(1000), big(-1)]), None, "10001-/-11- 2x3");
}

#[test]
fn long_pairs_are_no_grid() {
    let value = Value::tuple(vec![Value::pair(0, 1), Value::pair(300, 2)]);
    check(value, None, "'((0, 1), (300, 2))'");
}

#[test]
fn patches_lie_on_the_context_if_they_fit() {
    let context = grid("000 000");
    let object = Value::object(&[(4, 0, 1), (5, 1, 2)]);
    check(object.clone(), Some(&context), "-4-/--5 G 2 cells, 2x2 at (0, 1)");
    check(object, None, "4-/-5 2 cells, 2x2 at (0, 1)");
    let outside = Value::object(&[(4, 0, 1), (5, 2, 2)]);
    check(outside, Some(&context), "4-/--/-5 2 cells, 3x2 at (0, 1)");
    check(Value::indices(&[(-1, 0)]), Some(&context), "# 1 position, 1x1 at (-1, 0)");
    check(Value::indices(&[(1, 1)]), Some(&context), "---/-#- G 1 position, 1x1 at (1, 1)");
}

#[test]
fn far_away_positions_do_not_overflow() {
    let edge = i64::MAX - 1;
    let far = Value::indices(&[(-edge, -edge), (edge, edge)]);
    let Picture::Grid { cells, caption, .. } = pictured(&far, None) else { panic!("no grid") };
    assert_eq!((cells.len(), cells[0].len()), (64, 64));
    assert!(caption.starts_with("2 positions, ") && caption.ends_with("first 64x64 shown"));
}

#[test]
fn sets_of_objects_share_a_frame() {
    let objects = Value::set(vec![
        Value::object(&[(1, 0, 0), (1, 0, 1)]),
        Value::object(&[(2, 1, 2)]),
        Value::set(vec![]),
    ]);
    check(objects.clone(), Some(&grid("000 000")), "11-/--2 G 3 objects");
    check(objects, Some(&grid("00")), "11-/--2 3 objects from (0, 0)");
    let one = Value::set(vec![Value::object(&[(1, 0, 0), (1, 0, 1)])]);
    check(one, None, "11 1 object, 1x2 at (0, 0)");
    let patches = Value::set(vec![Value::indices(&[(0, 0)]), Value::indices(&[(1, 1)])]);
    check(patches, Some(&grid("00 00")), "#-/-# G 2 patches");
}

#[test]
fn cells_know_their_object() {
    let objects = Value::set(vec![Value::object(&[(1, 0, 0)]), Value::object(&[(1, 0, 1)])]);
    let Picture::Grid { groups, .. } = pictured(&objects, None) else { panic!("no grid") };
    assert_eq!(groups, [[0, 1]]);
    let Picture::Grid { groups, .. } = pictured(&Value::object(&[(1, 0, 1)]), None) else {
        panic!("no grid")
    };
    assert!(groups.is_empty());
}

#[test]
fn tuples_become_rows() {
    let value = Value::tuple(vec![
        grid("1").into(),
        Value::Int(7),
        Value::object(&[(3, 5, 5)]),
        Value::tuple(vec![grid("2").into(), Value::tuple(vec![])]),
    ]);
    let expected = "[1 1x1 | '7' | 3 1 cell, 1x1 at (5, 5) | [2 1x1 | '()']]";
    check(value, Some(&grid("000")), expected);
}

#[test]
fn types_settle_what_values_leave_open() {
    let typed =
        |value: Value, ty: Ty| summary(&picture_typed(&value, &ty, None, &crate::testing::names));
    assert_eq!(typed(Value::Int(1), Ty::Int(Role::Bool)), "'True'");
    assert_eq!(typed(Value::Int(0), Ty::Int(Role::Bool)), "'False'");
    assert_eq!(typed(Value::Int(1), Ty::Int(Role::Color)), "'1'");
    let two = Value::tuple(vec![Value::pair(0, 1), Value::pair(2, 3)]);
    assert_eq!(typed(two.clone(), Ty::Tuple(Box::new(Ty::Pair))), "'((0, 1), (2, 3))'");
    assert_eq!(typed(two, Ty::Grid), "01/23 2x2");
    let positions = Value::indices(&[(0, 0)]);
    let container = Ty::Container(Box::new(Ty::Pair));
    assert_eq!(typed(positions, container), "# 1 position, 1x1 at (0, 0)");
}

#[test]
fn twenty_thousand_positions_are_cropped_and_counted() {
    let all: Vec<_> = (0..100).flat_map(|i| (0..200).map(move |j| (i, j))).collect();
    let Picture::Grid { cells, caption, .. } = pictured(&Value::indices(&all), None) else {
        panic!("no grid")
    };
    assert_eq!(caption, "20000 positions, 100x200 at (0, 0), first 64x64 shown");
    assert!(cells.len() == 64 && cells.iter().all(|row| *row == [Spot::Mark; 64]));
}

#[test]
fn five_hundred_objects_are_counted() {
    let objects = (0..500).map(|k| Value::object(&[(1, k / 25, k % 25), (2, k / 25 + 1, k % 25)]));
    let Picture::Grid { caption, .. } = pictured(&Value::set(objects.collect()), None) else {
        panic!("no grid")
    };
    assert_eq!(caption, "500 objects from (0, 0)");
}

#[test]
fn wide_grids_are_cropped() {
    let wide = Grid::new(3, 200, &[1; 600]).unwrap();
    let Picture::Grid { cells, caption, .. } = pictured(&wide.into(), None) else {
        panic!("no grid")
    };
    assert_eq!((cells.len(), cells[0].len()), (3, 64));
    assert_eq!(caption, "3x200, first 3x64 shown");
}

#[test]
fn long_rows_and_texts_are_cut() {
    let grids: Vec<Value> =
        (0..500).map(|k| Grid::new(1, 3, &[k as i8; 3]).unwrap().into()).collect();
    let Picture::Row(parts) = pictured(&Value::tuple(grids), None) else { panic!("no row") };
    assert_eq!(parts.len(), MAX_PARTS + 1);
    assert_eq!(parts.last(), Some(&Picture::Text("… 488 more".to_owned())));

    let numbers = Value::tuple((0..20_000).map(Value::Int).collect::<Vec<_>>());
    let Picture::Text(text) = pictured(&numbers, None) else { panic!("no text") };
    assert_eq!(text.chars().count(), MAX_TEXT + "… (20000 elements)".chars().count());
    assert!(text.ends_with("… (20000 elements)"));
}

#[test]
fn nested_rows_stay_within_the_room() {
    let grid: Value = Grid::new(64, 64, &[1; 4096]).unwrap().into();
    let inner = Value::tuple(vec![grid; 10]);
    let outer = Value::tuple(vec![inner; 10]);
    fn spots(picture: &Picture) -> usize {
        match picture {
            Picture::Grid { cells, .. } => cells.iter().map(Vec::len).sum(),
            Picture::Row(parts) => parts.iter().map(spots).sum(),
            Picture::Text(_) => 0,
        }
    }
    assert_eq!(spots(&pictured(&outer, None)), MAX_SPOTS);
}
