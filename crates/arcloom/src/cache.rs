//! What batts came to on inputs, for later runs of the same batt in the same process.
//!
//! The key holds everything a column depends on: the programs, the input, the budget, the version of
//! the language, and the demo pairs when some program reads them. A run sees only what earlier runs
//! left behind, so that what is found does not depend on which thread was first. They are not kept for later
//! processes: a key covers all programs of the batt, so a loop that draws programs anew never finds one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arcloom_dsl::Registry;
use arcloom_graph::{
    Allowance, Backend, BattPlan, Column, Limits, Profile, RunCounts, Stop, TaskInputs,
};
use arcloom_lang::{Op, text};
use arcloom_value::{FixedMap, Value};

use crate::run::PreparedBatt;
use crate::timing::span;

type Key = [u8; 32];

/// What was remembered, and what that saved, as measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CacheStats {
    /// Inputs that an earlier run had evaluated.
    pub hits: u64,
    /// Inputs that were evaluated.
    pub misses: u64,
    /// What evaluating the hits took when it was done.
    pub saved: Duration,
    /// What evaluating the misses took.
    pub spent: Duration,
    /// Memory in use at the end.
    pub bytes: usize,
}

/// Columns by key, the oldest dropped when there are too many.
#[derive(Debug)]
pub(crate) struct ColumnCache {
    limit: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    runs: u64,
    bytes: usize,
    entries: FixedMap<Key, Entry>,
    order: VecDeque<Key>,
}

#[derive(Debug)]
struct Entry {
    column: Arc<Column>,
    run: u64,
    time: Duration,
}

/// The cache as one run sees it.
pub(crate) struct CacheRun<'c> {
    cache: &'c ColumnCache,
    /// What all keys of the run begin with; nothing is remembered without it.
    prefix: Option<blake3::Hasher>,
    reads_samples: bool,
    run: u64,
    hits: AtomicU64,
    misses: AtomicU64,
    saved: AtomicU64,
    spent: AtomicU64,
}

impl ColumnCache {
    pub(crate) fn new(limit: usize) -> ColumnCache {
        ColumnCache { limit, state: Mutex::default() }
    }

