//! Steps of a search: what can be done with a sheet or a list of sheets, as `#[step]` declares it.
//!
//! A step is a kernel on sheets with its constants, beside the primitive by which programs call it. A search walks
//! [`all`]: which constants are tried and in which order, how programs are written, and under which name the cost of a
//! step is kept follows from the record.

use std::fmt;

use arcloom_value::Value;

use crate::constants::{CONSTANTS, Const};
use crate::kernel::sheet::{MAX_SIDE, Made, Sheet};
use crate::sheet::STEPS;

/// What steps must know of an input: what it shows, the size of its output, and how large results may be.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The input.
    pub picture: Sheet,
    /// The size of the output, where it is known.
    pub output: Option<(usize, usize)>,
    /// How many cells a sheet may have; the sheets of a list may have several times as many.
    pub cells: usize,
}

impl Bounds {
    /// The size of the input.
    pub fn input(&self) -> (usize, usize) {
        (self.picture.height(), self.picture.width())
    }
}

/// Which canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Canvas {
    /// One of the size of the input.
    Input,
    /// One of the size of the output.
    Output,
}

/// The constants of a step, a code for each.
pub type StepCodes = [u8; 3];

/// What a step does, by what it takes and gives.
#[derive(Clone, Copy, Debug)]
pub enum StepKernel {
    /// A sheet to a sheet; on a list, each of its sheets.
    Map(fn(&Sheet, &StepCodes, &Bounds, &mut Sheet) -> Made),
    /// A sheet to a list.
    Split(fn(&Sheet, &StepCodes, &Bounds, &mut Vec<Sheet>) -> Made),
    /// A list to a sheet.
    Join(fn(&[Sheet], &StepCodes, &Bounds, &mut Sheet) -> Made),
    /// A list to a list.
    Sift(fn(&[Sheet], &StepCodes, &Bounds, &mut Vec<Sheet>) -> Made),
}

/// What `#[step]` says of a step.
#[derive(Debug)]
pub struct StepRecord {
    /// The name of its function.
    pub name: &'static str,
    /// The primitives that programs call one after the other; the first gets the constants.
    pub calls: &'static [&'static str],
    /// What it does.
    pub kernel: StepKernel,
    /// Its constants.
    pub constants: &'static [StepSlot],
    /// Where it comes in the order in which a search tries steps.
    pub place: u16,
    /// The cost up to which chains have it tried on them: steps that take long are for short chains only.
    pub until: u16,
    /// Whether it is tried on sheets only, not on every sheet of a list.
    pub alone: bool,
    /// Whether it looks at the whole input.
    pub whole_input: bool,
    /// Whether chains only end in it: a search does not try it.
    pub at_end: bool,
}

/// A constant of a step.
#[derive(Debug)]
pub struct StepSlot {
    /// The codes that a search tries on tasks with these colours, one bit each.
    pub tried: fn(u32) -> Vec<u8>,
    /// The word of a code.
    pub word: fn(u8) -> StepWord,
    /// Whether it is the size of a canvas; its code is that of a [`Canvas`].
    pub is_canvas: bool,
    /// Whether steps that differ in it have one cost: what is tried depends on the task.
    pub is_of_task: bool,
}

/// A type whose values are constants of steps.
pub trait StepConstant: Copy {
    /// Whether it is the size of a canvas.
    const IS_CANVAS: bool = false;
    /// Whether what is tried depends on the task.
    const IS_OF_TASK: bool = false;

    /// What a search tries on tasks with these colours, one bit each.
    fn tried(colors: u32) -> Vec<u8>;

    /// The code of a value.
    fn code(self) -> u8;

    /// The value of a code on an input.
    fn of(code: u8, bounds: &Bounds) -> Option<Self>;

    /// How programs write the value of a code.
    fn word(code: u8) -> StepWord;
}

/// The codes of values.
pub fn codes<T: StepConstant>(values: &[T]) -> Vec<u8> {
    values.iter().map(|value| value.code()).collect()
}

impl StepSlot {
    /// The input itself.
    pub const PICTURE: StepSlot = StepSlot {
        tried: |_| vec![0],
        word: |_| StepWord::Picture,
        is_canvas: false,
        is_of_task: false,
    };

    /// A constant for which what its type says is tried.
    pub const fn of_type<T: StepConstant>() -> StepSlot {
        StepSlot {
            tried: T::tried,
            word: T::word,
            is_canvas: T::IS_CANVAS,
            is_of_task: T::IS_OF_TASK,
        }
    }

    /// A constant for which these codes are tried.
    pub const fn listed<T: StepConstant>(tried: fn(u32) -> Vec<u8>) -> StepSlot {
        StepSlot { tried, word: T::word, is_canvas: T::IS_CANVAS, is_of_task: false }
    }
}

