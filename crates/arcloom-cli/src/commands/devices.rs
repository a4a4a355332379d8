//! `arcloom devices`: what can evaluate programs besides the CPU, and when that would pay.

use std::process::ExitCode;

use anyhow::Result;
use arcloom::Engine;
use arcloom::run::device::{Measured, Measurement, devices, measure};
use serde_json::{Value as Json, json};

use crate::args::dsl::DevicesArgs;
use crate::clock::duration;
use crate::locate;
use crate::paint::{Tone, count, grouped, size, visible};
use crate::session::Session;

pub(crate) fn run(args: &DevicesArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let (found, absent) = devices();
    let mut measurement = None;
    if !args.list && !found.is_empty() {
        let engine = Engine::builder().threads(args.jobs.threads()).build()?;
        let library = locate::programs(session, &["library:embedded".to_owned()], false)?;
        let tasks = session.catalog.resolve_tasks("embedded")?;
        measurement = Some(measure(&engine, &engine.merge(&library.programs), &tasks));
    }
    if args.json.json {
        let all: Vec<Json> = found
            .iter()
            .enumerate()
            .map(|(n, info)| {
                let measured = measurement.as_ref().and_then(|m| m.devices.get(n));
                json!({
                    "number": n,
                    "name": info.name,
                    "api": info.api.to_string(),
                    "driver": info.driver,
                    "memory_bytes": info.memory,
                    "units": info.units,
                    "groups_per_unit": (info.groups > 0).then_some(info.groups),
                    "compute_capability": info.capability.map(|(major, minor)| format!("{major}.{minor}")),
                    "is_cpu": info.is_cpu,
                    "measured": measured.map(|m| object(m, measurement.as_ref())),
                })
            })
            .collect();
        let object = json!({"schema": arcloom::JSON_SCHEMA, "devices": all, "absent": absent});
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        writeln!(session.out, "no device")?;
    }
    for (n, info) in found.iter().enumerate() {
        let kind = if info.is_cpu { ", which is the CPU in another guise" } else { "" };
        let line = format!("gpu:{n}  {}", visible(&info.name));
        writeln!(session.out, "{}", session.paint.bold(&line))?;
        let capability = info.capability.map_or(String::new(), |(major, minor)| {
            format!(", compute capability {major}.{minor}")
        });
        let units = if info.capability.is_some() { "multiprocessor" } else { "unit" };
        writeln!(
            session.out,
            "       {}, driver {}{capability}, {} of memory, {}{kind}",
            info.api,
            visible(&info.driver),
            size(info.memory),
            count(info.units as usize, units),
        )?;
        if let Some(measurement) = &measurement
            && let Some(measured) = measurement.devices.get(n)
        {
            writeln!(session.out, "       {}", line_of(measured, measurement))?;
        }
    }
    for reason in absent {
        writeln!(session.out, "{}", session.paint.tone(Tone::Dim, &visible(&reason)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line_of(measured: &Result<Measured, String>, all: &Measurement) -> String {
    let measured = match measured {
        Ok(measured) => measured,
        Err(reason) => return visible(reason),
    };
    let pays = match measured.break_even(all) {
        Some(runs) => format!("pays from {} runs on", grouped(runs as usize)),
        None => "never pays".to_owned(),
    };
    format!(
        "ready in {}; a batch costs {} and {:.2} µs a run, against {:.2} µs on {}: {pays}",
        duration(measured.setup),
        duration(measured.fixed),
        measured.per_run * 1e6,
        all.cpu_per_run * 1e6,
        count(all.threads, "thread"),
    )
}

fn object(measured: &Result<Measured, String>, all: Option<&Measurement>) -> Json {
    match (measured, all) {
        (Ok(measured), Some(all)) => json!({
            "setup_seconds": measured.setup.as_secs_f64(),
            "batch_seconds": measured.fixed.as_secs_f64(),
            "run_seconds": measured.per_run,
            "cpu_run_seconds": all.cpu_per_run,
            "cpu_threads": all.threads,
            "break_even_runs": measured.break_even(all),
        }),
        (Err(reason), _) => json!({"failed": reason}),
        (Ok(_), None) => Json::Null,
    }
}
