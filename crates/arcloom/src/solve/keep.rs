//! What was found on a task, in the archive as soon as it is found.
//!
//! An archive that cannot be written any more is said once, and the run goes on without it.
//!
//! A run that is killed or stopped loses the tasks it was at: with the same programs, options and archive
//! the next one takes what is there and goes on with the rest. Whether an answer is right is not kept; it
//! is judged again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arcloom_graph::Limits;
use arcloom_store::{CacheRecord, Records, RunNumber, StoreError};
use arcloom_tasks::Task;
use arcloom_value::Grid;
use serde_json::{Value as Json, json};

use super::report::KnownStats;
use super::{Ingredient, Proposal, SolveOptions, SolveTask, record};
use crate::archive::{Storage, task_record};
use crate::engine::Engine;
use crate::library::Entry;

/// Changed when the same task, programs, options and tables lead to something else.
const SEARCH: u32 = 5;

/// The archive as all threads see it.
pub(super) struct Keeper<'a> {
    state: Mutex<State<'a>>,
    /// What all keys begin with.
    prefix: blake3::Hasher,
    /// The same whatever the programs are.
    any_programs: blake3::Hasher,
    /// Whether answers of runs with other programs are taken.
    reuse: bool,
    /// The run, and where its tasks are from.
    run: Option<(RunNumber, &'a Engine, &'a str)>,
}

struct State<'a> {
    /// Gone once something went wrong.
    storage: Option<Storage<'a>>,
    gave_up: bool,
    /// What was found there.
    known: KnownStats,
    /// What went wrong, unless somebody was told.
    error: Option<StoreError>,
}

impl State<'_> {
    fn give_up(&mut self, error: StoreError) {
        self.gave_up = true;
        self.error = self.storage.take().and_then(|storage| storage.give_up(error).err());
    }
}

impl<'a> Keeper<'a> {
    /// For tasks that are solved with these programs, limits and options; `withheld` is
    /// the fold that tables know nothing of.
    pub(super) fn new<'e>(
        storage: Option<Storage<'a>>,
        programs: impl Iterator<Item = &'e Entry>,
        limits: Limits,
        withheld: Option<u8>,
        options: &SolveOptions,
    ) -> Keeper<'a> {
        let mut prefix = blake3::Hasher::new();
        prefix.update(b"arcloom solve\0").update(&SEARCH.to_le_bytes());
        crate::cache::add_language(&mut prefix);
        prefix.update(arcloom_search::costs::TABLE.as_bytes());
        // Whose answers are taken is no part of what they are.
        let key = SolveOptions { reuse: false, ..options.clone() };
        prefix.update(format!("{limits:?} {withheld:?} {key:?}").as_bytes());
        let mut any_programs = prefix.clone();
        any_programs.update(b"\0any programs\0");
        for entry in programs {
            prefix.update(&entry.program.id().0);
        }
        Keeper {
            state: Mutex::new(State {
                storage,
                gave_up: false,
                known: KnownStats::default(),
                error: None,
            }),
            prefix,
            any_programs,
            reuse: options.reuse,
            run: None,
        }
    }

    /// Notes what is found as that of a run, as soon as it is found.
    pub(super) fn noting(self, run: Option<(RunNumber, &'a Engine, &'a str)>) -> Keeper<'a> {
        Keeper { run, ..self }
    }

    /// What a run has for a task, for an archive.
    fn noted(&self, task: &Task, found: &SolveTask, seconds: f64) -> Option<Records> {
        let (run, engine, set) = self.run?;
        let run_tasks = vec![record::run_task(engine, run, task, found, Some(seconds))];
        Some(Records { tasks: vec![task_record(task, set)], run_tasks, ..Records::default() })
    }

    /// What an earlier run found on a task, where `holds` says that its programs give it: of one with the same
    /// programs, else, where those are taken, of one with others if it fits all demos.
    pub(super) fn find(
        &self,
        task: &Task,
        holds: impl Fn(&SolveTask) -> bool,
    ) -> Result<Option<SolveTask>, StoreError> {
        let start = Instant::now();
        let mut state = self.state();
        let Some(storage) = &mut state.storage else { return Ok(None) };
        let mut found = None;
        for (key, is_own) in self.keys(task) {
            if !is_own && !self.reuse {
                break;
            }
            let Some(stored) = storage.archive.cached(&key)? else { continue };
            let known = from_bytes(&stored.value, task).filter(&holds);
            found = known.filter(|known| is_own || known.is_fit()).map(|known| (known, stored));
            if found.is_some() {
                break;
            }
        }
        if let Some((known, stored)) = &found {
            storage.archive.remember(&[], std::slice::from_ref(&stored.key))?;
            if let Some(records) = self.noted(task, known, stored.seconds) {
                storage.archive.add(&records)?;
            }
            state.known.hits += 1;
            state.known.saved += Duration::try_from_secs_f64(stored.seconds).unwrap_or_default();
        } else {
            state.known.misses += 1;
        }
        state.known.spent += start.elapsed();
        Ok(found.map(|(known, _)| known))
    }

    /// Keeps what was found on a task, and the processor time that took.
    pub(super) fn keep(&self, task: &Task, found: &SolveTask, time: Duration) {
        let (value, seconds) = (to_bytes(found), time.as_secs_f64());
        let record = |(key, _): ([u8; 32], bool)| CacheRecord {
            key: key.to_vec(),
            value: value.clone(),
            seconds,
            hits: 0,
        };
        let own = |(_, is_own): &([u8; 32], bool)| *is_own || found.is_fit();
        let records: Vec<CacheRecord> =
            self.keys(task).into_iter().filter(own).map(record).collect();
        let noted = self.noted(task, found, seconds).unwrap_or_default();
        let mut state = self.state();
        let Some(storage) = &mut state.storage else { return };
        let remembered = storage.archive.remember(&records, &[]);
        if let Err(error) = remembered.and_then(|()| storage.archive.add(&noted).map(drop)) {
            state.give_up(error);
        }
    }

    /// Keeps nothing more.
    pub(super) fn give_up(&self, error: StoreError) {
        self.state().give_up(error);
    }

    /// True when something could not be kept and nobody was told, so that the run is to end.
    pub(super) fn ends_run(&self) -> bool {
        self.state().error.is_some()
    }

    /// True when something could not be kept, and what was found there; the error when nobody was told.
    pub(super) fn finish(self) -> Result<(bool, KnownStats), StoreError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok((state.gave_up, state.known)), Err)
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where it is kept: with these programs, then with any, and whether it is the first.
    fn keys(&self, task: &Task) -> [([u8; 32], bool); 2] {
        [(key(&self.prefix, task), true), (key(&self.any_programs, task), false)]
    }
}

