//! A program prepared for mutation: made once, mutated many times.

use std::borrow::Cow;

use arcloom_dsl::Registry;
use arcloom_lang::{Node, NodeId, Op, Program, infer};
use arcloom_value::{PrimId, Role, Ty, Value};
use smallvec::SmallVec;

use crate::draft::Child;
use crate::kind::ConstantKind;
use crate::typing::{self, Found, TypeVerdict};

/// How far a constant's kind is looked for along the calls that pass it on.
const MAX_HOPS: usize = 4;

/// A place where a value is used: an argument of a node, or the program's result.
#[derive(Debug, Clone)]
pub struct MutationSite {
    /// The node that uses the value; none for the result.
    pub user: Option<NodeId>,
    /// Which argument of the user it is.
    pub index: usize,
    /// The node that gives the value.
    pub arg: NodeId,
    /// What another value here should be.
    pub wanted: Ty,
    /// What an integer or pair here stands for.
    pub kind: Option<ConstantKind>,
}

/// A program with what mutation needs to know of it.
#[derive(Debug, Clone)]
pub struct Parent {
    program: Program,
    types: Vec<Ty>,
    sites: Vec<MutationSite>,
    goal: Ty,
    /// What is to be said of each node's arguments.
    verdicts: Vec<TypeVerdict>,
    doubts: u32,
    size: usize,
}

impl Parent {
    /// Prepares a program.
    pub fn new(program: Program) -> Parent {
        let types = infer::types(&program);
        let output = types.last().cloned().unwrap_or(Ty::Any);
        // A solver gives a grid; whatever gives something else, such as a differ, goes on to do so.
        let goal = if typing::fits(&Ty::Grid, &output) { Ty::Grid } else { output };
        let nodes = program.nodes();
        let verdict = |node: &Node| {
            let found = |a: &NodeId| typing::found(&nodes[a.index()].op, &types[a.index()]);
            typing::look_at(&node.op, &node.args.iter().map(found).collect::<Vec<_>>())
        };
        let verdicts: Vec<TypeVerdict> = nodes.iter().map(verdict).collect();
        let doubts = verdicts.iter().map(|v| v.doubts).sum();
        let sites = sites(&program, &types, &goal);
        let size = program.size();
        Parent { program, types, sites, goal, verdicts, doubts, size }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The type of a node.
    pub fn ty(&self, id: NodeId) -> &Ty {
        &self.types[id.index()]
    }

    /// All places where values are used; the result is the last one.
    pub fn sites(&self) -> &[MutationSite] {
        &self.sites
    }

    /// Number of calls.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of uses that are possible but unlikely, such as a count for a colour. Children have no
    /// more of them.
    pub fn doubts(&self) -> u32 {
        self.doubts
    }

    /// What the program's result should be.
    pub(crate) fn goal(&self) -> &Ty {
        &self.goal
    }

    /// The place of the result.
    pub(crate) fn result(&self) -> Option<&MutationSite> {
        self.sites.last()
    }

    /// The nodes with their ids.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> + Clone {
        self.program.nodes().iter().enumerate().map(|(n, node)| (NodeId(n as u32), node))
    }

