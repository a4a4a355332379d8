//! Programs, a page at a time: those of the archive, and those from files.

use arcloom::archive::{PageQuery, ProgramRecord, ResultRecord, RunNumber};
use arcloom::{Entry, Grid};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::task::preview;
use super::tasks::picture;
use super::{Page, counted, grouped, meter, pager, program_url, short};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Place, Site};

/// Programs on one page.
const PAGE: usize = 50;

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let has_archive = site.with_archive(|_| Ok(()))?.is_some();
    let files = match params.get("from") {
        Some(from) => from == "files" || !has_archive,
        None => !look.scope.has_archive() || !has_archive,
    };
    let (results, data) =
        if files { from_files(site, look, params) } else { from_archive(site, look, params)? };
    let body = html! {
        form.filter action="/programs" data-live="results" role="search" {
            h1 { "Programs" }
            label { span { "Search" } input type="search" name="q" value=(params.text("q")) placeholder="name, text, operator" data-search; }
            label { span { "Task" } input name="task" value=(params.text("task")) placeholder="id"; }
            label { span { "From" }
                select name="from" {
                    @if has_archive { option value="archive" selected[!files] { "the archive" } }
                    option value="files" selected[files] { "files" }
                }
            }
            @if has_archive {
                label.check { input type="checkbox" name="fits" value="1" checked[params.get("fits").is_some()]; " fits all demos" }
                @if let Some(run) = params.get("run") { input type="hidden" name="run" value=(run); }
            }
            button.plain { "Find" }
        }
        section id="results" aria-label="Programs found" { (results) }
    };
    Ok(Page::new("Programs", "Programs", body).data(look, || data))
}

/// The first test's output of a program on a task, or its first demo's.
fn output(site: &Site, entry: &Entry, at: Place) -> Option<Grid> {
    let found = super::task::evaluate(site, entry, site.task(at));
    let outputs = found.outputs.tests.into_iter().chain(found.outputs.demos);
    outputs.take(1).find_map(Result::ok)
}

fn from_archive(site: &Site, look: &Look, params: &Params) -> Result<(Markup, Json), Failure> {
    let page = params.number("page").unwrap_or(1).max(1);
    let query = PageQuery {
        text: params.get("q").unwrap_or_default().to_owned(),
        task: params.get("task").map(str::to_owned),
        solved: params.get("fits").is_some(),
        run: params.number("run").map(|run| RunNumber(run as i64)),
        offset: (page - 1).saturating_mul(PAGE),
        limit: PAGE,
    };
    let read = |archive: &arcloom::archive::Archive| {
        let found = archive.page(&query)?;
        let best = |program: &ProgramRecord| {
            let mut results = archive.results(program.id)?;
            results.sort_by_key(|r| std::cmp::Reverse((r.is_solved(), r.solved(), r.similarity)));
            Ok(results.into_iter().next())
        };
        let best: Result<Vec<Option<ResultRecord>>, _> = found.programs.iter().map(best).collect();
        Ok((best?, archive.tasks()?, found))
    };
    let Some((best, tasks, found)) = site.with_archive(read)? else {
        return Ok((html! {}, Json::Null));
    };
    let pages = (found.total as usize).div_ceil(PAGE).max(1);
    let one = |(program, best): (&ProgramRecord, &Option<ResultRecord>)| {
        let name = best.as_ref().and_then(|b| tasks.iter().find(|task| task.id == b.task));
        json!({
            "program": program.id.to_string(),
            "name": program.name,
            "task": name.map(|task| task.name.as_str()),
            "fits": best.as_ref().map(ResultRecord::solved),
            "demos": best.as_ref().map(ResultRecord::demos),
            "similarity": best.as_ref().map(|best| f64::from(best.similarity) / 1000.0),
            "calls": program.size,
            "origin": program.origin().to_string(),
            "text": program.text,
        })
    };
    let data = json!({
        "program_count": found.total,
        "page": page.min(pages),
        "page_count": pages,
        "programs": found.programs.iter().zip(&best).map(one).collect::<Vec<_>>(),
    });
    let thumb = |program: &ProgramRecord, at: Option<&Place>| {
        let entry = Entry::new(program.program().ok()?, &program.source);
        output(site, &entry, *at?)
    };
    let html = html! {
        p.summary role="status" { strong { (counted(found.total, "program")) } @if query.task.is_some() { " the best first" } @else { " the newest first" } }
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "task" } th { "output" } th { "text" } th.num { "fits" } th { "similarity" } th.num { "calls" } th.num { "cost" } th { "origin" } } }
                tbody {
                    @for (program, best) in found.programs.iter().zip(&best) {
                        @let task = best.as_ref().and_then(|best| tasks.iter().find(|task| task.id == best.task));
                        @let place = best.as_ref().and_then(|best| site.places(best.task).first());
                        @let set = place.map_or("", |at| site.sets[at.0].name.as_str());
                        tr {
                            td { a href=(program_url(program.id, place.map_or("", |at| &site.task(*at).id), set)) { code { (short(program.id)) } " " (program.name) } }
                            td {
                                @match (task, place) {
                                    (_, Some(at)) => (super::task::heading(site, *at)),
                                    (Some(task), None) => (task.name),
                                    _ => "",
                                }
                            }
                            td { @if let Some(grid) = thumb(program, place) { span.mini { (picture(&grid, look)) } } }
                            td { (preview(&program.text)) }
                            @if let Some(best) = best {
                                td.num { span class=(if best.is_solved() { "good" } else { "muted" }) { (best.solved()) "/" (best.demos()) } }
                                td { (meter(best.similarity)) }
                            } @else { td {} td {} }
                            td.num { (program.size) }
                            td.num { (grouped(program.cost)) }
                            td.muted { (program.origin()) }
                        }
                    }
                }
            }
        }
        (pager(params, page.min(pages), pages))
    };
    Ok((html, data))
}

