//! What a task's demo pairs say, worked out once per task. Test inputs and answers are not looked at.

use arcloom_dsl::{Caller, Registry};
use arcloom_value::{Grid, Value};

use crate::evaluate::evaluate;
use crate::kind::ConstantKind;
use crate::templates;

/// Work that one step of a derivation may take: they are looked up, not searched for.
const BUDGET: u64 = 100_000;

/// Colours as bit sets: bit 3 is colour 3.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Colors {
    /// Those of some input.
    pub inputs: u16,
    /// Those of some output.
    pub outputs: u16,
    /// Those of every input.
    pub every_input: u16,
    /// Those of every output.
    pub every_output: u16,
    /// Those of outputs only.
    pub added: u16,
    /// Those of inputs only.
    pub removed: u16,
}

/// An expression that can be worked out on all demo pairs.
#[derive(Debug, Clone)]
pub struct Derived {
    /// What it gives.
    pub kind: ConstantKind,
    /// What it gives for each demo pair; nothing when no task is known.
    pub values: Vec<Value>,
    pub(crate) template: usize,
}

impl Derived {
    /// Its value, when it is the same for all demo pairs.
    pub fn constant(&self) -> Option<&Value> {
        let first = self.values.first()?;
        self.values.iter().all(|v| v == first).then_some(first)
    }
}

/// What is known of a task.
#[derive(Debug, Clone, Default)]
pub struct TaskFacts {
    /// Number of demo pairs.
    pub demos: usize,
    /// Colours that are there, come or go.
    pub colors: Colors,
    /// True when every output has its input's shape.
    pub same_shape: bool,
    /// The shape of all outputs, when they have one.
    pub output_shape: Option<(i64, i64)>,
    /// Height and width of outputs in those of inputs, when whole and the same for all.
    pub grows: Option<(i64, i64)>,
    /// Height and width of inputs in those of outputs, when whole and the same for all.
    pub shrinks: Option<(i64, i64)>,
    /// The angle code of the mirror or rotation that makes every output from its input.
    pub angle: Option<i64>,
    /// Pairs worth trying: shapes of outputs and inputs, ratios.
    pub shapes: Vec<(i64, i64)>,
    /// Numbers worth trying: sides, ratios, numbers of colours and objects.
    pub numbers: Vec<i64>,
    /// Expressions that give a value on all demo pairs.
    pub derived: Vec<Derived>,
}

impl TaskFacts {
    /// Of no task in particular: every expression may be tried.
    pub fn unknown() -> TaskFacts {
        let derived = templates::all().iter().enumerate();
        TaskFacts {
            derived: derived
                .map(|(template, t)| Derived { kind: t.kind, values: Vec::new(), template })
                .collect(),
            ..TaskFacts::default()
        }
    }

    /// From a task's demo pairs.
    pub fn new(demos: &[(Grid, Grid)]) -> TaskFacts {
        if demos.is_empty() {
            return TaskFacts::unknown();
        }
        let derived = derived(demos);
        let mut numbers: Vec<i64> = Vec::new();
        let mut shapes: Vec<(i64, i64)> = Vec::new();
        for value in derived.iter().flat_map(|d| &d.values) {
            numbers.extend(value.as_int().filter(|n| (1..=30).contains(n)));
            shapes.extend(value.as_pair().filter(|&(i, j)| i > 0 && j > 0));
        }
        numbers.sort_unstable();
        numbers.dedup();
        shapes.sort_unstable();
        shapes.dedup();
        let angle =
            derived.iter().find(|d| d.kind == ConstantKind::Int(arcloom_value::Role::Angle));
        TaskFacts {
            demos: demos.len(),
            colors: colors(demos),
            same_shape: demos.iter().all(|(a, b)| shape(a) == shape(b)),
            output_shape: same(demos.iter().map(|(_, b)| Some(shape(b)))),
            grows: same(demos.iter().map(|(a, b)| ratio(shape(b), shape(a)))),
            shrinks: same(demos.iter().map(|(a, b)| ratio(shape(a), shape(b)))),
            angle: angle.and_then(Derived::constant).and_then(Value::as_int),
            shapes,
            numbers,
            derived,
        }
    }
}

fn derived(demos: &[(Grid, Grid)]) -> Vec<Derived> {
    // The registry is built at its first use; not inside the first step's budget.
    Registry::get();
    let pairs =
        demos.iter().map(|(a, b)| Value::tuple2(Value::Grid(a.clone()), Value::Grid(b.clone())));
    let samples = Value::tuple(pairs.collect::<Vec<_>>());
    let mut caller = Caller::new(BUDGET);
    let mut derived = Vec::new();
    for (template, t) in templates::all().iter().enumerate() {
        let one = |(input, _): &(Grid, Grid)| {
            let input = Value::Grid(input.clone());
            let value = evaluate(&mut caller, &t.program, &samples, &input)?;
            let fits = match t.kind {
                ConstantKind::Int(role) => {
                    value.as_int().is_some_and(|n| crate::kind::in_range(role, n))
                }
                ConstantKind::Pair => value.as_pair().is_some(),
            };
            fits.then_some(value)
        };
        if let Some(values) = demos.iter().map(one).collect() {
            derived.push(Derived { kind: t.kind, values, template });
        }
    }
    derived
}

fn colors(demos: &[(Grid, Grid)]) -> Colors {
    let palette = |grid: &Grid| {
        let own = grid.cells().iter().filter(|c| (0..10).contains(*c));
        own.fold(0u16, |mask, &c| mask | 1 << c)
    };
    let (mut inputs, mut outputs, mut every_input, mut every_output) = (0, 0, !0, !0);
    for (input, output) in demos {
        inputs |= palette(input);
        outputs |= palette(output);
        every_input &= palette(input);
        every_output &= palette(output);
    }
    let (added, removed) = (outputs & !inputs, inputs & !outputs);
    Colors { inputs, outputs, every_input, every_output, added, removed }
}

fn shape(grid: &Grid) -> (i64, i64) {
    (grid.height() as i64, grid.width() as i64)
}

fn ratio(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    (a.0 % b.0 == 0 && a.1 % b.1 == 0).then(|| (a.0 / b.0, a.1 / b.1))
}

/// What all items are, if they are one.
fn same<T: PartialEq + Copy>(mut items: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = items.next()??;
    items.all(|item| item == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_pairs_say_what_changes() {
        let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
        let facts = TaskFacts::new(&[
            (grid(&[&[0, 1], &[2, 0]]), grid(&[&[0, 3, 0, 3], &[2, 0, 2, 0]])),
            (grid(&[&[1, 0]]), grid(&[&[3, 0, 3, 0]])),
        ]);
        assert_eq!(facts.colors.added, 1 << 3);
        assert_eq!(facts.colors.removed, 1 << 1);
        assert_eq!(facts.colors.every_output, 1 | 1 << 3);
        assert_eq!((facts.grows, facts.shrinks), (Some((1, 2)), None));
        assert!(!facts.same_shape && facts.angle.is_none() && facts.output_shape.is_none());
        let added = |d: &&Derived| d.constant() == Some(&Value::Int(3));
        assert!(facts.derived.iter().filter(added).count() >= 2, "c_zo gives the added colour");
        assert!(facts.shapes.contains(&(1, 2)) && facts.numbers.contains(&2));
    }

    #[test]
    fn a_mirror_is_recognised() {
        let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
        let facts = TaskFacts::new(&[(grid(&[&[1, 2], &[3, 4]]), grid(&[&[3, 4], &[1, 2]]))]);
        assert_eq!(facts.angle, Some(0));
        assert!(facts.same_shape);
    }
}
