//! Types of a program's nodes, and calls that cannot be right for any input.
//!
//! Inference is one forward pass: signatures are matched against the types of the arguments, type
//! variables are bound as they are met, and what is not known is `Any`. It never rejects a program;
//! where an argument's type and the wanted one share no value, it says so.

use arcloom_dsl::Registry;
use arcloom_value::{PrimId, Role, Sig, Ty, Value};
use smallvec::SmallVec;

use crate::error::NoteKind;
use crate::node::{NodeId, Op};
use crate::program::Program;

/// The type of every node.
pub fn types(program: &Program) -> Vec<Ty> {
    infer(program, None)
}

/// Calls that fail on every input, with the node they stand at.
pub fn warnings(program: &Program) -> Vec<(NodeId, NoteKind)> {
    let mut found = Vec::new();
    infer(program, Some(&mut |node, kind| found.push((node, kind))));
    found
}

/// Types of all nodes; whoever wants warnings hears of them.
fn infer(program: &Program, mut warn: Option<&mut dyn FnMut(NodeId, NoteKind)>) -> Vec<Ty> {
    let mut types: Vec<Ty> = Vec::with_capacity(program.nodes().len());
    for (n, node) in program.nodes().iter().enumerate() {
        let args: SmallVec<[&Ty; 4]> = node.args.iter().map(|a| &types[a.index()]).collect();
        let ty = node_type(&node.op, &args);
        if let Some(warn) = &mut warn {
            check(&node.op, &args, &mut |kind| warn(NodeId(n as u32), kind));
        }
        drop(args);
        types.push(ty);
    }
    types
}

/// The type of a node with arguments of these types.
pub fn node_type(op: &Op, args: &[&Ty]) -> Ty {
    match op {
        Op::Input => Ty::Grid,
        Op::Samples => Ty::samples(),
        Op::Expected | Op::Param(_) => Ty::Any,
        Op::Const(value) => type_of(value),
        Op::Call(prim) => call_result(*prim, args),
        Op::Apply => match args.split_first() {
            Some((Ty::Fn(params, ret), given)) if params.len() == given.len() => {
                let sig = Sig { params: params.clone(), ret: (**ret).clone(), bounds: Vec::new() };
                call_type(&sig, given)
            }
            _ => Ty::Any,
        },
        Op::Tuple => tuple_type(args),
        Op::Set => set_of(join_all(args)),
        Op::Lambda(body) => Ty::Fn(vec![Ty::Any; usize::from(body.0.arity)], Box::new(Ty::Any)),
    }
}

/// Says what can never be right about the arguments of a node.
fn check(op: &Op, args: &[&Ty], warn: &mut dyn FnMut(NoteKind)) {
    let registry = Registry::get();
    match op {
        Op::Call(prim) if special_type(registry, *prim, args).is_none() => {
            let sig = registry.sig(*prim);
            for (index, (param, arg)) in sig.params.iter().zip(args).enumerate() {
                let wanted = resolve(param, sig, &[]);
                if !wanted.accepts(arg) {
                    let prim = registry.primitive(*prim).name;
                    let (found, wanted) = (arg.to_string(), wanted.to_string());
                    warn(NoteKind::NeverRight { prim, index, found, wanted });
                }
            }
        }
        Op::Apply => {
            if let Some(callee) = args.first().filter(|ty| !matches!(ty, Ty::Fn(..) | Ty::Any)) {
                warn(NoteKind::NeverCallable(callee.to_string()));
            }
        }
        _ => {}
    }
}

fn tuple_type(items: &[&Ty]) -> Ty {
    match items {
        [Ty::Int(_), Ty::Int(_)] => Ty::Pair,
        [Ty::Int(_), Ty::Pair] => Ty::Cell,
        [Ty::Grid, Ty::Pair] => Ty::Sheet,
        items => Ty::Tuple(Box::new(join_all(items))),
    }
}

fn join_all(types: &[&Ty]) -> Ty {
    match types.split_first() {
        Some((first, rest)) => rest.iter().fold((*first).clone(), |ty, t| ty.join(t)),
        None => Ty::Any,
    }
}

fn set_of(item: Ty) -> Ty {
    match item {
        Ty::Pair => Ty::Indices,
        Ty::Cell => Ty::Object,
        item => Ty::Set(Box::new(item)),
    }
}

/// The type of a value that is written down.
pub fn type_of(value: &Value) -> Ty {
    match value {
        Value::None => Ty::Any,
        Value::Int(_) => Ty::INT,
        Value::Pair(..) => Ty::Pair,
        Value::Cell(..) => Ty::Cell,
        Value::Grid(_) => Ty::Grid,
        Value::Patch(patch) => {
            if patch.is_object() {
                Ty::Object
            } else {
                Ty::Indices
            }
        }
        Value::Tuple(seq) => Ty::Tuple(Box::new(items_type(seq.items()))),
        Value::Set(seq) => Ty::Set(Box::new(items_type(seq.items()))),
        Value::Prim(id) => prim_type(*id),
        Value::Closure(_) => Ty::Any,
    }
}

fn items_type(items: &[Value]) -> Ty {
    let types: Vec<Ty> = items.iter().take(64).map(type_of).collect();
    join_all(&types.iter().collect::<Vec<_>>())
}

/// A primitive as a function type; its type variables become what bounds them.
fn prim_type(id: PrimId) -> Ty {
    let sig = Registry::get().sig(id);
    let vars: Vec<Option<Ty>> = Vec::new();
    let params = sig.params.iter().map(|p| resolve(p, sig, &vars)).collect();
    Ty::Fn(params, Box::new(resolve(&sig.ret, sig, &vars)))
}

