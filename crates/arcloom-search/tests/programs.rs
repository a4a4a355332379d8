//! What the search does natively and what its programs do is the same.

mod support;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::beam::Ray;
use arcloom_dsl::kernel::sheet::property::Property;
use arcloom_dsl::kernel::sheet::recolor::{self, ColorTable, SAME};
use arcloom_dsl::kernel::sheet::rule::{
    ACTIONS, Action, How, ObjectPart, ObjectQuestion, ObjectRule,
};
use arcloom_dsl::sheet::measure::Measure;
use arcloom_dsl::step;
use arcloom_graph::{Plan as Ready, Stop};
use arcloom_lang::load_file;
use arcloom_search::costs::Costs;
use arcloom_search::picture::{PictureId, StartGrids};
use arcloom_search::plan::Whole;
use arcloom_search::program;
use arcloom_search::steps::{self, Bounds, Item, Scratch, Step};
use arcloom_search::task::{Effort, Problem, Search, SearchAnswer, search};
use arcloom_search::view::View;
use arcloom_search::without::{SearchPart, Without};
use arcloom_tasks::Catalog;
use arcloom_value::Value;
use proptest::prelude::*;

/// Sheets with few colours, much of them blank, so that every step has something to do.
fn sheets() -> impl Strategy<Value = Sheet> {
    let cells = |(h, w): (usize, usize)| {
        let cell = prop_oneof![3 => Just(0u8), 2 => 1u8..4, 1 => 0u8..10];
        (Just((h, w)), prop::collection::vec(cell, h * w), -3i32..4, -3i32..4)
    };
    (1usize..7, 1usize..7).prop_flat_map(cells).prop_map(|((h, w), cells, top, left)| {
        let mut s = Sheet::new(h, w, cells).expect("a rectangle");
        (s.top, s.left) = (top, left);
        s
    })
}

/// What a search tries, and each step with constants that it does not try.
fn every_step() -> Vec<Step> {
    let other = step::records().iter().map(|record| Step::Declared(record.with(&[1, 0, 1])));
    steps::all(!0).into_iter().chain(other).collect()
}

/// Sheets beside their mirror images, so that there is something to mend from.
fn mirrored() -> impl Strategy<Value = Sheet> {
    sheets().prop_map(|s| {
        let rows = (0..s.height()).map(|i| s.row(i));
        let cells = rows.flat_map(|row| row.iter().chain(row.iter().rev()).copied()).collect();
        Sheet::new(s.height(), 2 * s.width(), cells).expect("a rectangle")
    })
}

/// A pattern, and somewhere below it a turned copy of which some cells are missing.
fn patterned() -> impl Strategy<Value = Sheet> {
    let pattern = prop::collection::vec(prop_oneof![1 => Just(0u8), 3 => 1u8..4], 6);
    let missing = prop::collection::vec(any::<bool>(), 6);
    (pattern, missing, 3usize..7, 0usize..6, any::<bool>()).prop_map(
        |(pattern, missing, top, left, turned)| {
            let mut cells = vec![0; 81];
            for (k, &color) in pattern.iter().enumerate() {
                let (i, j) = (k / 3, k % 3);
                cells[i * 9 + j] = color;
                let (i, j) = if turned { (j, i) } else { (i, j) };
                cells[(top + i).min(8) * 9 + left + j] = if missing[k] { 0 } else { color };
            }
            Sheet::new(9, 9, cells).expect("a rectangle")
        },
    )
}

/// A picture that objects were cut out of, all of one colour.
fn plain(height: usize, width: usize) -> Sheet {
    Sheet::new(height, width, vec![3; height * width]).expect("a rectangle")
}

