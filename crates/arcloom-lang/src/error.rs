//! What can be wrong with a program text, and what is worth a remark.

use crate::syntax::{Source, Span, SyntaxError};

/// Why a function was not loaded: the author's to mend.
#[derive(Debug, Clone)]
pub struct LoadError {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: LoadErrorKind,
}

/// What is wrong with a function.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The text does not parse.
    #[error("{0}")]
    Syntax(String),
    /// A name nobody defined.
    #[error("unknown {what} `{name}`{}", .nearest.as_ref().map_or(String::new(), |n| format!(": did you mean `{n}`?")))]
    Unknown {
        /// `function` where it is called, `name` elsewhere.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest known one.
        nearest: Option<String>,
    },
    /// A variable used above the line that assigns it.
    #[error("`{0}` is used before it is assigned: move its line up")]
    BeforeAssignment(String),
    /// Wrong number of arguments.
    #[error("`{name}` takes {wanted} argument{} but {given} {} given", if *.wanted == 1 { "" } else { "s" }, if *.given == 1 { "is" } else { "are" })]
    Arity {
        /// The function.
        name: String,
        /// How many it takes.
        wanted: usize,
        /// How many were given.
        given: usize,
    },
    /// A keyword the function does not have.
    #[error("`{name}` has no parameter `{keyword}`: it has {params}")]
    Keyword {
        /// The function.
        name: String,
        /// The keyword.
        keyword: String,
        /// Its parameters.
        params: String,
    },
    /// A parameter given both by place and by keyword.
    #[error("`{keyword}` of `{name}` is given twice")]
    Twice {
        /// The function.
        name: String,
        /// The keyword.
        keyword: String,
    },
    /// A keyword where the parameters are not known.
    #[error("keywords need a named function: write the arguments in order")]
    KeywordOnValue,
    /// A function that calls itself, directly or through others.
    #[error("`{0}` calls itself: solver programs have no recursion")]
    Recursion(String),
    /// The parameters of a program.
    #[error("a program takes (I) or (S, I, C), not ({0})")]
    Params(String),
    /// Inlining helpers made the program too large.
    #[error("the program grows past {0} steps once its helpers are inlined: make it smaller")]
    TooLarge(usize),
    /// More parameters or captured variables than a function value can hold.
    #[error("a function inside a program may use at most {0} names from outside")]
    TooManyNames(usize),
}

impl LoadError {
    pub(crate) fn new(span: Span, kind: LoadErrorKind) -> LoadError {
        LoadError { span, kind }
    }

    /// One line: `file:line:column: message`.
    pub fn render(&self, source: &Source<'_>) -> String {
        let at = source.position(self.span.start);
        format!("{}:{}:{}: {}", source.name(), at.line, at.column, self.kind)
    }
}

impl From<SyntaxError> for LoadError {
    fn from(error: SyntaxError) -> LoadError {
        LoadError { span: error.span, kind: LoadErrorKind::Syntax(error.kind.to_string()) }
    }
}

/// Something about a program that loaded.
#[derive(Debug, Clone)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// The function it is about.
    pub program: String,
    /// What.
    pub kind: NoteKind,
}

/// What is worth a remark.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NoteKind {
    /// A line whose value nothing uses.
    #[error("`{0}` is never used: the line is dropped")]
    Unused(String),
    /// A call that fails on every input.
    #[error("cannot be right for any input: argument {} of `{prim}` is {found}, never {wanted}", .index + 1)]
    NeverRight {
        /// The primitive.
        prim: &'static str,
        /// Which argument, from 0.
        index: usize,
        /// The type it has.
        found: String,
        /// The type it should have.
        wanted: String,
    },
    /// A value called that is no function.
    #[error("cannot be right for any input: {0} is called like a function")]
    NeverCallable(String),
    /// A function defined twice; the last one counts, as in Python.
    #[error("`{0}` is defined twice in this file: the last one counts")]
    Redefined(String),
}

impl NoteKind {
    /// True for what is surely a mistake, false for what is merely worth knowing.
    pub fn is_warning(&self) -> bool {
        !matches!(self, NoteKind::Unused(_))
    }
}

impl Note {
    /// One line: `file:line:column: message`.
    pub fn render(&self, source: &Source<'_>) -> String {
        let at = source.position(self.span.start);
        format!("{}:{}:{}: {}: {}", source.name(), at.line, at.column, self.program, self.kind)
    }
}
