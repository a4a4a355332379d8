//! What people see: whole screens of a terminal of 80 and of 200 columns, drawn by tmux.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(clippy::print_stdout, reason = "a test says that it is skipped")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A terminal of so many columns with one command in it; ends with the test.
struct Screen {
    socket: String,
    columns: usize,
    /// Where the screen is kept, for people to look at.
    file: PathBuf,
}

/// What is printed when the command has ended.
const END: &str = "exit code";
/// Far more than anything here takes, on a machine that does many other things.
const PATIENCE: Duration = Duration::from_secs(240);

impl Screen {
    fn new(name: &str, columns: usize, command: &str) -> Screen {
        let dir = folder(name, columns);
        let socket = format!("arcloom-{name}-{columns}-{}", std::process::id());
        let screen = Screen { socket, columns, file: dir.with_extension("txt") };
        let binary = env!("CARGO_BIN_EXE_arcloom");
        let shell = format!(
            "trap : INT; cd '{}'; arcloom() {{ '{binary}' \"$@\"; }}; {command}; echo \"{END} $?\"; sleep 600",
            dir.display()
        );
        let size = [("-x", columns.to_string()), ("-y", "400".to_owned())];
        let mut start = screen.tmux(&["-f", "/dev/null", "new-session", "-d"]);
        for (option, value) in &size {
            start.args([option, value.as_str()]);
        }
        start
            .env("ARCLOOM_DATA_DIR", dir.join("data"))
            .env("CARGO_PKG_NAME", "")
            .env_remove("TMUX");
        start.env_remove("NO_COLOR").env_remove("COLUMNS").env("SHELL", "/bin/sh");
        assert!(start.arg(shell).status().unwrap().success(), "tmux starts");
        screen
    }

    fn tmux(&self, words: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(words).stderr(Stdio::null());
        command
    }