/// Does a step both ways and compares, failures included.
fn same(step: &Step, item: &Item, picture: &Sheet) {
    let is_list = matches!(item, Item::Many(_));
    let size = (picture.height(), picture.width());
    let bounds = Bounds { picture: picture.clone(), output: Some(size), cells: usize::MAX / 8 };
    let mut scratch = Scratch::default();
    let native = step.apply(item, &bounds, &mut scratch).map(|()| {
        support::value_of(&match scratch.is_list {
            true => Item::Many(scratch.many.clone()),
            false => Item::One(scratch.one.clone()),
        })
    });
    let program = program::chain(&[*step], is_list, picture, "solve").expect("a program");
    let found = support::run(&Ready::new(&program), &Value::None, &support::value_of(item));
    match (&native, &found) {
        (Some(native), Ok(found)) => assert_eq!(native, found, "{step:?} on {item:?}"),
        (None, Err(_)) => {}
        _ => panic!("{step:?} on {item:?}: {native:?}, but {found:?}"),
    }
}

fn takes_list(step: &Step) -> bool {
    step.joins() || step.sifts()
}

/// Rules that recolour the sheets of a list: tables that know all of their values, and some.
fn rules(list: &[Sheet], colors: &[u8]) -> Vec<Step> {
    let mut rules = Vec::new();
    for &by in Measure::ALL {
        for ranked in [false, true] {
            let mut table = ColorTable::new();
            rules.push(Step::Recolor(by, ranked, table));
            for (value, &color) in recolor::values(list, by, ranked).into_iter().zip(colors) {
                let _ = table.learn(value, color);
                rules.push(Step::Recolor(by, ranked, table));
            }
        }
    }
    rules
}

proptest! {
    #[test]
    fn every_step_is_its_primitive_on_a_sheet(s in sheets(), picture in mirrored()) {
        for step in every_step().iter().filter(|step| !takes_list(step)) {
            same(step, &Item::One(s.clone()), &picture);
        }
    }

    #[test]
    fn patterns_are_completed_as_by_their_primitives(s in patterned(), picture in mirrored()) {
        for step in every_step().iter().filter(|step| step.is_slow()) {
            same(step, &Item::One(s.clone()), &picture);
            same(step, &Item::One(picture.clone()), &picture);
        }
    }

    #[test]
    fn every_step_is_its_primitive_on_a_list(list in prop::collection::vec(sheets(), 0..5)) {
        // The primitive makes a blank cell of no sheets, as the end of a chain needs it.
        let overlaid = |s: &Step| matches!(s, Step::Declared(step) if step.record.name == "overlaid");
        let is_blank = |s: &Step| list.is_empty() && overlaid(s);
        for step in every_step().iter().filter(|s| !s.splits() && !is_blank(s)) {
            same(step, &Item::Many(list.clone()), &plain(3, 3));
        }
    }

    #[test]
    fn every_rule_is_its_primitive(
        list in prop::collection::vec(sheets(), 0..5),
        colors in prop::collection::vec(0..=SAME, 5),
    ) {
        for rule in rules(&list, &colors) {
            same(&rule, &Item::Many(list.clone()), &plain(3, 3));
        }
    }

    #[test]
    fn every_rule_in_lines_is_its_primitive(
        list in prop::collection::vec(sheets(), 0..5),
        value in -1i16..5,
        actions in prop::collection::vec(0..ACTIONS as Action, 3),
    ) {
        for part in ObjectPart::ALL {
            for (number, property) in Property::ALL.into_iter().enumerate() {
                let mut rule = ObjectRule::new(part, actions[0]);
                for (k, action) in actions[1..].iter().enumerate() {
                    let how = How::ALL[(number + k) % How::ALL.len()];
                    rule.push(ObjectQuestion { property, how, value }, *action).expect("room");
                }
                same(&Step::Rule(rule), &Item::Many(list.clone()), &plain(3, 3));
            }
        }
    }

    #[test]
    fn every_move_is_its_primitive(
        list in prop::collection::vec(sheets(), 0..5),
        actions in prop::collection::vec(0 as Action..30, 2),
    ) {
        for property in Property::ALL {
            let mut rule = ObjectRule::new(ObjectPart::Whole, actions[0]);
            let question = ObjectQuestion { property, how: How::Largest, value: 0 };
            rule.push(question, actions[1]).expect("room");
            same(&Step::Move(rule), &Item::Many(list.clone()), &plain(9, 9));
        }
    }

    #[test]
    fn every_rule_for_rays_is_its_primitive(
        list in prop::collection::vec(sheets(), 0..5),
        picture in mirrored(),
        actions in prop::collection::vec(0..Ray::COUNT as Action, 24),
    ) {
        for pair in actions.chunks(2) {
            let mut rule = ObjectRule::new(ObjectPart::Whole, pair[0]);
            let question = ObjectQuestion { property: Property::Color, how: How::AtLeast, value: 2 };
            rule.push(question, pair[1]).expect("room");
            same(&Step::Rays(rule), &Item::Many(list.clone()), &picture);
        }
    }
}

