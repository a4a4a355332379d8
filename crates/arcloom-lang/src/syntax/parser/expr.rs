//! Expressions: atoms, brackets, calls, lambdas and integer literals.
//!
//! Every recursion goes through a bracket or a lambda, and both count their depth. Calls of calls
//! (`f(x)(y)`) grow a tree upwards without any, so the height of each tree is limited too.

use super::{MAX_DEPTH, Parsed, Parser};
use crate::syntax::ast::{ExprId, Keyword, Name, Node};
use crate::syntax::error::{SyntaxError, SyntaxErrorKind, quote};
use crate::syntax::lexer::{Bracket, Kind, Token};
use crate::syntax::refuse;
use crate::syntax::source::Span;

/// What [`Parser::bracketed`] found.
pub(super) struct Bracketed {
    span: Span,
    trailing_comma: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        let start = self.token.span.start;
        let atom = match self.token.kind {
            Kind::Name => {
                let name = self.name("a name")?;
                return self.expr_from_name(name);
            }
            Kind::Number => {
                let token = self.bump();
                self.integer(token.span, token.span, false)?
            }
            // A negative literal cannot be called: Python would negate the result of the call.
            Kind::Minus => return self.negative_integer(),
            Kind::Open(Bracket::Round) => self.group()?,
            Kind::Open(Bracket::Curly) => self.set()?,
            Kind::Open(Bracket::Square) => return Err(self.error_here(refuse::LIST)),
            // A lambda reaches as far as it can, so nothing is left to call it.
            Kind::Lambda => return self.lambda(),
            Kind::True => self.constant(Node::Bool(true))?,
            Kind::False => self.constant(Node::Bool(false))?,
            Kind::None => self.constant(Node::None)?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.calls(atom, start)
    }

    /// The expression that starts with a name already consumed.
    #[inline]
    pub(super) fn expr_from_name(&mut self, name: Name<'s>) -> Parsed<ExprId> {
        let id = self.push(Node::Name(name.text), name.span, 0)?;
        self.calls(id, name.span.start)
    }

    /// An expression, or several with commas between them, which make a tuple.
    pub(super) fn expr_list(&mut self) -> Parsed<ExprId> {
        let first = self.expr()?;
        self.rest_of_list(first)
    }

    pub(super) fn rest_of_list(&mut self, first: ExprId) -> Parsed<ExprId> {
        if self.token.kind != Kind::Comma {
            return Ok(first);
        }
        let base = self.items.len();
        self.items.push(first);
        while self.token.kind == Kind::Comma {
            self.bump();
            if self.at_statement_end() || self.token.kind == Kind::Assign {
                break;
            }
            let item = self.expr()?;
            self.items.push(item);
        }
        let span = Span::new(self.ast.span(first).start, self.prev_end);
        self.display(base, span, Node::Tuple)
    }

    /// Parses the calls after an expression: `callee(a, b)(c)`.
    fn calls(&mut self, mut callee: ExprId, start: u32) -> Parsed<ExprId> {
        loop {
            match self.token.kind {
                Kind::Open(Bracket::Round) => callee = self.call(callee, start)?,
                Kind::Open(Bracket::Square) => return Err(self.error_here(refuse::SUBSCRIPT)),
                Kind::Dot => return Err(self.error_here(refuse::ATTRIBUTE)),
                _ => return Ok(callee),
            }
        }
    }

    fn call(&mut self, callee: ExprId, start: u32) -> Parsed<ExprId> {
        let (items, keywords) = (self.items.len(), self.keywords.len());
        let bracketed = self.bracketed(Bracket::Round, |parser| parser.argument(keywords))?;

        let mut height = self.heights[callee.index()];
        for &arg in &self.items[items..] {
            height = height.max(self.heights[arg.index()]);
        }
        for keyword in &self.keywords[keywords..] {
            height = height.max(self.heights[keyword.value.index()]);
        }
        let args = self.ast.push_items(&self.items[items..]);
        self.items.truncate(items);
        let keyword_range = self.ast.push_keywords(&self.keywords[keywords..]);
        self.keywords.truncate(keywords);

        let node = Node::Call { callee, args, keywords: keyword_range };
        self.push(node, Span::new(start, bracketed.span.end), usize::from(height) + 1)
    }

