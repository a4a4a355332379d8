//! Tests over the whole set: freshness, form, variety, and which tasks have programs.

use std::collections::{BTreeMap, BTreeSet};

use crate::embedded::generate::{RULES, generate};

type Grid = Vec<Vec<u8>>;
type Pair = (Grid, Grid);

/// Input and output of the pairs of one list, read from the text without a JSON library.
fn pairs(list: &str) -> Vec<Pair> {
    let grids = |text: &str| -> Grid {
        let rows = text.trim_start_matches("[[").split("]]").next().unwrap().split("],[");
        rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
    };
    let pair = |text: &str| {
        let (input, output) = text.split_once(", \"output\": ").unwrap();
        (grids(input), grids(output))
    };
    list.split("\"input\": ").skip(1).map(pair).collect()
}

/// Demonstration and test pairs of a task.
fn split_task(json: &str) -> (Vec<Pair>, Vec<Pair>) {
    let (train, test) = json.split_once("], \"test\": [").unwrap();
    (pairs(train), pairs(test))
}

/// The functions of the program file: name and number of steps.
fn programs() -> BTreeMap<&'static str, usize> {
    let functions = crate::embedded::programs().split("\ndef solve_").skip(1);
    functions
        .map(|text| (text.split_once("(I):").unwrap().0, text.matches("\n    ").count() - 1))
        .collect()
}

fn turn(grid: &Grid) -> Grid {
    (0..grid[0].len()).map(|j| grid.iter().rev().map(|row| row[j]).collect()).collect()
}

fn mirror(grid: &Grid) -> Grid {
    grid.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// The pair with its colours numbered in order of appearance.
fn recolored((input, output): &Pair) -> Pair {
    let mut seen = Vec::new();
    let mut number = |grid: &Grid| -> Grid {
        let mut cell = |color: &u8| {
            let known = seen.iter().position(|c| c == color).unwrap_or_else(|| {
                seen.push(*color);
                seen.len() - 1
            });
            known as u8
        };
        grid.iter().map(|row| row.iter().map(&mut cell).collect()).collect()
    };
    (number(input), number(output))
}

/// The same for all pairs that differ only in colours, turns and mirrors.
fn canonical((input, output): &Pair) -> Pair {
    let mut pair = (input.clone(), output.clone());
    let mut forms = Vec::new();
    for _ in 0..4 {
        pair = (turn(&pair.0), turn(&pair.1));
        forms.push(recolored(&pair));
        forms.push(recolored(&(mirror(&pair.0), mirror(&pair.1))));
    }
    forms.into_iter().min().unwrap()
}

#[test]
fn tasks_json_is_fresh() {
    assert!(
        generate() == crate::embedded::tasks_json(),
        "stale: cargo run -p arcloom-tasks --example write_tasks"
    );
}

#[test]
fn tasks_are_the_rules_in_order() {
    let names: Vec<_> = crate::embedded::tasks().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, RULES.iter().map(|rule| rule.name).collect::<Vec<_>>());
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
    assert!(names.len() >= 40);
    for (name, json) in crate::embedded::tasks() {
        assert_eq!(crate::embedded::task(name), Some(*json));
    }
    assert_eq!(crate::embedded::task("no_such_task"), None);
}

#[test]
fn tasks_are_well_formed() {
    for (name, json) in crate::embedded::tasks() {
        let (train, test) = split_task(json);
        assert!((3..=5).contains(&train.len()) && (1..=2).contains(&test.len()), "{name}");
        for (input, output) in train.iter().chain(&test) {
            assert_ne!(input, output, "{name}");
            for grid in [input, output] {
                let width = grid[0].len();
                assert!((1..=30).contains(&grid.len()) && (1..=30).contains(&width), "{name}");
                assert!(grid.iter().all(|row| row.len() == width), "{name}");
                assert!(grid.iter().flatten().all(|&color| color <= 9), "{name}");
            }
        }
    }
}

#[test]
fn no_pair_is_another_recolored_turned_or_mirrored() {
    let mut seen = BTreeMap::new();
    for (name, json) in crate::embedded::tasks() {
        let (train, test) = split_task(json);
        for pair in train.iter().chain(&test) {
            if let Some(earlier) = seen.insert(canonical(pair), name) {
                panic!("{name} repeats a pair of {earlier}");
            }
        }
    }
}

#[test]
fn every_family_has_solved_and_open_tasks() {
    let families = [
        "arithmetic",
        "logic",
        "container",
        "higher_order",
        "color",
        "measure",
        "geometry",
        "scale",
        "layout",
        "objects",
        "position",
        "lines",
        "paint",
        "pattern",
    ];
    for family in families {
        let of_family: Vec<_> = RULES.iter().filter(|rule| rule.family == family).collect();
        assert!(of_family.iter().any(|rule| rule.has_program), "{family}");
        assert!(of_family.iter().any(|rule| !rule.has_program), "{family}");
    }
    assert!(RULES.iter().all(|rule| families.contains(&rule.family)));
    assert!(RULES.iter().filter(|rule| rule.steps >= 4).count() >= 10);
}

#[test]
fn programs_are_those_the_rules_promise() {
    let promised: BTreeMap<_, _> =
        RULES.iter().filter(|rule| rule.has_program).map(|rule| (rule.name, rule.steps)).collect();
    assert_eq!(programs(), promised);
}

#[test]
fn every_program_says_its_rule() {
    let lines: Vec<_> = crate::embedded::programs().lines().collect();
    for (k, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("def ")) {
        assert!(lines[k - 1].starts_with("# ") && lines[k - 1].ends_with('.'), "{line}");
    }
}