/// A task with this rule, whatever the colours of two cells: two demos and a test.
fn problem_of(rule: impl Fn(u8, u8) -> u8) -> Problem {
    // Two squares side by side, a column of 5 between them; the output is what becomes of both.
    let pair = |seed: usize| {
        let cell = |at: usize, salt: usize| ((at * 7 + at * at * salt + seed * 5) / 3 % 2) as u8;
        let (mut input, mut output) = (Vec::new(), Vec::new());
        for i in 0..4 {
            let (left, right): (Vec<u8>, Vec<u8>) =
                (0..4).map(|j| (cell(4 * i + j, 1 + seed), 2 * cell(4 * i + j, 4 + seed))).unzip();
            output.extend(left.iter().zip(&right).map(|(a, b)| rule(*a, *b)));
            input.extend(left.into_iter().chain([5]).chain(right));
        }
        (Sheet::new(4, 9, input).expect("given"), Sheet::new(4, 4, output).expect("wanted"))
    };
    Problem { demos: (1..4).map(pair).collect(), tests: vec![pair(4).0], pictures: Vec::new() }
}

#[test]
fn answers_by_table_are_programs() {
    // No colour of the output is one of the input, and every case has its own.
    let problem = problem_of(|a, b| [3, 4, 6, 8][usize::from(2 * a + b / 2)]);
    let effort = Effort { bound: 30, grow: 4_000_000, stack: 400_000, pieces: 4_000 };
    let answers = support::answers(&problem, &effort);
    let by_table = |a: &&SearchAnswer| matches!(a.plan.whole, Whole::Lookup(_));
    let tables: Vec<&SearchAnswer> = answers.iter().filter(by_table).collect();
    assert!(!tables.is_empty(), "{answers:?}");
    for answer in tables {
        let text = support::proven(&problem, answer, "solve_cases");
        let text = text.unwrap_or_else(|reason| panic!("{reason}"));
        assert!(text.contains("lookup_cells("), "{text}");
    }
}

/// A task in which every cell next to a 2 becomes 4 beside it and 7 below it: three demos and a test.
fn neighbours() -> Problem {
    let pair = |seeds: [usize; 3]| {
        let (mut input, mut output) = (vec![0u8; 72], vec![0u8; 72]);
        for at in seeds {
            (input[at], output[at - 1], output[at + 1], output[at + 9]) = (2, 4, 4, 7);
        }
        for at in seeds {
            output[at] = 2;
        }
        let sheet = |cells| Sheet::new(8, 9, cells).expect("a rectangle");
        (sheet(input), sheet(output))
    };
    let demos = vec![pair([10, 33, 52]), pair([14, 28, 58]), pair([19, 43, 60])];
    Problem { demos, tests: vec![pair([11, 40, 55]).0], pictures: Vec::new() }
}

