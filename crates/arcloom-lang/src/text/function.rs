//! Function values as text: calls that build them, `lambda`s, and helpers.

use crate::syntax::{Assign, ExprId, FunctionBody, FunctionDef, Span};
use arcloom_dsl::Registry;
use arcloom_dsl::words::{self, Word};
use arcloom_value::{Closure, Code, CodeStep, PrimId, Role, Slot};

use super::Printer;
use crate::infer;

impl<'n> Printer<'n> {
    pub(super) fn closure(&mut self, closure: &Closure) -> ExprId {
        let (name, extra) = match closure {
            Closure::Compose(..) => ("compose", None),
            Closure::Chain(..) => ("chain", None),
            Closure::Fork(..) => ("fork", None),
            Closure::Matcher(..) => ("matcher", None),
            Closure::RBind(..) => ("rbind", None),
            Closure::LBind(..) => ("lbind", None),
            Closure::Power(_, n) => ("power", Some(*n)),
            Closure::Foreign(function) => return self.ast.name(function.name()),
            Closure::Lambda(code, captures) if captures.is_empty() && has_shared_steps(code) => {
                return self.helper(code);
            }
            Closure::Lambda(code, captures) => {
                let captures: Vec<ExprId> =
                    captures.iter().map(|c| self.constant(c, None)).collect();
                return self.lambda(code, &captures, 0);
            }
        };
        let mut args: Vec<ExprId> =
            closure.parts().into_iter().map(|part| self.constant(part, None)).collect();
        args.extend(extra.map(|n| self.ast.int(n.into())));
        let callee = self.ast.name(name);
        self.ast.call(callee, &args, &[])
    }

    /// A function value as `lambda`. `depth` counts the parameters of the functions around it.
    pub(super) fn lambda(&mut self, code: &Code, captures: &[ExprId], depth: usize) -> ExprId {
        let params: Vec<&'n str> = self.params(depth, code);
        let (_, result) = self.code(code, &params, captures, depth, false);
        self.ast.lambda(&params, result)
    }

    /// A function value as a `def` of its own, where a `lambda` would repeat shared steps.
    fn helper(&mut self, code: &Code) -> ExprId {
        let name: &'n str = &self.names.helpers[self.helpers.len() + 1];
        let params = self.params(0, code);
        let (lines, result) = self.code(code, &params, &[], 0, true);
        self.helpers.push(FunctionDef {
            name: name.into(),
            params: params.iter().map(|&p| p.into()).collect(),
            body: FunctionBody { lines, result },
            span: Span::default(),
        });
        self.ast.name(name)
    }

    fn params(&self, depth: usize, code: &Code) -> Vec<&'n str> {
        let last = self.names.params.len() - 1;
        (0..usize::from(code.arity))
            .map(|n| self.names.params[(depth + n).min(last)].as_str())
            .collect()
    }

    fn code(
        &mut self,
        code: &Code,
        params: &[&'n str],
        captures: &[ExprId],
        depth: usize,
        as_lines: bool,
    ) -> (Vec<Assign<'n>>, ExprId) {
        let mut done: Vec<ExprId> = Vec::new();
        let mut lines = Vec::new();
        for (n, step) in code.steps.iter().enumerate() {
            let find = |this: &mut Self, slot: &Slot, role: Option<Role>| match *slot {
                Slot::Param(p) => this.ast.name(params[usize::from(p)]),
                Slot::Capture(c) => captures[usize::from(c)],
                Slot::Const(c) => this.constant(&code.constants[usize::from(c)], role),
                Slot::Step(s) => done[s as usize],
            };
            let expr = match step {
                CodeStep::Call(id, slots) => {
                    let args: Vec<ExprId> = slots
                        .iter()
                        .enumerate()
                        .map(|(k, slot)| match spoken(*id, k, slot, code) {
                            Some(word) => self.word(&word),
                            None => find(self, slot, infer::role(*id, k)),
                        })
                        .collect();
                    let callee = self.ast.name(Registry::get().primitive(*id).name);
                    self.ast.call(callee, &args, &[])
                }
                CodeStep::Apply(f, slots) => {
                    let callee = find(self, f, None);
                    let args: Vec<ExprId> = slots.iter().map(|s| find(self, s, None)).collect();
                    self.ast.call(callee, &args, &[])
                }
                CodeStep::Tuple(slots) => {
                    let items: Vec<ExprId> = slots.iter().map(|s| find(self, s, None)).collect();
                    self.ast.tuple(&items)
                }
                CodeStep::Set(slots) => {
                    let items: Vec<ExprId> = slots.iter().map(|s| find(self, s, None)).collect();
                    self.set(&items)
                }
                CodeStep::Lambda(inner, slots) => {
                    let items: Vec<ExprId> = slots.iter().map(|s| find(self, s, None)).collect();
                    self.lambda(inner, &items, depth + usize::from(code.arity))
                }
            };
            if as_lines {
                let last = self.names.variables.len() - 1;
                let name: &'n str = &self.names.variables[(n + 1).min(last)];
                lines.push(Assign { target: name.into(), value: expr });
                done.push(self.ast.name(name));
            } else {
                done.push(expr);
            }
        }
        let result = match code.result {
            Slot::Param(p) => self.ast.name(params[usize::from(p)]),
            Slot::Capture(c) => captures[usize::from(c)],
            Slot::Const(c) => self.constant(&code.constants[usize::from(c)], None),
            Slot::Step(s) => done[s as usize],
        };
        (lines, result)
    }
}

/// The words in which argument `index` of a call is written, if it is a rule or the like.
pub(super) fn spoken(prim: PrimId, index: usize, slot: &Slot, code: &Code) -> Option<Word> {
    match slot {
        Slot::Const(c) => words::spoken(prim, index, &code.constants[usize::from(*c)]),
        _ => None,
    }
}

/// True when some step's result is used twice, so that an expression would repeat it.
fn has_shared_steps(code: &Code) -> bool {
    let mut uses = vec![0; code.steps.len()];
    let mut count = |slot: &Slot| {
        if let Slot::Step(s) = slot {
            uses[*s as usize] += 1;
        }
    };
    for step in &code.steps {
        match step {
            CodeStep::Apply(f, slots) => {
                count(f);
                slots.iter().for_each(&mut count);
            }
            CodeStep::Call(_, slots)
            | CodeStep::Tuple(slots)
            | CodeStep::Set(slots)
            | CodeStep::Lambda(_, slots) => slots.iter().for_each(&mut count),
        }
    }
    uses.iter().any(|&u| u > 1)
}
