//! One task on the page: its grids, its best program, and how that does.

use arcloom::Grid;
use arcloom::corpus::Pair;
use arcloom::draw::{Palette, Tile, tile_svg};
use arcloom::{Output, Task, TestState, Verdict, verdict};
use maud::{Markup, PreEscaped, html};

use crate::report::gather::{Best, TaskStory};

/// Most demo pairs with pictures.
const DEMOS: usize = 3;
/// Most tests with pictures.
const TESTS: usize = 2;
/// Most lines of a program, and most characters of a line.
const LINES: (usize, usize) = (24, 100);
/// Pixels that the longer side of a grid should take, and bounds of a cell.
const SIDE: usize = 108;
const CELL: (usize, usize) = (3, 12);

/// The name a page links to a task by.
pub(crate) fn anchor(story: &TaskStory<'_>) -> String {
    let id = story.record.id.to_string();
    format!("t{}", &id[..12])
}

/// A task with pictures, or, when `brief`, in one line.
pub(crate) fn card(story: &TaskStory<'_>, brief: bool, palette: &Palette) -> Markup {
    html! {
        article.task id=(anchor(story)) {
            h3 {
                (name(story))
                @for (class, text) in badges(story) { " " span class={ "badge " (class) } { (text) } }
            }
            p.meta { (about(story)) }
            @if !brief {
                div.body {
                    (pictures(story, palette))
                    @if let Some(best) = &story.best { pre { code { (program(&best.program.text)) } } }
                }
            }
        }
    }
}

/// The task's name, a link to where it can be played when it is one of the public ones.
fn name(story: &TaskStory<'_>) -> Markup {
    let name = &story.record.name;
    let public = name.len() == 8 && name.bytes().all(|b| b.is_ascii_hexdigit());
    html! {
        @if public {
            a href={ "https://arcprize.org/play?task=" (name) } rel="noreferrer" { (name) }
        } @else { (name) }
    }
}

/// What there is to know at a glance: a class and a text.
fn badges(story: &TaskStory<'_>) -> Vec<(&'static str, String)> {
    let Verdict { fits, demos, .. } = story.verdict();
    let class = if fits == demos { "good" } else { "near" };
    let mut badges = vec![(class, format!("fits {fits}/{demos}"))];
    let tests = story.verdict().tests;
    match (story.is_fit(), tests) {
        (_, TestState::Right) => badges.push(("good", "tests right".to_owned())),
        (true, TestState::Wrong) => badges.push(("bad", "tests wrong".to_owned())),
        (true, TestState::Unknown) => badges.push(("open", "tests unknown".to_owned())),
        (false, _) => badges.push(("near", format!("similarity {:.3}", story.similarity()))),
    }
    badges
}

/// Where what is handed in is from, in a sentence.
fn about(story: &TaskStory<'_>) -> String {
    let standing = &story.standing.standing;
    let mut parts = Vec::new();
    match standing.origin.as_str() {
        "" => parts.push("nothing was tried".to_owned()),
        origin => parts.push(format!("handed in from {origin}")),
    }
    if let Some(best) = &story.best {
        let Best { program, result, .. } = best;
        let calls = match program.size {
            1 => "1 call".to_owned(),
            size => format!("{size} calls"),
        };
        let id = program.id.to_string();
        let which = if Some(program.id) == standing.program { "program" } else { "best program" };
        parts.push(format!("{which} {}, {calls}", &id[..8]));
        match result.validated {
            Some(true) => parts.push("validated on what was kept back".to_owned()),
            Some(false) => parts.push("not valid on what was kept back".to_owned()),
            None => {}
        }
    }
    parts.join(", ")
}

/// The lines of a program, so many of them.
fn program(text: &str) -> String {
    let body = text.lines().skip_while(|line| !line.starts_with("def "));
    let lines: Vec<&str> = body.collect();
    let short = |line: &&str| match line.char_indices().nth(LINES.1) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => (*line).to_owned(),
    };
    let mut shown: Vec<String> = lines.iter().take(LINES.0).map(short).collect();
    if lines.len() > LINES.0 {
        shown.push(format!("    … {} more lines", lines.len() - LINES.0));
    }
    shown.join("\n")
}

/// The tests with what is handed in, then demos with what the program gives.
fn pictures(story: &TaskStory<'_>, palette: &Palette) -> Markup {
    let Some(task) = story.task else {
        return html! { p.meta { "its grids are not at hand" } };
    };
    let attempts = &story.standing.standing.attempts;
    html! {
        div.pairs {
            @for (n, test) in task.tests.iter().enumerate().take(TESTS) {
                @let expected = verdict::expected(task, task.demos.len() + n);
                figure.test {
                    div {
                        (tile(&test.input, None, "test input", palette))
                        span.arrow { "→" }
                        @if let Some(expected) = expected { (tile(expected, None, "expected", palette)) }
                        @for (k, grid) in attempts.of_test(n).iter().enumerate() {
                            @let wrong = expected.filter(|expected| *expected != grid);
                            @if wrong.is_some() { span.arrow.wrong { "≠" } } @else if expected.is_some() { span.arrow.good { "=" } }
                            (tile(grid, wrong, &format!("attempt {}", k + 1), palette))
                        }
                    }
                    figcaption {
                        "test " (n + 1) @if expected.is_some() { ": expected" }
                        @match attempts.of_test(n).len() { 0 => ", nothing handed in", 1 => ", attempt 1", _ => ", attempts 1 and 2" }
                    }
                }
            }
            @if let Some(evaluation) = story.best.as_ref().and_then(|best| best.evaluation.as_ref()) {
                (demos(task, &evaluation.outputs.demos, palette))
            }
        }
    }
}

/// Demos with what a program gives, those that are wrong first.
fn demos(task: &Task, outputs: &[Output], palette: &Palette) -> Markup {
    let demos = task.demos.iter().zip(outputs).enumerate();
    let is_right = |pair: &Pair, answer: &Output| answer.as_ref().is_ok_and(|g| *g == pair.output);
    let (mut wrong, right): (Vec<_>, Vec<_>) = demos
        .map(|(n, (pair, output))| (n + 1, pair, output))
        .partition(|(_, pair, answer)| !is_right(pair, answer));
    wrong.extend(right);
    let hidden = wrong.len().saturating_sub(DEMOS);
    html! {
        @for (n, pair, answer) in wrong.into_iter().take(DEMOS) {
            figure {
                div {
                    (tile(&pair.input, None, "input", palette))
                    span.arrow { "→" }
                    (tile(&pair.output, None, "output", palette))
                    @if !is_right(pair, answer) { (given(answer, Some(&pair.output), palette)) }
                }
                figcaption { "demo " (n) }
            }
        }
        @if hidden > 0 { span.more { "+" (hidden) @if hidden == 1 { " demo" } @else { " demos" } } }
    }
}

/// What the program gave, with marks where it is not what it should be.
fn given(answer: &Output, expected: Option<&Grid>, palette: &Palette) -> Markup {
    html! {
        @match answer {
            Ok(grid) => {
                @if expected.is_some() { span.arrow.wrong { "≠" } }
                (tile(grid, expected, "output", palette))
            }
            Err(reason) => span.failed { "failed: " (reason) }
        }
    }
}

fn tile(grid: &Grid, expected: Option<&Grid>, name: &str, palette: &Palette) -> Markup {
    let longest = grid.height().max(grid.width()).max(1);
    let cell = (SIDE / longest).clamp(CELL.0, CELL.1) as u32;
    let name = format!("{name} {}x{}", grid.height(), grid.width());
    PreEscaped(tile_svg(&Tile { grid, expected, cell, name: &name }, palette))
}
