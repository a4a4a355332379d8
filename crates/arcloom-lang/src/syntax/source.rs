//! Places in a text: byte spans, and their translation to lines and columns.
//!
//! The parser deals in byte offsets only. Lines are counted when someone reads an error, so a
//! [`Source`] costs nothing until its first [`position`](Source::position). Lines end at `\n`,
//! `\r\n` or a lone `\r`, as in Python; columns count characters; both start at 1. A byte order mark
//! takes no column.

use std::borrow::Cow;
use std::sync::OnceLock;

/// A half-open range of bytes in a text. Printed-from-scratch trees carry `0..0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span holding both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The part of `text` under the span; empty when the span is not in `text`.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A named text, the thing errors are shown against.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    name: &'a str,
    text: Cow<'a, str>,
    line_starts: OnceLock<Vec<u32>>,
}

impl<'a> Source<'a> {
    /// A text under the name that error messages show, usually its path.
    pub fn new(name: &'a str, text: &'a str) -> Source<'a> {
        Source { name, text: Cow::Borrowed(text), line_starts: OnceLock::new() }
    }

    /// Bytes that may not be UTF-8. Bad bytes become `U+FFFD`; everything before the first one keeps
    /// its place, so the error of [`parse_bytes`](crate::syntax::parse_bytes) is shown where it is.
    pub fn from_bytes(name: &'a str, bytes: &'a [u8]) -> Source<'a> {
        Source { name, text: String::from_utf8_lossy(bytes), line_starts: OnceLock::new() }
    }

    /// The name given at construction.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset; offsets past the end count as the end.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_of(offset);
        let before = self.text.get(self.line_start(line)..self.clamp(offset)).unwrap_or("");
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// The text of the line holding a byte offset, without its line end, and the offset it starts at.
    pub fn line_at(&self, offset: u32) -> (u32, &str) {
        let line = self.line_of(offset);
        let start = self.line_start(line);
        let end = self.starts().get(line + 1).map_or(self.text.len(), |&next| next as usize);
        let text = self.text.get(start..end).unwrap_or("");
        (start as u32, text.trim_end_matches(['\r', '\n']))
    }

    /// Moves an offset onto the nearest character boundary before it.
    fn clamp(&self, offset: u32) -> usize {
        self.text.floor_char_boundary(offset as usize)
    }

    /// Zero-based line of an offset.
    fn line_of(&self, offset: u32) -> usize {
        self.starts().partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn line_start(&self, line: usize) -> usize {
        self.starts().get(line).map_or(0, |&start| start as usize)
    }

    fn starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let first =
                if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
            let ends = bytes.iter().enumerate().filter(|&(i, &byte)| {
                byte == b'\n' || byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')
            });
            std::iter::once(first as u32).chain(ends.map(|(i, _)| i as u32 + 1)).collect()
        })
    }
}

/// Some editors write it at the start of a file; it means nothing.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: u32, line: u32, column: u32) {
        assert_eq!(Source::new("t", text).position(offset), Position { line, column }, "{text:?}");
    }

    #[test]
    fn counting_starts_at_one() {
        check("", 0, 1, 1);
        check("abc", 2, 1, 3);
    }

    #[test]
    fn all_three_line_ends_count_once() {
        check("a\nb", 2, 2, 1);
        check("a\r\nb", 3, 2, 1);
        check("a\rb", 2, 2, 1);
    }

    #[test]
    fn columns_are_characters() {
        check("é = 1", 3, 1, 3);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        check("\u{feff}ab", 4, 1, 2);
        check("\u{feff}ab", 0, 1, 1);
    }

    #[test]
    fn odd_offsets_are_survived() {
        check("é", 1, 1, 1);
        check("ab\ncd", 99, 2, 3);
    }

    #[test]
    fn lines_come_without_their_end() {
        assert_eq!(Source::new("t", "a\r\nbc\r\n").line_at(4), (3, "bc"));
        assert_eq!(Source::new("t", "a").line_at(1), (0, "a"));
    }
}
