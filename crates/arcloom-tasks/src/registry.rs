//! `registry.json` in the data folder: names that the user gave to files and folders elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::disk::{read_limited, write_atomic};
use crate::error::CorpusError;

const FILE: &str = "registry.json";
const VERSION: u32 = 1;
const MAX_BYTES: u64 = 16 << 20;

/// Registered names and where they lead.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Registry {
    version: u32,
    pub(crate) entries: BTreeMap<String, PathBuf>,
}

impl Registry {
    /// A registry without names.
    pub(crate) fn empty() -> Registry {
        Registry { version: VERSION, entries: BTreeMap::new() }
    }

    /// The registry of a data folder; empty when there is none yet.
    pub(crate) fn read(dir: &Path) -> Result<Registry, CorpusError> {
        let path = dir.join(FILE);
        let damaged = |problem| CorpusError::Registry { path: path.clone(), problem };
        let bytes = match read_limited(&path, MAX_BYTES) {
            Err(CorpusError::Missing { .. }) => return Ok(Registry::empty()),
            read => read?,
        };
        let registry: Registry =
            serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
        match registry.version {
            VERSION => Ok(registry),
            other => Err(damaged(format!("version {other} is from another arcloom"))),
        }
    }

    /// Replaces the file, completely or not at all. The caller holds the folder's lock.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), CorpusError> {
        let path = dir.join(FILE);
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|e| CorpusError::Registry { path: path.clone(), problem: e.to_string() })?;
        text.push(b'\n');
        write_atomic(&path, &text)
    }
}
