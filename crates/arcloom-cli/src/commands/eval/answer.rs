//! The program in what a language model answers: Markdown fences and what is outside them goes, and so do
//! lines that import what a program here cannot use.

/// Modules that programs here are written with; their imports mean nothing and stay.
const OWN: &[&str] = &["dsl", "constants", "arc_types", "arcloom", "arcloom.dsl"];

/// The text of the program, and what was removed around it.
pub(super) fn program(answer: &str) -> (String, Vec<String>) {
    let (text, mut removed) = match unfenced(answer) {
        Some(text) => (text, vec!["Markdown fences".to_owned()]),
        None => (answer.to_owned(), Vec::new()),
    };
    if !text.contains("import") {
        return (text, removed);
    }
    // An empty line in its place keeps the numbers of the others.
    let lines = text.split_inclusive('\n').map(|line| match foreign_import(line) {
        true => {
            removed.push(line.trim().to_owned());
            if line.ends_with('\n') { "\n" } else { "" }
        }
        false => line,
    });
    let kept: String = lines.collect();
    (kept, removed)
}

/// The text between fences; of several blocks the last that defines something, which is what an answer
/// comes to. `None` where there are no fences.
fn unfenced(answer: &str) -> Option<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for line in answer.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            if inside {
                blocks.push(String::new());
            }
        } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
            block.push_str(line);
        }
    }
    let defines = |block: &&String| {
        block.lines().any(|line| {
            line.starts_with("def ")
                || line.trim_start().starts_with("O =")
                || line.contains("return ")
        })
    };
    blocks.iter().rev().find(defines).or(blocks.first()).cloned()
}

/// Whether a line imports something that is not part of arc-dsl.
fn foreign_import(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("import") => {
            words.next().is_some_and(|name| !OWN.contains(&name.trim_end_matches(',')))
        }
        Some("from") => match (words.next(), words.next()) {
            (Some(name), Some("import")) => !OWN.contains(&name),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_program_stays_as_it_is() {
        let text = "from dsl import *\n\ndef solve(I):\n    return vmirror(I)\n";
        assert_eq!(program(text), (text.to_owned(), Vec::new()));
        assert_eq!(program("O = I").0, "O = I");
    }

    #[test]
    fn fences_and_foreign_imports_go() {
        let answer = "Here it is:\n```python\nimport numpy as np\nfrom typing import List\n\ndef solve(I):\n    return vmirror(I)\n```\nIt mirrors.";
        let (text, removed) = program(answer);
        assert_eq!(text, "\n\n\ndef solve(I):\n    return vmirror(I)\n");
        assert_eq!(removed, ["Markdown fences", "import numpy as np", "from typing import List"]);
    }

    #[test]
    fn of_several_blocks_the_last_program_counts() {
        let answer = "```\nO = I\n```\nno:\n```py\nO = rot90(I)\n```\nprints\n```\n3 3\n```\n";
        assert_eq!(program(answer).0, "O = rot90(I)\n");
        assert_eq!(program("```\nrot90(I)").0, "rot90(I)");
    }
}
