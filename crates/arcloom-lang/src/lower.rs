//! Syntax tree to program graph: names resolved, keywords put in place, helpers inlined.
//!
//! A helper called by name is inlined; a helper or `lambda` used as a value becomes [`Code`]. Names
//! are looked up as Python would: variables, then functions and constants of the file, then
//! primitives and their aliases, then the DSL's constants. Lines nobody uses are dropped with a note.
//!
//! A function that does not load leaves an error behind; the others of its file are not affected.

use crate::syntax::{
    Assign, Ast, Expr, ExprId, FunctionBody, FunctionDef, Keyword, Snippet, Span, parse_bytes,
    parse_file, parse_snippet,
};
use arcloom_dsl::{Primitive, Registry, alias, constants, words};
use arcloom_value::{Closure, Code, CodeStep, FixedMap, PrimId, Slot, Value};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::answer::DroppedKind;
use crate::error::{LoadError, LoadErrorKind, Note, NoteKind};
use crate::foreign;
use crate::infer;
use crate::node::{LambdaBody, NodeId, Op};
use crate::program::{Builder, Program};
use crate::suggest;

/// Most nodes a program may have once its helpers are inlined.
const MAX_NODES: usize = 100_000;
/// Most names an inner function may take from outside.
const MAX_CAPTURES: usize = 250;
/// How deep helpers may call helpers.
const MAX_HELPERS: usize = 32;
/// Most remarks on one file; nobody reads more, and a file may call for millions.
const MAX_NOTES: usize = 1_000;
/// Bodies with more lines than this are asked for a name by hash.
const MANY_LINES: usize = 64;
/// Most functions of a file among which the nearest name is looked for.
const MAX_CANDIDATES: usize = 1_000;

/// What a text held: its programs, why others did not load, and remarks.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The programs, in the order of the text.
    pub programs: Vec<Program>,
    /// What did not load.
    pub errors: Vec<LoadError>,
    /// Remarks on what did.
    pub notes: Vec<Note>,
}

/// Loads a solver file from bytes that may not be UTF-8.
pub fn load_bytes(bytes: &[u8]) -> Loaded {
    match parse_bytes(bytes) {
        Ok(file) => load_parsed(&file, true),
        Err(error) => Loaded { errors: vec![error.into()], ..Loaded::default() },
    }
}

/// Loads the programs of a text, without remarks: those take a quarter of the time, and where programs
/// come by the thousand nobody reads them.
pub fn load_file(text: &str) -> Loaded {
    load_parsed(&parse_file(text), false)
}

/// Loads straight lines or one expression, without a `def`.
pub fn load_snippet(text: &str) -> Result<(Program, Vec<Note>), LoadError> {
    let Snippet { ast, body } = parse_snippet(text)?;
    let none = FileNames::default();
    let mut lowerer = Lowerer::new(&ast, &none);
    let mut notes = Vec::new();
    let program = lowerer.program("snippet", &["S", "I", "C"], &body, Some(&mut notes))?;
    Ok((program, notes))
}

/// The value of a literal expression or of a constant call tree, as a program without inputs.
pub fn load_expr(ast: &Ast<'_>, expr: ExprId) -> Result<Program, LoadError> {
    let (none, body) = (FileNames::default(), FunctionBody { lines: Vec::new(), result: expr });
    let mut lowerer = Lowerer::new(ast, &none);
    lowerer.program("example", &["S", "I", "C"], &body, None)
}

/// A program of a text with the place of each of its nodes, or why it is none.
pub(crate) struct Placed {
    /// Name of its function; empty where there is none.
    pub(crate) name: String,
    pub(crate) outcome: Result<(Program, Vec<Span>), LoadError>,
}

/// The programs of a text and the functions that are none.
#[derive(Default)]
pub(crate) struct PlacedFile {
    pub(crate) programs: Vec<Placed>,
    pub(crate) dropped: Vec<(Span, DroppedKind)>,
    /// False when lines outside functions do not parse.
    pub(crate) is_whole: bool,
}

