//! The one value type and the rules that say which form of a value is canonical.
//!
//! | value | canonical form |
//! |---|---|
//! | `(a, b)`, both integers within [`MAX_COORD`] | [`Value::Pair`] |
//! | `(c, (i, j))`, `c` an `i16` and `(i, j)` a `Pair` | [`Value::Cell`] |
//! | one or more equally long, non-empty tuples of `i8` integers | [`Value::Grid`] |
//! | every other tuple | [`Value::Tuple`] |
//! | a non-empty set of `Pair`s whose bit rows take at most `MAX_WORDS` words | [`Value::Patch`] |
//! | a non-empty set of `Cell`s with `i8` colours, likewise | [`Value::Patch`] |
//! | every other set, elements ascending | [`Value::Set`] |
//!
//! Booleans are the integers 0 and 1. There is one empty tuple and one empty set.

use triomphe::{Arc, ThinArc};

use crate::func::{Closure, Function, PrimId};
use crate::grid::{CellBuf, Grid};
use crate::order::sort_distinct;
use crate::patch::{MAX_COORD, MAX_WORDS, Patch, PatchBuf};
use crate::product::Product;
use crate::rows::Rows;

/// Anything a program can compute. 16 bytes; cloning costs at most one reference count.
#[derive(Clone)]
pub enum Value {
    /// Python's `None`: what `index` gives outside the grid.
    None,
    /// An integer or a boolean.
    Int(i64),
    /// A tuple of two integers.
    Pair(i32, i32),
    /// A coloured cell `(colour, (row, column))`.
    Cell(i16, i32, i32),
    /// A rectangular tuple of tuples of small integers.
    Grid(Grid),
    /// Any other tuple.
    Tuple(Seq),
    /// A non-empty set of positions or of coloured cells.
    Patch(Patch),
    /// Any other set; the elements are in ascending order and distinct.
    Set(Seq),
    /// A named primitive.
    Prim(PrimId),
    /// A function built by a program.
    Closure(Arc<Function>),
}

/// How large a value is, what is shared being counted as often as it occurs.
///
/// Values share their parts, so a few steps can build one with more elements than could ever be
/// walked over. Whoever runs programs looks at this and stops there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bulk {
    /// How deep containers and closures are nested.
    pub depth: u32,
    /// Number of integers and the like in it, at most `u32::MAX`.
    pub weight: u32,
}

impl Bulk {
    /// The bulk of something that holds parts of these bulks.
    pub(crate) fn around(parts: impl Iterator<Item = Bulk>) -> Bulk {
        let whole = parts.fold(Bulk { depth: 0, weight: 1 }, |whole, part| Bulk {
            depth: whole.depth.max(part.depth),
            weight: whole.weight.saturating_add(part.weight),
        });
        Bulk { depth: whole.depth + 1, ..whole }
    }

    /// The bulk of something that holds so many parts of this bulk.
    pub(crate) fn times(self, count: usize) -> Bulk {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let weight = self.weight.saturating_mul(count).saturating_add(1);
        Bulk { depth: self.depth + 1, weight }
    }
}

/// The elements of a tuple or set in general form. Cloning copies a pointer; having no elements takes
/// no memory, because nothing is the most frequent result of drawing and filtering.
#[derive(Clone)]
pub struct Seq(Option<ThinArc<Head, Value>>);

/// What stands before the elements.
struct Head {
    bulk: Bulk,
    /// Where the elements are if not here.
    unmade: Option<Box<Unmade>>,
}

/// Elements that are put together when they are looked at.
enum Unmade {
    Product(Product),
    Rows(Rows),
}

impl From<Bulk> for Head {
    #[inline]
    fn from(bulk: Bulk) -> Head {
        Head { bulk, unmade: None }
    }
}

impl Seq {
    /// Elements in this order.
    #[inline]
    pub fn new<I>(items: I) -> Seq
    where
        I: AsRef<[Value]> + IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    {
        if items.as_ref().is_empty() {
            return Seq(None);
        }
        let bulk = Bulk::around(items.as_ref().iter().map(Value::bulk));
        Seq(Some(ThinArc::from_header_and_iter(Head::from(bulk), items.into_iter())))
    }

