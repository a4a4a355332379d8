//! Ctrl-C: the first asks the run to stop and report, the second ends the process. Where there is nothing to
//! report the first one ends it.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, Once, PoisonError};

use arcloom::Stop;

/// Exit code of a process that an interrupt ended.
const INTERRUPTED: i32 = 130;
/// What a person at a terminal is told; it takes the place of the live line.
const STOPPING: &str = "\r\x1b[Karcloom: stopping; Ctrl-C again ends at once\n";
const ENDED: &str = "\r\x1b[Karcloom: interrupted; type the command again to start over\n";

/// What the next interrupt sets: a process has one handler, and may do several things after each other.
static CURRENT: Mutex<Option<Arc<Stop>>> = Mutex::new(None);

/// Sets `stop` when the user interrupts, or when the system asks the process to end.
pub(crate) fn sets(stop: &Arc<Stop>) {
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
    handle();
}

/// Leaves a clean line behind when the user interrupts something that cannot be stopped half-way.
pub(crate) fn handle() {
    static HANDLER: Once = Once::new();
    // Without a handler an interrupt just ends the process, as it does everywhere else.
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match current.filter(|stop| !stop.is_set()) {
                Some(stop) => {
                    stop.set();
                    tell(STOPPING);
                }
                None => {
                    tell(ENDED);
                    std::process::exit(INTERRUPTED);
                }
            }
        });
    });
}

fn tell(text: &str) {
    let mut error = io::stderr();
    if error.is_terminal() {
        let _ = error.write_all(text.as_bytes());
    }
}
