//! Settings from a file, below what was typed.
//!
//! A setting is an option of the command line and is declared nowhere else: the tables of the file are
//! the commands, its keys their long options, and what may be written there is what the option's own
//! parser takes. A value of the file becomes the option's default before the command line is read, so
//! that what was typed wins, then the environment, then the file, then the default.
//!
//! The file is named with `--config`, or it is [`PICKED_UP`] in the working folder. The latter may come with
//! somebody else's files, so it cannot say where anything is written or who may connect.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use arcloom::nearest;
use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use toml::de::{DeTable, DeValue};

use crate::args::Args;
use crate::paint::visible;

/// Larger than any real file of settings.
const MAX_BYTES: u64 = 1 << 20;
/// The option that names the file, and that which says that none is wanted: neither can be in it.
const OPTION: &str = "config";
const NONE: &str = "no_config";
/// The file that is used when none is named.
const PICKED_UP: &str = "arcloom.toml";
/// Options that a file nobody named must not set: where things are written, and who may connect.
const NAMED_ONLY: &[&str] = &[
    "archive",
    "cache",
    "data_dir",
    "device_log",
    "dot",
    "figure",
    "host",
    "output",
    "port",
    "python",
    "save_programs",
    "submission",
    "token",
    "trace_file",
];

/// The settings of one file.
#[derive(Debug, Default)]
pub(crate) struct Config {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// One setting of a file.
#[derive(Debug)]
struct Entry {
    /// The command, by names from the outermost on; empty for what all understand.
    command: Vec<String>,
    /// Clap's name of the option.
    id: String,
    values: Vec<String>,
    line: usize,
}

/// Why a command line was not understood.
pub(crate) enum Wrong {
    /// What was typed.
    Typed(clap::Error),
    /// What the file says.
    File(anyhow::Error),
}

/// Where a value is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File { path: PathBuf, line: usize },
    Environment(String),
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => {
                write!(f, "{}:{line}", visible(&path.to_string_lossy()))
            }
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// A setting with the value that a command would see.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The command, by names from the outermost on; empty for what all understand.
    pub(crate) command: Vec<String>,
    /// The long option.
    pub(crate) name: String,
    /// What the option's parser is given; empty when the setting has no value.
    pub(crate) values: Vec<String>,
    pub(crate) kind: DataKind,
    pub(crate) origin: Origin,
    /// What it is for, the first line of its help.
    pub(crate) help: String,
}

/// How a setting is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataKind {
    Flag,
    One,
    Many,
}

impl DataKind {
    fn of(arg: &Arg) -> DataKind {
        let many = arg.get_num_args().is_some_and(|n| n.max_values() > 1);
        match arg.get_action() {
            ArgAction::SetTrue | ArgAction::SetFalse => DataKind::Flag,
            ArgAction::Append => DataKind::Many,
            _ if many || arg.get_value_delimiter().is_some() => DataKind::Many,
            _ => DataKind::One,
        }
    }
}

/// The command line, with the settings of a file below it.
pub(crate) fn parse(words: &[OsString]) -> Result<Args, Wrong> {
    let (named, wants_none) = file_named(words);
    let config = match named {
        Some(path) => Config::load(&path).map_err(Wrong::File)?,
        None if wants_none || !Path::new(PICKED_UP).is_file() => {
            return strict(words).map_err(Wrong::Typed);
        }
        None => {
            // Help and version are printed whatever the file says.
            if let Err(error) = strict(words)
                && matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
            {
                return Err(Wrong::Typed(error));
            }
            let config = Config::load(Path::new(PICKED_UP)).and_then(Config::picked_up);
            config.map_err(|error| {
                Wrong::File(
                    error.context("settings of the working folder (--no-config ignores them)"),
                )
            })?
        }
    };
    let matches = config.apply(root()).try_get_matches_from(words).map_err(Wrong::Typed)?;
    let mut args = Args::from_arg_matches(&matches).map_err(Wrong::Typed)?;
    if args.global.config.is_none() {
        args.global.config = Some(config.path);
        args.global.picked_up = true;
    }
    Ok(args)
}

