//! The merged graph of some programs: what they share is drawn once.

use arcloom::batt::graph::Batt;
use arcloom::text::graph;
use arcloom::{Choice, Entry, Form, card};
use maud::{Markup, html};

use super::layers::arrange;
use super::lineage::clip;
use super::{Page, counted, encode, grouped};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Programs drawn, unless another number is asked for, and at most.
const USUAL: usize = 8;
const MOST: usize = 64;
/// Most steps drawn.
const STEPS: usize = 900;
/// Extent of a step and the room between.
const W: f64 = 132.0;
const H: f64 = 34.0;
const GAP_X: f64 = 14.0;
const GAP_Y: f64 = 34.0;

pub(crate) fn page(site: &Site, _: &Look, params: &Params) -> Result<Page, Failure> {
    let names: Vec<String> = params
        .get("ids")
        .unwrap_or_default()
        .split([',', ' '])
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let archive = params.get("from") == Some("archive");
    let all = if archive { best(site)? } else { site.library.clone() };
    let count = params.number("count").unwrap_or(if names.is_empty() { USUAL } else { MOST });
    let seed = params.number("seed").unwrap_or(1) as u64;
    let choice = Choice {
        count: Some(count.min(MOST).min(if names.is_empty() { all.len() } else { names.len() })),
        ids: names,
        seed,
    };
    let chosen = choice
        .pick(&all, |entry| [entry.program.name.as_str(), entry.task.as_str()])
        .map_err(|error| Failure::Wrong(error.to_string()))?;
    let programs: Vec<&Entry> = chosen.into_iter().map(|n| &all[n]).collect();
    let carded = card(programs.iter().copied());
    let before = carded.before.steps;
    let after = carded.stats.count.steps;
    let shared = carded.stats.shared(&carded.batt);
    let body = html! {
        form.filter action="/batt" role="search" {
            h1 { "Batt" }
            label { span { "From" } select name="from" { option value="files" selected[!archive] { "files" } @if site.store.is_some() { option value="archive" selected[archive] { "the archive's best" } } } }
            label { span { "Programs" } input name="ids" value=(params.text("ids")) placeholder="names, with commas" data-search; }
            label { span { "or draw" } input type="number" name="count" min="1" max=(MOST) value=(count); }
            label { span { "seed" } input type="number" name="seed" min="0" value=(seed); }
            button { "Merge" }
        }
        p.summary {
            strong { (counted(programs.len() as u64, "program")) }
            span { (grouped(before as u64)) " steps alone, " strong { (grouped(after as u64)) } " merged" }
            span { (grouped(shared as u64)) " shared by two or more" }
        }
        @if after > STEPS {
            p.empty { "That is too much for one drawing: choose fewer programs." }
        } @else {
            p.legend { span { "used by" } span.key.s1 { "1" } span.key.s2 { "2" } span.key.s3 { "3–4" } span.key.s4 { "5 and more" } span.muted { "programs. Wheel or + and − zoom; drag or arrows move; a step names its programs." } }
            div.canvas data-zoom tabindex="0" aria-label="Merged graph; + and - zoom, arrows move" { (drawing(&carded.batt)) }
        }
        details { summary { "The programs" }
            ul.names { @for entry in &programs { li { a href={ "/program/" (encode(&super::short(entry.program.id()))) } { (entry.program.name) } " " span.muted { (counted(entry.program.size() as u64, "call")) } } } }
        }
    };
    Ok(Page { title: "Batt".to_owned(), area: "Batt", module: Some("zoom.js"), body })
}

/// The best stored program of every task.
fn best(site: &Site) -> Result<Vec<Entry>, Failure> {
    let filter = arcloom::archive::Filter { best: Some(1), solved: true, task: None };
    let stored = site.with_archive(|archive| archive.programs(&filter))?.unwrap_or_default();
    let mut entries = Vec::new();
    for record in stored.iter().take(2000) {
        entries.push(Entry::new(record.program()?, &record.source));
    }
    Ok(entries)
}

