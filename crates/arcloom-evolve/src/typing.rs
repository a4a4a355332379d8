//! Which value is probably right where.
//!
//! Inference in `arcloom-lang` says what can never be right, and errs on the side of yes: a colour may
//! be a count, a set of positions a set of objects. Most such programs are noise. Here a use that is
//! possible but unlikely is a *doubt*; programs that people wrote have few, and a child may not have
//! more than its parent.

use arcloom_dsl::Registry;
use arcloom_lang::Op;
pub(crate) use arcloom_value::fits;
use arcloom_value::{PrimId, Sig, Ty};

use crate::kind;

/// Most type variables of one signature.
const MAX_VARS: usize = 8;
/// What the type variables of a signature stand for in one call.
type Vars = [Option<Ty>; MAX_VARS];

/// An argument: its type, and its value if it is an integer that is written down.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) ty: &'a Ty,
    pub(crate) literal: Option<i64>,
}

/// What a look at a whole program gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeVerdict {
    /// Uses that are unlikely.
    pub(crate) doubts: u32,
    /// True when some call fails on every input.
    pub(crate) wrong: bool,
}

fn alike(a: &Ty, b: &Ty) -> bool {
    fits(a, b) || fits(b, a)
}

/// True when a call of this primitive with these arguments is probably right.
pub(crate) fn probable(prim: PrimId, args: &[Found<'_>]) -> bool {
    look_at_call(prim, args) == TypeVerdict { doubts: 0, wrong: false }
}

/// Looks at the arguments of a node.
pub(crate) fn look_at(op: &Op, args: &[Found<'_>]) -> TypeVerdict {
    match op {
        Op::Call(prim) => look_at_call(*prim, args),
        Op::Apply => look_at_apply(args),
        _ => TypeVerdict { doubts: 0, wrong: false },
    }
}

/// A node as an argument.
pub(crate) fn found<'a>(op: &Op, ty: &'a Ty) -> Found<'a> {
    let literal = match op {
        Op::Const(value) => value.as_int(),
        _ => None,
    };
    Found { ty, literal }
}

fn look_at_apply(args: &[Found<'_>]) -> TypeVerdict {
    let Some((callee, args)) = args.split_first() else {
        return TypeVerdict { doubts: 0, wrong: true };
    };
    match callee.ty {
        Ty::Fn(params, _) if params.len() == args.len() => {
            let unlikely = params.iter().zip(args).filter(|(p, a)| !fits_literal(p, a)).count();
            TypeVerdict { doubts: unlikely as u32, wrong: false }
        }
        Ty::Fn(..) => TypeVerdict { doubts: 1, wrong: false },
        Ty::Any => TypeVerdict { doubts: 0, wrong: false },
        _ => TypeVerdict { doubts: 1, wrong: true },
    }
}

fn look_at_call(prim: PrimId, args: &[Found<'_>]) -> TypeVerdict {
    let registry = Registry::get();
    let known = registry.known();
    // What these take is not said by their signature: see `infer::special_type`.
    if prim == known.astuple {
        return TypeVerdict { doubts: 0, wrong: false };
    }
    if let ([function, fixed], true) = (args, prim == known.rbind || prim == known.lbind)
        && let Ty::Fn(params, _) = function.ty
    {
        let param = if prim == known.rbind { params.last() } else { params.first() };
        let fine = params.len() >= 2 && param.is_some_and(|p| fits_literal(p, fixed));
        return TypeVerdict { doubts: u32::from(!fine), wrong: false };
    }
    let sig = registry.sig(prim);
    let wrong = sig.params.iter().zip(args).any(|(p, arg)| !effective(p, sig).accepts(arg.ty));
    let mut vars: Vars = Default::default();
    let mut doubts = 0;
    for (param, arg) in data_args(sig, args) {
        doubts += u32::from(!take(param, arg, sig, &mut vars));
    }
    // Inner functions are written after outer ones, and what they give binds what those take.
    for (param, arg) in sig.params.iter().zip(args).rev() {
        if let Ty::Fn(params, ret) = param {
            doubts += u32::from(!take_function(params, ret, arg.ty, sig, &mut vars));
        }
    }
    TypeVerdict { doubts, wrong }
}

/// The arguments that are no functions. Containers come first: what is in one is known better than
/// what a variable elsewhere was last bound to.
fn data_args<'s, 'a, 'f>(
    sig: &'s Sig,
    args: &'a [Found<'f>],
) -> impl Iterator<Item = (&'s Ty, &'a Found<'f>)> {
    let all = move || sig.params.iter().zip(args).filter(|(param, _)| !matches!(param, Ty::Fn(..)));
    let is_var = |param: &Ty| matches!(param, Ty::Var(_));
    all().filter(move |(p, _)| !is_var(p)).chain(all().filter(move |(p, _)| is_var(p)))
}

/// A parameter's type with a variable at its top replaced by its bound.
fn effective<'s>(param: &'s Ty, sig: &'s Sig) -> &'s Ty {
    match param {
        Ty::Var(v) => sig.bounds.get(usize::from(*v)).unwrap_or(&Ty::Any),
        other => other,
    }
}

fn fits_literal(wanted: &Ty, arg: &Found<'_>) -> bool {
    match (wanted, arg.literal) {
        (Ty::Int(role), Some(n)) => kind::in_range(*role, n),
        (wanted, _) => fits(wanted, arg.ty),
    }
}

