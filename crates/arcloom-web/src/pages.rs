//! One file per page: site and parameters in, markup out. Here what all of them share.

use arcloom::ProgramId;
use arcloom::draw::Palette;
use maud::{DOCTYPE, Markup, html};
use serde_json::{Value as Json, json};

use crate::assets::ICON;
use crate::failure::Failure;
use crate::look::{Look, Shade};
use crate::routes::Params;
use crate::site::Site;
use crate::standing::Scope;
use arcloom::{TaskState, Verdict};

mod answers;
pub(crate) mod batt;
pub(crate) mod code;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod dsl;
pub(crate) mod lineage;
pub(crate) mod matrix;
pub(crate) mod program;
pub(crate) mod programs;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod save;
pub(crate) mod solved;
pub(crate) mod task;
pub(crate) mod tasks;
pub(crate) mod trace;

/// A page without its frame.
pub(crate) struct Page {
    pub(crate) title: String,
    /// The part of the site it belongs to: an entry of [`NAV`].
    pub(crate) area: &'static str,
    /// The module it needs besides `page.js`.
    pub(crate) module: Option<&'static str>,
    pub(crate) body: Markup,
    /// The same as data, where that was asked for.
    pub(crate) data: Option<Json>,
}

/// The areas and where they begin.
const NAV: &[(&str, &str)] = &[
    ("Tasks", "/tasks"),
    ("Programs", "/programs"),
    ("Runs", "/runs"),
    ("Matrix", "/matrix"),
    ("Batt", "/batt"),
    ("DSL", "/dsl"),
];

impl Page {
    pub(crate) fn new(title: impl Into<String>, area: &'static str, body: Markup) -> Page {
        Page { title: title.into(), area, module: None, body, data: None }
    }

    /// With a module besides `page.js`.
    pub(crate) fn with(self, module: &'static str) -> Page {
        Page { module: Some(module), ..self }
    }

    /// With the same as data, for those who ask for that.
    pub(crate) fn data(self, look: &Look, data: impl FnOnce() -> Json) -> Page {
        Page { data: look.json.then(data), ..self }
    }

    pub(crate) fn failure(failure: &Failure) -> Page {
        let (title, message) = (failure.title(), failure.message());
        let body = html! {
            section.empty {
                h1 { (title) }
                p { (message) }
                p { a href="/tasks" { "All tasks" } }
            }
        };
        let data = Some(json!({ "error": message }));
        Page { data, ..Page::new(title, "", body) }
    }

    /// The whole page.
    pub(crate) fn frame(&self, look: &Look, path: &str, site: &Site) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" data-palette=(look.palette.name) data-shade=(look.shade.name()) data-symbols=[look.symbols.then_some("1")] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · arcloom" }
                    link rel="icon" href=(ICON);
                    link rel="stylesheet" href="/assets/style.css";
                    link rel="stylesheet" href="/assets/draw.css";
                    script type="module" src="/assets/page.js" {}
                    @if let Some(module) = self.module {
                        script type="module" src={ "/assets/" (module) } {}
                    }
                }
                body {
                    a.skip href="#main" { "To the content" }
                    header.top {
                        a.brand href="/tasks" { "arcloom" }
                        nav aria-label="Areas" {
                            @for (name, to) in NAV {
                                a href=(to) aria-current=[(*name == self.area).then_some("page")] { (name) }
                            }
                        }
                        @if matches!(self.area, "Tasks" | "Programs") && site.store.is_some() { (scopes(look, path)) }
                        (settings(look, path))
                    }
                    main id="main" { (self.body) }
                    footer.bottom {
                        span { @match &site.store {
                            Some(store) => { "archive " code { (store.path().display()) } }
                            None => { "no archive: start with " code { "arcloom serve ARCHIVE" } " to see runs and lineage" }
                        } }
                        span.keys { kbd { "?" } " keys" }
                    }
                    dialog id="keys" {
                        h2 { "Keys" }
                        dl {
                            @for (key, does) in KEYS { div { dt { kbd { (key) } } dd { (does) } } }
                        }
                        form method="dialog" { button { "Close" } }
                    }
                }
            }
        }
    }
}

const KEYS: &[(&str, &str)] = &[
    ("/", "search"),
    ("j k or ↓ ↑", "next and previous step of a program"),
    ("Home End", "first and last step"),
    ("[ ]", "previous and next pair, or task"),
    ("e", "edit the program; Esc leaves the editor"),
    ("+ - 0", "zoom a drawing in, out, back; arrows move it"),
    ("?", "this list"),
];

