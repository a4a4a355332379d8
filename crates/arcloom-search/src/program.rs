//! Plans as programs of the DSL, so that what a search finds can be printed, checked, traced and kept.
//!
//! `calls` says how each step is written; everything else follows from it. A step on a sheet is a
//! call, a step on a list of sheets the same call handed to `map_sheets`. Equal beginnings of chains
//! become the same lines.
//!
//! Layers are painted from the lowest to the highest: one that is laid by its visible cells with
//! `sheet_lay`, one that is laid by its gaps with `sheet_mask`, and one that is laid whole begins anew.
//! A layer within a mask is cut to it first. In place of layers, pictures embedded in the output's size
//! are looked up in a table with `lookup_cells`, or two chains multiplied with `sheet_product`.

use std::collections::BTreeMap;

use arcloom_ir::{Builder, NodeId, Op, Program};
use arcloom_prims::Registry;
use arcloom_sheet::decide::{COPIES, Question, Tree};
use arcloom_sheet::measure::{Count, Measure};
use arcloom_sheet::ray::STEPS;
use arcloom_sheet::recolor::SAME;
use arcloom_sheet::split::Split;
use arcloom_sheet::turn::Turn;
use arcloom_value::Value;

use crate::compose::Laid;
use crate::pieces::Tail;
use crate::plan::{Chain, Layer, Plan, PlanSize, Table, Whole};
use crate::size::Size;
use crate::steps::{Canvas, Laying, Mend, Step};

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
    NoPicture(u32),
}

impl std::fmt::Display for NoProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoProgram::Circular => {
                f.write_str("the output's size is taken from a sheet of the output's size")
            }
            NoProgram::Misplaced(step) => write!(f, "{step:?} does not go on from what is there"),
            NoProgram::Unknown(name) => write!(f, "there is no primitive `{name}`"),
            NoProgram::NoPicture(number) => write!(f, "picture {number} has no program"),
        }
    }
}

impl std::error::Error for NoProgram {}

/// The program that makes what the plan makes, under this name. `pictures` are the programs of the
/// pictures that the plan starts from, by number.
pub fn program(
    plan: &Plan,
    name: &str,
    pictures: &BTreeMap<u32, Program>,
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
    let seen = Seen { roles, transposed: plan.view.transposed };
    let size_of = if seen.transposed { writer.call("dmirror", &[input])? } else { input };
    writer.input_size = Some(writer.call("shape", &[size_of])?);
    writer.start(None, input, seen)?;
    for number in plan.pictures() {
        let made = pictures.get(&number).ok_or(NoProgram::NoPicture(number))?;
        let grid = writer.inline(made);
        writer.start(Some(number), grid, seen)?;
    }
    let size = writer.size(&plan.size)?;
    writer.output_size = Some(size);
    let whole = match &plan.whole {
        Whole::Layers(layers) => writer.layers(layers, size)?,
        Whole::Lookup(table) => writer.lookup(table, size)?,
        Whole::Decided(pictures, tree) => writer.decided(pictures, tree, size)?,
        Whole::Product(large, small, dyed) => {
            let sheets = [writer.chain(large)?, writer.chain(small)?];
            let dyed = writer.int((*dyed).into());
            writer.call("sheet_product", &[sheets[0].node, sheets[1].node, dyed])?
        }
    };
    let mut output = writer.call("sheet_grid", &[whole])?;
    if seen.transposed {
        output = writer.call("dmirror", &[output])?;
    }
    if let Some(roles) = roles {
        output = writer.call("restore_colors", &[output, roles])?;
    }
    Ok(writer.builder.finish(name.to_owned(), output))
}

/// The program that does these steps on its input, a sheet or a list of sheets, with both canvases of
/// the given size.
pub fn chain(
    steps: &[Step],
    is_list: bool,
    canvas: Size,
    name: &str,
) -> Result<Program, NoProgram> {
    let mut writer = Writer::new();
    let size = writer.pair(canvas);
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
    /// What chains start from: the input, or a picture.
    starts: BTreeMap<Option<u32>, Made>,
    input_size: Option<NodeId>,
    output_size: Option<NodeId>,
}

