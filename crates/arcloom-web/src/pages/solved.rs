//! A run of `solve`: how each task stands, and what each ingredient brought. The list of tasks is that of
//! runs of `evolve` too.

use arcloom::{Attempts, Grid, RunTask, StoredProposal, Task, TaskState, Verdict};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::matrix::{self, RunKey};
use super::runs::Told;
use super::tasks::{origins, picture};
use super::{badge, counted, grouped, meter, seconds, verdict_json};
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;
use crate::standing::wrong_of;

/// Orders of the list of tasks.
const ORDERS: &[(&str, &str)] = &[
    ("", "task"),
    ("state", "state"),
    ("similarity", "similarity"),
    ("doubt", "doubt"),
    ("wrong", "wrong cells"),
    ("time", "time"),
];

/// What one ingredient brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Brought {
    name: String,
    /// Tasks that it proposed something for.
    proposed: usize,
    /// Tasks whose first attempt is its.
    first: usize,
    /// Tasks on which something of it fits all demos, and those on which nothing else does.
    fits: usize,
    fits_alone: usize,
    /// Tasks that something of it is right on, and those on which nothing else is.
    right: usize,
    right_alone: usize,
}

pub(crate) fn view(told: &Told, site: &Site, look: &Look, params: &Params) -> Markup {
    let counts = told.counts();
    let all = told.about()["task_count"].as_u64().unwrap_or(counts.tasks as u64);
    let time: f64 = told.tasks.iter().filter_map(|(row, _)| row.seconds).sum();
    let longest = told.tasks.iter().filter_map(|(row, _)| row.seconds).fold(0.0, f64::max);
    let brought = brought(told, site);
    html! {
        dl.figures {
            div { dt { "state" } dd { (told.doing.badge()) } }
            div { dt { "tasks done" } dd { (grouped(counts.tasks as u64)) small.muted { " of " (grouped(all)) } } }
            div { dt { "verdict" } dd { span data-counts { (counts) } } }
            @if time > 0.0 {
                div { dt { "time of all tasks" } dd { (seconds(time)) } }
                div { dt { "per task" } dd { (seconds(time / told.tasks.len().max(1) as f64)) } }
                div { dt { "longest" } dd { (seconds(longest)) } }
            }
            div { dt { "archive" } dd { (format!("{:.1} MB", told.bytes as f64 / 1e6)) } }
        }
        @if !brought.is_empty() {
            section aria-labelledby="ingredients" {
                h2 id="ingredients" { "What each ingredient brought" }
                p.muted { "Tasks, counted by the proposals that were kept. " em { "Alone" } " means that no other ingredient has it." }
                div.scroll {
                    table.list {
                        thead { tr { th { "ingredient" } th.num { "proposes for" } th.num { "first attempt" } th.num { "fits" } th.num { "alone" } th.num { "right" } th.num { "alone" } } }
                        tbody { @for one in &brought {
                            tr {
                                td { a href={ "/run/" (told.run.number.0) (params.with("origin", &one.name)) } { (one.name) } }
                                td.num { (one.proposed) } td.num { (one.first) } td.num { (one.fits) } td.num { (one.fits_alone) } td.num { (one.right) } td.num { (one.right_alone) }
                            }
                        } }
                    }
                }
            }
        }
        (task_list(told, site, look, params))
    }
}

/// A row of the list.
struct Row<'t> {
    row: &'t RunTask,
    verdict: Verdict,
    known: Option<(&'t Task, &'t str)>,
    wrong: Option<u64>,
}

/// The tasks of a run, by state and origin, in any order.
pub(crate) fn task_list(told: &Told, site: &Site, look: &Look, params: &Params) -> Markup {
    let path = format!("/run/{}", told.run.number.0);
    let (state, origin) = (params.get("state"), params.get("origin"));
    let sort = params.get("sort").unwrap_or_default();
    let of_origin =
        |row: &RunTask| origin.is_none_or(|origin| origins(&row.origin).any(|kind| kind == origin));
    let rows = told.tasks.iter().filter(|(row, _)| of_origin(row)).map(|(row, verdict)| {
        let known = matrix::known(site, row.task);
        let wrong = known.and_then(|(task, _)| wrong_of(task, &row.attempts));
        Row { row, verdict: *verdict, known, wrong }
    });
    let all: Vec<Row<'_>> = rows.collect();
    let number = |state: TaskState| all.iter().filter(|r| r.verdict.state() == state).count();
    let of_state = |row: &&Row<'_>| state.is_none_or(|s| row.verdict.state().name() == s);
    let mut shown: Vec<&Row<'_>> = all.iter().filter(of_state).collect();
    match sort {
        "state" => shown.sort_by_key(|r| std::cmp::Reverse(r.verdict.state())),
        "similarity" => shown.sort_by_key(|r| std::cmp::Reverse(r.row.similarity)),
        "doubt" => shown.sort_by_key(|r| (r.row.doubt.is_none(), r.row.doubt)),
        "wrong" => shown.sort_by_key(|r| (r.wrong.is_none(), r.wrong)),
        "time" => shown.sort_by(|a, b| {
            let time = |row: &Row<'_>| row.row.seconds.unwrap_or(-1.0);
            time(b).total_cmp(&time(a))
        }),
        _ => {}
    }
    let head = |name: &str, class: &str| {
        let (key, label) = ORDERS.iter().find(|(key, _)| *key == name).copied().unwrap_or(("", ""));
        html! {
            th class=(class) aria-sort=[(sort == key).then_some(if matches!(key, "" | "doubt" | "wrong") { "ascending" } else { "descending" })] {
                a href={ (path) (params.with("sort", key)) "#tasks" } { (label) @if sort == key { " ↓" } }
            }
        }
    };
    let solve = told.tasks.iter().any(|(row, _)| row.doubt.is_some());
    html! {
        section aria-labelledby="tasks" {
            h2 id="tasks" { "Tasks" }
            p.summary {
                strong { (counted(shown.len() as u64, "task")) }
                @for one in TaskState::ALL {
                    @let n = number(one);
                    @if n > 0 {
                        @let chosen = state == Some(one.name());
                        a.count href={ (path) (params.with("state", if chosen { "" } else { one.name() })) "#tasks" } aria-current=[chosen.then_some("true")] { (badge(one)) " " (grouped(n as u64)) }
                    }
                }
                @if let Some(origin) = origin { a.count href={ (path) (params.with("origin", "")) "#tasks" } aria-current="true" title="all origins" { "origin " (origin) " ×" } }
            }
            div.scroll {
                table.list {
                    thead { tr {
                        (head("", "")) th { "output" } (head("state", "")) th.num { "fits" } th { "origin" } (head("similarity", ""))
                        @if solve { (head("doubt", "num")) th.num { "proposals" } }
                        (head("wrong", "num")) @if solve { (head("time", "num")) }
                    } }
                    tbody { @for row in &shown { (line(row, look, RunKey::of_run(told.run.number), solve)) } }
                }
            }
        }
    }
}

