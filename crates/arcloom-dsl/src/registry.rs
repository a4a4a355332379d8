//! The table of all primitives, and constants by name.
//!
//! A primitive's id is its place in the table, which is sorted by name; only names leave a build.

use std::sync::OnceLock;

use arcloom_value::{FixedMap, PrimId, Sig};

use crate::record::{Call, Primitive};
use crate::{FAMILIES, alias};

/// All primitives of this build.
pub struct Registry {
    prims: Vec<&'static Primitive>,
    calls: Vec<Call>,
    sigs: Vec<Sig>,
    by_name: FixedMap<&'static str, PrimId>,
    known: Known,
}

/// A name that stands for a primitive, with a narrower signature.
#[derive(Debug)]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// The primitive it stands for.
    pub target: &'static str,
    /// Its signature.
    pub sig: &'static str,
}

impl Registry {
    /// The table; built at the first call.
    pub fn get() -> &'static Registry {
        static REGISTRY: OnceLock<Registry> = OnceLock::new();
        REGISTRY.get_or_init(Registry::build)
    }

    fn build() -> Registry {
        let mut prims: Vec<&'static Primitive> =
            FAMILIES.iter().flat_map(|f| f.iter()).copied().collect();
        prims.sort_by_key(|p| p.name);
        let by_name: FixedMap<&'static str, PrimId> =
            prims.iter().enumerate().map(|(n, p)| (p.name, PrimId(n as u16))).collect();
        let calls = prims.iter().map(|p| p.call).collect();
        let sigs = prims.iter().map(|p| parse_sig(p)).collect();
        let known = Known::find(&by_name);
        Registry { prims, calls, sigs, by_name, known }
    }

    /// All primitives, by name.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (PrimId, &'static Primitive)> + '_ {
        self.prims.iter().enumerate().map(|(n, p)| (PrimId(n as u16), *p))
    }

    /// The primitive with this id.
    #[inline]
    pub fn primitive(&self, id: PrimId) -> &'static Primitive {
        self.prims[usize::from(id.0)]
    }

    /// The parsed signature of a primitive.
    pub fn sig(&self, id: PrimId) -> &Sig {
        &self.sigs[usize::from(id.0)]
    }

    /// The entry points of all primitives, by id.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The primitive with this name; aliases are not looked at.
    pub fn find(&self, name: &str) -> Option<PrimId> {
        self.by_name.get(name).copied()
    }

    /// The primitive with this name or alias.
    pub fn resolve(&self, name: &str) -> Option<PrimId> {
        self.find(name).or_else(|| self.find(alias::find(name)?.target))
    }

    /// Primitives that others treat specially when handed to them.
    #[inline]
    pub fn known(&self) -> &Known {
        &self.known
    }
}

/// The record's signature. A signature that does not parse is a bug in the declaration, found by the
/// test over all primitives; it then counts as unknown.
fn parse_sig(prim: &Primitive) -> Sig {
    Sig::parse(prim.sig).unwrap_or_else(|_| Sig {
        params: vec![arcloom_value::Ty::Any; prim.arity()],
        ret: arcloom_value::Ty::Any,
        bounds: Vec::new(),
    })
}

macro_rules! known {
    ($($name:ident),* $(,)?) => {
        /// Ids of primitives that higher-order ones recognise, to loop directly instead of calling.
        #[derive(Debug, Clone, Copy)]
        pub struct Known {
            $(#[doc = concat!("`", stringify!($name), "`.")] pub $name: PrimId,)*
        }

        impl Known {
            fn find(by_name: &FixedMap<&'static str, PrimId>) -> Known {
                // A missing name gets an id that no primitive has, so that it is never recognised.
                let id = |name: &str| by_name.get(name).copied().unwrap_or(PrimId(u16::MAX));
                Known { $($name: id(stringify!($name)),)* }
            }
        }
    };
}

known!(
    asindices,
    astuple,
    backdrop,
    center,
    color,
    colorcount,
    combine,
    compose,
    connect,
    contained,
    difference,
    dneighbors,
    first,
    height,
    hfrontier,
    identity,
    ineighbors,
    intersection,
    last,
    lbind,
    leftmost,
    lowermost,
    lrcorner,
    manhattan,
    maximum,
    merge,
    minimum,
    multiply,
    neighbors,
    normalize,
    numcolors,
    order,
    outbox,
    pair,
    palette,
    positive,
    prapply,
    rbind,
    recolor,
    rightmost,
    shift,
    shoot,
    size,
    toindices,
    toobject,
    ulcorner,
    uppermost,
    vfrontier,
    width,
);
