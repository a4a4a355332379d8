//! Devices give what the CPU gives, and when they fail the CPU goes on: with OpenCL's first device
//! (PoCL's in tests), with two of them, and with a stand-in for CUDA's driver whose launches run on it.
//!
//! Without an OpenCL device the tests say so and pass.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

fn arcloom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.env("NO_COLOR", "1").env_remove("LD_LIBRARY_PATH");
    command
}

fn run(command: &mut Command, device: &str) -> Output {
    let args = ["run", "-p", "library:embedded", "-t", "embedded", "--json", "--device", device];
    command.args(args).output().unwrap()
}

fn json(output: &Output) -> Json {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{output:?}"))
}

/// Everything that does not depend on who evaluated.
fn results(mut report: Json) -> Json {
    let fields = report.as_object_mut().unwrap();
    ["timing", "backend", "counts", "batt"].iter().for_each(|field| {
        fields.remove(*field);
    });
    report
}

fn has_device() -> bool {
    let list = arcloom().args(["devices", "--list", "--json"]).output().unwrap();
    let found = !json(&list)["devices"].as_array().unwrap().is_empty();
    if !found {
        println!("skipped: no OpenCL device; with Debian, install pocl-opencl-icd");
    }
    found
}

fn cpu() -> Json {
    results(json(&run(&mut arcloom(), "cpu")))
}

#[test]
fn a_device_gives_what_the_cpu_gives() {
    if !has_device() {
        return;
    }
    let report = json(&run(&mut arcloom(), "gpu"));
    let device = &report["timing"]["device"];
    println!("{device:#}");
    assert_eq!(report["backend"], "gpu");
    let used = &device["devices"][0];
    assert_eq!((&used["uploads"], &used["launches"]), (&1.into(), &1.into()), "one batch of all");
    assert_eq!(used["inputs"], report["counts"]["inputs"], "it spans all tasks");
    assert!(device["fallbacks"].as_array().unwrap().is_empty());
    let (down, values) = (&device["devices"][0]["bytes_down"], &device["results"]);
    assert_eq!(down.as_u64().unwrap(), values.as_u64().unwrap() * 12);
    let [share, speed] =
        ["utilisation", "bytes_per_second"].map(|field| used[field].as_f64().unwrap());
    assert!((0.0..=1.0).contains(&share) && speed > 0.0, "{used:#}");
    assert!(device["covered"].as_u64().unwrap() * 2 > device["programs"].as_u64().unwrap());
    assert_eq!(results(report), cpu());
}

