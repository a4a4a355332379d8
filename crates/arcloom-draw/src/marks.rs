//! Outputs beside the expected ones as terminal text, with the cells that are wrong marked.
//!
//! A marked grid is two columns per cell, so that a mark has room: `×` on the cell's own colour, or a `*`
//! before its digit where there is no colour. A grid without wrong cells, or of another size than the
//! expected one, is drawn as everywhere else.

use arcloom_value::Grid;

use crate::block::{Block, Line, Pen, Style};
use crate::palette::Rgb;
use crate::picture::{Picture, Spot};
use crate::terminal::{ColorMode, TextOptions, draw, symbol};

/// An output to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct ShownOutput<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// The grid; `None` where there is none.
    pub grid: Option<&'a Grid>,
    /// What it is compared with, if anything.
    pub expected: Option<&'a Grid>,
}

/// Cells that are wrong, or `None` where the size is.
pub fn wrong_cells(grid: &Grid, expected: &Grid) -> Option<usize> {
    wrong(&spots(grid), &spots(expected))
}

/// Outputs side by side, each below its title, wrong cells marked.
pub fn outputs_text(outputs: &[ShownOutput<'_>], options: &TextOptions) -> String {
    let blocks = outputs.iter().map(|output| {
        let title = Block::text(output.title, options.width, Style::Bold, options.mode);
        let below = match (output.grid, output.expected) {
            (None, _) => Block::new(vec![Line::new("-", Style::Dim, options.mode)]),
            (Some(grid), None) => draw(&Picture::grid(grid), options, options.width),
            (Some(grid), Some(expected)) => marked(&spots(grid), &spots(expected), options),
        };
        title.above(below)
    });
    Block::flow(blocks.collect(), 4, options.width).into_string()
}

/// A grid with its wrong cells marked, and below it whether it is right.
pub(crate) fn marked(cells: &[Vec<Spot>], expected: &[Vec<Spot>], options: &TextOptions) -> Block {
    let mode = options.mode;
    let count = wrong(cells, expected);
    let lines = match count {
        Some(1..) => marked_lines(cells, expected, options),
        _ => return whole(cells, expected, count, options),
    };
    let all: usize = cells.iter().map(Vec::len).sum();
    let sign = if mode == ColorMode::Plain { '*' } else { '×' };
    let count = count.unwrap_or(0);
    let text = format!("✗ {count} of {all} cells wrong {sign}");
    Block::new(lines).above(Block::new(vec![Line::new(&text, Style::Bad, mode)]))
}

/// A grid without marks: it is right, or its size is wrong.
fn whole(
    cells: &[Vec<Spot>],
    expected: &[Vec<Spot>],
    wrong: Option<usize>,
    options: &TextOptions,
) -> Block {
    let picture = Picture::Grid {
        cells: cells.to_vec(),
        ghost: None,
        groups: Vec::new(),
        caption: String::new(),
    };
    let block = draw(&picture, options, options.width);
    let size =
        |cells: &[Vec<Spot>]| format!("{}x{}", cells.len(), cells.first().map_or(0, Vec::len));
    let line = match wrong {
        Some(_) => Line::new("✓ right", Style::Good, options.mode),
        None => {
            let text = format!("✗ {}, not {}", size(cells), size(expected));
            Line::new(&text, Style::Bad, options.mode)
        }
    };
    block.above(Block::new(vec![line]))
}

fn marked_lines(cells: &[Vec<Spot>], expected: &[Vec<Spot>], options: &TextOptions) -> Vec<Line> {
    let (palette, theme) = (&options.palette, &options.palette.dark);
    let color = |spot: &Spot| -> Option<Rgb> {
        match *spot {
            Spot::Color(n) => Some(palette.color(n).unwrap_or(theme.foreign)),
            Spot::Mark => Some(theme.mark),
            Spot::Empty => None,
        }
    };
    let line = |(row, right): (&Vec<Spot>, &Vec<Spot>)| {
        let mut pen = Pen::new(options.mode);
        for (spot, right) in row.iter().zip(right) {
            let is_wrong = spot != right;
            if options.mode == ColorMode::Plain {
                let sign = if is_wrong { '*' } else { ' ' };
                pen.put(&format!("{sign}{}", symbol(spot)), None, None);
            } else {
                let back = color(spot);
                let ink = back.filter(|_| is_wrong).map(Rgb::ink);
                pen.put(if is_wrong { "××" } else { "  " }, ink, back);
            }
        }
        pen.finish()
    };
    cells.iter().zip(expected).map(line).collect()
}

fn wrong(cells: &[Vec<Spot>], expected: &[Vec<Spot>]) -> Option<usize> {
    let same_size = cells.len() == expected.len()
        && cells.iter().zip(expected).all(|(row, right)| row.len() == right.len());
    same_size.then(|| {
        let all = cells.iter().flatten().zip(expected.iter().flatten());
        all.filter(|(spot, right)| spot != right).count()
    })
}

fn spots(grid: &Grid) -> Vec<Vec<Spot>> {
    grid.rows().map(|row| row.iter().map(|&cell| Spot::Color(cell.into())).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[i8]]) -> Grid {
        Grid::from_rows(rows).expect("a grid")
    }

    fn shown(given: &[&[i8]], mode: ColorMode) -> String {
        let (grid, expected) = (grid(given), grid(&[&[1, 2], &[0, 4]]));
        let output =
            ShownOutput { title: "attempt 1", grid: Some(&grid), expected: Some(&expected) };
        outputs_text(&[output], &TextOptions { mode, ..TextOptions::default() })
    }

    #[test]
    fn wrong_cells_are_marked() {
        let text = shown(&[&[1, 3], &[0, 4]], ColorMode::Plain);
        assert_eq!(text, "attempt 1\n 1*3\n . 4\n✗ 1 of 4 cells wrong *\n");
        let text = shown(&[&[1, 3], &[0, 4]], ColorMode::TrueColor);
        assert_eq!(text.matches("××").count(), 1, "{text}");
    }

    #[test]
    fn right_ones_and_other_sizes_are_said() {
        assert_eq!(shown(&[&[1, 2], &[0, 4]], ColorMode::Plain), "attempt 1\n12\n.4\n✓ right\n");
        assert_eq!(shown(&[&[1, 2]], ColorMode::Plain), "attempt 1\n12\n✗ 1x2, not 2x2\n");
        assert_eq!(wrong_cells(&grid(&[&[1]]), &grid(&[&[2]])), Some(1));
        assert_eq!(wrong_cells(&grid(&[&[1]]), &grid(&[&[2, 2]])), None);
    }

    #[test]
    fn what_is_not_there_is_a_dash() {
        let output = ShownOutput { title: "attempt 2", grid: None, expected: None };
        assert_eq!(outputs_text(&[output], &TextOptions::default()), "attempt 2\n-\n");
    }
}
