use arcloom_graph::NoOutput;

use super::*;

fn with_task<R>(work: impl Fn(&Engine, &TaskView) -> R) -> R {
    let tasks = arcloom_tasks::Catalog::open(None).resolve_tasks("embedded").unwrap();
    let engine = Engine::builder().threads(1).build().unwrap();
    let task = TaskView::new(tasks.get("anti_diagonal").unwrap());
    work(&engine, &task)
}

fn evaluate(text: &str) -> Evaluation {
    let entry = one_program("test", text).unwrap();
    with_task(|engine, task| engine.evaluate_all(&[(&entry, task)]).swap_remove(0))
}

fn judge(text: &str) -> EvalRows {
    let source = EvalSource::Text(text.to_string());
    with_task(|engine, task| engine.judge(&mut engine.machine(), &source, task))
}

fn json(text: &str) -> Vec<serde_json::Value> {
    let rows = judge(text);
    with_task(|engine, task| {
        let object = |row: &EvalRow| {
            let mut text = String::new();
            row.write_json(&mut text, "", &rows.dropped, &mut engine.machine(), task);
            serde_json::from_str(&text).unwrap()
        };
        rows.rows.iter().map(object).collect()
    })
}

#[test]
fn right_wrong_and_failing_programs() {
    let right = evaluate("def solve(I):\n    return cmirror(I)\n");
    assert!(right.fit.is_full() && right.fit.similarity() == 1000);
    assert!(right.outputs.tests.iter().all(Result::is_ok));
    let wrong = evaluate("O = rot90(I)");
    assert!(wrong.fit.count() == 0 && wrong.fit.similarity() < 1000);
    assert!(wrong.outputs.demos[0].is_ok());
    let failing = evaluate("O = first(ofcolor(I, 77))");
    assert_eq!(failing.fit.similarity(), 0);
    let error = failing.outputs.demos[0].as_ref().unwrap_err();
    assert!(error.to_string().starts_with("first: "));
    let no_grid = evaluate("O = height(I)");
    assert_eq!(no_grid.outputs.tests[0], Err(NoOutput::NotAGrid));
}

#[test]
fn a_row_for_each_program_and_each_mistake() {
    let rows =
        judge("def solve_a(I):\n    return cmirror(I)\ndef solve_b(I):\n    return rotate90(I)\n")
            .rows;
    assert_eq!(rows.len(), 2);
    assert!(rows[0].judged.as_ref().unwrap().evaluation.fit.is_full());
    let error = rows[1].judged.as_ref().unwrap_err();
    assert_eq!((error.line, error.suggestion.as_deref()), (4, Some("rot90")));
}

#[test]
fn a_failing_step_has_its_line_and_arguments() {
    let object = &json("Try this:\n```python\nx1 = ofcolor(I, 77)\nO = first(x1)\n```")[0];
    let error = &object["pairs"][0]["error"];
    assert_eq!(error["line"], 4, "{object}");
    assert_eq!(error["call"], "first(frozenset())", "{object}");
    assert_eq!(object["dropped"][0]["kind"], "prose");
    let object = &json("O = height(I)")[0];
    assert_eq!(object["pairs"][0]["error"]["line"], 1, "{object}");
}

#[test]
fn json_has_wrong_cells_where_sizes_agree() {
    let object = &json("O = hmirror(cmirror(I))")[0];
    let cells = object["pairs"][0]["wrong_cells"].as_u64().unwrap();
    assert!(cells > 0 && object["pairs"][0]["right"] == false, "{object}");
    assert!(object["tests"][0]["output"].is_array() && object["tests"][0].get("right").is_none());
    let right = &json("O = cmirror(I)")[0];
    assert_eq!(right["pairs"][0]["wrong_cells"], 0);
    assert_eq!(right["fits"], right["demos"]);
    let wrong = &json("I cannot do it")[0];
    assert!(
        wrong["error"]["message"].as_str().unwrap().starts_with("there is no program"),
        "{wrong}"
    );
}

#[test]
fn a_stop_leaves_the_rest_unjudged() {
    with_task(|engine, task| {
        let jobs: Vec<_> =
            (0..200).map(|_| (EvalSource::Text("O = cmirror(I)".into()), task)).collect();
        let stop = Stop::default();
        let rows = engine.judge_all(&jobs, &stop, &|done| {
            if done >= 64 {
                stop.set();
            }
        });
        let judged = rows.iter().flatten().count();
        assert!((1..200).contains(&judged), "{judged}");
    });
}
