//! JSON lines of others: reading them ends, and what is read can be stored, written and read again.

use arcloom::archive::{Archive, Filter, lines};

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (mut records, _) = lines::read("lines", text, 1);
    if records.programs.is_empty() {
        return;
    }
    let mut archive = Archive::in_memory().expect("memory for an archive");
    lines::drop_unknown_parents(&archive, &mut records).expect("a new archive can be read");
    if archive.add(&records).is_err() {
        return;
    }
    let stored = archive.programs(&Filter::default()).expect("what was stored");
    let written = lines::write(&archive, &stored).expect("what was stored");
    let (again, errors) = lines::read("again", &written, 1);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(again.programs.len(), stored.len());
}
