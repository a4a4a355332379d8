//! Links between the pages: each leads to a file that is there, and to a heading of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::run::root;

/// A link of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'a> {
    /// The line it is in, from 1.
    pub(crate) line: usize,
    /// Where in that line the target begins.
    pub(crate) at: usize,
    pub(crate) target: &'a str,
}

/// What is wrong with the links of some pages, each given by its path in the repository and its text.
pub(crate) fn broken(pages: &[(&str, &str)]) -> Vec<String> {
    let headings: BTreeMap<&str, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (*path, headings(text))).collect();
    let mut problems = Vec::new();
    for (page, text) in pages {
        for Link { line, target, .. } in links(text).filter(|link| is_local(link.target)) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { Some((*page).to_string()) } else { beside(page, file) };
            let Some(path) = path.filter(|path| root().join(path).exists()) else {
                problems.push(format!("{page}:{line}: nothing is at {target}"));
                continue;
            };
            if !heading.is_empty()
                && headings.get(path.as_str()).is_some_and(|known| !known.contains(heading))
            {
                problems.push(format!("{page}:{line}: {path} has no heading #{heading}"));
            }
        }
    }
    problems
}

/// True for a target in the repository.
pub(crate) fn is_local(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:") && !target.starts_with('/')
}

/// The path in the repository of a file that a page names; `None` outside it.
pub(crate) fn beside(page: &str, file: &str) -> Option<String> {
    let joined = Path::new(page).parent()?.join(file);
    let mut path = PathBuf::new();
    for part in joined.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if !path.pop() => return None,
            _ => {}
        }
    }
    path.to_str().map(|path| path.replace('\\', "/"))
}

/// The links and pictures of a page, in order, without those in code.
pub(crate) fn links(text: &str) -> impl Iterator<Item = Link<'_>> {
    prose(text).flat_map(|(line, words)| {
        words
            .match_indices("](")
            .filter(move |(at, _)| !in_code(words, *at))
            .filter_map(move |(at, _)| {
                let rest = &words[at + 2..];
                let target = rest[..rest.find(')')?].split(' ').next()?;
                Some(Link { line, at: at + 2, target })
            })
            .collect::<Vec<_>>()
    })
}

/// Numbered lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let line = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => return true,
            _ => {}
        }
        false
    })
}

/// True where an odd number of backticks stands before a place of a line.
fn in_code(line: &str, at: usize) -> bool {
    line[..at].matches('`').count() % 2 == 1
}

/// What links call the headings of a page.
fn headings(text: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (_, line) in prose(text).filter(|(_, line)| line.starts_with('#')) {
        let mut name = String::new();
        for letter in line.trim_start_matches('#').trim().chars() {
            match letter {
                ' ' => name.push('-'),
                '-' | '_' => name.push(letter),
                _ if letter.is_alphanumeric() => name.extend(letter.to_lowercase()),
                _ => {}
            }
        }
        // Headings that are called alike get numbers.
        let first = name.clone();
        let mut number = 0;
        while known.contains(&name) {
            number += 1;
            name = format!("{first}-{number}");
        }
        known.insert(name);
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let text =
            "See [a](b.md) and ![c](d/e.svg \"title\").\n```\n[no](no.md)\n```\n`[no](no.md)`";
        let found: Vec<(usize, &str)> = links(text).map(|link| (link.line, link.target)).collect();
        assert_eq!(found, [(1, "b.md"), (1, "d/e.svg")]);
    }

    #[test]
    fn headings_are_called_as_links_call_them() {
        let text = "# One `two`, three\n## Same\n## Same\n```\n# no\n```\n";
        let known: Vec<String> = headings(text).into_iter().collect();
        assert_eq!(known, ["one-two-three", "same", "same-1"]);
    }

    #[test]
    fn what_leads_nowhere_is_named() {
        let page = "# Title\n[a](README.md) [b](#title) [c](#none)\n[d](no-such-file.md)\n\
                    [e](https://example.com/x) [f](../outside.md)\n";
        let problems = broken(&[("README.md", page)]);
        assert_eq!(
            problems,
            [
                "README.md:2: README.md has no heading #none",
                "README.md:3: nothing is at no-such-file.md",
                "README.md:4: nothing is at ../outside.md",
            ]
        );
        assert_eq!(beside("docs/a.md", "../b.md").as_deref(), Some("b.md"));
        assert_eq!(beside("a.md", "../b.md"), None);
    }
}
