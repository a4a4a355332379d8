//! What a command writes besides standard output, checked before anything is read: a run of hours must
//! not end with a path that cannot be written.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arcloom_draw::raster::Format;

use crate::args::Command;
use crate::args::archive::ArchiveCommand;
use crate::args::figure::FigureArgs;
use crate::file;
use crate::paint::visible;

/// Something that is written.
enum Output<'a> {
    /// A file; `-` is standard output.
    File(&'a Path),
    /// A file whose name says its form; `-` is standard output.
    Figure(&'a Path),
    /// A folder, made when it is missing.
    Folder(&'a Path),
    /// An archive, made when it is missing.
    Archive(&'a Path),
    /// Standard output instead of what is usually there.
    Print,
}

/// Checks everything that the command is to write.
pub(crate) fn check(command: &Command) -> Result<()> {
    let outputs = outputs(command);
    let prints = |output: &&Output<'_>| match output {
        Output::File(path) | Output::Figure(path) => file::is_stdout(path),
        Output::Print => true,
        Output::Folder(_) | Output::Archive(_) => false,
    };
    if outputs.iter().filter(prints).count() > 1 {
        bail!("two results would go to standard output; name a file instead of `-`");
    }
    outputs.iter().try_for_each(check_one)
}

fn check_one(output: &Output<'_>) -> Result<()> {
    match output {
        Output::File(path) if !file::is_stdout(path) => file::check(path),
        Output::Figure(path) if !file::is_stdout(path) => {
            Format::of(path).with_context(|| visible(&path.to_string_lossy()))?;
            file::check(path)
        }
        Output::Folder(path) => file::check_folder(path),
        // Of one that is there the archive itself says whether it can be written.
        Output::Archive(path) if !path.is_file() => file::check(path),
        Output::File(_) | Output::Figure(_) | Output::Archive(_) | Output::Print => Ok(()),
    }
}

/// Everything that a command writes. All commands are named, so that a new one is not forgotten.
fn outputs<'a>(command: &'a Command) -> Vec<Output<'a>> {
    let file = |path: &'a Option<PathBuf>| path.as_deref().map(Output::File);
    let archive = |path: &'a Option<PathBuf>| path.as_deref().map(Output::Archive);
    let figure = |args: &'a FigureArgs| args.output.as_deref().map(Output::Figure);
    let print = |is_asked: bool| is_asked.then_some(Output::Print);
    let found: Vec<Option<Output<'a>>> = match command {
        Command::Run(args) => {
            vec![
                file(&args.timing.trace_file),
                file(&args.device.device_log),
                archive(&args.archive),
                print(args.json.json),
            ]
        }
        Command::Bench(args) => vec![file(&args.output), print(args.json.json)],
        Command::Evolve(args) => {
            let kept = Some(Output::Archive(&args.archive));
            vec![
                file(&args.submission.submission),
                file(&args.device.device_log),
                file(&args.timing.trace_file),
                kept,
                print(args.json.json),
            ]
        }
        Command::Solve(args) => {
            vec![
                file(&args.submission.submission),
                file(&args.save_programs),
                file(&args.device.device_log),
                archive(&args.archive.archive),
                file(&args.timing.trace_file),
                print(args.json.json),
            ]
        }
        Command::Ask(args) => vec![file(&args.output), print(args.json.json)],
        Command::Augment(args) => vec![file(&args.output), print(args.json.json)],
        Command::Submit(args) => {
            vec![
                Some(Output::File(&args.output)),
                file(&args.device.device_log),
                file(&args.timing.trace_file),
                print(args.json.json),
            ]
        }
        Command::KaggleBundle(args) => vec![Some(Output::Folder(&args.folder))],
        Command::Trace(args) => vec![figure(&args.figure)],
        Command::Show(args) => vec![figure(&args.figure), print(args.json.json)],
        Command::Fmt(args) => vec![file(&args.output)],
        Command::Card(args) => {
            let printed = print(args.json.json || args.text);
            vec![file(&args.dot), file(&args.python), figure(&args.figure), printed]
        }
        Command::Report(args) => vec![Some(Output::File(&args.output))],
        Command::Archive(args) => match &args.command {
            ArchiveCommand::Export { output, .. } => vec![file(output)],
            ArchiveCommand::Lineage { figure: to, .. }
            | ArchiveCommand::Curves { figure: to, .. } => {
                vec![figure(to)]
            }
            ArchiveCommand::Import { .. } | ArchiveCommand::Merge { .. } => {
                vec![Some(Output::Archive(&args.archive))]
            }
            ArchiveCommand::Stats { .. }
            | ArchiveCommand::List { .. }
            | ArchiveCommand::Show { .. }
            | ArchiveCommand::Prune { .. }
            | ArchiveCommand::Verify { .. }
            | ArchiveCommand::Diff { .. } => Vec::new(),
        },
        Command::Man(args) => vec![args.output.as_deref().map(Output::Folder)],
        Command::Check(_)
        | Command::Completions(_)
        | Command::Eval(_)
        | Command::Score(_)
        | Command::Dsl(_)
        | Command::Data(_)
        | Command::Devices(_)
        | Command::Serve(_)
        | Command::Config(_) => Vec::new(),
    };
    found.into_iter().flatten().collect()
}