fn strict(words: &[OsString]) -> Result<Args, clap::Error> {
    Args::from_arg_matches(&root().try_get_matches_from(words)?)
}

/// The file that the command line names, and whether it wants none. A command line that is wrong anyway
/// names none.
fn file_named(words: &[OsString]) -> (Option<PathBuf>, bool) {
    let Ok(matches) = lenient(root()).try_get_matches_from(words) else { return (None, false) };
    // The innermost command knows the globals that were typed anywhere.
    let mut inner = &matches;
    while let Some((_, sub)) = inner.subcommand() {
        inner = sub;
    }
    // `help COMMAND` has no options.
    let file = inner.try_get_one::<PathBuf>(OPTION).ok().flatten().cloned();
    (file, inner.try_get_one::<bool>(NONE).ok().flatten().is_some_and(|none| *none))
}

/// The whole command line. A variable that is set to nothing is not set.
pub(crate) fn root() -> Command {
    let root = Args::command().mut_args(|arg| {
        let empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        if arg.get_env().is_some_and(empty) { arg.env(Resettable::Reset) } else { arg }
    });
    with_negatives(root)
}

/// Value names of what is counted or measured.
const NUMBERS: &[&str] = &["N", "N,N", "SEED", "SIZE", "TIME", "UNITS"];

/// Lets `-1` be the value of an option that counts or measures, so that what is wrong with it is said.
fn with_negatives(command: Command) -> Command {
    let is_number = |arg: &Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        names.iter().any(|name| NUMBERS.contains(&name.as_str()))
    };
    command
        .mut_args(|arg| match is_number(&arg) && !arg.is_positional() {
            true => arg.allow_hyphen_values(true),
            false => arg,
        })
        .mut_subcommands(with_negatives)
}

/// The same commands without anything that must be there, and with flags that can be taken back.
fn lenient(command: Command) -> Command {
    command
        .subcommand_required(false)
        .arg_required_else_help(false)
        .mut_args(|arg| revocable(arg.required(false)))
        .mut_subcommands(lenient)
}

/// A flag that also takes `=false`, which is how one that is set in a file is taken back.
fn revocable(arg: Arg) -> Arg {
    if DataKind::of(&arg) != DataKind::Flag {
        return arg;
    }
    arg.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(clap::value_parser!(bool))
        .default_missing_value("true")
        .default_value("false")
}

/// True for options that can be in a file.
fn is_setting(arg: &Arg) -> bool {
    let does = matches!(
        arg.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    );
    arg.get_long().is_some() && !does && arg.get_id() != OPTION && arg.get_id() != NONE
}

/// Commands that have settings. That which prints them has none.
fn commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != OPTION)
}

impl Config {
    /// Reads a file and checks every name and value in it.
    pub(crate) fn load(path: &Path) -> Result<Config> {
        let name = visible(&path.to_string_lossy());
        // A bare `io::Error` would be one of the output; see `main.rs`.
        let wrong = |cause| anyhow::anyhow!("{name}: cannot be read ({cause}); check --config");
        if std::fs::metadata(path).map_err(wrong)?.len() > MAX_BYTES {
            bail!("{name}: larger than any file of settings; is it the right one?");
        }
        Config::read(path, &std::fs::read_to_string(path).map_err(wrong)?)
    }

    fn read(path: &Path, text: &str) -> Result<Config> {
        let mut reader = Reader { path, text, known: lenient(root()), entries: Vec::new() };
        let table = DeTable::parse(text).map_err(|error| {
            let place = reader.place(&error.span().unwrap_or(0..0));
            anyhow::anyhow!("{place}: {}", error.message().replace('\n', ", "))
        })?;
        let known = root();
        reader.table(&known, &mut Vec::new(), table.get_ref())?;
        let mut entries = reader.entries;
        entries.sort_by_key(|entry| entry.line);
        Ok(Config { path: path.to_path_buf(), entries })
    }

    /// The same file, if it sets only what a file that nobody named may set.
    fn picked_up(self) -> Result<Config> {
        match self.entries.iter().find(|entry| NAMED_ONLY.contains(&entry.id.as_str())) {
            None => Ok(self),
            Some(entry) => {
                let (place, name) =
                    (visible(&self.path.to_string_lossy()), entry.id.replace('_', "-"));
                bail!(
                    "{place}:{}: `{name}` must be typed, or set by a file named with --config {place}",
                    entry.line
                )
            }
        }
    }

