//! Why a text is not a program, where, and what to write instead.
//!
//! An error owns what it needs of the text and is shown against a [`Source`]:
//! [`render`](SyntaxError::render) gives one line for lists and logs,
//! [`render_with_line`](SyntaxError::render_with_line) adds the source line and a caret. Always the
//! fault of the text, never of the parser.

use std::fmt::Write;

use crate::syntax::parser::{MAX_DEPTH, MAX_ERRORS, MAX_NAMES};
use crate::syntax::source::{Source, Span};

/// One error and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SyntaxError {
    /// The offending text; empty at the end of a line or file.
    pub span: Span,
    /// What is wrong.
    pub kind: SyntaxErrorKind,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// Something else was expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could have stood here.
        expected: &'static str,
        /// What does: quoted and shortened text, or words for an end.
        found: Box<str>,
    },
    /// Python, but not the part of it that solver files use.
    #[error("{what} not part of solver files: {instead}")]
    Unsupported {
        /// The construct, with its verb.
        what: &'static str,
        /// What to write.
        instead: &'static str,
    },
    /// As `Unsupported`, for an operator.
    #[error("the operator `{operator}` is not part of solver files: {instead}")]
    Operator {
        /// The operator.
        operator: Box<str>,
        /// What to write.
        instead: &'static str,
    },
    /// A bracket whose partner is missing.
    #[error("`{bracket}` is never closed: expected {expected}, found {found}")]
    Unclosed {
        /// The opening bracket, where the span points.
        bracket: char,
        /// What could have closed or continued it.
        expected: &'static str,
        /// What stands there.
        found: Box<str>,
    },
    /// Brackets, lambdas or calls of calls inside each other.
    #[error(
        "nested too deeply: at most {MAX_DEPTH} levels; name the inner parts on lines of their own"
    )]
    TooDeep,
    /// More parameters or keyword arguments than anyone needs.
    #[error("too many names: at most {MAX_NAMES} parameters or keyword arguments")]
    TooManyNames,
    /// The same parameter or keyword twice.
    #[error("`{name}` is given twice: rename or remove one")]
    DuplicateName {
        /// The name.
        name: Box<str>,
    },
    /// `f(k=1, 2)`.
    #[error(
        "a positional argument follows a keyword argument: move it before, or give it a keyword"
    )]
    PositionalAfterKeyword,
    /// Beyond 64 bits.
    #[error("the integer {text} is too large: it must fit in 64 bits")]
    IntTooLarge {
        /// The literal, shortened.
        text: Box<str>,
    },
    /// `012`, `1_`, `0b2`, `3x`.
    #[error("{text} is not an integer: write it in decimal, or in hexadecimal after `0x`")]
    BadInt {
        /// The literal, shortened.
        text: Box<str>,
    },
    /// `-` before something that is not an integer literal.
    #[error("`-` goes before an integer literal only: call a function, such as `invert(x)`")]
    BadMinus,
    /// A character no token starts with.
    #[error("unexpected character `{}` (U+{:04X}): remove it", .character.escape_debug(), u32::from(*.character))]
    BadCharacter {
        /// The character.
        character: char,
    },
    /// A quote without its partner.
    #[error("the string is never closed: end it with the quotes it starts with")]
    UnclosedString,
    /// A backslash that is not the last character of its line.
    #[error("a backslash must be the last character of its line")]
    BadBackslash,
    /// A line further to the right than it should be.
    #[error("unexpected indentation: align the line with the one before")]
    UnexpectedIndent,
    /// A line of a body that is neither aligned with the body nor at the margin.
    #[error("inconsistent indentation: align the line with the first line of its function")]
    InconsistentIndent,
    /// A `def` with nothing under it.
    #[error("the function has no body: indent its lines under `def`")]
    MissingBody,
    /// A function that computes nothing.
    #[error("the function never returns: end it with `return` and an expression")]
    MissingReturn,
    /// Lines after `return`.
    #[error("nothing may follow `return`: remove the line or move it up")]
    AfterReturn,
    /// A line that is only an expression.
    #[error("the value of this line is not used: assign it to a name, as in `x1 = ...`")]
    UnusedValue,
    /// A snippet of blank lines and comments.
    #[error("nothing to evaluate: give an expression, or lines such as `O = f(I)`")]
    EmptySnippet,
    /// Bytes that are no text.
    #[error("the byte 0x{byte:02x} is not UTF-8: save the file as UTF-8")]
    InvalidUtf8 {
        /// The first bad byte.
        byte: u8,
    },
    /// Spans are 32 bits wide.
    #[error("the text is larger than 4 GiB: split it")]
    TooLarge,
    /// The end of a long list.
    #[error("more than {MAX_ERRORS} errors: the following ones are not listed")]
    TooManyErrors,
}

