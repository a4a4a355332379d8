//! What a program was made from, as SVG: parents above children, what made a child above it. Where
//! that would be far wider than a page, parents stand left of their children instead.
//!
//! Fitness is the colour of a box, and written in it as well. A lineage is a graph, not a tree: a
//! program that is reached in several ways stands in it once.

use arcloom_value::Grid;

use crate::canvas::{Font, Look, Piece, Px, Tag, num, px};
use crate::cells::{CellStyle, draw_cells};
use crate::layers::{Gaps, Layout, Slot, layout};
use crate::palette::{Rgb, Theme};
use crate::picture::Picture;
use crate::svg::{PAGE_WIDTH, SvgOptions};
use crate::text::{clip, columns};

/// Most programs drawn; those before them are left out, which is said.
pub const MAX_BOXES: usize = 400;
/// Most columns of a line in a box.
const COLUMNS: usize = 28;
/// Most pixels of a side of a thumbnail.
const THUMBNAIL: i64 = 40;
/// Room around the drawing.
const MARGIN: Px = px(16);

/// A lineage to draw.
#[derive(Debug, Clone, Default)]
pub struct LineageView {
    /// What it is about. Without it there is no head: for pages that have their own, with
    /// [`scale_svg`] in it.
    pub title: String,
    /// The programs, parents before children.
    pub nodes: Vec<LineageBox>,
    /// True when there are more programs than these.
    pub cut: bool,
}

/// One program of a lineage.
#[derive(Debug, Clone, Default)]
pub struct LineageBox {
    /// Its `data-id` in the drawing.
    pub id: String,
    /// Where a click on it leads.
    pub link: Option<String>,
    /// The bold line, for example the first digits of its id.
    pub title: String,
    /// Further lines.
    pub lines: Vec<String>,
    /// Shown when the pointer rests on it, for example its text; may be empty.
    pub note: String,
    /// What made it out of its parents.
    pub operator: Option<String>,
    /// Its parents, by position; all before its own.
    pub parents: Vec<usize>,
    /// How good it is, from 0 to 1.
    pub fitness: Option<f64>,
    /// True when it solves its task.
    pub solved: bool,
    /// True for the program that the lineage is of.
    pub chosen: bool,
    /// A small picture, for example what it makes of an input.
    pub thumbnail: Option<Grid>,
}

/// The drawing. Boxes are groups of the classes `node` and `program`, one of them `chosen`; what made
/// them is of the class `operator`.
pub fn lineage_svg(view: &LineageView, options: &SvgOptions) -> String {
    let theme = options.palette.theme(options.dark);
    let left_out = view.nodes.len().saturating_sub(MAX_BOXES);
    let nodes = &view.nodes[left_out..];
    let boxes: Vec<Piece> = nodes.iter().map(|node| draw_box(node, options)).collect();
    let slots = |down: bool| -> Vec<Slot> {
        let slot = |(node, piece): (&LineageBox, &Piece)| {
            let (main, cross) =
                if down { (piece.height, piece.width) } else { (piece.width, piece.height) };
            let from = node.parents.iter().filter_map(|&n| n.checked_sub(left_out)).collect();
            Slot { main, cross, from }
        };
        nodes.iter().zip(&boxes).map(slot).collect()
    };
    let gaps = Gaps { layers: px(46), boxes: px(18), lines: px(14) };
    let mut found = layout(&slots(true), gaps);
    let down = found.extent.1 <= px(2 * PAGE_WIDTH).max(2 * found.extent.0);
    if !down {
        let labels = nodes.iter().filter_map(|node| node.operator.as_ref());
        let widest = labels.map(|name| operator_label(name, theme).width).max().unwrap_or(0);
        let gaps = Gaps { layers: px(50) + widest, boxes: px(10), lines: px(8) };
        found = layout(&slots(false), gaps);
    }
    let body = draw(&found, nodes, &boxes, theme, down);

    let font = |size, bold| Font { size, bold, fill: theme.text };
    let mut page = Vec::new();
    if !view.title.is_empty() {
        page = vec![Piece::text(&view.title, 72, font(15, true)), scale(theme)];
    }
    if view.cut || left_out > 0 {
        let text = "there are more programs than these";
        page.push(Piece::text(text, 72, Font { fill: theme.muted, ..font(11, false) }));
    }
    page.push(body);
    let name = if view.title.is_empty() { "lineage" } else { &view.title };
    Piece::stack(&page, px(14)).into_svg(name, MARGIN, theme.background)
}

/// What the colours of a lineage mean.
pub fn scale_svg(options: &SvgOptions) -> String {
    let theme = options.palette.theme(options.dark);
    scale(theme).into_svg("similarity", 0, theme.background)
}

