//! A step more or a step less.

use arcloom_lang::{NodeId, Op};
use arcloom_value::Ty;

use crate::making::Making;
use crate::mutate::Operator;
use crate::parent::MutationSite;
use crate::typing::fits;

pub(super) const INSERT: Operator = Operator {
    name: "insert",
    doc: "Puts a call between a value and one of its uses.",
    apply: insert,
};

pub(super) const DELETE: Operator =
    Operator { name: "delete", doc: "Replaces a call by one of its arguments.", apply: delete };

pub(super) const WRAP: Operator =
    Operator { name: "wrap", doc: "Puts a call behind the result.", apply: wrap };

fn insert(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let is_data = |site: &MutationSite| {
        parent.constant(site.arg).is_none() && !matches!(parent.ty(site.arg), Ty::Fn(..) | Ty::Any)
    };
    let site = making.site(|site| site.user.is_some() && is_data(site))?;
    put_step(making, site)
}

fn wrap(making: &mut Making<'_>) -> Option<()> {
    let site = making.parent().result()?;
    put_step(making, site)
}

fn put_step(making: &mut Making<'_>, site: &MutationSite) -> Option<()> {
    let parent = making.parent();
    let found = parent.ty(site.arg);
    let wanted = match &site.wanted {
        // Where anything is taken, more of the same is the best guess.
        Ty::Any | Ty::Var(_) => found,
        wanted => wanted,
    };
    let step = making.step(site.arg, found, wanted, site.user)?;
    making.draft.set(site, step);
    Some(())
}

fn delete(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let program = parent.program();
    let shorter = |site: &MutationSite, arg: NodeId| {
        fits(&site.wanted, parent.ty(arg)) && parent.constant(arg).is_none()
    };
    let places = parent.sites().iter().flat_map(|site| {
        let node = program.node(site.arg);
        let args: &[NodeId] = if matches!(node.op, Op::Lambda(_)) { &[] } else { &node.args };
        let fitting = args.iter().filter(move |&&arg| shorter(site, arg));
        fitting.map(move |&arg| (site, arg))
    });
    let (site, arg) = making.draw.choose(places)?;
    if making.draw.one_in(2) {
        // For all its users that can do without it; the others keep the call.
        for other in parent.uses(site.arg).filter(|other| shorter(other, arg)) {
            making.draft.set(other, arg);
        }
    } else {
        making.draft.set(site, arg);
    }
    Some(())
}
