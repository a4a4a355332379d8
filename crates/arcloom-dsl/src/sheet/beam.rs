//! Rays that the objects of a list send: lines of questions, and where each object sends what.

use arcloom_macros::primitive;
use arcloom_value::Value;

use super::rule::{charge, read_rule};
use super::{made, read, read_list};
use crate::call::{Caller, Outcome};
use crate::kernel::sheet::beam::{self, Ray};
use crate::kernel::sheet::rule::ObjectPart;
use crate::toll;

/// The rays that the sheets of a list send as a rule says, on a sheet of the picture's size. What lies on the picture may
/// stop them. Rays of later sheets lie over those of earlier ones; the sheets themselves are not there.
///
/// A rule is what `paint_by_rule` takes, but actions are NO_RAY and what `ray` gives.
///
/// ```arc
/// send_rays(((((2,),), (0, 0)),), as_sheet(((2, 0, 0, 5), (0, 0, 0, 0))), (otherwise(ray(RIGHT, WHOLE_FRONT, OWN_COLOR, UNTIL_MET)),)) == (((0, 2, 2, 0), (0, 0, 0, 0)), (0, 0))
/// send_rays(((((2, 3),), (0, 0)),), as_sheet(((2, 3, 0, 0, 0),)), (when(is_equal(sheet_area, 2), ray(RIGHT, COPIES, OWN_COLOR, UNDER_THINGS)), otherwise(NO_RAY))) == (((0, 0, 2, 3, 2),), (0, 0))
/// send_rays(((((2,),), (0, 0)),), as_sheet(((2, 0),)), ((0,),)) == (((0, 0),), (0, 0))
/// send_rays(((((2,),), (0, 0)),), as_sheet(((2, 0),)), ((40000,),)) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Sheet, Tuple<Any>) -> Sheet", extra)]
pub fn send_rays(cx: &mut Caller, sheets: &Value, picture: &Value, rule: &Value) -> Outcome {
    let list = read_list(sheets, 0)?;
    let picture = read(picture, 1)?;
    cx.pay(toll::all_but_patches, [rule])?;
    let rule = read_rule(rule, 2, ObjectPart::Whole, |n| usize::from(n) < Ray::COUNT)?;
    charge(cx, &list, &rule)?;
    cx.charge(list.len().saturating_mul(picture.cells().len()))?;
    made(|out| beam::paint(&list, &picture, &rule, out))
}
