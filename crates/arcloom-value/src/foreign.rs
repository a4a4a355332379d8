//! Functions of a host language: what a program calls when it calls back into Python.

use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::value::Value;

/// What a host language's function can be asked.
pub trait ForeignFn: Send + Sync {
    /// Name in programs and messages.
    fn name(&self) -> &'static str;
    /// Number of arguments.
    fn arity(&self) -> u8;
    /// Tells functions of one name apart; the same function always gives the same number.
    fn identity(&self) -> u64;
    /// Calls it. The text says why there is no value, for people.
    fn call(&self, args: &[&Value]) -> Result<Value, String>;
    /// The host's own object.
    fn as_any(&self) -> &dyn Any;
}

/// A function of a host language. Equal to itself alone; ordered by name.
#[derive(Clone)]
pub struct Foreign(Arc<dyn ForeignFn>);

impl Foreign {
    /// The function as a part of values.
    pub fn new(function: impl ForeignFn + 'static) -> Foreign {
        Foreign(Arc::new(function))
    }

    /// What is equal where functions are.
    pub(crate) fn key(&self) -> (&'static str, u64) {
        (self.0.name(), self.0.identity())
    }
}

impl std::ops::Deref for Foreign {
    type Target = dyn ForeignFn;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Ord for Foreign {
    fn cmp(&self, other: &Foreign) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Foreign {
    fn partial_cmp(&self, other: &Foreign) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Foreign) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Foreign {}
