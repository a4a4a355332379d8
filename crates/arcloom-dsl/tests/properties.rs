//! What must hold of every differ: perfect means equal in that respect, a repair never lowers the
//! score, and mirrors and renamed colours change nothing. Seeded, so that a failure repeats.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_dsl::differ::{ALL, Comparison, Expected, PERFECT, find, total};
use arcloom_dsl::kernel::components;
use arcloom_testkit::{Chooser, Seeded};
use arcloom_value::{Grid, Value};

/// Rows of cells, which tests change freely.
type Rows = Vec<Vec<i8>>;

fn grid(rows: &Rows) -> Grid {
    Grid::from_rows(rows).expect("rows of one width")
}

fn score(name: &str, candidate: &Rows, expected: &Rows) -> u16 {
    let expected = Expected::new(&grid(expected));
    find(name).expect("a built-in differ").score(&Comparison::new(&grid(candidate), &expected))
}

fn whole(candidate: &Rows, expected: &Rows) -> u16 {
    total(&Comparison::new(&grid(candidate), &Expected::new(&grid(expected))))
}

/// Rows of this shape with patches of `colors` colours.
fn rows(choice: &mut Seeded, height: usize, width: usize, colors: usize) -> Rows {
    let mut rows = vec![vec![0; width]; height];
    for i in 0..height {
        for j in 0..width {
            rows[i][j] = match choice.below(4) {
                0 if i > 0 => rows[i - 1][j],
                1 if j > 0 => rows[i][j - 1],
                _ => choice.below(colors) as i8,
            };
        }
    }
    rows
}

/// Two random grids, of one shape every other time.
fn two(choice: &mut Seeded) -> (Rows, Rows) {
    let mut shape = || (1 + choice.below(12), 1 + choice.below(12));
    let (a, b) = (shape(), shape());
    let b = if choice.once_in(2) { a } else { b };
    let colors = 1 + choice.below(6);
    (rows(choice, a.0, a.1, colors), rows(choice, b.0, b.1, colors))
}

/// A copy with `n` cells painted wrong, at different places, and those places.
fn spoilt(choice: &mut Seeded, expected: &Rows, n: usize) -> (Rows, Vec<(usize, usize)>) {
    let (height, width) = (expected.len(), expected[0].len());
    let mut places: Vec<_> = (0..height).flat_map(|i| (0..width).map(move |j| (i, j))).collect();
    let mut candidate = expected.clone();
    let mut wrong = Vec::new();
    while wrong.len() < n && !places.is_empty() {
        let (i, j) = places.swap_remove(choice.below(places.len()));
        candidate[i][j] = (expected[i][j] + 1 + choice.below(9) as i8) % 10;
        wrong.push((i, j));
    }
    (candidate, wrong)
}

