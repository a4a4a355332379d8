//! Drawings as PNG and PDF, made from the SVG text that `arcloom-draw` writes.
//!
//! The SVG is the one drawing; here it only changes form. Text is set in DejaVu Sans Mono, which is
//! part of the program: what comes out does not depend on the fonts of a machine, and a machine
//! without fonts draws the same. Nothing is read from the system or fetched, and the same text gives
//! the same bytes.

mod pdf;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Most pixels of a PNG. What is larger is drawn smaller.
pub const MAX_PIXELS: f32 = 64e6;
/// Pixels of a PNG per pixel of the drawing, which keeps it sharp in print and on fine screens.
const SCALE: f32 = 2.0;
/// Below this many pixels per pixel of the drawing nothing could be read.
const LEAST_SCALE: f32 = 0.25;

/// A form of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The drawing as it is.
    Svg,
    /// Pixels, two for one in both directions.
    Png,
    /// A page of the drawing's size.
    Pdf,
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The user's: the name of a file says no form.
    #[error("`.{0}` is no form of a figure; end the name with .svg, .png or .pdf")]
    Extension(String),
    /// The user's: too large for pixels.
    #[error("the drawing is {0} by {1} pixels, too large for a PNG; write an SVG or a PDF instead")]
    TooLarge(u64, u64),
    /// Ours: a drawing that is none.
    #[error("the drawing cannot be read ({0}); please report it with the command you typed")]
    Drawing(String),
}

impl Format {
    /// The form that a file's name asks for; SVG when it has no extension.
    pub fn of(path: &Path) -> Result<Format, RenderError> {
        let extension = path.extension().map(|text| text.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            None | Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("pdf") => Ok(Format::Pdf),
            Some(other) => Err(RenderError::Extension(other.to_owned())),
        }
    }
}

/// The only font.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans_mono::regular().to_vec());
    fonts.load_font_data(dejavu::sans_mono::bold().to_vec());
    // Whatever family a drawing names, this is what there is.
    let family = "DejaVu Sans Mono";
    fonts.set_monospace_family(family);
    fonts.set_serif_family(family);
    fonts.set_sans_serif_family(family);
    Arc::new(fonts)
});

/// A drawing in a form.
pub fn render(svg: &str, format: Format) -> Result<Vec<u8>, RenderError> {
    match format {
        Format::Svg => Ok(svg.as_bytes().to_vec()),
        Format::Png => png(&tree(svg)?),
        Format::Pdf => pdf::pdf(&tree(svg)?),
    }
}

fn tree(svg: &str) -> Result<Tree, RenderError> {
    let options = Options { fontdb: FONTS.clone(), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|cause| RenderError::Drawing(cause.to_string()))
}

fn png(tree: &Tree) -> Result<Vec<u8>, RenderError> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = SCALE.min((MAX_PIXELS / (width * height)).sqrt());
    let too_large = || RenderError::TooLarge(width as u64, height as u64);
    if scale < LEAST_SCALE {
        return Err(too_large());
    }
    let side = |length: f32| (length * scale).ceil().max(1.0) as u32;
    let mut pixels = Pixmap::new(side(width), side(height)).ok_or_else(too_large)?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|cause| RenderError::Drawing(cause.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" \
        viewBox=\"0 0 60 20\" font-family=\"monospace\"><rect width=\"60\" height=\"20\" \
        fill=\"#FFFFFF\"/><text y=\"15\" font-size=\"14\" fill=\"#000000\">✓ ok ↓</text></svg>";

    /// Dark pixels of a PNG.
    fn dark(svg: &str) -> usize {
        let png = render(svg, Format::Png).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (120, 40));
        pixels.pixels().iter().filter(|pixel| pixel.red() < 100).count()
    }

    #[test]
    fn names_say_the_form() {
        for (name, format) in [
            ("a.svg", Format::Svg),
            ("a.PNG", Format::Png),
            ("b.c.pdf", Format::Pdf),
            ("-", Format::Svg),
        ] {
            assert_eq!(Format::of(Path::new(name)).unwrap(), format);
        }
        let error = Format::of(Path::new("a.jpg")).unwrap_err().to_string();
        assert_eq!(error, "`.jpg` is no form of a figure; end the name with .svg, .png or .pdf");
    }

    #[test]
    fn text_is_drawn_without_any_font_of_the_machine() {
        assert!(dark(SVG) > 200, "{}", dark(SVG));
        // Marks and arrows have letters too.
        for (sign, least) in [("✓", 10), ("↓", 10), ("×", 10), ("…", 4)] {
            let one = SVG.replace("✓ ok ↓", sign);
            assert!(dark(&one) > least, "{sign}: {}", dark(&one));
        }
        let bold = SVG.replace("<text", "<text font-weight=\"bold\"");
        assert!(dark(&bold) > dark(SVG));
    }

    #[test]
    fn the_same_drawing_gives_the_same_bytes() {
        for format in [Format::Png, Format::Pdf] {
            assert_eq!(render(SVG, format).unwrap(), render(SVG, format).unwrap());
        }
        let pdf = render(SVG, Format::Pdf).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 60_000, "{}", pdf.len());
    }

    #[test]
    fn what_is_too_large_is_drawn_smaller_or_refused() {
        let sized = |side: u32| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\"/>"
            )
        };
        let png = render(&sized(5000), Format::Png).unwrap();
        assert_eq!(Pixmap::decode_png(&png).unwrap().width(), 8000);
        let error = render(&sized(50_000), Format::Png).unwrap_err().to_string();
        assert!(error.contains("50000 by 50000 pixels"), "{error}");
        assert!(render("no drawing", Format::Pdf).is_err());
    }
}
