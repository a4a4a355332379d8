//! Terms of the DSL on a task: enumerated stage by stage, answers and grids for the search to start from.

use arcloom_lang::Program;
use arcloom_search::task::{Effort, StartGrids};
use arcloom_search::terms::{Grammar, Hit, TermGrowth};
use arcloom_tasks::Task;
use arcloom_value::Grid;

use super::pictures::sheet;
use super::task::ANSWERS;

/// Grids of terms that the search may start from after each stage, and what that costs besides half of
/// what the term does.
const TERM_PICTURES: usize = 150;
const TERM_COST: u16 = 10;

/// Terms of the DSL on a task.
pub(super) struct Terms<'g> {
    pub(super) growth: TermGrowth<'g>,
    demos: usize,
    /// How many of its grids were looked at.
    looked_at: usize,
    /// The ones that the search starts from.
    pub(super) pictures: Vec<Hit>,
}

impl<'g> Terms<'g> {
    pub(super) fn new(task: &Task, grammar: &'g Grammar) -> Terms<'g> {
        let inputs = task.demos.iter().map(|d| &d.input).chain(task.tests.iter().map(|t| &t.input));
        let inputs: Vec<Grid> = inputs.cloned().collect();
        let targets: Vec<Grid> = task.demos.iter().map(|d| d.output.clone()).collect();
        let growth = TermGrowth::new(grammar, &inputs, &targets);
        // The first grid is the input.
        Terms { growth, demos: targets.len(), looked_at: 1, pictures: Vec::new() }
    }

    /// Grows as far as the effort says; the cheapest of the new grids are further pictures.
    pub(super) fn further(&mut self, effort: &Effort) -> Vec<StartGrids> {
        self.growth.grow(effort.terms);
        let mut new = self.growth.grids()[self.looked_at..].to_vec();
        self.looked_at += new.len();
        new.sort_by_key(|hit| hit.cost);
        new.truncate(TERM_PICTURES);
        let pictures = new.iter().map(|hit| self.as_picture(*hit)).collect();
        self.pictures.extend(new);
        pictures
    }

    pub(super) fn as_picture(&self, hit: Hit) -> StartGrids {
        let sheets = self.growth.values(hit).map(|g| sheet(g).unwrap_or_default()).collect();
        StartGrids { sheets, cost: TERM_COST + hit.cost / 2 }
    }

    /// The program of a picture.
    pub(super) fn picture(&self, place: usize) -> Option<Program> {
        Some(self.growth.program(*self.pictures.get(place)?, "picture"))
    }

    pub(super) fn fits_all(&self) -> impl Iterator<Item = Hit> {
        self.growth.grids().iter().copied().filter(|hit| hit.fits == self.demos)
    }

    /// The cheapest terms that fit all demos and differ on the tests.
    pub(super) fn answers(&self, name: &str) -> Vec<(Vec<Grid>, Program)> {
        let mut fitting: Vec<Hit> = self.fits_all().collect();
        fitting.sort_by_key(|hit| hit.cost);
        let mut answers: Vec<(Vec<Grid>, Program)> = Vec::new();
        for hit in fitting {
            let outputs: Vec<Grid> = self.growth.values(hit).skip(self.demos).cloned().collect();
            if answers.len() < ANSWERS && answers.iter().all(|(known, _)| *known != outputs) {
                answers.push((outputs, self.growth.program(hit, name)));
            }
        }
        answers
    }
}
