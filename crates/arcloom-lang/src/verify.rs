//! What makes a program well formed. Lowering and mutation must produce nothing else.
//!
//! 1. There is at least one node; the last one is the result.
//! 2. Arguments come before the nodes that use them.
//! 3. Every node but the last is used.
//! 4. No two nodes are equal.
//! 5. Calls of primitives have as many arguments as the primitive has parameters; `Apply` has at
//!    least a function; inputs and constants have no arguments.
//! 6. There are no `Param` nodes, and constants are in canonical form.
//! 7. The order is canonical: see [`crate::program`].

use arcloom_dsl::Registry;
use arcloom_value::FixedSet;

use crate::node::Op;
use crate::program::{Builder, Program};

/// Checks a program; the error names the rule that is broken.
pub fn verify(program: &Program) -> Result<(), String> {
    let nodes = program.nodes();
    if nodes.is_empty() {
        return Err("rule 1: no nodes".into());
    }
    let mut seen = FixedSet::default();
    for (n, node) in nodes.iter().enumerate() {
        if node.args.iter().any(|arg| arg.index() >= n) {
            return Err(format!("rule 2: node {n} uses a later node"));
        }
        if !seen.insert(node) {
            return Err(format!("rule 4: node {n} repeats an earlier one"));
        }
        let fits = match &node.op {
            Op::Call(id) => node.args.len() == Registry::get().primitive(*id).arity(),
            Op::Apply => !node.args.is_empty(),
            Op::Input | Op::Samples | Op::Expected | Op::Const(_) => node.args.is_empty(),
            Op::Tuple | Op::Set | Op::Lambda(_) => true,
            Op::Param(_) => return Err(format!("rule 6: node {n} is a parameter")),
        };
        if !fits {
            return Err(format!("rule 5: node {n} has {} arguments", node.args.len()));
        }
    }
    let uses = program.uses();
    if let Some(n) = uses[..uses.len() - 1].iter().position(|&u| u == 0) {
        return Err(format!("rule 3: node {n} is never used"));
    }
    let mut builder = Builder::default();
    let mut last = None;
    for node in nodes {
        last = Some(builder.node(node.op.clone(), &node.args));
    }
    match last.map(|last| builder.finish(program.name.clone(), last)) {
        Some(again) if again == *program => Ok(()),
        _ => Err("rule 7: the order is not canonical".into()),
    }
}
