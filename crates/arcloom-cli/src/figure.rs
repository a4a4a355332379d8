//! Drawings into files: SVG, PNG and PDF.

use std::path::Path;

use anyhow::{Context, Result};
use arcloom::draw::SvgOptions;
use arcloom_draw::raster::{Format, render};

use crate::args::figure::{CellArgs, FigureArgs};
use crate::file;
use crate::paint::visible;
use crate::session::Session;

/// Draws into the file that was asked for and says so in a line that ends in `what`; false when no
/// file was.
pub(crate) fn write(
    args: &FigureArgs,
    cells: CellArgs,
    session: &mut Session<'_>,
    what: &str,
    draw: impl FnOnce(&SvgOptions) -> String,
) -> Result<bool> {
    let Some(path) = &args.output else { return Ok(false) };
    let options = SvgOptions {
        palette: session.text.palette,
        dark: args.dark,
        digits: cells.digits,
        symbols: cells.symbols,
        ..SvgOptions::default()
    };
    if let Some(place) = save(path, &draw(&options), session)? {
        writeln!(session.out, "{place}: {what}")?;
    }
    Ok(true)
}

/// Writes a drawing in the form that the file's name says; gives the file as messages name it, and nothing
/// for standard output.
pub(crate) fn save(path: &Path, svg: &str, session: &mut Session<'_>) -> Result<Option<String>> {
    let place = visible(&path.to_string_lossy());
    let format = Format::of(path).with_context(|| place.clone())?;
    if file::is_stdout(path) {
        session.out.write_all(svg.as_bytes())?;
        return Ok(None);
    }
    file::write(path, &render(svg, format).with_context(|| place.clone())?)?;
    Ok(Some(place))
}
