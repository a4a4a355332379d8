//! What the tests of this crate share: small grids, values and a checker for XML.

use arcloom_value::{Grid, PrimId, Value};

use crate::picture::{Picture, picture_of};

/// The grid with these rows of digits, for example `"12 34"`.
pub(crate) fn grid(rows: &str) -> Grid {
    let digit = |b: u8| i8::try_from(b - b'0').unwrap();
    let rows: Vec<Vec<i8>> = rows.split(' ').map(|row| row.bytes().map(digit).collect()).collect();
    Grid::from_rows(&rows).unwrap()
}

/// Primitives have numbers for names here.
pub(crate) fn names(id: PrimId) -> &'static str {
    ["identity", "vmirror", "hmirror"][usize::from(id.0) % 3]
}

/// The picture of a value without or with a context.
pub(crate) fn pictured(value: &Value, context: Option<&Grid>) -> Picture {
    picture_of(value, context, &names)
}

/// Panics unless the text is one well-formed XML element: tags balance, attributes are quoted, and
/// `<`, `>` and `&` occur in markup only.
#[track_caller]
pub(crate) fn check_xml(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim_end();
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        assert!(!open.is_empty() || rest[..start].is_empty(), "text outside: {}", &rest[..start]);
        let end = rest.find('>').expect("unclosed tag");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "unbalanced");
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        roots += usize::from(open.is_empty());
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "name {name}");
        let quotes: Vec<&str> = attributes.split('"').collect();
        assert!(quotes.len() % 2 == 1 && quotes.last() == Some(&""), "attributes {attributes}");
        for pair in quotes.chunks_exact(2) {
            assert!(pair[0].ends_with('='), "attribute {}", pair[0]);
            check_text(pair[1]);
        }
        if !empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.is_empty() && roots == 1, "{open:?} {rest:?} {roots}");
}

/// Panics on bare `&` and `>` and on control characters.
#[track_caller]
fn check_text(text: &str) {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;"];
        assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "bare & in {text}");
    }
    assert!(!text.contains('>'), "bare > in {text}");
    assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "control character in {text:?}");
}