    /// Elements in this order, all of one bulk, which then need not be asked one by one.
    #[inline]
    pub fn alike(items: impl ExactSizeIterator<Item = Value>, each: Bulk) -> Seq {
        if items.len() == 0 {
            return Seq(None);
        }
        let bulk = each.times(items.len());
        Seq(Some(ThinArc::from_header_and_iter(Head::from(bulk), items)))
    }

    /// The tuples of a product, which are made when they are looked at.
    pub(crate) fn of_product(product: Product) -> Seq {
        if product.len() == 0 {
            return Seq(None);
        }
        let bulk = product.bulk();
        Seq::unmade(bulk, Unmade::Product(product))
    }

    /// Rows of grids, which are made when they are looked at.
    pub(crate) fn of_rows(rows: Rows) -> Seq {
        Seq::unmade(rows.bulk(), Unmade::Rows(rows))
    }

    fn unmade(bulk: Bulk, unmade: Unmade) -> Seq {
        let head = Head { bulk, unmade: Some(Box::new(unmade)) };
        Seq(Some(ThinArc::from_header_and_iter(head, std::iter::empty())))
    }

    /// The cells of a row, written straight into the block.
    fn of_row(row: &[i8]) -> Seq {
        if row.is_empty() {
            return Seq(None);
        }
        let bulk = Bulk { depth: 1, weight: row.len() as u32 + 1 };
        let cells = row.iter().map(|&cell| Value::Int(cell.into()));
        Seq(Some(ThinArc::from_header_and_iter(Head::from(bulk), cells)))
    }

    /// The elements.
    #[inline]
    pub fn items(&self) -> &[Value] {
        let Some(block) = &self.0 else { return &[] };
        match block.header.header.unmade.as_deref() {
            None => &block.slice,
            Some(Unmade::Product(product)) => product.items(),
            Some(Unmade::Rows(rows)) => rows.items(),
        }
    }

    /// Number of elements.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "values are asked whether they are empty")]
    pub fn len(&self) -> usize {
        let Some(block) = &self.0 else { return 0 };
        match block.header.header.unmade.as_deref() {
            None => block.slice.len(),
            Some(Unmade::Product(product)) => product.len(),
            Some(Unmade::Rows(rows)) => rows.len(),
        }
    }

    /// The product that these are the elements of, if they were not looked at when they were made.
    #[inline]
    pub fn product(&self) -> Option<&Product> {
        match self.0.as_ref()?.header.header.unmade.as_deref()? {
            Unmade::Product(product) => Some(product),
            Unmade::Rows(_) => None,
        }
    }

    /// True for the rows of large grids of unlike widths, which were not looked at when they were
    /// made.
    #[inline]
    pub fn is_rows(&self) -> bool {
        let unmade = self.0.as_ref().and_then(|block| block.header.header.unmade.as_deref());
        matches!(unmade, Some(Unmade::Rows(_)))
    }

    /// How large this is, everything in it counted.
    #[inline]
    pub fn bulk(&self) -> Bulk {
        self.0.as_ref().map_or(Bulk { depth: 1, weight: 1 }, |block| block.header.header.bulk)
    }
}

impl Value {
    /// The boolean as an integer.
    #[inline]
    pub fn bool(b: bool) -> Value {
        Value::Int(b.into())
    }

    /// The tuple of two integers.
    #[inline]
    pub fn pair(a: i64, b: i64) -> Value {
        if is_coord(a) && is_coord(b) {
            Value::Pair(a as i32, b as i32)
        } else {
            Value::Tuple(Seq::new([Value::Int(a), Value::Int(b)]))
        }
    }

    /// The coloured cell `(color, (i, j))`.
    #[inline]
    pub fn cell(color: i64, i: i64, j: i64) -> Value {
        Value::tuple2(Value::Int(color), Value::pair(i, j))
    }

