//! Names of functions that the host language gives to programs.
//!
//! A program that calls one holds it as a constant; printed, it is the name again. A table of names
//! belongs to an engine. Texts are read with the table that the thread has entered, which is looked at only
//! where a name means nothing else; the threads of an engine have entered its own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

use arcloom_dsl::{Registry, constants};
use arcloom_value::{Closure, Foreign, Value};

thread_local! {
    /// The table that texts of this thread are read with.
    static CURRENT: RefCell<Option<ForeignNames>> = const { RefCell::new(None) };
}

/// Functions by name. Clones are the same table.
#[derive(Debug, Clone, Default)]
pub struct ForeignNames(Arc<RwLock<BTreeMap<&'static str, Value>>>);

impl ForeignNames {
    /// Makes a function callable by its name; one of that name is replaced. Programs that were loaded
    /// before keep theirs. Fails for names that mean something already, and for what is not a valid identifier.
    pub fn register(&self, function: Foreign) -> Result<(), String> {
        let name = function.name();
        let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
        if name.is_empty()
            || !name.chars().all(plain)
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(format!("`{name}` is not a name: use letters, digits and underscores"));
        }
        if Registry::get().resolve(name).is_some() || constants::find(name).is_some() {
            return Err(format!("`{name}` is a name of the language already: choose another"));
        }
        let value = Value::closure(Closure::Foreign(function));
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name, value);
        Ok(())
    }

    /// Forgets a name; true when there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    /// The function with this name.
    pub fn find(&self, name: &str) -> Option<Value> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// All names, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }

    /// Reads the texts of this thread with this table until the guard is dropped.
    pub fn enter(&self) -> EnteredNames {
        let before = CURRENT.replace(Some(self.clone()));
        EnteredNames { before, here: PhantomData }
    }

    /// Reads all further texts of this thread with this table.
    pub fn adopt(&self) {
        CURRENT.set(Some(self.clone()));
    }
}

/// While it is there, texts of its thread are read with a table.
#[must_use]
pub struct EnteredNames {
    before: Option<ForeignNames>,
    /// It stays on its thread.
    here: PhantomData<*const ()>,
}

impl Drop for EnteredNames {
    fn drop(&mut self) {
        CURRENT.set(self.before.take());
    }
}

/// The function with this name in the table of this thread.
pub(crate) fn find(name: &str) -> Option<Value> {
    CURRENT.with_borrow(|current| current.as_ref()?.find(name))
}

/// All names of the table of this thread, in order.
pub(crate) fn names() -> Vec<&'static str> {
    CURRENT.with_borrow(|current| current.as_ref().map(ForeignNames::names).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use arcloom_value::ForeignFn;

    use super::*;
    use crate::{Form, load_snippet, text};

    struct Twice(&'static str, i64);

    impl ForeignFn for Twice {
        fn name(&self) -> &'static str {
            self.0
        }

        fn arity(&self) -> u8 {
            1
        }

        fn identity(&self) -> u64 {
            self.1 as u64
        }

        fn call(&self, args: &[&Value]) -> Result<Value, String> {
            args[0]
                .as_int()
                .map(|n| Value::Int(self.1 * n))
                .ok_or_else(|| "not a number".to_string())
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn a_registered_name_can_be_called_and_prints_as_itself() {
        assert!(load_snippet("O = my_twice(height(I))").is_err());
        let names = ForeignNames::default();
        let _entered = names.enter();
        names.register(Foreign::new(Twice("my_twice", 2))).unwrap();
        let (program, _) = load_snippet("x1 = apply(my_twice, (1, 2))\nO = my_twice(x1)").unwrap();
        let printed = text::print(&program, Form::Straight);
        assert!(printed.contains("my_twice(") && printed.contains("apply(my_twice, "), "{printed}");
        assert!(text::canonical(&program).contains(" = my_twice\n"));
        assert!(names.remove("my_twice") && names.find("my_twice").is_none());
    }

    #[test]
    fn tables_do_not_meet() {
        let (one, other) = (ForeignNames::default(), ForeignNames::default());
        one.register(Foreign::new(Twice("times", 2))).unwrap();
        other.register(Foreign::new(Twice("times", 3))).unwrap();
        let read = |names: &ForeignNames| {
            let _entered = names.enter();
            load_snippet("O = times(height(I))").map(|(program, _)| program)
        };
        let called = |names| {
            let program = read(names).unwrap();
            let is_closure = |node: &crate::Node| match &node.op {
                crate::Op::Const(Value::Closure(f)) => match f.closure() {
                    Closure::Foreign(f) => Some(f.call(&[&Value::Int(1)]).unwrap()),
                    _ => None,
                },
                _ => None,
            };
            program.nodes().iter().find_map(is_closure)
        };
        assert_eq!((called(&one), called(&other)), (Some(Value::Int(2)), Some(Value::Int(3))));
        assert!(load_snippet("O = times(height(I))").is_err(), "the guards are gone");
    }

    #[test]
    fn names_of_the_language_stay_what_they_are() {
        for name in ["rot90", "ZERO", "palette_t", "", "a b", "1a"] {
            assert!(
                ForeignNames::default().register(Foreign::new(Twice(name, 2))).is_err(),
                "{name}"
            );
        }
    }
}
