//! The first difference between two archives, times apart.
//!
//! Rows are compared with the content ids of what they refer to, in the order of these ids: the
//! numbers that rows have inside a file do not count. When something was done and how long it took
//! do not count either, nor cached values, which anybody can compute again.

use std::cmp::Ordering;
use std::fmt;

use rusqlite::types::Value;
use rusqlite::{Row, Statement};

use crate::archive::Archive;
use crate::error::{Result, fault};

/// A row that only one archive has, or that says something else in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveDifference {
    /// The table.
    pub table: &'static str,
    /// The row of the first archive.
    pub first: Option<String>,
    /// The row of the second archive.
    pub second: Option<String>,
}

impl fmt::Display for ArchiveDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.first, &self.second) {
            (Some(row), None) => write!(f, "{}: only in the first: {row}", self.table),
            (None, Some(row)) => write!(f, "{}: only in the second: {row}", self.table),
            (first, second) => {
                let text = |row: &Option<String>| row.clone().unwrap_or_default();
                write!(f, "{}: {}, in the second {}", self.table, text(first), text(second))
            }
        }
    }
}

/// A table as its content: how many columns make the key, by which the rows come, and the query.
struct Content {
    table: &'static str,
    keys: usize,
    sql: &'static str,
}

const CONTENT: &[Content] = &[
    Content {
        table: "run",
        keys: 1,
        sql: "SELECT id, seed, repeat, kind, config, version, generations, state, checkpoint FROM run",
    },
    Content {
        table: "generation",
        keys: 2,
        sql: "SELECT run.id, number, evaluations, new_programs, solved, stats \
              FROM generation JOIN run ON run.key = generation.run",
    },
    Content {
        table: "operator",
        keys: 3,
        sql: "SELECT run.id, generation, operator, applied, valid, new, improving \
              FROM operator JOIN run ON run.key = operator.run",
    },
    Content {
        table: "program",
        keys: 1,
        sql: "SELECT program.id, name, text, size, cost, run.id AS run, generation, operator, source \
              FROM program LEFT JOIN run ON run.key = program.run",
    },
    Content {
        table: "parent",
        keys: 2,
        sql: "SELECT c.id AS child, place, p.id AS parent FROM parent \
              JOIN program AS c ON c.key = child JOIN program AS p ON p.key = parent",
    },
    Content { table: "task", keys: 1, sql: "SELECT id, name, task_set FROM task" },
    Content {
        table: "result",
        keys: 2,
        sql: "SELECT task.id AS task, program.id AS program, demos, solved, pairs, similarity, work, \
              behaviour, validated FROM result JOIN task ON task.key = result.task \
              JOIN program ON program.key = result.program",
    },
    Content {
        table: "score",
        keys: 3,
        sql: "SELECT task.id AS task, program.id AS program, differ.name AS differ, score FROM score \
              JOIN task ON task.key = score.task JOIN program ON program.key = score.program \
              JOIN differ ON differ.key = score.differ",
    },
    Content {
        table: "prediction",
        keys: 3,
        sql: "SELECT task.id AS task, program.id AS program, test, grid FROM prediction \
              JOIN task ON task.key = prediction.task \
              JOIN program ON program.key = prediction.program",
    },
    Content {
        table: "standing",
        keys: 1,
        sql: "SELECT task.id AS task, demos, fits, similarity, origin, program \
              FROM standing JOIN task ON task.key = standing.task",
    },
    Content {
        table: "attempt",
        keys: 3,
        sql: "SELECT task.id AS task, test, rank, grid \
              FROM attempt JOIN task ON task.key = attempt.task",
    },
    Content {
        table: "run_task",
        keys: 2,
        sql: "SELECT run.id AS run, task.id AS task, demos, fits, similarity, origin, program, attempts, \
              proposals FROM run_task JOIN run ON run.key = run_task.run \
              JOIN task ON task.key = run_task.task",
    },
    Content {
        table: "island",
        keys: 3,
        sql: "SELECT run.id AS run, task.id AS task, island, island.state FROM island \
              JOIN run ON run.key = island.run JOIN task ON task.key = island.task",
    },
    Content {
        table: "population",
        keys: 4,
        sql: "SELECT run.id AS run, task.id AS task, island, rank, program.id AS program \
              FROM population JOIN run ON run.key = population.run \
              JOIN task ON task.key = population.task \
              JOIN program ON program.key = population.program",
    },
    Content { table: "pruned", keys: 1, sql: "SELECT reason, count FROM pruned" },
];