fn take(param: &Ty, arg: &Found<'_>, sig: &Sig, vars: &mut Vars) -> bool {
    match param {
        Ty::Var(v) => {
            let v = usize::from(*v);
            let bounded = match sig.bounds.get(v) {
                Some(Ty::Any) | None => true,
                Some(bound) => take(bound, arg, sig, vars),
            };
            match vars.get_mut(v) {
                Some(Some(old)) => bounded && (alike(old, arg.ty) || fits_literal(old, arg)),
                Some(slot) => {
                    // An integer that is written down may stand for anything.
                    if *arg.ty != Ty::Any && arg.literal.is_none() {
                        *slot = Some(arg.ty.clone());
                    }
                    bounded
                }
                None => bounded,
            }
        }
        Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item) if has_var(item) => {
            let element = arg.ty.element();
            fits(param, arg.ty) && take(item, &Found { ty: &element, literal: None }, sig, vars)
        }
        wanted => fits_literal(wanted, arg),
    }
}

fn take_function(params: &[Ty], ret: &Ty, given: &Ty, sig: &Sig, vars: &mut Vars) -> bool {
    let (takes, gives) = match given {
        Ty::Any => return true,
        Ty::Fn(takes, gives) => (takes, gives),
        _ => return false,
    };
    let mut fine = takes.len() == params.len();
    for (param, takes) in params.iter().zip(takes) {
        fine &= match param {
            Ty::Var(v) => match vars.get_mut(usize::from(*v)) {
                // What is passed may be wider than what is taken, such as a set of anything.
                Some(Some(passed)) => fits(takes, passed),
                Some(slot) => {
                    if *takes != Ty::Any {
                        *slot = Some(takes.clone());
                    }
                    true
                }
                None => true,
            },
            param => fits(takes, param),
        };
    }
    fine && take(ret, &Found { ty: gives, literal: None }, sig, vars)
}

fn has_var(ty: &Ty) -> bool {
    match ty {
        Ty::Var(_) => true,
        Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item) => has_var(item),
        Ty::Fn(params, ret) => params.iter().any(has_var) || has_var(ret),
        _ => false,
    }
}

/// For each argument of a call, the type that another value in its place should have.
pub(crate) fn wanted(prim: PrimId, args: &[Found<'_>]) -> Vec<Ty> {
    let registry = Registry::get();
    let known = registry.known();
    let sig = registry.sig(prim);
    if prim == known.astuple {
        return args.iter().map(|arg| arg.ty.clone()).collect();
    }
    if let ([function, _], true) = (args, prim == known.rbind || prim == known.lbind)
        && let Ty::Fn(params, _) = function.ty
    {
        let param = if prim == known.rbind { params.last() } else { params.first() };
        return vec![function.ty.clone(), param.cloned().unwrap_or(Ty::Any)];
    }
    let mut vars: Vars = Default::default();
    for (param, arg) in data_args(sig, args) {
        take(param, arg, sig, &mut vars);
    }
    let one = |(param, arg): (&Ty, &Found<'_>)| match (param, arg.ty) {
        (Ty::Fn(params, ret), Ty::Fn(takes, gives)) if params.len() == takes.len() => {
            let params = params.iter().zip(takes).map(|(p, own)| known_part(p, own, &vars));
            Ty::Fn(params.collect(), Box::new(known_part(ret, gives, &vars)))
        }
        (param, Ty::Any) => effective(param, sig).clone(),
        (param, own) if has_var(param) => own.clone(),
        (param, _) => param.clone(),
    };
    sig.params.iter().zip(args).map(one).collect()
}

/// A part of a function type: bound by the call, or what the function now there has.
fn known_part(part: &Ty, own: &Ty, vars: &Vars) -> Ty {
    match part {
        Ty::Var(v) => vars.get(usize::from(*v)).and_then(Option::as_ref).unwrap_or(own).clone(),
        part if has_var(part) => own.clone(),
        part => part.clone(),
    }
}

#[cfg(test)]
mod tests {
    use arcloom_lang::{infer, load_snippet};

    use crate::parent::Parent;

    fn verdict(text: &str) -> (u32, bool) {
        let (program, _) = load_snippet(text).unwrap();
        (Parent::new(program.clone()).doubts(), !infer::warnings(&program).is_empty())
    }

    #[test]
    fn programs_as_people_write_them_raise_no_doubts() {
        for text in [
            "fill(I, THREE, ofcolor(I, FIVE))",
            "subgrid(argmax(objects(I, T, F, T), size), I)",
            "paint(I, merge(sfilter(objects(I, T, F, T), matcher(color, FIVE))))",
            "paint(I, mapply(lbind(recolor, TWO), objects(I, T, F, T)))",
            "order(I, compose(size, dedupe))",
            "fill(I, branch(portrait(I), mostcolor(I), leastcolor(I)), ofcolor(I, ZERO))",
            "fill(I, TWO, mapply(rbind(shoot, UP), ofcolor(I, ONE)))",
            "canvas(get_nth_t(c_zo(S, p_g), F0), shape(I))",
            "apply(rbind(order, identity), I)",
            "hconcat(I, vmirror(I))",
            "canvas(color(extract(objects(I, T, F, T), compose(flip, square))), UNITY)",
        ] {
            assert_eq!(verdict(text), (0, false), "{text}");
        }
    }

    #[test]
    fn likely_mistakes_do() {
        for text in [
            "fill(I, height(I), ofcolor(I, FIVE))",
            "fill(I, 11, ofcolor(I, FIVE))",
            "subgrid(argmax(objects(I, T, F, T), dneighbors), I)",
            "fill(I, TWO, objects(I, T, F, T))",
            "paint(I, ofcolor(I, ONE))",
        ] {
            assert!(verdict(text).0 > 0, "{text}");
        }
        assert!(verdict("fill(ONE, TWO, I)").1);
    }
}
