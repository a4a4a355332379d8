//! The generators behind `data/tasks.json`.
//!
//! A generator draws one pair by its rule and may decline (`None`) when the draw came out
//! degenerate; it is then asked again. The table below is the order of the file. Outputs are
//! computed in plain Rust, never by running a program, so a wrong program cannot hide.
//!
//! Draws are declined when a rule would depend on an order that is not there to see: two largest
//! pieces, two most common colours.

mod arithmetic;
mod board;
mod color;
mod container;
mod dice;
mod geometry;
mod grid;
mod higher_order;
mod layout;
mod lines;
mod logic;
mod measure;
mod objects;
mod paint;
mod pattern;
mod position;
mod scale;

use std::fmt::Write;

use dice::Dice;
use grid::Grid;

/// Input and output.
type Pair = (Grid, Grid);

/// One task: how it is called, what it needs, how its pairs are drawn.
pub struct TaskRule {
    /// Name of the task; its program, if any, is `solve_NAME`.
    pub name: &'static str,
    /// The family of primitives that the task is about.
    pub family: &'static str,
    /// Calls in the shortest program we know.
    pub steps: usize,
    /// Whether `data/programs.py` holds a program.
    pub has_program: bool,
    /// Draws the pair of that index; cases that must all occur take turns by index.
    pair: fn(&mut Dice, usize) -> Option<Pair>,
}

/// A task that has a program.
const fn solved(
    family: &'static str,
    name: &'static str,
    steps: usize,
    pair: fn(&mut Dice, usize) -> Option<Pair>,
) -> TaskRule {
    TaskRule { name, family, steps, has_program: true, pair }
}

/// A task that is left for search.
const fn open(
    family: &'static str,
    name: &'static str,
    steps: usize,
    pair: fn(&mut Dice, usize) -> Option<Pair>,
) -> TaskRule {
    TaskRule { name, family, steps, has_program: false, pair }
}

/// All tasks, family by family.
pub static RULES: &[TaskRule] = &[
    solved("arithmetic", "half_count_square", 5, arithmetic::half_count_square),
    solved("arithmetic", "center_in_double", 7, arithmetic::center_in_double),
    open("arithmetic", "count_difference", 7, arithmetic::count_difference),
    solved("logic", "flip_long_way", 4, logic::flip_long_way),
    solved("logic", "all_three_agree", 7, logic::all_three_agree),
    open("logic", "parity_half", 6, logic::parity_half),
    solved("container", "rows_by_variety", 2, container::rows_by_variety),
    solved("container", "colors_left_to_right", 4, container::colors_left_to_right),
    open("container", "rows_descending", 2, container::rows_descending),
    open("container", "color_gone_missing", 7, container::color_gone_missing),
    solved("higher_order", "next_color", 2, higher_order::next_color),
    solved("higher_order", "row_majority", 2, higher_order::row_majority),
    solved("higher_order", "color_by_height", 4, higher_order::color_by_height),
    open("higher_order", "upend_each", 5, higher_order::upend_each),
    solved("color", "swap_most_least", 3, color::swap_most_least),
    solved("color", "palette_square", 4, color::palette_square),
    open("color", "rare_takes_over", 4, color::rare_takes_over),
    solved("measure", "crop_tallest", 3, measure::crop_tallest),
    solved("measure", "mark_upright_bars", 3, measure::mark_upright_bars),
    open("measure", "distance_strip", 5, measure::distance_strip),
    solved("geometry", "half_turn_right", 2, geometry::half_turn_right),
    solved("geometry", "stack_of_turns", 4, geometry::stack_of_turns),
    solved("geometry", "anti_diagonal", 1, geometry::anti_diagonal),
    open("geometry", "unfold_corner", 6, geometry::unfold_corner),
    solved("scale", "stretch_by_red", 2, scale::stretch_by_red),
    solved("scale", "swell_block", 4, scale::swell_block),
    open("scale", "zoom_by_own_width", 3, scale::zoom_by_own_width),
    solved("layout", "flip_checker", 4, layout::flip_checker),
    solved("layout", "odd_panel_out", 2, layout::odd_panel_out),
    open("layout", "peel_and_repeat", 3, layout::peel_and_repeat),
    solved("objects", "clear_edge", 4, objects::clear_edge),
    solved("objects", "tally", 4, objects::tally),
    open("objects", "largest_like_smallest", 5, objects::largest_like_smallest),
    solved("position", "sink_by_height", 5, position::sink_by_height),
    solved("position", "mark_center", 5, position::mark_center),
    open("position", "all_to_corner", 5, position::all_to_corner),
    open("position", "lowest_rises", 6, position::lowest_rises),
    solved("lines", "join_dots", 6, lines::join_dots),
    solved("lines", "slant_through_dot", 7, lines::slant_through_dot),
    solved("lines", "full_lines_fade", 3, lines::full_lines_fade),
    open("lines", "blue_sparks", 4, lines::blue_sparks),
    solved("paint", "ring_largest", 4, paint::ring_largest),
    solved("paint", "inner_rings", 3, paint::inner_rings),
    open("paint", "left_over_right", 5, paint::left_over_right),
    solved("pattern", "one_period", 5, pattern::one_period),
    solved("pattern", "heal_symmetry", 4, pattern::heal_symmetry),
    solved("pattern", "squeeze_and_turn", 2, pattern::squeeze_and_turn),
    open("pattern", "find_corner_motif", 4, pattern::find_corner_motif),
];