    /// Parses `value` or `name=value`; `first` is where the call's keywords start on their stack.
    fn argument(&mut self, first: usize) -> Parsed<()> {
        self.refuse_star()?;
        let start = self.token.span;
        let value = if self.token.kind == Kind::Name {
            let name = self.name("a name")?;
            if self.token.kind == Kind::Assign {
                self.bump();
                let value = self.expr()?;
                self.check_new_name(&name, self.keywords[first..].iter().map(|k| &k.name))?;
                self.keywords.push(Keyword { name, value });
                return Ok(());
            }
            self.expr_from_name(name)?
        } else {
            self.expr()?
        };
        if self.keywords.len() > first {
            return Err(self.error_at(start, SyntaxErrorKind::PositionalAfterKeyword));
        }
        self.items.push(value);
        Ok(())
    }

    /// `()`, `(a)`, `(a,)`, `(a, b)`.
    fn group(&mut self) -> Parsed<ExprId> {
        let base = self.items.len();
        let bracketed = self.bracketed(Bracket::Round, Parser::item)?;
        match self.items[base..] {
            [inner] if !bracketed.trailing_comma => {
                self.items.truncate(base);
                Ok(inner)
            }
            _ => self.display(base, bracketed.span, Node::Tuple),
        }
    }

    /// `{a, b}`.
    fn set(&mut self) -> Parsed<ExprId> {
        let base = self.items.len();
        let bracketed = self.bracketed(Bracket::Curly, Parser::item)?;
        if self.items.len() == base {
            return Err(self.error_at(bracketed.span, refuse::DICTIONARY));
        }
        self.display(base, bracketed.span, Node::Set)
    }

    fn item(&mut self) -> Parsed<()> {
        let item = self.expr()?;
        self.items.push(item);
        Ok(())
    }

    /// Makes a node of the items from `base` on.
    fn display(
        &mut self,
        base: usize,
        span: Span,
        node: impl FnOnce(crate::syntax::ast::Range) -> Node<'s>,
    ) -> Parsed<ExprId> {
        let items = &self.items[base..];
        let height = items.iter().map(|item| usize::from(self.heights[item.index()]) + 1).max();
        let range = self.ast.push_items(items);
        self.items.truncate(base);
        self.push(node(range), span, height.unwrap_or(0))
    }

    fn lambda(&mut self) -> Parsed<ExprId> {
        let start = self.bump().span.start;
        let mut params = Vec::new();
        while self.token.kind != Kind::Colon {
            self.parameter(&mut params)?;
            self.refuse_default()?;
            match self.token.kind {
                Kind::Comma => {
                    self.bump();
                }
                Kind::Colon => {}
                _ => return Err(self.unexpected("`,` or `:`")),
            }
        }
        self.bump();
        self.enter()?;
        let body = self.expr()?;
        self.depth -= 1;
        let params = self.ast.push_params(&params);
        let height = usize::from(self.heights[body.index()]) + 1;
        self.push(Node::Lambda { params, body }, Span::new(start, self.prev_end), height)
    }