fn line(row: &Row<'_>, look: &Look, key: RunKey, solve: bool) -> Markup {
    let Row { row, verdict, known, wrong } = row;
    let url = known.map(|(task, set)| format!("{}&run={key}", super::task_url(&task.id, set)));
    html! {
        tr data-task=(row.name) {
            td { @match url { Some(url) => a href=(url) { (row.name) }, None => (row.name) } }
            td { @if let Some(grid) = row.attempts.of_test(0).first() { span.mini { (picture(grid, look)) } } }
            td { (badge(verdict.state())) }
            td.num { (verdict.fits) "/" (verdict.demos) }
            td { (row.origin) }
            td { (meter(row.similarity)) }
            @if solve {
                td.num { @if let Some(doubt) = row.doubt { (doubt) } }
                td.num { (row.proposals.len()) }
            }
            td.num { @if let Some(wrong) = wrong { (wrong) } }
            @if solve { td.num { @if let Some(time) = row.seconds { (seconds(time)) } } }
        }
    }
}

/// What each ingredient brought, in the order in which they are asked.
fn brought(told: &Told, site: &Site) -> Vec<Brought> {
    let mut all: Vec<Brought> = Vec::new();
    for (row, _) in &told.tasks {
        let task = matrix::known(site, row.task).map(|(task, _)| task);
        let fits = |proposal: &&StoredProposal| proposal.fits == row.demos;
        let right = |proposal: &&StoredProposal| {
            let outputs: Vec<Vec<Grid>> =
                proposal.outputs.iter().map(|grid| vec![grid.clone()]).collect();
            task.is_some_and(|task| {
                Verdict::of_attempts(task, 0, &Attempts::new(outputs)).is_right()
            })
        };
        let kinds = |proposals: Vec<&StoredProposal>| -> Vec<String> {
            let all = proposals.iter().flat_map(|proposal| origins(&proposal.origin));
            let mut kinds: Vec<String> = all.map(str::to_owned).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        };
        let proposed = kinds(row.proposals.iter().collect());
        let first = kinds(row.proposals.iter().take(1).collect());
        let fits = kinds(row.proposals.iter().filter(fits).collect());
        let right = kinds(row.proposals.iter().filter(right).collect());
        for name in &proposed {
            let place = all.iter().position(|one| one.name == *name).unwrap_or_else(|| {
                all.push(Brought { name: name.clone(), ..Brought::default() });
                all.len() - 1
            });
            let one = &mut all[place];
            let alone = |kinds: &[String]| usize::from(kinds == std::slice::from_ref(name));
            one.proposed += 1;
            one.first += usize::from(first.contains(name));
            one.fits += usize::from(fits.contains(name));
            one.fits_alone += alone(&fits);
            one.right += usize::from(right.contains(name));
            one.right_alone += alone(&right);
        }
    }
    let order = ["transfer", "search", "evolution"];
    all.sort_by_key(|one| {
        let place = order.iter().position(|name| *name == one.name).unwrap_or(order.len());
        (place, one.name.clone())
    });
    all
}

/// The same as data.
pub(crate) fn ingredients_json(site: &Site, told: &Told) -> Json {
    let one = |one: Brought| {
        json!({
            "ingredient": one.name,
            "proposed_count": one.proposed,
            "first_count": one.first,
            "fits_count": one.fits,
            "fits_alone_count": one.fits_alone,
            "right_count": one.right,
            "right_alone_count": one.right_alone,
        })
    };
    Json::from(brought(told, site).into_iter().map(one).collect::<Vec<_>>())
}

/// A task of a run as data.
pub(crate) fn task_json(site: &Site, (row, verdict): &(RunTask, Verdict)) -> Json {
    let known = matrix::known(site, row.task);
    json!({
        "task": row.name,
        "state": verdict.state().name(),
        "verdict": verdict_json(Some(*verdict)),
        "origin": row.origin,
        "similarity": f64::from(row.similarity) / 1000.0,
        "doubt": row.doubt,
        "seconds": row.seconds,
        "proposal_count": row.proposals.len(),
        "wrong_cell_count": known.and_then(|(task, _)| wrong_of(task, &row.attempts)),
        "program": row.program.map(|id| id.to_string()),
    })
}
