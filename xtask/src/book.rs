//! The docs site: the pages of `docs/` as a book.
//!
//! Pages link to files outside `docs/`, which are no part of a book. In a copy of the pages those links lead to the
//! repository instead; mdbook makes the site of the copy, where it is installed.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

use crate::links::{beside, is_local, links};
use crate::run::{answers, root, target};

/// The list of pages that mdbook reads.
const SUMMARY: &str = "docs/SUMMARY.md";

pub(crate) fn book() -> anyhow::Result<ExitCode> {
    let to = target().join("book-pages");
    if to.exists() {
        std::fs::remove_dir_all(&to).with_context(|| format!("remove {}", to.display()))?;
    }
    copy("docs", &to.join("docs"))?;
    let config = root().join("book.toml");
    std::fs::copy(&config, to.join("book.toml")).context("copy book.toml")?;
    println!("wrote {}", to.display());
    if !answers(Command::new("mdbook").arg("--version")) {
        bail!("mdbook is not installed: type `cargo install mdbook`");
    }
    let site = target().join("book");
    let mut build = Command::new("mdbook");
    let status = build.arg("build").arg(&to).arg("--dest-dir").arg(&site).status();
    if !status.context("run mdbook")?.success() {
        bail!("mdbook did not build the book");
    }
    println!("{}", site.join("index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Copies a folder of the repository; pages get links that hold in the book.
fn copy(folder: &str, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("create {}", to.display()))?;
    let from = root().join(folder);
    for entry in std::fs::read_dir(&from).with_context(|| format!("read {}", from.display()))? {
        let path = entry.context("read a folder")?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (inner, target) = (format!("{folder}/{name}"), to.join(&name));
        if path.is_dir() {
            copy(&inner, &target)?;
        } else if name.ends_with(".md") {
            let text = std::fs::read_to_string(&path).with_context(|| format!("read {inner}"))?;
            std::fs::write(&target, for_book(&inner, &text, repository()))
                .with_context(|| format!("write {}", target.display()))?;
        } else {
            std::fs::copy(&path, &target).with_context(|| format!("copy {inner}"))?;
        }
    }
    Ok(())
}

/// Pages that the book's list of pages leaves out.
pub(crate) fn unlisted(pages: &[(&str, &str)]) -> Vec<String> {
    let text = pages.iter().find(|(path, _)| *path == SUMMARY).map_or("", |(_, text)| text);
    let listed: Vec<&str> = links(text).map(|link| link.target).collect();
    let own = pages.iter().filter(|(path, _)| *path != SUMMARY);
    own.filter_map(|(path, _)| path.strip_prefix("docs/"))
        .filter(|page| !listed.contains(page))
        .map(|page| format!("{SUMMARY}: does not list {page}"))
        .collect()
}

fn repository() -> &'static str {
    env!("CARGO_PKG_REPOSITORY")
}

/// A page whose links to files outside `docs/` lead to the repository.
fn for_book(page: &str, text: &str, repository: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    // From the back, so that what is before a link keeps its place.
    let mut found: Vec<_> = links(text).collect();
    found.reverse();
    for link in found.iter().filter(|link| is_local(link.target)) {
        let (file, heading) = link.target.split_once('#').unwrap_or((link.target, ""));
        let outside = beside(page, file).filter(|path| !path.starts_with("docs/"));
        if let Some(path) = outside.filter(|_| !file.is_empty()) {
            let mark = if heading.is_empty() { "" } else { "#" };
            let target = format!("{repository}/blob/main/{path}{mark}{heading}");
            lines[link.line - 1].replace_range(link.at..link.at + link.target.len(), &target);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_the_repository() {
        assert!(repository().starts_with("https://"));
        let page = "[a](b.md) [c](../CHANGELOG.md#x) [d](../crates/e.rs)\n`[f](../g)`\n";
        assert_eq!(
            for_book("docs/page.md", page, "https://example.com/r"),
            "[a](b.md) [c](https://example.com/r/blob/main/CHANGELOG.md#x) \
             [d](https://example.com/r/blob/main/crates/e.rs)\n`[f](../g)`\n"
        );
        let deep = for_book("docs/reference/README.md", "[a](../b.md)\n", "https://example.com/r");
        assert_eq!(deep, "[a](../b.md)\n");
    }

    #[test]
    fn a_page_that_is_not_listed_is_named() {
        let pages = [("docs/SUMMARY.md", "[a](a.md)\n"), ("docs/a.md", ""), ("docs/x/b.md", "")];
        assert_eq!(unlisted(&pages), ["docs/SUMMARY.md: does not list x/b.md"]);
    }
}
