//! How good a submission is. This is reporting code: it reads test answers.

use arcloom_tasks::{Submission, TaskSet};

/// Answers that are right, by output and by task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubmissionScore {
    /// Tests of which one of the two attempts is right.
    pub outputs_right: usize,
    /// Tests whose answer is known.
    pub outputs: usize,
    /// Tasks of which every known test is right.
    pub tasks_right: usize,
    /// Tasks with a known test.
    pub tasks: usize,
}

impl SubmissionScore {
    /// Judges a submission by the answers in the tasks.
    pub fn new(submission: &Submission, tasks: &TaskSet) -> SubmissionScore {
        let mut score = SubmissionScore::default();
        for task in &tasks.tasks {
            let attempts = submission.answers.get(&task.id).map_or(&[][..], Vec::as_slice);
            let known: Vec<bool> = task
                .tests
                .iter()
                .enumerate()
                .filter_map(|(n, test)| {
                    let answer = test.output.as_ref()?;
                    Some(attempts.get(n).is_some_and(|pair| pair.contains(answer)))
                })
                .collect();
            score.outputs += known.len();
            score.outputs_right += known.iter().filter(|&&right| right).count();
            score.tasks += usize::from(!known.is_empty());
            score.tasks_right += usize::from(!known.is_empty() && known.iter().all(|&right| right));
        }
        score
    }

    /// Kaggle's measure: the share of outputs that are right.
    pub fn outputs_score(&self) -> f64 {
        share(self.outputs_right, self.outputs)
    }

    /// The share of tasks of which all outputs are right.
    pub fn tasks_score(&self) -> f64 {
        share(self.tasks_right, self.tasks)
    }
}

fn share(right: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { right as f64 / all as f64 }
}
