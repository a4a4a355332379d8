//! Code out of a text: thinking and special tokens are blanked, fenced blocks of code found, and where there
//! are none, the lines that look like code.

use super::{Dropped, DroppedKind};

/// Containers whose content is no answer.
const THINKING: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
];
/// Labels of fenced blocks that hold programs.
const LANGUAGES: &[&str] = &[
    "python", "py", "python3", "python2", "py3", "arc", "arc-dsl", "arc_dsl", "arcdsl", "dsl",
    "pycon",
];
/// Labels that say nothing about what is in the block.
const VAGUE: &[&str] = &["", "text", "txt", "plaintext", "plain", "code", "none"];

/// A piece of code: lines of the text, without what they are indented by as a whole.
pub(super) struct Code<'t> {
    text: std::borrow::Cow<'t, str>,
    /// For each line its number in the whole text and the characters cut off; empty when it is the text.
    places: Vec<(u32, u32)>,
    has_def: bool,
}

impl<'t> Code<'t> {
    /// A text that is code alone.
    pub(super) fn whole(text: &'t str) -> Code<'t> {
        let has_def = text.lines().any(is_def);
        Code { text: text.into(), places: Vec::new(), has_def }
    }

    fn of(lines: &[Kept<'_>]) -> Code<'t> {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.text);
            text.push('\n');
        }
        let places = lines.iter().map(|line| (line.number, line.cut)).collect();
        let has_def = lines.iter().any(|line| is_def(line.text));
        Code { text: text.into(), places, has_def }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn has_def(&self) -> bool {
        self.has_def
    }

    /// The line in the whole text; both count from 1.
    pub(super) fn line(&self, line: u32) -> u32 {
        self.place(line).map_or(line, |(number, _)| number)
    }

    /// Characters that were cut off a line.
    pub(super) fn indent(&self, line: u32) -> u32 {
        self.place(line).map_or(0, |(_, cut)| cut)
    }

    /// Errors at the end are shown on the last line.
    fn place(&self, line: u32) -> Option<(u32, u32)> {
        self.places.get(line as usize - 1).or(self.places.last()).copied()
    }
}

/// What a text is made of.
pub(super) struct Extracted {
    pub(super) pieces: Vec<Code<'static>>,
    pub(super) dropped: Vec<Dropped>,
    /// True when the text ends inside of thinking.
    pub(super) is_cut: bool,
}

/// A line of a piece.
#[derive(Clone, Copy)]
struct Kept<'t> {
    text: &'t str,
    number: u32,
    cut: u32,
}

/// A line of the text.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    number: u32,
    /// Characters that stand before `text`.
    cut: u32,
}

impl<'t> Line<'t> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// The line without so many bytes of its indentation.
    fn kept(&self, indent: usize) -> Kept<'t> {
        let cut = self.indent().min(indent);
        Kept { text: &self.text[cut..], number: self.number, cut: self.cut + cut as u32 }
    }
}

fn is_def(line: &str) -> bool {
    line.starts_with("def ")
}

fn is_import(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("from ") && line.contains(" import ")
}

/// True where a text may hold more than code.
pub(super) fn has_markup(text: &str) -> bool {
    text.contains('<') || text.contains("```") || text.contains("~~~") || text.starts_with(">>>")
}

/// Lists the `import` lines of a text that is code alone.
pub(super) fn imports(text: &str, dropped: &mut Vec<Dropped>) {
    let numbered = text.lines().zip(1..).filter(|(line, _)| is_import(line));
    numbered.for_each(|(_, line)| note(dropped, DroppedKind::Import, line));
}

/// Adds a line to what was dropped, to the run of lines that it goes on with.
fn note(dropped: &mut Vec<Dropped>, kind: DroppedKind, line: u32) {
    if let Some(last) = dropped.last_mut()
        && last.kind == kind
        && last.line + last.line_count == line
    {
        last.line_count += 1;
        return;
    }
    dropped.push(Dropped { kind, line, line_count: 1 });
}

