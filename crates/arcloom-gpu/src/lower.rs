//! Programs as bytecode.
//!
//! Every node of a batt becomes instructions that write one register, or, where it is a function, is
//! kept as what it is made of until it is called: calls of known functions leave no function behind.
//! Functions of functions become loops (`lower/call.rs`). What cannot be lowered is the CPU's, with
//! everything that depends on it.
//!
//! The bytecode is cut into stretches, each of which computes some of the programs from the input on.
//! Programs of one stretch share what they have in common.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use arcloom_graph::BattPlan;
use arcloom_graph::batt::Batt;
use arcloom_lang::{NodeId, Op};
use arcloom_value::Value;

use self::call::{Arg, Fun};
use self::pool::Pool;
use crate::table::{self, control};

mod call;
mod pool;

/// Words of an instruction.
pub const STEP: usize = 8;

/// Most instructions that one node may become.
const MOST_STEPS: usize = 4096;

/// Why a node is left to the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A primitive that the device does not have.
    Primitive(&'static str),
    /// It looks at the demo pairs.
    Samples,
    /// A function that is not known before the program runs, or is called with the wrong number of
    /// arguments.
    Function,
    /// A function of the language that the engine is used from.
    Foreign,
    /// A constant that is too large for the device.
    Constant,
    /// It would become too many instructions.
    Size,
    /// Its result is a function.
    NoValue,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Primitive(name) => write!(f, "{name} has no kernel"),
            Reason::Samples => f.write_str("looks at the demo pairs"),
            Reason::Function => f.write_str("a function that is not known beforehand"),
            Reason::Foreign => f.write_str("a function from outside"),
            Reason::Constant => f.write_str("a constant that is too large"),
            Reason::Size => f.write_str("too many instructions"),
            Reason::NoValue => f.write_str("gives a function"),
        }
    }
}

/// Who computes a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComputedBy {
    /// The CPU.
    Cpu,
    /// The device, which reports it under this number.
    Slot(u32),
    /// The device; it is never a grid and nobody asks for it.
    Inner,
}

/// Programs that share what they have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// Its instructions; jumps are counted from the first.
    pub code: Range<usize>,
    /// Number of registers.
    pub registers: usize,
    /// What it reports.
    pub slots: Range<usize>,
    /// How many programs it has.
    pub programs: usize,
}

/// A batt as bytecode, as far as it goes.
#[derive(Debug, Clone, Default)]
pub struct Lowered {
    /// Instructions of [`STEP`] words.
    pub code: Vec<i32>,
    /// What is computed together.
    pub stretches: Vec<Stretch>,
    /// Constants: headers, then what they refer to.
    pub consts: Vec<i32>,
    /// The node of every result.
    pub slots: Vec<NodeId>,
    /// By node.
    pub places: Vec<ComputedBy>,
    /// By program, in the order of the roots: why it is left to the CPU.
    pub programs: Vec<Option<Reason>>,
    /// Most registers of a stretch.
    pub registers: usize,
}

/// Some stretches, as a device is given them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramPart<'a> {
    /// Their instructions.
    pub code: &'a [i32],
    /// Per stretch: first instruction, number of them, number of registers, first result. Then a 0, from
    /// which the device counts the jobs that are taken.
    pub table: Vec<i32>,
    /// What they report.
    pub slots: Range<usize>,
}

/// The programs in so many stretches of about the same number of steps, so that a few long ones do not keep
/// one group at work when all others are done.
fn shares<'a>(batt: &Batt, roots: &'a [NodeId], stretches: usize) -> Vec<&'a [NodeId]> {
    let mut sizes = vec![1u64; batt.nodes().len()];
    for (n, node) in batt.nodes().iter().enumerate() {
        // What is used twice counts twice: it is the order of size that matters.
        let below = node.args.iter().map(|arg| sizes[arg.index()]).sum::<u64>();
        sizes[n] = (below + 1).min(MOST_STEPS as u64);
    }
    let size = |root: &NodeId| sizes[root.index()];
    let share = roots.iter().map(size).sum::<u64>().div_ceil(stretches.max(1) as u64).max(1);
    let (mut all, mut begin, mut sum) = (Vec::new(), 0, 0);
    for (n, root) in roots.iter().enumerate() {
        if sum > 0 && sum + size(root) > share {
            all.push(&roots[begin..n]);
            (begin, sum) = (n, 0);
        }
        sum += size(root);
    }
    if begin < roots.len() {
        all.push(&roots[begin..]);
    }
    all
}

