//! The result of a run for people: what fits and by what, then the counts and the time.

use std::io::Write;

use anyhow::Result;
use arcloom::{Candidate, TaskReport, TestState, similarity, text};

use super::Ran;
use crate::args::run::RunArgs;
use crate::clock::duration;
use crate::device;
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::table::Table;

/// Most names of programs in one line.
const NAMES: usize = 3;
/// Rows of the table by primitive.
const PRIMITIVES: usize = 20;

/// Writes the table of tasks and the summary.
pub(super) fn write(
    ran: &Ran,
    args: &RunArgs,
    session: &Session<'_>,
    out: &mut dyn Write,
) -> Result<()> {
    if !args.detail.quiet {
        let table = table(ran, args.detail.verbose);
        if !table.is_empty() {
            table.write(out, session.paint, session.columns)?;
            writeln!(out)?;
        }
    }
    summary(ran, session, out)
}

fn table(ran: &Ran, all: bool) -> Table {
    let mut table = Table::new(&[
        "task",
        "tests",
        "fits",
        ">similarity",
        ">calls",
        "by",
        ">distinct",
        "program",
    ]);
    for task in &ran.report.tasks {
        let run = &task.run;
        let Some(best) = run.best.first() else {
            if all {
                table.row([(Tone::Plain, task.id.clone()), (Tone::Bad, "no candidate".to_owned())]);
            }
            continue;
        };
        if !all && !task.verdict.is_fit() {
            continue;
        }
        let tone = match task.verdict.tests {
            TestState::Right => Tone::Good,
            TestState::Wrong => Tone::Bad,
            TestState::Unknown => Tone::Dim,
        };
        table.row([
            (Tone::Plain, task.id.clone()),
            (tone, task.verdict.tests.name().to_owned()),
            (Tone::Plain, format!("{}/{}", best.solved, run.demos)),
            (
                Tone::Plain,
                best.similarity.map_or(String::new(), |s| format!("{:.3}", similarity(s))),
            ),
            (Tone::Plain, best.size.to_string()),
            (if task.elsewhere { Tone::Warn } else { Tone::Plain }, origin(ran, task, best)),
            (Tone::Dim, grouped(run.groups)),
            (Tone::Dim, text::one_line(&best.program)),
        ]);
    }
    table
}

/// Who has the best candidate.
fn origin(ran: &Ran, task: &TaskReport, best: &Candidate) -> String {
    let root = |n: &usize| &ran.batt.roots()[*n];
    if best.roots.iter().any(|n| root(n).task == task.id) {
        return "its own program".to_owned();
    }
    let (what, list) =
        if best.roots.is_empty() { ("part of ", &best.within) } else { ("", &best.roots) };
    let names: Vec<&str> = list.iter().take(NAMES).map(|n| root(n).name.as_str()).collect();
    let more = match list.len().saturating_sub(NAMES) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{what}{}{more}", names.join(", "))
}

fn summary(ran: &Ran, session: &Session<'_>, out: &mut dyn Write) -> Result<()> {
    let report = &ran.report;
    let done = report.tasks.len();
    let set = visible(&ran.tasks.name);
    let known = report.tasks.iter().filter(|task| task.verdict.tests != TestState::Unknown).count();
    let elsewhere = report.tasks.iter().filter(|task| task.elsewhere).count();
    let head = format!("{} of {} fit", grouped(report.fits()), count(done, "task"));
    let tests = format!("{} of {} right", grouped(report.right()), grouped(known));
    writeln!(
        out,
        "{}, {tests} {}",
        session.paint.bold(&head),
        session.paint.dim(&format!("({set})"))
    )?;
    if elsewhere > 0 {
        writeln!(out, "{} by a program that was not written for it", count(elsewhere, "task"))?;
    }
    let (candidates, groups): (usize, usize) = report
        .tasks
        .iter()
        .fold((0, 0), |(a, b), task| (a + task.run.candidates, b + task.run.groups));
    writeln!(
        out,
        "{}, {}: {} with a grid, {} that behave differently",
        count(ran.library.programs.len(), "program"),
        count(ran.batt.nodes().len(), "node"),
        count(candidates, "candidate"),
        grouped(groups)
    )?;
    let failed: usize = report.tasks.iter().map(|task| task.run.failed_programs).sum();
    let stopped: usize = report.tasks.iter().map(|task| task.run.stopped_programs).sum();
    if failed + stopped > 0 {
        writeln!(
            out,
            "{} on every input of a task, {} over budget on one",
            count(failed, "failure"),
            grouped(stopped)
        )?;
    }
    faults(ran, session, out)?;
    if report.unfinished > 0 {
        let line = format!("stopped early: {} not run", count(report.unfinished, "task"));
        writeln!(out, "{}", session.paint.bad(&line))?;
    }
    if !ran.library.errors.is_empty() {
        let line = format!("{} while loading", count(ran.library.errors.len(), "error"));
        writeln!(out, "{}", session.paint.bad(&line))?;
    }
    Ok(())
}

