//! `arcloom bench`: the same work in several ways, verified to be the same, then timed.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use arcloom::draw::plot_svg;
use arcloom::{Library, Stop, TaskSet};

use crate::args::bench::BenchArgs;
use crate::bench::{Bench, BenchError, BenchOptions, BenchReport, Experiment, Sizes};
use crate::locate::{PROGRAMS, Reading, TASKS};
use crate::paint::visible;
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, file, interrupt, locate};

mod chart;
mod json;
mod text;

/// Everything there is to say about one comparison.
struct Measured {
    library: Library,
    tasks: TaskSet,
    options: BenchOptions,
    report: BenchReport,
}

pub(crate) fn run(args: &BenchArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let quiet = args.json.json;
    let say = |how| (!quiet).then_some(how);
    let programs = &args.programs.programs;
    let mut library = locate::programs_or_default(session, programs, false, say(PROGRAMS))?;
    library.programs.retain(|entry| {
        ![&entry.program.name, &entry.task].iter().any(|name| args.without.contains(name))
    });
    let tasks = &args.tasks.tasks;
    let tasks = locate::tasks_or_default(session, tasks, &library, Reading::Strict, say(TASKS))?;
    if library.programs.is_empty() && !library.errors.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let options = args.options();
    let bench = Bench::new(&library.programs, &tasks, &options)?;
    bench.sizes().iter().filter_map(left_out).for_each(|note| session.note(&note));

    let progress = session.progress("measuring", bench.steps(), false);
    let stop = Arc::new(Stop::default());
    interrupt::sets(&stop);
    let ran = bench.run(&stop, &|done| progress.at(done));
    drop(progress);
    drop(bench);
    let report = match ran {
        Ok(report) => report,
        Err(BenchError::Differs(difference)) => {
            if args.json.json {
                json::difference(&difference, session.out)?;
            } else {
                text::difference(&difference, session)?;
            }
            return Ok(ExitCode::from(NOT_RIGHT));
        }
        Err(error) => return Err(error.into()),
    };
    let measured = Measured { library, tasks, options, report };
    if let Some(path) = &args.output {
        let svg = plot_svg(&chart::plot(&measured), args.dark);
        file::write_or_print(path, svg.as_bytes(), session.out)?;
    }
    if args.json.json {
        json::write(&measured, session.out)?;
    } else if !args.output.as_deref().is_some_and(file::is_stdout) {
        text::write(&measured, session)?;
        if let Some(path) = &args.output {
            let path = visible(&path.to_string_lossy());
            writeln!(session.out, "{path}: grids per second by size and mode")?;
        }
    }
    if measured.report.stopped {
        session.warn("stopped early: sizes that were not measured are missing");
    }
    let is_slower = |experiment: &Experiment| !experiment.slower().is_empty();
    let slower = measured.options.never_slower && measured.report.experiments.iter().any(is_slower);
    let all = measured.library.errors.is_empty() && !measured.report.stopped && !slower;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// What is said about sizes that cannot be had.
fn left_out(sizes: &Sizes) -> Option<String> {
    let (first, more) = sizes.left_out.split_first()?;
    let list = more.iter().fold(first.to_string(), |list, size| format!("{list}, {size}"));
    let (name, there) = (sizes.axis.name(), sizes.there);
    let instead = if sizes.is_all { format!("; measured at {there}") } else { String::new() };
    Some(format!("skipped {list} {name}: there are {there}{instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Axis;

    #[test]
    fn sizes_are_never_left_out_silently() {
        let note = |is_all: bool, left_out: &[usize]| {
            let left_out = left_out.to_vec();
            let sizes = Sizes { axis: Axis::Tasks, sizes: vec![48], is_all, left_out, there: 48 };
            super::left_out(&sizes).unwrap_or_default()
        };
        assert_eq!(note(false, &[]), "");
        assert_eq!(note(false, &[100, 400]), "skipped 100, 400 tasks: there are 48");
        assert_eq!(note(true, &[100]), "skipped 100 tasks: there are 48; measured at 48");
    }
}
