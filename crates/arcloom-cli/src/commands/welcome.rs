//! `arcloom` without a command: what it can do in a few seconds. Built-in tasks that have no program are solved,
//! one that is left is evolved for, one is drawn, and then comes what to type next.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use arcloom::archive::{Access, Archive};
use arcloom::corpus::{GridLimits, MorePairs};
use arcloom::draw::{TaskFigure, task_text};
use arcloom::evolve::{EvolveConfig, EvolveReport, EvolveRequest};
use arcloom::{
    Engine, Grid, Ingredient, Library, SolveOptions, SolveReport, SolveTask, Stop, TaskSet,
    TaskState, Verdict, text,
};

use super::solve::draw;
use crate::clock::duration;
use crate::paint::{Tone, count, grouped};
use crate::session::{Session, own_name};
use crate::table::Table;
use crate::{interrupt, locate};

/// Seconds of processor time per task.
const BUDGET: f64 = 0.3;
/// Most generations; the first program that is found ends evolution.
const GENERATIONS: u64 = 24;
/// When solving and evolving end on a machine that is slower than most, so that all ends within five seconds.
const SOLVING: Duration = Duration::from_millis(2800);
const EVOLVING: Duration = Duration::from_millis(4300);
/// Demos that are drawn of the task.
const DEMOS: usize = 2;

const NEXT: &[(&str, &str)] = &[
    ("solve blue_sparks", "solve a task and draw the answer"),
    ("serve", "explore tasks and programs in the browser"),
    ("data pull", "download ARC-AGI-1 and 2 and re-arc's 400 programs, then"),
    ("solve arc1/training --count 20", "solve some of those tasks"),
    ("show ring_largest", "draw a task"),
    ("trace join_dots", "draw every step of a program"),
    ("evolve --budget 60s", "evolve programs and keep them in an archive"),
    ("help", "list everything else"),
];

pub(crate) fn run(session: &mut Session<'_>) -> Result<ExitCode> {
    let start = Instant::now();
    let paint = session.paint;
    let version = format!("arcloom {}", env!("CARGO_PKG_VERSION"));
    let about = "solves, runs and evolves ARC-AGI programs";
    writeln!(session.out, "{}  {}\n", paint.bold(&version), paint.dim(about))?;
    session.out.flush()?;
    let library = locate::programs(session, &["library:embedded".to_owned()], false)?;
    let mut tasks = session.catalog.resolve_tasks("embedded")?;
    let all = tasks.tasks.len();
    tasks.tasks.retain(|task| library.find(&task.id).is_none());
    let engine = Engine::builder().build()?;
    let line = format!(
        "Solving the {} of {} built-in tasks that have no program, {BUDGET} s each ...",
        tasks.tasks.len(),
        all
    );
    writeln!(session.out, "{line}")?;
    session.out.flush()?;

    let report = solve(&engine, &library, &tasks, session, start + SOLVING)?;
    let verdicts = report.verdicts(&tasks);
    solved(&report, &verdicts, start.elapsed(), session)?;
    session.out.flush()?;
    let open = open(&report, &verdicts, &tasks);
    if !open.tasks.is_empty() {
        let evolving = Instant::now();
        let report = evolve(&engine, &library, &open, session, start + EVOLVING)?;
        found(&report, &open, evolving.elapsed(), session)?;
    }
    let best = report.tasks.iter().zip(&verdicts).filter(|(_, verdict)| verdict.is_right());
    let best = best.min_by_key(|(task, _)| (task.proposals.first().map(|p| p.doubt), &task.id));
    if let Some((task, verdict)) = best {
        picture(task, verdict, &tasks, session)?;
    }
    writeln!(session.out, "{}", paint.bold("What to type next"))?;
    let mut next = Table::new(&["", ""]);
    for (command, what) in NEXT {
        let command = format!("{} {command}", own_name());
        next.row([(Tone::Plain, command), (Tone::Dim, (*what).to_owned())]);
    }
    next.write(session.out, paint, session.columns)?;
    Ok(ExitCode::SUCCESS)
}

fn solve(
    engine: &Engine,
    library: &Library,
    tasks: &TaskSet,
    session: &Session<'_>,
    end: Instant,
) -> Result<SolveReport> {
    let options = SolveOptions { budget: BUDGET, ..SolveOptions::default() };
    let stop = Arc::new(Stop::at(Some(end)));
    interrupt::sets(&stop);
    let progress = session.progress("solving", tasks.tasks.len(), false);
    Ok(engine.solve(library, tasks, &options, None, &stop, &|done| progress.at(done))?)
}

