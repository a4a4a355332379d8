//! `arcloom fmt`: programs in a normal form.
//!
//! There is no option to overwrite the source: the normal form keeps no comments, and those are the
//! author's.

use std::collections::BTreeSet;
use std::io;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::{Form, Library, Program, text};

use crate::args::FmtArgs;
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
    let library = locate::programs(session, &args.files, false)?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let programs = named_apart(&library, session);
    let text = text::print_file(&programs, form);
    match &args.output {
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
    for spec in &args.files {
        for source in session.catalog.resolve_programs(spec, &mut stdin)? {
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
fn named_apart(library: &Library, session: &Session<'_>) -> Vec<Program> {
    let mut taken = BTreeSet::new();
    let mut programs = Vec::with_capacity(library.programs.len());
    for entry in &library.programs {
        let mut program = entry.program.clone();
        let own = program.name.clone();
        if !taken.insert(program.name.clone()) {
            let for_task = format!("solve_{}", entry.task);
            let is_name = for_task.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let base = if is_name { for_task } else { own.clone() };
            let numbered = (2..).map(|n| format!("{base}_{n}"));
            program.name = std::iter::once(base.clone())
                .chain(numbered)
                .find(|name| taken.insert(name.clone()))
                .unwrap_or(base);
            let (file, name) = (&entry.file, &program.name);
            session.note(&format!("{file}: `{own}` is called `{name}` here, as the name is taken"));
        }
        programs.push(program);
    }
    programs
}
