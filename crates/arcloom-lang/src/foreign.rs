//! Names of functions that the host language gives to programs.
//!
//! A program that calls one holds it as a constant; printed, it is the name again. The table is that
//! of the process, as the table of primitives is, and is looked at only where a name means nothing
//! else.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use arcloom_dsl::{Registry, constants};
use arcloom_value::{Closure, Foreign, Value};

static NAMES: RwLock<BTreeMap<&'static str, Value>> = RwLock::new(BTreeMap::new());

/// Makes a function callable by its name; one of that name is replaced. Programs that were loaded
/// before keep theirs. Fails for names that mean something already, and for what is no name.
pub fn register(function: Foreign) -> Result<(), String> {
    let name = function.name();
    let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(format!("`{name}` is no name: use letters, digits and underscores"));
    }
    if Registry::get().resolve(name).is_some() || constants::find(name).is_some() {
        return Err(format!("`{name}` is a name of the language already: choose another"));
    }
    let value = Value::closure(Closure::Foreign(function));
    NAMES.write().unwrap_or_else(PoisonError::into_inner).insert(name, value);
    Ok(())
}

/// Forgets a name; true when there was one.
pub fn remove(name: &str) -> bool {
    NAMES.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
}

/// The function with this name.
pub fn find(name: &str) -> Option<Value> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// All names, in order.
pub fn names() -> Vec<&'static str> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use arcloom_value::ForeignFn;

    use super::*;
    use crate::{Form, load_snippet, text};

    struct Twice(&'static str);

    impl ForeignFn for Twice {
        fn name(&self) -> &'static str {
            self.0
        }

        fn arity(&self) -> u8 {
            1
        }

        fn identity(&self) -> u64 {
            0
        }

        fn call(&self, args: &[&Value]) -> Result<Value, String> {
            args[0].as_int().map(|n| Value::Int(2 * n)).ok_or_else(|| "not a number".to_string())
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn a_registered_name_can_be_called_and_prints_as_itself() {
        assert!(load_snippet("O = my_twice(height(I))").is_err());
        register(Foreign::new(Twice("my_twice"))).unwrap();
        let (program, _) = load_snippet("x1 = apply(my_twice, (1, 2))\nO = my_twice(x1)").unwrap();
        let printed = text::print(&program, Form::Straight);
        assert!(printed.contains("my_twice(") && printed.contains("apply(my_twice, "), "{printed}");
        assert!(text::canonical(&program).contains(" = my_twice\n"));
        assert!(remove("my_twice") && find("my_twice").is_none());
    }

    #[test]
    fn names_of_the_language_stay_what_they_are() {
        for name in ["rot90", "ZERO", "palette_t", "", "a b", "1a"] {
            assert!(register(Foreign::new(Twice(name))).is_err(), "{name}");
        }
    }
}
