//! Taking grids apart into objects: connected parts, colours, one-coloured lines.

use arcloom_macros::primitive;
use arcloom_value::{Grid, PatchBuf, Seq, Value};
use smallvec::SmallVec;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::container::set_of;
use crate::kernel::{components, count, mask};
use crate::record::Primitive;
use crate::{color, view};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&OBJECTS, &PARTITION, &FGPARTITION, &FRONTIERS];

/// The connected parts of a grid.
///
/// Cells of one part touch at their sides, with `diagonal` also at their corners, and with
/// `univalued` have one colour. With `without_bg` the most frequent colour (the smallest one wins a tie)
/// belongs to no part; cells that are `None` never do. With neither `univalued` nor `without_bg` the
/// whole grid is one object. A grid without rows fails.
///
/// ```arc
/// objects(((1, 0), (0, 2)), T, F, T) == frozenset({frozenset({(1, (0, 0))}), frozenset({(2, (1, 1))})})
/// objects(((1, 0), (0, 2)), F, T, T) == frozenset({frozenset({(1, (0, 0)), (2, (1, 1))})})
/// objects(((3, 3),), T, F, T) == frozenset()
/// objects(((1, 2),), F, F, F) == frozenset({frozenset({(1, (0, 0)), (2, (0, 1))})})
/// objects((), T, T, F) fails
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid, Bool, Bool, Bool) -> Objects", order, toll = sorted)]
pub fn objects(
    cx: &mut Caller,
    grid: &Value,
    univalued: bool,
    diagonal: bool,
    without_bg: bool,
) -> Outcome {
    parts(cx, grid, univalued, diagonal, without_bg, true).map(|parts| Value::Set(Seq::new(parts)))
}

/// The connected parts of a grid, as the ascending elements of a set or in reading order of their
/// first cell.
pub(crate) fn parts(
    cx: &mut Caller,
    grid: &Value,
    univalued: bool,
    diagonal: bool,
    without_bg: bool,
    ascending: bool,
) -> Result<SmallVec<[Value; 16]>, EvalError> {
    let Value::Grid(grid) = grid else {
        let background = if without_bg { color::mostcolor(grid)? } else { Value::None };
        let mut parts = parts_of_rows(cx, grid, univalued, diagonal, &background)?;
        if ascending {
            parts.sort_unstable();
        }
        return Ok(parts.into());
    };
    cx.charge(grid.cells().len())?;
    let background = if without_bg { count::most_color(grid.cells()) } else { None };
    // Lists this large are better not moved, not even within a tuple.
    let mut runs = components::Runs::new();
    let mut labels = components::Labels::new();
    components::find_runs(grid.cells(), grid.width(), background, &mut runs);
    components::connect(&runs, univalued, diagonal, &mut labels);
    Ok(components::objects(&runs, &labels, ascending))
}

/// The connected parts of any tuple of tuples, in reading order. The first row says how wide it is;
/// shorter rows fail, and what longer ones have beyond is left out.
fn parts_of_rows(
    cx: &mut Caller,
    grid: &Value,
    univalued: bool,
    diagonal: bool,
    background: &Value,
) -> Result<Vec<Value>, EvalError> {
    let first = grid.item(0).ok_or(if grid.is_tuple() { Fault::Range } else { Fault::Kind(0) })?;
    let (height, width) = (view::len(grid, 0)?, first.len().ok_or(Fault::Element)?);
    cx.charge(height.saturating_mul(width))?;
    let mut cells: Vec<Value> = Vec::with_capacity(height * width);
    if width > 0 {
        for (i, row) in view::items(grid, 0)?.enumerate() {
            if !row.is_tuple() {
                return Err(Fault::Element.into());
            }
            cells.extend(row.iter().into_iter().flatten().take(width));
            if cells.len() != (i + 1) * width {
                return Err(Fault::Range.into());
            }
        }
    }
    let mut seen = vec![false; cells.len()];
    let mut parts = Vec::new();
    for seed in 0..cells.len() {
        if seen[seed] || cells[seed] == *background {
            continue;
        }
        seen[seed] = true;
        let (mut todo, mut part) = (vec![seed], Vec::new());
        while let Some(at) = todo.pop() {
            let (i, j) = (at / width, at % width);
            part.push(Value::tuple2(cells[at].clone(), Value::pair(i as i64, j as i64)));
            for x in i.saturating_sub(1)..height.min(i + 2) {
                for y in j.saturating_sub(1)..width.min(j + 2) {
                    let to = x * width + y;
                    let belongs = || {
                        if univalued { cells[to] == cells[seed] } else { cells[to] != *background }
                    };
                    if !seen[to] && (diagonal || x == i || y == j) && belongs() {
                        seen[to] = true;
                        todo.push(to);
                    }
                }
            }
        }
        parts.push(Value::set(part));
    }
    Ok(parts)
}

