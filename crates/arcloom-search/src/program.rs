//! Plans as programs of the DSL, so that what a search finds can be printed, checked, traced and kept.
//!
//! `words.rs` says how each step is written; everything else follows from it. A step on a sheet is a
//! call, a step on a list of sheets the same call handed to `map_sheets`. Equal beginnings of chains
//! become the same lines.
//!
//! Layers are painted from the lowest to the highest: one that is laid by its visible cells with
//! `sheet_lay`, one that is laid by its gaps with `sheet_mask`, and one that is laid whole begins anew.
//! In place of layers, pictures embedded in the output's size
//! are looked up in a table with `lookup_cells`, or one is overgrown with `grow_cells`.
//! Cells are decided by a tree with `decide_cells`. Cases are nested calls of `branch`, which evaluates both arms: only
//! plans that can be made on every input become arms.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::decide::Tree;
use arcloom_dsl::kernel::sheet::overgrow::GrowRule;
use arcloom_dsl::sheet::color::SHEET_DYE_STEP;
use arcloom_dsl::sheet::crop::SHEET_HOME_STEP;
use arcloom_dsl::sheet::list::OVERLAID_STEP;
use arcloom_dsl::step::StepWord;
use arcloom_dsl::{Registry, sheet};
use arcloom_lang::{Builder, NodeId, Op, Program};
use arcloom_value::Value;

pub use self::words::{StepCalls, words};
use self::words::{growth_value, key_value, tree_value};
use crate::compose::Laid;
use crate::costs::key;
use crate::picture::{PictureId, Start};
use crate::pieces::Tail;
use crate::plan::{CasePlan, Chain, Key, KeyValue, Layer, LookupTable, PlanSize, Recipe, Whole};
use crate::size::Size;
use crate::steps::{Canvas, Step};

mod words;

/// Why a plan is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The size of the output is taken from something that is made of the output's size.
    Circular,
    /// A step is not for what the steps before it make.
    Misplaced(Step),
    /// The engine has no primitive of this name.
    Unknown(&'static str),
    /// The program of this picture was not given.
    NoPicture(PictureId),
}

impl std::fmt::Display for NoProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoProgram::Circular => {
                f.write_str("the output's size is taken from a sheet of the output's size")
            }
            NoProgram::Misplaced(step) => {
                write!(f, "{} does not go on from what is there", key(step))
            }
            NoProgram::Unknown(name) => write!(f, "there is no primitive `{name}`"),
            NoProgram::NoPicture(id) => write!(f, "picture {id} has no program"),
        }
    }
}

impl std::error::Error for NoProgram {}

/// The program that makes what the plan makes, under this name. `pictures` are the programs of the
/// pictures that the plan starts from.
pub fn program(
    plan: &Recipe,
    name: &str,
    pictures: &BTreeMap<PictureId, Program>,
) -> Result<Program, NoProgram> {
    let mut writer = Writer::new();
    let input = writer.builder.node(Op::Input, &[]);
    let roles = match plan.view.renamed {
        true => {
            let samples = writer.builder.node(Op::Samples, &[]);
            Some(writer.call("color_roles", &[samples, input])?)
        }
        false => None,
    };
    let mut seen = Seen { roles, ground: None, transposed: plan.view.transposed };
    if plan.view.grounded {
        let named = writer.named(input, seen)?;
        seen.ground = Some(writer.call("mostcolor", &[named])?);
    }
    let size_of = if seen.transposed { writer.call("dmirror", &[input])? } else { input };
    writer.input_size = Some(writer.call("shape", &[size_of])?);
    writer.start(Start::Input, input, seen)?;
    for id in plan.pictures() {
        let made = pictures.get(&id).ok_or(NoProgram::NoPicture(id))?;
        let grid = writer.inline(made);
        writer.start(Start::Picture(id), grid, seen)?;
    }
    let size = writer.size(&plan.size)?;
    writer.output_size = Some(size);
    let whole = writer.whole(&plan.whole, size)?;
    let mut output = writer.call("sheet_grid", &[whole])?;
    if seen.transposed {
        output = writer.call("dmirror", &[output])?;
    }
    output = writer.swapped(output, seen)?;
    if let Some(roles) = roles {
        output = writer.call("restore_colors", &[output, roles])?;
    }
    Ok(writer.builder.finish(name.to_owned(), output))
}

