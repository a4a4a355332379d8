//! Axes: where a value lies, and which values are marked.

use crate::canvas::Px;

/// Most marks of an axis of rates.
const MOST: usize = 8;

/// One axis, logarithmic or not.
pub(super) struct Axis {
    low: f64,
    high: f64,
    length: Px,
    is_log: bool,
    /// Values that are marked, with their places.
    pub(super) ticks: Vec<(f64, Px)>,
}

impl Axis {
    /// An axis that marks just the values that occur, with some room on both sides; `None` without
    /// values. All must be above zero.
    pub(super) fn of_sizes(values: impl Iterator<Item = f64>, length: Px) -> Option<Axis> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (low, high) = (*values.first()?, *values.last()?);
        let room = (high / low).powf(0.06).max(1.2);
        Some(Axis::new(low / room, high * room, length, true, values))
    }

    /// An axis that marks round values and starts and ends with one; `None` without values. All must
    /// be above zero.
    pub(super) fn of_rates(values: impl Iterator<Item = f64>, length: Px) -> Option<Axis> {
        let (low, high) = values.fold((f64::MAX, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            return None;
        }
        let ticks = ticks(low, high);
        Some(Axis::new(*ticks.first()?, *ticks.last()?, length, true, ticks))
    }

    /// An even axis from zero to the largest value, or, when `round`, to a marked one not below it;
    /// `None` without values.
    pub(super) fn even(values: impl Iterator<Item = f64>, length: Px, round: bool) -> Option<Axis> {
        let high = values.reduce(f64::max)?;
        let mut ticks = even_ticks(high);
        let mut end = *ticks.last()?;
        if !round && high > 0.0 {
            ticks.retain(|&tick| tick <= high);
            end = high;
        }
        Some(Axis::new(0.0, end, length, false, ticks))
    }

    fn new(low: f64, high: f64, length: Px, is_log: bool, ticks: Vec<f64>) -> Axis {
        let mut axis = Axis { low, high, length, is_log, ticks: Vec::new() };
        axis.ticks = ticks.into_iter().map(|value| (value, axis.place(value))).collect();
        axis
    }

    /// How far from the start of the axis a value lies.
    pub(super) fn place(&self, value: f64) -> Px {
        let from_low = |value: f64| match self.is_log {
            true => value.log10() - self.low.log10(),
            false => value - self.low,
        };
        let share = from_low(value) / from_low(self.high);
        (share.clamp(0.0, 1.0) * self.length as f64).round() as Px
    }
}

/// Round values from one that is not above `low` to one that is not below `high`, at least two: 1, 2
/// and 5 of every power of ten, or only the powers where those would be too many.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    // A value that is round already counts as its own tick, whatever its last digits.
    let (low, high) = (low * (1.0 + 1e-9), high * (1.0 - 1e-9));
    let first = low.log10().floor() as i32;
    let last = high.log10().ceil() as i32;
    let all = |steps: &[f64]| -> Vec<f64> {
        let values: Vec<f64> = (first..=last.max(first + 1))
            .flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)))
            .collect();
        let start = values.iter().rposition(|&value| value <= low).unwrap_or(0);
        let end = values.iter().position(|&value| value >= high).unwrap_or(values.len() - 1);
        values[start..=end.max(start + 1).min(values.len() - 1)].to_vec()
    };
    let fine = all(&[1.0, 2.0, 5.0]);
    if fine.len() <= MOST {
        return fine;
    }
    let powers = all(&[1.0]);
    let stride = powers.len().div_ceil(MOST);
    if stride == 1 {
        return powers;
    }
    let steps = (powers.len() - 1).div_ceil(stride);
    (0..=steps).map(|n| powers[0] * 10_f64.powi((n * stride) as i32)).collect()
}

/// Zero and even steps of 1, 2 or 5 times a power of ten, up to one that is not below `high`.
pub(super) fn even_ticks(high: f64) -> Vec<f64> {
    let high = if high > 0.0 { high } else { 1.0 };
    let power = 10_f64.powi((high / 5.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| high / step <= 5.0 + 1e-9).unwrap_or(high);
    let last = (high / step - 1e-9).ceil().max(1.0) as i32;
    (0..=last).map(|k| f64::from(k) * step).collect()
}