impl Lowered {
    /// Lowers a batt into about so many stretches.
    pub fn new(batt: &Batt, plan: &BattPlan, stretches: usize) -> Lowered {
        Lowered::with(batt, plan, stretches, false)
    }

    /// The same, with every value reported and not only results and what may be a grid.
    pub fn reporting_all(batt: &Batt, plan: &BattPlan, stretches: usize) -> Lowered {
        Lowered::with(batt, plan, stretches, true)
    }

    fn with(batt: &Batt, plan: &BattPlan, stretches: usize, all: bool) -> Lowered {
        let mut pool = Pool::default();
        let faults = faults(batt, plan, &mut pool);
        let roots = batt.roots();
        let programs: Vec<Option<Reason>> =
            roots.iter().map(|root| faults[root.node.index()]).collect();
        let covered: Vec<NodeId> = roots
            .iter()
            .zip(&programs)
            .filter(|(_, fault)| fault.is_none())
            .map(|(root, _)| root.node)
            .collect();
        let nodes = batt.nodes().len();
        let mut lowered = Lowered {
            code: Vec::new(),
            stretches: Vec::new(),
            consts: Vec::new(),
            slots: Vec::new(),
            places: vec![ComputedBy::Cpu; nodes],
            programs,
            registers: 0,
        };
        for chunk in shares(batt, &covered, stretches) {
            lowered.stretch(batt, plan, &mut pool, chunk, all);
        }
        lowered.consts = pool.into_words();
        lowered
    }

    /// Adds a stretch for these programs.
    fn stretch(
        &mut self,
        batt: &Batt,
        plan: &BattPlan,
        pool: &mut Pool,
        roots: &[NodeId],
        all: bool,
    ) {
        let first_slot = self.slots.len();
        let mut needed = vec![false; batt.nodes().len()];
        roots.iter().for_each(|root| needed[root.index()] = true);
        for n in (0..needed.len()).rev().filter(|&n| needed[n]).collect::<Vec<_>>() {
            mark(batt, plan, n, &mut needed);
        }
        let mut sorted = roots.to_vec();
        sorted.sort_unstable();
        let mut emitter = Emitter::new(batt, plan, pool);
        for n in (0..needed.len()).filter(|&n| needed[n]) {
            let Ok(value) = emitter.node(n) else { continue };
            emitter.values[n] = Some(value.clone());
            let is_root = sorted.binary_search(&NodeId(n as u32)).is_ok();
            let known = plan.known(NodeId(n as u32)).is_some();
            if self.places[n] != ComputedBy::Cpu || known || batt.nodes()[n].op == Op::Input {
                continue;
            }
            let Arg::Reg(register) = value else {
                self.places[n] = ComputedBy::Inner;
                continue;
            };
            if !all && !is_root && !may_be_grid(batt, n) {
                self.places[n] = ComputedBy::Inner;
                continue;
            }
            let slot = self.slots.len() as u32;
            self.places[n] = ComputedBy::Slot(slot);
            self.slots.push(NodeId(n as u32));
            emitter.step("RESULT", register, &[], 0);
            emitter.step("RESULT_END", register, &[], (slot as usize - first_slot) as i32);
        }
        let registers = emitter.registers as usize;
        self.registers = self.registers.max(registers);
        let first = self.code.len() / STEP;
        emitter.finish(&mut self.code);
        self.stretches.push(Stretch {
            code: first..self.code.len() / STEP,
            registers,
            slots: first_slot..self.slots.len(),
            programs: roots.len(),
        });
    }

