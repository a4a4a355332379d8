//! Draws grids, tasks and traces as terminal text and as SVG; lineages, merged graphs, runs over
//! time and line charts as SVG.
//!
//! Every value first becomes a [`Picture`], a small model of bounded size that knows cells, rows of
//! pictures and text; [`terminal`] and [`svg`] each draw a picture. What is drawn depends on the
//! arguments alone: nothing here reads the environment, prints, or needs a font or a network, and
//! the same picture always gives the same bytes.

mod block;
mod canvas;
mod cells;
pub mod curves;
pub mod graph;
mod layers;
pub mod lineage;
mod marks;
pub mod palette;
pub mod picture;
pub mod plot;
#[cfg(feature = "raster")]
pub mod raster;
pub mod svg;
pub mod terminal;
mod text;
pub mod tile;
pub mod view;

#[cfg(test)]
mod testing;

pub use cells::sign;
pub use curves::{Curve, CurvesView, OperatorView, RunPoint, RunView, curves_apart, curves_svg};
pub use graph::{GraphKind, GraphNode, GraphView, graph_svg};
pub use lineage::{LineageBox, LineageView, lineage_svg, scale_svg};
pub use marks::{ShownOutput, outputs_text, wrong_cells};
pub use palette::{Palette, Rgb, Theme};
pub use picture::{Picture, Spot, picture_of, picture_typed};
pub use plot::{LINES, Panel, Plot, Scale, Series, key_svg, plot_svg};
pub use svg::{SvgOptions, grid_svg, picture_svg, solved_svg, task_svg, trace_svg};
pub use terminal::{
    ColorChoice, ColorMode, TextOptions, detect, grid_text, picture_text, task_text, titled_text,
    trace_text,
};
pub use tile::{TILE_STYLE, Tile, tile_lines, tile_svg};
pub use view::{StepValue, TaskFigure, TraceStep, TraceView};
