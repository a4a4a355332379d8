//! The page: summary, curves, operators, map of tasks, then every task.

use arcloom::TestState;
use arcloom::archive::{RunKind, RunState};
use arcloom::draw::{CurvesView, Rgb, SvgOptions, TILE_STYLE, curves_apart, tile_lines};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::ReportOptions;
use crate::report::gather::{Run, Story, TaskStory};
use crate::report::task::{anchor, card};

const STYLE: &str = include_str!("style.css");
/// Most runs in the curves: as many as lines can be told apart.
const RUNS: usize = 6;

/// The page, and how many tasks had to do without pictures.
pub(crate) fn page(story: &Story<'_>, options: &ReportOptions) -> (String, usize) {
    let (fitting, mut open): (Vec<_>, Vec<_>) = story.tasks.iter().partition(|task| task.is_fit());
    open.sort_by(|a, b| b.similarity().total_cmp(&a.similarity()));
    let head = html! {
        (header(story))
        (summary(story))
        (curves(story))
        (operators(story))
        (map(story, options))
    };
    let mut room = options.most_bytes.saturating_sub(head.0.len() + STYLE.len());
    let mut short = 0;
    let mut cards = |tasks: &[&TaskStory<'_>]| {
        let mut out = String::new();
        for task in tasks {
            let mut next = card(task, false, &options.palette).0;
            if next.len() > room {
                next = card(task, true, &options.palette).0;
                short += 1;
            }
            room = room.saturating_sub(next.len());
            out.push_str(&next);
        }
        PreEscaped(out)
    };
    let (fitting_cards, open_cards) = (cards(&fitting), cards(&open));
    let title = format!("{}: {} of {} tasks fit", story.name, fitting.len(), story.tasks.len());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(TILE_STYLE)) }
            }
            body {
                (PreEscaped(tile_lines(&options.palette)))
                main {
                    (head)
                    @if !fitting.is_empty() {
                        section {
                            h2 id="fits" { "Tasks that fit " span.count { (fitting.len()) } }
                            p.lead { "Programs that fit all demos, with their outputs for the tests." }
                            (fitting_cards)
                        }
                    }
                    @if !open.is_empty() {
                        section {
                            h2 id="open" { "Nearest misses " span.count { (open.len()) } }
                            p.lead { "For each open task the best program so far, the most similar first. Its output stands behind ≠; dots mark wrong cells." }
                            (open_cards)
                        }
                    }
                    @if short > 0 {
                        p.meta { (count(short, "task")) " stand without pictures, or the page would be too large to send." }
                    }
                }
            }
        }
    };
    (page.into_string(), short)
}

fn header(story: &Story<'_>) -> Markup {
    let started = story.runs.iter().map(|run| run.record.started).min();
    let fits = story.tasks.iter().filter(|task| task.is_fit()).count();
    let version = story.runs.last().map(|run| run.record.version.as_str());
    html! {
        header {
            h1 { (story.name) }
            p.lead {
                "An arcloom archive"
                @if let Some(version) = version { ", made by version " (version) }
                @if let Some(day) = started { ", begun on " (date(day)) }
                ". "
                @if fits > 0 { a href="#fits" { "Tasks that fit" } " " }
                @if fits < story.tasks.len() { a href="#open" { "Nearest misses" } }
            }
        }
    }
}

fn summary(story: &Story<'_>) -> Markup {
    let counts = story.standings();
    let rows = |name: &str| {
        let row = story.counts.rows.iter().find(|(table, _)| *table == name);
        row.map_or(0, |(_, count)| *count as usize)
    };
    let evaluations: u64 =
        story.runs.iter().flat_map(|run| &run.view.points).map(|point| point.evaluations).sum();
    let figure = |number: String, text: String| html! { div { dt { (text) } dd { (number) } } };
    let of = |part: usize, whole: usize| format!("{} / {}", grouped(part), grouped(whole));
    html! {
        section {
            dl.figures {
                (figure(of(counts.fits, counts.tasks), "tasks that fit: all demos".to_owned()))
                @if counts.unknown < counts.tasks {
                    (figure(of(counts.right, counts.tasks - counts.unknown), "tasks that are right: all tests, two attempts".to_owned()))
                }
                (figure(grouped(rows("program")), format!("programs: {} by evolution, {} by search", grouped(story.counts.evolved as usize), grouped(story.counts.searched as usize))))
                (figure(grouped(evaluations as usize), "evaluations".to_owned()))
                (figure(grouped(story.counts.behaviours as usize), "different behaviours".to_owned()))
                (figure(size(story.bytes), "archive".to_owned()))
            }
            @if !story.runs.is_empty() { (runs(&story.runs)) }
        }
    }
}

fn runs(runs: &[Run]) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr {
                    th { "run" } th { "command" } th { "tasks" } th { "verdict" } th.n { "generations" }
                    th.n { "evaluations" } th.n { "time" } th { "state" }
                } }
                tbody {
                    @for run in runs {
                        @let last = run.view.points.last();
                        @let evolved = run.record.kind == RunKind::Evolve;
                        tr {
                            td { (run.record.number.0) }
                            td { (run.record.kind.name()) }
                            td { (run.tasks()) }
                            td { @if run.counts.tasks > 0 { (run.counts) " of " (run.counts.tasks) } @else if let Some(last) = last { (last.solved) " with a validated program" } }
                            td.n { @if evolved { (grouped(run.record.generations as usize)) } }
                            td.n { @if evolved { (grouped(run.view.points.iter().map(|p| p.evaluations).sum::<u64>() as usize)) } }
                            td.n { (last.map(|point| duration(point.seconds as u64)).unwrap_or_default()) }
                            td { (match run.record.state { RunState::Running => "not finished", RunState::Stopped => "stopped by the user", RunState::TimeUp => "finished: time is up", RunState::Finished => "finished" }) }
                        }
                    }
                }
            }
        }
    }
}