/// The program that does these steps on its input, a sheet or a list of sheets, as if they came from this
/// picture, with both canvases of its size.
pub fn chain(
    steps: &[Step],
    is_list: bool,
    picture: &Sheet,
    name: &str,
) -> Result<Program, NoProgram> {
    let mut writer = Writer::new();
    let node = writer.constant(sheet::value(picture));
    writer.starts.insert(Start::Input, Made { node, is_list: false });
    let size = writer.pair((picture.height(), picture.width()));
    (writer.input_size, writer.output_size) = (Some(size), Some(size));
    let node = writer.builder.node(Op::Input, &[]);
    let made = writer.steps(steps, Made { node, is_list })?;
    Ok(writer.builder.finish(name.to_owned(), made.node))
}

/// How inputs are seen.
#[derive(Clone, Copy)]
struct Seen {
    /// The roles by which colours are renamed.
    roles: Option<NodeId>,
    /// The colour that is exchanged with 0.
    ground: Option<NodeId>,
    transposed: bool,
}

/// A node and what it holds.
#[derive(Clone, Copy)]
struct Made {
    node: NodeId,
    is_list: bool,
}

struct Writer {
    builder: Builder,
    starts: BTreeMap<Start, Made>,
    input_size: Option<NodeId>,
    output_size: Option<NodeId>,
}

impl Writer {
    fn new() -> Writer {
        Writer {
            builder: Builder::default(),
            starts: BTreeMap::new(),
            input_size: None,
            output_size: None,
        }
    }

    /// A grid with its colours renamed by role.
    fn named(&mut self, grid: NodeId, seen: Seen) -> Result<NodeId, NoProgram> {
        match seen.roles {
            Some(roles) => self.call("rename_colors", &[grid, roles]),
            None => Ok(grid),
        }
    }

    /// A grid with the background exchanged with 0.
    fn swapped(&mut self, grid: NodeId, seen: Seen) -> Result<NodeId, NoProgram> {
        let Some(ground) = seen.ground else { return Ok(grid) };
        let zero = self.int(0);
        self.call("switch", &[grid, ground, zero])
    }

    /// A grid that chains start from, as it is seen.
    fn start(&mut self, start: Start, grid: NodeId, seen: Seen) -> Result<(), NoProgram> {
        let named = self.named(grid, seen)?;
        let mut grid = self.swapped(named, seen)?;
        if seen.transposed {
            grid = self.call("dmirror", &[grid])?;
        }
        let node = self.call("as_sheet", &[grid])?;
        self.starts.insert(start, Made { node, is_list: false });
        Ok(())
    }

    /// The nodes of another program; the node of its result.
    fn inline(&mut self, program: &Program) -> NodeId {
        let mut placed: Vec<NodeId> = Vec::new();
        for node in program.nodes() {
            let args: Vec<NodeId> = node.args.iter().map(|arg| placed[arg.0 as usize]).collect();
            placed.push(self.builder.node(node.op.clone(), &args));
        }
        placed[program.output().0 as usize]
    }

    fn constant(&mut self, value: Value) -> NodeId {
        self.builder.node(Op::Const(value), &[])
    }

    fn pair(&mut self, size: Size) -> NodeId {
        self.constant(Value::pair(size.0 as i64, size.1 as i64))
    }

    fn int(&mut self, n: i64) -> NodeId {
        self.constant(Value::Int(n))
    }

    fn call(&mut self, name: &'static str, args: &[NodeId]) -> Result<NodeId, NoProgram> {
        let prim = Registry::get().find(name).ok_or(NoProgram::Unknown(name))?;
        Ok(self.builder.node(Op::Call(prim), args))
    }

    /// The size of a canvas, once it is known.
    fn size_of(&self, canvas: Canvas) -> Option<NodeId> {
        match canvas {
            Canvas::Input => self.input_size,
            Canvas::Output => self.output_size,
        }
    }

