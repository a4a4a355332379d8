//! Differs of the user's: programs `differ(S, I, C)` that judge a candidate `I` beside the expected grid `C`.
//!
//! Whatever such a program gives for the expected grid itself, that is [`PERFECT`]: it is right, and a differ
//! that says less would rank wrong grids before it. So it is not asked there.

use arcloom_dsl::differ::PERFECT;
use arcloom_lang::{Program, ProgramId};
use arcloom_value::{Grid, Value};

use crate::machine::{Inputs, Machine};
use crate::plan::Plan;
use crate::view::TaskView;

/// A differ of the user's, ready to run.
#[derive(Debug, Clone)]
pub struct OwnDiffer {
    /// Its name.
    pub name: String,
    /// Which program it is.
    pub id: ProgramId,
    plan: Plan,
}

/// Equal programs judge alike, whatever they are called.
impl PartialEq for OwnDiffer {
    fn eq(&self, other: &OwnDiffer) -> bool {
        self.id == other.id
    }
}

impl Eq for OwnDiffer {}

impl OwnDiffer {
    /// A program as a differ.
    pub fn new(program: &Program) -> OwnDiffer {
        OwnDiffer { name: program.name.clone(), id: program.id(), plan: Plan::new(program) }
    }

    /// A score from 0 to 1000 for a candidate for one demo, and maybe a finding; or why there is none.
    pub fn judge(
        &self,
        machine: &mut Machine,
        task: &TaskView,
        demo: usize,
        candidate: &Grid,
    ) -> Result<(u32, Option<Value>), String> {
        let expected = task.expected()[demo].grid();
        if candidate == expected {
            return Ok((PERFECT.into(), None));
        }
        let (input, expected) = (Value::Grid(candidate.clone()), Value::Grid(expected.clone()));
        let inputs = Inputs { input: &input, samples: &task.given().samples, expected: &expected };
        match machine.run(&self.plan, &inputs) {
            Ok(value) => score_of(&value)
                .ok_or_else(|| "gave neither a score nor (score, finding)".to_owned()),
            Err(failure) => Err(failure.error.to_string()),
        }
    }
}

/// A score, or a tuple of a score and a finding. Scores outside their range count as its ends.
fn score_of(value: &Value) -> Option<(u32, Option<Value>)> {
    let within = |score: i64| score.clamp(0, PERFECT.into()) as u32;
    if let Some(score) = value.as_int() {
        return Some((within(score), None));
    }
    let mut parts = value.iter().filter(|_| !value.is_set())?;
    let (score, finding, more) = (parts.next()?, parts.next()?, parts.next());
    let score = score.as_int().filter(|_| more.is_none())?;
    Some((within(score), Some(finding)))
}
