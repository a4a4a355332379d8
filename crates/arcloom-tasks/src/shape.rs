//! From a JSON tree to tasks: which form the file has, and whether every grid is one.
//!
//! Forms, told apart by content: one task (`{"train": [...], "test": [...]}`), tasks by id, and
//! splits of tasks by id (`{"train": {id: task}, "eval": {...}}`). Rows, columns and indexes in
//! messages count from 0, as in the file.

use std::cell::RefCell;
use std::path::Path;

use arcloom_value::{Grid, grid::CellBuf};

use crate::error::{CorpusError, quote};
use crate::json::{Node, Row};
use crate::task::{GridLimits, Malformed, Pair, Task, TestPair};

/// What a task file holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Document {
    /// One task, without its id: that is the file's name.
    One(Task),
    /// Tasks by id.
    Many(Vec<Task>),
    /// Splits by name.
    Splits(Vec<(String, Vec<Task>)>),
}

/// Something wrong, and where in the file.
#[derive(Debug)]
pub(crate) struct Fault {
    place: String,
    problem: String,
}

pub(crate) type Shaped<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new<T>(place: &str, problem: impl Into<String>) -> Shaped<T> {
        Err(Fault { place: place.to_owned(), problem: problem.into() })
    }

    pub(crate) fn at(self, path: &Path) -> CorpusError {
        CorpusError::Content { path: path.to_path_buf(), place: self.place, problem: self.problem }
    }
}

/// How task files are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// What grids may be.
    pub(crate) limits: &'a GridLimits,
    /// Where tasks go that are not as they should be; without it the first of them is an error.
    pub(crate) malformed: Option<&'a RefCell<Vec<Malformed>>>,
}

