//! Runs batts: every node once per input, and no call twice on the same values.
//!
//! A node whose argument failed fails with that argument's error, the first of several, which is the
//! error that the program alone would have stopped at: a program runs in the order of a walk from its
//! result, arguments first and from left to right.

use arcloom_dsl::{Caller, EvalError, Fault, Outcome, Stop};
use arcloom_lang::NodeId;
use arcloom_value::Value;
use smallvec::SmallVec;

use crate::allowance::Allowance;
use crate::batt_plan::{BattPlan, BattStep, MEMO_ARGS};
use crate::column::Column;
use crate::counts::RunCounts;
use crate::limits::Limits;
use crate::machine::Inputs;
use crate::memo::{Key, Memo};
use crate::plan::Action;
use crate::profile::Profile;
use crate::table::{Table, ValueId, hash};

/// What a node came to: the number of its value, or why it has none.
pub type NodeSlot = Result<ValueId, EvalError>;

/// Runs batts. Each thread has its own; memory is kept between inputs.
pub struct Worker {
    caller: Caller,
    /// True when primitives are handed general forms, and give them.
    general: bool,
    /// Values computed for this input; their numbers follow those of the plan's own.
    local: Table,
    memo: Memo,
    slots: Vec<NodeSlot>,
    counts: RunCounts,
    /// Units that an input may take.
    units: u64,
    profile: Option<Profile>,
}

/// The values of nodes that depend on a task's demo pairs alone.
#[derive(Debug, Clone, Default)]
pub struct TaskValues(Vec<(u32, Outcome)>);

impl Worker {
    /// A worker that runs every node within these limits.
    pub fn new(limits: Limits) -> Worker {
        Worker {
            caller: limits.caller(),
            general: limits.is_general(),
            local: Table::default(),
            memo: Memo::default(),
            slots: Vec::new(),
            counts: RunCounts::default(),
            units: u64::MAX,
            profile: None,
        }
    }

    /// Ends the evaluation of each input after so many units, and makes calls within limits that suit them.
    pub(crate) fn keep_within(&mut self, limits: Limits, units: Option<u64>) {
        let same = units.unwrap_or(u64::MAX) == self.units;
        if !same {
            self.units = units.unwrap_or(u64::MAX);
            self.caller = Allowance::limits(limits, self.units).caller();
        }
    }

    /// Adds up the time of calls by primitive from now on.
    pub fn with_profile(self) -> Worker {
        Worker { profile: Some(Profile::default()), ..self }
    }

    /// What was counted since the last time this was asked.
    pub fn take_counts(&mut self) -> RunCounts {
        std::mem::take(&mut self.counts)
    }

    /// The time of calls by primitive since the last time this was asked.
    pub fn take_profile(&mut self) -> Option<Profile> {
        self.profile.as_mut().map(Profile::take)
    }

    /// Computes what depends on the demo pairs alone; `None` when stopped.
    pub fn task_values(
        &mut self,
        plan: &BattPlan,
        samples: &Value,
        stop: &Stop,
    ) -> Option<TaskValues> {
        if plan.task_steps.is_empty() {
            return Some(TaskValues::default());
        }
        self.begin(plan);
        self.give(plan, plan.samples, samples);
        self.steps(plan, &plan.task_steps, None, stop)?;
        let value = |step: &BattStep| {
            let slot = self.slots[step.slot as usize];
            (step.slot, slot.map(|id| self.value(plan, id).clone()))
        };
        Some(TaskValues(plan.task_steps.iter().map(value).collect()))
    }

    /// Computes every node for one input; `None` when stopped.
    pub fn column(
        &mut self,
        plan: &BattPlan,
        inputs: &Inputs<'_>,
        task: &TaskValues,
        stop: &Stop,
    ) -> Option<Column> {
        self.run(plan, inputs, task, None, stop)?;
        Some(self.grids(plan))
    }

