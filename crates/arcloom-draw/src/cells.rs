//! The cells of one grid as SVG: one path per colour, lines, outline, dots and digits.

use std::collections::BTreeMap;
use std::fmt::Write;

use arcloom_value::Grid;

use crate::canvas::{Piece, Px, num, px};
use crate::palette::{Palette, Rgb, Theme};
use crate::picture::Spot;

/// What the cells are drawn with.
pub(crate) struct CellStyle<'a> {
    pub(crate) cell: Px,
    pub(crate) palette: &'a Palette,
    pub(crate) theme: &'a Theme,
    /// Writes every cell's number into it.
    pub(crate) digits: bool,
    /// Draws a sign of its own on the cells of each colour.
    pub(crate) symbols: bool,
}

/// Cells smaller than this have no room for text.
const SMALLEST_LABEL: Px = px(9);
/// Cells smaller than this are outlined more thinly.
const ROOM_FOR_HALO: Px = px(12);

/// The cells, with the ghost faded where they are empty. Cells of different groups, and cells and
/// empty places, are set apart by an outline.
pub(crate) fn draw_cells(
    cells: &[Vec<Spot>],
    ghost: Option<&Grid>,
    groups: &[Vec<u32>],
    style: &CellStyle<'_>,
) -> Piece {
    let (height, width) = (cells.len(), cells.first().map_or(0, Vec::len));
    let mut piece = Piece::blank(width as i64 * style.cell, height as i64 * style.cell);
    if height == 0 || width == 0 {
        return piece;
    }
    let (cell, theme) = (style.cell, style.theme);
    let fills: Vec<Vec<Rgb>> = (0..height)
        .map(|i| (0..width).map(|j| fill(cells[i][j], behind(ghost, i, j), style)).collect())
        .collect();
    let is_overlay = !groups.is_empty() || cells.iter().flatten().any(|&s| s == Spot::Empty);
    // Which group a place belongs to; `None` for empty ones and those outside.
    let owner = |i: Option<usize>, j: Option<usize>| -> Option<u32> {
        let (i, j) = (i?, j?);
        let spot = cells.get(i)?.get(j)?;
        let group = groups.get(i).map_or(0, |row| row[j]);
        (*spot != Spot::Empty).then_some(group)
    };

    let out = &mut piece.body;
    out.push_str("<g fill=\"none\" shape-rendering=\"crispEdges\">\n");
    draw_fills(out, &fills, cell);
    let mut draw_edges = |color: Rgb, extra: &str, edge: &dyn Fn(Side, Side) -> bool| {
        let path = edge_path(height, width, cell, &|a, b| edge(owner(a.0, a.1), owner(b.0, b.1)));
        if !path.is_empty() {
            let _ = writeln!(out, "<path stroke=\"{color}\"{extra} d=\"{path}\"/>");
        }
    };
    let line = style.palette.line;
    if is_overlay {
        draw_edges(theme.faded(line), "", &|a, b| a.is_none() && b.is_none());
        draw_edges(line, "", &|a, b| a.is_some() && a == b);
        // Light around dark, or dark around light, can be seen on cells of any colour.
        let (broad, narrow) = match cell {
            ..ROOM_FOR_HALO => (3, 1),
            _ => (4, 2),
        };
        let strokes = [(theme.background, broad), (theme.text, narrow)];
        for (color, width) in strokes {
            let extra = format!(" stroke-width=\"{width}\" stroke-linecap=\"square\"");
            draw_edges(color, &extra, &|a, b| a != b);
        }
    } else {
        draw_edges(line, "", &|_, _| true);
    }
    out.push_str("</g>\n");
    if style.symbols {
        draw_symbols(out, cells, &fills, cell);
    }
    draw_dots(out, cells, &fills, cell);
    draw_labels(out, cells, &fills, style);
    piece
}

/// The group on one side of an edge.
type Side = Option<u32>;
/// Row and column of a place, `None` where it would lie above or left of the grid.
type Place = (Option<usize>, Option<usize>);

/// The ghost's number behind a place.
fn behind(ghost: Option<&Grid>, i: usize, j: usize) -> Option<i64> {
    ghost?.get(i as i64, j as i64).map(i64::from)
}