fn mirrored(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn turned(rows: &Rows) -> Rows {
    (0..rows[0].len()).map(|j| rows.iter().rev().map(|row| row[j]).collect()).collect()
}

fn renamed(rows: &Rows) -> Rows {
    // Not in order, so that a differ that prefers small colours is found out.
    rows.iter().map(|row| row.iter().map(|c| (c * 7 + 4) % 10).collect()).collect()
}

#[test]
fn equal_grids_are_perfect_and_have_no_finding() {
    let mut choice = Seeded::new(1);
    for _ in 0..200 {
        let expected = grid(&two(&mut choice).0);
        let prepared = Expected::new(&expected);
        let pair = Comparison::new(&expected, &prepared);
        assert_eq!(total(&pair), PERFECT);
        for differ in ALL {
            let judgement = differ.judge(&pair);
            assert_eq!((judgement.score, judgement.finding), (PERFECT, None), "{}", differ.name);
        }
    }
}

#[test]
fn scores_stay_in_range_and_only_equal_grids_are_perfect_in_total() {
    let mut choice = Seeded::new(2);
    for _ in 0..2000 {
        let (a, b) = two(&mut choice);
        let prepared = Expected::new(&grid(&b));
        let pair = Comparison::new(&grid(&a), &prepared);
        for differ in ALL {
            let judgement = differ.judge(&pair);
            assert!(judgement.score <= PERFECT, "{} {a:?} {b:?}", differ.name);
            assert!(judgement.score < PERFECT || judgement.finding.is_none());
        }
        assert_eq!(total(&pair) == PERFECT, a == b, "{a:?} {b:?}");
    }
}

#[test]
fn a_right_cell_raises_cells() {
    let mut choice = Seeded::new(3);
    for _ in 0..300 {
        let (height, width) = (1 + choice.below(30), 1 + choice.below(30));
        let expected = rows(&mut choice, height, width, 5);
        let (mut candidate, wrong) = spoilt(&mut choice, &expected, 12);
        let mut before = score("cells", &candidate, &expected);
        for &(i, j) in &wrong {
            candidate[i][j] = expected[i][j];
            let now = score("cells", &candidate, &expected);
            assert!(now > before, "{candidate:?} {expected:?}");
            before = now;
        }
        assert_eq!(before, PERFECT);
    }
}

#[test]
fn cells_outside_one_shape_are_wrong_and_a_better_shape_is_no_loss() {
    let mut choice = Seeded::new(4);
    for _ in 0..1000 {
        let (mut a, b) = two(&mut choice);
        let before = score("cells", &a, &b);
        // One row or column nearer to the expected shape, with cells of a colour that is nowhere.
        if a.len() < b.len() {
            a.push(vec![9; a[0].len()]);
        } else if a.len() > b.len() {
            a.pop();
        } else if a[0].len() < b[0].len() {
            a.iter_mut().for_each(|row| row.push(9));
        } else if a[0].len() > b[0].len() {
            a.iter_mut().for_each(|row| row.truncate(row.len() - 1));
        }
        assert!(score("cells", &a, &b) >= before, "{a:?} {b:?}");
    }
    let square = vec![vec![1; 2]; 2];
    assert_eq!(score("cells", &vec![vec![1; 4]; 2], &square), 500);
    assert_eq!(score("cells", &vec![vec![1]], &square), 250);
}

#[test]
fn a_step_toward_the_right_shape_raises_shape() {
    let blank = |h: usize, w: usize| vec![vec![0; w]; h];
    for (h, w) in [(1, 1), (3, 7), (10, 10), (30, 2)] {
        let expected = blank(h, w);
        for height in 1..40 {
            for width in [1, w.max(2) - 1, w, w + 1, 40] {
                let here = score("shape", &blank(height, width), &expected);
                let step = match height.cmp(&h) {
                    std::cmp::Ordering::Less => height + 1,
                    std::cmp::Ordering::Equal => height,
                    std::cmp::Ordering::Greater => height - 1,
                };
                let nearer = score("shape", &blank(step, width), &expected);
                // Further out, steps are finer than the score.
                assert!(nearer > here || nearer == here && (height == h || height > 20));
                assert_eq!(here == PERFECT, (height, width) == (h, w));
            }
        }
    }
}

#[test]
fn an_extra_colour_lowers_palette_extra_and_a_missing_one_palette_missing() {
    let mut choice = Seeded::new(5);
    for _ in 0..300 {
        // A row more takes no colour away.
        let (a, b) = two(&mut choice);
        let spare = |rows: &Rows, c: i8| {
            let mut rows = rows.clone();
            rows.push(vec![c; rows[0].len()]);
            rows
        };
        let (extra, missing) = ("palette_extra", "palette_missing");
        let more = spare(&a, 9);
        assert!(score(extra, &more, &b) < score(extra, &a, &b).max(1));
        assert_eq!(score(missing, &more, &b), score(missing, &a, &b));
        let wanted = spare(&b, 9);
        assert!(score(missing, &a, &wanted) < score(missing, &a, &b).max(1));
        assert!(score(missing, &more, &wanted) > score(missing, &a, &wanted));
        assert!(score(extra, &more, &wanted) >= score(extra, &a, &wanted));
    }
    let (plain, other) = (vec![vec![1, 2]], vec![vec![3, 4]]);
    assert_eq!((score("palette_extra", &plain, &other)), 0);
    assert_eq!((score("palette_missing", &plain, &other)), 0);
    let subset = vec![vec![1, 1]];
    assert_eq!(score("palette_extra", &subset, &plain), PERFECT);
    assert_eq!(score("palette_missing", &subset, &plain), 500);
    assert_eq!(score("palette_extra", &plain, &subset), 500);
}

/// Which line a cell belongs to, from its row and column.
type Line = fn(usize, usize) -> usize;

/// The bins that a differ compares: (line, colour) with a number of cells.
fn bins(rows: &Rows, line: Line) -> BTreeMap<(usize, i8), i32> {
    let mut bins = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, &c) in row.iter().enumerate() {
            *bins.entry((line(i, j), c)).or_default() += 1;
        }
    }
    bins
}

