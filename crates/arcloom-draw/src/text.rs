//! Text made safe and fitted: control characters, clipping, wrapping.
//!
//! Every character counts as one column. That is right for what programs are written in and for the
//! arrows and dots used here; wide scripts in a title only make a line look longer than planned.

use std::fmt::{self, Write};

/// The text without characters that could steer a terminal or break an XML file.
pub(crate) fn clean(text: &str) -> String {
    let unsafe_char = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
            || matches!(c, '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
    };
    text.replace('\t', "    ")
        .chars()
        .map(|c| if unsafe_char(c) { '\u{FFFD}' } else { c })
        .collect()
}

/// Number of columns the text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// The clean text in lines of at most `width` columns (8 at least), broken after a space or comma if
/// possible; the lines after a break are indented by four.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    for line in clean(text).lines() {
        let mut rest: Vec<char> = line.trim_end().chars().collect();
        while rest.len() > width {
            let breaks = |&k: &usize| rest[k - 1] == ' ' || (rest[k - 1] == ',' && rest[k] != ' ');
            let at = (6.max(width / 3)..=width).rev().find(breaks).unwrap_or(width);
            let tail = rest.split_off(at);
            lines.push(rest.iter().collect::<String>().trim_end().to_owned());
            rest = "    ".chars().chain(tail).collect();
        }
        lines.push(rest.into_iter().collect());
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// What `shown` writes, cut off with an ellipsis after `limit` characters. Writing stops there, so
/// a value with a million elements costs no more than a short one.
pub(crate) fn clip(shown: impl fmt::Display, limit: usize) -> (String, bool) {
    struct Bounded {
        text: String,
        left: usize,
    }
    impl Write for Bounded {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            for c in part.chars() {
                if self.left == 0 {
                    return Err(fmt::Error);
                }
                self.text.push(c);
                self.left -= 1;
            }
            Ok(())
        }
    }
    let mut out = Bounded { text: String::new(), left: limit };
    let cut = write!(out, "{shown}").is_err();
    if cut {
        out.text.push('…');
    }
    (out.text, cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_cannot_reach_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\u{7}\tc\u{202E}"), "a\u{FFFD}[31mb\u{FFFD}    c\u{FFFD}");
    }

    #[test]
    fn wraps_after_spaces_and_indents_what_follows() {
        assert_eq!(wrap("x1 = objects(I, T, F, T)", 16), ["x1 = objects(I,", "    T, F, T)"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "    ijkl"]);
        assert_eq!(wrap("", 80), [""]);
        assert_eq!(wrap("a\nb", 80), ["a", "b"]);
    }

    #[test]
    fn clips_long_text_only() {
        assert_eq!(clip("short", 5), ("short".to_owned(), false));
        assert_eq!(clip("longer", 5), ("longe…".to_owned(), true));
    }
}
