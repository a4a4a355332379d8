//! Programs in a text as a language model answers: code between prose, in Markdown fences, after thinking,
//! several functions at once.
//!
//! | file | what it does |
//! |---|---|
//! | `answer.rs` | pieces of code to programs, with the places of errors in the whole text |
//! | `answer/extract.rs` | the text to pieces of code; what is left out is listed |
//!
//! A text that is code alone is read once, as a file is. Lines and columns count in the text as it came.

mod extract;

use crate::error::{LoadError, LoadErrorKind};
use crate::lower::{Placed, load_placed, load_placed_snippet};
use crate::program::Program;
use crate::syntax::Source;

use extract::{Code, extract};

/// What a text held.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Each program, or why it is none, in the order of the text. Never empty: a text without a program has one
    /// error.
    pub readings: Vec<Reading>,
    /// What was left out, in the order of the text.
    pub dropped: Vec<Dropped>,
}

/// A program of a text, or why it is none.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Name of its function; empty for lines without a `def` and where there is no program.
    pub name: String,
    /// The program with its places, or what is wrong.
    pub program: Result<PlacedProgram, TextError>,
}

/// A program that knows which lines it is from.
#[derive(Debug, Clone)]
pub struct PlacedProgram {
    /// The program.
    pub program: Program,
    /// For each node the line of the text that it is from, counted from 1; 0 where it is from none.
    pub lines: Box<[u32]>,
}

/// What is wrong with a text, where, and what was probably meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// What is wrong, with the suggestion.
    pub message: String,
    /// Line in the text, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// The name to write instead of an unknown one.
    pub suggestion: Option<String>,
}

impl TextError {
    /// One line: `name:line:column: message`.
    pub fn render(&self, name: &str) -> String {
        format!("{name}:{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Lines of a text that are not part of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// What they are.
    pub kind: DroppedKind,
    /// The first of them, counted from 1.
    pub line: u32,
    /// How many.
    pub line_count: u32,
}

/// Why lines of a text are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DroppedKind {
    /// Words for people.
    Prose,
    /// What stands between `<think>` and `</think>`, and its like.
    Thinking,
    /// A fenced block of another language, or without code.
    Block,
    /// `import` lines: the whole DSL is known already.
    Import,
    /// Statements outside functions, such as `print(solve(I))`.
    Statement,
    /// A function that no program uses.
    Function,
    /// A function that a later one of the same name replaces.
    Redefined,
}

impl DroppedKind {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            DroppedKind::Prose => "prose",
            DroppedKind::Thinking => "thinking",
            DroppedKind::Block => "block",
            DroppedKind::Import => "import",
            DroppedKind::Statement => "statement",
            DroppedKind::Function => "function",
            DroppedKind::Redefined => "redefined",
        }
    }
}

impl Answer {
    /// Reads a text.
    pub fn read(text: &str) -> Answer {
        if !extract::has_markup(text) {
            let mut answer = Answer::default();
            let is_whole = answer.add(&Code::whole(text));
            let is_code = is_whole && answer.readings.iter().all(|reading| reading.program.is_ok());
            if is_code && !answer.readings.is_empty() {
                extract::imports(text, &mut answer.dropped);
                return answer;
            }
        }
        let extracted = extract(text);
        let mut answer = Answer { readings: Vec::new(), dropped: extracted.dropped };
        for piece in &extracted.pieces {
            answer.add(piece);
        }
        if answer.readings.is_empty() {
            let message = match extracted.is_cut {
                true => "the text ends while it still thinks: there is no program after it",
                false => {
                    "there is no program in the text: write `def solve(I):` with `return`, or lines such as \
                     `O = vmirror(I)`"
                }
            };
            let message = message.to_string();
            let error = TextError { message, line: 1, column: 1, suggestion: None };
            answer.readings.push(Reading { name: String::new(), program: Err(error) });
        }
        answer.dropped.sort_by_key(|dropped| (dropped.line, dropped.kind));
        answer
    }

    /// The programs that were read.
    pub fn programs(&self) -> impl Iterator<Item = &PlacedProgram> {
        self.readings.iter().filter_map(|reading| reading.program.as_ref().ok())
    }

    /// Adds the programs of a piece of code; false when lines outside functions were passed over.
    fn add(&mut self, code: &Code<'_>) -> bool {
        let text = code.text();
        let source = Source::new("", text);
        let read = |placed: Placed| {
            let program = match placed.outcome {
                Ok((program, spans)) => {
                    let lines = spans.iter().map(|span| match span.end {
                        0 => 0,
                        _ => code.line(source.position(span.start).line),
                    });
                    Ok(PlacedProgram { program, lines: lines.collect() })
                }
                Err(error) => Err(code.error(&source, &error)),
            };
            Reading { name: placed.name, program }
        };
        if !code.has_def() {
            // An empty text has nothing to say about a line.
            if !text.trim().is_empty() {
                self.readings.push(read(load_placed_snippet(text)));
            }
            return true;
        }
        let loaded = load_placed(text);
        self.readings.extend(loaded.programs.into_iter().map(read));
        for (span, kind) in loaded.dropped {
            let first = source.position(span.start).line;
            let last = source.position(span.end).line;
            let line = code.line(first);
            self.dropped.push(Dropped { kind, line, line_count: code.line(last) + 1 - line });
        }
        loaded.is_whole
    }
}

impl Code<'_> {
    /// An error of this piece with its place in the whole text.
    fn error(&self, source: &Source<'_>, error: &LoadError) -> TextError {
        let at = source.position(error.span.start);
        let suggestion = match &error.kind {
            LoadErrorKind::Unknown { nearest, .. } => nearest.clone(),
            _ => None,
        };
        let message = error.kind.to_string();
        let (line, column) = (self.line(at.line), at.column + self.indent(at.line));
        TextError { message, line, column, suggestion }
    }
}

/// The one program of a text: a `def`, or straight lines without one. The error is for people.
pub fn one_program(name: &str, text: &str) -> Result<Program, String> {
    let mut answer = Answer::read(text);
    let error = answer.readings.iter().find_map(|reading| reading.program.as_ref().err());
    if let Some(error) = error {
        return Err(error.render(name));
    }
    match (answer.readings.len(), answer.readings.pop().and_then(|reading| reading.program.ok())) {
        (1, Some(placed)) => Ok(placed.program),
        (n, _) => Err(format!("{name}: there are {n} programs in the text: send one at a time")),
    }
}

#[cfg(test)]
mod tests;
