//! Pictures, tasks and traces as SVG.
//!
//! A file stands alone: cells are one path per colour, text is in the viewer's own monospace font,
//! and there is nothing to fetch or run. The same arguments give the same bytes.
//!
//! A task is laid out in columns, inputs above outputs, with cells made small enough (but no smaller
//! than [`TASK_CELL`]) for all of them to stand in [`PAGE_WIDTH`]; what does not fit continues below.
//! A trace has a line per step: the code on the left, its value on
//! the right, with cells made small enough for a grid to stay within [`STEP_SIDE`].

use arcloom_value::Grid;

use crate::canvas::{Font, Piece, Px, px, rows};
use crate::cells::{CellStyle, draw_cells};
use crate::palette::{Palette, Rgb, Theme};
use crate::picture::Picture;
use crate::text::columns;
use crate::view::{PairView, StepValue, TaskFigure, TraceStep, TraceView};

/// Pixels after which columns and rows of pictures continue below.
pub const PAGE_WIDTH: i64 = 1200;
/// Pixels of a cell below which a task continues in a second row rather than shrink further.
pub const TASK_CELL: i64 = 7;
/// Most pixels a side of a grid takes in a trace.
pub const STEP_SIDE: i64 = 240;
/// Most columns of a line of code in a trace; longer lines are broken.
const CODE_COLUMNS: usize = 52;
/// Most columns of a line of a whole program.
const PROGRAM_COLUMNS: usize = 110;
/// Most columns of a value written as text.
const TEXT_COLUMNS: usize = 72;
/// Room between two pairs of a task.
const COLUMN_GAP: Px = px(28);
/// Room around a drawing.
const MARGIN: Px = px(16);

/// How to draw.
#[derive(Debug, Clone, Copy)]
pub struct SvgOptions {
    /// Side of a cell in pixels, 1 to 200. Tasks and traces use smaller cells where that keeps a
    /// drawing in bounds.
    pub cell: f32,
    /// The colours of cells.
    pub palette: Palette,
    /// Writes every cell's number into it, for reading without seeing colours. Cells below nine
    /// pixels have no room for it.
    pub digits: bool,
    /// Draws a sign of its own on the cells of each colour but 0, for telling colours apart without
    /// reading. Cells below five pixels have no room for it.
    pub symbols: bool,
    /// Draws for a dark page.
    pub dark: bool,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions {
            cell: 18.0,
            palette: Palette::CLASSIC,
            digits: false,
            symbols: false,
            dark: false,
        }
    }
}

/// A grid with its size below.
pub fn grid_svg(grid: &Grid, options: &SvgOptions) -> String {
    picture_svg(&Picture::grid(grid), options)
}

/// A picture.
pub fn picture_svg(picture: &Picture, options: &SvgOptions) -> String {
    let draft = Draft::new(options, None);
    let name = match picture {
        Picture::Grid { caption, .. } => caption.as_str(),
        Picture::Row(_) => "values",
        Picture::Text(text) => text.as_str(),
    };
    draft.picture(picture).into_svg(name, MARGIN, draft.theme.background)
}

/// A task: its name, then a column per pair, demonstrations before tests.
pub fn task_svg(task: &TaskFigure<'_>, options: &SvgOptions) -> String {
    let mut draft = Draft::new(options, None);
    let title = format!("task {}", task.id);
    draft.task(task, &title).into_svg(&title, MARGIN, draft.theme.background)
}

/// A task that was solved: its pairs, where the outputs of tests are what is handed in, and below them
/// the program that gives these outputs.
pub fn solved_svg(
    task: &TaskFigure<'_>,
    title: &str,
    program: &str,
    options: &SvgOptions,
) -> String {
    let mut draft = Draft::new(options, None);
    let mut page = draft.task(task, title);
    let code: Vec<Piece> = program
        .lines()
        .map(|line| Piece::text(line, PROGRAM_COLUMNS, draft.font(13, false)))
        .collect();
    let code = Piece::stack(&code, 0);
    let y = page.height + px(16);
    page.width = page.width.max(code.width);
    page.rule((0, y), (page.width, y), draft.theme.rule);
    page.place(0, y + px(12), &code);
    page.into_svg(title, MARGIN, draft.theme.background)
}

