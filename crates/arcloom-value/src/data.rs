//! Values as plain nested data, for JSON and other exchange formats.

use crate::func::PrimId;
use crate::value::Value;

/// A value spelled out without fast forms or shared storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// Python's `None`.
    None,
    /// An integer or boolean.
    Int(i64),
    /// A tuple.
    Tuple(Vec<Data>),
    /// A set; any order going in, ascending coming out.
    Set(Vec<Data>),
    /// A primitive by its name.
    Prim(String),
    /// A function built by a program; it has no exchange form.
    Closure,
}

impl Data {
    /// Spells a value out; `name` gives the names of primitives.
    pub fn from_value(value: &Value, name: &dyn Fn(PrimId) -> String) -> Data {
        let items = |v: &Value| {
            v.iter().into_iter().flatten().map(|item| Data::from_value(&item, name)).collect()
        };
        match value {
            Value::None => Data::None,
            Value::Int(n) => Data::Int(*n),
            Value::Prim(id) => Data::Prim(name(*id)),
            Value::Closure(_) => Data::Closure,
            set if set.is_set() => Data::Set(items(set)),
            tuple => Data::Tuple(items(tuple)),
        }
    }

    /// The value in canonical form; `None` for closures and unknown primitives.
    pub fn to_value(&self, prim: &dyn Fn(&str) -> Option<PrimId>) -> Option<Value> {
        let all = |items: &[Data]| -> Option<Vec<Value>> {
            items.iter().map(|item| item.to_value(prim)).collect()
        };
        Some(match self {
            Data::None => Value::None,
            Data::Int(n) => Value::Int(*n),
            Data::Tuple(items) => Value::tuple(all(items)?),
            Data::Set(items) => Value::set(all(items)?),
            Data::Prim(name) => Value::Prim(prim(name)?),
            Data::Closure => return None,
        })
    }
}
