//! All tasks as thumbnails, with how far each is.
//!
//! A thumbnail is the first demo pair, sent as the digits of its cells and drawn by `thumbs.js`, one
//! pixel per cell: a thousand tasks are some hundred kilobytes and no thousand drawings.

use std::fmt::Write;

use arcloom::draw::sign;
use arcloom::{Grid, Task, TaskState};
use maud::{Markup, html};

use super::{Page, badge, counted, grouped, pager, similarity, task_url};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;
use crate::standing::Standing;

/// Most tasks on one page: all of ARC-AGI-2 is one.
const PAGE: usize = 1200;

/// What tasks are wanted.
struct Filter<'a> {
    set: Option<&'a str>,
    state: Option<&'a str>,
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
            state: params.get("state"),
            text: params.get("q").unwrap_or_default().to_lowercase(),
            side: params.number("side"),
            colors: params.all("color").filter_map(|c| c.parse().ok()).collect(),
        }
    }

    fn takes(&self, task: &Task, standing: &Standing) -> bool {
        let grids = || {
            let demos = task.demos.iter().flat_map(|pair| [&pair.input, &pair.output]);
            demos.chain(task.tests.iter().map(|test| &test.input))
        };
        let has = |color: &i8| grids().any(|grid| grid.cells().contains(color));
        self.state.is_none_or(|state| standing.state.name() == state)
            && (self.text.is_empty() || task.id.to_lowercase().contains(&self.text))
            && self.side.is_none_or(|side| {
                grids().all(|grid| grid.height() <= side && grid.width() <= side)
            })
            && self.colors.iter().all(has)
    }
}

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let board = site.standings()?;
    let filter = Filter::of(params);
    let mut found: Vec<(&str, &Task, &Standing)> = Vec::new();
    let mut states = [0_u64; 4];
    for (set, standings) in site.sets.iter().zip(board.iter()) {
        if filter.set.is_some_and(|name| set.name != name) {
            continue;
        }
        for (task, standing) in set.tasks.iter().zip(standings) {
            if filter.takes(task, standing) {
                found.push((&set.name, task, standing));
                states[standing.state as usize] += 1;
            }
        }
    }
    let pages = found.len().div_ceil(PAGE).max(1);
    let page = params.number("page").unwrap_or(1).clamp(1, pages);
    let shown = found.iter().skip((page - 1) * PAGE).take(PAGE);
    let body = html! {
        (form(site, look, params))
        section id="results" aria-live="polite" {
            p.summary {
                strong { (counted(found.len() as u64, "task")) }
                @for state in TaskState::ALL {
                    @if states[state as usize] > 0 {
                        span.count { (badge(state)) " " (grouped(states[state as usize])) }
                    }
                }
            }
            @if found.is_empty() {
                p.empty { "No task is like that. " a href="/tasks" { "Show all" } }
            }
            ol.thumbs {
                @for (set, task, standing) in shown { (thumb(set, task, standing)) }
            }
            (pager(params, page, pages))
        }
    };
    Ok(Page { title: "Tasks".to_owned(), area: "Tasks", module: Some("thumbs.js"), body })
}

fn thumb(set: &str, task: &Task, standing: &Standing) -> Markup {
    let demo = task.demos.first();
    let near = (standing.state == TaskState::Open).then_some(standing.similarity);
    html! {
        li {
            a class=(standing.state.name()) href=(task_url(&task.id, set)) {
                @if let Some(demo) = demo {
                    span.pair data-in=(digits(&demo.input)) data-out=(digits(&demo.output)) {}
                }
                span.id { (task.id) }
                span.sub {
                    (badge(standing.state))
                    @if let Some(near) = near { " " (similarity(near)) }
                }
            }
        }
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

fn form(site: &Site, look: &Look, params: &Params) -> Markup {
    let is = |name: &str, value: &str| params.get(name) == Some(value);
    let colors: Vec<&str> = params.all("color").collect();
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
}
