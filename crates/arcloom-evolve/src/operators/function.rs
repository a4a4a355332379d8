//! Functions that are handed to others: keys to sort by, tests to filter by, steps to map.

use arcloom_dsl::Registry;
use arcloom_lang::{NodeId, infer};
use arcloom_value::{Ty, Value};

use crate::catalog::Catalog;
use crate::making::Making;
use crate::mutate::Operator;
use crate::parent::{MutationSite, Parent};
use crate::typing::fits;

pub(super) const PROPERTY: Operator = Operator {
    name: "property",
    doc: "Exchanges a primitive that is handed over as a function for a related one.",
    apply: property,
};

pub(super) const SPECIALISE: Operator = Operator {
    name: "specialise",
    doc: "Makes a function do more: another step before or after it, a test turned over or joined.",
    apply: specialise,
};

pub(super) const GENERALISE: Operator = Operator {
    name: "generalise",
    doc: "Makes a composed function do less, or puts a plain one in its place.",
    apply: generalise,
};

/// The type wanted at a place for functions.
fn wanted_function(site: &MutationSite) -> Option<(&[Ty], &Ty)> {
    match &site.wanted {
        Ty::Fn(takes, gives) => Some((takes, gives)),
        _ => None,
    }
}

fn property(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let is_prim = |id| matches!(parent.constant(id), Some(Value::Prim(_)));
    let site = making.site(|site| is_prim(site.arg))?;
    let Some(&Value::Prim(old)) = parent.constant(site.arg) else { return None };
    let swaps = Catalog::get().swaps(old);
    let registry = Registry::get();
    let result = |prim, takes: &[Ty]| infer::call_result(prim, &takes.iter().collect::<Vec<_>>());
    let suits = |prim| {
        let sig = registry.sig(prim);
        let Some((takes, gives)) = wanted_function(site) else { return true };
        let given = result(prim, takes);
        takes.len() == sig.params.len()
            && sig.params.iter().zip(takes).all(|(p, t)| fits(top(p, &sig.bounds), t))
            && fits(gives, &given)
            && fits(&result(old, takes), &given)
    };
    // A function of one argument may as well come from another family: its signature is all there is.
    let fresh = wanted_function(site).filter(|(takes, _)| takes.len() == 1);
    let new = match (fresh, making.draw.below(4)) {
        (Some((takes, gives)), 0 | 1) => making.unary(&takes[0], gives),
        (_, 2) => making.draw.choose(swaps.others.iter().copied().filter(|&p| suits(p))),
        _ => None,
    };
    let new = match new {
        Some(new) => new,
        None => making.draw.choose(swaps.family.iter().copied().filter(|&p| suits(p)))?,
    };
    let new = making.draft.prim(new);
    making.draft.set(site, new);
    Some(())
}

fn top<'s>(ty: &'s Ty, bounds: &'s [Ty]) -> &'s Ty {
    match ty {
        Ty::Var(v) => bounds.get(usize::from(*v)).unwrap_or(&Ty::Any),
        ty => ty,
    }
}

/// The type of a function that is there now.
fn function_type(parent: &Parent, id: NodeId) -> Option<(&Ty, &Ty)> {
    match parent.ty(id) {
        Ty::Fn(takes, gives) if takes.len() == 1 => Some((&takes[0], gives)),
        _ => None,
    }
}

fn specialise(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let site = making.site(|s| function_type(parent, s.arg).is_some())?;
    let (takes, gives) = function_type(parent, site.arg)?;
    let (passed, wanted) = match wanted_function(site) {
        Some(([passed], wanted)) => (passed, wanted),
        _ => (takes, gives),
    };
    let old = site.arg;
    let is_test = fits(&Ty::BOOL, gives) && *gives != Ty::Any;
    let new = match making.draw.below(4) {
        0 if is_test => {
            let flip = making.draft.prim_named("flip")?;
            making.draft.call_named("compose", &[flip, old])?
        }
        1 if is_test => {
            let join = if making.draw.one_in(2) { "both" } else { "either" };
            let join = making.draft.prim_named(join)?;
            let more = making.function(std::slice::from_ref(passed), &Ty::BOOL)?;
            making.draft.call_named("fork", &[join, old, more])?
        }
        // First a step that gives what the function takes, then the function.
        0 | 1 => {
            let between = [takes, passed, &Ty::Indices, &Ty::Object, &Ty::Pair];
            let between = between.into_iter().filter(|ty| fits(takes, ty) && **ty != Ty::Any);
            let between = making.draw.choose(between)?;
            let before = making.unary(passed, between)?;
            let before = making.draft.prim(before);
            making.draft.call_named("compose", &[old, before])?
        }
        // The function, then a step that gives what is wanted.
        _ => {
            let after = match (wanted, gives) {
                // A key to sort by: one more of it or its double would sort the same.
                (Ty::Any, Ty::Int(_)) if making.draw.one_in(2) => {
                    making.draft.prim_named("invert")?
                }
                _ => {
                    let wanted = match (wanted, gives) {
                        (Ty::Any, Ty::Int(_)) => &Ty::BOOL,
                        (Ty::Any, _) => &Ty::INT,
                        (wanted, _) => wanted,
                    };
                    let from = if *gives == Ty::Any { wanted } else { gives };
                    let after = making.unary(from, wanted)?;
                    making.draft.prim(after)
                }
            };
            making.draft.call_named("compose", &[after, old])?
        }
    };
    making.draft.set(site, new);
    Some(())
}

/// Primitives that make functions.
const MAKERS: &[&str] = &["compose", "chain", "fork", "matcher", "rbind", "lbind", "power"];

fn generalise(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let registry = Registry::get();
    let maker = |id| {
        let name = registry.primitive(parent.call(id)?).name;
        MAKERS.contains(&name).then_some(name)
    };
    let site = making.site(|s| maker(s.arg).is_some())?;
    let args = &parent.program().node(site.arg).args;
    let new = match (maker(site.arg)?, &args[..]) {
        ("chain", &[h, g, f]) if !making.draw.one_in(3) => {
            let pairs = [(h, g), (g, f), (h, f)];
            let &(outer, inner) = making.draw.pick(&pairs)?;
            making.draft.call_named("compose", &[outer, inner])?
        }
        ("compose" | "fork" | "chain" | "power", args) if !making.draw.one_in(3) => {
            let parts = args.iter().copied().filter(|&arg| fits(&site.wanted, parent.ty(arg)));
            making.draw.choose(parts)?
        }
        _ => {
            let (takes, gives) = match wanted_function(site) {
                Some(wanted) => wanted,
                None => match parent.ty(site.arg) {
                    Ty::Fn(takes, gives) => (&takes[..], &**gives),
                    _ => return None,
                },
            };
            making.function(takes, gives)?
        }
    };
    making.draft.set(site, new);
    Some(())
}
