//! Rays that the objects of a list send: where to, from which cells, in which colour, and where they end.

use crate::kernel::sheet::kin;
use crate::kernel::sheet::rule::{Action, ObjectRule};
use crate::kernel::sheet::{Made, Sheet};
use crate::sheet::measure::area;
use crate::sheet::way::STEPS;

pub use self::heading::{Heading, RayMark};
pub use self::source::RaySource;

mod heading;
mod source;

/// The colour of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayColor {
    /// That of the cell which sends it.
    Own,
    /// Always this one.
    Always(u8),
    /// The rarest colour of the object.
    Rarest,
    /// That of what it meets first.
    Met,
}

impl RayColor {
    /// All of them; programs say their number.
    pub const ALL: [RayColor; 12] = {
        let mut all = [RayColor::Own; 12];
        let mut n = 1;
        while n < 10 {
            all[n] = RayColor::Always(n as u8);
            n += 1;
        }
        all[10] = RayColor::Rarest;
        all[11] = RayColor::Met;
        all
    };
}

/// Where a ray ends, and what it does when it meets an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayEnd {
    /// It goes to the border, under what it meets or over it.
    Under,
    Over,
    /// It ends before what it meets.
    Met,
    /// It ends before what it meets; where it meets nothing it is none.
    OnlyMet,
    /// On a diagonal it bounces off what it meets.
    Bounces,
    /// It turns before what it meets.
    TurnsRight,
    TurnsLeft,
    /// It is so many cells long at most, and ends before what it meets.
    One,
    Two,
    Three,
    /// It is as long as the object is in its direction; as many cells as the object has, or as it has colours.
    Size,
    Area,
    Colors,
}

impl RayEnd {
    /// All of them; programs say their number.
    pub const ALL: [RayEnd; 13] = [
        RayEnd::Under,
        RayEnd::Over,
        RayEnd::Met,
        RayEnd::OnlyMet,
        RayEnd::Bounces,
        RayEnd::TurnsRight,
        RayEnd::TurnsLeft,
        RayEnd::One,
        RayEnd::Two,
        RayEnd::Three,
        RayEnd::Size,
        RayEnd::Area,
        RayEnd::Colors,
    ];

    /// Whether it ends however far the next object is.
    pub fn is_limited(self) -> bool {
        use RayEnd::{Area, Colors, One, Size, Three, Two};
        matches!(self, One | Two | Three | Size | Area | Colors)
    }

    fn most(self, s: &Sheet, (down, _): (i32, i32)) -> usize {
        match self {
            RayEnd::One => 1,
            RayEnd::Two => 2,
            RayEnd::Three => 3,
            RayEnd::Size if down == 0 => s.width,
            RayEnd::Size => s.height,
            RayEnd::Area => area(s),
            RayEnd::Colors => (1..10u8).filter(|c| s.cells.contains(c)).count(),
            _ => LONGEST,
        }
    }
}

/// No ray has more cells.
const LONGEST: usize = 200;

/// A ray of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ray {
    pub heading: Heading,
    pub from: RaySource,
    pub color: RayColor,
    pub end: RayEnd,
}

impl Ray {
    /// Rays that there are, and none as the first.
    pub const COUNT: usize =
        1 + Heading::ALL.len() * RaySource::ALL.len() * RayColor::ALL.len() * RayEnd::ALL.len();

    /// Its number as an action of a rule; 0 is no ray.
    pub fn number(self) -> Action {
        let at = |found: Option<usize>| found.unwrap_or(0);
        let heading = at(Heading::ALL.iter().position(|h| *h == self.heading));
        let from = at(RaySource::ALL.iter().position(|s| *s == self.from));
        let color = at(RayColor::ALL.iter().position(|c| *c == self.color));
        let end = at(RayEnd::ALL.iter().position(|e| *e == self.end));
        Ray::numbered([heading, from, color, end])
    }

