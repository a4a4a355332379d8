//! What was measured, and the ratios.

use std::time::Duration;

use super::mode::Mode;
use super::size::Sizes;

/// A comparison that was made.
#[derive(Debug, Clone)]
pub(crate) struct BenchReport {
    /// Cores of the machine: more jobs than that share them.
    pub(crate) cores: usize,
    /// How often everything was timed.
    pub(crate) repeats: usize,
    /// True when it was stopped early: some sizes are missing.
    pub(crate) stopped: bool,
    /// Devices by number, where they were to be measured.
    pub(crate) devices: Vec<String>,
    /// One per axis.
    pub(crate) experiments: Vec<Experiment>,
}

/// One thing varied, the rest kept.
#[derive(Debug, Clone)]
pub(crate) struct Experiment {
    /// What was varied, and how.
    pub(crate) sizes: Sizes,
    /// One per size, ascending.
    pub(crate) points: Vec<Point>,
}

/// One size.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    /// The size.
    pub(crate) size: usize,
    /// Number of tasks.
    pub(crate) tasks: usize,
    /// Number of programs.
    pub(crate) programs: usize,
    /// Number of input grids of the tasks.
    pub(crate) grids: usize,
    /// Hash of all outcomes, which is that of every mode.
    pub(crate) digest: String,
    /// One per mode, sequential first, then by jobs.
    pub(crate) rows: Vec<Row>,
}

impl Point {
    /// Outcomes: every program on every grid.
    pub(crate) fn results(&self) -> usize {
        self.grids * self.programs
    }
}

/// One size in one mode.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The mode.
    pub(crate) mode: Mode,
    /// The shortest time.
    pub(crate) wall: Duration,
    /// The longest time.
    pub(crate) slowest: Duration,
    /// The least processor time of all threads; `None` where the system does not say.
    pub(crate) cpu: Option<Duration>,
    /// Why `auto` did what it did, or what went wrong with devices.
    pub(crate) note: Option<String>,
}

impl Row {
    /// What both say: the shortest and the longest time, the least processor time.
    pub(super) fn with(self, other: Row) -> Row {
        let cpu = match (self.cpu, other.cpu) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let slowest = self.slowest.max(other.slowest);
        let best = if other.wall < self.wall { other } else { self };
        Row { slowest, cpu, ..best }
    }

    /// How much longer the longest time is than the shortest, as a part of the shortest.
    pub(crate) fn spread(&self) -> f64 {
        self.slowest.as_secs_f64() / self.wall.as_secs_f64() - 1.0
    }
}

/// How much longer something may take that is no slower: clocks say no more.
const NO_SLOWER: f64 = 1.03;

impl Experiment {
    /// Where a merged graph takes longer than the programs alone, in time or in processor time.
    pub(crate) fn slower(&self) -> Vec<(&Point, &Row)> {
        let mut slower = Vec::new();
        for point in &self.points {
            let is_alone = |row: &&Row| row.mode == Mode::Sequential;
            let Some(alone) = point.rows.iter().find(is_alone) else { continue };
            let longer = |time: Duration, than: Duration| {
                time.as_secs_f64() > NO_SLOWER * than.as_secs_f64()
            };
            let is_slower = |row: &&Row| {
                let cpu = row.cpu.zip(alone.cpu).is_some_and(|(a, b)| longer(a, b));
                row.mode.jobs().is_some() && (cpu || longer(row.wall, alone.wall))
            };
            slower.extend(point.rows.iter().filter(is_slower).map(|row| (point, row)));
        }
        slower
    }
}

/// How a row compares with others. A ratio is absent where there is nothing to compare with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Ratios {
    /// How many times as fast as the sequential mode.
    pub(crate) over_sequential: Option<f64>,
    /// The same in processor time.
    pub(crate) over_sequential_cpu: Option<f64>,
    /// How many times as fast as one job.
    pub(crate) over_one_job: Option<f64>,
    /// The share of that in what so many jobs could at best bring.
    pub(crate) efficiency: Option<f64>,
    /// Time in units of this mode's time at the smallest size.
    pub(crate) time_growth: Option<f64>,
    /// Results in units of those at the smallest size.
    pub(crate) work_growth: Option<f64>,
}

