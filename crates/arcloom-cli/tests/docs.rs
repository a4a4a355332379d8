//! The documentation is true: every `console` block of the pages below is run, in order, in a new folder with
//! an empty data folder, and prints what is written there word for word. Times and ports may differ.
//!
//! - A block of Python whose first line is `# NAME.py` is saved as that file.
//! - A line `...` stands for any number of lines.
//! - `arcloom serve` is interrupted when it has printed as many lines as are expected.
//!
//! `ARCLOOM_BLESS=1 cargo test -p arcloom-cli --test docs` writes what is printed now into blocks without `...`.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pages, from the repository's root.
const PAGES: &[&str] = &[
    "README.md",
    "docs/tutorial.md",
    "docs/solve.md",
    "docs/run.md",
    "docs/evolve.md",
    "docs/judge.md",
    "examples/README.md",
];

#[test]
fn the_readme_is_true() {
    check(PAGES[0]);
}

#[test]
fn the_tutorial_is_true() {
    check(PAGES[1]);
}

#[test]
fn the_how_to_pages_are_true() {
    for page in &PAGES[2..] {
        check(page);
    }
}

/// A readme is read in one go.
#[test]
fn the_readme_is_short() {
    let text = fs::read_to_string(root().join("README.md")).expect("the readme");
    let lines = text.lines().count();
    assert!(lines < 150, "README.md has {lines} lines; what is longer belongs into docs/");
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A fenced block.
struct Block {
    /// What follows the fence.
    kind: String,
    /// The lines between the fences in the page.
    lines: std::ops::Range<usize>,
}

fn blocks(page: &[String]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (n, line) in page.iter().enumerate() {
        let Some(rest) = line.strip_prefix("```") else { continue };
        open = match open {
            None => Some((n + 1, rest.to_owned())),
            Some((start, kind)) => {
                found.push(Block { kind, lines: start..n });
                None
            }
        };
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

/// Runs a page.
fn check(name: &str) {
    let path = root().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let page: Vec<String> = text.lines().map(str::to_owned).collect();
    let folder = folder(name);
    let (mut blessed, mut wrong) = (Vec::new(), Vec::new());
    let mut at = 0;
    for block in blocks(&page) {
        let lines = &page[block.lines.clone()];
        blessed.extend_from_slice(&page[at..block.lines.start]);
        at = block.lines.end;
        match block.kind.as_str() {
            "python" => save(lines, &folder),
            "console" => {
                let (now, problems) = run(lines, &folder);
                let place = |problem| format!("{name}:{}: {problem}", block.lines.start + 1);
                wrong.extend(problems.into_iter().map(place));
                blessed.extend(now);
                continue;
            }
            _ => {}
        }
        blessed.extend_from_slice(lines);
    }
    blessed.extend_from_slice(&page[at..]);
    if std::env::var_os("ARCLOOM_BLESS").is_some() {
        fs::write(&path, blessed.join("\n") + "\n").expect("the page can be written");
    }
    assert!(wrong.is_empty(), "{}\nARCLOOM_BLESS=1 writes what is printed now", wrong.join("\n"));
}

/// A new folder with the examples in it, as in a checkout.
fn folder(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs").join(name.replace('/', "-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let examples = root().join("examples").canonicalize().expect("the examples");
    std::os::unix::fs::symlink(examples, folder.join("examples")).expect("a link");
    folder
}

/// Saves a block that names its file.
fn save(lines: &[String], folder: &Path) {
    let name = lines.first().and_then(|line| line.strip_prefix("# "));
    if let Some(name) = name.filter(|name| name.ends_with(".py") && !name.contains(' ')) {
        fs::write(folder.join(name), lines.join("\n") + "\n").expect("a file");
    }
}

/// Runs the commands of a block; gives the block as it is printed now, and what differs.
fn run(lines: &[String], folder: &Path) -> (Vec<String>, Vec<String>) {
    let (mut now, mut wrong) = (Vec::new(), Vec::new());
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let command = first.strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {first}"));
        let end = rest[1..].iter().position(|line| line.starts_with("$ "));
        let end = end.map_or(rest.len(), |end| end + 1);
        let expected = &rest[1..end];
        // Blank lines between two commands are for the reader.
        let trailing = expected.iter().rev().take_while(|line| line.is_empty()).count();
        let (expected, blank) = expected.split_at(expected.len() - trailing);
        let printed = outcome(command, expected.len(), folder);
        let same = fits(expected, &printed);
        if !same {
            wrong.push(format!("`{command}` printed\n{}\n", printed.join("\n")));
        }
        now.push(first.clone());
        let is_cut = expected.iter().any(|line| line == "...");
        now.extend_from_slice(if same || is_cut { expected } else { &printed });
        now.extend_from_slice(blank);
        rest = &rest[end..];
    }
    (now, wrong)
}

/// What a command prints, on both streams, without blank lines at its end.
fn outcome(command: &str, expected: usize, folder: &Path) -> Vec<String> {
    let binary = env!("CARGO_BIN_EXE_arcloom");
    let shell = format!("arcloom() {{ '{binary}' \"$@\"; }}\nexec 2>&1\n{command}");
    let serves = command.starts_with("arcloom serve");
    // What is interrupted must be the command itself.
    let shell = match serves {
        true => format!("exec 2>&1\nexec '{binary}' {} --no-open", &command["arcloom ".len()..]),
        false => shell,
    };
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .env("ARCLOOM_DATA_DIR", folder.join("data"))
        .env("NO_COLOR", "1")
        .env("CARGO_PKG_NAME", "")
        .spawn()
        .expect("sh runs");
    let output = child.stdout.take().expect("a pipe");
    let mut lines: Vec<String> = Vec::new();
    for line in BufReader::new(output).lines() {
        lines.push(line.expect("UTF-8").trim_end().to_owned());
        if serves && lines.len() == expected {
            let id = child.id().to_string();
            let _ = Command::new("kill").args(["-INT", &id]).status();
        }
    }
    let _ = child.wait();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// True when the lines are the expected ones but for times and ports.
fn fits(expected: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return printed.is_empty() };
    if first == "..." {
        return (0..=printed.len()).any(|n| fits(rest, &printed[n..]));
    }
    printed.split_first().is_some_and(|(line, others)| same(first, line) && fits(rest, others))
}

/// Compares two lines: a time is as good as another one, and so are a port and a number of threads.
fn same(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (masked(expected), masked(printed));
    expected.trim_end() == printed.trim_end()
}

fn masked(line: &str) -> String {
    const UNITS: &[&str] = &["s", "ms", "µs", "us", "min", "h"];
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',')
    };
    for n in 1..words.len() {
        let unit = words[n].trim_end_matches([',', ':', ')', ';']);
        if UNITS.contains(&unit) && is_number(words[n - 1].trim_start_matches('(')) {
            words[n] = words[n].replacen(unit, "TIME", 1);
            words[n - 1].clear();
        }
    }
    for word in &mut words {
        if let Some(at) = word.find("127.0.0.1:") {
            let port = at + "127.0.0.1:".len();
            let end = word[port..].find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len() - port);
            word.replace_range(port..port + end, "PORT");
        }
    }
    for n in 1..words.len() {
        if words[n].starts_with("thread") && is_number(&words[n - 1]) {
            words[n - 1].clear();
            words[n] = words[n].replacen("threads", "thread", 1);
        }
    }
    // Times are aligned to the right, so the room before one depends on it.
    let line = words.join(" ");
    let parts: Vec<&str> = line.split("TIME").collect();
    let (last, before) = parts.split_last().expect("a line has a last part");
    let before: String = before.iter().map(|part| format!("{} TIME", part.trim_end())).collect();
    before + last
}