/// As [`load_snippet`], with places.
pub(crate) fn load_placed_snippet(text: &str) -> Placed {
    let read = || {
        let Snippet { ast, body } = parse_snippet(text)?;
        let none = FileNames::default();
        let mut lowerer = Lowerer::new(&ast, &none);
        let program = lowerer.program("snippet", &["S", "I", "C"], &body, None)?;
        Ok((program, lowerer.places))
    };
    Placed { name: String::new(), outcome: read() }
}

/// As [`load_file`], with places; every function that is meant as a program is there, in the order of the
/// text, with its own error. A program whose helper does not parse has the error of the helper.
pub(crate) fn load_placed(text: &str) -> PlacedFile {
    let file = parse_file(text);
    let mut found = PlacedFile::default();
    // Functions that did not parse have no tree: their names are in the text.
    let mut broken: Vec<(&str, LoadError)> = Vec::new();
    let mut loose: Vec<LoadError> = Vec::new();
    for error in &file.errors {
        match function_at(text, error.span.start) {
            Some(name) if broken.iter().any(|(known, _)| *known == name) => {}
            Some(name) => broken.push((name, error.clone().into())),
            None => loose.push(error.clone().into()),
        }
    }
    let mut last: FixedMap<&str, usize> = FixedMap::default();
    for (n, function) in file.functions.iter().enumerate() {
        if let Some(earlier) = last.insert(function.name.text, n) {
            found.dropped.push((file.functions[earlier].span, DroppedKind::Redefined));
        }
    }
    let named = file.functions.iter().any(|f| is_program_name(f.name.text))
        || broken.iter().any(|(name, _)| is_program_name(name));
    let used = used_names(&file);
    let names = FileNames::of(&file);
    let mut all: Vec<(u32, Placed)> = Vec::new();
    for (n, function) in file.functions.iter().enumerate() {
        let name = function.name.text;
        if last.get(name) != Some(&n) {
            continue;
        }
        let wanted = if named { is_program_name(name) } else { !used.contains_key(name) };
        if !wanted {
            if !used.contains_key(name) {
                found.dropped.push((function.span, DroppedKind::Function));
            }
            continue;
        }
        let mut lowerer = Lowerer::new(&file.ast, &names);
        let program = program_params(function)
            .and_then(|params| lowerer.program(name, &params, &function.body, None));
        let outcome = program.map(|program| (program, lowerer.places)).map_err(|error| {
            let LoadErrorKind::Unknown { name, .. } = &error.kind else { return error };
            let helper = broken.iter().find(|(broken, _)| broken == name);
            helper.map_or(error, |(_, why)| why.clone())
        });
        all.push((function.span.start, Placed { name: name.to_string(), outcome }));
    }
    for (name, error) in broken {
        if if named { is_program_name(name) } else { !used.contains_key(name) } {
            let (at, outcome) = (error.span.start, Err(error));
            all.push((at, Placed { name: name.to_string(), outcome }));
        }
    }
    found.is_whole = loose.is_empty();
    if all.is_empty() {
        let error = loose.into_iter().next();
        all.extend(error.map(|error| (0, Placed { name: String::new(), outcome: Err(error) })));
    }
    all.sort_by_key(|(at, _)| *at);
    found.programs.extend(all.into_iter().map(|(_, placed)| placed));
    found
}

/// Name of the function whose text holds a place.
fn function_at(text: &str, at: u32) -> Option<&str> {
    // The place may be at the end of the line that defines it.
    let upto = text.get(..at as usize)?;
    let line_end = text[upto.len()..].find('\n').map_or(text.len(), |n| upto.len() + n);
    let upto = &text[..line_end];
    let start = match upto.rfind("\ndef ") {
        Some(found) => found + 1,
        None if upto.starts_with("def ") => 0,
        None => return None,
    };
    // A line at the margin in between ends the function.
    let mut between = upto[start..].lines().skip(1);
    if between.any(|line| line.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '@')) {
        return None;
    }
    let name = &text[start + 4..];
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(&name[..end]).filter(|name| !name.is_empty())
}

