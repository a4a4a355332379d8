//! What `solve` found, for people: one task drawn, several as a table, and how many are in which state.

use anyhow::Result;
use arcloom::{Ingredient, SolveTask, TaskState, TestState, Verdict, text, verdict};

use super::used::Used;
use super::{Solved, draw, program_of};
use crate::args::solve::SolveArgs;
use crate::clock::duration;
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::table::Table;

/// Writes what was found and the summary.
pub(super) fn write(solved: &Solved, args: &SolveArgs, session: &mut Session<'_>) -> Result<()> {
    let found = || solved.report.tasks.iter().zip(&solved.verdicts);
    let is_found = |verdict: &Verdict| verdict.is_fit() || verdict.is_right();
    if !args.detail.quiet {
        let is_alone = solved.report.tasks.len() == 1;
        let listed = found().filter(|(_, v)| is_alone || args.detail.verbose || is_found(v));
        if is_alone || args.show {
            for (task, verdict) in listed {
                draw::task(solved.tasks.get(&task.id), task, verdict, None, session)?;
                if args.explain {
                    explain(solved, task, session)?;
                }
            }
        } else {
            let listed: Vec<_> = listed.collect();
            let table = table(&listed);
            if !table.is_empty() {
                table.write(session.out, session.paint, session.columns)?;
                writeln!(session.out)?;
            }
            for (task, _) in listed.iter().filter(|_| args.explain) {
                explain(solved, task, session)?;
            }
        }
    }
    summary(solved, session)?;
    if args.timing.timing {
        let line = Used::of(&solved.report).map_or_else(
            || "no task was measured: all were remembered, or the system does not say".to_owned(),
            |used| used.line(solved.budget),
        );
        writeln!(session.out, "{line}")?;
    }
    Ok(())
}

/// One line per task.
fn table(listed: &[(&SolveTask, &Verdict)]) -> Table {
    let mut table = Table::new(&["task", "tests", "fits", "origin", ">doubt", ">calls", "program"]);
    for (task, verdict) in listed {
        let (tone, word) = tests(verdict);
        let fits = format!("{}/{}", verdict.fits, verdict.demos);
        let mut cells =
            vec![(Tone::Plain, task.id.clone()), (tone, word.to_owned()), (Tone::Plain, fits)];
        match task.proposals.first() {
            None => cells.push((Tone::Dim, "nothing found".to_owned())),
            Some(best) => {
                let program = program_of(best);
                let calls = program.as_ref().map(|program| program.size().to_string());
                let line = program.as_ref().map(text::one_line);
                cells.push((Tone::Plain, Ingredient::names(&best.sources)));
                cells.push((Tone::Plain, best.doubt.to_string()));
                cells.push((Tone::Plain, calls.unwrap_or_default()));
                cells.push((Tone::Dim, line.unwrap_or_default()));
            }
        }
        table.row(cells);
    }
    table
}

/// The word for the tests, and how it stands out.
pub(super) fn tests(verdict: &Verdict) -> (Tone, &'static str) {
    let tone = match verdict.tests {
        TestState::Right => Tone::Good,
        TestState::Wrong => Tone::Bad,
        TestState::Unknown => Tone::Dim,
    };
    (tone, verdict.tests.name())
}

