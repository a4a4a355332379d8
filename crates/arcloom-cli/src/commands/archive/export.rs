//! `arcloom archive export`: programs as a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Archive, ProgramId, ProgramRecord, ResultRecord, TaskId, lines, stitch};
use arcloom::{Form, Program, text};
use serde_json::json;

use crate::args::archive::{FilterArgs, FormatArg};
use crate::file;
use crate::paint::{count, visible};
use crate::session::Session;

use super::{filter, short};

pub(super) fn run(
    archive: &Archive,
    format: FormatArg,
    args: &FilterArgs,
    output: Option<&Path>,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let records = archive.programs(&filter(args))?;
    let (text, written) = match format {
        FormatArg::Python => (python(archive, &records)?, records.len()),
        FormatArg::Jsonl => (lines::write(archive, &records)?, records.len()),
        FormatArg::Stitch => stitched(archive, &records, session)?,
    };
    match output.filter(|path| !file::is_stdout(path)) {
        None => session.out.write_all(text.as_bytes())?,
        Some(path) => {
            file::write(path, text.as_bytes())?;
            let place = visible(&path.to_string_lossy());
            session.note(&format!("wrote {place}: {}", count(written, "program")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A file for the original arc-dsl. Every function has a name of its own, after the task it solves.
fn python(archive: &Archive, records: &[ProgramRecord]) -> Result<String> {
    let tasks = Tasks::of(archive)?;
    let mut used = BTreeSet::new();
    let named = |record: &ProgramRecord| {
        let mut program = record.program()?;
        if let Some((task, true)) = tasks.best(archive, record.id, program.task())?
            && program.task() != task
            && is_name(&format!("solve_{task}"))
        {
            program.name = format!("solve_{task}");
        }
        if !is_name(&program.name) {
            program.name = format!("solve_{}", short(record.id));
        }
        if !used.insert(program.name.clone()) {
            program.name = format!("{}_{}", program.name, short(record.id));
            used.insert(program.name.clone());
        }
        Ok(program)
    };
    let programs: Vec<Program> = records.iter().map(named).collect::<Result<_>>()?;
    Ok(text::print_file(&programs, Form::ArcDsl))
}

/// The names of an archive's tasks.
struct Tasks(BTreeMap<TaskId, String>);

impl Tasks {
    fn of(archive: &Archive) -> Result<Tasks> {
        let tasks = archive.tasks()?.into_iter().map(|task| (task.id, task.name));
        Ok(Tasks(tasks.collect()))
    }

    /// The task that a program does best on, the one it is named after before others, and whether it solves it.
    fn best(&self, archive: &Archive, id: ProgramId, named: &str) -> Result<Option<(&str, bool)>> {
        let name = |r: &ResultRecord| self.0.get(&r.task).map(String::as_str);
        let results = archive.results(id)?;
        let best = results
            .iter()
            .max_by_key(|r| (r.is_solved(), name(r) == Some(named), r.solved(), r.similarity));
        Ok(best.and_then(|r| Some((name(r)?, r.is_solved()))))
    }
}

/// Names come from files of others and go into a file that Python runs.
fn is_name(name: &str) -> bool {
    name.starts_with("solve") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn stitched(
    archive: &Archive,
    records: &[ProgramRecord],
    session: &Session<'_>,
) -> Result<(String, usize)> {
    let names = Tasks::of(archive)?;
    let (mut programs, mut tasks) = (Vec::new(), Vec::new());
    let mut left_out: BTreeMap<stitch::Unwritten, usize> = BTreeMap::new();
    for record in records {
        let program = record.program()?;
        let text = match stitch::print(&program) {
            Ok(text) => text,
            Err(reason) => {
                *left_out.entry(reason).or_default() += 1;
                continue;
            }
        };
        // Without a result the task that it is named after.
        let best = names.best(archive, record.id, program.task())?;
        tasks.push(best.map_or(program.task(), |(task, _)| task).to_owned());
        programs.push(text);
    }
    for (reason, number) in left_out {
        session.warn(&format!("skipped {}: {reason}", count(number, "program")));
    }
    let written = programs.len();
    let object = json!({ "programs": programs, "tasks": tasks });
    Ok((serde_json::to_string_pretty(&object)? + "\n", written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_are_written_as_names() {
        assert!(is_name("solve_67a3c6ac") && is_name("solve"));
        assert!(!is_name("solve(): evil()\ndef x") && !is_name("") && !is_name("os"));
    }
}