/// Declares an enum that is a constant of steps: each variant with its value in programs, a pair or the name of a
/// primitive. `ALL` has them in the order of their codes.
macro_rules! step_constant {
    ($(#[$doc:meta])* pub enum $name:ident: $type:ty {
        $($(#[$of:meta])* $variant:ident = $value:expr,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// Its value in programs.
            pub const fn value(self) -> $type {
                match self {
                    $($name::$variant => $value,)*
                }
            }
        }

        impl crate::step::StepConstant for $name {
            fn tried(_: u32) -> Vec<u8> {
                crate::step::codes($name::ALL)
            }

            #[inline]
            fn code(self) -> u8 {
                self as u8
            }

            #[inline]
            fn of(code: u8, _: &crate::step::Bounds) -> Option<$name> {
                $name::ALL.get(usize::from(code)).copied()
            }

            fn word(code: u8) -> crate::step::StepWord {
                crate::step::StepWord::from($name::ALL[usize::from(code)].value())
            }
        }
    };
}
pub(crate) use step_constant;

/// A colour.
impl StepConstant for u8 {
    const IS_OF_TASK: bool = true;

    fn tried(colors: u32) -> Vec<u8> {
        (1..10).filter(|c| colors >> c & 1 == 1).collect()
    }

    #[inline]
    fn code(self) -> u8 {
        self
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<u8> {
        Some(code)
    }

    fn word(code: u8) -> StepWord {
        StepWord::Int(code.into())
    }
}

/// A length; declarations list those that are tried.
impl StepConstant for usize {
    fn tried(_: u32) -> Vec<u8> {
        Vec::new()
    }

    #[inline]
    fn code(self) -> u8 {
        self.min(MAX_SIDE) as u8
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<usize> {
        Some(code.into())
    }

    fn word(code: u8) -> StepWord {
        StepWord::Int(code.into())
    }
}

impl StepConstant for bool {
    fn tried(_: u32) -> Vec<u8> {
        vec![0, 1]
    }

    #[inline]
    fn code(self) -> u8 {
        self.into()
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<bool> {
        Some(code != 0)
    }

    fn word(code: u8) -> StepWord {
        StepWord::Bool(code != 0)
    }
}

impl Canvas {
    /// Both of them.
    pub const ALL: [Canvas; 2] = [Canvas::Input, Canvas::Output];

    fn of_code(code: u8) -> Canvas {
        Canvas::ALL[usize::from(code.min(1))]
    }
}

/// The size of a canvas.
impl StepConstant for (usize, usize) {
    const IS_CANVAS: bool = true;

    fn tried(_: u32) -> Vec<u8> {
        Canvas::ALL.map(|canvas| canvas as u8).to_vec()
    }

    /// A size is known by the canvas that has it, so that no list of sizes can be tried.
    #[inline]
    fn code(self) -> u8 {
        Canvas::Input as u8
    }

    #[inline]
    fn of(code: u8, bounds: &Bounds) -> Option<(usize, usize)> {
        match Canvas::of_code(code) {
            Canvas::Input => Some(bounds.input()),
            Canvas::Output => bounds.output,
        }
    }

    fn word(code: u8) -> StepWord {
        StepWord::Size(Canvas::of_code(code))
    }
}

/// What a call gets besides the sheet.
#[derive(Clone, Debug, PartialEq)]
pub enum StepWord {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A pair of numbers.
    Pair(i32, i32),
    /// A primitive as a function.
    Function(&'static str),
    /// A call of a primitive with constants.
    Call(&'static str, Vec<StepWord>),
    /// The input as a sheet.
    Picture,
    /// The size of a canvas.
    Size(Canvas),
    /// A value as it is, learned from the demos.
    Constant(Value),
}

impl From<&'static str> for StepWord {
    fn from(name: &'static str) -> StepWord {
        StepWord::Function(name)
    }
}

impl From<(i32, i32)> for StepWord {
    fn from((down, right): (i32, i32)) -> StepWord {
        StepWord::Pair(down, right)
    }
}

impl fmt::Display for StepWord {
    /// Constants by their names, as programs have them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepWord::Int(n) => write!(f, "{n}"),
            StepWord::Bool(truth) => f.write_str(if *truth { "T" } else { "F" }),
            &StepWord::Pair(i, j) => {
                match CONSTANTS.iter().find(|c| c.value == Const::Pair(i, j)) {
                    Some(constant) => f.write_str(constant.name),
                    None => write!(f, "({i}, {j})"),
                }
            }
            StepWord::Function(name) => f.write_str(name),
            StepWord::Call(name, args) => {
                f.write_str(name)?;
                write_args(f, args)
            }
            StepWord::Picture => f.write_str("input"),
            StepWord::Size(Canvas::Input) => f.write_str("input_size"),
            StepWord::Size(Canvas::Output) => f.write_str("output_size"),
            StepWord::Constant(_) => f.write_str("..."),
        }
    }
}

fn write_args(f: &mut fmt::Formatter<'_>, args: &[StepWord]) -> fmt::Result {
    for (n, arg) in args.iter().enumerate() {
        write!(f, "{}{arg}", if n == 0 { "(" } else { ", " })?;
    }
    f.write_str(if args.is_empty() { "" } else { ")" })
}

/// A step with its constants.
#[derive(Clone, Copy)]
pub struct DeclaredStep {
    /// The step.
    pub record: &'static StepRecord,
    /// Its constants.
    pub codes: StepCodes,
}

impl PartialEq for DeclaredStep {
    fn eq(&self, other: &DeclaredStep) -> bool {
        self.record.name == other.record.name && self.codes == other.codes
    }
}

impl Eq for DeclaredStep {}

impl StepRecord {
    /// The step with these constants, the others having code 0.
    pub fn with(&'static self, constants: &[u8]) -> DeclaredStep {
        let mut codes = StepCodes::default();
        codes.iter_mut().zip(constants).for_each(|(code, constant)| *code = *constant);
        DeclaredStep { record: self, codes }
    }

    /// All that a search tries on tasks with these colours, the first constant varying slowest, each with the number of
    /// its first constant.
    fn tried(&'static self, colors: u32) -> Vec<(usize, DeclaredStep)> {
        let mut tried = vec![(0, self.with(&[]))];
        tried.truncate(usize::from(!self.at_end));
        for (slot, constant) in self.constants.iter().enumerate() {
            let codes = (constant.tried)(colors);
            let each = |&(first, step): &(usize, DeclaredStep)| {
                let with = move |(number, code): (usize, &u8)| {
                    let mut step = step;
                    step.codes[slot] = *code;
                    (if slot == 0 { number } else { first }, step)
                };
                codes.iter().enumerate().map(with).collect::<Vec<_>>()
            };
            tried = tried.iter().flat_map(each).collect();
        }
        tried
    }
}

impl DeclaredStep {
    /// The primitives that programs call one after the other, and what the first of them gets besides the sheet.
    pub fn words(&self) -> (&'static [&'static str], Vec<StepWord>) {
        let constants = self.record.constants.iter().zip(self.codes);
        (self.record.calls, constants.map(|(slot, code)| (slot.word)(code)).collect())
    }

    /// The canvas onto which it brings a sheet, if it does.
    pub fn canvas(&self) -> Option<Canvas> {
        let mut constants = self.record.constants.iter().zip(self.codes);
        constants.find(|(slot, _)| slot.is_canvas).map(|(_, code)| Canvas::of_code(code))
    }

    /// The name under which its cost is kept: its primitives with its constants, but for those that depend on the task.
    pub fn key(&self) -> String {
        let constants = self.record.constants.iter().zip(self.codes);
        let told = constants.filter(|(slot, _)| !slot.is_of_task);
        text_of(self.record.calls, told.map(|(slot, code)| (slot.word)(code)).collect())
    }
}

fn text_of(calls: &'static [&'static str], args: Vec<StepWord>) -> String {
    let (first, rest) = calls.split_first().unwrap_or((&"", &[]));
    let first =
        if args.is_empty() { (*first).to_owned() } else { StepWord::Call(first, args).to_string() };
    rest.iter().fold(first, |text, call| format!("{text} {call}"))
}

impl fmt::Display for DeclaredStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (calls, args) = self.words();
        f.write_str(&text_of(calls, args))
    }
}

