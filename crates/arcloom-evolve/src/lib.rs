//! Evolution: mutation on the typed graph, which makes of a program, its task and what is wrong with it
//! other programs that may do better, and the loop that breeds populations with it.
//!
//! | file | what is in it |
//! |---|---|
//! | `mutate.rs` | [`mutate`], what it is given ([`Context`], [`Donors`], [`Finding`]), [`Operator`] |
//! | `rates.rs` | how often each operator is chosen, learnt from how it did |
//! | `parent.rs` | [`Parent`]: a program with types, the places where values are used, and their kinds |
//! | `typing.rs` | which value is probably right where; stricter than what cannot be right |
//! | `kind.rs` | what an integer or pair stands for at a place, and other values of that kind |
//! | `facts.rs`, `templates.rs`, `evaluate.rs` | what the demo pairs say, and expressions that derive it |
//! | `catalog.rs` | primitives by what they take and give |
//! | `draft.rs`, `making.rs` | an edit in progress, and how a finished one is checked |
//! | `operators.rs`, `operators/*.rs` | the operators, in one ordered list |
//! | `evolution.rs`, `evolution/*.rs` | the loop: populations, generations, proposers, islands |
//!
//! A child is a function of the context, the rates and the state of the random numbers. `mutate`
//! runs no program: only facts do, once per task, on the demo pairs. The loop knows no archive: what keeps
//! a run reaches it as a [`Journal`]. `docs/operators.md` shows an
//! example of each operator.

mod catalog;
mod draft;
mod evaluate;
mod evolution;
mod facts;
mod kind;
mod making;
mod mutate;
mod operators;
mod parent;
mod rates;
mod templates;
mod typing;

pub use evolution::{
    Asked, Asking, Attempt, Evolution, EvolutionState, EvolveConfig, EvolveTask, Evolved, Exchange,
    Fate, Fitness, Folder, Founder, Founders, Generation, GenerationStep, Guest, Helpers, Journal,
    MadeFrom, Member, MemberOrigin, Nearest, OperatorRow, Population, Progress, Proposer,
    ProposerFault, Reply, Ring, StoredPopulation, StoredRun, Validation, pack, unpack, validate,
};
pub use facts::{Colors, Derived, TaskFacts};
pub use kind::ConstantKind;
pub use making::Making;
pub use mutate::{Context, Donors, Finding, MAX_CALLS, Operator, mutate};
pub use operators::ALL;
pub use parent::{MutationSite, Parent};
pub use rates::{OperatorCount, Rates, Tally};
