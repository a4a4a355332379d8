use super::*;
use crate::text;

/// Each program on one line, or its error; then what was dropped.
fn read(text: &str) -> String {
    let answer = Answer::read(text);
    let mut said: Vec<String> = Vec::new();
    for reading in &answer.readings {
        let name = if reading.name.is_empty() { "-" } else { &reading.name };
        said.push(match &reading.program {
            Ok(placed) => {
                let line = text::one_line(&placed.program);
                format!("{name} {}", line.trim_start_matches("return "))
            }
            Err(error) => error.render(name),
        });
    }
    let dropped = answer
        .dropped
        .iter()
        .map(|dropped| format!("{}@{}+{}", dropped.kind.name(), dropped.line, dropped.line_count));
    said.extend(dropped);
    said.join(" | ")
}

#[track_caller]
fn check(text: &str, wanted: &str) {
    assert_eq!(read(text), wanted, "{text}");
}

#[test]
fn code_alone_is_read_as_a_file_is() {
    check("O = vmirror(I)", "- vmirror(I)");
    check("def solve(I):\n    return rot90(I)\n", "solve rot90(I)");
    check(
        "from dsl import *\n\ndef solve(I):\n    return rot90(I)\n",
        "solve rot90(I) | import@1+1",
    );
}

#[test]
fn a_fence_and_prose_around_it() {
    check(
        "Sure! The grid is mirrored.\n\n```python\nfrom arc_dsl import *\ndef solve(I):\n    O = vmirror(I)\n    return O\n```\nThis works, since x = y.\n",
        "solve vmirror(I) | prose@1+1 | import@4+1 | prose@9+1",
    );
    check("```\nO = vmirror(I)\n```", "- vmirror(I)");
    check("~~~py\nx1 = rot90(I)\nreturn x1\n~~~", "- rot90(I)");
    check(
        "1. First:\n   ```python\n   def solve(I):\n       return rot90(I)\n   ```\n",
        "solve rot90(I) | prose@1+1",
    );
    check("```python\ndef solve(I):\n    return rot90(I)", "solve rot90(I)");
    check("```O = vmirror(I)```", "- vmirror(I)");
}

#[test]
fn blocks_that_are_no_programs_are_left_out() {
    check(
        "```json\n{\"a\": 1}\n```\n```\n0 0 1\n1 0 0\n```\n```python\nO = rot90(I)\n```",
        "- rot90(I) | block@2+1 | block@5+2",
    );
}

#[test]
fn several_programs_of_one_text() {
    check(
        "def solve_a(I):\n    return rot90(I)\ndef solve_b(I):\n    return rot180(I)\n",
        "solve_a rot90(I) | solve_b rot180(I)",
    );
    check(
        "```python\ndef solve(I):\n    return rot90(I)\n```\nor better\n```python\ndef solve(I):\n    return rot180(I)\n```",
        "solve rot90(I) | solve rot180(I) | prose@5+1",
    );
    // A helper in a block of its own.
    check(
        "```python\ndef turn(g):\n    return rot90(g)\n```\n```python\ndef solve(I):\n    return turn(I)\n```",
        "solve rot90(I)",
    );
    check("```\nO = rot90(I)\n```\n```\nO = rot180(I)\n```", "- rot90(I) | - rot180(I)");
}

#[test]
fn thinking_and_special_tokens() {
    check("<think>\nO = rot90(I)?\n</think>\nO = rot180(I)", "- rot180(I) | thinking@1+3");
    check("so O = rot90(I)\n</think>\n\nO = rot180(I)", "- rot180(I) | thinking@1+2");
    check(
        "<think>\nhmm, rot90",
        "-:1:1: the text ends while it still thinks: there is no program after it | thinking@1+2",
    );
    check("<answer>O = rot180(I)</answer><|im_end|>", "- rot180(I)");
    check(
        "<|channel|>analysis<|message|>O = rot90(I)<|end|><|start|>assistant<|channel|>final<|message|>O = rot180(I)",
        "- rot180(I) | thinking@1+1",
    );
}

#[test]
fn prose_without_fences() {
    check(
        "Here is my solution:\n\ndef solve(I):\n    # mirror it\n    x1 = vmirror(I)\n\n    return x1\n\nThis mirrors the grid.",
        "solve vmirror(I) | prose@1+1 | prose@9+1",
    );
    check(
        "The answer is:\nx1 = vmirror(I)\nO = rot90(x1)\nDone!",
        "- rot90(vmirror(I)) | prose@1+1 | prose@4+1",
    );
    check("I would use `vmirror(I)` here.", "- vmirror(I) | prose@1+1");
}

