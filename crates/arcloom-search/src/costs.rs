//! What steps cost: cheap when they were often part of what solved a training task.
//!
//! `data/steps.tsv` counts, for each step, the training tasks in whose solutions it occurred, by fold.
//! A task of fold `f` is searched with the counts of the other folds, so that nothing learned from a
//! task is used on it. `cargo run --release -p arcloom-search --example learn` writes the file anew.

use std::collections::BTreeMap;

use crate::steps::Step;

/// Number of folds of the training tasks.
pub const FOLDS: u8 = 5;

const TABLE: &str = include_str!("../data/steps.tsv");

/// The cost of every step.
#[derive(Clone, Debug)]
pub struct Costs {
    counts: BTreeMap<String, u32>,
    total: u32,
}

impl Costs {
    /// Every step costs the same.
    pub fn uniform() -> Costs {
        Costs { counts: BTreeMap::new(), total: 0 }
    }

    /// Costs learned from the training tasks, without those of one fold.
    pub fn learned(without: Option<u8>) -> Costs {
        Costs::from_table(TABLE, without)
    }

    fn from_table(table: &str, without: Option<u8>) -> Costs {
        let mut costs = Costs::uniform();
        for line in table.lines().filter(|l| !l.starts_with('#')) {
            let mut fields = line.split('\t');
            let name = fields.next().unwrap_or_default();
            for (fold, count) in (0..).zip(fields) {
                if Some(fold) != without
                    && let Ok(count) = count.parse::<u32>()
                {
                    *costs.counts.entry(name.to_owned()).or_default() += count;
                    costs.total += count;
                }
            }
        }
        costs
    }

    /// The cost of one step: 7 to 13, 10 when nothing was learned.
    pub fn of(&self, step: Step) -> u16 {
        if self.total == 0 {
            return 10;
        }
        let count = self.counts.get(&name(step)).copied().unwrap_or(0);
        let share = (f64::from(count) + 0.4) / (f64::from(self.total) + 80.0);
        (4.0 - 0.8 * share.log2()).round().clamp(7.0, 13.0) as u16
    }
}

/// The fold of a training task.
pub fn fold(task: &str) -> u8 {
    (task.bytes().map(u32::from).sum::<u32>() % u32::from(FOLDS)) as u8
}

/// The name under which a step is counted: colours are not told apart.
pub fn name(step: Step) -> String {
    match step {
        Step::Keep(_) => "Keep".to_owned(),
        Step::Erase(_) => "Erase".to_owned(),
        Step::Dye(_) => "Dye".to_owned(),
        other => format!("{other:?}").replace(", ", ","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_steps_are_cheap_and_a_fold_can_be_left_out() {
        let table = "# step\t0\t1\t2\t3\t4\nTrim\t30\t9\t9\t9\t9\nKeep\t1\t0\t0\t0\t0\n";
        let all = Costs::from_table(table, None);
        assert!(all.of(Step::Trim) < all.of(Step::Keep(3)));
        assert_eq!(all.of(Step::Keep(3)), all.of(Step::Keep(4)));
        let without = Costs::from_table(table, Some(0));
        assert_eq!(without.of(Step::Keep(3)), without.of(Step::Invert));
        assert_eq!(Costs::uniform().of(Step::Trim), 10);
    }
}
