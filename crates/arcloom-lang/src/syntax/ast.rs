//! The tree of a solver file.
//!
//! All expressions of one text live in one arena, [`Ast`], and refer to each other by [`ExprId`].
//! So a tree of any shape is dropped without recursion, costs a few allocations in all, and one
//! node is 24 bytes. Names are borrowed from the text. [`Ast::expr`] gives a node as an [`Expr`]
//! with ordinary slices, to be matched on.
//!
//! Equality ignores spans and is called [`same_as`](ParsedFile::same_as) rather than `==`, because
//! an id means nothing without its arena.
//!
//! There are no scopes and no checks here: a tree built by hand may hold names that are not names.

use crate::syntax::error::SyntaxError;
use crate::syntax::source::Span;

/// An expression of one [`Ast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    /// Position in the arena. Operands come before the expressions that use them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name where it is defined: a function, a parameter, a target of `=`, a keyword of a call.
#[derive(Debug, Clone, Copy)]
pub struct Name<'s> {
    /// As written.
    pub text: &'s str,
    /// Where.
    pub span: Span,
}

/// `name=value` in a call.
#[derive(Debug, Clone, Copy)]
pub struct Keyword<'s> {
    /// The parameter's name.
    pub name: Name<'s>,
    /// Its value.
    pub value: ExprId,
}

/// An expression, borrowed from its [`Ast`].
#[derive(Debug, Clone, Copy)]
pub enum Expr<'a, 's> {
    /// `x1`, `vmirror`, `THREE`.
    Name(&'s str),
    /// `7`, `-1`, `0x10`.
    Int(i64),
    /// `True`, `False`.
    Bool(bool),
    /// `None`.
    None,
    /// `callee(a, b, k=v)`. The callee is any expression.
    Call {
        /// What is called.
        callee: ExprId,
        /// Positional arguments.
        args: &'a [ExprId],
        /// Keyword arguments, names unique.
        keywords: &'a [Keyword<'s>],
    },
    /// `()`, `(a,)`, `(a, b)`.
    Tuple(&'a [ExprId]),
    /// `{a, b}`. Never empty when parsed: Python reads `{}` as a dictionary.
    Set(&'a [ExprId]),
    /// `lambda x, y: body`.
    Lambda {
        /// Parameters, unique.
        params: &'a [Name<'s>],
        /// The one expression.
        body: ExprId,
    },
}

/// `target = value`.
#[derive(Debug, Clone, Copy)]
pub struct Assign<'s> {
    /// The name defined.
    pub target: Name<'s>,
    /// Its value.
    pub value: ExprId,
}

/// Straight lines and the expression they lead to.
#[derive(Debug, Clone)]
pub struct FunctionBody<'s> {
    /// Assignments in order.
    pub lines: Vec<Assign<'s>>,
    /// What `return` gives. In a snippet that ends in an assignment, its target.
    pub result: ExprId,
}

/// A `def`.
#[derive(Debug, Clone)]
pub struct FunctionDef<'s> {
    /// Its name; a file may define a name twice, and Python then takes the last.
    pub name: Name<'s>,
    /// Parameters, unique.
    pub params: Vec<Name<'s>>,
    /// What it computes.
    pub body: FunctionBody<'s>,
    /// From `def` to the end of its last line.
    pub span: Span,
}

/// What [`parse_file`](crate::syntax::parse_file) found: everything that parsed, and why the rest did not.
#[derive(Debug, Default)]
pub struct ParsedFile<'s> {
    /// Arena of all expressions below.
    pub ast: Ast<'s>,
    /// Functions without errors, in order.
    pub functions: Vec<FunctionDef<'s>>,
    /// Assignments outside functions, in order.
    pub constants: Vec<Assign<'s>>,
    /// At most one per function or other top-level line, in order.
    pub errors: Vec<SyntaxError>,
}

/// Lines without a `def`.
#[derive(Debug)]
pub struct Snippet<'s> {
    /// Arena of the body's expressions.
    pub ast: Ast<'s>,
    /// The lines and their result.
    pub body: FunctionBody<'s>,
}

/// A documented example.
#[derive(Debug)]
pub struct Example<'s> {
    /// Arena of both sides.
    pub ast: Ast<'s>,
    /// What is evaluated.
    pub left: ExprId,
    /// What must come out.
    pub right: ExpectedResult,
}

/// The right side of an [`Example`].
#[derive(Debug, Clone, Copy)]
pub enum ExpectedResult {
    /// `left == value`.
    Value(ExprId),
    /// `left fails`.
    Fails,
}

