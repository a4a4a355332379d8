//! A merged graph as SVG: steps from left to right, and how many programs share them.
//!
//! A line is the wider the more programs go along it, and a box the darker; boxes that several
//! programs share also say how many. Inputs and constants are part of the text of a step and have no
//! lines, which otherwise would be most of them. Every box carries its id and may carry a link, so
//! that a page can find it.

use crate::canvas::{Font, Look, Piece, Px, Tag, px};
use crate::layers::{Gaps, Layout, Slot, layout};
use crate::palette::{Palette, Rgb, Theme};
use crate::svg::SvgOptions;
use crate::text::clip;

/// Most steps and programs drawn together; a larger graph becomes a line of text that says so.
pub const MAX_NODES: usize = 2000;
/// Most columns of a step's text.
const COLUMNS: usize = 36;
/// Room around the drawing.
const MARGIN: Px = px(16);

/// A graph to draw.
#[derive(Debug, Clone, Default)]
pub struct GraphView {
    /// What it is about. Without it there is no head: for pages that have their own.
    pub title: String,
    /// Steps and programs, arguments before users.
    pub nodes: Vec<GraphNode>,
}

/// One box of a graph.
#[derive(Debug, Clone)]
pub struct GraphNode {
    /// Its `data-id` in the drawing.
    pub id: String,
    /// Where a click on it leads.
    pub link: Option<String>,
    /// What stands in it.
    pub label: String,
    /// Shown when the pointer rests on it; the label is shown there too when it had to be cut.
    pub note: String,
    /// Where its lines come from, by position; all before its own.
    pub args: Vec<usize>,
    /// Number of programs that need it.
    pub programs: usize,
    /// What it is.
    pub kind: GraphKind,
}

/// What a box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphKind {
    /// A call.
    Step,
    /// A program, after the step it ends in.
    Program,
}

/// The drawing. Boxes are groups of the class `node` and either `step` or `program`; those that several
/// programs need are `shared`.
pub fn graph_svg(view: &GraphView, options: &SvgOptions) -> String {
    let theme = options.palette.theme(options.dark);
    let font = |size, bold| Font { size, bold, fill: theme.text };
    let muted = Font { fill: theme.muted, ..font(11, false) };
    let title = Piece::text(&view.title, 100, font(15, true));
    let count = view.nodes.len();
    let pieces = if count > MAX_NODES {
        let text = format!(
            "{count} boxes are too many to draw; choose programs with fewer than {MAX_NODES}"
        );
        vec![title, Piece::text(&text, 100, muted)]
    } else if view.title.is_empty() {
        vec![draw(view, &options.palette, theme)]
    } else {
        let text = "wider and darker: shared by more programs";
        vec![title, Piece::text(text, 100, muted), draw(view, &options.palette, theme)]
    };
    let name = if view.title.is_empty() { "merged graph" } else { &view.title };
    Piece::stack(&pieces, px(12)).into_svg(name, MARGIN, theme.background)
}

fn draw(view: &GraphView, palette: &Palette, theme: &Theme) -> Piece {
    let programs = view.nodes.iter().filter(|n| n.kind == GraphKind::Program).count();
    let boxes: Vec<Piece> =
        view.nodes.iter().map(|node| draw_box(node, programs, palette, theme)).collect();
    let slot = |(node, piece): (&GraphNode, &Piece)| Slot {
        main: piece.width,
        cross: piece.height,
        from: node.args.clone(),
    };
    let slots: Vec<Slot> = view.nodes.iter().zip(&boxes).map(slot).collect();
    let gaps = Gaps { layers: px(44), boxes: px(8), lines: px(6) };
    let found = layout(&slots, gaps);
    let mut body = Piece::blank(found.extent.0, found.extent.1);
    draw_lines(&mut body, view, &found, theme);
    for (&(x, y), piece) in found.places.iter().zip(&boxes) {
        body.place(x, y, piece);
    }
    body
}

/// Thin lines last, so that wide ones do not cover them.
fn draw_lines(body: &mut Piece, view: &GraphView, found: &Layout, theme: &Theme) {
    let shared = |line: usize| view.nodes[found.lines[line].to].programs;
    let mut order: Vec<usize> = (0..found.lines.len()).collect();
    order.sort_by_key(|&line| (std::cmp::Reverse(shared(line)), line));
    for line in order {
        let width = thickness(shared(line));
        let color = if width > px(2) { theme.wide_line() } else { theme.line() };
        let line = &found.lines[line];
        let ends = (view.nodes[line.from].id.as_str(), view.nodes[line.to].id.as_str());
        body.edge(ends, &line.points, false, color, width);
    }
}

/// How wide a line is that so many programs go along: by doublings, from 1 to 9 pixels.
fn thickness(programs: usize) -> Px {
    (px(1) + (programs.max(1) as f64).log2().mul_add(130.0, 0.0).round() as Px).min(px(9))
}

/// The share of a box's colour: none for one program, all for all of them.
fn share(node: &GraphNode, programs: usize) -> f64 {
    let log = |n: usize| (n.max(1) as f64).ln();
    log(node.programs) / log(programs).max(std::f64::consts::LN_2)
}

