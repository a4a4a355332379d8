//! Archives with made-up content.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use arcloom_store::*;

/// An empty folder with the name of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

pub(crate) fn open(path: &Path) -> Archive {
    Archive::create_or_open(path, Access::Write).unwrap()
}

pub(crate) fn hash(what: &str, n: u64) -> [u8; 32] {
    *blake3::hash(format!("{what} {n}").as_bytes()).as_bytes()
}

pub(crate) fn id(n: u64) -> ProgramId {
    ProgramId(hash("program", n))
}

pub(crate) fn task(n: u64) -> TaskId {
    TaskId(hash("task", n))
}

/// A made-up program; its text is not that of its id.
pub(crate) fn program(n: u64, run: Option<RunNumber>, parents: &[u64]) -> ProgramRecord {
    let lines = (0..8).map(|k| format!("    x{k} = combine(x{n}, replace(x{k}, TWO, EIGHT))\n"));
    ProgramRecord {
        id: id(n),
        name: format!("solve_{n}"),
        text: format!("def solve(I):\n{}    return O\n", lines.collect::<String>()),
        size: 8 + n % 5,
        cost: 100 + n,
        run,
        generation: run.map(|_| 0),
        operator: (!parents.is_empty()).then(|| "swap".to_owned()),
        source: if run.is_some() { "evolved" } else { "made_up.py" }.to_owned(),
        added: 1000,
        parents: parents.iter().map(|&n| id(n)).collect(),
    }
}

pub(crate) fn tasks(count: u64) -> Vec<TaskRecord> {
    let one = |n| TaskRecord { id: task(n), name: format!("t{n}"), set: "made up".to_owned() };
    (0..count).map(one).collect()
}

pub(crate) fn result(
    program: u64,
    on: u64,
    pairs: &str,
    similarity: u32,
    behaviour: u8,
) -> ResultRecord {
    ResultRecord {
        program: id(program),
        task: task(on),
        pairs: pairs.to_owned(),
        similarity,
        work: 1234,
        behaviour: Behaviour([behaviour; 16]),
        validated: None,
    }
}

pub(crate) fn new_run(seed: u64, started: i64) -> NewRun {
    let config = r#"{"population":4,"islands":2}"#.to_owned();
    NewRun { seed, config, version: "0.1.0".to_owned(), started, ..NewRun::default() }
}

/// A generation of `count` new programs, each made from two of the one before.
pub(crate) fn generation(run: RunNumber, number: u64, count: u64, time: i64) -> GenerationBatch {
    let first = number * count;
    let numbers = first..first + count;
    let parents = |n: u64| match number {
        0 => vec![],
        _ => vec![n - count, first - 1],
    };
    let records = Records {
        programs: numbers
            .clone()
            .map(|n| ProgramRecord {
                generation: Some(number),
                added: time,
                ..program(n, Some(run), &parents(n))
            })
            .collect(),
        tasks: tasks(2),
        results: numbers
            .clone()
            .map(|n| ResultRecord {
                behaviour: Behaviour(hash("behaviour", n)[..16].try_into().unwrap()),
                ..result(n, n % 2, if n % 7 == 0 { "111" } else { "010" }, (n % 1000) as u32, 0)
            })
            .collect(),
        scores: numbers
            .clone()
            .map(|n| ScoreRecord {
                program: id(n),
                task: task(n % 2),
                differ: "shape".to_owned(),
                score: (n % 1000) as u32,
            })
            .collect(),
        predictions: vec![PredictionRecord {
            program: id(first),
            task: task(first % 2),
            test: 0,
            grid: "[[1,2],[3,4]]".to_owned(),
        }],
        standings: vec![StandingRecord {
            task: task(first % 2),
            demos: 3,
            fits: 1,
            similarity: 940,
            origin: "evolution".to_owned(),
            program: Some(id(first)),
            attempts: vec![vec!["[[1]]".to_owned(), "[[2]]".to_owned()], Vec::new()],
        }],
        run_tasks: Vec::new(),
    };
    let alive = |island: u32| PopulationRecord {
        task: task(u64::from(island)),
        island,
        members: numbers.clone().filter(|n| n % 2 == u64::from(island)).take(4).map(id).collect(),
        state: vec![number as u8, island as u8],
    };
    GenerationBatch {
        figures: GenerationRecord {
            run,
            number,
            evaluations: count,
            new_programs: count,
            solved: 1,
            stats: "{}".to_owned(),
            finished: time,
            memory: Some(time.cast_unsigned()),
        },
        records,
        operators: vec![OperatorRecord {
            operator: "swap".to_owned(),
            applied: 10 * number,
            valid: 5 * number,
            new: 3 * number,
            improving: number,
        }],
        populations: vec![alive(0), alive(1)],
        checkpoint: number.to_le_bytes().to_vec(),
        state: RunState::Running,
        prune: None,
    }
}

/// A cached value.
pub(crate) fn cached(number: u64, time: i64) -> CacheRecord {
    let key = hash("cache", number).to_vec();
    CacheRecord { key, value: vec![7; 100], seconds: time as f64, hits: 0 }
}

/// An archive with one run.
pub(crate) fn with_run(path: &Path, seed: u64, generations: u64, count: u64, time: i64) -> Archive {
    let mut archive = open(path);
    let run = archive.begin_run(&new_run(seed, time)).unwrap();
    for number in 0..generations {
        archive.commit(&generation(run, number, count, time)).unwrap();
        archive.remember(&[cached(number, time)], &[]).unwrap();
    }
    archive
}
