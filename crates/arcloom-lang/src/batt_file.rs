//! `batt.py` files: many solvers in one function, `def batt(task_id, S, I, C, log_path)`, taken apart again.
//!
//! Such a file has one line per distinct call, `tN = f(tA, ..)`, mostly inside a `try` whose handler sets a default,
//! and for each solver a line `o.append((N, MUTATED, 'TASK', tN))` that names its result. A solver is that line's
//! `tN` with everything it needs. What a handler would do is left out: a step that fails fails here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::program::function_name;

/// The first line of the function.
const HEAD: &str = "def batt(task_id, S, I, C, log_path):";
/// In the handlers' lines.
const DEFAULT: &str = "_get_safe_default(";
/// Most text that a file is unfolded to.
const MOST: usize = 64 << 20;

/// The solvers of a `batt.py` file as functions `solve_TASK(S, I, C)`; `None` when it is no such file.
pub fn unfold_batt(text: &str) -> Option<String> {
    let body = text.lines().skip_while(|line| line.trim_end() != HEAD).skip(1);
    let (mut calls, mut outputs): (BTreeMap<u32, &str>, Vec<(u32, &str)>) = Default::default();
    for line in body.take_while(|line| line.is_empty() || line.starts_with([' ', '#'])) {
        let line = line.trim();
        if let Some((number, call)) = assignment(line) {
            if !call.starts_with(DEFAULT) {
                calls.insert(number, call);
            }
        } else if let Some(output) = output(line) {
            outputs.push(output);
        }
    }
    if calls.is_empty() && outputs.is_empty() {
        return None;
    }
    let mut unfolded = String::new();
    for (result, task) in outputs {
        let _ = writeln!(unfolded, "def {}(S, I, C):", function_name(task));
        for number in needed(result, &calls) {
            let _ = writeln!(unfolded, "    t{number} = {}", calls[&number]);
        }
        let _ = writeln!(unfolded, "    return t{result}\n");
        if unfolded.len() > MOST {
            break;
        }
    }
    Some(unfolded)
}

/// `tN = CALL`.
fn assignment(line: &str) -> Option<(u32, &str)> {
    let (name, call) = line.split_once(" = ")?;
    Some((name.strip_prefix('t')?.parse().ok()?, call))
}

/// `o.append((N, MUTATED, 'TASK', tN))`.
fn output(line: &str) -> Option<(u32, &str)> {
    let parts = line.strip_prefix("o.append((")?.strip_suffix("))")?;
    let mut parts = parts.split(", ");
    let number = parts.next()?.parse().ok()?;
    let task = parts.nth(1)?.strip_prefix('\'')?.strip_suffix('\'')?;
    Some((number, task))
}

/// The calls that a result is made of, ascending: a line uses earlier lines only.
fn needed(result: u32, calls: &BTreeMap<u32, &str>) -> BTreeSet<u32> {
    let (mut needed, mut open) = (BTreeSet::new(), vec![result]);
    while let Some(number) = open.pop() {
        if let Some(call) = calls.get(&number)
            && needed.insert(number)
        {
            open.extend(used(call).filter(|earlier| *earlier < number));
        }
    }
    needed
}

/// The variables `tN` in a call.
fn used(call: &str) -> impl Iterator<Item = u32> {
    let words = call.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter_map(|word| word.strip_prefix('t')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_file;

    const TWO: &str = "\
# Generated

from dsl import *

def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    try:
        t1 = identity(p_g)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        t1 = _get_safe_default(identity)
    s.append((1, 'None', 'differ_x', t1))
    try:
        t2 = rot90(I)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        t2 = _get_safe_default(rot90)
    # - Arg change: t1 -> t2
    t3 = rot90(t2)
    t4 = t1(I)
    o.append((3, False, '67a3c6ac', t3))
    o.append((2, True, 'ed36ccf7', t2))
    return o, s
";

    #[test]
    fn each_solver_is_its_result_with_what_that_needs() {
        let unfolded = unfold_batt(TWO).unwrap();
        assert_eq!(
            unfolded,
            "def solve_67a3c6ac(S, I, C):\n    t2 = rot90(I)\n    t3 = rot90(t2)\n    return t3\n\n\
             def solve_ed36ccf7(S, I, C):\n    t2 = rot90(I)\n    return t2\n\n"
        );
        let loaded = load_file(&unfolded);
        assert_eq!((loaded.programs.len(), loaded.errors.len()), (2, 0));
        assert_eq!(loaded.programs[0].task(), "67a3c6ac");
    }

    #[test]
    fn other_files_are_none() {
        assert_eq!(unfold_batt("def solve(I):\n    t1 = rot90(I)\n    return t1\n"), None);
        assert_eq!(unfold_batt("def batt(task_id, S, I, C, log_path):\n"), None);
        // Lines that lead in circles, or nowhere.
        let odd = format!(
            "{HEAD}\n    t1 = f(t2, t9)\n    t2 = f(t1)\n    o.append((2, False, 'a', t2))\n"
        );
        assert_eq!(
            unfold_batt(&odd).unwrap(),
            "def solve_a(S, I, C):\n    t1 = f(t2, t9)\n    t2 = f(t1)\n    return t2\n\n"
        );
    }
}