#[test]
fn answers_by_tree_are_programs_and_right() {
    let problem = neighbours();
    let effort = Effort { bound: 0, grow: 1_000, stack: 1_000, pieces: 100 };
    let answers = support::answers(&problem, &effort);
    let by_tree = |a: &&SearchAnswer| matches!(a.plan.whole, Whole::Decided(..));
    let tree = answers.iter().find(by_tree).expect("a tree");
    let text = support::proven(&problem, tree, "solve_neighbours");
    let text = text.unwrap_or_else(|reason| panic!("{reason}"));
    assert!(text.contains("decide_cells("), "{text}");
    // What comes after the test's input is what its cells say.
    let (given, made) = (problem.tests[0].cells(), tree.outputs[0].cells());
    for at in (0..72).filter(|&at| given[at] == 2) {
        assert_eq!((made[at - 1], made[at], made[at + 1], made[at + 9]), (4, 2, 4, 7), "{text}");
    }
}

/// A task with these inputs as rows of a picture, the first ones with an output each.
fn pictures(rows: &[(&[&str], Option<&[&str]>)]) -> Problem {
    let sheet = |rows: &[&str]| {
        let cells = rows.iter().flat_map(|r| r.bytes()).map(|b| b - b'0').collect();
        Sheet::new(rows.len(), rows[0].len(), cells).expect("a rectangle")
    };
    let demos = rows.iter().filter_map(|(i, o)| Some((sheet(i), sheet((*o)?))));
    let tests = rows.iter().filter(|(_, o)| o.is_none()).map(|(i, _)| sheet(i));
    Problem { demos: demos.collect(), tests: tests.collect(), pictures: Vec::new() }
}

/// The answers by cases, each of them proven, with their texts.
fn by_cases(problem: &Problem, effort: &Effort) -> Vec<(SearchAnswer, String)> {
    let answers = support::answers(problem, effort);
    let cases = answers.into_iter().filter(|a| matches!(a.plan.whole, Whole::Cases(_)));
    let with_text = |a: SearchAnswer| {
        let text = support::proven(problem, &a, "solve_cases");
        let text = text.unwrap_or_else(|reason| panic!("{reason}"));
        (a, text)
    };
    cases.map(with_text).collect()
}

#[test]
fn answers_by_cases_are_programs_and_right() {
    // One of three pictures, by the number of colours.
    let (a, b, c) = (&["50", "00"][..], &["05", "50"][..], &["55", "05"][..]);
    let problem = pictures(&[
        (&["123", "321", "113"], Some(c)),
        (&["444", "444", "444"], Some(a)),
        (&["262", "666", "226"], Some(b)),
        (&["333", "333", "333"], Some(a)),
        (&["747", "447", "774"], Some(b)),
        (&["819", "181", "998"], Some(c)),
        (&["311", "331", "113"], None),
        (&["222", "222", "222"], None),
        (&["452", "245", "445"], None),
    ]);
    let effort = Effort { bound: 5, grow: 1_000_000, stack: 10_000, pieces: 100 };
    let found = by_cases(&problem, &effort);
    let wanted: Vec<Sheet> = [2, 1, 0].map(|k| problem.demos[k].1.clone()).to_vec();
    let right = found.iter().find(|(answer, _)| answer.outputs == wanted);
    let (_, text) = right.unwrap_or_else(|| panic!("{found:?}"));
    assert!(text.contains("branch("), "{text}");
    // No answer by cases when they are left out.
    let without: Without = [SearchPart::Cases].into_iter().collect();
    let (answers, _) = search(&problem, &[effort], &Costs::learned(None), &without);
    assert!(!answers.iter().any(|a| matches!(a.plan.whole, Whole::Cases(_))));
}

