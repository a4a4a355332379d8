//! Streams, colours, width and data folder of one run.
//!
//! This is the only file that looks at the environment.

use std::env;
use std::io::{self, IsTerminal, Write};

use arcloom::Catalog;
use arcloom::draw::{self, ColorMode, TextOptions};

use crate::args::GlobalArgs;
use crate::paint::{Paint, visible};
use crate::progress::{ErrorStream, Live, Progress};

/// Columns of text that does not go to a terminal.
const FILE_WIDTH: usize = 100;
/// Columns of a terminal that does not say how many it has.
const TERMINAL_WIDTH: usize = 80;

/// What commands share.
pub(crate) struct Session<'a> {
    /// Results go here. An error of its own is returned as it is; see `main.rs`.
    pub(crate) out: &'a mut dyn Write,
    /// Emphasis of results.
    pub(crate) paint: Paint,
    /// How grids are drawn.
    pub(crate) text: TextOptions,
    /// Columns of the terminal; `None` where lines should not be cut.
    pub(crate) columns: Option<usize>,
    /// Names of task sets and libraries.
    pub(crate) catalog: Catalog,
    voice: Voice,
    stream: ErrorStream,
}

/// What is said on standard error, from any thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Voice(Paint);

impl<'a> Session<'a> {
    pub(crate) fn open(args: &GlobalArgs, out: &'a mut dyn Write) -> Session<'a> {
        let var = |key: &str| env::var(key).ok();
        let mode = |is_terminal: bool| -> ColorMode {
            draw::detect(
                is_terminal,
                var("NO_COLOR").as_deref(),
                var("COLORTERM").as_deref(),
                var("TERM").as_deref(),
                args.color.into(),
            )
        };
        let terminal = io::stdout().is_terminal();
        let columns = terminal.then(terminal_width).flatten();
        let width = columns.unwrap_or(FILE_WIDTH);
        let err_is_terminal = io::stderr().is_terminal();
        let stream = match err_is_terminal {
            true => ErrorStream::Terminal(terminal_width().unwrap_or(TERMINAL_WIDTH)),
            false => ErrorStream::Elsewhere,
        };
        Session {
            out,
            paint: Paint { mode: mode(terminal) },
            text: TextOptions { mode: mode(terminal), palette: args.palette, width },
            columns,
            catalog: Catalog::open(args.data_dir.clone()),
            voice: Voice(Paint { mode: mode(err_is_terminal) }),
            stream,
        }
    }

    /// For messages while the session is in use.
    pub(crate) fn voice(&self) -> Voice {
        self.voice
    }

    /// A line about something wrong with the input, on standard error.
    pub(crate) fn complain(&self, message: &str) {
        self.voice.say("", message);
    }

    /// A line about something that is likely a mistake.
    pub(crate) fn warn(&self, message: &str) {
        self.voice.warn(message);
    }

    /// A line worth knowing.
    pub(crate) fn note(&self, message: &str) {
        self.voice.say("note: ", message);
    }

    /// A progress display for `total` steps of work.
    pub(crate) fn progress(&self, label: &'static str, total: usize, quiet: bool) -> Progress {
        Progress::new(label, total, quiet, self.stream)
    }

    /// A line of text while something without a known end goes on.
    pub(crate) fn live(&self, text: &str) -> Live {
        Live::new(self.stream, text)
    }
}

impl Voice {
    /// A line about something that is likely a mistake.
    pub(crate) fn warn(self, message: &str) {
        self.say("warning: ", message);
    }

    fn say(self, kind: &str, message: &str) {
        let head = self.0.bold("arcloom:");
        // Nobody is left to tell when standard error does not take it.
        let _ = writeln!(io::stderr(), "{head} {kind}{}", visible(message));
    }
}

/// How this command is called: the crate's own name in the environment means that cargo started it.
pub(crate) fn own_name() -> &'static str {
    match env::var("CARGO_PKG_NAME") {
        Ok(name) if name == env!("CARGO_PKG_NAME") => "cargo run --release --",
        _ => "arcloom",
    }
}

fn terminal_width() -> Option<usize> {
    let asked = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = asked.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()));
    width.map(|width: usize| width.max(20))
}
