//! A judged program in detail: pairs, failing steps, JSON.

use std::fmt::{self, Write as _};

use arcloom_dsl::Registry;
use arcloom_graph::{Inputs, Machine, NoOutput, Output, TaskView, similarity};
use arcloom_lang::{Dropped, Op};
use arcloom_value::{Grid, PrimId, Value};
use serde_json::Value as Json;

use super::{EvalRow, EvalRows, Judged};

/// Most characters of a value in a message.
const SHORT: usize = 48;
/// Grids of at most so many cells are written out.
const SMALL: usize = 9;

/// What a program gives for one input.
#[derive(Debug, Clone)]
pub struct EvalPair<'a> {
    /// Whether the output is the expected one; `None` for a test.
    pub is_right: Option<bool>,
    /// How near the output is, in thousandths; `None` for a test.
    pub similarity: Option<u32>,
    /// Cells that differ from the expected grid; `None` for a test, and where sizes differ or there is no
    /// output.
    pub wrong_cells: Option<usize>,
    /// The output, or why there is none.
    pub output: &'a Output,
}

/// Why a step failed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFailure {
    /// What went wrong.
    pub message: String,
    /// Line of the text, counted from 1; 0 where the program is from no text.
    pub line: u32,
    /// The step with its arguments, shortened: `first(frozenset())`; empty where no step failed.
    pub call: String,
}

impl Judged {
    /// The pairs, demos before tests.
    pub fn pairs<'a>(&'a self, task: &'a TaskView) -> impl Iterator<Item = EvalPair<'a>> {
        let demos = task.expected().iter().zip(self.evaluation.fit.scores());
        let marks = demos.map(|(expected, score)| Some((expected.grid(), *score)));
        let outputs = self.evaluation.outputs.all();
        outputs.zip(marks.chain(std::iter::repeat(None))).map(|(output, mark)| EvalPair {
            is_right: mark.map(|(_, score)| score == 1000),
            similarity: mark.map(|(_, score)| score),
            wrong_cells: mark
                .and_then(|(expected, _)| wrong_cells(expected, output.as_ref().ok()?)),
            output,
        })
    }

    /// Why there is no output for pair `n`, demos before tests: the program is run on it once more.
    /// `None` where there is one.
    pub fn failure(&self, machine: &mut Machine, task: &TaskView, n: usize) -> Option<StepFailure> {
        let error = self.evaluation.output(n)?.as_ref().err()?;
        let message = error.to_string();
        let line = |node: usize| self.lines.get(node).copied().unwrap_or(0);
        let program = &self.entry.program;
        let NoOutput::Failed(failure) = error else {
            let line = line(program.output().index());
            return Some(StepFailure { message, line, call: String::new() });
        };
        let given = task.given();
        let (input, samples) = (given.inputs.get(n)?, &given.samples);
        let inputs = Inputs { input, samples, expected: &Value::None };
        let values = machine.trace(&self.entry.plan, &inputs).values;
        let node = &program.nodes()[failure.node.index()];
        let mut args =
            node.args.iter().map(|arg| values[arg.index()].as_ref().map_or(String::new(), short));
        let head = match node.op {
            Op::Call(id) => Registry::get().primitive(id).name.to_string(),
            _ => args.next().unwrap_or_default(),
        };
        let call = format!("{head}({})", args.collect::<Vec<_>>().join(", "));
        Some(StepFailure { message, line: line(failure.node.index()), call })
    }
}

/// Cells that differ; `None` for grids of different sizes.
fn wrong_cells(expected: &Grid, output: &Grid) -> Option<usize> {
    if (expected.height(), expected.width()) != (output.height(), output.width()) {
        return None;
    }
    Some(expected.cells().iter().zip(output.cells()).filter(|(a, b)| a != b).count())
}

/// A value in few characters.
fn short(value: &Value) -> String {
    if let Value::Grid(grid) = value
        && grid.cells().len() > SMALL
    {
        return format!("<{}x{} grid>", grid.height(), grid.width());
    }
    let mut text = Cut(String::new());
    let names = |id: PrimId| Registry::get().primitive(id).name;
    // Writing ends where the room does.
    let _ = write!(text, "{}", value.show(&names));
    text.0
}

/// Takes the first characters that are written to it.
struct Cut(String);

impl fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.0.chars().count() >= SHORT {
                self.0.push_str("...");
                return Err(fmt::Error);
            }
            self.0.push(c);
        }
        Ok(())
    }
}

