//! An archive with 100,000 programs stays usable: pages of bounded size, each within a moment.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

use arcloom::archive::{
    Access, Archive, Behaviour, GenerationBatch, GenerationRecord, NewRun, OperatorRecord,
    ProgramRecord, Records, ResultRecord, RunState, task_record,
};
use arcloom::{Catalog, Engine, Stop, one_program};
use arcloom_web::{Contents, ServeOptions, Server, Site};

const PROGRAMS: usize = 100_000;
const GENERATIONS: u64 = 50;

/// An archive of programs that differ in a position and a colour, each made from the one before.
fn archive(tasks: &arcloom::TaskSet) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("large");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.db");
    let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
    let new = NewRun {
        seed: 1,
        config: "{}".into(),
        version: "0.1.0".into(),
        started: 1_700_000_000,
        ..NewRun::default()
    };
    let run = archive.begin_run(&new).unwrap();
    let per = PROGRAMS / GENERATIONS as usize;
    let mut last = None;
    for number in 0..GENERATIONS {
        let mut records = Records::default();
        for task in &tasks.tasks {
            records.tasks.push(task_record(task, &tasks.name));
        }
        for n in number as usize * per..(number as usize + 1) * per {
            let (a, b, c) = (n % 317, n / 317, n % 10);
            let text = format!("x1 = astuple({a}, {b})\nx2 = initset(x1)\nO = fill(I, {c}, x2)");
            let mut program = one_program("made", &text).unwrap().program;
            let task = &tasks.tasks[n % tasks.tasks.len()];
            program.name = format!("solve_{}", task.id);
            let mut record = ProgramRecord::new(&program, ProgramRecord::EVOLVED);
            (record.run, record.generation) = (Some(run), Some(number));
            record.operator = last.map(|_| "constant".to_owned());
            record.parents.extend(last);
            last = Some(record.id);
            records.results.push(ResultRecord {
                program: record.id,
                task: task.visible_id(),
                pairs: if n % 97 == 0 { "1" } else { "0" }.repeat(task.demos.len()),
                similarity: (n % 1000) as u32,
                work: 100,
                behaviour: Behaviour([(n % 251) as u8; 16]),
                validated: None,
            });
            records.programs.push(record);
        }
        let figures = GenerationRecord {
            run,
            number,
            evaluations: per as u64,
            new_programs: per as u64,
            solved: number,
            stats: r#"{"alive":100,"nearest":null}"#.into(),
            finished: 1_700_000_000 + number as i64,
            memory: Some(80_000_000 + number * 10_000),
        };
        let operator = OperatorRecord {
            operator: "constant".into(),
            applied: 10 * number + 10,
            valid: 9 * number,
            new: 8 * number,
            improving: number,
        };
        let batch = GenerationBatch {
            figures,
            records,
            operators: vec![operator],
            populations: Vec::new(),
            checkpoint: Vec::new(),
            state: RunState::Running,
            prune: None,
        };
        archive.commit(&batch).unwrap();
    }
    path
}

#[test]
fn a_hundred_thousand_programs_stay_usable() {
    let tasks = Catalog::open(None).resolve_tasks("embedded").unwrap();
    let path = archive(&tasks);
    let id = {
        let archive = Archive::create_or_open(&path, Access::Read).unwrap();
        let query = arcloom::archive::PageQuery { limit: 1, ..Default::default() };
        let page = archive.page(&query).unwrap();
        assert_eq!(page.total, PROGRAMS as u64);
        page.programs[0].id.to_string()[..12].to_owned()
    };
    let engine = Engine::builder().threads(1).build().unwrap();
    let palette = arcloom::draw::Palette::CLASSIC;
    let contents = Contents {
        sets: vec![tasks],
        library: Vec::new(),
        archive: Some(path),
        others: Vec::new(),
        writable: false,
        engine,
        palette,
    };
    let options = ServeOptions { port: Some(0), ..ServeOptions::default() };
    let server = Server::bind(Site::new(contents), &options).unwrap();
    let address = server.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let stop = Arc::new(Stop::default());
    let thread = std::thread::spawn({
        let stop = stop.clone();
        move || server.run(&stop).unwrap()
    });
    for path in [
        "/tasks",
        "/task/ring_largest",
        "/programs",
        "/programs?page=2000",
        "/programs?task=ring_largest&page=3",
        "/programs?fits=1",
        "/programs?q=(7,%20300)",
        "/programs?q=nothing-like-that",
        &format!("/program/{id}"),
        &format!("/lineage/{id}?back=64"),
        "/runs",
        "/run/1",
        "/batt?from=archive",
    ] {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let took = begun.elapsed();
        println!("{took:>8.0?} {:>7} bytes {path}", answer.len());
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(answer.len() < 400_000, "{path}: {} bytes", answer.len());
    }
    stop.set();
    thread.join().unwrap();
}
