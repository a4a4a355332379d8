//! All tasks as thumbnails, with how each stands; by state, origin, set and more, in any order.

use std::collections::BTreeSet;

use arcloom::draw::sign;
use arcloom::{Grid, Task, TaskState};
use maud::{Markup, html};
use serde_json::json;
use std::fmt::Write;

use super::{
    Page, badge, counted, encode, grouped, pager, seconds, similarity, task_url, verdict_json,
};
use crate::failure::Failure;
use crate::look::Look;
use crate::png;
use crate::routes::Params;
use crate::site::{Place, Site};
use crate::standing::{Board, Standing, counts};

/// Most tasks on one page: all of ARC-AGI-2 is one.
const PAGE: usize = 1200;
/// Tasks of a page whose pictures are a part of it: those that a large screen shows at first.
const AT_ONCE: usize = 96;

/// Orders of the list: name, and what it says of itself.
const ORDERS: &[(&str, &str)] = &[
    ("", "as in the set"),
    ("id", "by id"),
    ("similarity", "most similar first"),
    ("doubt", "least doubt first"),
    ("wrong", "fewest wrong cells first"),
    ("time", "longest time first"),
];

/// What tasks are wanted.
struct Filter<'a> {
    set: Option<&'a str>,
    origin: Option<&'a str>,
    text: String,
    /// Most cells on a side of any grid.
    side: Option<usize>,
    /// Colours that must be in some grid of the task.
    colors: Vec<i8>,
}

impl Filter<'_> {
    fn of(params: &Params) -> Filter<'_> {
        Filter {
            set: params.get("set"),
            origin: params.get("origin"),
            text: params.get("q").unwrap_or_default().to_lowercase(),
            side: params.number("side"),
            colors: params.all("color").filter_map(|c| c.parse().ok()).collect(),
        }
    }

    /// Whatever the state.
    fn takes(&self, task: &Task, standing: &Standing) -> bool {
        let grids = || {
            let demos = task.demos.iter().flat_map(|pair| [&pair.input, &pair.output]);
            demos.chain(task.tests.iter().map(|test| &test.input))
        };
        let has = |color: &i8| grids().any(|grid| grid.cells().contains(color));
        self.origin.is_none_or(|origin| origins(&standing.origin).any(|one| one == origin))
            && (self.text.is_empty() || task.id.to_lowercase().contains(&self.text))
            && self.side.is_none_or(|side| {
                grids().all(|grid| grid.height() <= side && grid.width() <= side)
            })
            && self.colors.iter().all(has)
    }
}

/// The kinds of an origin: `terms` and `search` of `terms+search`, `evolution` of `evolution, generation 3`.
pub(crate) fn origins(origin: &str) -> impl Iterator<Item = &str> {
    let kinds = origin.split(',').next().unwrap_or_default();
    // Names of files may have a plus sign in them.
    let file = kinds.contains(['/', '.', ':']);
    let several = (!file).then(|| kinds.split('+').map(str::trim));
    let one = file.then_some(kinds);
    several.into_iter().flatten().chain(one).filter(|kind| !kind.is_empty())
}

/// The tasks that are wanted, whatever their state, in the order that is asked for.
fn wanted(site: &Site, board: &Board, params: &Params) -> Vec<Place> {
    let filter = Filter::of(params);
    let mut found = Vec::new();
    for (s, (set, standings)) in site.sets.iter().zip(board).enumerate() {
        if filter.set.is_some_and(|name| set.name != name) {
            continue;
        }
        let tasks = set.tasks.iter().zip(standings).enumerate();
        let tasks = tasks.filter(|(_, (task, standing))| filter.takes(task, standing));
        found.extend(tasks.map(|(t, _)| Place(s, t)));
    }
    let at = |place: &Place| &board[place.0][place.1];
    match params.get("sort").unwrap_or_default() {
        "id" => found.sort_by(|a, b| site.task(*a).id.cmp(&site.task(*b).id)),
        "similarity" => found.sort_by_key(|p| std::cmp::Reverse(at(p).similarity)),
        // What has none comes last.
        "doubt" => found.sort_by_key(|p| (at(p).doubt.is_none(), at(p).doubt)),
        "wrong" => found.sort_by_key(|p| (at(p).wrong.is_none(), at(p).wrong)),
        "time" => found.sort_by(|a, b| {
            let time = |place: &Place| at(place).seconds.unwrap_or(-1.0);
            time(b).total_cmp(&time(a))
        }),
        _ => {}
    }
    found
}