    /// The number of the ray with these numbers of heading, source, colour and end.
    pub fn numbered([heading, from, color, end]: [usize; 4]) -> Action {
        let number = (heading * RaySource::ALL.len() + from) * RayColor::ALL.len() + color;
        1 + (number * RayEnd::ALL.len() + end) as Action
    }

    /// The numbers of heading, source, colour and end; `None` for no ray and for numbers beyond.
    pub fn parts(number: Action) -> Option<[usize; 4]> {
        let rest = usize::from(number).checked_sub(1)?;
        let (rest, end) = (rest / RayEnd::ALL.len(), rest % RayEnd::ALL.len());
        let (rest, color) = (rest / RayColor::ALL.len(), rest % RayColor::ALL.len());
        let (heading, from) = (rest / RaySource::ALL.len(), rest % RaySource::ALL.len());
        (heading < Heading::ALL.len()).then_some([heading, from, color, end])
    }

    /// The one of a number.
    pub fn of(number: Action) -> Option<Ray> {
        let [heading, from, color, end] = Ray::parts(number)?;
        Some(Ray {
            heading: Heading::ALL[heading],
            from: RaySource::ALL[from],
            color: RayColor::ALL[color],
            end: RayEnd::ALL[end],
        })
    }
}

/// The way of a ray: its cells with the colours of those that sent them, and what it met first.
#[derive(Clone, Debug, Default)]
pub struct RayPath {
    pub cells: Vec<(i32, i32, u8)>,
    /// Where the cells of each start end, and the colour that those from there met, 0 for nothing.
    pub ends: Vec<(usize, u8)>,
}

/// What a ray is sent on.
#[derive(Clone, Copy)]
pub struct RayGround<'a> {
    pub thing: &'a Sheet,
    pub picture: &'a Sheet,
}

