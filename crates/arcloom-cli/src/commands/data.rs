//! `arcloom data`: what is there under which name, and fetching the rest.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::corpus::{DataKind, Health, Listed, PullEvent, PullOptions, Status, pull};

use serde_json::{Value as Json, json};

use crate::NOT_RIGHT;
use crate::args::data::{DataArgs, DataCommand};
use crate::locate::{FileKind, kind_of};
use crate::paint::{Tone, count, size, visible};
use crate::session::Session;
use crate::table::Table;

pub(crate) fn run(args: &DataArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    match &args.command {
        None => list(session, false),
        Some(DataCommand::List { json }) => list(session, json.json),
        Some(DataCommand::Pull { offline }) => fetch(session, offline.as_deref()),
        Some(DataCommand::Add { name, path }) => add(session, name, path),
        Some(DataCommand::Verify) => verify(session),
        Some(DataCommand::Remove { name }) => remove(session, name),
    }
}

fn fetch(session: &mut Session<'_>, offline: Option<&Path>) -> Result<ExitCode> {
    let dir = visible(&session.catalog.dir()?.to_string_lossy());
    writeln!(session.out, "data folder {dir}")?;
    session.out.flush()?;
    let catalog = session.catalog.clone();
    let options = PullOptions { offline: offline.map(Path::to_path_buf), python: None };
    let mut live = None;
    // A line that cannot be written ends the command after the pull, whose files are worth keeping.
    let mut written = Ok(());
    let report = pull(&catalog, &options, &mut |event| {
        live = None;
        let (line, waiting) = describe(&event);
        if written.is_ok() {
            written = writeln!(session.out, "  {line}").and_then(|()| session.out.flush());
        }
        live = waiting.map(|label| session.live(label));
    });
    drop(live);
    let report = report?;
    written?;
    let (files, bytes) = (count(report.written.len(), "file"), size(report.bytes));
    let line = match (report.written.len(), report.present) {
        (0, n) => format!("all {} are there and right", count(n, "file")),
        (_, 0) => format!("{files} written, {bytes}"),
        (_, n) => format!("{files} written, {bytes}; {n} were there already"),
    };
    writeln!(session.out, "{}", session.paint.good(&line))?;
    let next = "next: arcloom solve arc1/training --count 20 -p library:rearc";
    writeln!(session.out, "{}", session.paint.dim(next))?;
    Ok(ExitCode::SUCCESS)
}

/// An event as a line, and what is being waited for after it.
fn describe(event: &PullEvent) -> (String, Option<&'static str>) {
    match event {
        PullEvent::Waiting => ("waiting for another process to finish".to_owned(), Some("waiting")),
        PullEvent::Present { path } => (format!("{path}: there already"), None),
        PullEvent::Fetching { packages } => {
            (format!("fetching {} with pip", packages.join(" and ")), Some("downloading"))
        }
        PullEvent::Checked { wheel } => (format!("{wheel}: size and hash are right"), None),
        PullEvent::Wrote { path, bytes } => (format!("{path}: {}", size(*bytes)), None),
        other => (format!("{other:?}"), None),
    }
}