    /// The lines on the screen, wrapped ones joined.
    fn lines(&self) -> Vec<String> {
        let output = self.tmux(&["capture-pane", "-p", "-J"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        lines.into_iter().map(str::to_owned).collect()
    }

    /// Waits until the screen has this, and gives its lines.
    fn until(&self, what: impl Fn(&[String]) -> bool) -> Vec<String> {
        let start = Instant::now();
        loop {
            let lines = self.lines();
            if what(&lines) {
                return lines;
            }
            assert!(start.elapsed() < PATIENCE, "{}", lines.join("\n"));
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The whole screen at the end, its last line being the exit code.
    fn end(&self, code: u8) -> Vec<String> {
        let mut lines = self.until(|lines| lines.iter().any(|line| line.starts_with(END)));
        fs::write(&self.file, lines.join("\n") + "\n").unwrap();
        assert_eq!(lines.pop().unwrap(), format!("{END} {code}"), "{}", lines.join("\n"));
        self.check_width(&lines);
        lines
    }

    /// Nothing is longer than a line, but for sentences, which a terminal may wrap.
    fn check_width(&self, lines: &[String]) {
        for line in lines.iter().filter(|line| !line.starts_with("arcloom: ")) {
            assert!(line.chars().count() <= self.columns, "{} columns: {line}", self.columns);
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).status();
    }
}

fn folder(name: &str, columns: usize) -> PathBuf {
    let dir =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens").join(format!("{name}-{columns}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let wrong = "def solve_tally(I):\n    x1 = objects(I, T, T, T)\n    x2 = size(x1)\n    x3 = astuple(x2, ONE)\n    x4 = canvas(FOUR, x3)\n    O = fill(x4, ONE, initset(ORIGIN))\n    return O\n";
    fs::write(dir.join("wrong.py"), wrong).unwrap();
    dir
}

/// Runs the check at both widths, where there is a tmux.
fn at_both(check: impl Fn(usize)) {
    let mut tmux = Command::new("tmux");
    let there = tmux.arg("-V").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !there {
        println!("skipped: there is no tmux");
        return;
    }
    [80, 200].into_iter().for_each(check);
}

fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}

#[track_caller]
fn check_has(lines: &[String], parts: &[&str]) {
    for part in parts {
        assert!(has(lines, part), "`{part}` is missing:\n{}", lines.join("\n"));
    }
}

#[test]
fn the_first_screen() {
    at_both(|columns| {
        let screen = Screen::new("first", columns, "arcloom");
        // Something is said before the work begins.
        screen.until(|lines| has(lines, "Solving the 16 of 48 built-in tasks"));
        let lines = screen.end(0);
        check_has(&lines, &["of 16 right"]);
        // A machine that does many other things solves nothing in that time, and then there is nothing to draw.
        if !has(&lines, "0 of 16 right") || has(&lines, "10 of 16 right") {
            check_has(&lines, &["attempt 1", "attempt 2", "expected", "program  from"]);
        }
        check_has(&lines, &["What to type next", "arcloom solve", "arcloom serve", "data pull"]);
        assert!(!has(&lines, "━"), "the live line is gone:\n{}", lines.join("\n"));
    });
}

#[test]
fn one_task_is_drawn() {
    at_both(|columns| {
        let lines = Screen::new("one", columns, "arcloom solve blue_sparks").end(0);
        check_has(&lines, &["task blue_sparks  right, fits 4/4", "✓ right", "attempt 2", "doubt"]);
        check_has(&lines, &["def solve_blue_sparks(I):", "1 task: 1 right"]);
        // Marks of the second attempt, which is wrong.
        check_has(&lines, &["cells wrong ×", "××"]);
    });
}

#[test]
fn many_tasks_are_a_line_each() {
    at_both(|columns| {
        let command = "arcloom solve --count 30 --seed 1 --budget 0.02s/task";
        let lines = Screen::new("many", columns, command).end(0);
        check_has(&lines, &["task ", "tests ", "origin", "30 tasks: "]);
        let rows = lines.iter().filter(|line| line.contains(" right ") && line.contains('/'));
        assert!(rows.count() >= 5, "{}", lines.join("\n"));
        if columns == 80 {
            assert!(has(&lines, "…"), "programs are cut:\n{}", lines.join("\n"));
        }
    });
}

#[test]
fn evolution_under_way_and_interrupted() {
    at_both(|columns| {
        let command = "arcloom evolve -p library:embedded -t embedded --ids count_difference,tally --children 24 --go-on --budget 1000000g";
        let screen = Screen::new("evolve", columns, command);
        let is_live = |line: &String| line.contains("generation ") && line.contains(" of 2 fit");
        let under_way = screen
            .until(|lines| lines.iter().any(|line| is_live(line) && line.contains("nearest")));
        screen.check_width(&under_way);
        fs::write(screen.file.with_extension("under-way.txt"), under_way.join("\n") + "\n")
            .unwrap();
        let live = under_way.iter().filter(|line| is_live(line) && !line.starts_with("generation"));
        assert_eq!(live.count(), 1, "one live line:\n{}", under_way.join("\n"));
        screen.tmux(&["send-keys", "C-c"]).status().unwrap();
        let lines = screen.end(1);
        check_has(&lines, &["arcloom: stopping; Ctrl-C again ends at once"]);
        check_has(&lines, &["the same command", "continue where this run stopped"]);
        // The terminal's own `^C` may push the last state of the live line up; nothing is drawn after that.
        let after = lines.iter().skip_while(|line| !line.starts_with("arcloom: stopping"));
        let live = after.filter(|line| line.contains("nearest") || line.contains('⠉'));
        assert_eq!(live.count(), 0, "nothing is left of the live line:\n{}", lines.join("\n"));
    });
}

#[test]
fn a_wrong_trace_marks_the_cells() {
    at_both(|columns| {
        let lines = Screen::new("trace", columns, "arcloom trace wrong.py").end(1);
        check_has(
            &lines,
            &["✗ not the expected output", "output", "expected", "cells wrong ×", "××"],
        );
    });
}