#[test]
fn counts_follow_their_definition_and_rise_when_a_surplus_cell_becomes_a_lacking_one() {
    let differs: [(&str, Line); 3] =
        [("colors", |_, _| 0), ("rows", |i, _| i), ("columns", |_, j| j)];
    let mut choice = Seeded::new(6);
    for _ in 0..400 {
        let (mut a, b) = two(&mut choice);
        for (name, line) in differs {
            let (found, wanted) = (bins(&a, line), bins(&b, line));
            let of = |bins: &BTreeMap<_, i32>, key| bins.get(&key).copied().unwrap_or(0);
            let keys: BTreeSet<_> = found.keys().chain(wanted.keys()).copied().collect();
            let low: i32 = keys.iter().map(|&k| of(&found, k).min(of(&wanted, k))).sum();
            let high: i32 = keys.iter().map(|&k| of(&found, k).max(of(&wanted, k))).sum();
            let before = score(name, &a, &b);
            assert_eq!(i32::from(before), 1000 * low / high, "{name} {a:?} {b:?}");
            assert_eq!(before == PERFECT, found == wanted);
            // Somewhere a colour is surplus in a line that lacks another: paint one such cell.
            let place = (0..a.len()).flat_map(|i| (0..a[0].len()).map(move |j| (i, j))).find_map(
                |(i, j)| {
                    let at = line(i, j);
                    let surplus = |c| of(&found, (at, c)) > of(&wanted, (at, c));
                    let lacking = |c: &i8| of(&found, (at, *c)) < of(&wanted, (at, *c));
                    surplus(a[i][j]).then(|| (0..10).find(lacking)).flatten().map(|c| (i, j, c))
                },
            );
            if let Some((i, j, c)) = place {
                a[i][j] = c;
                assert!(score(name, &a, &b) > before, "{name} {a:?} {b:?}");
            }
        }
    }
}

const OBJECT_DIFFERS: [&str; 5] = ["objects4", "objects8", "figures4", "figures8", "forms"];

