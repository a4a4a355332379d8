//! The lineage of a program: what it was made from and what was made from it.

use std::collections::BTreeMap;

use arcloom::ProgramId;
use arcloom::archive::{Archive, LineageNode, ResultRecord};
use maud::{Markup, html};

use super::layers::arrange;
use super::{Page, counted, program_url, short};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Steps back and on that are shown, unless other numbers are asked for.
const BACK: usize = 12;
const ON: usize = 2;
/// Most programs drawn; those nearest to the chosen one come first.
const MOST: usize = 160;
/// Extent of a program and the room between.
const W: f64 = 150.0;
const H: f64 = 46.0;
const GAP_X: f64 = 18.0;
const GAP_Y: f64 = 46.0;

/// A program in the drawing.
struct Kin {
    id: ProgramId,
    node: LineageNode,
    /// Steps from the chosen program: before it, or after it.
    step: i64,
    best: Option<ResultRecord>,
}

pub(crate) fn page(id: &str, site: &Site, _: &Look, params: &Params) -> Result<Page, Failure> {
    let shown = site.program(id)?;
    if shown.record.is_none() {
        return Err(Failure::Missing("Only programs of an archive have a lineage.".to_owned()));
    }
    let back = params.number("back").unwrap_or(BACK).min(64);
    let on = params.number("on").unwrap_or(ON).min(16);
    let found = site.with_archive(|archive| kin(archive, shown.id, back, on))?;
    let Some((kin, edges, left_out)) = found else {
        return Err(Failure::Missing("The archive is gone.".to_owned()));
    };
    let body = html! {
        header.head {
            h1 { "Lineage of " (shown.entry.program.name) }
            a href=(program_url(shown.id, "", "")) { code { (short(shown.id)) } }
            span.muted { (counted(kin.len() as u64, "program")) @if left_out { ", others left out" } }
            form.inline action={ "/lineage/" (short(shown.id)) } {
                label { "back " input type="number" name="back" min="0" max="64" value=(back); }
                label { "on " input type="number" name="on" min="0" max="16" value=(on); }
                button { "Show" }
            }
        }
        p.legend { span { "alike" }
            @for n in 0..=10 { span class={ "key f" (n) } { (n * 100) } }
        }
        div.canvas data-zoom="chosen" tabindex="0" aria-label="Lineage; + and - zoom, arrows move" { (drawing(&kin, &edges)) }
        details { summary { "As a list" }
            ul { @for one in &kin { li { (describe(one)) } } }
        }
    };
    let title = format!("Lineage of {}", short(shown.id));
    Ok(Page { title, area: "Programs", module: Some("zoom.js"), body })
}

type Found = (Vec<Kin>, Vec<(usize, usize)>, bool);

/// The programs and which was made from which.
fn kin(
    archive: &Archive,
    root: ProgramId,
    back: usize,
    on: usize,
) -> Result<Found, arcloom::archive::StoreError> {
    let mut steps: BTreeMap<ProgramId, (i64, LineageNode)> = BTreeMap::new();
    let mut edges: Vec<(ProgramId, ProgramId)> = Vec::new();
    let mut left_out = false;
    for (forward, depth) in [(false, back), (true, on)] {
        let lineage = match forward {
            false => archive.ancestors(root, depth)?,
            true => archive.descendants(root, depth)?,
        };
        left_out |= lineage.cut;
        let mut front = vec![root];
        let mut step = 0;
        let mut seen = BTreeMap::from([(root, ())]);
        while !front.is_empty() {
            let mut further = Vec::new();
            for id in front {
                let Some(node) = lineage.nodes.get(&id) else { continue };
                if steps.len() >= MOST {
                    left_out = true;
                    break;
                }
                steps.entry(id).or_insert_with(|| (step, node.clone()));
                for &next in &node.next {
                    edges.push(if forward { (id, next) } else { (next, id) });
                    if seen.insert(next, ()).is_none() {
                        further.push(next);
                    }
                }
            }
            front = further;
            step += if forward { 1 } else { -1 };
        }
    }
    let mut kin = Vec::new();
    for (id, (step, node)) in steps {
        let results = archive.results(id)?;
        let best = results.into_iter().max_by_key(|r| (r.is_solved(), r.solved(), r.similarity));
        kin.push(Kin { id, node, step, best });
    }
    let number = |id: ProgramId| kin.binary_search_by(|one: &Kin| one.id.cmp(&id)).ok();
    let mut edges: Vec<(usize, usize)> =
        edges.into_iter().filter_map(|(a, b)| Some((number(a)?, number(b)?))).collect();
    edges.sort_unstable();
    edges.dedup();
    Ok((kin, edges, left_out))
}

