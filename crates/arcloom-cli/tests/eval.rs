//! `arcloom eval --stdin` as another program uses it: lines in, lines out.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Stream {
    child: Child,
    lines: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn start(words: &[&str]) -> Stream {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arcloom"))
        .args(["eval", "--stdin"])
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a working pipe");
    let lines = child.stdin.take().expect("a working pipe");
    let answers = BufReader::new(child.stdout.take().expect("a working pipe"));
    Stream { child, lines, answers }
}

impl Stream {
    fn send(&mut self, line: &str) {
        writeln!(self.lines, "{line}").expect("a working pipe");
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a working pipe");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
    }

    fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.answer()
    }

    fn end(mut self) {
        drop(self.lines);
        assert!(self.child.wait().expect("a working pipe").success());
        assert_eq!(self.answers.lines().count(), 0);
    }
}

#[test]
fn each_line_is_answered_before_the_next_is_sent() {
    let mut stream = start(&[]);
    let right = stream.ask(
        r#"{"id": [7], "task": "anti_diagonal", "program": "def solve(I):\n    return cmirror(I)\n"}"#,
    );
    assert_eq!((&right["id"], &right["task"]), (&json!([7]), &json!("anti_diagonal")));
    assert_eq!(right["fits"], right["demos"]);
    assert_eq!((&right["similarity"], &right["size"]), (&json!(1.0), &json!(1)));
    assert!(right["tests"][0]["output"][0][0].is_u64());
    let wrong = stream.ask(r#"{"task": "anti_diagonal", "program": "O = rot90(I)"}"#);
    assert_eq!((&wrong["fits"], &wrong["pairs"][0]["right"]), (&json!(0), &json!(false)));
    let failing = stream.ask(r#"{"task": "anti_diagonal", "program": "divide(1, 0)"}"#);
    assert_eq!(failing["pairs"][0]["error"]["message"], "divide: division by zero");
    let task =
        r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}"#;
    let own = stream.ask(&format!(r#"{{"task": {task}, "program": "vmirror(I)"}}"#));
    assert_eq!((&own["fits"], &own["tests"][0]["output"]), (&json!(1), &json!([[4, 3]])));
    stream.end();
}

/// As a language model answers.
#[test]
fn what_is_around_programs_is_dropped_and_said() {
    let mut stream = start(&[]);
    let answer = "Mirror it:\n```python\nimport numpy as np\nfrom dsl import *\n\ndef solve(I):\n    return cmirror(I)\n```\nDone.";
    let line = json!({"task": "anti_diagonal", "program": answer}).to_string();
    let right = stream.ask(&line);
    assert_eq!(right["fits"], right["demos"], "{right}");
    let dropped: Vec<&str> =
        right["dropped"].as_array().unwrap().iter().filter_map(|d| d["kind"].as_str()).collect();
    assert!(dropped.contains(&"prose") && dropped.contains(&"import"), "{right}");
    let plain = stream.ask(r#"{"task": "anti_diagonal", "program": "O = cmirror(I)"}"#);
    assert!(plain.get("dropped").is_none() && plain["fits"] == plain["demos"], "{plain}");
    let two = "def solve_a(I):\n    return I\n\ndef solve_b(I):\n    return cmirror(I)\n";
    let two = stream.ask(&json!({"task": "anti_diagonal", "program": two}).to_string());
    assert_eq!((&two["name"], &two["more"][0]["name"]), (&json!("solve_a"), &json!("solve_b")));
    assert_eq!(two["more"][0]["fits"], right["demos"], "{two}");
    stream.end();
}

#[test]
fn malformed_lines_get_an_error_and_the_stream_goes_on() {
    let mut stream = start(&["--jobs", "2"]);
    let good = r#"{"task": "tally", "program": "I"}"#;
    let cases = [
        ("{", "not a line of JSON"),
        ("", "not a line of JSON"),
        ("[]", "\"program\" must be"),
        (r#"{"program": "I"}"#, "\"task\" must be"),
        (r#"{"task": "taly", "program": "I"}"#, "did you mean `tally`?"),
        (r#"{"task": "tally", "program": "O = vmiror(I)"}"#, "vmirror"),
        (r#"{"task": {"train": [], "test": []}, "program": "I"}"#, "task"),
        (
            r#"{"task": {"train": [{"input": [[77]], "output": [[1]]}], "test": []}, "program": "I"}"#,
            "77",
        ),
    ];
    for (n, (line, wanted)) in cases.iter().enumerate() {
        stream.send(line);
        stream.send(good);
        let error = stream.answer();
        // A line that cannot be read is named; a program that is wrong says where in its own text.
        let place = if line.contains("vmiror") { &error["error"]["line"] } else { &error["line"] };
        assert_eq!(*place, if line.contains("vmiror") { 1 } else { 2 * n + 1 }, "{error}");
        assert!(error["error"].to_string().replace("\\\"", "\"").contains(wanted), "{error}");
        assert_eq!(stream.answer()["task"], "tally");
    }
    stream.lines.write_all(b"\xff\xfe\n").unwrap();
    assert!(stream.answer()["error"]["message"].is_string());
    stream.end();
}

#[test]
fn answers_come_in_the_order_of_the_lines_on_any_number_of_threads() {
    let lines: Vec<String> = (0..3000)
        .map(|n| {
            format!(
                r#"{{"id": {n}, "task": "tally", "program": "fill(I, {}, asindices(I))"}}"#,
                n % 10
            )
        })
        .collect();
    let run = |jobs: &str| {
        let mut stream = start(&["--jobs", jobs]);
        let text = lines.join("\n") + "\n";
        let mut input = stream.lines;
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
        let answers: Vec<String> = stream.answers.by_ref().lines().map(Result::unwrap).collect();
        writer.join().unwrap();
        assert!(stream.child.wait().unwrap().success());
        answers
    };
    let one = run("1");
    assert_eq!(one.len(), lines.len());
    for (n, line) in one.iter().enumerate() {
        assert!(line.starts_with(&format!("{{\"id\": {n}, ")), "{line}");
    }
    assert!(one == run("4"));
}
