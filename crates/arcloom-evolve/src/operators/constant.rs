//! A constant is replaced by another of its kind.
//!
//! The kind is that of the place, not of the value: in `upscale(fill(I, THREE, x1), THREE)` one
//! three is a colour and the other a number.

use arcloom_dsl::Registry;
use arcloom_lang::NodeId;
use arcloom_value::{Role, Value};

use crate::kind::{self, ConstantKind};
use crate::making::Making;
use crate::mutate::Operator;

pub(super) const COLOR: Operator = Operator {
    name: "color",
    doc: "Replaces a colour by another, at one place or wherever it is a colour.",
    apply: |making| replace(making, |kind| kind == ConstantKind::Int(Role::Color)),
};

pub(super) const NUMBER: Operator = Operator {
    name: "number",
    doc: "Replaces a number, such as a factor or a size, by a near one or one that the task suggests.",
    apply: |making| replace(making, |kind| kind == ConstantKind::Int(Role::Number)),
};

pub(super) const PAIR: Operator = Operator {
    name: "pair",
    doc: "Replaces a direction, an offset or a shape by another.",
    apply: |making| replace(making, |kind| kind == ConstantKind::Pair),
};

pub(super) const FLAG: Operator = Operator {
    name: "flag",
    doc: "Turns a truth value over.",
    apply: |making| replace(making, |kind| kind == ConstantKind::Int(Role::Bool)),
};

pub(super) const RANK: Operator = Operator {
    name: "rank",
    doc: "Replaces a rank by the next one, the one from the other end, or another.",
    apply: |making| replace(making, |kind| kind == ConstantKind::Int(Role::Rank)),
};

pub(super) const ANGLE: Operator = Operator {
    name: "angle",
    doc: "Replaces the code of a mirror, rotation, corner or side by another.",
    apply: |making| {
        replace(making, |kind| matches!(kind, ConstantKind::Int(Role::Angle | Role::Corner)))
    },
};

pub(super) const NOTION: Operator = Operator {
    name: "notion",
    doc: "Changes what counts as an object, as a code or as the three flags of `objects`.",
    apply: notion,
};

fn replace(making: &mut Making<'_>, test: fn(ConstantKind) -> bool) -> Option<()> {
    let parent = making.parent();
    let is_simple =
        |id| parent.constant(id).is_some_and(|v| v.as_int().is_some() || v.as_pair().is_some());
    let site = making.site(|site| site.kind.is_some_and(test) && is_simple(site.arg))?;
    let old = parent.constant(site.arg)?;
    let new = kind::other(site.kind?, old, making.context.facts, &mut making.draw)?;
    let new = making.draft.constant(new);
    if making.draw.one_in(3) {
        // A colour that is looked for and painted is often one and the same.
        for other in parent.uses(site.arg).filter(|other| other.kind == site.kind) {
            making.draft.set(other, new);
        }
    } else {
        making.draft.set(site, new);
    }
    Some(())
}

fn notion(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let registry = Registry::get();
    let flagged = [registry.find("objects"), registry.find("objects_t")];
    let by_flags = |id: NodeId| {
        let is_constant = |arg: &NodeId| parent.constant(*arg).is_some();
        flagged.contains(&parent.call(id))
            && parent.call(id).is_some()
            && parent.program().node(id).args[1..].iter().all(is_constant)
    };
    let by_code =
        |making: &mut Making<'_>| replace(making, |kind| kind == ConstantKind::Int(Role::Notion));
    if making.draw.one_in(2)
        && let Some(done) = by_code(making)
    {
        return Some(done);
    }
    let Some(id) = making.old_node(by_flags) else { return by_code(making) };
    let args = &parent.program().node(id).args;
    let code = args[1..]
        .iter()
        .try_fold(0, |code, &arg| Some(2 * code + i64::from(parent.constant(arg)?.is_true())))?;
    let old = Value::Int(code);
    let new =
        kind::other(ConstantKind::Int(Role::Notion), &old, making.context.facts, &mut making.draw)?
            .as_int()?;
    let flags = [4, 2, 1].map(|bit| making.draft.constant(Value::bool(new & bit != 0)));
    let op = parent.program().node(id).op.clone();
    making.draft.put(id, op, &[args[0], flags[0], flags[1], flags[2]]);
    Some(())
}
