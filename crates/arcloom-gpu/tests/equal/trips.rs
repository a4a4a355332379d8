//! How many lanes of a group are at work, counted in a build of the kernel text in which every loop counts.
//!
//! Each lane counts the trips of its loops; at every barrier the counts become trips by the number of
//! lanes that still make them, as a warp would go through them. `ARCLOOM_FORMER_KERNEL` names another
//! kernel text to be counted in the same way, `ARCLOOM_TRIPS` a file of programs that are counted on the
//! first tasks of ARC-AGI-1 (`ARCLOOM_DATA_DIR`) in place of the built-in ones on the built-in tasks.

use arcloom_gpu::opencl;
use arcloom_gpu::{DeviceInputs, Lowered, Runtime, Shape, source};
use arcloom_graph::BattPlan;
use arcloom_tasks::Catalog;
use arcloom_value::Grid;

use crate::harness::merge;
use crate::programs::training;

/// Words at the end of a group's heap: two rows of a count per lane and the operation, then as numbers of two words
/// trips by lanes, steps, barriers, and by operation the trips of one lane.
const WORDS: usize = 2048;
const TALLIED: usize = 128;
const STEPS: usize = 33;
const BARRIERS: usize = 34;
const LANES: usize = 32;

/// Lanes count in one of two rows in turn, from one barrier to the next; lane 0 adds up the other one meanwhile. So no
/// barrier is added: PoCL's compiler takes for ever over more of them.
const COUNTER: &str = "
#define TRIP (++m->trips[m->turn + LANE] > 0)
static __attribute__((noinline)) void tally(GLOBAL int *trips, int turn, int lane, int lanes) {
    GLOBAL int *t = trips + turn;
    GLOBAL i64 *sum = (GLOBAL i64 *)(trips + 128);
    if (lane != 0) return;
    sum[34]++;
    int before = 0;
    for (;;) {
        int next = 2147483647, active = 0;
        for (int k = 0; k < lanes; k++)
            if (t[k] > before) { active++; if (t[k] < next) next = t[k]; }
        if (active == 0) break;
        sum[active] += next - before;
        if (active == 1) sum[64 + trips[64]] += next - before;
        before = next;
    }
    for (int k = 0; k < lanes; k++) t[k] = 0;
}
#define BARRIER do { PLAIN_BARRIER; m.turn ^= 32; tally(m.trips, m.turn ^ 32, LANE, LANES); } while (0)
";

/// The text with a counter in every loop of a function that has the group's memory.
fn counted(text: &str) -> String {
    let replace = |text: String, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let mut out = String::new();
    let mut counts = false;
    for line in text.lines() {
        let starts = ["FN ", "INLINE ", "KERNEL "].iter().any(|word| line.starts_with(word));
        if starts {
            counts = line.contains("Mem *m");
        }
        out.push_str(&if counts { with_trips(line) } else { line.to_owned() });
        out.push('\n');
    }
    let fields = "    int cap;\n    GLOBAL int *trips;\n    int turn;\n";
    let text = replace(out, "    int cap;\n", fields);
    let text = replace(text, "#define BARRIER barrier", "#define PLAIN_BARRIER barrier");
    let text = replace(text, "} Mem;\n", &format!("}} Mem;\n{COUNTER}"));
    let zero = format!(
        "m.cap = heap_words - {WORDS};\n    m.trips = m.h + m.cap;\n    m.turn = 0;\n    \
         for (int i = LANE; i < {WORDS}; i += LANES) m.trips[i] = 0;\n    PLAIN_BARRIER;\n"
    );
    let text = replace(text, "m.cap = heap_words;\n", &zero);
    let step = "int op = at[0], next = pc + 1;";
    let sums = "((GLOBAL i64 *)(m.trips + 128))";
    let count = format!("{step} if (LANE == 0) {{ m.trips[64] = op; {sums}[{STEPS}]++; }}");
    replace(text, step, &count)
}

/// A line whose loops count, given that their conditions are on it.
fn with_trips(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((at, word)) =
        ["for (", "while ("].iter().filter_map(|word| Some((rest.find(word)?, *word))).min()
    {
        let open = at + word.len();
        let mut depth = 1;
        let close = rest[open..]
            .find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            })
            .map_or(rest.len(), |n| open + n);
        let head = &rest[open..close];
        out.push_str(&rest[..open]);
        let trip = |condition: &str| match condition.trim() {
            "" => " TRIP".to_owned(),
            condition => format!(" ({condition}) && TRIP"),
        };
        match head.split(';').collect::<Vec<_>>()[..] {
            [begin, condition, next] => {
                out.push_str(&format!("{begin};{};{next}", trip(condition)))
            }
            _ => out.push_str(&trip(head)),
        }
        rest = &rest[close..];
    }
    out + rest
}

