//! System packages that some tests need: whether they are there, and how to get them.
//!
//! Nothing is installed unless `--install` asks for it.

use std::path::Path;
use std::process::Command;

use crate::run::{Tally, answers};

/// A tool of the system.
pub(crate) struct Tool {
    /// What it is called.
    name: &'static str,
    is_there: fn() -> bool,
    /// Debian's packages.
    packages: &'static [&'static str],
}

/// A device for OpenCL: PoCL's, which is the CPU.
pub(crate) const POCL: Tool = Tool {
    name: "PoCL",
    is_there: || Path::new("/etc/OpenCL/vendors/pocl.icd").is_file(),
    packages: &["pocl-opencl-icd", "ocl-icd-libopencl1"],
};

/// A browser that can be driven.
pub(crate) const CHROMIUM: Tool = Tool {
    name: "chromium with chromedriver",
    is_there: || has_version("chromium") && has_version("chromedriver"),
    packages: &["chromium", "chromium-driver"],
};

/// What counts instructions.
pub(crate) const VALGRIND: Tool =
    Tool { name: "valgrind", is_there: || has_version("valgrind"), packages: &["valgrind"] };

/// A terminal that commands draw on, and that can be read.
pub(crate) const TMUX: Tool = Tool {
    name: "tmux",
    is_there: || answers(Command::new("tmux").arg("-V")),
    packages: &["tmux"],
};

/// How to get what a step lacks, for the line that says that it is skipped.
pub(crate) const INSTALL: &str = "type `cargo xtask test --install`";

impl Tool {
    /// True when the tool is there, or has been installed because that was asked for. Otherwise the
    /// step that needs it is counted as skipped.
    pub(crate) fn is_ready(&self, tally: &mut Tally, step: &str) -> bool {
        if (self.is_there)() {
            return true;
        }
        let packages = self.packages.join(" ");
        if tally.install {
            println!("   installing {packages}");
            if self.install() {
                return true;
            }
            let reason = format!("{} is missing and could not be installed", self.name);
            tally.skip(step, &reason, &format!("type `apt-get install {packages}` as root"));
        } else {
            let advice =
                format!("type `apt-get install {packages}`, or `cargo xtask test --install`");
            tally.skip(step, &format!("{} is not installed", self.name), &advice);
        }
        false
    }

    /// True when it is there.
    pub(crate) fn is_there(&self) -> bool {
        (self.is_there)()
    }

    fn install(&self) -> bool {
        let apt = |words: &[&str]| {
            let mut command = Command::new("apt-get");
            answers(command.args(words).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
        words.extend(self.packages);
        // The list of packages may be older than the packages.
        (apt(&words) || (apt(&["update", "-qq"]) && apt(&words))) && self.is_there()
    }
}

fn has_version(program: &str) -> bool {
    answers(Command::new(program).arg("--version"))
}