/// The tasks of a list.
pub(crate) fn listed(site: &Site, board: &Board, params: &Params) -> Vec<Place> {
    let mut found = wanted(site, board, params);
    if let Some(state) = params.get("state") {
        found.retain(|place| board[place.0][place.1].state.name() == state);
    }
    found
}

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let board = &*site.boards()?.of(look.scope);
    let all = wanted(site, board, params);
    let found = listed(site, board, params);
    let at = |place: &Place| &board[place.0][place.1];
    let number = |state: TaskState| all.iter().filter(|place| at(place).state == state).count();
    let pages = found.len().div_ceil(PAGE).max(1);
    let page = params.number("page").unwrap_or(1).clamp(1, pages);
    let shown = || found.iter().skip((page - 1) * PAGE).take(PAGE);
    let list = params.query_without(&["page", "scope"]);
    let standing = counts(found.iter().map(at));
    let sort = params.get("sort").unwrap_or_default();
    let body = html! {
        (form(site, look, params, board))
        section id="results" aria-label="Tasks found" {
            p.summary role="status" {
                strong { (counted(found.len() as u64, "task")) }
                @if standing.tasks > 0 { span.verdicts { (standing) } }
                span.states {
                    @for state in TaskState::ALL {
                        @let n = number(state);
                        @if n > 0 {
                            @let chosen = params.get("state") == Some(state.name());
                            a.count href={ "/tasks" (params.with("state", if chosen { "" } else { state.name() })) } aria-current=[chosen.then_some("true")] {
                                (badge(state)) " " (grouped(n as u64))
                            }
                        }
                    }
                }
            }
            @if found.is_empty() {
                p.empty { "No task is like that. " a href="/tasks" { "Show all" } }
            }
            ol.thumbs {
                @for (n, place) in shown().enumerate() { (thumb(site, look, (*place, n < AT_ONCE), at(place), sort, &list)) }
            }
            (pager(params, page, pages))
        }
    };
    let data = || {
        let one = |place: &Place| {
            let (task, standing) = (site.task(*place), at(place));
            json!({
                "task": task.id,
                "set": site.sets[place.0].name,
                "state": standing.state.name(),
                "verdict": verdict_json(standing.verdict),
                "similarity": f64::from(standing.similarity) / 1000.0,
                "origin": standing.origin,
                "program": standing.best.map(|id| id.to_string()),
                "doubt": standing.doubt,
                "seconds": standing.seconds,
                "wrong_cell_count": standing.wrong,
                "program_count": standing.programs,
            })
        };
        json!({
            "scope": look.scope.name(),
            "task_count": found.len(),
            "fits_count": standing.fits,
            "right_count": standing.right,
            "unknown_count": standing.unknown,
            "page": page,
            "page_count": pages,
            "tasks": shown().map(one).collect::<Vec<_>>(),
        })
    };
    let made = Page::new("Tasks", "Tasks", body).data(look, data);
    // Without signs on cells, pictures need no script.
    Ok(if look.symbols { made.with("thumbs.js") } else { made })
}

fn thumb(
    site: &Site,
    look: &Look,
    (place, at_once): (Place, bool),
    standing: &Standing,
    sort: &str,
    list: &str,
) -> Markup {
    let (task, set) = (site.task(place), &site.sets[place.0].name);
    let url = task_url(&task.id, set);
    let url = if list.is_empty() { url } else { format!("{url}&in={}", encode(list)) };
    let note = match sort {
        "doubt" => standing.doubt.map(|doubt| format!("doubt {doubt}")),
        "wrong" => standing.wrong.map(|wrong| format!("{} wrong", counted(wrong, "cell"))),
        "time" => standing.seconds.map(seconds),
        "similarity" if standing.state != TaskState::Untried => {
            Some(similarity(standing.similarity))
        }
        _ => (standing.state == TaskState::Open).then(|| similarity(standing.similarity)),
    };
    html! {
        li {
            a class=(standing.state.name()) href=(url) {
                @if let Some(demo) = task.demos.first() {
                    span.pair data-in=[look.symbols.then(|| digits(&demo.input))] data-out=[look.symbols.then(|| digits(&demo.output))] {
                        @for (grid, side) in [(&demo.input, "input"), (&demo.output, "output")] {
                            @if at_once { (picture(grid, look)) } @else {
                                @let address = format!("/thumb.png?task={}&set={}&side={side}&palette={}", encode(&task.id), encode(set), look.palette.name);
                                img class=(shape(grid)) src=(address) width=(grid.width()) height=(grid.height()) alt="" loading="lazy";
                            }
                        }
                    }
                }
                span.id { (task.id) }
                span.sub {
                    (badge(standing.state))
                    @if let Some(note) = note { " " (note) }
                }
            }
        }
    }
}

