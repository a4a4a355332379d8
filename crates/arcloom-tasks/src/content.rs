//! Identity of pairs and tasks by content, not by name or position.
//!
//! The public sets repeat each other's tasks with the pairs in another order, so a pair is known by
//! the hash of its grids and a task by its hashes in ascending order. The first bytes hashed name the
//! form; changing anything below means changing them, because the ids are stored.

use std::fmt;

use arcloom_value::Grid;

use crate::task::{Pair, Task, TestPair};

/// A task by what a solver may see of it: demo pairs and test inputs. Displays as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub [u8; 32]);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// blake3 hash of a pair's or a task's content. Displays as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(
    /// The bytes of the hash.
    pub [u8; 32],
);

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentId({self})")
    }
}

impl Pair {
    /// Identity of the pair. A test with the same two grids has the same one.
    pub fn content_id(&self) -> ContentId {
        pair_id(&self.input, Some(&self.output))
    }
}

impl TestPair {
    /// Identity of the test, its answer included where it is known.
    pub fn content_id(&self) -> ContentId {
        pair_id(&self.input, self.expected.as_ref())
    }

    /// Identity of what a solver may see of the test.
    pub fn visible_id(&self) -> ContentId {
        pair_id(&self.input, None)
    }
}

impl Task {
    /// Identity of the task: its demos and its tests with the known answers, in any order.
    ///
    /// It depends on the answers, so reports may use it and caches of searches may not; those take
    /// [`Task::visible_id`].
    pub fn content_id(&self) -> ContentId {
        task_id(b"arcloom task 1\0", self, TestPair::content_id)
    }

    /// Identity of what a solver may see: demos and test inputs, in any order. The same with and
    /// without a solutions file.
    pub fn visible_id(&self) -> TaskId {
        TaskId(task_id(b"arcloom seen 1\0", self, TestPair::visible_id).0)
    }
}

fn task_id(form: &[u8], task: &Task, test_id: impl Fn(&TestPair) -> ContentId) -> ContentId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(form);
    let demos: Vec<ContentId> = task.demos.iter().map(Pair::content_id).collect();
    let tests: Vec<ContentId> = task.tests.iter().map(test_id).collect();
    for mut ids in [demos, tests] {
        ids.sort_unstable();
        hasher.update(&(ids.len() as u64).to_le_bytes());
        for id in ids {
            hasher.update(&id.0);
        }
    }
    ContentId(*hasher.finalize().as_bytes())
}

fn pair_id(input: &Grid, output: Option<&Grid>) -> ContentId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"arcloom pair 1\0");
    for grid in std::iter::once(input).chain(output) {
        hasher.update(&(grid.height() as u32).to_le_bytes());
        hasher.update(&(grid.width() as u32).to_le_bytes());
        let cells: Vec<u8> = grid.cells().iter().map(|&cell| cell as u8).collect();
        hasher.update(&cells);
    }
    ContentId(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cells: &[i8]) -> Grid {
        Grid::new(1, cells.len(), cells).unwrap()
    }

    fn pair(a: i8, b: i8) -> Pair {
        Pair { input: grid(&[a]), output: grid(&[b]) }
    }

    fn task(demos: &[(i8, i8)], tests: &[(i8, Option<i8>)]) -> Task {
        Task {
            id: "t".to_owned(),
            demos: demos.iter().map(|&(a, b)| pair(a, b)).collect(),
            tests: tests
                .iter()
                .map(|&(a, b)| TestPair::new(grid(&[a]), b.map(|b| grid(&[b]))))
                .collect(),
        }
    }

    #[test]
    fn order_of_pairs_and_the_name_do_not_matter() {
        let a = task(&[(1, 2), (3, 4), (5, 6)], &[(7, Some(8)), (9, None)]);
        let mut b = task(&[(5, 6), (1, 2), (3, 4)], &[(9, None), (7, Some(8))]);
        b.id = "other".to_owned();
        assert_eq!(a.content_id(), b.content_id());
        assert_eq!(a.visible_id(), b.visible_id());
    }

    #[test]
    fn what_is_demo_and_what_is_test_matters() {
        let a = task(&[(1, 2), (3, 4)], &[(5, Some(6))]);
        assert_ne!(a.content_id(), task(&[(1, 2), (5, 6)], &[(3, Some(4))]).content_id());
        assert_ne!(a.content_id(), task(&[(1, 2), (3, 4), (3, 4)], &[(5, Some(6))]).content_id());
        assert_ne!(a.content_id(), task(&[(1, 2), (4, 3)], &[(5, Some(6))]).content_id());
    }

    #[test]
    fn the_visible_id_does_not_depend_on_answers() {
        let known = task(&[(1, 2)], &[(5, Some(6))]);
        let hidden = task(&[(1, 2)], &[(5, None)]);
        assert_eq!(known.visible_id(), hidden.visible_id());
        assert_ne!(known.content_id(), hidden.content_id());
    }

    #[test]
    fn sides_are_part_of_a_pair() {
        let wide = Pair { input: grid(&[1, 2]), output: grid(&[3]) };
        let tall = Pair { input: Grid::new(2, 1, &[1, 2]).unwrap(), output: grid(&[3]) };
        assert_ne!(wide.content_id(), tall.content_id());
        let test = TestPair::new(grid(&[1, 2]), Some(grid(&[3])));
        assert_eq!(wide.content_id(), test.content_id());
    }

    /// Ids are stored: this one may only change together with the form's name in the code.
    #[test]
    fn the_form_is_fixed() {
        let hex = pair(1, 2).content_id().to_string();
        assert_eq!(hex.len(), 64);
        assert_eq!(&hex[..16], "48b59829f59db11d");
    }
}
