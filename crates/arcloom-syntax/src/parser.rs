//! Tokens to tree: files, functions and straight lines. Expressions are in [`expr`].
//!
//! Recursive descent with one token of lookahead. The first error ends the function or line it is
//! in; the parser then goes on at the next line that starts at the margin with a word, whatever
//! brackets are open, and strings are skipped whole on the way. Nesting is limited to [`MAX_DEPTH`],
//! so neither the parser nor those who walk its trees run out of stack. Time is linear in the text.
//!
//! Nothing is resolved here: names may be undefined, defined twice or never used.

mod expr;
#[cfg(test)]
mod tests;

use crate::ast::{
    Assign, Ast, Body, Example, Expected, ExprId, Function, Keyword, Name, Node, ParsedFile,
    Snippet,
};
use crate::error::{SyntaxError, SyntaxErrorKind, quote};
use crate::lexer::{Bracket, Kind, Lexer, Token};
use crate::refuse;
use crate::source::Span;

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
/// that error against [`Source::from_bytes`](crate::Source::from_bytes).
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
            Expected::Value(parser.expr()?)
        }
        Kind::Name if parser.slice() == "fails" => {
            parser.bump();
            Expected::Fails
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

enum Statement<'s> {
    Docstring,
    Assign(Assign<'s>),
    Return(ExprId),
    Value(ExprId),
}

/// A body as far as it has been read.
#[derive(Default)]
struct Lines<'s> {
    assigns: Vec<Assign<'s>>,
    returned: Option<ExprId>,
    /// An expression on a line of its own: the result of a snippet if nothing follows.
    loose: Option<ExprId>,
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
                match file.errors.len() {
                    0..MAX_ERRORS => file.errors.push(error),
                    MAX_ERRORS => file
                        .errors
                        .push(SyntaxError { kind: SyntaxErrorKind::TooManyErrors, ..error }),
                    _ => {}
                }
                self.resync(start);
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
                        return Err(self.unused(value));
                    }
                },
            }
            if !self.more_statements()? {
                return Ok(());
            }
        }
    }

    /// Skips to the next line at the margin that starts with a word or `@`, after an error in the
    /// line or function that began at `start`.
    fn resync(&mut self, start: u32) {
        self.depth = 0;
        self.items.clear();
        self.keywords.clear();
        self.lexer.count_brackets(false);
        let here = self.token.span.start;
        let before = self.text.as_bytes().get((here as usize).wrapping_sub(1));
        if here > start && matches!(before, Some(b'\n' | b'\r')) {
            // An open bracket made the lexer read over the start of this line.
            self.lexer.restart_line(here);
        }
        loop {
            let Token { kind, span } = self.bump_to_next();
            let at_margin = kind == Kind::Line && span.start == span.end;
            if kind == Kind::End
                || at_margin
                    && self.lexer.peek_byte().is_some_and(|byte| {
                        byte.is_ascii_alphabetic() || byte == b'_' || byte == b'@'
                    })
            {
                break;
            }
        }
        self.lexer.count_brackets(true);
    }

    fn skip_import(&mut self) {
        while !self.at_statement_end() {
            self.bump();
        }
    }
}

/// Functions and lines.
impl<'s> Parser<'s> {
    fn function(&mut self) -> Parsed<Function<'s>> {
        let def = self.bump().span;
        let name = self.name("a function name")?;
        let mut params = Vec::new();
        self.bracketed(Bracket::Round, |parser| {
            parser.parameter(&mut params)?;
            if parser.token.kind == Kind::Colon {
                parser.bump();
                parser.annotation()?;
            }
            parser.refuse_default()
        })?;
        if self.token.kind == Kind::Arrow {
            self.bump();
            self.annotation()?;
        }
        self.expect(Kind::Colon, "`:`")?;

