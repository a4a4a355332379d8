//! A sound archive with bytes changed, cut out and put in: opening and reading it ends, with an answer or an
//! error.

use std::path::PathBuf;
use std::sync::OnceLock;

use arcloom::archive::{Access, Archive, Filter, PageQuery};

/// A sound archive of the programs that are built in.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let path = path("sound");
        let catalog = arcloom::Catalog::open(None);
        let names = ["library:embedded".to_owned()];
        let mut library =
            arcloom::Library::load(&catalog, &names, &mut std::io::empty()).expect("it is built in");
        library.programs.truncate(4);
        let tasks = catalog.resolve_tasks("embedded").expect("they are built in");
        let engine = arcloom::Engine::builder().threads(1).build().expect("an engine");
        let records = engine.archive_records(&library, Some(&tasks), 1);
        let mut archive = Archive::create_or_open(&path, Access::Write).expect("a new archive");
        archive.add(&records).expect("room for it");
        archive.compact().expect("room for it");
        drop(archive);
        std::fs::read(path).expect("it was just written")
    })
}

fn path(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("arcloom-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for archives");
    let path = dir.join(format!("{name}.db"));
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(dir.join(format!("{name}.db{end}")));
    }
    path
}

/// Each six bytes are a change: where, what kind, how long, and a byte.
fn changed(mut bytes: Vec<u8>, data: &[u8]) -> Vec<u8> {
    for change in data.chunks_exact(6) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % bytes.len().max(1);
        let to = (at + usize::from(change[4])).min(bytes.len());
        match change[3] % 4 {
            0 => _ = bytes.get_mut(at).map(|byte| *byte = change[5]),
            1 => bytes.truncate(at.max(512)),
            2 => bytes[at..to].fill(change[5]),
            _ => bytes[at..to].reverse(),
        }
    }
    bytes
}

pub(crate) fn run(data: &[u8]) {
    let bytes = match data.split_first() {
        Some((0, rest)) => rest.to_vec(),
        Some((_, rest)) => changed(sound().to_vec(), rest),
        None => return,
    };
    let path = path("changed");
    std::fs::write(&path, bytes).expect("room for an archive");
    let Ok(archive) = Archive::create_or_open(&path, Access::Read) else { return };
    let _ = archive.integrity();
    let _ = archive.audit();
    let _ = archive.counts();
    let _ = archive.standings();
    let _ = archive.task_results();
    let _ = archive.page(&PageQuery { limit: 10, ..PageQuery::default() });
    for program in archive.programs(&Filter::default()).unwrap_or_default() {
        let _ = program.program();
        let _ = (archive.results(program.id), archive.scores(program.id));
        let _ = archive.ancestors(program.id, 10);
    }
    for run in archive.runs().unwrap_or_default() {
        let _ = (archive.generations(run.number), archive.populations(run.number));
    }
}
