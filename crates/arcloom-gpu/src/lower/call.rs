//! Calls: of primitives that the device has, of known functions, and loops.

use std::collections::BTreeSet;
use std::rc::Rc;

use arcloom_dsl::Registry;
use arcloom_value::func::{CodeStep, Slot};
use arcloom_value::{Closure, Code, PrimId, Value};
use triomphe::Arc;

use super::{Emitter, Reason};
use crate::table::{self, control};

/// A value while lowering.
#[derive(Debug, Clone)]
pub(super) enum Arg {
    /// It will be in this register.
    Reg(u32),
    /// It is known; it may be a function.
    Const(Value),
    /// A function.
    Fun(Rc<Fun>),
}

/// A function whose parts are known, or will be in registers.
#[derive(Debug)]
pub(super) enum Fun {
    Prim(PrimId),
    Compose(Arg, Arg),
    Chain(Arg, Arg, Arg),
    Fork(Arg, Arg, Arg),
    Matcher(Arg, Arg),
    RBind(Arg, Arg, u8),
    LBind(Arg, Arg, u8),
    Power(Arg, u32),
    Lambda(Arc<Code>, Vec<Arg>),
    /// One of two functions, by what is in a register.
    Branch(u32, Arg, Arg),
}

/// What a loop does with what its body comes to: `Y_..` of the kernel text.
#[derive(Clone, Copy)]
enum Yield {
    Apply = 0,
    Filter = 1,
    ArgMax = 2,
    ArgMin = 3,
    Extract = 4,
    Order = 5,
}

/// What is made of it in the end: `D_..` of the kernel text.
#[derive(Clone, Copy)]
enum Done {
    Same = 0,
    Merge = 1,
    Item = 2,
    Key = 3,
    Sorted = 4,
    Raw = 5,
    Tuple = 6,
    MergeTuple = 7,
    MergeSet = 8,
}

/// Largest exponent of a function that is written out.
const MOST_TIMES: u32 = 64;