fn draw_box(node: &GraphNode, programs: usize, palette: &Palette, theme: &Theme) -> Piece {
    let is_step = node.kind == GraphKind::Step;
    let fill: Rgb = if is_step { theme.shade(share(node, programs)) } else { theme.background };
    let ink = if is_step { fill.ink() } else { theme.text };
    let font = |bold| Font { size: 11, bold, fill: ink };
    let (label, cut) = clip(&node.label, COLUMNS);
    let mut inside = Piece::text(&label, COLUMNS + 1, font(!is_step));
    if is_step && node.programs > 1 {
        let badge = Piece::text(&format!("×{}", node.programs), 12, font(true));
        inside = Piece::beside(&[inside, badge], px(8));
    }
    let look = Look {
        fill,
        stroke: if is_step { theme.line() } else { palette.colors[1] },
        stroke_width: if is_step { px(1) } else { px(1) + 50 },
        radius: if is_step { px(3) } else { px(10) },
    };
    let pad = if is_step { px(6) } else { px(10) };
    let mut piece = Piece::panel(inside.width + 2 * pad, inside.height + px(5), &look);
    piece.place(pad, px(2), &inside);
    let note = match (cut, node.note.is_empty()) {
        (false, _) => node.note.clone(),
        (true, true) => node.label.clone(),
        (true, false) => format!("{}\n{}", node.label, node.note),
    };
    let class = match (is_step, node.programs) {
        (false, _) => "node program",
        (true, 0 | 1) => "node step",
        (true, _) => "node step shared",
    };
    let link = node.link.as_deref();
    piece.tagged(&Tag { class, id: &node.id, link, note: &note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_xml;

    fn node(n: usize, label: &str, args: &[usize], programs: usize) -> GraphNode {
        let kind = if label.starts_with("solve") { GraphKind::Program } else { GraphKind::Step };
        let (id, label) = (format!("n{n}"), label.to_owned());
        GraphNode {
            id,
            link: Some(format!("#n{n}")),
            label,
            note: String::new(),
            args: args.to_vec(),
            programs,
            kind,
        }
    }

    fn view() -> GraphView {
        let nodes = vec![
            node(0, "objects(I, T, F, T)", &[], 8),
            node(1, "argmax(t1, size)", &[0], 4),
            node(2, "fill(I, THREE, outbox(argmax(objects(I, T, F, T), size)))", &[1, 0], 1),
            node(3, "solve_a", &[2], 1),
            node(4, "solve_b", &[1], 1),
        ];
        GraphView { title: "two programs".to_owned(), nodes }
    }

    #[test]
    fn every_box_can_be_found_and_says_its_sharing() {
        for dark in [false, true] {
            let options = SvgOptions { dark, ..SvgOptions::default() };
            let svg = graph_svg(&view(), &options);
            check_xml(&svg);
            assert_eq!(svg, graph_svg(&view(), &options));
            assert_eq!(svg.matches("class=\"node step").count(), 3);
            assert_eq!(svg.matches("class=\"node program").count(), 2);
            assert!(svg.contains("data-id=\"n4\"") && svg.contains("<a href=\"#n4\">"));
            assert!(svg.contains(">×8<") && svg.contains(">×4<") && !svg.contains(">×1<"));
            assert!(
                svg.contains("<title>fill(I, THREE, outbox(argmax(objects(I, T, F, T), size)))")
            );
        }
    }

    #[test]
    fn lines_widen_with_the_number_of_programs() {
        let widths = [1, 2, 4, 16, 1000, 1 << 40].map(thickness);
        assert_eq!(widths[0], px(1));
        assert!(widths.is_sorted() && widths[1] < widths[2] && widths[5] == px(9));
        let svg = graph_svg(&view(), &SvgOptions::default());
        assert!(svg.contains("stroke-width=\"3.6\""), "four programs go along a line: {svg}");
    }

    #[test]
    fn boxes_darken_with_the_number_of_programs() {
        let theme = SvgOptions::default().palette.light;
        let fill = |programs| theme.shade(share(&node(0, "x", &[], programs), 16)).brightness();
        assert!(fill(1) > fill(4) && fill(4) > fill(16));
    }

    #[test]
    fn hundreds_of_steps_are_drawn_and_thousands_are_refused() {
        let chain = |n: usize| -> GraphView {
            let args = |k: usize| if k.is_multiple_of(7) { vec![] } else { vec![k - 1, k / 2] };
            let nodes = (0..n).map(|k| node(k, "vmirror(t1)", &args(k), 1 + k % 5));
            GraphView { title: "many".to_owned(), nodes: nodes.collect() }
        };
        let svg = graph_svg(&chain(400), &SvgOptions::default());
        check_xml(&svg);
        assert_eq!(svg.matches("class=\"node step").count(), 400);
        assert!(svg.len() < 400_000, "{}", svg.len());
        let svg = graph_svg(&chain(MAX_NODES + 1), &SvgOptions::default());
        assert!(svg.contains("too many to draw") && svg.len() < 2000);
    }
}
