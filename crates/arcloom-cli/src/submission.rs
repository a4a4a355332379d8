//! A submission's file: room for it before the work begins, its content at the end.

use std::path::Path;

use anyhow::Result;
use arcloom::TaskSet;
use arcloom::corpus::Submission;

use crate::file::{self, Room};
use crate::session::Session;

/// Bytes that are kept free for each test: two attempts of 30 x 30 cells.
const PER_TEST: usize = 6 << 10;

/// A submission that is yet to be written.
pub(crate) struct Pending<'a> {
    path: &'a Path,
    room: Room,
}

impl<'a> Pending<'a> {
    /// Keeps room for the answers to these tasks, which an archive on the same disk then does not take.
    pub(crate) fn new(path: &'a Path, tasks: &TaskSet) -> Result<Pending<'a>> {
        let tests: usize = tasks.tasks.iter().map(|task| task.tests.len()).sum();
        Ok(Pending { path, room: file::hold_room(path, tests * PER_TEST)? })
    }

    /// Writes it, to standard output when its file cannot be written any more: it may be all that there is
    /// of a long run.
    pub(crate) fn write(self, submission: &Submission, session: &mut Session<'_>) -> Result<()> {
        let text = submission.to_json();
        drop(self.room);
        file::write_or_print(self.path, text.as_bytes(), session.out).or_else(|error| {
            if file::is_stdout(self.path) {
                return Err(error);
            }
            session.out.write_all(text.as_bytes())?;
            session.out.flush()?;
            Err(error.context("the submission is on standard output, its file was not written"))
        })
    }
}
