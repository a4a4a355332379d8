//! The arguments of everything that draws into a file.

use std::path::PathBuf;

/// How to draw into a file.
#[derive(Debug, clap::Args)]
pub(crate) struct FigureArgs {
    /// Draw into a file: .svg, .png or .pdf; `-` is standard output [default: none]
    #[arg(long, short, alias = "svg", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw for a dark page
    #[arg(long, requires = "output")]
    pub(crate) dark: bool,
}

/// How the cells of grids are drawn there.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct CellArgs {
    /// Write the number of every cell into the figure
    #[arg(long, requires = "output")]
    pub(crate) digits: bool,
    /// Draw a sign for each colour into the figure
    #[arg(long, requires = "output")]
    pub(crate) symbols: bool,
}
