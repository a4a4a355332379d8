//! The comparison as one JSON object.

use std::io::Write;

use crate::bench::{Experiment, Point, Row, RunDifference};
use anyhow::Result;
use serde_json::{Value as Json, json};

use super::Measured;
use super::text::rate;

pub(super) fn write(measured: &Measured, out: &mut dyn Write) -> Result<()> {
    let report = &measured.report;
    let object = json!({
        "arcloom": env!("CARGO_PKG_VERSION"),
        "schema": arcloom::JSON_SCHEMA,
        "task_set": measured.tasks.name,
        "task_count": measured.tasks.tasks.len(),
        "program_count": measured.library.programs.len(),
        "cores": report.cores,
        "devices": report.devices,
        "repeats": report.repeats,
        "seed": measured.options.seed,
        "call_budget": measured.options.budget,
        "identical": true,
        "experiments": report.experiments.iter().map(experiment).collect::<Vec<_>>(),
        "errors": measured.library.errors,
        "warnings": measured.library.warnings,
    });
    writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    Ok(())
}

/// Two modes that differ, and no number beside that.
pub(super) fn difference(difference: &RunDifference, out: &mut dyn Write) -> Result<()> {
    let object = json!({
        "arcloom": env!("CARGO_PKG_VERSION"),
        "schema": arcloom::JSON_SCHEMA,
        "identical": false,
        "difference": {
            "experiment": difference.place.axis.name(),
            "size": difference.place.size,
            "reference": difference.reference.to_string(),
            "mode": difference.mode.to_string(),
            "what": difference.what,
        },
    });
    writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    Ok(())
}

fn experiment(experiment: &Experiment) -> Json {
    let sizes = &experiment.sizes;
    let points = experiment.points.iter().map(|point| self::point(experiment, point));
    json!({
        "by": sizes.axis.name(),
        "left_out": sizes.left_out,
        "there": sizes.there,
        "sizes": points.collect::<Vec<_>>(),
    })
}

fn point(experiment: &Experiment, point: &Point) -> Json {
    json!({
        "size": point.size,
        "tasks": point.tasks,
        "programs": point.programs,
        "grids": point.grids,
        "results": point.results(),
        "digest": point.digest,
        "modes": point.rows.iter().map(|row| self::row(experiment, point, row)).collect::<Vec<_>>(),
    })
}

fn row(experiment: &Experiment, point: &Point, row: &Row) -> Json {
    let ratios = experiment.ratios(point, row);
    json!({
        "mode": row.mode.to_string(),
        "jobs": row.mode.jobs(),
        "note": row.note,
        "wall_seconds": row.wall.as_secs_f64(),
        "slowest_seconds": row.slowest.as_secs_f64(),
        "cpu_seconds": row.cpu.map(|cpu| cpu.as_secs_f64()),
        "grids_per_second": rate(point.grids, row.wall),
        "results_per_second": rate(point.results(), row.wall),
        "over_sequential": ratios.over_sequential,
        "over_sequential_cpu": ratios.over_sequential_cpu,
        "over_one_job": ratios.over_one_job,
        "efficiency": ratios.efficiency,
        "time_growth": ratios.time_growth,
        "work_growth": ratios.work_growth,
    })
}
