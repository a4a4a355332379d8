//! Conversion between the canonical form and the fully general one.
//!
//! The general form is the slow, plain twin of every fast path: an engine run with the fast forms
//! switched off hands primitives nothing but tuples, sets and integers, and must give equal results.

use crate::value::{Seq, Value};

impl Value {
    /// This value without any fast form in it: tuples, sets, integers, `None` and functions only.
    pub fn to_general(&self) -> Value {
        match self {
            Value::None | Value::Int(_) | Value::Prim(_) | Value::Closure(_) => self.clone(),
            _ => {
                let items: Vec<Value> =
                    self.iter().into_iter().flatten().map(|v| v.to_general()).collect();
                if self.is_set() {
                    Value::Set(Seq::new(items))
                } else {
                    Value::Tuple(Seq::new(items))
                }
            }
        }
    }

    /// This value in canonical form, all the way down. Costs a look when it already is.
    pub fn canonical(&self) -> Value {
        match self {
            Value::Tuple(seq) => {
                let items: Vec<Value> = seq.items().iter().map(Value::canonical).collect();
                Value::tuple(items)
            }
            Value::Set(seq) => Value::set(seq.items().iter().map(Value::canonical).collect()),
            _ => self.clone(),
        }
    }
}
