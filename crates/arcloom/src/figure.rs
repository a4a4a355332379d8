//! What an archive and a batt have to show, as the plain data that `draw` takes.
//!
//! | drawn by | made here from |
//! |---|---|
//! | [`draw::lineage_svg`](crate::draw::lineage_svg) | [`lineage_view`]: a program's ancestors or descendants, or [`kin`], which is both |
//! | [`draw::curves_svg`](crate::draw::curves_svg) | [`run_view`]: a run of an archive, one or several together |
//! | [`draw::graph_svg`](crate::draw::graph_svg) | [`batt_view`]: a merged graph |
//!
//! Links are left empty: whoever has pages sets them.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_draw::curves::MAX_POINTS;
use arcloom_draw::{
    GraphKind, GraphNode, GraphView, LineageBox, LineageView, OperatorView, RunPoint, RunView,
};
use arcloom_graph::batt::Batt;
use arcloom_lang::program::is_step;
use arcloom_lang::{Form, Op, ProgramId, text};
use arcloom_store::{Archive, Lineage, LineageNode, ResultRecord, RunRecord, StoreError, TaskId};

/// As much of an id as people need to name a program.
pub const SHORT_ID: usize = 8;

/// What a program was made from, `back` steps, and what was made from it, `on` steps: one lineage in
/// which every program names its parents. Of more than `most` programs the nearest are kept.
pub fn kin(
    archive: &Archive,
    root: ProgramId,
    back: usize,
    on: usize,
    most: usize,
) -> Result<Lineage, StoreError> {
    let sides = [archive.ancestors(root, back)?, archive.descendants(root, on)?];
    let mut cut = sides.iter().any(|side| side.cut);
    let mut kept = BTreeSet::from([root]);
    let mut fronts = [vec![root], vec![root]];
    while fronts.iter().any(|front| !front.is_empty()) {
        for (side, front) in sides.iter().zip(&mut fronts) {
            let from = front.iter().filter_map(|id| side.nodes.get(id));
            let next: Vec<ProgramId> = from.flat_map(|node| node.next.iter().copied()).collect();
            front.clear();
            for id in next.into_iter().filter(|id| side.nodes.contains_key(id)) {
                if kept.contains(&id) {
                    continue;
                }
                match kept.len() < most {
                    true => {
                        kept.insert(id);
                        front.push(id);
                    }
                    false => cut = true,
                }
            }
        }
    }
    let [mut up, down] = sides;
    let mut nodes = BTreeMap::new();
    for &id in &kept {
        let found = up.nodes.remove(&id).or_else(|| {
            let child = down.nodes.get(&id)?;
            Some(LineageNode { next: Vec::new(), ..child.clone() })
        });
        nodes.extend(found.map(|node| (id, node)));
    }
    for (id, node) in down.nodes.iter().filter(|(id, _)| kept.contains(id)) {
        for child in &node.next {
            if let Some(child) = nodes.get_mut(child)
                && !child.next.contains(id)
            {
                child.next.push(*id);
            }
        }
    }
    Ok(Lineage { root, nodes, cut })
}

/// A lineage, its oldest programs first; `descends` when it goes from a program to what was made of
/// it. The colour is the similarity on the task that the program at its root does best on.
pub fn lineage_view(
    archive: &Archive,
    lineage: &Lineage,
    descends: bool,
) -> Result<LineageView, StoreError> {
    let root = archive.results(lineage.root)?;
    let best = root.iter().max_by_key(|result| (result.is_solved(), result.similarity));
    let task = best.map(|result| result.task);
    let order = oldest_first(lineage, descends);
    let place: BTreeMap<ProgramId, usize> = order.iter().copied().zip(0..).collect();
    // Whichever way it was walked, a box names its parents.
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (id, node) in &lineage.nodes {
        for next in node.next.iter().filter_map(|next| place.get(next)) {
            match descends {
                true => parents[*next].push(place[id]),
                false => parents[place[id]].push(*next),
            }
        }
    }
    let mut nodes = Vec::with_capacity(order.len());
    for (id, mut parents) in order.iter().zip(parents) {
        parents.sort_unstable();
        parents.dedup();
        let result = on_task(archive.results(*id)?, task);
        let node = &lineage.nodes[id];
        let place = match node.generation {
            Some(generation) if node.operator.is_some() => format!("generation {generation}"),
            _ => node.source.clone(),
        };
        let calls =
            if node.size == 1 { "1 call".to_owned() } else { format!("{} calls", node.size) };
        let mut lines = vec![format!("{calls}, {place}")];
        lines.extend(result.as_ref().map(|result| {
            let (solved, demos) = (result.solved(), result.demos());
            format!("{solved}/{demos} demos, {}", thousandths(result.similarity))
        }));
        nodes.push(LineageBox {
            id: id.to_string(),
            link: None,
            title: id.to_string().chars().take(SHORT_ID).collect(),
            lines,
            note: archive.program(*id)?.map(|record| record.text).unwrap_or_default(),
            operator: node.operator.clone(),
            parents,
            fitness: result.as_ref().map(|result| f64::from(result.similarity) / 1000.0),
            solved: result.as_ref().is_some_and(ResultRecord::is_solved),
            chosen: *id == lineage.root,
            thumbnail: None,
        });
    }
    let name = &lineage.nodes.get(&lineage.root).map_or("", |node| node.name.as_str());
    let short: String = lineage.root.to_string().chars().take(SHORT_ID).collect();
    let title = match descends {
        true => format!("what was made from {short} ({name})"),
        false => format!("lineage of {short} ({name})"),
    };
    Ok(LineageView { title, nodes, cut: lineage.cut })
}

