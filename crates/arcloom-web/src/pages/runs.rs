//! Runs of evolution: one as it goes on, and several compared.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use arcloom::archive::{
    Archive, GenerationRecord, Island, OperatorRecord, RunNumber, RunRecord, RunState, StoreError,
    last_writer,
};
use maud::{Markup, html};

use super::curves::{Chart, Line, chart};
use super::{Page, counted, grouped, meter};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Most runs compared.
const COMPARED: usize = 8;
/// Seconds without a new generation after which a run counts as stopped.
const SILENCE: i64 = 90;
/// Seconds over which the speed is the mean.
const WINDOW: i64 = 5;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

/// A moment for people, in universal time.
fn moment(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 0000-03-01, in eras of 400 years.
    let z = days + 719_468;
    let (era, of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

/// A run with everything about it.
struct Told {
    run: RunRecord,
    generations: Vec<GenerationRecord>,
    operators: Vec<OperatorRecord>,
    islands: Vec<Island>,
    bytes: u64,
}

fn tell(archive: &Archive, run: RunRecord) -> Result<Told, StoreError> {
    Ok(Told {
        generations: archive.generations(run.number)?,
        operators: archive.operators(run.number)?,
        islands: archive.islands(run.number)?,
        bytes: archive.bytes(),
        run,
    })
}

impl Told {
    fn last(&self) -> Option<&GenerationRecord> {
        self.generations.last()
    }

    /// What it is doing, as a class and a word.
    fn state(&self) -> (&'static str, &'static str) {
        let fresh = self.last().is_none_or(|last| now() - last.finished < SILENCE);
        match (self.run.state, fresh) {
            (RunState::Finished, _) => ("solved", "finished"),
            (RunState::Running, true) => ("near", "running"),
            (RunState::Running, false) => ("untried", "stopped"),
        }
    }

    fn line(&self, look: usize, y: impl Fn(&GenerationRecord) -> Option<f64>) -> Line {
        let point = |g: &GenerationRecord| Some((g.number as f64, y(g)?));
        let points = self.generations.iter().filter_map(point).collect();
        Line { name: format!("run {}", self.run.number.0), look, points }
    }

    fn solved(&self, look: usize) -> Line {
        self.line(look, |g| Some(g.solved as f64))
    }

    fn nearest(&self, look: usize) -> Line {
        self.line(look, |g| stat(g, "nearest").and_then(|near| near["similarity"].as_f64()))
    }

    fn alive(&self, look: usize) -> Line {
        self.line(look, |g| stat(g, "alive").and_then(|alive| alive.as_f64()))
    }

    /// Programs evaluated per second, over the last seconds before each generation: times are stored
    /// in whole seconds.
    fn speed(&self, look: usize) -> Line {
        let (mut points, mut first, mut sum) = (Vec::new(), 0, 0);
        for g in &self.generations {
            sum += g.evaluations;
            while g.finished - self.generations[first].finished > WINDOW {
                sum -= self.generations[first].evaluations;
                first += 1;
            }
            let seconds = (g.finished - self.generations[first].finished).max(1);
            if g.number > 0 {
                points.push((g.number as f64, sum as f64 / seconds as f64));
            }
        }
        Line { name: format!("run {}", self.run.number.0), look, points }
    }
}

/// A figure that has no column of its own.
fn stat(generation: &GenerationRecord, name: &str) -> Option<serde_json::Value> {
    let stats: serde_json::Value = serde_json::from_str(&generation.stats).ok()?;
    stats.get(name).filter(|value| !value.is_null()).cloned()
}

pub(crate) fn list(site: &Site, _: &Look, params: &Params) -> Result<Page, Failure> {
    let wanted: Vec<i64> = params.all("run").filter_map(|n| n.parse().ok()).collect();
    let read = |archive: &Archive| {
        let runs = archive.runs()?;
        let latest: Vec<i64> = runs.iter().rev().take(COMPARED).map(|run| run.number.0).collect();
        let chosen = if wanted.is_empty() { &latest } else { &wanted };
        let of = |run: &RunRecord| chosen.contains(&run.number.0);
        let told: Result<Vec<Told>, StoreError> = runs
            .iter()
            .filter(|run| of(run))
            .take(COMPARED)
            .map(|run| tell(archive, run.clone()))
            .collect();
        Ok((runs, told?))
    };
    let found = site.with_archive(read)?;
    let body = match found {
        None => html! {
            section.empty {
                h1 { "Runs" }
                @match &site.store {
                    Some(store) => p { "There is no archive at " code { (store.path().display()) } " yet. It comes with the first generation of " code { "arcloom evolve -a " (store.path().display()) } "." },
                    None => p { "Start the viewer with an archive, " code { "arcloom serve archive.db" } ", to see runs." },
                }
            }
        },
        Some((runs, told)) => html! {
            h1 { "Runs" }
            @if runs.is_empty() { p.empty { "No run is stored in this archive." } }
            @else {
                form action="/runs" {
                    div.scroll {
                        table.list {
                            thead { tr { th { "" } th { "run" } th { "state" } th.num { "generations" } th.num { "solved" } th.num { "evaluations" } th { "seed" } th { "begun" } } }
                            tbody {
                                @for run in runs.iter().rev() {
                                    @let one = told.iter().position(|one| one.run.number == run.number);
                                    tr {
                                        td { input type="checkbox" name="run" value=(run.number.0) checked[one.is_some()] aria-label={ "compare run " (run.number.0) }; }
                                        td { a href={ "/run/" (run.number.0) } { "run " (run.number.0) } @if let Some(n) = one { " " span class={ "key l" (n % 8) } { "━" } } }
                                        @if let Some(one) = one.map(|n| &told[n]) {
                                            td { span class={ "badge " (one.state().0) } { (one.state().1) } }
                                            td.num { (grouped(run.generations)) }
                                            td.num { (one.last().map_or(0, |last| last.solved)) }
                                            td.num { (grouped(one.generations.iter().map(|g| g.evaluations).sum())) }
                                        } @else { td { (run.state.name()) } td.num { (grouped(run.generations)) } td {} td {} }
                                        td { (run.seed) }
                                        td.muted { (moment(run.started)) }
                                    }
                                }
                            }
                        }
                    }
                    p { button { "Compare the chosen" } }
                }
                section.charts {
                    (chart(&Chart { title: "tasks solved, by generation", lines: told.iter().enumerate().map(|(n, one)| one.solved(n)).collect() }))
                    (chart(&Chart { title: "evaluations per second", lines: told.iter().enumerate().map(|(n, one)| one.speed(n)).collect() }))
                    (chart(&Chart { title: "alike, best unsolved task", lines: told.iter().enumerate().map(|(n, one)| one.nearest(n)).collect() }))
                    (chart(&Chart { title: "programs alive", lines: told.iter().enumerate().map(|(n, one)| one.alive(n)).collect() }))
                }
            }
        },
    };
    Ok(Page { title: "Runs".to_owned(), area: "Runs", module: None, body })
}

fn find(id: &str, site: &Site) -> Result<Told, Failure> {
    let number: i64 =
        id.parse().map_err(|_| Failure::Missing(format!("There is no run `{id}`.")))?;
    let read = |archive: &Archive| {
        let run = archive.runs()?.into_iter().find(|run| run.number == RunNumber(number));
        run.map(|run| tell(archive, run)).transpose()
    };
    let found = site.with_archive(read)?.flatten();
    found.ok_or_else(|| Failure::Missing(format!("There is no run {number} in the archive.")))
}

pub(crate) fn page(id: &str, site: &Site, look: &Look, _: &Params) -> Result<Page, Failure> {
    let told = find(id, site)?;
    let config: serde_json::Value = serde_json::from_str(&told.run.config).unwrap_or_default();
    let body = html! {
        header.head {
            h1 { "Run " (told.run.number.0) }
            span.muted { "seed " (told.run.seed) " · begun " (moment(told.run.started)) " · arcloom " (told.run.version) }
            nav.beside { a href="/runs" { "all runs" } a href={ "/programs?run=" (told.run.number.0) } { "its programs" } }
        }
        div id="live" data-events={ "/run/" (told.run.number.0) "/events" } { (view(&told, site, look)) }
        details { summary { "Settings of the run" }
            @if let Some(settings) = config.as_object() {
                dl.facts { @for (name, value) in settings { div { dt { (name) } dd { code { (super::lineage::clip(&value.to_string(), 120)) } } } } }
            }
        }
    };
    Ok(Page {
        title: format!("Run {}", told.run.number.0),
        area: "Runs",
        module: Some("events.js"),
        body,
    })
}

/// The part of the page that changes while the run goes on.
pub(crate) fn live(id: &str, site: &Site, look: &Look) -> Result<Markup, Failure> {
    Ok(view(&find(id, site)?, site, look))
}

fn view(told: &Told, site: &Site, _: &Look) -> Markup {
    let last = told.last();
    let (class, word) = told.state();
    let evaluations: u64 = told.generations.iter().map(|g| g.evaluations).sum();
    let tasks = told.islands.iter().map(|island| island.tasks).max().unwrap_or(0);
    let nearest = last.and_then(|last| stat(last, "nearest"));
    let speed = told.speed(1);
    let memory = if word == "running" { memory(told, site) } else { Vec::new() };
    let of = |count: u64, all: u64| 100.0 * count as f64 / (all as f64).max(1.0);
    html! {
        dl.figures data-generation=(last.map_or(0, |last| last.number)) {
            div { dt { "state" } dd { span class={ "badge " (class) } { (word) } } }
            div { dt { "generation" } dd { (grouped(last.map_or(0, |last| last.number))) } }
            div { dt { "tasks solved" } dd { (last.map_or(0, |last| last.solved)) @if tasks > 0 { " of " (tasks) } } }
            div { dt { "evaluations" } dd { (grouped(evaluations)) } }
            div { dt { "per second" } dd { (speed.points.last().map_or("–".to_owned(), |p| grouped(p.1 as u64))) } }
            div { dt { "archive" } dd { (format!("{:.1} MB", told.bytes as f64 / 1e6)) } }
            @if let Some(now) = memory.last() { div { dt { "memory" } dd { (format!("{:.0} MB", now.1)) } } }
            @if let Some(near) = &nearest {
                @let task = near["task"].as_str().unwrap_or("?");
                div { dt { "nearest" } dd { a href={ "/task/" (super::encode(task)) } { (task) } " " (near["similarity"].to_string()) } }
            }
        }
        section.charts {
            (chart(&Chart { title: "tasks solved", lines: vec![told.solved(0)] }))
            (chart(&Chart { title: "evaluations per second", lines: vec![speed] }))
            (chart(&Chart { title: "alike, best unsolved task", lines: vec![told.nearest(2)] }))
            (chart(&Chart { title: "programs alive", lines: vec![told.alive(3)] }))
            @if memory.len() > 1 {
                (chart(&Chart { title: "memory of the process, MB", lines: vec![Line { name: "memory".to_owned(), look: 4, points: memory }] }))
            }
        }
        div.columns {
            @if !told.islands.is_empty() {
                section {
                    h2 { "Islands" }
                    table.list {
                        thead { tr { th { "island" } th.num { "tasks" } th.num { "fit the demos" } th { "alike, mean of the best" } th.num { "alive" } } }
                        tbody { @for island in &told.islands {
                            tr { td { (island.island + 1) } td.num { (island.tasks) } td.num { (island.solved) } td { (meter(island.similarity)) } td.num { (grouped(island.alive)) } }
                        } }
                    }
                }
            }
            @if !told.operators.is_empty() {
                section {
                    h2 { "Operators" }
                    p.muted { "Of the times each was used: how many gave a valid program, one not seen before, and one better than its parents." }
                    table.list {
                        thead { tr { th { "operator" } th.num { "used" } th.num { "valid" } th.num { "new" } th.num { "better" } th { "better, of 1000" } } }
                        tbody { @for operator in ranked(&told.operators) {
                            @let yields = operator.improving * 1000 / operator.applied.max(1);
                            tr {
                                td { code { (operator.operator) } }
                                td.num { (grouped(operator.applied)) }
                                td.num { (format!("{:.0}%", of(operator.valid, operator.applied))) }
                                td.num { (format!("{:.0}%", of(operator.new, operator.applied))) }
                                td.num { (grouped(operator.improving)) }
                                td { (meter(yields as u32)) }
                            }
                        } }
                    }
                }
            }
        }
        @if told.generations.is_empty() { p.empty { "The first generation is not stored yet." } }
        @else { p.muted { (counted(told.generations.len() as u64, "generation")) " stored; this page follows the archive." } }
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

/// What the writing process took when somebody looked, by run: no archive holds this.
static MEMORY: Mutex<BTreeMap<i64, Vec<(f64, f64)>>> = Mutex::new(BTreeMap::new());
/// Most moments that are remembered of a run.
const MOMENTS: usize = 2000;

/// Generation and megabytes of the writing process, as far as they were seen.
fn memory(told: &Told, site: &Site) -> Vec<(f64, f64)> {
    let mut all = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = all.entry(told.run.number.0).or_default();
    let found = site.store.as_ref().and_then(|store| resident(store.path()));
    if let (Some(megabytes), Some(last)) = (found, told.last())
        && seen.last().is_none_or(|(generation, _)| *generation < last.number as f64)
    {
        seen.push((last.number as f64, megabytes));
        if seen.len() > MOMENTS {
            seen.drain(..MOMENTS / 2);
        }
    }
    seen.clone()
}

/// Megabytes of the process that writes an archive, where the system tells.
fn resident(archive: &Path) -> Option<f64> {
    let pid = last_writer(archive)?;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(0), "1970-01-01 00:00 UTC");
        assert_eq!(moment(951_827_696), "2000-02-29 12:34 UTC");
        assert_eq!(moment(1_794_805_200), "2026-11-16 05:00 UTC");
    }
}
