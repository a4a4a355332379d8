//! Tokens to tree. Files and errors are here, lines in [`function`], what is on them in [`expr`].
//!
//! Recursive descent with one token of lookahead. The first error ends the function or line it is
//! in; the parser then goes on at the next line that starts at the margin with a word, whatever
//! brackets are open, and strings are skipped whole on the way. Nesting is limited to [`MAX_DEPTH`],
//! so neither the parser nor those who walk its trees run out of stack. Time is linear in the text.
//!
//! Nothing is resolved here: names may be undefined, defined twice or never used.

mod expr;
mod function;
#[cfg(test)]
mod tests;

use self::function::Statement;
use crate::syntax::ast::{
    Ast, Example, ExpectedResult, ExprId, Keyword, Name, ParsedFile, Snippet,
};
use crate::syntax::error::{SyntaxError, SyntaxErrorKind, quote};
use crate::syntax::lexer::{Kind, Lexer, Token};
use crate::syntax::refuse;
use crate::syntax::source::Span;

/// Most levels of brackets and lambdas around an expression, and most levels of its tree.
pub const MAX_DEPTH: usize = 200;

/// Most parameters of a function and most keyword arguments of a call.
pub const MAX_NAMES: usize = 255;

/// Most errors listed for one file; functions after them still load.
pub const MAX_ERRORS: usize = 10_000;

/// Parses a solver file. Functions without errors load even when others have some.
pub fn parse_file(text: &str) -> ParsedFile<'_> {
    match Parser::new(text) {
        Ok(parser) => parser.file(),
        Err(error) => ParsedFile { errors: vec![error], ..ParsedFile::default() },
    }
}

/// Parses a solver file that may not be UTF-8, which is the one error that rejects all of it. Show
/// that error against [`Source::from_bytes`](crate::syntax::Source::from_bytes).
pub fn parse_bytes(bytes: &[u8]) -> Result<ParsedFile<'_>, SyntaxError> {
    check_size(bytes.len())?;
    let text = str::from_utf8(bytes).map_err(|error| {
        let bad = error.valid_up_to();
        let span = Span::new(bad as u32, bad as u32 + 1);
        SyntaxError { span, kind: SyntaxErrorKind::InvalidUtf8 { byte: bytes[bad] } }
    })?;
    Ok(parse_file(text))
}

/// Parses lines without a `def`. The result is what `return` gives, else the expression on the last
/// line, else the target of the last assignment. The lines may be indented, all alike.
pub fn parse_snippet(text: &str) -> Result<Snippet<'_>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let body = parser.snippet()?;
    Ok(Snippet { ast: parser.ast, body })
}

/// Parses `left == right` or `left fails`.
pub fn parse_example(text: &str) -> Result<Example<'_>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    if parser.token.kind == Kind::Line {
        parser.bump();
    }
    let left = parser.expr()?;
    let right = match parser.token.kind {
        Kind::EqualEqual => {
            parser.bump();
            ExpectedResult::Value(parser.expr()?)
        }
        Kind::Name if parser.slice() == "fails" => {
            parser.bump();
            ExpectedResult::Fails
        }
        _ => return Err(parser.unexpected("`==` or `fails`")),
    };
    match parser.token.kind {
        Kind::End => Ok(Example { ast: parser.ast, left, right }),
        _ => Err(parser.unexpected("the end of the example")),
    }
}

/// Spans and ids are 32 bits wide.
fn check_size(bytes: usize) -> Result<(), SyntaxError> {
    match u32::try_from(bytes) {
        Ok(_) => Ok(()),
        Err(_) => Err(SyntaxError { span: Span::default(), kind: SyntaxErrorKind::TooLarge }),
    }
}

/// Lists an error, up to [`MAX_ERRORS`] of them and a last one that says so.
fn push_error(errors: &mut Vec<SyntaxError>, error: SyntaxError) {
    match errors.len() {
        0..MAX_ERRORS => errors.push(error),
        MAX_ERRORS => {
            errors.push(SyntaxError { kind: SyntaxErrorKind::TooManyErrors, ..error });
        }
        _ => {}
    }
}

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'s> {
    text: &'s str,
    lexer: Lexer<'s>,
    /// The next token, not yet consumed.
    token: Token,
    /// End of the last consumed token.
    prev_end: u32,
    ast: Ast<'s>,
    /// Height of each expression's tree, by `ExprId`.
    heights: Vec<u8>,
    /// Brackets and lambdas around the current token.
    depth: usize,
    /// Stacks on which the elements of unfinished brackets wait.
    items: Vec<ExprId>,
    keywords: Vec<Keyword<'s>>,
}

/// Files.
impl<'s> Parser<'s> {
    fn new(text: &'s str) -> Parsed<Parser<'s>> {
        check_size(text.len())?;
        let mut lexer = Lexer::new(text);
        let token = lexer.token();
        Ok(Parser {
            text,
            lexer,
            token,
            prev_end: token.span.start,
            ast: Ast::new(),
            heights: Vec::new(),
            depth: 0,
            items: Vec::new(),
            keywords: Vec::new(),
        })
    }

    fn file(mut self) -> ParsedFile<'s> {
        let mut file = ParsedFile::default();
        while self.token.kind != Kind::End {
            let start = self.token.span.start;
            if let Err(error) = self.top_level_line(&mut file) {
                self.resync(start);
                if error.kind == refuse::DECORATOR {
                    self.skip_decorated();
                }
                push_error(&mut file.errors, error);
            }
        }
        file.ast = self.ast;
        file
    }

