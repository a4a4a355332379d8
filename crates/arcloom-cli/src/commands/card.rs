//! `arcloom card`: programs merged into one graph, and what they share.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::draw::graph::MAX_NODES;
use arcloom::draw::graph_svg;
use arcloom::figure::batt_view;
use arcloom::{Batt, Entry, Library, Limits, batt, card};

use crate::args::card::{CardArgs, ChooseProgramsArgs};
use crate::args::figure::CellArgs;
use crate::paint::{count, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, figure, file, locate};

mod json;
mod text;

/// Writes a batt down.
type Export = fn(&batt::Batt) -> String;

pub(crate) fn run(args: &CardArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let library = locate::programs(session, &args.programs, false)?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let programs = chosen(&library, &args.choose)?;
    let carded = card(Limits::default(), programs.iter().copied());
    let exports: [(_, Export); 2] =
        [(&args.dot, batt::dot::print), (&args.python, batt::python::print)];
    let to_output = |path: &Option<PathBuf>| path.as_deref().is_some_and(file::is_stdout);
    if args.text {
        session.out.write_all(batt::text::print(&carded.batt).as_bytes())?;
    } else if args.json.json {
        json::write(&carded, &library, session.out)?;
    } else if !exports.iter().any(|(path, _)| to_output(path)) && !to_output(&args.figure.output) {
        text::write(&carded, args, session)?;
    }
    for (path, print) in exports {
        let Some(path) = path else { continue };
        let text = print(&carded.batt);
        if file::is_stdout(path) {
            session.out.write_all(text.as_bytes())?;
        } else {
            file::write(path, text.as_bytes())?;
            let place = visible(&path.to_string_lossy());
            session.note(&format!("wrote {place}: {}", count(programs.len(), "program")));
        }
    }
    draw(args, &carded.batt, programs.len(), session)?;
    Ok(if library.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// The graph as a figure, if one was asked for.
fn draw(args: &CardArgs, batt: &Batt, programs: usize, session: &mut Session<'_>) -> Result<()> {
    if args.figure.output.is_none() {
        return Ok(());
    }
    let view = batt_view(batt, format!("batt of {}", count(programs, "program")));
    if view.nodes.len() > MAX_NODES {
        bail!(
            "{} are too many to draw, {MAX_NODES} are the most; take fewer programs with --ids or --count",
            count(view.nodes.len(), "node"),
        );
    }
    let what =
        format!("{}, {}", count(programs, "program"), count(view.nodes.len() - programs, "step"));
    figure::write(&args.figure, CellArgs::default(), session, &what, |how| graph_svg(&view, how))?;
    Ok(())
}

/// The programs that were asked for, in the order of the library.
fn chosen<'l>(library: &'l Library, args: &ChooseProgramsArgs) -> Result<Vec<&'l Entry>> {
    let choice = args.choice();
    let names = |entry: &'l Entry| [entry.program.name.as_str(), entry.task.as_str()];
    let indices = choice.pick(&library.programs, names)?;
    Ok(indices.into_iter().map(|n| &library.programs[n]).collect())
}
