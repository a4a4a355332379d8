//! Islands that do not share memory: programs sent as bytes, and those that came taken in.
//!
//! Between generations a run publishes the best program of each task and polls for what others
//! published. What comes is read as any program is and run anew: a stranger's bytes are never believed.
//! How bytes travel is behind [`Exchange`]; in one process, through a folder, or however the caller
//! likes. A run that takes strangers in depends on when they came, so only a run alone repeats exactly.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arcloom_lang::{Form, one_program, text};
use arcloom_tasks::{TaskId, write_whole};

use super::propose::Guest;
use super::{Evolution, EvolutionState, EvolveTask};

/// How islands reach each other. Neither may block for long. What goes wrong is counted among the run's
/// faults, in words for people, and the run goes on without.
pub trait Exchange: Send + Sync {
    /// Sends migrants to whoever is next.
    fn publish(&self, migrants: Vec<u8>) -> Result<(), String>;
    /// What has come since the last time.
    fn poll(&self) -> Result<Vec<Vec<u8>>, String>;
}

/// Under which name faults of the exchange are counted.
const NAME: &str = "exchange";

/// What a packet begins with: the name and version of its form.
const MAGIC: &[u8; 8] = b"arcmigr1";
/// Largest packet and largest program that are looked at.
const MAX_PACKET: usize = 64 << 20;
const MAX_TEXT: usize = 1 << 20;

/// Programs with the tasks they are for, as bytes: task, length, text, one after the other.
pub fn pack<'a>(migrants: impl IntoIterator<Item = (TaskId, &'a str)>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (task, text) in migrants {
        bytes.extend(task.0);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// The programs of a packet; nothing where the bytes are not one. What is cut off is left out.
pub fn unpack(bytes: &[u8]) -> Vec<(TaskId, String)> {
    let mut migrants = Vec::new();
    let Some(mut rest) = bytes.strip_prefix(MAGIC).filter(|_| bytes.len() <= MAX_PACKET) else {
        return migrants;
    };
    while let Some((id, more)) = rest.split_first_chunk() {
        let Some((len, more)) = more.split_first_chunk::<4>() else { break };
        let len = u32::from_le_bytes(*len) as usize;
        if len > MAX_TEXT || len > more.len() {
            break;
        }
        let (text, more) = more.split_at(len);
        if let Ok(text) = std::str::from_utf8(text) {
            migrants.push((TaskId(*id), text.to_string()));
        }
        rest = more;
    }
    migrants
}

/// A ring of islands in one process.
pub struct Ring {
    boxes: Arc<Vec<Mutex<VecDeque<Vec<u8>>>>>,
    own: usize,
}

impl Ring {
    /// Most packets that wait for an island; older ones are dropped.
    const WAITING: usize = 16;

    /// One for each island.
    pub fn new(islands: usize) -> Vec<Ring> {
        let boxes: Arc<Vec<_>> = Arc::new((0..islands).map(|_| Mutex::default()).collect());
        (0..islands).map(|own| Ring { boxes: boxes.clone(), own }).collect()
    }
}

impl Exchange for Ring {
    fn publish(&self, migrants: Vec<u8>) -> Result<(), String> {
        let next = &self.boxes[(self.own + 1) % self.boxes.len()];
        let mut waiting = next.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(migrants);
        if waiting.len() > Ring::WAITING {
            waiting.pop_front();
        }
        Ok(())
    }

    fn poll(&self) -> Result<Vec<Vec<u8>>, String> {
        let waiting = &self.boxes[self.own];
        Ok(waiting.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect())
    }
}

/// Islands that see one folder: each has a file there, replaced as a whole, and reads those of the
/// others when they have changed.
pub struct Folder {
    folder: PathBuf,
    own: PathBuf,
    /// What was read of each file, so that nothing is read twice.
    seen: Mutex<Vec<(PathBuf, [u8; 32])>>,
}

impl Folder {
    const EXTENSION: &'static str = "migrants";

    /// The island of this name in a folder, which is made if it is not there.
    pub fn open(folder: &Path, island: &str) -> std::io::Result<Folder> {
        std::fs::create_dir_all(folder)?;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = island.chars().map(plain).collect();
        let own = folder.join(name).with_extension(Folder::EXTENSION);
        Ok(Folder { folder: folder.to_path_buf(), own, seen: Mutex::default() })
    }
}

impl Exchange for Folder {
    fn publish(&self, migrants: Vec<u8>) -> Result<(), String> {
        // Whoever shares the folder may have put something under a name that can be foreseen.
        write_whole(&self.own, &migrants)
            .map_err(|cause| format!("{}: cannot be written ({cause})", self.own.display()))
    }

    fn poll(&self) -> Result<Vec<Vec<u8>>, String> {
        let mut found = Vec::new();
        let files = std::fs::read_dir(&self.folder)
            .map_err(|cause| format!("{}: cannot be read ({cause})", self.folder.display()))?;
        let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == Folder::EXTENSION));
        paths.retain(|path| *path != self.own);
        paths.sort_unstable();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths {
            let small = std::fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_PACKET as u64);
            let Some(bytes) = small.then(|| std::fs::read(&path).ok()).flatten() else { continue };
            let content = *blake3::hash(&bytes).as_bytes();
            match seen.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) if *known == content => continue,
                Some((_, known)) => *known = content,
                None => seen.push((path, content)),
            }
            found.push(bytes);
        }
        Ok(found)
    }
}

