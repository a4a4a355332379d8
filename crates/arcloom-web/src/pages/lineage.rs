//! The lineage of a program: what it was made from and what was made from it.

use arcloom::archive::Archive;
use arcloom::draw::{LineageBox, LineageView, lineage_svg, scale_svg};
use arcloom::figure::{kin, lineage_view};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::{Page, counted, meter, program_url, short};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Shown, Site};

/// Steps back and on that are shown, unless other numbers are asked for.
const BACK: usize = 12;
const ON: usize = 2;
/// Most programs drawn; those nearest to the chosen one come first.
const MOST: usize = 160;

pub(crate) fn page(id: &str, site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let shown = site.program(id)?;
    if shown.record.is_none() {
        return Err(Failure::Missing("Only programs of an archive have a lineage.".to_owned()));
    }
    let back = params.number("back").unwrap_or(BACK).min(64);
    let on = params.number("on").unwrap_or(ON).min(16);
    let found = site.with_archive(|archive| {
        let lineage = kin(archive, shown.id, back, on, MOST)?;
        let links: Vec<_> = lineage.nodes.keys().map(|&id| (id.to_string(), id)).collect();
        Ok((lineage_view(archive, &lineage, false)?, links))
    })?;
    let Some((mut view, ids)) = found else {
        return Err(Failure::Missing("The archive is gone.".to_owned()));
    };
    for node in &mut view.nodes {
        let id = ids.iter().find(|(text, _)| *text == node.id);
        let address = |id| format!("/lineage/{}{}", short(shown.id), params.with("at", &short(id)));
        node.link = id.map(|&(_, id)| address(id));
    }
    let left_out = view.cut;
    let view = LineageView { title: String::new(), cut: false, ..view };
    let options = look.options();
    let at = match params.get("at") {
        Some(name) => site.program(name)?,
        None => site.program(id)?,
    };
    let body = html! {
        header.head {
            h1 { "Lineage of " (shown.entry.program.name) }
            a href=(program_url(shown.id, "", "")) { code { (short(shown.id)) } }
            span.muted { (counted(view.nodes.len() as u64, "program")) @if left_out { ", others left out" } }
            form.inline action={ "/lineage/" (short(shown.id)) } {
                label { "back " input type="number" name="back" min="0" max="64" value=(back); }
                label { "on " input type="number" name="on" min="0" max="16" value=(on); }
                button { "Show" }
            }
        }
        p.legend {
            span.key { (PreEscaped(scale_svg(&options))) }
            span { "✓ fits all demos of its task. What made a program stands above it, or left of it. A box shows its program beside. + and −, or the wheel with Ctrl, zoom; drag or arrows move." }
        }
        div.split {
            div.canvas.graph data-zoom="chosen" data-details="details" tabindex="0" role="group" aria-label="Lineage; + and - zoom, arrows move" {
                (PreEscaped(with_links(lineage_svg(&view, &options))))
            }
            aside id="details" aria-label="The chosen program" aria-live="polite" { (details(site, &at, look)?) }
        }
        details { summary { "As a list" }
            ul { @for node in &view.nodes { li { (describe(node)) } } }
        }
    };
    let data = || {
        let node = |node: &LineageBox| {
            json!({
                "program": node.id,
                "operator": node.operator,
                "parents": node.parents.iter().map(|&n| view.nodes[n].id.as_str()).collect::<Vec<_>>(),
                "similarity": node.fitness,
                "fits": node.solved,
            })
        };
        json!({ "program": shown.id.to_string(), "programs": view.nodes.iter().map(node).collect::<Vec<_>>() })
    };
    let title = format!("Lineage of {}", short(shown.id));
    Ok(Page::new(title, "Programs", body).with("zoom.js").data(look, data))
}

/// A program of the lineage: where it is from, how it does, its text, and what is different from what it
/// was made of.
fn details(site: &Site, shown: &Shown, look: &Look) -> Result<Markup, Failure> {
    let Some(record) = &shown.record else { return Ok(html! {}) };
    let read = |archive: &Archive| {
        let mut results = archive.results(record.id)?;
        results.sort_by_key(|r| std::cmp::Reverse((r.is_solved(), r.solved(), r.similarity)));
        Ok(results)
    };
    let results = site.with_archive(read)?.unwrap_or_default();
    let best = results.first();
    let place = best.and_then(|best| site.places(best.task).first()).copied();
    let on =
        place.map_or(("", ""), |at| (site.task(at).id.as_str(), site.sets[at.0].name.as_str()));
    let output = place.map(|at| {
        let found = super::task::evaluate(site, &shown.entry, site.task(at));
        found.outputs.tests.first().and_then(|output| output.as_ref().ok()).cloned()
    });
    Ok(html! {
        h2 { a href=(program_url(shown.id, on.0, on.1)) { code { (short(shown.id)) } " " (shown.entry.program.name) } }
        p.about {
            span { (record.origin()) }
            span { (counted(record.size, "call")) }
            @if let Some(best) = best {
                span { "fits " (best.solved()) "/" (best.demos()) @if let Some(at) = place { " of " (super::task::heading(site, at)) } }
                (meter(best.similarity))
            }
        }
        @if let Some(Some(grid)) = &output { figure { (look.grid(grid, 160)) figcaption { "output for test 1" } } }
        pre.code tabindex="0" aria-label="Text" { code { (arcloom::text::print(&shown.entry.program, arcloom::Form::Straight).trim_end()) } }
        p { a href={ "/lineage/" (short(shown.id)) } { "lineage from here" } }
        (super::program::kin(site, shown, 3)?)
    })
}

/// A drawing with links in it is a group to those who do not see it; a picture has nothing inside.
pub(crate) fn with_links(svg: String) -> String {
    svg.replacen("role=\"img\"", "role=\"group\"", 1)
}

fn describe(node: &LineageBox) -> Markup {
    html! {
        a href=[node.link.as_deref()] { code { (node.title) } }
        " " (node.lines.join(", "))
        @if let Some(operator) = &node.operator { ", made by " (operator) }
    }
}
