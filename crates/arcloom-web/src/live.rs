//! Programs that are run while a page is made. They end with the request: when its time is up, and when
//! whoever asked has gone.

use std::cell::RefCell;

use arcloom::{Engine, Machine, Stop};

thread_local! {
    /// When the request that this thread answers is to end.
    static REQUEST: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Answers a request on this thread.
pub(crate) fn within<T>(stop: &Stop, work: impl FnOnce() -> T) -> T {
    REQUEST.set(Some(stop.clone()));
    let answer = work();
    REQUEST.set(None);
    answer
}

/// A machine that stops when the request of this thread ends.
pub(crate) fn machine(engine: &Engine) -> Machine {
    let mut machine = engine.machine();
    watch(&mut machine);
    machine
}

/// Stops a machine when the request of this thread ends.
pub(crate) fn watch(machine: &mut Machine) {
    REQUEST.with_borrow(|stop| {
        if let Some(stop) = stop {
            machine.watch(stop);
        }
    });
}

/// True when the request of this thread has ended: what was run may not have come to its end.
pub(crate) fn is_over() -> bool {
    REQUEST.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_due))
}

/// Ends a request when it is dropped.
pub(crate) struct Ends(pub(crate) Stop);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.set();
    }
}
