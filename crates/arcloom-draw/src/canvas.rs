//! Pieces of an SVG drawing and how they are put together.
//!
//! Lengths are whole hundredths of a pixel, so that no rounding noise reaches the file. Everything
//! is said in plain attributes: no ids, styles, scripts or fonts by name that could clash with or
//! reach out of the page a drawing is pasted into. Parts that a page may want to find carry a class
//! and `data-id`, and a link where the caller has one.

use std::fmt::Write;

use crate::palette::Rgb;
use crate::text::{clean, columns, wrap};

/// Hundredths of a pixel.
pub(crate) type Px = i64;

/// Whole pixels.
pub(crate) const fn px(n: i64) -> Px {
    n * 100
}

/// A length as text, without trailing zeros.
pub(crate) fn num(length: Px) -> String {
    let sign = if length < 0 { "-" } else { "" };
    let (whole, part) = (length.abs() / 100, length.abs() % 100);
    match part {
        0 => format!("{sign}{whole}"),
        _ if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        _ => format!("{sign}{whole}.{part:02}"),
    }
}

/// Text as it may stand in XML content and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// How text is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Font {
    pub(crate) size: i64,
    pub(crate) bold: bool,
    pub(crate) fill: Rgb,
}

impl Font {
    /// Width of a text. Fonts called `monospace` advance by 0.60 of their size or slightly less.
    pub(crate) fn width(&self, text: &str) -> Px {
        px((columns(text) as i64 * self.size * 61 + 99) / 100)
    }

    /// Height of a line. Like the width it is whole pixels, which keeps the grids below it sharp.
    pub(crate) fn line_height(&self) -> Px {
        px((self.size * 140 + 99) / 100)
    }
}

/// How a page finds a part of a drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tag<'a> {
    /// What kind of thing it is: words with spaces between.
    pub(crate) class: &'a str,
    /// Which one, as `data-id`.
    pub(crate) id: &'a str,
    /// Where it leads.
    pub(crate) link: Option<&'a str>,
    /// Shown by browsers when the pointer rests on it; may be empty.
    pub(crate) note: &'a str,
}

/// How a rectangle is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) fill: Rgb,
    pub(crate) stroke: Rgb,
    pub(crate) stroke_width: Px,
    pub(crate) radius: Px,
}

/// Markup with its extent; its top left corner is the origin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    pub(crate) width: Px,
    pub(crate) height: Px,
    pub(crate) body: String,
}

impl Piece {
    /// Nothing, of this extent.
    pub(crate) fn blank(width: Px, height: Px) -> Piece {
        Piece { width, height, body: String::new() }
    }

    /// Text wrapped to a number of columns.
    pub(crate) fn text(text: &str, columns: usize, font: Font) -> Piece {
        let mut piece = Piece::default();
        for line in wrap(text, columns) {
            let x = num(line.chars().take_while(|&c| c == ' ').count() as i64 * font.size * 60);
            let y = num(piece.height + font.size * 105);
            if !line.trim().is_empty() {
                let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
                let x = if x == "0" { String::new() } else { format!(" x=\"{x}\"") };
                let _ = writeln!(
                    piece.body,
                    "<text{x} y=\"{y}\" font-size=\"{}\"{weight} fill=\"{}\">{}</text>",
                    font.size,
                    font.fill,
                    escape(line.trim()),
                );
            }
            piece.width = piece.width.max(font.width(&line));
            piece.height += font.line_height();
        }
        piece
    }

    /// Adds another piece with its corner at `(x, y)`, growing this one to hold it.
    pub(crate) fn place(&mut self, x: Px, y: Px, piece: &Piece) {
        self.width = self.width.max(x + piece.width);
        self.height = self.height.max(y + piece.height);
        if piece.body.is_empty() {
            return;
        }
        if (x, y) == (0, 0) {
            self.body.push_str(&piece.body);
        } else {
            let (x, y) = (num(x), num(y));
            let _ = write!(self.body, "<g transform=\"translate({x} {y})\">\n{}</g>\n", piece.body);
        }
    }

    /// Wrapped into a group that a page can find, link and explain.
    pub(crate) fn tagged(self, tag: &Tag<'_>) -> Piece {
        let mut body = format!("<g class=\"{}\" data-id=\"{}\">\n", tag.class, escape(tag.id));
        if !tag.note.is_empty() {
            let _ = writeln!(body, "<title>{}</title>", escape(tag.note));
        }
        match tag.link {
            Some(link) => {
                let _ = write!(body, "<a href=\"{}\">\n{}</a>\n</g>\n", escape(link), self.body);
            }
            None => {
                let _ = writeln!(body, "{}</g>", self.body);
            }
        }
        Piece { body, ..self }
    }

