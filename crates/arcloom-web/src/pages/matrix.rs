//! Tasks against runs, of one archive or of several: what each run has for each task, and what one run
//! gained and lost against another.

use std::collections::BTreeMap;
use std::fmt;

use arcloom::archive::{Archive, RunKind, RunNumber, StoreError, TaskId};
use arcloom::run_task::run_tasks;
use arcloom::standing::standings;
use arcloom::{RunTask, StandingCounts, Task, TaskState, Verdict};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::{Page, badge, counted, grouped, verdict_json};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;
use crate::standing::wrong_of;

/// Most columns: as many as are read beside each other. The latest come first to be chosen.
const COLUMNS: usize = 10;

/// A run of one of the archives; without a number, what the archive as a whole hands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunKey {
    archive: usize,
    run: Option<RunNumber>,
}

impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.run {
            Some(run) => write!(f, "{}.{}", self.archive, run.0),
            None => write!(f, "{}.all", self.archive),
        }
    }
}

impl RunKey {
    /// A run of the first archive.
    pub(crate) fn of_run(run: RunNumber) -> RunKey {
        RunKey { archive: 0, run: Some(run) }
    }

    /// `0.3` is run 3 of the first archive, as is `3`; `1.all` is all of the second one.
    pub(crate) fn parse(text: &str) -> Option<RunKey> {
        let (archive, run) = text.split_once('.').unwrap_or(("0", text));
        let run = if run == "all" { None } else { Some(RunNumber(run.parse().ok()?)) };
        Some(RunKey { archive: archive.parse().ok()?, run })
    }

    /// What people call it.
    pub(crate) fn label(&self, site: &Site) -> String {
        let several = site.stores().count() > 1;
        let name = site.stores().nth(self.archive).map(|store| store.name()).unwrap_or_default();
        match self.run {
            Some(run) if several => format!("{name}, run {}", run.0),
            Some(run) => format!("run {}", run.0),
            None => name,
        }
    }

    /// The address of its page.
    pub(crate) fn url(&self) -> Option<String> {
        let run = self.run.filter(|_| self.archive == 0)?;
        Some(format!("/run/{}", run.0))
    }

    /// What it has for all tasks, or for one.
    pub(crate) fn tasks(
        &self,
        site: &Site,
        task: Option<TaskId>,
        proposals: bool,
    ) -> Result<Vec<RunTask>, Failure> {
        let mut machine = live::machine(&site.engine);
        let read = |archive: &Archive| match self.run {
            Some(run) => run_tasks(archive, Some(run), task, proposals),
            None => {
                let found = standings(archive, &site.sets, &mut machine)?;
                let found = found.into_iter().map(|one| one.standing);
                let found = found.filter(|standing| task.is_none_or(|task| standing.task == task));
                Ok(found
                    .map(|standing| RunTask {
                        run: RunNumber(0),
                        task: standing.task,
                        name: standing.name,
                        demos: standing.demos,
                        fits: standing.fits,
                        similarity: standing.similarity,
                        origin: standing.origin,
                        program: standing.program,
                        attempts: standing.attempts,
                        proposals: Vec::new(),
                        doubt: None,
                        seconds: None,
                    })
                    .collect())
            }
        };
        Ok(site.with_archive_number(self.archive, read)?.unwrap_or_default())
    }
}

/// The runs of all archives that have handed something in; an archive without any stands as a whole.
pub(crate) fn keys(site: &Site) -> Result<Vec<RunKey>, Failure> {
    let mut keys = Vec::new();
    for archive in 0..site.stores().count() {
        let read = |archive: &Archive| -> Result<Vec<RunNumber>, StoreError> {
            let runs = archive.runs()?.into_iter().filter(|run| run.kind != RunKind::Part);
            let mut numbers = Vec::new();
            for run in runs {
                if archive.has_run_tasks(run.number)? {
                    numbers.push(run.number);
                }
            }
            Ok(numbers)
        };
        let Some(runs) = site.with_archive_number(archive, read)? else { continue };
        let of = |run| RunKey { archive, run };
        match runs.is_empty() {
            true => keys.push(of(None)),
            false => keys.extend(runs.into_iter().map(|run| of(Some(run)))),
        }
    }
    Ok(keys)
}

/// The task of an identity, with its set, where a loaded set has it.
pub(crate) fn known(site: &Site, task: TaskId) -> Option<(&Task, &str)> {
    let at = *site.places(task).first()?;
    Some((site.task(at), site.sets[at.0].name.as_str()))
}

/// One run in the matrix.
struct Column {
    key: RunKey,
    label: String,
    tasks: BTreeMap<TaskId, (RunTask, Verdict)>,
    counts: StandingCounts,
}

