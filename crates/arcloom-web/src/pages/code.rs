//! Lines of programs with what each name means.

use std::collections::BTreeMap;

use arcloom::{ALIASES, CONSTANTS, Registry};
use maud::{Markup, html};

/// Types of variables by name.
pub(crate) type Types = BTreeMap<String, String>;

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
enum Word<'a> {
    Name(&'a str),
    Number(&'a str),
    Other(&'a str),
}

/// Splits a line into names, numbers and the rest; put together they are the line again.
fn words(line: &str) -> Vec<Word<'_>> {
    let kind = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '_' => 0,
        '0'..='9' => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let first = kind(first);
        // Names go on with digits.
        let goes_on = |c: char| kind(c) == first || (first == 0 && kind(c) == 1);
        let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push(match first {
            0 => Word::Name(word),
            1 => Word::Number(word),
            _ => Word::Other(word),
        });
        rest = after;
    }
    words
}

/// A line with types on its names, and links from functions to their documentation.
pub(crate) fn line(code: &str, types: &Types) -> Markup {
    html! {
        code.line {
            @for word in words(code) {
                @match word {
                    Word::Name(name) => (name_markup(name, types)),
                    Word::Number(number) => span.n { (number) },
                    Word::Other(text) => (text),
                }
            }
        }
    }
}

fn name_markup(name: &str, types: &Types) -> Markup {
    if let Some(ty) = types.get(name) {
        return html! { span.v tabindex="0" data-tip={ (name) ": " (ty) } { (name) } };
    }
    let registry = Registry::get();
    if let Some(id) = registry.resolve(name) {
        let prim = registry.primitive(id);
        let alias = ALIASES.iter().find(|alias| alias.name == name);
        let sig = alias.map_or(prim.sig, |alias| alias.sig);
        return html! { a.f href={ "/dsl/" (prim.name) } data-tip={ (name) ": " (sig) } { (name) } };
    }
    if let Some(constant) = CONSTANTS.iter().find(|constant| constant.name == name) {
        let value = constant.value();
        let text = value.show(&|id| registry.primitive(id).name).to_string();
        return html! { span.c tabindex="0" data-tip={ (name) ": " (constant.ty) " = " (text) (if constant.doc.is_empty() { "" } else { ". " }) (constant.doc) } { (name) } };
    }
    match name {
        "def" | "return" | "lambda" => html! { span.k { (name) } },
        _ => html! { (name) },
    }
}

/// The types that every program knows.
pub(crate) fn inputs() -> Types {
    [("I", "Grid, the input"), ("S", "the demo pairs"), ("C", "None for solvers")]
        .map(|(name, ty)| (name.to_owned(), ty.to_owned()))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_line_again() {
        let line = "x12 = fill(I, THREE, -7, é)";
        let text = |word: &Word<'_>| match word {
            Word::Name(t) | Word::Number(t) | Word::Other(t) => (*t).to_owned(),
        };
        assert_eq!(words(line).iter().map(text).collect::<String>(), line);
        assert_eq!(words("x1 = 2")[0], Word::Name("x1"));
        assert_eq!(words("x1 = 2")[2], Word::Number("2"));
    }

    #[test]
    fn names_say_what_they_are() {
        let mut types = inputs();
        types.insert("x1".to_owned(), "Objects".to_owned());
        let html = line("O = fill(I, THREE, x1)", &types).into_string();
        for part in ["x1: Objects", "/dsl/fill", "THREE: Int = 3", "I: Grid"] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert!(line("<b>", &types).into_string().contains("&lt;"));
    }
}
