//! Wrong command lines as one line: what is wrong and where to read how it goes.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;

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
            let typed = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
            let typed: Vec<String> = typed.collect();
            complain(&one_line(&error.to_string(), &typed));
            ExitCode::from(NOT_RUN)
        }
    }
}

/// The sentences before the usage, and the help to ask for.
fn one_line(text: &str, typed: &[String]) -> String {
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
    let mut known = Args::command();
    let mut command = String::from("arcloom");
    for word in typed {
        if let Some(sub) = known.find_subcommand(word) {
            command = format!("{command} {word}");
            known = sub.clone();
        }
    }
    format!("{line}; see `{command} --help`")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        let all = std::iter::once(&"arcloom").chain(words);
        let error = Args::try_parse_from(all).expect_err("a wrong command line");
        let typed: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        assert_eq!(one_line(&error.to_string(), &typed), expected);
    }

    #[test]
    fn wrong_command_lines_are_one_line() {
        check(
            &["chek"],
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
            "invalid value '0' for '--jobs <N>': 0 is not in 1..=1024; see `arcloom check --help`",
        );
        check(
            &["data", "add", "x"],
            "the following required arguments were not provided: <PATH>; see `arcloom data add --help`",
        );
    }
}
