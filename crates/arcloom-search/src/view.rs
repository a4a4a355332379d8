//! Ways of looking at a task: as it is, turned about its diagonal, with colours renamed by role, with the most frequent
//! colour as the background.
//!
//! A search that looks another way meets the same chains in another order, stacks other pieces first, and
//! with colours by role sees what demos of different colours have in common. To the search 0 is transparent, so that
//! objects on another background are none to it until that is 0. What it finds is turned back; agreement between views
//! speaks for an answer.

use arcloom_dsl::kernel::sheet::roles::Renaming;
use arcloom_dsl::kernel::sheet::{Sheet, roles};
use arcloom_dsl::sheet::turn::{Turn, turn};

use crate::picture::StartGrids;
use crate::task::Problem;
use crate::without::{SearchPart, Without};

/// One way of looking at a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Colours are renamed by role before and back after.
    pub renamed: bool,
    /// The most frequent colour of an input is exchanged with 0 before, and back after.
    pub grounded: bool,
    /// Rows are columns.
    pub transposed: bool,
}

impl View {
    /// All of them.
    pub const ALL: [View; 8] = {
        let mut all = [View { renamed: false, grounded: false, transposed: false }; 8];
        let mut n = 0;
        while n < 8 {
            all[n] = View { renamed: n & 1 > 0, grounded: n & 2 > 0, transposed: n & 4 > 0 };
            n += 1;
        }
        all
    };

    /// The ways of looking at a task that may show something of it, rows as columns left out: as it is first.
    ///
    /// The most frequent colour is the background where no input has 0 for it. Looking that way first, or that way alone, lost
    /// more of ARC-AGI-1's training tasks than it won and won hardly more of ARC-AGI-2's.
    pub fn of_task(problem: &Problem, without: &Without) -> Vec<View> {
        let mut inputs = problem.demos.iter().map(|d| &d.0).chain(&problem.tests);
        let grounded =
            !without.leaves_out(SearchPart::Ground) && inputs.all(|input| ground_of(input) != 0);
        let mut views = vec![View::default()];
        if grounded {
            views.push(View { grounded, ..View::default() });
        }
        if !without.leaves_out(SearchPart::Roles) && roles::matter(&problem.demos) {
            views.push(View { renamed: true, grounded, ..View::default() });
        }
        views
    }

    /// The task as it is seen.
    pub fn of(self, problem: &Problem) -> Problem {
        let see = |sheet: &Sheet, input: &Sheet| self.see(problem, sheet, input);
        Problem {
            demos: problem.demos.iter().map(|(i, o)| (see(i, i), see(o, i))).collect(),
            tests: problem.tests.iter().map(|t| see(t, t)).collect(),
            pictures: problem.pictures.iter().map(|p| self.of_picture(problem, p)).collect(),
        }
    }

    /// A picture of the task as it is seen.
    pub fn of_picture(self, problem: &Problem, picture: &StartGrids) -> StartGrids {
        let inputs = problem.demos.iter().map(|d| &d.0).chain(&problem.tests);
        let sheets = picture.sheets.iter().zip(inputs);
        let sheets = sheets.map(|(sheet, input)| self.see(problem, sheet, input)).collect();
        StartGrids { sheets, ..*picture }
    }

    fn see(self, problem: &Problem, sheet: &Sheet, input: &Sheet) -> Sheet {
        let mut seen = roles::rename(sheet, &self.names(problem, input));
        if self.transposed {
            seen = transpose(&seen);
        }
        seen
    }

    /// What was seen as the output of an input, as it is.
    pub fn back(self, problem: &Problem, output: &Sheet, input: &Sheet) -> Sheet {
        let output = if self.transposed { transpose(output) } else { output.clone() };
        roles::rename(&output, &roles::inverse(&self.names(problem, input)))
    }

    /// The names that the colours of an input get.
    fn names(self, problem: &Problem, input: &Sheet) -> Renaming {
        let mut names = match self.renamed {
            true => roles::renaming(&problem.demos, input),
            false => std::array::from_fn(|c| c as u8),
        };
        if self.grounded {
            let ground = ground_of(&roles::rename(input, &names));
            for name in &mut names {
                *name = match *name {
                    0 => ground,
                    c if c == ground => 0,
                    c => c,
                };
            }
        }
        names
    }
}

/// The most frequent colour, the smallest of several.
fn ground_of(input: &Sheet) -> u8 {
    let mut counts = [0usize; 10];
    input.cells().iter().for_each(|c| counts[usize::from(*c)] += 1);
    (0..10u8).rev().max_by_key(|c| counts[usize::from(*c)]).unwrap_or(0)
}

fn transpose(sheet: &Sheet) -> Sheet {
    let mut out = Sheet::default();
    turn(sheet, Turn::Diagonal, &mut out);
    out
}
