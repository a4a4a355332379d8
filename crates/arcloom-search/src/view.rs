//! Ways of looking at a task: as it is, turned about its diagonal, with colours renamed by role.
//!
//! A search that looks another way meets the same chains in another order, stacks other pieces first, and
//! with colours by role sees what demos of different colours have in common. What it finds is
//! turned back; agreement between views speaks for an answer.

use arcloom_sheet::turn::{Turn, turn};
use arcloom_sheet::{Sheet, roles};

use crate::task::{Picture, Problem};

/// One way of looking at a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Colours are renamed by role before and back after.
    pub renamed: bool,
    /// Rows are columns.
    pub transposed: bool,
}

impl View {
    /// All of them.
    pub const ALL: [View; 4] = [
        View { renamed: false, transposed: false },
        View { renamed: true, transposed: false },
        View { renamed: false, transposed: true },
        View { renamed: true, transposed: true },
    ];

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
    pub fn of_picture(self, problem: &Problem, picture: &Picture) -> Picture {
        let inputs = problem.demos.iter().map(|d| &d.0).chain(&problem.tests);
        let sheets = picture.sheets.iter().zip(inputs);
        let sheets = sheets.map(|(sheet, input)| self.see(problem, sheet, input)).collect();
        Picture { sheets, cost: picture.cost }
    }

    fn see(self, problem: &Problem, sheet: &Sheet, input: &Sheet) -> Sheet {
        let named = match self.renamed {
            true => roles::rename(sheet, &roles::renaming(&problem.demos, input)),
            false => sheet.clone(),
        };
        if self.transposed { transpose(&named) } else { named }
    }

    /// What was seen as the output of an input, as it is.
    pub fn back(self, problem: &Problem, output: &Sheet, input: &Sheet) -> Sheet {
        let output = if self.transposed { transpose(output) } else { output.clone() };
        match self.renamed {
            true => {
                let map = roles::renaming(&problem.demos, input);
                roles::rename(&output, &roles::inverse(&map))
            }
            false => output,
        }
    }
}

fn transpose(sheet: &Sheet) -> Sheet {
    let mut out = Sheet::default();
    turn(sheet, Turn::Diagonal, &mut out);
    out
}
