//! `arcloom config`: every setting, its value and where that is from.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};

use crate::args::config::ConfigArgs;
use crate::config::{Config, DataKind, Setting};
use crate::session::Session;
use crate::usage;

pub(crate) fn run(
    args: &ConfigArgs,
    file: Option<&Path>,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let config = file.map(Config::load).transpose()?.unwrap_or_default();
    let words: Vec<OsString> =
        std::iter::once("arcloom".into()).chain(args.words.iter().cloned()).collect();
    let settings = config
        .settings(&words)
        .map_err(|error| anyhow!(usage::one_line_of(&error, &words[1..])))?;
    if args.json.json {
        let all: Vec<Value> = settings.iter().map(object).collect();
        writeln!(
            session.out,
            "{}",
            serde_json::to_string_pretty(
                &json!({"schema": arcloom::JSON_SCHEMA, "settings": all})
            )?
        )?;
    } else {
        session.out.write_all(text(&settings).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn object(setting: &Setting) -> Value {
    let values = || setting.values.iter().map(|value| plain(value)).collect::<Vec<_>>();
    let value = match (setting.kind, setting.values.as_slice()) {
        (_, []) => Value::Null,
        (DataKind::Flag, [value, ..]) => json!(value == "true"),
        (DataKind::Many, _) => json!(values()),
        (DataKind::One, [value, ..]) => plain(value),
    };
    json!({
        "command": setting.command.join(" "),
        "name": setting.name,
        "value": value,
        "origin": setting.origin.to_string(),
    })
}

/// A number where it is one.
fn plain(value: &str) -> Value {
    value.parse::<u64>().map_or_else(|_| json!(value), |number| json!(number))
}

/// A file that says the same.
pub(crate) fn text(settings: &[Setting]) -> String {
    let lines: Vec<(String, String)> = settings.iter().map(line).collect();
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0).min(48);
    let mut text = String::new();
    let mut table: &[String] = &[];
    for (setting, (line, comment)) in settings.iter().zip(&lines) {
        if setting.command != table {
            table = &setting.command;
            let _ = write!(text, "\n[{}]\n", table.join("."));
        }
        let _ = writeln!(text, "{line:width$}  # {comment}");
    }
    text
}

/// What is written for a setting, and what is said about it.
fn line(setting: &Setting) -> (String, String) {
    let name = &setting.name;
    if setting.values.is_empty() {
        // What happens without it is said in its help.
        let usual = setting.help.replace('\n', " ");
        let usual = usual.rsplit_once("[default: ").and_then(|(_, text)| text.strip_suffix(']'));
        let usual = usual.map_or_else(String::new, |usual| format!(": {usual}"));
        return (format!("# {name} ="), format!("not set{usual}"));
    }
    let values: Vec<String> = setting.values.iter().map(|v| plain(v).to_string()).collect();
    let value = match setting.kind {
        DataKind::Flag => setting.values.join(""),
        DataKind::One => values.join(""),
        DataKind::Many => format!("[{}]", values.join(", ")),
    };
    (format!("{name} = {value}"), setting.origin.to_string())
}