/// The proposals of a task, and why they are in this order.
fn explain(solved: &Solved, task: &SolveTask, session: &mut Session<'_>) -> Result<()> {
    writeln!(
        session.out,
        "{}",
        session.paint.bold(&format!("proposals for {}", visible(&task.id)))
    )?;
    let mut table = Table::new(&[">", "tests", "fits", ">doubt", "origin", "", "program"]);
    let known = solved.tasks.get(&task.id);
    for (n, proposal) in task.proposals.iter().enumerate() {
        let first = task.proposals.iter().position(|p| p.outputs == proposal.outputs);
        let role = match n {
            0 => "attempt 1",
            _ if task.proposals[..n].iter().all(|p| p.outputs == task.proposals[0].outputs)
                && first == Some(n) =>
            {
                "attempt 2"
            }
            _ => "",
        };
        let state = known.map_or(TestState::Unknown, |known| {
            let expected = |n: usize| verdict::expected(known, known.demos.len() + n);
            let pairs = proposal.outputs.iter().enumerate();
            let states = pairs.map(|(n, output)| expected(n).map(|expected| expected == output));
            states.fold(TestState::Right, |all, state| match (all, state) {
                (TestState::Wrong, _) | (_, Some(false)) => TestState::Wrong,
                (all, Some(true)) => all,
                (_, None) => TestState::Unknown,
            })
        });
        let line = program_of(proposal).as_ref().map(text::one_line).unwrap_or_default();
        table.row([
            (Tone::Plain, (n + 1).to_string()),
            (Tone::Plain, state.name().to_owned()),
            (Tone::Plain, format!("{}/{}", proposal.fits, task.demos)),
            (Tone::Plain, proposal.doubt.to_string()),
            (Tone::Plain, Ingredient::names(&proposal.sources)),
            (Tone::Bold, role.to_owned()),
            (Tone::Dim, line),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    let why = "Least doubt first. Doubt rises with the cost of the program and with demos that it misses, and falls when another program gives the same outputs (`a+b` in origin). The attempts are the first two outputs that differ.";
    writeln!(session.out, "\n{}\n", session.paint.dim(why))?;
    Ok(())
}

/// How many tasks are in which state, and the time.
fn summary(solved: &Solved, session: &mut Session<'_>) -> Result<()> {
    let n = solved.report.tasks.len();
    let set = visible(&solved.tasks.name);
    let head = format!("{}: {}", count(n, "task"), states(&solved.verdicts));
    let with = match solved.library.programs.len() {
        0 => "without a library".to_owned(),
        n => format!("with {}", count(n, "program")),
    };
    let from = session.paint.dim(&format!("({set}, {with})"));
    writeln!(session.out, "{} {from}", session.paint.bold(&head))?;
    let per_task = solved.cpu.div_f64(n.max(1) as f64);
    let line = format!(
        "{}, {} of processor time, {} per task (budget {:.2} s)",
        duration(solved.wall),
        duration(solved.cpu),
        duration(per_task),
        solved.budget,
    );
    writeln!(session.out, "{}", session.paint.dim(&line))?;
    let known = &solved.report.known;
    if known.hits > 0 {
        let line = format!(
            "{} of {} known from earlier runs: {} of processor time saved, {} spent on looking",
            grouped(known.hits),
            count(known.hits + known.misses, "task"),
            duration(known.saved),
            duration(known.spent),
        );
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    Ok(())
}

/// `12 right, 2 fit but are wrong, 3 fit with tests unknown, 13 open`, without what there is none of.
pub(crate) fn states(verdicts: &[Verdict]) -> String {
    let count = |is: &dyn Fn(&Verdict) -> bool| verdicts.iter().filter(|v| is(v)).count();
    let fits =
        |verdict: &Verdict, tests| verdict.state() == TaskState::Fits && verdict.tests == tests;
    let right = count(&|v| v.state() == TaskState::Right);
    let known = count(&|v| v.tests != TestState::Unknown);
    let wrong = count(&|v| fits(v, TestState::Wrong));
    let unknown = count(&|v| fits(v, TestState::Unknown));
    let open = count(&|v| v.state() == TaskState::Open);
    let mut parts = Vec::new();
    // Where no answer is known, none can be right.
    if known > 0 || verdicts.is_empty() {
        parts.push(format!("{right} right"));
    }
    if wrong > 0 {
        parts.push(format!("{wrong} fit but {} wrong", if wrong == 1 { "is" } else { "are" }));
    }
    if unknown > 0 || (known == 0 && !verdicts.is_empty()) {
        parts.push(format!("{unknown} fit with tests unknown"));
    }
    if open > 0 {
        parts.push(format!("{open} open"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_and_unknown_ones_are_not_called_wrong() {
        let verdict = |fits, tests| Verdict { fits, demos: 3, tests };
        let known = [
            verdict(3, TestState::Right),
            verdict(3, TestState::Wrong),
            verdict(0, TestState::Wrong),
        ];
        assert_eq!(states(&known), "1 right, 1 fit but is wrong, 1 open");
        let unknown = [verdict(3, TestState::Unknown), verdict(1, TestState::Unknown)];
        assert_eq!(states(&unknown), "1 fit with tests unknown, 1 open");
        assert_eq!(states(&unknown[1..]), "0 fit with tests unknown, 1 open");
        assert_eq!(states(&[]), "0 right");
    }
}
