//! Programs as text: straight lines, inlined expressions, and files for the original arc-dsl.
//!
//! Steps used more than once keep a line of their own in every form, so no text is ever larger than
//! its graph by more than a constant factor. Reading a printed program gives an equal program.

use std::sync::LazyLock;

use crate::syntax::{Assign, Ast, ExprId, FunctionBody, FunctionDef, OFF, ON, Span};
use arcloom_dsl::words::{self, Word};
use arcloom_dsl::{CONSTANTS, Registry, constants::Const};
use arcloom_value::{Closure, Code, CodeStep, PrimId, Role, Ty, Value};

use crate::infer;
use crate::node::{Node, NodeId, Op};
use crate::program::{Program, is_step, uses};

mod canonical;
mod function;

pub use canonical::canonical;

/// How a program is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One call per line.
    Straight,
    /// Calls nested in calls; only shared steps have lines.
    Inline,
    /// Straight lines with arc-dsl's constants only, for a file that runs on the original.
    ArcDsl,
}

/// One program as a function.
pub fn print(program: &Program, form: Form) -> String {
    let names = Names::of_program(program);
    let mut printer = Printer::new(program.nodes(), form, &names);
    let function = printer.function(&program.name, program.output());
    let Printer { ast, helpers, .. } = printer;
    let mut out = String::new();
    for helper in &helpers {
        helper.write(&ast, &mut out);
        out.push_str("\n\n");
    }
    match form {
        Form::Inline => function.write(&ast, &mut out),
        Form::Straight | Form::ArcDsl => function.write_broken(&ast, &mut out),
    }
    out
}

/// What a program does on one line: the inlined form without its head, lines joined by `;`. Helper
/// functions are left out.
pub fn one_line(program: &Program) -> String {
    let text = print(program, Form::Inline);
    let head = format!("def {}(", program.name);
    let body = text.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    body.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Several programs as a file.
pub fn print_file<'a>(programs: impl IntoIterator<Item = &'a Program>, form: Form) -> String {
    let mut out = String::from("from dsl import *\nfrom constants import *\n");
    let programs: Vec<&Program> = programs.into_iter().collect();
    if form == Form::ArcDsl {
        let extra = definitions(programs.iter().map(|p| p.nodes()));
        if !extra.is_empty() {
            out.push_str(&format!("\n\n{extra}\n"));
        }
    }
    for program in programs {
        out.push_str("\n\n");
        out.push_str(&print(program, form));
    }
    out
}

/// The line of each step, as a trace shows it: variable and expression.
pub fn lines(program: &Program) -> Vec<(NodeId, String)> {
    let names = Names::of_program(program);
    let mut printer = Printer::new(program.nodes(), Form::Straight, &names);
    let steps = (0..program.nodes().len() as u32)
        .map(NodeId)
        .filter(|id| is_step(&program.node(*id).op) || *id == program.output());
    let lines: Vec<(NodeId, ExprId)> = steps.map(|id| (id, printer.expression(id, None))).collect();
    let line =
        |(id, expr)| (id, format!("{} = {}", names.variable(id), printer.ast.print_expr(expr)));
    lines.into_iter().map(line).collect()
}

/// A graph of any number of programs as text.
#[derive(Debug, Clone)]
pub struct GraphText {
    /// `def`s of helper functions that the lines call.
    pub helpers: Vec<String>,
    /// For each node the name of its variable, or for an input or constant its text.
    pub names: Vec<String>,
    /// For each step the right-hand side of its line; empty for the other nodes.
    pub lines: Vec<String>,
}

/// The steps of a graph as lines with the variables `t1`, `t2`, ...
pub fn graph(nodes: &[Node], form: Form) -> GraphText {
    let names = Names::new(nodes, "t", None);
    let mut printer = Printer::new(nodes, form, &names);
    let ids = || (0..nodes.len() as u32).map(NodeId);
    let exprs: Vec<ExprId> = ids().map(|id| printer.expression(id, None)).collect();
    let Printer { ast, helpers, .. } = printer;
    let texts: Vec<String> = exprs.into_iter().map(|expr| ast.print_expr(expr)).collect();
    let step = |id: NodeId| is_step(&nodes[id.index()].op);
    let helper = |function: &FunctionDef<'_>| {
        let mut out = String::new();
        function.write(&ast, &mut out);
        out
    };
    let name = |(id, text): (NodeId, &String)| match step(id) {
        true => names.variable(id).to_string(),
        false => text.clone(),
    };
    let found: Vec<String> = ids().zip(&texts).map(name).collect();
    let line = |(id, text)| if step(id) { text } else { String::new() };
    let lines = ids().zip(texts).map(line).collect();
    GraphText { helpers: helpers.iter().map(helper).collect(), names: found, lines }
}

