//! The arguments of `arcloom serve`.

use std::net::IpAddr;
use std::path::PathBuf;

/// `arcloom serve`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Shows tasks, programs step by step, lineage, runs as they go on, merged graphs and the language in
the browser. Nothing is written without --writable, and nothing is asked of other hosts. Another process
may solve or evolve into the archive meanwhile. Ctrl-C ends it.

Only this machine can connect, unless --host says otherwise; visitors then need the token that is
part of the printed address. With --writable they always need it.

Further archives stand beside the first one in the matrix of tasks and runs.

Examples:
  arcloom serve
  arcloom serve archive.db --tasks arc1/training --programs library:rearc
  arcloom serve today.db yesterday.db
  arcloom serve archive.db --host 0.0.0.0 --port 8732 --no-open")]
pub(crate) struct ServeArgs {
    /// The archive to show, then others to compare with; they need not be there yet [default:
    /// archive.db, where there is one]
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archives: Vec<PathBuf>,
    /// Task sets, may be repeated [default: `embedded` and the fetched sets]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Programs: files, folders, `library:` names; may be repeated [default: `library:embedded` and
    /// the fetched libraries]
    #[arg(long, short, visible_alias = "library", value_name = "SPEC")]
    pub(crate) programs: Vec<String>,
    /// Port to listen on [default: 8732, or a free one when that is taken]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
    /// What visitors have to know [default: none on this machine alone, else made up and printed]
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
