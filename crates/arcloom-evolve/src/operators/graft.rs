//! Crossover: a part of another program takes the place of a value.

use arcloom_lang::{NodeId, Op};
use arcloom_value::Ty;

use crate::making::Making;
use crate::mutate::Operator;
use crate::typing::fits;

pub(super) const GRAFT: Operator = Operator {
    name: "graft",
    doc: "Replaces a value by part of another program that gives the same type.",
    apply: graft,
};

/// Draws of a place before the operator gives up.
const TRIES: usize = 4;

fn graft(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let donor = making.context.donors.draw(making.draw.0)?;
    let is_part = |id: NodeId| {
        !matches!(
            donor.program().node(id).op,
            Op::Input | Op::Samples | Op::Expected | Op::Const(_)
        )
    };
    for _ in 0..TRIES {
        let site = making.site(|site| site.wanted != Ty::Any)?;
        let parts = donor.nodes().map(|(id, _)| id);
        let parts = parts.filter(|&id| is_part(id) && fits(&site.wanted, donor.ty(id)));
        let Some(root) = making.draw.choose(parts) else { continue };
        // Now and then the part is given a grid that the parent has made so far.
        let grid = if making.draw.one_in(3) { making.existing(&Ty::Grid, site.user) } else { None };
        let input = match grid {
            Some(grid) if *parent.ty(grid) == Ty::Grid => grid,
            _ => making.draft.input(),
        };
        let root = making.draft.import(donor.program(), root, input)?;
        making.draft.set(site, root);
        return Some(());
    }
    None
}