/// Python definitions of the names in these graphs that arc-dsl lacks, within comments for the loader to
/// pass over them; empty when there are none.
pub fn definitions<'a>(graphs: impl IntoIterator<Item = &'a [Node]>) -> String {
    let mut extra: Vec<&'static str> = graphs.into_iter().flat_map(extra_names).collect();
    extra.sort_unstable();
    extra.dedup();
    let definitions = arcloom_dsl::python::definitions(&extra);
    match definitions.trim_end() {
        "" => String::new(),
        definitions => format!("{OFF}\n{definitions}\n{ON}"),
    }
}

/// Primitives in these nodes that arc-dsl lacks, by name, and the words in which their arguments are written.
fn extra_names(nodes: &[Node]) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for node in nodes {
        match &node.op {
            Op::Call(id) => add_extra(*id, &mut found),
            Op::Const(value) => extra_in(value, &mut found),
            Op::Lambda(body) => extra_in_code(&body.0, &mut found),
            _ => {}
        }
    }
    for node in nodes {
        let Op::Call(prim) = node.op else { continue };
        for (index, arg) in node.args.iter().enumerate() {
            if let Some(word) = spoken(prim, index, &nodes[arg.index()]) {
                word.names(&mut |name| found.push(name));
            }
        }
    }
    found
}

/// The words in which argument `index` of a call is written, if it is a rule or the like.
fn spoken(prim: PrimId, index: usize, arg: &Node) -> Option<Word> {
    match &arg.op {
        Op::Const(value) => words::spoken(prim, index, value),
        _ => None,
    }
}

fn add_extra(id: PrimId, found: &mut Vec<&'static str>) {
    let prim = Registry::get().primitive(id);
    if prim.extra {
        found.push(prim.name);
    }
}

fn extra_in(value: &Value, found: &mut Vec<&'static str>) {
    match value {
        Value::Prim(id) => add_extra(*id, found),
        Value::Closure(closure) => {
            closure.closure().parts().into_iter().for_each(|part| extra_in(part, found));
            if let Closure::Lambda(code, _) = closure.closure() {
                extra_in_code(code, found);
            }
        }
        Value::Tuple(seq) | Value::Set(seq) => seq.items().iter().for_each(|v| extra_in(v, found)),
        _ => {}
    }
}

fn extra_in_code(code: &Code, found: &mut Vec<&'static str>) {
    code.constants.iter().for_each(|v| extra_in(v, found));
    for step in &code.steps {
        match step {
            CodeStep::Call(id, slots) => {
                add_extra(*id, found);
                for (index, slot) in slots.iter().enumerate() {
                    if let Some(word) = function::spoken(*id, index, slot, code) {
                        word.names(&mut |name| found.push(name));
                    }
                }
            }
            CodeStep::Lambda(inner, _) => extra_in_code(inner, found),
            _ => {}
        }
    }
}

/// Names that the tree borrows: variables by number, parameters by depth and place.
struct Names {
    /// `x1`, `x2`, ...
    variables: Vec<String>,
    /// Which of them a node has, counted over the steps before it.
    places: Vec<usize>,
    params: &'static [String],
    helpers: Vec<String>,
    output: Option<NodeId>,
}

/// Most parameters of functions inside functions that get names of their own.
const MAX_PARAMS: usize = 1024;

impl Names {
    fn of_program(program: &Program) -> Names {
        Names::new(program.nodes(), "x", Some(program.output()))
    }

