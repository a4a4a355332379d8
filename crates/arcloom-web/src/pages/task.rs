//! One task: what is handed in beside the expected outputs, all proposals by rank, the demos, and all
//! programs for it.

use std::sync::Arc;

use arcloom::archive::{Archive, ProgramRecord, ResultRecord};
use arcloom::run_task::run_tasks;
use arcloom::{
    Attempts, Entry, Evaluation, Form, Grid, Output, ProgramId, RunTask, StoredProposal, Task,
    TaskState, TaskView, Verdict, one_program, text, verdict,
};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::answers::{self, marked, prediction, state_of, state_of_grid};
use super::matrix::RunKey;
use super::tasks::{self, picture};
use super::{
    Page, badge, counted, encode, meter, program_url, seconds, short, similarity, task_url,
    verdict_json,
};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Place, Site};
use crate::standing::{Standing, wrong_of};

/// Most stored programs in the list of a task.
const LISTED: usize = 40;
/// Pixels a side of a grid takes, and one of a proposal's.
const ROOM: usize = 230;
const SMALL: usize = 170;
/// Lines of a program that a list shows.
const PREVIEW: usize = 3;

/// What somebody hands in: an archive, the library, or one run.
struct Side {
    /// Who, where there are several.
    name: String,
    verdict: Option<Verdict>,
    origin: String,
    program: Option<ProgramId>,
    attempts: Arc<Attempts>,
    doubt: Option<i64>,
    confidence: Option<f64>,
    seconds: Option<f64>,
    similarity: u32,
}

impl Side {
    fn of_standing(standing: &Standing, look: &Look) -> Side {
        Side {
            name: look.scope.name().to_owned(),
            verdict: standing.verdict,
            origin: standing.origin.clone(),
            program: standing.best,
            attempts: standing.attempts.clone(),
            doubt: standing.doubt,
            confidence: None,
            seconds: standing.seconds,
            similarity: standing.similarity,
        }
    }

    fn of_run(name: String, row: &RunTask, task: &Task) -> Side {
        Side {
            name,
            verdict: Some(row.verdict(Some(task))),
            origin: row.origin.clone(),
            program: row.program,
            attempts: Arc::new(row.attempts.clone()),
            doubt: row.doubt,
            confidence: row.proposals.first().and_then(|first| first.confidence),
            seconds: row.seconds,
            similarity: row.similarity,
        }
    }
}

/// A program in the list.
struct Ranked {
    id: ProgramId,
    name: String,
    from: String,
    text: String,
    size: u64,
    verdict: Verdict,
    similarity: u32,
    /// Its output for the first test, or for the first demo where there is none.
    output: Option<Grid>,
}

