//! `identity(x)` is `x`: the primitive gives back any value and cannot fail.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, called};

pub(super) const RULE: RewriteRule =
    RewriteRule { name: "drop_identity", doc: "identity(x) -> x", rewrite };

fn rewrite(_: &mut Draft, node: &Node) -> Option<Rewrite> {
    (called(node)? == "identity").then(|| Rewrite::Same(node.args[0]))
}
