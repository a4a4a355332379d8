//! The trial of `auto`: the same work both ways, until one way is faster by more than its times vary.

use std::time::Duration;

/// Fewest and most times that each way is timed.
const LEAST: usize = 3;
const MOST: usize = 9;

/// Who does the work of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// Devices, and the CPU for what they leave.
    Devices,
    /// The CPU alone.
    Cpu,
}

/// What was timed, in turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Trial {
    devices: Vec<Duration>,
    cpu: Vec<Duration>,
}

impl Trial {
    /// Times both ways in turn until it is clear who is faster, or for good when it does not become clear.
    pub(super) fn of(mut time: impl FnMut(Who) -> Duration) -> Trial {
        let mut trial = Trial::default();
        while trial.cpu.len() < MOST && !trial.is_clear() {
            trial.devices.push(time(Who::Devices));
            trial.cpu.push(time(Who::Cpu));
        }
        trial
    }

    /// The fastest and the slowest, without the outliers that other programs on the machine cause: of each four
    /// times the slowest.
    fn range(times: &[Duration]) -> (Duration, Duration) {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let kept = sorted.len() - sorted.len() / 4;
        (
            sorted.first().copied().unwrap_or_default(),
            sorted.get(kept - 1).copied().unwrap_or_default(),
        )
    }

    /// True when the two differ by more than either varies.
    fn is_clear(&self) -> bool {
        if self.cpu.len() < LEAST {
            return false;
        }
        let (devices, cpu) = (Trial::range(&self.devices), Trial::range(&self.cpu));
        devices.1 < cpu.0 || cpu.1 < devices.0
    }

    /// True when devices are faster without doubt: where it is not clear, the CPU does the work.
    pub(super) fn devices_win(&self) -> bool {
        self.is_clear() && Trial::range(&self.devices).1 < Trial::range(&self.cpu).0
    }

    /// The measurement in words.
    pub(super) fn in_words(&self, inputs: usize, threads: usize) -> String {
        let who = match (self.devices_win(), self.is_clear()) {
            (true, _) => "the devices",
            (false, true) => "the CPU",
            (false, false) => "the CPU: neither is clearly faster",
        };
        let range = |times: &[Duration]| {
            let (fast, slow) = Trial::range(times);
            format!("{:.1} to {:.1} ms", fast.as_secs_f64() * 1e3, slow.as_secs_f64() * 1e3)
        };
        let (devices, cpu, times) = (range(&self.devices), range(&self.cpu), self.cpu.len());
        format!(
            "{who}: {inputs} inputs take {devices} with devices, {cpu} without, on {threads} threads, in \
             {times} trials"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded times in milliseconds, with devices and without, over and over again.
    fn trial(devices: &[u64], cpu: &[u64]) -> Trial {
        let (mut d, mut c) = (devices.iter().cycle(), cpu.iter().cycle());
        Trial::of(|who| {
            let next = match who {
                Who::Devices => d.next(),
                Who::Cpu => c.next(),
            };
            Duration::from_millis(next.copied().unwrap_or_default())
        })
    }

    #[test]
    fn who_is_clearly_faster_is_chosen_at_once() {
        assert!(trial(&[10, 11, 12], &[20, 22, 21]).devices_win());
        assert_eq!(trial(&[10], &[20]).cpu.len(), LEAST);
        assert!(!trial(&[20, 22, 21], &[10, 11, 12]).devices_win());
        assert_eq!(trial(&[20], &[10]).cpu.len(), LEAST);
    }

    #[test]
    fn what_is_not_clear_is_tried_again_and_left_to_the_cpu() {
        // A device that was once faster by chance, as `bench` shows: 0.13 times as fast.
        let once =
            trial(&[9, 90, 95, 92, 91, 96, 94, 93, 90], &[12, 12, 13, 12, 12, 13, 12, 12, 12]);
        assert!(!once.devices_win(), "{once:?}");
        assert!(once.cpu.len() > LEAST);
        // The same speed within what times vary.
        let even = trial(&[10, 13, 11], &[12, 10, 14]);
        assert!(!even.devices_win() && even.cpu.len() == MOST);
        assert!(even.in_words(64, 2).starts_with("the CPU: neither is clearly faster: 64 inputs"));
    }

    #[test]
    fn a_single_slow_time_does_not_decide() {
        // Somebody else used the machine during one of the device's turns: it is tried again.
        assert!(trial(&[10, 60, 10, 11, 10, 11, 10, 10], &[30, 31, 30]).devices_win());
    }

    #[test]
    fn what_the_bench_shows_slower_is_never_chosen() {
        // Whatever the order: when most times with devices are above those without, the CPU does it.
        for shift in 0..9 {
            let mut devices = vec![14, 15, 13, 14, 9, 15, 14, 13, 16];
            devices.rotate_left(shift);
            assert!(!trial(&devices, &[12, 13, 12]).devices_win(), "{devices:?}");
        }
    }
}
