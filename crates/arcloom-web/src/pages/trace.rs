//! A program on one pair, step by step: the part of the program page that changes while it is edited.

use arcloom::draw::StepValue;
use arcloom::{Entry, Task, TestState, Trace, one_program, verdict};
use maud::{Markup, html};

use super::answers::{prediction, state_of};
use super::code::{self, line};
use super::task::evaluate;
use super::{counted, encode, grouped, similarity};
use crate::failure::Failure;
use crate::live;
use crate::look::Look;
use crate::routes::{LIVE, Params};
use crate::site::{Place, Site};

/// Most calls of a program that is run here: each may take its whole budget.
const LONGEST: usize = 1000;
/// Pixels a side of a value takes.
const ROOM: usize = 180;

/// Answers the editor: the text of a program, a task and a pair in, the trace out.
pub(crate) fn answer(site: &Site, look: &Look, params: &Params) -> Result<Markup, Failure> {
    let id = params.get("task").unwrap_or_default();
    let at = site.find_task(id, params.get("set"));
    let at = at.ok_or_else(|| Failure::Missing(format!("There is no task `{id}`.")))?;
    let pair = pair_number(site.task(at), params);
    Ok(match read(params.text("text")) {
        Ok(entry) => view(site, look, &entry, at, pair, params.get("program").unwrap_or("new")),
        Err(error) => {
            html! { div.trace data-error=(place(&error)) { p.reason role="alert" { (readable(&error)) } } }
        }
    })
}

/// The pair of an address, counted from 0, demos before tests: `demo-2`, `test-1`, or a number from 1 on.
pub(crate) fn pair_number(task: &Task, params: &Params) -> Option<usize> {
    let name = params.get("pair")?;
    let all = task.demos.len() + task.tests.len();
    let named = (0..all).find(|&n| pair_key(task, n) == name);
    named.or_else(|| name.parse::<usize>().ok()?.checked_sub(1)).filter(|&n| n < all)
}

/// The name of a pair in addresses.
pub(crate) fn pair_key(task: &Task, n: usize) -> String {
    verdict::pair_name(task, n).replace(' ', "-")
}

/// The one program of a text, or what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Entry, String> {
    let entry = one_program("line", text)?;
    match entry.program.size() {
        0..=LONGEST => Ok(entry),
        calls => Err(format!("the program has {calls} calls; up to {LONGEST} are run here")),
    }
}

/// The line an error is in.
fn place(error: &str) -> &str {
    error.strip_prefix("line:").and_then(|rest| rest.split(':').next()).unwrap_or("0")
}

/// An error of the editor's text: `line:2:9: ...` as people say it.
pub(crate) fn readable(error: &str) -> String {
    let mut parts = error.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some("line"), Some(line), Some(column), Some(rest)) => {
            format!("line {line}, column {column}:{rest}")
        }
        _ => error.to_owned(),
    }
}

/// The pairs, the verdict and the steps.
pub(crate) fn view(
    site: &Site,
    look: &Look,
    entry: &Entry,
    at: Place,
    pair: Option<usize>,
    program: &str,
) -> Markup {
    let task = site.task(at);
    let set = &site.sets[at.0].name;
    let found = evaluate(site, entry, task);
    let pairs = task.demos.len() + task.tests.len();
    let state = |n: usize| verdict::pair_state(task, n, &found);
    let wrong = || (0..pairs).find(|&n| state(n) == TestState::Wrong);
    // The first that goes wrong is the one to look at.
    let chosen = pair.filter(|&n| n < pairs).or_else(wrong).unwrap_or(0);
    let machine = &mut live::machine(&site.engine);
    let Some(trace) = site.engine.trace_on(machine, entry, task, chosen) else { return html! {} };
    if live::is_over() {
        let seconds = LIVE.as_secs();
        return html! { div.trace data-error="0" { p.reason role="alert" {
            "Stopped after " (seconds) " s: the program takes too long to be run while you type. "
            code { "arcloom trace" } " runs it to its end."
        } } };
    }
    let Some(output) = found.output(chosen) else { return html! {} };
    let right = (0..pairs).filter(|&n| state(n) == TestState::Right).count();
    let link = |n: usize| {
        format!(
            "/program/{program}?task={}&set={}&pair={}",
            encode(&task.id),
            encode(set),
            pair_key(task, n)
        )
    };
    html! {
        div.trace {
            nav.pairs-nav aria-label="Pairs" {
                @for n in 0..pairs {
                    @let name = verdict::pair_name(task, n);
                    @let (class, sign) = match state(n) { TestState::Right => ("good", "✓"), TestState::Wrong => ("bad", "✗"), TestState::Unknown => ("muted", "?") };
                    a href=(link(n)) data-pair=(pair_key(task, n)) aria-current=[(n == chosen).then_some("true")] {
                        (name) " " span class=(class) { (sign) }
                    }
                }
                span.total {
                    (right) " of " (pairs) " right · similarity " (similarity(found.fit.similarity())) " · " (counted(entry.program.size() as u64, "call")) " · work " (grouped(found.outputs.work))
                }
            }
            div.ends {
                figure { (look.grid(&trace.input, ROOM)) figcaption { "input" } }
                @if let Some(expected) = &trace.expected { figure { (look.grid(expected, ROOM)) figcaption { "expected" } } }
                figure.given { (prediction(output, trace.expected.as_ref().filter(|expected| output.as_ref().ok() != Some(*expected)), look, ROOM)) figcaption { "output " (state_of(output, trace.expected.as_ref())) } }
            }
            (steps(&trace, look))
        }
    }
}