/// One object per colour, with all cells of that colour.
///
/// ```arc
/// partition(((1, 2), (2, 1))) == frozenset({frozenset({(1, (0, 0)), (1, (1, 1))}), frozenset({(2, (0, 1)), (2, (1, 0))})})
/// partition(()) == frozenset()
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid) -> Objects", toll = sorted)]
pub fn partition(cx: &mut Caller, grid: &Value) -> Outcome {
    match grid {
        Value::Grid(grid) => partition_grid(cx, grid, None),
        _ => partition_rows(cx, grid, None),
    }
}

/// One object per colour, with all cells of that colour, except for the most frequent colour (the
/// smallest one wins a tie). An empty grid fails.
///
/// ```arc
/// fgpartition(((1, 2), (3, 2))) == frozenset({frozenset({(1, (0, 0))}), frozenset({(3, (1, 0))})})
/// fgpartition(((5, 5),)) == frozenset()
/// fgpartition(()) fails
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid) -> Objects", order, toll = sorted)]
pub fn fgpartition(cx: &mut Caller, grid: &Value) -> Outcome {
    match grid {
        Value::Grid(grid) => partition_grid(cx, grid, count::most_color(grid.cells())),
        _ => {
            let background = color::mostcolor(grid)?;
            partition_rows(cx, grid, Some(&background))
        }
    }
}

fn partition_grid(cx: &mut Caller, grid: &Grid, skip: Option<i8>) -> Outcome {
    cx.charge(grid.cells().len())?;
    let mut runs = components::Runs::new();
    let mut labels = components::Labels::new();
    components::find_runs(grid.cells(), grid.width(), skip, &mut runs);
    components::by_color(&runs, &mut labels);
    let parts = components::objects(&runs, &labels, true);
    Ok(Value::Set(Seq::new(parts)))
}

/// The same for anything whose elements are containers, rows and cells being numbered as they come.
fn partition_rows(cx: &mut Caller, grid: &Value, skip: Option<&Value>) -> Outcome {
    let palette = color::palette(grid)?;
    let mut cells: Vec<(Value, i64, i64)> = Vec::new();
    for (i, row) in (0..).zip(view::items(grid, 0)?) {
        let row = row.iter().ok_or(Fault::Element)?;
        cells.extend((0..).zip(row).map(|(j, value)| (value, i, j)));
    }
    cx.charge(cells.len())?;
    cells.sort_unstable();
    let mut parts = Vec::new();
    for part in cells.chunk_by(|a, b| a.0 == b.0) {
        let value = &part[0].0;
        if skip != Some(value) && crate::order::contains(&palette, value)? {
            let cell =
                |(v, i, j): &(Value, i64, i64)| Value::tuple2(v.clone(), Value::pair(*i, *j));
            parts.push(Value::set(part.iter().map(cell).collect()));
        }
    }
    set_of(cx, parts)
}

