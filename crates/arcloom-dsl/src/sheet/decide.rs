//! Cell by cell: a tree of questions about the colours near a cell.

use crate::kernel::sheet::decide::{COPIES, CellQuestion, FARTHEST, OUTSIDE, Tree, decide};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read_list};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::view;

/// Questions within questions are followed no deeper.
const DEEPEST: usize = 60;

/// The sheet that has in every cell the colour that a tree says; it lies where the first of the sheets
/// lies. A tree is an `if_cell`, a colour, or `color_in`. Fails when the sheets differ in size.
///
/// Words are names for numbers, which may stand in their place: an `if_cell` is
/// `(sheet, (down, right), color, yes, no)`, the colour that sheet 0 has is 10, that of sheet 1 is 11 and so on, OUTSIDE is 10.
///
/// ```arc
/// decide_cells(((((1, 2),), (3, 4)),), if_cell(cell_is(0, RIGHT, RED), ORANGE, color_in(0))) == (((7, 2),), (3, 4))
/// decide_cells(((((1, 2),), (3, 4)),), (0, (0, 1), 2, 7, 10)) == (((7, 2),), (3, 4))
/// decide_cells(((((1, 2),), (0, 0)), (((3, 4),), (0, 0))), (0, (0, 1), 10, 11, 0)) == (((0, 4),), (0, 0))
/// decide_cells(((((1, 2),), (0, 0)),), (0, (0, 1), 2, 7)) fails
/// decide_cells(((((1, 2),), (0, 0)),), 11) fails
/// decide_cells((), 1) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Tuple<Any>) -> Sheet", extra)]
pub fn decide_cells(cx: &mut Caller, sheets: &Value, tree: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    let mut questions = 1;
    let tree = read_tree(tree, &mut questions, DEEPEST)?;
    let cells = sheets.first().map_or(0, |s| s.cells().len());
    cx.charge(cells.saturating_mul(questions))?;
    made(|out| decide(&sheets, &tree, out))
}

fn read_tree(value: &Value, questions: &mut usize, deep: usize) -> Result<Tree, EvalError> {
    if let Some(n) = value.as_int() {
        return Ok(match u8::try_from(n).map_err(|_| Fault::Range)? {
            color if i64::from(color) < COPIES => Tree::Color(color),
            copied => Tree::Same((i64::from(copied) - COPIES) as usize),
        });
    }
    if !value.is_tuple() || deep == 0 {
        return Err(Fault::Kind(1).into());
    }
    let parts: Vec<Value> = view::items(value, 1)?.collect();
    let [sheet, by, color, yes, no] = &parts[..] else { return Err(Fault::Element.into()) };
    let number = |v: &Value| v.as_int().and_then(|n| u8::try_from(n).ok()).ok_or(Fault::Element);
    let (down, right) = view::two(by)?;
    let step = |v: &Value| {
        let n = v.as_int().and_then(|n| i8::try_from(n).ok());
        n.filter(|n| (-FARTHEST..=FARTHEST).contains(n)).ok_or(Fault::Element)
    };
    let color = number(color)?;
    if color > OUTSIDE {
        return Err(Fault::Element.into());
    }
    let question =
        CellQuestion { sheet: number(sheet)?.into(), by: (step(&down)?, step(&right)?), color };
    *questions += 1;
    let (yes, no) = (read_tree(yes, questions, deep - 1)?, read_tree(no, questions, deep - 1)?);
    Ok(Tree::Ask(question, Box::new(yes), Box::new(no)))
}