pub(super) fn extract(text: &str) -> Extracted {
    let mut dropped = Vec::new();
    let (masked, is_cut) = without_thinking(text, &mut dropped);
    let lines: Vec<Line<'_>> = masked
        .lines()
        .zip(1..)
        .map(|(text, number)| Line { text, number, cut: 0 })
        .map(prompt)
        .collect();
    let blocks = fences(&lines);
    let is_code = |block: &Block<'_>| match block.language.as_str() {
        language if LANGUAGES.contains(&language) => true,
        language if VAGUE.contains(&language) => block.lines.iter().any(is_code),
        _ => false,
    };
    let mut pieces: Vec<Vec<Kept<'_>>> = Vec::new();
    if blocks.iter().any(is_code) {
        let mut fenced = vec![false; lines.len()];
        for block in &blocks {
            fenced[block.first..block.end].fill(true);
            if is_code(block) {
                join(&mut pieces, block_lines(&block.lines, &mut dropped));
            } else {
                block
                    .lines
                    .iter()
                    .for_each(|line| note(&mut dropped, DroppedKind::Block, line.number));
            }
        }
        let outside =
            lines.iter().zip(&fenced).filter(|(line, fenced)| !**fenced && !line.is_blank());
        outside.for_each(|(line, _)| note(&mut dropped, DroppedKind::Prose, line.number));
    } else {
        let picked = pick(&lines, &mut dropped);
        if picked.iter().any(|line| !line.text.trim().is_empty()) {
            pieces.push(picked);
        } else if let Some(inline) = inline(&lines) {
            pieces.push(vec![inline]);
        }
    }
    let pieces = pieces.iter().map(|lines| Code::of(lines)).collect();
    Extracted { pieces, dropped, is_cut }
}

/// A line of an interactive session without its prompt.
fn prompt(line: Line<'_>) -> Line<'_> {
    let rest = line.text.strip_prefix(">>> ").or_else(|| line.text.strip_prefix("... "));
    rest.map_or(line, |text| Line { text, cut: line.cut + 4, ..line })
}

/// The text with blanks in place of thinking, tags and special tokens; true when thinking never ends.
fn without_thinking(text: &str, dropped: &mut Vec<Dropped>) -> (String, bool) {
    let mut masked = text.to_string();
    let mut is_cut = false;
    if text.contains('<') {
        let line_of = |at: usize| text[..at].matches('\n').count() as u32 + 1;
        let mut thought = |from: usize, to: usize| {
            let (first, last) = (line_of(from), line_of(to.saturating_sub(1).max(from)));
            (first..=last).for_each(|line| note(dropped, DroppedKind::Thinking, line));
            (from, to)
        };
        let mut blanks: Vec<(usize, usize)> = Vec::new();
        // Where thinking began that has not ended.
        let mut open: Option<(&str, usize)> = None;
        let mut channel: Option<usize> = None;
        for tag in tags(text) {
            let is_thinking = THINKING.contains(&tag.name.to_ascii_lowercase().as_str());
            match open {
                Some((name, from)) if tag.closes && tag.name.eq_ignore_ascii_case(name) => {
                    blanks.push(thought(from, tag.end));
                    open = None;
                }
                Some(_) => {}
                None if is_thinking && tag.closes => {
                    // The prompt opened it.
                    blanks.clear();
                    blanks.push(thought(0, tag.end));
                }
                None if is_thinking => open = Some((tag.name, tag.start)),
                None => {
                    if tag.name == "|channel|" && text[tag.end..].starts_with("analysis") {
                        channel = Some(tag.start);
                    } else if let Some(from) = channel.filter(|_| tag.name == "|end|") {
                        blanks.push(thought(from, tag.end));
                        channel = None;
                    } else if tag.name == "|channel|" || tag.name == "|start|" {
                        // Its word is no text either.
                        let word = text[tag.end..].find(|c: char| !c.is_ascii_alphabetic());
                        blanks.push((tag.start, word.map_or(text.len(), |word| tag.end + word)));
                    } else {
                        blanks.push((tag.start, tag.end));
                    }
                }
            }
        }
        if let Some(from) = open.map(|(_, from)| from).or(channel) {
            blanks.push(thought(from, text.len()));
            is_cut = true;
        }
        let mut bytes = masked.into_bytes();
        for (from, to) in blanks {
            bytes[from..to].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        // Whole characters were blanked.
        masked = String::from_utf8_lossy(&bytes).into_owned();
    }
    (masked, is_cut)
}

struct Tag<'t> {
    name: &'t str,
    closes: bool,
    start: usize,
    end: usize,
}

/// `<name>`, `</name>` and `<|name|>`.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.match_indices('<').filter_map(|(start, _)| {
        let rest = &text[start + 1..];
        let closes = rest.starts_with('/');
        let inner = &rest[usize::from(closes)..];
        let len = inner.bytes().take(32).position(|byte| byte == b'>')?;
        let name = &inner[..len];
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | '-');
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '|');
        let end = start + 1 + usize::from(closes) + len + 1;
        (is_name && name.chars().all(plain)).then_some(Tag { name, closes, start, end })
    })
}

/// A fenced block.
struct Block<'t> {
    language: String,
    lines: Vec<Line<'t>>,
    /// Its lines with the fences, by place in the text.
    first: usize,
    end: usize,
}

