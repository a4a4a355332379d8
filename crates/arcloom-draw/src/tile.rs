//! A grid in as little text as possible, for pages that show thousands of them.
//!
//! One unit is one cell, so a row of equal cells is a stroke of the default width, and one path holds
//! all rows of a colour; the most frequent colour is the background. Lines between cells are the same for all
//! grids: a page has them once, as [`tile_lines`], and every tile refers to them. Pages give tiles
//! their frame and sharp edges with [`TILE_STYLE`].

use std::collections::BTreeMap;
use std::fmt::Write;

use arcloom_value::Grid;

use crate::canvas::escape;
use crate::palette::{Palette, Rgb};
use crate::picture::MAX_SIDE;

/// What a page's style says of tiles. The strokes overlap by a hair, since what shows pages and prints
/// otherwise leaves seams between rows.
pub const TILE_STYLE: &str = "svg.t{display:block;outline:1px solid #555;shape-rendering:crispEdges;\
fill:none;overflow:hidden}svg.t path{stroke-width:1.03}";

/// The `id` of the lines that tiles refer to.
const LINES: &str = "t-lines";

/// A tile to draw.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    /// The grid.
    pub grid: &'a Grid,
    /// The grid it should be: cells that differ are marked.
    pub expected: Option<&'a Grid>,
    /// Side of a cell in pixels.
    pub cell: u32,
    /// What screen readers say of it.
    pub name: &'a str,
}

/// The lines that all tiles of a page refer to, themselves not seen.
pub fn tile_lines(palette: &Palette) -> String {
    let mut path = String::new();
    for k in 0..MAX_SIDE {
        let _ = write!(path, "M0 {k}.5h{MAX_SIDE}M{k} -.5v{MAX_SIDE}");
    }
    format!(
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\
         <path id=\"{LINES}\" stroke=\"{}\" style=\"stroke-width:.06\" d=\"{path}\"/></defs></svg>",
        palette.line
    )
}

/// A grid, its first [`MAX_SIDE`] rows and columns.
pub fn tile_svg(tile: &Tile<'_>, palette: &Palette) -> String {
    let rows: Vec<&[i8]> = tile.grid.rows().take(MAX_SIDE).collect();
    let width = tile.grid.width().min(MAX_SIDE);
    let height = rows.len();
    let color = |cell: i8| palette.color(cell.into()).unwrap_or(palette.light.foreign);
    let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
    rows.iter()
        .flat_map(|row| &row[..width])
        .for_each(|&c| *counts.entry(color(c)).or_default() += 1);
    let ground = counts.iter().max_by_key(|(color, count)| (**count, **color)).map(|(c, _)| *c);
    let cell = tile.cell as usize;
    let mut out = format!(
        "<svg class=\"t\" width=\"{}\" height=\"{}\" viewBox=\"0 -.5 {width} {height}\" role=\"img\" \
         aria-label=\"{}\">",
        width * cell,
        height * cell,
        escape(tile.name),
    );
    if let Some(ground) = ground {
        let _ = write!(out, "<path fill=\"{ground}\" d=\"M0-.5h{width}v{height}H0z\"/>");
    }
    let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        let mut j = 0;
        for run in row[..width].chunk_by(|a, b| color(*a) == color(*b)) {
            if Some(color(run[0])) != ground {
                let path = paths.entry(color(run[0])).or_default();
                let _ = write!(path, "M{j} {i}h{}", run.len());
            }
            j += run.len();
        }
    }
    for (color, path) in &paths {
        let _ = write!(out, "<path stroke=\"{color}\" d=\"{path}\"/>");
    }
    // Lines between cells of a few pixels would be all there is to see.
    if tile.cell >= 4 {
        let _ = write!(out, "<use href=\"#{LINES}\"/>");
    }
    draw_differences(&mut out, tile, &rows, width);
    out.push_str("</svg>");
    out
}

/// A dot, dark in light, on every cell that is not the expected one.
fn draw_differences(out: &mut String, tile: &Tile<'_>, rows: &[&[i8]], width: usize) {
    let Some(expected) = tile.expected else { return };
    let mut path = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, &cell) in row[..width].iter().enumerate() {
            if expected.get(i as i64, j as i64) != Some(cell) {
                let _ = write!(path, "M{j}.5 {i}h0");
            }
        }
    }
    for (color, size) in [("#FFF", "0.62"), ("#111", "0.38")] {
        if !path.is_empty() {
            let _ = write!(
                out,
                "<path stroke=\"{color}\" stroke-linecap=\"round\" style=\"stroke-width:{size};\
                 shape-rendering:auto\" d=\"{path}\"/>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_xml, grid};

    fn tile(rows: &str, expected: Option<&str>) -> String {
        let (grid, expected) = (grid(rows), expected.map(grid));
        let tile = Tile { grid: &grid, expected: expected.as_ref(), cell: 6, name: "a < b" };
        tile_svg(&tile, &Palette::CLASSIC)
    }

    #[test]
    fn rows_of_equal_cells_are_strokes_on_a_ground() {
        let svg = tile("0011 0010", None);
        check_xml(&svg);
        assert!(svg.contains("viewBox=\"0 -.5 4 2\"") && svg.contains("width=\"24\""), "{svg}");
        assert!(svg.contains("<path fill=\"#000000\" d=\"M0-.5h4v2H0z\"/>"), "{svg}");
        assert!(svg.contains("<path stroke=\"#0074D9\" d=\"M2 0h2M2 1h1\"/>"), "{svg}");
        assert!(svg.contains("aria-label=\"a &lt; b\""));
        check_xml(&tile_lines(&Palette::CLASSIC));
    }

    #[test]
    fn cells_that_differ_are_marked() {
        let svg = tile("0011 0010", Some("0111 0011"));
        check_xml(&svg);
        assert!(svg.contains("d=\"M1.5 0h0M3.5 1h0\""), "{svg}");
        assert!(!tile("0011", Some("0011")).contains("linecap"));
    }

    #[test]
    fn a_full_grid_takes_little_text() {
        let row = |i: usize| (0..30).map(|j| char::from(b'0' + (i * j % 10) as u8)).collect();
        let rows: Vec<String> = (0..30).map(row).collect();
        assert!(tile(&rows.join(" "), None).len() < 7500);
        let stripes: Vec<String> = (0..30).map(|i| format!("{}", i % 3).repeat(30)).collect();
        assert!(tile(&stripes.join(" "), None).len() < 600);
    }
}
