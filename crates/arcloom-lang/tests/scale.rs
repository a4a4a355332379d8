//! Reading and writing files takes time in proportion to their size: twice the input takes at most 2.5 times as
//! long, so four times the input at most 6.25 times, where what is quadratic takes 16. Counted in processor time
//! of this thread, best of several: what else runs on the machine does not count.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(clippy::print_stdout, reason = "what a test counted")]

use std::hint::black_box;

use arcloom_lang::{Form, load_bytes, text};

/// Nanoseconds that this thread has had a processor.
fn now() -> u64 {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    line.split(' ').next().unwrap().parse().unwrap()
}

/// Nanoseconds of processor time that so many repetitions take.
fn time(times: u64, work: &impl Fn(&str), text: &str) -> u64 {
    let start = now();
    (0..times).for_each(|_| work(text));
    now() - start
}

/// The system counts in steps of some milliseconds.
const ENOUGH: u64 = 60_000_000;

#[track_caller]
fn check_linear(what: &str, size: usize, make: impl Fn(usize) -> String, work: impl Fn(&str)) {
    let (small, large) = (make(size), make(4 * size));
    let mut times = 4;
    while time(times, &work, &small) < ENOUGH {
        times *= 2;
    }
    // The best of several pairs: what disturbs one of them is not the input's fault.
    let ratio = |_| {
        let (small, large) = (time(times, &work, &small), time(times / 4, &work, &large));
        4.0 * large as f64 / small.max(1) as f64
    };
    let ratio = (0..5).map(ratio).fold(f64::INFINITY, f64::min);
    println!("{what}: four times the input takes {ratio:.2} times as long");
    assert!(ratio <= 2.5 * 2.5, "{what}: four times the input takes {ratio:.2} times as long");
}

/// What `fmt` does.
fn format(text: &str) {
    let loaded = load_bytes(text.as_bytes());
    black_box(text::print_file(&loaded.programs, Form::Straight));
}

fn load(text: &str) {
    black_box(load_bytes(text.as_bytes()));
}

#[test]
fn many_functions() {
    let one = |n: usize| {
        format!("def solve_{n}(I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n")
    };
    check_linear("functions", 10_000, |size| (0..size).map(one).collect(), format);
}

#[test]
fn many_helpers_and_constants() {
    let one = |n: usize| {
        format!(
            "K{n} = {n}\ndef helper_{n}(a):\n    return add(a, K{n})\n\
             def solve_{n}(I):\n    x1 = helper_{n}(THREE)\n    O = upscale(I, x1)\n    return O\n"
        )
    };
    check_linear("helpers", 3_000, |size| (0..size).map(one).collect(), format);
}

#[test]
fn many_reassignments_in_one_function() {
    let lines = |size: usize| {
        let lines = "    x = hmirror(x)\n".repeat(size);
        format!("def solve_t(I):\n    x = I\n{lines}    return x\n")
    };
    check_linear("reassignments", 5_000, lines, format);
    // More than a program may hold: read to the end all the same.
    let same = |size: usize| {
        let lines = "    x = hmirror(I)\n".repeat(size);
        format!("def solve_t(I):\n    x = I\n{lines}    return x\n")
    };
    check_linear("equal lines", 100_000, same, load);
}

#[test]
fn many_unused_lines_on_one() {
    let lines = |size: usize| {
        let line = |n: usize| format!("x{n} = add({n}, ONE); ");
        format!("def solve_t(I):\n    {}return I\n", (0..size).map(line).collect::<String>())
    };
    check_linear("unused", 4_000, lines, load);
    let loaded = load_bytes(lines(10_000).as_bytes());
    assert_eq!(loaded.programs.len(), 1);
    assert!(loaded.notes.len() <= 2_000, "{}", loaded.notes.len());
}

#[test]
fn many_names_that_are_not_there() {
    let one = |n: usize| format!("def solve_{n}(I):\n    return hmiror_{n}(I)\n");
    check_linear("unknown names", 1_000, |size| (0..size).map(one).collect(), load);
}
