//! The text a program's identity is taken from.
//!
//! Ids are stored, so nothing here may depend on the build: primitives are written by name, also
//! inside functions. Everything counts that the program's outcome can depend on, so programs with
//! different functions never have one id.

use std::fmt::Write as _;

use arcloom_dsl::Registry;
use arcloom_value::{Closure, Code, CodeStep, PrimId, Slot, Value};

use crate::node::Op;
use crate::program::Program;

/// One line per node in canonical order: its number, its operation, the numbers of its arguments.
pub fn canonical(program: &Program) -> String {
    let mut out = String::new();
    for (n, node) in program.nodes().iter().enumerate() {
        let _ = write!(out, "{n} = ");
        match &node.op {
            Op::Input => out.push('I'),
            Op::Samples => out.push('S'),
            Op::Expected => out.push('C'),
            Op::Const(constant) => value(constant, &mut out),
            Op::Param(p) => {
                let _ = write!(out, "p{p}");
            }
            Op::Call(id) => out.push_str(name(*id)),
            Op::Apply => out.push_str("call"),
            Op::Tuple => out.push_str("tuple"),
            Op::Set => out.push_str("set"),
            Op::Lambda(body) => code(&body.0, &mut out),
        }
        for arg in &node.args {
            let _ = write!(out, " {}", arg.0);
        }
        out.push('\n');
    }
    out
}

fn name(id: PrimId) -> &'static str {
    Registry::get().primitive(id).name
}

/// As [`Value::show`] has it, except that a `lambda` is written with its code.
fn value(shown: &Value, out: &mut String) {
    match shown {
        Value::Closure(function) => match function.closure() {
            Closure::Lambda(body, captured) => {
                code(body, out);
                list(captured, "(", ")", out);
            }
            Closure::Foreign(function) => out.push_str(function.name()),
            closure => {
                let (name, extra) = match closure {
                    Closure::Compose(..) => ("compose(", None),
                    Closure::Chain(..) => ("chain(", None),
                    Closure::Fork(..) => ("fork(", None),
                    Closure::Matcher(..) => ("matcher(", None),
                    Closure::RBind(..) => ("rbind(", None),
                    Closure::LBind(..) => ("lbind(", None),
                    Closure::Power(_, n) => ("power(", Some(Value::Int(i64::from(*n)))),
                    Closure::Lambda(..) | Closure::Foreign(_) => ("", None),
                };
                let parts: Vec<Value> = closure.parts().into_iter().cloned().chain(extra).collect();
                list(&parts, name, ")", out);
            }
        },
        Value::Tuple(items) => {
            let end = if items.items().len() == 1 { ",)" } else { ")" };
            list(items.items(), "(", end, out);
        }
        Value::Set(items) if items.items().is_empty() => out.push_str("frozenset()"),
        Value::Set(items) => list(items.items(), "frozenset({", "})", out),
        // The rest holds no function of its own.
        plain => {
            let _ = write!(out, "{}", plain.show(&name));
        }
    }
}

fn list(items: &[Value], begin: &str, end: &str, out: &mut String) {
    out.push_str(begin);
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.push_str(", ");
        }
        value(item, out);
    }
    out.push_str(end);
}

fn code(code: &Code, out: &mut String) {
    let _ = write!(out, "lambda {} ", code.arity);
    list(&code.constants, "[", "]", out);
    for step in &code.steps {
        let (head, first, rest) = match step {
            CodeStep::Call(id, args) => (name(*id), None, args),
            CodeStep::Apply(function, args) => ("call", Some(function), args),
            CodeStep::Tuple(args) => ("tuple", None, args),
            CodeStep::Set(args) => ("set", None, args),
            CodeStep::Lambda(_, args) => ("", None, args),
        };
        out.push_str("; ");
        out.push_str(head);
        if let CodeStep::Lambda(inner, _) = step {
            out.push('{');
            self::code(inner, out);
            out.push('}');
        }
        first.into_iter().chain(rest).for_each(|slot| {
            out.push(' ');
            self::slot(*slot, out);
        });
    }
    out.push_str("; ");
    slot(code.result, out);
}

fn slot(slot: Slot, out: &mut String) {
    let _ = match slot {
        Slot::Param(n) => write!(out, "p{n}"),
        Slot::Capture(n) => write!(out, "c{n}"),
        Slot::Const(n) => write!(out, "k{n}"),
        Slot::Step(n) => write!(out, "s{n}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_snippet;

    fn text(lines: &str) -> String {
        canonical(&load_snippet(lines).unwrap().0)
    }

    /// Ids of programs without functions of their own are in archives already.
    #[test]
    fn the_form_is_fixed() {
        let lines =
            "x1 = rbind(add, 1)\nx2 = crop(I, (2,), frozenset({1, (2, 3)}))\nO = apply(x1, x2)";
        let expected = "0 = add\n1 = 1\n2 = rbind 0 1\n3 = I\n4 = (2,)\n5 = frozenset({1, (2, 3)})\n\
                        6 = crop 3 4 5\n7 = apply 2 6\n";
        assert_eq!(text(lines), expected);
    }

    #[test]
    fn functions_of_different_code_differ() {
        let programs = [
            "O = apply(lambda a: rot90(a), I)",
            "O = apply(lambda a: hmirror(a), I)",
            "O = apply(lambda a: apply(hmirror, a), I)",
            "O = apply(lambda a: apply(rot90, a), I)",
            "O = apply(lambda a: add(a, 1), I)",
            "O = apply(lambda a: add(a, 2), I)",
            "O = apply(lambda a: hconcat(a, I), I)",
            "O = apply(lambda a: hconcat(I, a), I)",
            "O = apply(lambda a: apply(lambda b: hconcat(b, a), I), I)",
            "O = apply(lambda a: apply(lambda b: vconcat(b, a), I), I)",
            "O = apply((lambda a: rot90(a), lambda a: hmirror(a)), I)",
            "O = apply((lambda a: hmirror(a), lambda a: rot90(a)), I)",
        ];
        for (n, one) in programs.iter().enumerate() {
            for other in &programs[n + 1..] {
                assert_ne!(text(one), text(other), "{one} {other}");
            }
        }
        assert!(!text(programs[6]).contains("PrimId"));
    }
}
