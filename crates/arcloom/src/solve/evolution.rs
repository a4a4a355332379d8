//! Evolution: on a task that is still open, starting from the library and from all that was found on it.
//!
//! Each task is bred for alone, within what is left of its own budget: what comes of it depends on no other task.
//! So shares of a task set, solved on several machines, give together what one machine gives.

use std::convert::Infallible;
use std::sync::OnceLock;

use arcloom_evolve::{
    EvolveConfig, Founder, Founders, Generation, Helpers, Journal, MadeFrom, Parent, StoredRun,
};
use arcloom_graph::batt::Batt;
use arcloom_graph::{Plan, TaskView};
use arcloom_lang::{Program, load_file};
use arcloom_search::task::Effort;
use arcloom_tasks::{GridLimits, Task};
use arcloom_value::Grid;

use super::desk::{Desk, Found};
use super::finder::{Finder, Hunt, Spent};
use super::parts::entries;
use super::proposals::doubt;
use super::{Ingredient, Solve};
use crate::run::{RunOptions, TaskRun};

/// What evolution starts from where there is no program at all.
const FIRST: &str = "def solve(I):\n    O = identity(I)\n    return O\n";

/// Programs bred from those of the library and those that were found.
pub(super) struct Evolution<'s> {
    solve: Solve<'s>,
    /// The fold whose programs are left out.
    withheld: Option<u8>,
    /// Made when the first task is still open.
    stock: OnceLock<Stock>,
}

/// What all tasks are bred from.
struct Stock {
    /// The library, merged.
    batt: Batt,
    donors: Vec<Parent>,
}

impl<'s> Evolution<'s> {
    pub(super) fn new(solve: Solve<'s>, withheld: Option<u8>) -> Evolution<'s> {
        Evolution { solve, withheld, stock: OnceLock::new() }
    }

    fn stock(&self) -> &Stock {
        let programs = || entries(self.solve.library, self.withheld);
        self.stock.get_or_init(|| Stock {
            batt: self.solve.engine.merge(programs()),
            donors: programs().map(|entry| Parent::new(entry.program.clone())).collect(),
        })
    }

    /// The best programs of the library, then those that were found.
    fn founders(
        &self,
        task: &Task,
        found: &[(Program, Ingredient)],
        most: usize,
    ) -> Option<Founders> {
        let Solve { engine, stop, .. } = self.solve;
        let batt = &self.stock().batt;
        let mut founders = Vec::new();
        if !batt.roots().is_empty() {
            let options = RunOptions { kept: most, ..RunOptions::default() };
            let tasks = std::slice::from_ref(task);
            let run: Option<TaskRun> =
                engine.run_then(batt, tasks, &options, stop, |_, run, _| run).pop()?;
            let founder = |program| Founder { program, from: MadeFrom::Transfer };
            founders.extend(run?.best.into_iter().map(|best| founder(best.program)));
        }
        founders.extend(found.iter().map(|(program, by)| {
            let from = MadeFrom::File(by.name().to_owned());
            Founder { program: program.clone(), from }
        }));
        if founders.is_empty() {
            let first = load_file(FIRST).programs.into_iter();
            founders.extend(first.map(|program| Founder { program, from: MadeFrom::Transfer }));
        }
        Some(Founders { evaluations: founders.len() as u64, of_tasks: vec![founders] })
    }

    /// A program for the task, if one comes up within so much work.
    fn breed(&self, task: &Task, found: &[(Program, Ingredient)], work: u64) -> Option<Program> {
        let Solve { engine, stop, .. } = self.solve;
        let config = EvolveConfig {
            work: Some(work),
            polish: 0,
            hands_in: false,
            ..EvolveConfig::default()
        };
        let (workers, helpers) = (engine.workers(), &Helpers::default());
        let (config, donors) = (&config, &self.stock().donors[..]);
        let run = arcloom_evolve::Evolution { workers, config, donors, helpers, stop };
        let founders = || self.founders(task, found, config.population);
        let tasks = std::slice::from_ref(task);
        let Ok(evolved) = run.run(tasks, founders, &mut Unkept, &mut |_| {});
        let solver = evolved.state.solver(0).filter(|_| !evolved.stopped)?;
        Some(solver.program().clone())
    }

    /// What a program gives on the tests of a task; `None` where one of them is no grid.
    fn predicted(&self, task: &TaskView, program: &Program) -> Option<Vec<Grid>> {
        let found = self.solve.engine.machine().outputs(&Plan::new(program), task);
        found.test_grids().filter(|grids| grids.iter().all(|grid| GridLimits::ARC.allow(grid)))
    }
}

impl Finder for Evolution<'_> {
    fn ingredient(&self) -> Ingredient {
        Ingredient::Evolution
    }

    fn begin<'a>(&'a self, _desk: &Desk<'a>) -> Option<Box<dyn Hunt<'a> + 'a>> {
        self.solve.options.evolves().then(|| Box::new(Breeding { evolution: self }) as _)
    }
}

/// Evolution for one task.
struct Breeding<'a> {
    evolution: &'a Evolution<'a>,
}

impl<'a> Hunt<'a> for Breeding<'a> {
    fn further(&mut self, _desk: &mut Desk<'a>, _effort: &Effort) {}

    fn is_settled(&self) -> bool {
        false
    }

    fn propose(&mut self, _desk: &mut Desk<'a>) {}

    fn conclude(&mut self, desk: &mut Desk<'a>, spent: &Spent) {
        let work = self.evolution.solve.options.evolve_work(spent.work);
        if work == 0 {
            return;
        }
        let found = desk.proposals.found_here();
        let Some(program) = self.evolution.breed(desk.task, &found, work) else { return };
        let Some(all) = self.evolution.predicted(&desk.view, &program) else { return };
        // The other tests are what the program gives: `propose` runs it on them.
        let outputs = all.into_iter().take(super::desk::MOST_TESTS).collect();
        let fits = desk.view.demo_count();
        desk.propose(
            Ingredient::Evolution,
            Some(Found { program, outputs, fits, doubt: doubt(0, 0) }),
        );
    }
}

/// Nothing of these runs is kept but what comes of them: a task that was cut short is begun again.
struct Unkept;

impl Journal for Unkept {
    type Error = Infallible;

    fn recall(&mut self) -> Result<Option<StoredRun>, Infallible> {
        Ok(None)
    }

    fn keep(&mut self, _generation: &Generation<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn bytes(&self) -> u64 {
        0
    }
}
