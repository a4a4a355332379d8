//! Programs with their results as JSON lines, out and in again.
//!
//! What a file says of a program is a statement of whoever wrote it, until it is verified; only that a text
//! is the program of its id is checked at once.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_graph::similarity;
use arcloom_store::{
    Archive, Behaviour, PredictionRecord, ProgramId, ProgramRecord, Records, ResultRecord,
    ScoreRecord, StoreError, TaskId, TaskRecord,
};
use serde::{Deserialize, Serialize};

/// One program. Runs are of one archive and stay there.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    name: String,
    text: String,
    #[serde(default)]
    size: u64,
    #[serde(default)]
    cost: u64,
    #[serde(default)]
    generation: Option<u64>,
    #[serde(default)]
    operator: Option<String>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    parents: Vec<String>,
    #[serde(default)]
    results: Vec<ResultLine>,
}

#[derive(Serialize, Deserialize)]
struct ResultLine {
    /// Name of the task.
    task: String,
    /// Its content id.
    content: String,
    set: String,
    pairs: String,
    /// From 0 to 1; thousandths in lines of earlier versions.
    similarity: f64,
    work: u64,
    behaviour: String,
    validated: Option<bool>,
    #[serde(default)]
    scores: BTreeMap<String, u32>,
    /// Grids as JSON text, by test.
    #[serde(default)]
    predictions: BTreeMap<u32, String>,
}

/// Programs of an archive as lines, with all that is stored of them.
pub fn write(archive: &Archive, programs: &[ProgramRecord]) -> Result<String, StoreError> {
    let damaged = |detail: String| {
        let path = archive.path().to_path_buf();
        StoreError::Damaged { path, detail }
    };
    let tasks: BTreeMap<TaskId, TaskRecord> =
        archive.tasks()?.into_iter().map(|task| (task.id, task)).collect();
    let mut out = String::new();
    for program in programs {
        let (scores, predictions) = (archive.scores(program.id)?, archive.predictions(program.id)?);
        let result = |result: ResultRecord| {
            let of = result.task;
            let task =
                tasks.get(&of).ok_or_else(|| damaged("a result without its task".to_owned()))?;
            let scores = scores.iter().filter(|s| s.task == of);
            let grids = predictions.iter().filter(|p| p.task == of);
            Ok(ResultLine {
                task: task.name.clone(),
                content: of.to_string(),
                set: task.set.clone(),
                pairs: result.pairs,
                similarity: similarity(result.similarity),
                work: result.work,
                behaviour: result.behaviour.to_string(),
                validated: result.validated,
                scores: scores.map(|s| (s.differ.clone(), s.score)).collect(),
                predictions: grids.map(|p| (p.test, p.grid.clone())).collect(),
            })
        };
        let line = Line {
            id: program.id.to_string(),
            name: program.name.clone(),
            text: program.text.clone(),
            size: program.size,
            cost: program.cost,
            generation: program.generation,
            operator: program.operator.clone(),
            source: program.source.clone(),
            parents: program.parents.iter().map(ToString::to_string).collect(),
            results: archive
                .results(program.id)?
                .into_iter()
                .map(result)
                .collect::<Result<_, StoreError>>()?,
        };
        let text = serde_json::to_string(&line).map_err(|error| damaged(error.to_string()))?;
        out.push_str(&text);
        out.push('\n');
    }
    Ok(out)
}

/// The records of a file, and what is wrong with other lines of it, one line each.
pub fn read(name: &str, text: &str, added: i64) -> (Records, Vec<String>) {
    let (mut records, mut errors) = (Records::default(), Vec::new());
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if let Err(error) = read_line(line, added, &mut records) {
            errors.push(format!("{name}:{}: {error}", n + 1));
        }
    }
    (records, errors)
}

fn read_line(text: &str, added: i64, records: &mut Records) -> Result<(), String> {
    let wrong = |error| format!("not a program as `export` writes it: {error}");
    let line: Line = serde_json::from_str(text).map_err(wrong)?;
    let mut program = ProgramRecord {
        id: ProgramId(bytes(&line.id)?),
        name: line.name,
        text: line.text,
        size: line.size,
        cost: line.cost,
        run: None,
        generation: line.generation,
        operator: line.operator,
        source: line.source,
        added,
        parents: line
            .parents
            .iter()
            .map(|id| bytes(id).map(ProgramId))
            .collect::<Result<_, _>>()?,
    };
    // The text is checked against the id, and written again: equal programs have equal texts.
    let fresh = ProgramRecord::new(&program.program().map_err(|error| error.to_string())?, "");
    (program.text, program.size) = (fresh.text, fresh.size);
    let id = program.id;
    let mut more = Records { programs: vec![program], ..Records::default() };
    for result in line.results {
        let task = TaskId(bytes(&result.content)?);
        if !result.pairs.bytes().all(|b| b == b'0' || b == b'1') {
            return Err("`pairs` is a 0 or 1 for each demo pair".to_owned());
        }
        more.tasks.push(TaskRecord { id: task, name: result.task, set: result.set });
        more.results.push(ResultRecord {
            program: id,
            task,
            pairs: result.pairs,
            similarity: thousandths(result.similarity),
            work: result.work,
            behaviour: Behaviour(bytes(&result.behaviour)?),
            validated: result.validated,
        });
        let scores = result.scores.into_iter();
        more.scores.extend(scores.map(|(differ, score)| ScoreRecord {
            program: id,
            task,
            differ,
            score,
        }));
        let grids = result.predictions.into_iter();
        more.predictions.extend(grids.map(|(test, grid)| PredictionRecord {
            program: id,
            task,
            test,
            grid,
        }));
    }
    records.programs.extend(more.programs);
    records.tasks.extend(more.tasks);
    records.results.extend(more.results);
    records.scores.extend(more.scores);
    records.predictions.extend(more.predictions);
    Ok(())
}

/// Drops parents that are neither in the archive nor among the records: an export may be a part.
pub fn drop_unknown_parents(archive: &Archive, records: &mut Records) -> Result<usize, StoreError> {
    let own: BTreeSet<ProgramId> = records.programs.iter().map(|program| program.id).collect();
    let mut dropped = 0;
    for program in &mut records.programs {
        let before = program.parents.len();
        let mut known = Vec::new();
        for &parent in &program.parents {
            if own.contains(&parent) || archive.has_program(parent)? {
                known.push(parent);
            }
        }
        dropped += before - known.len();
        program.parents = known;
    }
    Ok(dropped)
}

fn bytes<const N: usize>(hex: &str) -> Result<[u8; N], String> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let bytes = digits.filter(|digits| digits.len() == 2 * N).and_then(|digits| {
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect();
        bytes.try_into().ok()
    });
    bytes.ok_or_else(|| format!("`{hex}` is not {} hexadecimal digits", 2 * N))
}

/// A similarity as the archive has it. Earlier versions wrote thousandths, of which 1 is none that a result
/// is known to have.
fn thousandths(similarity: f64) -> u32 {
    let share = if similarity > 1.0 { similarity / 1000.0 } else { similarity };
    (share.clamp(0.0, 1.0) * 1000.0).round() as u32
}