    /// The value of a node that is a constant.
    pub(crate) fn constant(&self, id: NodeId) -> Option<&Value> {
        match &self.program.node(id).op {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The primitive that a node calls.
    pub(crate) fn call(&self, id: NodeId) -> Option<PrimId> {
        match self.program.node(id).op {
            Op::Call(prim) => Some(prim),
            _ => None,
        }
    }

    /// The places that use this node.
    pub(crate) fn uses(&self, id: NodeId) -> impl Iterator<Item = &MutationSite> {
        self.sites.iter().filter(move |site| site.arg == id)
    }

    /// True when a child is no more doubtful than this program, gives what it should, and has no call
    /// that fails on every input. What did not change is not looked at again.
    pub(crate) fn admits(&self, child: &Child) -> bool {
        let nodes = child.program.nodes();
        let mut types: Vec<Cow<'_, Ty>> = Vec::with_capacity(nodes.len());
        let mut doubts = 0;
        for (node, origin) in nodes.iter().zip(&child.origin) {
            let (ty, verdict) = match origin {
                Some(old) => (Cow::Borrowed(&self.types[old.index()]), self.verdicts[old.index()]),
                None => {
                    let types = &types;
                    let one = |a: &NodeId| typing::found(&nodes[a.index()].op, &types[a.index()]);
                    let found: SmallVec<[Found<'_>; 4]> = node.args.iter().map(one).collect();
                    let args: SmallVec<[&Ty; 4]> = found.iter().map(|f| f.ty).collect();
                    let ty = infer::node_type(&node.op, &args);
                    (Cow::Owned(ty), typing::look_at(&node.op, &found))
                }
            };
            doubts += verdict.doubts;
            if verdict.wrong || doubts > self.doubts {
                return false;
            }
            types.push(ty);
        }
        types.last().is_some_and(|ty| typing::fits(&self.goal, ty))
    }
}

fn sites(program: &Program, types: &[Ty], goal: &Ty) -> Vec<MutationSite> {
    let nodes = program.nodes();
    let mut sites = Vec::new();
    for (n, node) in nodes.iter().enumerate() {
        let found = |a: &NodeId| typing::found(&nodes[a.index()].op, &types[a.index()]);
        let args: Vec<_> = node.args.iter().map(found).collect();
        let wanted = match (&node.op, args.first().map(|f| f.ty)) {
            (Op::Call(prim), _) => typing::wanted(*prim, &args),
            (Op::Apply, Some(callee @ Ty::Fn(params, _))) if params.len() + 1 == args.len() => {
                std::iter::once(callee).chain(params).cloned().collect()
            }
            // What a function takes from around it is printed with it: see `draft.rs`.
            (Op::Lambda(_), _) => continue,
            _ => args.iter().map(|f| f.ty.clone()).collect(),
        };
        for (index, (&arg, wanted)) in node.args.iter().zip(wanted).enumerate() {
            let user = Some(NodeId(n as u32));
            sites.push(MutationSite { user, index, arg, wanted, kind: None });
        }
    }
    let result = program.output();
    sites.push(MutationSite {
        user: None,
        index: 0,
        arg: result,
        wanted: goal.clone(),
        kind: None,
    });
    for site in &mut sites {
        let is_integer = matches!(&nodes[site.arg.index()].op, Op::Const(Value::Int(_)));
        site.kind = match (&site.wanted, site.user) {
            (Ty::Int(Role::Number) | Ty::Num | Ty::Any, Some(user)) if is_integer => {
                let role = role(program, types, user, site.index, 0).unwrap_or(Role::Number);
                Some(ConstantKind::Int(role))
            }
            (Ty::Num, _) => ConstantKind::of(&types[site.arg.index()]),
            (wanted, _) => ConstantKind::of(wanted),
        };
        if let (Some(kind @ ConstantKind::Int(_)), true) = (site.kind, is_integer) {
            site.wanted = kind.ty();
        }
    }
    sites
}

/// What an integer stands for as this argument. Where the callee takes anything, its other
/// arguments say it, or whoever uses the result.
fn role(program: &Program, types: &[Ty], user: NodeId, index: usize, hops: usize) -> Option<Role> {
    let node = program.node(user);
    let Op::Call(prim) = node.op else { return None };
    let registry = Registry::get();
    let known = registry.known();
    let arg_type = |n: usize| node.args.get(n).map(|a| &types[a.index()]);
    let definite = |ty: &Ty| match ty {
        Ty::Int(role) if *role != Role::Number => Some(*role),
        _ => None,
    };
    if index == 1 && (prim == known.rbind || prim == known.lbind) {
        let Some(Ty::Fn(params, _)) = arg_type(0) else { return None };
        return definite(if prim == known.rbind { params.last()? } else { params.first()? });
    }
    let sig = registry.sig(prim);
    let var = match sig.params.get(index)? {
        Ty::Int(role) => return Some(*role),
        Ty::Var(var) => *var,
        _ => return None,
    };
    let from_others = sig.params.iter().enumerate().filter(|(n, _)| *n != index);
    let mut from_others =
        from_others.filter_map(|(n, param)| match (param, arg_type(n)?) {
            (Ty::Var(v), ty) if *v == var => definite(ty),
            (Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item), ty) => {
                if **item == Ty::Var(var) { definite(&ty.element()) } else { None }
            }
            (Ty::Fn(_, ret), Ty::Fn(_, gives)) if **ret == Ty::Var(var) => definite(gives),
            _ => None,
        });
    if let Some(role) = from_others.next() {
        return Some(role);
    }
    if sig.ret != Ty::Var(var) || hops == MAX_HOPS {
        return None;
    }
    let later = (user.index() + 1..program.nodes().len()).map(|n| NodeId(n as u32));
    later
        .flat_map(|next| {
            let args = program.node(next).args.iter().enumerate();
            args.filter(|(_, arg)| **arg == user).map(move |(index, _)| (next, index))
        })
        .find_map(|(next, index)| role(program, types, next, index, hops + 1))
}

#[cfg(test)]
mod tests {
    use arcloom_lang::load_snippet;

    use super::*;

    /// The kind of every integer constant, in the order of its uses.
    fn kinds(text: &str) -> Vec<(i64, Role)> {
        let parent = Parent::new(load_snippet(text).unwrap().0);
        let kind = |site: &MutationSite| match (parent.constant(site.arg)?.as_int()?, site.kind?) {
            (n, ConstantKind::Int(role)) => Some((n, role)),
            _ => None,
        };
        parent.sites().iter().filter_map(kind).collect()
    }

    #[test]
    fn the_parameter_says_what_an_integer_is() {
        use Role::*;
        assert_eq!(
            kinds("upscale(fill(I, THREE, ofcolor(I, FIVE)), THREE)"),
            [(5, Color), (3, Color), (3, Number)]
        );
        assert_eq!(
            kinds("sfilter(objects(I, T, F, T), matcher(color, ONE))"),
            [(1, Bool), (0, Bool), (1, Bool), (1, Color)]
        );
        assert_eq!(kinds("matcher(size, ONE)"), [(1, Number)]);
        assert_eq!(kinds("rbind(colorfilter, ONE)"), [(1, Color)]);
        assert_eq!(kinds("canvas(branch(square(I), ONE, TWO), UNITY)"), [(1, Color), (2, Color)]);
        assert_eq!(kinds("contained(ONE, palette(I))"), [(1, Color)]);
        assert_eq!(kinds("o_g(mir_rot_t(I, 3), 5)"), [(3, Angle), (5, Notion)]);
        assert_eq!(kinds("get_nth_f(I, NEG_ONE)"), [(-1, Rank)]);
    }
}