/// Twice, for light and dark pages; the style shows one of them.
fn curves(story: &Story<'_>) -> Markup {
    let all = story.runs.iter().filter(|run| run.record.kind == RunKind::Evolve).count();
    let skipped = all.saturating_sub(RUNS);
    let evolved = story.runs.iter().filter(|run| run.record.kind == RunKind::Evolve);
    let runs: Vec<_> = evolved.skip(skipped).map(|run| run.view.clone()).collect();
    if runs.iter().all(|run| run.points.len() < 2) {
        return html! {};
    }
    let view = CurvesView { title: String::new(), runs, by_time: false };
    let draw = |dark| {
        let curves = curves_apart(&view, &SvgOptions { dark, ..SvgOptions::default() });
        html! {
            @for curve in curves {
                figure {
                    figcaption { (title(&curve.title)) @if curve.unit != curve.title { ", " (curve.unit) } }
                    (PreEscaped(curve.svg))
                }
            }
        }
    };
    html! {
        section {
            h2 { "Course of the search" }
            @if skipped > 0 { p.lead { "The last " (RUNS) " runs." } }
            div.charts.light { (draw(false)) }
            div.charts.dark { (draw(true)) }
        }
    }
}

/// What a curve is called here: what is drawn are programs that were validated, which the verdict of a
/// task does not ask for.
fn title(title: &str) -> &str {
    if title == "tasks that fit" { "tasks with a validated program" } else { title }
}

/// The operators of the last run, those that gave most first.
fn operators(story: &Story<'_>) -> Markup {
    let Some(run) = story.runs.iter().rev().find(|run| !run.operators.is_empty()) else {
        return html! {};
    };
    let mut rows: Vec<_> = run.operators.iter().filter(|operator| operator.applied > 0).collect();
    if rows.is_empty() {
        return html! {};
    }
    rows.sort_by(|a, b| b.improving.cmp(&a.improving).then(a.operator.cmp(&b.operator)));
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let most = rows.iter().map(|row| row.improving).max().unwrap_or(0);
    html! {
        section {
            h2 { "Operators" }
            p.lead { "Of run " (run.record.number.0) ": what made children out of programs, and how often they were better than their parents." }
            div.wide {
                table {
                    thead { tr {
                        th { "operator" } th.n { "used" } th.n { "valid" } th.n { "new" }
                        th.n { "better" } th.n { "per 1000" } th.bar {}
                    } }
                    tbody {
                        @for row in rows {
                            tr {
                                td { (row.operator) }
                                td.n { (grouped(row.applied as usize)) }
                                td.n { (format!("{:.0} %", share(row.valid, row.applied))) }
                                td.n { (format!("{:.0} %", share(row.new, row.applied))) }
                                td.n { (grouped(row.improving as usize)) }
                                td.n { (format!("{:.1}", 10.0 * share(row.improving, row.applied))) }
                                td.bar { i style={ "width:" (format!("{:.1}%", share(row.improving, most))) } {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A square for each task.
fn map(story: &Story<'_>, options: &ReportOptions) -> Markup {
    let state = |task: &TaskStory<'_>| match (task.is_fit(), task.verdict().tests) {
        (_, TestState::Right) => "r",
        (true, TestState::Wrong) => "w",
        (true, _) => "s",
        (false, _) => "u",
    };
    let has = |class: &str| story.tasks.iter().any(|task| state(task) == class);
    let theme = &options.palette.light;
    let shade = |task: &TaskStory<'_>| -> Option<Rgb> {
        (!task.is_fit()).then(|| theme.closeness(task.similarity()))
    };
    let legend = [
        ("r", "right"),
        ("s", "fits, tests unknown"),
        ("w", "fits, tests wrong"),
        ("u", "open, darker when more similar"),
    ];
    html! {
        section {
            h2 { "All tasks " span.count { (story.tasks.len()) } }
            p.legend {
                @for (class, text) in legend {
                    @if has(class) { span { i class={ "sq " (class) } {} (text) } " " }
                }
            }
            div.map {
                @for task in &story.tasks {
                    @let title = format!("{} {:.3}", task.record.name, task.similarity());
                    a class={ "sq " (state(task)) } href={ "#" (anchor(task)) } title=(title)
                        style=[shade(task).map(|color| format!("background:{color}"))] {}
                }
            }
        }
    }
}

/// `1 task`, `2 tasks`.
fn count(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// Digits in groups of three.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `34.6 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// `1 h 20 min`, `1 min 40 s`, `12 s`.
fn duration(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

/// The day of a moment in seconds since 1970, in the proleptic Gregorian calendar: `2026-11-16`.
fn date(seconds: i64) -> String {
    // Days are counted in eras of 400 years that begin in March, so that leap days come last.
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_dates() {
        let days = [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_794_787_200, "2026-11-16")];
        for (seconds, day) in days {
            assert_eq!(date(seconds), day);
        }
        assert_eq!(date(-1), "1969-12-31");
    }

    #[test]
    fn numbers_are_for_people() {
        assert_eq!((grouped(0), grouped(1234567)), ("0".to_owned(), "1,234,567".to_owned()));
        assert_eq!([size(1), size(34_600_000)], ["1 kB", "34.6 MB"]);
        assert_eq!([5, 100, 4800].map(duration), ["5 s", "1 min 40 s", "1 h 20 min"]);
    }
}