#[test]
fn cases_may_be_stacks() {
    // Kept where there is a 5, else mirrored.
    let problem = pictures(&[
        (&["120", "050", "003"], Some(&["120", "050", "003"])),
        (&["100", "220", "003"], Some(&["001", "022", "300"])),
        (&["345", "200", "110"], Some(&["345", "200", "110"])),
        (&["321", "000", "440"], Some(&["123", "000", "044"])),
        (&["500", "460", "001"], Some(&["500", "460", "001"])),
        (&["006", "120", "333"], Some(&["600", "021", "333"])),
        (&["002", "510", "333"], None),
        (&["012", "410", "322"], None),
    ]);
    let effort = Effort { bound: 13, grow: 4_000_000, stack: 400_000, pieces: 1_000 };
    let found = by_cases(&problem, &effort);
    let wanted =
        pictures(&[(&["0"], Some(&["002", "510", "333"])), (&["0"], Some(&["210", "014", "223"]))]);
    let wanted: Vec<Sheet> = wanted.demos.into_iter().map(|(_, o)| o).collect();
    assert!(found.iter().any(|(answer, _)| answer.outputs == wanted), "{found:?}");
}

#[test]
fn a_thing_is_chosen_by_rule() {
    // The square, which is neither always the largest object nor the smallest, nor the first.
    let problem = pictures(&[
        (&["1110220", "0000220", "3330000", "3330000"], Some(&["22", "22"])),
        (&["4440500", "4440500", "4440000", "0000066"], Some(&["444", "444", "444"])),
        (&["0777088", "0777000", "0000000", "9000011"], Some(&["9"])),
        (&["0222200", "0222201", "0000001", "3300000", "3300000"], None),
    ]);
    let effort = Effort { bound: 30, grow: 4_000_000, stack: 1_000_000, pieces: 5_000 };
    let by_rule = |a: &SearchAnswer| format!("{:?}", a.plan).contains("Rule(");
    let answers = support::answers(&problem, &effort);
    let is_right = |a: &&SearchAnswer| a.fits == 3 && by_rule(a) && a.outputs[0].cells() == [3; 4];
    let answer = answers.iter().find(is_right).expect("a rule");
    let text = support::proven(&problem, answer, "solve_chosen").unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("paint_by_rule("), "{text}");
}

#[test]
fn rays_are_sent_by_rule() {
    // Every object sends a ray in the colour of its mark to the side where that is.
    let problem = pictures(&[
        (
            &["00000000", "01000000", "01200000", "01000000", "00001110", "00000300", "00000000"],
            Some(&[
                "00000000", "01000000", "01222222", "01000000", "00001110", "00000300", "00000300",
            ]),
        ),
        (
            &["0000000000", "0000044400", "0000005000", "0060000000", "0760000000", "0060000000"],
            Some(&[
                "0000000000",
                "0000044400",
                "0000005000",
                "0060005000",
                "7760005000",
                "0060005000",
            ]),
        ),
        (
            &["000000000", "000000000", "000800000", "001110000", "000000000"],
            Some(&["000800000", "000800000", "000800000", "001110000", "000000000"]),
        ),
        (&["0000000", "0010000", "0019000", "0010000", "0000000", "0000000"], None),
    ]);
    let effort = Effort { bound: 20, grow: 4_000_000, stack: 1_000_000, pieces: 5_000 };
    let (costs, without, stop) = (Costs::uniform(), Without::default(), Stop::default());
    let mut search = Search::new(&problem, &effort, &costs, &without, &stop);
    search.further(&effort);
    search.further(&effort);
    let is_right = |a: &SearchAnswer| a.outputs[0].cells()[14..21] == [0, 0, 1, 9, 9, 9, 9];
    let by_rays = |a: &&SearchAnswer| format!("{:?}", a.plan).contains("Rays(") && is_right(a);
    let answer = search.answers().iter().find(by_rays).expect("rays");
    let text = support::proven(&problem, answer, "solve_rays").unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("send_rays(") && text.contains("ray("), "{text}");
}

