//! The result of a check for people: what is not right, then the counts.

use anyhow::Result;
use arcloom::{CheckRow, CheckState, Profile};

use super::Checked;
use crate::args::check::CheckArgs;
use crate::clock::duration;
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::table::Table;

/// Writes rows, profile and summary.
pub(super) fn write(checked: &Checked, args: &CheckArgs, session: &mut Session<'_>) -> Result<()> {
    if checked.library.programs.is_empty() {
        return Ok(());
    }
    if !args.detail.quiet {
        let table =
            if checked.all_tasks { elsewhere(checked) } else { rows(checked, args.detail.verbose) };
        if !table.is_empty() {
            table.write(session.out, session.paint, session.columns)?;
            writeln!(session.out)?;
        }
        if let Some(profile) = &checked.report.profile {
            profile_table(profile).write(session.out, session.paint, session.columns)?;
            writeln!(session.out)?;
        }
    }
    let slow = slowest(checked);
    if !slow.is_empty() {
        slow.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    summary(checked, session)?;
    if !args.detail.quiet {
        hint(checked, session)?;
        let line = timing(checked);
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    Ok(())
}

/// Programs on their own tasks.
fn rows(checked: &Checked, all: bool) -> Table {
    let mut table = Table::new(&["program", "task", "state", "right", "at", "reason"]);
    for row in checked.report.rows.iter().filter(|row| all || row.state != CheckState::Right) {
        let entry = &checked.library.programs[row.program];
        let name = entry.program.name.clone();
        let (tone, outcome) = outcome(row);
        let right =
            if row.pairs == 0 { String::new() } else { format!("{}/{}", row.right, row.pairs) };
        table.row([
            (Tone::Plain, name),
            (Tone::Plain, row.task.clone()),
            (tone, outcome.to_owned()),
            (Tone::Plain, right),
            (Tone::Plain, row.pair_name.clone().unwrap_or_default()),
            (Tone::Dim, row.reason.clone().unwrap_or_default()),
        ]);
    }
    table
}

/// With `--all-tasks`: programs that are right on a task they are not meant for.
fn elsewhere(checked: &Checked) -> Table {
    let mut table = Table::new(&["program", "also right on"]);
    for row in checked.right_elsewhere() {
        let name = checked.library.programs[row.program].program.name.clone();
        table.row([(Tone::Plain, name), (Tone::Good, row.task.clone())]);
    }
    table
}

/// The programs that took longest, of all time that programs took.
fn slowest(checked: &Checked) -> Table {
    let mut table = Table::new(&["slowest", "task", ">CPU", ">share", ">pairs", "state"]);
    let all: f64 = checked.report.times.iter().map(|time| time.as_secs_f64()).sum();
    for (row, time) in checked.slow() {
        let name = checked.library.programs[row.program].program.name.clone();
        let share = format!("{:.1}%", 100.0 * time.as_secs_f64() / all.max(f64::MIN_POSITIVE));
        let (tone, state) = outcome(row);
        table.row([
            (Tone::Plain, name),
            (Tone::Plain, row.task.clone()),
            (Tone::Plain, duration(time)),
            (Tone::Dim, share),
            (Tone::Dim, row.pairs.to_string()),
            (tone, state.to_owned()),
        ]);
    }
    table
}

/// A state for people.
fn outcome(row: &CheckRow) -> (Tone, &'static str) {
    match row.state {
        CheckState::Right => (Tone::Good, "right"),
        CheckState::Wrong => (Tone::Bad, "wrong"),
        CheckState::Failed => (Tone::Bad, "failed"),
        CheckState::OverBudget => (Tone::Warn, "over budget"),
        CheckState::NoTask => (Tone::Warn, "no task"),
    }
}

fn summary(checked: &Checked, session: &mut Session<'_>) -> Result<()> {
    let (programs, right) = (checked.library.programs.len(), checked.right());
    let unloaded = checked.library.errors.len();
    let own = if checked.all_tasks { " on their own task" } else { "" };
    let head = format!("{} of {} right{own}", grouped(right), count(programs, "program"));
    let complete = right == programs && unloaded == 0;
    let head = if complete { session.paint.good(&head) } else { session.paint.bold(&head) };
    let counts = counts(checked);
    if checked.all_tasks {
        let elsewhere = count(checked.right_elsewhere().count(), "run");
        writeln!(session.out, "{head}, {elsewhere} right on another")?;
        let runs = count(checked.report.rows.len(), "run");
        writeln!(session.out, "{runs} on {}: {counts}", visible(&checked.tasks.name))?;
    } else {
        let pairs: usize = checked.report.rows.iter().map(|row| row.pairs).sum();
        let set = format!(" ({}, {})", visible(&checked.tasks.name), count(pairs, "pair"));
        let counts = if counts.is_empty() { counts } else { format!(": {counts}") };
        writeln!(session.out, "{head}{counts}{}", session.paint.dim(&set))?;
    }
    if unloaded > 0 {
        let line = format!("{} while loading", count(unloaded, "error"));
        writeln!(session.out, "{}", session.paint.bad(&line))?;
    }
    Ok(())
}

/// How many runs had which outcome, without those that had none; right ones are in the headline,
/// unless there are more runs than programs.
fn counts(checked: &Checked) -> String {
    let all = [
        (CheckState::Right, "right"),
        (CheckState::Wrong, "wrong"),
        (CheckState::Failed, "failed"),
        (CheckState::OverBudget, "over budget"),
        (CheckState::NoTask, "without a task in the set"),
    ];
    let parts: Vec<String> = all
        .into_iter()
        .filter(|(state, _)| checked.all_tasks || *state != CheckState::Right)
        .map(|(state, words)| (checked.report.count(state), words))
        .filter(|&(n, _)| n > 0)
        .map(|(n, words)| format!("{} {words}", grouped(n)))
        .collect();
    parts.join(", ")
}

/// What to do when no program met its task.
fn hint(checked: &Checked, session: &mut Session<'_>) -> Result<()> {
    let rows = &checked.report.rows;
    if !rows.is_empty() && rows.iter().all(|row| row.state == CheckState::NoTask) {
        let set = visible(&checked.tasks.name);
        writeln!(
            session.out,
            "{set} has none of their tasks: name another set with -t, or try all of its tasks with --all-tasks"
        )?;
    }
    Ok(())
}

fn timing(checked: &Checked) -> String {
    let cpu = checked
        .running
        .cpu
        .filter(|time| !time.is_zero())
        .map(|time| format!(", CPU {}", duration(time)));
    format!(
        "loaded in {}, ran in {} on {}{}",
        duration(checked.loading),
        duration(checked.running.wall),
        count(checked.threads, "thread"),
        cpu.unwrap_or_default()
    )
}

/// Calls and time by primitive, most time first.
fn profile_table(profile: &Profile) -> Table {
    let mut table = Table::new(&["primitive", ">calls", ">total ms", ">ns/call", ">share"]);
    let rows = profile.table();
    let total: f64 = rows.iter().map(|row| row.time.as_secs_f64()).sum();
    let line = |name: &str, calls: u64, seconds: f64| {
        [
            name.to_owned(),
            grouped(calls as usize),
            format!("{:.3}", seconds * 1e3),
            grouped((seconds * 1e9 / calls.max(1) as f64).round() as usize),
            format!("{:.1}%", if total > 0.0 { seconds / total * 100.0 } else { 0.0 }),
        ]
    };
    for row in &rows {
        table
            .row(line(row.name, row.calls, row.time.as_secs_f64()).map(|text| (Tone::Plain, text)));
    }
    let calls = rows.iter().map(|row| row.calls).sum();
    table.row(line("all", calls, total).map(|text| (Tone::Bold, text)));
    table
}
