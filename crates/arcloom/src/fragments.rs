//! What programs have in common, learned from a library or read from a file.
//!
//! The file is Stitch's: `{"abstractions": [{"name": "fn_0", "arity": 2, "body": "(fill #0 #1 ..)"}, ..]}`,
//! so that what `arcloom archive export --format stitch` writes can go through Stitch and come back as
//! steps of `solve`.

pub use arcloom_search::terms::Fragment;
use arcloom_search::terms::fragments;
use arcloom_search::terms::stitch::Bodies;
use serde_json::{Value as Json, json};

use crate::library::Library;

/// Why a file has no fragments.
#[derive(Debug, thiserror::Error)]
pub enum FragmentsError {
    /// It is no JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is other JSON.
    #[error(
        "no list `abstractions` in it; Stitch writes one, and so does `arcloom fragments --json`"
    )]
    NoList,
}

/// What a file held.
#[derive(Debug)]
pub struct Imported {
    /// What steps can be made of.
    pub fragments: Vec<Fragment>,
    /// The names of the others: they have functions of their own or names that the engine does not know,
    /// or are a single call.
    pub left_out: Vec<String>,
}

/// The fragments of a library's programs with the number of tasks each occurs in, the ones that save
/// most calls first.
pub fn learn(library: &Library) -> Vec<(Fragment, usize)> {
    fragments::learn(library.programs.iter().map(|entry| &entry.program))
}

/// Fragments in Stitch's form.
pub fn to_json(fragments: &[(Fragment, usize)]) -> Json {
    let one = |(n, (fragment, tasks)): (usize, &(Fragment, usize))| {
        json!({
            "name": format!("fn_{n}"),
            "arity": fragment.arity(),
            "body": fragment.text(),
            "tasks": tasks,
        })
    };
    json!({ "abstractions": fragments.iter().enumerate().map(one).collect::<Vec<_>>() })
}

/// Reads fragments in Stitch's form.
pub fn from_json(text: &str) -> Result<Imported, FragmentsError> {
    let json: Json = serde_json::from_str(text)?;
    let list = json.get("abstractions").and_then(Json::as_array).ok_or(FragmentsError::NoList)?;
    let mut imported = Imported { fragments: Vec::new(), left_out: Vec::new() };
    let mut bodies = Bodies::default();
    for (n, one) in list.iter().enumerate() {
        let field = |name: &str| one.get(name).and_then(Json::as_str);
        let name = field("name").map_or_else(|| format!("number {}", n + 1), str::to_owned);
        match field("body").and_then(|body| bodies.read(&name, body)) {
            Some(fragment) => imported.fragments.push(fragment),
            None => imported.left_out.push(name),
        }
    }
    Ok(imported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let library = Library {
            programs: arcloom_lang::load_file(
                "def solve_a(I):\n    return fill(I, 3, mfilter(fgpartition(I), compose(flip, square)))\n",
            )
            .programs
            .into_iter()
            .map(|program| crate::library::Entry::new(program, "test"))
            .collect(),
            ..Library::default()
        };
        let learned = learn(&library);
        assert_eq!(learned.len(), 1);
        let imported = from_json(&to_json(&learned).to_string()).unwrap();
        assert_eq!(imported.fragments, [learned[0].0.clone()]);
        assert!(imported.left_out.is_empty());
    }

    #[test]
    fn what_stitch_writes_is_read() {
        let text = r#"{"abstractions": [
            {"name": "fn_0", "arity": 1, "body": "(objects #0 1 0 1)", "utility": 7},
            {"name": "fn_1", "arity": 2, "body": "(fill #0 #1 (mapply delta (fn_0 #0)))"},
            {"name": "fn_2", "arity": 1, "body": "(lam (hmirror (#0 $0)))"}]}"#;
        let imported = from_json(text).unwrap();
        assert_eq!(imported.fragments.len(), 1);
        assert_eq!(imported.fragments[0].text(), "(fill #0 #1 (mapply delta (objects #0 1 0 1)))");
        assert_eq!(imported.left_out, ["fn_0", "fn_2"]);
        assert!(matches!(from_json("[]"), Err(FragmentsError::NoList)));
        assert!(matches!(from_json("{"), Err(FragmentsError::Json(_))));
    }
}
