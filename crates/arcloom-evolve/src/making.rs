//! What an operator works with: the context, random choices, the draft, and parts made to measure.

use arcloom_dsl::Registry;
use arcloom_lang::{NodeId, Op};
use arcloom_value::{PrimId, Role, Ty, Value};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::catalog::Catalog;
use crate::draft::Draft;
use crate::kind::{self, ConstantKind};
use crate::mutate::Context;
use crate::parent::{MutationSite, Parent};
use crate::templates;
use crate::typing::fits;

/// Random choices.
pub(crate) struct Draw<'r>(pub(crate) &'r mut ChaCha8Rng);

impl Draw<'_> {
    /// A number below `n`; 0 when `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.0.next_u64() % n as u64) as usize }
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }

    /// One of what an iterator gives.
    pub(crate) fn choose<T>(&mut self, items: impl Iterator<Item = T> + Clone) -> Option<T> {
        match items.clone().count() {
            0 => None,
            n => items.clone().nth(self.below(n)),
        }
    }
}

/// An edit in the hands of an operator.
pub struct Making<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) draw: Draw<'a>,
    pub(crate) draft: Draft<'a>,
}

impl<'a> Making<'a> {
    pub(crate) fn new(context: &'a Context<'a>, rng: &'a mut ChaCha8Rng) -> Making<'a> {
        Making { context, draw: Draw(rng), draft: Draft::new(context.parent) }
    }

    pub(crate) fn parent(&self) -> &'a Parent {
        self.context.parent
    }

