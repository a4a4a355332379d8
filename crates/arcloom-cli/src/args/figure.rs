//! The arguments of everything that draws into a file.

use std::path::PathBuf;

/// How to draw into a file.
#[derive(Debug, clap::Args)]
pub(crate) struct FigureArgs {
    /// Draw into a file, an SVG, PNG or PDF by its name, or an SVG to standard output with `-`
    #[arg(long, short, alias = "svg", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the figure for a dark page
    #[arg(long, requires = "output")]
    pub(crate) dark: bool,
}

/// How the cells of grids are drawn there.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct CellArgs {
    /// Write every cell's number into the figure
    #[arg(long, requires = "output")]
    pub(crate) digits: bool,
    /// Draw a sign for each colour into the figure's cells
    #[arg(long, requires = "output")]
    pub(crate) symbols: bool,
}
