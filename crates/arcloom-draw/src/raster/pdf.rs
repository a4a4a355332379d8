//! A drawing as a PDF of one page.
//!
//! Drawings are made of shapes in plain colours and of text, and so is the page. Letters are drawn as outlines, which
//! need no font in the file; the text itself lies over them, invisible, so that it can be searched and copied.
//! Nothing else goes in: no dates, no names. What a drawing of ours does not have (gradients, masks, images) is an
//! error, and not left out in silence.

use std::fmt::Write;

use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{FillRule, Group, LineCap, LineJoin, Node, Paint, PaintOrder, Path, Text, Tree};

use super::RenderError;

/// Points of a page per pixel of the drawing: 72 for 96, as in browsers.
const POINTS: f32 = 0.75;
/// Units of an em in the font that texts are laid out with.
const UNITS_PER_EM: f32 = 2048.0;
/// Width of a letter in that font by its width in Courier, which the invisible text is set in.
const STRETCH: f32 = 0.602 / 0.6;
/// How hard streams are packed.
const PACKING: u8 = 8;

/// The file.
pub(super) fn pdf(tree: &Tree) -> Result<Vec<u8>, RenderError> {
    let mut page = Page::default();
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    page.numbers(&[POINTS, 0.0, 0.0, -POINTS, 0.0, height], "cm");
    page.group(tree.root(), 1.0)?;
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(page.content.as_bytes(), PACKING);
    let mut states = String::new();
    for (number, (fill, stroke)) in page.states.iter().enumerate() {
        let (fill, stroke) = (number_text(*fill), number_text(*stroke));
        let _ = write!(states, "/G{number} << /ca {fill} /CA {stroke} >> ");
    }
    let (width, height) = (number_text(width), number_text(height));
    let mut file = File::default();
    file.object(b"<< /Type /Catalog /Pages 2 0 R >>");
    file.object(b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R \
             /Resources << /Font << /F 5 0 R >> /ExtGState << {states}>> >> >>"
        )
        .as_bytes(),
    );
    let head = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", packed.len());
    file.object(&[head.as_bytes(), &packed, b"\nendstream"].concat());
    file.object(b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>");
    Ok(file.end())
}

/// What is drawn on the page.
#[derive(Default)]
struct Page {
    content: String,
    /// Opacities of fill and stroke that shapes ask for.
    states: Vec<(f32, f32)>,
}