/// What a call gets besides the sheet.
#[derive(Clone, Debug)]
enum Arg {
    Int(i64),
    Pair(i32, i32),
    /// A primitive as a function.
    Function(&'static str),
    /// A call of a primitive with constants.
    Call(&'static str, Vec<Arg>),
    /// The size of a canvas.
    Size(Canvas),
    /// A value as it is.
    Constant(Value),
}

/// Whether a call takes one sheet or a list, and whether it gives one or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Map,
    Split,
    Join,
    Sift,
}

const RIGHT: Arg = Arg::Pair(0, 1);
const LEFT: Arg = Arg::Pair(0, -1);
const DOWN: Arg = Arg::Pair(1, 0);
const UP: Arg = Arg::Pair(-1, 0);
const UNITY: Arg = Arg::Pair(1, 1);

/// How a step is written: one call after the other, each with what it gets besides the sheet.
fn calls(step: Step) -> (Kind, Vec<(&'static str, Vec<Arg>)>) {
    use Arg::{Function, Int};
    let color = |c: u8| vec![Int(c.into())];
    let map = |name: &'static str, args: Vec<Arg>| (Kind::Map, vec![(name, args)]);
    let plain = |name: &'static str| (Kind::Map, vec![(name, Vec::new())]);
    let home = |name: &'static str| (Kind::Map, vec![(name, Vec::new()), ("sheet_home", vec![])]);
    let join = |name: &'static str, args: Vec<Arg>| (Kind::Join, vec![(name, args)]);
    match step {
        Step::Keep(c) => map("sheet_keep", color(c)),
        Step::Erase(c) => map("sheet_erase", color(c)),
        Step::Dye(c) => map("sheet_dye", color(c)),
        Step::Invert => plain("sheet_invert"),
        Step::KeepMost => plain("sheet_keep_most"),
        Step::KeepLeast => plain("sheet_keep_least"),
        Step::EraseMost => plain("sheet_erase_most"),
        Step::SwapGround => plain("sheet_swap_ground"),
        Step::Trim => plain("sheet_trim"),
        Step::Squeeze => plain("sheet_squeeze"),
        Step::MergeRuns => plain("sheet_merge_runs"),
        Step::Half(side) => map("sheet_half", vec![half(side)]),
        Step::Home => plain("sheet_home"),
        Step::Spot => plain("sheet_spot"),
        Step::Tint => home("sheet_spot"),
        Step::Blank(true) => plain("sheet_blank"),
        Step::Blank(false) => home("sheet_blank"),
        Step::Solid(true) => plain("sheet_solid"),
        Step::Solid(false) => home("sheet_solid"),
        Step::Middle => plain("sheet_middle"),
        Step::Filled => plain("sheet_filled"),
        Step::Holes => plain("sheet_holes"),
        Step::Outline => plain("sheet_outline"),
        Step::Core => plain("sheet_core"),
        Step::Halo => plain("sheet_halo"),
        Step::Framed(c) => map("sheet_framed", color(c)),
        Step::Turn(Turn::Balance) => plain("sheet_balance"),
        Step::Turn(way) => map("sheet_turn", vec![Function(turn(way))]),
        Step::Bar(count, form) => map("sheet_bar", vec![Function(counted(count)), bar(form)]),
        Step::Smear(bits) => map("sheet_smear", vec![directions(bits)]),
        Step::Connect(way) => {
            map("sheet_connect", vec![[RIGHT, DOWN, UNITY][way.min(2) as usize].clone()])
        }
        Step::Spread(hold) => map("sheet_spread", vec![Int(hold.into())]),
        Step::Mend(Mend::Patches) => plain("sheet_mend_patches"),
        Step::Mend(Mend::Period) => plain("sheet_mend_period"),
        Step::Mend(Mend::Symmetry) => plain("sheet_mend_symmetry"),
        Step::Canvas(laying, canvas) => match laying {
            Laying::Embed => map("sheet_embed", vec![Arg::Size(canvas)]),
            Laying::Wrap => map("sheet_wrap", vec![Arg::Size(canvas)]),
            Laying::Stretch => map("sheet_stretch", vec![Arg::Size(canvas)]),
            Laying::Tile(gap) => map("sheet_tile", vec![Arg::Size(canvas), Int(gap.into())]),
            Laying::Mirror(gap) => map("sheet_mirror", vec![Arg::Size(canvas), Int(gap.into())]),
        },
        Step::Split(how) => {
            let (name, args) = split(how);
            (Kind::Split, vec![(name, args)])
        }
        Step::Pick(by, true) => join("argmax", vec![Function(measure(by))]),
        Step::Pick(by, false) => join("argmin", vec![Function(measure(by))]),
        Step::PickUniqueColor => join("pick_unique_color", vec![]),
        Step::PickOdd(false) => join("pick_odd", vec![]),
        Step::PickOdd(true) => join("pick_odd_form", vec![]),
        Step::PickUsual => join("pick_usual", vec![]),
        Step::Overlay => join("overlay", vec![]),
        Step::LineUp(down) => join("line_up", vec![if down { DOWN } else { RIGHT }]),
        Step::LineUpInOrder => join("line_up_in_order", vec![]),
        Step::Recolor(by, ranked, table) => {
            let name = if ranked { "recolor_by_rank" } else { "recolor_by" };
            let entry = |&(value, color): &(i16, u8)| {
                (value, if color == SAME { -1 } else { color.into() })
            };
            let mut entries: Vec<(i16, i64)> = table.entries().iter().map(entry).collect();
            entries.sort_unstable();
            let pairs = entries.into_iter().map(|(value, color)| Value::pair(value.into(), color));
            let table = Value::tuple(pairs.collect::<Vec<_>>());
            join(name, vec![Function(measure(by)), Arg::Constant(table)])
        }
        Step::SiftIs(by, value) => {
            let is = Arg::Call("matcher", vec![Function(measure(by)), Int(value.into())]);
            (Kind::Sift, vec![("sfilter", vec![is])])
        }
        Step::Sift(by, largest, others) => {
            let name = match (largest, others) {
                (true, false) => "keep_most_by",
                (false, false) => "keep_least_by",
                (true, true) => "drop_most_by",
                (false, true) => "drop_least_by",
            };
            (Kind::Sift, vec![(name, vec![Function(measure(by))])])
        }
    }
}

fn half(side: u8) -> Arg {
    [LEFT, RIGHT, UP, DOWN][usize::from(side.min(3))].clone()
}

fn turn(way: Turn) -> &'static str {
    match way {
        Turn::Right => "rot90",
        Turn::Half => "rot180",
        Turn::Left => "rot270",
        Turn::LeftRight => "vmirror",
        Turn::UpDown => "hmirror",
        Turn::Diagonal => "dmirror",
        Turn::Counter => "cmirror",
        Turn::Balance => "identity",
    }
}

fn counted(count: Count) -> &'static str {
    match count {
        Count::Cells => "sheet_area",
        Count::Colors => "sheet_numcolors",
        Count::Pieces => "sheet_numpieces",
    }
}

