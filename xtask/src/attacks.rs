//! `cargo xtask attacks`: files and requests as somebody with bad intentions, or a bad disk, would send them.
//!
//! Each row mutates something sound again and again and hands it to the command, which may refuse it or take
//! it: a panic, a signal, a process that does not end and one that takes more memory than it is given are
//! failures, and the input that led there is kept.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::run::{cargo, target};

/// Longest that a command may take with a small file.
const LONGEST: Duration = Duration::from_secs(60);
/// Memory that it may take, in kilobytes, where the system can be told.
const MEMORY: u64 = 4 << 20;

/// What is mutated, and what it is handed to; `FILE` stands for its path.
struct Attack {
    what: &'static str,
    /// Its name, which says what kind of file it is.
    file: &'static str,
    seed: Vec<u8>,
    commands: &'static [&'static str],
}

pub(crate) fn attacks(count: u64, binary: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let binary = match binary {
        Some(binary) => binary.canonicalize().with_context(|| binary.display().to_string())?,
        None => {
            let built = cargo(&["build", "--quiet", "--package", "arcloom-cli"]).status()?;
            ensure!(built.success(), "the command does not build");
            target().join("debug").join(format!("arcloom{}", std::env::consts::EXE_SUFFIX))
        }
    };
    let folder = target().join("attacks");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("kept"))?;
    let place = Place { binary, folder };
    let mut random = Random(1);
    let (mut rows, mut failed) = (Vec::new(), 0);
    for attack in place.attacks()? {
        let (mut taken, mut refused, mut wrong) = (0, 0, 0);
        for n in 0..count {
            let bytes = mutated(&attack.seed, &mut random);
            let path = place.folder.join(attack.file);
            for end in ["", "-wal", "-shm", ".lock"] {
                let _ = std::fs::remove_file(format!("{}{end}", path.display()));
            }
            std::fs::write(&path, &bytes)?;
            for words in attack.commands {
                match place.run(words, attack.file)? {
                    Ok(true) => taken += 1,
                    Ok(false) => refused += 1,
                    Err(why) => {
                        wrong += 1;
                        let kept = format!("kept/{n}-{}", attack.file);
                        std::fs::write(place.folder.join(&kept), &bytes)?;
                        eprintln!("{}: {why}; `arcloom {words}` with {kept}", attack.what);
                    }
                }
            }
        }
        failed += wrong;
        rows.push((attack.what, taken, refused, wrong));
    }
    let (answered, wrong) = place.requests(count, &mut random)?;
    failed += wrong;
    rows.push(("requests to `serve`", answered, 0, wrong));
    println!(
        "| attack | runs | exit 0 | exit 1 or 2 | panics, signals, hangs |\n|---|---|---|---|---|"
    );
    for (what, taken, refused, wrong) in rows {
        println!("| {what} | {} | {taken} | {refused} | {wrong} |", taken + refused + wrong);
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

struct Place {
    binary: PathBuf,
    folder: PathBuf,
}

impl Place {
    fn attacks(&self) -> anyhow::Result<Vec<Attack>> {
        for words in [
            "archive -a sound.db import library:embedded --tasks embedded",
            "evolve -a sound.db --ids tally,parity_half --children 16 --population 8 --budget 3g --quiet",
            "archive -a sound.db export --format jsonl --output sound.jsonl",
        ] {
            let made = self.run(words, "")?;
            ensure!(made == Ok(true), "`arcloom {words}`: {made:?}");
        }
        let read = |name: &str| std::fs::read(self.folder.join(name)).context(name.to_owned());
        // The journal is moved into the file when the last one closes it.
        let archive = read("sound.db")?;
        let lines = read("sound.jsonl")?;
        let lines: Vec<u8> =
            lines.split_inclusive(|byte| *byte == b'\n').take(6).flatten().copied().collect();
        let task = br#"{"train": [{"input": [[1, 2], [3, 4]], "output": [[2, 1], [4, 3]]}, {"input": [[5, 0, 7]], "output": [[7, 0, 5]]}], "test": [{"input": [[5, 6]], "output": [[6, 5]]}]}"#;
        let program = self.command().args(["fmt", "library:embedded"]).output()?.stdout;
        // A few whole functions.
        let some = &program[..program.len().min(3000)];
        let end = some.windows(3).rposition(|blank| blank == b"\n\n\n").unwrap_or(some.len());
        let program = some[..end].to_vec();
        let config = b"color = \"never\"\n\n[evolve]\nchildren = 512\ncall_budget = 100_000\ntasks = [\"embedded\"]\n\n[check]\nquiet = true\n";
        let attack = |what, file, seed: Vec<u8>, commands| Attack { what, file, seed, commands };
        Ok(vec![
            attack(
                "archives",
                "a.db",
                archive,
                &[
                    "archive -a FILE stats --json",
                    "archive -a FILE verify",
                    "archive -a FILE export --format jsonl --output out.jsonl",
                    "archive -a other.db merge FILE",
                ],
            ),
            attack("JSON lines", "a.jsonl", lines, &["archive -a lines.db import FILE"]),
            attack(
                "task files",
                "a.json",
                task.to_vec(),
                &["show FILE", "solve FILE --budget 0.001s/task --jobs 1"],
            ),
            attack("solver files", "a.py", program, &["check FILE", "fmt FILE"]),
            attack("settings files", "a.toml", config.to_vec(), &["--config FILE config --print"]),
        ])
    }

    fn command(&self) -> Command {
        // More than this is an abort, which counts as a signal.
        let mut command = match cfg!(unix) {
            true => {
                let mut shell = Command::new("sh");
                shell
                    .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
                    .arg(&self.binary);
                shell
            }
            false => Command::new(&self.binary),
        };
        command.current_dir(&self.folder).env("NO_COLOR", "1");
        command.env("ARCLOOM_DATA_DIR", self.folder.join("data")).stdin(Stdio::null());
        command
    }

    /// Whether a command took a file (true) or refused it, or what is wrong with how it ended.
    fn run(&self, words: &str, file: &str) -> anyhow::Result<Result<bool, String>> {
        let mut command = self.command();
        command.args(words.split(' ').map(|word| if word == "FILE" { file } else { word }));
        let said = std::fs::File::create(self.folder.join("said.txt"))?;
        let mut child = command.stdout(Stdio::null()).stderr(said).spawn()?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > LONGEST {
                child.kill()?;
                child.wait()?;
                return Ok(Err(format!("does not end within {LONGEST:?}")));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let said = std::fs::read(self.folder.join("said.txt"))?;
        let said = String::from_utf8_lossy(&said);
        Ok(match status.code() {
            Some(code @ 0..=2) if !said.contains("panicked") => Ok(code == 0),
            code => Err(format!("ended with {code:?}: {}", said.lines().next().unwrap_or(""))),
        })
    }

    /// Sends mutated requests to a server; how many were answered or hung up on, and failures.
    fn requests(&self, count: u64, random: &mut Random) -> anyhow::Result<(u64, u64)> {
        let port = 20_000 + std::process::id() % 20_000;
        let mut command = self.command();
        command.args(["serve", "sound.db", "--no-open", "--port", &port.to_string()]);
        let said = std::fs::File::create(self.folder.join("served.txt"))?;
        let mut server = Killed(command.stdout(Stdio::null()).stderr(said).spawn()?);
        let address = format!("127.0.0.1:{port}");
        let start = Instant::now();
        while TcpStream::connect(&address).is_err() {
            ensure!(start.elapsed() < LONGEST, "the server does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        let host = format!("Host: {address}\r\n");
        let form = "program=O+%3D+hmirror%28I%29&task=tally&pair=0";
        let seeds = [
            format!("GET /tasks?q=tally&page=1 HTTP/1.1\r\n{host}\r\n"),
            format!("GET /program/8f2a8b486f55 HTTP/1.1\r\n{host}Cookie: look=dark\r\n\r\n"),
            format!("GET /lineage/8f2a8b486f55?depth=3 HTTP/1.1\r\n{host}\r\n"),
            format!(
                "POST /trace HTTP/1.1\r\n{host}Content-Type: application/x-www-form-urlencoded\r\n\
                 Content-Length: {}\r\n\r\n{form}",
                form.len()
            ),
            format!("GET /batt?programs=tally,parity_half HTTP/1.1\r\n{host}\r\n"),
        ];
        let (mut answered, mut wrong) = (0, 0);
        for n in 0..count {
            let seed = &seeds[n as usize % seeds.len()];
            let bytes = mutated(seed.as_bytes(), random);
            let sent = TcpStream::connect(&address).and_then(|mut stream| {
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                // The server may hang up while it is written to.
                let _ = stream.write_all(&bytes);
                let _ = stream.shutdown(std::net::Shutdown::Write);
                let mut start = [0; 512];
                match stream.read(&mut start) {
                    Err(cause) if cause.kind() == std::io::ErrorKind::WouldBlock => Err(cause),
                    _ => Ok(()),
                }
            });
            match sent {
                Ok(()) if server.0.try_wait()?.is_none() => answered += 1,
                _ => {
                    wrong += 1;
                    std::fs::write(self.folder.join(format!("kept/{n}-request")), &bytes)?;
                }
            }
        }
        let said = std::fs::read_to_string(self.folder.join("served.txt")).unwrap_or_default();
        wrong += said.matches("panicked").count() as u64;
        Ok((answered, wrong))
    }
}

/// A process that ends with this value.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Choices that repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

/// Numbers and words that break things.
const TOKENS: &[&[u8]] = &[
    b"-1",
    b"99999999999999999999",
    b"1e999",
    b"null",
    b"[[",
    b"]]",
    b"{",
    b"}",
    b"\"",
    b"\0",
    b"\xff\xfe",
    b"\r\n\r\n",
    b"%00",
    b"NaN",
    b"lambda",
    b"(((((((((((((((((((",
];

/// One to four changes: a byte, a piece cut out, doubled or moved, a token put in, the end cut off.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let to = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(7) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => _ = bytes.drain(at..to),
            3 => {
                let piece = bytes[at..to].to_vec();
                let place = random.below(bytes.len());
                bytes.splice(place..place, piece);
            }
            4 => {
                let token = TOKENS[random.below(TOKENS.len())];
                bytes.splice(at..at, token.iter().copied());
            }
            5 => bytes[at..to].fill(random.below(256) as u8),
            // Seldom, or little would be left of most.
            _ if random.below(6) == 0 => bytes.truncate(at),
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
    }
    bytes
}
