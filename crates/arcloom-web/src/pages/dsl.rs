//! The language: every function and constant, with documentation and examples that are run.

use arcloom::draw::{Picture, picture_of, picture_typed};
use arcloom::graph::Inputs;
use arcloom::{ALIASES, CONSTANTS, Class, Machine, Primitive, Registry, Ty, Value, one_program};
use maud::{Markup, html};
use serde_json::json;

use super::code::{Types, line};
use super::{Page, counted};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// Pixels a side of a value takes.
const ROOM: usize = 150;

pub(crate) fn list(_: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let registry = Registry::get();
    let text = params.get("q").unwrap_or_default().to_lowercase();
    let takes = |prim: &Primitive| {
        text.is_empty()
            || prim.name.contains(&text)
            || prim.sig.to_lowercase().contains(&text)
            || prim.doc.to_lowercase().contains(&text)
    };
    let mut families: Vec<(Class, Vec<&'static Primitive>)> = Vec::new();
    for (_, prim) in registry.all().filter(|(_, prim)| takes(prim)) {
        match families.iter_mut().find(|(class, _)| *class == prim.class) {
            Some((_, members)) => members.push(prim),
            None => families.push((prim.class, vec![prim])),
        }
    }
    families.sort_by_key(|(class, _)| *class);
    let count: usize = families.iter().map(|(_, members)| members.len()).sum();
    let constants =
        CONSTANTS.iter().filter(|c| text.is_empty() || c.name.to_lowercase().contains(&text));
    let constants: Vec<_> = constants.collect();
    let body = html! {
        form.filter action="/dsl" data-live="results" role="search" {
            h1 { "The language" }
            label { span { "Search" } input type="search" name="q" value=(params.text("q")) placeholder="name, type, words" data-search; }
            button.plain { "Find" }
        }
        section id="results" aria-live="polite" {
            p.summary { strong { (counted(count as u64, "function")) } span { (counted(constants.len() as u64, "constant")) } }
            @for (class, members) in &families {
                section.family {
                    h2 { (family(*class)) }
                    dl {
                        @for prim in members {
                            div { dt { a href={ "/dsl/" (prim.name) } { code { (prim.name) } } " " code.muted { (prim.sig) } } dd { (inline(prim.summary())) } }
                        }
                    }
                }
            }
            @if !constants.is_empty() {
                section.family {
                    h2 { "constants" }
                    dl.constants {
                        @for constant in &constants {
                            div { dt { code { (constant.name) } } dd { code.muted { (constant.ty.to_string()) } " " code { (shown(&constant.value())) } " " (inline(constant.doc)) } }
                        }
                    }
                }
            }
        }
    };
    let data = || {
        let all = families.iter().flat_map(|(_, members)| members);
        let functions: Vec<_> = all.map(|prim| json!({ "name": prim.name, "signature": prim.sig, "family": family(prim.class) })).collect();
        let constants: Vec<_> = constants
            .iter()
            .map(|c| json!({ "name": c.name, "value": shown(&c.value()) }))
            .collect();
        json!({ "functions": functions, "constants": constants })
    };
    Ok(Page::new("The language", "DSL", body).data(look, data))
}

pub(crate) fn page(name: &str, _: &Site, look: &Look, _: &Params) -> Result<Page, Failure> {
    let registry = Registry::get();
    let id = registry.resolve(name);
    let id =
        id.ok_or_else(|| Failure::Missing(format!("The language has no function `{name}`.")))?;
    let prim = registry.primitive(id);
    let cost = prim.cost.growth();
    let aliases: Vec<_> = ALIASES.iter().filter(|alias| alias.target == prim.name).collect();
    let first = prim.examples().next().map_or("", |example| left(example));
    let body = html! {
        header.head {
            h1 { code { (prim.name) } }
            code.muted { "(" (prim.params.join(", ")) ") : " (prim.sig) }
            nav.beside { a href="/dsl" { "all functions" } }
        }
        div.doc { @for paragraph in paragraphs(prim.doc) { p { (inline(&paragraph)) } } }
        dl.facts {
            div { dt { "family" } dd { (family(prim.class)) } }
            div { dt { "cost" } dd { (cost) } }
            div { dt { "order of sets" } dd { (if prim.order_dependent { "the result can depend on it: ascending here, by hash in Python" } else { "does not matter" }) } }
            div { dt { "arc-dsl" } dd { (if prim.extra { "has no such function" } else { "has it" }) } }
            @if !aliases.is_empty() { div { dt { "also" } dd { @for alias in aliases { code { (alias.name) } " " span.muted { (alias.sig) } " " } } } }
        }
        section {
            h2 { "Try it" }
            form.try action="/evaluate" method="post" data-try="tried" {
                textarea name="text" rows="3" spellcheck="false" autocomplete="off" autocapitalize="off" aria-label="An expression" { (first) }
            }
            div id="tried" aria-live="polite" { (evaluated(first, look)) }
        }
        section {
            h2 { "Examples" }
            @for example in prim.examples() {
                article.example { (line(example, &Types::new())) (evaluated(left(example), look)) }
            }
        }
    };
    let data = || {
        json!({
            "name": prim.name,
            "signature": prim.sig,
            "parameters": prim.params,
            "family": family(prim.class),
            "text": paragraphs(prim.doc),
            "examples": prim.examples().collect::<Vec<_>>(),
        })
    };
    Ok(Page::new(prim.name, "DSL", body).with("steps.js").data(look, data))
}

/// Answers the field in which expressions are tried.
pub(crate) fn evaluate(_: &Site, look: &Look, params: &Params) -> Result<Markup, Failure> {
    Ok(evaluated(params.text("text"), look))
}

/// The side of an example that is run.
fn left(example: &str) -> &str {
    let end = example.find(" == ").or_else(|| example.find(" fails"));
    end.map_or(example, |end| &example[..end])
}

/// What an expression comes to, beside the grids and objects it is given.
fn evaluated(text: &str, look: &Look) -> Markup {
    let text = text.trim();
    if text.is_empty() {
        return html! {};
    }
    match value(text) {
        Ok(value) => html! {
            div.result {
                @for given in arguments(text) { (look.draw(&picture(&given), ROOM)) }
                span.arrow aria-hidden="true" { "→" }
                (look.draw(&picture(&value), ROOM))
            }
        },
        Err(reason) => html! { p.reason { (reason) } },
    }
}

fn picture(value: &Value) -> Picture {
    let names = |id| Registry::get().primitive(id).name;
    match value {
        Value::Int(_) => picture_typed(value, &Ty::Num, None, &names),
        _ => picture_of(value, None, &names),
    }
}

fn shown(value: &Value) -> String {
    value.show(&|id| Registry::get().primitive(id).name).to_string()
}

/// The value of an expression without inputs.
fn value(text: &str) -> Result<Value, String> {
    let entry = one_program("line", text)?;
    if entry.program.size() > 200 {
        return Err("this is too long to be tried here".to_owned());
    }
    let mut machine = Machine::default();
    live::watch(&mut machine);
    let none = &Value::None;
    let inputs = Inputs { input: none, samples: none, expected: none };
    machine.run(&entry.plan, &inputs).map_err(|failure| failure.error.to_string())
}

/// The arguments of a call that are more than a number or a name, as values.
fn arguments(text: &str) -> Vec<Value> {
    let Some(open) = text.find('(') else { return Vec::new() };
    let Some(inside) = text.strip_suffix(')').and_then(|text| text.get(open + 1..)) else {
        return Vec::new();
    };
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let drawn = |value: &Value| !matches!(picture(value), Picture::Text(_));
    parts.iter().filter_map(|part| value(part.trim()).ok()).filter(drawn).take(4).collect()
}

/// Paragraphs of a documentation without its examples.
fn paragraphs(doc: &str) -> Vec<String> {
    let mut inside = false;
    let kept: Vec<&str> = doc
        .lines()
        .filter(|line| {
            let fence = line.starts_with("```");
            inside ^= fence;
            !inside && !fence
        })
        .collect();
    let joined = kept.join("\n");
    let paragraphs =
        joined.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    paragraphs.filter(|paragraph| !paragraph.is_empty()).collect()
}

/// Text with code between backticks.
fn inline(text: &str) -> Markup {
    html! {
        @for (n, part) in text.split('`').enumerate() {
            @if n % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn family(class: Class) -> String {
    let mut name = String::new();
    for (n, c) in format!("{class:?}").chars().enumerate() {
        if c.is_uppercase() && n > 0 {
            name.push(' ');
        }
        name.extend(c.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_can_be_shown() {
        let mut shown = 0;
        for (_, prim) in Registry::get().all() {
            for example in prim.examples() {
                match (value(left(example)), example.contains(" == ")) {
                    (Ok(_), true) | (Err(_), false) => shown += 1,
                    (got, _) => panic!("{}: {example}: {got:?}", prim.name),
                }
            }
        }
        assert!(shown > 300, "{shown}");
    }

    #[test]
    fn grids_among_the_arguments_are_drawn() {
        assert_eq!(arguments("hconcat(((1, 2), (3, 4)), ((5,), (6,)))").len(), 2);
        assert_eq!(arguments("add(1, 2)").len(), 0);
        assert_eq!(arguments("add(").len(), 0);
    }

    #[test]
    fn documentation_without_examples() {
        let doc = "One.\n\n```arc\nadd(1, 2) == 3\n```\n\nTwo\nlines.";
        assert_eq!(paragraphs(doc), ["One.", "Two lines."]);
        assert_eq!(inline("a `b` c").into_string(), "a <code>b</code> c");
    }
}
