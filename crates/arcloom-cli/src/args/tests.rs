use clap::{Arg, ArgAction, Command, CommandFactory};

use super::*;

#[test]
fn the_command_line_is_consistent() {
    Args::command().debug_assert();
}

#[test]
fn pairs_are_counted_from_one() {
    assert_eq!("2".parse(), Ok(PairArg::Any(2)));
    assert_eq!("demo:1".parse(), Ok(PairArg::Demo(1)));
    assert_eq!("test 3".parse(), Ok(PairArg::Test(3)));
    for bad in ["", "0", "demo:0", "test:", "first", "train:1", "-1"] {
        assert!(bad.parse::<PairArg>().is_err(), "{bad}");
    }
}

/// Every command with the words that name it.
fn all(command: Command, name: &str) -> Vec<(String, Command)> {
    let subs: Vec<Command> = command.get_subcommands().cloned().collect();
    let mut found = vec![(name.to_owned(), command)];
    for sub in subs {
        let name = format!("{name} {}", sub.get_name());
        found.extend(all(sub, &name));
    }
    found
}

fn commands() -> Vec<(String, Command)> {
    all(Args::command(), "arcloom")
}

/// Paragraphs that are broken by hand: a line that goes on in the next one. Indented lines are examples.
fn broken(text: &str) -> Vec<String> {
    let paragraphs = text.split("\n\n").filter(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().filter(|line| !line.trim().is_empty()).collect();
        let prose = lines.iter().filter(|line| !line.starts_with(' ')).count();
        // A heading above its examples is one line of prose.
        prose > 1 || (prose == 1 && lines.len() > 1 && !lines[0].ends_with(':'))
    });
    paragraphs.map(str::to_owned).collect()
}

/// Help is wrapped by the terminal's width alone.
#[test]
fn no_help_is_wrapped_by_hand() {
    assert_eq!(broken("One sentence.\nAnother line.").len(), 1);
    assert!(broken("One.\n\nExamples:\n  a\n  b").is_empty());
    for (name, command) in commands() {
        let of_command = [
            command.get_about(),
            command.get_long_about(),
            command.get_after_help(),
            command.get_after_long_help(),
        ];
        let of_args = command.get_arguments().flat_map(|arg| [arg.get_help(), arg.get_long_help()]);
        for text in of_command.into_iter().chain(of_args).flatten() {
            let wrong = broken(&text.to_string());
            assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        }
    }
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// What a value may be is in its name, and what happens without it in the help.
#[test]
fn every_option_names_its_unit_and_default() {
    const UNITS: &[(&str, &[&str])] = &[
        ("TIME", &["60s", "90s", "10m", "8h", "s/task"]),
        ("SIZE", &["MB"]),
        ("UNITS", &["Work units"]),
        ("SEED", &["Seed"]),
        ("PORT", &["Port"]),
    ];
    for (name, command) in commands() {
        for arg in command.get_arguments().filter(|arg| takes_value(arg)) {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let place = format!("{name} {}: {help}", arg.get_id());
            assert!(!help.is_empty(), "{place}");
            let default = !arg.get_default_values().is_empty() || help.contains("[default: ");
            assert!(default || arg.is_required_set() || arg.get_id() == "program", "{place}");
            let values = arg.get_value_names().unwrap_or_default();
            for (value, words) in UNITS {
                if values.iter().any(|known| known == value) {
                    let long = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
                    let defaults = arg.get_default_values().iter();
                    let defaults: Vec<_> = defaults.map(|d| d.to_string_lossy()).collect();
                    let text = format!("{help} {long} {}", defaults.join(" "));
                    assert!(words.iter().any(|word| text.contains(word)), "{place}");
                }
            }
        }
    }
}

/// The short help of a command or an option is read at a glance.
#[test]
fn short_help_is_short() {
    for (name, command) in commands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.is_empty() && about.split(' ').count() <= 10, "{name}: {about}");
        for arg in command.get_arguments() {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let help = help.split(" [default: ").next().unwrap_or_default();
            let place = format!("{name} {}: {help}", arg.get_id());
            assert!(!help.ends_with('.') && help.split(' ').count() <= 16, "{place}");
        }
    }
}

/// Every command shows how it is typed.
#[test]
fn every_command_has_examples() {
    for (name, command) in commands().into_iter().filter(|(name, _)| name.matches(' ').count() == 1)
    {
        let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        assert!(after.contains("Examples:\n  "), "{name}");
    }
}

/// The words of a line as a shell has them, up to a comment, a pipe or a redirection.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#' | '|' | '>' | '<' | '&' | ';') if word.is_none() => break,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Lines that show a command in the help texts and in the pages.
fn shown_commands() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, command) in commands() {
        let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let lines = after.lines().filter(|line| line.starts_with("  arcloom "));
        found.extend(lines.map(|line| (format!("{name} --help"), line.trim().to_owned())));
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = std::fs::read_dir(root.join("docs")).expect("the pages").flatten();
    let mut pages: Vec<PathBuf> = pages.map(|page| page.path()).collect();
    pages.push(root.join("README.md"));
    for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "md")) {
        let text = std::fs::read_to_string(page).expect("a page");
        let mut block = "";
        for (n, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if let Some(kind) = line.strip_prefix("```") {
                block = kind;
            }
            let typed = match block {
                "sh" => Some(line),
                "console" => line.strip_prefix("$ "),
                _ => None,
            };
            if let Some(line) = typed.filter(|line| line.starts_with("arcloom ")) {
                let page = page.file_name().unwrap_or_default().to_string_lossy();
                found.push((format!("{page}:{}", n + 1), line.to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_command_that_is_shown_can_be_typed() {
    assert_eq!(shell_words("a 'b c' --d=\"e\" # f"), ["a", "b c", "--d=e"]);
    let shown = shown_commands();
    assert!(shown.len() > 100, "{}", shown.len());
    for (place, line) in shown {
        let words = shell_words(&line);
        if let Err(error) = Args::try_parse_from(&words) {
            use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
            let asked = matches!(error.kind(), DisplayHelp | DisplayVersion);
            assert!(asked, "{place}: {line}\n{error}");
        }
    }
}

/// One default is named, and only once.
#[test]
fn no_option_names_two_defaults() {
    for (name, command) in commands() {
        for arg in command.get_arguments() {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let long = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            let said = help.contains("[default: ") || long.contains("[default: ");
            let both = said && !arg.get_default_values().is_empty();
            assert!(!both, "{name} {}: {help} {long}", arg.get_id());
        }
    }
}
