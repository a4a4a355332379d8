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
        for effort in Effort::stages(self.options.stage_seconds()) {
            hunts.iter_mut().for_each(|hunt| hunt.further(&mut desk, &effort));
            if hunts.iter().any(|hunt| hunt.is_settled()) || self.stop.is_set() {
                break;
            }
        }
        hunts.iter_mut().for_each(|hunt| hunt.propose(&mut desk));
        let Spent { work, bytes, chains } = hunts.iter().map(|hunt| hunt.spent()).sum();
        drop(hunts);
        let (demos, unprintable) = (desk.view.demo_count(), desk.unprintable);
        let proposals = desk.proposals.best();
        SolveTask { id: task.id.clone(), demos, proposals, chains, work, bytes, unprintable }
    }
}
