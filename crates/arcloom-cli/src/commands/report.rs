//! `arcloom report`: one page about an archive.

use std::process::ExitCode;

use anyhow::Result;
use arcloom::Engine;
use arcloom::archive::{Access, Archive};
use arcloom_web::report::{ReportOptions, report};

use crate::args::report::ReportArgs;
use crate::paint::{count, size, visible};
use crate::session::Session;
use crate::{file, locate};

pub(crate) fn run(args: &ReportArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let archive = Archive::create_or_open(&args.archive, Access::Read)?;
    let engine = Engine::builder().threads(args.jobs.threads()).build()?;
    let sets = locate::archived_sets(&session.catalog, &archive, &args.tasks.tasks)?;
    let most_bytes = usize::try_from(args.max_size).unwrap_or(usize::MAX);
    let options = ReportOptions { palette: session.text.palette, most_bytes };
    let live = session.live("running the best programs");
    let report = report(&engine, &archive, &sets, &options);
    drop(live);
    let report = report?;
    if file::is_stdout(&args.output) {
        session.out.write_all(report.html.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    file::write(&args.output, report.html.as_bytes())?;
    let place = visible(&args.output.to_string_lossy());
    let (tasks, bytes) = (count(report.tasks, "task"), size(report.html.len() as u64));
    writeln!(session.out, "{place}: {} of {tasks} fit, {bytes}", report.fits)?;
    if report.missing > 0 {
        let tasks = count(report.missing, "task");
        session.warn(&format!(
            "{tasks} without pictures, their grids are not at hand; name a set with -t"
        ));
    }
    if report.short > 0 {
        let tasks = count(report.short, "task");
        session.note(&format!("{tasks} without pictures to keep the page small; see --max-size"));
    }
    Ok(ExitCode::SUCCESS)
}
