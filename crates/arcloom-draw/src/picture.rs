//! The model between values and drawings: what to show of a value, and how much of it.
//!
//! | value | picture |
//! |---|---|
//! | grid | its cells, captioned with its size |
//! | set of positions or cells | its cells at their place on the faded context grid, if they all lie on it; otherwise in their own bounding box, captioned with its corner |
//! | set of such sets | all of them painted in order on one frame, captioned `5 objects` |
//! | tuple or set with any of these in it | a row of pictures |
//! | anything else | Python text |
//!
//! Sizes are bounded, and what is left out is said:
//! a side shows its first [`MAX_SIDE`] cells; a row its first [`MAX_PARTS`] pictures, a row inside a
//! row its first [`MAX_INNER_PARTS`], and rows nest [`MAX_NESTING`] deep; text stops after
//! [`MAX_TEXT`] characters; a picture holds [`MAX_SPOTS`] cells in all, and a grid that would exceed
//! them becomes a line of text. Counts in captions always tell of the whole value.

use arcloom_value::{Grid, Role, Ty, Value, text::Names};

use crate::text::clip;

/// Most rows or columns drawn of one grid.
pub const MAX_SIDE: usize = 64;
/// Most pictures drawn in one row.
pub const MAX_PARTS: usize = 12;
/// Most pictures drawn in a row that lies in another row.
pub const MAX_INNER_PARTS: usize = 4;
/// How deep rows nest.
pub const MAX_NESTING: usize = 3;
/// Most characters of a value written as text.
pub const MAX_TEXT: usize = 240;
/// Most cells of one picture, all its parts together.
pub const MAX_SPOTS: usize = 1 << 16;

/// What is drawn at one place of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// Nothing of the value; the ghost shows through if there is one.
    Empty,
    /// A cell. Numbers that are no colour are drawn as numbers.
    Color(i64),
    /// A position without a colour.
    Mark,
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// A rectangle of cells.
    Grid {
        /// The cells, row by row; all rows are equally long.
        cells: Vec<Vec<Spot>>,
        /// The grid behind the cells, drawn faded.
        ghost: Option<Grid>,
        /// Which of several objects the cells belong to, row by row; empty when there is only one.
        groups: Vec<Vec<u32>>,
        /// Text below the cells; may be empty.
        caption: String,
    },
    /// Pictures side by side.
    Row(Vec<Picture>),
    /// Text; may have several lines.
    Text(String),
}

/// The picture of a value. `context` is the grid that sets of positions and cells lie on.
pub fn picture_of(value: &Value, context: Option<&Grid>, names: Names<'_>) -> Picture {
    Painter { names, room: MAX_SPOTS }.value(value, context, 0)
}

/// [`picture_of`] for a value whose type is known. The type settles what the value alone leaves
/// open: `1` may be `True`, and `((0, 1), (2, 3))` may be two positions rather than a grid.
pub fn picture_typed(value: &Value, ty: &Ty, context: Option<&Grid>, names: Names<'_>) -> Picture {
    let as_text = match ty {
        Ty::Int(Role::Bool) => match value {
            Value::Int(0) => return Picture::Text("False".to_owned()),
            Value::Int(1) => return Picture::Text("True".to_owned()),
            _ => false,
        },
        Ty::Pair | Ty::Num | Ty::Cell | Ty::Int(_) => true,
        Ty::Tuple(item) | Ty::Container(item) => {
            matches!(**item, Ty::Pair | Ty::Num | Ty::Int(_)) && value.is_tuple()
        }
        _ => false,
    };
    if as_text { text_of(value, names) } else { picture_of(value, context, names) }
}

impl Picture {
    /// The picture of a grid.
    pub fn grid(grid: &Grid) -> Picture {
        let rows = grid.rows().take(MAX_SIDE);
        let spot = |&cell: &i8| Spot::Color(cell.into());
        Picture::Grid {
            cells: rows.map(|row| row.iter().take(MAX_SIDE).map(spot).collect()).collect(),
            ghost: None,
            groups: Vec::new(),
            caption: size_label(grid.height(), grid.width()),
        }
    }
}

