//! Tree to text, the inverse of parsing.
//!
//! The layout is that of published solver files: four spaces, one assignment per line, two blank
//! lines between functions, constants first. Comments, docstrings, annotations and imports are not
//! in the tree and do not come back. Expressions are walked with a stack of our own, so a tree built
//! by hand may be as deep as memory allows.

use crate::syntax::ast::{
    Assign, Ast, Expr, ExprId, FunctionBody, FunctionDef, ParsedFile, Snippet,
};

/// What is still to be written, last first.
enum Piece<'a> {
    Text(&'a str),
    Expr(ExprId),
}

impl Ast<'_> {
    /// An expression as text, on one line.
    pub fn print_expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write_expr(id, &mut out);
        out
    }

    /// Appends an expression to `out`.
    pub fn write_expr(&self, id: ExprId, out: &mut String) {
        let mut todo = vec![Piece::Expr(id)];
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Expr(id) => self.write_node(id, out, &mut todo),
            }
        }
    }

    /// Writes the start of an expression and leaves the rest on the stack.
    fn write_node<'a>(&'a self, id: ExprId, out: &mut String, todo: &mut Vec<Piece<'a>>) {
        match self.expr(id) {
            Expr::Name(name) => out.push_str(name),
            Expr::Int(value) => out.push_str(&value.to_string()),
            Expr::Bool(true) => out.push_str("True"),
            Expr::Bool(false) => out.push_str("False"),
            Expr::None => out.push_str("None"),
            Expr::Tuple(items) => {
                out.push('(');
                todo.push(Piece::Text(if items.len() == 1 { ",)" } else { ")" }));
                push_separated(todo, items.iter().map(|&item| (None, item)));
            }
            // Python has no display of the empty set.
            Expr::Set([]) => out.push_str("frozenset()"),
            Expr::Set(items) => {
                out.push('{');
                todo.push(Piece::Text("}"));
                push_separated(todo, items.iter().map(|&item| (None, item)));
            }
            Expr::Call { callee, args, keywords } => {
                todo.push(Piece::Text(")"));
                let args = args.iter().map(|&arg| (None, arg));
                let keywords = keywords.iter().map(|k| (Some(k.name.text), k.value));
                push_separated(todo, args.chain(keywords));
                if matches!(self.expr(callee), Expr::Lambda { .. } | Expr::Int(..0)) {
                    out.push('(');
                    todo.push(Piece::Text(")("));
                } else {
                    todo.push(Piece::Text("("));
                }
                todo.push(Piece::Expr(callee));
            }
            Expr::Lambda { params, body } => {
                out.push_str("lambda");
                for (i, param) in params.iter().enumerate() {
                    out.push_str(if i == 0 { " " } else { ", " });
                    out.push_str(param.text);
                }
                out.push_str(": ");
                todo.push(Piece::Expr(body));
            }
        }
    }

    fn write_assign(&self, assign: &Assign<'_>, out: &mut String) {
        out.push_str(assign.target.text);
        out.push_str(" = ");
        self.write_expr(assign.value, out);
        out.push('\n');
    }

    /// Appends an expression to `out`, which ends in a line that is indented by `indent` and has `used`
    /// columns so far. Calls, and tuples of calls, that do not fit into the line are broken after each comma.
    fn write_broken(&self, id: ExprId, indent: usize, used: usize, out: &mut String) {
        let flat = self.print_expr(id);
        let has_calls = |items: &[ExprId]| items.iter().any(|&item| self.has_call(item));
        let (open, items, close) = match self.expr(id) {
            // A comma behind it takes a column.
            _ if used + flat.len() < WIDTH || indent >= DEEPEST => return out.push_str(&flat),
            Expr::Call { callee, args, keywords: [] } if has_calls(args) => {
                (self.print_expr(callee) + "(", args, ")")
            }
            Expr::Tuple(items) if has_calls(items) => ("(".to_owned(), items, ")"),
            _ => return out.push_str(&flat),
        };
        out.push_str(&open);
        for &item in items {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent + INDENT));
            self.write_broken(item, indent + INDENT, indent + INDENT, out);
            out.push(',');
        }
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str(close);
    }

    fn has_call(&self, id: ExprId) -> bool {
        match self.expr(id) {
            Expr::Call { .. } => true,
            Expr::Tuple(items) => items.iter().any(|&item| self.has_call(item)),
            _ => false,
        }
    }
}

/// Columns of a line, where a line can be broken.
const WIDTH: usize = 100;
/// Spaces by which the parts of a broken call are indented.
const INDENT: usize = 4;
/// Expressions that are indented so far are not broken any more.
const DEEPEST: usize = 60;