fn key(prefix: &blake3::Hasher, task: &Task) -> [u8; 32] {
    let mut hasher = prefix.clone();
    hasher.update(task.id.as_bytes()).update(b"\0");
    // In this order: answers are kept in that of the tests, and which demos come first matters.
    hasher.update(&(task.demos.len() as u64).to_le_bytes());
    task.demos.iter().for_each(|demo| _ = hasher.update(&demo.content_id().0));
    task.tests.iter().for_each(|test| _ = hasher.update(&test.visible_id().0));
    *hasher.finalize().as_bytes()
}

fn to_bytes(found: &SolveTask) -> Vec<u8> {
    let rows = |grid: &Grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
    let proposals = found.proposals.iter().map(|p| {
        json!({
            "outputs": p.outputs.iter().map(rows).collect::<Vec<_>>(),
            "fits": p.fits,
            "sources": p.sources.iter().map(|s| *s as u8).collect::<Vec<_>>(),
            "doubt": p.doubt,
            "program": p.program,
        })
    });
    let json = json!({
        "proposals": proposals.collect::<Vec<_>>(),
        "chains": found.chains,
        "work": found.work,
        "bytes": found.bytes,
        "unprintable": found.unprintable,
    });
    json.to_string().into_bytes()
}

/// `None` when it is not what [`to_bytes`] wrote.
fn from_bytes(bytes: &[u8], task: &Task) -> Option<SolveTask> {
    let json: Json = serde_json::from_slice(bytes).ok()?;
    let proposals = proposals(&json)?;
    if proposals.iter().any(|p| p.outputs.len() != task.tests.len()) {
        return None;
    }
    let count = |name: &str| json[name].as_u64();
    Some(SolveTask {
        id: task.id.clone(),
        demos: task.demos.len(),
        proposals,
        chains: count("chains")? as usize,
        work: count("work")?,
        bytes: count("bytes")? as usize,
        unprintable: count("unprintable")? as usize,
        cpu: None,
    })
}

/// The proposals of such bytes, whatever task they are for.
pub(super) fn proposals_of(bytes: &[u8]) -> Option<Vec<Proposal>> {
    proposals(&serde_json::from_slice(bytes).ok()?)
}

fn proposals(json: &Json) -> Option<Vec<Proposal>> {
    json["proposals"].as_array()?.iter().map(proposal).collect()
}

fn proposal(json: &Json) -> Option<Proposal> {
    let sources = json["sources"].as_array().filter(|sources| !sources.is_empty())?.iter();
    Some(Proposal {
        outputs: json["outputs"].as_array()?.iter().map(grid).collect::<Option<_>>()?,
        fits: json["fits"].as_u64()? as usize,
        sources: sources.map(|s| source(s.as_u64()?)).collect::<Option<_>>()?,
        doubt: i32::try_from(json["doubt"].as_i64()?).ok()?,
        program: json["program"].as_str().map(str::to_owned),
    })
}

fn source(number: u64) -> Option<Ingredient> {
    Ingredient::ALL.into_iter().find(|source| *source as u64 == number)
}

fn grid(json: &Json) -> Option<Grid> {
    let row = |row: &Json| -> Option<Vec<i8>> {
        row.as_array()?.iter().map(|cell| i8::try_from(cell.as_i64()?).ok()).collect()
    };
    Grid::from_rows(&json.as_array()?.iter().map(row).collect::<Option<Vec<_>>>()?)
}