/// `3x3`, and how much of it is shown when that is not all.
fn size_label(height: usize, width: usize) -> String {
    if height <= MAX_SIDE && width <= MAX_SIDE {
        format!("{height}x{width}")
    } else {
        let (shown_height, shown_width) = (height.min(MAX_SIDE), width.min(MAX_SIDE));
        format!("{height}x{width}, first {shown_height}x{shown_width} shown")
    }
}

/// `1 cell`, `2 cells`.
fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The value as Python text, with its length when it is cut off.
fn text_of(value: &Value, names: Names<'_>) -> Picture {
    let (text, cut) = clip(value.show(names), MAX_TEXT);
    Picture::Text(match value.len() {
        Some(len) if cut => format!("{text} ({})", counted(len, "element")),
        _ => text,
    })
}

/// A set of positions or cells, spelled out.
struct Cells {
    spots: Vec<(i64, i64, Spot)>,
    coloured: bool,
}

/// The positions or cells of a non-empty set of them.
fn cells_of(value: &Value) -> Option<Cells> {
    if !value.is_set() || value.is_empty() {
        return None;
    }
    let coloured = value.iter()?.next()?.as_cell().is_some();
    let spot = |item: Value| {
        if coloured {
            item.as_cell().map(|(color, i, j)| (i, j, Spot::Color(color)))
        } else {
            item.as_pair().map(|(i, j)| (i, j, Spot::Mark))
        }
    };
    let spots: Option<Vec<_>> = value.iter()?.map(spot).collect();
    Some(Cells { spots: spots?, coloured })
}

/// Rows, height and width of a grid in any form, at most [`MAX_SIDE`] of each taken.
///
/// Rows of two numbers are taken for a grid only while the numbers are small: beyond, they are far
/// more likely positions.
fn rows_of(value: &Value) -> Option<(Vec<Vec<Spot>>, usize, usize)> {
    let Value::Tuple(seq) = value else { return None };
    let width = seq.items().first()?.len().filter(|&width| width > 0)?;
    let mut any = false;
    let mut rows = Vec::new();
    for (n, row) in seq.items().iter().enumerate() {
        if !row.is_tuple() || row.len() != Some(width) {
            return None;
        }
        let mut spots = Vec::new();
        for (k, item) in row.iter()?.enumerate() {
            let spot = match item {
                Value::Int(n) if width == 2 && i8::try_from(n).is_err() => return None,
                Value::Int(n) => Spot::Color(n),
                Value::None => Spot::Empty,
                _ => return None,
            };
            any |= spot != Spot::Empty;
            if n < MAX_SIDE && k < MAX_SIDE {
                spots.push(spot);
            }
        }
        if n < MAX_SIDE {
            rows.push(spots);
        }
    }
    any.then(|| (rows, seq.items().len(), width))
}

/// True when there is more to show of the value than text.
fn is_drawable(value: &Value, nesting: usize) -> bool {
    match value {
        Value::Grid(_) | Value::Patch(_) => true,
        Value::Tuple(seq) | Value::Set(seq) if nesting <= MAX_NESTING => {
            rows_of(value).is_some()
                || cells_of(value).is_some()
                || seq.items().iter().any(|item| is_drawable(item, nesting + 1))
        }
        _ => false,
    }
}

/// Builds one picture and keeps count of the cells it may still use.
struct Painter<'a> {
    names: Names<'a>,
    room: usize,
}

