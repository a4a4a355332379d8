//! Lineage: which programs a program was made from, and what was made from it.

use std::collections::BTreeMap;

use arcloom_lang::ProgramId;
use rusqlite::Row;

use crate::archive::Archive;
use crate::error::Result;
use crate::read::program_id;
use crate::record::RunNumber;

/// One program of a lineage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineageNode {
    /// Name of its function.
    pub name: String,
    /// Number of calls.
    pub size: u64,
    /// The run that made it.
    pub run: Option<RunNumber>,
    /// The generation of that run.
    pub generation: Option<u64>,
    /// What made it out of its parents.
    pub operator: Option<String>,
    /// Where it is from.
    pub source: String,
    /// Its parents, or its children: whichever way the lineage goes.
    pub next: Vec<ProgramId>,
}

/// The programs that are reached from one by going to parents, or to children.
///
/// A graph, not a tree: a program may be reached in many ways and is in it once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// Where it begins.
    pub root: ProgramId,
    /// Every program that was reached.
    pub nodes: BTreeMap<ProgramId, LineageNode>,
    /// True when programs further away were left out.
    pub cut: bool,
}

const PARENTS: &str = "SELECT other.id FROM parent JOIN program ON program.key = parent.child \
    JOIN program AS other ON other.key = parent.parent WHERE program.id = ?1 ORDER BY parent.place";
const CHILDREN: &str = "SELECT DISTINCT other.id FROM parent \
    JOIN program ON program.key = parent.parent \
    JOIN program AS other ON other.key = parent.child WHERE program.id = ?1 ORDER BY other.key";

impl Archive {
    /// What a program was made from, `depth` steps back at most.
    pub fn ancestors(&self, program: ProgramId, depth: usize) -> Result<Lineage> {
        self.reach(program, depth, PARENTS)
    }

    /// What was made from a program, `depth` steps on at most.
    pub fn descendants(&self, program: ProgramId, depth: usize) -> Result<Lineage> {
        self.reach(program, depth, CHILDREN)
    }

    fn reach(&self, root: ProgramId, depth: usize, sql: &str) -> Result<Lineage> {
        let _moment = self.snapshot()?;
        let mut lineage = Lineage { root, nodes: BTreeMap::new(), cut: false };
        let mut front = vec![root];
        for step in 0..=depth {
            let mut further = Vec::new();
            for id in front {
                if lineage.nodes.contains_key(&id) {
                    continue;
                }
                let Some(mut node) = self.lineage_node(id)? else { continue };
                node.next = self.rows(sql, [id.0], |row| program_id(row, 0))?;
                further.extend(node.next.iter().copied());
                lineage.nodes.insert(id, node);
            }
            front = further;
            if step == depth {
                lineage.cut = front.iter().any(|id| !lineage.nodes.contains_key(id));
            }
        }
        Ok(lineage)
    }

    fn lineage_node(&self, id: ProgramId) -> Result<Option<LineageNode>> {
        let read = |row: &Row<'_>| {
            Ok(LineageNode {
                name: row.get(0)?,
                size: row.get::<_, i64>(1)?.cast_unsigned(),
                run: row.get::<_, Option<i64>>(2)?.map(RunNumber),
                generation: row.get::<_, Option<i64>>(3)?.map(i64::cast_unsigned),
                operator: row.get(4)?,
                source: row.get(5)?,
                next: Vec::new(),
            })
        };
        let sql = "SELECT name, size, run, generation, operator, source FROM program WHERE id = ?1";
        Ok(self.rows(sql, [id.0], read)?.pop())
    }
}