fn describe(one: &Kin) -> Markup {
    html! {
        a href=(program_url(one.id, "", "")) { code { (short(one.id)) } " " (one.node.name) }
        " " (counted(one.node.size, "call"))
        @if let Some(operator) = &one.node.operator { ", made by " (operator) } @else { ", from " (one.node.source) }
        @if let Some(best) = &one.best { ", " (best.solved()) " of " (best.demos()) " demos, alike " (best.similarity) }
    }
}

/// Ancestors above, descendants below, operators on the lines, likeness as colour.
fn drawing(kin: &[Kin], edges: &[(usize, usize)]) -> Markup {
    let first = kin.iter().map(|one| one.step).min().unwrap_or(0);
    let layers: Vec<usize> = kin.iter().map(|one| (one.step - first) as usize).collect();
    let x = arrange(&layers, edges);
    let left = x.iter().copied().fold(0.0, f64::min);
    let right = x.iter().copied().fold(0.0, f64::max);
    let at = |n: usize| {
        let x = (x[n] - left) * (W + GAP_X);
        (x, layers[n] as f64 * (H + GAP_Y))
    };
    let width = (right - left + 1.0) * (W + GAP_X);
    let height = (layers.iter().max().map_or(0, |last| last + 1)) as f64 * (H + GAP_Y);
    html! {
        svg.graph viewBox={ "-10 -24 " (width.ceil() + 10.0) " " (height.ceil() + 8.0) } role="img" aria-label="Lineage" {
            @for &(from, to) in edges {
                @let ((ax, ay), (bx, by)) = (at(from), at(to));
                @let (sx, sy, ex, ey) = (ax + W / 2.0, ay + H, bx + W / 2.0, by);
                path.edge d={ "M" (sx) " " (sy) "C" (sx) " " (sy + GAP_Y / 2.0) " " (ex) " " (ey - GAP_Y / 2.0) " " (ex) " " (ey) } {}
            }
            @for (n, one) in kin.iter().enumerate() {
                @let (x, y) = at(n);
                @let near = one.best.as_ref().map_or(0, |best| best.similarity);
                a href=(program_url(one.id, "", "")) {
                    title { (describe_text(one)) }
                    @if let Some(operator) = &one.node.operator {
                        text.operator x=(x + W / 2.0) y=(y - 6.0) text-anchor="middle" { (operator) }
                    }
                    g class={ "node f" (near / 100) @if one.step == 0 { " chosen" } } transform={ "translate(" (x) " " (y) ")" } {
                        rect width=(W) height=(H) rx="6" {}
                        text.name x="10" y="19" { (short(one.id)) }
                        text.sub x="10" y="36" {
                            @if let Some(best) = &one.best { (best.solved()) "/" (best.demos()) " · " (near) " · " }
                            (counted(one.node.size, "call"))
                        }
                    }
                }
            }
        }
    }
}

fn describe_text(one: &Kin) -> String {
    let made = one.node.operator.as_deref().unwrap_or(&one.node.source);
    format!("{} {} ({made})", short(one.id), one.node.name)
}

/// The beginning of a text.
pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => format!("{}…", text.chars().take(most - 1).collect::<String>()),
        false => text.to_owned(),
    }
}