/// Longest source excerpt shown, in characters.
const EXCERPT: usize = 120;

impl SyntaxError {
    /// `file:line:column: message`, one line.
    pub fn render(&self, source: &Source<'_>) -> String {
        let at = source.position(self.span.start);
        format!("{}:{}:{}: {}", source.name(), at.line, at.column, self.kind)
    }

    /// As [`render`](SyntaxError::render), followed by the source line with the place underlined.
    /// Long lines are cut around the place.
    pub fn render_with_line(&self, source: &Source<'_>) -> String {
        let at = source.position(self.span.start);
        let (line_start, line) = source.line_at(self.span.start);
        let before = at.column as usize - 1;
        let first = self.span.start.saturating_sub(line_start) as usize;
        let last = self.span.end.saturating_sub(line_start) as usize;
        let under = line.get(first..last.min(line.len())).unwrap_or("");
        let width = under.chars().count().max(1);

        let skipped = if before + width > EXCERPT { before.saturating_sub(EXCERPT / 2) } else { 0 };
        let excerpt = line.chars().skip(skipped).take(EXCERPT);
        let excerpt: String = excerpt.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let (before, width) = (before - skipped, width.min(EXCERPT));
        let number = at.line.to_string();
        let margin = number.len();

        let mut text = self.render(source);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:margin$} |\n{number} | {}\n{:margin$} | {:before$}{}",
            "",
            excerpt.trim_end(),
            "",
            "",
            "^".repeat(width),
        );
        text
    }
}

/// Text as it is quoted in a message: on one line, shortened, in backquotes.
pub(crate) fn quote(text: &str) -> Box<str> {
    const LONGEST: usize = 32;
    let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut quoted = String::from("`");
    quoted.extend(text.chars().take(LONGEST).map(clean));
    if text.chars().nth(LONGEST).is_some() {
        quoted.push('…');
    }
    quoted.push('`');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_snippet;

    #[track_caller]
    fn check(text: &str, rendered: &str) {
        let error = parse_snippet(text).unwrap_err();
        assert_eq!(error.render_with_line(&Source::new("a.py", text)), rendered);
    }

    #[test]
    fn the_place_is_underlined() {
        check(
            "x1 = f(I)\n\nO = f(x1 while)  # why\n",
            "a.py:3:10: `for` and `while` loops are not part of solver files: call `apply`, `mapply`, `sfilter` or `power`
  |
3 | O = f(x1 while)  # why
  |          ^^^^^",
        );
    }

    #[test]
    fn tabs_and_the_end_of_a_line_keep_the_caret_in_place() {
        check(
            "\tx =\r\n",
            "a.py:1:5: expected an expression, found the end of the text\n  |\n1 |  x =\n  |     ^",
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let text = format!("f({}!)", "x, ".repeat(1000));
        let error = parse_snippet(&text).unwrap_err();
        let rendered = error.render_with_line(&Source::new("a.py", &text));
        let lines: Vec<_> = rendered.lines().collect();
        assert_eq!(lines[0], "a.py:1:3003: unexpected character `!` (U+0021): remove it");
        assert!(lines.iter().all(|line| line.chars().count() < 130), "{rendered}");
        assert_eq!(lines[3].find('^'), lines[2].find('!'));
    }

    #[test]
    fn messages_of_limits() {
        #[track_caller]
        fn check(kind: SyntaxErrorKind, message: &str) {
            assert_eq!(kind.to_string(), message);
        }
        check(SyntaxErrorKind::TooLarge, "the text is larger than 4 GiB: split it");
        check(
            SyntaxErrorKind::TooManyErrors,
            "more than 10000 errors: the following ones are not listed",
        );
        check(
            SyntaxErrorKind::TooManyNames,
            "too many names: at most 255 parameters or keyword arguments",
        );
    }

    #[test]
    fn errors_stay_small() {
        assert!(size_of::<SyntaxError>() <= 48);
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(&*quote("a\nb"), "`a\u{fffd}b`");
        assert_eq!(quote(&"é".repeat(100)).chars().count(), 35);
    }
}
