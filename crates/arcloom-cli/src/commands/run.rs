//! `arcloom run`: every program and everything on the way to its result, on every task.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use arcloom::archive::{Access, Archive};
use arcloom::run::KeptStats;
use arcloom::timing::span;
use arcloom::{Batt, Choice, Differs, Engine, Library, RunOptions, RunReport, Stop, TaskSet};

use crate::args::run::{DiffersArg, RunArgs};
use crate::locate::{PROGRAMS, Reading, TASKS};
use crate::session::Session;
use crate::timing::{self, Times, Watch};
use crate::{NOT_RIGHT, NOT_RUN, device, interrupt, locate};

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
    /// What went into the archive, where one is given.
    kept: Option<KeptStats>,
    times: Times,
}

pub(crate) fn run(args: &RunArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let watch = Watch::start(&args.timing, args.json.json);
    let load = span("load");
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
    drop(load);
    let card = span("card");
    let batt = engine.merge(&library.programs);
    drop(card);

    let open = |path: &PathBuf| {
        let _store = span("store");
        Archive::create_or_open(path, Access::Write)
    };
    let mut archive = args.archive.as_ref().map(open).transpose()?;
    interrupt::sets(&stop);
    let options = RunOptions {
        judged: args.judged,
        kept: args.kept,
        differs,
        profile: args.timing.timing,
        device: args.device.device,
        ..RunOptions::default()
    };
    let progress = session.progress("running", tasks.tasks.len(), args.detail.quiet);
    let report = engine.run(&batt, &tasks, &options, &stop, &|done| progress.at(done));
    drop(progress);
    let kept = match &mut archive {
        Some(archive) => Some(engine.keep_run(&report, &tasks, archive)?),
        None => None,
    };
    let store = span("store");
    drop(archive);
    drop(store);
    // What devices did stands with the times.
    device::tell(&args.device, report.device.as_slice(), true, session)?;
    let print = span("print");
    let names = options.differs.names().map(str::to_owned).collect();
    let mut ran = Ran {
        library,
        tasks,
        batt,
        differs: names,
        threads: engine.threads(),
        times: watch.times(),
        kept,
        report,
    };
    watch.write_trace(&args.timing, session)?;
    let prints = !timing::is_trace(&args.timing);
    // The table of times comes last and cannot hold the time it takes to write itself.
    let mut body = Vec::new();
    if args.json.json {
        body = json::results(&ran)?;
    } else if prints {
        text::write(&ran, args, session, &mut body)?;
        session.out.write_all(&body)?;
    }
    drop(print);
    ran.times = watch.times();
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
    Ok(args.shard.take(set))
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
    Ok(base.with_programs(&library.programs))
}
