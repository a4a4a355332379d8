//! Time for reports: elapsed, and the processor time of all threads.

use std::time::{Duration, Instant};

use arcloom::timing::cpu_time;

/// A moment to measure from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    cpu: Option<Duration>,
}

/// Time since a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    /// Of all threads; `None` where the system does not say.
    pub(crate) cpu: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now(), cpu: cpu_time() }
    }

    pub(crate) fn spent(self) -> Spent {
        let wall = self.start.elapsed();
        let cpu = cpu_time().zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        Spent { wall, cpu }
    }
}

/// A duration for people: three digits and a unit.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        100.0.. => format!("{seconds:.0} s"),
        10.0.. => format!("{seconds:.1} s"),
        1.0.. => format!("{seconds:.2} s"),
        0.01.. => format!("{:.0} ms", seconds * 1e3),
        0.001.. => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{:.0} µs", seconds * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_keep_about_three_digits() {
        let show = |micros| duration(Duration::from_micros(micros));
        assert_eq!([show(12), show(3_400), show(56_000)], ["12 µs", "3.4 ms", "56 ms"]);
        assert_eq!(
            [show(1_230_000), show(45_600_000), show(789_000_000)],
            ["1.23 s", "45.6 s", "789 s"]
        );
    }

    #[test]
    fn processor_time_grows() {
        let clock = Clock::start();
        let mut x = 1u64;
        while clock.start.elapsed() < Duration::from_millis(60) {
            x = std::hint::black_box(x.wrapping_mul(31));
        }
        if let Some(cpu) = clock.spent().cpu {
            assert!(cpu > Duration::ZERO);
        }
    }
}
