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

    /// Writes the table, indented by two, without the columns that are empty in every row; lines are
    /// cut at `width` where one is given.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        width: Option<usize>,
    ) -> io::Result<()> {
        let length = |n: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(n));
            cells.map(|(_, text)| text.chars().count()).max().unwrap_or(0)
        };
        let columns: Vec<Column> = (0..self.heads.len())
            .map(|n| (n, length(n)))
            .filter(|&(_, length)| length > 0)
            .map(|(n, length)| {
                let width = length.max(self.heads[n].chars().count());
                Column { index: n, width, number: self.numbers[n] }
            })
            .collect();
        if self.heads.iter().any(|head| !head.is_empty()) {
            let heads: Vec<_> =
                self.heads.iter().map(|&head| (Tone::Dim, head.to_owned())).collect();
            write_line(out, &heads, &columns, paint, width)?;
        }
        self.rows.iter().try_for_each(|row| write_line(out, row, &columns, paint, width))
    }
}

struct Column {
    index: usize,
    width: usize,
    number: bool,
}

fn write_line(
    out: &mut dyn Write,
    cells: &[(Tone, String)],
    columns: &[Column],
    paint: Paint,
    limit: Option<usize>,
) -> io::Result<()> {
    let mut line = String::new();
    let mut gap = 2;
    let mut used = 2;
    for column in columns {
        let Some((tone, text)) = cells.get(column.index) else { continue };
        let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(used).max(8));
        let text = shorten(text, room);
        let pad = column.width.saturating_sub(text.chars().count());
        if column.number {
            gap += pad;
        }
        if !text.is_empty() {
            line.push_str(&" ".repeat(gap));
            line.push_str(&paint.tone(*tone, &text));
            gap = 0;
        }
        gap += if column.number { 2 } else { pad + 2 };
        used += column.width + 2;
    }
    writeln!(out, "{line}")
}

#[cfg(test)]
mod tests {
    use arcloom::draw::ColorMode;

    use super::*;

    #[test]
    fn columns_line_up_and_empty_ones_go() {
        let mut table = Table::new(&["name", ">calls", "never", "why"]);
        let cell = |text: &str| (Tone::Plain, text.to_owned());
        table.row([cell("a"), cell("10"), cell(""), cell("because")]);
        table.row([cell("longer"), cell("7"), cell(""), cell("")]);
        let mut out = Vec::new();
        let paint = Paint { mode: ColorMode::Plain };
        table.write(&mut out, paint, Some(28)).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "  name    calls  why\n  a          10  because\n  longer      7\n");
    }
}
