//! A primitive is exchanged for a related one.

use arcloom_dsl::Registry;
use arcloom_lang::{NodeId, Op, infer};
use arcloom_value::{PrimId, Role, Ty};

use crate::catalog::Catalog;
use crate::kind::ConstantKind;
use crate::making::Making;
use crate::mutate::Operator;
use crate::typing::{self, Found, fits};

pub(super) const SWAP: Operator = Operator {
    name: "swap",
    doc: "Exchanges a primitive for one that takes and gives the same, usually of its family.",
    apply: swap,
};

pub(super) const RANKED: Operator = Operator {
    name: "ranked",
    doc: "Exchanges a primitive for the form of it that takes a rank, an angle, a corner or a notion.",
    apply: ranked,
};

/// Draws of a primitive before the operator gives up.
const TRIES: usize = 8;

fn swap(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let program = parent.program();
    let id = making.old_node(|id| parent.call(id).is_some())?;
    let node = program.node(id);
    let swaps = Catalog::get().swaps(parent.call(id)?);
    let args: Vec<Found<'_>> =
        node.args.iter().map(|&a| typing::found(&program.node(a).op, parent.ty(a))).collect();
    let types: Vec<&Ty> = args.iter().map(|arg| arg.ty).collect();
    for _ in 0..TRIES {
        let family = swaps.others.is_empty() || !making.draw.one_in(4);
        let from = if family && !swaps.family.is_empty() { &swaps.family } else { &swaps.others };
        let prim = *making.draw.pick(from)?;
        if typing::probable(prim, &args) && fits_users(making, id, prim, &types) {
            making.draft.put(id, Op::Call(prim), &node.args);
            return Some(());
        }
    }
    None
}

fn fits_users(making: &Making<'_>, id: NodeId, prim: PrimId, args: &[&Ty]) -> bool {
    let given = infer::call_result(prim, args);
    making.parent().uses(id).all(|site| fits(&site.wanted, &given))
}

/// A primitive, its ranked form, and the places of the old arguments in the new call; the code goes
/// where there is none.
struct Form {
    from: &'static [&'static str],
    to: &'static str,
    args: &'static [Option<usize>],
    role: Role,
}

const FORMS: &[Form] = &[
    Form {
        from: &["argmax", "argmin"],
        to: "get_arg_rank",
        args: &[Some(0), Some(1), None],
        role: Role::Rank,
    },
    Form {
        from: &["valmax", "valmin"],
        to: "get_val_rank",
        args: &[Some(0), Some(1), None],
        role: Role::Rank,
    },
    Form {
        from: &["mostcolor", "leastcolor"],
        to: "get_color_rank_t",
        args: &[Some(0), None],
        role: Role::Rank,
    },
    Form {
        from: &["mostcolor", "leastcolor"],
        to: "get_color_rank_f",
        args: &[Some(0), None],
        role: Role::Rank,
    },
    Form {
        from: &["mostcommon", "leastcommon"],
        to: "get_common_rank",
        args: &[Some(0), None],
        role: Role::Rank,
    },
    Form {
        from: &["maximum", "minimum"],
        to: "get_rank",
        args: &[Some(0), None],
        role: Role::Rank,
    },
    Form {
        from: &["first", "last", "second"],
        to: "get_nth_f",
        args: &[Some(0), None],
        role: Role::Rank,
    },
    Form {
        from: &["vmirror", "hmirror", "dmirror", "cmirror", "rot90", "rot180", "rot270"],
        to: "mir_rot_t",
        args: &[Some(0), None],
        role: Role::Angle,
    },
    Form {
        from: &["vmirror", "hmirror", "dmirror", "cmirror"],
        to: "mir_rot_f",
        args: &[Some(0), None],
        role: Role::Angle,
    },
    Form {
        from: &["ulcorner", "urcorner", "llcorner", "lrcorner"],
        to: "corner",
        args: &[Some(0), None],
        role: Role::Corner,
    },
    Form {
        from: &["uppermost", "lowermost", "leftmost", "rightmost"],
        to: "col_row",
        args: &[Some(0), None],
        role: Role::Corner,
    },
    Form { from: &["objects"], to: "o_g", args: &[Some(0), None], role: Role::Notion },
];

fn ranked(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let registry = Registry::get();
    let name = |id: NodeId| parent.call(id).map(|prim| registry.primitive(prim).name);
    // A form that takes grids only is no form for an object.
    let suits = |form: &Form, id: NodeId| {
        let first = parent.program().node(id).args.first().map(|&a| parent.ty(a));
        let prim = registry.find(form.to);
        prim.zip(first).is_some_and(|(prim, ty)| match &registry.sig(prim).params[0] {
            Ty::Var(_) => matches!(ty, Ty::Object | Ty::Indices | Ty::Patch),
            wanted => fits(wanted, ty),
        })
    };
    let pairs = parent.nodes().flat_map(|(id, _)| FORMS.iter().map(move |form| (id, form)));
    let pairs = pairs.filter(|(id, form)| {
        name(*id).is_some_and(|name| form.from.contains(&name)) && suits(form, *id)
    });
    let (id, form) = making.draw.choose(pairs)?;
    let code = making.literal(ConstantKind::Int(form.role));
    let old = &parent.program().node(id).args;
    let args: Option<Vec<NodeId>> =
        form.args.iter().map(|place| place.map_or(Some(code), |n| old.get(n).copied())).collect();
    making.draft.put(id, Op::Call(registry.find(form.to)?), &args?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_name_primitives_and_places() {
        for form in FORMS {
            let sig = Registry::get().sig(Registry::get().find(form.to).unwrap());
            assert_eq!(sig.params.len(), form.args.len(), "{}", form.to);
            let code = form.args.iter().position(Option::is_none).unwrap();
            assert_eq!(sig.params[code], Ty::Int(form.role), "{}", form.to);
            assert!(form.from.iter().all(|name| Registry::get().find(name).is_some()));
        }
    }
}
