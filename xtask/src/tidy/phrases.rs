//! Phrases and words that are not how arcloom talks to people, and what it says instead.
//!
//! Phrases are looked for in every text file, code included, because messages and help texts stand there.
//! Words are looked for in prose alone: pages, and comments of Rust. What stands between backticks is a name.

use super::{Found, Text, is_word};

/// Phrases, and what is said instead.
const PHRASES: &[(&str, &str)] = &[
    ("before the latest steps", "figures of this version only"),
    ("that one gets", "the name of what is meant"),
    ("which what is typed overrides", "command-line options take precedence"),
    ("what is typed wins", "command-line options take precedence"),
    ("how much of what there is", "statistics"),
    ("in what two archives differ", "the first difference between two archives"),
    ("what earlier runs of these programs computed", "a result cache"),
    ("not these programs", "exclude these programs"),
    ("use neither programs nor tables", "cross-validate in five folds"),
    ("programs alone against one graph", "separate programs against the merged graph"),
    ("becomes single steps of terms", "used as single steps"),
    ("whoever is faster", "the faster one"),
    ("nothing more is kept", "the result cache is disabled"),
    ("is no name", "is not a valid identifier"),
    ("left out, no steps", "skipped: not usable as steps"),
    ("content less soon", "stops later"),
    ("content less early", "stops later"),
    ("visitors have to know", "access token"),
    ("see-through", "transparent"),
    ("far-fetched", "unlikely"),
    ("nobody looked at by hand", "not checked by hand"),
];

/// Words of prose, and what is said instead.
const WORDS: &[(&str, &str)] = &[
    ("ground", "background"),
    ("grounds", "backgrounds"),
    ("rim", "border"),
    ("dear", "expensive"),
    ("dearer", "more expensive"),
    ("dearest", "most expensive"),
    ("commonest", "most frequent"),
];

/// Words of prose where a grid's objects are what is written about.
const OBJECT_WORDS: &[(&str, &str)] = &[("thing", "object"), ("things", "objects")];
/// Where that is.
const ABOUT_OBJECTS: &[&str] = &[
    "crates/arcloom-dsl/src/sheet",
    "crates/arcloom-dsl/src/kernel/sheet",
    "crates/arcloom-search/",
    "docs/reference/rule.md",
    "docs/reference/sheet.md",
];

/// Files that may use them: they tell history, or list them.
const EXEMPT: &[&str] = &["CHANGELOG.md", "docs/upgrading.md", "xtask/src/tidy/phrases.rs"];

pub(super) fn check(files: &[Text], found: &mut Found) {
    let read = |file: &&Text| {
        let kinds = ["rs", "md", "py", "pyi", "toml", "c", "js", "html", "ipynb"];
        kinds.iter().any(|kind| file.is(kind)) && !EXEMPT.contains(&file.path.as_str())
    };
    for file in files.iter().filter(read) {
        let about_objects = ABOUT_OBJECTS.iter().any(|place| file.path.starts_with(place));
        let mut fenced = false;
        for (n, line) in file.lines() {
            let lower = line.to_lowercase();
            let mut say = |words: &str, instead: &str| {
                let place = format!("{}:{n}", file.path);
                found.problems.push(format!("{place}: `{words}` is not said any more: {instead}"));
            };
            for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| lower.contains(phrase)) {
                say(phrase, instead);
            }
            if file.is("md") && line.trim_start().starts_with("```") {
                fenced = !fenced;
            }
            let Some(prose) = prose(file, &lower).filter(|_| !fenced) else { continue };
            let objects = OBJECT_WORDS.iter().filter(|_| about_objects);
            for (word, instead) in WORDS.iter().chain(objects) {
                if words(&prose).any(|other| other == *word) {
                    say(word, instead);
                }
            }
        }
    }
}

/// What a line says to people, without names; `None` where it is code.
fn prose(file: &Text, line: &str) -> Option<String> {
    let text = match file.is("md") {
        true => line,
        false if file.is("rs") => line.trim_start().strip_prefix("//")?,
        false => return None,
    };
    // Every other part stands between backticks.
    Some(text.split('`').step_by(2).collect::<Vec<_>>().join(" "))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a file of one text.
    fn problems(path: &str, text: &str) -> usize {
        let mut found = Found::default();
        check(&[Text { path: path.to_owned(), text: text.to_owned() }], &mut found);
        found.problems.len()
    }

    #[test]
    fn phrases_are_found_anywhere_and_words_in_prose() {
        assert_eq!(problems("a.rs", "let text = \"Whoever is faster\";"), 1);
        assert_eq!(problems("a.rs", "let ground = 0; // the most frequent colour"), 0);
        assert_eq!(problems("a.rs", "    /// The ground of a grid."), 1);
        assert_eq!(
            problems("a.rs", "/// `ground` is the name of an ingredient, on any foreground."),
            0
        );
        assert_eq!(problems("a.md", "```\nthe ground\n```\nthe background"), 0);
        assert_eq!(problems("a.md", "the ground"), 1);
        assert_eq!(problems("CHANGELOG.md", "the ground, see-through"), 0);
    }

    #[test]
    fn things_are_objects_where_objects_are_meant() {
        assert_eq!(problems("crates/arcloom-search/src/a.rs", "// Moves things."), 1);
        assert_eq!(problems("crates/arcloom-web/src/a.rs", "// Moves things."), 0);
    }
}