impl Column {
    fn read(site: &Site, key: RunKey) -> Result<Column, Failure> {
        let judged = |row: RunTask| {
            let verdict = row.verdict(known(site, row.task).map(|(task, _)| task));
            (row.task, (row, verdict))
        };
        let tasks: BTreeMap<TaskId, (RunTask, Verdict)> =
            key.tasks(site, None, false)?.into_iter().map(judged).collect();
        let counts = StandingCounts::of(tasks.values().map(|(_, verdict)| *verdict));
        Ok(Column { label: key.label(site), key, tasks, counts })
    }

    fn state(&self, task: TaskId) -> TaskState {
        self.tasks.get(&task).map_or(TaskState::Untried, |(_, verdict)| verdict.state())
    }
}

/// How a task changed from one run to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Gained,
    Lost,
    Same,
}

impl Change {
    const ALL: [Change; 3] = [Change::Gained, Change::Lost, Change::Same];

    fn name(self) -> &'static str {
        match self {
            Change::Gained => "gained",
            Change::Lost => "lost",
            Change::Same => "same",
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Change::Gained => "▲",
            Change::Lost => "▼",
            Change::Same => "=",
        }
    }

    fn of(before: TaskState, after: TaskState) -> Change {
        match after.cmp(&before) {
            std::cmp::Ordering::Greater => Change::Gained,
            std::cmp::Ordering::Less => Change::Lost,
            std::cmp::Ordering::Equal => Change::Same,
        }
    }
}

/// A row of the matrix.
struct Row {
    task: TaskId,
    name: String,
    change: Change,
}

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let keys = keys(site)?;
    if keys.is_empty() {
        return Ok(nothing(site, look));
    }
    let named = |name: &str| params.get(name).and_then(RunKey::parse).filter(|k| keys.contains(k));
    let after = named("b").unwrap_or(keys[keys.len() - 1]);
    let at = keys.iter().position(|key| *key == after).unwrap_or(0);
    let before = named("a").unwrap_or(keys[at.saturating_sub(1)]);
    // The two that are compared, and the latest of the others.
    let mut shown: Vec<RunKey> = keys.iter().rev().copied().take(COLUMNS).collect();
    shown
        .extend([before, after].into_iter().filter(|key| !shown.contains(key)).collect::<Vec<_>>());
    shown.sort_unstable();
    let columns: Vec<Column> =
        shown.iter().map(|key| Column::read(site, *key)).collect::<Result<_, _>>()?;
    let of = |key: RunKey| columns.iter().find(|column| column.key == key);
    let (Some(first), Some(second)) = (of(before), of(after)) else {
        return Ok(nothing(site, look));
    };
    let mut names: BTreeMap<TaskId, &str> = BTreeMap::new();
    for column in &columns {
        names.extend(column.tasks.iter().map(|(task, (row, _))| (*task, row.name.as_str())));
    }
    let row = |(&task, &name): (&TaskId, &&str)| {
        let change = Change::of(first.state(task), second.state(task));
        Row { task, name: name.to_owned(), change }
    };
    let mut rows: Vec<Row> = names.iter().map(row).collect();
    rows.sort_by(|a, b| a.name.cmp(&b.name).then(a.task.cmp(&b.task)));
    let number = |change: Change| rows.iter().filter(|row| row.change == change).count();
    let wanted = params.get("change");
    let listed: Vec<&Row> =
        rows.iter().filter(|row| wanted.is_none_or(|change| row.change.name() == change)).collect();
    let body = html! {
        form.filter action="/matrix" data-live="results" role="search" {
            h1 { "Matrix" }
            label { span { "From" } (choice(site, "a", &keys, before)) }
            label { span { "to" } (choice(site, "b", &keys, after)) }
            label { span { "Change" }
                select name="change" {
                    option value="" { "any" }
                    @for change in Change::ALL { option value=(change.name()) selected[wanted == Some(change.name())] { (change.name()) } }
                }
            }
            button.plain { "Compare" }
        }
        section id="results" aria-label="Tasks by run" {
            p.summary role="status" {
                strong { (counted(rows.len() as u64, "task")) }
                span { (first.label) " → " (second.label) ":" }
                @for change in Change::ALL {
                    @let chosen = wanted == Some(change.name());
                    a.count.{ "change-" (change.name()) } href={ "/matrix" (params.with("change", if chosen { "" } else { change.name() })) } aria-current=[chosen.then_some("true")] {
                        (change.sign()) " " (change.name()) " " strong { (grouped(number(change) as u64)) }
                    }
                }
            }
            div.scroll tabindex="0" role="region" aria-label="Matrix" {
                table.list.matrix {
                    thead { tr {
                        th { "task" }
                        th { "change" }
                        @for column in &columns {
                            @let compared = column.key == before || column.key == after;
                            th.compared[compared] {
                                @match column.key.url() { Some(url) => a href=(url) { (column.label) }, None => (column.label) }
                                br; small data-counts=(column.key) { (column.counts) }
                            }
                        }
                    } }
                    tbody { @for row in &listed { (line(site, row, &columns, (before, after))) } }
                }
            }
            @if listed.is_empty() { p.empty { "No task is like that." } }
        }
    };
    let data = || {
        let runs: Vec<Json> = columns.iter().map(column_json).collect();
        let tasks = listed.iter().map(|row| {
            let of = |column: &Column| {
                let found = column.tasks.get(&row.task);
                let state = column.state(row.task).name();
                json!({ "run": column.key.to_string(), "state": state, "verdict": verdict_json(found.map(|f| f.1)) })
            };
            json!({
                "task": row.name,
                "change": row.change.name(),
                "results": columns.iter().map(of).collect::<Vec<_>>(),
            })
        });
        json!({
            "from": before.to_string(),
            "to": after.to_string(),
            "task_count": rows.len(),
            "gained_count": number(Change::Gained),
            "lost_count": number(Change::Lost),
            "same_count": number(Change::Same),
            "runs": runs,
            "tasks": tasks.collect::<Vec<_>>(),
        })
    };
    Ok(Page::new("Matrix", "Matrix", body).data(look, data))
}

