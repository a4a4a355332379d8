//! `arcloom fragments`: what programs have in common.

use std::process::ExitCode;

use anyhow::Result;
use arcloom::fragments;

use crate::args::card::FragmentsArgs;
use crate::paint::{Tone, count};
use crate::session::Session;
use crate::table::Table;
use crate::{NOT_RIGHT, locate};

pub(crate) fn run(args: &FragmentsArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let say = (!args.json.json).then_some("name others, as in `arcloom fragments mine.py`");
    let library = locate::programs_or_default(session, &args.programs, false, say)?;
    let mut found = fragments::learn(&library);
    let all = found.len();
    found.truncate(args.count);
    if args.json.json {
        let text = serde_json::to_string_pretty(&fragments::to_json(&found))?;
        writeln!(session.out, "{text}")?;
    } else {
        let mut table = Table::new(&[">tasks", ">calls", ">holes", "fragment"]);
        for (fragment, tasks) in &found {
            let (calls, holes) = (fragment.calls().to_string(), fragment.arity().to_string());
            let cells = [tasks.to_string(), calls, holes, fragment.text()];
            table.row(cells.map(|cell| (Tone::Plain, cell)));
        }
        table.write(session.out, session.paint, None)?;
        let of = count(library.programs.len(), "program");
        writeln!(session.out, "{} of {all} in {of}", count(found.len(), "fragment"))?;
    }
    Ok(if library.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}