impl Evolution<'_> {
    /// Sends the best of every task away, and takes in what came; gives what was taken in, by task.
    pub(super) fn trade(&self, tasks: &[EvolveTask<'_>], state: &mut EvolutionState) -> Vec<Guest> {
        let mut guests = Vec::new();
        let Some(exchange) = &self.helpers.exchange else { return guests };
        if !state.generation.is_multiple_of(self.config.migrate_every.max(1)) {
            return guests;
        }
        let best = |(n, task): (usize, &EvolveTask<'_>)| {
            let members = state.islands.iter().filter_map(|island| island[n].members().first());
            let member = members.min_by_key(|member| member.rank())?;
            // What came from the library everyone has.
            (member.made.generation > 0)
                .then(|| (task.id, text::print(member.program(), Form::Straight)))
        };
        let best: Vec<(TaskId, String)> = tasks.iter().enumerate().filter_map(best).collect();
        let fault = |reason: String| self.helpers.fault(NAME, reason);
        if !best.is_empty() {
            let packet = pack(best.iter().map(|(task, text)| (*task, text.as_str())));
            exchange.publish(packet).unwrap_or_else(fault);
        }
        let come = exchange.poll().unwrap_or_else(|reason| {
            fault(reason);
            Vec::new()
        });
        for bytes in come {
            if !bytes.starts_with(MAGIC) {
                fault(format!("{} bytes came that are no packet of programs", bytes.len()));
            }
            for (id, text) in unpack(&bytes) {
                // Others may work on more tasks.
                let Some(n) = tasks.iter().position(|task| task.id == id) else { continue };
                match one_program("migrant", &text) {
                    Ok(program) => {
                        let task = (n, &tasks[n]);
                        guests.extend(self.take_in(program, task, "migration", state).1);
                    }
                    Err(reason) => fault(reason),
                }
            }
        }
        guests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> TaskId {
        TaskId([n; _])
    }

    #[test]
    fn packets_come_back_and_broken_ones_do_no_harm() {
        let packet = pack([(id(1), "one"), (id(2), ""), (id(3), "drei\n")]);
        let whole = unpack(&packet);
        assert_eq!(whole.len(), 3);
        assert_eq!((whole[2].0, whole[2].1.as_str()), (id(3), "drei\n"));
        for cut in 0..packet.len() {
            let some = unpack(&packet[..cut]);
            assert!(some.len() < 3 && some.iter().zip(&whole).all(|(a, b)| a == b));
        }
        assert!(unpack(b"arcmigr0").is_empty() && unpack(b"").is_empty());
    }

    #[test]
    fn a_ring_passes_to_the_next() {
        let ring = Ring::new(3);
        ring[0].publish(vec![1]).unwrap();
        ring[2].publish(vec![2]).unwrap();
        assert_eq!(ring[1].poll().unwrap(), [vec![1]]);
        assert_eq!(ring[0].poll().unwrap(), [vec![2]]);
        assert!(ring[2].poll().unwrap().is_empty() && ring[1].poll().unwrap().is_empty());
        (0..100).for_each(|n| ring[0].publish(vec![n]).unwrap());
        assert_eq!(ring[1].poll().unwrap().len(), Ring::WAITING);
    }

    #[test]
    fn a_folder_is_read_when_it_changes() {
        let folder = std::env::temp_dir().join(format!("arcloom-exchange-{}", std::process::id()));
        let [a, b] = ["a", "b/../.."].map(|name| Folder::open(&folder, name).unwrap());
        assert!(a.poll().unwrap().is_empty());
        a.publish(vec![1]).unwrap();
        assert_eq!(b.poll().unwrap(), [vec![1]]);
        assert!(b.poll().unwrap().is_empty() && a.poll().unwrap().is_empty());
        a.publish(vec![2]).unwrap();
        assert_eq!(b.poll().unwrap(), [vec![2]]);
        std::fs::remove_dir_all(&folder).unwrap();
        let gone = folder.display().to_string();
        assert!(a.publish(vec![3]).unwrap_err().starts_with(&gone));
        assert!(a.poll().unwrap_err().starts_with(&gone));
    }
}
