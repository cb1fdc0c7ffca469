//! Reader of SystemRDL: systemrdl-compiler, and the header that peakrdl-cheader makes of a map.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process::{self, LIMIT};
use crate::tools::{Tool, helper, package};

/// Installed reader of SystemRDL.
#[derive(Clone, Debug)]
pub struct SystemRdl {
    python: PathBuf,
}

impl Tool for SystemRdl {
    const NAME: &'static str = "systemrdl-compiler or peakrdl-cheader";

    fn locate() -> Option<Self> {
        let python = package("systemrdl")?.python;
        package("peakrdl_cheader").map(|_| Self { python })
    }
}

impl SystemRdl {
    /// Contents of a register map; a header of C is written to `header`.
    ///
    /// # Panics
    /// Where the map cannot be read.
    pub fn read(&self, map: &Path, header: &Path) -> Value {
        let mut command = Command::new(&self.python);
        command.arg("-B").arg(helper("registers.py")).arg(map).arg(header);
        let run = process::run(&mut command, LIMIT);
        assert!(run.success(), "{}: {}", map.display(), run.stderr);
        serde_json::from_str(&run.stdout).expect("JSON")
    }
}