impl EvalRows {
    /// All rows as one JSON object, what `arcloom eval --stdin` answers: the first one, and under `more` those of
    /// further programs of the text. `head` are fields that come first, each with a comma after it.
    pub fn write_json(
        &self,
        text: &mut String,
        head: &str,
        machine: &mut Machine,
        task: &TaskView,
    ) {
        for (n, row) in self.rows.iter().enumerate() {
            match n {
                0 => row.write_json(text, head, &self.dropped, machine, task),
                _ => {
                    text.push_str(if n == 1 { ", \"more\": [" } else { ", " });
                    row.write_json(text, "", &[], machine, task);
                }
            }
            // The object of the first row ends after the others.
            if n == 0 && self.rows.len() > 1 {
                text.pop();
            }
        }
        if self.rows.len() > 1 {
            text.push_str("]}");
        }
    }
}

impl EvalRow {
    /// The row as a JSON object, as Python's `EvalRow.to_dict` gives it.
    /// `head` are fields that come first, each with a comma after it.
    pub fn write_json(
        &self,
        text: &mut String,
        head: &str,
        dropped: &[Dropped],
        machine: &mut Machine,
        task: &TaskView,
    ) {
        let schema = crate::JSON_SCHEMA;
        let (id, name) = (Json::from(task.id.as_str()), Json::from(self.name.as_str()));
        let _ = write!(text, "{{{head}\"schema\": {schema}, \"task\": {id}, \"name\": {name}, ");
        match &self.judged {
            Err(error) => {
                let (message, suggestion) = (Json::from(error.message.as_str()), &error.suggestion);
                let suggestion = suggestion.as_deref().map_or(Json::Null, Json::from);
                let _ = write!(
                    text,
                    "\"error\": {{\"message\": {message}, \"line\": {}, \"column\": {}, \
                     \"suggestion\": {suggestion}}}",
                    error.line, error.column,
                );
            }
            Ok(judged) => judged.write_json(text, machine, task),
        }
        if !dropped.is_empty() {
            text.push_str(", \"dropped\": [");
            for (n, dropped) in dropped.iter().enumerate() {
                let comma = if n == 0 { "" } else { ", " };
                let (kind, line, count) = (dropped.kind.name(), dropped.line, dropped.line_count);
                let _ = write!(
                    text,
                    "{comma}{{\"kind\": \"{kind}\", \"line\": {line}, \"line_count\": {count}}}"
                );
            }
            text.push(']');
        }
        text.push('}');
    }
}

impl Judged {
    fn write_json(&self, text: &mut String, machine: &mut Machine, task: &TaskView) {
        let fit = &self.evaluation.fit;
        let _ = write!(
            text,
            "\"fits\": {}, \"demos\": {}, \"similarity\": {:?}, \"size\": {}, \"work\": {}, \"pairs\": [",
            fit.count(),
            fit.scores().len(),
            similarity(fit.similarity()),
            self.entry.program.size(),
            self.evaluation.outputs.work,
        );
        for (n, pair) in self.pairs(task).enumerate() {
            text.push_str(match n {
                n if n == task.demo_count() => "], \"tests\": [",
                0 => "",
                _ => ", ",
            });
            text.push('{');
            if let (Some(is_right), Some(near)) = (pair.is_right, pair.similarity) {
                let _ =
                    write!(text, "\"right\": {is_right}, \"similarity\": {:?}, ", similarity(near));
            }
            if let Some(cells) = pair.wrong_cells {
                let _ = write!(text, "\"wrong_cells\": {cells}, ");
            }
            match (pair.output, self.failure(machine, task, n)) {
                (Ok(grid), _) => {
                    text.push_str("\"output\": ");
                    write_grid(text, grid);
                }
                (Err(_), failure) => {
                    write_failure(text, &failure.unwrap_or_else(StepFailure::unknown))
                }
            }
            text.push('}');
        }
        text.push_str(if task.test_count() == 0 { "], \"tests\": []" } else { "]" });
    }
}

impl StepFailure {
    fn unknown() -> StepFailure {
        StepFailure { message: String::new(), line: 0, call: String::new() }
    }
}

fn write_failure(text: &mut String, failure: &StepFailure) {
    let _ = write!(text, "\"error\": {{\"message\": {}", Json::from(failure.message.as_str()));
    if failure.line > 0 {
        let _ = write!(text, ", \"line\": {}", failure.line);
    }
    if !failure.call.is_empty() {
        let _ = write!(text, ", \"call\": {}", Json::from(failure.call.as_str()));
    }
    text.push('}');
}

/// Written by hand: most of a row is cells.
fn write_grid(text: &mut String, grid: &Grid) {
    for (n, row) in grid.rows().enumerate() {
        text.push_str(if n == 0 { "[[" } else { ",[" });
        for (k, &cell) in row.iter().enumerate() {
            if k > 0 {
                text.push(',');
            }
            match u8::try_from(cell) {
                Ok(digit @ 0..=9) => text.push(char::from(b'0' + digit)),
                _ => {
                    let _ = write!(text, "{cell}");
                }
            }
        }
        text.push(']');
    }
    text.push(']');
}
