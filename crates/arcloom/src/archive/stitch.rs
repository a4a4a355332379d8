//! Programs as s-expressions, the form in which Stitch looks for common parts.
//!
//! `(lam (hmirror (rot90 $0)))`: primitives by name, `$0` is the input grid. A program is a graph and
//! an s-expression a tree, so a step that is used twice is written out twice; binding it to a name
//! would hide from Stitch what programs have in common.

use std::fmt::Write as _;

use arcloom_dsl::Registry;
use arcloom_lang::{NodeId, Op, Program};
use arcloom_value::Value;

/// Most steps of a written-out program: shared steps can double it with every line.
const MOST: u64 = 2_000;

/// Why a program has no such form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unwritten {
    /// Its shared steps make it too long.
    #[error("more than 2,000 steps once shared steps are written out")]
    TooLong,
    /// It has a `lambda` or helper function of its own.
    #[error("functions of their own")]
    Lambda,
    /// It looks at the demo pairs or the expected grid, which the form has no name for.
    #[error("reading S or C")]
    Samples,
}

/// The program as one s-expression.
pub fn print(program: &Program) -> Result<String, Unwritten> {
    // The length first: what is too long is not even begun.
    let mut lengths: Vec<u64> = Vec::new();
    for node in program.nodes() {
        let args = node.args.iter().map(|arg| lengths[arg.index()]);
        lengths.push(args.fold(1, u64::saturating_add));
    }
    if lengths.last().is_some_and(|&length| length > MOST) {
        return Err(Unwritten::TooLong);
    }
    let mut out = String::from("(lam ");
    write_node(program, program.output(), &mut out)?;
    out.push(')');
    Ok(out)
}

/// As deep as the tree, which is no deeper than it is long.
fn write_node(program: &Program, id: NodeId, out: &mut String) -> Result<(), Unwritten> {
    let node = program.node(id);
    let head = match &node.op {
        Op::Input => {
            out.push_str("$0");
            return Ok(());
        }
        Op::Const(value) => return write_value(value, out),
        Op::Samples | Op::Expected | Op::Param(_) => return Err(Unwritten::Samples),
        Op::Lambda(_) => return Err(Unwritten::Lambda),
        Op::Call(prim) => Registry::get().primitive(*prim).name,
        Op::Tuple => "tuple",
        Op::Set => "frozenset",
        // The first argument is the function.
        Op::Apply => "",
    };
    out.push('(');
    out.push_str(head);
    for (n, &arg) in node.args.iter().enumerate() {
        if n > 0 || !head.is_empty() {
            out.push(' ');
        }
        write_node(program, arg, out)?;
    }
    out.push(')');
    Ok(())
}

fn write_value(value: &Value, out: &mut String) -> Result<(), Unwritten> {
    match value {
        Value::None => out.push_str("None"),
        Value::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Prim(id) => out.push_str(Registry::get().primitive(*id).name),
        Value::Closure(_) => return Err(Unwritten::Lambda),
        container => {
            out.push_str(if container.is_set() { "(frozenset" } else { "(tuple" });
            let items: Vec<Value> = container.iter().into_iter().flatten().collect();
            for item in &items {
                out.push(' ');
                write_value(item, out)?;
            }
            out.push(')');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, expected: Result<&str, Unwritten>) {
        let (program, _) = arcloom_lang::load_snippet(lines).unwrap();
        assert_eq!(print(&program).as_deref().map_err(|&e| e), expected, "{lines}");
    }

    #[test]
    fn programs_become_trees() {
        check("O = hmirror(rot90(I))", Ok("(lam (hmirror (rot90 $0)))"));
        check("x1 = rot90(I)\nO = hconcat(x1, x1)", Ok("(lam (hconcat (rot90 $0) (rot90 $0)))"));
        check(
            "x1 = compose(rot90, hmirror)\nx2 = x1(I)\nO = crop(x2, ORIGIN, (2, 3))",
            Ok("(lam (crop ((compose rot90 hmirror) $0) (tuple 0 0) (tuple 2 3)))"),
        );
    }

    #[test]
    fn what_has_no_such_form_says_why() {
        let lines: String =
            (1..20).map(|n| format!("x{n} = hconcat(x{0}, x{0})\n", n - 1)).collect();
        check(&format!("x0 = rot90(I)\n{lines}O = rot90(x19)"), Err(Unwritten::TooLong));
        check("x1 = lambda a: add(a, ONE)\nO = apply(x1, I)", Err(Unwritten::Lambda));
        check("O = first(first(S))", Err(Unwritten::Samples));
    }
}