/// The colour a place is filled with. A position without a colour lets the grid behind it show in
/// full; the dot on it tells it from a cell.
fn fill(spot: Spot, behind: Option<i64>, style: &CellStyle<'_>) -> Rgb {
    let theme = style.theme;
    let color = |n| style.palette.color(n).unwrap_or(theme.foreign);
    match (spot, behind) {
        (Spot::Color(n), _) => color(n),
        (Spot::Mark, Some(n)) => color(n),
        (Spot::Mark, None) => theme.mark,
        (Spot::Empty, Some(n)) => theme.faded(color(n)),
        (Spot::Empty, None) => theme.absent,
    }
}

/// One path per colour, one rectangle per run of equal cells in a row.
fn draw_fills(out: &mut String, fills: &[Vec<Rgb>], cell: Px) {
    let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
    for (i, row) in fills.iter().enumerate() {
        let mut j = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let (x, y) = (num(j * cell), num(i as i64 * cell));
            let (width, height) = (num(run.len() as i64 * cell), num(cell));
            let path = paths.entry(run[0]).or_default();
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
            j += run.len() as i64;
        }
    }
    for (color, path) in paths {
        let _ = writeln!(out, "<path fill=\"{color}\" d=\"{path}\"/>");
    }
}

/// The edges of cells for which `wanted` holds, given the places on both sides; those in a line are
/// drawn as one stroke.
fn edge_path(
    height: usize,
    width: usize,
    cell: Px,
    wanted: &dyn Fn(Place, Place) -> bool,
) -> String {
    let mut path = String::new();
    for i in 0..=height {
        let edges = (0..width).map(|j| wanted((i.checked_sub(1), Some(j)), (Some(i), Some(j))));
        for (start, len) in runs(edges) {
            let (x, y) = (num(start * cell), num(i as i64 * cell));
            let _ = write!(path, "M{x} {y}h{}", num(len * cell));
        }
    }
    for j in 0..=width {
        let edges = (0..height).map(|i| wanted((Some(i), j.checked_sub(1)), (Some(i), Some(j))));
        for (start, len) in runs(edges) {
            let (x, y) = (num(j as i64 * cell), num(start * cell));
            let _ = write!(path, "M{x} {y}v{}", num(len * cell));
        }
    }
    path
}

/// Start and length of each run of true.
fn runs(flags: impl Iterator<Item = bool>) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for (k, flag) in flags.enumerate() {
        let k = k as i64;
        match runs.last_mut() {
            _ if !flag => {}
            Some((start, len)) if *start + *len == k => *len += 1,
            _ => runs.push((k, 1)),
        }
    }
    runs
}

/// A dot on every position without a colour: zero-length strokes with round ends, one path per ink.
fn draw_dots(out: &mut String, cells: &[Vec<Spot>], fills: &[Vec<Rgb>], cell: Px) {
    let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
    for (i, j, _) in spots(cells).filter(|&(.., spot)| spot == Spot::Mark) {
        let (x, y) = (num(j as i64 * cell + cell / 2), num(i as i64 * cell + cell / 2));
        let _ = write!(paths.entry(fills[i][j].ink()).or_default(), "M{x} {y}h0");
    }
    for (ink, path) in paths {
        let size = num(cell * 36 / 100);
        let _ = writeln!(
            out,
            "<path stroke=\"{ink}\" stroke-width=\"{size}\" stroke-linecap=\"round\" d=\"{path}\"/>"
        );
    }
}