impl<'a> Reading<'a> {
    /// Every task must be right.
    pub(crate) fn strict(limits: &'a GridLimits) -> Reading<'a> {
        Reading { limits, malformed: None }
    }

    /// Passes over a task, where that is asked for.
    pub(crate) fn pass_over(
        &self,
        id: &str,
        split: Option<&str>,
        tests: usize,
        error: CorpusError,
    ) -> Result<(), CorpusError> {
        let Some(malformed) = self.malformed else { return Err(error) };
        let (id, split, problem) = (id.to_owned(), split.map(str::to_owned), error.to_string());
        malformed.borrow_mut().push(Malformed { id, split, tests, problem });
        Ok(())
    }
}

/// Reads a task file's tree; `path` is only for messages.
pub(crate) fn document(
    root: &Node,
    path: &Path,
    reading: &Reading<'_>,
) -> Result<Document, CorpusError> {
    let limits = reading.limits;
    let Node::Object(entries) = root else {
        let met = root.describe();
        let problem =
            format!("expected a JSON object with tasks, found {met}; is this a task file?");
        return Fault::new("", problem).map_err(|fault| fault.at(path));
    };
    if is_task(root) {
        let task = read_task("", "", root, limits).map_err(|fault| fault.at(path))?;
        return Ok(Document::One(task));
    }
    if entries.iter().any(|(_, node)| is_task(node)) {
        return Ok(Document::Many(read_tasks(None, entries, path, reading)?));
    }
    if entries.iter().any(|(_, node)| is_split(node)) {
        let read = |(name, node): &(String, Node)| match node {
            Node::Object(tasks) => {
                Ok((name.clone(), read_tasks(Some(name), tasks, path, reading)?))
            }
            other => {
                Fault::new(&bare(name), format!("expected tasks by id, found {}", other.describe()))
                    .map_err(|fault| fault.at(path))
            }
        };
        return Ok(Document::Splits(entries.iter().map(read).collect::<Result<_, _>>()?));
    }
    not_tasks(entries).map_err(|fault| fault.at(path))
}

/// Number of a task's tests, as far as that can be told; at least 1.
pub(crate) fn tests_in(task: &Node) -> usize {
    let tests = match task.get("test") {
        Some(Node::List(tests)) => tests.len(),
        Some(Node::Row(row)) => row.len,
        _ => 1,
    };
    tests.max(1)
}

/// Reads a solutions file: the answers of each task id, in the order of its tests.
pub(crate) fn solutions(
    root: &Node,
    path: &Path,
    limits: &GridLimits,
) -> Result<Vec<(String, Vec<Grid>)>, CorpusError> {
    read_solutions(root, limits).map_err(|fault| fault.at(path))
}

/// What a file is that holds no task.
fn not_tasks<T>(entries: &[(String, Node)]) -> Shaped<T> {
    let Some((first, _)) = entries.first() else {
        return Fault::new("", "no tasks in this file; is it the right one?");
    };
    if entries.iter().all(|(_, node)| matches!(node, Node::List(_))) {
        return Fault::new(
            "",
            "holds answers, not tasks; give the `_challenges.json` file beside it instead",
        );
    }
    Fault::new(
        &format!("key {}", quote(first)),
        "neither a task nor a split of tasks; a task has the keys \"train\" and \"test\" with lists of pairs",
    )
}

/// An object that has one of a task's two lists.
fn is_task(node: &Node) -> bool {
    ["train", "test"].iter().any(|key| matches!(node.get(key), Some(Node::List(_) | Node::Row(_))))
}

/// An object in which something is a task, or an empty one.
fn is_split(node: &Node) -> bool {
    match node {
        Node::Object(entries) => {
            entries.is_empty() || entries.iter().any(|(_, node)| is_task(node))
        }
        _ => false,
    }
}

fn read_tasks(
    split: Option<&str>,
    entries: &[(String, Node)],
    path: &Path,
    reading: &Reading<'_>,
) -> Result<Vec<Task>, CorpusError> {
    let before = split.map_or_else(String::new, |split| format!("{}: ", bare(split)));
    let mut tasks = Vec::with_capacity(entries.len());
    for (id, node) in entries {
        match read_task(id, &format!("{before}task {}", bare(id)), node, reading.limits) {
            Ok(task) => tasks.push(task),
            Err(fault) => reading.pass_over(id, split, tests_in(node), fault.at(path))?,
        }
    }
    Ok(tasks)
}

/// Reads one task; `place` says which one, or nothing when the file is the task.
fn read_task(id: &str, place: &str, node: &Node, limits: &GridLimits) -> Shaped<Task> {
    let inside = if place.is_empty() { String::new() } else { format!("{place}: ") };
    if !matches!(node, Node::Object(_)) {
        return Fault::new(
            place,
            format!("expected a task, found {}; correct or remove it", node.describe()),
        );
    }
    let demos = list(node, "train", place)?.iter().enumerate();
    let demos = demos.map(|(n, pair)| read_pair(pair, &format!("{inside}`train[{n}]"), limits));
    let demos: Vec<Pair> = demos.collect::<Shaped<_>>()?;
    if demos.is_empty() {
        return Fault::new(place, "\"train\" is empty; a task needs at least one demonstration");
    }
    let tests = list(node, "test", place)?.iter().enumerate().map(|(n, pair)| {
        let place = format!("{inside}`test[{n}]");
        let input = read_grid(key(pair, "input", &place)?, &format!("{place}.input`"), limits)?;
        let output = match pair.get("output") {
            None => None,
            Some(Node::Scalar(text)) if text == "null" => None,
            Some(grid) => Some(read_grid(grid, &format!("{place}.output`"), limits)?),
        };
        Ok(TestPair::new(input, output))
    });
    Ok(Task { id: id.to_owned(), demos, tests: tests.collect::<Shaped<_>>()? })
}

/// Reads a pair; `place` opens a backquote that the message closes.
pub(crate) fn read_pair(pair: &Node, place: &str, limits: &GridLimits) -> Shaped<Pair> {
    let input = read_grid(key(pair, "input", place)?, &format!("{place}.input`"), limits)?;
    let output = read_grid(key(pair, "output", place)?, &format!("{place}.output`"), limits)?;
    Ok(Pair { input, output })
}

fn list<'a>(task: &'a Node, name: &str, place: &str) -> Shaped<&'a [Node]> {
    match task.get(name) {
        Some(Node::List(pairs)) => Ok(pairs),
        Some(other) => Fault::new(
            place,
            format!("{} should be a list of pairs, found {}", quote(name), other.describe()),
        ),
        None => {
            Fault::new(place, format!("the key {} is missing; add a list of pairs", quote(name)))
        }
    }
}