    fn word(&mut self, word: &StepWord) -> Result<NodeId, NoProgram> {
        Ok(match word {
            StepWord::Int(n) => self.int(*n),
            StepWord::Bool(truth) => self.int((*truth).into()),
            StepWord::Pair(i, j) => self.constant(Value::Pair(*i, *j)),
            StepWord::Function(name) => self.function(name)?,
            StepWord::Call(name, args) => {
                let args = self.all_words(args)?;
                self.call(name, &args)?
            }
            StepWord::Constant(value) => self.constant(value.clone()),
            StepWord::Picture => self.starts.get(&Start::Input).ok_or(NoProgram::Circular)?.node,
            StepWord::Size(canvas) => self.size_of(*canvas).ok_or(NoProgram::Circular)?,
        })
    }

    fn all_words(&mut self, words: &[StepWord]) -> Result<Vec<NodeId>, NoProgram> {
        words.iter().map(|word| self.word(word)).collect()
    }

    /// A primitive as a function.
    fn function(&mut self, name: &'static str) -> Result<NodeId, NoProgram> {
        let prim = Registry::get().find(name).ok_or(NoProgram::Unknown(name))?;
        Ok(self.constant(Value::Prim(prim)))
    }

    fn chain(&mut self, chain: &Chain) -> Result<Made, NoProgram> {
        let start = self.starts.get(&chain.start);
        let unknown = || chain.start.picture().map_or(NoProgram::Circular, NoProgram::NoPicture);
        self.steps(&chain.steps, *start.ok_or_else(unknown)?)
    }

    fn steps(&mut self, steps: &[Step], start: Made) -> Result<Made, NoProgram> {
        steps.iter().try_fold(start, |made, &step| self.step(step, made))
    }

    fn step(&mut self, step: Step, from: Made) -> Result<Made, NoProgram> {
        let takes_list = step.joins() || step.sifts();
        if from.is_list && step.splits() || takes_list && !from.is_list {
            return Err(NoProgram::Misplaced(step));
        }
        let StepCalls { calls, args } = words(&step);
        let mut node = from.node;
        for (n, name) in calls.iter().enumerate() {
            let args = if n == 0 { self.all_words(&args)? } else { Vec::new() };
            node = if from.is_list && !takes_list {
                let mut function = self.function(name)?;
                for &arg in args.iter().rev() {
                    function = self.call("rbind", &[function, arg])?;
                }
                self.call("map_sheets", &[node, function])?
            } else {
                let all: Vec<NodeId> = std::iter::once(node).chain(args).collect();
                self.call(name, &all)?
            };
        }
        Ok(Made { node, is_list: step.splits() || from.is_list && !step.joins() })
    }

    /// The size of the output as a pair.
    fn size(&mut self, size: &PlanSize) -> Result<NodeId, NoProgram> {
        let sides = match size {
            PlanSize::Input => return self.input_size.ok_or(NoProgram::Circular),
            PlanSize::Constant(size) => return Ok(self.pair(*size)),
            PlanSize::Sides(sides) => sides,
        };
        let [(tall, ..), (wide, ..)] = sides;
        if tall == wide && sides[0].1 == sides[1].1 && sides[0].2 == sides[1].2 {
            let shape = if *tall == Chain::default() {
                self.input_size.ok_or(NoProgram::Circular)?
            } else {
                let sheet = self.chain(tall)?;
                let grid = self.call("sheet_grid", &[sheet.node])?;
                self.call("shape", &[grid])?
            };
            return self.affine(shape, sides[0].1, sides[0].2);
        }
        let mut lengths = Vec::new();
        for ((chain, factor, margin), name) in sides.iter().zip(["sheet_height", "sheet_width"]) {
            let sheet = self.chain(chain)?;
            let length = self.call(name, &[sheet.node])?;
            lengths.push(self.affine(length, *factor, *margin)?);
        }
        self.call("astuple", &lengths)
    }

    fn affine(&mut self, node: NodeId, factor: i64, margin: i64) -> Result<NodeId, NoProgram> {
        let mut node = node;
        if factor != 1 {
            let factor = self.int(factor);
            node = self.call("multiply", &[node, factor])?;
        }
        if margin != 0 {
            let margin = self.int(margin);
            node = self.call("add", &[node, margin])?;
        }
        Ok(node)
    }

