//! `identity(x)` is `x`: the primitive gives back any value and cannot fail.

use arcloom_ir::{Builder, Node, Op};
use arcloom_prims::Registry;

use super::{Rewrite, Rule};

pub(super) const RULE: Rule = Rule { name: "identity", doc: "identity(x) -> x", rewrite };

fn rewrite(_: &Builder, node: &Node) -> Option<Rewrite> {
    let Op::Call(id) = node.op else { return None };
    (Registry::get().primitive(id).name == "identity").then(|| Rewrite::Same(node.args[0]))
}
