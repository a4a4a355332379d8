//! The merged graph of some programs: what they share is drawn once.

use arcloom::batt::graph::Batt;
use arcloom::draw::{GraphKind, GraphView, graph_svg};
use arcloom::figure::batt_view;
use arcloom::{Choice, Entry, card};
use maud::{PreEscaped, html};
use serde_json::json;

use super::lineage::with_links;
use super::{Page, counted, grouped, program_url};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Programs drawn, unless another number is asked for, and at most.
const USUAL: usize = 8;
const MOST: usize = 64;
/// Most steps drawn.
const STEPS: usize = 900;

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let mut names: Vec<String> = params
        .get("ids")
        .unwrap_or_default()
        .split([',', ' '])
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let archive = params.get("from") == Some("archive");
    let all = if archive { best(site)? } else { site.library.clone() };
    let asked = match names.is_empty() {
        true => params.number("count").unwrap_or(USUAL),
        false => names.len(),
    };
    names.truncate(MOST);
    let count = asked.min(MOST);
    let seed = params.number("seed").unwrap_or(1) as u64;
    let choice = Choice {
        count: Some(count.min(if names.is_empty() { all.len() } else { names.len() })),
        ids: names,
        seed,
    };
    let chosen = choice
        .pick(&all, |entry| [entry.program.name.as_str(), entry.task.as_str()])
        .map_err(|error| Failure::Wrong(error.to_string()))?;
    let programs: Vec<&Entry> = chosen.into_iter().map(|n| &all[n]).collect();
    let carded = card(site.engine.limits(), programs.iter().copied());
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
        @if asked > MOST { p.note role="status" { "You asked for " (grouped(asked as u64)) " programs; a drawing has room for " (MOST) ", so these are the first " (MOST) ". " code { "arcloom card" } " merges any number." } }
        p.summary {
            strong { (counted(programs.len() as u64, "program")) }
            span { (grouped(before as u64)) " steps alone, " strong { (grouped(after as u64)) } " merged" }
            span { (grouped(shared as u64)) " shared by two or more" }
        }
        @if after > STEPS {
            p.empty { "That is too much for one drawing: choose fewer programs." }
        } @else {
            p.legend { span { "From left to right. Wider and darker: shared by more programs, ×4 says by how many; round boxes are the programs. + and −, or the wheel with Ctrl, zoom; drag or arrows move; a step names its programs." } }
            div.canvas.graph data-zoom="start" tabindex="0" role="group" aria-label="Merged graph; + and - zoom, arrows move" {
                (PreEscaped(with_links(graph_svg(&drawn(&carded.batt, &programs), &look.options()))))
            }
        }
        details { summary { "The programs" }
            ul.names { @for entry in &programs { li { a href=(program_url(entry.program.id(), "", "")) { (entry.program.name) } " " span.muted { (counted(entry.program.size() as u64, "call")) } } } }
        }
    };
    let data = || {
        let one = |entry: &&Entry| json!({ "program": entry.program.id().to_string(), "name": entry.program.name, "calls": entry.program.size() });
        json!({
            "asked_count": asked,
            "program_count": programs.len(),
            "step_count": before,
            "merged_step_count": after,
            "shared_step_count": shared,
            "programs": programs.iter().map(one).collect::<Vec<_>>(),
        })
    };
    Ok(Page::new("Batt", "Batt", body).with("zoom.js").data(look, data))
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

/// The graph with links from its programs to their pages.
fn drawn(batt: &Batt, programs: &[&Entry]) -> GraphView {
    let mut view = batt_view(batt, "");
    let ends = view.nodes.iter_mut().filter(|node| node.kind == GraphKind::Program);
    // Roots come in the order in which programs were given.
    for (node, entry) in ends.zip(programs) {
        node.link = Some(program_url(entry.program.id(), "", ""));
    }
    view
}
