//! Tests as files: a program, inputs, and what comes out.
//!
//! ```text
//! # What the file is about.
//! program
//!     x1 = objects(I, T, F, T)
//!     O = subgrid(argmax(x1, size), I)
//!
//! input
//!     0110
//!     0100
//! output
//!     11
//!     10
//!
//! input
//!     0000
//! fails
//!     argmax: there is no such element: the container is empty or nothing matches
//! ```
//!
//! A line that begins at the margin opens a section or is a comment; what is indented belongs to the
//! section above it. `program` may come more than once; every program is run on every input and has an
//! outcome for each, in their order. Further sections are `demo`, a demo pair for `S` with `->` between
//! its grids, and `budget`, the units of work that one call may cost. Outcomes are `output` for a grid,
//! `value` for anything else, as Python text, and `fails` for an error.

use std::path::{Path, PathBuf};

use arcloom_dsl::{Caller, EvalError, Registry};
use arcloom_lang::{Program, load_file};
use arcloom_value::{Grid, Value};

/// A file of tests.
#[derive(Debug, Clone)]
pub struct TestFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its programs.
    pub programs: Vec<Program>,
    /// The demo pairs, as `S` has them; empty without any.
    pub samples: Value,
    /// Units of work that one call may cost.
    pub budget: u64,
    /// The inputs with the outcomes of all programs.
    pub cases: Vec<FileCase>,
    lines: Vec<String>,
}

/// One input of a file.
#[derive(Debug, Clone)]
pub struct FileCase {
    /// The input grid.
    pub input: Value,
    /// What every program gives, in the order of the programs.
    pub outcomes: Vec<ExpectedOutcome>,
    /// The line after the input's last row.
    end: usize,
}

/// What a program is expected to give.
#[derive(Debug, Clone)]
pub struct ExpectedOutcome {
    /// The section's name, a space and its lines.
    pub text: String,
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// The line after its last.
    end: usize,
}

/// The folder of all files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// All files in the order of their names; the error names the file and line that cannot be read.
pub fn all() -> Result<Vec<TestFile>, String> {
    let entries =
        std::fs::read_dir(folder()).map_err(|e| format!("{}: {e}", folder().display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "arc"));
    paths.sort();
    paths.iter().map(|path| TestFile::read(path)).collect()
}

impl TestFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<TestFile, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        parse(path, &text)
    }

    /// `file:line`, as editors understand it.
    pub fn place(&self, line: usize) -> String {
        format!("crates/arcloom-testkit/tests/files/{}:{line}", self.file_name())
    }

    /// The last part of its path.
    pub fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The text with other outcomes: one list for each input, as long as there are programs.
    pub fn with_outcomes(&self, outcomes: &[Vec<String>]) -> String {
        let mut text = String::new();
        let mut copied = 0;
        let copy = |text: &mut String, from: usize, to: usize| {
            self.lines[from.min(to)..to].iter().for_each(|line| *text += &format!("{line}\n"));
        };
        for (case, outcomes) in self.cases.iter().zip(outcomes) {
            copy(&mut text, copied, case.end);
            for outcome in outcomes {
                let (name, body) = outcome.split_once('\n').unwrap_or((outcome, ""));
                text += &format!("{name}\n");
                body.lines().for_each(|line| text += &format!("    {line}\n"));
            }
            copied = case.outcomes.last().map_or(case.end, |last| last.end);
        }
        copy(&mut text, copied, self.lines.len());
        text
    }
}

/// An outcome as files write it: the section's name and its lines.
///
/// Values are taken in canonical form, so that forms of the executor may leave others.
pub fn outcome_text(outcome: &Result<Value, EvalError>) -> String {
    match outcome.as_ref().map(Value::canonical) {
        Ok(Value::Grid(grid)) if is_plain(&grid) => format!("output\n{}", grid_text(&grid)),
        Ok(value) => {
            let name = |id| Registry::get().primitive(id).name;
            format!("value\n{}", value.show(&name))
        }
        Err(error) => format!("fails\n{error}"),
    }
}

/// True when every cell is one digit.
fn is_plain(grid: &Grid) -> bool {
    grid.cells().iter().all(|cell| (0..10).contains(cell))
}

