//! Primitives by what they take and give, worked out once.

use std::sync::LazyLock;

use arcloom_dsl::{Class, Primitive, Registry};
use arcloom_lang::infer;
use arcloom_value::{PrimId, Role, Sig, Ty};

use crate::typing::{self, Found, fits};

/// What a primitive can be exchanged for, by the look of its signature.
#[derive(Default)]
pub(crate) struct Swaps {
    pub(crate) family: Vec<PrimId>,
    pub(crate) others: Vec<PrimId>,
}

/// Tables over all primitives.
pub(crate) struct Catalog {
    swaps: Vec<Swaps>,
    /// By key of what goes in and what comes out: the primitive and the argument it goes in at.
    steps: Vec<Vec<(PrimId, usize)>>,
    /// The same for primitives with one parameter.
    unary: Vec<Vec<PrimId>>,
    binary: Vec<PrimId>,
}

/// Types that steps are listed for.
static KEYS: LazyLock<Vec<Ty>> = LazyLock::new(|| {
    let tuple = |item| Ty::Tuple(Box::new(item));
    let set = |item| Ty::Set(Box::new(item));
    vec![
        Ty::INT,
        Ty::BOOL,
        Ty::COLOR,
        Ty::Pair,
        Ty::Cell,
        Ty::Grid,
        Ty::Indices,
        Ty::Object,
        Ty::Patch,
        Ty::objects(),
        tuple(Ty::Object),
        tuple(Ty::Grid),
        tuple(Ty::COLOR),
        tuple(Ty::INT),
        tuple(Ty::Pair),
        set(Ty::COLOR),
        set(Ty::INT),
        set(Ty::Indices),
        Ty::Sheet,
        tuple(Ty::Sheet),
    ]
});

/// The key of a type, or of the one most like it.
fn key(ty: &Ty) -> Option<usize> {
    let place = |ty: &Ty| KEYS.iter().position(|k| k == ty);
    place(ty).or_else(|| match ty {
        Ty::Num | Ty::Int(_) => place(&Ty::INT),
        Ty::Element | Ty::Piece => place(&Ty::Grid),
        Ty::Container(item) => {
            place(&Ty::Set(item.clone())).or_else(|| place(&Ty::Tuple(item.clone())))
        }
        _ => None,
    })
}

impl Catalog {
    /// The tables; made at the first call.
    pub(crate) fn get() -> &'static Catalog {
        static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::build);
        &CATALOG
    }

    fn build() -> Catalog {
        let registry = Registry::get();
        let keys = KEYS.len();
        let mut steps = vec![Vec::new(); keys * keys];
        let mut unary = vec![Vec::new(); keys * keys];
        for (prim, record) in registry.all() {
            // Steps that do nothing, and those that only make sense for demo pairs or in rules, are left out.
            if matches!(record.class, Class::Samples | Class::Rule) || is_idle(record.name) {
                continue;
            }
            for index in 0..record.arity() {
                for (from, taken) in KEYS.iter().enumerate() {
                    let Some(given) = result(prim, index, taken) else { continue };
                    for to in (0..keys).filter(|&to| gives(&KEYS[to], &given)) {
                        steps[from * keys + to].push((prim, index));
                        if record.arity() == 1 {
                            unary[from * keys + to].push(prim);
                        }
                    }
                }
            }
        }
        let is_binary = |p: &Primitive| p.arity() == 2 && p.class != Class::Rule;
        let binary = registry.all().filter(|(_, p)| is_binary(p)).map(|(id, _)| id).collect();
        let swaps = registry.all().map(|(id, _)| swaps(registry, id)).collect();
        Catalog { swaps, steps, unary, binary }
    }

    /// What this primitive can be exchanged for.
    pub(crate) fn swaps(&self, prim: PrimId) -> &Swaps {
        &self.swaps[usize::from(prim.0)]
    }

    /// Primitives that make a value of the second type from one of the first.
    pub(crate) fn steps(&self, from: &Ty, to: &Ty) -> &[(PrimId, usize)] {
        slot(from, to).map_or(&[], |n| &self.steps[n])
    }

    /// Primitives with one parameter that make a value of the second type from one of the first.
    pub(crate) fn unary(&self, from: &Ty, to: &Ty) -> &[PrimId] {
        slot(from, to).map_or(&[], |n| &self.unary[n])
    }

    /// Primitives with two parameters.
    pub(crate) fn binary(&self) -> &[PrimId] {
        &self.binary
    }
}

