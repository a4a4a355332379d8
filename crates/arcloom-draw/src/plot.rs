//! Line charts as SVG: several panels side by side, one legend.
//!
//! Like all drawings here a chart stands alone and the same data give the same bytes. Lines are told
//! apart by colour and by the form of their marks, so that one of the two is enough. Where points lie
//! closer than marks are wide, only some of them have one.

use std::fmt::Write;

use crate::canvas::{Font, Piece, Px, escape, num, px, rows};
use crate::palette::{Palette, Rgb, Theme};
use crate::svg::PAGE_WIDTH;

mod axis;

use axis::Axis;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// What it is about.
    pub title: String,
    /// The panels, from left to right.
    pub panels: Vec<Panel>,
}

/// One pair of axes with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Stands above it.
    pub title: String,
    /// What the horizontal axis counts.
    pub x: String,
    /// What the vertical axis counts.
    pub y: String,
    /// The lines. Those of one name look the same in all panels.
    pub series: Vec<Series>,
    /// How values become places.
    pub scale: Scale,
}

/// How values become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Both axes logarithmic; the horizontal one marks just the values that occur.
    #[default]
    Log,
    /// Both axes even, from zero; lines go straight from point to point.
    Even,
    /// The same for what is counted: lines go on level until the next point.
    Steps,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points. Those without a place, such as zero on a logarithmic axis, are left out.
    pub points: Vec<(f64, f64)>,
}

/// Extent of the area between the axes.
const AREA: (Px, Px) = (px(300), px(240));
/// Its height in panels that stand alone.
const FLAT: Px = px(130);
/// Room for the numbers left of it.
const LEFT: Px = px(58);
/// Room around the drawing.
const MARGIN: Px = px(16);
/// Half the side of a mark.
const MARK: Px = px(4);

/// Most points of a line that all have a mark, and the room between two marks of a longer one.
const FEW: usize = 16;
const MARKS_APART: Px = px(60);

/// Line colours that stay apart for colour-blind readers (Okabe and Ito), on white and on near black.
pub const LINES: [(Rgb, Rgb); 7] = [
    (Rgb::hex(0x000000), Rgb::hex(0xFFFFFF)),
    (Rgb::hex(0x0072B2), Rgb::hex(0x56B4E9)),
    (Rgb::hex(0xD55E00), Rgb::hex(0xE69F00)),
    (Rgb::hex(0x009E73), Rgb::hex(0x009E73)),
    (Rgb::hex(0xCC79A7), Rgb::hex(0xCC79A7)),
    (Rgb::hex(0xE69F00), Rgb::hex(0xF0E442)),
    (Rgb::hex(0x56B4E9), Rgb::hex(0xD55E00)),
];

/// The chart, for a light or a dark page.
pub fn plot_svg(plot: &Plot, dark: bool) -> String {
    let palette = Palette::default();
    let theme = palette.theme(dark);
    let font = Font { size: 15, bold: true, fill: theme.text };
    let title = Piece::text(&plot.title, 120, font);
    let page = Piece::stack(&[title, draw(&plot.panels, theme, dark)], px(12));
    page.into_svg(&plot.title, MARGIN, theme.background)
}

/// The line and mark of the n-th line of a chart: a legend for pages that have lists of their own.
pub fn key_svg(n: usize, dark: bool) -> String {
    let theme = *Palette::default().theme(dark);
    key(n, line_color(n, dark)).into_svg("line", 0, theme.background)
}

/// The colour of the n-th line.
fn line_color(n: usize, dark: bool) -> Rgb {
    let (on_light, on_dark) = LINES[n % LINES.len()];
    if dark { on_dark } else { on_light }
}

/// A short line with its mark.
fn key(n: usize, color: Rgb) -> Piece {
    let mut piece = Piece::blank(px(24), px(17));
    let _ = writeln!(
        piece.body,
        "<path class=\"curve\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" d=\"M0 9h24\"/>\n{}",
        mark(n, (px(12), px(9)), color),
    );
    piece
}

/// Panels one by one, flat and without their headings, for pages that lay them out themselves. Lines
/// look the same in all of them; with `legend`, each panel has its own.
pub(crate) fn draw_apart(panels: &[Panel], theme: &Theme, dark: bool, legend: bool) -> Vec<String> {
    let draft = Draft { area: (AREA.0, FLAT), ..Draft::new(panels, theme, dark) };
    let alone = |panel: &Panel| {
        let mut piece = draft.axes(panel);
        if legend {
            piece = Piece::stack(&[draft.legend(LEFT + AREA.0), piece], px(8));
        }
        piece.into_svg(&panel.title, px(4), theme.background)
    };
    panels.iter().map(alone).collect()
}

