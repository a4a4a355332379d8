//! Pictures, tasks and traces as terminal text.
//!
//! In colour a grid is drawn in half blocks, two rows of cells per line, so that cells come out
//! nearly square. A grid with a number that is no colour is drawn in cells two columns wide instead,
//! with such numbers written out. Positions without a colour are white.
//!
//! Without colour each row is a line of characters: `.` for 0, digits, `a` to `f` for 10 to 15, `?`
//! for other numbers, `#` for a position without a colour and `-` where there is nothing, which
//! includes the grid in the background.
//!
//! Several pictures flow to the width given; a single grid wider than that is not broken.

use crate::block::{Block, Line, Pen, Style};
use crate::marks::marked;
use crate::palette::{Palette, Rgb};
use crate::picture::{Picture, Spot};
use crate::view::{PairView, StepValue, TaskFigure, TraceView};
use arcloom_value::Grid;

/// What a terminal understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorMode {
    /// 24-bit colours.
    TrueColor,
    /// The 256 colours of xterm.
    Ansi256,
    /// No escape sequences at all.
    Plain,
}

/// What the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorChoice {
    /// Colours if the output is a terminal that has them.
    #[default]
    Auto,
    /// Colours, even into a file.
    Always,
    /// No colours.
    Never,
}

/// How to write text.
#[derive(Debug, Clone, Copy)]
pub struct TextOptions {
    /// What the terminal understands.
    pub mode: ColorMode,
    /// The colours of cells.
    pub palette: Palette,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> TextOptions {
        TextOptions { mode: ColorMode::Plain, palette: Palette::CLASSIC, width: 80 }
    }
}

/// Chooses the mode from what the caller found in its environment: whether the output is a terminal,
/// and the variables `NO_COLOR`, `COLORTERM` and `TERM`. An empty `NO_COLOR` counts as unset. An
/// explicit choice goes before everything else.
pub fn detect(
    is_tty: bool,
    no_color: Option<&str>,
    colorterm: Option<&str>,
    term: Option<&str>,
    choice: ColorChoice,
) -> ColorMode {
    let unwanted = match choice {
        ColorChoice::Never => true,
        ColorChoice::Always => false,
        ColorChoice::Auto => {
            let poor = term.is_none_or(|term| term.is_empty() || term == "dumb");
            !is_tty
                || no_color.is_some_and(|value| !value.is_empty())
                || (poor && colorterm.is_none())
        }
    };
    let direct = matches!(colorterm, Some("truecolor" | "24bit"))
        || term.is_some_and(|term| term.ends_with("-direct"));
    match (unwanted, direct) {
        (true, _) => ColorMode::Plain,
        (false, true) => ColorMode::TrueColor,
        (false, false) => ColorMode::Ansi256,
    }
}

/// A grid with its size below.
pub fn grid_text(grid: &Grid, options: &TextOptions) -> String {
    picture_text(&Picture::grid(grid), options)
}

/// A picture.
pub fn picture_text(picture: &Picture, options: &TextOptions) -> String {
    draw(picture, options, options.width).into_string()
}

/// Pictures side by side, each below its title.
pub fn titled_text(parts: &[(&str, &Picture)], options: &TextOptions) -> String {
    titled(parts, options).into_string()
}

/// A task: its name, then each pair as `input → output`, demonstrations before tests. An output that
/// is not known is a question mark.
pub fn task_text(task: &TaskFigure<'_>, options: &TextOptions) -> String {
    let title = Block::text(&format!("task {}", task.id), options.width, Style::Bold, options.mode);
    let pairs = task.pairs().iter().map(|pair| draw_pair(pair, options)).collect();
    title.and_space(1).above(Block::flow(pairs, 4, options.width)).into_string()
}

/// A trace: the input and the output hoped for, then each line of the program with its value, then
/// whether the last value is the one hoped for.
pub fn trace_text(trace: &TraceView, options: &TextOptions) -> String {
    let (width, mode) = (options.width, options.mode);
    let mut parts = vec![("input", &trace.input)];
    parts.extend(trace.expected.iter().map(|expected| ("expected", expected)));
    let mut page = Block::text(&trace.title, width, Style::Bold, mode).and_space(1);
    page = page.above(titled(&parts, options));
    for step in &trace.steps {
        let code = Block::text(&step.code, width, Style::Bold, mode);
        let ty = if step.ty.is_empty() { String::new() } else { format!(": {}", step.ty) };
        let ty = Block::text(&ty, width, Style::Dim, mode);
        let head = if code.width() + 2 + ty.width() <= width {
            Block::beside(&[code, ty], 2)
        } else {
            code.above(ty.indent(4))
        };
        let value = match &step.value {
            StepValue::Ok(picture) => draw(picture, options, width.saturating_sub(4)),
            StepValue::Failed(reason) => {
                let reason = format!("✗ failed: {reason}");
                Block::text(&reason, width.saturating_sub(4), Style::Bad, mode)
            }
        };
        page = page.and_space(1).above(head);
        for note in &step.notes {
            let note = Block::text(note, width.saturating_sub(4), Style::Dim, mode);
            page = page.above(note.indent(4));
        }
        page = page.above(value.indent(4));
    }
    match trace.matches() {
        Some(true) => {
            let verdict = Line::new("✓ the expected output", Style::Good, mode);
            page.and_space(1).above(Block::new(vec![verdict])).into_string()
        }
        Some(false) => {
            let verdict = Line::new("✗ not the expected output", Style::Bad, mode);
            let verdict = page.and_space(1).above(Block::new(vec![verdict]));
            match beside_expected(trace, options) {
                Some(both) => verdict.and_space(1).above(both).into_string(),
                None => verdict.into_string(),
            }
        }
        None => page.into_string(),
    }
}

