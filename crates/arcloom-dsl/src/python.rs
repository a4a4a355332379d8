//! Python definitions of primitives that arc-dsl lacks, for files that run on the original.
//!
//! `extra.py`, and for sheets the file beside their family's, hold one `def` per such primitive, written against
//! arc-dsl's own functions and this project's order of sets where order shows. `sheet.py` has what those of sheets share.
//! `sheet/words.py` begins with the constants that rules are written with.

use crate::sheet::SOURCES;

static SHARED: &[&str] = &[include_str!("extra.py"), include_str!("sheet.py")];

/// The definitions of these primitives and of all they use, in the order of the sources.
pub fn definitions(names: &[&str]) -> String {
    let blocks = blocks();
    let mut wanted: Vec<bool> = blocks.iter().map(|(name, _)| names.contains(name)).collect();
    loop {
        let mut grew = false;
        for n in 0..blocks.len() {
            if wanted[n] {
                for (m, (name, _)) in blocks.iter().enumerate() {
                    if !wanted[m] && mentions(blocks[n].1, name) {
                        wanted[m] = true;
                        grew = true;
                    }
                }
            }
        }
        if !grew {
            break;
        }
    }
    let kept = blocks.iter().zip(wanted).filter(|(_, w)| *w);
    let (mut text, mut after_function) = (String::new(), false);
    for ((_, block), _) in kept {
        // Constants stand close to each other.
        let is_function = block.starts_with("def ");
        text.push_str(match (text.is_empty(), is_function || after_function) {
            (true, _) => "",
            (_, true) => "\n\n\n",
            (_, false) => "\n",
        });
        text.push_str(block.trim_end());
        after_function = is_function;
    }
    text
}

/// Names that have a definition.
pub fn defined() -> Vec<&'static str> {
    blocks().into_iter().map(|(name, _)| name).collect()
}

/// The functions and constants of the sources with their names.
fn blocks() -> Vec<(&'static str, &'static str)> {
    SHARED.iter().chain(SOURCES).flat_map(|source| blocks_of(source)).collect()
}

fn blocks_of(source: &'static str) -> Vec<(&'static str, &'static str)> {
    // What begins a line without being indented or closing a bracket begins a definition.
    let begins = |at: usize| {
        let first = source[at..].bytes().next();
        (at == 0 || source.as_bytes()[at - 1] == b'\n')
            && first.is_some_and(|byte| byte.is_ascii_alphabetic())
    };
    let starts: Vec<usize> = (0..source.len()).filter(|&at| begins(at)).collect();
    starts
        .iter()
        .enumerate()
        .map(|(n, &at)| {
            let end = starts.get(n + 1).copied().unwrap_or(source.len());
            let text = &source[at..end];
            let name = text.strip_prefix("def ").unwrap_or(text);
            let end = name.find(['(', ' ']).unwrap_or(name.len());
            (&name[..end], text)
        })
        .collect()
}

/// True when the text uses this name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}