    /// Variables that begin with `prefix`; the step `output`, if there is one, is called `O`.
    fn new(nodes: &[Node], prefix: &str, output: Option<NodeId>) -> Names {
        let mut steps = 0;
        let places = nodes.iter().map(|node| {
            steps += usize::from(is_step(&node.op));
            steps
        });
        let places: Vec<usize> = places.collect();
        let longest = nodes.iter().map(code_steps).max().unwrap_or(0);
        // A function is written wherever it is used, and so is its helper.
        let has_functions = nodes.iter().any(|node| may_hold_functions(&node.op));
        let uses: usize = nodes.iter().map(|node| 1 + node.args.len()).sum();
        let helpers = if has_functions { uses } else { 0 };
        static PARAMS: LazyLock<Vec<String>> =
            LazyLock::new(|| (0..MAX_PARAMS).map(|n| format!("p{n}")).collect());
        Names {
            variables: (0..=steps.max(longest)).map(|n| format!("{prefix}{n}")).collect(),
            places,
            params: &PARAMS,
            helpers: (0..=helpers).map(|n| format!("helper{n}")).collect(),
            output,
        }
    }

    /// The variable that holds a step: `x1`, `x2`, ... and `O` for the result.
    fn variable(&self, id: NodeId) -> &str {
        if Some(id) == self.output { "O" } else { &self.variables[self.places[id.index()]] }
    }
}

/// True when a node may be written with a helper function.
fn may_hold_functions(op: &Op) -> bool {
    match op {
        Op::Lambda(_) => true,
        Op::Const(value) => matches!(value, Value::Closure(_) | Value::Tuple(_) | Value::Set(_)),
        _ => false,
    }
}

/// Steps of the function value that a node holds.
fn code_steps(node: &Node) -> usize {
    match &node.op {
        Op::Const(Value::Closure(closure)) => match closure.closure() {
            Closure::Lambda(code, _) => code.steps.len(),
            _ => 0,
        },
        _ => 0,
    }
}

struct Printer<'n> {
    nodes: &'n [Node],
    form: Form,
    names: &'n Names,
    ast: Ast<'n>,
    helpers: Vec<FunctionDef<'n>>,
}