/// A trace: the input and the output hoped for, then a line per step, then whether the last value is
/// the one hoped for.
pub fn trace_svg(trace: &TraceView, options: &SvgOptions) -> String {
    let draft = Draft::new(options, Some(px(STEP_SIDE)));
    let code = draft.font(13, true);
    let texts = |step: &TraceStep| {
        let texts = [&step.code, &step.ty].into_iter().chain(&step.notes);
        texts.map(|text| columns(text)).max()
    };
    let longest = trace.steps.iter().filter_map(texts).max();
    let longest = longest.unwrap_or(0).clamp(12, CODE_COLUMNS);
    let left = code.width(&"m".repeat(longest)) + px(24);
    let steps: Vec<_> = trace.steps.iter().map(|step| draft.step(step, longest)).collect();

    let mut head = vec![draft.titled("input", &trace.input)];
    head.extend(trace.expected.iter().map(|expected| draft.titled("expected", expected)));
    let title = Piece::text(&trace.title, TEXT_COLUMNS, draft.font(15, true));
    let head = Piece::beside(&head, px(28));
    let mut page = Piece::stack(&[title, head], px(12));

    let widest = steps.iter().map(|(_, value)| left + value.width).max().unwrap_or(0);
    page.width = page.width.max(widest);
    for (head, value) in &steps {
        let y = page.height + px(14);
        page.rule((0, y), (page.width, y), draft.theme.rule);
        page.place(0, y + px(13), head);
        page.place(left, y + px(14), value);
    }
    if let Some(matches) = trace.matches() {
        let (text, fill) = match matches {
            true => ("✓ the expected output", draft.theme.good),
            false => ("✗ not the expected output", draft.theme.bad),
        };
        let y = page.height + px(14);
        page.rule((0, y), (page.width, y), draft.theme.rule);
        let verdict = Piece::text(text, TEXT_COLUMNS, Font { fill, ..draft.font(13, true) });
        page.place(0, y + px(12), &verdict);
    }
    if let Some(wrong) = trace.wrong_cells() {
        let mut parts = vec![draft.titled("wrong cells", &wrong)];
        parts.extend(trace.expected.iter().map(|expected| draft.titled("expected", expected)));
        let parts = Piece::beside(&parts, px(28));
        page.width = page.width.max(parts.width);
        let y = page.height + px(14);
        page.place(0, y, &parts);
    }
    page.into_svg(&trace.title, MARGIN, draft.theme.background)
}

/// The largest cell with which all pairs of a task stand side by side, in whole pixels.
fn task_cell(pairs: &[PairView]) -> Px {
    let columns = |picture: &Picture| match picture {
        Picture::Grid { cells, .. } => cells.first().map_or(0, Vec::len) as i64,
        _ => 0,
    };
    let widest =
        |pair: &PairView| columns(&pair.input).max(pair.output.as_ref().map_or(0, columns));
    let total: i64 = pairs.iter().map(widest).sum();
    let room = px(PAGE_WIDTH) - COLUMN_GAP * pairs.len() as i64;
    px((room / 100 / total.max(1)).max(TASK_CELL))
}

/// The options, checked, and what follows from them.
struct Draft<'a> {
    cell: Px,
    /// Most room for a side of a grid.
    side: Option<Px>,
    palette: &'a Palette,
    theme: &'a Theme,
    digits: bool,
    symbols: bool,
}