/// Small things that are one object each by every notion, all different.
const STAMPS: [&[(usize, usize)]; 6] = [
    &[(0, 0)],
    &[(0, 0), (0, 1)],
    &[(0, 0), (1, 0), (1, 1)],
    &[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    &[(0, 0), (0, 1), (0, 2), (1, 2)],
    &[(0, 0), (1, 0), (2, 0)],
];

/// A 20 x 20 grid with these things at these of its 25 places, which do not touch.
fn stamped(things: &[(usize, i8)], places: &[usize]) -> Rows {
    let mut rows = vec![vec![0; 20]; 20];
    for (&(stamp, color), place) in things.iter().zip(places) {
        for (i, j) in STAMPS[stamp] {
            rows[place / 5 * 4 + i][place % 5 * 4 + j] = color;
        }
    }
    rows
}

#[test]
fn objects_count_wherever_they_lie_and_every_repair_raises_the_score() {
    let mut choice = Seeded::new(7);
    for _ in 0..200 {
        let mut places = || {
            let mut all: Vec<usize> = (0..25).collect();
            (0..12).map(|_| all.swap_remove(choice.below(all.len()))).collect::<Vec<_>>()
        };
        let (here, there) = (places(), places());
        let mut thing = |_| (choice.below(5), 1 + choice.below(3) as i8);
        let wanted: Vec<_> = (0..6).map(&mut thing).collect();
        let surplus = [(5, 7), (5, 7), (5, 8)];
        let expected = stamped(&wanted, &here);
        for name in OBJECT_DIFFERS {
            assert_eq!(score(name, &stamped(&wanted, &there), &expected), PERFECT);
            let mut before = None;
            // Missing objects come one by one, then surplus ones go.
            let states = (0..=6).map(|n| (n, 3)).chain((0..3).rev().map(|n| (6, n)));
            for (right, wrong) in states {
                let things = [&wanted[..right], &surplus[..wrong]].concat();
                let now = score(name, &stamped(&things, &there), &expected);
                assert!(before < Some(now), "{name} {right} {wrong} {before:?} {now}");
                before = Some(now);
            }
            assert_eq!(before, Some(PERFECT));
            assert_eq!(score(name, &stamped(&[], &[]), &expected), 0);
        }
    }
}

/// The objects of a grid, built as the primitive builds them and moved to the origin, ascending.
fn normalised(rows: &Rows, one_color: bool, diagonal: bool, background: Option<i8>) -> Vec<Value> {
    let grid = grid(rows);
    let runs = components::runs(grid.cells(), grid.width(), background);
    let labels = components::connected(&runs, one_color, diagonal);
    let objects =
        components::objects(&runs, &labels, false).into_iter().map(|object| match object {
            Value::Patch(patch) => Value::Patch(patch.at(0, 0).expect("small coordinates")),
            other => panic!("no patch: {other:?}"),
        });
    let mut objects: Vec<_> = objects.collect();
    objects.sort();
    objects
}

#[test]
fn object_scores_match_objects_built_and_compared() {
    let notions = [
        ("objects4", true, false),
        ("objects8", true, true),
        ("figures4", false, false),
        ("figures8", false, true),
    ];
    let mut choice = Seeded::new(10);
    for _ in 0..500 {
        let (a, b) = two(&mut choice);
        let mut colors: Vec<(usize, i8)> =
            (0..10).map(|c| (b.iter().flatten().filter(|&&cell| cell == c).count(), c)).collect();
        colors.sort();
        let background = (colors[9].0 > colors[8].0).then_some(colors[9].1);
        for (name, one_color, diagonal) in notions {
            let found = normalised(&a, one_color, diagonal, background);
            let mut rest = normalised(&b, one_color, diagonal, background);
            let (one, other) = (found.len(), rest.len());
            for object in found {
                if let Some(k) = rest.iter().position(|o| *o == object) {
                    rest.remove(k);
                }
            }
            let common = other - rest.len();
            let wanted = (1000 * common).checked_div(one + other - common).unwrap_or(1000);
            assert_eq!(usize::from(score(name, &a, &b)), wanted, "{name} {a:?} {b:?}");
        }
    }
}

#[test]
fn notions_of_objects_differ() {
    // Two cells of one colour that meet at a corner, and one of another colour beside the first.
    let expected = vec![vec![1, 2, 0, 0], vec![0, 1, 0, 0], vec![0, 0, 0, 0], vec![0, 0, 0, 0]];
    let apart = vec![vec![1, 0, 0, 1], vec![0, 0, 0, 0], vec![0, 0, 0, 0], vec![2, 0, 0, 0]];
    let scores = OBJECT_DIFFERS.map(|name| score(name, &apart, &expected));
    assert_eq!(scores, [1000, 250, 0, 0, 250]);
    let painted = vec![vec![3, 4, 0, 0], vec![0, 3, 0, 0], vec![0, 0, 0, 0], vec![0, 0, 0, 0]];
    let scores = OBJECT_DIFFERS.map(|name| score(name, &painted, &expected));
    assert_eq!(scores, [0, 0, 0, 0, 1000]);
}

#[test]
fn the_background_is_that_of_the_expected_grid() {
    // The candidate has more 5 than 0: by its own background it would have one object, of 0, and
    // after one right cell none of its colours would be most frequent.
    let expected = vec![vec![0, 0, 5], vec![0, 0, 0]];
    assert_eq!(score("objects4", &vec![vec![5, 0, 5], vec![5, 0, 5]], &expected), 0);
    assert_eq!(score("objects4", &vec![vec![0, 0, 5], vec![5, 0, 5]], &expected), 500);
}

#[test]
fn position_falls_with_every_step_away() {
    let thing = |i: usize, j: usize| {
        let mut rows = vec![vec![0; 14]; 14];
        rows[12][3] = 2;
        for (x, y) in STAMPS[3] {
            rows[i + x][j + y] = 4;
        }
        rows
    };
    let expected = thing(4, 5);
    let mut before = PERFECT + 1;
    for step in 0..5 {
        let now = score("position", &thing(4 + step, 5 + step), &expected);
        assert!(now < before, "{step}");
        before = now;
    }
    // Room below and to the right does not bring anything nearer.
    let mut roomy = thing(6, 7);
    roomy.iter_mut().for_each(|row| row.extend([0; 9]));
    roomy.extend(vec![vec![0; 23]; 5]);
    assert_eq!(score("position", &roomy, &expected), score("position", &thing(6, 7), &expected));
    let other_color = vec![vec![0, 0, 7], vec![0, 0, 0]];
    assert_eq!(score("position", &other_color, &vec![vec![0, 0, 8], vec![0, 0, 0]]), 0);
    let (corner, opposite) = (vec![vec![7, 0], vec![0, 0]], vec![vec![0, 0], vec![0, 7]]);
    assert_eq!(score("position", &corner, &opposite), 0);
}

#[test]
fn mirrors_turns_and_renamed_colours_change_no_score() {
    let mut choice = Seeded::new(8);
    for _ in 0..500 {
        let (a, b) = two(&mut choice);
        // The differs that lay grids on one another do so at the upper left corner, so that with
        // different shapes a mirror or turn lays them on one another in another way.
        let same_shape = a.len() == b.len() && a[0].len() == b[0].len();
        for differ in ALL {
            let name = differ.name;
            let plain = score(name, &a, &b);
            assert_eq!(plain, score(name, &renamed(&a), &renamed(&b)), "{name} {a:?} {b:?}");
            let laid = ["cells", "rows", "columns", "position"].contains(&name);
            if laid && !same_shape {
                continue;
            }
            assert_eq!(plain, score(name, &mirrored(&a), &mirrored(&b)), "{name} {a:?} {b:?}");
            let across = match name {
                "rows" => "columns",
                "columns" => "rows",
                other => other,
            };
            assert_eq!(plain, score(across, &turned(&a), &turned(&b)), "{name} {a:?} {b:?}");
        }
    }
}

#[test]
fn one_wrong_cell_ranks_above_ten() {
    let mut choice = Seeded::new(9);
    for _ in 0..1000 {
        let (height, width) = (5 + choice.below(12), 5 + choice.below(12));
        let colors = 2 + choice.below(4);
        let expected = rows(&mut choice, height, width, colors);
        let (ten, wrong) = spoilt(&mut choice, &expected, 10);
        let (i, j) = wrong[0];
        let mut one = expected.clone();
        one[i][j] = ten[i][j];
        assert!(whole(&one, &expected) > whole(&ten, &expected), "{one:?} {ten:?}");
    }
}

#[test]
fn grids_far_too_large_are_judged_without_being_taken_apart() {
    let expected = vec![vec![1, 2], vec![3, 1]];
    let huge = vec![vec![1; 2000]; 2000];
    for differ in ALL {
        let now = score(differ.name, &huge, &expected);
        assert!(now < PERFECT || differ.name == "palette_extra", "{}", differ.name);
    }
    assert_eq!(score("objects4", &vec![vec![1; 31]; 2], &expected), 0);
    assert_eq!(score("rows", &huge, &huge), PERFECT);
    assert!(whole(&huge, &expected) < 200);
}
