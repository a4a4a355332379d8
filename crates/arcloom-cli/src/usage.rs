//! Wrong command lines as one line: what is wrong and where to read how it goes.

use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::{NOT_RUN, complain, finish};

/// Prints help and version as they are, and everything else as one line.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(cause) => finish(&cause.into()),
        },
        _ => {
            complain(&one_line(&error.to_string()));
            ExitCode::from(NOT_RUN)
        }
    }
}

/// The sentences before the usage, and the help to ask for.
fn one_line(text: &str) -> String {
    let message = text.strip_prefix("error: ").unwrap_or(text);
    let mut line = String::new();
    let mut command = String::from("arcloom");
    for part in message.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(usage) = part.strip_prefix("Usage: arcloom ") {
            let words =
                usage.split(' ').take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()));
            words.for_each(|word| command = format!("{command} {word}"));
            break;
        }
        if part.starts_with("For more information") {
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
    format!("{line}; see `{command} --help`")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Args;

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        let typed = std::iter::once(&"arcloom").chain(words);
        let error = Args::try_parse_from(typed).expect_err("a wrong command line");
        assert_eq!(one_line(&error.to_string()), expected);
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
            &["data", "add", "x"],
            "the following required arguments were not provided: <PATH>; see `arcloom data add --help`",
        );
    }
}