/// The value of a pair's key; `place` opens a backquote that the message closes.
fn key<'a>(pair: &'a Node, name: &str, place: &str) -> Shaped<&'a Node> {
    if !matches!(pair, Node::Object(_)) {
        let met = pair.describe();
        return Fault::new(&format!("{place}`"), format!("expected a pair of grids, found {met}"));
    }
    match pair.get(name) {
        Some(node) => Ok(node),
        None => Fault::new(
            &format!("{place}`"),
            format!("the key {} is missing; add its grid", quote(name)),
        ),
    }
}

/// Reads one grid within the limits.
pub(crate) fn read_grid(node: &Node, place: &str, limits: &GridLimits) -> Shaped<Grid> {
    let rows = match node {
        Node::List(rows) if rows.is_empty() => {
            return Fault::new(place, "the grid is empty; a grid has at least one row");
        }
        Node::List(rows) => rows,
        other => {
            let met = other.describe();
            return Fault::new(
                place,
                format!("expected a grid, a list of rows of integers, found {met}"),
            );
        }
    };
    let max = limits.max_side;
    if rows.len() > max {
        return Fault::new(place, format!("{} rows; grids have sides of 1 to {max}", rows.len()));
    }
    let mut cells = CellBuf::new();
    let mut width = 0;
    for (i, row) in rows.iter().enumerate() {
        let row_place = || format!("{place} row {i} (from 0)");
        let row = match row {
            Node::Row(row) => row,
            Node::List(items) if items.is_empty() => {
                return Fault::new(&row_place(), "the row is empty; a row has at least one cell");
            }
            other => {
                let met = other.describe();
                return Fault::new(
                    &row_place(),
                    format!("expected a row of integers, found {met}"),
                );
            }
        };
        check_cells(row, limits).or_else(|(j, met)| {
            let last = limits.colors.saturating_sub(1);
            let cell_place = format!("{place} row {i}, column {j} (from 0)");
            Fault::new(
                &cell_place,
                format!("{met} is not a colour; cells are integers from 0 to {last}"),
            )
        })?;
        if row.len > max {
            return Fault::new(
                &row_place(),
                format!("{} cells; grids have sides of 1 to {max}", row.len),
            );
        }
        if i > 0 && row.len != width {
            return Fault::new(
                &row_place(),
                format!(
                    "{} cells where the rows above have {width}; make all rows equally long",
                    row.len
                ),
            );
        }
        width = row.len;
        cells.extend_from_slice(&row.cells);
    }
    match Grid::new(rows.len(), width, &cells) {
        Some(grid) => Ok(grid),
        None => Fault::new(place, "not a rectangle of cells"),
    }
}

/// The first cell that is not a colour: its column and what it is.
fn check_cells(row: &Row, limits: &GridLimits) -> Result<(), (usize, String)> {
    // A byte holds colours up to 127, so a larger number of colours changes nothing.
    let colors = i8::try_from(limits.colors).unwrap_or(i8::MAX);
    if let Some(j) = row.cells.iter().position(|cell| !(0..colors).contains(cell)) {
        return Err((j, row.cells[j].to_string()));
    }
    row.bad.as_ref().map_or(Ok(()), |bad| Err((row.cells.len(), bad.describe())))
}

fn read_solutions(root: &Node, limits: &GridLimits) -> Shaped<Vec<(String, Vec<Grid>)>> {
    let Node::Object(entries) = root else {
        return Fault::new("", format!("expected answers by task id, found {}", root.describe()));
    };
    let read = |(id, node): &(String, Node)| {
        let place = format!("task {}", bare(id));
        let Node::List(answers) = node else {
            return Fault::new(
                &place,
                format!("expected a list of grids, found {}", node.describe()),
            );
        };
        let grid = |(n, node)| read_grid(node, &format!("{place}: `[{n}]`"), limits);
        Ok((id.clone(), answers.iter().enumerate().map(grid).collect::<Shaped<_>>()?))
    };
    entries.iter().map(read).collect()
}

/// An id for messages: plain when it looks like one, in quotes otherwise.
pub(crate) fn bare(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if !id.is_empty() && id.len() <= 60 && id.chars().all(plain) {
        id.to_owned()
    } else {
        quote(id)
    }
}
