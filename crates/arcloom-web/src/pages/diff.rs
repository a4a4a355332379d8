//! What a program has that its parent has not.
//!
//! Lines are compared by what they compute, not by their text: a step that is inserted at the
//! beginning renames all variables after it, and nothing else is different for that.

use arcloom::{Program, text};
use maud::{Markup, html};

use super::code::{Types, line};

/// A line of the comparison.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    Kept(String),
    Gone(String),
    New(String),
}

/// The programs, line by line.
fn compare(before: &Program, after: &Program) -> Vec<Change> {
    let (old, new) = (before.nodes(), after.nodes());
    // For each node of the new program, the node of the old one that computes the same.
    let mut same: Vec<Option<usize>> = Vec::with_capacity(new.len());
    for node in new {
        let equal = |candidate: &usize| {
            let other = &old[*candidate];
            other.op == node.op
                && other.args.len() == node.args.len()
                && other
                    .args
                    .iter()
                    .zip(&node.args)
                    .all(|(a, b)| same[b.index()] == Some(a.index()))
        };
        same.push((0..old.len()).find(equal));
    }
    let (a, b) = (text::lines(before), text::lines(after));
    let is_same = |i: usize, j: usize| same[b[j].0.index()] == Some(a[i].0.index());
    // Longest common subsequence, from the end.
    let mut best = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            best[i][j] = match is_same(i, j) {
                true => best[i + 1][j + 1] + 1,
                false => best[i + 1][j].max(best[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut changes) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && is_same(i, j) {
            changes.push(Change::Kept(b[j].1.clone()));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && best[i + 1][j] >= best[i][j + 1]) {
            changes.push(Change::Gone(a[i].1.clone()));
            i += 1;
        } else {
            changes.push(Change::New(b[j].1.clone()));
            j += 1;
        }
    }
    changes
}

/// Longest programs that are compared: the table of all pairs of lines grows with both.
const LONGEST: usize = 600;

/// The comparison as a list of lines.
pub(crate) fn view(before: &Program, after: &Program) -> Markup {
    if before.size().max(after.size()) > LONGEST {
        return html! { p.muted { "The programs are too long to be compared line by line." } };
    }
    let types = Types::new();
    html! {
        ol.diff {
            @for change in compare(before, after) {
                @match &change {
                    Change::Kept(text) => li { span.sign { " " } (line(text, &types)) },
                    Change::Gone(text) => li.gone { span.sign aria-label="removed" { "−" } (line(text, &types)) },
                    Change::New(text) => li.new { span.sign aria-label="added" { "+" } (line(text, &types)) },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        arcloom::one_program("test", text).unwrap().program
    }

    #[test]
    fn renamed_variables_are_no_difference() {
        let before = program("x1 = rot90(I)\nO = hmirror(x1)");
        let after = program("x1 = asobject(I)\nx2 = rot90(I)\nx3 = hmirror(x2)\nO = paint(x3, x1)");
        let shown: Vec<String> = compare(&before, &after)
            .iter()
            .map(|change| match change {
                Change::Kept(line) => format!(" {line}"),
                Change::Gone(line) => format!("-{line}"),
                Change::New(line) => format!("+{line}"),
            })
            .collect();
        assert_eq!(
            shown,
            [" x1 = rot90(I)", " x2 = hmirror(x1)", "+x3 = asobject(I)", "+O = paint(x2, x3)"]
        );
    }

    #[test]
    fn a_changed_constant_changes_what_uses_it() {
        let changes = compare(
            &program("x1 = ofcolor(I, ONE)\nO = fill(I, TWO, x1)"),
            &program("x1 = ofcolor(I, THREE)\nO = fill(I, TWO, x1)"),
        );
        assert_eq!(changes.iter().filter(|c| matches!(c, Change::Kept(_))).count(), 0);
        assert_eq!(changes.len(), 4);
        let same = program("O = rot90(I)");
        assert_eq!(compare(&same, &same), [Change::Kept("O = rot90(I)".to_owned())]);
    }
}