/// The sign of each colour from 1 to 15, in tenths of a cell: strokes that differ in form, not only
/// in place. Colour 0 has none, since it is mostly the background.
const SIGNS: [&[(i64, i64, i64, i64)]; 15] = [
    &[(5, 3, 0, 4)],                                             // |
    &[(3, 5, 4, 0)],                                             // -
    &[(3, 7, 4, -4)],                                            // /
    &[(3, 3, 4, 4)],                                             // \\
    &[(4, 4, 2, 0), (6, 4, 0, 2), (6, 6, -2, 0), (4, 6, 0, -2)], // small square
    &[(5, 3, 0, 4), (3, 5, 4, 0)],                               // +
    &[(3, 3, 4, 4), (3, 7, 4, -4)],                              // x
    &[(3, 4, 4, 0), (3, 6, 4, 0)],                               // =
    &[(4, 3, 0, 4), (6, 3, 0, 4)],                               // ||
    &[(3, 7, 2, -4), (5, 3, 2, 4)],                              // ^
    &[(3, 3, 2, 4), (5, 7, 2, -4)],                              // v
    &[(7, 3, -4, 2), (3, 5, 4, 2)],                              // <
    &[(3, 3, 4, 2), (7, 5, -4, 2)],                              // >
    &[(3, 3, 4, 0), (7, 3, 0, 4), (7, 7, -4, 0), (3, 7, 0, -4)], // square
    &[(3, 3, 4, 0), (5, 3, 0, 4)],                               // T
];
/// The sign of a colour as the data of an SVG path in a cell of ten units; `None` where it has none.
pub fn sign(color: u8) -> Option<String> {
    let strokes = SIGNS.get(usize::from(color).checked_sub(1)?)?;
    Some(strokes.iter().map(|(x, y, dx, dy)| format!("M{x} {y}l{dx} {dy}")).collect())
}

/// Cells smaller than this have no room for a sign.
const SMALLEST_SIGN: Px = px(5);

/// The sign of every coloured cell, one path per ink.
fn draw_symbols(out: &mut String, cells: &[Vec<Spot>], fills: &[Vec<Rgb>], cell: Px) {
    if cell < SMALLEST_SIGN {
        return;
    }
    let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
    for (i, j, spot) in spots(cells) {
        let Spot::Color(n @ 1..=15) = spot else { continue };
        let path = paths.entry(fills[i][j].ink()).or_default();
        for &(x, y, dx, dy) in SIGNS[n as usize - 1] {
            let (x, y) =
                (num(j as i64 * cell + x * cell / 10), num(i as i64 * cell + y * cell / 10));
            let _ = write!(path, "M{x} {y}l{} {}", num(dx * cell / 10), num(dy * cell / 10));
        }
    }
    for (ink, path) in paths {
        let size = num((cell / 9).max(80));
        let _ = writeln!(
            out,
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{size}\" \
             stroke-linecap=\"round\" stroke-opacity=\"0.75\" d=\"{path}\"/>"
        );
    }
}

/// Every place with its row and column.
fn spots(cells: &[Vec<Spot>]) -> impl Iterator<Item = (usize, usize, Spot)> + '_ {
    let row = |(i, row): (usize, &'_ Vec<Spot>)| {
        row.iter().enumerate().map(move |(j, &spot)| (i, j, spot)).collect::<Vec<_>>()
    };
    cells.iter().enumerate().flat_map(row)
}

/// Numbers: those that are no colour always, all others when digits are asked for. Each stands in an
/// element of its own, since not every viewer follows a list of places for the letters of one.
fn draw_labels(out: &mut String, cells: &[Vec<Spot>], fills: &[Vec<Rgb>], style: &CellStyle<'_>) {
    let cell = style.cell;
    if cell < SMALLEST_LABEL {
        return;
    }
    // Ink and size, then the elements that share them.
    let mut labels: BTreeMap<(Rgb, Px), String> = BTreeMap::new();
    for (i, j, spot) in spots(cells) {
        let Spot::Color(n) = spot else { continue };
        let digit = u32::try_from(n).ok().and_then(|n| char::from_digit(n, 16));
        let (label, percent) = match (digit, n) {
            (Some(_), _) if !style.digits => continue,
            (Some(digit), _) => (digit.to_string(), 55),
            (None, -9..=99) => (n.to_string(), 55),
            (None, -999..=9999) => (n.to_string(), 36),
            (None, _) => ("…".to_owned(), 55),
        };
        let size = cell * percent / 100;
        let x = num(j as i64 * cell + cell / 2);
        let y = num(i as i64 * cell + cell / 2 + size * 35 / 100);
        let elements = labels.entry((fills[i][j].ink(), size)).or_default();
        let _ = writeln!(elements, "<text x=\"{x}\" y=\"{y}\">{label}</text>");
    }
    for ((ink, size), elements) in labels {
        let size = num(size);
        let _ = write!(
            out,
            "<g text-anchor=\"middle\" font-size=\"{size}\" fill=\"{ink}\">\n{elements}</g>\n"
        );
    }
}