impl Experiment {
    /// Compares a row with the others of its size, and with its mode at the smallest size.
    pub(crate) fn ratios(&self, point: &Point, row: &Row) -> Ratios {
        let seconds = |row: &Row| row.wall.as_secs_f64();
        let faster = |mode: Mode| {
            let other = point.rows.iter().find(|other| other.mode == mode)?;
            Some(seconds(other) / seconds(row))
        };
        let jobs = row.mode.jobs();
        let over_one_job = jobs.and_then(|_| faster(Mode::Jobs(1)));
        let smallest = self.points.first().filter(|first| first.size != point.size);
        let before = smallest.and_then(|first| {
            let row = first.rows.iter().find(|other| other.mode == row.mode)?;
            Some((seconds(row), first.results()))
        });
        let alone = point.rows.iter().find(|other| other.mode == Mode::Sequential);
        let alone = alone.filter(|_| row.mode != Mode::Sequential);
        let cheaper = alone.and_then(|alone| alone.cpu).zip(row.cpu);
        Ratios {
            over_sequential_cpu: cheaper.map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()),
            over_sequential: faster(Mode::Sequential).filter(|_| row.mode != Mode::Sequential),
            over_one_job,
            efficiency: over_one_job.zip(jobs).map(|(faster, jobs)| faster / jobs as f64),
            time_growth: before.map(|(time, _)| seconds(row) / time),
            work_growth: before.map(|(_, results)| point.results() as f64 / results as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Axis;

    #[test]
    fn ratios_compare_with_what_is_there() {
        let row = |mode, millis| {
            let wall = Duration::from_millis(millis);
            Row { mode, wall, slowest: wall, cpu: None, note: None }
        };
        let point = |size, times: [u64; 3]| Point {
            size,
            tasks: size,
            programs: 10,
            grids: 5 * size,
            digest: String::new(),
            rows: vec![
                row(Mode::Sequential, times[0]),
                row(Mode::Jobs(1), times[1]),
                row(Mode::Jobs(4), times[2]),
            ],
        };
        let experiment = Experiment {
            sizes: Sizes::new(Axis::Tasks, &[10, 20], 20),
            points: vec![point(10, [1000, 500, 250]), point(20, [2000, 750, 500])],
        };
        let ratios = |point: usize, row: usize| {
            let point = &experiment.points[point];
            experiment.ratios(point, &point.rows[row])
        };
        assert_eq!(ratios(0, 0), Ratios::default());
        let expected = Ratios {
            over_sequential: Some(4.0),
            over_sequential_cpu: None,
            over_one_job: Some(1.5),
            efficiency: Some(0.375),
            time_growth: Some(2.0),
            work_growth: Some(2.0),
        };
        assert_eq!(ratios(1, 2), expected);
        assert_eq!(ratios(1, 1).time_growth, Some(1.5));
        assert!(experiment.slower().is_empty());
    }

    #[test]
    fn a_graph_that_is_slower_is_named() {
        let row = |mode, wall: u64, cpu: u64| Row {
            mode,
            wall: Duration::from_millis(wall),
            slowest: Duration::from_millis(2 * wall),
            cpu: Some(Duration::from_millis(cpu)),
            note: None,
        };
        let alone = row(Mode::Sequential, 100, 100);
        let rows = vec![
            alone.clone(),
            row(Mode::Jobs(1), 103, 102),
            row(Mode::Jobs(2), 60, 104),
            row(Mode::Jobs(4), 104, 90),
        ];
        let digest = String::new();
        let point = Point { size: 20, tasks: 5, programs: 10, grids: 20, digest, rows };
        let experiment =
            Experiment { sizes: Sizes::new(Axis::Grids, &[20], 20), points: vec![point] };
        let modes: Vec<Mode> = experiment.slower().iter().map(|(_, row)| row.mode).collect();
        assert_eq!(modes, [Mode::Jobs(2), Mode::Jobs(4)]);
        let both = alone.with(row(Mode::Sequential, 90, 110));
        assert_eq!((both.wall.as_millis(), both.slowest.as_millis()), (90, 200));
        assert_eq!(both.cpu, Some(Duration::from_millis(100)));
        assert!((both.spread() - 110.0 / 90.0).abs() < 1e-9);
    }
}