fn column_json(column: &Column) -> Json {
    let StandingCounts { tasks, fits, right, unknown } = column.counts;
    json!({
        "run": column.key.to_string(),
        "name": column.label,
        "task_count": tasks,
        "fits_count": fits,
        "right_count": right,
        "unknown_count": unknown,
    })
}

fn nothing(site: &Site, look: &Look) -> Page {
    let body = html! {
        section.empty {
            h1 { "Matrix" }
            p { "Runs of " code { "solve" } " and " code { "evolve" } " stand here beside each other." }
            p { @match &site.store {
                Some(store) => { "There is none in " code { (store.path().display()) } " yet." }
                None => { "Start the viewer with archives: " code { "arcloom serve archive.db other.db" } }
            } }
        }
    };
    Page::new("Matrix", "Matrix", body).data(look, || json!({ "runs": [], "tasks": [] }))
}

fn choice(site: &Site, name: &str, keys: &[RunKey], chosen: RunKey) -> Markup {
    html! {
        select name=(name) {
            @for key in keys.iter().rev() {
                option value=(key) selected[*key == chosen] { (key.label(site)) }
            }
        }
    }
}

fn line(site: &Site, row: &Row, columns: &[Column], (a, b): (RunKey, RunKey)) -> Markup {
    let found = known(site, row.task);
    let url = found.map(|(task, set)| super::task_url(&task.id, set));
    let both = url.as_ref().map(|url| format!("{url}&run={a}&with={b}"));
    html! {
        tr class={ "change-" (row.change.name()) } {
            td { @match &both { Some(url) => a href=(url) title="both runs side by side" { (row.name) }, None => (row.name) } }
            td { (row.change.sign()) " " (row.change.name()) }
            @for column in columns {
                td {
                    @match column.tasks.get(&row.task) {
                        None => span.muted { "·" },
                        Some((one, verdict)) => {
                            @let cell = html! { (badge(verdict.state())) };
                            @match &url { Some(url) => a href={ (url) "&run=" (column.key) } { (cell) }, None => (cell) }
                            " " small.muted {
                                (verdict.fits) "/" (verdict.demos)
                                @if let Some(wrong) = found.and_then(|(task, _)| wrong_of(task, &one.attempts)).filter(|wrong| *wrong > 0) { ", " (counted(wrong, "cell")) " wrong" }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back() {
        let key = |archive, run: Option<i64>| RunKey { archive, run: run.map(RunNumber) };
        for key in [key(0, Some(3)), key(2, None), key(1, Some(12))] {
            assert_eq!(RunKey::parse(&key.to_string()), Some(key));
        }
        assert_eq!(RunKey::parse("7"), Some(key(0, Some(7))));
        assert!(["", "a", "1.", "x.3", "0.x"].iter().all(|text| RunKey::parse(text).is_none()));
    }

    #[test]
    fn a_better_state_is_a_gain() {
        assert_eq!(Change::of(TaskState::Open, TaskState::Right), Change::Gained);
        assert_eq!(Change::of(TaskState::Fits, TaskState::Open), Change::Lost);
        assert_eq!(Change::of(TaskState::Fits, TaskState::Fits), Change::Same);
    }
}