/// Lines first, then boxes, then operators, so that nothing covers text.
fn draw(found: &Layout, nodes: &[LineageBox], boxes: &[Piece], theme: &Theme, down: bool) -> Piece {
    let turned = |(main, cross): (Px, Px)| if down { (cross, main) } else { (main, cross) };
    let (width, height) = turned(found.extent);
    let mut body = Piece::blank(width, height);
    for line in &found.lines {
        let points: Vec<(Px, Px)> = line.points.iter().map(|&point| turned(point)).collect();
        let ends = (nodes[line.from].id.as_str(), nodes[line.to].id.as_str());
        body.edge(ends, &points, down, theme.line(), px(1) + 50);
    }
    for (&place, piece) in found.places.iter().zip(boxes) {
        let (x, y) = turned(place);
        body.place(x, y, piece);
    }
    for ((&place, piece), node) in found.places.iter().zip(boxes).zip(nodes) {
        let (Some(operator), false) = (&node.operator, node.parents.is_empty()) else { continue };
        let label = operator_label(operator, theme);
        let (x, y) = turned(place);
        match down {
            true => {
                body.place(x + (piece.width - label.width) / 2, y - label.height - px(7), &label)
            }
            false => {
                body.place(x - label.width - px(5), y + (piece.height - label.height) / 2, &label)
            }
        }
    }
    body
}

/// The name of an operator on the lines that end below it.
fn operator_label(operator: &str, theme: &Theme) -> Piece {
    let font = Font { size: 11, bold: false, fill: theme.text };
    let text = Piece::text(&clip(operator, COLUMNS).0, COLUMNS + 1, font);
    let ground = theme.background;
    let look = Look { fill: ground, stroke: ground, stroke_width: 0, radius: px(3) };
    let mut label = Piece::panel(text.width + px(6), text.height, &look);
    label.place(px(3), 0, &text);
    label.classed("operator")
}

/// One program.
fn draw_box(node: &LineageBox, options: &SvgOptions) -> Piece {
    let theme = options.palette.theme(options.dark);
    let fill = node.fitness.map_or(theme.absent, |fitness| theme.closeness(fitness));
    let ink = fill.ink();
    let font = |size, bold| Font { size, bold, fill: ink };
    let line = |text: &str, font: Font| Piece::text(&clip(text, COLUMNS).0, COLUMNS + 1, font);
    let mut lines = vec![line(&node.title, font(12, true))];
    if node.solved {
        let mark = line("✓", font(12, true));
        lines = vec![Piece::beside(&[lines.remove(0), mark], px(6))];
    }
    lines.extend(node.lines.iter().map(|text| line(text, font(11, false))));
    let text = Piece::stack(&lines, px(1));
    let inside = match &node.thumbnail {
        Some(grid) => Piece::beside(&[thumbnail(grid, options), text], px(8)),
        None => text,
    };
    // As wide as the operator's name above it, which then meets no other.
    let label = node.operator.as_ref().map_or(0, |name| columns(&clip(name, COLUMNS).0) as Px);
    let width = (inside.width + px(16)).max(label * 11 * 61 + px(8));
    let stroke = match (node.chosen, node.solved) {
        (true, _) => theme.text,
        (false, true) => theme.good,
        (false, false) => theme.line(),
    };
    let stroke_width = if node.chosen || node.solved { px(2) } else { px(1) };
    let look = Look { fill, stroke, stroke_width, radius: px(5) };
    let mut piece =
        Piece::panel((width + px(2)).div_euclid(px(2)) * px(2), inside.height + px(10), &look);
    piece.place(px(8), px(5), &inside);
    let link = node.link.as_deref();
    let class = if node.chosen { "node program chosen" } else { "node program" };
    piece.tagged(&Tag { class, id: &node.id, link, note: &node.note })
}

/// A small grid without a caption.
fn thumbnail(grid: &Grid, options: &SvgOptions) -> Piece {
    let Picture::Grid { cells, .. } = Picture::grid(grid) else { return Piece::default() };
    let side = cells.len().max(cells.first().map_or(0, Vec::len)).max(1) as i64;
    let style = CellStyle {
        cell: (px(THUMBNAIL) / side).min(px(10)),
        palette: &options.palette,
        theme: options.palette.theme(options.dark),
        digits: false,
        symbols: options.symbols,
    };
    draw_cells(&cells, None, &[], &style)
}