fn fences<'t>(lines: &[Line<'t>]) -> Vec<Block<'t>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (n, line) in lines.iter().enumerate() {
        let trimmed = line.text.trim_start();
        let fence = ["`", "~"].into_iter().find_map(|mark| {
            let count = trimmed.chars().take_while(|c| mark.starts_with(*c)).count();
            (count >= 3).then(|| (mark, count, trimmed[count..].trim()))
        });
        match (fence, open) {
            (Some((mark, count, "")), Some((of, most))) if mark == of && count >= most => {
                open = None;
                if let Some(block) = blocks.last_mut() {
                    block.end = n + 1;
                }
            }
            (Some((mark, count, info)), is_open)
                if is_open.is_none() || is_open == Some((mark, count)) && is_label(info) =>
            {
                let mut block =
                    Block { language: String::new(), lines: Vec::new(), first: n, end: n + 1 };
                if let Some(inside) = info.strip_suffix(&mark.repeat(count)) {
                    // ```O = f(I)``` on one line.
                    let label =
                        LANGUAGES.iter().find_map(|l| inside.strip_prefix(l)?.strip_prefix(' '));
                    let code = label.unwrap_or(inside);
                    let before = line.text.find(code).unwrap_or(0);
                    let cut = line.cut + line.text[..before].chars().count() as u32;
                    block.lines.push(Line { text: code, cut, ..*line });
                    open = None;
                } else {
                    let label = info.split([' ', '{', ',', ':']).find(|word| !word.is_empty());
                    block.language =
                        label.unwrap_or_default().trim_matches(['.', '}']).to_ascii_lowercase();
                    open = Some((mark, count));
                }
                blocks.push(block);
            }
            (_, Some(_)) => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(*line);
                    block.end = n + 1;
                }
            }
            (_, None) => {}
        }
    }
    blocks
}

/// True for what follows an opening fence, and never a closing one.
fn is_label(info: &str) -> bool {
    LANGUAGES.contains(&info.to_ascii_lowercase().as_str())
}

/// Adds a block to the pieces: to the last one, whose functions it may use, unless it defines one of them
/// anew or is a program of straight lines.
fn join<'t>(pieces: &mut Vec<Vec<Kept<'t>>>, lines: Vec<Kept<'t>>) {
    if lines.iter().all(|line| line.text.trim().is_empty()) {
        return;
    }
    let names = |lines: &[Kept<'t>]| -> Vec<&'t str> {
        lines.iter().filter_map(|line| line.text.strip_prefix("def ")?.split('(').next()).collect()
    };
    let own = names(&lines);
    match pieces.last_mut() {
        Some(last) if !own.is_empty() && !names(last).is_empty() => {
            if names(last).iter().any(|name| own.contains(name)) {
                pieces.push(lines);
            } else {
                last.extend(lines);
            }
        }
        _ => pieces.push(lines),
    }
}

/// The lines of a block: where there are functions, those outside of them that are no code of theirs are left
/// out; else all but imports and calls that print.
fn block_lines<'t>(lines: &[Line<'t>], dropped: &mut Vec<Dropped>) -> Vec<Kept<'t>> {
    if lines.iter().any(|line| is_def(line.text.trim_start())) {
        return sift(lines, DroppedKind::Statement, dropped);
    }
    let indent = lines.iter().filter(|line| !line.is_blank()).map(Line::indent).min().unwrap_or(0);
    let mut kept = Vec::with_capacity(lines.len());
    let mut importing = 0;
    for line in lines {
        let text = line.text.trim();
        if importing > 0 || is_import(text) {
            note(dropped, DroppedKind::Import, line.number);
            importing = (importing + depth(text)).max(0);
        } else if text.starts_with("print(") || text.starts_with("assert ") {
            note(dropped, DroppedKind::Statement, line.number);
        } else {
            kept.push(line.kept(indent));
        }
    }
    kept
}

/// The lines of a text without fences that are code.
fn pick<'t>(lines: &[Line<'t>], dropped: &mut Vec<Dropped>) -> Vec<Kept<'t>> {
    sift(lines, DroppedKind::Prose, dropped)
}

