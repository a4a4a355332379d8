//! Functions and the straight lines in them: statements, parameters, annotations.
//!
//! A body is assignments and then one `return`. Docstrings and annotations are read over.

use super::{MAX_NAMES, Parsed, Parser};
use crate::syntax::ast::{Assign, Expr, ExprId, FunctionBody, FunctionDef, Name, Node};
use crate::syntax::error::SyntaxErrorKind;
use crate::syntax::lexer::{Bracket, Kind};
use crate::syntax::refuse;
use crate::syntax::source::Span;

pub(super) enum Statement<'s> {
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

impl<'s> Parser<'s> {
    pub(super) fn function(&mut self) -> Parsed<FunctionDef<'s>> {
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
        Ok(FunctionDef { name, params, body: FunctionBody { lines: lines.assigns, result }, span })
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

    pub(super) fn snippet(&mut self) -> Parsed<FunctionBody<'s>> {
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
        Ok(FunctionBody { lines: lines.assigns, result })
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

    pub(super) fn statement(&mut self) -> Parsed<Statement<'s>> {
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
            (Kind::Assign, Expr::Tuple(_)) => {
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
    pub(super) fn parameter(&mut self, params: &mut Vec<Name<'s>>) -> Parsed<()> {
        self.refuse_star()?;
        let name = self.name("a parameter name")?;
        self.check_new_name(&name, params.iter())?;
        params.push(name);
        Ok(())
    }

    pub(super) fn refuse_default(&self) -> Parsed<()> {
        match self.token.kind {
            Kind::Assign => Err(self.error_here(refuse::DEFAULT)),
            _ => Ok(()),
        }
    }

    pub(super) fn refuse_star(&self) -> Parsed<()> {
        match self.token.kind {
            Kind::Operator if matches!(self.slice(), "*" | "**") => {
                Err(self.error_here(refuse::STAR))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_new_name<'n>(
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