    /// Parses a function, or the statements of one line outside functions.
    fn top_level_line(&mut self, file: &mut ParsedFile<'s>) -> Parsed<()> {
        let indent = self.bump().span;
        if indent.start != indent.end {
            return Err(self.error_here(SyntaxErrorKind::UnexpectedIndent));
        }
        if self.token.kind == Kind::Def {
            file.functions.push(self.function()?);
            return Ok(());
        }
        loop {
            match self.token.kind {
                Kind::From | Kind::Import => self.skip_import(),
                Kind::Return => return Err(self.unexpected("a function or an assignment")),
                _ => match self.statement()? {
                    Statement::Docstring => {}
                    Statement::Assign(constant) => file.constants.push(constant),
                    Statement::Return(value) | Statement::Value(value) => {
                        self.more_statements()?;
                        return Err(self.unused(value));
                    }
                },
            }
            if !self.more_statements()? {
                return Ok(());
            }
        }
    }

    /// Goes on after an error in the line or function that began at `start`: skips to the next line
    /// at the margin that starts with a word or `@`.
    fn resync(&mut self, start: u32) {
        self.depth = 0;
        self.items.clear();
        self.keywords.clear();
        self.lexer.count_brackets(false);
        let here = self.token.span.start;
        let before = self.text[..here as usize].bytes().next_back();
        if here > start && matches!(before, Some(b'\n' | b'\r')) {
            // An open bracket made the lexer read over the start of this line.
            self.lexer.restart_line(here);
        }
        self.skip_to_margin();
        self.lexer.count_brackets(true);
    }

    /// Skips the rest of a decorated function: without its decorators it would be another function.
    fn skip_decorated(&mut self) {
        self.lexer.count_brackets(false);
        while self.token.kind != Kind::End && self.lexer.peek_byte() == Some(b'@') {
            self.skip_to_margin();
        }
        if self.token.kind != Kind::End {
            self.skip_to_margin();
        }
        self.lexer.count_brackets(true);
    }

    fn skip_to_margin(&mut self) {
        loop {
            self.bump();
            let Token { kind, span } = self.token;
            let starts_something =
                |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@');
            let at_margin = kind == Kind::Line && span.start == span.end;
            if kind == Kind::End
                || at_margin && self.lexer.peek_byte().is_some_and(starts_something)
            {
                return;
            }
        }
    }

    fn skip_import(&mut self) {
        while !self.at_statement_end() {
            self.bump();
        }
    }
}

/// Tokens and errors.
impl<'s> Parser<'s> {
    /// Consumes a token and returns it.
    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.token;
        self.prev_end = token.span.end;
        self.token = self.lexer.token();
        token
    }

    fn expect(&mut self, kind: Kind, expected: &'static str) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    fn name(&mut self, expected: &'static str) -> Parsed<Name<'s>> {
        let span = self.expect(Kind::Name, expected)?.span;
        Ok(Name { text: span.slice(self.text), span })
    }

    /// Text of the next token.
    fn slice(&self) -> &'s str {
        self.token.span.slice(self.text)
    }

    /// The word after the next token, which is a line start.
    fn next_word(&self) -> &'s str {
        let rest = &self.text[self.token.span.end as usize..];
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("")
    }

    fn at_statement_end(&self) -> bool {
        matches!(self.token.kind, Kind::Line | Kind::End | Kind::Semicolon)
    }

    /// Checks that a statement ends here; whether another follows on the same line.
    fn more_statements(&mut self) -> Parsed<bool> {
        match self.token.kind {
            Kind::Line | Kind::End => Ok(false),
            Kind::Semicolon => {
                self.bump();
                Ok(!matches!(self.token.kind, Kind::Line | Kind::End))
            }
            _ => Err(self.unexpected("the end of the line")),
        }
    }

    fn error_at(&self, span: Span, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { span, kind }
    }

    /// An error at the next token. Where that is on a later line, it is at the end of this one.
    fn error_here(&self, kind: SyntaxErrorKind) -> SyntaxError {
        let span = match self.token.kind {
            Kind::Line | Kind::End => Span::new(self.prev_end, self.prev_end),
            _ => self.token.span,
        };
        self.error_at(span, kind)
    }

    fn unused(&self, value: ExprId) -> SyntaxError {
        self.error_at(self.ast.span(value), SyntaxErrorKind::UnusedValue)
    }

    /// Explains why the next token cannot stand here: by what it is, if it can stand nowhere.
    fn unexpected(&self, expected: &'static str) -> SyntaxError {
        let text = self.slice();
        self.error_here(match self.token.kind {
            Kind::BadCharacter => {
                let character = text.chars().next().unwrap_or_default();
                SyntaxErrorKind::BadCharacter { character }
            }
            Kind::BadString => SyntaxErrorKind::UnclosedString,
            Kind::BadBackslash => SyntaxErrorKind::BadBackslash,
            Kind::Operator | Kind::EqualEqual | Kind::Minus => refuse::operator(text),
            Kind::Reserved => refuse::reserved(text),
            Kind::Dot => refuse::ATTRIBUTE,
            Kind::Float => refuse::FLOAT,
            Kind::Str => refuse::STRING,
            _ => SyntaxErrorKind::Expected { expected, found: self.found() },
        })
    }

    /// The next token as a message names it.
    fn found(&self) -> Box<str> {
        match self.token.kind {
            Kind::Line => "the end of the line".into(),
            Kind::End => "the end of the text".into(),
            _ => quote(self.slice()),
        }
    }
}