    /// Instructions, table and results of some stretches, as a device is given them.
    pub fn part(&self, stretches: Range<usize>) -> ProgramPart<'_> {
        let stretches = &self.stretches[stretches];
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else {
            return ProgramPart { table: vec![0], ..ProgramPart::default() };
        };
        let (code, slots) = (first.code.start..last.code.end, first.slots.start..last.slots.end);
        let row = |stretch: &Stretch| {
            let (begin, slot) =
                (stretch.code.start - code.start, stretch.slots.start - slots.start);
            [begin, stretch.code.len(), stretch.registers, slot].map(|number| number as i32)
        };
        ProgramPart {
            table: stretches.iter().flat_map(row).chain([0]).collect(),
            code: &self.code[code.start * STEP..code.end * STEP],
            slots,
        }
    }

    /// Programs that the device runs.
    pub fn covered(&self) -> usize {
        self.programs.iter().filter(|fault| fault.is_none()).count()
    }

    /// How many programs are left to the CPU, by reason.
    pub fn reasons(&self) -> BTreeMap<Reason, usize> {
        let mut reasons = BTreeMap::new();
        for reason in self.programs.iter().flatten() {
            *reasons.entry(*reason).or_default() += 1;
        }
        reasons
    }
}

/// Marks the arguments of a node, and theirs, unless they are known.
fn mark(batt: &Batt, plan: &BattPlan, node: usize, needed: &mut [bool]) {
    let mut stack = vec![node];
    while let Some(n) = stack.pop() {
        if plan.known(NodeId(n as u32)).is_some() {
            continue;
        }
        for arg in &batt.nodes()[n].args {
            if !std::mem::replace(&mut needed[arg.index()], true) {
                stack.push(arg.index());
            }
        }
    }
}

fn may_be_grid(batt: &Batt, node: usize) -> bool {
    match &batt.nodes()[node].op {
        Op::Call(id) => table::may_give_grid(arcloom_dsl::Registry::get().primitive(*id).name),
        Op::Set => false,
        _ => true,
    }
}

/// Why each node cannot be lowered, where it cannot.
fn faults(batt: &Batt, plan: &BattPlan, pool: &mut Pool) -> Vec<Option<Reason>> {
    let mut emitter = Emitter::new(batt, plan, pool);
    let mut faults = Vec::with_capacity(batt.nodes().len());
    for n in 0..batt.nodes().len() {
        let inherited = batt.nodes()[n].args.iter().find_map(|arg| faults[arg.index()]);
        let known = plan.known(NodeId(n as u32)).is_some();
        let mut fault = inherited.filter(|_| !known);
        if fault.is_none() {
            emitter.steps.clear();
            emitter.labels.clear();
            match emitter.node(n) {
                Ok(value) => emitter.values[n] = Some(value),
                Err(reason) => fault = Some(reason),
            }
        }
        faults.push(fault);
    }
    // Only values can be reported.
    for root in batt.roots() {
        let n = root.node.index();
        if faults[n].is_none() && !matches!(emitter.values[n], Some(Arg::Reg(_))) {
            faults[n] = Some(Reason::NoValue);
        }
    }
    faults
}

/// Puts instructions together.
struct Emitter<'a> {
    batt: &'a Batt,
    plan: &'a BattPlan,
    pool: &'a mut Pool,
    steps: Vec<[i32; STEP]>,
    /// Where labels are, once they are placed.
    labels: Vec<i32>,
    registers: u32,
    values: Vec<Option<Arg>>,
    /// Registers that hold constants, by place in the pool.
    constants: BTreeMap<u32, u32>,
    /// Loops that are open.
    depth: usize,
    /// Whether the node has a loop already.
    looped: bool,
    /// First instruction of the node.
    begin: usize,
}