impl fmt::Debug for DeclaredStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The records of all steps, by family and in the order of their files.
pub fn records() -> &'static [&'static StepRecord] {
    STEPS
}

/// How a search tries the steps that begin with a call of this primitive: the first names of those under which their
/// costs are kept. `None` when there is no such step.
pub fn tried_as(primitive: &str) -> Option<String> {
    const SHOWN: usize = 6;
    let calls = all(!0).into_iter().filter(|step| step.record.calls.first() == Some(&primitive));
    let mut keys: Vec<String> = calls.map(|step| step.key()).collect();
    keys.dedup();
    let more = keys.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!keys.is_empty()).then(|| keys[..keys.len().min(SHOWN)].join(", ") + &more)
}

/// The steps that a search tries on tasks with these colours (one bit each), in the order in which it tries them. Steps
/// of one place take turns, constant by constant.
pub fn all(colors: u32) -> Vec<DeclaredStep> {
    let mut steps: Vec<((u16, usize, usize), DeclaredStep)> = Vec::new();
    for (number, record) in STEPS.iter().enumerate() {
        let tried = record.tried(colors).into_iter();
        steps.extend(tried.map(|(first, step)| ((record.place, first, number), step)));
    }
    steps.sort_by_key(|(place, _)| *place);
    steps.into_iter().map(|(_, step)| step).collect()
}