    /// What the output is made of, a sheet of its size.
    fn whole(&mut self, whole: &Whole, size: NodeId) -> Result<NodeId, NoProgram> {
        match whole {
            Whole::Layers(layers) => self.layers(layers, size),
            Whole::Lookup(table) => self.lookup(table, size),
            Whole::Decided(pictures, tree) => self.decided(pictures, tree, size),
            Whole::Overgrown(chain, tail, rules) => self.overgrown(chain, *tail, rules, size),
            Whole::Constant(sheet) => {
                let grid = self.constant(sheet::grid(sheet));
                self.call("as_sheet", &[grid])
            }
            Whole::Cases(cases) => self.cases(cases, size),
        }
    }

    /// The first of the cases whose values the key has.
    fn cases(&mut self, cases: &CasePlan, size: NodeId) -> Result<NodeId, NoProgram> {
        let key = self.key(&cases.key)?;
        let mut whole = self.whole(&cases.otherwise, size)?;
        for (values, case) in cases.cases.iter().rev() {
            let case = self.whole(case, size)?;
            let condition = match &values[..] {
                [KeyValue::Number(1)] if cases.key.is_truth() => key,
                [KeyValue::Number(0)] if cases.key.is_truth() => self.call("flip", &[key])?,
                [value] => {
                    let value = self.constant(key_value(value));
                    self.call("equality", &[key, value])?
                }
                values => {
                    let values: Vec<Value> = values.iter().map(key_value).collect();
                    let values = self.constant(Value::tuple(values));
                    self.call("contained", &[key, values])?
                }
            };
            whole = self.call("branch", &[condition, case, whole])?;
        }
        Ok(whole)
    }

    /// A property of the input.
    fn key(&mut self, key: &Key) -> Result<NodeId, NoProgram> {
        match key {
            Key::Measure(chain, by) => {
                let made = self.chain(chain)?;
                self.call(by.value(), &[made.node])
            }
            Key::Length(chain) => {
                let made = self.chain(chain)?;
                self.call("size", &[made.node])
            }
            Key::Picture(chain) => {
                let made = self.chain(chain)?;
                self.call("sheet_grid", &[made.node])
            }
            Key::Shape(chain) => {
                let made = self.chain(chain)?;
                let made = self.step(Step::Declared(SHEET_DYE_STEP.with(&[1])), made)?;
                self.call("sheet_grid", &[made.node])
            }
            Key::Has(chain, color) => {
                let made = self.chain(chain)?;
                let grid = self.call("sheet_grid", &[made.node])?;
                let palette = self.call("palette", &[grid])?;
                let color = self.int((*color).into());
                self.call("contained", &[color, palette])
            }
            Key::Same(one, other) => {
                let sheets = [self.chain(one)?.node, self.chain(other)?.node];
                self.call("equality", &sheets)
            }
            Key::Above(number, threshold) => {
                let number = self.key(number)?;
                let threshold = self.int((*threshold).into());
                self.call("greater", &[number, threshold])
            }
        }
    }

    fn blank(&mut self, size: NodeId) -> Result<NodeId, NoProgram> {
        let zero = self.int(0);
        let grid = self.call("canvas", &[zero, size])?;
        self.call("as_sheet", &[grid])
    }

    /// Pictures as sheets of the output's size.
    fn embedded(&mut self, pictures: &[(Chain, Tail)], size: NodeId) -> Result<NodeId, NoProgram> {
        let mut sheets = Vec::new();
        for (chain, tail) in pictures {
            sheets.push(self.embed(chain, *tail, size)?);
        }
        Ok(self.builder.node(Op::Tuple, &sheets))
    }

    /// A picture as a sheet of the output's size.
    fn embed(&mut self, chain: &Chain, tail: Tail, size: NodeId) -> Result<NodeId, NoProgram> {
        let picture = self.picture(chain, tail)?;
        match self.fills(chain, size) {
            true => Ok(picture),
            false => self.call("sheet_embed", &[picture, size]),
        }
    }

