//! What an archive remembers of earlier runs, and whether its programs give it.
//!
//! An archive may be somebody else's. Nothing that it remembers is handed in unless its program gives it.

use arcloom_graph::view::grids;
use arcloom_graph::{Limits, Plan, TaskView};
use arcloom_lang::{Program, ProgramId, load_file};
use arcloom_store::{Archive, StoreError};

use super::keep::proposals_of;
use super::{Ingredient, Proposal, SolveTask};

/// Longest value that is looked at: a task with its proposals takes some kilobytes.
const MOST_BYTES: usize = 16 << 20;

/// True when every proposal is what its program gives within these limits, and fits as many demos as it says.
pub(super) fn holds(task: &TaskView, found: &SolveTask, limits: Limits) -> bool {
    found.demos == task.demo_count() && found.proposals.iter().all(|p| gives(task, p, limits))
}

fn gives(task: &TaskView, proposal: &Proposal, limits: Limits) -> bool {
    let Some(program) = proposal.program.as_deref().and_then(one) else { return false };
    let found = limits.machine().outputs(&Plan::new(&program), task);
    task.fit(grids(&found.demos)).count() == proposal.fits
        && grids(&found.tests).eq(proposal.outputs.iter().map(Some))
}

fn one(text: &str) -> Option<Program> {
    let mut loaded = load_file(text);
    loaded.programs.pop().filter(|_| loaded.programs.is_empty())
}

/// What `solve` left in an archive, of all tasks. It does not say which task a proposal is for.
pub(crate) struct Remembered(Vec<RememberedProposal>);

/// One proposal.
pub(crate) struct RememberedProposal {
    pub(crate) program: Program,
    pub(crate) id: ProgramId,
    proposal: Proposal,
}

impl Remembered {
    pub(crate) fn of(archive: &Archive) -> Result<Remembered, StoreError> {
        let texts = archive.cached_texts(MOST_BYTES)?;
        let proposals = texts.iter().filter_map(|bytes| proposals_of(bytes)).flatten();
        let known = |proposal: Proposal| {
            let program = proposal.program.as_deref().and_then(one)?;
            Some(RememberedProposal { id: program.id(), program, proposal })
        };
        Ok(Remembered(proposals.filter_map(known).collect()))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &RememberedProposal> {
        self.0.iter()
    }
}

impl RememberedProposal {
    /// Who proposed it.
    pub(crate) fn origin(&self) -> String {
        Ingredient::names(&self.proposal.sources)
    }

    /// Demos that it is said to fit.
    pub(crate) fn fits(&self) -> usize {
        self.proposal.fits
    }

    /// Its outputs for the tests.
    pub(crate) fn outputs(&self) -> &[arcloom_value::Grid] {
        &self.proposal.outputs
    }

    /// True when its program gives it on this task.
    pub(crate) fn holds(&self, task: &TaskView, limits: Limits) -> bool {
        gives(task, &self.proposal, limits)
    }
}

/// An ingredient of earlier versions, which their archives name.
const FORMER: &str = "terms";

/// True for where an answer of `solve` is from, as the archive has it.
pub(crate) fn is_of_solve(origin: &str) -> bool {
    let known = |name| name == FORMER || Ingredient::ALL.iter().any(|one| one.name() == name);
    !origin.is_empty() && origin.split('+').all(known)
}
