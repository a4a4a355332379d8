//! Ctrl-C: the first asks the run to stop and report, the second ends the process.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use arcloom::Stop;

/// Exit code of a process that an interrupt ended.
const INTERRUPTED: i32 = 130;
/// What a person at a terminal is told at once; what came of it is said at the end.
const STOPPING: &str = "\r\x1b[Karcloom: stopping; Ctrl-C again ends at once\n";

/// Sets `stop` when the user interrupts, or when the system asks the process to end.
pub(crate) fn sets(stop: &Arc<Stop>) {
    let stop = stop.clone();
    // Without a handler an interrupt just ends the process, as it does everywhere else.
    let _ = ctrlc::set_handler(move || {
        if stop.is_set() {
            std::process::exit(INTERRUPTED);
        }
        stop.set();
        let mut error = io::stderr();
        if error.is_terminal() {
            let _ = error.write_all(STOPPING.as_bytes());
        }
    });
}
