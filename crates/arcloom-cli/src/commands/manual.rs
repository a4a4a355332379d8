//! `arcloom completions` and `arcloom man`: what shells and `man` know about the command.

use std::fs;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use arcloom::nearest;
use clap::Command;
use clap_mangen::Man;

use crate::args::manual::{CompletionsArgs, ManArgs};
use crate::config::root;
use crate::file;
use crate::paint::{count, visible};
use crate::session::Session;

/// The name of the command.
const NAME: &str = "arcloom";

pub(crate) fn completions(args: &CompletionsArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut root(), NAME, &mut script);
    session.out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(args: &ManArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let mut all = Vec::new();
    pages(root(), NAME, &mut all);
    let Some(folder) = &args.output else {
        let name = std::iter::once(NAME).chain(args.command.iter().map(String::as_str));
        let name = name.collect::<Vec<_>>().join("-");
        let Some((_, page)) = all.iter().find(|(known, _)| *known == name) else {
            let near = nearest(&name, all.iter().map(|(known, _)| known.as_str()));
            let near = near.and_then(|near| near.strip_prefix("arcloom-"));
            let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            bail!("no command `{}`{near}", visible(&args.command.join(" ")));
        };
        session.out.write_all(&rendered(page)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let place = visible(&folder.to_string_lossy());
    fs::create_dir_all(folder)
        .map_err(|cause| anyhow!("{place}: cannot be made ({cause}); name another folder"))?;
    for (name, page) in &all {
        file::write(&folder.join(format!("{name}.1")), &rendered(page)?)?;
    }
    writeln!(session.out, "{place}: {}", count(all.len(), "page"))?;
    Ok(ExitCode::SUCCESS)
}

/// A page per command, by names such as `arcloom-archive-list`.
fn pages(command: Command, name: &str, all: &mut Vec<(String, Command)>) {
    // Without the command for help, which has no page of its own.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let subs: Vec<Command> = command.get_subcommands().cloned().collect();
    all.push((name.to_owned(), command.name(name.to_owned()).display_name(name.to_owned())));
    for sub in subs {
        let name = format!("{name}-{}", sub.get_name());
        pages(sub, &name, all);
    }
}

fn rendered(command: &Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(|cause| anyhow!("{cause}"))?;
    Ok(page)
}
