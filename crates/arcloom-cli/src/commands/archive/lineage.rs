//! `arcloom archive lineage`: what a program was made from, as a tree.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Archive, Lineage, ProgramId};
use arcloom::draw::{SvgOptions, lineage_svg};
use arcloom::figure::lineage_view;

use crate::args::figure::{CellArgs, FigureArgs};
use crate::figure;
use crate::paint::{count, visible};
use crate::session::Session;

use super::short;

pub(super) fn run(
    archive: &Archive,
    name: &str,
    descendants: bool,
    depth: usize,
    figure: &FigureArgs,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let root = archive.find_program(name)?.id;
    let lineage = match descendants {
        true => archive.descendants(root, depth)?,
        false => archive.ancestors(root, depth)?,
    };
    if figure.output.is_some() {
        let view = lineage_view(archive, &lineage, descendants)?;
        let what = format!("{}, {}", view.title, count(view.nodes.len(), "program"));
        let draw = |how: &SvgOptions| lineage_svg(&view, how);
        figure::write(figure, CellArgs::default(), session, &visible(&what), draw)?;
        return Ok(ExitCode::SUCCESS);
    }
    for line in draw(&lineage) {
        writeln!(session.out, "{}", visible(&line))?;
    }
    let what = if descendants { "descendant" } else { "ancestor" };
    let cut = if lineage.cut { "; there are more, see --depth" } else { "" };
    writeln!(session.out, "\n{}{cut}", count(lineage.nodes.len() - 1, what))?;
    Ok(ExitCode::SUCCESS)
}

/// The lines of the tree. A program that was drawn before is not drawn with all its own again: the
/// lineage is a graph, and its tree can be exponentially larger.
fn draw(lineage: &Lineage) -> Vec<String> {
    let mut lines = Vec::new();
    let mut drawn: BTreeSet<ProgramId> = BTreeSet::new();
    // An explicit stack: lineages are as long as runs. Each entry is a program, what stands before
    // its line, and what stands before the lines below it.
    let mut stack = vec![(lineage.root, String::new(), String::new())];
    while let Some((id, before, below)) = stack.pop() {
        let Some(node) = lineage.nodes.get(&id) else {
            lines.push(format!("{before}{} ...", short(id)));
            continue;
        };
        let place = match (node.run, node.generation) {
            (Some(run), Some(generation)) => format!("run {} generation {generation}", run.0),
            _ => node.source.clone(),
        };
        let by = node.operator.as_ref().map(|name| format!(" by {name}")).unwrap_or_default();
        let again = !drawn.insert(id) && !node.next.is_empty();
        let again = if again { " (above)" } else { "" };
        let calls = count(node.size as usize, "call");
        lines.push(format!("{before}{} {}, {calls}, {place}{by}{again}", short(id), node.name));
        if again.is_empty() {
            for (n, &next) in node.next.iter().enumerate().rev() {
                let last = n + 1 == node.next.len();
                let (corner, rail) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                stack.push((next, format!("{below}{corner}"), format!("{below}{rail}")));
            }
        }
    }
    lines
}
