//! One program: its text to edit, every step with its value on a pair, its parents, its results.

use arcloom::archive::{Archive, ProgramRecord, ResultRecord, ScoreRecord};
use arcloom::{Entry, Form, Program, one_program, text};
use maud::{Markup, html};
use serde_json::json;

use super::{Page, counted, diff, encode, grouped, meter, program_url, short, trace};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Place, Shown, Site};

/// Stored results that are listed, the best first.
const RESULTS: usize = 20;
/// Longest text that an address may contain.
const LONGEST_TEXT: usize = 24 << 10;
/// Where someone who writes a program begins.
const NEW: &str = "def solve(I):\n    O = identity(I)\n    return O\n";

pub(crate) fn page(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let shown = match id {
        "new" => {
            // A text that does not parse is shown all the same: its editor says what is wrong.
            let entry = params.get("text").and_then(|text| one_program("new", text).ok());
            let entry = match entry {
                Some(entry) => entry,
                None => one_program("new", NEW).map_err(Failure::Wrong)?,
            };
            Shown { id: entry.program.id(), entry, record: None }
        }
        _ => site.program(id)?,
    };
    let results = match &shown.record {
        Some(record) => {
            site.with_archive(|archive| archive.results(record.id))?.unwrap_or_default()
        }
        None => Vec::new(),
    };
    let at = place(site, &shown.entry, &results, params);
    let given = Some(params.text("text"));
    let given = given.filter(|text| !text.trim().is_empty() && text.len() <= LONGEST_TEXT);
    let edited = given.and_then(|text| one_program("given", text).ok());
    let pair = at.and_then(|at| trace::pair_number(site.task(at), params));
    let original = source(&shown.entry.program);
    let name = if id == "new" { "A new program" } else { &shown.entry.program.name };
    let on = at.map_or_else(String::new, |at| {
        format!("&task={}&set={}", encode(&site.task(at).id), encode(&site.sets[at.0].name))
    });
    let body = html! {
        header.head {
            h1 { (name) }
            span.badge.edited hidden[given.is_none()] data-edited { "edited" }
            @if id != "new" { code.muted { (short(shown.id)) } }
            span.muted {
                @match &shown.record {
                    Some(record) => (record.origin()),
                    None => (shown.entry.file),
                }
            }
            nav.beside {
                @if let Some(at) = at { span { "on " (super::task::heading(site, at)) } }
                @if shown.record.is_some() { a href={ "/lineage/" (short(shown.id)) } { "lineage" } }
                @if id != "new" { a href={ "/compare?a=" (short(shown.id)) (on) } data-pin=(short(shown.id)) { "compare" } }
            }
        }
        div.bench {
            section.editor aria-label="Program" {
                form action="/trace" method="post" data-editor {
                    @if let Some(at) = at {
                        input type="hidden" name="task" value=(site.task(at).id);
                        input type="hidden" name="set" value=(site.sets[at.0].name);
                    }
                    input type="hidden" name="pair" value=(params.text("pair"));
                    input type="hidden" name="program" value=(if id == "new" { "new".to_owned() } else { short(shown.id) });
                    div.pane {
                        div.gutter aria-hidden="true" {}
                        pre.paint aria-hidden="true" {}
                        textarea name="text" spellcheck="false" autocomplete="off" autocapitalize="off" aria-label="Text of the program" rows=(rows(&shown.entry.program)) data-original=(original) { "\n" (given.unwrap_or(&original)) }
                    }
                    p.status role="status" { }
                    p.tools {
                        button type="button" data-reset disabled { "Back to the original" }
                        button type="button" data-copy { "Copy" }
                        a.button download={ (name.replace(' ', "_")) ".py" } href="#" data-download { "Download" }
                        button type="button" data-share { "Link with this text" }
                        @if site.writable { button type="button" data-save="/save" { "Save to the archive" } }
                        label.check { input type="checkbox" data-wrap; " Wrap lines" }
                        span.muted { kbd { "e" } " edits, " kbd { "j" } " " kbd { "k" } " step" }
                    }
                }
                @if at.is_none() { (choose_task(site, &shown, id)) }
            }
            section.stage id="trace" aria-label="Steps" {
                @match at {
                    Some(at) => (trace::view(site, look, edited.as_ref().unwrap_or(&shown.entry), at, pair, &if id == "new" { "new".to_owned() } else { short(shown.id) })),
                    None => p.empty { "Choose a task to see what every line computes." },
                }
            }
            aside.lens aria-label="The chosen step" hidden { }
        }
        (kin(site, &shown, 2)?)
        (standing(site, &shown, &results)?)
    };
    let title = format!("{name} {}", if id == "new" { String::new() } else { short(shown.id) });
    let data = || {
        let result = |result: &ResultRecord| {
            json!({
                "task": result.task.to_string(),
                "fits": result.solved(),
                "demos": result.demos(),
                "similarity": f64::from(result.similarity) / 1000.0,
                "work": result.work,
                "validated": result.validated,
            })
        };
        let origin = shown.record.as_ref().map(|record| record.origin().to_string());
        json!({
            "program": shown.id.to_string(),
            "name": shown.entry.program.name,
            "text": original,
            "calls": shown.entry.program.size(),
            "origin": origin.unwrap_or_else(|| shown.entry.file.clone()),
            "parents": shown.record.iter().flat_map(|r| &r.parents).map(ToString::to_string).collect::<Vec<_>>(),
            "results": results.iter().map(result).collect::<Vec<_>>(),
        })
    };
    Ok(Page::new(title, "Programs", body).with("steps.js").data(look, data))
}

