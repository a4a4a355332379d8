//! One run, as it goes on or as it went: of `evolve` here, of `solve` in `solved.rs`.

use arcloom::archive::{Archive, FirstFit, OperatorRecord, RunKind, RunNumber};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::runs::{Doing, Told, axes, charts, curves, figure, json_of, moment, tell};
use super::{Page, clip, counted, grouped, matrix, meter, program_url, seconds, solved};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// A run with the first programs that fit each task.
struct Found {
    told: Told,
    first: Vec<FirstFit>,
}

fn find(id: &str, site: &Site) -> Result<Found, Failure> {
    let number: i64 =
        id.parse().map_err(|_| Failure::Missing(format!("There is no run `{id}`.")))?;
    let read = |archive: &Archive| {
        let run = archive.runs()?.into_iter().find(|run| run.number == RunNumber(number));
        let Some(run) = run else { return Ok(None) };
        let proposals = run.kind == RunKind::Solve;
        let first = match run.kind {
            RunKind::Solve => Vec::new(),
            _ => archive.first_fits(run.number)?,
        };
        Ok(Some(Found { told: tell(site, archive, run, proposals)?, first }))
    };
    let found = site.with_archive(read)?.flatten();
    found.ok_or_else(|| Failure::Missing(format!("There is no run {number} in the archive.")))
}

pub(crate) fn page(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let found = find(id, site)?;
    let told = &found.told;
    let number = told.run.number.0;
    let path = format!("/run/{number}");
    let query = params.query_without(&[]);
    let body = html! {
        header.head {
            h1 { "Run " (number) }
            span.muted {
                (told.run.kind.name())
                @if told.run.kind != RunKind::Solve { " · seed " (told.run.seed) }
                " · begun " (moment(told.run.started)) " · arcloom " (told.run.version)
            }
            nav.beside {
                a href="/runs" { "all runs" }
                a href={ "/matrix?b=" (matrix::RunKey::of_run(told.run.number)) } { "beside other runs" }
                @if told.run.kind != RunKind::Solve { a href={ "/programs?run=" (number) } { "its programs" } }
            }
        }
        div id="live" data-live-url={ (path) "/live?" (query) } { (view(&found, site, look, params)) }
        (settings(told))
    };
    let data = || {
        let mut json = json_of(told);
        json["tasks"] = Json::from(
            told.tasks.iter().map(|row| solved::task_json(site, row)).collect::<Vec<_>>(),
        );
        if told.run.kind == RunKind::Solve {
            json["ingredients"] = solved::ingredients_json(site, told);
        } else {
            json["first_fits"] = Json::from(found.first.iter().map(first_json).collect::<Vec<_>>());
        }
        json
    };
    Ok(Page::new(format!("Run {number}"), "Runs", body).with("events.js").data(look, data))
}

/// The part of the page that changes while the run goes on.
pub(crate) fn live(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let found = find(id, site)?;
    Ok(Page::new("Run", "Runs", view(&found, site, look, params)))
}

fn view(found: &Found, site: &Site, look: &Look, params: &Params) -> Markup {
    let told = &found.told;
    // Whoever shows this knows from it whether there is more to come.
    let over = told.doing != Doing::Running;
    html! {
        div.told data-over=[over.then_some("1")] {
            @match told.run.kind {
                RunKind::Solve => (solved::view(told, site, look, params)),
                _ => (evolved(found, site, look, params)),
            }
        }
    }
}

fn first_json(first: &FirstFit) -> Json {
    json!({
        "task": first.task.to_string(),
        "program": first.program.to_string(),
        "generation": first.generation,
        "operator": first.operator,
    })
}

fn evolved(found: &Found, site: &Site, look: &Look, params: &Params) -> Markup {
    let told = &found.told;
    let last = told.last();
    let counts = told.counts();
    let by_time = params.get("by") == Some("time");
    let curves = curves(&[told], look, by_time);
    let speed = curves.iter().find(|curve| curve.title == "speed").and_then(|curve| curve.last);
    let path = format!("/run/{}", told.run.number.0);
    html! {
        dl.figures data-generation=(last.map_or(0, |last| last.generation)) {
            div { dt { "state" } dd { (told.doing.badge()) } }
            div { dt { "generation" } dd { (grouped(last.map_or(0, |last| last.generation))) } }
            @if counts.tasks > 0 { div { dt { "verdict" } dd { span data-counts { (counts) } small.muted { " of " (counts.tasks) } } } }
            @else { div { dt { "tasks with a validated program" } dd { (last.map_or(0, |last| last.solved)) } } }
            div { dt { "evaluations" } dd { (grouped(told.evaluations())) } }
            @if let Some(speed) = speed { div { dt { "per second" } dd { (figure(speed)) } } }
            @if let Some(time) = told.seconds() { div { dt { "time" } dd { (seconds(time)) } } }
            div { dt { "archive" } dd { (format!("{:.1} MB", told.bytes as f64 / 1e6)) } }
            @if let Some(memory) = last.and_then(|last| last.memory) { div { dt { "memory" } dd { (format!("{:.0} MB", memory as f64 / 1e6)) } } }
            @if let Some((task, near)) = &told.nearest {
                div { dt { "nearest" } dd { a href={ "/task/" (super::encode(task)) } { (task) } " " (super::similarity(*near as u32)) } }
            }
        }
        (axes(&path, params))
        (charts(&curves, by_time))
        (first_fits(found, site))
        @if !told.tasks.is_empty() { (solved::task_list(told, site, look, params)) }
        div.columns {
            @if !told.islands.is_empty() {
                section {
                    h2 { "Islands" }
                    table.list {
                        thead { tr { th { "island" } th.num { "tasks" } th.num { "validated" } th { "similarity, mean of the best" } th.num { "alive" } } }
                        tbody { @for island in &told.islands {
                            tr { td { (island.island + 1) } td.num { (island.tasks) } td.num { (island.solved) } td { (meter(island.similarity)) } td.num { (grouped(island.alive)) } }
                        } }
                    }
                }
            }
            @if !told.operators.is_empty() { (operators(&told.operators)) }
        }
        @if told.view.points.is_empty() { p.empty { "The first generation is not stored yet." } }
        @else { p.muted { (counted(told.view.points.len() as u64, "generation")) " stored." } }
    }
}