/// What the colours mean.
fn scale(theme: &Theme) -> Piece {
    const STEPS: i64 = 10;
    let mut bar = Piece::blank(px(12 * (STEPS + 1)), px(12));
    for step in 0..=STEPS {
        let (x, fill) = (num(px(12 * step)), theme.closeness(step as f64 / STEPS as f64));
        bar.body.push_str(&format!(
            "<path class=\"scale\" fill=\"{fill}\" d=\"M{x} 2h12v11h-12z\"/>\n"
        ));
    }
    let (width, rule): (_, Rgb) = (num(bar.width), theme.rule);
    let frame =
        format!("<path fill=\"none\" stroke=\"{rule}\" d=\"M0 2h{width}v11h-{width}z\"/>\n");
    bar.body.push_str(&frame);
    let font = Font { size: 11, bold: false, fill: theme.muted };
    let text = |text: &str| Piece::text(text, 40, font);
    Piece::beside(&[text("similarity 0"), bar, text("1")], px(6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_xml, grid};

    fn node(id: &str, parents: &[usize], fitness: f64) -> LineageBox {
        LineageBox {
            id: id.to_owned(),
            title: id.to_owned(),
            lines: vec!["7 calls".to_owned(), "generation 3".to_owned()],
            operator: (!parents.is_empty()).then(|| "swap & <graft>".to_owned()),
            parents: parents.to_vec(),
            fitness: Some(fitness),
            ..LineageBox::default()
        }
    }

    fn view() -> LineageView {
        let mut nodes = vec![
            node("a", &[], 0.2),
            node("b", &[], 0.5),
            node("c", &[0, 1], 0.9),
            node("d", &[2, 0], 1.0),
        ];
        nodes[3].chosen = true;
        nodes[3].solved = true;
        nodes[2].thumbnail = Some(grid("012 345"));
        nodes[1].link = Some("/program/b?x=\"1\"&y".to_owned());
        nodes[1].note = "O = <I>".to_owned();
        LineageView { title: "lineage of d".to_owned(), nodes, cut: true }
    }

    #[test]
    fn every_program_and_operator_is_drawn_once() {
        for dark in [false, true] {
            let options = SvgOptions { dark, ..SvgOptions::default() };
            let svg = lineage_svg(&view(), &options);
            check_xml(&svg);
            assert_eq!(svg, lineage_svg(&view(), &options));
            assert_eq!(svg.matches("class=\"node program").count(), 4);
            assert_eq!(svg.matches("swap &amp; &lt;graft&gt;").count(), 2);
            assert_eq!(svg.matches("<a href=\"/program/b?x=&quot;1&quot;&amp;y\">").count(), 1);
            assert!(svg.contains("<title>O = &lt;I&gt;</title>") && svg.contains("more programs"));
            assert_eq!(svg.matches("class=\"node program chosen\"").count(), 1);
            assert_eq!(svg.matches("class=\"operator\"").count(), 2);
            assert!(svg.contains("similarity 0"));
            let bare = lineage_svg(&LineageView { title: String::new(), ..view() }, &options);
            check_xml(&bare);
            assert!(!bare.contains("similarity 0"));
            check_xml(&scale_svg(&options));
        }
    }

    #[test]
    fn colour_tells_fitness() {
        let theme = SvgOptions::default().palette.light;
        let svg = lineage_svg(&view(), &SvgOptions::default());
        for fitness in [0.2, 0.5, 0.9, 1.0] {
            let fill = theme.closeness(fitness);
            assert!(svg.contains(&format!("rx=\"5\" fill=\"{fill}\"")), "{fitness}");
        }
        assert_eq!(theme.shade(f64::NAN), theme.ramp.0);
        assert_eq!(theme.shade(7.0), theme.ramp.1);
    }

    #[test]
    fn a_wide_lineage_goes_to_the_right() {
        let mut nodes = vec![node("root", &[], 0.5)];
        nodes.extend((0..60).map(|n| node(&format!("p{n}"), &[0], 0.5)));
        let svg =
            lineage_svg(&LineageView { nodes, ..LineageView::default() }, &SvgOptions::default());
        check_xml(&svg);
        let width = svg.split("width=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(width.parse::<f64>().unwrap() < 1200.0, "{width}");
        assert_eq!(svg.matches("class=\"node program").count(), 61);
    }

    #[test]
    fn a_long_lineage_is_cut_at_its_beginning() {
        let nodes = (0..MAX_BOXES + 50).map(|n| {
            let parents: Vec<usize> = n.checked_sub(1).into_iter().collect();
            node(&format!("p{n}"), &parents, 0.5)
        });
        let view = LineageView { nodes: nodes.collect(), ..LineageView::default() };
        let svg = lineage_svg(&view, &SvgOptions::default());
        check_xml(&svg);
        assert_eq!(svg.matches("class=\"node program").count(), MAX_BOXES);
        assert!(svg.contains("data-id=\"p449\"") && !svg.contains("data-id=\"p49\""));
        assert!(svg.contains("more programs"));
        check_xml(&lineage_svg(&LineageView::default(), &SvgOptions::default()));
    }
}
