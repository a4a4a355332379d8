//! The lineage of a program: what it was made from and what was made from it.

use arcloom::draw::{LineageBox, LineageView, lineage_svg, scale_svg};
use arcloom::figure::{kin, lineage_view};
use maud::{Markup, PreEscaped, html};

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
        node.link = id.map(|&(_, id)| program_url(id, "", ""));
    }
    let left_out = view.cut;
    let view = LineageView { title: String::new(), cut: false, ..view };
    let options = look.options();
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
            span { "✓ solves its task. What made a program stands above it, or left of it. Wheel or + and − zoom; drag or arrows move." }
        }
        div.canvas.graph data-zoom="chosen" tabindex="0" aria-label="Lineage; + and - zoom, arrows move" {
            (PreEscaped(lineage_svg(&view, &options)))
        }
        details { summary { "As a list" }
            ul { @for node in &view.nodes { li { (describe(node)) } } }
        }
    };
    let title = format!("Lineage of {}", short(shown.id));
    Ok(Page { title, area: "Programs", module: Some("zoom.js"), body })
}

fn describe(node: &LineageBox) -> Markup {
    html! {
        a href=[node.link.as_deref()] { code { (node.title) } }
        " " (node.lines.join(", "))
        @if let Some(operator) = &node.operator { ", made by " (operator) }
    }
}