/// Arena of the expressions of one text.
#[derive(Debug, Clone, Default)]
pub struct Ast<'s> {
    nodes: Vec<Node<'s>>,
    spans: Vec<Span>,
    items: Vec<ExprId>,
    keywords: Vec<Keyword<'s>>,
    params: Vec<Name<'s>>,
}

/// An [`Expr`] as stored: slices are ranges of the arena's side tables.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node<'s> {
    Name(&'s str),
    Int(i64),
    Bool(bool),
    None,
    Call { callee: ExprId, args: Range, keywords: Range },
    Tuple(Range),
    Set(Range),
    Lambda { params: Range, body: ExprId },
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    start: u32,
    len: u32,
}

impl Range {
    /// Appends to a side table. Tables hold at most one entry per byte of a text, so `u32` fits.
    fn append<T: Copy>(table: &mut Vec<T>, entries: &[T]) -> Range {
        let start = table.len() as u32;
        table.extend_from_slice(entries);
        Range { start, len: entries.len() as u32 }
    }

    fn of<T>(self, table: &[T]) -> &[T] {
        &table[self.start as usize..][..self.len as usize]
    }
}

/// Reading.
impl<'s> Ast<'s> {
    /// An empty arena.
    pub fn new() -> Ast<'s> {
        Ast::default()
    }

    /// Number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An expression of this arena. An id of another arena gives another expression or a panic.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr<'_, 's> {
        match self.nodes[id.index()] {
            Node::Name(name) => Expr::Name(name),
            Node::Int(value) => Expr::Int(value),
            Node::Bool(value) => Expr::Bool(value),
            Node::None => Expr::None,
            Node::Call { callee, args, keywords } => Expr::Call {
                callee,
                args: args.of(&self.items),
                keywords: keywords.of(&self.keywords),
            },
            Node::Tuple(items) => Expr::Tuple(items.of(&self.items)),
            Node::Set(items) => Expr::Set(items.of(&self.items)),
            Node::Lambda { params, body } => Expr::Lambda { params: params.of(&self.params), body },
        }
    }

    /// Where an expression stands in the text; parentheses around it are not included.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// Whether two expressions are equal, spans aside.
    pub fn same_expr(&self, id: ExprId, other: &Ast<'_>, other_id: ExprId) -> bool {
        let mut todo = vec![(id, other_id)];
        while let Some((a, b)) = todo.pop() {
            let same = match (self.expr(a), other.expr(b)) {
                (Expr::Name(a), Expr::Name(b)) => a == b,
                (Expr::Int(a), Expr::Int(b)) => a == b,
                (Expr::Bool(a), Expr::Bool(b)) => a == b,
                (Expr::None, Expr::None) => true,
                (Expr::Tuple(a), Expr::Tuple(b)) | (Expr::Set(a), Expr::Set(b)) => {
                    todo.extend(a.iter().copied().zip(b.iter().copied()));
                    a.len() == b.len()
                }
                (
                    Expr::Call { callee: f, args: a, keywords: k },
                    Expr::Call { callee: g, args: b, keywords: l },
                ) => {
                    todo.push((f, g));
                    todo.extend(a.iter().copied().zip(b.iter().copied()));
                    todo.extend(k.iter().zip(l).map(|(k, l)| (k.value, l.value)));
                    a.len() == b.len()
                        && k.iter().map(|k| k.name.text).eq(l.iter().map(|l| l.name.text))
                }
                (Expr::Lambda { params: p, body: a }, Expr::Lambda { params: q, body: b }) => {
                    todo.push((a, b));
                    same_names(p, q)
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn same_lines(&self, lines: &[Assign<'_>], other: &Ast<'_>, others: &[Assign<'_>]) -> bool {
        lines.len() == others.len()
            && lines.iter().zip(others).all(|(a, b)| {
                a.target.text == b.target.text && self.same_expr(a.value, other, b.value)
            })
    }

    fn same_body(
        &self,
        body: &FunctionBody<'_>,
        other: &Ast<'_>,
        other_body: &FunctionBody<'_>,
    ) -> bool {
        self.same_lines(&body.lines, other, &other_body.lines)
            && self.same_expr(body.result, other, other_body.result)
    }
}

/// Building by hand, for text that is generated rather than read. Operands come first; spans are
/// empty.
impl<'s> Ast<'s> {
    /// A name.
    pub fn name(&mut self, name: &'s str) -> ExprId {
        self.push(Node::Name(name), Span::default())
    }

    /// An integer.
    pub fn int(&mut self, value: i64) -> ExprId {
        self.push(Node::Int(value), Span::default())
    }

    /// `True` or `False`.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.push(Node::Bool(value), Span::default())
    }

    /// `None`.
    pub fn none(&mut self) -> ExprId {
        self.push(Node::None, Span::default())
    }

    /// `callee(args, keywords)`.
    pub fn call(
        &mut self,
        callee: ExprId,
        args: &[ExprId],
        keywords: &[(&'s str, ExprId)],
    ) -> ExprId {
        let args = self.push_items(args);
        let keywords: Vec<_> =
            keywords.iter().map(|&(name, value)| Keyword { name: name.into(), value }).collect();
        let keywords = self.push_keywords(&keywords);
        self.push(Node::Call { callee, args, keywords }, Span::default())
    }

    /// `(items)`.
    pub fn tuple(&mut self, items: &[ExprId]) -> ExprId {
        let items = self.push_items(items);
        self.push(Node::Tuple(items), Span::default())
    }

    /// `{items}`; an empty one is printed as `frozenset()`.
    pub fn set(&mut self, items: &[ExprId]) -> ExprId {
        let items = self.push_items(items);
        self.push(Node::Set(items), Span::default())
    }

    /// `lambda params: body`.
    pub fn lambda(&mut self, params: &[&'s str], body: ExprId) -> ExprId {
        let params: Vec<_> = params.iter().map(|&name| name.into()).collect();
        let params = self.push_params(&params);
        self.push(Node::Lambda { params, body }, Span::default())
    }

    #[inline]
    pub(crate) fn push(&mut self, node: Node<'s>, span: Span) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.spans.push(span);
        id
    }

    pub(crate) fn push_items(&mut self, items: &[ExprId]) -> Range {
        Range::append(&mut self.items, items)
    }

    pub(crate) fn push_keywords(&mut self, keywords: &[Keyword<'s>]) -> Range {
        Range::append(&mut self.keywords, keywords)
    }

    pub(crate) fn push_params(&mut self, params: &[Name<'s>]) -> Range {
        Range::append(&mut self.params, params)
    }
}

/// A name that stands nowhere.
impl<'s> From<&'s str> for Name<'s> {
    fn from(text: &'s str) -> Name<'s> {
        Name { text, span: Span::default() }
    }
}

impl ParsedFile<'_> {
    /// Whether both hold the same constants and functions in the same order; spans and errors aside.
    pub fn same_as(&self, other: &ParsedFile<'_>) -> bool {
        self.ast.same_lines(&self.constants, &other.ast, &other.constants)
            && self.functions.len() == other.functions.len()
            && self.functions.iter().zip(&other.functions).all(|(f, g)| {
                f.name.text == g.name.text
                    && same_names(&f.params, &g.params)
                    && self.ast.same_body(&f.body, &other.ast, &g.body)
            })
    }
}

impl Snippet<'_> {
    /// Whether both hold the same lines and result, spans aside.
    pub fn same_as(&self, other: &Snippet<'_>) -> bool {
        self.ast.same_body(&self.body, &other.ast, &other.body)
    }
}

fn same_names(a: &[Name<'_>], b: &[Name<'_>]) -> bool {
    a.iter().map(|name| name.text).eq(b.iter().map(|name| name.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_snippet;

    #[track_caller]
    fn check(a: &str, b: &str, same: bool) {
        assert_eq!(
            parse_snippet(a).unwrap().same_as(&parse_snippet(b).unwrap()),
            same,
            "{a} | {b}"
        );
    }

    #[test]
    fn layout_does_not_matter() {
        check("f( 1,(2) , k = 3 )", "f(1, 2, k=3)", true);
        check("x = f(I)\nx", "x = f(I)", true);
        check("0x_10, None", "(16, None,)", true);
    }

    #[test]
    fn every_part_matters() {
        check("f(1)", "f(2)", false);
        check("f(1)", "f(1, 1)", false);
        check("f(1)", "g(1)", false);
        check("f(k=1)", "f(l=1)", false);
        check("(1, 2)", "{1, 2}", false);
        check("True", "1", false);
        check("lambda x: 1", "lambda y: 1", false);
        check("x = 1\n2", "y = 1\n2", false);
    }

    #[test]
    fn nodes_stay_small() {
        assert_eq!(size_of::<Node<'_>>(), 24);
    }
}