fn list(session: &mut Session<'_>, as_json: bool) -> Result<ExitCode> {
    let rows = session.catalog.list()?;
    if as_json {
        let object = json!({
            "schema": arcloom::JSON_SCHEMA,
            "data_dir": session.catalog.dir().ok().map(|dir| dir.to_string_lossy().into_owned()),
            "names": rows.iter().map(object).collect::<Vec<_>>(),
        });
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(&["name", ">holds", "", ">size", "from", "state"]);
    let mut missing = false;
    for row in &rows {
        let noun = match row.kind {
            DataKind::Tasks => "tasks",
            DataKind::Programs => "programs",
        };
        let (tone, state) = match &row.status {
            Status::Ready => (Tone::Good, "ready".to_owned()),
            Status::NotPulled => (Tone::Dim, "not fetched".to_owned()),
            Status::Broken(why) => (Tone::Bad, why.clone()),
        };
        missing |= row.status == Status::NotPulled;
        let ready = row.status == Status::Ready;
        let number = |text: String| (Tone::Plain, if ready { text } else { "-".to_owned() });
        table.row([
            (Tone::Plain, row.name.clone()),
            number(row.count.to_string()),
            (Tone::Plain, noun.to_owned()),
            number(size(row.bytes)),
            (Tone::Dim, row.source.clone()),
            (tone, state),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    writeln!(session.out)?;
    if let Ok(dir) = session.catalog.dir() {
        let line = format!("data folder {}", visible(&dir.to_string_lossy()));
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    let line = match missing {
        true => {
            "`arcloom data pull` fetches what is missing, `arcloom data add NAME PATH` registers your own"
        }
        false => "`arcloom data add NAME PATH` registers your own files",
    };
    writeln!(session.out, "{}", session.paint.dim(line))?;
    Ok(ExitCode::SUCCESS)
}

fn object(row: &Listed) -> Json {
    let (state, problem) = match &row.status {
        Status::Ready => ("ready", None),
        Status::NotPulled => ("not fetched", None),
        Status::Broken(why) => ("broken", Some(why)),
    };
    let kind = match row.kind {
        DataKind::Tasks => "tasks",
        DataKind::Programs => "programs",
    };
    json!({"name": row.name, "kind": kind, "count": row.count, "bytes": row.bytes,
           "source": row.source, "state": state, "problem": problem})
}

/// What a file or folder holds, as far as a look at it says.
fn kind_at(path: &Path) -> Option<FileKind> {
    if !path.is_dir() {
        return kind_of(path);
    }
    let files = std::fs::read_dir(path).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> = files.filter(|file| file.is_file()).collect();
    files.sort();
    files.iter().find_map(|file| kind_of(file))
}

fn add(session: &mut Session<'_>, name: &str, path: &Path) -> Result<ExitCode> {
    let place = visible(&path.to_string_lossy());
    let plain = name.strip_prefix("library:").unwrap_or(name);
    let is_library = plain != name;
    match (kind_at(path), is_library) {
        (Some(FileKind::Programs), false) => bail!(
            "{place}: holds programs, not tasks; register it with `arcloom data add library:{plain} {place}`"
        ),
        (Some(FileKind::Tasks), true) => bail!(
            "{place}: holds tasks, not programs; register it with `arcloom data add {plain} {place}`"
        ),
        (Some(FileKind::Archive), _) => {
            bail!("{place}: is an archive; it needs no name, `archive:{place}` means its programs")
        }
        (Some(FileKind::Submission), _) => {
            bail!("{place}: is a submission; `arcloom score {place} -t TASKS` scores it")
        }
        _ => {}
    }
    let added = session.catalog.add(name, path)?;
    let noun = if name.starts_with("library:") { "file" } else { "task" };
    let place = visible(&added.path.to_string_lossy());
    writeln!(session.out, "{}: {} in {place}", added.names.join(", "), count(added.count, noun))?;
    if let Some(before) = added.replaced.filter(|before| *before != added.path) {
        let before = visible(&before.to_string_lossy());
        writeln!(session.out, "it led to {before} before")?;
    }
    let next = match noun {
        "file" => format!("next: arcloom check {name}"),
        _ => format!("next: arcloom show {name}"),
    };
    writeln!(session.out, "{}", session.paint.dim(&next))?;
    Ok(ExitCode::SUCCESS)
}

fn verify(session: &mut Session<'_>) -> Result<ExitCode> {
    let checks = session.catalog.verify()?;
    let mut table = Table::new(&["name", "state"]);
    let (mut bad, mut absent) = (0, 0);
    for check in &checks {
        let (tone, state) = match &check.health {
            Health::Good => (Tone::Good, "good".to_owned()),
            Health::Absent => {
                absent += 1;
                (Tone::Dim, "not fetched".to_owned())
            }
            Health::Bad(why) => {
                bad += 1;
                (Tone::Bad, why.clone())
            }
        };
        table.row([(Tone::Plain, check.name.clone()), (tone, state)]);
    }
    table.write(session.out, session.paint, session.columns)?;
    let good = checks.len() - bad - absent;
    let mut line = format!("{good} good");
    for (n, words) in [(bad, "bad"), (absent, "not fetched")] {
        if n > 0 {
            line.push_str(&format!(", {n} {words}"));
        }
    }
    let tone = if bad > 0 { Tone::Bad } else { Tone::Good };
    writeln!(session.out, "\n{}", session.paint.tone(tone, &line))?;
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn remove(session: &mut Session<'_>, name: &str) -> Result<ExitCode> {
    let path = session.catalog.remove(name)?;
    let place = visible(&path.to_string_lossy());
    writeln!(session.out, "{name}: forgotten; {place} is still there")?;
    Ok(ExitCode::SUCCESS)
}
