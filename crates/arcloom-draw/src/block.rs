//! Blocks of terminal lines: building coloured lines, and putting blocks beside and below another.
//!
//! A line remembers how many columns it takes, since escape sequences take none. Lines are padded
//! only where something follows them, so nothing ends in spaces.

use crate::palette::Rgb;
use crate::terminal::ColorMode;
use crate::text::{clean, columns, wrap};

/// One line and the columns it takes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    text: String,
    columns: usize,
}

/// How a piece of text is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Good,
    Bad,
}

impl Line {
    /// A line of clean text.
    pub(crate) fn new(text: &str, style: Style, mode: ColorMode) -> Line {
        let text = clean(text);
        let code = match style {
            Style::Plain => None,
            Style::Bold => Some("1"),
            Style::Dim => Some("2"),
            Style::Good => Some("32"),
            Style::Bad => Some("31"),
        };
        let columns = columns(&text);
        match code {
            Some(code) if mode != ColorMode::Plain && columns > 0 => {
                Line { text: format!("\x1b[{code}m{text}\x1b[0m"), columns }
            }
            _ => Line { text, columns },
        }
    }

    /// Puts `other` behind this line, starting at column `at`.
    pub(crate) fn append(&mut self, at: usize, other: &Line) {
        if other.columns > 0 {
            self.text.extend(std::iter::repeat_n(' ', at.saturating_sub(self.columns)));
            self.columns = self.columns.max(at) + other.columns;
            self.text.push_str(&other.text);
        }
    }
}

/// Writes one line of coloured characters, naming a colour only where it changes.
pub(crate) struct Pen {
    mode: ColorMode,
    line: Line,
    colors: [Option<Rgb>; 2],
}

impl Pen {
    pub(crate) fn new(mode: ColorMode) -> Pen {
        Pen { mode, line: Line::default(), colors: [None; 2] }
    }

    /// Adds text of one column per character; `None` is the terminal's own colour.
    pub(crate) fn put(&mut self, text: &str, fore: Option<Rgb>, back: Option<Rgb>) {
        let mut codes = Vec::new();
        for (k, color) in [fore, back].into_iter().enumerate() {
            if self.mode != ColorMode::Plain && self.colors[k] != color {
                let base = 38 + 10 * k;
                codes.push(match (color, self.mode) {
                    (None, _) => format!("{}", base + 1),
                    (Some(rgb), ColorMode::Ansi256) => format!("{base};5;{}", rgb.xterm()),
                    (Some(Rgb(r, g, b)), _) => format!("{base};2;{r};{g};{b}"),
                });
                self.colors[k] = color;
            }
        }
        if !codes.is_empty() {
            self.line.text.push_str(&format!("\x1b[{}m", codes.join(";")));
        }
        self.line.text.push_str(text);
        self.line.columns += columns(text);
    }

    /// The finished line, with colours switched off again.
    pub(crate) fn finish(mut self) -> Line {
        if self.colors != [None; 2] {
            self.line.text.push_str("\x1b[0m");
        }
        self.line
    }
}

/// Lines below each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    lines: Vec<Line>,
}

impl Block {
    pub(crate) fn new(lines: Vec<Line>) -> Block {
        Block { lines }
    }

    /// Text wrapped to a width.
    pub(crate) fn text(text: &str, width: usize, style: Style, mode: ColorMode) -> Block {
        Block::new(wrap(text, width).iter().map(|line| Line::new(line, style, mode)).collect())
    }

    pub(crate) fn width(&self) -> usize {
        self.lines.iter().map(|line| line.columns).max().unwrap_or(0)
    }

    pub(crate) fn height(&self) -> usize {
        self.lines.len()
    }

    /// This block with another below it.
    pub(crate) fn above(mut self, below: Block) -> Block {
        self.lines.extend(below.lines);
        self
    }

    /// This block with `n` empty lines below it.
    pub(crate) fn and_space(mut self, n: usize) -> Block {
        self.lines.extend(std::iter::repeat_n(Line::default(), n));
        self
    }

    /// This block with `n` empty lines above it.
    pub(crate) fn down(mut self, n: usize) -> Block {
        self.lines.splice(0..0, std::iter::repeat_n(Line::default(), n));
        self
    }

    /// This block moved to the right.
    pub(crate) fn indent(mut self, by: usize) -> Block {
        for line in &mut self.lines {
            let inner = std::mem::take(line);
            line.append(by, &inner);
        }
        self
    }

    /// Blocks side by side, their tops aligned.
    pub(crate) fn beside(blocks: &[Block], gap: usize) -> Block {
        let mut lines = vec![Line::default(); blocks.iter().map(Block::height).max().unwrap_or(0)];
        let mut at = 0;
        for block in blocks {
            for (line, part) in lines.iter_mut().zip(&block.lines) {
                line.append(at, part);
            }
            at += block.width() + gap;
        }
        Block::new(lines)
    }

    /// Blocks side by side, as many as fit the width, the next ones below after an empty line. A
    /// block wider than that stands alone.
    pub(crate) fn flow(blocks: Vec<Block>, gap: usize, width: usize) -> Block {
        let mut page = Block::default();
        let mut band: Vec<Block> = Vec::new();
        let mut used = 0;
        for block in blocks {
            if !band.is_empty() && used + gap + block.width() > width {
                page = page.above(Block::beside(&band, gap)).and_space(1);
                band.clear();
                used = 0;
            }
            used += block.width() + if band.is_empty() { 0 } else { gap };
            band.push(block);
        }
        page.above(Block::beside(&band, gap))
    }

    /// All lines, each ended.
    pub(crate) fn into_string(self) -> String {
        self.lines.into_iter().fold(String::new(), |mut out, line| {
            out.push_str(&line.text);
            out.push('\n');
            out
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: &[&str]) -> Block {
        let lines = lines.iter().map(|line| Line::new(line, Style::Plain, ColorMode::Plain));
        Block::new(lines.collect())
    }

    #[test]
    fn nothing_ends_in_spaces() {
        let joined =
            Block::beside(&[block(&["a", "bbb"]), block(&["c"]), block(&["d", "", "e"])], 2);
        assert_eq!(joined.into_string(), "a    c  d\nbbb\n        e\n");
    }

    #[test]
    fn flows_to_the_next_line() {
        let blocks = || vec![block(&["aaa"]), block(&["bbb"]), block(&["ccc"])];
        assert_eq!(Block::flow(blocks(), 1, 7).into_string(), "aaa bbb\n\nccc\n");
        assert_eq!(Block::flow(blocks(), 1, 2).into_string(), "aaa\n\nbbb\n\nccc\n");
        assert_eq!(Block::flow(vec![], 1, 2).into_string(), "");
    }

    #[test]
    fn styles_take_no_columns() {
        let bold = Block::text("ab", 80, Style::Bold, ColorMode::Ansi256);
        let joined = Block::beside(&[bold, block(&["c"])], 1);
        assert_eq!(joined.into_string(), "\x1b[1mab\x1b[0m c\n");
    }

    #[test]
    fn a_pen_names_colours_once() {
        let mut pen = Pen::new(ColorMode::TrueColor);
        let (red, blue) = (Some(Rgb(255, 0, 0)), Some(Rgb(0, 0, 255)));
        pen.put("a", red, None);
        pen.put("b", red, blue);
        pen.put("c", red, blue);
        pen.put("d", None, blue);
        let expected = "\x1b[38;2;255;0;0ma\x1b[48;2;0;0;255mbc\x1b[39md\x1b[0m\n";
        assert_eq!(Block::new(vec![pen.finish()]).into_string(), expected);
    }
}