/// Pushes elements so that they come off the stack in order, with commas between them.
fn push_separated<'a>(
    todo: &mut Vec<Piece<'a>>,
    elements: impl DoubleEndedIterator<Item = (Option<&'a str>, ExprId)>,
) {
    for (i, (keyword, value)) in elements.rev().enumerate() {
        if i > 0 {
            todo.push(Piece::Text(", "));
        }
        todo.push(Piece::Expr(value));
        if let Some(name) = keyword {
            todo.extend([Piece::Text("="), Piece::Text(name)]);
        }
    }
}

impl FunctionDef<'_> {
    /// The function as text, ending in a line end.
    pub fn print(&self, ast: &Ast<'_>) -> String {
        let mut out = String::new();
        self.write(ast, &mut out);
        out
    }

    /// Appends the function to `out`.
    pub fn write(&self, ast: &Ast<'_>, out: &mut String) {
        self.write_head(out);
        for assign in &self.body.lines {
            out.push_str("    ");
            ast.write_assign(assign, out);
        }
        self.write_result(ast, out);
    }

    /// Appends the function to `out`; lines that assign a long call of calls are broken.
    pub fn write_broken(&self, ast: &Ast<'_>, out: &mut String) {
        self.write_head(out);
        for assign in &self.body.lines {
            let start = format!("    {} = ", assign.target.text);
            out.push_str(&start);
            ast.write_broken(assign.value, INDENT, start.len(), out);
            out.push('\n');
        }
        self.write_result(ast, out);
    }

    fn write_result(&self, ast: &Ast<'_>, out: &mut String) {
        out.push_str("    return ");
        ast.write_expr(self.body.result, out);
        out.push('\n');
    }

    fn write_head(&self, out: &mut String) {
        out.push_str("def ");
        out.push_str(self.name.text);
        out.push('(');
        for (i, param) in self.params.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            out.push_str(param.text);
        }
        out.push_str("):\n");
    }
}

impl ParsedFile<'_> {
    /// Constants and functions as text; errors leave no trace.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for constant in &self.constants {
            self.ast.write_assign(constant, &mut out);
        }
        for function in &self.functions {
            if !out.is_empty() {
                out.push_str("\n\n");
            }
            function.write(&self.ast, &mut out);
        }
        out
    }
}

