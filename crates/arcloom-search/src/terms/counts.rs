//! What calls take, counted over programs.
//!
//! `data/calls.tsv` has a line for each place (an argument of a primitive, or the result of a program)
//! and each thing that was found there, with the number of times by fold of the task. A task of fold
//! `f` is searched with the counts of the other folds. `cargo run --release -p arcloom-search --example
//! count_calls -- PROGRAMS..` writes the file anew.

use std::collections::BTreeMap;

use arcloom_dsl::Registry;
use arcloom_lang::{Node, Op, Program};
use arcloom_value::{PrimId, Value};

use crate::costs::FOLDS;

/// The counts as they are in the file.
pub const TABLE: &str = include_str!("../../data/calls.tsv");
const RESULT: &str = "result";

/// Where a term may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermPlace {
    /// The result of a program.
    Result,
    /// An argument of a primitive, counted from 0.
    Argument(PrimId, u8),
}

/// What may stand somewhere, by its outermost part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filler {
    /// The input.
    Input,
    /// The result of a call.
    Call(PrimId),
    /// A primitive as a function.
    Function(PrimId),
    Int(i64),
    Pair(i32, i32),
}

impl TermPlace {
    fn parse(text: &str) -> Option<TermPlace> {
        if text == RESULT {
            return Some(TermPlace::Result);
        }
        let (name, number) = text.split_once('.')?;
        Some(TermPlace::Argument(Registry::get().find(name)?, number.parse().ok()?))
    }

    fn text(self) -> String {
        match self {
            TermPlace::Result => RESULT.to_owned(),
            TermPlace::Argument(prim, n) => format!("{}.{n}", Registry::get().primitive(prim).name),
        }
    }
}

impl Filler {
    /// What a node of a program is to the node that uses it.
    pub fn of(node: &Node) -> Option<Filler> {
        match &node.op {
            Op::Input => Some(Filler::Input),
            Op::Call(prim) => Some(Filler::Call(*prim)),
            Op::Const(Value::Prim(prim)) => Some(Filler::Function(*prim)),
            Op::Const(Value::Int(n)) => Some(Filler::Int(*n)),
            Op::Const(Value::Pair(a, b)) => Some(Filler::Pair(*a, *b)),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Filler> {
        if text == "I" {
            return Some(Filler::Input);
        }
        if let Some(name) = text.strip_suffix("()") {
            return Some(Filler::Call(Registry::get().find(name)?));
        }
        if let Some((a, b)) = text.split_once(',') {
            return Some(Filler::Pair(a.parse().ok()?, b.parse().ok()?));
        }
        match text.parse() {
            Ok(n) => Some(Filler::Int(n)),
            Err(_) => Some(Filler::Function(Registry::get().find(text)?)),
        }
    }

    fn text(self) -> String {
        let name = |prim| Registry::get().primitive(prim).name;
        match self {
            Filler::Input => "I".to_owned(),
            Filler::Call(prim) => format!("{}()", name(prim)),
            Filler::Function(prim) => name(prim).to_owned(),
            Filler::Int(n) => n.to_string(),
            Filler::Pair(a, b) => format!("{a},{b}"),
        }
    }
}

/// How often what stood where, by fold.
#[derive(Clone, Debug, Default)]
pub struct CallCounts {
    counts: BTreeMap<(TermPlace, Filler), [u32; FOLDS as usize]>,
}

impl CallCounts {
    /// The counts that come with the engine.
    pub fn learned() -> CallCounts {
        CallCounts::parse(TABLE)
    }

    /// Reads a table; lines with names that this build does not have are left out.
    pub fn parse(table: &str) -> CallCounts {
        let mut counts = CallCounts::default();
        for line in table.lines().filter(|l| !l.starts_with('#')) {
            let mut fields = line.split('\t');
            let place = fields.next().and_then(TermPlace::parse);
            let filler = fields.next().and_then(Filler::parse);
            let (Some(place), Some(filler)) = (place, filler) else { continue };
            let folds = counts.counts.entry((place, filler)).or_default();
            for (slot, field) in folds.iter_mut().zip(fields) {
                *slot += field.parse::<u32>().unwrap_or(0);
            }
        }
        counts
    }

    /// The table as it is kept in a file.
    pub fn text(&self) -> String {
        let mut text = "# place\tfiller".to_owned();
        (0..FOLDS).for_each(|f| text += &format!("\t{f}"));
        text.push('\n');
        let lines = self.counts.iter().map(|((place, filler), folds)| {
            let mut line = format!("{}\t{}", place.text(), filler.text());
            folds.iter().for_each(|n| line += &format!("\t{n}"));
            line
        });
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        text + &lines.join("\n") + "\n"
    }

    /// Counts one program of a task of this fold.
    pub fn add(&mut self, program: &Program, fold: u8) {
        let mut count = |place, node: &Node| {
            if let Some(filler) = Filler::of(node) {
                let folds = self.counts.entry((place, filler)).or_default();
                folds[usize::from(fold % FOLDS)] += 1;
            }
        };
        for node in program.nodes() {
            if let Op::Call(prim) = node.op {
                for (n, &arg) in (0..).zip(&node.args) {
                    count(TermPlace::Argument(prim, n), program.node(arg));
                }
            }
        }
        count(TermPlace::Result, program.node(program.output()));
    }

    /// Every place and filler with its count in all folds but one.
    pub fn without(&self, fold: Option<u8>) -> impl Iterator<Item = (TermPlace, Filler, u32)> + '_ {
        self.counts.iter().filter_map(move |(&(place, filler), folds)| {
            let kept = (0..).zip(folds).filter(|(f, _)| Some(*f) != fold);
            let sum: u32 = kept.map(|(_, n)| *n).sum();
            (sum > 0).then_some((place, filler, sum))
        })
    }
}

#[cfg(test)]
mod tests {
    use arcloom_lang::load_file;

    use super::*;

    #[test]
    fn counts_survive_the_file_and_folds_can_be_left_out() {
        let text = "def solve_a(I):\n    x1 = ofcolor(I, 3)\n    return fill(I, 2, shift(x1, (0, 1)))\n\
                    def solve_b(I):\n    return subgrid(argmax(objects(I, T, F, T), size), I)\n";
        let mut counts = CallCounts::default();
        for (program, fold) in load_file(text).programs.iter().zip([1, 2]) {
            counts.add(program, fold);
        }
        let again = CallCounts::parse(&counts.text());
        assert_eq!(again.text(), counts.text());
        assert!(counts.text().contains("argmax.1\tsize\t0\t0\t1\t0\t0\n"));
        assert!(counts.text().contains("shift.1\t0,1\t0\t1\t0\t0\t0\n"));
        let left: Vec<_> = again.without(Some(2)).filter(|c| c.0 == TermPlace::Result).collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].1.text(), "fill()");
    }

    #[test]
    fn the_table_in_the_engine_is_read_whole() {
        let lines = TABLE.lines().filter(|l| !l.starts_with('#')).count();
        assert_eq!(CallCounts::learned().counts.len(), lines);
    }
}