/// The program as text under its name.
fn source(program: &Program) -> String {
    text::print(program, Form::Straight)
}

fn rows(program: &Program) -> usize {
    (source(program).lines().count() + 1).clamp(6, 40)
}

/// The task to show it on: the one asked for, its own, or the one it does best on.
fn place(site: &Site, entry: &Entry, results: &[ResultRecord], params: &Params) -> Option<Place> {
    if let Some(id) = params.get("task") {
        return site.find_task(id, params.get("set")).or_else(|| site.find_task(id, None));
    }
    let best = results.iter().max_by_key(|r| (r.is_solved(), r.solved(), r.similarity));
    let stored = best.and_then(|best| site.places(best.task).first().copied());
    stored.or_else(|| site.find_task(&entry.task, None))
}

fn choose_task(site: &Site, shown: &Shown, id: &str) -> Markup {
    html! {
        form.choose action={ "/program/" (if id == "new" { "new".to_owned() } else { short(shown.id) }) } {
            label { "Show it on task " input name="task" list="tasks" required; }
            datalist id="tasks" { @for set in &site.sets { @for task in set.tasks.iter().take(400) { option value=(task.id) {} } } }
            button { "Show" }
        }
    }
}

/// Parents, and what is different from them; `level` is that of its heading.
pub(crate) fn kin(site: &Site, shown: &Shown, level: u8) -> Result<Markup, Failure> {
    let Some(record) = &shown.record else { return Ok(html! {}) };
    let read = |archive: &Archive| -> Result<Vec<Option<ProgramRecord>>, _> {
        record.parents.iter().map(|id| archive.program(*id)).collect()
    };
    let parents = site.with_archive(read)?.unwrap_or_default();
    let mut compared: Vec<(ProgramRecord, Program)> = Vec::new();
    for parent in parents.into_iter().flatten() {
        let program = parent.program()?;
        compared.push((parent, program));
    }
    Ok(html! {
        @if !compared.is_empty() {
            section.kin {
                @let head = html! { "Made " @if let Some(operator) = &record.operator { "by " code { (operator) } " " } "from" };
                @if level == 2 { h2 { (head) } } @else { h3 { (head) } }
                @for (parent, program) in &compared {
                    article {
                        p.about { a href=(program_url(parent.id, "", "")) { code { (short(parent.id)) } " " (parent.name) } " " span.muted { (parent.origin()) } }
                        (diff::view(program, &shown.entry.program))
                    }
                }
            }
        }
    })
}

/// Stored results and scores.
fn standing(site: &Site, shown: &Shown, results: &[ResultRecord]) -> Result<Markup, Failure> {
    let Some(record) = &shown.record else { return Ok(html! {}) };
    let read = |archive: &Archive| Ok((archive.scores(record.id)?, archive.tasks()?));
    let Some((scores, tasks)) = site.with_archive(read)? else { return Ok(html! {}) };
    let name = |result: &ResultRecord| {
        tasks.iter().find(|task| task.id == result.task).map_or("?", |task| task.name.as_str())
    };
    let mut results: Vec<&ResultRecord> = results.iter().collect();
    results.sort_by_key(|r| std::cmp::Reverse((r.is_solved(), r.solved(), r.similarity)));
    let rest = results.len().saturating_sub(RESULTS);
    let of = |result: &ResultRecord| -> Vec<&ScoreRecord> {
        scores.iter().filter(|score| score.task == result.task).collect()
    };
    Ok(html! {
        @if !results.is_empty() {
            section {
                h2 { "Stored results" }
                div.scroll {
                    table.list {
                        thead { tr { th { "task" } th { "fits" } th { "similarity" } th.num { "work" } th { "validated" } th { "differs" } } }
                        tbody {
                            @for &result in results.iter().take(RESULTS) {
                                tr {
                                    td { a href={ "/task/" (encode(name(result))) "?program=" (short(record.id)) } { (name(result)) } }
                                    td { span class=(if result.is_solved() { "good" } else { "muted" }) { (result.solved()) " of " (result.demos()) } }
                                    td { (meter(result.similarity)) }
                                    td.num { (grouped(result.work)) }
                                    td { @match result.validated { Some(true) => "yes", Some(false) => "no", None => "" } }
                                    td {
                                        @let scores = of(result);
                                        @if !scores.is_empty() {
                                            details { summary { (counted(scores.len() as u64, "score")) }
                                                ul.scores { @for score in scores { li { (score.differ) " " (score.score) } } }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                @if rest > 0 { p.muted { "and " (counted(rest as u64, "more task")) } }
            }
        }
    })
}