impl Snippet<'_> {
    /// The lines as text. The result has a line of its own unless it is the last target.
    pub fn print(&self) -> String {
        let FunctionBody { lines, result } = &self.body;
        let mut out = String::new();
        for assign in lines {
            self.ast.write_assign(assign, &mut out);
        }
        let is_last_target = match (self.ast.expr(*result), lines.last()) {
            (Expr::Name(name), Some(last)) => name == last.target.text,
            _ => false,
        };
        if !is_last_target {
            self.ast.write_expr(*result, &mut out);
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::{Name, Span, parse_file, parse_snippet};

    /// An expression that owns its names, for an [`Ast`] to borrow from.
    #[derive(Debug, Clone)]
    enum Tree {
        Name(String),
        Int(i64),
        Bool(bool),
        None,
        Call(Box<Tree>, Vec<Tree>, Vec<Tree>),
        Tuple(Vec<Tree>),
        Set(Vec<Tree>),
        Lambda(usize, Box<Tree>),
    }

    const NAMES: [&str; 4] = ["x", "y2", "_z", "delta"];

    impl Tree {
        fn build<'s>(&'s self, ast: &mut Ast<'s>) -> ExprId {
            let all = |trees: &'s [Tree], ast: &mut Ast<'s>| -> Vec<ExprId> {
                trees.iter().map(|tree| tree.build(ast)).collect()
            };
            match self {
                Tree::Name(name) => ast.name(name),
                Tree::Int(value) => ast.int(*value),
                Tree::Bool(value) => ast.bool(*value),
                Tree::None => ast.none(),
                Tree::Call(callee, args, values) => {
                    let callee = callee.build(ast);
                    let args = all(args, ast);
                    let keywords: Vec<_> = NAMES.into_iter().zip(all(values, ast)).collect();
                    ast.call(callee, &args, &keywords)
                }
                Tree::Tuple(items) => {
                    let items = all(items, ast);
                    ast.tuple(&items)
                }
                Tree::Set(items) => {
                    let items = all(items, ast);
                    ast.set(&items)
                }
                Tree::Lambda(params, body) => {
                    let body = body.build(ast);
                    ast.lambda(&NAMES[..*params], body)
                }
            }
        }
    }

    fn name() -> impl Strategy<Value = String> {
        "[a-zA-Z_][a-zA-Z0-9_]{0,5}".prop_filter("a reserved word", |name| {
            parse_snippet(name)
                .is_ok_and(|snippet| matches!(snippet.ast.expr(snippet.body.result), Expr::Name(_)))
        })
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![
            name().prop_map(Tree::Name),
            any::<i64>().prop_map(Tree::Int),
            (-2..10i64).prop_map(Tree::Int),
            any::<bool>().prop_map(Tree::Bool),
            Just(Tree::None),
        ];
        leaf.prop_recursive(6, 40, 4, |inner| {
            let items = |least| vec(inner.clone(), least..4);
            let boxed = || inner.clone().prop_map(Box::new);
            prop_oneof![
                3 => (boxed(), items(0), items(0)).prop_map(|(f, a, k)| Tree::Call(f, a, k)),
                1 => items(0).prop_map(Tree::Tuple),
                1 => items(1).prop_map(Tree::Set),
                1 => (0..NAMES.len(), boxed()).prop_map(|(n, body)| Tree::Lambda(n, body)),
            ]
        })
    }

    fn body<'s>(
        lines: &'s [(String, Tree)],
        result: &'s Tree,
        ast: &mut Ast<'s>,
    ) -> FunctionBody<'s> {
        let lines = lines
            .iter()
            .map(|(target, value)| Assign {
                target: target.as_str().into(),
                value: value.build(ast),
            })
            .collect();
        FunctionBody { lines, result: result.build(ast) }
    }

    proptest! {
        #[test]
        fn parsing_a_printed_snippet_gives_it_back(
            lines in vec((name(), tree()), 0..4),
            result in tree(),
        ) {
            let mut ast = Ast::new();
            let body = body(&lines, &result, &mut ast);
            let snippet = Snippet { ast, body };
            let text = snippet.print();
            let parsed = parse_snippet(&text).map_err(|error| error.to_string());
            prop_assert!(parsed.as_ref().is_ok_and(|parsed| parsed.same_as(&snippet)), "{text}\n{parsed:?}");
            prop_assert_eq!(parsed.unwrap().print(), text);
        }

        #[test]
        fn parsing_a_printed_file_gives_it_back(
            constants in vec((name(), tree()), 0..3),
            functions in vec((name(), 0..NAMES.len(), vec((name(), tree()), 0..3), tree()), 0..3),
        ) {
            let mut ast = Ast::new();
            let constants: Vec<_> = constants
                .iter()
                .map(|(name, value)| Assign { target: name.as_str().into(), value: value.build(&mut ast) })
                .collect();
            let functions: Vec<_> = functions
                .iter()
                .map(|(name, params, lines, result)| FunctionDef {
                    name: name.as_str().into(),
                    params: NAMES[..*params].iter().map(|&name| Name::from(name)).collect(),
                    body: body(lines, result, &mut ast),
                    span: Span::default(),
                })
                .collect();
            let file = ParsedFile { ast, functions, constants, errors: Vec::new() };
            let text = file.print();
            let parsed = parse_file(&text);
            prop_assert!(parsed.errors.is_empty() && parsed.same_as(&file), "{text}\n{parsed:?}");
            prop_assert_eq!(parsed.print(), text);
        }
    }

    #[track_caller]
    fn check(text: &str, printed: &str) {
        assert_eq!(parse_file(text).print(), printed, "{text}");
    }

    #[test]
    fn the_layout_is_that_of_solver_files() {
        check(
            "from dsl import *\nA=1\nB = (A,)\ndef f ( I ) : return g(I,k = -1)\ndef h(x, y):\n\tO=x ; return {O,y}",
            "A = 1\nB = (A,)\n\n\ndef f(I):\n    return g(I, k=-1)\n\n\ndef h(x, y):\n    O = x\n    return {O, y}\n",
        );
    }

    #[test]
    fn deep_trees_are_printed_compared_and_dropped() {
        let mut ast = Ast::new();
        let mut id = ast.name("x");
        for _ in 0..100_000 {
            id = ast.tuple(&[id]);
        }
        assert_eq!(ast.print_expr(id).len(), 300_001);
        assert!(ast.same_expr(id, &ast.clone(), id));
    }

    #[test]
    fn an_empty_set_prints_as_a_call() {
        let mut ast = Ast::new();
        let set = ast.set(&[]);
        assert_eq!(ast.print_expr(set), "frozenset()");
    }
}
