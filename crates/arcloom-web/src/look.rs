//! What a visitor has chosen: palette, signs and numbers in cells, light or dark.
//!
//! Palette, signs and numbers change what is drawn. Light and dark do not: drawings are made for a light
//! page, and a style sheet, made from the palettes, says what each of their colours is on a dark one.

use std::collections::BTreeSet;
use std::fmt::Write;

use arcloom::Grid;
use arcloom::draw::{LINES, Palette, Picture, Rgb, SvgOptions, Theme, picture_svg, sign};
use axum::http::HeaderMap;
use maud::{Markup, PreEscaped, html};

use crate::guard::cookie;
use crate::standing::Scope;

/// The cookie: palette, theme, numbers and signs, with dots between.
pub(crate) const COOKIE: &str = "arcloom_look";

/// The cookie of the scope.
pub(crate) const SCOPE_COOKIE: &str = "arcloom_scope";

/// What a visitor has chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) palette: Palette,
    /// Numbers in cells, for reading without seeing colours.
    pub(crate) digits: bool,
    /// A sign on the cells of each colour, for telling them apart without seeing colours.
    pub(crate) symbols: bool,
    pub(crate) shade: Shade,
    /// Whose programs count.
    pub(crate) scope: Scope,
    /// Data is wanted in place of a page.
    pub(crate) json: bool,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shade {
    /// As the browser prefers.
    Auto,
    Light,
    Dark,
}

impl Shade {
    pub(crate) const ALL: [Shade; 3] = [Shade::Auto, Shade::Light, Shade::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Shade::Auto => "auto",
            Shade::Light => "light",
            Shade::Dark => "dark",
        }
    }

    fn by_name(name: &str) -> Shade {
        Shade::ALL.into_iter().find(|shade| shade.name() == name).unwrap_or(Shade::Auto)
    }
}

impl Look {
    /// What the visitor's cookie says.
    pub(crate) fn of(headers: &HeaderMap, usual: Palette) -> Look {
        let mut parts = cookie(headers, COOKIE).unwrap_or_default().split('.');
        let mut part = || parts.next().unwrap_or_default();
        Look::new(part(), part(), [part(), part()], usual)
    }

    /// What was chosen, by name.
    pub(crate) fn new(palette: &str, shade: &str, cells: [&str; 2], usual: Palette) -> Look {
        let palette = Palette::by_name(palette).unwrap_or(usual);
        let [digits, symbols] = cells.map(|choice| choice == "1");
        let shade = Shade::by_name(shade);
        Look { palette, digits, symbols, shade, scope: Scope::All, json: false }
    }

    /// The scope that the visitor's cookie names.
    pub(crate) fn scope_of(headers: &HeaderMap) -> Option<Scope> {
        cookie(headers, SCOPE_COOKIE).and_then(Scope::by_name)
    }

    /// The cookie's text.
    pub(crate) fn cookie(&self) -> String {
        let [digits, symbols] = [self.digits, self.symbols].map(u8::from);
        format!("{}.{}.{digits}.{symbols}", self.palette.name, self.shade.name())
    }

    /// A picture whose sides take at most this many pixels, if its cells are not too many for that.
    pub(crate) fn draw(&self, picture: &Picture, room: usize) -> Markup {
        let smallest = match (self.digits, self.symbols) {
            (true, _) => 9,
            (false, true) => 6,
            (false, false) => 4,
        };
        let cell = (room / side(picture).max(1)).clamp(smallest, 26) as f32;
        self.draw_with(picture, cell)
    }

    fn draw_with(&self, picture: &Picture, cell: f32) -> Markup {
        if let Picture::Text(text) = picture {
            return html! { code.value { (text) } };
        }
        let options = SvgOptions { cell, ..self.options() };
        html! { span.draw { (PreEscaped(picture_svg(picture, &options))) } }
    }

    /// How drawings are made: for light pages, which the style sheet turns into either.
    pub(crate) fn options(&self) -> SvgOptions {
        let Look { palette, digits, symbols, .. } = *self;
        SvgOptions { palette, digits, symbols, ..SvgOptions::default() }
    }

    /// A grid.
    pub(crate) fn grid(&self, grid: &Grid, room: usize) -> Markup {
        self.draw(&Picture::grid(grid), room)
    }
}

/// Cells of the longest side in a picture; those of a row share the room.
fn side(picture: &Picture) -> usize {
    match picture {
        Picture::Grid { cells, .. } => cells.len().max(cells.first().map_or(0, Vec::len)),
        Picture::Row(parts) => {
            let widest = parts.iter().map(side).max().unwrap_or(0);
            widest * parts.len().min(3)
        }
        Picture::Text(_) => 1,
    }
}