    /// The tuple of two values.
    #[inline]
    pub fn tuple2(a: Value, b: Value) -> Value {
        match (&a, &b) {
            (&Value::Int(a), &Value::Int(b)) => Value::pair(a, b),
            (&Value::Int(c), &Value::Pair(i, j)) if i16::try_from(c).is_ok() => {
                Value::Cell(c as i16, i, j)
            }
            (&Value::Pair(i, j), &Value::Pair(k, l)) => match grid_of_places(i, j, k, l) {
                Some(grid) => Value::Grid(grid),
                None => Value::Tuple(Seq::new([a, b])),
            },
            (&Value::Cell(..), &Value::Cell(..)) => {
                let each = a.bulk();
                Value::Tuple(Seq::alike([a, b].into_iter(), each))
            }
            _ => Value::tuple([a, b]),
        }
    }

    /// The empty tuple.
    pub fn empty_tuple() -> Value {
        Value::Tuple(Seq::new([]))
    }

    /// The empty set.
    pub fn empty_set() -> Value {
        Value::Set(Seq::new([]))
    }

    /// The tuple of these elements, in canonical form.
    pub fn tuple<I>(items: I) -> Value
    where
        I: AsRef<[Value]> + IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    {
        if let Some(value) = fast_tuple(items.as_ref()) {
            return value;
        }
        Value::Tuple(Seq::new(items))
    }

    /// The set of these elements, in canonical form.
    pub fn set(mut items: Vec<Value>) -> Value {
        if let Some(value) = patch_of(&items) {
            return value;
        }
        sort_distinct(&mut items);
        Value::Set(Seq::new(items))
    }

    /// The set of these positions.
    pub fn indices(positions: &[(i64, i64)]) -> Value {
        let bounds = Bounds::of(positions.iter().copied());
        match bounds.filter(|b| b.fits(1)) {
            Some(b) => {
                let mut buf = PatchBuf::indices(b.top, b.left, b.height(), b.width());
                for &(i, j) in positions {
                    buf.set((i - b.top) as usize, (j - b.left) as usize);
                }
                buf.into()
            }
            None => {
                let mut items: Vec<_> = positions.iter().map(|&(i, j)| Value::pair(i, j)).collect();
                sort_distinct(&mut items);
                Value::Set(Seq::new(items))
            }
        }
    }

    /// The set of these coloured cells.
    pub fn object(cells: &[(i64, i64, i64)]) -> Value {
        match object_of(cells) {
            Some(value) => value,
            None => Value::set(cells.iter().map(|&(c, i, j)| Value::cell(c, i, j)).collect()),
        }
    }

    /// The grid with these cells, row by row; a tuple of empty tuples when it has no columns.
    pub fn grid(height: usize, width: usize, cells: &[i8]) -> Value {
        match Grid::new(height, width, cells) {
            Some(grid) => Value::Grid(grid),
            None => Value::tuple(vec![Value::empty_tuple(); height]),
        }
    }

    /// A function built by a program.
    pub fn closure(closure: Closure) -> Value {
        Value::Closure(Arc::new(Function::new(closure)))
    }

    /// How large the value is, everything in it counted.
    #[inline]
    pub fn bulk(&self) -> Bulk {
        match self {
            Value::None | Value::Int(_) | Value::Prim(_) => Bulk { depth: 0, weight: 1 },
            Value::Pair(..) => Bulk { depth: 1, weight: 3 },
            Value::Cell(..) => Bulk { depth: 2, weight: 5 },
            Value::Grid(grid) => Bulk { depth: 2, weight: grid.cells().len() as u32 },
            Value::Patch(patch) => Bulk { depth: 3, weight: patch.frame().count.saturating_mul(5) },
            Value::Tuple(seq) | Value::Set(seq) => seq.bulk(),
            Value::Closure(function) => function.bulk(),
        }
    }

