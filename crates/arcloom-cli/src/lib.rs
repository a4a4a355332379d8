//! The command `arcloom`, as a library: the binary and the Python package both start it.
//!
//! | file | what is in it |
//! |---|---|
//! | `args.rs` | the command line as plain data |
//! | `config.rs` | settings from a file, below what was typed |
//! | `usage.rs` | wrong command lines as one line |
//! | `session.rs` | streams, colours, width and data folder of one run |
//! | `locate.rs` | tasks and programs by what people type: the one grammar of all commands |
//! | `output.rs` | what a command writes, checked before anything is read |
//! | `bench.rs` | the same work in several ways, compared and timed |
//! | `commands/` | one file per command: arguments and session in, exit code out |
//! | `table.rs` `paint.rs` `progress.rs` `clock.rs` | columns, emphasis, waiting, time |
//! | `file.rs` `figure.rs` `submission.rs` | writing files, drawings and submissions |
//!
//! Exit codes: 0 done, 1 ran and not all was right, 2 could not run. Whatever keeps a command from
//! running is one line on standard error. Nothing is read before the command line is understood and
//! it is clear that what it names can be written.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

mod args;
mod bench;
mod clock;
mod commands;
mod config;
mod device;
mod figure;
mod file;
mod interrupt;
mod locate;
mod output;
mod paint;
mod progress;
mod session;
mod submission;
mod table;
mod timing;
mod usage;

use args::Args;
use session::Session;

/// Exit code of a command that ran and found something not right.
const NOT_RIGHT: u8 = 1;
/// Exit code of a command that could not run.
const NOT_RUN: u8 = 2;

/// Runs the command with these words, the first being its own name; the number is its exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let code = run_words(words.into_iter().collect());
    // `ExitCode` has no way back to the number it was made of.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(NOT_RUN)
}

fn run_words(words: Vec<OsString>) -> ExitCode {
    // A panic is a bug of ours: one line that can be reported, whatever thread it happens on.
    std::panic::set_hook(Box::new(|info| {
        if arcloom::gpu::cuda::catches_panics() {
            return;
        }
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
        complain(&format!(
            "internal error{}: {}; please report it with the command you typed",
            place.unwrap_or_default(),
            paint::visible(info.payload_as_str().unwrap_or("no message"))
        ));
    }));
    let args = match config::parse(&words) {
        Ok(args) => args,
        Err(config::Wrong::Typed(error)) => return usage::report(&error, &words),
        Err(config::Wrong::File(error)) => return finish(&error),
    };
    std::panic::catch_unwind(|| run_command(&args)).unwrap_or(ExitCode::from(NOT_RUN))
}

fn run_command(args: &Args) -> ExitCode {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut session = Session::open(&args.global, &mut out);
    if let Some(path) = args.global.config.as_ref().filter(|_| args.global.picked_up) {
        let path = path.to_string_lossy();
        session
            .note(&format!("settings of {path} in the working folder; --no-config ignores them"));
    }
    let result = commands::run(args, &mut session)
        .and_then(|code| out.flush().map(|()| code).map_err(anyhow::Error::from));
    match result {
        Ok(code) => code,
        Err(error) => finish(&error),
    }
}

/// Only writing to standard output fails with a bare `io::Error`; every other error says its place.
fn finish(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<io::Error>() {
        // The reader has seen enough, as `head` does.
        Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Some(cause) => {
            complain(&format!("cannot write the output ({cause}); check where it is sent to"));
            ExitCode::from(NOT_RUN)
        }
        None => {
            complain(&paint::visible(&format!("{error:#}")));
            ExitCode::from(NOT_RUN)
        }
    }
}

/// One line on standard error. Nobody is left to tell when that fails too.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "arcloom: {message}");
}