/// Primitives that change nothing, or ask what types know.
fn is_idle(name: &str) -> bool {
    matches!(name, "identity" | "is_no_grid")
}

fn slot(from: &Ty, to: &Ty) -> Option<usize> {
    Some(key(from)? * KEYS.len() + key(to)?)
}

/// What the primitive gives when this argument is of this type and nothing is known of the others.
fn result(prim: PrimId, index: usize, taken: &Ty) -> Option<Ty> {
    let sig = Registry::get().sig(prim);
    if matches!(sig.params[index], Ty::Fn(..)) {
        return None;
    }
    // Half a colour is none.
    let is_code = matches!(taken, Ty::Int(role) if *role != Role::Number);
    if is_code && Registry::get().primitive(prim).class == Class::Arithmetic {
        return None;
    }
    let types: Vec<&Ty> =
        (0..sig.params.len()).map(|n| if n == index { taken } else { &Ty::Any }).collect();
    let found: Vec<Found<'_>> = types.iter().map(|&ty| Found { ty, literal: None }).collect();
    let given = infer::call_result(prim, &types);
    (typing::probable(prim, &found) && given != Ty::Any).then_some(given)
}

fn gives(wanted: &Ty, given: &Ty) -> bool {
    match (wanted, given) {
        (Ty::Int(a), Ty::Int(b)) => a == b || (*a == Role::Number && *b == Role::Rank),
        _ => fits(wanted, given),
    }
}

fn swaps(registry: &Registry, prim: PrimId) -> Swaps {
    let mut swaps = Swaps::default();
    let sig = registry.sig(prim);
    for (other, record) in registry.all() {
        let theirs = registry.sig(other);
        let alike = |a: &Ty, b: &Ty| {
            let (a, b) = (top(a, sig), top(b, theirs));
            fits(a, b) || fits(b, a)
        };
        let same = other != prim
            && !is_idle(record.name)
            && record.class != Class::Rule
            && sig.params.len() == theirs.params.len()
            && sig.params.iter().zip(&theirs.params).all(|(a, b)| alike(a, b))
            && alike(&sig.ret, &theirs.ret);
        if same && record.class == registry.primitive(prim).class {
            swaps.family.push(other);
        } else if same {
            swaps.others.push(other);
        }
    }
    swaps
}

fn top<'s>(ty: &'s Ty, sig: &'s Sig) -> &'s Ty {
    match ty {
        Ty::Var(v) => sig.bounds.get(usize::from(*v)).unwrap_or(&Ty::Any),
        ty => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(ids: impl IntoIterator<Item = PrimId>) -> Vec<&'static str> {
        ids.into_iter().map(|id| Registry::get().primitive(id).name).collect()
    }

    #[test]
    fn relatives_are_found() {
        let swaps = |name| &Catalog::get().swaps(Registry::get().find(name).unwrap()).family;
        let family = |name| names(swaps(name).iter().copied());
        assert!(family("vmirror").contains(&"hmirror"));
        assert!(family("argmax").contains(&"argmin"));
        assert!(family("fill").contains(&"underfill"));
        assert!(family("hconcat").contains(&"vconcat"));
        assert!(!family("fill").contains(&"paint"));
    }

    #[test]
    fn steps_lead_from_type_to_type() {
        let steps = |from: &Ty, to: &Ty| names(Catalog::get().steps(from, to).iter().map(|s| s.0));
        assert!(steps(&Ty::Grid, &Ty::Grid).contains(&"trim"));
        assert!(steps(&Ty::Grid, &Ty::COLOR).contains(&"mostcolor"));
        assert!(steps(&Ty::Object, &Ty::Indices).contains(&"outbox"));
        assert!(steps(&Ty::objects(), &Ty::Object).contains(&"argmax"));
        assert!(!steps(&Ty::Grid, &Ty::Grid).contains(&"mostcolor"));
    }
}
