//! What every thread did when, in the format that Perfetto and chrome://tracing read.

use arcloom::RunReport;
use serde_json::json;

/// The events as one JSON document, one event per line.
pub(super) fn json(report: &RunReport) -> String {
    let lines: Vec<String> = report
        .timing
        .events()
        .iter()
        .map(|event| {
            let name = if event.name.is_empty() {
                event.stage.name().to_string()
            } else {
                format!("{} {}", event.stage.name(), event.name)
            };
            let micros = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
            json!({
                "name": name,
                "cat": event.stage.name(),
                "ph": "X",
                "pid": 1,
                "tid": event.thread,
                "ts": micros(event.start),
                "dur": micros(event.time),
            })
            .to_string()
        })
        .collect();
    format!("{{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{}\n]}}\n", lines.join(",\n"))
}