impl<'a> Draft<'a> {
    fn new(options: &'a SvgOptions, side: Option<Px>) -> Draft<'a> {
        let cell = if options.cell.is_finite() { options.cell } else { SvgOptions::default().cell };
        Draft {
            cell: (cell.clamp(1.0, 200.0) * 100.0).round() as Px,
            side,
            palette: &options.palette,
            theme: options.palette.theme(options.dark),
            digits: options.digits,
            symbols: options.symbols,
        }
    }

    fn font(&self, size: i64, bold: bool) -> Font {
        Font { size, bold, fill: self.theme.text }
    }

    fn muted(&self, size: i64) -> Font {
        Font { size, bold: false, fill: self.theme.muted }
    }

    /// A picture, captions included.
    fn picture(&self, picture: &Picture) -> Piece {
        match picture {
            Picture::Text(text) => Piece::text(text, TEXT_COLUMNS, self.font(13, false)),
            Picture::Row(parts) => {
                let parts = parts.iter().map(|part| self.picture(part)).collect();
                let bands: Vec<Piece> = rows(parts, px(16), px(PAGE_WIDTH) * 2 / 3)
                    .iter()
                    .map(|row| Piece::beside(row, px(16)))
                    .collect();
                Piece::stack(&bands, px(12))
            }
            Picture::Grid { cells, ghost, groups, caption } => {
                let sides = cells.len().max(cells.first().map_or(0, Vec::len)) as i64;
                // Whole pixels keep lines sharp.
                let fitting = self.side.map(|side| (side / sides.max(1) / 100 * 100).max(px(3)));
                let style = CellStyle {
                    cell: fitting.map_or(self.cell, |cell| cell.min(self.cell)),
                    palette: self.palette,
                    theme: self.theme,
                    digits: self.digits,
                    symbols: self.symbols,
                };
                let grid = draw_cells(cells, ghost.as_ref(), groups, &style);
                if caption.is_empty() {
                    return grid;
                }
                let font = self.muted(11);
                let columns = (grid.width / (font.size * 61)).max(32) as usize;
                Piece::stack(&[grid, Piece::text(caption, columns, font)], px(4))
            }
        }
    }

    /// The pairs of a task below a title, with cells small enough for them.
    fn task(&mut self, task: &TaskFigure<'_>, title: &str) -> Piece {
        let pairs = task.pairs();
        self.cell = self.cell.min(task_cell(&pairs));
        let inputs: Vec<Piece> = pairs.iter().map(|pair| self.input(pair)).collect();
        let outputs: Vec<Piece> = pairs.iter().map(|pair| self.output(pair)).collect();
        let widths =
            inputs.iter().zip(&outputs).map(|(a, b)| Piece::blank(a.width.max(b.width), 0));
        let mut page = vec![Piece::text(title, TEXT_COLUMNS, self.font(15, true))];
        let mut at = 0;
        for row in rows(widths.collect(), COLUMN_GAP, px(PAGE_WIDTH)) {
            let range = at..at + row.len();
            at = range.end;
            page.push(self.band(
                &row,
                &inputs[range.clone()],
                &outputs[range.clone()],
                &pairs[range],
            ));
        }
        Piece::stack(&page, px(16))
    }

    /// A picture below a small title.
    fn titled(&self, title: &str, picture: &Picture) -> Piece {
        let title = Piece::text(title, TEXT_COLUMNS, self.muted(12));
        Piece::stack(&[title, self.picture(picture)], px(4))
    }

    /// Title and input of a pair.
    fn input(&self, pair: &PairView) -> Piece {
        let font = if pair.is_test { self.font(12, true) } else { self.muted(12) };
        let title = Piece::text(&pair.title, TEXT_COLUMNS, font);
        Piece::stack(&[title, self.picture(&pair.input)], px(4))
    }

    /// Output of a pair; a frame with a question mark where it is not known.
    fn output(&self, pair: &PairView) -> Piece {
        match &pair.output {
            Some(output) => self.picture(output),
            None => unknown(self.theme),
        }
    }

    /// One row of pairs: inputs, arrows, outputs, and a line between demonstrations and tests.
    fn band(
        &self,
        widths: &[Piece],
        inputs: &[Piece],
        outputs: &[Piece],
        pairs: &[PairView],
    ) -> Piece {
        let tallest = inputs.iter().map(|piece| piece.height).max().unwrap_or(0);
        let arrow = Piece::text("↓", 8, self.muted(16));
        let lower = tallest + px(2) + arrow.height + px(6);
        let mut band = Piece::default();
        let mut breaks = Vec::new();
        let mut x = 0;
        for k in 0..pairs.len() {
            if k > 0 && pairs[k].is_test && !pairs[k - 1].is_test {
                breaks.push(x - COLUMN_GAP / 2);
            }
            band.place(x, 0, &inputs[k]);
            band.place(x, tallest + px(2), &arrow);
            band.place(x, lower, &outputs[k]);
            x += widths[k].width + COLUMN_GAP;
        }
        for x in breaks {
            band.rule((x, 0), (x, band.height), self.theme.rule);
        }
        band
    }

    /// Code and type of a step, and its value.
    fn step(&self, step: &TraceStep, columns: usize) -> (Piece, Piece) {
        let mut head = vec![Piece::text(&step.code, columns, self.font(13, true))];
        if !step.ty.is_empty() {
            head.push(Piece::text(&step.ty, columns, self.muted(12)));
        }
        head.extend(step.notes.iter().map(|note| Piece::text(note, columns, self.muted(12))));
        let value = match &step.value {
            StepValue::Ok(picture) => self.picture(picture),
            StepValue::Failed(reason) => {
                let font = Font { fill: self.theme.bad, ..self.font(13, false) };
                Piece::text(&format!("✗ {reason}"), TEXT_COLUMNS, font)
            }
        };
        (Piece::stack(&head, px(1)), value)
    }
}

/// A dashed square with a question mark.
fn unknown(theme: &Theme) -> Piece {
    let side = px(54);
    let Theme { rule, muted, absent, .. } = theme;
    let body = format!(
        "<path fill=\"{absent}\" stroke=\"{}\" stroke-dasharray=\"4 3\" d=\"M0 0h54v54h-54z\"/>\n\
         <text x=\"27\" y=\"35\" font-size=\"22\" text-anchor=\"middle\" fill=\"{muted}\">?</text>\n",
        Rgb::mix(*rule, *muted, 50),
    );
    Piece { width: side, height: side, body }
}

#[cfg(test)]
mod tests;