/// Differs of the user's that did not judge.
fn faults(ran: &Ran, session: &Session<'_>, out: &mut dyn Write) -> Result<()> {
    let mut sums: Vec<(&str, usize, &str)> = Vec::new();
    for fault in ran.report.tasks.iter().flat_map(|task| &task.run.differ_faults) {
        match sums.iter_mut().find(|(name, ..)| *name == fault.name) {
            Some((_, times, _)) => *times += fault.times,
            None => sums.push((&fault.name, fault.times, &fault.reason)),
        }
    }
    for (name, times, reason) in sums {
        let line = format!("{name} did not judge {}: {reason}", count(times, "time"));
        writeln!(out, "{}", session.paint.tone(Tone::Warn, &visible(&line)))?;
    }
    Ok(())
}

/// Writes the time: one line, or the tables.
pub(super) fn timing(ran: &Ran, args: &RunArgs, session: &mut Session<'_>) -> Result<()> {
    if args.timing.timing {
        ran.times.write(session)?;
        writeln!(session.out)?;
        primitives(ran, session)?;
    }
    if !args.detail.quiet {
        let counts = &ran.report.counts;
        let alone: u64 = ran.batt.roots().iter().map(|root| root.size as u64).sum();
        let line = format!(
            "{} on {}: {} nodes, {} calls made; {} saved by shared nodes, {} by equal values",
            duration(ran.times.all.wall),
            count(ran.threads, "thread"),
            grouped(counts.nodes as usize),
            grouped(counts.calls as usize),
            grouped((alone * counts.inputs).saturating_sub(counts.nodes) as usize),
            grouped(counts.remembered as usize),
        );
        writeln!(session.out, "{}", session.paint.dim(&line))?;
        if let Some(report) = &ran.report.device {
            for line in device::lines(report) {
                writeln!(session.out, "{}", session.paint.dim(&visible(&line)))?;
            }
        }
        if let (Some(path), Some(kept)) = (&args.archive, &ran.kept) {
            let line = format!(
                "{}: {} and {} added; {} of {} known: {} of validation saved, {} spent on looking",
                visible(&path.to_string_lossy()),
                count(kept.programs, "program"),
                count(kept.results, "result"),
                grouped(kept.hits as usize),
                grouped((kept.hits + kept.misses) as usize),
                duration(kept.saved),
                duration(kept.looked),
            );
            writeln!(session.out, "{}", session.paint.dim(&line))?;
        }
    }
    Ok(())
}

fn primitives(ran: &Ran, session: &mut Session<'_>) -> Result<()> {
    let Some(profile) = &ran.report.profile else { return Ok(()) };
    let rows = profile.table();
    let mut table = Table::new(&["primitive", ">calls", ">total", ">ns/call"]);
    for row in rows.iter().take(PRIMITIVES) {
        let ns = (row.time.as_nanos() as u64).checked_div(row.calls).unwrap_or(0);
        let cells = [
            row.name.to_owned(),
            grouped(row.calls as usize),
            duration(row.time),
            grouped(ns as usize),
        ];
        table.row(cells.map(|text| (Tone::Plain, text)));
    }
    table.write(session.out, session.paint, session.columns)?;
    writeln!(session.out)?;
    Ok(())
}
