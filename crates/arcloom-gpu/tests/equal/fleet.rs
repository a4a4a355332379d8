//! Two devices share a run, one of them is slow or is lost on the way, and batches overlap.

use std::ops::Range;
use std::time::Duration;

use arcloom_gpu::runtime::{DeviceInputs, Runtime, Shape};
use arcloom_gpu::{DeviceError, DeviceInfo, Fleet, Lowered, Returned, opencl};
use arcloom_graph::BattPlan;
use arcloom_testkit::Seeded;

use crate::harness::merge;
use crate::programs::grids;

/// A device that is lost after so many batches, and takes longer.
struct Frail {
    device: opencl::OpenCl,
    batches: usize,
    delay: Duration,
}

impl Frail {
    fn lost_after(device: opencl::OpenCl, batches: usize) -> Box<Frail> {
        Box::new(Frail { device, batches, delay: Duration::ZERO })
    }
}

impl Runtime for Frail {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn begin(
        &mut self,
        lowered: &Lowered,
        inputs: &DeviceInputs,
        shape: Shape,
        limit: i32,
    ) -> Result<(), DeviceError> {
        // Time goes with work, so that it looks like a slower device.
        std::thread::sleep(self.delay * inputs.len() as u32);
        self.device.begin(lowered, inputs, shape, limit)
    }

    fn submit(&mut self, lowered: &Lowered, stretches: Range<usize>) -> Result<(), DeviceError> {
        self.device.submit(lowered, stretches)
    }

    fn finish(&mut self) -> Result<Returned, DeviceError> {
        if self.batches == 0 {
            return Err(DeviceError::Lost("it fell off the bus".to_owned()));
        }
        self.batches -= 1;
        self.device.finish()
    }
}

#[test]
fn one_of_two_is_lost_on_the_way() {
    let found = match opencl::devices() {
        Ok(found) if !found.is_empty() => found,
        _ => return println!("skipped: no OpenCL device"),
    };
    let open = || found[0].open().unwrap();
    let text = "def solve_a(I):\n    O = fill(I, THREE, mapply(outbox, objects(I, T, F, T)))\n    return O\n";
    let batt = merge(&arcloom_lang::lower::load_file(text).programs);
    let plan = BattPlan::new(&batt);
    let lowered = Lowered::new(&batt, &plan, 1);
    let mut inputs = DeviceInputs::default();
    let grids = grids(&mut Seeded::new(3), 64);
    grids.iter().for_each(|grid| assert!(inputs.add(grid, Some(grid))));

    let alone = Fleet::of(vec![Box::new(open())]).run(&lowered, &inputs, 250_000);
    let all = 64 * lowered.slots.len() as u64;
    let took = alone.uses[0].took;
    assert_eq!((alone.results(), alone.runs(), took.uploads, took.launches), (all, 64, 1, 1));

    let mut both = Fleet::of(vec![Box::new(open()), Box::new(open())]);
    let shared = both.run(&lowered, &inputs, 250_000);
    assert_eq!((shared.results(), shared.runs()), (all, 64));
    assert_eq!(shared.uses.iter().map(|used| used.inputs).sum::<usize>(), 64);

    let mut frail = Fleet::of(vec![Box::new(open()), Frail::lost_after(open(), 1)]);
    let rest = frail.run(&lowered, &inputs, 250_000);
    // What it was given last is missing, unless the other one was so fast that it had one portion only.
    assert!(rest.results() > 0, "the other one went on");
    if rest.results() < all {
        assert_eq!(frail.faults.len(), 1);
        assert_eq!(frail.infos().count(), 1);
    }
    for slot in 0..lowered.slots.len() as u32 {
        for n in 0..64 {
            let wanted = alone.get(slot, n);
            assert_eq!(shared.get(slot, n), wanted);
            if let Some(got) = rest.get(slot, n) {
                assert_eq!(Some(got), wanted);
            }
        }
    }
    let mut frail = Fleet::of(vec![Frail::lost_after(open(), 0)]);
    let none = frail.run(&lowered, &inputs, 250_000);
    assert_eq!((none.results(), none.runs()), (0, 0));
    assert_eq!(frail.faults.len(), 1);
    assert!(frail.faults[0].ends_with("the device failed: it fell off the bus"));
    assert_eq!(frail.infos().count(), 0);
}

/// The lowered programs of many stretches, and inputs for them.
fn much(stretches: usize, inputs: usize) -> (Lowered, DeviceInputs) {
    let body = |n: usize| format!("def solve_{n}(I):\n    O = fill(I, {n}, objects(I, T, F, T))\n");
    let tail = "    x1 = mapply(outbox, objects(O, T, F, F))\n    return fill(O, THREE, x1)\n";
    let text: String = (0..stretches).map(|n| body(n) + tail).collect();
    let text = text.replace("objects(I, T, F, T))", "ofcolor(I, ONE))");
    let batt = merge(&arcloom_lang::lower::load_file(&text).programs);
    let lowered = Lowered::new(&batt, &BattPlan::new(&batt), stretches);
    assert_eq!(lowered.stretches.len(), stretches);
    let mut all = DeviceInputs::default();
    let grids = grids(&mut Seeded::new(5), inputs);
    grids.iter().for_each(|grid| assert!(all.add(grid, Some(grid))));
    (lowered, all)
}

#[test]
fn a_slow_device_does_less() {
    let found = match opencl::devices() {
        Ok(found) if !found.is_empty() => found,
        _ => return println!("skipped: no OpenCL device"),
    };
    let open = || found[0].open().unwrap();
    let (lowered, inputs) = much(2, 400);
    let slow = |millis: u64| -> Box<dyn Runtime> {
        let delay = Duration::from_millis(millis);
        Box::new(Frail { device: open(), batches: usize::MAX, delay })
    };
    let mut fleet = Fleet::of(vec![slow(2), slow(20)]);
    let records = fleet.run(&lowered, &inputs, 250_000);
    let [fast, slow] = [0, 1].map(|n| records.uses[n].inputs);
    println!("a device that takes 10 times as long did {slow} inputs, the other {fast}");
    assert_eq!((fast + slow, fleet.faults.len()), (400, 0));
    assert!(fast > 2 * slow && slow > 0, "{fast} and {slow}");
}

#[test]
fn batches_overlap_and_inputs_are_sent_once() {
    let found = match opencl::devices() {
        Ok(found) if !found.is_empty() => found,
        _ => return println!("skipped: no OpenCL device"),
    };
    let (lowered, inputs) = much(8, 300);
    let once = found[0].open().unwrap().run(
        &lowered,
        &inputs,
        Shape { groups: 1, lanes: 1, heap: 1 << 19 },
        250_000,
    );
    let once = once.unwrap().words;
    let mut fleet = Fleet::of(vec![Box::new(found[0].open().unwrap())]);
    let records = fleet.run(&lowered, &inputs, 250_000);
    let took = records.uses[0].took;
    println!("{took:?}");
    assert_eq!((took.uploads, took.launches), (1, 4), "four batches on inputs that were sent once");
    assert_eq!(took.down, records.results() * 12);
    for slot in 0..lowered.slots.len() {
        for input in 0..inputs.len() {
            let at = (slot * inputs.len() + input) * 3;
            let one = arcloom_gpu::Record::new([once[at], once[at + 1], once[at + 2]]);
            assert_eq!(records.get(slot as u32, input), Some(one));
        }
    }
}
