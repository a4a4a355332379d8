//! Development commands. `cargo xtask help` lists them.

mod browser;
mod codegen;
mod fuzz;
mod gpu;
mod oracle;
mod python;
mod real;
mod run;
mod stubs;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  test [--all]        everything a change must pass; ends in `N passed, N failed`
  codegen [--check]   write the generated reference, or fail when it is stale
  tidy                dependency direction between crates, forbidden words
  ptx [--check]       compile the kernels for CUDA, or fail when that gives another text
  wheel               build the Python wheel into target/wheels
  python              build the wheel, install it into a clean environment, run its tests
  browser             the viewer in a real browser; screenshots go to target/browser
  real                the public task sets and program libraries
  oracle              what a unit of work takes in every primitive, under callgrind
  fuzz [MINUTES]      fuzz the parser and the evaluator (10 minutes each)
";

fn main() -> anyhow::Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().any(|arg| arg == name);
    match args.first().map(String::as_str) {
        Some("test") => test::test(flag("--all")),
        Some("codegen") => codegen::codegen(flag("--check")),
        Some("tidy") => tidy::tidy(),
        Some("ptx") => gpu::ptx(flag("--check")),
        Some("wheel") => python::wheel(),
        Some("python") => python::python(),
        Some("browser") => browser::browser(),
        Some("real") => real::real(),
        Some("oracle") => oracle::oracle(),
        Some("fuzz") => fuzz::fuzz(args.get(1).map_or(Ok(10), |m| m.parse())?),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprint!("{HELP}");
            Ok(ExitCode::from(2))
        }
    }
}