    /// A place of the parent that passes the test.
    pub(crate) fn site(
        &mut self,
        test: impl Fn(&MutationSite) -> bool,
    ) -> Option<&'a MutationSite> {
        let parent = self.context.parent;
        self.draw.choose(parent.sites().iter().filter(|site| test(site)))
    }

    /// A node of the parent that passes the test.
    pub(crate) fn old_node(&mut self, test: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let parent = self.context.parent;
        self.draw.choose(parent.nodes().map(|(id, _)| id).filter(|&id| test(id)))
    }

    /// A value of the parent of this type that `user` can take without depending on itself.
    pub(crate) fn existing(&mut self, wanted: &Ty, user: Option<NodeId>) -> Option<NodeId> {
        let parent = self.parent();
        // Arguments come before users. A later node may do as well, if finishing finds no cycle.
        let end = match user {
            Some(user) if !self.draw.one_in(8) => user.index(),
            _ => parent.program().nodes().len(),
        };
        self.old_node(|id| {
            id.index() < end && parent.constant(id).is_none() && fits(wanted, parent.ty(id))
        })
    }

    /// An expression of this kind that can be worked out on all demo pairs.
    pub(crate) fn derived(&mut self, kind: ConstantKind) -> Option<NodeId> {
        let derived = self.context.facts.derived.iter().filter(|d| d.kind == kind);
        let template = self.draw.choose(derived)?.template;
        self.import_template(template)
    }

    pub(crate) fn import_template(&mut self, template: usize) -> Option<NodeId> {
        let input = self.draft.input();
        let program = &templates::all().get(template)?.program;
        self.draft.import(program, program.output(), input)
    }

    /// A constant of this kind.
    pub(crate) fn literal(&mut self, kind: ConstantKind) -> NodeId {
        let value = kind::any(kind, self.context.facts, &mut self.draw);
        self.draft.constant(value)
    }

    /// A value of this type for `user`: one that is there, a constant, or a short expression.
    pub(crate) fn argument(&mut self, wanted: &Ty, user: Option<NodeId>) -> Option<NodeId> {
        if let Ty::Fn(takes, gives) = wanted {
            return self.function(takes, gives);
        }
        let kind = match wanted {
            Ty::Num => Some(ConstantKind::Int(Role::Number)),
            wanted => ConstantKind::of(wanted),
        };
        if let Some(kind) = kind {
            let found = match self.draw.below(6) {
                0 | 1 => self.existing(wanted, user),
                2 => self.derived(kind),
                _ => None,
            };
            return Some(found.unwrap_or_else(|| self.literal(kind)));
        }
        if !self.draw.one_in(5)
            && let Some(found) = self.existing(wanted, user)
        {
            return Some(found);
        }
        self.expression(wanted)
    }

    /// A short expression of this type over the input.
    fn expression(&mut self, wanted: &Ty) -> Option<NodeId> {
        let input = self.draft.input();
        match wanted {
            Ty::Any | Ty::Var(_) | Ty::Grid | Ty::Piece | Ty::Element => Some(input),
            Ty::Sheet => self.draft.call_named("as_sheet", &[input]),
            Ty::Indices => {
                let color = self.literal(ConstantKind::Int(Role::Color));
                self.draft.call_named("ofcolor", &[input, color])
            }
            Ty::Object | Ty::Patch => {
                let objects = self.objects()?;
                let pick = if self.draw.one_in(3) { "argmin" } else { "argmax" };
                let key = self.draft.prim_named("size")?;
                self.draft.call_named(pick, &[objects, key])
            }
            Ty::Set(item) if **item == Ty::COLOR => self.draft.call_named("palette", &[input]),
            Ty::Tuple(item) if **item == Ty::COLOR => self.draft.call_named("p_g", &[input]),
            Ty::Set(item) | Ty::Container(item) if fits(item, &Ty::Object) => self.objects(),
            _ if *wanted == Ty::samples() => Some(self.draft.node(Op::Samples, &[])),
            _ => None,
        }
    }

    fn objects(&mut self) -> Option<NodeId> {
        let input = self.draft.input();
        let mut flag = |one_in| Value::bool(!self.draw.one_in(one_in));
        let flags = [flag(3), flag(2), flag(6)].map(|flag| self.draft.constant(flag));
        self.draft.call_named("objects", &[input, flags[0], flags[1], flags[2]])
    }

    /// A function with parameters of these types and a result of that one.
    pub(crate) fn function(&mut self, takes: &[Ty], gives: &Ty) -> Option<NodeId> {
        match takes {
            [taken] => {
                if *gives == Ty::BOOL && self.draw.one_in(2) {
                    return self.matcher(taken);
                }
                let prim = self.unary(taken, gives)?;
                Some(self.draft.prim(prim))
            }
            [_, _] => {
                let wanted = Ty::Fn(takes.to_vec(), Box::new(gives.clone()));
                let registry = Registry::get();
                let fitting = Catalog::get().binary().iter().filter(|prim| {
                    let sig = registry.sig(**prim);
                    fits(&wanted, &Ty::Fn(sig.params.clone(), Box::new(sig.ret.clone())))
                });
                let prim = *self.draw.choose(fitting)?;
                Some(self.draft.prim(prim))
            }
            _ => None,
        }
    }

    /// `matcher(property, value)`.
    pub(crate) fn matcher(&mut self, taken: &Ty) -> Option<NodeId> {
        let kind = if self.draw.one_in(2) { Role::Color } else { Role::Number };
        let property = self.unary(taken, &Ty::Int(kind))?;
        let property = self.draft.prim(property);
        let value = self.literal(ConstantKind::Int(kind));
        self.draft.call_named("matcher", &[property, value])
    }

    /// A primitive that makes the second type from the first. Where any result does, it is something
    /// to sort by.
    pub(crate) fn unary(&mut self, taken: &Ty, gives: &Ty) -> Option<PrimId> {
        let key = [Ty::INT, Ty::INT, Ty::COLOR, Ty::BOOL];
        let gives = match gives {
            Ty::Any | Ty::Var(_) => self.draw.pick(&key)?,
            gives => gives,
        };
        let taken = if *taken == Ty::Any { &Ty::Object } else { taken };
        self.draw.pick(Catalog::get().unary(taken, gives)).copied()
    }

    /// Puts a step behind a value: a call that takes it and gives `wanted`.
    pub(crate) fn step(
        &mut self,
        value: NodeId,
        found: &Ty,
        wanted: &Ty,
        user: Option<NodeId>,
    ) -> Option<NodeId> {
        let &(prim, index) = self.draw.pick(Catalog::get().steps(found, wanted))?;
        let sig = Registry::get().sig(prim);
        let mut args = Vec::with_capacity(sig.params.len());
        for (n, param) in sig.params.iter().enumerate() {
            args.push(if n == index {
                value
            } else {
                let param = specific(param, &sig.params[index], found, &sig.bounds);
                self.argument(&param, user)?
            });
        }
        Some(self.draft.call(prim, &args))
    }
}

/// A parameter's type once another parameter is known to take a value of type `found`.
fn specific(param: &Ty, known: &Ty, found: &Ty, bounds: &[Ty]) -> Ty {
    let part = |ty: &Ty| match (ty, known) {
        (Ty::Var(v), Ty::Var(k)) if v == k => found.clone(),
        (Ty::Var(v), Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item))
            if **item == Ty::Var(*v) =>
        {
            found.element()
        }
        (Ty::Var(v), Ty::Var(k)) => match bounds.get(usize::from(*k)) {
            // `b` of `a: Container<b>`, where `a` is known.
            Some(Ty::Container(item)) if **item == Ty::Var(*v) => found.element(),
            _ => bounds.get(usize::from(*v)).cloned().unwrap_or(Ty::Any),
        },
        (Ty::Var(v), _) => bounds.get(usize::from(*v)).cloned().unwrap_or(Ty::Any),
        (ty, _) => ty.clone(),
    };
    match param {
        Ty::Fn(params, ret) => Ty::Fn(params.iter().map(part).collect(), Box::new(part(ret))),
        Ty::Tuple(item) => Ty::Tuple(Box::new(part(item))),
        Ty::Container(item) => Ty::Container(Box::new(part(item))),
        Ty::Set(item) => match part(item) {
            Ty::Pair => Ty::Indices,
            Ty::Cell => Ty::Object,
            item => Ty::Set(Box::new(item)),
        },
        param => part(param),
    }
}
