//! Task files of others, in any of their forms: parsing ends, and a task that is read has its identity.

use arcloom::corpus::{GridLimits, parse_tasks};

pub(crate) fn run(data: &[u8]) {
    for limits in [GridLimits::ARC, GridLimits::SIXTEEN] {
        let Ok(set) = parse_tasks(data, "fuzz.json", &limits) else { continue };
        for task in &set.tasks {
            assert!(!task.demos.is_empty());
            let _ = (task.visible_id(), task.content_id());
            let view = arcloom::TaskView::new(task);
            assert_eq!(view.demo_count(), task.demos.len());
        }
    }
}