/// A row per step: line, type, cost, value.
pub(crate) fn steps(trace: &Trace, look: &Look) -> Markup {
    let view = trace.view();
    let most = trace.steps.iter().map(|step| step.work).max().unwrap_or(0).max(1);
    let mut types = code::inputs();
    for step in &trace.steps {
        if let Some((name, _)) = step.code.split_once(" = ") {
            types.insert(name.to_owned(), step.ty.to_string());
        }
    }
    html! {
        ol.steps tabindex="0" aria-label="Steps" {
            @for (n, (step, drawn)) in trace.steps.iter().zip(&view.steps).enumerate() {
                @let failed = matches!(drawn.value, StepValue::Failed(_));
                li.step.failed[failed] data-step=(n) {
                    div.head {
                        (line(&step.code, &types))
                        span.type { (drawn.ty) }
                        span.work title={ (grouped(step.work)) " units of work" } {
                            svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
                                rect.fill width=(step.work * 100 / most) height="6" {}
                            }
                            (grouped(step.work))
                        }
                    }
                    div.shown {
                        @if !drawn.notes.is_empty() {
                            ul.met aria-label="Lines of the rule that objects met" {
                                @for note in &drawn.notes { li { (note) } }
                            }
                        }
                        @match &drawn.value {
                            StepValue::Ok(picture) => (look.draw(picture, ROOM)),
                            StepValue::Failed(reason) => p.reason { "✗ " (reason) },
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_names_and_numbers_from_one_on() {
        let tasks = arcloom::Catalog::open(None).resolve_tasks("embedded").unwrap();
        let task = &tasks.tasks[0];
        let of = |pair: &str| pair_number(task, &Params::of_query(&format!("pair={pair}")));
        assert_eq!(
            [of("demo-1"), of("1"), of("demo-2"), of("2")],
            [Some(0), Some(0), Some(1), Some(1)]
        );
        assert_eq!(of("test-1"), Some(task.demos.len()));
        assert_eq!([of("0"), of("demo-99"), of("99"), of("x")], [None; 4]);
    }

    #[test]
    fn what_is_wrong_with_a_text_has_a_line() {
        let error = read("def solve(I):\n    x1 = rot90(I)\n    O = vmiror(x1)\n    return O\n")
            .unwrap_err();
        assert_eq!(place(&error), "3", "{error}");
        assert!(error.contains("did you mean `vmirror`?"), "{error}");
        assert!(readable(&error).starts_with("line 3, column 9: unknown"), "{}", readable(&error));
        assert_eq!(place("there are 2 programs"), "0");
        assert!(read("O = rot90(I)").is_ok());
        let long: String =
            (0..=LONGEST).map(|n| format!("x{} = add(x{n}, height(I))\n", n + 1)).collect();
        let error =
            read(&format!("x0 = height(I)\n{long}O = canvas(x{LONGEST}, UNITY)")).unwrap_err();
        assert!(error.contains("calls"), "{error}");
    }
}
