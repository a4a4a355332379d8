//! The rules that may come next: which cells each would paint, as bits.

use std::cmp::Reverse;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::decide::near;
use arcloom_dsl::kernel::sheet::overgrow::{GrowRule, Near, Paint, VISIBLE};

/// A rule together with its turned and mirrored forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) rules: Vec<GrowRule>,
    pub(super) price: u16,
}

/// Groups that are tried in full where one is chosen.
const TRIED: usize = 64;
/// What a rule costs, each of its conditions, and turning it.
const PER_RULE: u16 = 4;
const PER_CONDITION: u16 = 6;
const PER_TURNING: u16 = 4;

/// Where conditions look, by rows and columns.
const PLACES: [(i8, i8); 12] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (-1, 1),
    (1, -1),
    (1, 1),
    (0, -2),
    (0, 2),
    (-2, 0),
    (2, 0),
];
/// Colours of conditions: ten, outside, visible.
const COLORS: usize = VISIBLE as usize + 1;

/// The ways to turn and mirror: what becomes of rows and columns.
const TURNINGS: [[i8; 4]; 8] = [
    [1, 0, 0, 1],
    [1, 0, 0, -1],
    [-1, 0, 0, 1],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [0, -1, 1, 0],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];
/// Sets of them that belong together.
const SETS: [&[usize]; 7] =
    [&[0], &[0, 1], &[0, 2], &[0, 3], &[0, 1, 2, 3], &[0, 3, 4, 5], &[0, 1, 2, 3, 4, 5, 6, 7]];

/// Bits of cells, of all demos one after the other.
type Bits = Vec<u64>;

/// How objects stand or are to be: which cells have which colours, and what is near them.
struct Scene {
    /// By colour.
    own: Vec<Bits>,
    /// By place and colour of a condition.
    near: Vec<Bits>,
    /// By place: where the cell there has the colour that this one is to have.
    same: Vec<Bits>,
    /// Cells that have not been painted.
    free: Bits,
}

/// Where objects stand between what is given and what is wanted.
pub(super) struct Field {
    words: usize,
    now: Scene,
    end: Scene,
    /// The cells that are not yet as they are to be.
    open: Bits,
}

/// A rule as it is searched: the colour, conditions by their numbers, and the paint.
#[derive(Clone, Copy)]
struct Draft<'d> {
    own: usize,
    near: &'d [usize],
    paint: Paint,
}

impl Scene {
    fn new(given: &[&Sheet], targets: &[&Sheet], states: &[&Sheet], words: usize) -> Scene {
        let blank = vec![0u64; words];
        let mut scene = Scene {
            own: vec![blank.clone(); 10],
            near: vec![blank.clone(); PLACES.len() * COLORS],
            same: vec![blank.clone(); PLACES.len()],
            free: blank,
        };
        let mut at = 0;
        for ((from, to), now) in given.iter().zip(targets).zip(states) {
            for (cell, &color) in now.cells().iter().enumerate() {
                let (word, bit) = (at / 64, 1u64 << (at % 64));
                let (i, j) = ((cell / now.width()) as i32, (cell % now.width()) as i32);
                scene.own[usize::from(color)][word] |= bit;
                if from.cells()[cell] == color {
                    scene.free[word] |= bit;
                }
                for (place, &by) in PLACES.iter().enumerate() {
                    let there = near(now, i, j, by);
                    scene.near[place * COLORS + usize::from(there)][word] |= bit;
                    if (1..10).contains(&there) {
                        scene.near[place * COLORS + usize::from(VISIBLE)][word] |= bit;
                    }
                    if there == to.cells()[cell] {
                        scene.same[place][word] |= bit;
                    }
                }
                at += 1;
            }
        }
        scene
    }

    /// Cells of one word that the rule paints.
    #[inline]
    fn fires(&self, draft: &Draft<'_>, word: usize) -> u64 {
        let cells = self.own[draft.own][word] & self.free[word];
        draft.near.iter().fold(cells, |cells, &n| cells & self.near[n][word])
    }
}

impl Field {
    pub(super) fn new(given: &[&Sheet], targets: &[&Sheet], states: &[Sheet]) -> Field {
        let cells: usize = targets.iter().map(|t| t.cells().len()).sum();
        let words = cells.div_ceil(64);
        let now = Scene::new(given, targets, &states.iter().collect::<Vec<_>>(), words);
        let end = Scene::new(given, targets, targets, words);
        let mut open = vec![0; words];
        let pairs = states.iter().zip(targets).flat_map(|(s, t)| s.cells().iter().zip(t.cells()));
        for (at, (is, wanted)) in pairs.enumerate() {
            open[at / 64] |= u64::from(is != wanted) << (at % 64);
        }
        Field { words, now, end, open }
    }

    /// How many open cells a rule paints, unless it paints a cell wrong now or in the end.
    fn support(&self, draft: &Draft<'_>) -> Option<u32> {
        let place = |number: usize| draft.near[number] / COLORS;
        let (now, end) = match draft.paint {
            Paint::Color(color) => {
                (&self.end.own[usize::from(color)], &self.end.own[usize::from(color)])
            }
            Paint::Copy(number) => (&self.now.same[place(number)], &self.end.same[place(number)]),
        };
        let mut support = 0;
        for word in 0..self.words {
            let fires = self.now.fires(draft, word);
            if fires & !now[word] != 0 || self.end.fires(draft, word) & !end[word] != 0 {
                return None;
            }
            support += (fires & self.open[word]).count_ones();
        }
        (support > 0).then_some(support)
    }