fn load_parsed(file: &crate::syntax::ParsedFile<'_>, remarks: bool) -> Loaded {
    let mut loaded = Loaded::default();
    loaded.errors.extend(file.errors.iter().cloned().map(LoadError::from));
    let mut last: FixedMap<&str, usize> = FixedMap::default();
    for (n, function) in file.functions.iter().enumerate() {
        let earlier = last.insert(function.name.text, n);
        if let Some(earlier) = earlier.filter(|_| loaded.notes.len() < MAX_NOTES) {
            loaded.notes.push(Note {
                span: file.functions[earlier].name.span,
                program: function.name.text.to_string(),
                kind: NoteKind::Redefined(function.name.text.to_string()),
            });
        }
    }
    let named = file.functions.iter().any(|f| is_program_name(f.name.text));
    let used = used_names(file);
    let names = FileNames::of(file);
    for (n, function) in file.functions.iter().enumerate() {
        let name = function.name.text;
        let wanted = if named { is_program_name(name) } else { !used.contains_key(name) };
        if !wanted || last.get(name) != Some(&n) {
            continue;
        }
        let mut lowerer = Lowerer::new(&file.ast, &names);
        let notes = remarks.then_some(&mut loaded.notes);
        let program = program_params(function)
            .and_then(|params| lowerer.program(name, &params, &function.body, notes));
        match program {
            Ok(program) => loaded.programs.push(program),
            Err(error) => loaded.errors.push(error),
        }
    }
    loaded.errors.sort_by_key(|e| e.span.start);
    loaded
}

/// What the names of a file's functions and constants stand for; the last of a name counts.
#[derive(Default)]
struct FileNames<'a, 's> {
    functions: FixedMap<&'s str, &'a FunctionDef<'s>>,
    constants: FixedMap<&'s str, &'a Assign<'s>>,
    /// Names to suggest.
    candidates: Vec<&'s str>,
}

impl<'a, 's> FileNames<'a, 's> {
    fn of(file: &'a crate::syntax::ParsedFile<'s>) -> FileNames<'a, 's> {
        let names = file.functions.iter().map(|function| function.name.text);
        FileNames {
            functions: file.functions.iter().map(|f| (f.name.text, f)).collect(),
            constants: file.constants.iter().map(|c| (c.target.text, c)).collect(),
            candidates: names.take(MAX_CANDIDATES).collect(),
        }
    }
}

fn is_program_name(name: &str) -> bool {
    ["solve", "verify", "differ"].iter().any(|stem| {
        name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

/// Names used as functions or values inside function bodies.
fn used_names<'s>(file: &crate::syntax::ParsedFile<'s>) -> FixedMap<&'s str, ()> {
    let mut used = FixedMap::default();
    let mut todo: Vec<ExprId> = Vec::new();
    for function in &file.functions {
        todo.extend(function.body.lines.iter().map(|line| line.value));
        todo.push(function.body.result);
    }
    while let Some(id) = todo.pop() {
        match file.ast.expr(id) {
            Expr::Name(name) => {
                used.insert(name, ());
            }
            Expr::Call { callee, args, keywords } => {
                todo.push(callee);
                todo.extend(args);
                todo.extend(keywords.iter().map(|k| k.value));
            }
            Expr::Tuple(items) | Expr::Set(items) => todo.extend(items),
            Expr::Lambda { body, .. } => todo.push(body),
            Expr::Int(_) | Expr::Bool(_) | Expr::None => {}
        }
    }
    used
}

/// What each parameter of a program stands for: its own name, or `I` for a single one.
fn program_params<'s>(function: &FunctionDef<'s>) -> Result<Vec<&'s str>, LoadError> {
    let names: Vec<&'s str> = function.params.iter().map(|p| p.text).collect();
    match names.as_slice() {
        [_] => Ok(names),
        [] => Err(params_error(function, &names)),
        _ if names.iter().all(|n| ["S", "I", "C"].contains(n)) => Ok(names),
        _ => Err(params_error(function, &names)),
    }
}

fn params_error(function: &FunctionDef<'_>, names: &[&str]) -> LoadError {
    LoadError::new(function.name.span, LoadErrorKind::Params(names.join(", ")))
}

/// The lines of a body from where it is lowered on.
struct Later<'a, 's> {
    lines: &'a [Assign<'s>],
    at: usize,
    /// The last line of each name, where there are many.
    last: Option<FixedMap<&'s str, usize>>,
}

