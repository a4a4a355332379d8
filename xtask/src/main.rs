//! Development commands. `cargo xtask help` lists them.

mod attacks;
mod baseline;
mod book;
mod browser;
mod codegen;
mod figures;
mod fuzz;
mod gpu;
mod kills;
mod licences;
mod links;
mod manifests;
mod oracle;
mod package;
mod python;
mod python_reference;
mod real;
mod run;
mod stubs;
mod test;
mod tidy;
mod tools;
mod workflows;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  test                the whole suite; skips what lacks a tool or data, and says what to type
    --quick           what to run before every commit: no network, no tools, under five minutes
    --install         install what is missing; a skip for want of it is a failure
    --all             more random cases, all tasks, fuzz targets
  baseline [--bless]  compare what `solve` finds with solve_baseline.tsv, or write that file
  codegen [--check]   write the generated reference, or fail when it is stale
  tidy                dependencies, names, words and paths that the compiler does not check
  figures [NAME ...]  measure sections of docs/measurements.md and write them; without names, list them
    --binary FILE     this command instead of building it
  ptx [--check]       compile the kernels for CUDA, or fail when that gives another text
  wheel               build the Python wheel into target/python/wheels; on Linux for manylinux2014
    --target TRIPLE   for another platform
    --sdist           the source archive instead, into target/python/sdist
  package             pack the public crates, and build them from what is packed
  deny                licences and duplicates of dependencies, by deny.toml
  book                the docs site into target/book, by mdbook
  python [--install]  build the wheel, install it into a clean environment, run its tests
  browser [--install] the viewer in a real browser; screenshots go to target/browser
  real [--install]    the public task sets and program libraries
  oracle              instructions per unit of work in every primitive, under callgrind
  fuzz                fuzz every target that reads what others wrote
    --minutes N       minutes per target (10)
    --target NAME     only this one
  kills               kill `evolve` and `solve -a` at random moments, compare the archives
    --evolve N        kills of `evolve` (1000)
    --solve N         kills of `solve -a` (300)
    --seed N          other moments (1)
    --binary FILE     this command instead of building it; for `attacks` too
  attacks             mutated archives, files and requests: a table of what came of them
    --count N         of each kind (200)

`test` ends with a table of times and one line: `N passed, N failed, N skipped`.
Set ARCLOOM_ARC_DSL to an arc-dsl checkout to test its programs as well.
";

fn main() -> anyhow::Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().any(|arg| arg == name);
    let known: &[&str] = match args.first().map(String::as_str) {
        Some("test") => &["--quick", "--install", "--all"],
        Some("codegen" | "ptx") => &["--check"],
        Some("baseline") => &["--bless"],
        Some("python" | "browser" | "real") => &["--install"],
        Some("wheel") => &["--target", "--sdist"],
        Some("fuzz") => &["--minutes", "--target"],
        Some("attacks") => &["--count", "--binary"],
        Some("figures") => &["--binary"],
        Some("kills") => &["--evolve", "--solve", "--seed", "--binary"],
        _ => &[],
    };
    if let Some(other) =
        args.iter().find(|arg| arg.starts_with("--") && !known.contains(&arg.as_str()))
        && other != "--help"
    {
        eprint!("unknown option {other}\n\n{HELP}");
        return Ok(ExitCode::from(2));
    }
    let number = |name: &str, otherwise: u64| value(&args, name).map_or(Ok(otherwise), str::parse);
    match args.first().map(String::as_str) {
        Some("help" | "-h") => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        _ if flag("--help") => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some("test") => test::test(test::Options {
            quick: flag("--quick"),
            install: flag("--install"),
            all: flag("--all"),
        }),
        Some("baseline") => baseline::baseline(flag("--bless")),
        Some("codegen") => codegen::codegen(flag("--check")),
        Some("tidy") => tidy::tidy(),
        Some("ptx") => gpu::ptx(flag("--check")),
        Some("wheel") if flag("--sdist") => python::sdist(),
        Some("wheel") => python::wheel(value(&args, "--target")),
        Some("package") => package::package(),
        Some("deny") => licences::deny(),
        Some("book") => book::book(),
        Some("python") => python::python(flag("--install")),
        Some("browser") => browser::browser(flag("--install")),
        Some("real") => real::real(flag("--install")),
        Some("figures") => {
            let binary = value(&args, "--binary");
            let names = args[1..].iter().map(String::as_str);
            let names: Vec<&str> =
                names.filter(|name| *name != "--binary" && Some(*name) != binary).collect();
            figures::figures(&names, binary.map(Into::into))
        }
        Some("oracle") => oracle::oracle(),
        Some("fuzz") => fuzz::fuzz(number("--minutes", 10)?, value(&args, "--target")),
        Some("kills") => kills::kills(&kills::Options {
            evolve: number("--evolve", 1000)?,
            solve: number("--solve", 300)?,
            seed: number("--seed", 1)?,
            binary: value(&args, "--binary").map(Into::into),
        }),
        Some("attacks") => {
            attacks::attacks(number("--count", 200)?, value(&args, "--binary").map(Into::into))
        }
        _ => {
            eprint!("{HELP}");
            Ok(ExitCode::from(2))
        }
    }
}

/// What follows an option.
fn value<'a>(args: &'a [String], name: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| arg == name)?;
    args.get(at + 1).map(String::as_str)
}
