//! Frames: the task as another task, in another frame or cut into parts, searched as any task is.
//!
//! What a search finds within frames becomes a program that goes there, works, and comes back (`arcloom-search/src/frame.rs`).
//! Only what fits all demos is proposed. Which frames may show something of a task is told by cheap features of it, and most
//! are ruled out before anything is searched: outputs do not come back exactly, or two equal parts became different things.

use arcloom_dsl::kernel::sheet::roles;
use arcloom_dsl::sheet::measure::colors;
use arcloom_search::frame::{FramedTask, Outline, TaskFrame};
use arcloom_search::task::{Effort, Problem};
use arcloom_search::without::SearchPart;
use arcloom_value::Grid;

use super::desk::{Desk, Found};
use super::finder::{Finder, Hunt, Spent};
use super::options::{Ablation, FRAMES_FROM, SolveOptions, nanos};
use super::pictures::{Pictures, grid, sheet};
use super::search::{SearchRun, Sheets, problem};
use super::{Ingredient, Solve};

/// Of a stage, what all frames of a task have together, and what one has.
const SHARE: f64 = 0.6;
const ONE: f64 = 0.08;
/// Of the stages, what frames have together where something simple fits all demos: enough for the second attempt.
const SETTLED_SHARE: f64 = 0.15;
/// The stage, in seconds, of which they have it at most.
const LONGEST_SETTLED: f64 = 1.0;
/// Answers of one search that become proposals at most.
const ANSWERS: usize = 2;
/// What a frame adds to the doubt about an answer, as two steps do: of 79 training tasks that frames alone fit, 39 are
/// right, by reading order or otherwise.
const DOUBT: i32 = 20;

/// What frames know before they see a task.
pub(super) struct Frames<'s> {
    sheets: Sheets<'s>,
    options: &'s SolveOptions,
}

impl<'s> Frames<'s> {
    pub(super) fn new(solve: Solve<'s>, withheld: Option<u8>) -> Frames<'s> {
        // Roles read the demo pairs, which are others within frames.
        let sheets = Sheets::new(solve, withheld).without(SearchPart::Roles);
        Frames { sheets, options: solve.options }
    }
}

impl Finder for Frames<'_> {
    fn ingredient(&self) -> Ingredient {
        Ingredient::Frames
    }

    fn begin<'a>(&'a self, desk: &Desk<'a>) -> Option<Box<dyn Hunt<'a> + 'a>> {
        let problem = problem(desk.task)?;
        Some(Box::new(Framed { frames: self, problem, found: Vec::new(), spent: Spent::default() }))
    }
}

/// A task within its frames.
struct Framed<'a> {
    frames: &'a Frames<'a>,
    problem: Problem,
    found: Vec<Option<Found>>,
    spent: Spent,
}

impl<'a> Hunt<'a> for Framed<'a> {
    fn further(&mut self, desk: &mut Desk<'a>, effort: &Effort) {
        let all = self.frames.options.stage_seconds();
        // One that something simple fits has no further stage.
        let seconds = if desk.is_settled { all.min(LONGEST_SETTLED) } else { effort.as_seconds() };
        if seconds < FRAMES_FROM {
            return;
        }
        let share = if desk.is_settled { SETTLED_SHARE } else { SHARE };
        let most = desk.most.min(self.spent.work + nanos(seconds * share));
        let name = desk.name();
        for task in tasks(&self.problem, self.frames.options) {
            if self.spent.work >= most {
                break;
            }
            let left = most - self.spent.work;
            self.search(&task, &name, &Effort::seconds(seconds * ONE), left);
        }
    }

    fn is_after_search(&self) -> bool {
        true
    }

    fn is_settled(&self) -> bool {
        false
    }

    fn propose(&mut self, desk: &mut Desk<'a>) {
        for found in self.found.drain(..) {
            desk.propose(Ingredient::Frames, found);
        }
    }

    fn spent(&self) -> Spent {
        self.spent
    }
}