impl<'a> Emitter<'a> {
    fn new(batt: &'a Batt, plan: &'a BattPlan, pool: &'a mut Pool) -> Emitter<'a> {
        Emitter {
            batt,
            plan,
            pool,
            steps: Vec::new(),
            labels: Vec::new(),
            // The first one is the input.
            registers: 1,
            values: vec![None; batt.nodes().len()],
            constants: BTreeMap::new(),
            depth: 0,
            looped: false,
            begin: 0,
        }
    }

    /// The value of a node whose arguments have theirs.
    fn node(&mut self, n: usize) -> Result<Arg, Reason> {
        self.looped = false;
        self.begin = self.steps.len();
        if let Some(value) = self.plan.known(NodeId(n as u32)) {
            return Ok(Arg::Const(value.clone()));
        }
        let batt = self.batt;
        let node = &batt.nodes()[n];
        let args: Vec<Arg> = node
            .args
            .iter()
            .map(|arg| self.values[arg.index()].clone().ok_or(Reason::Function))
            .collect::<Result<_, _>>()?;
        match &node.op {
            Op::Input => Ok(Arg::Reg(0)),
            Op::Samples => Err(Reason::Samples),
            Op::Expected => Ok(Arg::Const(Value::None)),
            Op::Const(value) => Ok(Arg::Const(value.clone())),
            Op::Param(_) => Err(Reason::Function),
            Op::Call(id) => self.primitive(*id, &args),
            Op::Apply => {
                let (function, args) = args.split_first().ok_or(Reason::Function)?;
                self.call(function, args)
            }
            Op::Tuple => self.list(&args, "LIST_TUPLE"),
            Op::Set => self.list(&args, "LIST_SET"),
            Op::Lambda(body) => Ok(Arg::Fun(Rc::new(Fun::Lambda(body.0.clone(), args)))),
        }
    }

    fn register(&mut self) -> u32 {
        self.registers += 1;
        self.registers - 1
    }

    fn step(&mut self, op: &str, result: u32, args: &[u32], number: i32) {
        self.raw(control(op), result, args, 0, number);
    }

    /// An instruction whose arguments, when failed, fail it.
    fn strict(&mut self, op: i32, args: &[u32], number: i32) -> Result<u32, Reason> {
        if self.steps.len() - self.begin > MOST_STEPS {
            return Err(Reason::Size);
        }
        let result = self.register();
        self.raw(op, result, args, args.len(), number);
        Ok(result)
    }

    fn raw(&mut self, op: i32, result: u32, args: &[u32], strict: usize, number: i32) {
        let arg = |n: usize| args.get(n).map_or(0, |&r| r as i32);
        self.steps.push([op, result as i32, arg(0), arg(1), arg(2), arg(3), strict as i32, number]);
    }

    /// A label that is placed later.
    fn label(&mut self) -> i32 {
        self.labels.push(-1);
        self.labels.len() as i32 - 1
    }

    fn place(&mut self, label: i32) {
        self.labels[label as usize] = self.steps.len() as i32;
    }

    /// The register of a value, which for a constant is loaded before anything else is done.
    fn value(&mut self, arg: &Arg) -> Result<u32, Reason> {
        match arg {
            Arg::Reg(register) => Ok(*register),
            Arg::Const(value) => {
                let place = self.pool.add(value)?;
                if let Some(&register) = self.constants.get(&place) {
                    return Ok(register);
                }
                let register = self.register();
                self.constants.insert(place, register);
                Ok(register)
            }
            Arg::Fun(_) => Err(Reason::Function),
        }
    }

    /// A tuple or set of these values.
    fn list(&mut self, args: &[Arg], op: &str) -> Result<Arg, Reason> {
        let items = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>, _>>()?;
        let list = self.register();
        self.step("LIST_NEW", list, &[], items.len() as i32);
        for (n, item) in items.into_iter().enumerate() {
            self.step("LIST_PUT", list, &[item], n as i32);
        }
        Ok(Arg::Reg(self.strict(control(op), &[list], 0)?))
    }

    /// Appends constants and instructions to `code`, labels replaced by places in the stretch.
    fn finish(self, code: &mut Vec<i32>) {
        for (&place, &register) in &self.constants {
            let op = control("CONST");
            code.extend([op, register as i32, 0, 0, 0, 0, 0, place as i32]);
        }
        let first = self.constants.len() as i32;
        let jumps = ["JUMP", "NEXT", "UNLESS"].map(control);
        for mut step in self.steps {
            if jumps.contains(&step[0]) {
                step[7] = first + self.labels[step[7] as usize];
            }
            code.extend(step);
        }
    }
}
