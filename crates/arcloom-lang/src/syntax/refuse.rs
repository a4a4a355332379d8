//! What Python has and solver files do not, with what to write instead.
//!
//! The language is small on purpose, and people and language models will reach for the rest of
//! Python. Each such construct gets a sentence of its own here, so that the error teaches the
//! alternative. The DSL names in the sentences are advice, not knowledge: nothing looks them up.

use crate::syntax::error::SyntaxErrorKind::{self, Unsupported};

macro_rules! refusals {
    ($($name:ident: $what:literal, $instead:literal;)*) => {
        $(pub(crate) const $name: SyntaxErrorKind = Unsupported { what: $what, instead: $instead };)*
    };
}

refusals! {
    ASSERT: "`assert` is", "leave the line out";
    ATTRIBUTE: "attribute access with `.` is", "call a function, as in `height(x)`";
    AUGMENTED: "augmented assignment is", "assign to a new name, as in `x2 = add(x1, 1)`";
    BOOLEAN: "`and`, `or` and `not` are", "call `both`, `either` or `flip`";
    CLASS: "classes are", "write functions";
    COMPREHENSION: "comprehensions are", "call `apply`, `mapply` or `sfilter`";
    CONDITIONAL: "`if` is", "call `branch(condition, a, b)`";
    DECORATOR: "decorators are", "remove the `@` line";
    DEFAULT: "default values of parameters are", "pass every argument";
    DICTIONARY: "dictionaries are", "use a tuple of pairs, or `frozenset()` if `{}` was meant as a set";
    EMPTY_STATEMENT: "`pass` is", "end the function with `return`";
    EXCEPTION: "exceptions are", "a step that fails makes the program fail";
    FLOAT: "floating-point numbers are", "use integers";
    LIST: "lists are", "write a tuple, as in `(1, 2)`";
    LOOP: "`for` and `while` loops are", "call `apply`, `mapply`, `sfilter` or `power`";
    MEMBERSHIP: "`in` and `is` are", "call `contained(x, xs)` or `equality(a, b)`";
    NESTED_DEF: "functions inside functions are", "move the `def` to the top level or use `lambda`";
    NESTED_IMPORT: "`import` inside a function is", "move the line to the top of the file";
    OTHER: "asynchronous code, `with` and `yield` are", "write plain calls";
    SCOPE: "`global`, `nonlocal` and `del` are", "assign each value to a name of its own";
    SNIPPET_DEF: "`def` and `import` in a snippet are", "put them in a file, or give the lines alone";
    STAR: "`*` and `**` before an argument or parameter are", "write the arguments out";
    STRING: "strings other than docstrings are", "use integers and names";
    SUBSCRIPT: "subscripts are", "call a function, as in `first(x)` or `index(grid, (0, 1))`";
    UNPACKING: "unpacking is", "assign the tuple to one name and call `first` or `last` on it";
    WALRUS: "`:=` is", "assign on a line of its own";
}

/// The refusal of a reserved word.
pub(crate) fn reserved(word: &str) -> SyntaxErrorKind {
    match word {
        "for" | "while" | "break" | "continue" => LOOP,
        "if" | "elif" | "else" => CONDITIONAL,
        "and" | "or" | "not" => BOOLEAN,
        "in" | "is" => MEMBERSHIP,
        "class" => CLASS,
        "assert" => ASSERT,
        "pass" => EMPTY_STATEMENT,
        "try" | "except" | "finally" | "raise" => EXCEPTION,
        "global" | "nonlocal" | "del" => SCOPE,
        _ => OTHER,
    }
}

/// The refusal of an operator.
pub(crate) fn operator(text: &str) -> SyntaxErrorKind {
    let instead = match text {
        ":=" => return WALRUS,
        "+" => "call `add(a, b)`",
        "-" => "call `subtract(a, b)`",
        "*" => "call `multiply(a, b)`",
        "/" | "//" => "call `divide(a, b)`",
        "&" => "call `intersection(a, b)`",
        "|" => "call `combine(a, b)`",
        "==" => "call `equality(a, b)`",
        "!=" => "call `flip(equality(a, b))`",
        "<" | ">" | "<=" | ">=" => "call `greater(a, b)`",
        _ if text.ends_with('=') => return AUGMENTED,
        _ => "call a function",
    };
    SyntaxErrorKind::Operator { operator: text.into(), instead }
}