impl<'a, 's> Later<'a, 's> {
    fn of(lines: &'a [Assign<'s>]) -> Later<'a, 's> {
        let last = || lines.iter().enumerate().map(|(n, line)| (line.target.text, n)).collect();
        Later { lines, at: 0, last: (lines.len() > MANY_LINES).then(last) }
    }

    /// True for a name that this line or one further down assigns.
    fn assigns(&self, name: &str) -> bool {
        match &self.last {
            Some(last) => last.get(name).is_some_and(|&n| n >= self.at),
            None => self.lines[self.at..].iter().any(|line| line.target.text == name),
        }
    }
}

/// Variables in sight at one place of the text.
struct Scope<'a, 's> {
    vars: FixedMap<&'s str, NodeId>,
    later: Later<'a, 's>,
    /// Which builder the nodes of this scope are in.
    level: usize,
    /// The scope around a `lambda`.
    parent: Option<usize>,
}

/// A graph under construction: the program's, or that of an inner function.
#[derive(Default)]
struct Level {
    builder: Builder,
    spans: Vec<Span>,
    arity: usize,
    /// Nodes of the level below that this function captures.
    captures: Vec<NodeId>,
}

struct Lowerer<'a, 's> {
    registry: &'static Registry,
    ast: &'a Ast<'s>,
    names: &'a FileNames<'a, 's>,
    levels: Vec<Level>,
    scopes: Vec<Scope<'a, 's>>,
    /// Helpers and constants being lowered, to catch recursion.
    active: Vec<&'s str>,
    /// Where the nodes of the last program are from.
    places: Vec<Span>,
}

type Lowered = Result<NodeId, LoadError>;

impl<'a, 's> Lowerer<'a, 's> {
    fn new(ast: &'a Ast<'s>, names: &'a FileNames<'a, 's>) -> Self {
        Lowerer {
            registry: Registry::get(),
            ast,
            names,
            levels: vec![Level::default()],
            scopes: Vec::new(),
            active: Vec::new(),
            places: Vec::new(),
        }
    }

    fn program(
        &mut self,
        name: &str,
        params: &[&'s str],
        body: &'a FunctionBody<'s>,
        notes: Option<&mut Vec<Note>>,
    ) -> Result<Program, LoadError> {
        let scope = self.open(0, None);
        for &param in params {
            let op = match param {
                "S" if params.len() > 1 => Op::Samples,
                "C" if params.len() > 1 => Op::Expected,
                _ => Op::Input,
            };
            let node = self.node(0, op, &[], Span::default())?;
            self.scopes[scope].vars.insert(param, node);
        }
        let mut lines = Vec::new();
        let output = self.body(scope, &body.lines, body.result, Some(&mut lines))?;
        let (program, origin) = self.levels[0].builder.finish_with_origin(name.to_string(), output);
        let spans = &self.levels[0].spans;
        self.places = origin.iter().map(|id| spans[id.index()]).collect();
        let Some(notes) = notes else { return Ok(program) };
        let mut kept = vec![false; self.levels[0].builder.len()];
        origin.iter().for_each(|id| kept[id.index()] = true);
        for (line, node) in body.lines.iter().zip(lines) {
            if !kept[node.index()] && notes.len() < MAX_NOTES {
                notes.push(Note {
                    span: line.target.span,
                    program: name.to_string(),
                    kind: NoteKind::Unused(line.target.text.to_string()),
                });
            }
        }
        // What is surely a mistake is said beside what is only worth knowing.
        let room = (2 * MAX_NOTES).saturating_sub(notes.len());
        notes.extend(infer::warnings(&program).into_iter().take(room).map(|(node, kind)| Note {
            span: self.levels[0].spans[origin[node.index()].index()],
            program: name.to_string(),
            kind,
        }));
        Ok(program)
    }

    fn open(&mut self, level: usize, parent: Option<usize>) -> usize {
        let later = Later::of(&[]);
        self.scopes.push(Scope { vars: FixedMap::default(), later, level, parent });
        self.scopes.len() - 1
    }

    fn node(&mut self, level: usize, op: Op, args: &[NodeId], span: Span) -> Lowered {
        let level = &mut self.levels[level];
        let id = level.builder.node(op, args);
        if level.spans.len() < level.builder.len() {
            level.spans.push(span);
        }
        if level.builder.len() > MAX_NODES {
            return Err(LoadError::new(span, LoadErrorKind::TooLarge(MAX_NODES)));
        }
        Ok(id)
    }

    fn constant(&mut self, scope: usize, value: Value, span: Span) -> Lowered {
        self.node(self.scopes[scope].level, Op::Const(value), &[], span)
    }

    fn body(
        &mut self,
        scope: usize,
        body: &'a [Assign<'s>],
        result: ExprId,
        mut lines: Option<&mut Vec<NodeId>>,
    ) -> Lowered {
        self.scopes[scope].later = Later::of(body);
        for line in body {
            let value = self.expr(scope, line.value)?;
            self.scopes[scope].later.at += 1;
            self.scopes[scope].vars.insert(line.target.text, value);
            if let Some(lines) = lines.as_deref_mut() {
                lines.push(value);
            }
        }
        self.expr(scope, result)
    }

