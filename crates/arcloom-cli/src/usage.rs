//! Wrong command lines as one line: what is wrong and where to read how it goes.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Args;
use crate::{NOT_RUN, complain, finish};

/// Prints help and version as they are, and everything else as one line.
pub(crate) fn report(error: &clap::Error, words: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(cause) => finish(&cause.into()),
        },
        _ => {
            complain(&one_line_of(error, words.get(1..).unwrap_or_default()));
            ExitCode::from(NOT_RUN)
        }
    }
}

/// What is wrong with these words, which come after the program's name.
pub(crate) fn one_line_of(error: &clap::Error, words: &[OsString]) -> String {
    let typed: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(unknown))) => Some(unknown.as_str()),
        _ => None,
    };
    // With nothing else typed, clap would print the help.
    let missing =
        [ErrorKind::MissingSubcommand, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand];
    if missing.contains(&error.kind()) {
        let (known, command) = innermost(&typed);
        let names: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
        let names = names.join(", ");
        return format!("`{command}` needs a command: {names}; see `{command} --help`");
    }
    // `help` knows no neighbours of a name, as all commands do.
    if let [help, name] = typed.as_slice()
        && help == "help"
        && error.kind() == ErrorKind::InvalidSubcommand
    {
        let again = Args::command().try_get_matches_from(["arcloom", name.as_str()]);
        return again
            .map_or_else(|error| one_line(&error.to_string(), None, &[]), |_| String::new());
    }
    one_line(&error.to_string(), unknown, &typed)
}

/// What to type for something that this command does not take.
fn instead(command: &str, unknown: &str) -> Option<String> {
    let place = |spec: &str| {
        let is_programs =
            spec.starts_with("library:") || spec.starts_with("archive:") || spec.ends_with(".py");
        if is_programs { "-p" } else { "-t" }
    };
    match (command, unknown) {
        ("check" | "eval" | "bench" | "archive", "--budget") => {
            Some("work units of one call are `--call-budget`".to_owned())
        }
        ("show", "--tasks" | "-t") => {
            Some("a set is named alone, as in `arcloom show arc1/training`".to_owned())
        }
        ("trace", "--programs" | "-p") => Some(
            "a program is named with its file, as in FILE.py:NAME or library:NAME:ID".to_owned(),
        ),
        ("check" | "card" | "fmt", "--programs" | "-p") => {
            Some(format!("programs are named alone, as in `arcloom {command} mine.py`"))
        }
        ("solve", "--tasks" | "-t") => {
            Some("tasks are named alone, as in `arcloom solve arc1/training`".to_owned())
        }
        (_, option) if option.starts_with('-') => None,
        ("trace" | "report" | "score", task) => {
            Some(format!("name tasks with -t, as in `-t {task}`"))
        }
        ("run" | "evolve" | "bench" | "submit" | "eval", spec) => {
            Some(format!("type `{} {spec}`", place(spec)))
        }
        ("show" | "data" | "dsl", _) => Some("one at a time".to_owned()),
        _ => None,
    }
}

/// The sentences before the usage, and the help to ask for.
fn one_line(text: &str, unknown: Option<&str>, typed: &[String]) -> String {
    let message = text.strip_prefix("error: ").unwrap_or(text);
    let mut line = String::new();
    for part in message.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if part.starts_with("Usage:") || part.starts_with("For more information") {
            break;
        }
        let (gap, part) = match part.strip_prefix("tip: ") {
            Some(tip) => ("; ", tip),
            None => (" ", part),
        };
        if !line.is_empty() {
            line.push_str(gap);
        }
        line.push_str(part);
    }
    let (_, command) = innermost(typed);
    let name = command.split(' ').nth(1).unwrap_or_default();
    let after_comma =
        typed.windows(2).any(|pair| pair[0].ends_with(',') && unknown == Some(&pair[1]));
    if after_comma {
        let first = line.split("; ").next().unwrap_or_default();
        return format!(
            "{first}; write a list without spaces, as in --ids a,b; see `{command} --help`"
        );
    }
    if let Some(instead) = unknown.and_then(|unknown| instead(name, unknown)) {
        // What clap advises about options is no help with these.
        let first = line.split("; ").next().unwrap_or_default();
        line = format!("{first}; {instead}");
    }
    format!("{line}; see `{command} --help`")
}

/// The innermost command among the words, and how it is typed.
fn innermost(typed: &[String]) -> (clap::Command, String) {
    let mut known = Args::command();
    let mut command = String::from("arcloom");
    for word in typed {
        if let Some(sub) = known.find_subcommand(word) {
            command = format!("{command} {word}");
            known = sub.clone();
        }
    }
    (known, command)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        let all = std::iter::once(&"arcloom").chain(words);
        let error = Args::try_parse_from(all).expect_err("a wrong command line");
        let typed: Vec<OsString> = words.iter().map(OsString::from).collect();
        assert_eq!(one_line_of(&error, &typed), expected);
    }

    #[test]
    fn wrong_command_lines_are_one_line() {
        check(
            &["chek"],
            "unrecognized subcommand 'chek'; a similar subcommand exists: 'check'; see `arcloom --help`",
        );
        check(
            &["help", "chek"],
            "unrecognized subcommand 'chek'; a similar subcommand exists: 'check'; see `arcloom --help`",
        );
        check(
            &["check"],
            "the following required arguments were not provided: <PROGRAMS>...; see `arcloom check --help`",
        );
        check(
            &["--color", "blue"],
            "invalid value 'blue' for '--color <WHEN>' [possible values: auto, always, never]; see `arcloom --help`",
        );
        check(
            &["check", "x", "-j", "0"],
            "invalid value '0' for '--jobs <N>': must be positive; see `arcloom check --help`",
        );
        check(
            &["run", "mine.py"],
            "unexpected argument 'mine.py' found; type `-p mine.py`; see `arcloom run --help`",
        );
        check(
            &["show", "-t", "embedded"],
            "unexpected argument '-t' found; a set is named alone, as in `arcloom show arc1/training`; see `arcloom show --help`",
        );
        check(
            &["data", "add", "x"],
            "the following required arguments were not provided: <PATH>; see `arcloom data add --help`",
        );
        check(
            &["archive"],
            "`arcloom archive` needs a command: stats, list, show, lineage, curves, export, import, merge, prune, verify, diff; see `arcloom archive --help`",
        );
    }
}
