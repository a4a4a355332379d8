//! Fragments in the form of Stitch's abstractions: `{"name": "fn_0", "arity": 2, "body": "(fill #0 ..)"}`.
//!
//! Primitives and constants by name or value, holes as `#0`, `#1`. What this engine has no step for,
//! functions written out with `lam` or names it does not know, is left out and counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arcloom_dsl::{Registry, constants};
use arcloom_lang::{Node, NodeId, Op};
use arcloom_value::Value;

use super::fragments::{Fragment, MOST_HOLES};

/// No body is nested deeper.
const DEEPEST: usize = 60;
/// Nor longer.
const LONGEST: usize = 200;

/// The nodes of a fragment as text.
pub(super) fn body(nodes: &[Node]) -> String {
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
    Fragment::new(nodes(body, &Bodies::default())?)
}

/// Bodies that others may call by name.
#[derive(Debug, Default)]
pub struct Bodies {
    nodes: BTreeMap<String, Vec<Node>>,
}

impl Bodies {
    /// Reads a body that may call those before it; `None` when it is not one that a step can be made of.
    pub fn read(&mut self, name: &str, body: &str) -> Option<Fragment> {
        let nodes = nodes(body, self)?;
        self.nodes.insert(name.to_owned(), nodes.clone());
        Fragment::new(nodes)
    }
}

fn nodes(body: &str, known: &Bodies) -> Option<Vec<Node>> {
    let spaced = body.replace('(', " ( ").replace(')', " ) ");
    let mut reader = Reader { tokens: spaced.split_whitespace(), known, nodes: Vec::new() };
    let token = reader.tokens.next()?;
    let last = reader.read(token, DEEPEST)?;
    // The result comes last: a body that only repeats a part of itself is none.
    let whole = reader.tokens.next().is_none() && last.index() + 1 == reader.nodes.len();
    whole.then_some(reader.nodes)
}

struct Reader<'t> {
    tokens: std::str::SplitWhitespace<'t>,
    known: &'t Bodies,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn read(&mut self, token: &str, deep: usize) -> Option<NodeId> {
        if token != "(" {
            // A fragment without holes is called by its name alone.
            if let Some(body) = self.known.nodes.get(token) {
                return self.inline(body, &[]);
            }
            return self.add(atom(token)?, &[]);
        }
        let deep = deep.checked_sub(1)?;
        let head = self.tokens.next()?;
        if head == "tuple" {
            let mut part = || self.tokens.next()?.parse().ok();
            let pair = Value::Pair(part()?, part()?);
            (self.tokens.next()? == ")").then_some(())?;
            return self.add(Op::Const(pair), &[]);
        }
        let mut args = Vec::new();
        loop {
            match self.tokens.next()? {
                ")" => break,
                token => args.push(self.read(token, deep)?),
            }
        }
        if let Some(body) = self.known.nodes.get(head) {
            return self.inline(body, &args);
        }
        let prim = Registry::get().resolve(head)?;
        (Registry::get().primitive(prim).arity() == args.len()).then_some(())?;
        self.add(Op::Call(prim), &args)
    }

    fn inline(&mut self, body: &[Node], holes: &[NodeId]) -> Option<NodeId> {
        let mut places: Vec<NodeId> = Vec::new();
        for node in body {
            let args: Vec<NodeId> = node.args.iter().map(|a| places[a.index()]).collect();
            places.push(match node.op {
                Op::Param(k) => *holes.get(usize::from(k))?,
                _ => self.add(node.op.clone(), &args)?,
            });
        }
        places.pop()
    }

    fn add(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let node = Node { op, args: args.iter().copied().collect() };
        let known = self.nodes.iter().position(|n| *n == node);
        let place = known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        (self.nodes.len() <= LONGEST).then_some(NodeId(place as u32))
    }
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
            let again = parse(text).map(|f| f.text());
            // One call is a step without being a fragment.
            let expected = (!text.starts_with("(shift")).then(|| text.to_owned());
            assert_eq!(again, expected, "{text}");
        }
        let named = parse("(fill #0 TWO (ofcolor #0 #1))").unwrap();
        assert_eq!(named.text(), "(fill #0 2 (ofcolor #0 #1))");
        assert_eq!((named.arity(), named.calls()), (2, 2));
    }

    #[test]
    fn a_body_may_call_those_before_it() {
        let mut bodies = Bodies::default();
        assert!(bodies.read("fn_0", "(objects #0 1 0 1)").is_none(), "one call");
        assert!(bodies.read("fn_1", "(compose flip square)").is_some());
        let last = bodies.read("fn_2", "(mfilter (fn_0 #0) fn_1)").unwrap();
        assert_eq!(last.text(), "(mfilter (objects #0 1 0 1) (compose flip square))");
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
