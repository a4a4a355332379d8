//! Runs of an archive: a list of them, their curves compared, and what one run is.

use std::time::{SystemTime, UNIX_EPOCH};

use arcloom::archive::{Archive, Island, OperatorRecord, RunKind, RunRecord, RunState, StoreError};
use arcloom::draw::{Curve, CurvesView, RunPoint, RunView, curves_apart, key_svg};
use arcloom::figure::run_view;
use arcloom::run_task::run_tasks;
use arcloom::{RunTask, StandingCounts, Verdict};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value as Json, json};

use super::{Page, grouped, matrix};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Most runs compared: as many as lines can be told apart.
const COMPARED: usize = 6;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

/// A moment for people, in universal time.
pub(crate) fn moment(seconds: i64) -> String {
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

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    Running,
    Finished,
    /// By its user.
    Stopped,
    /// Its time was up.
    TimeUp,
    Killed,
}

impl Doing {
    /// What a run is doing, asked of its archive and of the lock beside it.
    pub(crate) fn of(archive: &Archive, run: &RunRecord) -> Doing {
        match run.state {
            RunState::Finished => Doing::Finished,
            RunState::Stopped => Doing::Stopped,
            RunState::TimeUp => Doing::TimeUp,
            RunState::Running if archive.is_alive(run) => Doing::Running,
            RunState::Running => Doing::Killed,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Doing::Running => "running",
            Doing::Finished => "finished",
            Doing::Stopped => "stopped by the user",
            Doing::TimeUp => "finished: time is up",
            Doing::Killed => "killed",
        }
    }

    pub(crate) fn badge(self) -> Markup {
        let class = match self {
            Doing::Running => "open",
            Doing::Finished | Doing::TimeUp => "right",
            Doing::Stopped => "fits",
            Doing::Killed => "killed",
        };
        html! { span class={ "badge " (class) } data-doing=(self.name()) { (self.name()) } }
    }
}

/// A run with everything about it.
pub(crate) struct Told {
    pub(crate) run: RunRecord,
    pub(crate) doing: Doing,
    pub(crate) view: RunView,
    /// What it handed in.
    pub(crate) tasks: Vec<(RunTask, Verdict)>,
    /// The unsolved task that the last generation came nearest to, and how near, in thousandths.
    pub(crate) nearest: Option<(String, u64)>,
    pub(crate) operators: Vec<OperatorRecord>,
    pub(crate) islands: Vec<Island>,
    pub(crate) bytes: u64,
}

/// Reads a run; its proposals too where they are asked for.
pub(crate) fn tell(
    site: &Site,
    archive: &Archive,
    run: RunRecord,
    proposals: bool,
) -> Result<Told, StoreError> {
    let view = run_view(archive, &run)?;
    let last = view.points.last().map_or(0, |point| point.generation);
    let nearest = archive.generations_from(run.number, last)?.pop().and_then(|generation| {
        let stats: Json = serde_json::from_str(&generation.stats).ok()?;
        let near = &stats["nearest"];
        Some((near["task"].as_str()?.to_owned(), near["similarity"].as_u64()?))
    });
    let judged = |row: RunTask| {
        let verdict = row.verdict(matrix::known(site, row.task).map(|(task, _)| task));
        (row, verdict)
    };
    let tasks = run_tasks(archive, Some(run.number), None, proposals)?;
    Ok(Told {
        doing: Doing::of(archive, &run),
        view,
        tasks: tasks.into_iter().map(judged).collect(),
        nearest,
        operators: archive.operators(run.number)?,
        islands: archive.islands(run.number)?,
        bytes: archive.bytes(),
        run,
    })
}

impl Told {
    pub(crate) fn last(&self) -> Option<&RunPoint> {
        self.view.points.last()
    }

    pub(crate) fn evaluations(&self) -> u64 {
        self.view.points.iter().map(|point| point.evaluations).sum()
    }

    /// Its tasks by how far they are.
    pub(crate) fn counts(&self) -> StandingCounts {
        StandingCounts::of(self.tasks.iter().map(|(_, verdict)| *verdict))
    }

    /// Seconds from its beginning to now, or to the last thing that it stored.
    pub(crate) fn seconds(&self) -> Option<f64> {
        match self.doing {
            Doing::Running => Some((now() - self.run.started).max(0) as f64),
            _ => self.last().map(|last| last.seconds),
        }
    }

    /// What people call its tasks and programs.
    pub(crate) fn about(&self) -> Json {
        serde_json::from_str(&self.run.about).unwrap_or_default()
    }
}

/// The curves of some runs, each in a frame of its own.
pub(crate) fn curves(runs: &[&Told], look: &Look, by_time: bool) -> Vec<Curve> {
    let runs = runs.iter().map(|told| told.view.clone()).collect();
    curves_apart(&CurvesView { title: String::new(), runs, by_time }, &look.options())
}

/// What a curve is called here: what is drawn are programs that were validated, which the verdict of a
/// task does not ask for.
fn title(curve: &Curve) -> &str {
    match curve.title.as_str() {
        "tasks that fit" => "tasks with a validated program",
        other => other,
    }
}

pub(crate) fn charts(curves: &[Curve], by_time: bool) -> Markup {
    let x = if by_time { "s" } else { "generation" };
    html! {
        section.charts aria-label="Curves" {
            @for curve in curves {
                figure.chart data-lines=(points(curve)) data-x=(x) {
                    figcaption {
                        (title(curve)) @if let Some(last) = curve.last { " " strong { (figure(last)) } }
                        @if curve.unit != curve.title { " " span.unit { (curve.unit) } }
                    }
                    (PreEscaped(&curve.svg))
                }
            }
        }
    }
}

