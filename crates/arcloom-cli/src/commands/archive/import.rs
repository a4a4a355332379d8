//! `arcloom archive import`: programs from files into an archive.

use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use arcloom::Engine;
use arcloom::archive::{AddedRecords, lines};

use crate::paint::{count, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, locate};

use super::write;

pub(super) fn run(
    path: &Path,
    sources: &[String],
    tasks: &[String],
    engine: &Engine,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    // One that is there is opened at once, before programs are run for it.
    let there = path.exists().then(|| write(path)).transpose()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    let is_lines = |source: &&String| source.ends_with(".jsonl");
    let line_files: Vec<&String> = sources.iter().filter(is_lines).collect();
    let files: Vec<String> = sources.iter().filter(|s| !is_lines(s)).cloned().collect();
    let (mut batches, mut errors) = (Vec::new(), 0);
    if !files.is_empty() {
        let library = locate::programs(session, &files, false)?;
        let set = match tasks {
            [] => None,
            tasks => Some(locate::tasks(&session.catalog, tasks, locate::Reading::Strict)?),
        };
        errors += library.errors.len();
        batches.push(engine.archive_records(&library, set.as_ref(), now));
    }
    for name in line_files {
        let text = std::fs::read_to_string(name)
            .with_context(|| format!("{}: cannot be read; check the path", visible(name)))?;
        let (records, wrong) = lines::read(name, &text, now);
        wrong.iter().take(20).for_each(|line| session.complain(line));
        errors += wrong.len();
        batches.push(records);
    }
    let found: usize = batches.iter().map(|records| records.programs.len()).sum();
    if found == 0 {
        return Ok(ExitCode::from(NOT_RUN));
    }
    // Made only now: what does not load makes no archive.
    let mut archive = there.map_or_else(|| write(path), Ok)?;
    let mut total = AddedRecords::default();
    for mut records in batches {
        let dropped = lines::drop_unknown_parents(&archive, &mut records)?;
        if dropped > 0 {
            session.warn(&format!("{} not in the file, skipped", count(dropped, "parent")));
        }
        let added = archive.add(&records)?;
        total.programs += added.programs;
        total.results += added.results;
    }
    let there = found - total.programs;
    let there = if there > 0 { format!(", {there} there already") } else { String::new() };
    let (programs, results) =
        (count(total.programs, "new program"), count(total.results, "new result"));
    let place = visible(&path.to_string_lossy());
    writeln!(session.out, "{place}: {programs}{there}, {results}")?;
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}