    fn expr(&mut self, scope: usize, id: ExprId) -> Lowered {
        let span = self.ast.span(id);
        let level = self.scopes[scope].level;
        match self.ast.expr(id) {
            Expr::Int(n) => self.constant(scope, Value::Int(n), span),
            Expr::Bool(b) => self.constant(scope, Value::bool(b), span),
            Expr::None => self.constant(scope, Value::None, span),
            Expr::Name(name) => self.name(scope, name, span, "name"),
            Expr::Tuple(items) => {
                let args = self.all(scope, items)?;
                self.display(level, Op::Tuple, &args, span)
            }
            Expr::Set(items) => {
                let args = self.all(scope, items)?;
                self.display(level, Op::Set, &args, span)
            }
            Expr::Lambda { params, body } => {
                let params: SmallVec<[&'s str; 4]> = params.iter().map(|p| p.text).collect();
                self.function(Some(scope), &params, &[], body, span)
            }
            Expr::Call { callee, args, keywords } => self.call(scope, callee, args, keywords, span),
        }
    }

    fn all(&mut self, scope: usize, items: &[ExprId]) -> Result<SmallVec<[NodeId; 8]>, LoadError> {
        items.iter().map(|&item| self.expr(scope, item)).collect()
    }

    /// A tuple or set display; known at once when all its parts are.
    fn display(&mut self, level: usize, op: Op, args: &[NodeId], span: Span) -> Lowered {
        let builder = &self.levels[level].builder;
        let parts: Option<Vec<Value>> = args
            .iter()
            .map(|&arg| match &builder.get(arg).op {
                Op::Const(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        match parts {
            Some(parts) => {
                let value = if op == Op::Set { Value::set(parts) } else { Value::tuple(parts) };
                self.node(level, Op::Const(value), &[], span)
            }
            None => self.node(level, op, args, span),
        }
    }

    fn name(&mut self, scope: usize, name: &'s str, span: Span, what: &'static str) -> Lowered {
        if let Some(node) = self.variable(scope, name, span)? {
            return Ok(node);
        }
        if self.scopes[scope].later.assigns(name) {
            return Err(LoadError::new(span, LoadErrorKind::BeforeAssignment(name.to_string())));
        }
        if let Some(helper) = self.helper(name) {
            let params: SmallVec<[&'s str; 4]> = helper.params.iter().map(|p| p.text).collect();
            return self.guarded(name, span, |this| {
                let FunctionBody { lines, result } = &helper.body;
                this.function(None, &params, lines, *result, span)
            });
        }
        if let Some(constant) = self.names.constants.get(name).copied() {
            let level = self.scopes[scope].level;
            return self.guarded(name, span, |this| {
                let scope = this.open(level, None);
                this.expr(scope, constant.value)
            });
        }
        if let Some(id) = self.registry.resolve(name) {
            return self.constant(scope, Value::Prim(id), span);
        }
        if let Some(constant) = constants::find(name) {
            return self.constant(scope, constant.value(), span);
        }
        if let Some(function) = foreign::find(name) {
            return self.constant(scope, function, span);
        }
        Err(LoadError::new(span, self.unknown(scope, name, what)))
    }

    fn helper(&self, name: &str) -> Option<&'a FunctionDef<'s>> {
        self.names.functions.get(name).copied()
    }

    /// Runs `lower` with `name` marked as being lowered.
    fn guarded(
        &mut self,
        name: &'s str,
        span: Span,
        lower: impl FnOnce(&mut Self) -> Lowered,
    ) -> Lowered {
        if self.active.contains(&name) || self.active.len() >= MAX_HELPERS {
            return Err(LoadError::new(span, LoadErrorKind::Recursion(name.to_string())));
        }
        self.active.push(name);
        let node = lower(self)?;
        self.active.pop();
        Ok(node)
    }

    /// The variable's node in the scope's own level; captured from outside where necessary.
    fn variable(
        &mut self,
        scope: usize,
        name: &'s str,
        span: Span,
    ) -> Result<Option<NodeId>, LoadError> {
        if let Some(&node) = self.scopes[scope].vars.get(name) {
            return Ok(Some(node));
        }
        let Some(parent) = self.scopes[scope].parent else { return Ok(None) };
        let Some(outer) = self.variable(parent, name, span)? else { return Ok(None) };
        let (level, below) = (self.scopes[scope].level, self.scopes[parent].level);
        let node = match &self.levels[below].builder.get(outer).op {
            Op::Const(value) => Op::Const(value.clone()),
            _ => {
                let level = &mut self.levels[level];
                let at = level.captures.iter().position(|&c| c == outer).unwrap_or_else(|| {
                    level.captures.push(outer);
                    level.captures.len() - 1
                });
                if at >= MAX_CAPTURES {
                    return Err(LoadError::new(span, LoadErrorKind::TooManyNames(MAX_CAPTURES)));
                }
                Op::Param((level.arity + at) as u16)
            }
        };
        let node = self.node(level, node, &[], span)?;
        self.scopes[scope].vars.insert(name, node);
        Ok(Some(node))
    }

    /// A `lambda` (with the scope around it) or a helper used as a value (with none).
    fn function(
        &mut self,
        around: Option<usize>,
        params: &[&'s str],
        lines: &'a [Assign<'s>],
        result: ExprId,
        span: Span,
    ) -> Lowered {
        if params.len() > MAX_CAPTURES || self.levels.len() > MAX_HELPERS {
            return Err(LoadError::new(span, LoadErrorKind::TooManyNames(MAX_CAPTURES)));
        }
        // Text is lowered in the innermost level only, so that is where the function is used.
        let below = self.levels.len() - 1;
        self.levels.push(Level { arity: params.len(), ..Level::default() });
        let level = self.levels.len() - 1;
        let scope = self.open(level, around);
        for (n, &param) in params.iter().enumerate() {
            let node = self.node(level, Op::Param(n as u16), &[], span)?;
            self.scopes[scope].vars.insert(param, node);
        }
        let output = self.body(scope, lines, result, None)?;
        self.scopes.truncate(scope);
        let done = self.levels.split_off(level).swap_remove(0);
        let code = Arc::new(code_of(&done, output));
        if done.captures.is_empty() {
            let value = Value::closure(Closure::Lambda(code, Box::new([])));
            return self.node(below, Op::Const(value), &[], span);
        }
        self.node(below, Op::Lambda(LambdaBody(code)), &done.captures, span)
    }

    fn call(
        &mut self,
        scope: usize,
        callee: ExprId,
        args: &[ExprId],
        keywords: &[Keyword<'s>],
        span: Span,
    ) -> Lowered {
        let level = self.scopes[scope].level;
        if let Expr::Name(name) = self.ast.expr(callee) {
            let at = self.ast.span(callee);
            if self.variable(scope, name, at)?.is_none() && !self.scopes[scope].later.assigns(name)
            {
                if let Some(helper) = self.helper(name) {
                    let params: SmallVec<[&str; 4]> =
                        helper.params.iter().map(|p| p.text).collect();
                    let args = self.arguments(scope, name, &params, args, keywords, span)?;
                    return self.inline(scope, helper, &args, span);
                }
                if let Some(id) = self.registry.resolve(name) {
                    let prim: &Primitive = self.registry.primitive(id);
                    let args = self.arguments(scope, name, prim.params, args, keywords, span)?;
                    return self.call_prim(level, id, &args, span);
                }
                if name == "frozenset" && keywords.is_empty() && args.len() <= 1 {
                    return self.frozenset(scope, args, span);
                }
                let constant = self.names.constants.contains_key(name)
                    || constants::find(name).is_some()
                    || foreign::find(name).is_some();
                if !constant {
                    return Err(LoadError::new(at, self.unknown(scope, name, "function")));
                }
            }
        }
        if let Some(keyword) = keywords.first() {
            return Err(LoadError::new(keyword.name.span, LoadErrorKind::KeywordOnValue));
        }
        let mut nodes: SmallVec<[NodeId; 8]> = SmallVec::new();
        nodes.push(self.expr(scope, callee)?);
        nodes.extend(self.all(scope, args)?);
        // A primitive reached through a variable is called directly.
        if let Op::Const(Value::Prim(id)) = self.levels[level].builder.get(nodes[0]).op {
            let prim = self.registry.primitive(id);
            if prim.arity() == args.len() {
                return self.call_prim(level, id, &nodes[1..], span);
            }
        }
        self.node(level, Op::Apply, &nodes, span)
    }

    /// A call of a primitive. Words of rules that are called with constants are the numbers they stand for,
    /// so that a rule is one constant however it was written.
    fn call_prim(&mut self, level: usize, prim: PrimId, args: &[NodeId], span: Span) -> Lowered {
        let builder = &self.levels[level].builder;
        let constant = |id: &NodeId| match &builder.get(*id).op {
            Op::Const(value) => Some(value),
            _ => None,
        };
        let known: Option<SmallVec<[&Value; 4]>> = args.iter().map(constant).collect();
        match known.and_then(|known| words::folded(prim, &known)) {
            Some(value) => self.node(level, Op::Const(value), &[], span),
            None => self.node(level, Op::Call(prim), args, span),
        }
    }

    /// `frozenset()`, `frozenset({..})` and `frozenset((..))`.
    fn frozenset(&mut self, scope: usize, args: &[ExprId], span: Span) -> Lowered {
        let level = self.scopes[scope].level;
        match args.first().map(|&arg| self.ast.expr(arg)) {
            None => self.constant(scope, Value::empty_set(), span),
            Some(Expr::Set(items) | Expr::Tuple(items)) => {
                let args = self.all(scope, items)?;
                self.display(level, Op::Set, &args, span)
            }
            Some(_) => Err(LoadError::new(span, self.unknown(scope, "frozenset", "function"))),
        }
    }

    fn inline(
        &mut self,
        scope: usize,
        helper: &'a FunctionDef<'s>,
        args: &[NodeId],
        span: Span,
    ) -> Lowered {
        let level = self.scopes[scope].level;
        self.guarded(helper.name.text, span, |this| {
            let inner = this.open(level, None);
            for (param, &arg) in helper.params.iter().zip(args) {
                this.scopes[inner].vars.insert(param.text, arg);
            }
            let node = this.body(inner, &helper.body.lines, helper.body.result, None)?;
            this.scopes.truncate(inner);
            Ok(node)
        })
    }

    /// Arguments by place and by keyword, in the order of the parameters.
    fn arguments(
        &mut self,
        scope: usize,
        name: &str,
        params: &[&str],
        args: &[ExprId],
        keywords: &[Keyword<'s>],
        span: Span,
    ) -> Result<SmallVec<[NodeId; 4]>, LoadError> {
        let given = args.len() + keywords.len();
        let mut places: SmallVec<[Option<ExprId>; 4]> = SmallVec::from_elem(None, params.len());
        for (place, &arg) in places.iter_mut().zip(args) {
            *place = Some(arg);
        }
        for keyword in keywords {
            let text = keyword.name.text;
            let Some(at) = params.iter().position(|&p| p == text) else {
                let kind = LoadErrorKind::Keyword {
                    name: name.to_string(),
                    keyword: text.to_string(),
                    params: params.join(", "),
                };
                return Err(LoadError::new(keyword.name.span, kind));
            };
            if places[at].replace(keyword.value).is_some() {
                let kind =
                    LoadErrorKind::Twice { name: name.to_string(), keyword: text.to_string() };
                return Err(LoadError::new(keyword.name.span, kind));
            }
        }
        if given != params.len() || args.len() > params.len() {
            let kind = LoadErrorKind::Arity { name: name.to_string(), wanted: params.len(), given };
            return Err(LoadError::new(span, kind));
        }
        places.into_iter().flatten().map(|arg| self.expr(scope, arg)).collect()
    }

    fn unknown(&self, scope: usize, name: &str, what: &'static str) -> LoadErrorKind {
        let mut candidates: Vec<&str> = suggest::primitives();
        candidates.extend(alias::ALIASES.iter().map(|a| a.name));
        candidates.extend(&self.names.candidates);
        candidates.extend(foreign::names());
        if what != "function" {
            candidates.extend(arcloom_dsl::CONSTANTS.iter().map(|c| c.name));
            let mut vars: Vec<&str> = self.scopes[scope].vars.keys().copied().collect();
            vars.sort_unstable();
            candidates.extend(vars);
        }
        let nearest = suggest::suggestion(name, &candidates);
        LoadErrorKind::Unknown { what, name: name.to_string(), nearest }
    }
}

/// The graph of an inner function as code that the caller runs.
fn code_of(level: &Level, output: NodeId) -> Code {
    code(&level.builder.finish(String::new(), output), level.arity)
}

/// A program as a function of its input, for others to call; `None` when it reads the demo pairs or the expected
/// output.
pub fn function(program: &Program) -> Option<Value> {
    let reads = |op: &Op| matches!(op, Op::Samples | Op::Expected);
    if program.nodes().iter().any(|node| reads(&node.op)) {
        return None;
    }
    let mut builder = Builder::default();
    let mut placed: Vec<NodeId> = Vec::new();
    for node in program.nodes() {
        let args: Vec<NodeId> = node.args.iter().map(|arg| placed[arg.index()]).collect();
        let op = if node.op == Op::Input { Op::Param(0) } else { node.op.clone() };
        placed.push(builder.node(op, &args));
    }
    let body = builder.finish(String::new(), placed[program.output().index()]);
    Some(Value::closure(Closure::Lambda(Arc::new(code(&body, 1)), Box::new([]))))
}

/// A graph with parameters as code.
fn code(graph: &Program, arity: usize) -> Code {
    let (mut constants, mut steps) = (Vec::new(), Vec::new());
    let mut slots: Vec<Slot> = Vec::with_capacity(graph.nodes().len());
    for node in graph.nodes() {
        let args: Box<[Slot]> = node.args.iter().map(|arg| slots[arg.index()]).collect();
        let step = match &node.op {
            Op::Param(n) if usize::from(*n) < arity => {
                slots.push(Slot::Param(*n as u8));
                continue;
            }
            Op::Param(n) => {
                slots.push(Slot::Capture(*n - arity as u16));
                continue;
            }
            Op::Const(value) => {
                slots.push(Slot::Const(constants.len() as u16));
                constants.push(value.clone());
                continue;
            }
            // The program's inputs reach inner functions as captures only.
            Op::Input | Op::Samples | Op::Expected => {
                slots.push(Slot::Const(constants.len() as u16));
                constants.push(Value::None);
                continue;
            }
            Op::Call(id) => CodeStep::Call(*id, args),
            Op::Apply => CodeStep::Apply(args[0], args[1..].into()),
            Op::Tuple => CodeStep::Tuple(args),
            Op::Set => CodeStep::Set(args),
            Op::Lambda(body) => CodeStep::Lambda(body.0.clone(), args),
        };
        slots.push(Slot::Step(steps.len() as u32));
        steps.push(step);
    }
    let result = slots.last().copied().unwrap_or(Slot::Const(0));
    Code::new(arity as u8, constants, steps, result)
}
