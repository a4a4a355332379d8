//! A run while it goes on: one line now and then, or one JSON object per generation.

use std::cmp::Reverse;
use std::time::Duration;

use anyhow::Result;
use arcloom::evolve::{OperatorCount, OperatorRow, Progress};
use arcloom::{JSON_SCHEMA, similarity};
use serde_json::json;

use crate::clock::duration;
use crate::paint::{grouped, visible};
use crate::progress::{Live, about};
use crate::session::Session;

/// Operators that a line names.
const OPERATORS: usize = 3;
/// A line comes when one more task fits, else after a tenth of the time so far, within these bounds.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// Share of its tries that gave something better than the parent.
pub(super) fn share(row: &OperatorRow) -> f64 {
    row.count.improving as f64 / row.count.applied.max(1) as f64
}

/// What was said last.
#[derive(Debug, Default)]
pub(super) struct Shown {
    last: Option<(Duration, usize)>,
}

impl Shown {
    /// Says where the run stands: on the live line, and in a line of its own when one more task fits or, where
    /// there is no live line, when that is due.
    pub(super) fn line(
        &mut self,
        progress: &Progress,
        live: &Live,
        session: &mut Session<'_>,
    ) -> Result<()> {
        live.say(&short(progress));
        if live.is_seen() {
            let solved = progress.solved.1;
            let before = self.last.map_or(progress.solved.0, |(_, before)| before);
            self.last = Some((progress.elapsed, solved));
            if solved <= before {
                return Ok(());
            }
            let line =
                format!("generation {}: {} of {} fit", progress.generation, solved, progress.tasks);
            return live.aside(|| -> Result<()> {
                writeln!(session.out, "{line}")?;
                session.out.flush()?;
                Ok(())
            });
        }
        let (now, solved) = (progress.elapsed, progress.solved.1);
        if let Some((then, before)) = self.last
            && solved == before
            && now.saturating_sub(then) < (now / 10).clamp(PAUSE.0, PAUSE.1)
        {
            return Ok(());
        }
        self.last = Some((now, solved));
        writeln!(session.out, "{}", text(progress))?;
        session.out.flush()?;
        Ok(())
    }
}

/// What the live line says, most important first: a narrow terminal cuts its end.
fn short(progress: &Progress) -> String {
    let mut text = format!(
        "generation {}: {} of {} fit",
        progress.generation, progress.solved.1, progress.tasks
    );
    match progress.left {
        // A pace of less than a generation says nothing.
        Some(left) if progress.generation > 0 => text += &format!(", {} left", about(left)),
        _ => text += &format!(", {}", about(progress.elapsed)),
    }
    if let Some(near) = &progress.nearest {
        let near = format!(
            "{} {}/{} {:.3}",
            visible(&near.task),
            near.fits,
            near.demos,
            similarity(near.similarity)
        );
        text += &format!(", nearest {near}");
    }
    let pace = progress.evaluations_total as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    text + &format!(", {}/s", grouped(pace as usize))
}

fn text(progress: &Progress) -> String {
    let pace = progress.evaluations_total as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    let mut text = format!(
        "generation {}: {} of {} fit ({} at the start), {} evaluations, {}/s, {}",
        progress.generation,
        progress.solved.1,
        progress.tasks,
        progress.solved.0,
        grouped(progress.evaluations_total as usize),
        grouped(pace as usize),
        duration(progress.elapsed),
    );
    if let Some(left) = progress.left {
        text += &format!(", {} left", duration(left));
    }
    if let Some(near) = &progress.nearest {
        let (fits, demos, alike) = (near.fits, near.demos, similarity(near.similarity));
        text += &format!("; nearest {} {fits}/{demos} {alike:.3}", visible(&near.task));
    }
    let best = best(&progress.operators);
    if !best.is_empty() {
        let one = |row: &&OperatorRow| format!("{} {:.1} %", row.name, 100.0 * share(row));
        text += &format!("; {}", best.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    text
}

/// The operators that most often gave something better.
fn best(operators: &[OperatorRow]) -> Vec<&OperatorRow> {
    let mut rows: Vec<&OperatorRow> =
        operators.iter().filter(|row| row.count.improving > 0).collect();
    rows.sort_by_key(|row| Reverse((share(row) * 1e9) as u64));
    rows.truncate(OPERATORS);
    rows
}

/// A generation as one line of JSON.
pub(super) fn json_line(progress: &Progress, session: &mut Session<'_>) -> Result<()> {
    let seconds = progress.elapsed.as_secs_f64();
    let operators: Vec<_> = progress
        .operators
        .iter()
        .map(|row| {
            let OperatorCount { applied, valid, new, improving } = row.count;
            json!({"name": row.name, "applied": applied, "valid": valid, "new": new,
                   "improving": improving, "yield": share(row)})
        })
        .collect();
    let nearest = progress.nearest.as_ref().map(|near| {
        json!({"task": near.task, "fits": near.fits, "demos": near.demos,
               "similarity": similarity(near.similarity)})
    });
    let object = json!({
        "generation": progress.generation,
        "evaluations": progress.evaluations,
        "evaluations_total": progress.evaluations_total,
        "seconds": seconds,
        "seconds_left": progress.left.map(|left| left.as_secs_f64()),
        "evaluations_per_second": progress.evaluations_total as f64 / seconds.max(1e-9),
        "schema": JSON_SCHEMA,
        "fits_at_start_count": progress.solved.0,
        "fits_count": progress.solved.1,
        "task_count": progress.tasks,
        "nearest": nearest,
        "fresh_share": f64::from(progress.fresh) / 1000.0,
        "archive_bytes": progress.archive_bytes,
        "peak_memory_bytes": arcloom::timing::peak_memory(),
        "operators": operators,
    });
    writeln!(session.out, "{object}")?;
    session.out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use arcloom::evolve::Nearest;

    use super::*;

    #[test]
    fn a_line_says_where_a_run_stands() {
        let row = |name, improving| OperatorRow {
            name,
            count: OperatorCount { applied: 200, valid: 150, new: 100, improving },
        };
        let near = Nearest { task: "ab".to_owned(), fits: 2, demos: 3, similarity: 941 };
        let progress = Progress {
            generation: 7,
            evaluations: 100,
            evaluations_total: 50_000,
            elapsed: Duration::from_secs(4),
            left: Some(Duration::from_secs(56)),
            solved: (3, 5),
            tasks: 10,
            nearest: Some(near),
            operators: vec![row("none", 0), row("few", 1), row("many", 8)],
            archive_bytes: 1,
            fresh: 400,
        };
        assert_eq!(
            text(&progress),
            "generation 7: 5 of 10 fit (3 at the start), 50,000 evaluations, 12,500/s, 4.00 s, \
             56.0 s left; nearest ab 2/3 0.941; many 4.0 %, few 0.5 %"
        );
    }
}