    /// Makes the file's values the defaults.
    pub(crate) fn apply(&self, command: Command) -> Command {
        self.apply_to(command, &mut Vec::new())
    }

    fn apply_to(&self, mut command: Command, at: &mut Vec<String>) -> Command {
        command = command.mut_args(revocable);
        for entry in self.entries.iter().filter(|entry| entry.command == *at) {
            command = command.mut_arg(&entry.id, |arg| {
                let values: Vec<_> =
                    entry.values.iter().map(|v| clap::builder::OsStr::from(v.clone())).collect();
                arg.required(false).default_values(values)
            });
        }
        let names: Vec<String> = command.get_subcommands().map(|s| s.get_name().into()).collect();
        for name in names {
            at.push(name.clone());
            command = command.mut_subcommand(name, |sub| self.apply_to(sub, at));
            at.pop();
        }
        command
    }

    /// Every setting of every command or, for words that name one, of that command, with its value.
    pub(crate) fn settings(&self, words: &[OsString]) -> Result<Vec<Setting>, clap::Error> {
        let command = self.apply(lenient(root()));
        let matches = command.clone().try_get_matches_from(words)?;
        let mut settings = Vec::new();
        self.collect(&root(), &command, Some(&matches), &mut Vec::new(), &mut settings);
        let mut typed = Vec::new();
        let mut inner = &matches;
        while let Some((name, sub)) = inner.subcommand() {
            typed.push(name.to_owned());
            inner = sub;
        }
        // Those of the commands around it belong to it, and those of commands within it.
        settings.retain(|s| typed.starts_with(&s.command) || s.command.starts_with(&typed));
        Ok(settings)
    }

    /// `plain` says what an option is, `full` what its default is with this file.
    fn collect(
        &self,
        plain: &Command,
        full: &Command,
        matches: Option<&ArgMatches>,
        at: &mut Vec<String>,
        settings: &mut Vec<Setting>,
    ) {
        for arg in plain.get_arguments().filter(|arg| is_setting(arg)) {
            let id = arg.get_id().as_str();
            let name = arg.get_long().unwrap_or(id).to_owned();
            let text = |value: &OsStr| value.to_string_lossy().into_owned();
            let default = full.get_arguments().find(|known| known.get_id() == id);
            let default = default.into_iter().flat_map(Arg::get_default_values);
            let default: Vec<String> = default.map(|value| text(value)).collect();
            let entry = self.entries.iter().find(|e| e.command == *at && e.id == id);
            let below = entry.map_or(Origin::Default, |entry| Origin::File {
                path: self.path.clone(),
                line: entry.line,
            });
            let raw = || {
                let raw = matches.and_then(|m| m.try_get_raw(id).ok().flatten());
                raw.map_or_else(Vec::new, |raw| raw.map(text).collect())
            };
            let source = matches.and_then(|m| m.try_get_raw(id).ok().and(m.value_source(id)));
            let variable = arg.get_env().map(text);
            let set = variable.as_deref().and_then(std::env::var_os).filter(|v| !v.is_empty());
            let (values, origin) = match (source, variable, set) {
                (Some(clap::parser::ValueSource::CommandLine), ..) => {
                    (raw(), Origin::Flag(name.clone()))
                }
                (_, Some(variable), Some(value)) => {
                    (vec![text(&value)], Origin::Environment(variable))
                }
                _ => (default, below),
            };
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let (command, kind) = (at.clone(), DataKind::of(arg));
            settings.push(Setting { command, name, values, kind, origin, help });
        }
        for sub in commands(plain) {
            let name = sub.get_name();
            let Some(full) = full.find_subcommand(name) else { continue };
            let matches = matches.and_then(|m| m.subcommand_matches(name));
            at.push(name.to_owned());
            self.collect(sub, full, matches, at, settings);
            at.pop();
        }
    }
}

