//! Programs, a page at a time: those of the archive, and those from files.

use arcloom::Entry;
use arcloom::archive::{PageQuery, ProgramRecord, ResultRecord, RunNumber};
use maud::{Markup, html};

use super::{Page, counted, grouped, meter, pager, program_url, short};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Programs on one page.
const PAGE: usize = 50;

pub(crate) fn page(site: &Site, _: &Look, params: &Params) -> Result<Page, Failure> {
    let has_archive = site.with_archive(|_| Ok(()))?.is_some();
    let files = params.get("from") == Some("files") || !has_archive;
    let results = if files { from_files(site, params) } else { from_archive(site, params)? };
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
        section id="results" aria-live="polite" { (results) }
    };
    Ok(Page { title: "Programs".to_owned(), area: "Programs", module: None, body })
}

fn from_archive(site: &Site, params: &Params) -> Result<Markup, Failure> {
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
    let Some((best, tasks, found)) = site.with_archive(read)? else { return Ok(html! {}) };
    let pages = (found.total as usize).div_ceil(PAGE).max(1);
    Ok(html! {
        p.summary { strong { (counted(found.total, "program")) } @if query.task.is_some() { " the best first" } @else { " the newest first" } }
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "task" } th.num { "fits" } th { "similarity" } th.num { "calls" } th.num { "cost" } th { "from" } } }
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
    })
}

fn from_files(site: &Site, params: &Params) -> Markup {
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
    html! {
        p.summary { strong { (counted(found.len() as u64, "program")) } }
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "task" } th.num { "calls" } th { "file" } } }
                tbody {
                    @for entry in found.iter().skip((page - 1) * PAGE).take(PAGE) {
                        @let id = entry.program.id();
                        @let at = site.find_task(&entry.task, None);
                        @let set = at.map_or("", |at| site.sets[at.0].name.as_str());
                        tr {
                            td { a href=(program_url(id, at.map_or("", |_| &entry.task), set)) { code { (short(id)) } " " (entry.program.name) } }
                            td { @match at { Some(at) => (super::task::heading(site, at)), None => (entry.task) } }
                            td.num { (entry.program.size()) }
                            td.muted { (entry.file) }
                        }
                    }
                }
            }
        }
        (pager(params, page, pages))
    }
}
