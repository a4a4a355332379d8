//! Emphasis in terminal text, and text from elsewhere made safe to print.

use arcloom::draw::ColorMode;

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    #[default]
    Plain,
    Bold,
    Dim,
    Good,
    Bad,
    Warn,
}

/// Writes emphasis for one stream, or leaves it out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) mode: ColorMode,
}

impl Paint {
    /// The text in its tone. Basic colours, so that it follows the reader's own theme.
    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Warn => "33",
        };
        if self.mode == ColorMode::Plain || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.tone(Tone::Bold, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.tone(Tone::Dim, text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.tone(Tone::Good, text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.tone(Tone::Bad, text)
    }
}

/// The text on one line, with control characters visible: names come from files.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// A number with its noun: `1 task`, `2 tasks`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// Digits in groups of three: `160,000`.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A size for people: `2.6 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// The first `width` characters, with an ellipsis when some are left out.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([grouped(7), grouped(1_718), grouped(160_000)], ["7", "1,718", "160,000"]);
        assert_eq!([count(1, "task"), count(0, "task")], ["1 task", "0 tasks"]);
        assert_eq!([size(12), size(276_614), size(2_632_428)], ["12 B", "276.6 kB", "2.6 MB"]);
    }

    #[test]
    fn escapes_in_names_are_not_obeyed() {
        assert_eq!(visible("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
    }

    #[test]
    fn long_text_ends_in_an_ellipsis() {
        assert_eq!(shorten("one two", 5), "one…");
        assert_eq!(shorten("one", 3), "one");
    }
}
