//! Colours by role: which part a colour plays on an input, whatever its name.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::roles::{self, Renaming};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{grid, picture};
use crate::call::{EvalError, Fault, Outcome};
use crate::view;

/// For each of the colours 0 to 9 the name it gets on this grid. 0 and every colour that all demo
/// inputs or all demo outputs have keep their names; the others get the names that are left, the most
/// frequent colour the smallest, the colour met first on a tie.
///
/// ```arc
/// color_roles(((((5, 7),), ((5,),)), (((5, 8),), ((5,),))), ((9, 9, 5, 6),)) == (0, 3, 4, 6, 7, 5, 2, 8, 9, 1)
/// color_roles((), ((10,),)) fails
/// ```
#[primitive(class = Samples, cost = Cells, sig = "(Samples, Grid) -> Tuple<Color>", extra)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn color_roles(S: &Value, grid: &Value) -> Outcome {
    let mut demos: Vec<(Sheet, Sheet)> = Vec::new();
    for pair in view::items(S, 0)? {
        let (input, output) = view::two(&pair)?;
        demos.push((picture(&input, 0)?, picture(&output, 0)?));
    }
    let names = roles::renaming(&demos, &picture(grid, 1)?);
    Ok(Value::tuple(names.map(|c| Value::Int(c.into()))))
}

/// For each of the colours 0 to 9 the name it gets on this grid. Colours of `kept` keep their names; the others get the
/// names that are left, from the smallest: the background first, where 0 is not kept, then in the order in which they are
/// read. The background is the most frequent of them.
///
/// ```arc
/// reading_roles(((0, 7, 0), (3, 7, 3)), (0,)) == (0, 3, 4, 2, 5, 6, 7, 1, 8, 9)
/// reading_roles(((5, 5), (7, 3)), (3,)) == (2, 4, 5, 3, 6, 0, 7, 1, 8, 9)
/// reading_roles(((5, 5),), (10,)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Tuple<Color>) -> Tuple<Color>", extra)]
pub fn reading_roles(grid: &Value, kept: &Value) -> Outcome {
    let sheet = picture(grid, 0)?;
    if !kept.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    let mut colors = 0;
    for color in view::items(kept, 1)? {
        colors |= match color.as_int().ok_or(Fault::Element)? {
            c @ 0..=9 => 1 << c,
            _ => return Err(Fault::Domain(1).into()),
        };
    }
    let names = roles::reading(colors, &sheet);
    Ok(Value::tuple(names.map(|c| Value::Int(c.into()))))
}

fn names_of(names: &Value) -> Result<Renaming, EvalError> {
    let mut map: Renaming = [10; 10];
    if view::len(names, 1)? != 10 {
        return Err(Fault::Domain(1).into());
    }
    for (slot, name) in map.iter_mut().zip(view::items(names, 1)?) {
        *slot = match u8::try_from(name.as_int().ok_or(Fault::Element)?) {
            Ok(c @ 0..=9) => c,
            _ => return Err(Fault::Domain(1).into()),
        };
    }
    Ok(map)
}

/// The grid with every colour given the name that `color_roles` found for it.
///
/// ```arc
/// rename_colors(((1, 2),), (0, 3, 1, 2, 4, 5, 6, 7, 8, 9)) == ((3, 1),)
/// rename_colors(((1, 2),), (0, 3)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Tuple<Color>) -> Grid", extra)]
pub fn rename_colors(grid: &Value, names: &Value) -> Outcome {
    let names = names_of(names)?;
    Ok(self::grid(&roles::rename(&picture(grid, 0)?, &names)))
}

/// The grid with the colours back that `rename_colors` renamed. Fails when a name was given twice.
///
/// ```arc
/// restore_colors(((3, 1),), (0, 3, 1, 2, 4, 5, 6, 7, 8, 9)) == ((1, 2),)
/// restore_colors(((3, 1),), (0, 1, 1, 1, 4, 5, 6, 7, 8, 9)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Tuple<Color>) -> Grid", extra)]
pub fn restore_colors(grid: &Value, names: &Value) -> Outcome {
    let names = names_of(names)?;
    if names.iter().fold(0u16, |seen, c| seen | 1 << c) != 0x3ff {
        return Err(Fault::Domain(1).into());
    }
    Ok(self::grid(&roles::rename(&picture(grid, 0)?, &roles::inverse(&names))))
}