impl<'n> Printer<'n> {
    fn new(nodes: &'n [Node], form: Form, names: &'n Names) -> Printer<'n> {
        Printer { nodes, form, names, ast: Ast::new(), helpers: Vec::new() }
    }

    fn function(&mut self, name: &'n str, output: NodeId) -> FunctionDef<'n> {
        let nodes = self.nodes;
        let wide = nodes.iter().any(|n| matches!(n.op, Op::Samples | Op::Expected));
        let params: &[&'static str] = if wide { &["S", "I", "C"] } else { &["I"] };
        let uses = uses(nodes);
        let inline: Option<Vec<bool>> = (self.form == Form::Inline)
            .then(|| nodes.iter().zip(&uses).map(|(n, &u)| is_step(&n.op) && u < 2).collect());
        let mut lines = Vec::new();
        let mut done: Vec<Option<ExprId>> = vec![None; nodes.len()];
        for id in (0..nodes.len() as u32).map(NodeId) {
            let step = is_step(&nodes[id.index()].op);
            if !step && id != output {
                continue;
            }
            let value = self.expression(id, inline.as_ref().map(|i| (&i[..], &done[..])));
            let nested = inline.as_ref().is_some_and(|i| i[id.index()]);
            if nested && id != output {
                done[id.index()] = Some(value);
                continue;
            }
            if id == output && inline.is_some() {
                done[id.index()] = Some(value);
                continue;
            }
            lines.push(Assign { target: self.names.variable(id).into(), value });
        }
        let result = match done[output.index()] {
            Some(value) => value,
            None => self.ast.name("O"),
        };
        FunctionDef {
            name: name.into(),
            params: params.iter().map(|&p| p.into()).collect(),
            body: FunctionBody { lines, result },
            span: Span::default(),
        }
    }

    /// The right-hand side of a node; nested steps are taken from `inline` where given.
    fn expression(&mut self, id: NodeId, inline: Option<(&[bool], &[Option<ExprId>])>) -> ExprId {
        let node: &'n Node = &self.nodes[id.index()];
        if !is_step(&node.op) {
            return self.leaf(node, None);
        }
        let prim = if let Op::Call(prim) = node.op { Some(prim) } else { None };
        let args: Vec<ExprId> = node
            .args
            .iter()
            .enumerate()
            .map(|(index, &arg)| {
                let inner: &'n Node = &self.nodes[arg.index()];
                if let Some(word) = prim.and_then(|prim| spoken(prim, index, inner)) {
                    return self.word(&word);
                }
                if !is_step(&inner.op) {
                    return self.leaf(inner, prim.and_then(|p| infer::role(p, index)));
                }
                match inline.and_then(|(_, done)| done[arg.index()]) {
                    Some(expr) => expr,
                    None => self.ast.name(self.names.variable(arg)),
                }
            })
            .collect();
        match &node.op {
            Op::Call(id) => {
                let callee = self.ast.name(Registry::get().primitive(*id).name);
                self.ast.call(callee, &args, &[])
            }
            Op::Apply => self.ast.call(args[0], &args[1..], &[]),
            Op::Set => self.set(&args),
            Op::Lambda(body) => self.lambda(&body.0, &args, 0),
            _ => self.ast.tuple(&args),
        }
    }

    fn word(&mut self, word: &Word) -> ExprId {
        match word {
            Word::Int(n) => self.ast.int(*n),
            Word::Name(name) => self.ast.name(name),
            Word::Tuple(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|part| self.word(part)).collect();
                self.ast.tuple(&parts)
            }
            Word::Call(name, args) => {
                let args: Vec<ExprId> = args.iter().map(|arg| self.word(arg)).collect();
                let callee = self.ast.name(name);
                self.ast.call(callee, &args, &[])
            }
        }
    }

    fn leaf(&mut self, node: &'n Node, role: Option<Role>) -> ExprId {
        match &node.op {
            Op::Input => self.ast.name("I"),
            Op::Samples => self.ast.name("S"),
            Op::Expected => self.ast.name("C"),
            Op::Const(value) => self.constant(value, role),
            _ => self.ast.none(),
        }
    }

    fn set(&mut self, items: &[ExprId]) -> ExprId {
        let callee = self.ast.name("frozenset");
        if items.is_empty() {
            return self.ast.call(callee, &[], &[]);
        }
        let items = self.ast.set(items);
        self.ast.call(callee, &[items], &[])
    }

    fn constant(&mut self, value: &Value, role: Option<Role>) -> ExprId {
        if let Some(name) = constant_name(value, role, self.form) {
            return self.ast.name(name);
        }
        match value {
            Value::None => self.ast.none(),
            Value::Int(n) => self.ast.int(*n),
            Value::Prim(id) => self.ast.name(Registry::get().primitive(*id).name),
            Value::Closure(closure) => self.closure(closure.closure()),
            set if set.is_set() => {
                let items: Vec<ExprId> = self.literals(set);
                self.set(&items)
            }
            tuple => {
                let items = self.literals(tuple);
                self.ast.tuple(&items)
            }
        }
    }

    /// The elements of a container, integers as digits.
    fn literals(&mut self, container: &Value) -> Vec<ExprId> {
        let items: Vec<Value> = container.iter().into_iter().flatten().collect();
        items
            .iter()
            .map(|item| match item {
                Value::Int(n) => self.ast.int(*n),
                item if item.is_tuple() => {
                    let parts = self.literals(item);
                    self.ast.tuple(&parts)
                }
                item => self.constant(item, None),
            })
            .collect()
    }
}

/// The name a constant is usually written with in this role.
fn constant_name(value: &Value, role: Option<Role>, form: Form) -> Option<&'static str> {
    let wanted = match *value {
        Value::Int(n) => Const::Int(n),
        Value::Pair(a, b) => Const::Pair(a, b),
        _ => return None,
    };
    let ty = match (wanted, role) {
        (Const::Pair(..), _) => Ty::Pair,
        (_, Some(Role::Bool)) => Ty::BOOL,
        (_, Some(role @ (Role::Rank | Role::Angle))) if form != Form::ArcDsl => Ty::Int(role),
        _ => Ty::INT,
    };
    let named = |ty: &Ty, extra: bool| {
        CONSTANTS.iter().find(|c| c.value == wanted && c.ty == *ty && c.extra == extra)
    };
    let found = named(&ty, false).or_else(|| {
        let special = matches!(ty, Ty::Int(Role::Rank | Role::Angle));
        special.then(|| named(&ty, true)).flatten()
    });
    found.map(|c| c.name)
}
