//! `arcloom fmt`: programs in a normal form.
//!
//! There is no option to overwrite the source: the normal form keeps no comments, and those are the
//! author's.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::{Entry, Form, Library, Program, text};

use crate::args::card::FmtArgs;
use crate::paint::{count, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, file, locate};

pub(crate) fn run(args: &FmtArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let form = match (args.inline, args.arc_dsl) {
        (true, _) => Form::Inline,
        (_, true) => Form::ArcDsl,
        _ => Form::Straight,
    };
    if args.check {
        return check(args, form, session);
    }
    let library = locate::programs(session, &args.programs, false)?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let programs = named_apart(&library, session);
    let text = text::print_file(&programs, form);
    match args.output.as_deref().filter(|path| !file::is_stdout(path)) {
        Some(path) => {
            file::write(path, text.as_bytes())?;
            let path = visible(&path.to_string_lossy());
            writeln!(session.out, "{path}: {}", count(programs.len(), "program"))?;
        }
        None => session.out.write_all(text.as_bytes())?,
    }
    Ok(if library.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// Compares every file with its normal form.
fn check(args: &FmtArgs, form: Form, session: &mut Session<'_>) -> Result<ExitCode> {
    let (mut files, mut different) = (0, 0);
    let mut stdin = io::stdin().lock();
    for spec in &args.programs {
        for source in session.catalog.resolve_programs(spec, &mut stdin)?.files {
            let text = String::from_utf8_lossy(&source.bytes);
            let library = Library::from_text(&source.name, &text);
            locate::report(session, &library, false);
            let programs = library.programs.iter().map(|entry| &entry.program);
            files += 1;
            if !library.errors.is_empty() || text::print_file(programs, form) != text {
                different += 1;
                writeln!(session.out, "{}: not in this form", visible(&source.name))?;
            }
        }
    }
    writeln!(session.out, "{} checked, {different} to be formatted", count(files, "file"))?;
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// The programs under names of which none occurs twice: files that each define `solve` become one
/// file, where the last would otherwise hide the rest.
pub(super) fn named_apart(library: &Library, session: &Session<'_>) -> Vec<Program> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &library.programs {
        *uses.entry(entry.program.name.as_str()).or_default() += 1;
    }
    let alone = |entry: &&Entry| uses[entry.program.name.as_str()] == 1;
    let mut taken: BTreeSet<String> =
        library.programs.iter().filter(alone).map(|entry| entry.program.name.clone()).collect();
    let mut renamed = 0;
    let mut programs = Vec::with_capacity(library.programs.len());
    for entry in &library.programs {
        let mut program = entry.program.clone();
        if !alone(&entry) {
            program.name = free_name(entry, &mut taken);
            renamed += 1;
        }
        programs.push(program);
    }
    if renamed > 0 {
        session.note(&format!(
            "{} have a name that another one has; here they are called after their tasks",
            count(renamed, "program")
        ));
    }
    programs
}

/// `solve_TASK` where that can be a name, numbered when it is taken.
fn free_name(entry: &Entry, taken: &mut BTreeSet<String>) -> String {
    let for_task = format!("solve_{}", entry.task);
    let is_name = for_task.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let base = if is_name { for_task } else { entry.program.name.clone() };
    let mut name = base.clone();
    let mut n = 1;
    while !taken.insert(name.clone()) {
        n += 1;
        name = format!("{base}_{n}");
    }
    name
}