/// The switch between what an archive hands in and what the loaded programs do.
fn scopes(look: &Look, path: &str) -> Markup {
    html! {
        form.scopes method="post" action="/scope" {
            input type="hidden" name="back" value=(path);
            fieldset {
                legend { "Whose programs count" }
                @for scope in Scope::ALL {
                    button name="scope" value=(scope.name()) aria-pressed=(if scope == look.scope { "true" } else { "false" }) title=(scope.about()) { (scope.name()) }
                }
            }
        }
    }
}

fn settings(look: &Look, path: &str) -> Markup {
    html! {
        details.settings {
            summary { "Look" }
            form method="post" action="/look" {
                input type="hidden" name="back" value=(path);
                label { "Palette "
                    select name="palette" {
                        @for name in Palette::names() {
                            option value=(name) selected[name == look.palette.name] { (name) }
                        }
                    }
                }
                label { "Page "
                    select name="shade" {
                        @for shade in Shade::ALL {
                            option value=(shade.name()) selected[shade == look.shade] { (shade.name()) }
                        }
                    }
                }
                label { input type="checkbox" name="symbols" value="1" checked[look.symbols]; " Signs on cells" }
                label { input type="checkbox" name="digits" value="1" checked[look.digits]; " Numbers in cells" }
                button { "Use" }
            }
        }
    }
}

/// Text as it may stand in an address.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b':' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// As much of an id as people need.
pub(crate) fn short(id: ProgramId) -> String {
    let mut text = id.to_string();
    text.truncate(12);
    text
}

/// The address of a task.
pub(crate) fn task_url(id: &str, set: &str) -> String {
    format!("/task/{}?set={}", encode(id), encode(set))
}

/// The address of a program on a task.
pub(crate) fn program_url(id: ProgramId, task: &str, set: &str) -> String {
    let id = short(id);
    match task {
        "" => format!("/program/{id}"),
        _ => format!("/program/{id}?task={}&set={}", encode(task), encode(set)),
    }
}

/// A number with its thousands set apart.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, c) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The beginning of a text.
pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => format!("{}…", text.chars().take(most - 1).collect::<String>()),
        false => text.to_owned(),
    }
}

/// A number and its noun.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A mark for how far a task is, told by form and word as well as by colour.
pub(crate) fn badge(state: TaskState) -> Markup {
    let sign = match state {
        TaskState::Right => "✓",
        TaskState::Fits => "◐",
        TaskState::Open => "○",
        TaskState::Untried => "·",
    };
    html! { span class={ "badge " (state.name()) } title=(state.about()) { (sign) " " (state.name()) } }
}

/// A similarity, given in thousandths.
pub(crate) fn similarity(thousandths: u32) -> String {
    format!("{:.3}", f64::from(thousandths) / 1000.0)
}

/// A similarity as a bar and a number.
pub(crate) fn meter(thousandths: u32) -> Markup {
    html! {
        span.meter title="mean similarity on the demos, from 0 to 1" {
            svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                rect.track width="100" height="8" rx="2" {}
                rect.fill width=(thousandths.min(1000) / 10) height="8" rx="2" {}
            }
            (similarity(thousandths))
        }
    }
}

/// A verdict as data, with the fields that it has in every command.
pub(crate) fn verdict_json(verdict: Option<Verdict>) -> Json {
    match verdict {
        Some(Verdict { fits, demos, tests }) => {
            json!({ "fits": fits, "demos": demos, "tests": tests.name() })
        }
        None => Json::Null,
    }
}

/// Seconds for people.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "0 s".to_owned(),
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0 / 60.0).floor()),
    }
}

/// Links to other pages of a list.
pub(crate) fn pager(params: &Params, page: usize, pages: usize) -> Markup {
    html! {
        @if pages > 1 {
            nav.pager aria-label="Pages" {
                @if page > 1 { a rel="prev" href=(params.with("page", &(page - 1).to_string())) { "← earlier" } }
                span { "page " (page) " of " (grouped(pages as u64)) }
                @if page < pages { a rel="next" href=(params.with("page", &(page + 1).to_string())) { "later →" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_what_they_are_given() {
        assert_eq!(encode("a b&c=d?é"), "a%20b%26c%3Dd%3F%C3%A9");
        assert_eq!(task_url("00d62c1b", "arc1/training"), "/task/00d62c1b?set=arc1/training");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "task"), counted(2, "task")], ["1 task", "2 tasks"]);
    }
}
