//! Names of task sets and libraries: what may be one, which exist from the start, which is nearest.

use std::collections::BTreeMap;

use crate::error::CorpusError;
use crate::manifest::{EMBEDDED, EMBEDDED_LIBRARY, PUBLIC_SETS, PUBLIC_SPLITS, REARC};

pub(crate) const LIBRARY: &str = "library:";

/// True for names that the program itself gives meaning to, with any split.
pub(crate) fn is_reserved(name: &str) -> bool {
    let base = name.split('/').next().unwrap_or(name);
    [EMBEDDED, EMBEDDED_LIBRARY, REARC].contains(&base)
        || PUBLIC_SETS.iter().any(|set| set.name == base)
}

/// Whether a user may register this name, and why not.
pub(crate) fn check_new(name: &str) -> Result<(), CorpusError> {
    let plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let problem = if is_reserved(name) {
        "is the name of built-in or public data; choose another"
    } else if name.len() > 64 || !name.strip_prefix(LIBRARY).unwrap_or(name).split('/').all(plain) {
        "cannot be a name; use letters, digits, `.`, `_` and `-`, parts separated by `/`, \
         with `library:` in front for programs"
    } else {
        return Ok(());
    };
    Err(CorpusError::BadName { name: name.to_owned(), problem })
}

/// Every name that can be given, ascending: the fixed ones and these registered ones.
pub(crate) fn all<'a>(registered: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = [EMBEDDED, EMBEDDED_LIBRARY, REARC].map(str::to_owned).to_vec();
    for set in PUBLIC_SETS {
        names.push(set.name.to_owned());
        names.extend(PUBLIC_SPLITS.map(|split| format!("{}/{split}", set.name)));
    }
    names.extend(registered.cloned());
    names.sort_unstable();
    names
}

/// The three known names most like `name`, best first.
pub(crate) fn nearest(name: &str, known: &[String]) -> Vec<String> {
    let name: Vec<char> = name.chars().take(80).collect();
    let mut by_distance: BTreeMap<(usize, &str), ()> = BTreeMap::new();
    for candidate in known {
        by_distance.insert((distance(&name, candidate), candidate), ());
    }
    by_distance.keys().take(3).map(|(_, candidate)| (*candidate).to_owned()).collect()
}

/// Edit distance: insertions, deletions and replacements of one character.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, n| {
            assert_eq!(distance(&a.chars().collect::<Vec<_>>(), b), n, "{a} {b}")
        };
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("arc1/trainning", "arc1/training", 1);
        check("same", "same", 0);
    }

    #[test]
    fn nearest_names_come_first() {
        let known = all(std::iter::empty());
        assert_eq!(nearest("arc1/trainning", &known)[0], "arc1/training");
        assert_eq!(nearest("libary:rearc", &known)[0], "library:rearc");
        assert_eq!(nearest("embeded", &known)[0], "embedded");
    }

    #[test]
    fn what_may_be_registered() {
        for good in ["mine", "kaggle-local/training", "library:arc-dsl", "arc1x", "v1.2_b"] {
            assert!(check_new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "arc1",
            "arc1/mine",
            "embedded",
            "library:",
            "library:rearc",
            "../x",
            "a//b",
            "a b",
            "a#b",
            "-",
        ] {
            assert!(check_new(bad).is_err(), "{bad}");
        }
    }
}
