//! `cargo xtask kills`: runs that are killed at random moments, again and again, and come to the same end.
//!
//! `evolve` and `solve -a` are started, killed after a moment drawn at random, and started again with the same
//! words. In the end the archive holds what that of a run holds that nobody killed, and verifies.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::run::{cargo, target};

/// How often each command is killed, and where the moments are drawn from.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) evolve: u64,
    pub(crate) solve: u64,
    pub(crate) seed: u64,
    /// The command, where it is not to be built.
    pub(crate) binary: Option<PathBuf>,
}

/// Kills of one archive; then it is compared and another one is begun, with other moments.
const PER_ARCHIVE: u64 = 50;

const EVOLVE: &[&str] = &[
    "evolve",
    "--ids",
    "parity_half,tally,left_over_right,lowest_rises",
    "--children",
    "24",
    "--population",
    "12",
    "--quiet",
];
const SOLVE: &[&str] = &[
    "solve",
    "embedded",
    "-p",
    "library:embedded",
    "--jobs",
    "1",
    "--budget",
    "0.05s/task",
    "--quiet",
];

/// Generations that a killed run of `evolve` is brought to in the end, beyond those it has.
const MORE: u64 = 2;

pub(crate) fn kills(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize().with_context(|| binary.display().to_string())?,
        None => {
            let built = cargo(&["build", "--quiet", "--package", "arcloom-cli"]).status()?;
            ensure!(built.success(), "the command does not build");
            target().join("debug").join(format!("arcloom{}", std::env::consts::EXE_SUFFIX))
        }
    };
    // Several may run beside each other.
    let folder = target().join(format!("kills-{}", options.seed));
    let mut random = Random(options.seed);
    for (what, kills, run) in
        [("evolve", options.evolve, evolve as Round), ("solve -a", options.solve, solve as Round)]
    {
        let (mut done, mut archives, mut early) = (0, 0, 0);
        let start = Instant::now();
        while done < kills {
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder).context("a folder for the archives")?;
            let place = Place { binary: &binary, folder: &folder };
            let count = PER_ARCHIVE.min(kills - done);
            early += run(&place, count, &mut random)
                .with_context(|| format!("{what}: archive {archives}, after {done} kills"))?;
            done += count;
            archives += 1;
            println!(
                "{what}: {done} of {kills} kills, {archives} archives equal to an undisturbed one"
            );
        }
        println!(
            "{what}: {done} kills, {early} of them after the end of the run, {archives} archives, all equal and verified, {:.0} s",
            start.elapsed().as_secs_f64()
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(ExitCode::SUCCESS)
}

/// Kills so many times and compares; gives how many processes had come to their end before.
type Round = fn(&Place<'_>, u64, &mut Random) -> anyhow::Result<u64>;

/// Moments that repeat with the seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}

struct Place<'a> {
    binary: &'a Path,
    folder: &'a Path,
}

impl Place<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command.current_dir(self.folder).env("NO_COLOR", "1");
        command.env("ARCLOOM_DATA_DIR", self.folder.join("data")).stdin(Stdio::null());
        command.args(words).stdout(Stdio::null());
        command
    }

    /// Starts a command and kills it after a moment; true when it had come to its end.
    fn kill(&self, words: &[&str], moment: Duration) -> anyhow::Result<bool> {
        let mut child = self.command(words).stderr(Stdio::null()).spawn()?;
        std::thread::sleep(moment);
        let ended = child.try_wait()?;
        child.kill()?;
        child.wait()?;
        if let Some(status) = ended {
            ensure!(status.success(), "a run ended with {status}");
        }
        Ok(ended.is_some())
    }

    /// Runs a command to its end; how long it took.
    fn whole(&self, words: &[&str]) -> anyhow::Result<Duration> {
        let start = Instant::now();
        let output = self.command(words).output()?;
        if !output.status.success() {
            bail!("`arcloom {}`: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        Ok(start.elapsed())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The killed archive verifies and holds what the other one does.
    fn compare(&self) -> anyhow::Result<()> {
        self.whole(&["archive", "verify", "-a", "run.db"])?;
        self.whole(&["archive", "diff", "run.db", "whole.db"])?;
        let beside = std::fs::read_dir(self.folder)?.flatten().map(|entry| entry.file_name());
        let left: Vec<_> = beside.filter(|name| name.to_string_lossy().ends_with("tmp")).collect();
        ensure!(left.is_empty(), "left behind: {left:?}");
        Ok(())
    }
}

fn evolve(place: &Place<'_>, kills: u64, random: &mut Random) -> anyhow::Result<u64> {
    let with = |archive: &'static str, budget: &str| -> Vec<String> {
        let words = EVOLVE.iter().copied().chain(["-a", archive, "--budget", budget]);
        words.map(str::to_owned).collect()
    };
    fn words(list: &[String]) -> Vec<&str> {
        list.iter().map(String::as_str).collect()
    }
    let took = place.whole(&words(&with("first.db", "1g")))?;
    let span = 2 * took.as_millis() as u64;
    let seed = random.below(1 << 30).to_string();
    let endless = [with("run.db", "1000000g"), vec!["--seed".to_owned(), seed.clone()]].concat();
    let mut early = 0;
    for _ in 0..kills {
        let moment = Duration::from_millis(random.below(span));
        early += u64::from(place.kill(&words(&endless), moment)?);
    }
    // One more generation shows how far it is; an undisturbed run goes as far.
    let stored = generations(place)?;
    let end = format!("{}g", stored + MORE);
    for archive in ["run.db", "whole.db"] {
        let list = [with(archive, &end), vec!["--seed".to_owned(), seed.clone()]].concat();
        place.whole(&words(&list))?;
    }
    place.compare()?;
    Ok(early)
}

/// Generations of the archive that was killed.
fn generations(place: &Place<'_>) -> anyhow::Result<u64> {
    if !place.path("run.db").exists() {
        return Ok(0);
    }
    let mut command = place.command(&["archive", "stats", "-a", "run.db", "--json"]);
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let runs = json["runs"].as_array().map_or(&[][..], Vec::as_slice);
    Ok(runs.iter().filter_map(|run| run["generations"].as_u64()).max().unwrap_or(0))
}

fn solve(place: &Place<'_>, kills: u64, random: &mut Random) -> anyhow::Result<u64> {
    let with = |archive: &'static str| -> Vec<&'static str> {
        SOLVE.iter().copied().chain(["-a", archive]).collect()
    };
    let took = place.whole(&with("whole.db"))?.as_millis() as u64;
    let mut early = 0;
    for n in 0..kills {
        // A run that has come to its end shows nothing more: begun again.
        if n % 8 == 7 {
            for end in ["", "-wal", "-shm", ".lock"] {
                let _ = std::fs::remove_file(place.path(&format!("run.db{end}")));
            }
        }
        let moment = Duration::from_millis(random.below(took / 3));
        early += u64::from(place.kill(&with("run.db"), moment)?);
    }
    place.whole(&with("run.db"))?;
    place.compare()?;
    Ok(early)
}