/// The tasks that are right, a line each.
fn solved(
    report: &SolveReport,
    verdicts: &[Verdict],
    time: Duration,
    session: &mut Session<'_>,
) -> Result<()> {
    let paint = session.paint;
    let right = verdicts.iter().filter(|verdict| verdict.is_right()).count();
    let all = verdicts.len() + report.unfinished;
    let line = format!("{right} of {all} right");
    writeln!(session.out, "{}  {}\n", paint.good(&line), paint.dim(&duration(time)))?;
    let mut table = Table::new(&["task", "origin", ">calls", "program"]);
    for (task, _) in report.tasks.iter().zip(verdicts).filter(|(_, verdict)| verdict.is_right()) {
        let Some(best) = task.proposals.first() else { continue };
        let program = super::solve::program_of(best);
        table.row([
            (Tone::Good, task.id.clone()),
            (Tone::Plain, Ingredient::names(&best.sources)),
            (Tone::Plain, program.as_ref().map_or(0, |program| program.size()).to_string()),
            (Tone::Dim, program.as_ref().map(text::one_line).unwrap_or_default()),
        ]);
    }
    table.write(session.out, paint, Some(session.text.width))?;
    writeln!(session.out)?;
    Ok(())
}

/// The tasks that nothing fits, or that there was no time for.
fn open(report: &SolveReport, verdicts: &[Verdict], tasks: &TaskSet) -> TaskSet {
    let tried = report.tasks.iter().zip(verdicts);
    let fits = tried.filter(|(_, verdict)| verdict.state() > TaskState::Open);
    let fits: BTreeSet<&str> = fits.map(|(task, _)| task.id.as_str()).collect();
    let open = tasks.tasks.iter().filter(|task| !fits.contains(task.id.as_str()));
    TaskSet::new(&tasks.name, open.cloned().collect())
}

/// A short run into an archive that is thrown away, up to the first program that is found.
fn evolve(
    engine: &Engine,
    library: &Library,
    tasks: &TaskSet,
    session: &mut Session<'_>,
    end: Instant,
) -> Result<EvolveReport> {
    let line =
        format!("Evolving programs for {} that is open ...", count(tasks.tasks.len(), "task"));
    let line = if tasks.tasks.len() == 1 { line } else { line.replace("that is", "that are") };
    writeln!(session.out, "{line}")?;
    session.out.flush()?;
    let folder = Temporary::new()?;
    let mut archive = Archive::create_or_open(folder.0.join("tour.db"), Access::Write)?;
    let more_pairs = MorePairs::embedded(tasks, &GridLimits::default())?;
    let generations = Some(GENERATIONS);
    let config = EvolveConfig { generations, more_pairs, ..EvolveConfig::default() };
    let stop = Arc::new(Stop::at(Some(end)));
    interrupt::sets(&stop);
    let request = EvolveRequest::new(&library.programs, tasks, &config);
    let live = session.live("evolving");
    let report = engine.evolve(&request, &mut archive, &stop, &mut |progress| {
        let evaluated = count(progress.evaluations_total as usize, "program");
        live.say(&format!("evolving: generation {}, {evaluated}", progress.generation));
        if progress.solved.1 > progress.solved.0 {
            stop.set();
        }
    })?;
    Ok(report)
}

/// A folder that goes when it is no longer needed.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Result<Temporary> {
        let folder = std::env::temp_dir().join(format!("arcloom-tour-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Temporary(folder))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed is small, and the system clears the place.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The programs that were bred.
fn found(
    report: &EvolveReport,
    tasks: &TaskSet,
    time: Duration,
    session: &mut Session<'_>,
) -> Result<()> {
    let paint = session.paint;
    let line = match report.found.len() {
        0 => format!("none of {} solved", count(tasks.tasks.len(), "task")),
        n => format!("{} found", count(n, "program")),
    };
    let work = format!(
        "{} evaluated in {}, {}",
        grouped(report.evaluations as usize),
        count(report.generations as usize, "generation"),
        duration(time)
    );
    writeln!(session.out, "{}  {}\n", paint.good(&line), paint.dim(&work))?;
    let mut table = Table::new(&["task", ">generation", ">calls", "program"]);
    for found in &report.found {
        table.row([
            (Tone::Good, found.task.clone()),
            (Tone::Plain, found.generation.to_string()),
            (Tone::Plain, found.program.size().to_string()),
            (Tone::Dim, text::one_line(&found.program)),
        ]);
    }
    if !table.is_empty() {
        table.write(session.out, paint, Some(session.text.width))?;
        writeln!(session.out)?;
    }
    Ok(())
}

/// A task with its first demos, what is handed in for it, and the program.
fn picture(
    solved: &SolveTask,
    verdict: &Verdict,
    tasks: &TaskSet,
    session: &mut Session<'_>,
) -> Result<()> {
    let Some(task) = tasks.get(&solved.id) else { return Ok(()) };
    let demos = task.demos.iter().take(DEMOS);
    let demos: Vec<(Grid, Grid)> =
        demos.map(|pair| (pair.input.clone(), pair.output.clone())).collect();
    let figure = TaskFigure { id: &task.id, demos: &demos, tests: &[] };
    // Its title comes with what was found.
    let text = task_text(&figure, &session.text);
    let demos: Vec<&str> = text.lines().skip(2).collect();
    draw::task(Some(task), solved, verdict, Some(&demos.join("\n")), session)
}
