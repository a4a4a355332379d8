//! The record of a differ, the list of the built-in ones, and the score that ranks candidates.

use arcloom_value::Value;

use crate::differ::objects::{FIGURES4, FIGURES8, FORMS, OBJECTS4, OBJECTS8};
use crate::differ::pair::Comparison;
use crate::differ::{cells, objects, palette, position, profile, shape};

/// The score for agreement in every detail a differ looks at.
pub const PERFECT: u16 = 1000;

/// A way to compare a candidate with the expected grid.
pub struct Differ {
    /// What reports call it.
    pub name: &'static str,
    /// One sentence: what the score counts.
    pub doc: &'static str,
    /// One sentence: what the finding is.
    pub finds: &'static str,
    /// Its part of [`total`], in thousandths.
    pub weight: u16,
    measure: fn(&Comparison) -> u16,
    look: fn(&Comparison) -> Option<Value>,
}

/// What a differ says of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// From 0 to [`PERFECT`], higher is better.
    pub score: u16,
    /// Something that would help; never there when the score is perfect.
    pub finding: Option<Value>,
}

impl Differ {
    /// How well the candidate agrees with the expected grid, from 0 to [`PERFECT`].
    pub fn score(&self, pair: &Comparison) -> u16 {
        if pair.is_equal() { PERFECT } else { (self.measure)(pair) }
    }

    /// The score and, where it is not perfect, the finding. Findings are built apart from scores
    /// because ranking looks at many candidates and needs the findings of few.
    pub fn judge(&self, pair: &Comparison) -> Judgement {
        let score = self.score(pair);
        Judgement { score, finding: if score < PERFECT { (self.look)(pair) } else { None } }
    }
}

/// The graded similarity of a candidate and the expected grid: the weighted mean of all built-in
/// differs, [`PERFECT`] exactly when the grids are equal.
pub fn total(pair: &Comparison) -> u16 {
    if pair.is_equal() {
        return PERFECT;
    }
    let sum: u32 = ALL.iter().map(|d| u32::from(d.weight) * u32::from((d.measure)(pair))).sum();
    // A grid can agree in most respects with one that it is not, but must not rank with the answer.
    ((sum / u32::from(PERFECT)) as u16).min(PERFECT - 1)
}

/// The built-in differ of this name.
pub fn find(name: &str) -> Option<&'static Differ> {
    ALL.iter().find(|differ| differ.name == name)
}

/// The built-in differs. The cells weigh most, since they alone say that a grid is right; the others
/// tell candidates apart of which no cell is where it should be.
pub static ALL: &[Differ] = &[
    Differ {
        name: "cells",
        doc: "Share of positions with the right colour, of all positions that either shape spans.",
        finds: "The expected cells that the candidate has wrong, as an object.",
        weight: 400,
        measure: cells::measure,
        look: cells::look,
    },
    Differ {
        name: "shape",
        doc: "How near height and width are, as the mean of both ratios.",
        finds: "The expected height and width.",
        weight: 100,
        measure: shape::measure,
        look: shape::look,
    },
    Differ {
        name: "palette_extra",
        doc: "Share of the candidate's colours that the expected grid has too.",
        finds: "The commonest colour that should not be there.",
        weight: 50,
        measure: palette::measure_extra,
        look: palette::look_extra,
    },
    Differ {
        name: "palette_missing",
        doc: "Share of the expected colours that the candidate has.",
        finds: "The commonest colour that is missing.",
        weight: 50,
        measure: palette::measure_missing,
        look: palette::look_missing,
    },
    Differ {
        name: "colors",
        doc: "Overlap of the numbers of cells per colour.",
        finds: "The colour whose number is furthest off, and how many cells to add to it.",
        weight: 60,
        measure: palette::measure_counts,
        look: palette::look_counts,
    },
    Differ {
        name: "rows",
        doc: "Overlap of the colours of each row, wherever in the row they are.",
        finds: "The number of the row that is furthest off.",
        weight: 50,
        measure: profile::measure_rows,
        look: profile::look_rows,
    },
    Differ {
        name: "columns",
        doc: "Overlap of the colours of each column, wherever in the column they are.",
        finds: "The number of the column that is furthest off.",
        weight: 50,
        measure: profile::measure_columns,
        look: profile::look_columns,
    },
    Differ {
        name: "objects4",
        doc: "Overlap of the objects of one colour that hang together by sides, wherever they are.",
        finds: "An expected object that is missing, where it should be.",
        weight: 40,
        measure: |pair| objects::measure(pair, OBJECTS4),
        look: |pair| objects::look(pair, OBJECTS4),
    },
    Differ {
        name: "objects8",
        doc: "Overlap of the objects of one colour that hang together by sides or corners.",
        finds: "An expected object that is missing, where it should be.",
        weight: 40,
        measure: |pair| objects::measure(pair, OBJECTS8),
        look: |pair| objects::look(pair, OBJECTS8),
    },
    Differ {
        name: "figures4",
        doc: "Overlap of the objects of any colours that hang together by sides.",
        finds: "An expected object that is missing, where it should be.",
        weight: 40,
        measure: |pair| objects::measure(pair, FIGURES4),
        look: |pair| objects::look(pair, FIGURES4),
    },
    Differ {
        name: "figures8",
        doc: "Overlap of the objects of any colours that hang together by sides or corners.",
        finds: "An expected object that is missing, where it should be.",
        weight: 40,
        measure: |pair| objects::measure(pair, FIGURES8),
        look: |pair| objects::look(pair, FIGURES8),
    },
    Differ {
        name: "forms",
        doc: "Overlap of the outlines of the objects of `objects8`, whatever their colour.",
        finds: "The positions of an expected object whose outline is missing.",
        weight: 20,
        measure: |pair| objects::measure(pair, FORMS),
        look: |pair| objects::look(pair, FORMS),
    },
    Differ {
        name: "position",
        doc: "How near each colour lies to where it should, as the way its cells must travel.",
        finds: "The shift that brings most of the misplaced objects home.",
        weight: 60,
        measure: position::measure,
        look: position::look,
    },
];

/// How much two bags have in common: what both hold, of all that either holds. Putting in something
/// missing or taking out something surplus always raises it.
pub(crate) fn overlap(common: usize, one: usize, other: usize) -> u16 {
    share(common, one + other - common)
}

/// `part` of `whole` in thousandths, rounded down so that only the whole is perfect. Nothing of
/// nothing is perfect.
pub(crate) fn share(part: usize, whole: usize) -> u16 {
    (part as u64 * u64::from(PERFECT)).checked_div(whole as u64).map_or(PERFECT, |s| s as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differ::pair::{Expected, tests::random_grid};

    #[test]
    fn weights_are_thousandths_and_names_are_distinct() {
        assert_eq!(ALL.iter().map(|d| d.weight).sum::<u16>(), PERFECT);
        for differ in ALL {
            assert_eq!(ALL.iter().filter(|d| d.name == differ.name).count(), 1);
            assert!(find(differ.name).is_some_and(|d| d.doc == differ.doc));
            assert!(differ.doc.ends_with('.') && differ.finds.ends_with('.'));
        }
        assert!(find("nothing").is_none());
    }

    #[test]
    fn equal_grids_are_perfect_without_the_short_cut() {
        for seed in 0..200 {
            let grid = random_grid(seed);
            let expected = Expected::new(&grid);
            let pair = Comparison::new(&grid, &expected);
            for differ in ALL {
                assert_eq!((differ.measure)(&pair), PERFECT, "{} {grid:?}", differ.name);
                assert_eq!((differ.look)(&pair), None, "{} {grid:?}", differ.name);
            }
        }
    }
}