    /// Computes some nodes for one input; with a node, those it depends on must be among them. What
    /// the column says of the others means nothing.
    pub fn part_column(
        &mut self,
        plan: &BattPlan,
        inputs: &Inputs<'_>,
        task: &TaskValues,
        needed: &[bool],
        stop: &Stop,
    ) -> Option<Column> {
        self.run(plan, inputs, task, Some(needed), stop)?;
        Some(self.grids(plan))
    }

    /// The grids that the nodes came to.
    fn grids(&self, plan: &BattPlan) -> Column {
        let grid = |id: ValueId| match self.value(plan, id) {
            Value::Grid(grid) => Some(grid.clone()),
            _ => None,
        };
        let values = plan.base.len() as usize + self.local.values().len();
        Column::new(&self.slots, values, grid)
    }

    /// Computes every node for one input and gives the values of these.
    pub fn outcomes(
        &mut self,
        plan: &BattPlan,
        inputs: &Inputs<'_>,
        nodes: &[NodeId],
    ) -> Vec<Outcome> {
        let stop = Stop::default();
        let task = self.task_values(plan, inputs.samples, &stop).unwrap_or_default();
        self.run(plan, inputs, &task, None, &stop);
        let value = |id: ValueId| self.value(plan, id).clone();
        nodes.iter().map(|node| self.slots[node.index()].map(value)).collect()
    }

    fn run(
        &mut self,
        plan: &BattPlan,
        inputs: &Inputs<'_>,
        task: &TaskValues,
        needed: Option<&[bool]>,
        stop: &Stop,
    ) -> Option<()> {
        self.begin(plan);
        self.give(plan, plan.input, inputs.input);
        self.give(plan, plan.samples, inputs.samples);
        self.give(plan, plan.expected, inputs.expected);
        for (slot, outcome) in &task.0 {
            let number = outcome.clone().map(|value| self.number(plan, value));
            self.slots[*slot as usize] = number;
        }
        self.counts.inputs += 1;
        self.steps(plan, &plan.input_steps, needed, stop)
    }

    /// Forgets the last input.
    fn begin(&mut self, plan: &BattPlan) {
        self.local.clear();
        self.memo.clear();
        self.slots.clear();
        // Nothing reads a slot before its node is reached.
        let empty = ValueId::new(0);
        self.slots.extend(plan.known.iter().map(|known| Ok(known.unwrap_or(empty))));
    }

    fn give(&mut self, plan: &BattPlan, slot: Option<u32>, value: &Value) {
        if let Some(slot) = slot {
            self.slots[slot as usize] = Ok(self.number(plan, value.clone()));
        }
    }

    fn steps(
        &mut self,
        plan: &BattPlan,
        steps: &[BattStep],
        needed: Option<&[bool]>,
        stop: &Stop,
    ) -> Option<()> {
        self.caller.watch(stop);
        for (n, step) in steps.iter().enumerate() {
            if self.counts.units() >= self.units {
                // Nobody looks at the values of nodes that were not come to.
                let over = EvalError::from(Fault::Budget);
                steps[n..].iter().for_each(|step| self.slots[step.slot as usize] = Err(over));
                break;
            }
            if needed.is_some_and(|needed| !needed[step.slot as usize]) {
                continue;
            }
            if stop.is_set() {
                return None;
            }
            self.slots[step.slot as usize] = self.step(plan, step);
            for &arg in &step.last_uses {
                self.forget(plan, arg);
            }
        }
        // The last step may have been cut short.
        (!stop.is_set()).then_some(())
    }

    #[inline]
    fn step(&mut self, plan: &BattPlan, step: &BattStep) -> NodeSlot {
        self.counts.nodes += 1;
        // Nearly all calls have few arguments; those need no list of their own.
        let mut few = [ValueId::new(0); MEMO_ARGS];
        let many: Vec<ValueId>;
        let args = if step.args.len() <= MEMO_ARGS {
            for (place, &arg) in few.iter_mut().zip(&step.args) {
                match self.slots[arg as usize] {
                    Ok(id) => *place = id,
                    Err(error) => return self.inherit(error),
                }
            }
            &few[..step.args.len()]
        } else {
            match step.args.iter().map(|&arg| self.slots[arg as usize]).collect() {
                Ok(ids) => many = ids,
                Err(error) => return self.inherit(error),
            }
            &many[..]
        };
        let Some(operation) = step.memo else { return self.call(plan, &step.action, args) };
        let key = Key::new(operation, args);
        let hash = key.hash();
        if let Some(slot) = self.memo.get(hash, &key) {
            self.counts.remembered += 1;
            return slot;
        }
        let slot = self.call(plan, &step.action, args);
        if !slot.is_ok_and(ValueId::is_apart) {
            self.memo.insert(hash, key, slot);
        }
        slot
    }