impl Emitter<'_> {
    /// Call of a primitive.
    pub(super) fn primitive(&mut self, id: PrimId, args: &[Arg]) -> Result<Arg, Reason> {
        let primitive = Registry::get().primitive(id);
        if args.len() != primitive.arity() {
            return Err(Reason::Function);
        }
        let fun = |fun: Fun| Ok(Arg::Fun(Rc::new(fun)));
        match (primitive.name, args) {
            ("compose", [f, g]) => fun(Fun::Compose(f.clone(), g.clone())),
            ("chain", [h, g, f]) => fun(Fun::Chain(h.clone(), g.clone(), f.clone())),
            ("fork", [o, a, b]) => fun(Fun::Fork(o.clone(), a.clone(), b.clone())),
            ("matcher", [f, target]) => fun(Fun::Matcher(f.clone(), target.clone())),
            ("rbind", [f, fixed]) => {
                let of = function(f)?;
                let open = open_after_fixing(&of);
                fun(Fun::RBind(f.clone(), fixed.clone(), open))
            }
            ("lbind", [f, fixed]) => {
                let of = function(f)?;
                let open = open_after_fixing(&of);
                fun(Fun::LBind(f.clone(), fixed.clone(), open))
            }
            ("power", [f, Arg::Const(Value::Int(n))]) => match u32::try_from(*n) {
                Ok(1) => Ok(f.clone()),
                Ok(n) if n > 1 => fun(Fun::Power(f.clone(), n)),
                _ => Err(Reason::Function),
            },
            ("power", _) => Err(Reason::Function),
            ("identity", [Arg::Fun(f)]) => Ok(Arg::Fun(f.clone())),
            ("branch", [condition, a, b]) if is_function(a) && is_function(b) => {
                let condition = self.value(condition)?;
                fun(Fun::Branch(condition, a.clone(), b.clone()))
            }
            ("apply", [f, c]) => self.each(f, c, Yield::Apply, Done::Same),
            ("mapply", [f, c]) => self.each(f, c, Yield::Apply, Done::Merge),
            ("sfilter", [c, f]) => self.each(f, c, Yield::Filter, Done::Same),
            ("mfilter", [c, f]) => {
                let kept = self.each(f, c, Yield::Filter, Done::Same)?;
                self.named("merge", &[kept])
            }
            ("extract", [c, f]) => self.each(f, c, Yield::Extract, Done::Item),
            ("argmax", [c, f]) => self.each(f, c, Yield::ArgMax, Done::Item),
            ("argmin", [c, f]) => self.each(f, c, Yield::ArgMin, Done::Item),
            ("valmax", [c, f]) => self.each(f, c, Yield::ArgMax, Done::Key),
            ("valmin", [c, f]) => self.each(f, c, Yield::ArgMin, Done::Key),
            ("order", [c, f]) => self.each(f, c, Yield::Order, Done::Sorted),
            ("papply", [f, a, b]) => self.side_by_side(f, a, b, Done::Tuple),
            ("mpapply", [f, a, b]) => self.side_by_side(f, a, b, Done::MergeTuple),
            ("prapply", [f, a, b]) => self.every_pair(f, a, b),
            ("rapply", [functions, x]) => self.every_function(functions, x),
            (name, _) => {
                let (op, _) = table::find(name).ok_or(Reason::Primitive(primitive.name))?;
                let args = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>, _>>()?;
                Ok(Arg::Reg(self.strict(op, &args, 0)?))
            }
        }
    }

    fn named(&mut self, name: &'static str, args: &[Arg]) -> Result<Arg, Reason> {
        let id = Registry::get().find(name).ok_or(Reason::Primitive(name))?;
        self.primitive(id, args)
    }

    /// Call of a function with these arguments.
    pub(super) fn call(&mut self, f: &Arg, args: &[Arg]) -> Result<Arg, Reason> {
        let f = function(f)?;
        let open =
            |open: u8| if usize::from(open) == args.len() { Ok(()) } else { Err(Reason::Function) };
        let one = || if let [x] = args { Ok(x) } else { Err(Reason::Function) };
        match &*f {
            Fun::Prim(id) => self.primitive(*id, args),
            Fun::Compose(outer, inner) => {
                let x = self.call(inner, std::slice::from_ref(one()?))?;
                self.call(outer, &[x])
            }
            Fun::Chain(h, g, f) => {
                let x = self.call(f, std::slice::from_ref(one()?))?;
                let x = self.call(g, &[x])?;
                self.call(h, &[x])
            }
            Fun::Fork(outer, a, b) => {
                let x = std::slice::from_ref(one()?);
                let (a, b) = (self.call(a, x)?, self.call(b, x)?);
                self.call(outer, &[a, b])
            }
            Fun::Matcher(f, target) => {
                let x = self.call(f, std::slice::from_ref(one()?))?;
                self.named("equality", &[x, target.clone()])
            }
            Fun::RBind(f, fixed, n) => {
                open(*n)?;
                let all: Vec<Arg> = args.iter().chain([fixed]).cloned().collect();
                self.call(f, &all)
            }
            Fun::LBind(f, fixed, n) => {
                open(*n)?;
                let all: Vec<Arg> = [fixed].into_iter().chain(args).cloned().collect();
                self.call(f, &all)
            }
            Fun::Power(f, times) => {
                if *times > MOST_TIMES {
                    return Err(Reason::Size);
                }
                let mut x = one()?.clone();
                for _ in 0..*times {
                    x = self.call(f, &[x])?;
                }
                Ok(x)
            }
            Fun::Lambda(code, captures) => {
                let result = self.lambda(code, captures, args)?;
                captures.iter().try_fold(result, |result, capture| self.guard(result, capture))
            }
            Fun::Branch(condition, a, b) => {
                let result = self.either(*condition, a, b, args)?;
                let result = self.guard(result, a)?;
                self.guard(result, b)
            }
        }
    }

    /// The result, failed where something failed that the function holds: it was there, or not,
    /// before the function was called, if it was called at all.
    fn guard(&mut self, result: Arg, f: &Arg) -> Result<Arg, Reason> {
        let Arg::Reg(mut result) = result else { return Ok(result) };
        let mut held = BTreeSet::new();
        registers(f, &mut held);
        for register in held {
            result = self.strict(control("AFTER"), &[register, result], 0)?;
        }
        Ok(Arg::Reg(result))
    }

    /// The body of a `lambda` or helper function.
    fn lambda(&mut self, code: &Code, captures: &[Arg], args: &[Arg]) -> Result<Arg, Reason> {
        if usize::from(code.arity) != args.len() {
            return Err(Reason::Function);
        }
        let mut steps: Vec<Arg> = Vec::with_capacity(code.steps.len());
        let find = |slot: &Slot, steps: &[Arg]| -> Result<Arg, Reason> {
            let found = match *slot {
                Slot::Param(n) => args.get(usize::from(n)).cloned(),
                Slot::Capture(n) => captures.get(usize::from(n)).cloned(),
                Slot::Const(n) => code.constants.get(usize::from(n)).cloned().map(Arg::Const),
                Slot::Step(n) => steps.get(n as usize).cloned(),
            };
            found.ok_or(Reason::Function)
        };
        for step in &code.steps {
            let all = |slots: &[Slot]| -> Result<Vec<Arg>, Reason> {
                slots.iter().map(|slot| find(slot, &steps)).collect()
            };
            let value = match step {
                CodeStep::Call(id, slots) => {
                    let args = all(slots)?;
                    self.primitive(*id, &args)?
                }
                CodeStep::Apply(f, slots) => {
                    let (f, args) = (find(f, &steps)?, all(slots)?);
                    self.call(&f, &args)?
                }
                CodeStep::Tuple(slots) => {
                    let args = all(slots)?;
                    self.list(&args, "LIST_TUPLE")?
                }
                CodeStep::Set(slots) => {
                    let args = all(slots)?;
                    self.list(&args, "LIST_SET")?
                }
                CodeStep::Lambda(code, slots) => {
                    Arg::Fun(Rc::new(Fun::Lambda(code.clone(), all(slots)?)))
                }
            };
            steps.push(value);
        }
        find(&code.result, &steps)
    }

    /// Call of one of two functions; the other one is not called.
    fn either(&mut self, condition: u32, a: &Arg, b: &Arg, args: &[Arg]) -> Result<Arg, Reason> {
        let (otherwise, end) = (self.label(), self.label());
        let result = self.register();
        self.step("UNLESS", 0, &[condition], otherwise);
        let yes = self.call(a, args)?;
        let yes = self.value(&yes)?;
        self.step("COPY", result, &[yes], 0);
        self.step("JUMP", 0, &[], end);
        self.place(otherwise);
        let no = self.call(b, args)?;
        let no = self.value(&no)?;
        self.step("COPY", result, &[no], 0);
        self.place(end);
        // A condition that failed fails the whole.
        Ok(Arg::Reg(self.strict(control("AFTER"), &[condition, result], 0)?))
    }

    /// Begins a loop over a container, with room for so many results per element.
    fn begin_loop(&mut self, container: u32, each: i32) -> Result<u32, Reason> {
        // What a loop may cost is counted from the first loop of a node on.
        let count = if std::mem::replace(&mut self.looped, true) { 0 } else { 16 };
        self.strict(control("ITER"), &[container], each + count)
    }

    /// A function on every element of a container.
    fn each(&mut self, f: &Arg, container: &Arg, what: Yield, how: Done) -> Result<Arg, Reason> {
        let container = self.value(container)?;
        let each = if matches!(what, Yield::Order) { 2 } else { 1 };
        let iter = self.begin_loop(container, each)?;
        let (next, end) = (self.label(), self.label());
        let element = self.register();
        self.place(next);
        self.step("NEXT", element, &[iter], end);
        self.depth += 1;
        let value = self.call(f, &[Arg::Reg(element)])?;
        self.depth -= 1;
        let value = self.value(&value)?;
        self.step("YIELD", 0, &[iter, value], what as i32);
        self.step("JUMP", 0, &[], next);
        self.place(end);
        let result = self.done(iter, how)?;
        self.guard(result, f)
    }

    fn done(&mut self, iter: u32, how: Done) -> Result<Arg, Reason> {
        let result = self.register();
        self.step("DONE", result, &[iter], how as i32);
        Ok(Arg::Reg(result))
    }

    /// A function on the elements of two containers side by side.
    fn side_by_side(&mut self, f: &Arg, a: &Arg, b: &Arg, how: Done) -> Result<Arg, Reason> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (first, second) = (self.begin_loop(a, 1)?, self.begin_loop(b, 1)?);
        self.step("LEAST", 0, &[first, second], 0);
        let (next, end) = (self.label(), self.label());
        let (x, y) = (self.register(), self.register());
        self.place(next);
        self.step("NEXT", x, &[first], end);
        self.step("LOAD", y, &[second, first], 0);
        let value = self.call(f, &[Arg::Reg(x), Arg::Reg(y)])?;
        let value = self.value(&value)?;
        self.step("YIELD", 0, &[first, value], Yield::Apply as i32);
        self.step("JUMP", 0, &[], next);
        self.place(end);
        let result = self.done(first, how)?;
        self.guard(result, f)
    }

    /// A function on every element of one container with every element of another.
    fn every_pair(&mut self, f: &Arg, a: &Arg, b: &Arg) -> Result<Arg, Reason> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let outer = self.begin_loop(b, 1)?;
        let (next, end) = (self.label(), self.label());
        let y = self.register();
        self.place(next);
        self.step("NEXT", y, &[outer], end);
        let inner = self.begin_loop(a, 1)?;
        let (inner_next, inner_end) = (self.label(), self.label());
        let x = self.register();
        self.place(inner_next);
        self.step("NEXT", x, &[inner], inner_end);
        let value = self.call(f, &[Arg::Reg(x), Arg::Reg(y)])?;
        let value = self.value(&value)?;
        self.step("YIELD", 0, &[inner, value], Yield::Apply as i32);
        self.step("JUMP", 0, &[], inner_next);
        self.place(inner_end);
        let row = self.done(inner, Done::Raw)?;
        let row = self.value(&row)?;
        self.step("YIELD", 0, &[outer, row], Yield::Apply as i32);
        self.step("JUMP", 0, &[], next);
        self.place(end);
        let result = self.done(outer, Done::MergeSet)?;
        // A container that is not looked at may have failed all the same.
        let result = self.guard(result, &Arg::Reg(a))?;
        self.guard(result, f)
    }

    /// Every function of a known container on a value.
    fn every_function(&mut self, functions: &Arg, x: &Arg) -> Result<Arg, Reason> {
        let Arg::Const(functions) = functions else { return Err(Reason::Function) };
        let items = functions.iter().ok_or(Reason::Function)?;
        let values = items
            .map(|f| self.call(&Arg::Const(f), std::slice::from_ref(x)))
            .collect::<Result<Vec<_>, _>>()?;
        self.list(&values, if functions.is_set() { "LIST_SET" } else { "LIST_TUPLE" })
    }
}

