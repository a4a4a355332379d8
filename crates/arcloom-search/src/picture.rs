//! What chains of steps start from: the input, or a picture that something outside of the search made of it.

use arcloom_dsl::kernel::sheet::Sheet;

/// Which picture. Whoever keeps the pictures of a task gives the ids and knows the programs behind them; the
/// search hands them on and looks at nothing but the grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PictureId(u32);

impl PictureId {
    /// The id of the picture with this number in a table.
    pub fn new(number: usize) -> PictureId {
        PictureId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// That number.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for PictureId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What a chain starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// The input itself.
    #[default]
    Input,
    /// A picture of it.
    Picture(PictureId),
}

impl Start {
    /// The picture, where it is one.
    pub fn picture(self) -> Option<PictureId> {
        match self {
            Start::Input => None,
            Start::Picture(id) => Some(id),
        }
    }
}

/// A picture that something outside of the search made of every input.
#[derive(Clone, Debug)]
pub struct StartGrids {
    /// Which one.
    pub id: PictureId,
    /// One for each demo, then one for each test.
    pub sheets: Vec<Sheet>,
    /// What it costs to start from it.
    pub cost: u16,
}
