//! Where rays go: steps, sets of them, and what an object and the others of its list say.

use super::source::marked;
use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::kin::{apart, color, contact};
use crate::sheet::measure::area;
use crate::sheet::way::STEPS;

/// Where a ray goes: one of the eight steps, several of them, or what the object and the others say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// The one of [`STEPS`] with this number.
    Step(u8),
    /// All steps of a set, a bit for each of [`STEPS`].
    Steps(u8),
    /// Along its longer side, both ways, or along the diagonal on which its cells lie; or across.
    Lengthwise,
    Crosswise,
    /// Towards something, or away from it.
    To(RayMark),
    From(RayMark),
}

/// What an object sends a ray towards, or away from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayMark {
    /// Its cells of its rarest colour.
    Rarest,
    /// The side with most of its cells.
    Heavy,
    /// The border of the canvas that is nearest.
    Rim,
    /// The nearest other object in its rows or columns.
    Nearest,
    /// The largest object.
    Largest,
    /// The objects of its colour in its rows or columns.
    SameColor,
    /// The objects that it touches.
    Touching,
}

impl RayMark {
    const ALL: [RayMark; 7] = [
        RayMark::Rarest,
        RayMark::Heavy,
        RayMark::Rim,
        RayMark::Nearest,
        RayMark::Largest,
        RayMark::SameColor,
        RayMark::Touching,
    ];
}

impl Heading {
    /// All of them; programs say their number.
    pub const ALL: [Heading; 29] = {
        let mut all = [Heading::Lengthwise; 29];
        let mut n = 0;
        while n < 8 {
            all[n] = Heading::Step(n as u8);
            n += 1;
        }
        let sets = [0b0000_0011, 0b0000_1100, 0b0000_1111, 0b1111_0000, 0b1111_1111];
        while n < 13 {
            all[n] = Heading::Steps(sets[n - 8]);
            n += 1;
        }
        all[14] = Heading::Crosswise;
        n = 15;
        while n < 29 {
            let mark = RayMark::ALL[(n - 15) / 2];
            all[n] = if n % 2 == 1 { Heading::To(mark) } else { Heading::From(mark) };
            n += 1;
        }
        all
    };

    /// The steps of an object of a list on a canvas, a bit for each of [`STEPS`].
    pub fn steps(self, list: &[Sheet], thing: usize, canvas: (usize, usize)) -> u8 {
        let s = &list[thing];
        let (sideways, upright) = (0b0000_0011, 0b0000_1100);
        match self {
            Heading::Step(step) => 1 << step,
            Heading::Steps(set) => set,
            Heading::Lengthwise if s.width > s.height => sideways,
            Heading::Lengthwise if s.width < s.height => upright,
            Heading::Crosswise if s.width > s.height => upright,
            Heading::Crosswise if s.width < s.height => sideways,
            // A line on a diagonal is as high as wide.
            Heading::Lengthwise | Heading::Crosswise => match diagonal(s) {
                0 => 0,
                along if self == Heading::Lengthwise => along,
                along => 0b1111_0000 ^ along,
            },
            Heading::To(mark) => towards(mark, list, thing, canvas),
            Heading::From(mark) => {
                let to = towards(mark, list, thing, canvas);
                (to & 0b0101_0101) << 1 | (to & 0b1010_1010) >> 1
            }
        }
    }
}

/// The two steps along an object whose cells lie on one diagonal of its frame; 0 for others.
fn diagonal(s: &Sheet) -> u8 {
    let n = s.height;
    if n != s.width || n < 2 {
        return 0;
    }
    let on = |falls: bool| {
        (0..n * n).all(|at| {
            let (i, j) = (at / n, at % n);
            s.cells[at] == 0 || j == if falls { i } else { n - 1 - i }
        })
    };
    match (on(true), on(false)) {
        (true, false) => 0b0011_0000,
        (false, true) => 0b1100_0000,
        _ => 0,
    }
}

/// The bit of a step.
fn bit(down: i32, right: i32) -> u8 {
    STEPS.iter().position(|s| *s == (down, right)).map_or(0, |k| 1 << k)
}

/// The step that is nearest to a way: straight where one part of it is more than twice the other.
fn nearest_step(down: i32, right: i32) -> u8 {
    let straight = |a: i32, b: i32| if b.abs() > 2 * a.abs() { 0 } else { a.signum() };
    bit(straight(down, right), straight(right, down))
}

/// How far cells are off the middle of the frame, all together, twice.
fn lean(s: &Sheet, counts: impl Fn(u8) -> bool) -> (i32, i32) {
    let (mut down, mut right) = (0, 0);
    for i in 0..s.height {
        for (j, _) in s.row(i).iter().enumerate().filter(|(_, c)| **c != 0 && counts(**c)) {
            down += 2 * i as i32 + 1 - s.height as i32;
            right += 2 * j as i32 + 1 - s.width as i32;
        }
    }
    (down, right)
}

/// The step from an object to another one: straight where they share rows or columns; 0 where they share both.
fn step_to(s: &Sheet, other: &Sheet) -> u8 {
    let (down, across) = apart(s, other);
    let way = |gap: i32, from: i32, to: i32| if gap > 0 { (to - from).signum() } else { 0 };
    bit(way(down, s.top, other.top), way(across, s.left, other.left))
}

fn towards(mark: RayMark, list: &[Sheet], thing: usize, canvas: (usize, usize)) -> u8 {
    let s = &list[thing];
    let others = || list.iter().enumerate().filter(move |(k, _)| *k != thing).map(|(_, o)| o);
    let in_line = |other: &&Sheet| {
        let (down, across) = apart(s, other);
        (down == 0) != (across == 0)
    };
    match mark {
        RayMark::Rarest => {
            let Some(rarest) = marked(s) else { return 0 };
            let (down, right) = lean(s, |c| c == rarest);
            nearest_step(down, right)
        }
        RayMark::Heavy => {
            let (down, right) = lean(s, |_| true);
            nearest_step(down, right)
        }
        RayMark::Rim => {
            let far = [
                canvas.1 as i32 - s.left - s.width as i32,
                s.left,
                canvas.0 as i32 - s.top - s.height as i32,
                s.top,
            ];
            let least = far.iter().copied().min().unwrap_or(0);
            (0..4).filter(|&k| far[k] == least).fold(0, |set, k| set | 1 << k)
        }
        RayMark::Nearest => {
            let far = |o: &Sheet| apart(s, o).0 + apart(s, o).1;
            let Some(least) = others().filter(in_line).map(far).min() else { return 0 };
            let near = others().filter(in_line).filter(|o| far(o) == least);
            near.fold(0, |set, o| set | step_to(s, o))
        }
        RayMark::Largest => {
            let largest = (0..list.len()).rev().max_by_key(|&k| area(&list[k]));
            largest.filter(|&k| k != thing).map_or(0, |k| step_to(s, &list[k]))
        }
        RayMark::SameColor => others()
            .filter(in_line)
            .filter(|o| color(o) == color(s))
            .fold(0, |set, o| set | step_to(s, o)),
        RayMark::Touching => {
            others().filter(|o| contact(s, o, true) > 0).fold(0, |set, o| set | step_to(s, o))
        }
    }
}
