//! What devices did, for reports of all commands that have `--device`, and the log of their batches.

use std::path::Path;

use anyhow::Result;
use arcloom::DeviceReport;
use serde_json::{Value as Json, json};

use crate::args::common::DeviceArg;
use crate::clock::duration;
use crate::file;
use crate::paint::{count, grouped, size, visible};
use crate::session::Session;

/// What devices did, line by line.
pub(crate) fn lines(report: &DeviceReport) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(report.chosen.iter().map(|why| format!("device auto: {why}")));
    if report.programs > 0 {
        let left = report.reasons.iter().map(|(reason, n)| format!("{n} {reason}"));
        let left: Vec<String> = left.collect();
        let left = if left.is_empty() { String::new() } else { format!(": {}", left.join(", ")) };
        lines.push(format!(
            "{} of {} have kernels for every step{left}",
            grouped(report.covered),
            count(report.programs, "program"),
        ));
    }
    for used in &report.uses {
        let took = &used.took;
        lines.push(format!(
            "{} ({}): {}, {} up in {}, {} busy in {}, {} down in {}, {} of it at the same time; {:.0} % of {} \
             in kernels, {}/s",
            used.device.name,
            used.device.api,
            count(used.inputs, "input"),
            size(took.up),
            duration(took.sending),
            duration(took.busy),
            count(took.launches as usize, "launch").replace("launchs", "launches"),
            size(took.down),
            duration(took.receiving),
            duration(took.overlapped),
            100.0 * used.utilisation(),
            duration(used.wall),
            size(used.bytes_per_second() as u64),
        ));
    }
    if report.results > 0 {
        lines.push(format!(
            "{} program runs on devices, {} values of 12 bytes back; {} left the device and {} grids \
             looked at were computed by the CPU; {} to get ready",
            grouped(report.runs as usize),
            grouped(report.results as usize),
            grouped(report.over as usize),
            grouped(report.drawn as usize),
            duration(report.setup),
        ));
    }
    lines
}

/// What devices did. It stands with the times: which device did how much is not repeatable.
pub(crate) fn json(report: &DeviceReport) -> Json {
    let one = |used: &arcloom::gpu::Use| {
        json!({
            "name": used.device.name,
            "api": used.device.api.to_string(),
            "inputs": used.inputs,
            "bytes_up": used.took.up,
            "bytes_down": used.took.down,
            "uploads": used.took.uploads,
            "launches": used.took.launches,
            "busy_seconds": used.took.busy.as_secs_f64(),
            "sending_seconds": used.took.sending.as_secs_f64(),
            "receiving_seconds": used.took.receiving.as_secs_f64(),
            "overlapped_seconds": used.took.overlapped.as_secs_f64(),
            "wall_seconds": used.wall.as_secs_f64(),
            "utilisation": used.utilisation(),
            "bytes_per_second": used.bytes_per_second(),
        })
    };
    let reasons: serde_json::Map<String, Json> =
        report.reasons.iter().map(|(reason, n)| (reason.clone(), (*n).into())).collect();
    json!({
        "asked": report.asked.to_string(),
        "chosen": report.chosen,
        "programs": report.programs,
        "covered": report.covered,
        "not_covered": reasons,
        "runs": report.runs,
        "results": report.results,
        "over": report.over,
        "drawn": report.drawn,
        "fallbacks": report.faults,
        "setup_seconds": report.setup.as_secs_f64(),
        "devices": report.uses.iter().map(one).collect::<Vec<_>>(),
    })
}

/// Tells what devices did and what went wrong, and writes the log that was asked for.
pub(crate) fn tell(
    args: &DeviceArg,
    reports: &[DeviceReport],
    quiet: bool,
    session: &Session<'_>,
) -> Result<()> {
    for report in reports {
        for line in lines(report).iter().filter(|_| !quiet) {
            session.note(&visible(line));
        }
        for fault in &report.faults {
            session.warn(&format!("{}; the CPU goes on", visible(fault)));
        }
    }
    log(args.device_log.as_deref(), reports)
}

/// Writes `--device-log`: a line of JSON for each batch of each device.
pub(crate) fn log(path: Option<&Path>, reports: &[DeviceReport]) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut text = String::new();
    for (run, report) in reports.iter().enumerate() {
        for used in &report.uses {
            for batch in &used.batches {
                let took = &batch.took;
                let line = json!({
                    "run": run,
                    "device": used.device.name,
                    "api": used.device.api.to_string(),
                    "inputs": batch.inputs,
                    "programs": batch.programs,
                    "runs": batch.inputs * batch.programs,
                    "begun_seconds": batch.begun.as_secs_f64(),
                    "done_seconds": batch.done.as_secs_f64(),
                    "bytes_up": took.up,
                    "bytes_down": took.down,
                    "sending_seconds": took.sending.as_secs_f64(),
                    "busy_seconds": took.busy.as_secs_f64(),
                    "receiving_seconds": took.receiving.as_secs_f64(),
                });
                text.push_str(&line.to_string());
                text.push('\n');
            }
        }
    }
    file::write(path, text.as_bytes())
}
