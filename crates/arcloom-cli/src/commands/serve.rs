//! `arcloom serve`: the viewer.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use arcloom::archive::{Access, Archive};
use arcloom::{CorpusError, Engine, Library, Stop, TaskSet};
use arcloom_web::{Contents, ServeOptions, Server, Site};

use crate::args::serve::ServeArgs;
use crate::paint::{count, visible};
use crate::session::Session;
use crate::{interrupt, locate};

/// The archive that `evolve` makes when nobody says otherwise.
const ARCHIVE: &str = "archive.db";
/// What is shown when nobody says what; what was not fetched is passed over.
const LIBRARIES: &[&str] = &["library:embedded", "library:arc-dsl", "library:rearc"];

pub(crate) fn run(args: &ServeArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let sets = sets(args, session)?;
    let library = library(args, session)?;
    let (mut archives, mut page) = (Vec::new(), String::new());
    for spec in &args.archives {
        let (path, program) = locate::split_archive(spec);
        // Refused before anything is opened.
        if let Some(id) = program {
            let record = Archive::create_or_open(path, Access::Read)?.find_program(id)?;
            page = format!("program/{}", record.id);
        }
        archives.push(PathBuf::from(path));
    }
    if archives.is_empty() {
        let usual = PathBuf::from(ARCHIVE);
        archives.extend(usual.exists().then_some(usual));
    }
    for path in archives.iter().filter(|path| !path.exists()) {
        session.note(&format!(
            "there is no archive {} yet; it is shown when there is",
            path.display()
        ));
    }
    let tasks: usize = sets.iter().map(|set| set.tasks.len()).sum();
    let what = format!(
        "{}, {}{}",
        count(tasks, "task"),
        count(library.programs.len(), "program"),
        archives.iter().map(|path| format!(", archive {}", name(path))).collect::<String>()
    );
    if args.writable && archives.is_empty() {
        anyhow::bail!("--writable needs an archive; type `arcloom serve --writable archive.db`");
    }
    let engine = Engine::builder().build()?;
    let palette = session.text.palette;
    let mut archives = archives.into_iter();
    let (archive, others) = (archives.next(), archives.collect());
    let (library, writable) = (library.programs, args.writable);
    let contents = Contents { sets, library, archive, others, writable, engine, palette };
    let site = Site::new(contents);
    let options = ServeOptions { host: args.host, port: args.port, token: args.token.clone() };
    let server = Server::bind(site, &options)?;
    let stop = Arc::new(Stop::default());
    interrupt::sets(&stop);
    let url = with_page(&server.url(), &page);
    writeln!(session.out, "{} at {}", what, session.paint.bold(&url))?;
    session.out.flush()?;
    if !args.no_open && !open(&url) {
        session.note("no browser could be started; open the address above");
    }
    server.run(&stop)?;
    Ok(ExitCode::SUCCESS)
}

fn name(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

fn sets(args: &ServeArgs, session: &Session<'_>) -> Result<Vec<TaskSet>> {
    if !args.tasks.tasks.is_empty() {
        let load = |spec: &String| {
            locate::tasks(&session.catalog, std::slice::from_ref(spec), locate::Reading::Strict)
        };
        return args.tasks.tasks.iter().map(load).collect();
    }
    let usual = locate::USUAL.iter().map(|set| session.catalog.resolve_tasks(set));
    usual.filter_map(fetched).collect()
}

fn library(args: &ServeArgs, session: &Session<'_>) -> Result<Library> {
    if !args.programs.is_empty() {
        return locate::programs(session, &args.programs, false);
    }
    let mut library = Library::default();
    for spec in LIBRARIES {
        let loaded = Library::load(&session.catalog, &[(*spec).to_owned()], &mut std::io::empty());
        // A name that nobody registered is no mistake here.
        let unknown = matches!(loaded, Err(CorpusError::UnknownName { .. }));
        if let Some(loaded) = fetched(loaded).filter(|_| !unknown) {
            let loaded = loaded.with_context(|| format!("load {spec}"))?;
            locate::report(session, &loaded, false);
            library.programs.extend(loaded.programs);
        }
    }
    Ok(library)
}

/// What is there; `None` for what was not fetched.
fn fetched<T>(found: Result<T, CorpusError>) -> Option<Result<T>> {
    match found {
        Err(CorpusError::NotPulled { .. } | CorpusError::NoDataDir) => None,
        found => Some(found.map_err(anyhow::Error::from)),
    }
}

/// The address of a page, before the token that an address may end in.
fn with_page(url: &str, page: &str) -> String {
    match url.split_once('?') {
        Some((base, token)) => format!("{base}{page}?{token}"),
        None => format!("{url}{page}"),
    }
}

/// Asks the system to show an address; true when there was someone to ask.
fn open(url: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