/// The type of a call of this primitive with arguments of these types.
pub fn call_result(prim: PrimId, args: &[&Ty]) -> Ty {
    let registry = Registry::get();
    special_type(registry, prim, args).unwrap_or_else(|| call_type(registry.sig(prim), args))
}

/// Types that a signature cannot say: `astuple` of integers is a pair, and what `rbind` and `lbind`
/// give depends on how many parameters the function has.
fn special_type(registry: &Registry, prim: PrimId, args: &[&Ty]) -> Option<Ty> {
    let known = registry.known();
    if prim == known.astuple {
        return Some(tuple_type(args));
    }
    if prim != known.rbind && prim != known.lbind {
        return None;
    }
    let Ty::Fn(params, ret) = args.first()? else { return None };
    let open = match params.len() {
        2..=4 if prim == known.rbind => params[..params.len() - 1].to_vec(),
        2..=4 => params[1..].to_vec(),
        _ => vec![Ty::Any; 3],
    };
    Some(Ty::Fn(open, ret.clone()))
}

/// The result of a call.
fn call_type(sig: &Sig, args: &[&Ty]) -> Ty {
    let mut vars: Vec<Option<Ty>> = vec![None; sig.bounds.len()];
    let has_vars = !vars.is_empty();
    for (param, arg) in sig.params.iter().zip(args).filter(|_| has_vars) {
        bind(param, arg, &mut vars);
    }
    // What is in a container that a variable stands for: the `b` of `a: Container<b>`.
    for (v, bound) in sig.bounds.iter().enumerate() {
        if let (Ty::Tuple(_) | Ty::Set(_) | Ty::Container(_), Some(ty)) = (bound, vars[v].clone()) {
            bind(bound, &ty, &mut vars);
        }
    }
    match resolve(&sig.ret, sig, &vars) {
        Ty::Num => number_type(args),
        ty => ty,
    }
}

/// What arithmetic gives: an integer from integers, a pair as soon as there is one.
fn number_type(args: &[&Ty]) -> Ty {
    if args.iter().any(|ty| **ty == Ty::Pair) {
        Ty::Pair
    } else if args.iter().all(|ty| matches!(ty, Ty::Int(_))) {
        Ty::INT
    } else {
        Ty::Num
    }
}

/// Binds the type variables of `param` to what `arg` has in their place.
fn bind(param: &Ty, arg: &Ty, vars: &mut [Option<Ty>]) {
    match (param, arg) {
        (Ty::Var(v), arg) => {
            if let Some(slot) = vars.get_mut(usize::from(*v)) {
                *slot = Some(match slot.take() {
                    Some(old) if old != Ty::Any => old.join(arg),
                    _ => arg.clone(),
                });
            }
        }
        (Ty::Fn(params, ret), Ty::Fn(given, result)) => {
            // What a function can take says less than what it is given elsewhere.
            for (param, given) in params.iter().zip(given) {
                let mut own = vec![None; vars.len()];
                bind(param, given, &mut own);
                vars.iter_mut().zip(own).filter(|(v, _)| v.is_none()).for_each(|(v, o)| *v = o);
            }
            bind(ret, result, vars);
        }
        (Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item), arg) => {
            // What is in the container is known better than what the function asks for.
            let found = arg.element();
            if let (Ty::Var(v), false) = (&**item, found == Ty::Any) {
                if let Some(slot) = vars.get_mut(usize::from(*v)) {
                    *slot = Some(found);
                }
            } else {
                bind(item, &found, vars);
            }
        }
        _ => {}
    }
}

/// A type of a signature with its variables replaced; containers of cells become objects.
fn resolve(ty: &Ty, sig: &Sig, vars: &[Option<Ty>]) -> Ty {
    match ty {
        Ty::Var(v) => {
            let bound = || sig.bounds.get(usize::from(*v)).cloned().unwrap_or(Ty::Any);
            vars.get(usize::from(*v))
                .cloned()
                .flatten()
                .filter(|t| *t != Ty::Any)
                .unwrap_or_else(bound)
        }
        Ty::Tuple(item) => Ty::Tuple(Box::new(resolve(item, sig, vars))),
        Ty::Set(item) => set_of(resolve(item, sig, vars)),
        Ty::Container(item) => Ty::Container(Box::new(resolve(item, sig, vars))),
        Ty::Fn(params, ret) => Ty::Fn(
            params.iter().map(|p| resolve(p, sig, vars)).collect(),
            Box::new(resolve(ret, sig, vars)),
        ),
        other => other.clone(),
    }
}

/// The role in which a node's value is used as argument `index` of a primitive.
pub fn role(prim: PrimId, index: usize) -> Option<Role> {
    match Registry::get().sig(prim).params.get(index) {
        Some(Ty::Int(role)) => Some(*role),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::load_snippet;

    /// The type of the result.
    fn check(text: &str, wanted: &str) {
        let (program, _) = load_snippet(text).unwrap();
        let found = types(&program).pop().unwrap();
        assert_eq!(found.to_string(), wanted, "{text}");
    }

    #[test]
    fn what_is_in_containers_of_containers_is_known() {
        check("merge(objects(I, T, F, T))", "Container<Cell>");
        check("mapply(outbox, objects(I, T, F, T))", "Container<Pair>");
        check("mfilter(objects(I, T, F, T), hline)", "Container<Cell>");
        check("sfilter(objects(I, T, F, T), hline)", "Objects");
    }

    #[test]
    fn arithmetic_gives_integers_or_pairs() {
        check("add(height(I), ONE)", "Int");
        check("add(shape(I), ONE)", "Pair");
        check("double(shape(I))", "Pair");
        check("divide(first(I), TWO)", "Num");
    }
}
