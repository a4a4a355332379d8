//! The question that decides: which of the programs that fit all demos of a task is meant.
//!
//! `solve` finds programs that fit. Inputs are made with them as `augment` makes them, and `solve` looks again
//! with these as tests, so that programs count as different that differ there. The question is the input on
//! which the rivals disagree most; each of their answers is a choice. Whoever knows the task chooses one, and
//! the task has one more demo. Expected outputs of tests are not looked at.

use std::collections::BTreeMap;

use arcloom_graph::{Stop, TaskView};
use arcloom_store::StoreError;
use arcloom_tasks::{GridLimits, Pair, Task, TaskSet, TestPair};
use arcloom_value::{Grid, Value};

use crate::augment::PairMaker;
use crate::engine::Engine;
use crate::library::{Entry, Library};
use crate::solve::{Ingredient, SolveOptions};

/// What a question may cost.
#[derive(Debug, Clone)]
pub struct AskOptions {
    /// How rivals are looked for, twice.
    pub solve: SolveOptions,
    /// Seed of the inputs that are made.
    pub seed: u64,
    /// Inputs that the rivals answer.
    pub inputs: usize,
}

impl Default for AskOptions {
    fn default() -> AskOptions {
        AskOptions { solve: SolveOptions::default(), seed: 0, inputs: 60 }
    }
}

/// A program that fits all demos.
#[derive(Debug, Clone)]
pub struct Rival {
    /// The program.
    pub entry: Entry,
    /// Who found it.
    pub sources: Vec<Ingredient>,
    /// How little it is to be trusted.
    pub doubt: i32,
}

/// A choice of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choosable {
    /// The output.
    pub output: Grid,
    /// The rivals that give it, as places in [`AskReport::rivals`], the least doubtful first.
    pub rivals: Vec<usize>,
}

/// What there is to ask about a task.
#[derive(Debug, Clone)]
pub struct AskReport {
    /// The task.
    pub task: String,
    /// The programs that fit all demos and differ somewhere, the least doubtful first.
    pub rivals: Vec<Rival>,
    /// The input on which they disagree most, with their answers; nothing where they agree on every input.
    pub question: Option<Question>,
    /// Inputs that they answered.
    pub input_count: usize,
}

/// An input and the answers of rivals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The input.
    pub input: Grid,
    /// At least two outputs, that of the least doubtful rival first.
    pub choices: Vec<Choosable>,
}

impl Question {
    /// The task with the question and one choice as one more demo; `None` where there is no such choice.
    pub fn settle(&self, task: &Task, choice: usize) -> Option<Task> {
        let output = self.choices.get(choice)?.output.clone();
        let mut task = task.clone();
        task.demos.push(Pair { input: self.input.clone(), output });
        Some(task)
    }
}

/// Inputs that `solve` is given as tests: as many as it looks at.
const TESTS: usize = 12;
/// Inputs that a rival may try for each that it is to bring.
const TRIES: usize = 40;

impl Engine {
    /// Finds the rivals of a task and the question that parts them.
    pub fn ask(
        &self,
        library: &Library,
        task: &Task,
        options: &AskOptions,
        stop: &Stop,
    ) -> Result<AskReport, StoreError> {
        let rivals = self.rivals(library, task, options, stop)?;
        let tests = self.inputs(task, &rivals, TESTS, options.seed, stop);
        let mut seen = task.clone();
        if !tests.is_empty() {
            seen.tests = tests.iter().map(|input| TestPair::new(input.clone(), None)).collect();
        }
        let rivals = match rivals.is_empty() {
            true => rivals,
            false => self.rivals(library, &seen, options, stop)?,
        };
        let mut inputs = self.inputs(task, &rivals, options.inputs, options.seed, stop);
        inputs.extend(tests.into_iter().filter(|test| !inputs.contains(test)).collect::<Vec<_>>());
        let answers = self.answers(task, &rivals, &inputs);
        let question = most_divided(&inputs, &answers);
        Ok(AskReport { task: task.id.clone(), rivals, question, input_count: inputs.len() })
    }

    /// Programs that fit all demos and differ on the tests.
    fn rivals(
        &self,
        library: &Library,
        task: &Task,
        options: &AskOptions,
        stop: &Stop,
    ) -> Result<Vec<Rival>, StoreError> {
        let mut hidden = task.clone();
        hidden.tests.iter_mut().for_each(TestPair::hide_expected);
        let set = TaskSet::new("ask", vec![hidden]);
        let report = self.solve(library, &set, &options.solve, None, stop, &|_| {})?;
        let proposals = report.tasks.into_iter().flat_map(|task| task.proposals);
        let fitting = proposals.filter(|proposal| proposal.fits == task.demos.len());
        let rival = fitting.filter_map(|proposal| {
            let found = Library::from_text("found", proposal.program.as_ref()?);
            let entry = found.programs.into_iter().next()?;
            Some(Rival { entry, sources: proposal.sources, doubt: proposal.doubt })
        });
        Ok(rival.collect())
    }

