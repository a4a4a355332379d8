//! One task past all ingredients, stage by stage.

use arcloom_search::task::Effort;
use arcloom_tasks::Task;

use super::desk::Desk;
use super::finder::{Finder, Hunt, Spent};
use super::{Ablation, Ingredients, Solve, SolveTask};
use crate::run::TaskRun;

impl Solve<'_> {
    /// What ingredients find on a task, of which `run` is what the library did; not all of it once the run is
    /// to end.
    pub(super) fn task(
        &self,
        task: &Task,
        run: Option<&TaskRun>,
        ingredients: &Ingredients<'_>,
    ) -> SolveTask {
        let mut desk = Desk::new(self.engine, task, run);
        let is_used =
            |finder: &&dyn Finder| self.options.has(Ablation::Ingredient(finder.ingredient()));
        let used = ingredients.list().into_iter().filter(is_used);
        let mut hunts: Vec<Box<dyn Hunt<'_> + '_>> =
            used.filter_map(|finder| finder.begin(&desk)).collect();
        let is_over = |hunts: &[Box<dyn Hunt<'_> + '_>]| {
            hunts.iter().any(|hunt| hunt.is_settled()) || self.stop.is_set()
        };
        for effort in Effort::stages(self.options.stage_seconds()) {
            for n in 0..hunts.len() {
                let others = spent(&hunts).work - hunts[n].spent().work;
                let most = match hunts[n].is_after_search() {
                    true => self.options.stage_work(),
                    false => self.options.plain_work(),
                };
                desk.most = most.saturating_sub(others);
                hunts[n].further(&mut desk, &effort);
                desk.is_settled |= hunts[n].is_settled();
            }
            if is_over(&hunts) {
                break;
            }
        }
        let left = self.options.seconds_beyond(spent(&hunts).work);
        if left > 0.0 && !is_over(&hunts) {
            hunts.iter_mut().for_each(|hunt| hunt.beyond(&mut desk, left));
        }
        hunts.iter_mut().for_each(|hunt| hunt.propose(&mut desk));
        let Spent { work, bytes, chains } = spent(&hunts);
        drop(hunts);
        let (demos, unprintable) = (desk.view.demo_count(), desk.unprintable);
        let proposals = desk.proposals.best(demos);
        let id = task.id.clone();
        SolveTask { id, demos, proposals, chains, work, bytes, unprintable, cpu: None }
    }
}

/// What all of them did.
fn spent(hunts: &[Box<dyn Hunt<'_> + '_>]) -> Spent {
    hunts.iter().map(|hunt| hunt.spent()).sum()
}
