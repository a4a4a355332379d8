//! `arcloom run`: every program and everything on the way to its result, on every task.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use arcloom::cache::DiskCache;
use arcloom::timing::{Spent, cpu_time};
use arcloom::{
    Batt, Choice, Differs, Engine, Library, RunOptions, RunReport, Stage, Stop, TaskSet,
};

use crate::args::run::{DiffersArg, RunArgs};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, file, interrupt, locate};

mod events;
mod json;
mod text;

/// Everything there is to say about one run.
struct Ran {
    library: Library,
    tasks: TaskSet,
    batt: Batt,
    report: RunReport,
    differs: Vec<String>,
    threads: usize,
    stages: Vec<(Stage, Spent)>,
    wall: Duration,
    cpu: Duration,
}

/// Measures one part of the command.
struct Watch {
    start: Instant,
    cpu: Option<Duration>,
}

impl Watch {
    fn start() -> Watch {
        Watch { start: Instant::now(), cpu: cpu_time() }
    }

    fn spent(&self) -> Spent {
        let cpu = cpu_time().zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        Spent { wall: self.start.elapsed(), cpu: cpu.unwrap_or_default() }
    }
}

pub(crate) fn run(args: &RunArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let whole = Watch::start();
    let stop = Arc::new(Stop::at(args.time_limit.map(|limit| Instant::now() + limit)));
    let library = programs(args, session)?;
    let tasks = tasks(args, session)?;
    let differs = differs(args, session)?;
    let mut builder = Engine::builder().threads(args.jobs.map_or(0, usize::from));
    if let Some(units) = args.budget {
        builder = builder.call_budget(units);
    }
    let engine = builder.build()?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let load = whole.spent();

    let watch = Watch::start();
    let batt = engine.merge(&library.programs);
    let card = watch.spent();

    interrupt::sets(&stop);
    let mut options = RunOptions {
        judged: args.judged,
        kept: args.kept,
        differs,
        profile: args.timing,
        events: args.trace_file.is_some(),
        device: args.device,
        disk: args.cache.as_ref().map(DiskCache::open).transpose()?.map(Arc::new),
        ..RunOptions::default()
    };
    let progress = session.progress("running", tasks.tasks.len(), args.quiet);
    let mut report = engine.run(&batt, &tasks, &options, &stop, &|done| progress.at(done));
    drop(progress);
    if let Some(disk) = options.disk.take().and_then(Arc::into_inner) {
        match disk.finish() {
            Ok(stats) => report.cache.disk = stats,
            Err(error) => session.warn(&format!("nothing more is kept: {error}")),
        }
    }
    for fault in report.device.iter().flat_map(|device| &device.faults) {
        session.warn(&format!("{fault}; the CPU goes on"));
    }
    report.timing.add(Stage::Load, load);
    report.timing.add(Stage::Card, card);

    let print = Watch::start();
    let names = options.differs.names().map(str::to_owned).collect();
    let mut ran = Ran {
        library,
        tasks,
        batt,
        differs: names,
        threads: engine.threads(),
        stages: Vec::new(),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        report,
    };
    if let Some(path) = &args.trace_file {
        file::write_or_print(path, events::json(&ran.report).as_bytes(), session.out)?;
    }
    let prints = !args.trace_file.as_deref().is_some_and(file::is_stdout);
    // The table of times comes last and cannot hold the time it takes to write itself.
    let mut body = Vec::new();
    if args.json {
        body = json::results(&ran)?;
    } else if prints {
        text::write(&ran, args, session, &mut body)?;
        session.out.write_all(&body)?;
    }
    ran.report.timing.add(Stage::Print, print.spent());
    ran.stages = ran.report.timing.stages();
    let total = whole.spent();
    (ran.wall, ran.cpu) = (total.wall, total.cpu);
    if args.json {
        json::write(&ran, &body, session.out)?;
    } else if prints {
        text::timing(&ran, args, session)?;
    }
    let whole = ran.report.unfinished == 0 && ran.library.errors.is_empty();
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn programs(args: &RunArgs, session: &Session<'_>) -> Result<Library> {
    let mut library = locate::programs(session, &args.programs, args.verbose)?;
    let names = |entry: &'_ arcloom::Entry| [entry.program.name.clone(), entry.task.clone()];
    library.programs.retain(|entry| !names(entry).iter().any(|name| args.without.contains(name)));
    let choice =
        Choice { ids: args.program_ids.clone(), count: args.program_count, seed: args.seed };
    let chosen = choice
        .pick(&library.programs, |entry| [entry.program.name.as_str(), entry.task.as_str()])?;
    let mut chosen = chosen.into_iter().peekable();
    let mut n = 0;
    library.programs.retain(|_| {
        n += 1;
        chosen.next_if_eq(&(n - 1)).is_some()
    });
    Ok(library)
}

fn tasks(args: &RunArgs, session: &Session<'_>) -> Result<TaskSet> {
    let mut set = locate::task_set(&session.catalog, &args.tasks)?;
    let choice = Choice { ids: args.ids.clone(), count: args.count, seed: args.seed }.of_tasks();
    let chosen = choice.pick(&set.tasks, |task| [task.id.as_str()])?;
    set.tasks = chosen.into_iter().map(|n| set.tasks[n].clone()).collect();
    Ok(set)
}

fn differs(args: &RunArgs, session: &Session<'_>) -> Result<Differs> {
    let base = match args.differs {
        DiffersArg::Native => Differs::native(),
        DiffersArg::None => Differs::none(),
    };
    if args.user_differs.is_empty() {
        return Ok(base);
    }
    let library = locate::programs(session, &args.user_differs, args.verbose)?;
    Ok(base.with_programs(library.programs))
}
