//! `arcloom archive merge`, `prune`, `verify` and `diff`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use arcloom::Engine;
use arcloom::archive::{Access, Archive, PruneOptions};

use crate::args::archive::ArchiveCommand;
use crate::paint::{Tone, count, grouped, size, visible};
use crate::session::Session;
use crate::table::Table;
use crate::{NOT_RIGHT, locate};

use super::write;

/// Most problems that are listed.
const MOST: usize = 20;

pub(super) fn merge(
    path: &Path,
    others: &[PathBuf],
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    // A wrong name makes no new archive.
    for other in others {
        Archive::create_or_open(other, Access::Read)?;
    }
    let mut archive = write(path)?;
    for other in others {
        let merged = archive.merge(other)?;
        let place = visible(&other.to_string_lossy());
        writeln!(
            session.out,
            "{place}: {}, {}, {}, {}",
            count(merged.added.programs, "new program"),
            count(merged.added.results, "new result"),
            count(merged.runs, "new run"),
            count(merged.generations, "new generation"),
        )?;
        if merged.conflicts > 0 {
            let results = count(merged.conflicts, "result");
            session.warn(&format!(
                "{place}: {results} other than the archive's own, which stay; `arcloom archive verify` says which are right"
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn prune(
    path: &Path,
    command: &ArchiveCommand,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let ArchiveCommand::Prune { best, different, no_lineage, max_size, cache, unused_for } =
        command
    else {
        return Ok(ExitCode::SUCCESS);
    };
    // Pruning never makes an archive.
    drop(Archive::create_or_open(path, Access::Read)?);
    if *cache {
        let mut archive = write(path)?;
        let before = archive.bytes();
        let gone = archive.forget(unused_for.map_or(0, |time| time.as_secs()))?;
        let (gone, after) = (count(gone as usize, "cached value"), size(archive.bytes()));
        writeln!(session.out, "{gone} gone, {after} of {}", size(before))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = PruneOptions {
        best: *best,
        different: *different,
        lineage: !no_lineage,
        ..PruneOptions::default()
    };
    let pruned = write(path)?.prune(&options, *max_size)?;
    let mut table = Table::new(&[">gone", "why"]);
    for (reason, number) in &pruned.reasons {
        table.row([grouped(*number as usize), (*reason).to_owned()].map(|t| (Tone::Plain, t)));
    }
    if !table.is_empty() {
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    let (before, after) = pruned.bytes;
    writeln!(
        session.out,
        "{} and {} left, {} of {}",
        count(pruned.programs_left as usize, "program"),
        count(pruned.results_left as usize, "result"),
        size(after),
        size(before),
    )?;
    match max_size {
        Some(most) if after > *most => {
            let most = size(*most);
            session.complain(&format!(
                "still larger than {most}: the best program of each task and the populations of runs that are not finished are always kept"
            ));
            Ok(ExitCode::from(NOT_RIGHT))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

pub(super) fn verify(
    archive: &Archive,
    tasks: &[String],
    engine: &Engine,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let sets = locate::archived_sets(&session.catalog, archive, tasks)?;
    let programs = archive.counts()?.rows;
    let programs = programs.iter().find(|(table, _)| *table == "program").map_or(0, |(_, n)| *n);
    let progress = session.progress("verifying", programs as usize, false);
    let verified = engine.verify_archive(archive, &sets, &|done| progress.at(done))?;
    drop(progress);
    verified.problems.iter().take(MOST).for_each(|line| session.complain(line));
    if verified.problems.len() > MOST {
        session.complain(&format!("... and {} more", verified.problems.len() - MOST));
    }
    if !verified.versions.is_empty() {
        let versions: Vec<String> = verified.versions.iter().map(|name| visible(name)).collect();
        session.warn(&format!(
            "made by another version ({}; this is {}): results may differ where a call went over budget",
            versions.join(", "),
            arcloom::version()
        ));
    }
    let missing: usize = verified.missing.values().sum();
    if missing > 0 {
        let results = count(missing, "result");
        let mut names =
            verified.missing.keys().take(3).map(|name| visible(name)).collect::<Vec<_>>();
        if verified.missing.len() > 3 {
            names.push("...".to_owned());
        }
        let names = names.join(", ");
        session.warn(&format!(
            "{results} not run again, their tasks are not at hand ({names}); name a set with -t"
        ));
    }
    if !verified.unconfirmed.is_empty() {
        let what = verified.unconfirmed.iter();
        let what: Vec<String> = what.map(|(what, n)| format!("{what} ({})", grouped(*n))).collect();
        session.warn(&format!("cannot be checked here: {}", what.join(", ")));
    }
    let handed_in = match verified.handed_in {
        0 => String::new(),
        n => format!(", with what is handed in for {}", count(n, "task")),
    };
    writeln!(
        session.out,
        "{} and {} are right{handed_in}, {}",
        count(verified.programs, "program"),
        count(verified.results, "result"),
        match verified.problems.len() {
            0 => session.paint.good("no problems"),
            n => session.paint.bad(&count(n, "problem")),
        }
    )?;
    let right = verified.problems.is_empty();
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

pub(super) fn diff(first: &Path, second: &Path, session: &mut Session<'_>) -> Result<ExitCode> {
    let open = |path: &Path| Archive::create_or_open(path, Access::Read);
    match open(first)?.compare(&open(second)?)? {
        None => {
            writeln!(session.out, "the same content")?;
            Ok(ExitCode::SUCCESS)
        }
        Some(difference) => {
            writeln!(session.out, "{}", visible(&difference.to_string()))?;
            Ok(ExitCode::from(NOT_RIGHT))
        }
    }
}
