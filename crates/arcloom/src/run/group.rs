//! Candidates that do the same on all inputs become one group.
//!
//! This is the real deduplication: by what candidates do, on demo and test inputs alike, not by how
//! they are written.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use arcloom_graph::{Column, GridCode};
use arcloom_lang::NodeId;
use arcloom_value::FixedHasher;
use hashbrown::HashTable;

use super::{CandidateGrids, PreparedBatt};

/// Candidates of one behaviour.
#[derive(Debug)]
pub(super) struct Group {
    /// The cheapest of them.
    pub(super) node: usize,
    /// How many there are.
    pub(super) members: usize,
    /// Programs, by position among the roots, whose result is one of them.
    pub(super) roots: Vec<usize>,
}

impl Group {
    /// Programs that have nothing to do with each other and do this: whole programs, or, where none
    /// is, one that does it on the way.
    pub(super) fn witnesses(&self) -> u32 {
        self.roots.len().max(1) as u32
    }
}

/// All candidates of a task.
#[derive(Debug, Default)]
pub(super) struct Grouped {
    /// Nodes that give a grid on some input.
    pub(super) candidates: usize,
    /// In the order of their first nodes.
    pub(super) groups: Vec<Group>,
    /// Programs whose result fails on every input.
    pub(super) failed_programs: usize,
    /// Programs that the budget stopped on some input.
    pub(super) stopped_programs: usize,
}

pub(super) fn group(prepared: &PreparedBatt<'_>, columns: &[Arc<Column>]) -> Grouped {
    let mut all = Grouped::default();
    // Groups by a node of theirs.
    let mut index: HashTable<(usize, usize)> = HashTable::new();
    let mut roots = prepared.roots.iter().peekable();
    for node in 0..prepared.plan.nodes() {
        let own = roots.next_if(|(root, _)| **root as usize == node).map(|(_, programs)| programs);
        let codes = || columns.iter().map(|column| column.codes[node]);
        if let Some(programs) = own {
            let is_lost = |code: GridCode| code == GridCode::FAILED || code == GridCode::STOPPED;
            all.failed_programs += programs.len() * usize::from(codes().all(is_lost));
            all.stopped_programs +=
                programs.len() * usize::from(codes().any(|code| code == GridCode::STOPPED));
        }
        if codes().all(|code| code.grid().is_none()) {
            continue;
        }
        all.candidates += 1;
        let hash = behaviour(columns, node);
        let is_same = |&(other, _): &(usize, usize)| {
            columns.iter().all(|column| column.codes[other] == column.codes[node])
        };
        let place = match index.find(hash, is_same) {
            Some(&(_, place)) => place,
            None => {
                let place = all.groups.len();
                all.groups.push(Group { node, members: 0, roots: Vec::new() });
                index.insert_unique(hash, (node, place), |&(node, _)| behaviour(columns, node));
                place
            }
        };
        let group = &mut all.groups[place];
        group.members += 1;
        group.roots.extend(own.into_iter().flatten());
        if prepared.sizes[node] < prepared.sizes[group.node] {
            group.node = node;
        }
    }
    all
}

/// The smallest candidates that give a grid on every input.
pub(super) fn smallest(
    prepared: &PreparedBatt<'_>,
    columns: &[Arc<Column>],
    grouped: &Grouped,
    most: usize,
) -> Vec<usize> {
    if most == 0 {
        return Vec::new();
    }
    let has_grid = |column: &Arc<Column>, node: usize| column.codes[node].grid().is_some();
    let everywhere = |group: &&Group| columns.iter().all(|c| has_grid(c, group.node));
    let mut nodes: Vec<usize> = grouped.groups.iter().filter(everywhere).map(|g| g.node).collect();
    nodes.sort_by_key(|&node| (prepared.sizes[node], node));
    nodes.truncate(most);
    nodes
}

/// These candidates with their grids.
pub(super) fn pictures(
    prepared: &PreparedBatt<'_>,
    columns: &[Arc<Column>],
    nodes: &[usize],
) -> Vec<CandidateGrids> {
    let picture = |node: usize| CandidateGrids {
        node: NodeId(node as u32),
        size: prepared.sizes[node],
        grids: columns.iter().filter_map(|column| column.grid(node).cloned()).collect(),
    };
    nodes.iter().map(|&node| picture(node)).collect()
}

fn behaviour(columns: &[Arc<Column>], node: usize) -> u64 {
    let mut hasher = FixedHasher.build_hasher();
    columns.iter().for_each(|column| std::hash::Hash::hash(&column.codes[node], &mut hasher));
    hasher.finish()
}