/// Panels with their common legend, which is left out when there is one line only.
pub(crate) fn draw(panels: &[Panel], theme: &Theme, dark: bool) -> Piece {
    let draft = Draft::new(panels, theme, dark);
    let drawn = panels.iter().map(|panel| draft.panel(panel)).collect();
    let bands: Vec<Piece> =
        rows(drawn, px(28), px(PAGE_WIDTH)).iter().map(|row| Piece::beside(row, px(28))).collect();
    let bands = Piece::stack(&bands, px(24));
    match draft.names.len() {
        0 | 1 if panels.iter().all(|panel| panel.scale != Scale::Log) => bands,
        _ => Piece::stack(&[draft.legend(px(PAGE_WIDTH)), bands], px(12)),
    }
}

/// A chart's looks.
struct Draft<'a> {
    theme: &'a Theme,
    dark: bool,
    /// Extent of the area between the axes.
    area: (Px, Px),
    /// Names of lines, in the order of the legend.
    names: Vec<&'a str>,
}

impl<'a> Draft<'a> {
    fn new(panels: &'a [Panel], theme: &'a Theme, dark: bool) -> Draft<'a> {
        let mut names: Vec<&str> = Vec::new();
        for series in panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        Draft { theme, dark, area: AREA, names }
    }

    /// Number and colour of a line.
    fn style(&self, name: &str) -> (usize, Rgb) {
        let n = self.names.iter().position(|known| *known == name).unwrap_or(0);
        (n, line_color(n, self.dark))
    }

    fn legend(&self, width: Px) -> Piece {
        let entry = |name: &&str| {
            let (n, color) = self.style(name);
            let mut piece = key(n, color);
            let font = Font { size: 12, bold: false, fill: self.theme.text };
            piece.place(px(30), 0, &Piece::text(name, 40, font));
            piece
        };
        let entries = self.names.iter().map(entry).collect();
        let rows = rows(entries, px(20), width);
        let rows: Vec<Piece> = rows.iter().map(|row| Piece::beside(row, px(20))).collect();
        Piece::stack(&rows, px(4))
    }

    fn panel(&self, panel: &Panel) -> Piece {
        let font = Font { size: 13, bold: true, fill: self.theme.text };
        let title = Piece::text(&panel.title, 44, font);
        let unit =
            Piece::text(&panel.y, 44, Font { size: 11, bold: false, fill: self.theme.muted });
        let head = Piece::stack(&[title, unit], px(2));
        Piece::stack(&[head, self.axes(panel)], px(10))
    }

    /// The area with the numbers left of it.
    fn axes(&self, panel: &Panel) -> Piece {
        let mut body = Piece::default();
        body.place(LEFT, px(6), &self.area(panel));
        body.width = LEFT + self.area.0 + px(12);
        body
    }

    /// The axes and lines; the top left corner of the area is the origin.
    fn area(&self, panel: &Panel) -> Piece {
        let (width, height) = self.area;
        let mut out = Piece::blank(width, height + px(44));
        let is_log = panel.scale == Scale::Log;
        let has_place = |v: f64| v.is_finite() && if is_log { v > 0.0 } else { v >= 0.0 };
        let is_placed = |&&(x, y): &&(f64, f64)| has_place(x) && has_place(y);
        let points = || panel.series.iter().flat_map(|line| &line.points).filter(is_placed);
        let (all_x, all_y) = (points().map(|point| point.0), points().map(|point| point.1));
        let (xs, ys) = match is_log {
            true => (Axis::of_sizes(all_x, width), Axis::of_rates(all_y, height)),
            false => (Axis::even(all_x, width, false), Axis::even(all_y, height, true)),
        };
        let (Some(xs), Some(ys)) = (xs, ys) else {
            out.body.push_str(&self.label("nothing to draw", width / 2, height / 2, "middle"));
            return out;
        };
        for &(value, at) in &ys.ticks {
            let y = height - at;
            out.rule((0, y), (width, y), self.theme.rule);
            out.body.push_str(&self.label(&number(value), -px(8), y + px(4), "end"));
        }
        let mut free = Px::MIN;
        for &(value, at) in &xs.ticks {
            out.rule((at, height), (at, height + px(5)), self.theme.muted);
            let text = number(value);
            let half = text.chars().count() as Px * 11 * 31;
            // Sizes may lie closer than their numbers are wide.
            if at - half >= free {
                out.body.push_str(&self.label(&text, at, height + px(18), "middle"));
                free = at + half + px(4);
            }
        }
        out.rule((0, height), (width, height), self.theme.muted);
        out.body.push_str(&self.label(&panel.x, width / 2, height + px(36), "middle"));
        for line in &panel.series {
            let (n, color) = self.style(&line.name);
            let places: Vec<(Px, Px)> = line
                .points
                .iter()
                .filter(is_placed)
                .map(|&(x, y)| (xs.place(x), height - ys.place(y)))
                .collect();
            if places.len() > 1 {
                let _ = writeln!(
                    out.body,
                    "<path class=\"curve\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" d=\"{}\">\
                     <title>{}</title></path>",
                    path(&places, panel.scale == Scale::Steps),
                    escape(&line.name),
                );
            }
            for place in marked(&places) {
                let _ = writeln!(out.body, "{}", mark(n, place, color));
            }
        }
        out
    }

    fn label(&self, text: &str, x: Px, y: Px, anchor: &str) -> String {
        let (x, y, text) = (num(x), num(y), escape(text));
        let fill = self.theme.muted;
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" text-anchor=\"{anchor}\" fill=\"{fill}\">\
             {text}</text>\n"
        )
    }
}

