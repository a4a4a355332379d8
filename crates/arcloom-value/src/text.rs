//! Values as Python text: `((1, 2), (3, 4))`, `frozenset({(0, 1)})`.

use std::fmt;

use crate::func::{Closure, PrimId};
use crate::value::Value;

/// Looks up the name of a primitive.
pub type Names<'a> = &'a dyn Fn(PrimId) -> &'static str;

/// A value that can be written out as Python text.
pub struct Show<'a> {
    value: &'a Value,
    names: Names<'a>,
}

impl Value {
    /// This value as Python text.
    pub fn show<'a>(&'a self, names: Names<'a>) -> Show<'a> {
        Show { value: self, names }
    }
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &mut dyn Iterator<Item = Value>| {
            for (n, item) in items.enumerate() {
                write!(f, "{}{}", if n == 0 { "" } else { ", " }, item.show(self.names))?;
            }
            Ok(())
        };
        match self.value {
            Value::None => f.write_str("None"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Prim(id) => f.write_str((self.names)(*id)),
            Value::Closure(function) => {
                let closure = function.closure();
                let (name, extra) = match closure {
                    Closure::Compose(..) => ("compose", None),
                    Closure::Chain(..) => ("chain", None),
                    Closure::Fork(..) => ("fork", None),
                    Closure::Matcher(..) => ("matcher", None),
                    Closure::RBind(..) => ("rbind", None),
                    Closure::LBind(..) => ("lbind", None),
                    Closure::Power(_, n) => ("power", Some(i64::from(*n))),
                    Closure::Lambda(..) => return f.write_str("<lambda>"),
                    Closure::Foreign(function) => return f.write_str(function.name()),
                };
                write!(f, "{name}(")?;
                let parts = closure.parts();
                list(f, &mut parts.into_iter().cloned().chain(extra.map(Value::Int)))?;
                f.write_str(")")
            }
            set if set.is_set() => {
                if set.is_empty() {
                    return f.write_str("frozenset()");
                }
                f.write_str("frozenset({")?;
                list(f, &mut set.iter().into_iter().flatten())?;
                f.write_str("})")
            }
            tuple => {
                f.write_str("(")?;
                list(f, &mut tuple.iter().into_iter().flatten())?;
                f.write_str(if tuple.len() == Some(1) { ",)" } else { ")" })
            }
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.show(&|_| "<primitive>"))
    }
}