pub(crate) fn page(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let found = site.find_task(id, params.get("set"));
    let at = found
        .ok_or_else(|| Failure::Missing(format!("There is no task `{id}` in the loaded sets.")))?;
    let task = site.task(at);
    let set = &site.sets[at.0];
    let boards = site.boards()?;
    let standing = &boards.of(look.scope)[at.0][at.1];
    let runs: Vec<RunTask> = if look.scope.has_archive() {
        let read = |archive: &Archive| run_tasks(archive, None, Some(task.visible_id()), true);
        site.with_archive(read)?.unwrap_or_default()
    } else {
        Vec::new()
    };
    let asked: Vec<RunKey> = ["run", "with"]
        .iter()
        .filter_map(|name| params.get(name).and_then(RunKey::parse))
        .collect();
    let (sides, source) = sides(site, look, (task, standing), &asked, &runs)?;
    let (ranked, more) = ranked(site, task, look)?;
    let chosen = match params.get("program") {
        Some(name) => Some(site.program(name)?.entry),
        None => {
            let first = sides.first().and_then(|side| side.program);
            let best = first.or_else(|| ranked.first().map(|best| best.id));
            best.and_then(|id| find_program(site, id, source.as_ref()))
        }
    };
    let given = chosen.as_ref().map(|entry| evaluate(site, entry, task));
    let list = Params::of_query(params.get("in").unwrap_or_default());
    let beside = |place: Option<&Place>| {
        place.map(|place| {
            let url = task_url(&site.task(*place).id, &site.sets[place.0].name);
            let list = params.get("in").map(|list| format!("&in={}", encode(list)));
            (site.task(*place).id.as_str(), format!("{url}{}", list.unwrap_or_default()))
        })
    };
    let order: Vec<Place> = match params.get("in") {
        Some(_) => tasks::listed(site, &boards.of(look.scope), &list),
        None => (0..set.tasks.len()).map(|t| Place(at.0, t)).collect(),
    };
    let position = order.iter().position(|place| *place == at);
    let before = beside(position.and_then(|n| order.get(n.checked_sub(1)?)));
    let after = beside(position.and_then(|n| order.get(n + 1)));
    let public = set.name.starts_with("arc1") || set.name.starts_with("arc2");
    let state =
        sides.first().and_then(|side| side.verdict).map_or(TaskState::Untried, |v| v.state());
    let body = html! {
        header.head {
            h1 { (task.id) }
            (badge(state))
            span.muted { (set.name) " · " (counted(task.demos.len() as u64, "demo")) ", " (counted(task.tests.len() as u64, "test")) }
            nav.beside aria-label="Neighbours" {
                @if let (Some(_), Some(n)) = (params.get("in"), position) {
                    a href={ "/tasks?" (list.query_without(&[])) } title="back to the list" { (n + 1) " of " (order.len()) }
                }
                @if let Some((id, url)) = &before { a rel="prev" href=(url) title="previous task" { "← " (id) } }
                @if let Some((id, url)) = &after { a rel="next" href=(url) title="next task" { (id) " →" } }
                @if public {
                    a.out href={ "https://arcprize.org/play?task=" (encode(&task.id)) } rel="noreferrer noopener external" target="_blank" { "play it ↗" }
                }
            }
        }
        section aria-labelledby="handed-in" {
            h2 id="handed-in" { "Handed in" }
            @for side in &sides {
                @let stored = side.program.filter(|id| site.program(&id.to_string()).is_ok());
                (about(side, stored, &task.id, &set.name, sides.len() > 1))
            }
            div.pairs {
                @for (t, test) in task.tests.iter().enumerate() {
                    (test_card(t, &test.input, verdict::expected(task, task.demos.len() + t), &sides, look))
                }
            }
        }
        @if let Some(row) = source.as_ref().filter(|row| !row.proposals.is_empty()) {
            (proposals(site, row, (task, &set.name), look)?)
        }
        section aria-labelledby="demos" {
            h2 id="demos" { "Demos" }
            @if let Some(entry) = &chosen {
                p.muted {
                    "Beside the expected outputs: those of "
                    (entry.program.name) ". Wrong cells stand out."
                }
            }
            div.pairs {
                @for (n, pair) in task.demos.iter().enumerate() {
                    @let output = given.as_ref().map(|given| (&given.outputs.demos[n], given.fit.scores()[n]));
                    (demo_card(&verdict::pair_name(task, n), &pair.input, &pair.output, output, look))
                }
            }
        }
        @if !runs.is_empty() { (run_list(&runs, (task, &set.name))) }
        section aria-labelledby="programs" {
            h2 id="programs" { "Programs" }
            @if ranked.is_empty() {
                p.empty { "No program was tried on this task. "
                    a href={ "/program/new?task=" (encode(&task.id)) "&set=" (encode(&set.name)) } { "Write one" } " and see at once what it gives." }
            } @else {
                (programs(&ranked, task, &set.name, chosen.as_ref(), look))
                @if more { p { a href={ "/programs?task=" (encode(&task.id)) } { "All programs of the archive for this task" } } }
            }
        }
    };
    let data = || {
        json!({
            "task": task.id,
            "set": set.name,
            "scope": look.scope.name(),
            "state": state.name(),
            "results": sides.iter().map(|side| side_json(side, task)).collect::<Vec<_>>(),
            "proposals": source.as_ref().map(|row| row.proposals.iter().map(proposal_json).collect::<Vec<_>>()),
            "programs": ranked.iter().map(ranked_json).collect::<Vec<_>>(),
            "previous": before.as_ref().map(|(id, _)| *id),
            "next": after.as_ref().map(|(id, _)| *id),
        })
    };
    Ok(Page::new(format!("Task {}", task.id), "Tasks", body).data(look, data))
}

/// A program that is stored or loaded, or that a proposal has as text.
fn find_program(site: &Site, id: ProgramId, source: Option<&RunTask>) -> Option<Entry> {
    if let Ok(shown) = site.program(&id.to_string()) {
        return Some(shown.entry);
    }
    let texts = source.iter().flat_map(|row| &row.proposals).filter_map(|p| p.program.as_ref());
    let mut entries = texts.filter_map(|text| one_program("proposal", text).ok());
    entries.find(|entry| entry.program.id() == id)
}