#[test]
fn times_and_ports_are_no_difference() {
    assert!(same("8 of 16 right  1.72 s", "8 of 16 right  900 ms"));
    assert!(same("loaded in 3 ms", "loaded in 1,234 µs"));
    assert!(same("see http://127.0.0.1:8732/task", "see http://127.0.0.1:9/task"));
    assert!(!same("8 of 16 right  1.72 s", "7 of 16 right  1.72 s"));
    assert!(!same("4 seconds", "5 seconds"));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n...\nd"), &lines("a\nb\nc\nd")));
    assert!(!fits(&lines("a\n...\nd"), &lines("a\nb\nc")));
    assert!(!fits(&lines("a"), &lines("a\nb")));
}

/// Every field of `--json` is named in its section of docs/json.md, or among the fields of all commands.
#[test]
fn every_json_field_is_documented() {
    const COMMANDS: &[(&str, &str)] = &[
        ("check", "check library:embedded"),
        ("run", "run --ids tally"),
        ("solve", "solve tally --budget 0.02s/task"),
        ("evolve", "evolve --ids tally --budget 1g"),
        ("submit", "submit -p library:embedded -t embedded/tally -o sub.json"),
        (
            "score",
            "solve tally --budget 0.02s/task -q -o s.json >/dev/null && arcloom score s.json -t embedded/tally",
        ),
        ("show", "show tally"),
        ("show", "show library:embedded"),
        ("archive", "archive list"),
        ("archive", "archive list --unsolved"),
        ("archive", "archive stats"),
        ("data list", "data list"),
        ("card", "card library:embedded --ids tally"),
        ("dsl", "dsl"),
        ("devices", "devices --list"),
        ("config", "config"),
    ];
    let text = fs::read_to_string(root().join("docs/json.md")).expect("the page");
    let section = |name: &str| {
        let text = text.split("\n## ").find(|part| part.lines().next() == Some(name));
        text.unwrap_or_else(|| panic!("docs/json.md has no section `{name}`"))
    };
    let common = text.split("\n## ").next().expect("a beginning");
    let folder = folder("json");
    for (name, command) in COMMANDS {
        let lines = outcome(&format!("arcloom {command} --json 2>/dev/null"), 0, &folder);
        let printed = lines.join("\n");
        let values = serde_json::Deserializer::from_str(&printed).into_iter::<serde_json::Value>();
        let values: Vec<_> = values.map(|value| value.expect("JSON")).collect();
        assert!(!values.is_empty(), "{command} prints nothing");
        for field in values.iter().flat_map(fields) {
            let quoted = format!("`{field}`");
            let known = section(name).contains(&quoted) || common.contains(&quoted);
            // Keys that are names of tables, stages, families and differs are data.
            assert!(known || is_data(&field), "{command}: {quoted} is not in docs/json.md");
        }
    }
}

/// The keys of an object that are fields, those of its parts included.
fn fields(value: &serde_json::Value) -> Vec<String> {
    const MAPS: &[&str] = &[
        "rows",
        "pruned",
        "scores",
        "by_cost",
        "by_family",
        "timing",
        "config",
        "demos",
        "operators",
    ];
    match value {
        serde_json::Value::Object(object) => {
            let inside = object.iter().filter(|(key, _)| !MAPS.contains(&key.as_str()));
            let inside: Vec<String> = inside.flat_map(|(_, value)| fields(value)).collect();
            object.keys().cloned().chain(inside).collect()
        }
        serde_json::Value::Array(items) => items.iter().flat_map(fields).collect(),
        _ => Vec::new(),
    }
}

/// Endings that docs/json.md explains once for all.
fn is_data(field: &str) -> bool {
    ["_count", "_seconds", "_bytes"].iter().any(|end| field.ends_with(end))
}
