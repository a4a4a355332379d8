//! The nearest known name to a misspelt one.

/// The candidate with the smallest edit distance, if it is near enough to be what was meant. Letters
/// after the sixty-fourth do not count.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let name: Vec<char> = name.chars().take(LETTERS).collect();
    let mut distance = Distance::default();
    let near = |candidate: &'a str| Some((distance.of(&name, candidate, limit)?, candidate));
    candidates.into_iter().filter_map(near).min().map(|(_, candidate)| candidate)
}

/// Most letters of a name that are looked at.
const LETTERS: usize = 64;

/// Rows of the table of distances between beginnings, kept from one candidate to the next: names are
/// looked for among thousands.
#[derive(Default)]
struct Distance {
    letters: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl Distance {
    /// Number of letters to insert, delete, replace or swap with their neighbour, if it is at most
    /// `limit`.
    fn of(&mut self, a: &[char], b: &str, limit: usize) -> Option<usize> {
        let Distance { letters: b_letters, rows: [before, last, row] } = self;
        b_letters.clear();
        b_letters.extend(b.chars().take(LETTERS));
        let b = b_letters.as_slice();
        if a.len().abs_diff(b.len()) > limit {
            return None;
        }
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let mut d = (last[j] + 1)
                    .min(row[j - 1] + 1)
                    .min(last[j - 1] + usize::from(a[i - 1] != b[j - 1]));
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d = d.min(before[j - 2] + 1);
                }
                row.push(d);
            }
            // A swap reaches back two rows, so both must be too far.
            let far = |row: &[usize]| row.iter().all(|&d| d > limit);
            if far(row) && far(last) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|&d| d <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(nearest("vmiror", ["hmirror", "vmirror", "rot90"]), Some("vmirror"));
        assert_eq!(nearest("objetcs", ["objects", "order"]), Some("objects"));
        assert_eq!(nearest("zzzzzz", ["objects", "order"]), None);
        assert_eq!(nearest("ab", ["ba", "abcd"]), Some("ba"));
        assert_eq!(nearest("", ["a", "ab"]), Some("a"));
    }

    /// Giving up early changes no distance that is near enough.
    #[test]
    fn what_is_far_is_given_up() {
        let words = ["", "a", "ab", "ba", "abc", "acb", "bca", "abcd", "badc", "bdac", "dcba"];
        for a in words {
            let a: Vec<char> = a.chars().collect();
            for b in words {
                let whole = Distance::default().of(&a, b, 99).unwrap();
                for limit in 0..5 {
                    let found = Distance::default().of(&a, b, limit);
                    assert_eq!(found, Some(whole).filter(|&d| d <= limit), "{a:?} {b}");
                }
            }
        }
    }
}