/// Goes through a file's tables.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    known: Command,
    entries: Vec<Entry>,
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().iter().take(span.start);
        1 + before.filter(|&&byte| byte == b'\n').count()
    }

    fn place(&self, span: &Range<usize>) -> String {
        format!("{}:{}", visible(&self.path.to_string_lossy()), self.line(span))
    }

    fn table(&mut self, known: &Command, at: &mut Vec<String>, table: &DeTable<'_>) -> Result<()> {
        let mut lines: Vec<_> = table.iter().collect();
        lines.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in lines {
            let (name, place) = (key.get_ref().as_ref(), self.place(&key.span()));
            if let DeValue::Table(inner) = value.get_ref() {
                let Some(sub) = commands(known).find(|sub| sub.get_name() == name) else {
                    let names = commands(known).map(Command::get_name).collect();
                    bail!("{place}: no command `{}`{}", visible(name), meant(name, names));
                };
                at.push(name.to_owned());
                self.table(sub, at, inner)?;
                at.pop();
                continue;
            }
            let long = name.replace('_', "-");
            let mut options = known.get_arguments().filter(|arg| is_setting(arg));
            let Some(arg) = options.find(|arg| arg.get_long() == Some(&long)) else {
                let names = known.get_arguments().filter(|arg| is_setting(arg));
                let names = names.filter_map(Arg::get_long).collect();
                let of = if at.is_empty() { "" } else { " of " };
                let of = format!("{of}{}", at.join(" "));
                bail!("{place}: no setting `{}`{of}{}", visible(name), meant(&long, names));
            };
            let wrong = |problem: &str| format!("{place}: `{}`: {problem}", visible(name));
            let values = values(value.get_ref(), DataKind::of(arg)).map_err(|p| {
                let message = wrong(&p);
                anyhow::anyhow!(message)
            })?;
            for value in &values {
                self.check(at, &long, value).map_err(|problem| {
                    let message = wrong(&problem);
                    anyhow::anyhow!(message)
                })?;
            }
            let id = arg.get_id().to_string();
            let (command, line) = (at.clone(), self.line(&key.span()));
            let twice = self.entries.iter().find(|e| e.command == command && e.id == id);
            if let Some(first) = twice {
                bail!("{place}: `{}` is in line {} already", visible(name), first.line);
            }
            self.entries.push(Entry { command, id, values, line });
        }
        Ok(())
    }

    /// Whether the option's own parser takes a value.
    fn check(&self, at: &[String], long: &str, value: &str) -> Result<(), String> {
        let words = std::iter::once("arcloom").chain(at.iter().map(String::as_str));
        let option = format!("--{long}={value}");
        let words = words.chain(std::iter::once(option.as_str()));
        match self.known.clone().try_get_matches_from(words) {
            Ok(_) => Ok(()),
            // Whatever else the command line would need is not the file's concern.
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
            Err(error) => {
                let text = error.to_string();
                let first = text.lines().take_while(|line| !line.trim().is_empty());
                let first: Vec<&str> = first.map(str::trim).collect();
                let first = first.join(" ");
                Err(first.strip_prefix("error: ").unwrap_or(&first).to_owned())
            }
        }
    }
}

/// The value of a file as words of a command line.
fn values(value: &DeValue<'_>, kind: DataKind) -> Result<Vec<String>, String> {
    let word = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().replace('_', "")),
        DeValue::Integer(_) => Err("write the number in decimal".to_owned()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        other => Err(format!("a text or a number is meant, not {}", described(other))),
    };
    match (kind, value) {
        (DataKind::Flag, DeValue::Boolean(on)) => Ok(vec![on.to_string()]),
        (DataKind::Flag, other) => Err(format!("true or false is meant, not {}", described(other))),
        (DataKind::Many, DeValue::Array(list)) => {
            if list.is_empty() {
                return Err("an empty list; leave the setting out".to_owned());
            }
            list.iter().map(|value| word(value.get_ref())).collect()
        }
        (_, other) => Ok(vec![word(other)?]),
    }
}

fn described(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// What might have been meant, else everything there is.
fn meant(name: &str, known: Vec<&str>) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!(": did you mean `{near}`?"),
        None if known.is_empty() => "; there are none here".to_owned(),
        None => format!("; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests;
