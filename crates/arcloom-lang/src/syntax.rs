//! Python-syntax text of solver programs to AST with spans, and back.
//!
//! The text is the small part of Python that solver files use: functions made of straight lines
//! (`x1 = rot90(I)`), calls, tuples, set displays, integers, names and one-expression lambdas. It is
//! parsed and never executed. One bad function does not spoil a file: its error carries a span and
//! says what to write instead, and the other functions still load.
//!
//! | to read | call |
//! |---|---|
//! | a solver file | [`parse_file`], or [`parse_bytes`] when it may not be UTF-8 |
//! | straight lines or one expression, no `def` | [`parse_snippet`] |
//! | a documented example, `f(x) == y` or `f(x) fails` | [`parse_example`] |
//!
//! The way back is [`ParsedFile::print`], [`Snippet::print`], [`FunctionDef::print`] and
//! [`Ast::print_expr`]; parsing what they print gives the same tree, spans aside.
//!
//! This crate knows no primitive and resolves no name: `foo(bar)` is a fine program here.

mod ast;
mod error;
mod lexer;
mod parser;
mod print;
mod refuse;
mod source;

pub use crate::syntax::ast::{
    Assign, Ast, Example, ExpectedResult, Expr, ExprId, FunctionBody, FunctionDef, Keyword, Name,
    ParsedFile, Snippet,
};
pub use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
pub use crate::syntax::lexer::{OFF, ON};
pub use crate::syntax::parser::{
    MAX_DEPTH, MAX_ERRORS, MAX_NAMES, parse_bytes, parse_example, parse_file, parse_snippet,
};
pub use crate::syntax::source::{Position, Source, Span};