/// What came out beside what is expected, wrong cells marked; `None` where that is no grid.
fn beside_expected(trace: &TraceView, options: &TextOptions) -> Option<Block> {
    let StepValue::Ok(Picture::Grid { cells, ghost: None, .. }) = &trace.steps.last()?.value else {
        return None;
    };
    let expected = trace.expected.as_ref()?;
    let Picture::Grid { cells: right, .. } = expected else { return None };
    let title = |text: &str| Block::text(text, options.width, Style::Bold, options.mode);
    let given = title("output").above(marked(cells, right, options));
    let expected = title("expected").above(draw(expected, options, options.width));
    Some(Block::flow(vec![given, expected], 4, options.width))
}

/// Pictures side by side, each below its title.
fn titled(parts: &[(&str, &Picture)], options: &TextOptions) -> Block {
    let blocks = parts.iter().map(|(title, picture)| {
        let title = Block::text(title, options.width, Style::Bold, options.mode);
        title.above(draw(picture, options, options.width))
    });
    Block::flow(blocks.collect(), 4, options.width)
}

/// Title, input, arrow, output; below each other where they do not fit beside each other.
fn draw_pair(pair: &PairView, options: &TextOptions) -> Block {
    let dim = |text: &str| Block::new(vec![Line::new(text, Style::Dim, options.mode)]);
    let title = Block::new(vec![Line::new(&pair.title, Style::Bold, options.mode)]);
    let input = draw(&pair.input, options, options.width);
    let (output, mark_line) = match &pair.output {
        Some(output) => (draw(output, options, options.width), 0),
        None => (Block::new(vec![Line::new("?", Style::Bold, options.mode)]), 1),
    };
    if input.width() + 5 + output.width() > options.width {
        return title.above(input).above(dim("↓")).above(output);
    }
    // The middle line of the input's cells, its caption left aside.
    let middle = input.height().saturating_sub(2) / 2;
    let arrow = dim("→").down(middle);
    let output = output.down(mark_line * middle);
    title.above(Block::beside(&[input, arrow, output], 2))
}

/// A picture as a block.
pub(crate) fn draw(picture: &Picture, options: &TextOptions, width: usize) -> Block {
    match picture {
        Picture::Text(text) => Block::text(text, width, Style::Plain, options.mode),
        Picture::Row(parts) => {
            let blocks = parts.iter().map(|part| draw(part, options, width)).collect();
            Block::flow(blocks, 3, width)
        }
        Picture::Grid { cells, ghost, caption, .. } => {
            let lines = if options.mode == ColorMode::Plain {
                plain_lines(cells)
            } else {
                color_lines(cells, ghost.as_ref(), options)
            };
            let block = Block::new(lines);
            if caption.is_empty() {
                return block;
            }
            let width = block.width().max(width.min(32));
            block.above(Block::text(caption, width, Style::Dim, options.mode))
        }
    }
}

/// One character per cell.
fn plain_lines(cells: &[Vec<Spot>]) -> Vec<Line> {
    let row = |row: &Vec<Spot>| row.iter().map(symbol).collect::<String>();
    cells.iter().map(|r| Line::new(&row(r), Style::Plain, ColorMode::Plain)).collect()
}

/// The character of a cell without colours.
pub(crate) fn symbol(spot: &Spot) -> char {
    match *spot {
        Spot::Empty => '-',
        Spot::Mark => '#',
        Spot::Color(0) => '.',
        Spot::Color(n) => {
            u32::try_from(n).ok().and_then(|n| char::from_digit(n, 16)).unwrap_or('?')
        }
    }
}

/// Half blocks, or wide cells when a number has to be written out.
fn color_lines(cells: &[Vec<Spot>], ghost: Option<&Grid>, options: &TextOptions) -> Vec<Line> {
    let (palette, theme) = (&options.palette, &options.palette.dark);
    let color = |i: usize, j: usize| -> Option<Rgb> {
        match *cells.get(i)?.get(j)? {
            Spot::Color(n) => Some(palette.color(n).unwrap_or(theme.foreign)),
            Spot::Mark => Some(theme.mark),
            Spot::Empty => {
                let behind = palette.color(ghost?.get(i as i64, j as i64)?.into());
                Some(theme.faded(behind.unwrap_or(theme.foreign)))
            }
        }
    };
    let foreign = |spot: &Spot| match *spot {
        Spot::Color(n) if palette.color(n).is_none() => Some(n),
        _ => None,
    };
    let mut lines = Vec::new();
    if cells.iter().flatten().any(|spot| foreign(spot).is_some()) {
        for (i, row) in cells.iter().enumerate() {
            let mut pen = Pen::new(options.mode);
            for (j, spot) in row.iter().enumerate() {
                let (label, ink) = match foreign(spot) {
                    Some(n) if (-9..=99).contains(&n) => {
                        (format!("{n:>2}"), Some(theme.foreign.ink()))
                    }
                    Some(_) => ("??".to_owned(), Some(theme.foreign.ink())),
                    None => ("  ".to_owned(), None),
                };
                pen.put(&label, ink, color(i, j));
            }
            lines.push(pen.finish());
        }
        return lines;
    }
    for i in (0..cells.len()).step_by(2) {
        let mut pen = Pen::new(options.mode);
        for j in 0..cells[i].len() {
            match (color(i, j), color(i + 1, j)) {
                (None, None) => pen.put(" ", None, None),
                (None, lower) => pen.put("▄", lower, None),
                (upper, lower) => pen.put("▀", upper, lower),
            }
        }
        lines.push(pen.finish());
    }
    lines
}

#[cfg(test)]
mod tests;
