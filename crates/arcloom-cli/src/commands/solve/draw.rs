//! One task as `solve` has it: what is handed in beside what is expected, and the program.

use std::path::Path;

use anyhow::Result;
use arcloom::draw::{
    Picture, ShownOutput, SvgOptions, TaskFigure, TextOptions, outputs_text, picture_text,
    solved_svg,
};
use arcloom::{Form, Grid, Ingredient, SolveTask, Task, Verdict, text, verdict};

use super::text::tests;
use super::{Solved, program_of};
use crate::figure;
use crate::paint::{count, visible};
use crate::session::Session;

/// Columns before a line of the program.
const INDENT: usize = 2;

/// Draws the tests of a task with both attempts, then the program of the first. `before` comes before them.
pub(crate) fn task(
    known: Option<&Task>,
    solved: &SolveTask,
    found: &Verdict,
    before: Option<&str>,
    session: &mut Session<'_>,
) -> Result<()> {
    let paint = session.paint;
    let (tone, word) = tests(found);
    let head = format!("task {}", visible(&solved.id));
    let fits = format!("fits {}/{}", found.fits, found.demos);
    writeln!(session.out, "{}  {}, {fits}\n", paint.bold(&head), paint.tone(tone, word))?;
    if let Some(before) = before {
        writeln!(session.out, "{}\n", before.trim_end())?;
    }
    let Some(best) = solved.proposals.first() else {
        let line =
            "Nothing was found. A larger --budget searches longer, -p gives programs to try.";
        writeln!(session.out, "{line}\n")?;
        return Ok(());
    };
    if let Some(known) = known {
        for n in 0..known.tests.len() {
            test(known, solved, n, session)?;
        }
    }
    let by = format!(
        "from {}, doubt {}{}",
        Ingredient::names(&best.sources),
        best.doubt,
        match program_of(best) {
            Some(program) => format!(", {}", count(program.size(), "call")),
            None => String::new(),
        }
    );
    writeln!(session.out, "{}  {}", paint.bold("program"), paint.dim(&by))?;
    if let Some(program) = program_of(best) {
        let code = text::print(&program, Form::Straight);
        // Files and pipes have it as it is, to be read again.
        let code = match session.columns {
            Some(columns) => {
                let width = columns.saturating_sub(INDENT);
                picture_text(&Picture::Text(code), &TextOptions { width, ..session.text })
            }
            None => code,
        };
        for line in code.trim_end().lines() {
            writeln!(session.out, "  {line}")?;
        }
    }
    writeln!(session.out)?;
    Ok(())
}

/// Draws the one task of a run into a file: the first attempts in the place of test outputs, and the program.
/// Gives what is to be said about it.
pub(super) fn figure(
    solved: &Solved,
    path: &Path,
    session: &mut Session<'_>,
) -> Result<Option<String>> {
    let one = solved.report.tasks.iter().zip(&solved.verdicts).next();
    let Some((task, found)) = one else { return Ok(None) };
    let Some(known) = solved.tasks.get(&task.id) else { return Ok(None) };
    let demos: Vec<_> = known.demos.iter().map(|d| (d.input.clone(), d.output.clone())).collect();
    let attempts = task.attempts();
    let tests = known.tests.iter().enumerate();
    let tests = tests.map(|(n, test)| (test.input.clone(), attempts.of_test(n).first().cloned()));
    let tests: Vec<_> = tests.collect();
    let view = TaskFigure { id: &task.id, demos: &demos, tests: &tests };
    let title = format!("{}: {}, fits {}/{}", task.id, found.tests.name(), found.fits, found.demos);
    let program = task.proposals.first().and_then(program_of);
    let program = program.map(|program| text::print(&program, Form::Straight)).unwrap_or_default();
    let options = SvgOptions { palette: session.text.palette, ..SvgOptions::default() };
    let svg = solved_svg(&view, &title, &program, &options);
    let place = figure::save(path, &svg, session)?;
    Ok(place.map(|place| format!("{place}: task {} and its program", visible(&task.id))))
}

/// A test: its input, the attempts, and the expected output where that is known.
fn test(known: &Task, solved: &SolveTask, n: usize, session: &mut Session<'_>) -> Result<()> {
    let Some(test) = known.tests.get(n) else { return Ok(()) };
    let attempts = solved.attempts();
    let attempts: &[Grid] = attempts.of_test(n);
    let expected = verdict::expected(known, known.demos.len() + n);
    let title = match known.tests.len() {
        1 => "test input".to_owned(),
        _ => format!("test {} input", n + 1),
    };
    let plain = |title, grid| ShownOutput { title, grid, expected: None };
    let mut shown = vec![plain(title.as_str(), Some(&test.input))];
    for (title, grid) in ["attempt 1", "attempt 2"].into_iter().zip([0, 1].map(|k| attempts.get(k)))
    {
        shown.push(ShownOutput { title, grid, expected });
    }
    if expected.is_some() {
        shown.push(plain("expected", expected));
    }
    writeln!(session.out, "{}", outputs_text(&shown, &session.text))?;
    if expected.is_none() {
        let line = "The expected output is unknown.";
        writeln!(session.out, "{}\n", session.paint.dim(line))?;
    }
    Ok(())
}