/// What was counted, over all groups.
fn count(
    text: &str,
    programs: &[arcloom_lang::Program],
    grids: &[Grid],
) -> Option<(Vec<i64>, u64)> {
    let found = opencl::devices().ok()?.into_iter().next()?;
    let mut device = found.open_text(&counted(text)).unwrap();
    let batt = merge(programs);
    let plan = BattPlan::new(&batt);
    let lowered = Lowered::new(&batt, &plan, programs.len().div_ceil(64));
    let mut inputs = DeviceInputs::default();
    grids.iter().for_each(|grid| assert!(inputs.add(grid, None)));
    let shape = Shape { groups: 2, lanes: LANES, heap: 1 << 20 };
    device.run(&lowered, &inputs, shape, 15_625).unwrap();
    let heap = device.heap_words().unwrap();
    let mut sums = vec![0i64; (WORDS - TALLIED) / 2];
    for group in heap.chunks(shape.heap).take(shape.groups) {
        let words = &group[shape.heap - WORDS + TALLIED..shape.heap];
        for (sum, pair) in sums.iter_mut().zip(words.chunks(2)) {
            *sum += i64::from(pair[1]) << 32 | i64::from(pair[0].cast_unsigned());
        }
    }
    Some((sums, (lowered.covered() * grids.len()) as u64))
}

fn show(what: &str, (sums, runs): &(Vec<i64>, u64)) -> (f64, f64) {
    let runs = *runs as f64;
    let per_run = |n: i64| n as f64 / runs;
    let trips: i64 = sums[1..=LANES].iter().sum();
    let work: i64 = (1..).zip(&sums[1..=LANES]).map(|(lanes, n): (i64, _)| lanes * n).sum();
    println!("{what}: {runs} runs; per run, trips of the group by lanes that make them:");
    for lanes in [1..=1, 2..=7, 8..=15, 16..=31, 32..=32] {
        let n: i64 = sums[lanes.clone()].iter().sum();
        println!(
            "{:>8}: {:9.1}  {:4.1} %",
            format!("{lanes:?}"),
            per_run(n),
            100.0 * n as f64 / trips as f64
        );
    }
    let steps = sums[STEPS].max(1);
    println!("all {:.1}, of all lanes together {:.1}", per_run(trips), per_run(work));
    println!(
        "steps {:.1}, barriers per step {:.2}",
        per_run(steps),
        sums[BARRIERS] as f64 / steps as f64
    );
    let mut by_op: Vec<(i64, usize)> = sums[64..320].iter().copied().zip(0..).collect();
    by_op.sort_unstable_by(|a, b| b.cmp(a));
    for (n, op) in by_op.into_iter().take(16).filter(|(n, _)| *n > 0) {
        let name = op
            .checked_sub(arcloom_gpu::table::FIRST)
            .and_then(|op| arcloom_gpu::table::KERNELS.get(op))
            .map_or(format!("control {op}"), |kernel| kernel.name.to_owned());
        println!("   one lane in {name}: {:.1}", per_run(n));
    }
    (per_run(sums[1]), per_run(work))
}

/// With `ARCLOOM_FORMER_KERNEL` naming the text of an earlier version: trips of one lane per run are at most a third
/// of what they were there, and the work of all lanes together is no more.
#[test]
#[ignore = "builds the kernels with a counter in every loop, which takes minutes"]
fn most_trips_are_made_by_many_lanes() {
    if !opencl::devices().is_ok_and(|found| !found.is_empty()) {
        return println!("skipped: OpenCL has no device");
    }
    let (what, programs, grids) = match std::env::var_os("ARCLOOM_TRIPS") {
        Some(path) => {
            let text = std::fs::read_to_string(path).unwrap();
            let grids: Vec<Grid> = training().unwrap().into_iter().step_by(86).collect();
            ("grids of ARC-AGI-1", arcloom_lang::lower::load_file(&text).programs, grids)
        }
        None => {
            let set = Catalog::open(None).resolve_tasks("embedded").unwrap();
            let inputs = |task: &arcloom_tasks::Task| {
                let demos = task.demos.iter().map(|pair| pair.input.clone());
                demos.chain(task.tests.iter().map(|pair| pair.input.clone())).collect::<Vec<_>>()
            };
            let grids = set.tasks.iter().flat_map(inputs).collect();
            let text = arcloom_tasks::embedded::programs();
            ("built-in tasks", arcloom_lang::lower::load_file(text).programs, grids)
        }
    };
    let counted = count(&source::text(), &programs, &grids).unwrap();
    let now = show(&format!("now, on {what}"), &counted);
    let Some(path) = std::env::var_os("ARCLOOM_FORMER_KERNEL") else { return };
    let counted = count(&std::fs::read_to_string(path).unwrap(), &programs, &grids).unwrap();
    let before = show(&format!("before, on {what}"), &counted);
    assert!(now.0 <= before.0 / 3.0, "trips of one lane: {} after {}", now.0, before.0);
    assert!(now.1 <= before.1, "work of all lanes: {} after {}", now.1, before.1);
}
