//! What the GPU backend needs: a device to test on, and kernels compiled for CUDA.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};

use crate::run::{Tally, cargo, root, target};
use crate::tools::{INSTALL, POCL};

/// The compiler: the last that has compute capability 6.0 in a form that older drivers read.
const NVRTC: &str = "nvidia-cuda-nvrtc-cu11==11.8.89";
/// Its library, in the folder that pip unpacks it into.
const LIBRARY: &str = "nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2";
/// NVIDIA's assembler, which says how many registers a kernel takes and what is spilled.
const NVCC: &str = "nvidia-cuda-nvcc-cu11==11.8.89";
/// It, in the folder that pip unpacks it into.
const PTXAS: &str = "nvidia/cuda_nvcc/bin/ptxas";
/// What the kernel is assembled for: the target, and how many groups and bytes of shared memory a multiprocessor
/// has room for. All have 65,536 registers, given to a warp in pieces of 256.
const TARGETS: [(&str, u32, u32); 3] =
    [("sm_60", 32, 64 << 10), ("sm_75", 16, 64 << 10), ("sm_89", 24, 100 << 10)];
/// Groups that a multiprocessor should have room for, and the most bytes that may be spilled for it.
const GROUPS: u32 = 16;
const MOST_SPILLED: u32 = 64;
/// What is kept: the text that is embedded, which serves newer devices as well, and what the texts for
/// all devices hash to.
const KEPT: [&str; 2] = ["sm_60.ptx", "sums.txt"];

/// Sees to it that OpenCL has a device. Where it has none, the tests on devices say so one by one.
pub(crate) fn prepare(tally: &mut Tally) {
    println!("\n== OpenCL device");
    tally.timed("OpenCL device", |tally| POCL.is_ready(tally, "tests on a device"));
}

