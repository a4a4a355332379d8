//! One task past all ingredients, stage by stage.

use std::time::Duration;

use arcloom_graph::spans::thread_cpu;
use arcloom_search::task::Effort;
use arcloom_tasks::Task;

use super::desk::Desk;
use super::finder::{Finder, Hunt, Spent};
use super::{Ablation, Ingredients, Solve, SolveTask};
use crate::run::TaskRun;
use crate::timing::{about, group};

impl Solve<'_> {
    /// What ingredients find on a task, of which `run` is what the library did; not all of it once the run is
    /// to end.
    pub(super) fn task(
        &self,
        task: &Task,
        run: Option<&TaskRun>,
        ingredients: &Ingredients<'_>,
    ) -> (SolveTask, Duration) {
        about(&task.id);
        let _desk = group("desk");
        let mut desk = Desk::new(self.engine, task, run);
        let is_used =
            |finder: &&dyn Finder| self.options.has(Ablation::Ingredient(finder.ingredient()));
        let used = ingredients.list().into_iter().filter(is_used);
        let mut hunts: Vec<AtWork<'_>> = Vec::new();
        for finder in used {
            let name = finder.ingredient().name();
            let _group = group(name);
            hunts.extend(finder.begin(&desk).map(|hunt| AtWork { name, hunt }));
        }
        let is_over = |hunts: &[AtWork<'_>]| {
            hunts.iter().any(|one| one.hunt.is_settled()) || self.stop.is_set()
        };
        for effort in Effort::stages(self.options.stage_seconds()) {
            for n in 0..hunts.len() {
                let others = spent(&hunts).work - hunts[n].hunt.spent().work;
                let most = match hunts[n].hunt.is_after_search() {
                    true => self.options.framed_work(),
                    false => self.options.stage_work(),
                };
                desk.most = most.saturating_sub(others);
                hunts[n].at(|hunt| hunt.further(&mut desk, &effort));
                desk.is_settled |= hunts[n].hunt.is_settled();
            }
            if is_over(&hunts) {
                break;
            }
        }
        let left = self.options.seconds_beyond(spent(&hunts).work);
        if left > 0.0 && !is_over(&hunts) {
            hunts.iter_mut().for_each(|one| one.at(|hunt| hunt.beyond(&mut desk, left)));
        }
        hunts.iter_mut().for_each(|one| one.at(|hunt| hunt.propose(&mut desk)));
        let (so_far, before) = (spent(&hunts), thread_cpu());
        if !desk.proposals.fit(desk.view.demo_count()) && !self.stop.is_set() {
            hunts.iter_mut().for_each(|one| one.at(|hunt| hunt.conclude(&mut desk, &so_far)));
        }
        let concluded = thread_cpu().saturating_sub(before);
        let Spent { work, bytes, chains } = spent(&hunts);
        drop(hunts);
        let (demos, unprintable) = (desk.view.demo_count(), desk.unprintable);
        let proposals = desk.proposals.best(demos);
        let id = task.id.clone();
        let cpu = None;
        let found = SolveTask { id, demos, proposals, chains, work, bytes, unprintable, cpu };
        (found, concluded)
    }
}

/// An ingredient at work, by its name.
struct AtWork<'a> {
    name: &'static str,
    hunt: Box<dyn Hunt<'a> + 'a>,
}

impl<'a> AtWork<'a> {
    /// Lets it do something; the time that takes is its own.
    fn at(&mut self, work: impl FnOnce(&mut dyn Hunt<'a>)) {
        let _group = group(self.name);
        work(&mut *self.hunt);
    }
}

/// What all of them did.
fn spent(hunts: &[AtWork<'_>]) -> Spent {
    hunts.iter().map(|one| one.hunt.spent()).sum()
}
