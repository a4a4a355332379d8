//! The viewer, and the one-file report of an archive: tasks, programs, lineage, runs, merged graphs and the language as web pages.
//!
//! | file | what is in it |
//! |---|---|
//! | `site.rs` `standing.rs` | what is shown: task sets, programs, an archive; how far each task is |
//! | `server.rs` `guard.rs` | connections and their bounds; who may ask |
//! | `routes.rs` `failure.rs` | addresses, and what is said when something is not there |
//! | `look.rs` `png.rs` | palette, cell numbers, light and dark; grids as small pictures |
//! | `events.rs` | tells pages when the archive has changed |
//! | `pages/` | one file per page: site and parameters in, markup out |
//! | `report.rs` | one self-contained page about an archive |
//! | `assets/` | one style sheet and small ES modules, part of the binary |
//!
//! Pages are rendered here; the modules step, edit, listen, pan and zoom. No file is read from a
//! path that a request names, nothing is written unless the viewer was started for that, and no page asks
//! another host for anything.

mod assets;
mod events;
mod failure;
mod guard;
mod live;
mod look;
mod pages;
mod png;
pub mod report;
mod routes;
mod server;
mod site;
mod standing;

pub use server::{ServeError, ServeOptions, Server};
pub use site::{Contents, Site};
