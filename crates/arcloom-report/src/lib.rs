//! One page about an archive, in one file that needs nothing else: no network, no script, no font.
//!
//! | file | what it does |
//! |---|---|
//! | `gather.rs` | reads the archive and runs the best program of each task once more |
//! | `page.rs` | the page: summary, curves, operators, map of tasks |
//! | `task.rs` | a solved task with its program, an unsolved one with its nearest miss |
//! | `style.css` | how it looks: light and dark, on a phone, in print |
//!
//! This is reporting code: the answers of tests are read here, to say which predictions are right, and
//! go nowhere else. The page depends on the archive and the tasks alone, so making it again gives the
//! same bytes.

use arcloom::archive::{Archive, StoreError};
use arcloom::draw::Palette;
use arcloom::{Engine, TaskSet};

mod gather;
mod page;
mod task;

/// What the page may take.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Colours of cells.
    pub palette: Palette,
    /// Bytes after which tasks are listed without pictures and programs.
    pub most_bytes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { palette: Palette::default(), most_bytes: 4_500_000 }
    }
}

/// The page, and what it tells in figures.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub html: String,
    /// Tasks the archive has results on.
    pub tasks: usize,
    /// Those with a program that is right on all demos.
    pub solved: usize,
    /// Those whose best program is right on all tests, of those whose answers are known.
    pub right: (usize, usize),
    /// Tasks without pictures because their grids are in none of the sets.
    pub missing: usize,
    /// Tasks without pictures because the page was full.
    pub short: usize,
}

/// Makes the page about an archive; the grids of its tasks are looked for in `sets`, by content.
pub fn report(
    engine: &Engine,
    archive: &Archive,
    sets: &[TaskSet],
    options: &Options,
) -> Result<Report, StoreError> {
    let story = gather::gather(engine, archive, sets)?;
    let (html, short) = page::page(&story, options);
    let known = story.tasks.iter().filter_map(|task| task.right());
    Ok(Report {
        tasks: story.tasks.len(),
        solved: story.tasks.iter().filter(|task| task.is_solved()).count(),
        right: (known.clone().filter(|right| *right).count(), known.count()),
        missing: story.tasks.iter().filter(|task| task.task.is_none()).count(),
        html,
        short,
    })
}
