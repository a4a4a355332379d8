//! One task on the page: its grids, its best program, and how that does.

use arcloom::Grid;
use arcloom::corpus::Pair;
use arcloom::draw::{Palette, Tile, tile_svg};
use arcloom::{Output, TestState, Verdict, verdict};
use maud::{Markup, PreEscaped, html};

use crate::report::gather::{Best, TaskStory};

/// Most demo pairs with pictures, of a task that fits and of another.
const DEMOS: (usize, usize) = (3, 3);
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
            @if let Some(best) = &story.best {
                p.meta { (about(best)) }
                @if !brief {
                    div.body {
                        (pictures(story, best, palette))
                        pre { code { (program(&best.program.text)) } }
                    }
                }
            } @else {
                p.meta { "no program was tried" }
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

/// Where a program is from, in a sentence.
fn about(best: &Best) -> String {
    let program = &best.program;
    let calls =
        if program.size == 1 { "1 call".to_owned() } else { format!("{} calls", program.size) };
    let origin = program.origin();
    let held = match best.result.validated {
        Some(true) => ", validated on what was kept back",
        Some(false) => ", not valid on what was kept back",
        None => "",
    };
    let id = program.id.to_string();
    format!("program {}, {calls}, from {origin}{held}", &id[..8])
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

fn pictures(story: &TaskStory<'_>, best: &Best, palette: &Palette) -> Markup {
    let (Some(task), Some(evaluation)) = (story.task, &best.evaluation) else {
        return html! { p.meta { "its grids are not at hand" } };
    };
    let is_fit = story.is_fit();
    let demos: Vec<(usize, &Pair, &Output)> = task
        .demos
        .iter()
        .zip(&evaluation.outputs.demos)
        .enumerate()
        .map(|(n, (pair, output))| (n + 1, pair, output))
        .collect();
    // Of an open task what is wrong comes first.
    let is_right = |pair: &Pair, answer: &Output| answer.as_ref().is_ok_and(|g| *g == pair.output);
    let (mut wrong, right): (Vec<_>, Vec<_>) =
        demos.into_iter().partition(|(_, pair, answer)| !is_right(pair, answer));
    wrong.extend(right);
    let most = if is_fit { DEMOS.0 } else { DEMOS.1 };
    let hidden = wrong.len().saturating_sub(most);
    html! {
        div.pairs {
            @for (n, pair, answer) in wrong.into_iter().take(most) {
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
            @if is_fit {
                @for (n, (test, answer)) in task.tests.iter().zip(&evaluation.outputs.tests).enumerate().take(TESTS) {
                    @let expected = verdict::expected(task, task.demos.len() + n);
                    @let wrong = expected.filter(|expected| answer.as_ref().ok() != Some(*expected));
                    figure.test {
                        div {
                            (tile(&test.input, None, "test input", palette))
                            span.arrow { "→" }
                            @if let Some(expected) = wrong { (tile(expected, None, "expected", palette)) }
                            (given(answer, wrong, palette))
                        }
                        figcaption { "test " (n + 1) @if wrong.is_some() { ": expected, output" } }
                    }
                }
            }
        }
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
