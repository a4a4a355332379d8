//! Choosing some of many programs or tasks: by name, by a seeded draw, or one share of them per machine.

use std::fmt;
use std::str::FromStr;

use arcloom_lang::nearest::nearest;
use arcloom_tasks::TaskSet;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Which ones to take. The default takes all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Names; empty for no restriction.
    pub ids: Vec<String>,
    /// How many to draw from those; `None` for all.
    pub count: Option<usize>,
    /// Seed of the draw: the same seed draws the same ones.
    pub seed: u64,
}

/// Why nothing could be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// The caller's: a name that nothing has.
    #[error("nothing is called `{id}` among the {there} to choose from{}", hint(.near))]
    Unknown {
        /// The name.
        id: String,
        /// How many there are to choose from.
        there: usize,
        /// A name that is nearly the same.
        near: Option<String>,
    },
    /// The caller's: a draw of more than there are.
    #[error("cannot draw {wanted} from {there}; ask for at most {there}")]
    TooMany {
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
}

fn hint(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!(", the nearest is `{near}`")).unwrap_or_default()
}

/// What sets the draw of tasks apart from a draw of programs with the same seed. Libraries and task
/// sets often come in the same order, and one draw of both would pick every task with its program.
const FOR_TASKS: u64 = 0x7461_736b;

impl Choice {
    /// The same choice for tasks, whose draw has nothing to do with one of programs by the same seed.
    pub fn of_tasks(self) -> Choice {
        Choice { seed: self.seed ^ FOR_TASKS, ..self }
    }

    /// The indices of what is chosen, ascending. `names` gives all names of an item; a name that
    /// several items have chooses all of them.
    pub fn pick<'a, T, N>(
        &self,
        items: &'a [T],
        names: impl Fn(&'a T) -> N,
    ) -> Result<Vec<usize>, ChooseError>
    where
        N: IntoIterator<Item = &'a str>,
    {
        let mut chosen: Vec<usize> = Vec::new();
        for id in &self.ids {
            let before = chosen.len();
            let named = |item: &'a T| names(item).into_iter().any(|name| name == id);
            chosen.extend(items.iter().enumerate().filter(|(_, i)| named(i)).map(|(n, _)| n));
            if chosen.len() == before {
                let near = nearest(id, items.iter().flat_map(&names)).map(str::to_owned);
                return Err(ChooseError::Unknown { id: id.clone(), there: items.len(), near });
            }
        }
        if self.ids.is_empty() {
            chosen.extend(0..items.len());
        }
        chosen.sort_unstable();
        chosen.dedup();
        if let Some(count) = self.count {
            draw(&mut chosen, count, self.seed)?;
        }
        Ok(chosen)
    }
}

/// One share of the tasks of a set, for one of several machines: every so manyth task. All shares together
/// are the set, and each task is in one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: usize,
    of: usize,
}

impl Shard {
    /// Most shares of a set.
    pub const MOST: usize = 100_000;

    /// Share `number`, counted from 1, of so many; `None` where there is no such share.
    pub fn new(number: usize, of: usize) -> Option<Shard> {
        ((1..=of).contains(&number) && of <= Shard::MOST).then_some(Shard { number, of })
    }

    /// What is in this share, in the order of the set.
    pub fn take<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        items.into_iter().skip(self.number - 1).step_by(self.of)
    }

    /// The tasks of a set that are in this share. Malformed ones are passed on as they are.
    pub fn share(self, set: &TaskSet) -> TaskSet {
        let tasks = self.take(&set.tasks).cloned().collect();
        TaskSet { name: set.name.clone(), tasks, malformed: set.malformed.clone() }
    }

    /// How many of so many items the largest share has: what a time for all is divided by, so that it means the
    /// same on every machine.
    pub fn largest(self, items: usize) -> usize {
        items.div_ceil(self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |part: &str| part.trim().parse::<usize>().ok();
        let parts = text.split_once('/').and_then(|(k, n)| Some((number(k)?, number(n)?)));
        let (number, of) =
            parts.ok_or("write K/N, the share and the number of shares, as in 1/4")?;
        Shard::new(number, of).ok_or_else(|| match of {
            1..=Shard::MOST => {
                format!("there is no share {number} of {of}; take 1/{of} to {of}/{of}")
            }
            _ => format!("at most {} shares; write K/N as in 1/4", Shard::MOST),
        })
    }
}

/// Keeps `count` of the indices, drawn without putting back, in their order.
fn draw(indices: &mut Vec<usize>, count: usize, seed: u64) -> Result<(), ChooseError> {
    let there = indices.len();
    if count > there {
        return Err(ChooseError::TooMany { wanted: count, there });
    }
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    for n in 0..count {
        let left = (there - n) as u64;
        indices.swap(n, n + (stream.next_u64() % left) as usize);
    }
    indices.truncate(count);
    indices.sort_unstable();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(items: &[&str], choice: &Choice) -> Result<Vec<usize>, String> {
        choice.pick(items, |item| [*item]).map_err(|error| error.to_string())
    }

    #[test]
    fn names_and_draws_choose() {
        let items = ["ant", "bee", "cat", "bee"];
        assert_eq!(pick(&items, &Choice::default()), Ok(vec![0, 1, 2, 3]));
        let named = |id: &str| Choice { ids: vec![id.to_owned()], ..Choice::default() };
        assert_eq!(pick(&items, &named("bee")), Ok(vec![1, 3]));
        let error = "nothing is called `car` among the 4 to choose from, the nearest is `cat`";
        assert_eq!(pick(&items, &named("car")), Err(error.to_owned()));
        let many = Choice { count: Some(5), ..Choice::default() };
        assert_eq!(pick(&items, &many), Err("cannot draw 5 from 4; ask for at most 4".to_owned()));
    }

    #[test]
    fn a_seed_draws_the_same_and_another_seed_others() {
        let items: Vec<String> = (0..400).map(|n| n.to_string()).collect();
        let draw = |seed| {
            let choice = Choice { count: Some(32), seed, ..Choice::default() };
            choice.pick(&items, |item| [item.as_str()]).unwrap()
        };
        let first = draw(1);
        assert_eq!(first.len(), 32);
        assert!(first.is_sorted_by(|a, b| a < b), "ascending and distinct");
        assert_eq!(first, draw(1));
        assert_ne!(first, draw(2));
    }

    #[test]
    fn shares_are_the_whole_and_none_is_in_two() {
        let shares: Vec<Vec<u32>> =
            (1..=3).map(|k| Shard::new(k, 3).unwrap().take(0..10).collect()).collect();
        assert_eq!(shares, [vec![0, 3, 6, 9], vec![1, 4, 7], vec![2, 5, 8]]);
        assert_eq!(Shard::new(2, 3).unwrap().largest(10), 4);
        assert_eq!("2/3".parse(), Ok(Shard::new(2, 3).unwrap()));
        for (text, why) in [
            ("2", "write K/N"),
            ("0/3", "no share 0 of 3; take 1/3 to 3/3"),
            ("4/3", "no share 4 of 3"),
            ("1/0", "at most"),
            ("1/1000000", "at most 100000 shares"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
