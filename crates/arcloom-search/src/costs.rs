//! What steps cost: cheap when they were often part of what solved a training task of the same kind.
//!
//! `data/steps.tsv` counts, for each step and kind of task, the training tasks in whose solutions it occurred,
//! by fold. A task of fold `f` is searched with the counts of the other folds, so that nothing learned from a
//! task is used on it. `cargo run --release -p arcloom-search --example learn` writes the file anew.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;

use crate::steps::Step;

/// Number of folds of the training tasks.
pub const FOLDS: u8 = 5;

/// The counts as they are in the file.
pub const TABLE: &str = include_str!("../data/steps.tsv");

/// What is known of a task before it is searched and tells which steps are worth trying first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Outputs have the size of their input.
    Same,
    /// Outputs have one size.
    Fixed,
    /// Neither.
    Other,
}

impl TaskKind {
    /// All kinds, in the order of their names in the table.
    pub const ALL: [TaskKind; 3] = [TaskKind::Same, TaskKind::Fixed, TaskKind::Other];

    /// The kind of a task.
    pub fn of(demos: &[(Sheet, Sheet)]) -> TaskKind {
        let size = |s: &Sheet| (s.height(), s.width());
        if demos.iter().all(|(input, output)| size(input) == size(output)) {
            TaskKind::Same
        } else if demos.windows(2).all(|pair| size(&pair[0].1) == size(&pair[1].1)) {
            TaskKind::Fixed
        } else {
            TaskKind::Other
        }
    }

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            TaskKind::Same => "same",
            TaskKind::Fixed => "fixed",
            TaskKind::Other => "other",
        }
    }
}

/// What all kinds together say counts as much as this many tasks of the kind.
const PRIOR: f64 = 40.0;

/// The cost of every step.
#[derive(Clone, Debug)]
pub struct Costs {
    /// By kind.
    counts: BTreeMap<String, [u32; TaskKind::ALL.len()]>,
    totals: [u32; TaskKind::ALL.len()],
}

impl Costs {
    /// Every step costs the same.
    pub fn uniform() -> Costs {
        Costs { counts: BTreeMap::new(), totals: Default::default() }
    }

    /// Costs learned from the training tasks, without those of one fold.
    pub fn learned(without: Option<u8>) -> Costs {
        Costs::from_table(TABLE, without)
    }

    fn from_table(table: &str, without: Option<u8>) -> Costs {
        let mut costs = Costs::uniform();
        for line in table.lines().filter(|l| !l.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(name), Some(kind)) = (fields.next(), fields.next()) else { continue };
            let Some(kind) = TaskKind::ALL.into_iter().find(|k| k.name() == kind) else { continue };
            for (fold, count) in (0..).zip(fields) {
                if Some(fold) != without
                    && let Ok(count) = count.parse::<u32>()
                {
                    costs.counts.entry(name.to_owned()).or_default()[kind as usize] += count;
                    costs.totals[kind as usize] += count;
                }
            }
        }
        costs
    }

    /// The cost of one step on a task of a kind: 7 to 13, 10 when nothing was learned.
    pub fn of(&self, step: &Step, kind: TaskKind) -> u16 {
        let total: u32 = self.totals.iter().sum();
        if total == 0 {
            return 10;
        }
        let counts = self.counts.get(&key(step)).copied().unwrap_or_default();
        let all = (f64::from(counts.iter().sum::<u32>()) + 0.4) / (f64::from(total) + 80.0);
        let (own, of) = (counts[kind as usize], self.totals[kind as usize]);
        let share = (f64::from(own) + PRIOR * all) / (f64::from(of) + PRIOR);
        (4.0 - 0.8 * share.log2()).round().clamp(7.0, 13.0) as u16
    }
}

/// The fold of a training task.
pub fn fold(task: &str) -> u8 {
    (task.bytes().map(u32::from).sum::<u32>() % u32::from(FOLDS)) as u8
}