/// Which task was fitted when, and by what.
fn first_fits(found: &Found, site: &Site) -> Markup {
    let Found { told, first } = found;
    let bred: Vec<&FirstFit> = first.iter().filter(|first| first.generation > 0).collect();
    let at_start = first.len() - bred.len();
    let time = |generation: u64| {
        told.view.points.iter().find(|point| point.generation == generation).map(|p| p.seconds)
    };
    let name = |first: &FirstFit| {
        let row = told.tasks.iter().find(|(row, _)| row.task == first.task);
        row.map_or_else(|| first.task.to_string(), |(row, _)| row.name.clone())
    };
    html! {
        section aria-labelledby="first" {
            h2 id="first" { "When tasks were fitted" }
            p.muted { (counted(at_start as u64, "task")) " by generation 0, which is the library" @if !bred.is_empty() { "; later:" } @else { "." } }
            @if !bred.is_empty() {
                div.scroll {
                    table.list {
                        thead { tr { th { "task" } th.num { "generation" } th.num { "after" } th { "operator" } th { "program" } } }
                        tbody { @for first in bred {
                            @let known = matrix::known(site, first.task);
                            tr {
                                td { @match known { Some((task, set)) => a href=(super::task_url(&task.id, set)) { (task.id) }, None => (name(first)) } }
                                td.num { (first.generation) }
                                td.num { @if let Some(time) = time(first.generation) { (seconds(time)) } }
                                td { @if let Some(operator) = &first.operator { code { (operator) } } }
                                td { a href=(program_url(first.program, known.map_or("", |(task, _)| &task.id), known.map_or("", |(_, set)| set))) { code { (super::short(first.program)) } } }
                            }
                        } }
                    }
                }
            }
        }
    }
}

fn operators(operators: &[OperatorRecord]) -> Markup {
    let of = |count: u64, all: u64| 100.0 * count as f64 / (all as f64).max(1.0);
    html! {
        section {
            h2 { "Operators" }
            p.muted { "Of the times each was used: how many gave a valid program, one not seen before, and one better than its parents." }
            table.list {
                thead { tr { th { "operator" } th.num { "used" } th.num { "valid" } th.num { "new" } th.num { "better" } th.num { "better, of 1,000" } } }
                tbody { @for operator in ranked(operators) {
                    @let yields = operator.improving * 1000 / operator.applied.max(1);
                    tr {
                        td { code { (operator.operator) } }
                        td.num { (grouped(operator.applied)) }
                        td.num { (format!("{:.0}%", of(operator.valid, operator.applied))) }
                        td.num { (format!("{:.0}%", of(operator.new, operator.applied))) }
                        td.num { (grouped(operator.improving)) }
                        td.num { (yields) }
                    }
                } }
            }
        }
    }
}

/// Operators that were used, those that yield most first.
fn ranked(operators: &[OperatorRecord]) -> Vec<&OperatorRecord> {
    let mut used: Vec<&OperatorRecord> = operators.iter().filter(|o| o.applied > 0).collect();
    used.sort_by(|a, b| {
        let cross = |x: &OperatorRecord, y: &OperatorRecord| {
            u128::from(x.improving) * u128::from(y.applied)
        };
        cross(b, a).cmp(&cross(a, b)).then(a.operator.cmp(&b.operator))
    });
    used
}

/// What the run was told: names first, then numbers; hashes, which name nothing to people, apart.
fn settings(told: &Told) -> Markup {
    let config: Json = serde_json::from_str(&told.run.config).unwrap_or_default();
    let about = told.about();
    let fields = config.as_object().cloned().unwrap_or_default();
    let is_hash = |value: &Json| {
        let text = value.as_str().unwrap_or_default();
        text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let (hashes, plain): (Vec<_>, Vec<_>) = fields.iter().partition(|(_, value)| is_hash(value));
    let names = |name: &str| -> String {
        let all = about[name].as_array().into_iter().flatten().filter_map(Json::as_str);
        all.collect::<Vec<_>>().join(", ")
    };
    html! {
        details { summary { "Settings of the run" }
            dl.facts {
                @if let Some(tasks) = about["tasks"].as_str() { div { dt { "tasks" } dd { (tasks) " (" (about["task_count"]) ")" } } }
                @if let Some(count) = about["program_count"].as_u64() {
                    @let files = names("programs");
                    div { dt { "programs" } dd { (grouped(count)) @if !files.is_empty() { " of " (files) } } }
                }
                @for (name, value) in plain.iter().filter(|(_, value)| !value.is_null()) { div { dt { (name.replace('_', " ")) } dd { code { (clip(&value.to_string(), 120)) } } } }
            }
            @if !hashes.is_empty() {
                details { summary { "Identities" }
                    dl.facts { @for (name, value) in &hashes { div { dt { (name.replace('_', " ")) } dd { code { (value.as_str().unwrap_or_default()) } } } } }
                }
            }
        }
    }
}
