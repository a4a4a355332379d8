//! Aligned columns.

use std::io::{self, Write};

use crate::paint::{Paint, Tone, shorten, visible};

/// Rows of cells under a heading.
#[derive(Debug)]
pub(crate) struct Table {
    heads: Vec<&'static str>,
    /// Columns of numbers, which end at the right.
    numbers: Vec<bool>,
    rows: Vec<Vec<(Tone, String)>>,
}

impl Table {
    /// A table with these column titles; those that start with `>` are for numbers.
    pub(crate) fn new(heads: &[&'static str]) -> Table {
        let numbers = heads.iter().map(|head| head.starts_with('>')).collect();
        let heads = heads.iter().map(|head| head.trim_start_matches('>')).collect();
        Table { heads, numbers, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = (Tone, String)>) {
        self.rows.push(cells.into_iter().map(|(tone, text)| (tone, visible(&text))).collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table, indented by two; lines are cut at `width` where one is given.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        width: Option<usize>,
    ) -> io::Result<()> {
        let columns = self.heads.len();
        let widths: Vec<usize> = (0..columns)
            .map(|n| {
                let cells = self.rows.iter().filter_map(|row| row.get(n));
                cells
                    .map(|(_, text)| text.chars().count())
                    .chain([self.heads[n].chars().count()])
                    .max()
            })
            .map(Option::unwrap_or_default)
            .collect();
        if self.heads.iter().any(|head| !head.is_empty()) {
            let heads: Vec<_> =
                self.heads.iter().map(|&head| (Tone::Dim, head.to_owned())).collect();
            self.line(out, &heads, &widths, paint, width)?;
        }
        self.rows.iter().try_for_each(|row| self.line(out, row, &widths, paint, width))
    }

    fn line(
        &self,
        out: &mut dyn Write,
        cells: &[(Tone, String)],
        widths: &[usize],
        paint: Paint,
        limit: Option<usize>,
    ) -> io::Result<()> {
        let last = cells.iter().rposition(|(_, text)| !text.is_empty()).unwrap_or(0);
        let mut line = String::from("  ");
        let mut used = 2;
        for (n, (tone, text)) in cells.iter().enumerate().take(last + 1) {
            let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(used).max(8));
            let text = shorten(text, room);
            let pad = widths[n].saturating_sub(text.chars().count());
            if self.numbers[n] {
                line.push_str(&" ".repeat(pad));
            }
            line.push_str(&paint.tone(*tone, &text));
            if n < last {
                line.push_str(&" ".repeat(if self.numbers[n] { 2 } else { pad + 2 }));
            }
            used += widths[n] + 2;
        }
        writeln!(out, "{}", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use arcloom::draw::ColorMode;

    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", ">calls", "why"]);
        let cell = |text: &str| (Tone::Plain, text.to_owned());
        table.row([cell("a"), cell("10"), cell("because")]);
        table.row([cell("longer"), cell("7"), cell("")]);
        let mut out = Vec::new();
        let paint = Paint { mode: ColorMode::Plain };
        table.write(&mut out, paint, Some(28)).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "  name    calls  why\n  a          10  because\n  longer      7\n");
    }
}