    #[inline]
    fn inherit(&mut self, error: EvalError) -> NodeSlot {
        self.counts.inherited += 1;
        Err(error)
    }

    #[inline]
    fn call(&mut self, plan: &BattPlan, action: &Action, args: &[ValueId]) -> NodeSlot {
        self.counts.calls += 1;
        self.caller.reset();
        let value = |id: ValueId| find(&plan.base, &self.local, id);
        let outcome = match *args {
            [a] => act(&mut self.caller, &mut self.profile, action, &[value(a)]),
            [a, b] => act(&mut self.caller, &mut self.profile, action, &[value(a), value(b)]),
            _ => {
                let values: SmallVec<[&Value; 4]> = args.iter().map(|&id| value(id)).collect();
                act(&mut self.caller, &mut self.profile, action, &values)
            }
        };
        self.counts.work += self.caller.spent();
        match outcome {
            Ok(value) => Ok(self.number(plan, value)),
            Err(error) => {
                self.counts.failed += 1;
                self.counts.over_budget += u64::from(error.is_budget());
                Err(error)
            }
        }
    }

    /// The number of a value. Long lists, rows that were left unmade and functions are not looked for:
    /// it takes longer than it saves. Only one node has such a value, so it goes when the last user is done.
    #[inline]
    fn number(&mut self, plan: &BattPlan, value: Value) -> ValueId {
        // Equal values have one number, whatever form they were made in.
        let value = if self.general { value.canonical() } else { value };
        let base = plan.base.len();
        if is_apart(&value) {
            let place = self.local.push_apart(value).place();
            return ValueId::new(base + place).apart();
        }
        let hash = hash(&value);
        if let Some(id) = plan.base.find(hash, &value) {
            return id;
        }
        let id = match self.local.find(hash, &value) {
            Some(id) => id,
            None => self.local.push(hash, value),
        };
        ValueId::new(base + id.place())
    }

    /// Drops the value of a node that nobody needs any more, if nobody else has it.
    #[inline]
    fn forget(&mut self, plan: &BattPlan, slot: u32) {
        if let Ok(id) = self.slots[slot as usize]
            && id.is_apart()
        {
            self.local.forget(ValueId::new(id.place() - plan.base.len()));
        }
    }

    fn value<'v>(&'v self, plan: &'v BattPlan, id: ValueId) -> &'v Value {
        find(&plan.base, &self.local, id)
    }
}

/// Makes a call, with its time taken if asked for.
#[inline]
fn act(
    caller: &mut Caller,
    profile: &mut Option<Profile>,
    action: &Action,
    args: &[&Value],
) -> Outcome {
    let Some(profile) = profile else { return action.act(caller, args) };
    let start = std::time::Instant::now();
    let outcome = action.act(caller, args);
    let prim = if let Action::Call(id) = action { Some(*id) } else { None };
    profile.add(prim, start.elapsed());
    outcome
}

/// The value with a number: one of the plan's own, or one of this input's.
#[inline]
fn find<'v>(base: &'v Table, local: &'v Table, id: ValueId) -> &'v Value {
    match id.place().checked_sub(base.len()) {
        None => base.get(id),
        Some(n) => local.get(ValueId::new(n)),
    }
}

/// Elements from which on a list is long.
const LONG: usize = 256;

#[inline]
fn is_apart(value: &Value) -> bool {
    match value {
        Value::Tuple(seq) | Value::Set(seq) => seq.len() > LONG || seq.is_rows(),
        Value::Closure(_) => true,
        _ => false,
    }
}