/// `solve` and `submit` hand in the same bytes, and the lines of the log add up to what the report says.
#[test]
fn answers_are_the_same_and_the_log_adds_up() {
    if !has_device() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("answers");
    std::fs::create_dir_all(&folder).unwrap();
    let made = |device: &str| {
        let file = |name: &str| folder.join(format!("{device}-{name}"));
        let log = |name: &str, command: &mut Command| {
            command.args(["--device", device, "--device-log"]).arg(file(name));
        };
        let (answers, attempts) = (file("solve.json"), file("submit.json"));
        let mut solve = arcloom();
        solve.args([
            "solve",
            "embedded",
            "-p",
            "library:embedded",
            "--budget",
            "0.05s/task",
            "--json",
        ]);
        solve.arg("--submission").arg(&answers);
        log("solve.jsonl", &mut solve);
        let solved = solve.output().unwrap();
        let mut report = json(&solved);
        report.as_object_mut().unwrap().remove("timing");
        for task in report["tasks"].as_array_mut().unwrap() {
            task.as_object_mut().unwrap().remove("cpu");
        }
        let mut submit = arcloom();
        submit
            .args(["submit", "-p", "library:embedded", "-t", "embedded", "--output"])
            .arg(&attempts);
        log("submit.jsonl", &mut submit);
        assert!(submit.output().unwrap().status.success());
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let lines = |name: &str| -> Vec<Json> {
            read(&file(name)).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        ((report, read(&answers), read(&attempts)), lines("solve.jsonl"), lines("submit.jsonl"))
    };
    let (by_cpu, none, _) = made("cpu");
    assert!(none.is_empty(), "the CPU has no batches");
    let (by_device, solve, submit) = made("gpu");
    assert_eq!(by_device, by_cpu);
    let inputs =
        |lines: &[Json]| lines.iter().map(|line| line["inputs"].as_u64().unwrap()).sum::<u64>();
    let all = json(&run(&mut arcloom(), "cpu"))["counts"]["inputs"].as_u64().unwrap();
    assert_eq!((inputs(&solve), inputs(&submit)), (all, all), "{solve:#?}");
    for line in solve.iter().chain(&submit) {
        let [begun, done, busy] = ["begun_seconds", "done_seconds", "busy_seconds"]
            .map(|field| line[field].as_f64().unwrap());
        assert!(begun < done && busy > 0.0, "{line}");
        let [runs, programs, of] =
            ["runs", "programs", "inputs"].map(|field| line[field].as_u64().unwrap());
        assert_eq!(runs, programs * of);
        assert_eq!(line["bytes_down"].as_u64().unwrap() % 12, 0);
    }
}

#[test]
fn auto_says_why() {
    let report = json(&run(&mut arcloom(), "auto"));
    let why = report["timing"]["device"]["chosen"].as_str().unwrap().to_owned();
    println!("{why}");
    assert!(why.starts_with("the CPU: ") || why.starts_with("the devices: "), "{why}");
    assert_eq!(results(report), cpu());
}

#[test]
fn two_devices_share_a_run() {
    if !has_device() {
        return;
    }
    let report = json(&run(arcloom().env("POCL_DEVICES", "pthread pthread"), "gpu"));
    let used = report["timing"]["device"]["devices"].as_array().unwrap().clone();
    println!("{used:#?}");
    if used.len() < 2 {
        return println!("skipped: OpenCL has one device and does not make two of it");
    }
    let inputs: u64 = used.iter().map(|used| used["inputs"].as_u64().unwrap()).sum();
    assert_eq!(inputs, report["counts"]["inputs"].as_u64().unwrap());
    assert_eq!(results(report), cpu());
}

#[test]
fn a_number_that_no_device_has() {
    let output = run(&mut arcloom(), "gpu:99");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("no device") && text.contains("the CPU goes on"), "{text}");
    assert_eq!(results(json(&output)), cpu());
}

/// A folder with the stand-in, or another library, as CUDA's driver.
fn driver(name: &str, library: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(library, folder.join("libcuda.so")).unwrap();
    folder
}

/// The stand-in, built anew where it is not up to date.
fn standin() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_arcloom")).parent()?;
    let mut build = Command::new(std::env::var_os("CARGO")?);
    build.args(["build", "--quiet", "-p", "arcloom-gpu-standin", "--target-dir"]);
    build.arg(target.parent()?);
    let library = target.join("libarcloom_gpu_standin.so");
    if !build.status().is_ok_and(|status| status.success()) || !library.is_file() {
        println!("skipped: the stand-in could not be built");
        return None;
    }
    Some(library)
}

#[test]
fn cuda_s_way_gives_what_the_cpu_gives() {
    if !has_device() || !cfg!(target_os = "linux") {
        return;
    }
    let Some(library) = standin() else { return };
    let folder = driver("whole", &library);
    let report = json(&run(arcloom().env("LD_LIBRARY_PATH", folder), "gpu:0"));
    let used = &report["timing"]["device"]["devices"][0];
    println!("{used:#}");
    assert_eq!((&used["name"], &used["api"]), (&"stand-in".into(), &"CUDA".into()));
    assert_eq!(used["launches"], 1);
    assert_eq!(results(report), cpu());
}

/// More programs than fit into one stretch, so that a run has several batches.
fn run_many(command: &mut Command, device: &str) -> Output {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many.py");
    let solver = |n: usize| {
        let (color, other) = (n % 10, n / 10 % 10);
        let turn = ["rot90", "hmirror", "vmirror", "dmirror"][n % 4];
        format!(
            "def solve_p{n}(I):\n    x1 = replace(I, {color}, {other})\n    x2 = {turn}(x1)\n    O = \
             fill(x2, {other}, ofcolor(x2, {color}))\n    return O\n\n"
        )
    };
    std::fs::write(&path, (0..320).map(solver).collect::<String>()).unwrap();
    let path = path.to_string_lossy().into_owned();
    let args = ["run", "-p", &path, "-t", "embedded", "--json", "--device", device];
    command.args(args).output().unwrap()
}

