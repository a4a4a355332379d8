//! Text to tokens, one at a time.
//!
//! A [`Kind::Line`] token opens each logical line, and its span covers the indentation; there are no
//! other line ends, indents or dedents, because the language has one level of blocks. Blank lines,
//! comments, form feeds, joined lines and line ends inside brackets produce nothing.
//!
//! The lexer never fails and never looks at a byte more than a fixed number of times: what is not a
//! token becomes one of the `Bad` kinds, and the parser reports it if it gets that far.

use crate::syntax::source::{BYTE_ORDER_MARK, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Start of a logical line; the span is its indentation.
    Line,
    Name,
    /// Starts with a digit; whether it is an integer is found out when its value is wanted.
    Number,
    /// Has a decimal point.
    Float,
    Str,
    Open(Bracket),
    Close(Bracket),
    Comma,
    Colon,
    Semicolon,
    Assign,
    EqualEqual,
    Arrow,
    Minus,
    Dot,
    Ellipsis,
    /// An operator of Python's that no solver uses.
    Operator,
    Def,
    Return,
    Lambda,
    True,
    False,
    None,
    From,
    Import,
    /// A reserved word of Python's that no solver uses.
    Reserved,
    BadCharacter,
    BadString,
    BadBackslash,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Round,
    Square,
    Curly,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Lines from this comment on are passed over, whatever is in them.
pub const OFF: &str = "# arcloom: off";
/// Down to this one.
pub const ON: &str = "# arcloom: on";

#[derive(Debug)]
pub(crate) struct Lexer<'s> {
    text: &'s str,
    pos: usize,
    at_line_start: bool,
    /// Open brackets; line ends count only when there are none.
    depth: u32,
    brackets_count: bool,
    /// Kinds of triple quote (double, single) known not to be closed in the rest of the text, so that
    /// a text full of them is not searched to its end again and again.
    unclosed: [bool; 2],
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(text: &'s str) -> Lexer<'s> {
        let pos = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Lexer {
            text,
            pos,
            at_line_start: true,
            depth: 0,
            brackets_count: true,
            unclosed: [false; 2],
        }
    }

    /// With `false`, every line end starts a line, whatever is open: used to find the next function
    /// after an error. Either way nothing is open afterwards.
    pub(crate) fn count_brackets(&mut self, count: bool) {
        self.brackets_count = count;
        self.depth = 0;
    }

    /// Goes back to `pos`, which is the start of a line.
    pub(crate) fn restart_line(&mut self, pos: u32) {
        self.pos = pos as usize;
        self.at_line_start = true;
    }

    /// The byte after the last token.
    pub(crate) fn peek_byte(&self) -> Option<u8> {
        self.byte(0)
    }

    pub(crate) fn token(&mut self) -> Token {
        if self.at_line_start
            && let Some(line) = self.line_start()
        {
            return line;
        }
        loop {
            let start = self.pos;
            let Some(byte) = self.byte(0) else { return self.end(start, Kind::End) };
            let kind = match byte {
                b' ' | b'\t' | b'\x0c' => {
                    self.pos += 1;
                    continue;
                }
                b'\n' | b'\r' => {
                    self.pos += 1;
                    if self.depth == 0
                        && let Some(line) = self.line_start()
                    {
                        return line;
                    }
                    continue;
                }
                b'#' => {
                    self.skip_comment();
                    continue;
                }
                b'\\' => match self.line_end_after_backslash() {
                    Some(len) => {
                        self.pos += 1 + len;
                        continue;
                    }
                    None => self.take(1, Kind::BadBackslash),
                },
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                b'0'..=b'9' => self.number(),
                b'"' | b'\'' => self.string(byte),
                b'(' => self.open(Bracket::Round),
                b'[' => self.open(Bracket::Square),
                b'{' => self.open(Bracket::Curly),
                b')' => self.close(Bracket::Round),
                b']' => self.close(Bracket::Square),
                b'}' => self.close(Bracket::Curly),
                b',' => self.take(1, Kind::Comma),
                b';' => self.take(1, Kind::Semicolon),
                b'.' => self.dot(),
                _ => self.operator(byte),
            };
            return self.end(start, kind);
        }
    }

    /// Opens the next logical line; `None` at the end of the text.
    fn line_start(&mut self) -> Option<Token> {
        self.at_line_start = false;
        let mut start = self.pos;
        loop {
            match self.byte(0)? {
                b' ' | b'\t' => self.pos += 1,
                b'\n' | b'\r' | b'\x0c' => {
                    self.pos += 1;
                    start = self.pos;
                }
                b'#' => self.skip_comment_line(),
                _ => return Some(self.end(start, Kind::Line)),
            }
        }
    }

    /// Passes over a comment, and over all lines down to [`ON`] when it is [`OFF`].
    fn skip_comment_line(&mut self) {
        let start = self.pos;
        self.skip_comment();
        if self.text[start..self.pos].trim_end() == OFF {
            for line in self.text[self.pos..].split_inclusive('\n') {
                let content = line.trim_end();
                if content == ON {
                    self.pos += content.len();
                    return;
                }
                self.pos += line.len();
            }
        }
    }

    fn word(&mut self) -> Kind {
        let start = self.pos;
        self.pos += self.count(1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = &self.text[start..self.pos];
        if let Some(quote @ (b'"' | b'\'')) = self.byte(0)
            && is_string_prefix(word)
        {
            return self.string(quote);
        }
        word_kind(word)
    }

    fn number(&mut self) -> Kind {
        self.pos += self.count(1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.byte(0) != Some(b'.') {
            return Kind::Number;
        }
        self.pos += self.count(1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Kind::Float
    }

    fn dot(&mut self) -> Kind {
        match (self.byte(1), self.byte(2)) {
            (Some(b'.'), Some(b'.')) => self.take(3, Kind::Ellipsis),
            (Some(b'0'..=b'9'), _) => {
                self.pos += self.count(1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Kind::Float
            }
            _ => self.take(1, Kind::Dot),
        }
    }

    /// A string from its quote on. One that is not closed ends with its line, or, in triple quotes,
    /// with the quotes, so that what follows can still be read.
    fn string(&mut self, quote: u8) -> Kind {
        let triple = [self.byte(1), self.byte(2)] == [Some(quote); 2];
        if !triple {
            self.pos += 1;
            loop {
                match self.byte(0) {
                    None | Some(b'\n' | b'\r') => return Kind::BadString,
                    Some(b'\\') => self.skip_escape(),
                    Some(byte) => {
                        self.pos += 1;
                        if byte == quote {
                            return Kind::Str;
                        }
                    }
                }
            }
        }
        self.pos += 3;
        let body = self.pos;
        let unclosed = usize::from(quote == b'\'');
        while !self.unclosed[unclosed] {
            match self.byte(0) {
                None => self.unclosed[unclosed] = true,
                Some(b'\\') => self.skip_escape(),
                Some(byte) => {
                    if byte == quote && [self.byte(1), self.byte(2)] == [Some(quote); 2] {
                        return self.take(3, Kind::Str);
                    }
                    self.pos += 1;
                }
            }
        }
        self.pos = body;
        Kind::BadString
    }

    /// Skips a backslash and what it escapes, `\r\n` being one thing.
    fn skip_escape(&mut self) {
        self.pos += 1;
        self.pos += match (self.byte(0), self.byte(1)) {
            (None, _) => 0,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 1,
        };
    }

    fn operator(&mut self, byte: u8) -> Kind {
        let (second, third) = (self.byte(1), self.byte(2));
        match (byte, second) {
            (b'=', Some(b'=')) => self.take(2, Kind::EqualEqual),
            (b'=', _) => self.take(1, Kind::Assign),
            (b':', Some(b'=')) => self.take(2, Kind::Operator),
            (b':', _) => self.take(1, Kind::Colon),
            (b'-', Some(b'>')) => self.take(2, Kind::Arrow),
            (b'*' | b'/' | b'<' | b'>', Some(next)) if next == byte => {
                self.take(if third == Some(b'=') { 3 } else { 2 }, Kind::Operator)
            }
            (
                b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'<' | b'>' | b'!',
                Some(b'='),
            ) => self.take(2, Kind::Operator),
            (b'-', _) => self.take(1, Kind::Minus),
            (b'+' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'<' | b'>' | b'~', _) => {
                self.take(1, Kind::Operator)
            }
            _ => {
                let len = self.text[self.pos..].chars().next().map_or(1, char::len_utf8);
                self.take(len, Kind::BadCharacter)
            }
        }
    }

    fn open(&mut self, bracket: Bracket) -> Kind {
        self.depth += u32::from(self.brackets_count);
        self.take(1, Kind::Open(bracket))
    }

    fn close(&mut self, bracket: Bracket) -> Kind {
        self.depth = self.depth.saturating_sub(1);
        self.take(1, Kind::Close(bracket))
    }

    fn take(&mut self, len: usize, kind: Kind) -> Kind {
        self.pos += len;
        kind
    }

    fn end(&self, start: usize, kind: Kind) -> Token {
        Token { kind, span: Span::new(start as u32, self.pos as u32) }
    }

    fn skip_comment(&mut self) {
        self.pos += self.count(1, |byte| byte != b'\n' && byte != b'\r');
    }

    fn line_end_after_backslash(&self) -> Option<usize> {
        match (self.byte(1), self.byte(2)) {
            (Some(b'\r'), Some(b'\n')) => Some(2),
            (Some(b'\n' | b'\r'), _) => Some(1),
            _ => None,
        }
    }

    /// `from` plus the number of bytes after it that satisfy `test`.
    fn count(&self, from: usize, test: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(self.pos + from..).unwrap_or_default();
        from + rest.iter().position(|&byte| !test(byte)).unwrap_or(rest.len())
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }
}

fn is_string_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| b"rRbBuUfF".contains(&byte))
}

fn word_kind(word: &str) -> Kind {
    match word {
        "def" => Kind::Def,
        "return" => Kind::Return,
        "lambda" => Kind::Lambda,
        "True" => Kind::True,
        "False" => Kind::False,
        "None" => Kind::None,
        "from" => Kind::From,
        "import" => Kind::Import,
        "and" | "as" | "assert" | "async" | "await" | "break" | "class" | "continue" | "del"
        | "elif" | "else" | "except" | "finally" | "for" | "global" | "if" | "in" | "is"
        | "nonlocal" | "not" | "or" | "pass" | "raise" | "try" | "while" | "with" | "yield" => {
            Kind::Reserved
        }
        _ => Kind::Name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens as text, a line as `|` with its indentation.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            let token = lexer.token();
            let slice = token.span.slice(text);
            match token.kind {
                Kind::End => break,
                Kind::Line => found.push(format!("|{slice}")),
                Kind::BadCharacter | Kind::BadString | Kind::BadBackslash => {
                    found.push(format!("bad {slice}"));
                }
                _ => found.push(slice.to_owned()),
            }
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_carry_their_indentation() {
        check("a\n  b\n\tc\n", &["|", "a", "|  ", "b", "|\t", "c"]);
        check("\n\n  # note\n a # b\n   \n", &["| ", "a"]);
        check("  \x0c a", &["| ", "a"]);
        check("", &[]);
    }

    #[test]
    fn any_line_end_will_do() {
        check("a\r\nb\rc", &["|", "a", "|", "b", "|", "c"]);
    }

    #[test]
    fn brackets_and_backslashes_join_lines() {
        check("f(a,\n  b)\nc", &["|", "f", "(", "a", ",", "b", ")", "|", "c"]);
        check("a \\\r\n b", &["|", "a", "b"]);
        check("a \\ b", &["|", "a", "bad \\", "b"]);
        check("a \\", &["|", "a", "bad \\"]);
        check(")\na", &["|", ")", "|", "a"]);
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        check(
            "a**=b//c->d:=e!=f",
            &["|", "a", "**=", "b", "//", "c", "->", "d", ":=", "e", "!=", "f"],
        );
        check("a==-1", &["|", "a", "==", "-", "1"]);
        check("...x.y.5 1.5e3", &["|", "...", "x", ".", "y", ".5", "1.5e3"]);
    }

    #[test]
    fn strings_are_one_token() {
        check("'a\\'b' \"c\"", &["|", "'a\\'b'", "\"c\""]);
        check("r'''a\n'b''' c", &["|", "r'''a\n'b'''", "c"]);
        check("''", &["|", "''"]);
    }

    #[test]
    fn unclosed_strings_end_early() {
        check("'abc\nd", &["|", "bad 'abc", "|", "d"]);
        check("\"\"\"abc\nd", &["|", "bad \"\"\"", "abc", "|", "d"]);
        check("'\\", &["|", "bad '\\"]);
    }

    #[test]
    fn odd_characters_are_single_tokens() {
        check("é\0$", &["|", "bad é", "bad \0", "bad $"]);
        check("\u{feff}a", &["|", "a"]);
    }
}