/// `0.98` for 980.
fn thousandths(similarity: u32) -> String {
    format!("{}.{:03}", similarity / 1000, similarity % 1000)
}

/// The result on a task.
fn on_task(results: Vec<ResultRecord>, task: Option<TaskId>) -> Option<ResultRecord> {
    results.into_iter().find(|result| Some(result.task) == task)
}

/// The programs of a lineage, each after all it was made from.
fn oldest_first(lineage: &Lineage, descends: bool) -> Vec<ProgramId> {
    let mut order = Vec::with_capacity(lineage.nodes.len());
    let mut seen: BTreeMap<ProgramId, bool> = BTreeMap::new();
    // An explicit stack: lineages are as long as runs. Each program is met twice, on the way there
    // and when all that follows it is done.
    // What is not reached from the root comes after it.
    let mut stack: Vec<ProgramId> = lineage.nodes.keys().rev().copied().collect();
    stack.push(lineage.root);
    while let Some(&id) = stack.last() {
        let Some(node) = lineage.nodes.get(&id) else {
            stack.pop();
            continue;
        };
        match seen.get(&id) {
            None => {
                seen.insert(id, false);
                stack.extend(node.next.iter().rev().filter(|next| !seen.contains_key(next)));
            }
            Some(done) => {
                if !done {
                    seen.insert(id, true);
                    order.push(id);
                }
                stack.pop();
            }
        }
    }
    if descends {
        order.reverse();
    }
    order
}

/// A run in figures.
pub fn run_view(archive: &Archive, run: &RunRecord) -> Result<RunView, StoreError> {
    let generations = archive.generations(run.number)?;
    let points = generations.iter().map(|generation| {
        let stats: serde_json::Value = serde_json::from_str(&generation.stats).unwrap_or_default();
        let similarity = stats["nearest"]["similarity"].as_f64();
        RunPoint {
            generation: generation.number,
            seconds: (generation.finished - run.started).max(0) as f64,
            solved: generation.solved,
            evaluations: generation.evaluations,
            similarity: similarity.map(|thousandths| thousandths / 1000.0),
            alive: stats["alive"].as_u64(),
            memory: generation.memory,
        }
    });
    let mut operators: BTreeMap<String, Vec<(u64, u64, u64)>> = BTreeMap::new();
    for (generation, record) in archive.operator_history(run.number, MAX_POINTS)? {
        let point = (generation, record.applied, record.improving);
        operators.entry(record.operator).or_default().push(point);
    }
    let operators =
        operators.into_iter().map(|(name, points)| OperatorView { name, points }).collect();
    Ok(RunView { name: format!("run {}", run.number.0), points: points.collect(), operators })
}

/// A merged graph: its steps, and after each the programs that end in it. Ids are `n` and the number
/// of a node, `r` and the number of a root.
pub fn batt_view(batt: &Batt, title: impl Into<String>) -> GraphView {
    let nodes = batt.nodes();
    let users = users(batt);
    let labels = batt.labels();
    let graph = text::graph(nodes, Form::Straight);
    let mut place: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut boxes = Vec::new();
    for (n, node) in nodes.iter().enumerate() {
        // What no program needs any more, and what is part of the text of others.
        if matches!(node.op, Op::Const(_)) || !is_step(&node.op) || users[n].is_empty() {
            continue;
        }
        place[n] = Some(boxes.len());
        boxes.push(GraphNode {
            id: format!("n{n}"),
            link: None,
            label: format!("{} = {}", graph.names[n], graph.lines[n]),
            note: needed_by(&users[n], &labels),
            args: node.args.iter().filter_map(|arg| place[arg.index()]).collect(),
            programs: users[n].len(),
            kind: GraphKind::Step,
        });
    }
    for (n, (label, root)) in labels.into_iter().zip(batt.roots()).enumerate() {
        boxes.push(GraphNode {
            id: format!("r{n}"),
            link: None,
            note: format!("task {}", root.task),
            args: place[root.node.index()].into_iter().collect(),
            programs: 1,
            kind: GraphKind::Program,
            label,
        });
    }
    GraphView { title: title.into(), nodes: boxes }
}

/// Most programs that a step names.
const NAMED: usize = 12;

