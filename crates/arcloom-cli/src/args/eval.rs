//! `arcloom eval`: what was typed.

/// `arcloom eval`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line of standard input is {\"task\": ..., \"program\": \"...\"}: the name of a task or a task as
in ARC's files, and a program as text, with or without `def`. Anything under \"id\" comes back. Each
line is answered by one, in order:

  {\"schema\": 2, \"task\": \"...\", \"fits\": 2, \"demos\": 3, \"similarity\": 0.912, \"size\": 4, \"work\": 310,
   \"pairs\": [{\"right\": true, \"similarity\": 1, \"output\": [[..]]}, {\"error\": \"...\"}, ..],
   \"tests\": [{\"output\": [[..]]}, ..]}

A line that cannot be used is answered by {\"line\": N, \"error\": \"...\"}, and the next one is read.
Expected outputs of tests are not read. The stream ends with the input; the exit code is then 0.

Example:
  echo '{\"task\": \"ring_largest\", \"program\": \"O = vmirror(I)\"}' | arcloom eval --stdin")]
pub(crate) struct EvalArgs {
    /// Read programs from standard input
    #[arg(long, required = true)]
    pub(crate) stdin: bool,
    /// Tasks that lines may name, may be repeated [default: `embedded`]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Work units one call may spend before it ends as over budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,
}
