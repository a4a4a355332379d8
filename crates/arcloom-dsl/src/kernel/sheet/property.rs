//! What can be said of an object among others: the measures of its own, and how it stands to the rest.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::kin::{self, color};
use crate::sheet::measure::{self, Measure};
use crate::sheet::shape;
use crate::sheet::turn::{Turn, turn};

/// Something that is a number for every sheet of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A measure of the sheet alone.
    Own(Measure),
    /// The most frequent colour.
    Color,
    /// Sides of the canvas that it touches.
    Border,
    /// Whether it is as high as wide.
    Square,
    /// Whether its number of cells is odd.
    OddArea,
    /// Whether its shorter side is odd.
    OddSide,
    /// The longer side.
    Length,
    /// 0 when wider than high, 1 when square, 2 when higher than wide.
    Upright,
    /// Enclosed parts.
    HoleParts,
    /// Others of its form.
    Alike,
    /// Others of its form however they are turned.
    Turned,
    /// Others of its colour.
    SameColor,
    /// Others of its form in another colour.
    Twins,
    /// Others that it touches, diagonals included.
    Touching,
    /// Others in whose frame it lies.
    Inside,
    /// Others that lie in its frame.
    Around,
}

impl Property {
    /// All of them; programs say their number.
    pub const ALL: [Property; 26] = [
        Property::Own(Measure::Area),
        Property::Own(Measure::Frame),
        Property::Own(Measure::Colors),
        Property::Own(Measure::Pieces),
        Property::Own(Measure::Gaps),
        Property::Own(Measure::Holes),
        Property::Own(Measure::Top),
        Property::Own(Measure::Left),
        Property::Own(Measure::Symmetry),
        Property::Own(Measure::Height),
        Property::Own(Measure::Width),
        Property::Color,
        Property::Border,
        Property::Square,
        Property::OddArea,
        Property::OddSide,
        Property::Length,
        Property::Upright,
        Property::HoleParts,
        Property::Alike,
        Property::Turned,
        Property::SameColor,
        Property::Twins,
        Property::Touching,
        Property::Inside,
        Property::Around,
    ];

    /// Its number.
    pub fn number(self) -> usize {
        Property::ALL.iter().position(|p| *p == self).unwrap_or(0)
    }

    /// Whether every sheet is compared with every other one.
    pub fn compares(self) -> bool {
        use Property::*;
        matches!(self, Alike | Turned | Twins | Touching | Inside | Around)
    }

    /// Whether more and less mean anything.
    pub fn is_counted(self) -> bool {
        use Property::*;
        !matches!(self, Color | Square | OddArea | OddSide | Upright)
    }
}

impl Property {
    /// The property of a sheet on a canvas of this size; `None` for what is counted among others.
    pub fn alone(self, s: &Sheet, canvas: (usize, usize)) -> Option<i32> {
        Some(match self {
            Property::Own(measure) => measure.of(s),
            Property::Color => color(s).into(),
            Property::Border => {
                let (bottom, right) = (s.top + s.height as i32, s.left + s.width as i32);
                let far = [bottom >= canvas.0 as i32, right >= canvas.1 as i32];
                [s.top <= 0, s.left <= 0].into_iter().chain(far).filter(|on| *on).count() as i32
            }
            Property::Square => (s.height == s.width).into(),
            Property::OddArea => measure::area(s) as i32 % 2,
            Property::OddSide => s.height.min(s.width) as i32 % 2,
            Property::Length => s.height.max(s.width) as i32,
            Property::Upright => s.height.cmp(&s.width) as i32 + 1,
            Property::HoleParts => shape::hole_parts(s) as i32,
            _ => return None,
        })
    }

    /// For what is counted among the others of a list: whether another sheet counts.
    pub fn relation(self) -> Option<fn(&Sheet, &Sheet) -> bool> {
        Some(match self {
            Property::Alike => kin::alike,
            Property::Turned => turned,
            Property::SameColor => |a, b| color(a) == color(b),
            Property::Twins => |a, b| color(a) != color(b) && kin::alike(a, b),
            Property::Touching => |a, b| kin::contact(a, b, true) > 0,
            Property::Inside => kin::inside,
            Property::Around => |a, b| kin::inside(b, a),
            _ => return None,
        })
    }
}

/// The property of every sheet of a list on a canvas of this size.
pub fn values(list: &[Sheet], property: Property, canvas: (usize, usize)) -> Vec<i32> {
    let Some(counts) = property.relation() else {
        return list.iter().map(|s| property.alone(s, canvas).unwrap_or(0)).collect();
    };
    let of = |(k, s): (usize, &Sheet)| {
        list.iter().enumerate().filter(|(m, o)| *m != k && counts(s, o)).count() as i32
    };
    list.iter().enumerate().map(of).collect()
}

/// Whether two sheets have the same form when one of them is turned or mirrored.
fn turned(a: &Sheet, b: &Sheet) -> bool {
    if kin::alike(a, b) {
        return true;
    }
    let sides = |s: &Sheet| (s.height.min(s.width), s.height.max(s.width));
    if sides(a) != sides(b) || measure::area(a) != measure::area(b) {
        return false;
    }
    let mut other = Sheet::default();
    Turn::ALL.iter().any(|&way| turn(a, way, &mut other).is_some() && kin::alike(&other, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;
    use crate::sheet::split::split_blobs;

    #[test]
    fn things_are_seen_among_others() {
        let mut list = Vec::new();
        let picture = sheet(&["11..222", "1...2.2", "..3.222", ".33....", "....4.."]);
        split_blobs(&picture, &mut list).expect("things");
        let of = |property| values(&list, property, (5, 7));
        assert_eq!(of(Property::Color), [1, 2, 3, 4]);
        assert_eq!(of(Property::Border), [2, 2, 0, 1]);
        assert_eq!(of(Property::Alike), [0, 0, 0, 0]);
        assert_eq!(of(Property::Turned), [1, 0, 1, 0]);
        assert_eq!(of(Property::HoleParts), [0, 1, 0, 0]);
        assert_eq!(of(Property::Touching), [0, 0, 0, 0]);
        assert_eq!(of(Property::OddArea), [1, 0, 1, 1]);
        for (number, property) in Property::ALL.into_iter().enumerate() {
            assert_eq!(property.number(), number);
        }
    }
}
