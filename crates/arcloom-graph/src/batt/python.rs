//! A batt as one Python function that runs on the original arc-dsl.
//!
//! Every line is evaluated once, inside `attempt`, which stands for the line's failure when it raises
//! and passes on the failure of the first failed line it needs. So a program has a failure as its
//! entry exactly when it raises on its own: in Python too, a program stops at the first line that
//! raises, and lines are in the order in which its own text would have them.

use std::fmt::Write as _;

use arcloom_lang::program::is_step;
use arcloom_lang::{Form, Op, text};

use crate::batt::graph::Batt;

const HEAD: &str = "\
from dsl import *
from constants import *
";

const ATTEMPT: &str = "\
class Failed:
    def __init__(self, error):
        self.error = error


def attempt(line, *needed):
    for value in needed:
        if type(value) is Failed:
            return value
    try:
        return line()
    except Exception as error:
        return Failed(error)


def result(value):
    return value.error if type(value) is Failed else value
";

/// A Python file with `batt(S, I)`, which gives a dictionary: for each program its result, or the
/// exception that it raises.
pub fn print(batt: &Batt) -> String {
    let nodes = batt.nodes();
    let graph = text::graph(nodes, Form::ArcDsl);
    let mut out = String::from(HEAD);
    let extra = text::definitions([nodes]);
    if !extra.is_empty() {
        let _ = write!(out, "\n\n{extra}\n");
    }
    let _ = write!(out, "\n\n{ATTEMPT}");
    for helper in &graph.helpers {
        let _ = write!(out, "\n\n{}\n", helper.trim_end());
    }
    let programs = batt.roots().len();
    let _ = write!(
        out,
        "\n\ndef batt(S, I):\n    \"\"\"Results, or exceptions, of {programs} programs by name.\"\"\"\n"
    );
    if nodes.iter().any(|node| node.op == Op::Expected) {
        out.push_str("    C = None\n");
    }
    for (n, node) in nodes.iter().enumerate().filter(|(_, node)| is_step(&node.op)) {
        let _ = write!(out, "    {} = attempt(lambda: {}", graph.names[n], graph.lines[n]);
        let mut needed: Vec<usize> = Vec::new();
        for arg in node.args.iter().map(|arg| arg.index()).filter(|&arg| is_step(&nodes[arg].op)) {
            if !needed.contains(&arg) {
                needed.push(arg);
                let _ = write!(out, ", {}", graph.names[arg]);
            }
        }
        out.push_str(")\n");
    }
    out.push_str("    return {\n");
    for (label, root) in batt.labels().iter().zip(batt.roots()) {
        // Labels are names of Python functions, with at most a number behind them.
        let _ = writeln!(out, "        \"{label}\": result({}),", graph.names[root.node.index()]);
    }
    out.push_str("    }\n");
    out
}
