//! Which outputs of the members of a task are handed in.

use std::cmp::Reverse;

use arcloom_evolve::{EvolveTask, Fitness, Member};
use arcloom_store::Origin;
use arcloom_tasks::GridLimits;

use crate::attempts::{self, Attempts, Vote};
use crate::standing::Standing;

/// What is handed in for a task: the two best outputs for each test.
pub(super) fn standing<'m>(
    task: &EvolveTask<'_>,
    members: impl Iterator<Item = &'m Member>,
) -> Standing {
    let mut members: Vec<&Member> = members.collect();
    let evidence = |member: &Member| {
        let Fitness { fits, similarity, .. } = member.fitness;
        (member.is_solver(), fits, similarity)
    };
    members.sort_by_key(|member| (Reverse(evidence(member)), member.rank()));
    let of_test = |test: usize| {
        let votes = members.iter().filter_map(|member| {
            let answer = member.tests.get(test)?.as_ref().ok()?;
            let (evidence, size) = (evidence(member), member.fitness.size);
            // One per behaviour on an island, so each is a witness of its own.
            Some(Vote { answer, evidence, witnesses: 1, size })
        });
        let votes = votes.filter(|vote| GridLimits::SIXTEEN.allow(vote.answer));
        attempts::best(votes).into_iter().cloned().collect()
    };
    let best = members.first();
    Standing {
        task: task.id,
        name: task.task.id.clone(),
        demos: task.view.demo_count(),
        fits: best.map_or(0, |best| best.fitness.fits as usize),
        similarity: best.map_or(0, |best| best.fitness.similarity),
        origin: best.map_or_else(String::new, |best| origin(best)),
        program: best.map(|best| best.id),
        attempts: Attempts::new((0..task.view.test_count()).map(of_test).collect()),
    }
}

/// Where a member is from, for people: as much as is known of it when a run is resumed.
fn origin(member: &Member) -> String {
    match member.made.generation {
        0 => "library".to_owned(),
        n => Origin::Evolution { generation: Some(n), by: None }.to_string(),
    }
}
