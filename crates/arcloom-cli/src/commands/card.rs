//! `arcloom card`: programs merged into one graph, and what they share.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::{Carded, Choice, Entry, Library, batt, card};

use crate::args::{CardArgs, ChooseArgs};
use crate::paint::{count, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, file, locate};

mod json;
mod text;

pub(crate) fn run(args: &CardArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let library = locate::programs(session, &args.programs, false)?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let programs = chosen(&library, &args.choose)?;
    let carded = card(programs.iter().copied());
    if args.text {
        session.out.write_all(batt::text::print(&carded.batt).as_bytes())?;
    } else if args.json {
        json::write(&carded, &library, session.out)?;
    } else {
        text::write(&carded, args, session)?;
    }
    let exports: [(_, fn(&batt::Batt) -> String); 2] =
        [(&args.dot, batt::dot::print), (&args.python, batt::python::print)];
    for (path, print) in exports {
        if let Some(path) = path {
            file::write(path, print(&carded.batt).as_bytes())?;
            written(args, path, &carded, session)?;
        }
    }
    Ok(if library.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// The programs that were asked for, in the order of the library.
fn chosen<'l>(library: &'l Library, args: &ChooseArgs) -> Result<Vec<&'l Entry>> {
    let choice = Choice { ids: args.ids.clone(), count: args.count, seed: args.seed };
    let names = |entry: &'l Entry| [entry.program.name.as_str(), entry.task.as_str()];
    let indices = choice.pick(&library.programs, names)?;
    Ok(indices.into_iter().map(|n| &library.programs[n]).collect())
}

/// Says what is in a file, unless standard output is for another program.
fn written(args: &CardArgs, path: &Path, carded: &Carded, session: &mut Session<'_>) -> Result<()> {
    if !args.text && !args.json {
        let path = visible(&path.to_string_lossy());
        let programs = count(carded.batt.roots().len(), "program");
        writeln!(session.out, "{path}: {programs}")?;
    }
    Ok(())
}
