//! `cells`: how many positions have the right colour.
//!
//! Shapes that differ are laid on one another at their upper left corners, and every position of the
//! smallest box around both counts. With the larger of the two areas instead, bringing one side
//! closer to the right length could make the whole larger and the score lower.

use arcloom_value::Value;

use crate::differ::all::share;
use crate::differ::pair::Comparison;

/// Most cells a finding holds, so that wrong guesses do not cost more than right ones.
const MOST_FOUND: usize = 1024;

pub(crate) fn measure(pair: &Comparison) -> u16 {
    let (a, b) = (pair.candidate(), pair.expected());
    let same = |(a, b): (&[i8], &[i8])| a.iter().zip(b).filter(|(a, b)| a == b).count();
    let right: usize = if a.width() == b.width() {
        same((a.cells(), b.cells()))
    } else {
        a.rows().zip(b.rows()).map(same).sum()
    };
    let box_area = a.height().max(b.height()).saturating_mul(a.width().max(b.width()));
    share(right, box_area)
}

pub(crate) fn look(pair: &Comparison) -> Option<Value> {
    let (a, b) = (pair.candidate(), pair.expected());
    let wrong = (0..).zip(b.rows()).flat_map(|(i, row)| {
        (0..).zip(row).filter(move |&(j, &c)| a.get(i, j) != Some(c)).map(move |(j, &c)| {
            let cell: (i64, i64, i64) = (c.into(), i, j);
            cell
        })
    });
    let wrong: Vec<_> = wrong.take(MOST_FOUND).collect();
    (!wrong.is_empty()).then(|| Value::object(&wrong))
}