/// Who hands in: the runs that are asked for, or whoever counts; and where the proposals are from.
fn sides(
    site: &Site,
    look: &Look,
    (task, standing): (&Task, &Standing),
    asked: &[RunKey],
    runs: &[RunTask],
) -> Result<(Vec<Side>, Option<RunTask>), Failure> {
    let latest = || runs.iter().rev().find(|row| !row.proposals.is_empty()).cloned();
    if asked.is_empty() {
        let mut side = Side::of_standing(standing, look);
        let source = latest().filter(|_| look.scope.has_archive());
        side.confidence = source
            .as_ref()
            .filter(|row| row.attempts == *standing.attempts)
            .and_then(|row| row.proposals.first()?.confidence);
        return Ok((vec![side], source));
    }
    let (mut sides, mut source) = (Vec::new(), None);
    for key in asked {
        let mut rows = key.tasks(site, Some(task.visible_id()), true)?;
        let name = key.label(site);
        match rows.pop() {
            Some(row) => {
                sides.push(Side::of_run(name, &row, task));
                source = source.or(Some(row));
            }
            None => sides.push(Side { name, ..Side::of_standing(&Standing::default(), look) }),
        }
    }
    Ok((sides, source))
}

/// A line about what is handed in.
fn about(side: &Side, stored: Option<ProgramId>, task: &str, set: &str, several: bool) -> Markup {
    let handed = side.attempts.tests().iter().any(|grids| !grids.is_empty());
    html! {
        p.about {
            @if several { strong { (side.name) } " " }
            @if let Some(verdict) = side.verdict { (badge(verdict.state())) " fits " (verdict.fits) "/" (verdict.demos) }
            @else { "Nothing was tried on this task." }
            @if side.verdict.is_some() && !handed { span.muted { "nothing was handed in" } }
            @if !side.origin.is_empty() { span { "origin " strong { (side.origin) } } }
            @if let Some(confidence) = side.confidence { span { "confidence " (format!("{:.0} %", 100.0 * confidence)) } }
            @if let Some(doubt) = side.doubt { span title="less is better" { "doubt " (doubt) } }
            @if let Some(time) = side.seconds { span { (seconds(time)) } }
            @if side.verdict.is_some() { span { "similarity " (similarity(side.similarity)) } }
            @if let Some(id) = stored { a href=(program_url(id, task, set)) { "program " code { (short(id)) } } }
        }
    }
}

