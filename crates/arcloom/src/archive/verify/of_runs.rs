//! What each run handed in for each task: is it what its proposals, or the archive's programs, give?

use arcloom_graph::Plan;
use arcloom_graph::view::grids;
use arcloom_lang::load_file;
use arcloom_store::{Archive, StandingRecord, StoreError, StoredRunTask};

use super::handed_in::{Belief, Witnesses};
use super::{AtHand, Check, Verified};
use crate::attempts::Attempts;
use crate::run_task::{RunTask, StoredProposal, read_whole};
use crate::solve::Remembered;

impl Check<'_> {
    pub(super) fn of_runs(
        &self,
        archive: &Archive,
        grids: &Witnesses,
    ) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        let rows = archive.run_tasks(None, None, true)?;
        if rows.is_empty() {
            return Ok(verified);
        }
        let remembered = Remembered::of(archive)?;
        for row in rows {
            let (run, name) = (row.run.0, row.name.clone());
            match self.of_run(archive, row, (&remembered, grids))? {
                Belief::Right => {}
                Belief::Wrong(what) => {
                    let problem = format!("what run {run} hands in for {name}: {what}");
                    verified.problems.push(problem);
                }
                Belief::Unknown(what) => verified.unconfirmed(what),
            }
        }
        Ok(verified)
    }

    fn of_run(
        &self,
        archive: &Archive,
        row: StoredRunTask,
        known: (&Remembered, &Witnesses),
    ) -> Result<Belief, StoreError> {
        let Some(found) = read_whole(row) else {
            let what = "its attempts or proposals cannot be read";
            return Ok(Belief::Wrong(what.to_owned()));
        };
        let standing = StandingRecord {
            task: found.task,
            demos: found.demos as u32,
            fits: found.fits as u32,
            similarity: found.similarity,
            origin: found.origin.clone(),
            program: found.program,
            attempts: found.attempts.to_texts(),
        };
        let at = match self.shape(&standing) {
            Err(belief) => return Ok(belief),
            Ok(at) => at,
        };
        // Evolution has programs in the place of proposals.
        if found.proposals.is_empty() {
            return self.one_handed_in(archive, &standing, at, known);
        }
        Ok(self.by_proposals(&found, at))
    }

    /// Every proposal is what its program gives, and what is handed in follows from them.
    fn by_proposals(&self, found: &RunTask, at: &AtHand<'_>) -> Belief {
        let wrong = |what: String| Belief::Wrong(what);
        for (rank, proposal) in found.proposals.iter().enumerate() {
            let first = (rank == 0).then_some(found);
            if let Some(what) = self.not_given(proposal, first, at) {
                return wrong(format!("proposal {} {what}", rank + 1));
            }
        }
        let tests = found.proposals[0].outputs.len();
        let attempts = Attempts::first_of(tests, found.proposals.iter().map(|p| &p.outputs[..]));
        if attempts != found.attempts {
            return wrong("the attempts are not the first two outputs that differ".to_owned());
        }
        let fits = found.proposals.iter().map(|proposal| proposal.fits).max().unwrap_or(0);
        if fits != found.fits {
            return wrong(format!("proposals fit {fits} demos, stored are {}", found.fits));
        }
        let origin = &found.proposals[0].origin;
        if *origin != found.origin {
            return wrong(format!(
                "the first proposal is from {origin}, stored is {}",
                found.origin
            ));
        }
        Belief::Right
    }

    /// What is wrong with a proposal, and with what is said of the program of the first one.
    fn not_given(
        &self,
        proposal: &StoredProposal,
        first: Option<&RunTask>,
        at: &AtHand<'_>,
    ) -> Option<String> {
        let loaded = proposal.program.as_deref().map(load_file);
        let Some([program]) = loaded.as_ref().map(|loaded| &loaded.programs[..]) else {
            return Some("has no program".to_owned());
        };
        if first.is_some_and(|said| said.program != Some(program.id())) {
            return Some("has another program than the one that is stored".to_owned());
        }
        let plan = Plan::new(program);
        let given = self.places(at).any(|(limits, (_, view))| {
            let evaluation = self.engine.evaluate(&mut limits.machine(), &plan, view);
            evaluation.fit.count() == proposal.fits
                && grids(&evaluation.outputs.tests).eq(proposal.outputs.iter().map(Some))
                && first.is_none_or(|said| evaluation.fit.similarity() == said.similarity)
        });
        (!given).then(|| "is not what its program gives".to_owned())
    }
}
