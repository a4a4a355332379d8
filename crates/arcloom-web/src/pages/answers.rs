//! Outputs beside what is expected: wrong cells stand out and are counted.

use arcloom::draw::{Picture, Spot};
use arcloom::{Grid, Output};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::counted;
use crate::look::Look;
use crate::standing::wrong_cells;

/// Whether an output is the expected one.
pub(crate) fn state_of(output: &Output, expected: Option<&Grid>) -> Markup {
    match (output, expected) {
        (Err(_), _) => html! { span.bad { "✗ failed" } },
        (Ok(grid), expected) => state_of_grid(grid, expected),
    }
}

/// The same for a grid, with the number of wrong cells.
pub(crate) fn state_of_grid(grid: &Grid, expected: Option<&Grid>) -> Markup {
    match expected {
        None => html! { span.muted { "? unknown" } },
        Some(expected) if grid == expected => html! { span.good { "✓ right" } },
        Some(expected) => {
            html! { span.bad { "✗ " (counted(wrong_cells(grid, expected), "cell")) " wrong" } }
        }
    }
}

/// What a program gives: wrong cells at full strength, the others faded.
pub(crate) fn prediction(
    output: &Output,
    expected: Option<&Grid>,
    look: &Look,
    room: usize,
) -> Markup {
    match output {
        Err(reason) => html! { p.reason { (reason) } },
        Ok(grid) => marked(grid, expected, look, room),
    }
}

/// A grid with its wrong cells at full strength; as it is where none is wrong or nothing is known.
pub(crate) fn marked(grid: &Grid, expected: Option<&Grid>, look: &Look, room: usize) -> Markup {
    match expected.filter(|expected| *expected != grid) {
        None => look.grid(grid, room),
        Some(expected) => look.draw(&difference(grid, expected), room),
    }
}

/// The cells of a grid that differ from the expected one, on the grid itself.
fn difference(got: &Grid, expected: &Grid) -> Picture {
    let plain = Picture::grid(got);
    let size = |grid: &Grid| (grid.height(), grid.width());
    let Picture::Grid { cells, .. } = plain else { return plain };
    if size(got) != size(expected) {
        let (height, width) = size(got);
        let caption = format!("{height}x{width}, not {}x{}", expected.height(), expected.width());
        return Picture::Grid { cells, ghost: None, groups: Vec::new(), caption };
    }
    let row = |(i, row): (usize, Vec<Spot>)| -> Vec<Spot> {
        let keep = |(j, spot): (usize, Spot)| match spot {
            Spot::Color(n) if expected.get(i as i64, j as i64).map(i64::from) == Some(n) => {
                Spot::Empty
            }
            other => other,
        };
        row.into_iter().enumerate().map(keep).collect()
    };
    let cells = cells.into_iter().enumerate().map(row).collect();
    let caption = format!("{} wrong", counted(wrong_cells(got, expected), "cell"));
    Picture::Grid { cells, ghost: Some(got.clone()), groups: Vec::new(), caption }
}

/// A grid as data: a list of rows.
pub(crate) fn rows(grid: &Grid) -> Json {
    json!(grid.rows().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cells_that_differ_stand_out() {
        let grid = |cells: &[i8]| Grid::new(2, 2, cells).unwrap();
        let Picture::Grid { cells, ghost, caption, .. } =
            difference(&grid(&[1, 2, 3, 4]), &grid(&[1, 2, 0, 4]))
        else {
            panic!("a grid");
        };
        assert_eq!(cells, [[Spot::Empty, Spot::Empty], [Spot::Color(3), Spot::Empty]]);
        assert!(ghost.is_some());
        assert_eq!(caption, "1 cell wrong");
    }

    #[test]
    fn another_size_is_said() {
        let (a, b) = (Grid::new(1, 2, &[1, 2]).unwrap(), Grid::new(1, 1, &[1]).unwrap());
        let Picture::Grid { caption, ghost: None, .. } = difference(&a, &b) else { panic!() };
        assert_eq!(caption, "1x2, not 1x1");
        assert_eq!(wrong_cells(&a, &b), 2);
    }
}