#[test]
fn what_a_mask_hides_is_found_elsewhere() {
    // The 9s hide a part of a picture that but for its last column is its own mirror image; 0 is a colour of it.
    let problem = pictures(&[
        (&["12215", "34990", "06995", "71178"], Some(&["12215", "34430", "06605", "71178"])),
        (&["99526", "99041", "13310", "83384"], Some(&["25526", "40041", "13310", "83384"])),
        (&["31135", "60062", "57990", "24998"], None),
    ]);
    let effort = Effort { bound: 30, grow: 4_000_000, stack: 1_000_000, pieces: 5_000 };
    let answers = support::answers(&problem, &effort);
    let answer = &answers[0];
    let text = support::proven(&problem, answer, "solve_healed").unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("sheet_heal("), "{text}");
    assert_eq!(answer.outputs[0].cells()[10..], [5, 7, 7, 5, 0, 2, 4, 4, 2, 8], "{text}");
}

/// A task in which every 3 grows down to the border and the floor beside it is trodden: three demos and a test.
fn falling() -> (Problem, Sheet) {
    let pair = |seeds: [usize; 2]| {
        let mut input = vec![0u8; 72];
        seeds.iter().for_each(|&at| input[at] = 3);
        let mut output = input.clone();
        for at in seeds {
            (at..72).step_by(9).for_each(|below| output[below] = 3);
            let foot = 63 + at % 9;
            (output[foot - 1], output[foot + 1]) = (8, 8);
        }
        let sheet = |cells| Sheet::new(8, 9, cells).expect("a rectangle");
        (sheet(input), sheet(output))
    };
    let demos = vec![pair([10, 33]), pair([14, 28]), pair([20, 43])];
    let (test, wanted) = pair([11, 25]);
    (Problem { demos, tests: vec![test], pictures: Vec::new() }, wanted)
}

#[test]
fn answers_by_growth_are_programs_and_right() {
    let (problem, wanted) = falling();
    let effort = Effort { bound: 0, grow: 1_000, stack: 1_000, pieces: 100 };
    let answers = support::answers(&problem, &effort);
    let by_growth = |a: &&SearchAnswer| matches!(a.plan.whole, Whole::Overgrown(..));
    let grown = answers.iter().find(by_growth).expect("rules");
    let text = support::proven(&problem, grown, "solve_falling");
    let text = text.unwrap_or_else(|reason| panic!("{reason}"));
    assert!(text.contains("grow_cells("), "{text}");
    assert_eq!(grown.outputs, [wanted], "{text}");
    let without: Without = [SearchPart::Growth].into_iter().collect();
    let (answers, _) = search(&problem, &[effort], &Costs::uniform(), &without);
    assert!(!answers.iter().any(|a| by_growth(&a)));
}

#[test]
fn answers_of_every_view_are_programs() {
    // Colours differ from demo to demo, so that they are renamed too.
    let pair = |c: u8| {
        let input = Sheet::new(2, 3, vec![c, 0, c, c, c, 0]).expect("given");
        let output = Sheet::new(1, 3, vec![c, 0, c]).expect("wanted");
        (input, output)
    };
    let problem = Problem {
        demos: vec![pair(3), pair(4), pair(6)],
        tests: vec![pair(8).0],
        pictures: Vec::new(),
    };
    let effort = Effort { bound: 20, grow: 4_000_000, stack: 400_000, pieces: 4_000 };
    let (costs, without, stop) = (Costs::uniform(), Without::default(), Stop::default());
    for view in View::ALL {
        let mut search = Search::new(&problem, &effort, &costs, &without, &stop);
        search.look(view, &effort);
        let seen = search.answers().iter().filter(|a| a.plan.view == view);
        let right = seen.filter(|a| a.outputs == [pair(8).1] && a.fits == 3).count();
        assert!(right > 0, "{view:?}: {:?}", search.answers());
        for answer in search.answers() {
            let proven = support::proven(&problem, answer, "solve_seen");
            proven.unwrap_or_else(|reason| panic!("{view:?}: {reason}"));
        }
    }
}

