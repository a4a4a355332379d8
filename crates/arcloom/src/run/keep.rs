//! What a run found, in an archive: the best programs of each task that fit some demo, validated, with their results.
//!
//! Whether a program stands validation on a task is remembered with the processor time that finding it out took: a
//! loop that draws programs anew finds the same ones, and parts of them, again and again. Nothing else of a run is
//! remembered; `docs/archive.md` has the measurements.

use std::time::Duration;

use arcloom_evolve::validate;
use arcloom_graph::Plan;
use arcloom_graph::spans::thread_cpu;
use arcloom_lang::Program;
use arcloom_store::{Archive, CacheRecord, ProgramRecord, Records, ResultRecord, StoreError};
use arcloom_tasks::{Task, TaskSet};

use super::RunReport;
use crate::archive::{result, task_record};
use crate::engine::Engine;
use crate::timing::span;

/// Seconds after which what nobody used is not remembered any more: 90 days.
pub(crate) const UNUSED_FOR: u64 = 90 * 24 * 3600;

/// What was kept of a run, and what was not validated again.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KeptStats {
    /// Programs that were not in the archive.
    pub programs: usize,
    /// Results that were not in it.
    pub results: usize,
    /// Results that an earlier run had validated.
    pub hits: u64,
    /// Results that were validated.
    pub misses: u64,
    /// Processor time that validating the hits took when it was done.
    pub saved: Duration,
    /// Processor time that validating the misses took.
    pub validated: Duration,
    /// Processor time of looking for all of them.
    pub looked: Duration,
    /// Processor time of storing.
    pub stored: Duration,
}

/// A program that fits some demo of a task.
struct Found<'a> {
    task: &'a Task,
    program: &'a Program,
    source: String,
    key: [u8; 32],
}

impl Engine {
    /// Keeps the best programs of a run in an archive. Expected outputs of tests are not looked at.
    pub fn keep_run(
        &self,
        report: &RunReport,
        tasks: &TaskSet,
        archive: &mut Archive,
    ) -> Result<KeptStats, StoreError> {
        let _span = span("keep");
        let mut stats = KeptStats::default();
        let prefix = self.validation_prefix();
        let mut missing: Vec<Found<'_>> = Vec::new();
        let mut used = Vec::new();
        for run in &report.tasks {
            let Some(task) = tasks.get(&run.id) else { continue };
            let of_task = task_prefix(&prefix, task);
            for best in run.run.best.iter().filter(|best| best.solved > 0) {
                let start = thread_cpu();
                let key = key(&of_task, &best.program);
                let known = archive.cached(&key)?;
                stats.looked += thread_cpu().saturating_sub(start);
                match known {
                    Some(known) => {
                        stats.hits += 1;
                        let time = Duration::try_from_secs_f64(known.seconds);
                        stats.saved += time.unwrap_or_default();
                        used.push(known.key);
                    }
                    None => missing.push(Found {
                        task,
                        program: &best.program,
                        source: ProgramRecord::TRANSFER.to_owned(),
                        key,
                    }),
                }
            }
        }
        stats.misses = missing.len() as u64;
        let judged = self.map(&missing, |machine, found| {
            let _span = span("validate");
            let start = thread_cpu();
            let (program, task) = (found.program, found.task);
            let mut result = result(self, machine, program.id(), &Plan::new(program), task);
            let fits = result.pairs.bytes().all(|pair| pair == b'1');
            // As in evolution: nothing is said where nothing was kept back.
            let kept_back = program.reads_samples() && task.demos.len() > 1;
            if fits && kept_back {
                result.validated = Some(validate(program, task, &[], machine));
            }
            (result, thread_cpu().saturating_sub(start))
        });
        let start = thread_cpu();
        let _store = span("store");
        let mut records = Records::default();
        let mut values = Vec::new();
        for (found, (result, time)) in missing.iter().zip(judged) {
            stats.validated += time;
            values.push(CacheRecord {
                key: found.key.to_vec(),
                value: vec![b'v', u8::from(result.validated != Some(false))],
                seconds: time.as_secs_f64(),
                hits: 0,
            });
            add(&mut records, found, result, &tasks.name);
        }
        let added = archive.add(&records)?;
        archive.remember(&values, &used)?;
        (stats.programs, stats.results) = (added.programs, added.results);
        stats.stored = thread_cpu().saturating_sub(start);
        Ok(stats)
    }

    /// What validation depends on besides program and task.
    fn validation_prefix(&self) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"arcloom validation 1\0");
        crate::cache::add_language(&mut hasher);
        hasher.update(format!("{:?}", self.limits()).as_bytes());
        hasher
    }
}

fn add(records: &mut Records, found: &Found<'_>, result: ResultRecord, set: &str) {
    let mut program = ProgramRecord::new(found.program, &found.source);
    program.cost = result.work;
    records.tasks.push(task_record(found.task, set));
    records.programs.push(program);
    records.results.push(result);
}

fn task_prefix(prefix: &blake3::Hasher, task: &Task) -> blake3::Hasher {
    let mut hasher = prefix.clone();
    // In this order: a result has a mark for each demo.
    task.demos.iter().for_each(|demo| _ = hasher.update(&demo.content_id().0));
    task.tests.iter().for_each(|test| _ = hasher.update(&test.visible_id().0));
    hasher
}

fn key(task: &blake3::Hasher, program: &Program) -> [u8; 32] {
    *task.clone().update(&program.id().0).finalize().as_bytes()
}
