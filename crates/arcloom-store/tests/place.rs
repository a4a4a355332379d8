//! Which file an archive is: names that look like SQLite's own, links, and files that go away.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::{Path, PathBuf};

use arcloom_store::*;
use common::*;

mod common;

#[track_caller]
fn refused<T>(result: Result<T, StoreError>, words: &[&str]) {
    let message = result.map(|_| ()).unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

/// What is in a folder.
fn names(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whoever closes an archive last, reader or writer, takes SQLite's files with it.
#[test]
fn readers_leave_nothing_beside_an_archive() {
    let dir = folder("left_beside");
    let path = dir.join("a.db");
    drop(with_run(&path, 1, 1, 10, 0));
    assert_eq!(names(&dir), ["a.db"]);
    let [one, two] = [0, 1].map(|_| Archive::create_or_open(&path, Access::Read).unwrap());
    drop(one);
    assert_eq!(two.runs().unwrap().len(), 1, "another reader goes on");
    drop(two);
    assert_eq!(names(&dir), ["a.db"]);
    // Beside a writer they stay, and what is written then is there.
    let writer = open(&path);
    drop(Archive::create_or_open(&path, Access::Read).unwrap());
    drop(writer);
    let reader = Archive::create_or_open(&path, Access::Read).unwrap();
    assert_eq!(reader.runs().unwrap().len(), 1);
    drop(reader);
    assert_eq!(names(&dir), ["a.db"]);
}

/// Names that SQLite would take for something else.
const ODD: &[&str] =
    &[":memory:", "file:x.db?mode=memory", "file::memory:", "file:a.db?vfs=none", "a?mode=ro#%41"];

const CHILD: &str = "ARCLOOM_PLACE_CHILD";

/// Relative paths, as they are typed. In a process of its own, which has the folder to itself.
#[test]
fn names_that_look_like_addresses_are_names() {
    if std::env::var_os(CHILD).is_some() {
        for name in ODD {
            drop(with_run(Path::new(name), 1, 1, 10, 0));
            let archive = Archive::create_or_open(name, Access::Read).unwrap();
            assert_eq!(archive.runs().unwrap().len(), 1, "{name}");
            archive.copy_to(Path::new(&format!("file:copy of {name}"))).unwrap();
            drop(archive);
            let mut other = open(Path::new("merged.db"));
            other.merge(Path::new(name)).unwrap();
            other.merge(Path::new(&format!("file:copy of {name}"))).unwrap();
            assert_eq!(other.runs().unwrap().len(), 1, "{name}");
        }
        return;
    }
    let dir = folder("odd_names");
    let this = "names_that_look_like_addresses_are_names";
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", this, "--nocapture"]).env(CHILD, "1").current_dir(&dir);
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut expected: Vec<String> = ODD.iter().map(|name| (*name).to_owned()).collect();
    expected.extend(ODD.iter().map(|name| format!("file:copy of {name}")));
    // Locks and journals go with the writer.
    expected.push("merged.db".to_owned());
    expected.sort_unstable();
    assert_eq!(names(&dir), expected);
}

#[test]
fn what_cannot_be_an_archive_is_refused() {
    let dir = folder("no_archive");
    for access in [Access::Read, Access::Write] {
        let device = if cfg!(unix) { Path::new("/dev/null") } else { dir.as_path() };
        refused(Archive::create_or_open(device, access), &["is not an arcloom archive"]);
    }
    refused(Archive::create_or_open("", Access::Write), &["the path is empty"]);
    let folder = PathBuf::from(format!("{}/new/", dir.display()));
    refused(Archive::create_or_open(&folder, Access::Write), &["there is no such folder"]);
    assert_eq!(names(&dir), Vec::<String>::new());
}

#[test]
fn a_file_called_like_the_lock_is_left_alone() {
    let dir = folder("foreign_lock");
    fs::write(dir.join("Cargo.lock"), "version = 4\n").unwrap();
    let opened = Archive::create_or_open(dir.join("Cargo"), Access::Write);
    refused(opened, &["Cargo.lock", "is not a lock file", "another name"]);
    assert_eq!(fs::read_to_string(dir.join("Cargo.lock")).unwrap(), "version = 4\n");
    assert_eq!(names(&dir), ["Cargo.lock"]);
    // One that an earlier version left is ours.
    fs::write(dir.join("a.db.lock"), "4194304\n").unwrap();
    open(&dir.join("a.db"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_symbolic_link_is_the_archive_it_leads_to() {
        let dir = folder("symbolic");
        let (real, link, chain) = (dir.join("a.db"), dir.join("link.db"), dir.join("chain.db"));
        fs::create_dir(dir.join("folder")).unwrap();
        symlink("a.db", &link).unwrap();
        symlink("../link.db", dir.join("folder/up.db")).unwrap();
        symlink("folder/up.db", &chain).unwrap();
        symlink("folder", dir.join("other")).unwrap();
        let paths = [&real, &link, &chain, &dir.join("other/up.db"), &dir.join("folder/../a.db")];
        // Whoever is first makes the file at the end of the links.
        for first in paths {
            let archive = with_run(first, 1, 1, 10, 0);
            for second in paths {
                refused(Archive::create_or_open(second, Access::Write), &["being written"]);
                let reader = Archive::create_or_open(second, Access::Read).unwrap();
                assert_eq!(reader.counts().unwrap(), archive.counts().unwrap());
                assert_eq!(reader.bytes(), archive.bytes());
            }
            drop(archive);
            let expected = ["a.db", "chain.db", "folder", "link.db", "other"];
            assert_eq!(names(&dir), expected);
            assert_eq!(names(&dir.join("folder")), ["up.db"]);
            fs::remove_file(&real).unwrap();
        }
        let mut archive = open(&link);
        refused(archive.merge(&real), &["the archive itself"]);
    }

    #[test]
    fn of_several_who_make_an_archive_at_once_one_has_it() {
        for round in 0..20 {
            let dir = folder("makers");
            let paths = [dir.join("a.db"), dir.join("link.db")];
            symlink("a.db", &paths[1]).unwrap();
            let start = std::sync::Barrier::new(6);
            let open = |n: usize| {
                start.wait();
                Archive::create_or_open(&paths[n % 2], Access::Write)
            };
            let opened: Vec<_> = std::thread::scope(|scope| {
                let open = &open;
                let makers: Vec<_> = (0..6).map(|n| scope.spawn(move || open(n))).collect();
                makers.into_iter().map(|maker| maker.join().unwrap()).collect()
            });
            assert_eq!(opened.iter().filter(|one| one.is_ok()).count(), 1, "round {round}");
            for one in opened {
                assert!(matches!(one, Ok(_) | Err(StoreError::Locked { .. })), "{one:?}");
            }
        }
    }

    #[test]
    fn links_in_a_circle_are_refused() {
        let dir = folder("circle");
        symlink("b.db", dir.join("a.db")).unwrap();
        symlink("a.db", dir.join("b.db")).unwrap();
        refused(Archive::create_or_open(dir.join("a.db"), Access::Write), &["symbolic links"]);
    }

    #[test]
    fn an_archive_with_two_names_is_read_and_not_written() {
        let dir = folder("hard");
        let (first, second) = (dir.join("a.db"), dir.join("b.db"));
        let archive = with_run(&first, 1, 1, 10, 0);
        fs::hard_link(&first, &second).unwrap();
        for path in [&first, &second] {
            let words = ["hard links", "merge FILE"];
            let opened = Archive::create_or_open(path, Access::Write);
            match path == &first {
                true => refused(opened, &["being written"]),
                false => refused(opened, &words),
            }
        }
        drop(archive);
        let before = fs::read(&first).unwrap();
        for path in [&first, &second] {
            let opened = Archive::create_or_open(path, Access::Write);
            refused(opened, &["has 2 names", "hard links", "merge FILE"]);
            let reader = Archive::create_or_open(path, Access::Read).unwrap();
            assert_eq!(reader.runs().unwrap().len(), 1);
        }
        assert_eq!(fs::read(&first).unwrap(), before);
        // What the message says to do.
        let mut copy = open(&dir.join("copy.db"));
        copy.merge(&second).unwrap();
        assert_eq!(copy.runs().unwrap().len(), 1);
        fs::remove_file(&second).unwrap();
        open(&first);
    }

    #[test]
    fn an_archive_that_is_gone_is_noticed_by_everything_that_writes() {
        let dir = folder("gone");
        let other = dir.join("other.db");
        drop(with_run(&other, 2, 1, 10, 0));
        let delete = |path: &Path| fs::remove_file(path).unwrap();
        let replace = |path: &Path| {
            fs::rename(path, dir.join("moved.db")).unwrap();
            fs::copy(&other, path).unwrap();
        };
        let whole_folder = |path: &Path| fs::remove_dir_all(path.parent().unwrap()).unwrap();
        let ways: [&dyn Fn(&Path); 3] = [&delete, &replace, &whole_folder];
        for (n, way) in ways.into_iter().enumerate() {
            let inside = dir.join(format!("run{n}"));
            fs::create_dir(&inside).unwrap();
            let path = inside.join("a.db");
            let mut archive = with_run(&path, 1, 1, 10, 0);
            let run = archive.runs().unwrap()[0].number;
            way(&path);
            let place = path.display().to_string();
            let words = [place.as_str(), "deleted, moved or replaced"];
            let gone = archive.commit(&generation(run, 1, 10, 0));
            assert!(matches!(gone, Err(StoreError::Gone { .. })), "{gone:?}");
            refused(gone, &words);
            if n == 1 {
                // What took its place is as it was, while the other one is open and after.
                check_replaced(&path);
            }
            refused(archive.remember(&[cached(1, 5)], &[]), &words);
            refused(archive.add(&Records::default()), &words);
            refused(archive.begin_run(&new_run(3, 1)), &words);
            refused(archive.set_run_state(run, RunState::Finished), &words);
            refused(archive.prune(&PruneOptions::default(), None), &words);
            refused(archive.merge(&other), &words);
        }
        check_replaced(&dir.join("run1/a.db"));
        // And what was moved away has everything that was stored.
        let moved = open(&dir.join("moved.db"));
        assert_eq!(moved.runs().unwrap()[0].generations, 1);
        assert_eq!(moved.runs().unwrap()[0].seed, 1);
        assert_eq!(moved.integrity().unwrap(), Vec::<String>::new());
    }

    #[track_caller]
    fn check_replaced(path: &Path) {
        let new = Archive::create_or_open(path, Access::Read).unwrap();
        assert_eq!(new.runs().unwrap()[0].seed, 2);
        assert_eq!(new.integrity().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_archive_that_came_back_is_written_again() {
        let dir = folder("back");
        let (path, away) = (dir.join("a.db"), dir.join("away.db"));
        let mut archive = with_run(&path, 1, 1, 10, 0);
        let run = archive.runs().unwrap()[0].number;
        fs::rename(&path, &away).unwrap();
        refused(archive.commit(&generation(run, 1, 10, 0)), &["moved"]);
        fs::rename(&away, &path).unwrap();
        archive.commit(&generation(run, 1, 10, 0)).unwrap();
    }

    #[test]
    fn names_that_are_no_text_are_names_too() {
        use std::os::unix::ffi::OsStrExt;
        let dir = folder("bytes");
        let name = |text: &[u8]| dir.join(std::ffi::OsStr::from_bytes(text));
        let (path, copy) = (name(b"\xff a.db"), name(b"\xfe b.db"));
        let archive = with_run(&path, 1, 1, 10, 0);
        archive.copy_to(&copy).unwrap();
        let mut other = open(&dir.join("other.db"));
        assert_eq!(other.merge(&path).unwrap().runs, 1);
        assert_eq!(other.merge(&copy).unwrap(), Merged::default());
    }
}