impl RayGround<'_> {
    fn inside(&self, i: i32, j: i32) -> bool {
        i >= 0 && j >= 0 && (i as usize) < self.picture.height && (j as usize) < self.picture.width
    }

    fn own(&self, i: i32, j: i32) -> bool {
        self.thing.get(i - self.thing.top, j - self.thing.left) != 0
    }

    /// What a ray meets in a cell: something that is not its own.
    fn met(&self, i: i32, j: i32) -> u8 {
        if self.own(i, j) { 0 } else { self.picture.get(i, j) }
    }

    /// The rays of an object by one of [`STEPS`]; `go_on` says after each cell whether to.
    pub fn path(
        &self,
        step: usize,
        from: RaySource,
        end: RayEnd,
        path: &mut RayPath,
        mut go_on: impl FnMut(i32, i32, u8) -> bool,
    ) -> bool {
        path.cells.clear();
        path.ends.clear();
        if let Some(gap) = from.gap() {
            return self.copies(STEPS[step], gap, end, path, go_on);
        }
        let most = end.most(self.thing, STEPS[step]);
        for (i, j, own) in from.cells(self.thing, STEPS[step]) {
            let start = path.cells.len();
            let met = self.line((i, j), own, STEPS[step], end, most, path, &mut go_on);
            let Some(met) = met else { return false };
            if end == RayEnd::OnlyMet && met == 0 {
                path.cells.truncate(start);
            }
            path.ends.push((path.cells.len(), met));
        }
        true
    }

    /// One ray; the colour that it met first.
    #[expect(clippy::too_many_arguments, reason = "one ray is all of this")]
    fn line(
        &self,
        mut at: (i32, i32),
        own: u8,
        (mut down, mut right): (i32, i32),
        end: RayEnd,
        most: usize,
        path: &mut RayPath,
        go_on: &mut impl FnMut(i32, i32, u8) -> bool,
    ) -> Option<u8> {
        let (mut first, mut long, mut turns) = (0, 0, 0);
        while long < most {
            let next = (at.0 + down, at.1 + right);
            if !self.inside(next.0, next.1) {
                break;
            }
            let met = self.met(next.0, next.1);
            if met != 0 {
                first = if first == 0 { met } else { first };
                match end {
                    RayEnd::Under => {
                        at = next;
                        continue;
                    }
                    RayEnd::Over => {}
                    RayEnd::Bounces if down != 0 && right != 0 => {
                        let beyond = self.met(at.0 + down, at.1) != 0;
                        let beside = self.met(at.0, at.1 + right) != 0;
                        match (beyond, beside) {
                            (true, false) => down = -down,
                            (false, true) => right = -right,
                            _ => break,
                        }
                        turns += 1;
                        if turns > LONGEST {
                            break;
                        }
                        continue;
                    }
                    RayEnd::TurnsRight | RayEnd::TurnsLeft => {
                        let sign = if end == RayEnd::TurnsRight { 1 } else { -1 };
                        (down, right) = (sign * right, -sign * down);
                        turns += 1;
                        if turns > LONGEST {
                            break;
                        }
                        continue;
                    }
                    _ => break,
                }
            }
            at = next;
            if self.own(at.0, at.1) {
                continue;
            }
            long += 1;
            path.cells.push((at.0, at.1, own));
            if end != RayEnd::OnlyMet && !go_on(at.0, at.1, own) {
                return None;
            }
        }
        Some(first)
    }

    /// The object again and again.
    fn copies(
        &self,
        (down, right): (i32, i32),
        gap: i32,
        end: RayEnd,
        path: &mut RayPath,
        mut go_on: impl FnMut(i32, i32, u8) -> bool,
    ) -> bool {
        let s = self.thing;
        let by = (down * (s.height as i32 + gap), right * (s.width as i32 + gap));
        let most = match end {
            RayEnd::Under | RayEnd::Over | RayEnd::Met | RayEnd::OnlyMet => LONGEST,
            RayEnd::One | RayEnd::Two | RayEnd::Three => end.most(s, by),
            _ => 0,
        };
        let mut first = 0;
        for k in 1..=most as i32 {
            let start = path.cells.len();
            let (mut seen, mut met) = (false, 0);
            for i in 0..s.height {
                for (j, &c) in s.row(i).iter().enumerate().filter(|(_, c)| **c != 0) {
                    let (y, x) = (s.top + i as i32 + k * by.0, s.left + j as i32 + k * by.1);
                    if !self.inside(y, x) {
                        continue;
                    }
                    seen = true;
                    let other = self.met(y, x);
                    met = if met == 0 { other } else { met };
                    if self.own(y, x) || other != 0 && end == RayEnd::Under {
                        continue;
                    }
                    path.cells.push((y, x, c));
                }
            }
            let none = by == (0, 0) || !seen;
            let stops = met != 0 && !matches!(end, RayEnd::Under | RayEnd::Over);
            first = if first == 0 { met } else { first };
            if none || stops {
                path.cells.truncate(start);
                break;
            }
            if end != RayEnd::OnlyMet && !path.cells[start..].iter().all(|c| go_on(c.0, c.1, c.2)) {
                return false;
            }
        }
        if end == RayEnd::OnlyMet && first == 0 {
            path.cells.clear();
        }
        path.ends.push((path.cells.len(), first));
        true
    }
}

/// The colour in which a ray of an object paints; `None` where it paints nothing.
pub fn ray_color(color: RayColor, own: u8, met: u8, thing: &Sheet) -> Option<u8> {
    match color {
        RayColor::Own => Some(own),
        RayColor::Always(color) => Some(color),
        RayColor::Rarest => kin::least(thing),
        RayColor::Met => Some(met),
    }
    .filter(|c| *c != 0)
}

