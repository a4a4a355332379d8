//! `--timing` and `--trace-file`: where the time of a command went, for people, as JSON and as a timeline.

use std::time::Duration;

use anyhow::Result;
use arcloom::timing::{Entered, Event, Spans, TimeRow, span};
use serde_json::{Value as Json, json};

use crate::args::common::TimingArgs;
use crate::clock::duration;
use crate::file;
use crate::paint::Tone;
use crate::session::Session;
use crate::table::Table;

/// The clock of a command, which begins with it.
pub(crate) struct Watch {
    spans: Spans,
    _entered: Option<Entered>,
}

/// What a command took. All rows and `other` together are the time on the wall.
pub(crate) struct Times {
    pub(crate) rows: Vec<TimeRow>,
    /// What no row has.
    pub(crate) other: TimeRow,
    pub(crate) all: TimeRow,
}

impl Watch {
    /// Starts the clock; rows are kept where somebody asks for them.
    pub(crate) fn start(args: &TimingArgs, json: bool) -> Watch {
        let is_on = args.timing || json || args.trace_file.is_some();
        let spans = Spans::new(args.trace_file.is_some());
        let _entered = is_on.then(|| spans.enter());
        Watch { spans, _entered }
    }

    /// What the command took so far.
    pub(crate) fn times(&self) -> Times {
        let (rows, all) = (self.spans.rows(), self.spans.whole());
        let wall: Duration = rows.iter().map(|row| row.wall).sum();
        let cpu: Duration = rows.iter().map(|row| row.cpu).sum();
        let other = TimeRow {
            name: "other".to_owned(),
            wall: all.wall.saturating_sub(wall),
            cpu: all.cpu.saturating_sub(cpu),
        };
        Times { rows, other, all }
    }

    /// Writes the timeline where one is asked for.
    pub(crate) fn write_trace(&self, args: &TimingArgs, session: &mut Session<'_>) -> Result<()> {
        let Some(path) = &args.trace_file else { return Ok(()) };
        let _span = span("print");
        file::write_or_print(path, trace(&self.spans.events()).as_bytes(), session.out)
    }
}

/// True when standard output is the timeline's alone.
pub(crate) fn is_trace(args: &TimingArgs) -> bool {
    args.trace_file.as_deref().is_some_and(file::is_stdout)
}

impl Times {
    /// Writes the table.
    pub(crate) fn write(&self, session: &mut Session<'_>) -> Result<()> {
        writeln!(session.out)?;
        let mut table = Table::new(&["stage", ">wall", ">share", ">CPU"]);
        let whole = self.all.wall.as_secs_f64().max(1e-9);
        let mut add = |tone, row: &TimeRow| {
            let share = format!("{:.1}%", 100.0 * row.wall.as_secs_f64() / whole);
            let cells = [row.name.clone(), duration(row.wall), share, duration(row.cpu)];
            table.row(cells.map(|text| (tone, text)));
        };
        self.rows.iter().for_each(|row| add(Tone::Plain, row));
        add(Tone::Plain, &self.other);
        add(Tone::Bold, &self.all);
        table.write(session.out, session.paint, session.columns)?;
        Ok(())
    }

    /// The same as the fields of a JSON object: `wall_seconds`, `cpu_seconds`, `other_seconds`, `stages`.
    pub(crate) fn json(&self) -> Json {
        let row = |row: &TimeRow| json!({"wall_seconds": row.wall.as_secs_f64(), "cpu_seconds": row.cpu.as_secs_f64()});
        let stages: serde_json::Map<String, Json> =
            self.rows.iter().map(|one| (one.name.clone(), row(one))).collect();
        json!({
            "wall_seconds": self.all.wall.as_secs_f64(),
            "cpu_seconds": self.all.cpu.as_secs_f64(),
            "other_seconds": self.other.wall.as_secs_f64(),
            "stages": stages,
            "peak_memory_bytes": arcloom::timing::peak_memory(),
        })
    }
}

/// Events in the format that Perfetto and chrome://tracing read, one per line.
fn trace(events: &[Event]) -> String {
    let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
    let line = |event: &Event| {
        let name = match event.about.as_str() {
            "" => event.name.clone(),
            about => format!("{} {about}", event.name),
        };
        json!({
            "name": name,
            "cat": event.name,
            "ph": "X",
            "pid": 1,
            "tid": event.thread,
            "ts": micros(event.start),
            "dur": micros(event.time),
        })
        .to_string()
    };
    let lines: Vec<String> = events.iter().map(line).collect();
    format!("{{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{}\n]}}\n", lines.join(",\n"))
}