impl Framed<'_> {
    /// Searches a task within frames and keeps what fits all its demos.
    fn search(&mut self, task: &FramedTask, name: &str, effort: &Effort, most: u64) {
        let mut run = SearchRun::new(&self.frames.sheets, task.problem.clone());
        run.keep_within(most);
        run.go_on(Vec::new(), effort);
        let spent = run.spent();
        self.spent = Spent {
            work: self.spent.work + spent.work,
            bytes: self.spent.bytes.max(spent.bytes),
            chains: self.spent.chains + spent.chains,
        };
        let demos = task.problem.demos.len();
        let no_pictures = Pictures::new(0);
        let found = run.found(name, &no_pictures).into_iter();
        let fitting = found.filter(|found| found.as_ref().is_none_or(|found| found.fits >= demos));
        for inner in fitting.take(ANSWERS) {
            let found = inner.and_then(|inner| outer(task, inner, name, self.problem.demos.len()));
            self.found.push(found);
        }
    }
}

/// What was found within frames as something that is found on the task itself.
fn outer(task: &FramedTask, inner: Found, name: &str, demos: usize) -> Option<Found> {
    let sheets: Option<Vec<_>> = inner.outputs.iter().map(sheet).collect();
    let outputs = task.joined(&sheets?)?;
    let outputs: Vec<Grid> = outputs.iter().map(grid).collect::<Option<_>>()?;
    let program = task.program(&inner.program, name)?;
    let doubt = inner.doubt + DOUBT * task.frames.len() as i32;
    Some(Found { program, outputs, fits: demos, doubt })
}

/// The tasks that frames make of a task.
fn tasks(problem: &Problem, options: &SolveOptions) -> Vec<FramedTask> {
    let is_used =
        |frames: &&Vec<TaskFrame>| frames.iter().all(|f| options.has(Ablation::Frame(f.family())));
    let all = candidates(problem);
    let mut tasks: Vec<FramedTask> = Vec::new();
    for frames in all.iter().filter(is_used) {
        let Some(task) = FramedTask::of(problem, frames) else { continue };
        let same = |known: &FramedTask| {
            known.problem.demos == task.problem.demos && known.problem.tests == task.problem.tests
        };
        if !tasks.iter().any(same) {
            tasks.push(task);
        }
    }
    tasks
}

/// Frames that may show something of a task, those first that bring most.
fn candidates(problem: &Problem) -> Vec<Vec<TaskFrame>> {
    let demos = &problem.demos;
    let inputs = demos.iter().fold(0, |all, (input, _)| all | colors(input));
    let common = demos.iter().fold(!0, |all, (input, _)| all & colors(input));
    let always = demos.iter().fold(!0, |all, (_, output)| all & colors(output));
    // Colours that outputs alone have are the same whatever the input.
    let added = always & !inputs & 0x3ff;
    let kept = roles::common(demos) & 0x3ff;
    let objects = |margin: u8| {
        let kinds = [(true, true), (false, true), (false, false)];
        kinds.map(|(mixed, diagonal)| TaskFrame::Objects(Outline { mixed, diagonal, margin }))
    };
    let mut all: Vec<Vec<TaskFrame>> = Vec::new();
    let mut add = |frames: &[TaskFrame]| all.extend(frames.iter().map(|frame| vec![*frame]));
    add(&[
        TaskFrame::MergedLines,
        TaskFrame::Reading(added),
        TaskFrame::Colors(0),
        TaskFrame::Reading(kept),
    ]);
    add(&[TaskFrame::Wide, TaskFrame::LinesLie]);
    add(&objects(1));
    add(&[
        TaskFrame::Colors(2),
        TaskFrame::PanelTiles,
        TaskFrame::Panels,
        TaskFrame::Rows,
        TaskFrame::Columns,
    ]);
    add(&[TaskFrame::DroppedLines]);
    all.extend(
        [
            [TaskFrame::MergedLines, TaskFrame::DroppedLines],
            [TaskFrame::DroppedLines, TaskFrame::MergedLines],
            [TaskFrame::MergedLines, TaskFrame::Reading(added)],
            [TaskFrame::DroppedLines, TaskFrame::Reading(added)],
            [TaskFrame::Wide, TaskFrame::Reading(added)],
            [TaskFrame::LinesLie, TaskFrame::Reading(added)],
            [TaskFrame::MergedLines, TaskFrame::Wide],
            [TaskFrame::MergedLines, TaskFrame::LinesLie],
        ]
        .map(Vec::from),
    );
    let boxes = (1..10).filter(|c| common >> c & 1 == 1).map(TaskFrame::Box);
    all.extend(objects(0).into_iter().chain(boxes).map(|frame| vec![frame]));
    all
}