/// Inputs are sent once, every batch spans all of them and comes back once, and what is late in one
/// stream is waited for in the others.
#[test]
fn batches_under_way_at_a_time() {
    if !has_device() || !cfg!(target_os = "linux") {
        return;
    }
    let Some(library) = standin() else { return };
    let folder = driver("streams", &library);
    let expected = results(json(&run_many(&mut arcloom(), "cpu")));
    for slow in ["nothing", "up", "launch", "down"] {
        let mut command = arcloom();
        command.env("LD_LIBRARY_PATH", &folder).env("ARCLOOM_STANDIN_SLOW", slow);
        let report = json(&run_many(&mut command, "gpu:0"));
        let device = &report["timing"]["device"];
        let used = &device["devices"][0];
        println!("{slow} is slow: {used}");
        assert_eq!((&used["api"], &used["uploads"]), (&"CUDA".into(), &1.into()));
        assert_eq!(used["inputs"], report["counts"]["inputs"]);
        let launches = used["launches"].as_u64().unwrap();
        assert!(launches > 1, "{launches}");
        assert_eq!(used["bytes_down"].as_u64(), device["results"].as_u64().map(|n| n * 12));
        if slow == "down" {
            // The second kernel runs while the first results are on their way.
            assert!(used["overlapped_seconds"].as_f64().unwrap() > 0.001, "{used}");
        }
        assert_eq!(results(report), expected, "{slow}");
    }
    let mut command = arcloom();
    command.env("LD_LIBRARY_PATH", &folder).env("ARCLOOM_STANDIN_FAULT", "later");
    let output = run_many(&mut command, "gpu:0");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("the device failed") && text.contains("the CPU goes on"), "{text}");
    // Whether the first batch came back before the second was lost is a matter of time.
    assert_eq!(results(json(&output)), expected);
}

/// A driver that goes wrong in this way: one line says so, and the results are right.
fn check_fault(fault: &str, says: &str) {
    if !has_device() || !cfg!(target_os = "linux") {
        return;
    }
    let Some(library) = standin() else { return };
    let folder = driver(fault, &library);
    let mut command = arcloom();
    command.env("LD_LIBRARY_PATH", folder).env("ARCLOOM_STANDIN_FAULT", fault);
    let output = run(&mut command, "gpu:0");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    println!("{fault}: {text}");
    let report = json(&output);
    let fallbacks = report["timing"]["device"]["fallbacks"].as_array().unwrap().clone();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(says) && text.contains("the CPU goes on"), "{text}");
    assert_eq!(fallbacks.len(), 1, "{fallbacks:?}");
    assert_eq!(results(report), cpu());
}

#[test]
fn out_of_memory() {
    check_fault("memory", "out of memory on the device");
}

#[test]
fn a_device_that_is_lost() {
    check_fault("lost", "the device failed: CUDA_ERROR_LAUNCH_FAILED");
}

#[test]
fn a_module_that_is_refused() {
    check_fault("refuse", "the kernels could not be built");
}

#[test]
fn a_driver_that_is_too_old_leaves_opencl_s_devices() {
    if !has_device() || !cfg!(target_os = "linux") {
        return;
    }
    let Some(library) = standin() else { return };
    let folder = driver("old", &library);
    let mut command = arcloom();
    command.env("LD_LIBRARY_PATH", folder).env("ARCLOOM_STANDIN_FAULT", "old");
    let list = json(&command.args(["devices", "--list", "--json"]).output().unwrap());
    let absent = list["absent"][0].as_str().unwrap().to_owned();
    assert!(absent.contains("the driver is for CUDA 11.0, and 11.8"), "{absent}");
    assert_eq!(list["devices"][0]["api"], "OpenCL");
}

#[test]
fn a_library_without_the_symbols() {
    if !has_device() || !cfg!(target_os = "linux") {
        return;
    }
    // Any library will do that is not the driver.
    let Some(other) = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"]
        .iter()
        .map(Path::new)
        .find(|path| path.is_file())
    else {
        return println!("skipped: no library to stand in for a broken one");
    };
    let folder = driver("broken", other);
    let mut command = arcloom();
    let list = command.env("LD_LIBRARY_PATH", folder).args(["devices", "--list", "--json"]);
    let output = list.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.is_empty(), "{text}");
    let absent = json(&output)["absent"][0].as_str().unwrap().to_owned();
    println!("{absent}");
    assert!(absent.starts_with("no device: CUDA: "), "{absent}");
}
