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
use crate::locate::{PROGRAMS, Reading, TASKS};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, device, file, interrupt, locate};

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
    let stop = Arc::new(Stop::at(args.budget.map(|limit| Instant::now() + limit)));
    let library = programs(args, session)?;
    let tasks = tasks(args, &library, session)?;
    let differs = differs(args, session)?;
    let mut builder = Engine::builder().threads(args.jobs.threads());
    if let Some(units) = args.call_budget.call_budget {
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
        profile: args.timing.timing,
        events: args.trace_file.is_some(),
        device: args.device.device,
        disk: args.cache.as_ref().map(DiskCache::open).transpose()?.map(Arc::new),
        ..RunOptions::default()
    };
    let progress = session.progress("running", tasks.tasks.len(), args.detail.quiet);
    let mut report = engine.run(&batt, &tasks, &options, &stop, &|done| progress.at(done));
    drop(progress);
    if let Some(disk) = options.disk.take().and_then(Arc::into_inner) {
        match disk.finish() {
            Ok(stats) => report.cache.disk = stats,
            Err(error) => session.warn(&format!("result cache disabled: {error}")),
        }
    }
    // What devices did stands with the times.
    device::tell(&args.device, report.device.as_slice(), true, session)?;
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
    if args.json.json {
        body = json::results(&ran)?;
    } else if prints {
        text::write(&ran, args, session, &mut body)?;
        session.out.write_all(&body)?;
    }
    ran.report.timing.add(Stage::Print, print.spent());
    ran.stages = ran.report.timing.stages();
    let total = whole.spent();
    (ran.wall, ran.cpu) = (total.wall, total.cpu);
    if args.json.json {
        json::write(&ran, &body, session.out)?;
    } else if prints {
        text::timing(&ran, args, session)?;
    }
    let whole = ran.report.unfinished == 0 && ran.library.errors.is_empty();
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn programs(args: &RunArgs, session: &Session<'_>) -> Result<Library> {
    let specs = &args.programs.programs;
    let say = notes(args).then_some(PROGRAMS);
    let mut library = locate::programs_or_default(session, specs, args.detail.verbose, say)?;
    let names = |entry: &'_ arcloom::Entry| [entry.program.name.clone(), entry.task.clone()];
    library.programs.retain(|entry| !names(entry).iter().any(|name| args.without.contains(name)));
    let choice =
        Choice { ids: args.program_ids.clone(), count: args.program_count, seed: args.seed.seed };
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

fn tasks(args: &RunArgs, library: &Library, session: &Session<'_>) -> Result<TaskSet> {
    let (specs, say) = (&args.tasks.tasks, notes(args).then_some(TASKS));
    let mut set = locate::tasks_or_default(session, specs, library, Reading::Strict, say)?;
    locate::choose(&mut set, args.choose.choice(&args.seed))?;
    Ok(set)
}

/// Whether to say what was taken where nothing was named.
fn notes(args: &RunArgs) -> bool {
    !args.detail.quiet && !args.json.json
}

fn differs(args: &RunArgs, session: &Session<'_>) -> Result<Differs> {
    let base = match args.differs {
        DiffersArg::Native => Differs::native(),
        DiffersArg::None => Differs::none(),
    };
    if args.user_differs.is_empty() {
        return Ok(base);
    }
    let library = locate::programs(session, &args.user_differs, args.detail.verbose)?;
    Ok(base.with_programs(library.programs))
}
