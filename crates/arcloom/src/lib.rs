//! arcloom's engine: the boundary that the command line, the Python package and the viewer use.
//!
//! ```
//! use arcloom::{CheckState, Engine, Library};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let library = Library::from_text("mine.py", "def solve_mine(I):\n    O = cmirror(I)\n    return O\n");
//! let tasks = arcloom::Catalog::open(None).resolve_tasks("embedded")?;
//! let engine = Engine::builder().threads(1).build()?;
//! let report = engine.check_all(&library.programs, &tasks, &|_| {});
//! assert!(report.rows.iter().any(|row| row.state == CheckState::Right));
//! # Ok(())
//! # }
//! ```

pub mod archive;
pub mod ask;
pub mod attempts;
pub mod augment;
pub mod builder;
pub mod cache;
pub mod card;
pub mod check;
pub mod choose;
pub mod engine;
pub mod eval;
pub mod evolve;
pub mod figure;
pub mod library;
pub mod run;
pub mod run_task;
pub mod solve;
pub mod standing;
pub mod timing;
pub mod trace;
pub mod verdict;

pub use arcloom_draw as draw;
pub use arcloom_dsl::{
    Alias, CONSTANTS, Caller, Class, Constant, CostClass, EvalError, Fault, Outcome, Primitive,
    Registry, alias::ALIASES, step::tried_as,
};
pub use arcloom_gpu as gpu;
pub use arcloom_graph as graph;
pub use arcloom_graph::batt::{self as batt, Batt, BattBuilder};
pub use arcloom_graph::{
    DemoFit, Limits, Machine, NoOutput, Output, Outputs, Plan, RunCounts, Stop, TaskView,
    samples_value, similarity,
};

/// Number of the form of all JSON that commands print; raised when a field is renamed or goes.
pub const JSON_SCHEMA: u32 = 3;
pub use arcloom_graph::{Profile, profile::ProfileRow};
pub use arcloom_lang::{
    Answer, Dropped, DroppedKind, Form, Program, ProgramId, Reading, TextError, foreign,
    function_name, nearest::nearest, text,
};
pub use arcloom_tasks as corpus;
pub use arcloom_tasks::{Catalog, CorpusError, Task, TaskSet};
pub use arcloom_value::{Closure, Foreign, ForeignFn, Grid, PrimId, Role, Ty, Value};
pub use ask::{AskOptions, AskReport, Choosable, Question, Rival};
pub use attempts::Attempts;
pub use augment::{AugmentError, AugmentOptions, Augmented, NewPair, PairMaker};
pub use builder::{ConfigError, EngineBuilder};
pub use card::{Carded, card};
pub use check::{CheckReport, CheckRow, CheckState};
pub use choose::{Choice, ChooseError, Shard};
pub use engine::Engine;
pub use eval::{
    EvalPair, EvalRow, EvalRows, EvalSource, Evaluation, Judged, StepFailure, one_program,
};
pub use library::{Entry, Library};
pub use run::{
    Candidate, DeviceChoice, DeviceReport, Differs, RunOptions, RunReport, TaskReport, TaskRun,
};
pub use run_task::{RunTask, StoredProposal};
pub use solve::{Ablation, Ingredient, KnownStats, Proposal, SolveOptions, SolveReport, SolveTask};
pub use standing::{Standing, StandingCounts, TaskStanding};
pub use timing::{Spans, TimeRow};
pub use trace::{Trace, TracedStep};
pub use verdict::{TaskState, TestState, Verdict};

/// The version of arcloom and of its language: equal versions give equal results.
pub fn version() -> String {
    format!("{}+dsl.{}", env!("CARGO_PKG_VERSION"), arcloom_dsl::DSL_VERSION)
}