#[test]
fn prose_alone_gives_no_misleading_hint() {
    let none = "-:1:1: there is no program in the text: write `def solve(I):` with `return`, or lines such as `O = vmirror(I)`";
    check("Hello", &format!("{none} | prose@1+1"));
    check(
        "I cannot solve this task, sorry.\nIt is too hard (for me).",
        &format!("{none} | prose@1+2"),
    );
    check("", none);
    check("return to the start of the grid and look again", &format!("{none} | prose@1+1"));
}

#[test]
fn usage_after_a_function_is_left_out() {
    check(
        "```python\nimport numpy as np\n\ndef solve(I):\n    return rot90(I)\n\nif __name__ == \"__main__\":\n    print(solve(((1,),)))\nprint(solve(I))\n```",
        "solve rot90(I) | import@2+1 | statement@7+3",
    );
}

#[test]
fn errors_have_the_place_in_the_whole_text() {
    check(
        "Look:\n```python\ndef solve(I):\n    x1 = rotate90(I)\n    return x1\n```",
        "solve:4:10: unknown function `rotate90`: did you mean `rot90`? | prose@1+1",
    );
    check(
        "- so\n  ```python\n  def solve(I):\n      return rot90(I, I)\n  ```",
        "solve:4:14: `rot90` takes 1 argument but 2 are given | prose@1+1",
    );
    // One bad function of two.
    check(
        "def solve_a(I):\n    return rot90(I\n\ndef solve_b(I):\n    return rot90(I)\n",
        "solve_a:2:17: `(` is never closed: expected `,` or `)`, found `def` | solve_b rot90(I)",
    );
    // The helper's mistake, not that it is unknown.
    check(
        "def turn(g):\n    for x in g: pass\ndef solve(I):\n    return turn(I)\n",
        "solve:2:5: `for` and `while` loops are not part of solver files: call `apply`, `mapply`, `sfilter` or `power`",
    );
}

#[test]
fn the_suggestion_stands_alone_too() {
    let answer = Answer::read("O = flip_horizontal(I)");
    let error = answer.readings[0].program.as_ref().unwrap_err();
    assert_eq!(error.suggestion.as_deref(), Some("vmirror"));
}

#[test]
fn nodes_know_their_lines() {
    let answer = Answer::read(
        "Well:\n```python\ndef solve(I):\n    x1 = objects(I, T, F, T)\n    x2 = first(x1)\n    return fill(I, 1, x2)\n```",
    );
    let placed = answer.programs().next().unwrap();
    let output = placed.program.output().index();
    assert_eq!(placed.lines[output], 6);
    assert!(placed.lines.contains(&4) && placed.lines.contains(&5));
}

#[test]
fn texts_without_one_program_say_so() {
    for (text, wanted) in [
        ("def solve_a(I):\n    return I\ndef solve_b(I):\n    return I\n", "2 programs"),
        ("O = vmiror(I)", "did you mean `vmirror`?"),
        ("", "line:"),
    ] {
        let error = one_program("line", text).unwrap_err();
        assert!(error.contains(wanted), "{error}");
    }
}

/// Whatever a text holds, it is read without a panic, and places are inside of it.
#[test]
fn odd_texts_are_survived() {
    let parts = [
        "```",
        "```python",
        "<think>",
        "</think>",
        "def solve(I):",
        "    return I",
        "é = <",
        "\"\"\"",
        "(",
        "`",
        "\t",
        "<|",
        "\r",
        "~~~",
        "from x import (",
        ">>> O = I",
        ")",
        ":",
        "def",
        "x: = 1",
    ];
    let count = parts.len();
    for a in 0..count {
        for b in 0..count {
            for c in 0..count {
                let text = format!("{}\n{}\n{}", parts[a], parts[b], parts[c]);
                let answer = Answer::read(&text);
                assert!(!answer.readings.is_empty(), "{text:?}");
                for reading in &answer.readings {
                    if let Err(error) = &reading.program {
                        assert!(error.line >= 1 && error.line <= 4, "{text:?} {error:?}");
                    }
                }
            }
        }
    }
}