impl Page {
    fn group(&mut self, group: &Group, opacity: f32) -> Result<(), RenderError> {
        if group.clip_path().is_some() || group.mask().is_some() || !group.filters().is_empty() {
            return Err(no_form("a clip, a mask or a filter"));
        }
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner, opacity)?,
                Node::Path(path) if path.is_visible() => self.path(path, opacity)?,
                Node::Path(_) => {}
                Node::Text(text) => {
                    self.group(text.flattened(), opacity)?;
                    self.text(text);
                }
                Node::Image(_) => return Err(no_form("an image")),
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, opacity: f32) -> Result<(), RenderError> {
        self.content.push_str("q\n");
        self.transform(path.abs_transform(), "cm");
        let alpha = (
            path.fill().map_or(1.0, |fill| fill.opacity().get()) * opacity,
            path.stroke().map_or(1.0, |stroke| stroke.opacity().get()) * opacity,
        );
        if alpha != (1.0, 1.0) {
            let known = self.states.iter().position(|state| *state == alpha);
            let number = known.unwrap_or(self.states.len());
            if known.is_none() {
                self.states.push(alpha);
            }
            let _ = writeln!(self.content, "/G{number} gs");
        }
        let mut fills = "";
        if let Some(fill) = path.fill() {
            self.color(fill.paint(), "rg")?;
            fills = if fill.rule() == FillRule::EvenOdd { "f*" } else { "f" };
        }
        if let Some(stroke) = path.stroke() {
            self.color(stroke.paint(), "RG")?;
            self.numbers(&[stroke.width().get()], "w");
            let cap = match stroke.linecap() {
                LineCap::Butt => 0,
                LineCap::Round => 1,
                LineCap::Square => 2,
            };
            let join = match stroke.linejoin() {
                LineJoin::Miter | LineJoin::MiterClip => 0,
                LineJoin::Round => 1,
                LineJoin::Bevel => 2,
            };
            let _ = writeln!(self.content, "{cap} J {join} j");
            self.numbers(&[stroke.miterlimit().get()], "M");
            if let Some(dashes) = stroke.dasharray() {
                let dashes: Vec<String> = dashes.iter().copied().map(number_text).collect();
                let offset = number_text(stroke.dashoffset());
                let _ = writeln!(self.content, "[{}] {offset} d", dashes.join(" "));
            }
        }
        let strokes = if path.stroke().is_some() { "S" } else { "" };
        let painted = match path.paint_order() {
            PaintOrder::FillAndStroke => [fills, strokes],
            PaintOrder::StrokeAndFill => [strokes, fills],
        };
        for operator in painted.into_iter().filter(|operator| !operator.is_empty()) {
            self.outline(path);
            let _ = writeln!(self.content, "{operator}");
        }
        self.content.push_str("Q\n");
        Ok(())
    }

    fn outline(&mut self, path: &Path) {
        let mut at = (0.0, 0.0);
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    self.numbers(&[p.x, p.y], "m");
                    at = (p.x, p.y);
                }
                PathSegment::LineTo(p) => {
                    self.numbers(&[p.x, p.y], "l");
                    at = (p.x, p.y);
                }
                // A quadratic curve is the cubic one whose inner points lie two thirds of the way to its own.
                PathSegment::QuadTo(c, p) => {
                    let near = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
                    let first = [near(at.0, c.x), near(at.1, c.y)];
                    let second = [near(p.x, c.x), near(p.y, c.y)];
                    self.numbers(&[first[0], first[1], second[0], second[1], p.x, p.y], "c");
                    at = (p.x, p.y);
                }
                PathSegment::CubicTo(a, b, p) => {
                    self.numbers(&[a.x, a.y, b.x, b.y, p.x, p.y], "c");
                    at = (p.x, p.y);
                }
                PathSegment::Close => self.content.push_str("h\n"),
            }
        }
    }

    /// The text of a node, invisible, where its letters are.
    fn text(&mut self, text: &Text) {
        for span in text.layouted() {
            let Some(first) = span.positioned_glyphs.first() else { continue };
            let size = first.font_size();
            // Of the glyph's transform what is left when its scale is taken away.
            let upright = Transform::from_scale(UNITS_PER_EM / size, -UNITS_PER_EM / size);
            let place = text.abs_transform().pre_concat(first.transform()).pre_concat(upright);
            let _ = writeln!(self.content, "BT\n3 Tr\n/F {} Tf", number_text(size * STRETCH));
            let Transform { sx, ky, kx, sy, tx, ty } = place;
            self.numbers(&[sx, ky, kx, sy, tx, ty], "Tm");
            let letters: String =
                span.positioned_glyphs.iter().flat_map(|glyph| glyph.text.chars()).collect();
            let _ = writeln!(self.content, "({}) Tj\nET", encoded(&letters));
        }
    }

    fn transform(&mut self, transform: Transform, operator: &str) {
        if !transform.is_identity() {
            let Transform { sx, ky, kx, sy, tx, ty } = transform;
            self.numbers(&[sx, ky, kx, sy, tx, ty], operator);
        }
    }

    fn color(&mut self, paint: &Paint, operator: &str) -> Result<(), RenderError> {
        let Paint::Color(color) = paint else { return Err(no_form("a gradient or a pattern")) };
        let shares = [color.red, color.green, color.blue].map(|share| f32::from(share) / 255.0);
        self.numbers(&shares, operator);
        Ok(())
    }

    fn numbers(&mut self, numbers: &[f32], operator: &str) {
        for number in numbers {
            self.content.push_str(&number_text(*number));
            self.content.push(' ');
        }
        self.content.push_str(operator);
        self.content.push('\n');
    }
}

fn no_form(what: &str) -> RenderError {
    RenderError::Drawing(format!("{what} has no form in our PDF"))
}

/// A number as PDF writes it: no exponent, four digits after the point at most.
fn number_text(number: f32) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text in the encoding of the invisible font; what it lacks is a question mark.
fn encoded(text: &str) -> String {
    let mut letters = String::new();
    for letter in text.chars() {
        match letter {
            '(' | ')' | '\\' => {
                letters.push('\\');
                letters.push(letter);
            }
            ' '..='~' => letters.push(letter),
            '\u{a0}'..='\u{ff}' => {
                let _ = write!(letters, "\\{:03o}", u32::from(letter));
            }
            '…' => letters.push_str("\\205"),
            '•' => letters.push_str("\\225"),
            '–' => letters.push_str("\\226"),
            '—' => letters.push_str("\\227"),
            _ => letters.push('?'),
        }
    }
    letters
}

/// A file of numbered objects and the table of where they begin.
struct File {
    bytes: Vec<u8>,
    places: Vec<usize>,
}

