//! Search for what solves an unseen task.
//!
//! Two ideas. *Enumeration by value*: the same step is done on all demo and test inputs at once, and
//! a tuple of results seen before is not built again, so that the search grows over distinct values
//! and not over texts. *Composition toward the output*: pieces of the output's size are stacked until
//! every cell of the demos is explained, so that an output of four parts costs four short chains and
//! not one long one.
//!
//! | file | what is in it |
//! |---|---|
//! | `steps.rs` | what can be done with a sheet or a list of sheets |
//! | `pool.rs` | the distinct values of one input, every step on them once |
//! | `costs.rs` | what steps cost, learned from training tasks |
//! | `picture.rs` | what chains start from |
//! | `grow.rs` | chains of steps on all inputs, cheapest first |
//! | `size.rs` | guesses of the output's size |
//! | `pieces.rs` | pictures of the output's size, as bits |
//! | `compose.rs` | stacks of pieces |
//! | `recolor.rs` | rules for objects, learned from the demos: tables |
//! | `things.rs` | rules for objects, learned from the demos: lines of questions |
//! | `moves.rs` | rules by which objects move |
//! | `rays.rs` | rules by which objects send rays |
//! | `choose.rs` | rules by which one object is chosen |
//! | `lookup.rs` | tables from the colours of pieces to the colour of the output |
//! | `decide.rs` | trees of questions about the colours near a cell |
//! | `cases.rs` | one plan for some inputs, another for others |
//! | `overgrow.rs` | rules that paint cells by what is near them, until nothing changes |
//! | `frame.rs` | other tasks made of a task: in another frame, cut into parts |
//! | `trial.rs` | one way of looking at a task, further and further |
//! | `view.rs` | the ways of looking at a task |
//! | `without.rs` | parts of it that can be left out |
//! | `scale.rs` | from work to time |
//! | `task.rs` | one task from inputs to answers, in stages |
//! | `plan.rs` | how an answer is made |
//! | `program.rs` | what was found as a program of the DSL |

pub mod cases;
pub mod choose;
pub mod compose;
pub mod costs;
pub mod decide;
pub mod frame;
pub mod grow;
pub mod lookup;
pub mod moves;
pub mod overgrow;
pub mod picture;
pub mod pieces;
pub mod plan;
pub mod pool;
pub mod program;
pub mod rays;
pub mod recolor;
pub mod scale;
pub mod size;
pub mod steps;
pub mod task;
pub mod things;
pub mod trial;
pub mod view;
pub mod without;
