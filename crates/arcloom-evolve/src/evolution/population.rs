//! The members of a task on an island, and which of them stay.

use std::sync::Arc;

use arcloom_lang::ProgramId;
use arcloom_value::FixedSet;

use super::member::Member;

/// A population, best first. Members that stay are shared from generation to generation.
#[derive(Debug, Clone, Default)]
pub struct Population {
    members: Vec<Arc<Member>>,
}

impl Population {
    /// The best of these, at most `most`.
    pub(super) fn of(members: Vec<Member>, most: usize) -> Population {
        let mut population = Population { members: members.into_iter().map(Arc::new).collect() };
        population.settle(most);
        population
    }

    /// These, in this order.
    pub(super) fn restored(members: Vec<Arc<Member>>) -> Population {
        Population { members }
    }

    /// The members, best first.
    pub fn members(&self) -> &[Arc<Member>] {
        &self.members
    }

    /// The best validated solver.
    pub fn solver(&self) -> Option<&Member> {
        self.members.first().map(|member| &**member).filter(|member| member.is_solver())
    }

    /// Whether this program is a member.
    pub(super) fn has(&self, id: ProgramId) -> bool {
        self.members.iter().any(|member| member.id == id)
    }

    /// Takes a member of another island in.
    pub(super) fn welcome(&mut self, guest: Arc<Member>, most: usize) {
        if !self.has(guest.id) {
            self.members.push(guest);
            self.settle(most);
        }
    }

    /// One member per behaviour, the best ones, in order.
    fn settle(&mut self, most: usize) {
        self.members.sort_by_cached_key(|member| member.rank());
        let mut seen = FixedSet::default();
        self.members.retain(|member| seen.insert(member.behaviour));
        self.members.truncate(most);
    }
}
