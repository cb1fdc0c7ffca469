//! slang, the strictest open front end for SystemVerilog, as the Python module pyslang.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{self, LIMIT};
use crate::report::Report;
use crate::sources::Sources;
use crate::tools::{Tool, helper, package};

/// An installed pyslang.
#[derive(Clone, Debug)]
pub struct Slang {
    python: PathBuf,
}

impl Tool for Slang {
    const NAME: &'static str = "slang (pyslang)";

    fn locate() -> Option<Self> {
        Some(Slang { python: package("pyslang")?.python })
    }
}

/// The language to read the files as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// IEEE 1364-2005.
    Verilog2005,
    /// The newest SystemVerilog, slang's default.
    SystemVerilog,
}

impl Slang {
    /// Elaborates and analyses with every warning on and none waived. slang prints
    /// nothing where it has nothing to say: every line is a finding.
    pub fn lint(&self, sources: &Sources, language: Language) -> Report {
        let mut command = Command::new(&self.python);
        command.arg(helper("slang_lint.py")).args(["-Weverything", "--top", &sources.top]);
        if language == Language::Verilog2005 {
            command.args(["--std", "1364-2005"]);
        }
        command.args(&sources.files);
        let what = format!("slang lint as {language:?}");
        Report::new(&what, process::run(&mut command, LIMIT), |line| !line.trim().is_empty())
    }
}