impl Painter<'_> {
    fn value(&mut self, value: &Value, context: Option<&Grid>, nesting: usize) -> Picture {
        if let Value::Grid(grid) = value {
            if self.take(grid.height(), grid.width()) {
                return Picture::grid(grid);
            }
            return Picture::Text(format!("{}x{} grid", grid.height(), grid.width()));
        }
        if let Some((cells, height, width)) = rows_of(value) {
            if self.take(height, width) {
                let caption = size_label(height, width);
                return Picture::Grid { cells, ghost: None, groups: Vec::new(), caption };
            }
            return Picture::Text(format!("{height}x{width} grid"));
        }
        if let Some(cells) = cells_of(value) {
            let noun = if cells.coloured { "cell" } else { "position" };
            let count = counted(cells.spots.len(), noun);
            return self.patch(&[cells], &count, context);
        }
        if let Some(picture) = self.objects(value, context) {
            return picture;
        }
        if nesting < MAX_NESTING && is_drawable(value, nesting) {
            return self.row(value, nesting);
        }
        text_of(value, self.names)
    }

    /// A set of sets of positions or cells; empty ones among them are counted too.
    fn objects(&mut self, value: &Value, context: Option<&Grid>) -> Option<Picture> {
        let Value::Set(seq) = value else { return None };
        let mut objects = Vec::new();
        for item in seq.items() {
            match cells_of(item) {
                Some(cells) => objects.push(cells),
                None if item.is_set() && item.is_empty() => {}
                None => return None,
            }
        }
        if objects.is_empty() {
            return None;
        }
        let count = match seq.items().len() {
            n if objects.iter().all(|object| object.coloured) => counted(n, "object"),
            1 => "1 patch".to_owned(),
            n => format!("{n} patches"),
        };
        Some(self.patch(&objects, &count, context))
    }

    /// Objects on the context grid if they fit on it, else in their own bounding box. Later ones
    /// cover earlier ones.
    fn patch(&mut self, objects: &[Cells], count: &str, context: Option<&Grid>) -> Picture {
        let spots = || objects.iter().flat_map(|object| &object.spots);
        let span = |lines: &mut dyn Iterator<Item = i64>| {
            lines.fold((i64::MAX, i64::MIN), |(low, high), k| (low.min(k), high.max(k)))
        };
        let (top, bottom) = span(&mut spots().map(|s| s.0));
        let (left, right) = span(&mut spots().map(|s| s.1));
        let extent = |low: i64, high: i64| high.saturating_sub(low).saturating_add(1) as usize;
        let (height, width) = (extent(top, bottom), extent(left, right));

        let ghost = context
            .filter(|grid| grid.get(top, left).is_some() && grid.get(bottom, right).is_some());
        let (origin, (rows, columns)) = match ghost {
            Some(grid) => ((0, 0), (grid.height(), grid.width())),
            None => ((top, left), (height, width)),
        };
        let place = match (objects.len() == 1, ghost) {
            (false, Some(_)) => String::new(),
            (false, None) => format!(" from ({top}, {left})"),
            (true, _) => format!(", {height}x{width} at ({top}, {left})"),
        };
        let (shown_rows, shown_columns) = (rows.min(MAX_SIDE), columns.min(MAX_SIDE));
        let cropped = if (shown_rows, shown_columns) == (rows, columns) {
            String::new()
        } else {
            format!(", first {shown_rows}x{shown_columns} shown")
        };
        let caption = format!("{count}{place}{cropped}");
        if !self.take(rows, columns) {
            return Picture::Text(caption);
        }
        let mut cells = vec![vec![Spot::Empty; shown_columns]; shown_rows];
        let mut groups = vec![vec![0; shown_columns]; shown_rows];
        for (group, object) in objects.iter().enumerate() {
            for &(i, j, spot) in &object.spots {
                let i = i.saturating_sub(origin.0) as usize;
                let j = j.saturating_sub(origin.1) as usize;
                if i < shown_rows && j < shown_columns {
                    (cells[i][j], groups[i][j]) = (spot, group as u32);
                }
            }
        }
        if objects.len() == 1 {
            groups.clear();
        }
        Picture::Grid { cells, ghost: ghost.cloned(), groups, caption }
    }

    /// The elements of a container side by side. Patches among them stand alone, each in its own
    /// box: twelve copies of the context would say little more and take twelve times the room.
    fn row(&mut self, value: &Value, nesting: usize) -> Picture {
        let limit = if nesting == 0 { MAX_PARTS } else { MAX_INNER_PARTS };
        let items = value.iter().into_iter().flatten().take(limit);
        let mut parts: Vec<_> = items.map(|item| self.value(&item, None, nesting + 1)).collect();
        let len = value.len().unwrap_or(0);
        if len > limit {
            parts.push(Picture::Text(format!("… {} more", len - limit)));
        }
        Picture::Row(parts)
    }

    /// Takes the room for a grid of this size, if there is so much left.
    fn take(&mut self, height: usize, width: usize) -> bool {
        let left = self.room.checked_sub(height.min(MAX_SIDE) * width.min(MAX_SIDE));
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }
}

#[cfg(test)]
mod tests;