/// A line through points; in steps it goes level first, then up or down.
fn path(places: &[(Px, Px)], steps: bool) -> String {
    let mut path = String::new();
    let mut last: Option<(Px, Px)> = None;
    for &(x, y) in places {
        let _ = match last {
            None => write!(path, "M{} {}", num(x), num(y)),
            Some(before) if before.1 == y => write!(path, "H{}", num(x)),
            Some(_) if steps => write!(path, "H{}V{}", num(x), num(y)),
            Some(_) => write!(path, "L{} {}", num(x), num(y)),
        };
        last = Some((x, y));
    }
    path
}

/// The points that have a mark: all, or, where they lie close, the first, the last and some between.
fn marked(places: &[(Px, Px)]) -> Vec<(Px, Px)> {
    let mut shown: Vec<(Px, Px)> = Vec::new();
    let close = places.len() > FEW;
    for (k, &place) in places.iter().enumerate() {
        let is_last = k + 1 == places.len();
        if close && let Some(before) = shown.last() {
            let far = place.0 - before.0 >= MARKS_APART;
            let room = places[places.len() - 1].0 - place.0 >= MARKS_APART / 2;
            if !(is_last || far && room) {
                continue;
            }
        }
        shown.push(place);
    }
    shown
}

/// The mark of a line: six forms in turn.
fn mark(n: usize, (x, y): (Px, Px), color: Rgb) -> String {
    let at = |dx: Px, dy: Px| format!("{} {}", num(x + dx), num(y + dy));
    let (near, far) = (MARK, MARK * 5 / 4);
    let closed = |corners: &[(Px, Px)]| {
        let corners: Vec<String> = corners.iter().map(|&(dx, dy)| at(dx, dy)).collect();
        format!("<path class=\"mark\" fill=\"{color}\" d=\"M{}z\"/>", corners.join("L"))
    };
    let strokes = |a: String, b: String| {
        format!(
            "<path class=\"mark\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" d=\"M{a}M{b}\"/>"
        )
    };
    match n % 6 {
        0 => {
            let (x, y, r) = (num(x), num(y), num(MARK));
            format!("<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{color}\"/>")
        }
        1 => closed(&[(-near, -near), (near, -near), (near, near), (-near, near)]),
        2 => closed(&[(0, -far), (far, near), (-far, near)]),
        3 => closed(&[(0, -far), (far, 0), (0, far), (-far, 0)]),
        4 => strokes(
            format!("{}L{}", at(-near, -near), at(near, near)),
            format!("{}L{}", at(-near, near), at(near, -near)),
        ),
        _ => strokes(
            format!("{}L{}", at(-far, 0), at(far, 0)),
            format!("{}L{}", at(0, -far), at(0, far)),
        ),
    }
}

/// A number on an axis: `0.5`, `400`, `20k`, `3M`.
fn number(value: f64) -> String {
    let (value, unit) = match value {
        1e9.. => (value / 1e9, "G"),
        1e6.. => (value / 1e6, "M"),
        1e4.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    // Three digits, of which those that say nothing are dropped.
    let digits = if value >= 100.0 { 0 } else { 3 };
    let text = format!("{value:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests;
