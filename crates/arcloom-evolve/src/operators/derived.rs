//! A constant is replaced by an expression over the demo pairs or the input, and the reverse.
//!
//! This is how one program comes to serve tasks that are alike but for their colours, and how a
//! guess that happens to hold on the demo pairs becomes a constant.

use arcloom_lang::{NodeId, Program};
use arcloom_value::{Role, Value};

use crate::facts::Derived;
use crate::kind::{self, ConstantKind};
use crate::making::Making;
use crate::mutate::Operator;
use crate::templates;

pub(super) const DERIVE: Operator = Operator {
    name: "derive",
    doc: "Replaces a colour, number, angle or pair by an expression that derives one from the task.",
    apply: derive,
};

pub(super) const SETTLE: Operator = Operator {
    name: "settle",
    doc: "Replaces a computed colour, number, rank, angle or pair by a constant.",
    apply: settle,
};

fn derive(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let facts = making.context.facts;
    let has = |kind| facts.derived.iter().any(|d| d.kind == kind);
    let site = making.site(|s| parent.constant(s.arg).is_some() && s.kind.is_some_and(has))?;
    let (kind, old) = (site.kind?, parent.constant(site.arg)?);
    let of_kind = facts.derived.iter().filter(|d| d.kind == kind);
    // Likelier one that gives what is there, at least on some demo pair.
    let always = of_kind.clone().filter(|d| d.constant() == Some(old));
    let sometimes = of_kind.clone().filter(|d| d.values.contains(old));
    let found = match making.draw.below(4) {
        0 | 1 => making.draw.choose(always),
        2 => making.draw.choose(sometimes),
        _ => None,
    };
    let found: &Derived = match found {
        Some(found) => found,
        None => making.draw.choose(of_kind)?,
    };
    let new = making.import_template(found.template)?;
    making.draft.set(site, new);
    Some(())
}

fn settle(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let facts = making.context.facts;
    let settles = |kind| !matches!(kind, ConstantKind::Int(Role::Bool));
    let site = making.site(|s| s.kind.is_some_and(settles) && parent.constant(s.arg).is_none())?;
    let kind = site.kind?;
    let program = parent.program();
    let known = facts.derived.iter().find(|d| {
        let template = &templates::all()[d.template].program;
        d.kind == kind && equal(program, site.arg, template, template.output())
    });
    let known: Option<Value> = match known {
        Some(derived) if !making.draw.one_in(4) => making.draw.pick(&derived.values).cloned(),
        _ => None,
    };
    let value = known.unwrap_or_else(|| kind::any(kind, facts, &mut making.draw));
    let new = making.draft.constant(value);
    making.draft.set(site, new);
    Some(())
}

/// True when two nodes of two programs compute the same in the same way.
fn equal(a: &Program, x: NodeId, b: &Program, y: NodeId) -> bool {
    let (m, n) = (a.node(x), b.node(y));
    m.op == n.op
        && m.args.len() == n.args.len()
        && m.args.iter().zip(&n.args).all(|(&x, &y)| equal(a, x, b, y))
}
