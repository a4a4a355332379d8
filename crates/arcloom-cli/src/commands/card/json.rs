//! The figures of a batt as one JSON object.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use arcloom::batt::NameCount;
use arcloom::{Carded, Library};
use serde::Serialize;

use crate::commands::dsl::family_name;

/// What `--json` prints.
#[derive(Serialize)]
struct Object<'a> {
    arcloom: &'static str,
    schema: u32,
    before: Nodes,
    merged: Nodes,
    after: Nodes,
    depth: usize,
    programs: Vec<Program>,
    duplicates: Vec<Vec<String>>,
    by_cost: BTreeMap<&'static str, usize>,
    by_family: BTreeMap<&'static str, usize>,
    most_shared: Vec<Shared>,
    rules: Vec<RuleRow>,
    errors: &'a [String],
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Nodes {
    nodes: usize,
    steps: usize,
    constants: usize,
    inputs: usize,
}

#[derive(Serialize)]
struct Program {
    name: String,
    task: String,
    /// Steps of the program as it was loaded.
    own_steps: usize,
    /// Steps in the graph.
    steps: usize,
    /// Those that another program has too.
    shared: usize,
    depth: usize,
}

#[derive(Serialize)]
struct Shared {
    programs: u32,
    step: String,
}

#[derive(Serialize)]
struct RuleRow {
    name: &'static str,
    doc: &'static str,
    /// Number of different nodes it rewrote.
    fired: usize,
}

/// Most rows of the most shared steps.
const MOST: usize = 20;

fn nodes(count: &NameCount) -> Nodes {
    let &NameCount { steps, constants, inputs } = count;
    Nodes { nodes: count.nodes(), steps, constants, inputs }
}

/// Writes the object and a line break.
pub(super) fn write(carded: &Carded, library: &Library, out: &mut dyn Write) -> Result<()> {
    let (batt, stats) = (&carded.batt, &carded.stats);
    let labels = batt.labels();
    let programs = labels.iter().zip(batt.roots()).zip(&stats.programs);
    let shared = stats.most_shared(batt);
    let object = Object {
        arcloom: env!("CARGO_PKG_VERSION"),
        schema: arcloom::JSON_SCHEMA,
        before: nodes(&carded.before),
        merged: nodes(&carded.merged),
        after: nodes(&stats.count),
        depth: stats.depth,
        programs: programs
            .map(|((name, root), stats)| Program {
                name: name.clone(),
                task: root.task.clone(),
                own_steps: root.size,
                steps: stats.steps,
                shared: stats.shared,
                depth: stats.depth,
            })
            .collect(),
        duplicates: stats
            .duplicates
            .iter()
            .map(|group| group.iter().map(|&n| labels[n].clone()).collect())
            .collect(),
        by_cost: stats.by_cost.iter().map(|(cost, steps)| (cost.name(), *steps)).collect(),
        by_family: stats
            .by_class
            .iter()
            .map(|(class, calls)| (family_name(*class).0, *calls))
            .collect(),
        most_shared: shared
            .into_iter()
            .take(MOST)
            .map(|(node, programs)| Shared { programs, step: carded.expression(node) })
            .collect(),
        rules: carded
            .fired
            .iter()
            .map(|&(rule, fired)| RuleRow { name: rule.name, doc: rule.doc, fired })
            .collect(),
        errors: &library.errors,
        warnings: &library.warnings,
    };
    serde_json::to_writer_pretty(&mut *out, &object).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
