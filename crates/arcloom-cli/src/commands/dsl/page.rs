//! One function or constant for people.

use anyhow::Result;
use arcloom::{ALIASES, Alias, Constant, Primitive, Registry, tried_as};

use super::{constant_text, family_name};
use crate::paint::Tone;
use crate::session::Session;
use crate::table::Table;

/// Columns of running text.
const MEASURE: usize = 88;

/// Signature with parameter names, documentation, examples, facts.
pub(super) fn function(
    prim: &'static Primitive,
    alias: Option<&Alias>,
    session: &mut Session<'_>,
) -> Result<()> {
    let paint = session.paint;
    if let Some(alias) = alias {
        let line = format!("{} is {} for {}", alias.name, alias.target, alias.sig);
        writeln!(session.out, "{}\n", paint.dim(&line))?;
    }
    let (name, rest) = signature(prim);
    writeln!(session.out, "{}{rest}\n", paint.bold(&name))?;
    let width = session.columns.unwrap_or(MEASURE).min(MEASURE);
    for paragraph in paragraphs(prim.doc) {
        for line in wrap(&paragraph, width.saturating_sub(2)) {
            writeln!(session.out, "  {line}")?;
        }
        writeln!(session.out)?;
    }
    for example in prim.examples() {
        writeln!(session.out, "    {example}")?;
    }
    writeln!(session.out)?;
    facts(prim).write(session.out, paint, session.columns)?;
    Ok(())
}

/// Name, type and value.
pub(super) fn constant(constant: &Constant, session: &mut Session<'_>) -> Result<()> {
    let (name, value) = (session.paint.bold(constant.name), constant_text(constant));
    writeln!(session.out, "{name}: {} = {value}\n", constant.ty)?;
    if !constant.doc.is_empty() {
        let width = session.columns.unwrap_or(MEASURE).min(MEASURE);
        for line in wrap(constant.doc, width.saturating_sub(2)) {
            writeln!(session.out, "  {line}")?;
        }
        writeln!(session.out)?;
    }
    let mut table = Table::new(&["", ""]);
    table.row(fact("arc-dsl", if constant.extra { "no" } else { "yes" }));
    table.write(session.out, session.paint, session.columns)?;
    Ok(())
}

fn facts(prim: &'static Primitive) -> Table {
    let mut table = Table::new(&["", ""]);
    table.row(fact("family", family_name(prim.class).0));
    let (cost, grows) = (prim.cost.name(), prim.cost.growth());
    table.row(fact("cost", &format!("{cost}: {grows}")));
    table.row(fact(
        "order",
        match prim.order_dependent {
            true => {
                "the result can depend on the order of a set: ascending here, by hash in Python"
            }
            false => "the result does not depend on the order of sets",
        },
    ));
    table.row(fact(
        "arc-dsl",
        match prim.extra {
            true => "no; `arcloom fmt --arc-dsl` writes its definition into the file",
            false => "yes",
        },
    ));
    if let Some(tried) = tried_as(prim.name) {
        table.row(fact("solve tries", &tried));
    }
    for (n, alias) in ALIASES.iter().filter(|alias| alias.target == prim.name).enumerate() {
        let head = if n == 0 { "also" } else { "" };
        table.row(fact(head, &format!("{} {}", alias.name, alias.sig)));
    }
    table
}

fn fact(head: &str, text: &str) -> [(Tone, String); 2] {
    [(Tone::Dim, head.to_owned()), (Tone::Plain, text.to_owned())]
}

/// The name, and `(grid: Grid, value: Color) -> Indices`, with what is required of type variables.
pub(super) fn signature(prim: &'static Primitive) -> (String, String) {
    let registry = Registry::get();
    let Some(id) = registry.find(prim.name) else {
        return (prim.name.to_owned(), prim.sig.to_owned());
    };
    let sig = registry.sig(id);
    let params: Vec<String> =
        prim.params.iter().zip(&sig.params).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let mut text = format!("({}) -> {}", params.join(", "), sig.ret);
    let mut gap = " where ";
    for (letter, bound) in ('a'..).zip(sig.bounds.iter().map(ToString::to_string)) {
        if bound != "Any" {
            text.push_str(&format!("{gap}{letter}: {bound}"));
            gap = ", ";
        }
    }
    (prim.name.to_owned(), text)
}

/// The paragraphs of a text outside its fences, each as words.
fn paragraphs(doc: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut fenced = false;
    for line in doc.lines().map(str::trim) {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if line.is_empty() {
            found.push(String::new());
        } else if !fenced && let Some(last) = found.last_mut() {
            last.push_str(line);
            last.push(' ');
        }
    }
    found.retain(|paragraph| !paragraph.is_empty());
    found
}

/// Lines of at most `width` columns, broken between words.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_leave_examples_out() {
        let doc = "One\ntwo.\n\nThree.\n\n```arc\nf(1) == 2\n```";
        assert_eq!(paragraphs(doc), ["One two. ", "Three. "]);
    }

    #[test]
    fn words_are_not_broken() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 5), ["incomprehensible"]);
    }
}