/// Inputs above, results below, a step as wide as its line is long, darker the more programs use it.
fn drawing(batt: &Batt) -> Markup {
    let nodes = batt.nodes();
    let texts = graph(nodes, Form::Straight);
    // Constants stand in the lines of the steps that use them.
    let is_drawn =
        |n: usize| !texts.lines[n].is_empty() || ["I", "S"].contains(&texts.names[n].as_str());
    let drawn: Vec<usize> = (0..nodes.len()).filter(|&n| is_drawn(n)).collect();
    let number = |node: usize| drawn.binary_search(&node).ok();
    let mut layers: Vec<usize> = Vec::new();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (k, &n) in drawn.iter().enumerate() {
        let args = nodes[n].args.iter().filter_map(|arg| number(arg.index()));
        let mut args: Vec<usize> = args.collect();
        args.sort_unstable();
        args.dedup();
        layers.push(args.iter().map(|&arg| layers[arg] + 1).max().unwrap_or(0));
        edges.extend(args.into_iter().map(|arg| (arg, k)));
    }
    // What no input goes into stands right above the first step that uses it.
    let mut fed: Vec<bool> = drawn.iter().map(|&n| texts.lines[n].is_empty()).collect();
    for &(from, to) in &edges {
        fed[to] |= fed[from];
    }
    for k in (0..drawn.len()).rev() {
        if !fed[k] {
            let used = edges.iter().filter(|(from, _)| *from == k).map(|(_, to)| layers[*to]);
            layers[k] = used.min().map_or(layers[k], |first| first.saturating_sub(1));
        }
    }
    let labels = batt.labels();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (p, root) in batt.roots().iter().enumerate() {
        let mut stack = vec![root.node.index()];
        while let Some(n) = stack.pop() {
            if users[n].last() != Some(&p) {
                users[n].push(p);
                stack.extend(nodes[n].args.iter().map(|arg| arg.index()));
            }
        }
    }
    let x = arrange(&layers, &edges);
    let left = x.iter().copied().fold(0.0, f64::min);
    let right = x.iter().copied().fold(0.0, f64::max);
    let at = |k: usize| ((x[k] - left) * (W + GAP_X), layers[k] as f64 * (H + GAP_Y));
    let width = (right - left + 1.0) * (W + GAP_X);
    let height = layers.iter().max().map_or(1, |last| last + 1) as f64 * (H + GAP_Y);
    let shade = |users: usize| match users {
        0 | 1 => "s1",
        2 => "s2",
        3 | 4 => "s3",
        _ => "s4",
    };
    html! {
        svg.graph viewBox={ "-10 -10 " (width.ceil() + 10.0) " " (height.ceil()) } role="img" aria-label="Merged graph" {
            @for &(from, to) in &edges {
                @let ((ax, ay), (bx, by)) = (at(from), at(to));
                @let (sx, sy, ex, ey) = (ax + W / 2.0, ay + H, bx + W / 2.0, by);
                @let far = (ey - sy).max(GAP_Y) / 2.0;
                path.edge.shared[users[drawn[from]].len() > 1 && users[drawn[to]].len() > 1] d={ "M" (sx) " " (sy) "C" (sx) " " (sy + far) " " (ex) " " (ey - far) " " (ex) " " (ey) } {}
            }
            @for (k, &n) in drawn.iter().enumerate() {
                @let (x, y) = at(k);
                @let line = if texts.lines[n].is_empty() { texts.names[n].clone() } else { format!("{} = {}", texts.names[n], texts.lines[n]) };
                @let ends: Vec<&str> = batt.roots().iter().zip(&labels).filter(|(root, _)| root.node.index() == n).map(|(_, label)| label.as_str()).collect();
                @let by: Vec<&str> = users[n].iter().take(12).map(|&p| labels[p].as_str()).collect();
                g class={ "node " (shade(users[n].len())) @if !ends.is_empty() { " end" } } transform={ "translate(" (x) " " (y) ")" } {
                    title { (line) "\nused by " (counted(users[n].len() as u64, "program")) ": " (by.join(", ")) @if users[n].len() > 12 { ", …" } }
                    rect width=(W) height=(H) rx="5" {}
                    text.name x="8" y="15" { (clip(head(&texts.lines[n], &texts.names[n]), 18)) }
                    text.sub x="8" y="28" { @if ends.is_empty() { @if texts.lines[n].is_empty() { "given" } @else { (clip(&line, 21)) } } @else { "⇒ " (clip(&ends.join(", "), 17)) } }
                }
            }
        }
    }
}

/// The function of a step, or the name of an input.
fn head<'a>(line: &'a str, name: &'a str) -> &'a str {
    line.split('(').next().filter(|head| !head.is_empty()).unwrap_or(name)
}
