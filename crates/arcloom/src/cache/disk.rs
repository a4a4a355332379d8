//! Columns in an archive.
//!
//! Threads take turns at the one connection; a column is read in a fraction of the time it takes to
//! compute. New ones are stored some megabytes at a time. An archive that cannot be written any more
//! ends nothing: the run goes on, and the first error is what [`DiskCache::finish`] gives.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arcloom_graph::Column;
use arcloom_store::{Access, Archive, CacheRecord, StoreError};
use arcloom_value::FixedSet;

use super::{DiskStats, Key};

/// Bytes that are collected before they are stored.
const AT_ONCE: usize = 8 << 20;

/// An archive as a cache.
#[derive(Debug)]
pub struct DiskCache(Mutex<State>);

#[derive(Debug)]
struct State {
    archive: Archive,
    fresh: Vec<CacheRecord>,
    fresh_bytes: usize,
    used: Vec<Vec<u8>>,
    /// What this process has evaluated. It is not looked for, so that what is found does not depend on
    /// which thread was first.
    own: FixedSet<Key>,
    stats: DiskStats,
    error: Option<StoreError>,
}

impl DiskCache {
    /// Opens an archive, or makes one.
    pub fn open(path: impl AsRef<Path>) -> Result<DiskCache, StoreError> {
        let archive = Archive::create_or_open(path, Access::Write)?;
        let (fresh, fresh_bytes, used) = (Vec::new(), 0, Vec::new());
        let (stats, error) = (DiskStats::default(), None);
        let own = FixedSet::default();
        let state = State { archive, fresh, fresh_bytes, used, own, stats, error };
        Ok(DiskCache(Mutex::new(state)))
    }

    /// Stores what is left, and gives the first thing that went wrong.
    pub fn finish(self) -> Result<DiskStats, StoreError> {
        let mut state = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.store();
        state.error.map_or(Ok(state.stats), Err)
    }

    pub(super) fn find(&self, key: &Key, nodes: usize) -> Option<Column> {
        let start = Instant::now();
        let mut state = self.state();
        let found = match state.own.contains(key) {
            true => Ok(None),
            false => state.archive.cached(key),
        };
        let found = found.unwrap_or_else(|error| {
            state.error.get_or_insert(error);
            None
        });
        drop(state);
        let column = found.as_ref().and_then(|found| Column::from_bytes(&found.value, nodes));
        let mut state = self.state();
        let state = &mut *state;
        match (&column, found) {
            (Some(_), Some(found)) => {
                state.stats.hits += 1;
                state.stats.read += found.value.len() as u64;
                state.stats.saved += Duration::try_from_secs_f64(found.seconds).unwrap_or_default();
                state.used.push(found.key);
            }
            _ => state.stats.misses += 1,
        }
        state.stats.spent += start.elapsed();
        column
    }

    pub(super) fn keep(&self, key: &Key, column: &Column, time: Duration) {
        let start = Instant::now();
        let own = *key;
        let (key, value, seconds) = (key.to_vec(), column.to_bytes(), time.as_secs_f64());
        let mut state = self.state();
        state.own.insert(own);
        state.fresh_bytes += value.len();
        state.fresh.push(CacheRecord { key, value, seconds, hits: 0 });
        if state.fresh_bytes > AT_ONCE {
            state.store();
        }
        state.stats.spent += start.elapsed();
    }

    pub(super) fn stats(&self) -> DiskStats {
        self.state().stats
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn store(&mut self) {
        let (fresh, used) = (std::mem::take(&mut self.fresh), std::mem::take(&mut self.used));
        self.fresh_bytes = 0;
        if self.error.is_some() {
            return;
        }
        match self.archive.remember(&fresh, &used) {
            Ok(()) => self.stats.written += fresh.iter().map(|v| v.value.len() as u64).sum::<u64>(),
            Err(error) => self.error = Some(error),
        }
    }
}
