//! Saving an edited program into the archive, where the viewer was started for that.

use std::time::{SystemTime, UNIX_EPOCH};

use arcloom::archive::{Access, Archive, ProgramRecord, StoreError};
use arcloom::{Library, TaskSet, function_name};
use maud::{Markup, html};

use super::{program_url, short, trace};
use crate::failure::Failure;
use crate::look::Look;
use crate::routes::Params;
use crate::site::Site;

/// What the archive says of where such a program is from.
const SOURCE: &str = "viewer";

/// Stores the program of a text with its result on a task, and gives a link to it.
pub(crate) fn answer(site: &Site, _: &Look, params: &Params) -> Result<Markup, Failure> {
    let store = site.store.as_ref().filter(|_| site.writable);
    let store = store.ok_or_else(|| {
        Failure::Refused("Nothing is saved here. Start with `arcloom serve --writable`.".to_owned())
    })?;
    let mut entry = trace::read(params.text("text"))
        .map_err(|error| Failure::Wrong(trace::readable(&error)))?;
    let at = params.get("task").and_then(|id| site.find_task(id, params.get("set")));
    entry.file = SOURCE.to_owned();
    let task = at.map(|at| site.task(at));
    if let Some(task) = task {
        entry.task.clone_from(&task.id);
        entry.program.name = function_name(&task.id);
    }
    let id = entry.program.id();
    let set = at.map_or("", |at| site.sets[at.0].name.as_str());
    let tasks = task.map(|task| TaskSet::new(set.to_owned(), vec![task.clone()]));
    let library = Library { programs: vec![entry], ..Library::default() };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    let records = site.engine.archive_records(&library, tasks.as_ref(), now);
    debug_assert!(records.programs.iter().all(|program: &ProgramRecord| program.id == id));
    let added = Archive::create_or_open(store.path(), Access::Write)
        .and_then(|mut archive| archive.add(&records));
    match added {
        Err(error @ StoreError::Locked { .. }) => Err(Failure::Refused(format!(
            "Another process writes to the archive; save again when it is done ({error})."
        ))),
        Err(error) => Err(error.into()),
        Ok(added) => Ok(html! {
            p.saved {
                @if added.programs > 0 { "Saved as " } @else { "The archive has it already: " }
                a href=(program_url(id, task.map_or("", |task| &task.id), set)) { code { (short(id)) } }
            }
        }),
    }
}