/// Code out of lines, and the rest to what was dropped.
fn sift<'t>(lines: &[Line<'t>], rest: DroppedKind, dropped: &mut Vec<Dropped>) -> Vec<Kept<'t>> {
    let has_def = lines.iter().any(|line| is_def(line.text.trim_start()));
    let mut kept: Vec<Kept<'t>> = Vec::with_capacity(lines.len());
    // Brackets that code left open, the indentation of the function around, and whether an import goes on.
    let (mut open, mut function, mut importing) = (0, None::<usize>, false);
    // Indentation of a statement that was left out with what is in it.
    let mut skipped = None::<usize>;
    let mut quotes: Option<&str> = None;
    for line in lines {
        let text = line.text.trim();
        if let Some(quote) = quotes {
            kept.push(line.kept(0));
            quotes = if text.contains(quote) { None } else { quotes };
            continue;
        }
        if line.is_blank() {
            open = 0;
            importing = false;
            kept.push(line.kept(0));
            continue;
        }
        if importing {
            note(dropped, DroppedKind::Import, line.number);
            open = (open + depth(text)).max(0);
            importing = open > 0;
            continue;
        }
        if skipped.is_some_and(|indent| line.indent() > indent) {
            note(dropped, DroppedKind::Statement, line.number);
            continue;
        }
        skipped = None;
        let inside = open > 0 || function.is_some_and(|indent| line.indent() > indent);
        if !inside && is_import(text) {
            note(dropped, DroppedKind::Import, line.number);
            open = depth(text).max(0);
            importing = open > 0;
            continue;
        }
        if !inside && has_def && is_statement(text) {
            note(dropped, DroppedKind::Statement, line.number);
            skipped = Some(line.indent());
            function = None;
            continue;
        }
        if !inside {
            function = None;
        }
        // In a block all but statements is code; in prose what looks like it.
        if inside
            || is_code(line)
            || rest == DroppedKind::Statement && text.starts_with(['"', '\''])
        {
            if !inside && is_def(text) {
                function = Some(line.indent());
            }
            let indent = match function {
                Some(indent) => indent,
                None => line.indent(),
            };
            kept.push(line.kept(if open > 0 { 0 } else { indent }));
            let quote =
                ["\"\"\"", "'''"].into_iter().find(|quote| text.matches(quote).count() == 1);
            quotes = quote;
            open = if quote.is_some() { 0 } else { (open + depth(text)).max(0) };
        } else {
            note(dropped, rest, line.number);
        }
    }
    kept
}

/// Brackets that a line opens, less those it closes; those in comments and strings count, which is rare
/// and costs a line at most.
fn depth(text: &str) -> i32 {
    let code = text.split('#').next().unwrap_or_default();
    code.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => depth - 1,
        _ => depth,
    })
}

/// True for a line that is more likely code than prose.
fn is_code(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let word_end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let is_name = !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit());
    let next = rest.trim_start();
    match word {
        "def" | "class" => is_name && rest.starts_with(' ') && text.contains(['(', ':']),
        "return" => rest.is_empty() || rest.starts_with([' ', '(']) && !reads_like_prose(next),
        "for" | "while" | "if" | "elif" | "try" | "with" => {
            text.ends_with(':') && text.contains([' ', '(']) && !reads_like_prose(next)
        }
        _ if text.starts_with('@') => text[1..].starts_with(|c: char| c.is_ascii_alphabetic()),
        _ if text.starts_with('#') => is_program_comment(text),
        // An assignment: `x1 = f(I)`, with an annotation or without.
        _ if is_name && next.starts_with('=') && !next.starts_with("==") => next.len() > 1,
        _ if is_name && rest.starts_with(": ") => next[1..]
            .split_once('=')
            .is_some_and(|(kind, _)| !kind.trim().contains(' ') || kind.contains('[')),
        // A call that is the whole line.
        _ => is_name && rest.starts_with('(') && text.ends_with(')') && depth(text) == 0,
    }
}

/// Comments are code's, headings of Markdown are not; both are blank to a program.
fn is_program_comment(text: &str) -> bool {
    !text.starts_with("##")
}

/// True for words in a row, without anything of a call.
fn reads_like_prose(text: &str) -> bool {
    !text.contains('(') && text.split_whitespace().count() > 3
}

/// Statements outside functions that models add to show how a program is used.
fn is_statement(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    matches!(word, "if" | "for" | "while" | "assert" | "try" | "with" | "print" | "else" | "elif")
        && text.contains(['(', ':', '='])
        || text.starts_with(|c: char| c.is_alphabetic())
            && text.ends_with(')')
            && text[word.len()..].starts_with(['(', '.'])
}

/// The one call or assignment between single backquotes of a text without lines of code.
fn inline<'t>(lines: &[Line<'t>]) -> Option<Kept<'t>> {
    let mut found: Option<Kept<'t>> = None;
    for line in lines {
        let mut at = 0;
        for (n, part) in line.text.split('`').enumerate() {
            let code = Line { text: part, number: line.number, cut: 0 };
            if n % 2 == 1 && part.contains("(I") && is_code(&code) {
                let cut = line.cut + line.text[..at].chars().count() as u32;
                if found.is_some_and(|known| known.text != part) {
                    return None;
                }
                found = Some(Kept { text: part, number: line.number, cut });
            }
            at += part.len() + 1;
        }
    }
    found
}