fn from_files(site: &Site, look: &Look, params: &Params) -> (Markup, Json) {
    let text = params.get("q").unwrap_or_default().to_lowercase();
    let task = params.get("task");
    let takes = |entry: &&Entry| {
        let program = &entry.program;
        let in_text = || arcloom::text::print(program, arcloom::Form::Straight).contains(&text);
        task.is_none_or(|task| entry.task == task)
            && (text.is_empty()
                || program.name.to_lowercase().contains(&text)
                || entry.file.to_lowercase().contains(&text)
                || in_text())
    };
    let found: Vec<&Entry> = site.library.iter().filter(takes).collect();
    let pages = found.len().div_ceil(PAGE).max(1);
    let page = params.number("page").unwrap_or(1).clamp(1, pages);
    let shown = || found.iter().skip((page - 1) * PAGE).take(PAGE);
    let text_of = |entry: &Entry| arcloom::text::print(&entry.program, arcloom::Form::Straight);
    let one = |entry: &&Entry| {
        json!({
            "program": entry.program.id().to_string(),
            "name": entry.program.name,
            "task": entry.task,
            "calls": entry.program.size(),
            "origin": entry.file,
            "text": text_of(entry),
        })
    };
    let data = json!({
        "program_count": found.len(),
        "page": page,
        "page_count": pages,
        "programs": shown().map(one).collect::<Vec<_>>(),
    });
    let html = html! {
        p.summary role="status" { strong { (counted(found.len() as u64, "program")) } }
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "task" } th { "output" } th { "text" } th.num { "calls" } th { "origin" } } }
                tbody {
                    @for entry in shown() {
                        @let id = entry.program.id();
                        @let at = site.find_task(&entry.task, None);
                        @let set = at.map_or("", |at| site.sets[at.0].name.as_str());
                        tr {
                            td { a href=(program_url(id, at.map_or("", |_| &entry.task), set)) { code { (short(id)) } " " (entry.program.name) } }
                            td { @match at { Some(at) => (super::task::heading(site, at)), None => (entry.task) } }
                            td { @if let Some(grid) = at.and_then(|at| output(site, entry, at)) { span.mini { (picture(&grid, look)) } } }
                            td { (preview(&text_of(entry))) }
                            td.num { (entry.program.size()) }
                            td.muted { (entry.file) }
                        }
                    }
                }
            }
        }
        (pager(params, page, pages))
    };
    (html, data)
}