fn bar(form: u8) -> Arg {
    [UNITY, RIGHT, DOWN][usize::from(form.min(2))].clone()
}

fn measure(by: Measure) -> &'static str {
    match by {
        Measure::Area => "sheet_area",
        Measure::Frame => "sheet_frame_area",
        Measure::Colors => "sheet_numcolors",
        Measure::Pieces => "sheet_numpieces",
        Measure::Gaps => "sheet_numgaps",
        Measure::Holes => "sheet_numholes",
        Measure::Top => "sheet_top",
        Measure::Left => "sheet_left",
        Measure::Symmetry => "sheet_symmetry",
        Measure::Height => "sheet_height",
        Measure::Width => "sheet_width",
    }
}

fn split(how: Split) -> (&'static str, Vec<Arg>) {
    match how {
        Split::Cut => ("split_cut", vec![]),
        Split::Colors => ("split_colors", vec![]),
        Split::Blobs => ("split_blobs", vec![]),
        Split::Things => ("split_things", vec![]),
        Split::Rows => ("split_rows", vec![]),
        Split::Columns => ("split_columns", vec![]),
        Split::Marked => ("split_marked", vec![]),
        Split::Fall(way) => {
            ("split_fallen", vec![[RIGHT, LEFT, DOWN, UP][usize::from(way & 3)].clone()])
        }
    }
}

