//! The arguments of `arcloom eval`.

use super::common::{CallBudgetArg, JobsArg, TasksArg};

const AFTER: &str = "\
Each line of standard input is {\"task\": ..., \"program\": \"...\"}: the name of a task or a task as in ARC's files, and a text with a program, with or without `def`, as a language model may write it. What is left out of the text, such as prose, fences and imports, is listed under \"dropped\"; further programs of the text are answered under \"more\". Whatever is under \"id\" is returned. Each line is answered by one, in order:\n\n  \
  {\"schema\": 3, \"task\": \"...\", \"name\": \"...\", \"fits\": 2, \"demos\": 3, \"similarity\": 0.912, \"size\": 4, \"work\": 310,\n  \
   \"pairs\": [{\"right\": true, \"similarity\": 1, \"output\": [[..]]}, {\"error\": {..}}, ..],\n  \
   \"tests\": [{\"output\": [[..]]}, ..]}\n\n\
A text without a program has \"error\": {\"message\", \"line\", \"column\", \"suggestion\"}; a line that cannot be used is answered by {\"line\": N, \"error\": {\"message\": \"...\"}}. Expected outputs of tests are not read. The command ends with its input, with exit code 0.\n\n\
Examples:\n  \
  echo '{\"task\": \"ring_largest\", \"program\": \"O = vmirror(I)\"}' | arcloom eval --stdin";

/// `arcloom eval`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER, mut_arg("tasks", |arg| arg.help("Tasks that lines may name; repeatable [default: embedded]")))]
pub(crate) struct EvalArgs {
    /// Read programs from standard input
    #[arg(long, required = true)]
    pub(crate) stdin: bool,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) call_budget: CallBudgetArg,
}
