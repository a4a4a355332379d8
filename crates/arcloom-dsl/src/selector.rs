//! Several primitives in one, chosen by a small code, and other short forms of the predecessor's
//! dialect: notions of objects, mirrors and rotations, corners and sides, cells, palettes as tuples.
//!
//! Cells are arc-dsl's `(colour, (row, column))`, not the predecessor's flat triples.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::record::Primitive;
use crate::{color, container, geometry, objects, position, view};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &O_G,
    &O_G_T,
    &OBJECTS_T,
    &MIR_ROT_T,
    &MIR_ROT_F,
    &CORNER,
    &COL_ROW,
    &P_G,
    &P_O,
    &ASCELL,
    &ASTRIPLE,
    &TOIJ,
    &CELLTUPLE,
    &SIZEFILTER_T,
    &COLORFILTER_T,
    &MFILTER_T,
    &IS_NO_GRID,
];

/// The three flags of `objects` in one code: 4 for one colour each, 2 for touching at corners, 1 for
/// leaving the background out.
fn notion(code: i64) -> Result<(bool, bool, bool), EvalError> {
    if (0..8).contains(&code) {
        Ok((code & 4 != 0, code & 2 != 0, code & 1 != 0))
    } else {
        Err(Fault::Domain(1).into())
    }
}

/// The objects of a grid after one of eight notions: the sum of 4 (one colour each), 2 (corners
/// touch) and 1 (without background). Any other code fails, and so does a grid without rows.
///
/// ```arc
/// o_g(((1, 0), (0, 2)), R5) == frozenset({frozenset({(1, (0, 0))}), frozenset({(2, (1, 1))})})
/// o_g(((1, 0), (0, 2)), R3) == frozenset({frozenset({(1, (0, 0)), (2, (1, 1))})})
/// o_g(((1, 0), (0, 2)), R8) fails
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid, Notion) -> Objects", order, extra, toll = sorted)]
pub fn o_g(cx: &mut Caller, grid: &Value, r#type: i64) -> Outcome {
    let (univalued, diagonal, without_bg) = notion(r#type)?;
    objects::objects(cx, grid, univalued, diagonal, without_bg)
}

/// The objects of `o_g` as a tuple, in reading order of their first cells.
///
/// ```arc
/// o_g_t(((2, 0), (0, 1)), R5) == (frozenset({(2, (0, 0))}), frozenset({(1, (1, 1))}))
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid, Notion) -> Tuple<Object>", order, extra, toll = sorted)]
pub fn o_g_t(cx: &mut Caller, grid: &Value, r#type: i64) -> Outcome {
    let (univalued, diagonal, without_bg) = notion(r#type)?;
    objects_t(cx, grid, univalued, diagonal, without_bg)
}

/// The objects of `objects` as a tuple, in reading order: by the first row, and there the first
/// column, that each of them has a cell in.
///
/// ```arc
/// objects_t(((2, 0), (0, 1)), T, F, T) == (frozenset({(2, (0, 0))}), frozenset({(1, (1, 1))}))
/// objects_t((), T, F, T) fails
/// ```
#[primitive(class = Objects, cost = Cells, sig = "(Grid, Bool, Bool, Bool) -> Tuple<Object>", order, extra, toll = sorted)]
pub fn objects_t(
    cx: &mut Caller,
    grid: &Value,
    univalued: bool,
    diagonal: bool,
    without_bg: bool,
) -> Outcome {
    objects::parts(cx, grid, univalued, diagonal, without_bg, false).map(Value::tuple)
}

/// A grid mirrored or rotated: 0 top to bottom, 1 along the main diagonal, 2 left to right, 3 along
/// the other diagonal, 4 a quarter turn clockwise, 5 a half turn, 6 a quarter turn back. Anything
/// else leaves it as it is.
///
/// ```arc
/// mir_rot_t(((1, 2), (3, 4)), A0) == ((3, 4), (1, 2))
/// mir_rot_t(((1, 2), (3, 4)), A1) == ((1, 3), (2, 4))
/// mir_rot_t(((1, 2), (3, 4)), A2) == ((2, 1), (4, 3))
/// mir_rot_t(((1, 2), (3, 4)), A3) == ((4, 2), (3, 1))
/// mir_rot_t(((1, 2), (3, 4)), A4) == ((3, 1), (4, 2))
/// mir_rot_t(((1, 2), (3, 4)), A5) == ((4, 3), (2, 1))
/// mir_rot_t(((1, 2), (3, 4)), A6) == ((2, 4), (1, 3))
/// mir_rot_t(((1, 2), (3, 4)), A7) == ((1, 2), (3, 4))
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(Grid, Angle) -> Grid", extra, toll = sorted)]
pub fn mir_rot_t(cx: &mut Caller, grid: &Value, r#type: i64) -> Outcome {
    turn(cx, grid, r#type)
}

/// `mir_rot_t`.
pub(crate) fn turn(cx: &mut Caller, grid: &Value, angle: i64) -> Outcome {
    match angle {
        0..4 => mir_rot_f(cx, grid, angle),
        4 => geometry::rot90(cx, grid),
        5 => geometry::rot180(cx, grid),
        6 => geometry::rot270(cx, grid),
        _ => Ok(grid.clone()),
    }
}

/// A patch mirrored within its box: 0 top to bottom, 1 along the main diagonal, 2 left to right, 3
/// along the other diagonal. Anything else leaves it as it is. Mirroring the empty patch fails.
///
/// ```arc
/// mir_rot_f(frozenset({(0, 0), (0, 1), (1, 0)}), A0) == frozenset({(1, 0), (1, 1), (0, 0)})
/// mir_rot_f(frozenset({(0, 0), (0, 1)}), A1) == frozenset({(0, 0), (1, 0)})
/// mir_rot_f(frozenset({(0, 0), (0, 1)}), A5) == frozenset({(0, 0), (0, 1)})
/// mir_rot_f(frozenset(), A0) fails
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(a: Patch, Angle) -> a", extra, toll = sorted)]
pub fn mir_rot_f(cx: &mut Caller, patch: &Value, r#type: i64) -> Outcome {
    match r#type {
        0 => geometry::hmirror(cx, patch),
        1 => geometry::dmirror(cx, patch),
        2 => geometry::vmirror(cx, patch),
        3 => geometry::cmirror(cx, patch),
        _ => Ok(patch.clone()),
    }
}

/// A corner of a patch's box: 1 upper right, 2 lower left, 3 lower right, anything else upper left.
///
/// ```arc
/// corner(frozenset({(1, 2), (3, 5)}), R0) == (1, 2)
/// corner(frozenset({(1, 2), (3, 5)}), R1) == (1, 5)
/// corner(frozenset({(1, 2), (3, 5)}), R2) == (3, 2)
/// corner(frozenset({(1, 2), (3, 5)}), R3) == (3, 5)
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch, Corner) -> Pair", extra)]
pub fn corner(patch: &Value, r#type: i64) -> Outcome {
    match r#type {
        1 => position::urcorner(patch),
        2 => position::llcorner(patch),
        3 => position::lrcorner(patch),
        _ => position::ulcorner(patch),
    }
}