impl Archive {
    /// The first difference in content, or `None` when both hold the same.
    pub fn compare(&self, other: &Archive) -> Result<Option<ArchiveDifference>> {
        let (_mine, _theirs) = (self.snapshot()?, other.snapshot()?);
        for content in CONTENT {
            if let Some(difference) = self.compare_table(other, content)? {
                return Ok(Some(difference));
            }
        }
        Ok(None)
    }

    fn compare_table(
        &self,
        other: &Archive,
        content: &Content,
    ) -> Result<Option<ArchiveDifference>> {
        self.gauge.reset();
        other.gauge.reset();
        let order: Vec<String> = (1..=content.keys).map(|n| n.to_string()).collect();
        let sql = format!("{} ORDER BY {}", content.sql, order.join(", "));
        let faults = [fault(self.path(), "comparing"), fault(other.path(), "comparing")];
        let mut first = self.connection.prepare(&sql).map_err(&faults[0])?;
        let mut second = other.connection.prepare(&sql).map_err(&faults[1])?;
        let names: Vec<String> = first.column_names().map(str::to_owned).collect();
        let width = names.len();
        let show = |row: &[Value]| show(&names, row);
        let mut theirs = query(&mut second, width).map_err(&faults[1])?;
        let mut mine = query(&mut first, width).map_err(&faults[0])?;
        loop {
            let a = mine.next().transpose().map_err(&faults[0])?;
            let b = theirs.next().transpose().map_err(&faults[1])?;
            let (first, second) = match (a, b) {
                (None, None) => return Ok(None),
                (Some(a), Some(b)) if a == b => continue,
                (Some(a), Some(b)) => match order_of(&a, &b, content.keys) {
                    Ordering::Less => (Some(show(&a)), None),
                    Ordering::Greater => (None, Some(show(&b))),
                    Ordering::Equal => {
                        let (a, b) = only_differing(&names, &a, &b, content.keys);
                        (Some(a), Some(b))
                    }
                },
                (a, b) => (a.map(|a| show(&a)), b.map(|b| show(&b))),
            };
            return Ok(Some(ArchiveDifference { table: content.table, first, second }));
        }
    }
}

fn query<'s>(
    statement: &'s mut Statement<'_>,
    width: usize,
) -> rusqlite::Result<impl Iterator<Item = rusqlite::Result<Vec<Value>>> + 's> {
    let read = move |row: &Row<'_>| (0..width).map(|n| row.get(n)).collect();
    statement.query_map([], read)
}

/// The order of SQLite, for the types that keys have.
fn order_of(a: &[Value], b: &[Value], keys: usize) -> Ordering {
    let one = |(a, b): (&Value, &Value)| match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Blob(a), Value::Blob(b)) => a.cmp(b),
        _ => Ordering::Equal,
    };
    a.iter().zip(b).take(keys).map(one).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn show(names: &[String], row: &[Value]) -> String {
    let cells = names.iter().zip(row).map(|(name, value)| format!("{name} {}", show_value(value)));
    cells.collect::<Vec<_>>().join(", ")
}

/// Two rows with the same key: the key, and what differs.
fn only_differing(names: &[String], a: &[Value], b: &[Value], keys: usize) -> (String, String) {
    let part = |row: &[Value], wanted: &dyn Fn(usize) -> bool| {
        let cells = (0..names.len()).filter(|&n| wanted(n));
        let cells = cells.map(|n| format!("{} {}", names[n], show_value(&row[n])));
        cells.collect::<Vec<_>>().join(", ")
    };
    let differs = |n: usize| n >= keys && a[n] != b[n];
    (part(a, &|n| n < keys || differs(n)), part(b, &differs))
}

fn show_value(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Integer(n) => n.to_string(),
        Value::Real(x) => x.to_string(),
        Value::Text(text) => {
            let line: String = text.chars().take(60).collect();
            format!("{line:?}")
        }
        Value::Blob(bytes) => bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect(),
    }
}