        let mut lines = Lines::default();
        match self.token.kind {
            Kind::End => return Err(self.error_at(name.span, SyntaxErrorKind::MissingBody)),
            Kind::Line => self.block(&name, &mut lines)?,
            _ => self.body_line(&mut lines)?,
        }
        if let Some(value) = lines.loose {
            return Err(self.unused(value));
        }
        let Some(result) = lines.returned else {
            return Err(self.error_at(name.span, SyntaxErrorKind::MissingReturn));
        };
        let span = Span::new(def.start, self.prev_end);
        Ok(Function { name, params, body: Body { lines: lines.assigns, result }, span })
    }

    /// Parses the lines of a function, which are all indented like the first.
    fn block(&mut self, name: &Name<'s>, lines: &mut Lines<'s>) -> Parsed<()> {
        let indent = self.slice();
        if indent.is_empty() {
            return Err(self.error_at(name.span, SyntaxErrorKind::MissingBody));
        }
        while self.token.kind == Kind::Line && !self.slice().is_empty() {
            self.line(indent, lines)?;
        }
        Ok(())
    }

    fn snippet(&mut self) -> Parsed<Body<'s>> {
        let mut lines = Lines::default();
        let indent = self.slice();
        while self.token.kind == Kind::Line {
            if matches!(self.next_word(), "def" | "from" | "import") {
                self.bump();
                return Err(self.error_here(refuse::SNIPPET_DEF));
            }
            self.line(indent, &mut lines)?;
        }
        let last = lines.assigns.last().map(|assign| assign.target);
        let result = match (lines.returned.or(lines.loose), last) {
            (Some(result), _) => result,
            (None, Some(target)) => self.push(Node::Name(target.text), target.span, 0)?,
            (None, None) => return Err(self.error_here(SyntaxErrorKind::EmptySnippet)),
        };
        Ok(Body { lines: lines.assigns, result })
    }

    /// Parses one line that must be indented by `indent`.
    fn line(&mut self, indent: &str, lines: &mut Lines<'s>) -> Parsed<()> {
        let found = self.bump().span.slice(self.text);
        if found == indent {
            self.body_line(lines)
        } else if found.starts_with(indent) {
            Err(self.error_here(SyntaxErrorKind::UnexpectedIndent))
        } else {
            Err(self.error_here(SyntaxErrorKind::InconsistentIndent))
        }
    }

    /// Parses the statements of one line.
    fn body_line(&mut self, lines: &mut Lines<'s>) -> Parsed<()> {
        loop {
            let start = self.token.span;
            let statement = self.statement()?;
            if !matches!(statement, Statement::Docstring) {
                if let Some(value) = lines.loose {
                    return Err(self.unused(value));
                }
                if lines.returned.is_some() {
                    return Err(self.error_at(start, SyntaxErrorKind::AfterReturn));
                }
            }
            match statement {
                Statement::Docstring => {}
                Statement::Assign(assign) => lines.assigns.push(assign),
                Statement::Return(value) => lines.returned = Some(value),
                Statement::Value(value) => lines.loose = Some(value),
            }
            if !self.more_statements()? {
                return Ok(());
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement<'s>> {
        match self.token.kind {
            Kind::Name => self.assignment_or_value(),
            Kind::Return => {
                self.bump();
                Ok(Statement::Return(self.expr_list()?))
            }
            Kind::Str => {
                let string = self.bump().span;
                if self.at_statement_end() {
                    Ok(Statement::Docstring)
                } else {
                    Err(self.error_at(string, refuse::STRING))
                }
            }
            Kind::Def => Err(self.error_here(refuse::NESTED_DEF)),
            Kind::From | Kind::Import => Err(self.error_here(refuse::NESTED_IMPORT)),
            Kind::Operator if self.slice() == "@" => Err(self.error_here(refuse::DECORATOR)),
            _ => {
                let value = self.expr_list()?;
                self.refuse_target(value)?;
                Ok(Statement::Value(value))
            }
        }
    }

    /// Parses a statement that starts with a name.
    fn assignment_or_value(&mut self) -> Parsed<Statement<'s>> {
        let target = self.name("a name")?;
        match self.token.kind {
            Kind::Assign => {}
            Kind::Colon => {
                self.bump();
                self.annotation()?;
            }
            _ => {
                let first = self.expr_from_name(target)?;
                let value = self.rest_of_list(first)?;
                self.refuse_target(value)?;
                return Ok(Statement::Value(value));
            }
        }
        self.expect(Kind::Assign, "`=`")?;
        Ok(Statement::Assign(Assign { target, value: self.expr_list()? }))
    }

    /// Fails when `=` follows something that is not a name.
    fn refuse_target(&self, value: ExprId) -> Parsed<()> {
        match (self.token.kind, self.ast.expr(value)) {
            (Kind::Assign, crate::Expr::Tuple(_)) => {
                Err(self.error_at(self.ast.span(value), refuse::UNPACKING))
            }
            (Kind::Assign, _) => Err(self.unexpected("a single name before `=`")),
            _ => Ok(()),
        }
    }

    /// Parses a type annotation and forgets it.
    fn annotation(&mut self) -> Parsed<()> {
        loop {
            match self.token.kind {
                Kind::Name => {
                    self.bump();
                    while self.token.kind == Kind::Dot {
                        self.bump();
                        self.name("a name")?;
                    }
                }
                Kind::None | Kind::Str | Kind::Ellipsis | Kind::Number => {
                    self.bump();
                }
                // The arguments of `Callable[[Grid], Grid]`.
                Kind::Open(Bracket::Square) => {}
                _ => return Err(self.unexpected("a type")),
            }
            while self.token.kind == Kind::Open(Bracket::Square) {
                self.bracketed(Bracket::Square, Parser::annotation)?;
            }
            if self.token.kind != Kind::Operator || self.slice() != "|" {
                return Ok(());
            }
            self.bump();
        }
    }

    /// Parses the name of a parameter of a `def` or `lambda`.
    fn parameter(&mut self, params: &mut Vec<Name<'s>>) -> Parsed<()> {
        self.refuse_star()?;
        let name = self.name("a parameter name")?;
        self.check_new_name(&name, params.iter())?;
        params.push(name);
        Ok(())
    }

    fn refuse_default(&self) -> Parsed<()> {
        match self.token.kind {
            Kind::Assign => Err(self.error_here(refuse::DEFAULT)),
            _ => Ok(()),
        }
    }

    fn refuse_star(&self) -> Parsed<()> {
        match self.token.kind {
            Kind::Operator if matches!(self.slice(), "*" | "**") => {
                Err(self.error_here(refuse::STAR))
            }
            _ => Ok(()),
        }
    }

    fn check_new_name<'n>(
        &self,
        name: &Name<'s>,
        mut others: impl ExactSizeIterator<Item = &'n Name<'s>>,
    ) -> Parsed<()>
    where
        's: 'n,
    {
        if others.len() >= MAX_NAMES {
            return Err(self.error_at(name.span, SyntaxErrorKind::TooManyNames));
        }
        if others.any(|other| other.text == name.text) {
            let kind = SyntaxErrorKind::DuplicateName { name: name.text.into() };
            return Err(self.error_at(name.span, kind));
        }
        Ok(())
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

    /// Consumes a token and returns the one after it.
    fn bump_to_next(&mut self) -> Token {
        self.bump();
        self.token
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
