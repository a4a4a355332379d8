//! The arguments of `arcloom serve`.

use std::net::IpAddr;

use super::common::TasksArg;

const AFTER: &str = "\
The viewer shows tasks, programs step by step, lineage, runs under way, merged graphs and the language. It writes nothing without --writable and contacts no other host. Another process may write the archive at the same time. Ctrl-C ends it.\n\n\
Only this machine can connect. With --host others can, and need the access token that is part of the printed address. With --writable they always need it.\n\n\
Examples:\n  \
  arcloom serve\n  \
  arcloom serve archive.db -t arc1/training -p library:rearc\n  \
  arcloom serve archive.db:3f2a91\n  \
  arcloom serve today.db yesterday.db\n  \
  arcloom serve archive.db --host 0.0.0.0 --port 8732 --no-open";

/// `arcloom serve`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER, mut_arg("tasks", |arg| arg.help("Task sets; repeatable [default: all sets]")))]
pub(crate) struct ServeArgs {
    /// Archives: FILE, `archive:FILE`, or FILE:ID, which opens that program [default: archive.db]
    ///
    /// The files need not exist yet. Those after the first stand beside it in the matrix of tasks and runs.
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archives: Vec<String>,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Programs: file, folder, `library:NAME` or `archive:FILE`; repeatable [default: all libraries]
    #[arg(long, short, visible_alias = "library", value_name = "PROGRAMS")]
    pub(crate) programs: Vec<String>,
    /// Port to listen on [default: 8732, or a free one]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
    /// Access token [default: none on this machine, else generated and printed]
    #[arg(
        long,
        value_name = "TEXT",
        env = "ARCLOOM_TOKEN",
        hide_env = true,
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
    /// Let visitors save programs into the archive
    #[arg(long)]
    pub(crate) writable: bool,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
}