    /// What looking at one rule after the other takes, besides what each takes.
    pub(super) fn work(&self) -> u64 {
        40 * self.words as u64 * PLACES.len() as u64
    }

    /// The groups of rules with so many conditions that are safe and paint most for their price. Ends early
    /// when more work was done than `limit`.
    pub(super) fn groups(&self, conditions: usize, limit: u64, work: &mut u64) -> Vec<Group> {
        let mut found: Vec<(u32, Group)> = Vec::new();
        let meets = |a: &[u64], own: usize| {
            (0..self.words).any(|w| a[w] & self.now.own[own][w] & self.open[w] != 0)
        };
        for own in (0..10).filter(|&own| meets(&self.open, own)) {
            let known: Vec<usize> =
                (0..self.now.near.len()).filter(|&n| meets(&self.now.near[n], own)).collect();
            let colors: Vec<Paint> = (0..10u8)
                .filter(|&c| usize::from(c) != own && meets(&self.end.own[usize::from(c)], own))
                .map(Paint::Color)
                .collect();
            each(&known, conditions, &mut |near| {
                if *work > limit {
                    return;
                }
                let seen = |(_, n): &(usize, &usize)| **n % COLORS == usize::from(VISIBLE);
                let copies = near.iter().enumerate().filter(seen).map(|(k, _)| Paint::Copy(k));
                for paint in colors.iter().copied().chain(copies) {
                    *work += 2 + self.words as u64 / 8;
                    let draft = Draft { own, near, paint };
                    if self.support(&draft).is_some() {
                        self.turned(&draft, &mut found, work);
                        if found.len() > 64 * TRIED {
                            best(&mut found);
                        }
                    }
                }
            });
        }
        best(&mut found);
        found.into_iter().map(|(_, group)| group).collect()
    }

    /// The rule with what becomes of it by turning and mirroring, as far as that is safe too.
    fn turned(&self, draft: &Draft<'_>, found: &mut Vec<(u32, Group)>, work: &mut u64) {
        let mut before = 0;
        for set in SETS {
            let mut rules: Vec<GrowRule> = set.iter().map(|&t| rule(draft, TURNINGS[t])).collect();
            rules.sort_unstable();
            rules.dedup();
            if set.len() > 1
                && (rules.len() < set.len() && rules.len() <= before || rules.len() == 1)
            {
                continue;
            }
            let mut support = 0;
            let safe = rules.iter().all(|rule| {
                *work += self.words as u64 / 8;
                let near: Vec<usize> = rule.near.iter().map(number).collect();
                let draft = Draft { own: draft.own, near: &near, paint: rule.paint };
                let one = self.support(&draft);
                support += one.unwrap_or(0);
                one.is_some()
            });
            if safe {
                before = rules.len();
                let far = draft.near.iter().filter(|n| **n / COLORS >= 8).count() as u16;
                let price = PER_RULE
                    + PER_CONDITION * draft.near.len() as u16
                    + far
                    + if set.len() > 1 { PER_TURNING } else { 0 };
                found.push((support, Group { rules, price }));
            }
        }
    }
}

/// Keeps the groups that paint most for their price.
fn best(found: &mut Vec<(u32, Group)>) {
    let gain = |support: u32, group: &Group| u64::from(support) * 1000 / u64::from(group.price);
    found.sort_by_key(|(support, group)| Reverse(gain(*support, group)));
    found.truncate(TRIED);
}

/// Every choice of so many conditions at different places.
fn each(known: &[usize], conditions: usize, take: &mut dyn FnMut(&[usize])) {
    fn further(
        known: &[usize],
        left: usize,
        chosen: &mut Vec<usize>,
        take: &mut dyn FnMut(&[usize]),
    ) {
        if left == 0 {
            take(chosen);
            return;
        }
        for (k, &n) in known.iter().enumerate() {
            if chosen.last().is_none_or(|last| last / COLORS != n / COLORS) {
                chosen.push(n);
                further(&known[k + 1..], left - 1, chosen, take);
                chosen.pop();
            }
        }
    }
    further(known, conditions, &mut Vec::new(), take);
}

/// The number of a condition.
fn number(near: &Near) -> usize {
    let place = PLACES.iter().position(|by| *by == near.by).unwrap_or_default();
    place * COLORS + usize::from(near.color)
}

/// A draft, turned, as a rule.
fn rule(draft: &Draft<'_>, [a, b, c, d]: [i8; 4]) -> GrowRule {
    let turned = |&n: &usize| {
        let (i, j) = PLACES[n / COLORS];
        Near { by: (a * i + b * j, c * i + d * j), color: (n % COLORS) as u8 }
    };
    let mut near: Vec<Near> = draft.near.iter().map(turned).collect();
    let paint = match draft.paint {
        Paint::Copy(number) => {
            let from = near[number];
            near.sort_unstable();
            Paint::Copy(near.iter().position(|n| *n == from).unwrap_or_default())
        }
        color => {
            near.sort_unstable();
            color
        }
    };
    GrowRule { own: draft.own as u8, near, paint }
}
