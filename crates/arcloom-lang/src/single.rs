//! The one program of a text, as people and other programs send them.

use crate::lower::{load_file, load_snippet};
use crate::program::Program;
use crate::syntax::Source;

/// The one program of a text: a `def`, or straight lines without one. The error is for people.
pub fn one_program(name: &str, text: &str) -> Result<Program, String> {
    let is_def = |line: &str| line.starts_with("def ");
    let source = || Source::new(name, text);
    if !text.lines().any(is_def) {
        let loaded = load_snippet(text);
        return loaded.map(|(program, _)| program).map_err(|error| error.render(&source()));
    }
    let mut loaded = load_file(text);
    if let Some(error) = loaded.errors.first() {
        return Err(error.render(&source()));
    }
    match loaded.programs.len() {
        1 => Ok(loaded.programs.swap_remove(0)),
        0 => Err(format!("{name}: there is no program in the text: write `def solve(I):`")),
        n => Err(format!("{name}: there are {n} programs in the text: send one at a time")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