#[test]
fn answers_by_rule_are_programs() {
    // Objects of three cells become 2, those of two 3, single cells stay.
    let pair = |rows: &[&str]| {
        let cells = |from: &[u8], to: &[u8]| {
            let change = |c: u8| match from.iter().position(|f| *f == c) {
                Some(at) => to[at],
                None => c - b'0',
            };
            let cells = rows.iter().flat_map(|r| r.bytes()).map(change).collect();
            Sheet::new(rows.len(), rows[0].len(), cells).expect("a rectangle")
        };
        (cells(b".abc", &[0, 5, 5, 5]), cells(b".abc", &[0, 5, 3, 2]))
    };
    let problem = Problem {
        demos: vec![
            pair(&["a....b", "...c.b", "...cc.", "b.....", "b...a."]),
            pair(&["ccc..a", "......", "..bb..", "......", "a..ccc"]),
        ],
        tests: vec![pair(&["cc....", "c..a..", "....bb", "......", "bb..cc", ".....c"]).0],
        pictures: Vec::new(),
    };
    let effort = Effort { bound: 20, grow: 4_000_000, stack: 400_000, pieces: 4_000 };
    let answers = support::answers(&problem, &effort);
    let texts = answers.iter().map(|answer| {
        support::proven(&problem, answer, "solve_sizes").unwrap_or_else(|reason| panic!("{reason}"))
    });
    assert!(texts.into_iter().any(|text| text.contains("recolor_by(")), "{answers:?}");
}

#[test]
fn answers_may_start_from_what_programs_made() {
    // The output is the mirrored input below the input, and no step may be taken to get there.
    let text =
        "def solve_mirrored(I):\n    x1 = hmirror(I)\n    O = vconcat(I, x1)\n    return O\n";
    let mirrored = load_file(text).programs.remove(0);
    let pair = |seed: u8| {
        let cells: Vec<u8> = (0..6).map(|k| (k * k + seed) % 7 + 1).collect();
        let rows = cells.chunks(3).chain(cells.chunks(3).rev());
        let both: Vec<u8> = rows.flatten().copied().collect();
        (Sheet::new(2, 3, cells).expect("given"), Sheet::new(4, 3, both).expect("wanted"))
    };
    let demos: Vec<(Sheet, Sheet)> = (1..4).map(pair).collect();
    let (test, wanted) = pair(5);
    let sheets = demos.iter().map(|d| d.1.clone()).chain([wanted.clone()]).collect();
    let pictures = vec![StartGrids { id: PictureId::new(7), sheets, cost: 4 }];
    let mut problem = Problem { demos, tests: vec![test], pictures };
    let effort = Effort { bound: 5, grow: 1_000_000, stack: 100_000, pieces: 100 };
    let answers = support::answers(&problem, &effort);
    assert_eq!(answers[0].outputs, [wanted]);
    let programs = [(PictureId::new(7), mirrored)].into();
    let text = support::proven_with(&problem, &answers[0], "solve_both", &programs);
    let text = text.unwrap_or_else(|reason| panic!("{reason}"));
    assert!(text.contains("vconcat(I, "), "{text}");
    let missing = support::proven(&problem, &answers[0], "solve_both");
    assert!(missing.is_err_and(|reason| reason.contains("picture 7 has no program")));
    problem.pictures.clear();
    assert!(support::answers(&problem, &effort).is_empty());
}

#[test]
fn answers_to_embedded_tasks_are_programs() {
    let tasks = Catalog::open(None).resolve_tasks("embedded").expect("built in");
    let effort = Effort { bound: 20, grow: 4_000_000, stack: 400_000, pieces: 2_000 };
    let (mut checked, mut whole) = (0, 0);
    for task in &tasks.tasks {
        let Some(problem) = support::problem(task) else { continue };
        let answers = support::answers(&problem, &effort);
        for answer in answers.iter().take(10) {
            let name = format!("solve_{}", task.id);
            let proven = support::proven(&problem, answer, &name);
            assert!(proven.is_ok(), "{}", proven.unwrap_err());
            checked += 1;
            whole += usize::from(answer.fits == problem.demos.len());
        }
    }
    assert!(checked >= 20 && whole >= 3, "only {checked} programs, {whole} of them for all demos");
}