/// `needed by 2 programs: solve_a, solve_b`.
fn needed_by(users: &[usize], labels: &[String]) -> String {
    let mut names: Vec<&str> = users.iter().take(NAMED).map(|&n| labels[n].as_str()).collect();
    if users.len() > NAMED {
        names.push("…");
    }
    let plural = if users.len() == 1 { "" } else { "s" };
    format!("needed by {} program{plural}: {}", users.len(), names.join(", "))
}

/// For each node, the programs that need it.
fn users(batt: &Batt) -> Vec<Vec<usize>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); batt.nodes().len()];
    let mut stack = Vec::new();
    for (program, root) in batt.roots().iter().enumerate() {
        stack.push(root.node.index());
        while let Some(n) = stack.pop() {
            if users[n].last() != Some(&program) {
                users[n].push(program);
                stack.extend(batt.nodes()[n].args.iter().map(|arg| arg.index()));
            }
        }
    }
    users
}

#[cfg(test)]
mod tests {
    use arcloom_store::{Access, Behaviour, ProgramRecord, Records, TaskRecord};

    use super::*;
    use crate::library::Library;

    fn library() -> Library {
        let text = "def solve_a(I):\n    x1 = trim(I)\n    O = tophalf(x1)\n    return O\n\n\n\
                    def solve_b(I):\n    x1 = trim(I)\n    O = compress(x1)\n    return O\n\n\n\
                    def solve_c(I):\n    O = trim(I)\n    return O\n";
        Library::from_text("mine.py", text)
    }

    #[test]
    fn a_batt_says_who_shares_what() {
        let batt = crate::card(crate::Limits::default(), &library().programs).batt;
        let view = batt_view(&batt, "three");
        let found: Vec<_> =
            view.nodes.iter().map(|node| (node.programs, node.args.clone(), node.kind)).collect();
        let (step, program) = (GraphKind::Step, GraphKind::Program);
        assert_eq!(view.nodes[0].note, "needed by 3 programs: solve_a, solve_b, solve_c");
        let steps = [(3, vec![], step), (1, vec![0], step), (1, vec![0], step)];
        assert_eq!(found[..3], steps, "{view:?}");
        let ends = [(1, vec![1], program), (1, vec![2], program), (1, vec![0], program)];
        assert_eq!(found[3..], ends, "{view:?}");
    }

    #[test]
    fn a_lineage_has_parents_before_children_either_way() {
        let library = library();
        let programs: Vec<_> = library.programs.iter().map(|entry| &entry.program).collect();
        let task = TaskRecord { id: TaskId([7; 32]), name: "t".into(), set: "s".into() };
        let mut records = Records { tasks: vec![task], ..Records::default() };
        for (n, program) in programs.iter().enumerate() {
            let mut record = ProgramRecord::new(program, "mine.py");
            record.parents = programs[..n].iter().map(|parent| parent.id()).collect();
            record.operator = (n > 0).then(|| "graft".to_owned());
            records.programs.push(record);
            records.results.push(ResultRecord {
                program: program.id(),
                task: TaskId([7; 32]),
                pairs: if n == 2 { "11" } else { "10" }.to_owned(),
                similarity: 300 * (n as u32 + 1),
                work: 1,
                behaviour: Behaviour([0; 16]),
                validated: None,
            });
        }
        let path = std::env::temp_dir().join(format!("arcloom-figure-{}.db", std::process::id()));
        let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
        archive.add(&records).unwrap();
        let up = archive.ancestors(programs[2].id(), 9).unwrap();
        let view = lineage_view(&archive, &up, false).unwrap();
        let down = archive.descendants(programs[0].id(), 9).unwrap();
        let down = lineage_view(&archive, &down, true).unwrap();
        // From the middle: one parent back, one child on.
        let both = kin(&archive, programs[1].id(), 9, 9, 10).unwrap();
        let both = lineage_view(&archive, &both, false).unwrap();
        let nearest = kin(&archive, programs[1].id(), 9, 9, 2).unwrap();
        drop(archive);
        for suffix in ["", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
        }
        let ids: Vec<String> = programs.iter().map(|program| program.id().to_string()).collect();
        for view in [&view, &down] {
            assert_eq!(view.nodes.iter().map(|n| n.id.clone()).collect::<Vec<_>>(), ids);
            let parents: Vec<_> = view.nodes.iter().map(|n| n.parents.clone()).collect();
            assert_eq!(parents, [vec![], vec![0], vec![0, 1]]);
            assert_eq!(view.nodes[1].fitness, Some(0.6));
        }
        let parents: Vec<_> = both.nodes.iter().map(|n| n.parents.clone()).collect();
        assert_eq!(parents, [vec![], vec![0], vec![1]], "a child names the parent it was found by");
        assert!(both.nodes[1].chosen && !both.cut);
        assert!(nearest.cut && nearest.nodes.len() == 2);
        assert!(view.nodes[2].chosen && view.nodes[2].solved && !view.nodes[1].solved);
        assert!(down.nodes[0].chosen && down.title.starts_with("what was made from"));
    }
}