/// The points of a curve for the script that shows values.
fn points(curve: &Curve) -> String {
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let line = |(name, points): &(String, Vec<(f64, f64)>)| {
        let points: Vec<[f64; 2]> = points.iter().map(|(x, y)| [round(*x), round(*y)]).collect();
        json!({ "name": name, "points": points })
    };
    json!(curve.lines.iter().map(line).collect::<Vec<_>>()).to_string()
}

/// Links that choose what the horizontal axis counts.
pub(crate) fn axes(path: &str, params: &Params) -> Markup {
    let by_time = params.get("by") == Some("time");
    html! {
        nav.axes aria-label="Horizontal axis" {
            a href={ (path) (params.with("by", "")) } aria-current=[(!by_time).then_some("true")] { "by generation" }
            a href={ (path) (params.with("by", "time")) } aria-current=[by_time.then_some("true")] { "by time" }
        }
    }
}

/// A value in as many digits as people read.
pub(crate) fn figure(value: f64) -> String {
    match value {
        v if v >= 100.0 => grouped(v.round() as u64),
        v => format!("{v:.3}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

pub(crate) fn list(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let wanted: Vec<i64> = params.all("run").filter_map(|n| n.parse().ok()).collect();
    let read = |archive: &Archive| {
        let runs = archive.runs()?.into_iter().filter(|run| run.kind != RunKind::Part);
        runs.map(|run| tell(site, archive, run, false)).collect::<Result<Vec<Told>, _>>()
    };
    let found = site.with_archive(read)?;
    let Some(runs) = found else {
        let body = html! {
            section.empty {
                h1 { "Runs" }
                @match &site.store {
                    Some(store) => p { "There is no archive at " code { (store.path().display()) } " yet. It comes with the first result of " code { "arcloom solve -a " (store.path().display()) } " or " code { "arcloom evolve -a " (store.path().display()) } "." },
                    None => p { "Start the viewer with an archive, " code { "arcloom serve archive.db" } ", to see runs." },
                }
            }
        };
        return Ok(Page::new("Runs", "Runs", body).data(look, || json!({ "runs": [] })));
    };
    let by_time = params.get("by") == Some("time");
    let evolved = || runs.iter().filter(|told| told.run.kind == RunKind::Evolve);
    let chosen: Vec<&Told> = match wanted.is_empty() {
        true => {
            let count = evolved().count();
            evolved().skip(count.saturating_sub(COMPARED)).collect()
        }
        false => {
            evolved().filter(|told| wanted.contains(&told.run.number.0)).take(COMPARED).collect()
        }
    };
    let body = html! {
        header.head {
            h1 { "Runs" }
            nav.beside { a href="/matrix" { "tasks by run" } }
        }
        @if runs.is_empty() { p.empty { "No run is stored in this archive." } }
        @else {
            form action="/runs" {
                div.scroll {
                    table.list {
                        thead { tr { th { span.hidden { "compare" } } th { "run" } th { "command" } th { "state" } th { "tasks" } th { "verdict" } th.num { "generations" } th.num { "evaluations" } th { "begun" } } }
                        tbody { @for told in runs.iter().rev() { (row(told, &chosen)) } }
                    }
                }
                @if evolved().count() > 1 { p { button { "Compare the chosen" } } }
            }
            @if !chosen.is_empty() {
                h2 { "Curves" }
                (axes("/runs", params))
                (charts(&curves(&chosen, look, by_time), by_time))
            }
        }
    };
    let data = || json!({ "runs": runs.iter().map(json_of).collect::<Vec<_>>() });
    Ok(Page::new("Runs", "Runs", body).with("charts.js").data(look, data))
}

fn row(told: &Told, chosen: &[&Told]) -> Markup {
    let number = told.run.number.0;
    let place = chosen.iter().position(|one| one.run.number == told.run.number);
    let about = told.about();
    html! {
        tr {
            td { @if told.run.kind == RunKind::Evolve { input type="checkbox" name="run" value=(number) checked[place.is_some()] aria-label={ "compare run " (number) }; } }
            td { a href={ "/run/" (number) } { "run " (number) } @if let Some(n) = place { " " span.key { (PreEscaped(key_svg(n, false))) } } }
            td { (told.run.kind.name()) }
            td { (told.doing.badge()) }
            td { (about["tasks"].as_str().unwrap_or_default()) @if !told.tasks.is_empty() { " " span.muted { "(" (told.tasks.len()) ")" } } }
            td { @if told.tasks.is_empty() { span.muted { "–" } } @else { (told.counts()) } }
            td.num { @if told.run.kind == RunKind::Evolve { (grouped(told.run.generations)) } }
            td.num { @if told.run.kind == RunKind::Evolve { (grouped(told.evaluations())) } }
            td.muted { (moment(told.run.started)) }
        }
    }
}

/// A run as data.
pub(crate) fn json_of(told: &Told) -> Json {
    let StandingCounts { tasks, fits, right, unknown } = told.counts();
    let config: Json = serde_json::from_str(&told.run.config).unwrap_or_default();
    json!({
        "run": told.run.number.0,
        "command": told.run.kind.name(),
        "state": told.doing.name(),
        "seed": told.run.seed,
        "version": told.run.version,
        "started": told.run.started,
        "seconds": told.seconds(),
        "generations": told.run.generations,
        "evaluations": told.evaluations(),
        "task_count": tasks,
        "fits_count": fits,
        "right_count": right,
        "unknown_count": unknown,
        "about": told.about(),
        "config": config,
    })
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
