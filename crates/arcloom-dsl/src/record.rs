//! What is known about a primitive: one record each, made by `#[primitive]`.

use arcloom_value::Value;

use crate::call::{Caller, Outcome};

/// A named DSL function.
#[derive(Debug)]
pub struct Primitive {
    /// Name in programs, in Python, in archives and in tests.
    pub name: &'static str,
    /// A sentence, details, and examples in ```` ```arc ```` fences.
    pub doc: &'static str,
    /// Names of the parameters, usable as keywords.
    pub params: &'static [&'static str],
    /// Signature in the text form of `arcloom_value::Sig`.
    pub sig: &'static str,
    /// Family, for mutation and for the reference.
    pub class: Class,
    /// What the time of a call grows with.
    pub cost: CostClass,
    /// True when the result can depend on the order in which a set is walked.
    pub order_dependent: bool,
    /// True when arc-dsl has no such function.
    pub extra: bool,
    /// Entry point, by number of arguments.
    pub call: Call,
}

/// Family of a primitive; the source file of the same name declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Numbers and pairs of numbers.
    Arithmetic,
    /// Truth and choice.
    Logic,
    /// Tuples and sets.
    Container,
    /// Functions of functions.
    HigherOrder,
    /// Colours of grids and objects.
    Color,
    /// Sizes and extents.
    Measure,
    /// Mirrors and rotations.
    Geometry,
    /// Enlarging and shrinking.
    Scale,
    /// Cutting grids up and joining them.
    Layout,
    /// Finding objects.
    Objects,
    /// Where things are.
    Position,
    /// Lines, boxes and neighbourhoods.
    Lines,
    /// Writing into grids.
    Paint,
    /// Repetition and occurrence.
    Pattern,
    /// Sheets: grids with a place in which 0 is transparent.
    Sheet,
    /// The words of learned rules: what they ask, and what becomes of what they hold for.
    Rule,
    /// Facts derived from a task's demo pairs.
    Samples,
}

/// What the time of a call grows with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CostClass {
    /// Constant.
    Scalar,
    /// Constant for a grid or patch, the number of elements for other containers.
    Frame,
    /// The number of cells or elements.
    Cells,
    /// The number of objects and their cells.
    Objects,
    /// The number of pairs of elements.
    Pairs,
    /// The function it calls.
    Search,
}

impl CostClass {
    /// The name of the class.
    pub fn name(self) -> &'static str {
        match self {
            CostClass::Scalar => "scalar",
            CostClass::Frame => "frame",
            CostClass::Cells => "cells",
            CostClass::Objects => "objects",
            CostClass::Pairs => "pairs",
            CostClass::Search => "search",
        }
    }

    /// What the time of a call grows with, as the end of a sentence.
    pub fn growth(self) -> &'static str {
        match self {
            CostClass::Scalar => "constant",
            CostClass::Frame => {
                "constant for grids and patches, else grows with the number of elements"
            }
            CostClass::Cells => "grows with the number of cells or elements",
            CostClass::Objects => "grows with the number of objects and their cells",
            CostClass::Pairs => "grows with the number of pairs of elements",
            CostClass::Search => "that of the function it calls",
        }
    }
}

/// Entry point of a primitive with one argument.
pub type Call1 = fn(&mut Caller, &Value) -> Outcome;
/// Entry point of a primitive with two arguments.
pub type Call2 = fn(&mut Caller, &Value, &Value) -> Outcome;
/// Entry point of a primitive with three arguments.
pub type Call3 = fn(&mut Caller, &Value, &Value, &Value) -> Outcome;
/// Entry point of a primitive with four arguments.
pub type Call4 = fn(&mut Caller, &Value, &Value, &Value, &Value) -> Outcome;

/// Entry point of a primitive, by number of arguments.
#[derive(Debug, Clone, Copy)]
pub enum Call {
    /// One argument.
    One(Call1),
    /// Two arguments.
    Two(Call2),
    /// Three arguments.
    Three(Call3),
    /// Four arguments.
    Four(Call4),
}

impl Primitive {
    /// Number of arguments.
    pub fn arity(&self) -> usize {
        self.params.len()
    }

    /// First paragraph of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.split("\n\n").next().unwrap_or(self.doc)
    }

    /// The lines of all ```` ```arc ```` fences: `call == value` or `call fails`.
    pub fn examples(&self) -> impl Iterator<Item = &'static str> {
        let mut inside = false;
        self.doc.lines().filter(move |line| {
            if line.starts_with("```") {
                inside = line.starts_with("```arc");
                return false;
            }
            inside && !line.trim().is_empty()
        })
    }
}
