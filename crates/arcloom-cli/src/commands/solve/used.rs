//! How much processor time tasks took, beside what was asked for.

use std::time::Duration;

use arcloom::SolveReport;
use serde_json::{Value as Json, json};

use crate::clock::duration;

/// What tasks took: library and search, without evolution, which is done for all open tasks together.
pub(super) struct Used {
    tasks: usize,
    median: Duration,
    /// Nineteen of twenty took no more.
    p95: Duration,
    worst: Duration,
}

impl Used {
    /// `None` when no task was measured: all were remembered, or the system does not say.
    pub(super) fn of(report: &SolveReport) -> Option<Used> {
        let mut times: Vec<Duration> = report.tasks.iter().filter_map(|task| task.cpu).collect();
        times.sort_unstable();
        let worst = *times.last()?;
        let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
        Some(Used { tasks: times.len(), median: at(50), p95: at(95), worst })
    }

    pub(super) fn line(&self, budget: f64) -> String {
        let times = |time: Duration| {
            format!("{} ({:.2}x)", duration(time), time.as_secs_f64() / budget.max(1e-9))
        };
        format!(
            "asked for {} per task; of {} tasks the median took {}, 95 of 100 no more than {}, the worst {}",
            duration(Duration::from_secs_f64(budget)),
            self.tasks,
            times(self.median),
            times(self.p95),
            times(self.worst),
        )
    }

    pub(super) fn json(&self) -> Json {
        json!({
            "task_count": self.tasks,
            "median": self.median.as_secs_f64(),
            "p95": self.p95.as_secs_f64(),
            "worst": self.worst.as_secs_f64(),
        })
    }
}
