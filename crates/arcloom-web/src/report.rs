//! One page about an archive, in one file that needs nothing else: no network, no script, no font.
//!
//! | file | what it does |
//! |---|---|
//! | `gather.rs` | reads the archive and runs the best program of each task once more |
//! | `page.rs` | the page: summary, curves, operators, map of tasks |
//! | `task.rs` | a solved task with its program, an unsolved one with its nearest miss |
//! | `style.css` | how it looks: light and dark, on a phone, in print |
//!
//! This is reporting code: the answers of tests are read here, to say which predictions are right, and
//! go nowhere else. The page depends on the archive and the tasks alone, so making it again gives the
//! same bytes.

use arcloom::archive::{Archive, StoreError};
use arcloom::draw::Palette;
use arcloom::{Engine, TaskSet};

mod gather;
mod page;
mod task;

/// What the page may take.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions {
    /// Colours of cells.
    pub palette: Palette,
    /// Bytes after which tasks are listed without pictures and programs.
    pub most_bytes: usize,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions { palette: Palette::default(), most_bytes: 4_500_000 }
    }
}

/// The page, and what it tells in figures.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub html: String,
    /// Tasks the archive has results on.
    pub tasks: usize,
    /// Those of which all demos fit.
    pub fits: usize,
    /// Those of which all tests are right, of those of which that is known.
    pub right: (usize, usize),
    /// Tasks without pictures because their grids are in none of the sets.
    pub missing: usize,
    /// Tasks without pictures because the page was full.
    pub short: usize,
}

/// Makes the page about an archive; the grids of its tasks are looked for in `sets`, by content.
pub fn report(
    engine: &Engine,
    archive: &Archive,
    sets: &[TaskSet],
    options: &ReportOptions,
) -> Result<Report, StoreError> {
    let story = gather::gather(engine, archive, sets)?;
    let (html, short) = page::page(&story, options);
    let counts = story.standings();
    Ok(Report {
        tasks: story.tasks.len(),
        fits: counts.fits,
        right: (counts.right, counts.tasks - counts.unknown),
        missing: story.tasks.iter().filter(|task| task.task.is_none()).count(),
        html,
        short,
    })
}

#[cfg(test)]
mod tests {
    use arcloom::archive::Access;
    use arcloom::evolve::{EvolveConfig, EvolveRequest};
    use arcloom::{Catalog, Library, Stop};

    use super::*;

    /// An archive of a short run on the built-in tasks, from a few of the built-in programs.
    fn with_archive(name: &str, check: impl FnOnce(&Engine, &Archive, &TaskSet)) {
        let folder = std::env::temp_dir().join(format!("arcloom-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let catalog = Catalog::open(None);
        let library =
            Library::load(&catalog, &["library:embedded".to_owned()], &mut std::io::empty())
                .unwrap();
        let tasks = catalog.resolve_tasks("embedded").unwrap();
        let engine = Engine::builder().threads(1).build().unwrap();
        let mut archive =
            Archive::create_or_open(folder.join("<run> & 1.db"), Access::Write).unwrap();
        let config = EvolveConfig {
            generations: Some(2),
            children: 8,
            stop_when_solved: false,
            ..EvolveConfig::default()
        };
        let programs = &library.programs[..12];
        let stop = Stop::at(None);
        let request = EvolveRequest::new(programs, &tasks, &config);
        engine.evolve(&request, &mut archive, &stop, &mut |_| {}).unwrap();
        check(&engine, &archive, &tasks);
        drop(archive);
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Tags of the page balance, apart from those that HTML leaves open.
    #[track_caller]
    fn check_html(html: &str) {
        let mut open: Vec<&str> = Vec::new();
        let style = html.find("<style>").unwrap()..html.find("</style>").unwrap();
        let html = format!("{}{}", &html[..style.start], &html[style.end + 8..]);
        for part in html.split('<').skip(2) {
            let (tag, _) = part.split_once('>').expect("an unclosed tag");
            let name = tag.split([' ', '/']).next().unwrap();
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "unbalanced"),
                None if tag.ends_with('/') || name == "meta" => {}
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn the_page_stands_alone_and_tells_all_tasks() {
        with_archive("page", |engine, archive, tasks| {
            let sets = std::slice::from_ref(tasks);
            let report = report(engine, archive, sets, &ReportOptions::default()).unwrap();
            check_html(&report.html);
            assert_eq!((report.tasks, report.missing, report.short), (tasks.tasks.len(), 0, 0));
            assert!(report.fits >= 12 && report.right.0 >= 12, "{}", report.fits);
            let html = &report.html;
            assert_eq!(html.matches("<article").count(), tasks.tasks.len());
            assert!(html.contains("&lt;run&gt; &amp; 1.db"), "names are escaped");
            // Nothing is fetched and nothing runs.
            for word in ["<script", "<link", "<img", "<iframe", "@import", "url(", "src="] {
                assert!(!html.contains(word), "{word}");
            }
            for at in html.match_indices("http").map(|(at, _)| at) {
                let namespace = html[at..].starts_with("http://www.w3.org/2000/svg\"");
                assert!(namespace || html[..at].ends_with("<a href=\""), "{}", &html[at..at + 40]);
            }
            let again = super::report(engine, archive, sets, &ReportOptions::default()).unwrap();
            assert_eq!(report.html, again.html);
        });
    }

    #[test]
    fn a_full_page_lists_tasks_without_pictures() {
        with_archive("full", |engine, archive, tasks| {
            let options = ReportOptions { most_bytes: 60_000, ..ReportOptions::default() };
            let small = report(engine, archive, std::slice::from_ref(tasks), &options).unwrap();
            check_html(&small.html);
            assert!(small.short > 0 && small.html.len() < 90_000, "{}", small.html.len());
            assert_eq!(small.html.matches("<article").count(), tasks.tasks.len());
            // Without the tasks there are programs, and no pictures.
            let blind = report(engine, archive, &[], &ReportOptions::default()).unwrap();
            check_html(&blind.html);
            assert_eq!((blind.missing, blind.right), (blind.tasks, (0, 0)));
            assert!(!blind.html.contains("svg class=\"t\""));
        });
    }
}