/// Compiles the kernels.
pub(crate) fn ptx(check: bool) -> anyhow::Result<ExitCode> {
    let folder = root().join("target/nvrtc");
    let library = nvrtc(&folder)?;
    // As tests are built, so that they need not build it again.
    let build = cargo(&["build", "--quiet", "--workspace", "--example", "kernel_text"]).status();
    if !build.context("run cargo")?.success() {
        bail!("the example kernel_text does not build");
    }
    let text = Command::new(target().join("debug/examples/kernel_text"))
        .stderr(Stdio::inherit())
        .output()
        .context("print the kernel text")?;
    if !text.status.success() {
        bail!("the kernel text could not be printed");
    }
    let source = folder.join("loom.c");
    std::fs::write(&source, &text.stdout).with_context(|| format!("write {}", source.display()))?;
    let out = folder.join("out");
    let status = Command::new("python3")
        .arg(root().join("scripts/build_ptx.py"))
        .args([&source, &library, &out])
        .status()
        .context("run python3")?;
    if !status.success() {
        bail!("the kernels do not compile");
    }
    let folder = root().join("crates/arcloom-gpu/ptx");
    let is_stale =
        |name: &&str| std::fs::read(out.join(name)).ok() != std::fs::read(folder.join(name)).ok();
    let stale: Vec<&str> = KEPT.into_iter().filter(is_stale).collect();
    if stale.is_empty() {
        println!("{} is up to date", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    if check {
        println!("{}: {} stale: run `cargo xtask ptx`", folder.display(), stale.join(" and "));
        return Ok(ExitCode::from(1));
    }
    for name in stale {
        let kept = folder.join(name);
        std::fs::copy(out.join(name), &kept)
            .with_context(|| format!("write {}", kept.display()))?;
        println!("wrote {}", kept.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Compiles the kernels anew and compares, where the compiler is there.
pub(crate) fn check(tally: &mut Tally) {
    println!("\n== kernels for CUDA");
    let folder = root().join("target/nvrtc");
    if !folder.join(LIBRARY).is_file() && !tally.install {
        let reason = "the compiler NVRTC is not there; the texts are compared without it";
        return tally.skip("kernels for CUDA", reason, INSTALL);
    }
    match tally.timed("compiler for CUDA", |_| nvrtc(&folder)) {
        Ok(_) => {
            tally.step("kernels for CUDA", cargo(&["xtask", "ptx", "--check"]));
        }
        Err(error) => tally.skip("kernels for CUDA", &error.to_string(), "see that pip works"),
    }
}

/// Has the embedded kernel assembled for all targets, and says what it takes.
pub(crate) fn assemble(tally: &mut Tally) {
    println!("\n== kernels assembled");
    // In a folder of its own: pip does not unpack into a package that another one has begun.
    let folder = root().join("target/ptxas");
    if !folder.join(PTXAS).is_file() && !tally.install {
        return tally.skip("kernels assembled", "the assembler ptxas is not there", INSTALL);
    }
    let ptxas = match fetched(&folder, NVCC, PTXAS) {
        Ok(ptxas) => ptxas,
        Err(error) => {
            return tally.skip("kernels assembled", &error.to_string(), "see that pip works");
        }
    };
    for (target, most, shared) in TARGETS {
        let outcome = assembled(&ptxas, &folder, target);
        let what = match &outcome {
            Err(error) => format!("{target}: {error:#}"),
            Ok(kernel) => format!("{target}: {}", kernel.in_words(most, shared)),
        };
        let good =
            outcome.is_ok_and(|k| k.groups(most, shared) >= GROUPS && k.spilled <= MOST_SPILLED);
        tally.check("kernels assembled", good, &what);
    }
}

/// What the assembler says of the kernel.
struct Assembled {
    registers: u32,
    spilled: u32,
    stack: u32,
    shared: u32,
}

impl Assembled {
    /// Groups of one warp that a multiprocessor has room for.
    fn groups(&self, most: u32, shared: u32) -> u32 {
        let of_a_warp = (self.registers * 32).next_multiple_of(256).max(256);
        (65_536 / of_a_warp).min(shared / self.shared.max(1)).min(most)
    }

    fn in_words(&self, most: u32, shared: u32) -> String {
        format!(
            "{} registers, {} bytes spilled, {} bytes of stack, {} bytes shared: {} groups per multiprocessor",
            self.registers,
            self.spilled,
            self.stack,
            self.shared,
            self.groups(most, shared),
        )
    }
}

fn assembled(ptxas: &Path, folder: &Path, target: &str) -> anyhow::Result<Assembled> {
    let out = Command::new(ptxas)
        .arg(format!("-arch={target}"))
        .arg("-v")
        .arg(root().join("crates/arcloom-gpu/ptx/sm_60.ptx"))
        .arg("-o")
        .arg(folder.join(format!("{target}.cubin")))
        .output()
        .context("run ptxas")?;
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    if !out.status.success() {
        bail!("{}", text.lines().next().unwrap_or("ptxas failed"));
    }
    // Such as `48 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads`, by function, and for the kernel
    // `Used 128 registers, 1436 bytes smem, ...`.
    let number_before = |line: &str, what: &str| {
        let before = line.split(what).next().filter(|_| line.contains(what))?;
        before.trim_end().rsplit([' ', ',']).next()?.parse::<u32>().ok()
    };
    let all =
        |what: &str| text.lines().filter_map(|line| number_before(line, what)).collect::<Vec<_>>();
    Ok(Assembled {
        registers: all(" registers").into_iter().max().context("ptxas names no registers")?,
        spilled: all(" bytes spill stores").into_iter().sum(),
        stack: all(" bytes stack frame").into_iter().max().unwrap_or(0),
        shared: all(" bytes smem").into_iter().max().unwrap_or(0),
    })
}

/// The compiler's library, fetched through pip when it is not there yet.
fn nvrtc(folder: &Path) -> anyhow::Result<PathBuf> {
    fetched(folder, NVRTC, LIBRARY)
}

/// A file of a package, which is fetched through pip when it is not there yet.
fn fetched(folder: &Path, package: &str, file: &str) -> anyhow::Result<PathBuf> {
    let library = folder.join(file);
    if !library.is_file() {
        let status = Command::new("python3")
            .args(["-I", "-m", "pip", "install", "--quiet", "--no-deps", "--target"])
            .arg(folder)
            .arg(package)
            .status()
            .context("run pip")?;
        if !status.success() || !library.is_file() {
            bail!("{package} could not be fetched");
        }
    }
    Ok(library)
}
