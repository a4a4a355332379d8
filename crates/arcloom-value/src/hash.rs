//! One fixed-seed hasher for every table in the workspace, so that runs repeat bit for bit.

use std::hash::BuildHasher;

/// Builds the workspace's hasher; it has no random state.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedHasher;

impl BuildHasher for FixedHasher {
    type Hasher = rapidhash::fast::RapidHasher<'static>;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        rapidhash::fast::RapidHasher::default_const()
    }
}

/// A hash map with the fixed hasher. Iterate over it only where order cannot show.
pub type FixedMap<K, V> = hashbrown::HashMap<K, V, FixedHasher>;
/// A hash set with the fixed hasher. Iterate over it only where order cannot show.
pub type FixedSet<K> = hashbrown::HashSet<K, FixedHasher>;