/// The rows and columns that have a single colour, each as an object. A grid without rows fails.
///
/// ```arc
/// frontiers(((1, 5), (2, 5))) == frozenset({frozenset({(5, (0, 1)), (5, (1, 1))})})
/// frontiers(((3,),)) == frozenset({frozenset({(3, (0, 0))})})
/// frontiers(((1, 2), (3, 4))) == frozenset()
/// frontiers(()) fails
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid) -> Objects", toll = sorted)]
pub fn frontiers(cx: &mut Caller, grid: &Value) -> Outcome {
    let Value::Grid(grid) = grid else { return frontiers_of_rows(cx, grid) };
    let (height, width) = (grid.height(), grid.width());
    cx.charge(2 * grid.cells().len())?;
    // By colour, first row and first column. A row and a column with the same first cell go on with
    // the cell to its right and the one below it, so the row comes first unless it goes on alone.
    let mut lines: SmallVec<[(i8, i64, i64, bool); 32]> = SmallVec::new();
    let row_is_later = height == 1;
    for (i, row) in (0..).zip(grid.rows()) {
        if row.iter().all(|&c| c == row[0]) {
            lines.push((row[0], i, 0, row_is_later));
        }
    }
    let mut plain: SmallVec<[bool; 64]> = SmallVec::from_elem(true, width);
    for row in grid.rows() {
        for ((plain, cell), top) in plain.iter_mut().zip(row).zip(grid.row(0)) {
            *plain &= cell == top;
        }
    }
    // The only cell of a grid is its row already.
    plain[0] &= (height, width) != (1, 1);
    for ((j, &color), _) in (0..).zip(grid.row(0)).zip(plain).filter(|&(_, plain)| plain) {
        lines.push((color, 0, j, !row_is_later));
    }
    lines.sort_unstable();
    let line = |(color, i, j, later)| {
        line(color, i, j, if later == row_is_later { (1, width) } else { (height, 1) })
    };
    let lines: SmallVec<[Value; 16]> = lines.into_iter().map(line).collect();
    Ok(Value::Set(Seq::new(lines)))
}

/// The object that fills a box one row high or one column wide.
fn line(color: i8, top: i64, left: i64, (height, width): (usize, usize)) -> Value {
    if !PatchBuf::fits(height as i64, width as i64, 1) {
        let cells = (0..height.max(width) as i64).map(|n| {
            if height == 1 { (color.into(), top, left + n) } else { (color.into(), top + n, left) }
        });
        return Value::object(&cells.collect::<Vec<_>>());
    }
    let mut buf = PatchBuf::object(top, left, height, width);
    let stride = buf.stride();
    for row in buf.color_mut(color).chunks_exact_mut(stride) {
        mask::set_first(row, width);
    }
    match buf.finish() {
        Some(patch) => Value::Patch(patch),
        None => buf.into(),
    }
}

/// The same for any tuple of rows. The first row says how wide it is; columns reach as far as the
/// shortest row.
fn frontiers_of_rows(cx: &mut Caller, grid: &Value) -> Outcome {
    let first = grid.item(0).ok_or(if grid.is_tuple() { Fault::Range } else { Fault::Kind(0) })?;
    let width = first.len().ok_or(Fault::Element)?;
    let rows = view::rows(grid, 0)?;
    cx.charge(rows.iter().map(|row| 2 * row.len()).sum())?;
    // Cells are looked up by number, which a set cannot do.
    let subscriptable: Vec<bool> = view::items(grid, 0)?.map(|row| row.is_tuple()).collect();
    let cell = |i: usize, j: usize| -> Outcome {
        if !subscriptable[i] {
            return Err(Fault::Element.into());
        }
        let value = rows[i].get(j).ok_or(Fault::Range)?;
        Ok(Value::tuple2(value.clone(), Value::pair(i as i64, j as i64)))
    };
    let plain = |mut line: Box<dyn Iterator<Item = &Value> + '_>| {
        line.next().is_some_and(|first| line.all(|value| value == first))
    };
    let mut lines = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if plain(Box::new(row.iter())) {
            let line: Result<Vec<Value>, EvalError> = (0..width).map(|j| cell(i, j)).collect();
            lines.push(Value::set(line?));
        }
    }
    let shortest = rows.iter().map(Vec::len).min().unwrap_or(0);
    for j in 0..shortest {
        if plain(Box::new(rows.iter().map(|row| &row[j]))) {
            let line: Result<Vec<Value>, EvalError> = (0..rows.len()).map(|i| cell(i, j)).collect();
            lines.push(Value::set(line?));
        }
    }
    set_of(cx, lines)
}
