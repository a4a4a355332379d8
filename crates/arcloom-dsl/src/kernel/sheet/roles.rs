//! Colours by role: what matters is often not which colour something has but which part it plays.

use crate::kernel::sheet::Sheet;
use crate::sheet::measure::colors;

/// For each colour the name it gets on one input.
pub type Renaming = [u8; 10];

/// How the colours of `input` are renamed, given the demo pairs of its task.
///
/// 0 and every colour that all demo inputs or all demo outputs have keep their names. The others get
/// the names that are left, in ascending order, from the most frequent colour to the least, the
/// colour met first on a tie. The renaming is a permutation.
pub fn renaming(demos: &[(Sheet, Sheet)], input: &Sheet) -> Renaming {
    let fixed = fixed(demos);
    let mut counts = [(0usize, usize::MAX); 10];
    for (at, &c) in input.cells.iter().enumerate() {
        let slot = &mut counts[usize::from(c % 10)];
        slot.0 += 1;
        slot.1 = slot.1.min(at);
    }
    let mut free: Vec<u8> = (0..10).filter(|c| fixed >> c & 1 == 0).collect();
    let names = free.clone();
    free.sort_by_key(|&c| {
        let (count, first) = counts[usize::from(c)];
        (std::cmp::Reverse(count), first, c)
    });
    let mut map = std::array::from_fn(|c| c as u8);
    free.iter().zip(names).for_each(|(&c, name)| map[usize::from(c)] = name);
    map
}

/// How the colours of a grid are renamed by the order in which they are read. Those in `kept` keep their names; the
/// background, which is the most frequent of the others, is first of them where 0 is not kept.
pub fn reading(kept: u32, input: &Sheet) -> Renaming {
    let mut seen = [(0usize, usize::MAX); 10];
    for (at, &c) in input.cells.iter().enumerate() {
        let (count, first) = &mut seen[usize::from(c % 10)];
        *count += 1;
        *first = (*first).min(at);
    }
    let mut free: Vec<u8> = (0..10).filter(|c| kept >> c & 1 == 0).collect();
    let names = free.clone();
    let most = free.iter().rev().copied().max_by_key(|&c| seen[usize::from(c)].0);
    let ground = most.filter(|_| kept & 1 == 0);
    free.sort_by_key(|&c| (Some(c) != ground, seen[usize::from(c)].1, c));
    let mut map = std::array::from_fn(|c| c as u8);
    free.iter().zip(names).for_each(|(&c, name)| map[usize::from(c)] = name);
    map
}

/// Colours that all demo inputs or all demo outputs have, and 0.
pub fn common(demos: &[(Sheet, Sheet)]) -> u32 {
    fixed(demos)
}

/// Whether any demo input has a colour that is renamed.
pub fn matter(demos: &[(Sheet, Sheet)]) -> bool {
    let fixed = fixed(demos);
    demos.iter().any(|(input, _)| colors(input) & !fixed != 0)
}

fn fixed(demos: &[(Sheet, Sheet)]) -> u32 {
    let inputs = demos.iter().fold(!0, |m, (input, _)| m & colors(input));
    let outputs = demos.iter().fold(!0, |m, (_, output)| m & colors(output));
    1 | inputs | outputs
}

/// The renaming that undoes another one.
pub fn inverse(map: &Renaming) -> Renaming {
    let mut back = [0; 10];
    (0..10u8).for_each(|c| back[usize::from(map[usize::from(c)])] = c);
    back
}

/// The sheet with its colours renamed.
pub fn rename(s: &Sheet, map: &Renaming) -> Sheet {
    let mut out = s.clone();
    out.cells.iter_mut().for_each(|c| *c = map[usize::from(*c % 10)]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn frequent_colors_come_first() {
        let demos = [
            (sheet(&["33.7"]), sheet(&["5555"])),
            (sheet(&["4488", "4..."]), sheet(&["5555", "...."])),
        ];
        assert!(matter(&demos));
        let map = renaming(&demos, &demos[1].0);
        assert_eq!((map[0], map[5], map[4], map[8]), (0, 5, 1, 2));
        let there = rename(&demos[1].0, &map);
        assert_eq!(there, sheet(&["1122", "1..."]));
        assert_eq!(rename(&there, &inverse(&map)), demos[1].0);
    }
}