    /// The integer, if it is one.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(n) = self { Some(*n) } else { None }
    }

    /// The two integers of a pair, whatever its form.
    #[inline]
    pub fn as_pair(&self) -> Option<(i64, i64)> {
        match self {
            &Value::Pair(a, b) => Some((a.into(), b.into())),
            Value::Tuple(seq) => match seq.items() {
                [Value::Int(a), Value::Int(b)] => Some((*a, *b)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Colour, row and column of a coloured cell, whatever its form.
    #[inline]
    pub fn as_cell(&self) -> Option<(i64, i64, i64)> {
        match self {
            &Value::Cell(c, i, j) => Some((c.into(), i.into(), j.into())),
            Value::Tuple(seq) => match seq.items() {
                [Value::Int(c), at] => at.as_pair().map(|(i, j)| (*c, i, j)),
                _ => None,
            },
            _ => None,
        }
    }

    /// True for tuples of any form.
    #[inline]
    pub fn is_tuple(&self) -> bool {
        matches!(self, Value::Pair(..) | Value::Cell(..) | Value::Grid(_) | Value::Tuple(_))
    }

    /// True for sets of any form.
    #[inline]
    pub fn is_set(&self) -> bool {
        matches!(self, Value::Patch(_) | Value::Set(_))
    }

    /// True for primitives and closures.
    #[inline]
    pub fn is_function(&self) -> bool {
        matches!(self, Value::Prim(_) | Value::Closure(_))
    }

    /// Truth as in Python: 0, `None` and empty containers are false.
    #[inline]
    pub fn is_true(&self) -> bool {
        match self {
            Value::None => false,
            Value::Int(n) => *n != 0,
            Value::Tuple(seq) | Value::Set(seq) => seq.len() > 0,
            _ => true,
        }
    }

    /// Number of elements of a container.
    #[inline]
    pub fn len(&self) -> Option<usize> {
        match self {
            Value::Pair(..) | Value::Cell(..) => Some(2),
            Value::Grid(grid) => Some(grid.height()),
            Value::Tuple(seq) | Value::Set(seq) => Some(seq.len()),
            Value::Patch(patch) => Some(patch.len()),
            _ => None,
        }
    }

    /// True for an empty container.
    #[inline]
    pub fn is_empty(&self) -> bool {
        matches!(self, Value::Tuple(seq) | Value::Set(seq) if seq.len() == 0)
    }

    /// The elements of a container in their order: tuples front to back, sets ascending.
    pub fn iter(&self) -> Option<Items<'_>> {
        Some(match self {
            &Value::Pair(a, b) => {
                Items::Two([Some(Value::Int(a.into())), Some(Value::Int(b.into()))])
            }
            &Value::Cell(c, i, j) => {
                Items::Two([Some(Value::Int(c.into())), Some(Value::Pair(i, j))])
            }
            Value::Grid(grid) => Items::Rows(grid.rows()),
            Value::Tuple(seq) | Value::Set(seq) => Items::Slice(seq.items().iter()),
            Value::Patch(patch) => {
                Items::Cells { patch, layer: 0, positions: patch.layer_positions(0) }
            }
            _ => return None,
        })
    }

    /// Element `i` of a tuple.
    pub fn item(&self, i: usize) -> Option<Value> {
        match (self, i) {
            (&Value::Pair(a, _), 0) => Some(Value::Int(a.into())),
            (&Value::Pair(_, b), 1) => Some(Value::Int(b.into())),
            (&Value::Cell(c, ..), 0) => Some(Value::Int(c.into())),
            (&Value::Cell(_, i, j), 1) => Some(Value::Pair(i, j)),
            (Value::Grid(grid), i) => (i < grid.height()).then(|| row_value(grid.row(i))),
            (Value::Tuple(seq), i) => seq.items().get(i).cloned(),
            _ => None,
        }
    }
}

/// True for integers that a pair holds in fast form.
#[inline]
fn is_coord(n: i64) -> bool {
    -MAX_COORD < n && n < MAX_COORD
}

/// The tuple of the cells of one row.
pub fn row_value(row: &[i8]) -> Value {
    match *row {
        [a, b] => Value::Pair(a.into(), b.into()),
        _ => Value::Tuple(Seq::of_row(row)),
    }
}

impl From<Grid> for Value {
    #[inline]
    fn from(grid: Grid) -> Value {
        Value::Grid(grid)
    }
}

impl From<Patch> for Value {
    #[inline]
    fn from(patch: Patch) -> Value {
        Value::Patch(patch)
    }
}

impl From<i64> for Value {
    #[inline]
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<PatchBuf> for Value {
    /// The set that was built, in canonical form.
    #[inline]
    fn from(buf: PatchBuf) -> Value {
        Value::from(&buf)
    }
}

impl From<&PatchBuf> for Value {
    /// The set that was built, in canonical form. By reference, because the buffer is large to move.
    fn from(buf: &PatchBuf) -> Value {
        match buf.finish() {
            Some(patch) => Value::Patch(patch),
            None => Value::Set(Seq::new(buf.items())),
        }
    }
}

/// Iterator over the elements of a container.
pub enum Items<'a> {
    /// The two parts of a pair or cell.
    Two([Option<Value>; 2]),
    /// The rows of a grid.
    Rows(std::slice::ChunksExact<'a, i8>),
    /// Elements in general form.
    Slice(std::slice::Iter<'a, Value>),
    /// The elements of a patch.
    Cells {
        /// The patch walked over.
        patch: &'a Patch,
        /// The layer being walked.
        layer: usize,
        /// Where in that layer.
        positions: crate::patch::Positions<'a>,
    },
}

impl Iterator for Items<'_> {
    type Item = Value;

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Items::Two(parts) => {
                let left = parts.iter().flatten().count();
                (left, Some(left))
            }
            Items::Rows(rows) => rows.size_hint(),
            Items::Slice(items) => items.size_hint(),
            Items::Cells { patch, .. } => (0, Some(patch.len())),
        }
    }

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match self {
            Items::Two(parts) => parts[0].take().or_else(|| parts[1].take()),
            Items::Rows(rows) => rows.next().map(row_value),
            Items::Slice(items) => items.next().cloned(),
            Items::Cells { patch, layer, positions } => loop {
                if let Some((i, j)) = positions.next() {
                    return Some(if patch.is_object() {
                        Value::Cell(patch.color(*layer).into(), i, j)
                    } else {
                        Value::Pair(i, j)
                    });
                }
                *layer += 1;
                if *layer >= patch.layer_count() {
                    *layer = patch.layer_count();
                    return None;
                }
                *positions = patch.layer_positions(*layer);
            },
        }
    }
}

