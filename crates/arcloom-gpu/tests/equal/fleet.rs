//! Two devices share a batch, and one of them is lost on the way.

use arcloom_exec::BattPlan;
use arcloom_gpu::runtime::{Inputs, Runtime, Shape, Took};
use arcloom_gpu::{DeviceError, DeviceInfo, Fleet, Lowered, opencl};
use arcloom_testkit::Seeded;

use crate::harness::weave;
use crate::programs::grids;

/// A device that is lost after so many batches.
struct Frail(opencl::OpenCl, usize);

impl Runtime for Frail {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }

    fn run(
        &mut self,
        lowered: &Lowered,
        inputs: &Inputs,
        shape: Shape,
        limit: i32,
    ) -> Result<(Vec<u32>, Took), DeviceError> {
        if self.1 == 0 {
            return Err(DeviceError::Lost("it fell off the bus".to_owned()));
        }
        self.1 -= 1;
        self.0.run(lowered, inputs, shape, limit)
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
    let batt = weave(&arcloom_ir::lower::load_file(text).programs);
    let plan = BattPlan::new(&batt);
    let lowered = Lowered::new(&batt, &plan, 1);
    let mut inputs = Inputs::default();
    let grids = grids(&mut Seeded::new(3), 64);
    grids.iter().for_each(|grid| assert!(inputs.add(grid, Some(grid))));

    let alone = Fleet::of(vec![Box::new(open())]).run(&lowered, &inputs, 250_000);
    assert_eq!((alone.done(), alone.uses[0].took.launches), (64, 1));

    let mut both = Fleet::of(vec![Box::new(open()), Box::new(open())]);
    let shared = both.run(&lowered, &inputs, 250_000);
    assert_eq!(shared.done(), 64);
    assert_eq!(shared.uses.iter().map(|used| used.inputs).sum::<usize>(), 64);

    let mut frail = Fleet::of(vec![Box::new(open()), Box::new(Frail(open(), 1))]);
    let rest = frail.run(&lowered, &inputs, 250_000);
    // Its last portion is missing, unless the other one was so fast that it had one portion only.
    assert!(rest.done() >= 64 - 8);
    for slot in 0..lowered.slots.len() as u32 {
        for n in 0..64 {
            let wanted = alone.get(slot, n);
            assert_eq!(shared.get(slot, n), wanted);
            if let Some(got) = rest.get(slot, n) {
                assert_eq!(Some(got), wanted);
            }
        }
    }
    let mut frail = Fleet::of(vec![Box::new(Frail(open(), 0))]);
    let none = frail.run(&lowered, &inputs, 250_000);
    assert_eq!(none.done(), 0);
    assert_eq!(frail.faults.len(), 1);
    assert!(frail.faults[0].ends_with("the device failed: it fell off the bus"));
    assert_eq!(frail.infos().count(), 0);
}