/// The rays of all objects of a list as a rule says, on a sheet of the picture's size; those of objects that
/// come later in the list lie on top. `None` when an action is none.
pub fn paint(list: &[Sheet], picture: &Sheet, rule: &ObjectRule, out: &mut Sheet) -> Made {
    let canvas = picture.size();
    out.fill((0, 0), canvas, 0)?;
    let mut path = RayPath::default();
    for (k, &action) in rule.actions(list, canvas).iter().enumerate() {
        if action == 0 {
            continue;
        }
        let ray = Ray::of(action)?;
        let steps = ray.heading.steps(list, k, canvas);
        let ground = RayGround { thing: &list[k], picture };
        for step in (0..STEPS.len()).filter(|step| steps >> step & 1 == 1) {
            ground.path(step, ray.from, ray.end, &mut path, |_, _, _| true);
            let mut start = 0;
            for &(end, met) in &path.ends {
                for &(i, j, own) in &path.cells[start..end] {
                    if let Some(color) = ray_color(ray.color, own, met, &list[k]) {
                        out.cells[i as usize * canvas.1 + j as usize] = color;
                    }
                }
                start = end;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::rule::ObjectPart;
    use crate::kernel::sheet::sheet;
    use crate::sheet::split::split_things;

    fn sent(rows: &[&str], heading: Heading, from: RaySource, end: RayEnd) -> Sheet {
        let picture = sheet(rows);
        let mut list = Vec::new();
        split_things(&picture, &mut list).expect("things");
        let ray = Ray { heading, from, color: RayColor::Own, end };
        let rule = ObjectRule::new(ObjectPart::Whole, ray.number());
        let mut out = Sheet::default();
        paint(&list, &picture, &rule, &mut out).expect("made");
        out
    }

    #[test]
    fn every_ray_has_its_number() {
        assert!(Ray::COUNT <= usize::from(Action::MAX));
        for number in 1..Ray::COUNT as Action {
            assert_eq!(Ray::of(number).map(Ray::number), Some(number));
        }
        assert_eq!(Ray::of(0), None);
        assert_eq!(Ray::of(Ray::COUNT as Action), None);
    }

    #[test]
    fn rays_go_where_things_say() {
        let right = Heading::Step(0);
        let of = |end| sent(&["1..2", "...."], right, RaySource::Front, end);
        assert_eq!(of(RayEnd::Under), sheet(&[".11.", "...."]));
        assert_eq!(of(RayEnd::Over), sheet(&[".111", "...."]));
        assert_eq!(of(RayEnd::Met), sheet(&[".11.", "...."]));
        assert_eq!(of(RayEnd::OnlyMet), sheet(&[".11.", "...."]));
        assert_eq!(of(RayEnd::One), sheet(&[".1..", "...."]));
        assert_eq!(of(RayEnd::TurnsRight), sheet(&[".11.", "..1."]));
        let bent = &["11..", "1...", "....", "...."];
        let light = Heading::From(RayMark::Heavy);
        let out = sent(bent, light, RaySource::Middle, RayEnd::Met);
        assert_eq!(out, sheet(&["....", "....", "..1.", "...1"]));
        let copies = sent(&["1....."], right, RaySource::CopiesApart, RayEnd::Under);
        assert_eq!(copies, sheet(&["..1.1."]));
        let line = &[".....", ".2...", "..2..", ".....", "....."];
        let out = sent(line, Heading::Lengthwise, RaySource::Front, RayEnd::Met);
        assert_eq!(out.cells().iter().filter(|c| **c == 2).count(), 3);
    }

    #[test]
    fn diagonal_rays_bounce() {
        let picture = sheet(&["3....", ".....", "55555"]);
        let thing = sheet(&["3"]);
        let ground = RayGround { thing: &thing, picture: &picture };
        let mut path = RayPath::default();
        assert!(ground.path(4, RaySource::Front, RayEnd::Bounces, &mut path, |_, _, _| true));
        assert_eq!(path.cells, [(1, 1, 3), (0, 2, 3)]);
        assert_eq!(path.ends, [(2, 5)]);
    }
}
