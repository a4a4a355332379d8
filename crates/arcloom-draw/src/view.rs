//! Plain data that callers fill in to have a task or a trace drawn.

use arcloom_value::Grid;

use crate::picture::{MAX_SIDE, Picture, Spot};

/// A task to draw.
#[derive(Debug, Clone, Copy)]
pub struct TaskFigure<'a> {
    /// The task's name, for example `00d62c1b`.
    pub id: &'a str,
    /// Demonstrations: input and output.
    pub demos: &'a [(Grid, Grid)],
    /// Tests: input and, where it is known and may be shown, output.
    pub tests: &'a [(Grid, Option<Grid>)],
}

/// One pair of a task, ready to be laid out.
pub(crate) struct PairView {
    pub(crate) title: String,
    pub(crate) input: Picture,
    /// `None` where the output is not known.
    pub(crate) output: Option<Picture>,
    pub(crate) is_test: bool,
}

impl TaskFigure<'_> {
    /// Demonstrations first, then tests, each numbered from 1.
    pub(crate) fn pairs(&self) -> Vec<PairView> {
        let pair = |kind: &str, n: usize, input: &Grid, output: Option<&Grid>| PairView {
            title: format!("{kind} {}", n + 1),
            input: Picture::grid(input),
            output: output.map(Picture::grid),
            is_test: kind == "test",
        };
        let demos = self.demos.iter().enumerate();
        let tests = self.tests.iter().enumerate();
        demos
            .map(|(n, (input, output))| pair("demo", n, input, Some(output)))
            .chain(tests.map(|(n, (input, output))| pair("test", n, input, output.as_ref())))
            .collect()
    }
}

/// A run of a program, step by step.
#[derive(Debug, Clone)]
pub struct TraceView {
    /// What was run on what.
    pub title: String,
    /// The input grid.
    pub input: Picture,
    /// The output grid that was hoped for, if it is known.
    pub expected: Option<Picture>,
    /// The steps in order.
    pub steps: Vec<TraceStep>,
}

/// One line of a program and what came out of it.
#[derive(Debug, Clone)]
pub struct TraceStep {
    /// The line, for example `x1 = objects(I, T, F, T)`.
    pub code: String,
    /// The type of the value; empty when it is not known.
    pub ty: String,
    /// What is said beside the value, a line each: which line of a rule an object met.
    pub notes: Vec<String>,
    /// What came out.
    pub value: StepValue,
}

/// What came out of a step.
#[derive(Debug, Clone)]
pub enum StepValue {
    /// A value.
    Ok(Picture),
    /// No value, and why.
    Failed(String),
}

impl TraceView {
    /// Whether the last step gave the expected grid; `None` when that cannot be told from the
    /// pictures: nothing is expected, the last step failed, or a grid was too large to draw whole.
    pub fn matches(&self) -> Option<bool> {
        let Some(Picture::Grid { cells: expected, .. }) = &self.expected else { return None };
        let StepValue::Ok(last) = &self.steps.last()?.value else { return None };
        let Picture::Grid { cells, ghost: None, .. } = last else { return Some(false) };
        let whole = |rows: &[Vec<_>]| {
            rows.len() < MAX_SIDE && rows.first().is_none_or(|row| row.len() < MAX_SIDE)
        };
        (whole(expected) && whole(cells)).then(|| cells == expected)
    }

    /// What came out with only its wrong cells in full colour, the others faded; `None` where that is no
    /// grid of the expected size, or right.
    pub(crate) fn wrong_cells(&self) -> Option<Picture> {
        let Some(Picture::Grid { cells: expected, .. }) = &self.expected else { return None };
        let StepValue::Ok(Picture::Grid { cells, ghost: None, .. }) = &self.steps.last()?.value
        else {
            return None;
        };
        let same_size = cells.len() == expected.len()
            && cells.iter().zip(expected).all(|(row, right)| row.len() == right.len());
        let wrong = |(spot, right): (&Spot, &Spot)| if spot == right { Spot::Empty } else { *spot };
        let rows = cells.iter().zip(expected);
        let marked: Vec<Vec<Spot>> =
            rows.map(|(row, right)| row.iter().zip(right).map(wrong).collect()).collect();
        let count = marked.iter().flatten().filter(|spot| **spot != Spot::Empty).count();
        if !same_size || count == 0 {
            return None;
        }
        let colors = cells.iter().flatten().map(|spot| match *spot {
            Spot::Color(n) => i8::try_from(n).ok(),
            Spot::Empty | Spot::Mark => None,
        });
        let colors: Vec<i8> = colors.collect::<Option<_>>()?;
        let ghost = Grid::new(cells.len(), cells.first()?.len(), &colors)?;
        let caption = format!("{count} of {} cells wrong", colors.len());
        Some(Picture::Grid { cells: marked, ghost: Some(ghost), groups: Vec::new(), caption })
    }
}
