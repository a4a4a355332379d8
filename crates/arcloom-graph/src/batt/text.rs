//! A batt as straight lines: each step once, then the result of each program.

use std::fmt::Write as _;

use arcloom_lang::{Form, text};

use crate::batt::graph::Batt;

/// Lines `t1 = objects(I, T, F, T)`, helper functions before them, and `solve_x = t7` for every
/// program at the end.
pub fn print(batt: &Batt) -> String {
    let graph = text::graph(batt.nodes(), Form::Straight);
    let mut out = String::new();
    for helper in &graph.helpers {
        out.push_str(helper);
        out.push_str("\n\n");
    }
    for (name, line) in graph.names.iter().zip(&graph.lines).filter(|(_, line)| !line.is_empty()) {
        let _ = writeln!(out, "{name} = {line}");
    }
    for (label, root) in batt.labels().iter().zip(batt.roots()) {
        let _ = writeln!(out, "{label} = {}", graph.names[root.node.index()]);
    }
    out
}