/// Which side of a grid fills the room for it.
fn shape(grid: &Grid) -> &'static str {
    if grid.width() >= grid.height() { "wide" } else { "tall" }
}

/// A grid as a small picture.
pub(crate) fn picture(grid: &Grid, look: &Look) -> Markup {
    html! {
        img class=(shape(grid)) src=(png::data_url(grid, &look.palette)) width=(grid.width()) height=(grid.height()) alt="" decoding="async";
    }
}

/// A grid in few letters: its width, a colon, and its cells.
pub(crate) fn digits(grid: &Grid) -> String {
    let mut text = String::with_capacity(grid.cells().len() + 3);
    let _ = write!(text, "{}:", grid.width());
    for &cell in grid.cells() {
        text.push(u32::try_from(cell).ok().and_then(|c| char::from_digit(c, 16)).unwrap_or('0'));
    }
    text
}

fn form(site: &Site, look: &Look, params: &Params, board: &Board) -> Markup {
    let is = |name: &str, value: &str| params.get(name) == Some(value);
    let colors: Vec<&str> = params.all("color").collect();
    let all = board.iter().flatten().flat_map(|standing| origins(&standing.origin));
    let kinds: BTreeSet<&str> = all.collect();
    html! {
        form.filter action="/tasks" data-live="results" role="search" {
            h1 { "Tasks" }
            label { span { "Search" } input type="search" name="q" value=(params.text("q")) placeholder="id" data-search; }
            label { span { "Set" }
                select name="set" {
                    option value="" { "all sets" }
                    @for set in &site.sets {
                        option value=(set.name) selected[is("set", &set.name)] { (set.name) " (" (set.tasks.len()) ")" }
                    }
                }
            }
            label { span { "State" }
                select name="state" {
                    option value="" { "any" }
                    @for state in TaskState::ALL {
                        option value=(state.name()) selected[is("state", state.name())] { (state.name()) }
                    }
                }
            }
            @if !kinds.is_empty() {
                label { span { "Origin" }
                    select name="origin" {
                        option value="" { "any" }
                        @for kind in &kinds { option value=(kind) selected[is("origin", kind)] { (kind) } }
                    }
                }
            }
            label { span { "Order" }
                select name="sort" {
                    @for (name, about) in ORDERS { option value=(name) selected[is("sort", name)] { (about) } }
                }
            }
            label { span { "Sides" }
                select name="side" {
                    option value="" { "any" }
                    @for side in ["3", "6", "10", "15", "20"] {
                        option value=(side) selected[is("side", side)] { "up to " (side) }
                    }
                }
            }
            fieldset.colors {
                legend { "Colours" }
                @for color in 0..10 {
                    @let name = color.to_string();
                    label title={ "has colour " (name) } {
                        input type="checkbox" name="color" value=(name) checked[colors.contains(&name.as_str())];
                        svg.swatch viewBox="0 0 10 10" aria-hidden="true" {
                            rect width="10" height="10" fill=(look.palette.colors[color]) {}
                            @if let Some(sign) = sign(color as u8).filter(|_| look.symbols) {
                                path d=(sign) fill="none" stroke=(look.palette.colors[color].ink()) stroke-linecap="round" {}
                            }
                        }
                        span { (name) }
                    }
                }
            }
            button.plain { "Filter" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_in_few_letters() {
        assert_eq!(digits(&Grid::new(2, 3, &[0, 1, 2, 3, 4, 9]).unwrap()), "3:012349");
    }

    #[test]
    fn origins_have_kinds() {
        let kinds = |origin: &'static str| origins(origin).collect::<Vec<_>>();
        assert_eq!(kinds("terms+search"), ["terms", "search"]);
        assert_eq!(kinds("evolution, generation 3, by swap"), ["evolution"]);
        assert_eq!(kinds("a+b/solvers.py"), ["a+b/solvers.py"]);
        assert!(kinds("").is_empty());
    }
}