/// The name under which a step is counted: its primitives with their constants, as programs have them. What a step
/// learned is not told apart, nor are colours.
pub fn key(step: &Step) -> String {
    match step {
        Step::Declared(step) => step.key(),
        Step::Recolor(..) => "recolor_by".to_owned(),
        Step::Rule(_) => "paint_by_rule".to_owned(),
        Step::Move(_) => "move_by_rule".to_owned(),
        Step::Rays(_) => "send_rays".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arcloom_dsl::sheet::color::{SHEET_INVERT_STEP, SHEET_KEEP_STEP};
    use arcloom_dsl::sheet::crop::SHEET_TRIM_STEP;

    use super::*;
    use crate::steps;

    const TABLE: &str = "# step\tkind\t0\t1\t2\t3\t4\nsheet_trim\tfixed\t30\t9\t9\t9\t9\nsheet_keep\tsame\t1\t0\t0\t0\t0\n";

    fn trim() -> Step {
        Step::Declared(SHEET_TRIM_STEP.with(&[]))
    }

    fn keep(color: u8) -> Step {
        Step::Declared(SHEET_KEEP_STEP.with(&[color]))
    }

    #[test]
    fn frequent_steps_are_cheap_and_a_fold_can_be_left_out() {
        let all = Costs::from_table(TABLE, None);
        let invert = Step::Declared(SHEET_INVERT_STEP.with(&[]));
        for kind in TaskKind::ALL {
            assert!(all.of(&trim(), kind) < all.of(&keep(3), TaskKind::Other));
            assert_eq!(all.of(&keep(3), kind), all.of(&keep(4), kind));
            assert_eq!(Costs::uniform().of(&trim(), kind), 10);
            let without = Costs::from_table(TABLE, Some(0));
            assert_eq!(without.of(&keep(3), kind), without.of(&invert, kind));
        }
    }

    /// A table that cannot be read would pass for one that says nothing.
    #[test]
    fn the_table_that_is_built_in_can_be_read() {
        for (without, kind) in (0..FOLDS).flat_map(|f| TaskKind::ALL.map(|kind| (f, kind))) {
            let costs = Costs::learned(Some(without));
            assert!(costs.totals[kind as usize] > 20, "{kind:?} without fold {without}");
        }
    }

    /// What names no step would be counted for nothing.
    #[test]
    fn every_name_in_the_table_is_that_of_a_step() {
        let tried = steps::all(!0).iter().map(key).collect::<BTreeSet<String>>();
        let learned = ["recolor_by", "paint_by_rule", "move_by_rule", "send_rays"];
        for name in super::TABLE.lines().skip(1).filter_map(|line| line.split('\t').next()) {
            assert!(tried.contains(name) || learned.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_step_is_cheaper_on_the_kind_of_task_it_solved() {
        let table = "sheet_trim\tfixed\t1\t1\t1\t1\t1\nFill\tsame\t40\t40\t40\t40\t40\n";
        let costs = Costs::from_table(table, None);
        assert!(costs.of(&trim(), TaskKind::Fixed) < costs.of(&trim(), TaskKind::Same));
    }

    #[test]
    fn kinds_are_told_by_sizes() {
        let kind = |sizes: [[usize; 4]; 2]| {
            let sheet = |h, w| Sheet::new(h, w, vec![1; h * w]).unwrap();
            TaskKind::of(&sizes.map(|[h, w, to_h, to_w]| (sheet(h, w), sheet(to_h, to_w))))
        };
        assert_eq!(kind([[2, 3, 2, 3], [4, 4, 4, 4]]), TaskKind::Same);
        assert_eq!(kind([[2, 3, 1, 1], [4, 4, 1, 1]]), TaskKind::Fixed);
        assert_eq!(kind([[2, 3, 1, 1], [4, 4, 2, 2]]), TaskKind::Other);
    }
}