fn grid_text(grid: &Grid) -> String {
    let row = |row: &[i8]| row.iter().map(ToString::to_string).collect::<String>();
    grid.rows().map(row).collect::<Vec<_>>().join("\n")
}

/// A section: its name, the number of its first line, its body without the indentation.
struct Section {
    name: String,
    line: usize,
    body: Vec<String>,
    /// The line after its last.
    end: usize,
}

fn parse(path: &Path, text: &str) -> Result<TestFile, String> {
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let wrong = |line: usize, what: &str| format!("{file_name}:{line}: {what}");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut file = TestFile {
        path: path.to_path_buf(),
        programs: Vec::new(),
        samples: Value::empty_tuple(),
        budget: Caller::DEFAULT_BUDGET,
        cases: Vec::new(),
        lines: lines.clone(),
    };
    let mut samples = Vec::new();
    for section in sections(&lines).map_err(|line| wrong(line, "nothing is open here"))? {
        let Section { name, line, body, end } = section;
        let grid = |rows: &[String]| grid(rows).ok_or_else(|| wrong(line, "not a grid of digits"));
        match name.as_str() {
            "program" => {
                let number = file.programs.len();
                let name =
                    if number == 0 { stem.clone() } else { format!("{stem}_{}", number + 1) };
                file.programs.push(program(&name, &body).map_err(|e| wrong(line, &e))?);
            }
            "demo" => {
                let at = body.iter().position(|row| row == "->");
                let at = at.ok_or_else(|| wrong(line, "a demo needs `->` between its grids"))?;
                let pair = vec![grid(&body[..at])?, grid(&body[at + 1..])?];
                samples.push(Value::tuple(pair));
            }
            "budget" => {
                let units = body.first().and_then(|units| units.parse().ok());
                file.budget = units.ok_or_else(|| wrong(line, "a budget is a number"))?;
            }
            "input" => {
                let input = grid(&body)?;
                file.cases.push(FileCase { input, outcomes: Vec::new(), end });
            }
            "output" | "value" | "fails" => {
                let text = format!("{name}\n{}", body.join("\n"));
                let case = file.cases.last_mut().ok_or_else(|| wrong(line, "no input before"))?;
                case.outcomes.push(ExpectedOutcome { text, line, end });
            }
            _ => return Err(wrong(line, &format!("`{name}` is no section"))),
        }
    }
    if file.programs.is_empty() || file.cases.is_empty() {
        return Err(wrong(1, "a file needs a program and an input"));
    }
    file.samples = Value::tuple(samples);
    Ok(file)
}

/// The sections of a file; the error is the number of a line that belongs to none.
fn sections(lines: &[String]) -> Result<Vec<Section>, usize> {
    let mut sections: Vec<Section> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("    ") {
            Some(row) => {
                let section = sections.last_mut().ok_or(n + 1)?;
                section.body.push(row.to_owned());
                section.end = n + 1;
            }
            None => sections.push(Section {
                name: line.trim().to_owned(),
                line: n + 1,
                body: Vec::new(),
                end: n + 1,
            }),
        }
    }
    Ok(sections)
}

fn program(name: &str, body: &[String]) -> Result<Program, String> {
    let mut text = body.join("\n") + "\n";
    // Straight lines need no `def` around them.
    if !body.iter().any(|line| line.starts_with("def ")) {
        let lines: Vec<String> = body.iter().map(|line| format!("    {line}")).collect();
        text = format!("def solve_{name}(S, I, C):\n{}\n    return O\n", lines.join("\n"));
    }
    let mut loaded = load_file(&text);
    if let Some(error) = loaded.errors.first() {
        return Err(format!("the program does not load: {}", error.kind));
    }
    loaded.programs.pop().ok_or_else(|| "there is no program".to_owned())
}

/// A grid of digit rows.
fn grid(rows: &[String]) -> Option<Value> {
    let cells = |row: &String| -> Option<Vec<i8>> {
        row.chars().map(|c| c.to_digit(10).and_then(|d| i8::try_from(d).ok())).collect()
    };
    let rows: Vec<Vec<i8>> = rows.iter().map(cells).collect::<Option<_>>()?;
    Grid::from_rows(&rows).map(Value::Grid)
}
