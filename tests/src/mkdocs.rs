//! MkDocs, which makes the book of `docs/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, LIMIT};
use crate::report::Report;
use crate::tools::{Tool, package};

/// A proxy that nobody is: what would ask the network fails.
const NOWHERE: &str = "http://127.0.0.1:9";

/// An installed MkDocs.
#[derive(Clone, Debug)]
pub struct Mkdocs {
    python: PathBuf,
}

impl Tool for Mkdocs {
    const NAME: &'static str = "MkDocs";

    fn locate() -> Option<Self> {
        Some(Mkdocs { python: package("mkdocs")?.python })
    }
}

impl Mkdocs {
    /// Builds the book that `mkdocs.yml` in `project` describes, strictly and without a network:
    /// links that lead nowhere and pages that are not in the index are findings.
    pub fn build(&self, project: &Path, into: &Path) -> Report {
        let mut command = Command::new(&self.python);
        command.args(["-m", "mkdocs", "build", "--strict", "--config-file"]);
        command.arg(project.join("mkdocs.yml")).arg("--site-dir").arg(into);
        command.envs(["http_proxy", "https_proxy"].map(|proxy| (proxy, NOWHERE)));
        // `--quiet` would leave warnings out of what `--strict` counts.
        let finding = |line: &str| !line.starts_with("INFO ") && !line.trim().is_empty();
        Report::new("MkDocs", process::run(&mut command, LIMIT), finding)
    }
}