    /// Starts a run of this batt.
    pub(crate) fn begin<'c>(
        &'c self,
        prepared: &PreparedBatt<'_>,
        limits: Limits,
        allowance: Option<Allowance>,
    ) -> CacheRun<'c> {
        let mut state = self.state();
        state.runs += 1;
        CacheRun {
            cache: self,
            // What an input may take of an allowance depends on how many inputs there are, hence on what
            // is remembered.
            prefix: (allowance.is_none() && self.limit > 0)
                .then(|| prefix(prepared, limits.call_budget())),
            reads_samples: prepared.batt.nodes().iter().any(|node| node.op == Op::Samples),
            run: state.runs,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            saved: AtomicU64::new(0),
            spent: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheRun<'_> {
    /// Every node on every input of a task, as far as possible from memory; `None` when stopped.
    pub(crate) fn evaluate(
        &self,
        backend: &dyn Backend,
        plan: &BattPlan,
        job: &TaskInputs,
        stop: &Stop,
    ) -> Option<(Vec<Arc<Column>>, RunCounts, Option<Profile>)> {
        let Some(prefix) = &self.prefix else {
            let all = backend.evaluate(plan, job, stop)?;
            self.misses.fetch_add(job.inputs.len() as u64, Ordering::Relaxed);
            let columns = all.columns.into_iter().map(Arc::new).collect();
            return Some((columns, all.counts, all.profile));
        };
        let cache = span("cache");
        let keys: Vec<Key> = job.inputs.iter().map(|input| self.key(prefix, job, input)).collect();
        let mut columns = self.look_up(&keys);
        drop(cache);
        let missing: Vec<usize> = (0..keys.len()).filter(|&n| columns[n].is_none()).collect();
        let (mut counts, mut profile) = (RunCounts::default(), None);
        if !missing.is_empty() {
            let inputs = missing.iter().map(|&n| job.inputs[n].clone()).collect();
            let rest = TaskInputs { samples: job.samples.clone(), inputs };
            let start = Instant::now();
            let all = backend.evaluate(plan, &rest, stop)?;
            let time = start.elapsed();
            self.spent.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
            (counts, profile) = (all.counts, all.profile);
            let each = time / missing.len() as u32;
            let _cache = span("cache");
            for (n, column) in missing.into_iter().zip(all.columns) {
                let column = Arc::new(column);
                self.remember(keys[n], column.clone(), each);
                columns[n] = Some(column);
            }
        }
        Some((columns.into_iter().flatten().collect(), counts, profile))
    }

    /// What the run did with the cache.
    pub(crate) fn finish(&self) -> CacheStats {
        CacheStats {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            saved: Duration::from_nanos(self.saved.load(Ordering::Relaxed)),
            spent: Duration::from_nanos(self.spent.load(Ordering::Relaxed)),
            bytes: self.cache.state().bytes,
        }
    }

    fn key(&self, prefix: &blake3::Hasher, job: &TaskInputs, input: &Value) -> Key {
        let mut hasher = prefix.clone();
        update(&mut hasher, input);
        if self.reads_samples {
            hasher.update(b"\0samples\0");
            update(&mut hasher, &job.samples);
        }
        *hasher.finalize().as_bytes()
    }

    fn look_up(&self, keys: &[Key]) -> Vec<Option<Arc<Column>>> {
        let state = self.cache.state();
        let find = |key: &Key| state.entries.get(key).filter(|entry| entry.run < self.run);
        let found: Vec<Option<&Entry>> = keys.iter().map(find).collect();
        let hits = found.iter().flatten().count() as u64;
        let saved: Duration = found.iter().flatten().map(|entry| entry.time).sum();
        self.hits.fetch_add(hits, Ordering::Relaxed);
        self.misses.fetch_add(keys.len() as u64 - hits, Ordering::Relaxed);
        self.saved.fetch_add(saved.as_nanos() as u64, Ordering::Relaxed);
        found.into_iter().map(|entry| entry.map(|entry| entry.column.clone())).collect()
    }

    fn remember(&self, key: Key, column: Arc<Column>, time: Duration) {
        let mut state = self.cache.state();
        let bytes = column.bytes();
        if bytes > self.cache.limit || state.entries.contains_key(&key) {
            return;
        }
        state.bytes += bytes;
        state.entries.insert(key, Entry { column, run: self.run, time });
        state.order.push_back(key);
        while state.bytes > self.cache.limit {
            let Some(oldest) = state.order.pop_front() else { break };
            if let Some(entry) = state.entries.remove(&oldest) {
                state.bytes -= entry.column.bytes();
            }
        }
    }
}

/// Programs, budget and language.
fn prefix(prepared: &PreparedBatt<'_>, budget: u64) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"arcloom column 1\0");
    add_language(&mut hasher);
    hasher.update(&budget.to_le_bytes());
    hasher.update(&(prepared.batt.nodes().len() as u64).to_le_bytes());
    for root in prepared.batt.roots() {
        let program = prepared.batt.slice(root.node, "");
        hasher.update(text::canonical(&program).as_bytes()).update(b"\0");
    }
    hasher
}

/// What programs are written in.
pub(crate) fn add_language(hasher: &mut blake3::Hasher) {
    hasher.update(crate::version().as_bytes());
    for (_, primitive) in Registry::get().all() {
        hasher.update(primitive.name.as_bytes()).update(primitive.sig.as_bytes()).update(b"\0");
    }
}

/// Grids, and tuples of them, by content.
fn update(hasher: &mut blake3::Hasher, value: &Value) {
    if let Value::Grid(grid) = value {
        let cells: Vec<u8> = grid.cells().iter().map(|cell| cell.cast_unsigned()).collect();
        hasher.update(&[grid.height(), grid.width()].map(|side| side as u8)).update(&cells);
    } else {
        let items: Vec<Value> = value.iter().into_iter().flatten().collect();
        hasher.update(b"(").update(&(items.len() as u64).to_le_bytes());
        items.iter().for_each(|item| update(hasher, item));
    }
}
