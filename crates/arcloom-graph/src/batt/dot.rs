//! A batt as a drawing for Graphviz: `dot -Tsvg batt.dot -o batt.svg`.

use std::fmt::Write as _;

use arcloom_dsl::CostClass;
use arcloom_lang::program::is_step;
use arcloom_lang::{Form, Op, text};

use crate::batt::graph::Batt;
use crate::batt::stats::cost;

/// Fill colours by what the time of a call grows with, light enough for black text.
fn color(cost: CostClass) -> &'static str {
    match cost {
        CostClass::Scalar | CostClass::Frame => "#f2f2f2",
        CostClass::Cells => "#cfe8ff",
        CostClass::Objects => "#d5f0d0",
        CostClass::Pairs => "#ffe3b3",
        CostClass::Search => "#ffd0d0",
    }
}

/// The text of the drawing. Steps are boxes, constants are part of their labels, programs are ovals
/// below the steps they end in.
pub fn print(batt: &Batt) -> String {
    let graph = text::graph(batt.nodes(), Form::Straight);
    let mut out = String::from(
        "digraph batt {\n  node [shape=box style=filled fontname=\"monospace\" fontsize=10];\n",
    );
    for (n, node) in batt.nodes().iter().enumerate() {
        match &node.op {
            Op::Const(_) => continue,
            op if is_step(op) => {
                let label = quoted(&format!("{} = {}", graph.names[n], graph.lines[n]));
                let _ = writeln!(out, "  n{n} [label={label} fillcolor=\"{}\"];", color(cost(op)));
            }
            _ => {
                let _ = writeln!(out, "  n{n} [label={} shape=oval];", quoted(&graph.names[n]));
            }
        }
        let mut from: Vec<usize> = node.args.iter().map(|arg| arg.index()).collect();
        from.sort_unstable();
        from.dedup();
        for arg in from.into_iter().filter(|&arg| !matches!(batt.nodes()[arg].op, Op::Const(_))) {
            let _ = writeln!(out, "  n{arg} -> n{n};");
        }
    }
    for (n, (label, root)) in batt.labels().iter().zip(batt.roots()).enumerate() {
        let _ = writeln!(
            out,
            "  r{n} [label={} shape=oval penwidth=2 fillcolor=\"white\"];",
            quoted(label)
        );
        match batt.nodes()[root.node.index()].op {
            Op::Const(_) => {}
            _ => {
                let _ = writeln!(out, "  n{} -> r{n} [style=bold];", root.node.index());
            }
        }
    }
    out.push_str("}\n");
    out
}

/// A string of the dot language; long ones are cut.
fn quoted(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    format!("\"{}\"", short.replace('\\', "\\\\").replace('"', "\\\""))
}
