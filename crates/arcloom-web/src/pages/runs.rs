//! Runs of evolution: one as it goes on, and several compared.

use std::time::{SystemTime, UNIX_EPOCH};

use arcloom::archive::{
    Archive, Island, OperatorRecord, RunNumber, RunRecord, RunState, StoreError,
};
use arcloom::draw::{Curve, CurvesView, RunPoint, RunView, curves_apart, key_svg};
use arcloom::figure::run_view;
use maud::{Markup, PreEscaped, html};

use super::{Page, clip, counted, grouped, meter};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Most runs compared: as many as lines can be told apart.
const COMPARED: usize = 6;
/// Seconds without a new generation after which a run counts as stopped.
const SILENCE: i64 = 90;

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
    view: RunView,
    /// The unsolved task that the last generation came nearest to, and how near, in thousandths.
    nearest: Option<(String, u64)>,
    operators: Vec<OperatorRecord>,
    islands: Vec<Island>,
    bytes: u64,
}

fn tell(archive: &Archive, run: RunRecord) -> Result<Told, StoreError> {
    let view = run_view(archive, &run)?;
    let last = view.points.last().map_or(0, |point| point.generation);
    let nearest = archive.generations_from(run.number, last)?.pop().and_then(|generation| {
        let stats: serde_json::Value = serde_json::from_str(&generation.stats).ok()?;
        let near = &stats["nearest"];
        Some((near["task"].as_str()?.to_owned(), near["similarity"].as_u64()?))
    });
    Ok(Told {
        view,
        nearest,
        operators: archive.operators(run.number)?,
        islands: archive.islands(run.number)?,
        bytes: archive.bytes(),
        run,
    })
}

impl Told {
    fn last(&self) -> Option<&RunPoint> {
        self.view.points.last()
    }

    fn evaluations(&self) -> u64 {
        self.view.points.iter().map(|point| point.evaluations).sum()
    }

    /// What it is doing, as a class and a word.
    fn state(&self) -> (&'static str, &'static str) {
        let age = |last: &RunPoint| now() - self.run.started - last.seconds as i64;
        let fresh = self.last().is_none_or(|last| age(last) < SILENCE);
        match (self.run.state, fresh) {
            (RunState::Finished, _) => ("right", "finished"),
            (RunState::Stopped | RunState::TimeUp, _) => ("untried", "stopped"),
            (RunState::Running, true) => ("open", "running"),
            (RunState::Running, false) => ("untried", "stopped"),
        }
    }
}

/// The curves of some runs, each in a frame of its own.
fn curves(runs: &[&Told], look: &Look) -> Vec<Curve> {
    let runs = runs.iter().map(|told| told.view.clone()).collect();
    curves_apart(&CurvesView { title: String::new(), runs, by_time: false }, &look.options())
}

fn charts(curves: &[Curve]) -> Markup {
    html! {
        section.charts {
            @for curve in curves {
                figure.chart {
                    figcaption {
                        (curve.title) @if let Some(last) = curve.last { " " strong { (figure(last)) } }
                        @if curve.unit != curve.title { " " span.unit { (curve.unit) } }
                    }
                    (PreEscaped(&curve.svg))
                }
            }
        }
    }
}

/// A value in as many digits as people read.
fn figure(value: f64) -> String {
    match value {
        v if v >= 100.0 => grouped(v.round() as u64),
        v => format!("{v:.3}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

pub(crate) fn list(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
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
                            thead { tr { th { "" } th { "run" } th { "state" } th.num { "generations" } th.num { "fits" } th.num { "evaluations" } th { "seed" } th { "begun" } } }
                            tbody {
                                @for run in runs.iter().rev() {
                                    @let one = told.iter().position(|one| one.run.number == run.number);
                                    tr {
                                        td { input type="checkbox" name="run" value=(run.number.0) checked[one.is_some()] aria-label={ "compare run " (run.number.0) }; }
                                        td { a href={ "/run/" (run.number.0) } { "run " (run.number.0) } @if let Some(n) = one { " " span.key { (PreEscaped(key_svg(n, false))) } } }
                                        @if let Some(one) = one.map(|n| &told[n]) {
                                            td { span class={ "badge " (one.state().0) } { (one.state().1) } }
                                            td.num { (grouped(run.generations)) }
                                            td.num { (one.last().map_or(0, |last| last.solved)) }
                                            td.num { (grouped(one.evaluations())) }
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
                (charts(&curves(&told.iter().collect::<Vec<_>>(), look)))
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
        div id="live" data-events={ "/run/" (told.run.number.0) "/events" } { (view(&told, look)) }
        details { summary { "Settings of the run" }
            @if let Some(settings) = config.as_object() {
                dl.facts { @for (name, value) in settings { div { dt { (name) } dd { code { (clip(&value.to_string(), 120)) } } } } }
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
    Ok(view(&find(id, site)?, look))
}

fn view(told: &Told, look: &Look) -> Markup {
    let last = told.last();
    let (class, word) = told.state();
    let tasks = told.islands.iter().map(|island| island.tasks).max().unwrap_or(0);
    let curves = curves(&[told], look);
    let speed = curves.iter().find(|curve| curve.title == "speed").and_then(|curve| curve.last);
    let of = |count: u64, all: u64| 100.0 * count as f64 / (all as f64).max(1.0);
    html! {
        dl.figures data-generation=(last.map_or(0, |last| last.generation)) {
            div { dt { "state" } dd { span class={ "badge " (class) } { (word) } } }
            div { dt { "generation" } dd { (grouped(last.map_or(0, |last| last.generation))) } }
            div { dt { "tasks that fit" } dd { (last.map_or(0, |last| last.solved)) @if tasks > 0 { " of " (tasks) } } }
            div { dt { "evaluations" } dd { (grouped(told.evaluations())) } }
            @if let Some(speed) = speed { div { dt { "per second" } dd { (figure(speed)) } } }
            div { dt { "archive" } dd { (format!("{:.1} MB", told.bytes as f64 / 1e6)) } }
            @if let Some(memory) = last.and_then(|last| last.memory) { div { dt { "memory" } dd { (format!("{:.0} MB", memory as f64 / 1e6)) } } }
            @if let Some((task, near)) = &told.nearest {
                div { dt { "nearest" } dd { a href={ "/task/" (super::encode(task)) } { (task) } " " (super::similarity(*near as u32)) } }
            }
        }
        (charts(&curves))
        div.columns {
            @if !told.islands.is_empty() {
                section {
                    h2 { "Islands" }
                    table.list {
                        thead { tr { th { "island" } th.num { "tasks" } th.num { "fits" } th { "similarity, mean of the best" } th.num { "alive" } } }
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
        @if told.view.points.is_empty() { p.empty { "The first generation is not stored yet." } }
        @else { p.muted { (counted(told.view.points.len() as u64, "generation")) " stored; this page follows the archive." } }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(0), "1970-01-01 00:00 UTC");
        assert_eq!(moment(951_827_696), "2000-02-29 12:34 UTC");
        assert_eq!(moment(1_794_805_200), "2026-11-16 05:00 UTC");
    }

    #[test]
    fn values_have_few_digits() {
        assert_eq!([0.0, 0.98, 12.3456, 1234.5].map(figure), ["0", "0.98", "12.346", "1,235"]);
    }
}
