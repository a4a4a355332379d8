//! `shape`: how near height and width are.

use arcloom_value::Value;

use crate::differ::all::PERFECT;
use crate::differ::pair::Comparison;

/// The mean of two ratios, shorter side to longer. A mean rather than a product: a candidate with
/// one side right knows half of it.
pub(crate) fn measure(pair: &Comparison) -> u16 {
    let (a, b) = (pair.candidate(), pair.expected());
    let ratio = |a: usize, b: usize| (a.min(b) as u128, a.max(b) as u128);
    let ((low, high), (short, long)) = (ratio(a.height(), b.height()), ratio(a.width(), b.width()));
    // Sides fit 32 bits and are at least 1.
    (u128::from(PERFECT) * (low * long + short * high) / (2 * high * long)) as u16
}

pub(crate) fn look(pair: &Comparison) -> Option<Value> {
    let (a, b) = (pair.candidate(), pair.expected());
    let differs = (a.height(), a.width()) != (b.height(), b.width());
    differs.then(|| Value::pair(b.height() as i64, b.width() as i64))
}
