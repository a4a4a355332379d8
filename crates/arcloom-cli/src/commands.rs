//! One file per command: arguments and session in, exit code out.

use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::StoreError;

use crate::args::{Args, Command};
use crate::output;
use crate::session::Session;

mod archive;
mod ask;
mod augment;
mod bench;
mod card;
mod check;
pub(crate) mod config;
mod data;
mod devices;
mod dsl;
mod eval;
mod evolve;
mod fmt;
mod kaggle_bundle;
mod manual;
mod report;
mod run;
mod score;
mod serve;
mod show;
mod solve;
mod submit;
mod trace;
mod welcome;

/// What is said when a run goes on without its archive.
fn unstored(error: &StoreError) -> String {
    format!("results from now on are not stored, the run continues without the archive: {error}")
}

/// Runs a command; without one, some of what there is on the built-in tasks.
pub(crate) fn run(args: &Args, session: &mut Session<'_>) -> Result<ExitCode> {
    args.command.as_ref().map_or(Ok(()), output::check)?;
    match args.command.as_ref() {
        None => welcome::run(session),
        Some(Command::Check(args)) => check::run(args, session),
        Some(Command::Run(args)) => run::run(args, session),
        Some(Command::Bench(args)) => bench::run(args, session),
        Some(Command::Ask(args)) => ask::run(args, session),
        Some(Command::Augment(args)) => augment::run(args, session),
        Some(Command::Eval(args)) => eval::run(args, session),
        Some(Command::Evolve(args)) => evolve::run(args, session),
        Some(Command::Solve(args)) => solve::run(args, session),
        Some(Command::Submit(args)) => submit::run(args, session),
        Some(Command::Score(args)) => score::run(args, session),
        Some(Command::KaggleBundle(args)) => kaggle_bundle::run(args, session),
        Some(Command::Trace(args)) => trace::run(args, session),
        Some(Command::Show(args)) => show::run(args, session),
        Some(Command::Fmt(args)) => fmt::run(args, session),
        Some(Command::Card(args)) => card::run(args, session),
        Some(Command::Dsl(args)) => dsl::run(args, session),
        Some(Command::Data(args)) => data::run(args, session),
        Some(Command::Devices(args)) => devices::run(args, session),
        Some(Command::Report(args)) => report::run(args, session),
        Some(Command::Archive(args)) => archive::run(args, session),
        Some(Command::Serve(args)) => serve::run(args, session),
        Some(Command::Completions(args)) => manual::completions(args, session),
        Some(Command::Man(args)) => manual::man(args, session),
        Some(Command::Config(words)) => config::run(words, args.global.config.as_deref(), session),
    }
}