    /// Wrapped into a group of a class.
    pub(crate) fn classed(self, class: &str) -> Piece {
        Piece { body: format!("<g class=\"{class}\">\n{}</g>\n", self.body), ..self }
    }

    /// A rectangle with round corners.
    pub(crate) fn panel(width: Px, height: Px, look: &Look) -> Piece {
        let mut piece = Piece::blank(width, height);
        let (w, h, r) = (num(width), num(height), num(look.radius));
        let Look { fill, stroke, stroke_width, .. } = look;
        let _ = writeln!(
            piece.body,
            "<rect width=\"{w}\" height=\"{h}\" rx=\"{r}\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"{}\"/>",
            num(*stroke_width),
        );
        piece
    }

    /// Adds a smooth line through points, from left to right or, when `down`, from top to bottom. Its
    /// ends are the `data-id`s of what it joins.
    pub(crate) fn edge(
        &mut self,
        ends: (&str, &str),
        points: &[(Px, Px)],
        down: bool,
        color: Rgb,
        width: Px,
    ) {
        let Some(&(x, y)) = points.first() else { return };
        let mut path = format!("M{} {}", num(x), num(y));
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let (x, y) = (num(x1), num(y1));
            if x0 == x1 || y0 == y1 {
                let _ = write!(path, "L{x} {y}");
            } else if down {
                let middle = num((y0 + y1) / 2);
                let _ = write!(path, "C{} {middle} {x} {middle} {x} {y}", num(x0));
            } else {
                let middle = num((x0 + x1) / 2);
                let _ = write!(path, "C{middle} {} {middle} {y} {x} {y}", num(y0));
            }
        }
        let _ = writeln!(
            self.body,
            "<path data-from=\"{}\" data-to=\"{}\" fill=\"none\" stroke=\"{color}\" \
             stroke-width=\"{}\" d=\"{path}\"/>",
            escape(ends.0),
            escape(ends.1),
            num(width),
        );
    }

    /// Adds a straight line.
    pub(crate) fn rule(&mut self, from: (Px, Px), to: (Px, Px), color: Rgb) {
        let _ = writeln!(
            self.body,
            "<path shape-rendering=\"crispEdges\" stroke=\"{color}\" d=\"M{} {}L{} {}\"/>",
            num(from.0),
            num(from.1),
            num(to.0),
            num(to.1),
        );
    }

    /// Pieces below each other, aligned on the left.
    pub(crate) fn stack(pieces: &[Piece], gap: Px) -> Piece {
        let mut out = Piece::default();
        for (n, piece) in pieces.iter().enumerate() {
            let y = if n == 0 { 0 } else { out.height + gap };
            out.place(0, y, piece);
        }
        out
    }

    /// Pieces side by side, aligned at the top.
    pub(crate) fn beside(pieces: &[Piece], gap: Px) -> Piece {
        let mut out = Piece::default();
        for (n, piece) in pieces.iter().enumerate() {
            let x = if n == 0 { 0 } else { out.width + gap };
            out.place(x, 0, piece);
        }
        out
    }

    /// The finished file: the piece on its background with some margin around it. `name` is read
    /// out by screen readers.
    pub(crate) fn into_svg(self, name: &str, margin: Px, background: Rgb) -> String {
        let (width, height) = (num(self.width + 2 * margin), num(self.height + 2 * margin));
        let mut page = Piece::default();
        page.place(margin, margin, &self);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"monospace\">\n\
             <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n\
             {}</svg>\n",
            escape(name),
            page.body,
        )
    }
}

/// Splits pieces into rows that fit a width; a piece wider than that stands alone.
pub(crate) fn rows(pieces: Vec<Piece>, gap: Px, width: Px) -> Vec<Vec<Piece>> {
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    let mut used = 0;
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if used + gap + piece.width <= width => {
                used += gap + piece.width;
                row.push(piece);
            }
            _ => {
                used = piece.width;
                rows.push(vec![piece]);
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_noise() {
        let shown = [0, 100, 150, 125, 105, -50, 1234567].map(num);
        assert_eq!(shown, ["0", "1", "1.5", "1.25", "1.05", "-0.5", "12345.67"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b & \"c\">\u{1}"), "a&lt;b &amp; &quot;c&quot;&gt;\u{FFFD}");
    }

    #[test]
    fn pieces_add_up() {
        let (a, b) = (Piece::blank(px(10), px(20)), Piece::blank(px(30), px(5)));
        let below = Piece::stack(&[a.clone(), b.clone()], px(2));
        assert_eq!((below.width, below.height), (px(30), px(27)));
        let beside = Piece::beside(&[a.clone(), b.clone()], px(2));
        assert_eq!((beside.width, beside.height), (px(42), px(20)));
        let lens: Vec<_> =
            rows(vec![a.clone(), a, b], px(2), px(22)).iter().map(Vec::len).collect();
        assert_eq!(lens, [2, 1]);
    }
}