impl Default for File {
    fn default() -> File {
        // Four bytes that are no text say that the file is not to be treated as one.
        File { bytes: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), places: Vec::new() }
    }
}

impl File {
    fn object(&mut self, body: &[u8]) {
        self.places.push(self.bytes.len());
        self.bytes.extend(format!("{} 0 obj\n", self.places.len()).as_bytes());
        self.bytes.extend(body);
        self.bytes.extend(b"\nendobj\n");
    }

    fn end(mut self) -> Vec<u8> {
        let start = self.bytes.len();
        let count = self.places.len() + 1;
        let mut tail = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for place in &self.places {
            // Every row has twenty bytes.
            let _ = writeln!(tail, "{place:010} 00000 n ");
        }
        let _ =
            write!(tail, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        self.bytes.extend(tail.as_bytes());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, RenderError, render};
    use super::{encoded, number_text};

    fn drawing(body: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" \
             font-family=\"monospace\">{body}</svg>"
        )
    }

    /// What the page of a drawing says, unpacked.
    fn content(body: &str) -> String {
        let file = render(&drawing(body), Format::Pdf).unwrap();
        let find = |word: &[u8]| file.windows(word.len()).position(|part| part == word).unwrap();
        let (from, to) = (find(b"stream\n") + 7, find(b"\nendstream"));
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&file[from..to]).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_table_says_where_objects_begin() {
        let file = render(&drawing("<path d=\"M0 0h9v9z\"/>"), Format::Pdf).unwrap();
        let text = String::from_utf8_lossy(&file).into_owned();
        let start = text.rsplit("startxref\n").next().unwrap().lines().next().unwrap();
        let start: usize = start.parse().unwrap();
        let table = String::from_utf8(file[start..].to_vec()).unwrap();
        let mut lines = table.lines();
        assert_eq!((lines.next(), lines.next()), (Some("xref"), Some("0 6")));
        for (number, line) in lines.skip(1).take(5).enumerate() {
            let place: usize = line[..10].parse().unwrap();
            let head = format!("{} 0 obj\n", number + 1);
            assert!(file[place..].starts_with(head.as_bytes()), "{line}");
        }
        assert!(text.contains("/MediaBox [0 0 45 15]"), "{text}");
    }

    #[test]
    fn shapes_keep_colour_place_stroke_and_opacity() {
        let text = content(
            "<g transform=\"translate(5 3)\"><path fill=\"#FF0000\" stroke=\"#0000FF\" \
             stroke-width=\"2\" stroke-dasharray=\"4 3\" stroke-linecap=\"round\" \
             stroke-opacity=\"0.5\" d=\"M1 2h4v4z\"/></g>",
        );
        for part in
            ["1 0 0 1 5 3 cm", "1 0 0 rg", "0 0 1 RG", "2 w", "1 J", "[4 3] 0 d", "1 2 m\n5 2 l"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.contains("/G0 gs") && text.contains("h\nf\n") && text.contains("h\nS\n"));
        let file = render(&drawing("<path opacity=\"0.25\" d=\"M0 0h9v9z\"/>"), Format::Pdf);
        let file = String::from_utf8_lossy(&file.unwrap()).into_owned();
        assert!(file.contains("/G0 << /ca 0.25"), "{file}");
    }

    #[test]
    fn text_is_outlined_and_can_be_copied() {
        let text = content("<text x=\"4\" y=\"15\" font-size=\"10\">a(1) × ✓</text>");
        assert!(text.contains("3 Tr"), "{text}");
        assert!(text.contains("(a\\(1\\) \\327 ?) Tj"), "{text}");
        // Upright on the page, whose second axis was turned over, where the drawing has it.
        assert!(text.contains("1 0 0 -1 4 15 Tm"), "{text}");
        assert!(text.matches(" c\n").count() > 20, "{text}");
    }

    #[test]
    fn what_has_no_form_is_an_error() {
        let gradient = "<linearGradient id=\"a\"><stop offset=\"0\" stop-color=\"red\"/><stop \
                        offset=\"1\"/></linearGradient><path fill=\"url(#a)\" d=\"M0 0h9v9z\"/>";
        let error = render(&drawing(gradient), Format::Pdf).unwrap_err();
        assert!(matches!(error, RenderError::Drawing(_)), "{error}");
        assert!(error.to_string().contains("a gradient or a pattern has no form"), "{error}");
    }

    #[test]
    fn numbers_and_letters() {
        assert_eq!(number_text(1.5), "1.5");
        assert_eq!(number_text(-0.00001), "0");
        assert_eq!(number_text(120.0), "120");
        assert_eq!(encoded("é…\\"), "\\351\\205\\\\");
    }
}
