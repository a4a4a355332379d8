//! `arcloom archive curves`: runs over their generations, drawn.

use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::archive::{Archive, RunRecord};
use arcloom::draw::{CurvesView, SvgOptions, curves_svg};
use arcloom::figure::run_view;

use crate::args::figure::{CellArgs, FigureArgs};
use crate::figure;
use crate::paint::count;
use crate::session::Session;

pub(super) fn run(
    archive: &Archive,
    numbers: &[i64],
    by_time: bool,
    figure: &FigureArgs,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    if figure.output.is_none() {
        bail!("name a file to draw into, as in `arcloom archive curves -o curves.svg`");
    }
    let all = archive.runs()?;
    let chosen: Vec<&RunRecord> =
        all.iter().filter(|run| numbers.is_empty() || numbers.contains(&run.number.0)).collect();
    if let Some(unknown) = numbers.iter().find(|n| all.iter().all(|run| run.number.0 != **n)) {
        bail!("there is no run {unknown}; {} in this archive", count(all.len(), "run"));
    }
    if chosen.is_empty() {
        bail!("no run is in this archive; `arcloom evolve` makes some");
    }
    let runs = chosen.iter().map(|run| run_view(archive, run)).collect::<Result<Vec<_>, _>>()?;
    let generations: usize = runs.iter().map(|run| run.points.len()).sum();
    let title = match runs.as_slice() {
        [run] => run.name.clone(),
        runs => count(runs.len(), "run"),
    };
    let what = format!("{}, {}", count(runs.len(), "run"), count(generations, "generation"));
    let view = CurvesView { title, runs, by_time };
    let draw = |how: &SvgOptions| curves_svg(&view, how);
    figure::write(figure, CellArgs::default(), session, &what, draw)?;
    Ok(ExitCode::SUCCESS)
}
