//! `arcloom kaggle-bundle`: a folder that runs on Kaggle with the internet switched off.
//!
//! The notebook is a file as Jupyter has it. What it does is in the Python package, which it installs
//! from the wheel beside it: `arcloom.kaggle.solve`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use arcloom::{Form, text};

use super::fmt::named_apart;
use crate::args::kaggle_bundle::KaggleBundleArgs;
use crate::paint::{count, size, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, file, locate};

mod platform;

const NOTEBOOK: &str = include_str!("kaggle_bundle/arcloom.ipynb");

/// Stands in the notebook for the hours that a submission may take.
const TIME_LIMIT: &str = "{{TIME_LIMIT_HOURS}}";

pub(crate) fn run(args: &KaggleBundleArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    // Everything is read before anything is written.
    let (name, wheel) = wheel(args.wheel.as_deref())?;
    let programs = &args.programs.programs;
    let library = locate::programs_or_default(session, programs, false, Some(locate::PROGRAMS))?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    let programs = named_apart(&library, session);
    let folder = &args.folder;
    let place = visible(&folder.to_string_lossy());
    fs::create_dir_all(folder)
        .map_err(|cause| anyhow!("{place}: cannot be made ({cause}); name another folder"))?;
    file::write(&folder.join(&name), &wheel)?;
    let text = text::print_file(&programs, Form::Straight);
    file::write(&folder.join("programs.py"), text.as_bytes())?;
    let notebook =
        NOTEBOOK.replace(TIME_LIMIT, &(args.time_limit.as_secs_f64() / 3600.0).to_string());
    file::write(&folder.join("arcloom.ipynb"), notebook.as_bytes())?;
    writeln!(
        session.out,
        "{place}: arcloom.ipynb, programs.py with {}, {} of {}",
        count(programs.len(), "program"),
        visible(&name),
        size(wheel.len() as u64)
    )?;
    Ok(if library.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// Name and bytes of the wheel.
fn wheel(path: Option<&Path>) -> Result<(String, Vec<u8>)> {
    let Some(path) = path else {
        bail!(
            "a bundle needs the wheel of the Python package: build one with `cargo xtask wheel` and \
             give it with --wheel FILE, or use the `arcloom` that the package installs"
        );
    };
    let place = visible(&path.to_string_lossy());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let bytes = fs::read(path)
        .map_err(|cause| anyhow!("{place}: cannot be read ({cause}); check --wheel"))?;
    platform::check(name, &bytes).map_err(|reason| anyhow!("{place}: {reason}"))?;
    Ok((name.to_owned(), bytes))
}