    /// The colours of embedded pictures looked up in a table.
    fn lookup(&mut self, table: &LookupTable, size: NodeId) -> Result<NodeId, NoProgram> {
        let pictures = self.embedded(&table.pictures, size)?;
        let entry = |(key, color): &(Vec<u8>, u8)| {
            let key: Vec<Value> = key.iter().map(|&c| Value::Int(c.into())).collect();
            Value::tuple2(Value::tuple(key), Value::Int((*color).into()))
        };
        let entries: Vec<Value> = table.entries.iter().map(entry).collect();
        let entries = self.constant(Value::tuple(entries));
        self.call("lookup_cells", &[pictures, entries])
    }

    /// Questions about the cells of embedded pictures.
    fn decided(
        &mut self,
        pictures: &[(Chain, Tail)],
        tree: &Tree,
        size: NodeId,
    ) -> Result<NodeId, NoProgram> {
        let pictures = self.embedded(pictures, size)?;
        let tree = self.constant(tree_value(tree));
        self.call("decide_cells", &[pictures, tree])
    }

    /// An embedded picture that rules paint until nothing changes.
    fn overgrown(
        &mut self,
        chain: &Chain,
        tail: Tail,
        rules: &[GrowRule],
        size: NodeId,
    ) -> Result<NodeId, NoProgram> {
        let sheet = self.embed(chain, tail, size)?;
        let rules = self.constant(Value::tuple(rules.iter().map(growth_value).collect::<Vec<_>>()));
        self.call("grow_cells", &[sheet, rules])
    }

    /// All layers, painted from the lowest to the highest; a sheet of the output's size.
    fn layers(&mut self, layers: &[Layer], size: NodeId) -> Result<NodeId, NoProgram> {
        let mut below = None;
        for layer in layers.iter().rev() {
            below = Some(self.layer(layer, size, below)?);
        }
        match below {
            Some(below) => Ok(below),
            None => self.blank(size),
        }
    }

    /// A layer laid over what lies below it; a sheet of the output's size.
    fn layer(
        &mut self,
        layer: &Layer,
        size: NodeId,
        below: Option<NodeId>,
    ) -> Result<NodeId, NoProgram> {
        if layer.laid == Laid::Gaps && below.is_none() {
            return self.blank(size);
        }
        // The colour of what is laid by its gaps does not show.
        let dye = if layer.laid == Laid::Gaps { 0 } else { layer.tail.dye };
        let top = self.picture(&layer.chain, Tail { dye, ..layer.tail })?;
        match (layer.laid, below) {
            (Laid::Whole, _) | (_, None) if self.fills(&layer.chain, size) => Ok(top),
            (Laid::Whole, _) | (_, None) => self.call("sheet_embed", &[top, size]),
            (Laid::Visible, Some(below)) => self.call("sheet_lay", &[below, top]),
            (Laid::Gaps, Some(below)) => self.call("sheet_mask", &[below, top]),
        }
    }

    /// Whether what a chain makes lies at the origin and has the output's size already.
    fn fills(&self, chain: &Chain, size: NodeId) -> bool {
        let own = match chain.steps.last() {
            Some(step) => step.canvas().and_then(|canvas| self.size_of(canvas)),
            None if chain.start == Start::Input => self.input_size,
            None => None,
        };
        own == Some(size)
    }

    /// What a chain makes with its tail, one sheet.
    fn picture(&mut self, chain: &Chain, tail: Tail) -> Result<NodeId, NoProgram> {
        let made = self.chain(chain)?;
        self.tail(tail, made)
    }

    fn tail(&mut self, tail: Tail, made: Made) -> Result<NodeId, NoProgram> {
        let mut made = made;
        if tail.overlay || made.is_list {
            made = self.step(Step::Declared(OVERLAID_STEP.with(&[])), made)?;
        }
        if tail.home {
            made = self.step(Step::Declared(SHEET_HOME_STEP.with(&[])), made)?;
        }
        if tail.dye > 0 {
            made = self.step(Step::Declared(SHEET_DYE_STEP.with(&[tail.dye])), made)?;
        }
        Ok(made.node)
    }
}
