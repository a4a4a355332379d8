//! Two programs side by side on the same pair, step by step, and what is different in their texts.

use arcloom::{Task, TestState, verdict};
use maud::{Markup, html};
use serde_json::json;

use super::answers::{prediction, state_of};
use super::trace::{pair_key, pair_number, steps};
use super::{Page, counted, diff, encode, program_url, short, similarity};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::Params;
use crate::site::{Place, Shown, Site};

/// Pixels a side of a grid takes.
const ROOM: usize = 180;

pub(crate) fn page(site: &Site, look: &Look, params: &Params) -> Result<Page, Failure> {
    let find = |name: &str| params.get(name).map(|id| site.program(id)).transpose();
    let (a, b) = (find("a")?, find("b")?);
    let place = place(site, [&a, &b], params);
    let pair = place.and_then(|at| pair_number(site.task(at), params)).unwrap_or(0);
    let both: Vec<&Shown> = a.iter().chain(&b).collect();
    let body = html! {
        (form(site, params, &a, &b, place))
        @if both.is_empty() { p.empty { "Name two programs, by name or by the beginning of their identity. On a program's page, “pin” keeps it for this comparison." } }
        @if let (Some(a), Some(b)) = (&a, &b) {
            section aria-labelledby="difference" {
                h2 id="difference" { "Difference" }
                (diff::view(&a.entry.program, &b.entry.program))
            }
        }
        @match place {
            Some(at) => {
                (pairs(site, params, at, pair, &both))
                div.versus { @for shown in &both { (side(site, look, shown, at, pair)) } }
            }
            None => @if !both.is_empty() { p.empty { "Name a task to run them on." } }
        }
    };
    let data = || {
        let one = |shown: &&Shown| {
            let found = place.map(|at| super::task::evaluate(site, &shown.entry, site.task(at)));
            let states = found.iter().flat_map(|found| {
                let task = place.map(|at| site.task(at));
                let all = task.map_or(0, |task| task.demos.len() + task.tests.len());
                (0..all).filter_map(move |n| Some(verdict::pair_state(task?, n, found).name()))
            });
            json!({
                "program": shown.id.to_string(),
                "name": shown.entry.program.name,
                "text": arcloom::text::print(&shown.entry.program, arcloom::Form::Straight),
                "pairs": states.collect::<Vec<_>>(),
            })
        };
        json!({
            "task": place.map(|at| site.task(at).id.as_str()),
            "pair": place.map(|at| pair_key(site.task(at), pair)),
            "programs": both.iter().map(one).collect::<Vec<_>>(),
        })
    };
    Ok(Page::new("Compare", "Programs", body).data(look, data))
}

/// The task that is asked for, or one that a program is for.
fn place(site: &Site, shown: [&Option<Shown>; 2], params: &Params) -> Option<Place> {
    if let Some(task) = params.get("task") {
        return site.find_task(task, params.get("set")).or_else(|| site.find_task(task, None));
    }
    shown.into_iter().flatten().find_map(|shown| site.find_task(&shown.entry.task, None))
}

fn form(
    site: &Site,
    params: &Params,
    a: &Option<Shown>,
    b: &Option<Shown>,
    place: Option<Place>,
) -> Markup {
    let name = |shown: &Option<Shown>, name: &str| match shown {
        Some(shown) => short(shown.id),
        None => params.text(name).to_owned(),
    };
    html! {
        form.filter action="/compare" role="search" {
            h1 { "Compare" }
            label { span { "Program" } input name="a" value=(name(a, "a")) required; }
            label { span { "with" } input name="b" value=(name(b, "b")) data-pinned; }
            label { span { "on task" } input name="task" value=(place.map_or("", |at| &site.task(at).id)); }
            @if let Some(at) = place { input type="hidden" name="set" value=(site.sets[at.0].name); }
            button { "Compare" }
        }
    }
}

fn pairs(site: &Site, params: &Params, at: Place, chosen: usize, both: &[&Shown]) -> Markup {
    let task = site.task(at);
    let found: Vec<_> =
        both.iter().map(|shown| super::task::evaluate(site, &shown.entry, task)).collect();
    let sign = |n: usize| -> String {
        let one = |found: &arcloom::Evaluation| match verdict::pair_state(task, n, found) {
            TestState::Right => "✓",
            TestState::Wrong => "✗",
            TestState::Unknown => "?",
        };
        found.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    html! {
        nav.pairs-nav aria-label="Pairs" {
            @for n in 0..task.demos.len() + task.tests.len() {
                a href={ "/compare" (params.with("pair", &pair_key(task, n))) } data-pair=(pair_key(task, n)) aria-current=[(n == chosen).then_some("true")] {
                    (verdict::pair_name(task, n)) " " (sign(n))
                }
            }
        }
    }
}

/// One of the programs on the pair.
fn side(site: &Site, look: &Look, shown: &Shown, at: Place, pair: usize) -> Markup {
    let (task, set): (&Task, &str) = (site.task(at), &site.sets[at.0].name);
    let entry = &shown.entry;
    let found = super::task::evaluate(site, entry, task);
    let machine = &mut live::machine(&site.engine);
    let trace = site.engine.trace_on(machine, entry, task, pair);
    let url =
        format!("{}&pair={}", program_url(shown.id, &task.id, set), encode(&pair_key(task, pair)));
    html! {
        section.side {
            h2 { a href=(url) { code { (short(shown.id)) } " " (entry.program.name) } }
            p.about {
                span { @match &shown.record { Some(record) => (record.origin()), None => (entry.file) } }
                span { (counted(entry.program.size() as u64, "call")) }
                span { "fits " (found.fit.count()) "/" (task.demos.len()) }
                span { "similarity " (similarity(found.fit.similarity())) }
            }
            @if let Some(trace) = &trace {
                div.ends {
                    figure { (look.grid(&trace.input, ROOM)) figcaption { "input" } }
                    @if let Some(expected) = &trace.expected { figure { (look.grid(expected, ROOM)) figcaption { "expected" } } }
                    @if let Some(output) = found.output(pair) {
                        figure.given { (prediction(output, trace.expected.as_ref(), look, ROOM)) figcaption { "output " (state_of(output, trace.expected.as_ref())) } }
                    }
                }
                (steps(trace, look))
            }
        }
    }
}
