//! From work to time: what a unit of work takes, by the part of the search that does it and by the size
//! of the task.
//!
//! Nothing is timed while a task is searched, so that results do not depend on the machine. The numbers are
//! processor time on one core of 2024, measured on training tasks; `arcloom solve --timing` shows how near
//! they come.

/// A part of the search, which counts its work in units of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labour {
    /// Doing steps on values.
    Steps,
    /// Comparing what chains give with the outputs.
    Pieces,
    /// Stacking pieces.
    Stacks,
    /// Everything else that is made of pieces.
    Wholes,
}

/// What a unit takes, in picoseconds, in the order of [`Labour`].
#[derive(Clone, Copy, Debug)]
pub struct WorkScale([u64; 4]);

/// Cells of the largest grid up to which a scale is meant, and the scale.
const CLASSES: [(usize, WorkScale); 4] = [
    (36, WorkScale([5_500, 13_600, 6_800, 8_500])),
    (121, WorkScale([5_500, 13_600, 6_800, 9_800])),
    (289, WorkScale([6_500, 14_000, 7_200, 11_900])),
    (usize::MAX, WorkScale([6_600, 9_800, 6_600, 13_200])),
];

/// Picoseconds of a nanosecond.
const PER_NANO: u64 = 1_000;

impl WorkScale {
    /// That of tasks whose largest grid has so many cells.
    pub fn of(cells: usize) -> WorkScale {
        let class = CLASSES.iter().find(|(most, _)| cells <= *most);
        class.map_or(CLASSES[CLASSES.len() - 1].1, |(_, scale)| *scale)
    }

    /// Nanoseconds that so much work takes.
    fn nanos(self, labour: Labour, work: u64) -> u64 {
        (u128::from(work) * u128::from(self.0[labour as usize]) / u128::from(PER_NANO)) as u64
    }

    /// Work that is done in so many nanoseconds.
    fn work(self, labour: Labour, nanos: u64) -> u64 {
        let work = u128::from(nanos) * u128::from(PER_NANO) / u128::from(self.0[labour as usize]);
        u64::try_from(work).unwrap_or(u64::MAX)
    }
}

/// Time that is spent, by a scale.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    scale: WorkScale,
    /// Nanoseconds spent so far.
    spent: u64,
    /// Nanoseconds that may have been spent in the end.
    end: u64,
}

impl Meter {
    /// Nothing is spent yet, and so many nanoseconds may be.
    pub fn new(scale: WorkScale, nanos: u64) -> Meter {
        Meter { scale, spent: 0, end: nanos }
    }

    /// From now on so many nanoseconds may be spent.
    pub fn allow(&mut self, nanos: u64) {
        self.end = self.spent.saturating_add(nanos);
    }

    /// Nanoseconds spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Work of this part that there is time for.
    pub fn left(&self, labour: Labour) -> u64 {
        self.scale.work(labour, self.end.saturating_sub(self.spent))
    }

    /// Spends the time of so much work.
    pub fn spend(&mut self, labour: Labour, work: u64) {
        self.spent = self.spent.saturating_add(self.scale.nanos(labour, work));
    }

    /// True when nothing is left.
    pub fn is_spent(&self) -> bool {
        self.spent >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_work_and_back() {
        for cells in [1, 36, 37, 900, 5000] {
            let scale = WorkScale::of(cells);
            for labour in [Labour::Steps, Labour::Pieces, Labour::Stacks, Labour::Wholes] {
                let nanos = scale.nanos(labour, 1_000_000);
                assert!(nanos > 100_000, "{labour:?} takes no time");
                let work = scale.work(labour, nanos);
                assert!((999_000..=1_000_000).contains(&work), "{labour:?}: {work}");
            }
        }
        assert!(WorkScale::of(1).work(Labour::Steps, u64::MAX) > 1 << 50);
    }
    #[test]
    fn a_meter_ends_where_it_was_told_to() {
        let mut meter = Meter::new(WorkScale::of(100), 1_000_000);
        let all = meter.left(Labour::Stacks);
        meter.spend(Labour::Stacks, all / 2);
        assert!(!meter.is_spent() && meter.left(Labour::Stacks) <= all / 2 + 1);
        meter.spend(Labour::Steps, u64::MAX / 4);
        assert!(meter.is_spent() && meter.left(Labour::Wholes) == 0);
        meter.allow(500_000);
        assert!(!meter.is_spent() && meter.left(Labour::Stacks) < all);
    }
}