/// The tuple of these elements in fast form, if it has one.
fn fast_tuple(items: &[Value]) -> Option<Value> {
    match items {
        [Value::Int(a), Value::Int(b)] if is_coord(*a) && is_coord(*b) => {
            return Some(Value::Pair(*a as i32, *b as i32));
        }
        [Value::Int(c), at] => {
            let (i, j) = at.as_pair().filter(|&(i, j)| is_coord(i) && is_coord(j))?;
            return i16::try_from(*c).ok().map(|c| Value::Cell(c, i as i32, j as i32));
        }
        _ => {}
    }
    grid_of(items).map(Value::Grid)
}

/// The grid that two places form as rows, if their coordinates are small enough for cells.
#[inline]
fn grid_of_places(i: i32, j: i32, k: i32, l: i32) -> Option<Grid> {
    let small = |n: i32| i8::try_from(n).ok();
    Some(Grid::two_by_two([small(i)?, small(j)?, small(k)?, small(l)?]))
}

/// The grid these elements form as rows, if they do.
fn grid_of(rows: &[Value]) -> Option<Grid> {
    let width = match rows.first()? {
        Value::Pair(..) => 2,
        Value::Tuple(seq) if !seq.items().is_empty() => seq.items().len(),
        _ => return None,
    };
    // Ragged rows are seen before anything is copied.
    if rows.iter().any(|row| row.len() != Some(width)) {
        return None;
    }
    let mut cells = CellBuf::new();
    for row in rows {
        match row {
            &Value::Pair(a, b) if width == 2 => {
                cells.extend([i8::try_from(a).ok()?, i8::try_from(b).ok()?]);
            }
            Value::Tuple(seq) if seq.items().len() == width => {
                for item in seq.items() {
                    cells.push(i8::try_from(item.as_int()?).ok()?);
                }
            }
            _ => return None,
        }
    }
    Grid::new(rows.len(), width, &cells)
}

