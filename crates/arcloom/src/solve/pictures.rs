//! The pictures of a task: grids besides its inputs that chains of steps may start from, and their programs.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_lang::Program;
use arcloom_search::picture::{PictureId, StartGrids};
use arcloom_value::Grid;

/// The table of a task's pictures.
pub(super) struct Pictures<'a> {
    /// Inputs that are looked at: of the demos, then of tests.
    inputs: usize,
    all: Vec<(StartGrids, Source<'a>)>,
}

/// Writes the program of a picture, which only those need that an answer starts from.
type Source<'a> = Box<dyn Fn() -> Program + 'a>;

impl<'a> Pictures<'a> {
    /// None yet; so many of the sheets of each are kept.
    pub(super) fn new(inputs: usize) -> Pictures<'a> {
        Pictures { inputs, all: Vec::new() }
    }

    /// Adds grids, one for each demo and then one for each test, that cost so much to start from. One that is no
    /// sheet has nothing on it.
    pub(super) fn add<'g>(
        &mut self,
        grids: impl IntoIterator<Item = &'g Grid>,
        cost: u16,
        program: impl Fn() -> Program + 'a,
    ) {
        let id = PictureId::new(self.all.len());
        let grids = grids.into_iter().take(self.inputs);
        let sheets = grids.map(|grid| sheet(grid).unwrap_or_default()).collect();
        self.all.push((StartGrids { id, sheets, cost }, Box::new(program)));
    }

    /// Those that are new since there were so many.
    pub(super) fn since(&self, count: usize) -> Vec<StartGrids> {
        self.all.iter().skip(count).map(|(grids, _)| grids.clone()).collect()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The program of a picture.
    pub(super) fn program(&self, id: PictureId) -> Option<Program> {
        self.all.get(id.number()).map(|(_, source)| source())
    }
}

/// A grid as a sheet; `None` when it has other colours than 0 to 9 or is too large.
pub(super) fn sheet(grid: &Grid) -> Option<Sheet> {
    let cells: Option<Vec<u8>> =
        grid.cells().iter().map(|&c| u8::try_from(c).ok().filter(|c| *c < 10)).collect();
    Sheet::new(grid.height(), grid.width(), cells?)
}

/// A sheet as a grid.
pub(super) fn grid(sheet: &Sheet) -> Option<Grid> {
    let cells: Vec<i8> = sheet.cells().iter().map(|&c| c as i8).collect();
    Grid::new(sheet.height(), sheet.width(), &cells)
}