/// The registers that a value is made of.
fn registers(arg: &Arg, held: &mut BTreeSet<u32>) {
    match arg {
        Arg::Reg(register) => {
            held.insert(*register);
        }
        Arg::Const(_) => {}
        Arg::Fun(f) => match &**f {
            Fun::Prim(_) => {}
            Fun::Compose(a, b) | Fun::Matcher(a, b) | Fun::RBind(a, b, _) | Fun::LBind(a, b, _) => {
                [a, b].into_iter().for_each(|part| registers(part, held))
            }
            Fun::Chain(a, b, c) | Fun::Fork(a, b, c) => {
                [a, b, c].into_iter().for_each(|part| registers(part, held));
            }
            Fun::Power(f, _) => registers(f, held),
            Fun::Lambda(_, captures) => captures.iter().for_each(|part| registers(part, held)),
            Fun::Branch(condition, a, b) => {
                held.insert(*condition);
                [a, b].into_iter().for_each(|part| registers(part, held));
            }
        },
    }
}

fn is_function(arg: &Arg) -> bool {
    match arg {
        Arg::Fun(_) => true,
        Arg::Const(value) => value.is_function(),
        Arg::Reg(_) => false,
    }
}

/// What a value is as a function.
fn function(arg: &Arg) -> Result<Rc<Fun>, Reason> {
    let value = match arg {
        Arg::Fun(f) => return Ok(f.clone()),
        Arg::Const(value) => value,
        Arg::Reg(_) => return Err(Reason::Function),
    };
    let part = |value: &Value| Arg::Const(value.clone());
    let fun = match value {
        Value::Prim(id) => Fun::Prim(*id),
        Value::Closure(closure) => match closure.closure() {
            Closure::Compose(f, g) => Fun::Compose(part(f), part(g)),
            Closure::Chain(h, g, f) => Fun::Chain(part(h), part(g), part(f)),
            Closure::Fork(o, a, b) => Fun::Fork(part(o), part(a), part(b)),
            Closure::Matcher(f, target) => Fun::Matcher(part(f), part(target)),
            Closure::RBind(f, fixed, open) => Fun::RBind(part(f), part(fixed), *open),
            Closure::LBind(f, fixed, open) => Fun::LBind(part(f), part(fixed), *open),
            Closure::Power(f, n) => Fun::Power(part(f), *n),
            Closure::Lambda(code, captures) => {
                Fun::Lambda(code.clone(), captures.iter().map(part).collect())
            }
            Closure::Foreign(_) => return Err(Reason::Foreign),
        },
        _ => return Err(Reason::Function),
    };
    Ok(Rc::new(fun))
}

/// How many arguments stay open when one is fixed: as `rbind` and `lbind` have it.
fn open_after_fixing(f: &Fun) -> u8 {
    let arity = match f {
        Fun::Prim(id) => Registry::get().primitive(*id).arity(),
        Fun::RBind(_, _, open) | Fun::LBind(_, _, open) => usize::from(*open),
        Fun::Lambda(code, _) => usize::from(code.arity),
        Fun::Branch(_, a, _) => function(a).map_or(1, |f| usize::from(open_after_fixing(&f)) + 1),
        _ => 1,
    };
    match arity {
        2 => 1,
        3 => 2,
        _ => 3,
    }
}
