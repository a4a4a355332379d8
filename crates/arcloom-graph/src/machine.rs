//! Runs plans, one input at a time.

use std::time::Instant;

use arcloom_dsl::{Caller, EvalError, Fault, Outcome, Stop};
use arcloom_lang::NodeId;
use arcloom_value::Value;
use smallvec::SmallVec;

use crate::plan::{Action, Plan, Step};
use crate::profile::Profile;

/// What a program is given.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The input grid, `I`.
    pub input: &'a Value,
    /// The task's demo pairs, `S`.
    pub samples: &'a Value,
    /// `C`: `None` for solvers, the expected grid for differs.
    pub expected: &'a Value,
}

/// Where and why a program failed on an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The step that failed.
    pub node: NodeId,
    /// Why.
    pub error: EvalError,
}

/// A run of a program with everything on the way.
#[derive(Debug, Clone)]
pub struct Traced {
    /// The value of every node; `None` from the first failure on.
    pub values: Vec<Option<Value>>,
    /// Units of work spent on every node.
    pub work: Vec<u64>,
    /// Where and why it failed, if it did.
    pub failure: Option<Failure>,
}

/// Runs plans. Keeps its slots between runs, so that running allocates only values.
pub struct Machine {
    caller: Caller,
    slots: Vec<Value>,
    work: u64,
    profile: Option<Profile>,
    stop: Option<Stop>,
}

/// Units of work between two looks at whether to stop, of steps that each are too short to look: a fraction
/// of a millisecond.
const LOOK: u64 = 1 << 18;

impl Default for Machine {
    fn default() -> Machine {
        Machine::new(Caller::default())
    }
}

impl Machine {
    /// A machine that calls primitives through `caller`, with its budget per step.
    pub fn new(caller: Caller) -> Machine {
        Machine { caller, slots: Vec::new(), work: 0, profile: None, stop: None }
    }

    /// Adds up the time of every step by primitive from now on.
    pub fn with_profile(self) -> Machine {
        Machine { profile: Some(Profile::default()), ..self }
    }

    /// The time of steps by primitive since the last time this was asked.
    pub fn take_profile(&mut self) -> Option<Profile> {
        self.profile.as_mut().map(Profile::take)
    }

    /// Ends runs when `stop` says so; what they give then is nobody's outcome.
    pub fn watch(&mut self, stop: &Stop) {
        self.caller.watch(stop);
        self.stop = Some(stop.clone());
    }

    /// Runs a program on an input.
    pub fn run(&mut self, plan: &Plan, inputs: &Inputs<'_>) -> Result<Value, Failure> {
        let value = self.run_along(plan, inputs, |_, _| true)?;
        // Whoever always goes on comes to a value.
        Ok(value.unwrap_or(Value::None))
    }

    /// Runs a program on an input as long as `goes_on` says so of the value of every step; `None` where it
    /// did not.
    pub fn run_along(
        &mut self,
        plan: &Plan,
        inputs: &Inputs<'_>,
        mut goes_on: impl FnMut(NodeId, &Value) -> bool,
    ) -> Result<Option<Value>, Failure> {
        self.load(plan, inputs);
        let mut looked = 0;
        for step in &plan.steps {
            let failure = |error| Failure { node: NodeId(step.slot), error };
            self.step(plan, step).map_err(failure)?;
            if !goes_on(NodeId(step.slot), &self.slots[step.slot as usize]) {
                return Ok(None);
            }
            if self.work - looked >= LOOK {
                looked = self.work;
                if self.stop.as_ref().is_some_and(Stop::is_due) {
                    return Err(failure(Fault::Stopped.into()));
                }
            }
        }
        Ok(Some(value(plan, &self.slots, plan.output).clone()))
    }

    /// Runs a program and keeps the value and the work of every node up to the first failure.
    pub fn trace(&mut self, plan: &Plan, inputs: &Inputs<'_>) -> Traced {
        self.load(plan, inputs);
        let mut values = plan.known.clone();
        for slot in [plan.input, plan.samples, plan.expected].into_iter().flatten() {
            values[slot as usize] = Some(self.slots[slot as usize].clone());
        }
        let mut traced = Traced { work: vec![0; values.len()], values, failure: None };
        for step in &plan.steps {
            let slot = step.slot as usize;
            let outcome = self.step(plan, step);
            traced.work[slot] = self.caller.spent();
            match outcome {
                Ok(()) => traced.values[slot] = Some(self.slots[slot].clone()),
                Err(error) => {
                    traced.failure = Some(Failure { node: NodeId(step.slot), error });
                    break;
                }
            }
        }
        traced
    }

    /// Units of work the last run spent, all steps together.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn load(&mut self, plan: &Plan, inputs: &Inputs<'_>) {
        self.work = 0;
        self.slots.clear();
        self.slots.resize(plan.slots(), Value::None);
        for (slot, value) in [
            (plan.input, inputs.input),
            (plan.samples, inputs.samples),
            (plan.expected, inputs.expected),
        ] {
            if let Some(slot) = slot {
                self.slots[slot as usize] = value.clone();
            }
        }
    }

    #[inline]
    fn step(&mut self, plan: &Plan, step: &Step) -> Result<(), EvalError> {
        self.caller.reset();
        let start = self.profile.is_some().then(Instant::now);
        let outcome = self.act(plan, step);
        if let (Some(profile), Some(start)) = (&mut self.profile, start) {
            let prim = if let Action::Call(id) = step.action { Some(id) } else { None };
            profile.add(prim, start.elapsed());
        }
        self.work += self.caller.spent();
        self.slots[step.slot as usize] = outcome?;
        Ok(())
    }

    #[inline]
    fn act(&mut self, plan: &Plan, step: &Step) -> Outcome {
        let get = |slot: u32| value(plan, &self.slots, slot);
        match step.args[..] {
            [a] => step.action.act(&mut self.caller, &[get(a)]),
            [a, b] => step.action.act(&mut self.caller, &[get(a), get(b)]),
            [a, b, c] => step.action.act(&mut self.caller, &[get(a), get(b), get(c)]),
            _ => {
                let args: SmallVec<[&Value; 4]> = step.args.iter().map(|&slot| get(slot)).collect();
                step.action.act(&mut self.caller, &args)
            }
        }
    }
}

/// The value in a slot: known in advance, or computed in this run.
#[inline]
fn value<'v>(plan: &'v Plan, slots: &'v [Value], slot: u32) -> &'v Value {
    plan.known[slot as usize].as_ref().unwrap_or(&slots[slot as usize])
}