/// A test: the attempts beside the expected output.
fn test_card(
    test: usize,
    input: &Grid,
    expected: Option<&Grid>,
    sides: &[Side],
    look: &Look,
) -> Markup {
    html! {
        article.pair.test {
            h3 { "test " (test + 1) }
            div.grids {
                figure { (look.grid(input, ROOM)) figcaption { "input" } }
                span.arrow aria-hidden="true" { "→" }
                figure {
                    @match expected { Some(expected) => (look.grid(expected, ROOM)), None => span.unknown { "?" } }
                    figcaption { "expected" }
                }
                @for side in sides {
                    @let grids = side.attempts.of_test(test);
                    div.answers {
                        @if sides.len() > 1 { p.muted { (side.name) } }
                        @for n in 0..2 {
                            figure.given data-attempt=(n + 1) {
                                @match grids.get(n) {
                                    Some(grid) => (marked(grid, expected, look, ROOM)),
                                    None => span.unknown { "–" },
                                }
                                figcaption {
                                    "attempt " (n + 1) " "
                                    @match grids.get(n) { Some(grid) => (state_of_grid(grid, expected)), None => span.muted { "none" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// All proposals of a run by rank.
fn proposals(
    site: &Site,
    row: &RunTask,
    (task, set): (&Task, &str),
    look: &Look,
) -> Result<Markup, Failure> {
    let link = |proposal: &StoredProposal| -> Result<Option<String>, Failure> {
        let Some(text) = &proposal.program else { return Ok(None) };
        let id = one_program("proposal", text).ok().map(|entry| entry.program.id());
        let stored = match id {
            Some(id) => site.with_archive(|archive| archive.has_program(id))?.unwrap_or(false),
            None => false,
        };
        let at = format!("task={}&set={}", encode(&task.id), encode(set));
        Ok(Some(match id.filter(|_| stored) {
            Some(id) => program_url(id, &task.id, set),
            None => format!("/program/new?{at}&text={}", encode(text)),
        }))
    };
    let links: Vec<Option<String>> =
        row.proposals.iter().map(link).collect::<Result<_, Failure>>()?;
    Ok(html! {
        section aria-labelledby="proposals" {
            h2 id="proposals" { "Proposals " span.muted { "by rank, of run " a href={ "/run/" (row.run.0) } { (row.run.0) } } }
            ol.proposals {
                @for (n, (proposal, link)) in row.proposals.iter().zip(&links).enumerate() {
                    li.proposal data-rank=(n + 1) {
                        h3 { (n + 1) ". " (proposal.origin) }
                        p.about {
                            span { "fits " (proposal.fits) "/" (task.demos.len()) }
                            @if let Some(confidence) = proposal.confidence { span { "confidence " (format!("{:.0} %", 100.0 * confidence)) } }
                            span title="less is better" { "doubt " (proposal.doubt) }
                            @if let Some(link) = link { a href=(link) { "edit" } }
                        }
                        div.grids {
                            @for (t, output) in proposal.outputs.iter().enumerate() {
                                @let expected = verdict::expected(task, task.demos.len() + t);
                                figure {
                                    (marked(output, expected, look, SMALL))
                                    figcaption {
                                        @if proposal.outputs.len() > 1 { "test " (t + 1) " " }
                                        (state_of_grid(output, expected))
                                        @if let Some(k) = row.attempts.of_test(t).iter().position(|grid| grid == output) { " " span.tag { "attempt " (k + 1) } }
                                    }
                                }
                            }
                        }
                        @if let Some(text) = &proposal.program {
                            pre.code tabindex="0" aria-label={ "Program of proposal " (n + 1) } { code { (text.trim_end()) } }
                        }
                    }
                }
            }
        }
    })
}

/// What each run handed in.
fn run_list(runs: &[RunTask], (task, set): (&Task, &str)) -> Markup {
    let last = runs.last().map(|row| row.run);
    html! {
        section aria-labelledby="in-runs" {
            h2 id="in-runs" { "In runs" }
            div.scroll {
                table.list {
                    thead { tr { th { "run" } th { "state" } th.num { "fits" } th { "origin" } th { "similarity" } th.num { "doubt" } th.num { "wrong cells" } th.num { "time" } th { span.hidden { "answers" } } } }
                    tbody {
                        @for row in runs {
                            @let verdict = row.verdict(Some(task));
                            @let key = RunKey::of_run(row.run);
                            tr {
                                td { a href={ "/run/" (row.run.0) } { "run " (row.run.0) } }
                                td { (badge(verdict.state())) }
                                td.num { (verdict.fits) "/" (verdict.demos) }
                                td { (row.origin) }
                                td { (meter(row.similarity)) }
                                td.num { @if let Some(doubt) = row.doubt { (doubt) } }
                                td.num { @if let Some(wrong) = wrong_of(task, &row.attempts) { (wrong) } }
                                td.num { @if let Some(time) = row.seconds { (seconds(time)) } }
                                td {
                                    a href={ (task_url(&task.id, set)) "&run=" (key) } { "answers" }
                                    @if let Some(last) = last.filter(|last| *last != row.run) {
                                        " · " a href={ (task_url(&task.id, set)) "&run=" (key) "&with=" (RunKey::of_run(last)) } { "beside the last" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A program on all pairs.
pub(crate) fn evaluate(site: &Site, entry: &Entry, task: &Task) -> Evaluation {
    site.engine.evaluate(&mut live::machine(&site.engine), &entry.plan, &TaskView::new(task))
}

fn demo_card(
    title: &str,
    input: &Grid,
    expected: &Grid,
    output: Option<(&Output, u32)>,
    look: &Look,
) -> Markup {
    html! {
        article.pair {
            h3 { (title) @if let Some((output, near)) = output { " " (state_of(output, Some(expected))) @if near < 1000 { " " small.muted { (similarity(near)) } } } }
            div.grids {
                figure { (look.grid(input, ROOM)) figcaption { "input" } }
                span.arrow aria-hidden="true" { "→" }
                figure { (look.grid(expected, ROOM)) figcaption { "expected" } }
                @if let Some((output, _)) = output {
                    @if output.as_ref().ok() != Some(expected) {
                        figure.given { (prediction(output, Some(expected), look, ROOM)) figcaption { "output" } }
                    }
                }
            }
        }
    }
}

/// Programs for a task, the best first, and whether the archive has more.
fn ranked(site: &Site, task: &Task, look: &Look) -> Result<(Vec<Ranked>, bool), Failure> {
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut add = |entry: &Entry, id: ProgramId, from: String| {
        if ranked.iter().any(|known| known.id == id) {
            return;
        }
        let found = evaluate(site, entry, task);
        let output = found.outputs.tests.first().or_else(|| found.outputs.demos.first());
        ranked.push(Ranked {
            id,
            name: entry.program.name.clone(),
            from,
            text: text::print(&entry.program, Form::Straight),
            size: entry.program.size() as u64,
            verdict: Verdict::of_program(task, &found),
            similarity: found.fit.similarity(),
            output: output.and_then(|output| output.as_ref().ok()).cloned(),
        });
    };
    if look.scope.has_library() {
        for entry in site.library.iter().filter(|entry| entry.task == task.id) {
            add(entry, entry.program.id(), entry.file.clone());
        }
    }
    let mut more = false;
    if look.scope.has_archive() {
        let stored: Vec<(ProgramRecord, ResultRecord)> = site
            .with_archive(|archive| archive.best(task.visible_id(), LISTED + 1))?
            .unwrap_or_default();
        more = stored.len() > LISTED;
        for (record, _) in stored.iter().take(LISTED) {
            let entry = Entry::new(record.program()?, &record.source);
            add(&entry, record.id, record.origin().to_string());
        }
    }
    ranked.sort_by(|a, b| {
        let key = |r: &Ranked| (r.verdict.state(), r.verdict.fits, r.similarity);
        key(b).cmp(&key(a)).then(a.size.cmp(&b.size)).then(a.id.cmp(&b.id))
    });
    Ok((ranked, more))
}

/// The first lines of a program, without its head.
pub(crate) fn preview(text: &str) -> Markup {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| {
            !line.starts_with("def ") && !line.starts_with("return ") && !line.is_empty()
        })
        .collect();
    html! {
        code.preview {
            @for line in lines.iter().take(PREVIEW) { span { (super::clip(line, 90)) } }
            @if lines.len() > PREVIEW { span.muted { "… " (counted((lines.len() - PREVIEW) as u64, "more line")) } }
        }
    }
}

fn programs(
    ranked: &[Ranked],
    task: &Task,
    set: &str,
    chosen: Option<&Entry>,
    look: &Look,
) -> Markup {
    let chosen = chosen.map(|entry| entry.program.id());
    html! {
        div.scroll {
            table.list {
                thead { tr { th { "program" } th { "output" } th { "text" } th { "state" } th.num { "fits" } th { "similarity" } th.num { "calls" } th { "origin" } th { span.hidden { "demos" } } } }
                tbody {
                    @for one in ranked {
                        tr aria-current=[(chosen == Some(one.id)).then_some("true")] {
                            td { a href=(program_url(one.id, &task.id, set)) { code { (short(one.id)) } " " (one.name) } }
                            td { @if let Some(grid) = &one.output { span.mini { (picture(grid, look)) } } }
                            td { (preview(&one.text)) }
                            td { (badge(one.verdict.state())) }
                            td.num { (one.verdict.fits) "/" (one.verdict.demos) }
                            td { (meter(one.similarity)) }
                            td.num { (one.size) }
                            td.muted { (one.from) }
                            td { a href={ (task_url(&task.id, set)) "&program=" (short(one.id)) } { "show on demos" } }
                        }
                    }
                }
            }
        }
    }
}

fn side_json(side: &Side, task: &Task) -> Json {
    let attempts = side.attempts.tests().iter();
    let attempts = attempts.map(|grids| grids.iter().map(answers::rows).collect::<Vec<_>>());
    json!({
        "name": side.name,
        "verdict": verdict_json(side.verdict),
        "similarity": f64::from(side.similarity) / 1000.0,
        "origin": side.origin,
        "program": side.program.map(|id| id.to_string()),
        "doubt": side.doubt,
        "confidence": side.confidence,
        "seconds": side.seconds,
        "wrong_cell_count": wrong_of(task, &side.attempts),
        "attempts": attempts.collect::<Vec<_>>(),
    })
}

fn proposal_json(proposal: &StoredProposal) -> Json {
    json!({
        "origin": proposal.origin,
        "fits": proposal.fits,
        "doubt": proposal.doubt,
        "confidence": proposal.confidence,
        "program": proposal.program,
        "outputs": proposal.outputs.iter().map(answers::rows).collect::<Vec<_>>(),
    })
}

fn ranked_json(one: &Ranked) -> Json {
    json!({
        "program": one.id.to_string(),
        "name": one.name,
        "origin": one.from,
        "calls": one.size,
        "verdict": verdict_json(Some(one.verdict)),
        "similarity": f64::from(one.similarity) / 1000.0,
        "text": one.text,
    })
}

// Keeps the place of a task nameable for other pages.
pub(crate) fn heading(site: &Site, at: Place) -> Markup {
    let (task, set) = (site.task(at), &site.sets[at.0].name);
    html! { a href=(task_url(&task.id, set)) { (task.id) } }
}
