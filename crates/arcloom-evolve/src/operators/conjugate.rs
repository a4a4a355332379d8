//! The same program for a turned or recoloured world: change the input, and change the result back.

use arcloom_lang::{NodeId, Op};
use arcloom_value::{Role, Ty};

use crate::kind::{self, ConstantKind};
use crate::making::Making;
use crate::mutate::Operator;
use crate::parent::MutationSite;

pub(super) const TURNED: Operator = Operator {
    name: "turned",
    doc: "Mirrors or rotates the input before the program and the result back after it.",
    apply: turned,
};

pub(super) const RECOLORED: Operator = Operator {
    name: "recolored",
    doc: "Exchanges two colours before the program and back after it.",
    apply: recolored,
};

/// Mirrors and rotations with their inverses.
const TURNS: &[(&str, &str)] = &[
    ("hmirror", "hmirror"),
    ("vmirror", "vmirror"),
    ("dmirror", "dmirror"),
    ("cmirror", "cmirror"),
    ("rot90", "rot270"),
    ("rot180", "rot180"),
    ("rot270", "rot90"),
];

fn turned(making: &mut Making<'_>) -> Option<()> {
    let &(turn, back) = making.draw.pick(TURNS)?;
    around(
        making,
        |making, input| making.draft.call_named(turn, &[input]),
        |making, output| making.draft.call_named(back, &[output]),
    )
}

fn recolored(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let facts = making.context.facts;
    let color = Some(ConstantKind::Int(Role::Color));
    // A program that names no colour does the same whatever colours are called.
    let named = |s: &MutationSite| s.kind == color && parent.constant(s.arg).is_some();
    let a = parent.constant(making.site(named)?.arg)?.as_int()?;
    let b = (0..8).map(|_| kind::color(facts, &mut making.draw)).find(|&b| b != a)?;
    let switch = move |making: &mut Making<'_>, grid: NodeId| {
        let (a, b) = (making.draft.int(a), making.draft.int(b));
        making.draft.call_named("switch", &[grid, a, b])
    };
    around(making, switch, switch)
}

/// Puts one step before all uses of the input and one behind the result.
fn around(
    making: &mut Making<'_>,
    before: impl Fn(&mut Making<'_>, NodeId) -> Option<NodeId>,
    after: impl Fn(&mut Making<'_>, NodeId) -> Option<NodeId>,
) -> Option<()> {
    let parent = making.parent();
    if *parent.goal() != Ty::Grid {
        return None;
    }
    let is_input = |site: &&MutationSite| parent.program().node(site.arg).op == Op::Input;
    if !parent.sites().iter().any(|site| is_input(&site) && site.user.is_some()) {
        return None;
    }
    let input = making.draft.input();
    let changed = before(making, input)?;
    for site in parent.sites().iter().filter(is_input) {
        making.draft.set(site, changed);
    }
    let output = making.draft.output();
    let output = after(making, output)?;
    making.draft.set_output(output);
    Some(())
}
