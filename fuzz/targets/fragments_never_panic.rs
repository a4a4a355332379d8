//! Fragments of others: reading them ends, and those that are read are written and read again as they are.

use arcloom::fragments::{from_json, to_json};

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(read) = from_json(text) else { return };
    let list: Vec<_> = read.fragments.iter().map(|fragment| (fragment.clone(), 1)).collect();
    let again = from_json(&to_json(&list).to_string()).expect("what was written");
    assert_eq!(again.fragments, read.fragments);
}
