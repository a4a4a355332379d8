//! A value is taken from elsewhere in the program.

use arcloom_lang::{NodeId, Op};
use arcloom_value::Ty;

use crate::making::Making;
use crate::mutate::Operator;
use crate::typing::fits;

pub(super) const REWIRE: Operator = Operator {
    name: "rewire",
    doc: "Takes an argument, or the result, from another value of the program that fits.",
    apply: rewire,
};

pub(super) const EXCHANGE: Operator =
    Operator { name: "exchange", doc: "Exchanges two arguments of a call.", apply: exchange };

fn rewire(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let takes = |id: NodeId, wanted: &Ty| {
        parent.constant(id).is_none() && *wanted != Ty::Any && fits(wanted, parent.ty(id))
    };
    let places = parent.sites().iter().flat_map(|site| {
        let end = site.user.map_or(site.arg.index() + 1, NodeId::index);
        let before = (0..end).map(|n| NodeId(n as u32));
        let fitting = before.filter(move |&id| id != site.arg && takes(id, &site.wanted));
        fitting.map(move |id| (site, id))
    });
    let (site, id) = making.draw.choose(places)?;
    making.draft.set(site, id);
    Some(())
}

fn exchange(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let program = parent.program();
    let pairs = parent.nodes().flat_map(|(id, node)| {
        let places = (0..node.args.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let unlike = places.filter(move |&(a, b)| node.args[a] != node.args[b]);
        let alike = unlike.filter(move |&(a, b)| {
            let (x, y) = (parent.ty(node.args[a]), parent.ty(node.args[b]));
            (fits(x, y) || fits(y, x)) && !matches!(node.op, Op::Lambda(_))
        });
        alike.map(move |(a, b)| (id, a, b))
    });
    let (id, a, b) = making.draw.choose(pairs)?;
    let node = program.node(id);
    let mut args = node.args.clone();
    args.swap(a, b);
    making.draft.put(id, node.op.clone(), &args);
    Some(())
}