/// A set of directions by the words that arc-dsl has for it.
fn directions(bits: u8) -> Arg {
    let around = |name| Arg::Call(name, vec![Arg::Pair(0, 0)]);
    match bits {
        0b0000_1111 => return around("dneighbors"),
        0b1111_0000 => return around("ineighbors"),
        0b1111_1111 => return around("neighbors"),
        _ => {}
    }
    let steps = (0..8).filter(|bit| bits >> bit & 1 == 1).map(|bit| STEPS[bit]);
    let mut steps = steps.map(|(i, j)| Arg::Pair(i, j));
    let first = steps.next().unwrap_or(Arg::Pair(0, 0));
    let set = Arg::Call("initset", vec![first]);
    steps.fold(set, |set, step| Arg::Call("insert", vec![step, set]))
}

/// A tree as `decide_cells` takes it.
fn tree_value(tree: &Tree) -> Value {
    match tree {
        Tree::Color(color) => Value::Int((*color).into()),
        Tree::Same(number) => Value::Int(COPIES + *number as i64),
        Tree::Ask(Question { sheet, by, color }, yes, no) => Value::tuple(vec![
            Value::Int(*sheet as i64),
            Value::Pair(by.0.into(), by.1.into()),
            Value::Int((*color).into()),
            tree_value(yes),
            tree_value(no),
        ]),
    }
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

    /// A grid that chains start from, as it is seen.
    fn start(
        &mut self,
        number: Option<u32>,
        mut grid: NodeId,
        seen: Seen,
    ) -> Result<(), NoProgram> {
        if let Some(roles) = seen.roles {
            grid = self.call("rename_colors", &[grid, roles])?;
        }
        if seen.transposed {
            grid = self.call("dmirror", &[grid])?;
        }
        let node = self.call("as_sheet", &[grid])?;
        self.starts.insert(number, Made { node, is_list: false });
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

    fn arg(&mut self, arg: &Arg) -> Result<NodeId, NoProgram> {
        Ok(match arg {
            Arg::Int(n) => self.int(*n),
            Arg::Pair(i, j) => self.constant(Value::Pair(*i, *j)),
            Arg::Function(name) => {
                let prim = Registry::get().find(name).ok_or(NoProgram::Unknown(name))?;
                self.constant(Value::Prim(prim))
            }
            Arg::Call(name, args) => {
                let args: Vec<NodeId> =
                    args.iter().map(|a| self.arg(a)).collect::<Result<_, _>>()?;
                self.call(name, &args)?
            }
            Arg::Constant(value) => self.constant(value.clone()),
            Arg::Size(Canvas::Input) => self.input_size.ok_or(NoProgram::Circular)?,
            Arg::Size(Canvas::Output) => self.output_size.ok_or(NoProgram::Circular)?,
        })
    }

    fn chain(&mut self, chain: &Chain) -> Result<Made, NoProgram> {
        let start = self.starts.get(&chain.picture);
        let start = *start.ok_or(NoProgram::NoPicture(chain.picture.unwrap_or_default()))?;
        self.steps(&chain.steps, start)
    }

    fn steps(&mut self, steps: &[Step], start: Made) -> Result<Made, NoProgram> {
        steps.iter().try_fold(start, |made, &step| self.step(step, made))
    }

    fn step(&mut self, step: Step, from: Made) -> Result<Made, NoProgram> {
        let (kind, calls) = calls(step);
        let takes_list = match kind {
            Kind::Map => from.is_list,
            Kind::Split => false,
            Kind::Join | Kind::Sift => true,
        };
        if takes_list != from.is_list {
            return Err(NoProgram::Misplaced(step));
        }
        let mut node = from.node;
        for (name, args) in &calls {
            let args: Vec<NodeId> = args.iter().map(|a| self.arg(a)).collect::<Result<_, _>>()?;
            node = if kind == Kind::Map && from.is_list {
                let mut function = self.arg(&Arg::Function(name))?;
                for &arg in args.iter().rev() {
                    function = self.call("rbind", &[function, arg])?;
                }
                self.call("map_sheets", &[node, function])?
            } else {
                let all: Vec<NodeId> = std::iter::once(node).chain(args).collect();
                self.call(name, &all)?
            };
        }
        let is_list = match kind {
            Kind::Map => from.is_list,
            Kind::Split | Kind::Sift => true,
            Kind::Join => false,
        };
        Ok(Made { node, is_list })
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

    fn blank(&mut self, size: NodeId) -> Result<NodeId, NoProgram> {
        let zero = self.int(0);
        let grid = self.call("canvas", &[zero, size])?;
        self.call("as_sheet", &[grid])
    }

    /// Pictures as sheets of the output's size.
    fn embedded(&mut self, pictures: &[(Chain, Tail)], size: NodeId) -> Result<NodeId, NoProgram> {
        let mut sheets = Vec::new();
        for (chain, tail) in pictures {
            let picture = self.picture(chain, *tail)?;
            sheets.push(match self.fills(chain, size) {
                true => picture,
                false => self.call("sheet_embed", &[picture, size])?,
            });
        }
        Ok(self.builder.node(Op::Tuple, &sheets))
    }

    /// The colours of embedded pictures looked up in a table.
    fn lookup(&mut self, table: &Table, size: NodeId) -> Result<NodeId, NoProgram> {
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
        // The colour of what is laid by its gaps, or of a mask, does not show.
        let dye = if layer.laid == Laid::Gaps { 0 } else { layer.tail.dye };
        let top = self.picture(&layer.chain, Tail { dye, ..layer.tail })?;
        let Some((chain, tail, within)) = &layer.mask else {
            return match (layer.laid, below) {
                (Laid::Whole, _) | (_, None) if self.fills(&layer.chain, size) => Ok(top),
                (Laid::Whole, _) | (_, None) => self.call("sheet_embed", &[top, size]),
                (Laid::Visible, Some(below)) => self.call("sheet_lay", &[below, top]),
                (Laid::Gaps, Some(below)) => self.call("sheet_mask", &[below, top]),
            };
        };
        let mask = self.picture(chain, Tail { dye: 0, ..*tail })?;
        let (inside, outside) = match within {
            true => ("sheet_mask", "sheet_mask_out"),
            false => ("sheet_mask_out", "sheet_mask"),
        };
        let Some(below) = below else {
            let top = self.call(inside, &[top, mask])?;
            return self.call("sheet_embed", &[top, size]);
        };
        match layer.laid {
            Laid::Visible => {
                let top = self.call(inside, &[top, mask])?;
                self.call("sheet_lay", &[below, top])
            }
            Laid::Whole => {
                let top = self.call(inside, &[top, mask])?;
                let around = self.call(outside, &[below, mask])?;
                self.call("sheet_lay", &[around, top])
            }
            Laid::Gaps => {
                let pierced = self.call("sheet_mask", &[below, top])?;
                let around = self.call(outside, &[below, mask])?;
                self.call("sheet_lay", &[pierced, around])
            }
        }
    }

    /// Whether what a chain makes lies at the origin and has the output's size already.
    fn fills(&self, chain: &Chain, size: NodeId) -> bool {
        let own = match chain.steps.last() {
            Some(Step::Canvas(_, Canvas::Output)) => self.output_size,
            Some(Step::Canvas(_, Canvas::Input)) => self.input_size,
            None if chain.picture.is_none() => self.input_size,
            _ => None,
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
            made = self.step(Step::Overlay, made)?;
        }
        if tail.home {
            made = self.step(Step::Home, made)?;
        }
        if tail.dye > 0 {
            made = self.step(Step::Dye(tail.dye), made)?;
        }
        Ok(made.node)
    }
}
