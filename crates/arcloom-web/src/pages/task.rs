//! One task: its pairs, the outputs of a program beside the expected ones, and all programs for it, ranked.

use arcloom::archive::{ProgramRecord, ResultRecord};
use arcloom::draw::{Picture, Spot};
use arcloom::{Entry, Evaluation, Grid, Output, ProgramId, Task, TaskView, Verdict, verdict};
use maud::{Markup, html};

use super::{Page, badge, counted, encode, meter, program_url, short, similarity, task_url};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Place, Site};

/// Most stored programs in the list of a task.
const LISTED: usize = 40;
/// Pixels a side of a grid takes.
const ROOM: usize = 230;

/// A program in the list.
struct Ranked {
    id: ProgramId,
    name: String,
    from: String,
    size: u64,
    verdict: Verdict,
    similarity: u32,
}

pub(crate) fn page(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let found = site.find_task(id, params.get("set"));
    let at = found
        .ok_or_else(|| Failure::Missing(format!("There is no task `{id}` in the loaded sets.")))?;
    let task = site.task(at);
    let set = &site.sets[at.0];
    let standing = site.standings()?[at.0][at.1];
    let (ranked, more) = ranked(site, task)?;
    let chosen = match params.get("program") {
        Some(name) => Some(site.program(name)?.entry),
        None => {
            ranked.first().and_then(|best| site.program(&best.id.to_string()).ok()).map(|s| s.entry)
        }
    };
    let given = chosen.as_ref().map(|entry| evaluate(site, entry, task));
    let (before, after) =
        (at.1.checked_sub(1).and_then(|k| set.tasks.get(k)), set.tasks.get(at.1 + 1));
    let public = set.name.starts_with("arc1") || set.name.starts_with("arc2");
    let body = html! {
        header.head {
            h1 { (task.id) }
            (badge(standing.state))
            span.muted { (set.name) " · " (counted(task.demos.len() as u64, "demo")) ", " (counted(task.tests.len() as u64, "test")) }
            nav.beside aria-label="Neighbours" {
                @if let Some(task) = before { a rel="prev" href=(task_url(&task.id, &set.name)) title="previous task" { "← " (task.id) } }
                @if let Some(task) = after { a rel="next" href=(task_url(&task.id, &set.name)) title="next task" { (task.id) " →" } }
                @if public {
                    a.out href={ "https://arcprize.org/play?task=" (encode(&task.id)) } rel="noreferrer noopener external" target="_blank" { "play it ↗" }
                }
            }
        }
        @if let Some(entry) = &chosen {
            p.muted {
                "Beside the expected outputs: those of "
                a href=(program_url(entry.program.id(), &task.id, &set.name)) { (entry.program.name) }
                ". Wrong cells stand out."
            }
        }
        section.pairs aria-label="Pairs" {
            @for (n, pair) in task.demos.iter().enumerate() {
                @let output = given.as_ref().map(|given| (&given.outputs.demos[n], Some(given.fit.scores()[n])));
                (pair_card(&verdict::pair_name(task, n), &pair.input, Some(&pair.output), output, look))
            }
            @for (t, test) in task.tests.iter().enumerate() {
                @let n = task.demos.len() + t;
                @let output = given.as_ref().map(|given| (&given.outputs.tests[t], None));
                (pair_card(&verdict::pair_name(task, n), &test.input, verdict::expected(task, n), output, look))
            }
        }
        section {
            h2 { "Programs" }
            @if ranked.is_empty() {
                p.empty { "No program was tried on this task. "
                    a href={ "/program/new?task=" (encode(&task.id)) "&set=" (encode(&set.name)) } { "Write one" } " and see at once what it gives." }
            } @else {
                (list(&ranked, task, &set.name, chosen.as_ref()))
                @if more { p { a href={ "/programs?task=" (encode(&task.id)) } { "All programs of the archive for this task" } } }
            }
        }
    };
    Ok(Page { title: format!("Task {}", task.id), area: "Tasks", module: None, body })
}

/// A program on all pairs.
pub(crate) fn evaluate(site: &Site, entry: &Entry, task: &Task) -> Evaluation {
    site.engine.evaluate(&mut live::machine(&site.engine), &entry.plan, &TaskView::new(task))
}

fn pair_card(
    title: &str,
    input: &Grid,
    expected: Option<&Grid>,
    output: Option<(&Output, Option<u32>)>,
    look: &Look,
) -> Markup {
    html! {
        article.pair {
            h3 { (title) @if let Some((output, near)) = output { " " (state_of(output, expected)) @if let Some(near) = near { @if near < 1000 { " " small.muted { (similarity(near)) } } } } }
            div.grids {
                figure { (look.grid(input, ROOM)) figcaption { "input" } }
                span.arrow aria-hidden="true" { "→" }
                figure {
                    @match expected { Some(expected) => (look.grid(expected, ROOM)), None => span.unknown { "?" } }
                    figcaption { "expected" }
                }
                @if let Some((output, _)) = output {
                    @if output.as_ref().ok() != expected || expected.is_none() {
                        figure.given { (prediction(output, expected, look, ROOM)) figcaption { "output" } }
                    }
                }
            }
        }
    }
}

/// Whether an output is the expected one.
pub(crate) fn state_of(output: &Output, expected: Option<&Grid>) -> Markup {
    match (output, expected) {
        (Err(_), _) => html! { span.bad { "✗ failed" } },
        (Ok(_), None) => html! { span.muted { "? unknown" } },
        (Ok(grid), Some(expected)) if grid == expected => html! { span.good { "✓ right" } },
        (Ok(_), Some(_)) => html! { span.bad { "✗ wrong" } },
    }
}

