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

/// The compiler's library, fetched through pip when it is not there yet.
fn nvrtc(folder: &Path) -> anyhow::Result<PathBuf> {
    let library = folder.join(LIBRARY);
    if !library.is_file() {
        let status = Command::new("python3")
            .args(["-I", "-m", "pip", "install", "--quiet", "--no-deps", "--target"])
            .arg(folder)
            .arg(NVRTC)
            .status()
            .context("run pip")?;
        if !status.success() || !library.is_file() {
            bail!("{NVRTC} could not be fetched");
        }
    }
    Ok(library)
}
