//! Tasks, pairs, sets of tasks, and the limits that input grids keep.

use arcloom_value::Grid;

/// A demonstration: what a solver learns from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The grid to start from.
    pub input: Grid,
    /// The grid to arrive at.
    pub output: Grid,
}

/// A test. Its expected output is for reports alone and never reaches a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPair {
    /// The grid to start from.
    pub input: Grid,
    /// Outside this crate [`TestPair::expected_output`] is asked, by verdicts alone.
    pub(crate) expected: Option<Grid>,
}

impl TestPair {
    /// A test, with its expected output where the file has it.
    pub fn new(input: Grid, expected: Option<Grid>) -> TestPair {
        TestPair { input, expected }
    }

    /// The expected output, where it is known. For verdicts, and for writing tasks down.
    pub fn expected_output(&self) -> Option<&Grid> {
        self.expected.as_ref()
    }

    /// Adds the expected output where it is not known yet.
    pub fn add_expected(&mut self, expected: Grid) {
        self.expected.get_or_insert(expected);
    }

    /// Forgets the expected output.
    pub fn hide_expected(&mut self) {
        self.expected = None;
    }
}

/// One ARC task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The file's stem or the key in a combined file, such as `00d62c1b`.
    pub id: String,
    /// Demonstrations in file order; never empty in a loaded task.
    pub demos: Vec<Pair>,
    /// Tests in file order, which is the order of a submission.
    pub tests: Vec<TestPair>,
}

/// Named tasks, ascending by id whatever order the file has, so that runs do not depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSet {
    /// The name or path the set was asked for by.
    pub name: String,
    /// The tasks, ascending by id, no id twice.
    pub tasks: Vec<Task>,
    /// Tasks that could not be read, in the order of the file; see
    /// [`Catalog::resolve_readable_tasks`](crate::Catalog::resolve_readable_tasks).
    pub malformed: Vec<Malformed>,
}

/// A task that is not as it should be, in a file that otherwise is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// Its id.
    pub id: String,
    /// The split of a combined file that it is in.
    pub split: Option<String>,
    /// Number of its tests, as far as that can be told; at least 1.
    pub tests: usize,
    /// What is wrong and where, as a line for people.
    pub problem: String,
}

impl TaskSet {
    /// The set of these tasks. Of tasks with one id the first is kept.
    pub fn new(name: impl Into<String>, mut tasks: Vec<Task>) -> TaskSet {
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        tasks.dedup_by(|later, kept| later.id == kept.id);
        TaskSet { name: name.into(), tasks, malformed: Vec::new() }
    }

    /// The task with this id.
    pub fn get(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }
}

/// What the grids of a task file may be. Grids that programs build have no such limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridLimits {
    /// Largest height and width.
    pub max_side: usize,
    /// Number of colours; cells are from 0 to one less.
    pub colors: u8,
}

impl GridLimits {
    /// ARC's ten colours on sides up to 64.
    pub const ARC: GridLimits = GridLimits { max_side: 64, colors: 10 };
    /// True when a task file may hold this grid. Programs also build others, with cells of -1 for one;
    /// those are no answers.
    pub fn allow(&self, grid: &Grid) -> bool {
        let sides = grid.height() <= self.max_side && grid.width() <= self.max_side;
        sides && grid.cells().iter().all(|&cell| (0..self.colors as i8).contains(&cell))
    }

    /// Sixteen colours, as in the frames of ARC-AGI-3.
    pub const SIXTEEN: GridLimits = GridLimits { max_side: 64, colors: 16 };
}

impl Default for GridLimits {
    fn default() -> GridLimits {
        GridLimits::ARC
    }
}