/// What a program gives: wrong cells at full strength, the others faded.
pub(crate) fn prediction(
    output: &Output,
    expected: Option<&Grid>,
    look: &Look,
    room: usize,
) -> Markup {
    match (output, expected) {
        (Err(reason), _) => html! { p.reason { (reason) } },
        (Ok(grid), None) => look.grid(grid, room),
        (Ok(grid), Some(expected)) => look.draw(&difference(grid, expected), room),
    }
}

/// The cells of a grid that differ from the expected one, on the grid itself.
fn difference(got: &Grid, expected: &Grid) -> Picture {
    let plain = Picture::grid(got);
    let size = |grid: &Grid| (grid.height(), grid.width());
    let Picture::Grid { cells, .. } = plain else { return plain };
    if size(got) != size(expected) {
        let (height, width) = size(got);
        let caption = format!("{height}x{width}, not {}x{}", expected.height(), expected.width());
        return Picture::Grid { cells, ghost: None, groups: Vec::new(), caption };
    }
    let mut wrong = 0_u64;
    let row = |(i, row): (usize, Vec<Spot>)| -> Vec<Spot> {
        let mut keep = |(j, spot): (usize, Spot)| match spot {
            Spot::Color(n) if expected.get(i as i64, j as i64).map(i64::from) == Some(n) => {
                Spot::Empty
            }
            other => {
                wrong += 1;
                other
            }
        };
        row.into_iter().enumerate().map(&mut keep).collect()
    };
    let cells = cells.into_iter().enumerate().map(row).collect();
    let caption = format!("{} wrong", counted(wrong, "cell"));
    Picture::Grid { cells, ghost: Some(got.clone()), groups: Vec::new(), caption }
}

/// Programs for a task, the best first, and whether the archive has more.
fn ranked(site: &Site, task: &Task) -> Result<(Vec<Ranked>, bool), Failure> {
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut add = |entry: &Entry, id: ProgramId, from: String| {
        if ranked.iter().any(|known| known.id == id) {
            return;
        }
        let found = evaluate(site, entry, task);
        ranked.push(Ranked {
            id,
            name: entry.program.name.clone(),
            from,
            size: entry.program.size() as u64,
            verdict: Verdict::of_program(task, &found),
            similarity: found.fit.similarity(),
        });
    };
    for entry in site.library.iter().filter(|entry| entry.task == task.id) {
        add(entry, entry.program.id(), entry.file.clone());
    }
    let stored: Vec<(ProgramRecord, ResultRecord)> = site
        .with_archive(|archive| archive.best(task.visible_id(), LISTED + 1))?
        .unwrap_or_default();
    let more = stored.len() > LISTED;
    for (record, _) in stored.iter().take(LISTED) {
        let entry = Entry::new(record.program()?, &record.source);
        add(&entry, record.id, record.origin().to_string());
    }
    ranked.sort_by(|a, b| {
        let key = |r: &Ranked| (r.verdict.state(), r.verdict.fits, r.similarity);
        key(b).cmp(&key(a)).then(a.size.cmp(&b.size)).then(a.id.cmp(&b.id))
    });
    Ok((ranked, more))
}

fn list(ranked: &[Ranked], task: &Task, set: &str, chosen: Option<&Entry>) -> Markup {
    let chosen = chosen.map(|entry| entry.program.id());
    html! {
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "state" } th.num { "fits" } th { "similarity" } th.num { "calls" } th { "from" } th { "" } } }
                tbody {
                    @for one in ranked {
                        tr aria-current=[(chosen == Some(one.id)).then_some("true")] {
                            td { a href=(program_url(one.id, &task.id, set)) { code { (short(one.id)) } " " (one.name) } }
                            td { (badge(one.verdict.state())) }
                            td.num { (one.verdict.fits) "/" (one.verdict.demos) }
                            td { (meter(one.similarity)) }
                            td.num { (one.size) }
                            td.muted { (one.from) }
                            td { a href={ (task_url(&task.id, set)) "&program=" (short(one.id)) } { "show" } }
                        }
                    }
                }
            }
        }
    }
}

// Keeps the place of a task nameable for other pages.
pub(crate) fn heading(site: &Site, at: Place) -> Markup {
    let (task, set) = (site.task(at), &site.sets[at.0].name);
    html! { a href=(task_url(&task.id, set)) { (task.id) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cells_that_differ_stand_out() {
        let grid = |cells: &[i8]| Grid::new(2, 2, cells).unwrap();
        let Picture::Grid { cells, ghost, caption, .. } =
            difference(&grid(&[1, 2, 3, 4]), &grid(&[1, 2, 0, 4]))
        else {
            panic!("a grid");
        };
        assert_eq!(cells, [[Spot::Empty, Spot::Empty], [Spot::Color(3), Spot::Empty]]);
        assert!(ghost.is_some());
        assert_eq!(caption, "1 cell wrong");
    }

    #[test]
    fn another_size_is_said() {
        let (a, b) = (Grid::new(1, 2, &[1, 2]).unwrap(), Grid::new(1, 1, &[1]).unwrap());
        let Picture::Grid { caption, ghost: None, .. } = difference(&a, &b) else { panic!() };
        assert_eq!(caption, "1x2, not 1x1");
    }
}