    /// Inputs that are healthy for some rival, each rival bringing as many.
    fn inputs(
        &self,
        task: &Task,
        rivals: &[Rival],
        most: usize,
        seed: u64,
        stop: &Stop,
    ) -> Vec<Grid> {
        let view = TaskView::new(task);
        let mut machine = self.machine();
        machine.watch(stop);
        let mut inputs: Vec<Grid> = Vec::new();
        for (n, rival) in rivals.iter().enumerate() {
            let share = (most - inputs.len()) / (rivals.len() - n);
            let Ok(mut maker) = PairMaker::new(self, &mut machine, &rival.entry, &view, seed)
            else {
                continue;
            };
            let mut left = share;
            while left > 0 && maker.tries() < share * TRIES && !stop.is_due() {
                let made = maker.next_pair(&mut machine).map(|made| made.pair.input);
                if let Some(input) = made.filter(|input| !inputs.contains(input)) {
                    inputs.push(input);
                    left -= 1;
                }
            }
        }
        inputs
    }

    /// For each input what each rival gives; `None` for what is no answer.
    fn answers(&self, task: &Task, rivals: &[Rival], inputs: &[Grid]) -> Vec<Vec<Option<Grid>>> {
        let view = TaskView::new(task);
        let mut machine = self.machine();
        let mut answer = |rival: &Rival, input: &Grid| {
            let input = Value::Grid(input.clone());
            let output = machine.output(&rival.entry.plan, &view.given().samples, &input).ok();
            output.filter(|grid| GridLimits::ARC.allow(grid))
        };
        let of_input = |input: &Grid| rivals.iter().map(|rival| answer(rival, input)).collect();
        inputs.iter().map(of_input).collect()
    }
}

/// The input on which rivals disagree most: where a choice is expected to leave the least of them, those that
/// come first counting for more.
fn most_divided(inputs: &[Grid], answers: &[Vec<Option<Grid>>]) -> Option<Question> {
    let weight = |place: usize| 1.0 / (place + 1) as f64;
    let mut best: Option<(f64, Question)> = None;
    for (input, answers) in inputs.iter().zip(answers) {
        let mut choices: Vec<Choosable> = Vec::new();
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        for (place, output) in answers.iter().enumerate() {
            let Some(output) = output else { continue };
            let known = choices.iter().position(|choice| choice.output == *output);
            let choice = known.unwrap_or(choices.len());
            if known.is_none() {
                choices.push(Choosable { output: output.clone(), rivals: Vec::new() });
            }
            choices[choice].rivals.push(place);
            *weights.entry(choice).or_default() += weight(place);
        }
        let all: f64 = (0..answers.len()).map(weight).sum();
        let left: f64 = weights.values().map(|weight| weight * weight).sum();
        // Rivals without an answer are not parted from each other.
        let silent = all - weights.values().sum::<f64>();
        let left = (left + silent * all) / (all * all);
        let is_better = best.as_ref().is_none_or(|(least, _)| left < *least);
        if choices.len() > 1 && is_better {
            best = Some((left, Question { input: input.clone(), choices }));
        }
    }
    best.map(|(_, question)| question)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cell: i8) -> Grid {
        Grid::new(1, 1, &[cell]).unwrap()
    }

    #[test]
    fn the_input_that_parts_most_rivals_is_asked() {
        let inputs = [grid(1), grid(2), grid(3)];
        let answers = |cells: [i8; 3]| cells.map(|cell| Some(grid(cell))).to_vec();
        let all = [answers([5, 5, 5]), answers([5, 5, 6]), answers([5, 6, 7])];
        let question = most_divided(&inputs, &all).unwrap();
        assert_eq!(question.input, grid(3));
        assert_eq!(
            question.choices.iter().map(|c| c.rivals.clone()).collect::<Vec<_>>(),
            [[0], [1], [2]]
        );
        assert_eq!(most_divided(&inputs[..1], &all[..1]), None, "all agree");
    }

    #[test]
    fn a_choice_becomes_a_demo() {
        let demo = Pair { input: grid(1), output: grid(2) };
        let task = Task { id: "t".to_owned(), demos: vec![demo], tests: Vec::new() };
        let choice = |cell| Choosable { output: grid(cell), rivals: vec![0] };
        let question = Question { input: grid(4), choices: vec![choice(5), choice(6)] };
        let settled = question.settle(&task, 1).unwrap();
        assert_eq!(settled.demos[1], Pair { input: grid(4), output: grid(6) });
        assert_eq!(question.settle(&task, 2), None);
    }
}