/// A side of a patch's box: 0 last row, 1 first row, 2 first column, 3 last column. Any other code
/// fails, and so does the empty patch.
///
/// ```arc
/// col_row(frozenset({(1, 2), (3, 5)}), R0) == 3
/// col_row(frozenset({(1, 2), (3, 5)}), R1) == 1
/// col_row(frozenset({(1, 2), (3, 5)}), R2) == 2
/// col_row(frozenset({(1, 2), (3, 5)}), R3) == 5
/// col_row(frozenset({(1, 2), (3, 5)}), R4) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch, Corner) -> Int", extra)]
pub fn col_row(patch: &Value, r#type: i64) -> Outcome {
    match r#type {
        0 => position::lowermost(patch),
        1 => position::uppermost(patch),
        2 => position::leftmost(patch),
        3 => position::rightmost(patch),
        _ => Err(Fault::Domain(1).into()),
    }
}

/// The colours of a grid as a tuple, ascending.
///
/// ```arc
/// p_g(((3, 1), (1, 2))) == (1, 2, 3)
/// p_g(()) == ()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Grid) -> Tuple<Color>", extra, toll = sorted)]
pub fn p_g(grid: &Value) -> Outcome {
    if !grid.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    p_o(grid)
}

/// The colours of an object as a tuple, ascending.
///
/// ```arc
/// p_o(frozenset({(3, (0, 0)), (1, (0, 1)), (3, (0, 2))})) == (1, 3)
/// p_o(frozenset()) == ()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Object) -> Tuple<Color>", extra, toll = sorted)]
pub fn p_o(obj: &Value) -> Outcome {
    let colors: Vec<Value> = color::palette(obj)?.iter().into_iter().flatten().collect();
    Ok(Value::tuple(colors))
}

/// The cell at a position with a colour.
///
/// ```arc
/// ascell((2, 3), 5) == (5, (2, 3))
/// ascell((2,), 5) fails
/// ```
#[primitive(class = Position, cost = Scalar, sig = "(Pair, Color) -> Cell", extra, toll = rows)]
pub fn ascell(ij: &Value, c: &Value) -> Outcome {
    if !ij.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let part = |n| ij.item(n).ok_or(Fault::Range);
    Ok(Value::tuple2(c.clone(), Value::tuple2(part(0)?, part(1)?)))
}

