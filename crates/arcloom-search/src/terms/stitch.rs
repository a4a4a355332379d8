//! Fragments in the form of Stitch's abstractions: `{"name": "fn_0", "arity": 2, "body": "(fill #0 ..)"}`.
//!
//! Primitives and constants by name or value, holes as `#0`, `#1`. What this engine has no step for,
//! functions written out with `lam` or names it does not know, is left out and counted.

use std::fmt::Write as _;

use arcloom_ir::{Node, NodeId, Op};
use arcloom_prims::{Registry, constants};
use arcloom_value::Value;

use super::fragments::{Fragment, MOST_HOLES};

/// No body is nested deeper.
const DEEPEST: usize = 60;

/// The nodes of a fragment as text.
pub fn body(nodes: &[Node]) -> String {
    let mut text = String::new();
    if let Some(last) = nodes.len().checked_sub(1) {
        write(nodes, last, &mut text);
    }
    text
}

fn write(nodes: &[Node], at: usize, text: &mut String) {
    let node = &nodes[at];
    match &node.op {
        Op::Param(k) => drop_error(write!(text, "#{k}")),
        Op::Const(value) => write_value(value, text),
        Op::Call(prim) => {
            drop_error(write!(text, "({}", Registry::get().primitive(*prim).name));
            for arg in &node.args {
                text.push(' ');
                write(nodes, arg.index(), text);
            }
            text.push(')');
        }
        _ => text.push('?'),
    }
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Int(n) => drop_error(write!(text, "{n}")),
        Value::Prim(prim) => text.push_str(Registry::get().primitive(*prim).name),
        Value::Pair(a, b) => drop_error(write!(text, "(tuple {a} {b})")),
        _ => text.push('?'),
    }
}

/// Writing to a string does not fail.
fn drop_error(_: std::fmt::Result) {}

/// Reads a body; `None` when it is not one that a step can be made of.
pub fn parse(body: &str) -> Option<Fragment> {
    let spaced = body.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace();
    let mut nodes = Vec::new();
    read(tokens.next()?, &mut tokens, &mut nodes, DEEPEST)?;
    tokens.next().is_none().then(|| Fragment::new(nodes)).flatten()
}

fn read<'t>(
    token: &str,
    tokens: &mut impl Iterator<Item = &'t str>,
    nodes: &mut Vec<Node>,
    deep: usize,
) -> Option<NodeId> {
    let registry = Registry::get();
    let node = if token == "(" {
        let deep = deep.checked_sub(1)?;
        let head = tokens.next()?;
        if head == "tuple" {
            let (a, b) = (tokens.next()?.parse().ok()?, tokens.next()?.parse().ok()?);
            (tokens.next()? == ")").then_some(())?;
            Node { op: Op::Const(Value::Pair(a, b)), args: Default::default() }
        } else {
            let mut args = Vec::new();
            loop {
                match tokens.next()? {
                    ")" => break,
                    token => args.push(read(token, tokens, nodes, deep)?),
                }
            }
            let prim = registry.resolve(head)?;
            (registry.primitive(prim).arity() == args.len()).then_some(())?;
            Node { op: Op::Call(prim), args: args.into_iter().collect() }
        }
    } else {
        Node { op: atom(token)?, args: Default::default() }
    };
    let known = nodes.iter().position(|n| *n == node);
    let place = known.unwrap_or_else(|| {
        nodes.push(node);
        nodes.len() - 1
    });
    Some(NodeId(place as u32))
}

fn atom(token: &str) -> Option<Op> {
    if let Some(number) = token.strip_prefix('#') {
        let k: u16 = number.parse().ok()?;
        return (usize::from(k) < MOST_HOLES).then_some(Op::Param(k));
    }
    let value = match token.parse() {
        Ok(n) => Value::Int(n),
        Err(_) => match constants::find(token) {
            Some(constant) => constant.value(),
            None => Value::Prim(Registry::get().resolve(token)?),
        },
    };
    Some(Op::Const(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_survive_being_read() {
        for text in [
            "(fill #0 #1 (mapply delta #2))",
            "(compose flip square)",
            "(shift #0 (tuple 0 1))",
            "(paint #0 (merge (objects #0 1 0 1)))",
        ] {
            let again = parse(text).map(|f| body(&f.nodes));
            // One call is a step without being a fragment.
            let expected = (!text.starts_with("(shift")).then(|| text.to_owned());
            assert_eq!(again, expected, "{text}");
        }
        let named = parse("(fill #0 TWO (ofcolor #0 #1))").unwrap();
        assert_eq!(body(&named.nodes), "(fill #0 2 (ofcolor #0 #1))");
        assert_eq!((named.arity(), named.calls()), (2, 2));
    }

    #[test]
    fn what_is_no_step_is_left_out() {
        for text in [
            "",
            "(",
            "#0",
            "(hmirror (rot90 #9))",
            "(lam (hmirror (rot90 $0)))",
            "(hmirror (nosuch #0))",
            "(hmirror (rot90 #0 #1))",
            "(hmirror (rot90 #0)) (rot90 #0)",
            "(hmirror (tuple 1 2 3))",
            "(canvas 0 (tuple 3 3))",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        let deep = "(hmirror ".repeat(500) + "#0" + &")".repeat(500);
        assert_eq!(parse(&deep), None);
    }
}