/// The patch these elements form as a set, if they do.
fn patch_of(items: &[Value]) -> Option<Value> {
    let first = items.first()?;
    if let Value::Pair(..) = first
        && let Some(value) = indices_of(items)
    {
        return Some(value);
    }
    if first.as_pair().is_some() {
        let positions: Option<Vec<_>> = items.iter().map(Value::as_pair).collect();
        let positions = positions?;
        let bounds = Bounds::of(positions.iter().copied())?;
        return bounds.fits(1).then(|| Value::indices(&positions));
    }
    first.as_cell()?;
    let cells: Option<Vec<_>> = items.iter().map(Value::as_cell).collect();
    object_of(&cells?)
}

/// The set of these positions, all in fast form, if it has one itself.
fn indices_of(items: &[Value]) -> Option<Value> {
    let (mut top, mut left, mut bottom, mut right) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
    for item in items {
        let &Value::Pair(i, j) = item else { return None };
        (top, bottom) = (top.min(i), bottom.max(i));
        (left, right) = (left.min(j), right.max(j));
    }
    let bounds =
        Bounds { top: top.into(), left: left.into(), bottom: bottom.into(), right: right.into() };
    if !bounds.fits(1) {
        return None;
    }
    let mut buf = PatchBuf::indices(bounds.top, bounds.left, bounds.height(), bounds.width());
    for item in items {
        if let &Value::Pair(i, j) = item {
            buf.set((i - top) as usize, (j - left) as usize);
        }
    }
    Some(Value::from(&buf))
}

/// The object of these cells, if it has a fast form.
fn object_of(cells: &[(i64, i64, i64)]) -> Option<Value> {
    let bounds = Bounds::of(cells.iter().map(|&(_, i, j)| (i, j)))?;
    let mut seen = [false; 256];
    for &(c, ..) in cells {
        seen[usize::from(i8::try_from(c).ok()? as u8)] = true;
    }
    let layers = seen.iter().filter(|&&s| s).count();
    if !bounds.fits(layers) {
        return None;
    }
    let mut buf = PatchBuf::object(bounds.top, bounds.left, bounds.height(), bounds.width());
    for &(c, i, j) in cells {
        buf.set_cell(c as i8, (i - bounds.top) as usize, (j - bounds.left) as usize);
    }
    Some(buf.into())
}

/// The smallest box around some positions.
struct Bounds {
    top: i64,
    left: i64,
    bottom: i64,
    right: i64,
}

impl Bounds {
    fn of(mut positions: impl Iterator<Item = (i64, i64)>) -> Option<Bounds> {
        let (i, j) = positions.next()?;
        let mut b = Bounds { top: i, left: j, bottom: i, right: j };
        for (i, j) in positions {
            (b.top, b.bottom) = (b.top.min(i), b.bottom.max(i));
            (b.left, b.right) = (b.left.min(j), b.right.max(j));
        }
        Some(b)
    }

    /// True when a set with these bounds and layers has a fast form.
    fn fits(&self, layers: usize) -> bool {
        let inside = |low: i64, high: i64| low > -MAX_COORD && high < MAX_COORD - 1;
        if !inside(self.top, self.bottom) || !inside(self.left, self.right) {
            return false;
        }
        let words = self.height().saturating_mul(self.width().div_ceil(64));
        words.saturating_mul(layers) <= MAX_WORDS
    }

    fn height(&self) -> usize {
        (self.bottom - self.top + 1) as usize
    }

    fn width(&self) -> usize {
        (self.right - self.left + 1) as usize
    }
}