/// The exact contents of `data/tasks.json`.
pub fn generate() -> String {
    let lines: Vec<String> = RULES.iter().map(task_line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Further pairs of the tasks that are wanted, as many as asked for where the rule has them: name to
/// `[{"input": .., "output": ..}, ..]`. None starts from a grid of the task itself.
pub fn more(wanted: impl Fn(&str) -> bool, count: usize) -> String {
    let rules = RULES.iter().filter(|rule| wanted(rule.name));
    let line = |rule: &TaskRule| {
        let (mut pairs, _) = task_pairs(rule);
        let own = pairs.len();
        draw_pairs(rule, &mut Dice::named(&format!("{} more", rule.name)), own + count, &mut pairs);
        format!("\"{}\": {}", rule.name, pairs_json(&pairs[own..]))
    };
    format!("{{\n{}\n}}\n", rules.map(line).collect::<Vec<_>>().join(",\n"))
}

/// The pairs of a task, and how many of them are demonstrations.
fn task_pairs(rule: &TaskRule) -> (Vec<Pair>, usize) {
    let mut dice = Dice::named(rule.name);
    let train = dice.range(3, 5);
    let (count, mut pairs) = (train + if train == 3 { 2 } else { 1 }, Vec::new());
    draw_pairs(rule, &mut dice, count, &mut pairs);
    assert!(pairs.len() == count, "the generator of `{}` declines nearly every draw", rule.name);
    (pairs, train)
}

/// One task as a line of the file, without the comma.
fn task_line(rule: &TaskRule) -> String {
    let (pairs, train) = task_pairs(rule);
    let (train, test) = pairs.split_at(train);
    format!(
        "\"{}\": {{\"train\": {}, \"test\": {}}}",
        rule.name,
        pairs_json(train),
        pairs_json(test)
    )
}

/// Draws pairs that change something, no two of which have the same output, until there are `count`.
fn draw_pairs(rule: &TaskRule, dice: &mut Dice, count: usize, pairs: &mut Vec<Pair>) {
    for _ in 0..10_000 {
        if pairs.len() == count {
            return;
        }
        if let Some((input, output)) = (rule.pair)(dice, pairs.len())
            && input != output
            && pairs.iter().all(|pair| pair.1 != output)
        {
            pairs.push((input, output));
        }
    }
}

fn pairs_json(pairs: &[Pair]) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(i, o)| format!("{{\"input\": {}, \"output\": {}}}", grid_json(i), grid_json(o)))
        .collect();
    format!("[{}]", pairs.join(", "))
}

fn grid_json(grid: &Grid) -> String {
    let mut text = String::from("[");
    for (i, row) in grid.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(u8::to_string).collect();
        let comma = if i == 0 { "" } else { "," };
        write!(text, "{comma}[{}]", cells.join(",")).expect("writing to a string succeeds");
    }
    text + "]"
}