/// The cell at a row and column with a colour.
///
/// ```arc
/// astriple(2, 3, 5) == (5, (2, 3))
/// ```
#[primitive(class = Position, cost = Scalar, sig = "(Int, Int, Color) -> Cell", extra)]
pub fn astriple(i: &Value, j: &Value, c: &Value) -> Value {
    Value::tuple2(c.clone(), Value::tuple2(i.clone(), j.clone()))
}

/// The position of a cell; a position stays as it is.
///
/// ```arc
/// toij((5, (2, 3))) == (2, 3)
/// toij((2, 3)) == (2, 3)
/// toij(4) fails
/// ```
#[primitive(class = Position, cost = Scalar, sig = "(Cell) -> Pair", extra, toll = rows)]
pub fn toij(c: &Value) -> Outcome {
    match view::two(c)? {
        (_, at) if at.is_tuple() => Ok(at),
        _ => Ok(c.clone()),
    }
}

/// Cells from positions and colours, as many as both have.
///
/// ```arc
/// celltuple(((0, 1), (2, 3)), (5, 6)) == ((5, (0, 1)), (6, (2, 3)))
/// celltuple(((0, 1), (2, 3)), (5,)) == ((5, (0, 1)),)
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Tuple<Pair>, Tuple<Color>) -> Tuple<Cell>", extra)]
pub fn celltuple(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    cx.charge(view::len(a, 0)?.min(view::len(b, 1)?).saturating_mul(2))?;
    let cells: Result<Vec<Value>, EvalError> = view::items(a, 0)?
        .zip(view::items(b, 1)?)
        .map(|(at, color)| {
            let (i, j) = view::two(&at)?;
            Ok(Value::tuple2(color, Value::tuple2(i, j)))
        })
        .collect();
    Ok(Value::tuple(cells?))
}

/// The elements of a given size, as a tuple.
///
/// ```arc
/// sizefilter_t(((1,), (2, 3), (4,)), 1) == ((1,), (4,))
/// sizefilter_t((1,), 1) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Tuple<a>, Int) -> Tuple<a>", extra, toll = grids)]
pub fn sizefilter_t(cx: &mut Caller, container: &Value, n: &Value) -> Outcome {
    cx.charge(view::len(container, 0)?)?;
    let mut kept = Vec::new();
    for item in view::items(container, 0)? {
        let size = item.len().ok_or(Fault::Element)?;
        if n.as_int() == Some(size as i64) {
            kept.push(item);
        }
    }
    Ok(Value::tuple(kept))
}

/// The objects whose first cell has this colour, as a tuple. An empty object fails.
///
/// ```arc
/// colorfilter_t((frozenset({(2, (0, 0))}), frozenset({(1, (1, 1))})), 1) == (frozenset({(1, (1, 1))}),)
/// colorfilter_t((frozenset(),), 1) fails
/// ```
#[primitive(class = Color, cost = Objects, sig = "(Tuple<Object>, Color) -> Tuple<Object>", order, extra, toll = grids)]
pub fn colorfilter_t(cx: &mut Caller, objs: &Value, color: &Value) -> Outcome {
    cx.charge(view::len(objs, 0)?)?;
    let mut kept = Vec::new();
    for object in view::items(objs, 0)? {
        let first = view::first(&object, 0)?;
        if !first.is_tuple() {
            return Err(Fault::Element.into());
        }
        if first.item(0).ok_or(Fault::Range)? == *color {
            kept.push(object);
        }
    }
    Ok(Value::tuple(kept))
}

/// The elements that satisfy a condition, as a set. Unlike `mfilter` it does not merge them.
///
/// ```arc
/// mfilter_t((3, 4, 4, 6), even) == frozenset({4, 6})
/// mfilter_t((), even) == frozenset()
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Tuple<a>, Fn(a) -> Bool) -> Set<a>", extra)]
pub fn mfilter_t(cx: &mut Caller, container: &Value, function: &Value) -> Outcome {
    let mut kept = Vec::new();
    for item in view::items(container, 0)? {
        if cx.call1(function, &item)?.is_true() {
            kept.push(item);
        }
    }
    container::set_of(cx, kept)
}

/// True unless this is a tuple of tuples of integers.
///
/// ```arc
/// is_no_grid(((1, 2), (3,))) == F
/// is_no_grid((1, 2)) == T
/// is_no_grid(frozenset()) == T
/// is_no_grid(()) == F
/// ```
#[primitive(class = Logic, cost = Cells, sig = "(Any) -> Bool", extra)]
pub fn is_no_grid(x: &Value) -> bool {
    let of_ints = |row: Value| {
        row.is_tuple() && row.iter().into_iter().flatten().all(|v| matches!(v, Value::Int(_)))
    };
    match x {
        Value::Grid(_) => false,
        _ => !(x.is_tuple() && x.iter().into_iter().flatten().all(of_ints)),
    }
}
