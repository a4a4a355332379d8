//! The comparison for people: one table per experiment.

use std::time::Duration;

use crate::bench::{Axis, BenchReport, Experiment, Point, Row, RunDifference};
use anyhow::Result;

use super::Measured;
use crate::clock::duration;
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::table::Table;

/// Things per second.
pub(super) fn rate(things: usize, time: Duration) -> f64 {
    things as f64 / time.as_secs_f64()
}

/// What is varied in an experiment and what is kept.
pub(super) fn heading(experiment: &Experiment) -> String {
    let kept = experiment.points.first().map(|point| match experiment.sizes.axis {
        Axis::Tasks | Axis::Grids => format!(", {}", count(point.programs, "program")),
        Axis::Programs => format!(", {}", count(point.tasks, "task")),
    });
    format!("by {}{}", experiment.sizes.axis.name(), kept.unwrap_or_default())
}

/// Writes the tables.
pub(super) fn write(measured: &Measured, session: &mut Session<'_>) -> Result<()> {
    let report = &measured.report;
    for experiment in &report.experiments {
        writeln!(session.out, "{}", session.paint.bold(&heading(experiment)))?;
        // Never cut to the width of the terminal: half a number is worse than a broken line.
        table(experiment).write(session.out, session.paint, None)?;
        writeln!(session.out)?;
    }
    let sizes: usize = report.experiments.iter().map(|experiment| experiment.points.len()).sum();
    let line = format!("the same results in all modes at all {sizes} sizes");
    writeln!(session.out, "{}", session.paint.good(&line))?;
    let line = format!(
        "{} on {} of {}, {}, best of {}, seed {}",
        count(measured.library.programs.len(), "program"),
        count(measured.tasks.tasks.len(), "task"),
        visible(&measured.tasks.name),
        count(report.cores, "core"),
        report.repeats,
        measured.options.seed,
    );
    writeln!(session.out, "{}", session.paint.dim(&line))?;
    if measured.options.never_slower {
        let slower: Vec<String> = report.experiments.iter().flat_map(slower).collect();
        if slower.is_empty() {
            let line = "never slower: no merged graph takes over 3% longer than its programs alone";
            writeln!(session.out, "{}", session.paint.good(line))?;
        }
        for line in slower {
            writeln!(session.out, "{}", session.paint.bad(&line))?;
        }
    }
    for (n, device) in report.devices.iter().enumerate() {
        let line = format!("gpu:{n} is {}", visible(device));
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    for line in notes(report) {
        writeln!(session.out, "{}", session.paint.dim(&visible(&line)))?;
    }
    if measured.options.jobs.iter().any(|&jobs| jobs > report.cores) {
        let line = format!("more jobs than {} share them", count(report.cores, "core"));
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    if !measured.library.errors.is_empty() {
        let line = format!("{} while loading", count(measured.library.errors.len(), "error"));
        writeln!(session.out, "{}", session.paint.bad(&line))?;
    }
    Ok(())
}

/// Where the merged graph is slower than the programs alone.
fn slower(experiment: &Experiment) -> Vec<String> {
    let name = experiment.sizes.axis.name();
    let slower = experiment.slower().into_iter();
    slower
        .map(|(point, row)| {
            format!("{} is slower than the programs alone at {} {name}", row.mode, point.size)
        })
        .collect()
}

/// What there is to say about devices, size by size.
fn notes(report: &BenchReport) -> Vec<String> {
    let mut lines = Vec::new();
    for experiment in &report.experiments {
        let name = experiment.sizes.axis.name();
        for point in &experiment.points {
            let noted = point.rows.iter().filter_map(|row| Some((row.mode, row.note.as_ref()?)));
            lines
                .extend(noted.map(|(mode, note)| format!("{mode}, {} {name}: {note}", point.size)));
        }
    }
    lines
}

/// Writes what two modes do not agree on, and nothing else.
pub(super) fn difference(difference: &RunDifference, session: &mut Session<'_>) -> Result<()> {
    let line = visible(&difference.to_string());
    writeln!(session.out, "{}", session.paint.bad(&line))?;
    writeln!(
        session.out,
        "nothing was compared; please report this, with the programs and tasks you used"
    )?;
    Ok(())
}

fn table(experiment: &Experiment) -> Table {
    // Where the size is the number of grids, a second column for them would repeat it.
    let (size, grids) = match experiment.sizes.axis {
        Axis::Tasks => (">tasks", ">grids"),
        Axis::Programs => (">programs", ">grids"),
        Axis::Grids => (">grids", ""),
    };
    let mut table = Table::new(&[
        size,
        "mode",
        grids,
        ">results",
        ">wall",
        ">spread",
        ">CPU",
        ">grids/s",
        ">results/s",
        ">x seq",
        ">in CPU",
        ">x 1 job",
        ">effic.",
        ">growth",
        ">of work",
    ]);
    for point in &experiment.points {
        for row in &point.rows {
            table.row(cells(experiment, point, row).map(|text| (Tone::Plain, text)));
        }
    }
    table
}

fn cells(experiment: &Experiment, point: &Point, row: &Row) -> [String; 15] {
    let ratios = experiment.ratios(point, row);
    let times = |ratio: Option<f64>| ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let per_second = |things: usize| grouped(rate(things, row.wall).round() as usize);
    let grids = if experiment.sizes.axis == Axis::Grids { None } else { Some(point.grids) };
    [
        grouped(point.size),
        row.mode.to_string(),
        grids.map(grouped).unwrap_or_default(),
        grouped(point.results()),
        duration(row.wall),
        percent(row.spread()),
        row.cpu.map(duration).unwrap_or_default(),
        per_second(point.grids),
        per_second(point.results()),
        times(ratios.over_sequential),
        times(ratios.over_sequential_cpu),
        times(ratios.over_one_job),
        ratios.efficiency.map(percent).unwrap_or_default(),
        times(ratios.time_growth),
        times(ratios.work_growth),
    ]
}