    /// Parses an opening bracket, `element`s with commas between them, and the closing bracket.
    pub(super) fn bracketed(
        &mut self,
        bracket: Bracket,
        mut element: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<Bracketed> {
        let (opening, closing) = match bracket {
            Bracket::Round => ("`(`", "`,` or `)`"),
            Bracket::Square => ("`[`", "`,` or `]`"),
            Bracket::Curly => ("`{`", "`,` or `}`"),
        };
        self.enter()?;
        let open = self.expect(Kind::Open(bracket), opening)?;
        let mut trailing_comma = false;
        while self.token.kind != Kind::Close(bracket) {
            if self.bracket_was_forgotten() {
                return Err(self.unclosed(open, closing));
            }
            element(self)?;
            trailing_comma = self.token.kind == Kind::Comma;
            if trailing_comma {
                self.bump();
            } else if self.token.kind != Kind::Close(bracket) {
                return Err(self.no_closing(open, closing));
            }
        }
        let close = self.bump().span;
        self.depth -= 1;
        Ok(Bracketed { span: open.span.to(close), trailing_comma })
    }

    /// Whether the next token starts a statement, so that a bracket around it was left open.
    fn bracket_was_forgotten(&self) -> bool {
        matches!(self.token.kind, Kind::End | Kind::Def | Kind::Return | Kind::From | Kind::Import)
    }

    /// Explains what follows an element of a bracket that neither continues nor closes it.
    fn no_closing(&self, open: Token, closing: &'static str) -> SyntaxError {
        let gap = Span::new(self.prev_end, self.token.span.start).slice(self.text);
        match self.token.kind {
            Kind::Reserved if matches!(self.slice(), "for" | "async") => {
                self.error_here(refuse::COMPREHENSION)
            }
            Kind::Colon if open.kind == Kind::Open(Bracket::Curly) => {
                self.error_here(refuse::DICTIONARY)
            }
            Kind::Name if gap.contains(['\n', '\r']) => self.unclosed(open, closing),
            _ if self.bracket_was_forgotten() => self.unclosed(open, closing),
            _ => self.unexpected(closing),
        }
    }

    fn unclosed(&self, open: Token, expected: &'static str) -> SyntaxError {
        let bracket = open.span.slice(self.text).chars().next().unwrap_or_default();
        let kind = SyntaxErrorKind::Unclosed { bracket, expected, found: self.found() };
        self.error_at(open.span, kind)
    }

    /// Counts a level of nesting at the next token.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error_here(SyntaxErrorKind::TooDeep));
        }
        Ok(())
    }

    fn constant(&mut self, node: Node<'s>) -> Parsed<ExprId> {
        let span = self.bump().span;
        self.push(node, span, 0)
    }

    fn negative_integer(&mut self) -> Parsed<ExprId> {
        let minus = self.bump().span;
        match self.token.kind {
            Kind::Number => {
                let digits = self.bump().span;
                self.integer(minus.to(digits), digits, true)
            }
            Kind::Float => Err(self.error_here(refuse::FLOAT)),
            _ => Err(self.error_at(minus, SyntaxErrorKind::BadMinus)),
        }
    }

    fn integer(&mut self, span: Span, digits: Span, negative: bool) -> Parsed<ExprId> {
        let value = integer(digits.slice(self.text), negative);
        let value = value.map_err(|kind| self.error_at(span, kind))?;
        self.push(Node::Int(value), span, 0)
    }

    /// Adds an expression whose tree has `height` levels of operands below it.
    #[inline]
    pub(super) fn push(&mut self, node: Node<'s>, span: Span, height: usize) -> Parsed<ExprId> {
        if height > MAX_DEPTH {
            return Err(self.error_at(span, SyntaxErrorKind::TooDeep));
        }
        // `MAX_DEPTH` fits in a byte.
        self.heights.push(height as u8);
        Ok(self.ast.push(node, span))
    }
}

/// The value of a literal. Python's rules: `_` may stand between digits, and a decimal literal does
/// not start with `0` unless it is zero.
fn integer(literal: &str, negative: bool) -> Result<i64, SyntaxErrorKind> {
    let (radix, digits) = match literal.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &literal[2..]),
        [b'0', b'o' | b'O', ..] => (8, &literal[2..]),
        [b'0', b'b' | b'B', ..] => (2, &literal[2..]),
        _ => (10, literal),
    };
    let mut magnitude = Some(0u64);
    let mut after_digit = radix != 10;
    for character in digits.chars() {
        after_digit = match (character, character.to_digit(radix)) {
            ('_', _) if after_digit => false,
            (_, Some(digit)) => {
                magnitude = magnitude
                    .and_then(|value| value.checked_mul(u64::from(radix)))
                    .and_then(|value| value.checked_add(u64::from(digit)));
                true
            }
            ('e' | 'E' | 'j' | 'J', _) if radix == 10 => return Err(refuse::FLOAT),
            _ => return Err(SyntaxErrorKind::BadInt { text: quote(literal) }),
        };
    }
    let leading_zero = radix == 10 && digits.starts_with('0') && magnitude != Some(0);
    if !after_digit || digits.is_empty() || leading_zero {
        return Err(SyntaxErrorKind::BadInt { text: quote(literal) });
    }
    let value = magnitude.and_then(|value| {
        if negative { 0i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() }
    });
    value.ok_or_else(|| SyntaxErrorKind::IntTooLarge { text: quote(literal) })
}