/// The style sheet that turns drawings for light pages into drawings for either.
pub(crate) fn style() -> String {
    let mut css = String::new();
    for name in Palette::names() {
        let Some(palette) = Palette::by_name(name) else { continue };
        let (light, dark) = (palette.theme(false), palette.theme(true));
        let cells: Vec<String> =
            (0..).zip(palette.colors).map(|(n, color)| format!("--cell-{n}: {color};")).collect();
        let _ = writeln!(css, "[data-palette={name}] {{ {} }}", cells.join(" "));
        let scope =
            "[data-palette={name}] :is(.draw, .graph, .chart, .key)".replace("{name}", name);
        // Of two colours that fade into the same, the one of the smaller number counts.
        let mut known = BTreeSet::new();
        let mut rule = |kind: &str, attribute: &str, from: Rgb, to: Rgb| {
            let which = format!("{kind}[{attribute}=\"{from}\"]");
            if from != to && known.insert(which.clone()) {
                let _ =
                    writeln!(css, "{scope} {which} {{ {attribute}: light-dark({from}, {to}); }}");
            }
        };
        // Positions keep their grey: the dots on them are white.
        let parts: [fn(&Theme) -> Rgb; 7] = [
            |theme| theme.text,
            |theme| theme.muted,
            |theme| theme.rule,
            |theme| theme.absent,
            |theme| theme.foreign,
            |theme| theme.good,
            |theme| theme.bad,
        ];
        for part in parts {
            rule("", "fill", part(light), part(dark));
            rule("", "stroke", part(light), part(dark));
        }
        // Only outlines: dots are white on dark cells, on any page.
        rule("[stroke-linecap=square]", "stroke", light.background, dark.background);
        for color in palette.colors {
            rule("path", "fill", light.faded(color), dark.faded(color));
        }
        rule("", "stroke", light.faded(palette.line), dark.faded(palette.line));
        // Lineages and graphs: lines, backgrounds by share, and the text on them.
        rule("", "stroke", light.line(), dark.line());
        rule("", "stroke", light.wide_line(), dark.wide_line());
        for percent in 0..=100 {
            let ground = |theme: &Theme| theme.shade(f64::from(percent) / 100.0);
            for shape in [".node rect", ".scale"] {
                rule(shape, "fill", ground(light), ground(dark));
            }
            rule(".node text", "fill", ground(light).ink(), ground(dark).ink());
        }
        for (on_light, on_dark) in LINES {
            rule(".curve", "stroke", on_light, on_dark);
            rule(".mark", "stroke", on_light, on_dark);
            rule(".mark", "fill", on_light, on_dark);
        }
    }
    // Boxes on a page are of the page's own background.
    let grounds: BTreeSet<Rgb> = Palette::ALL.iter().map(|p| p.light.background).collect();
    for ground in grounds {
        let _ = writeln!(
            css,
            ".graph :is(.node, .operator) rect[fill=\"{ground}\"] {{ fill: var(--card); }}"
        );
    }
    let signs = (0..16).filter_map(|n| Some(format!("--sign-{n}: {};", sign(n)?)));
    let _ = writeln!(css, ":root {{ {} }}", signs.collect::<Vec<_>>().join(" "));
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_comes_back() {
        for palette in Palette::names() {
            for shade in Shade::ALL {
                for cells in [["0", "0"], ["0", "1"], ["1", "0"]] {
                    let look = Look::new(palette, shade.name(), cells, Palette::CLASSIC);
                    let mut headers = HeaderMap::new();
                    let text = format!("other=1; {COOKIE}={}", look.cookie());
                    headers.insert("cookie", text.parse().unwrap());
                    assert_eq!(Look::of(&headers, Palette::CLASSIC).cookie(), look.cookie());
                }
            }
        }
        let nothing = Look::of(&HeaderMap::new(), Palette::CLASSIC);
        assert_eq!(nothing.cookie(), "classic.auto.0.0");
    }

    #[test]
    fn no_colour_becomes_two() {
        let css = style();
        let mut seen = BTreeSet::new();
        for line in css.lines() {
            let (selector, _) = line.split_once('{').unwrap();
            assert!(seen.insert(selector.to_owned()), "{line}");
        }
        assert!(css.contains("light-dark(#1F2328, #E6EDF3)"), "{css}");
        assert!(css.contains("--cell-1: #0074D9;"), "{css}");
        assert!(css.contains("--sign-1: M5 3l0 4;"), "{css}");
    }

    /// Text on the backgrounds of boxes is found by its colour, so a page must have one ink for all.
    #[test]
    fn all_grounds_of_boxes_have_the_same_ink() {
        for palette in Palette::ALL {
            for theme in [palette.light, palette.dark] {
                let inks: BTreeSet<Rgb> =
                    (0..=100).map(|n| theme.shade(f64::from(n) / 100.0).ink()).collect();
                assert_eq!(inks.len(), 1, "{}", palette.name);
            }
        }
    }
}
