//! ABC, as the `yosys-abc` that pyosys brings: proofs on and-inverter graphs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;
use crate::report::Report;
use crate::tools::{Tool, package};

/// An installed ABC.
#[derive(Clone, Debug)]
pub struct Abc {
    program: PathBuf,
}

impl Tool for Abc {
    const NAME: &'static str = "ABC (pyosys)";

    fn locate() -> Option<Self> {
        // Not the system's: older ones answer UNKNOWN where this one proves.
        let program = package("pyosys")?.folder.join("yosys-abc");
        program.is_file().then_some(Abc { program })
    }
}

/// Verdict of a proof by property-directed reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// No reachable state raises an output of the graph.
    Proved,
    /// Some output is raised in this cycle, counted from 0.
    Failed { cycle: u64 },
}

impl Abc {
    /// Runs ABC commands, separated by `;`. `folder` is where relative paths start.
    /// Errors are findings; ABC's exit code says little.
    pub fn run(&self, commands: &str, folder: &Path, limit: Duration) -> Report {
        let mut command = Command::new(&self.program);
        command.args(["-q", commands]).current_dir(folder);
        Report::new("ABC", process::run(&mut command, limit), |line| {
            line.contains("Error") || line.contains("** cmd error") || line.contains("Cannot ")
        })
    }

    /// Proves or refutes every output of an AIGER file together (`pdr`); the
    /// outputs are the bad states. With constraints in the file, `fold` makes them
    /// part of the graph first.
    ///
    /// # Errors
    /// The report, where ABC fails, gives up or runs out of time.
    pub fn pdr(&self, aiger: &Path, limit: Duration) -> Result<ProofVerdict, Box<Report>> {
        let folder = aiger.parent().unwrap_or(Path::new("."));
        let file = aiger.file_name().expect("an AIGER file has a name").to_string_lossy();
        let report = self.run(&format!("read_aiger {file}; fold; strash; pdr"), folder, limit);
        match verdict(&report.run.stdout) {
            Some(verdict) if report.is_clean() => Ok(verdict),
            _ => Err(Box::new(report)),
        }
    }
}

/// Reads the verdict from what `pdr` prints.
fn verdict(output: &str) -> Option<ProofVerdict> {
    if output.contains("Property proved.") {
        return Some(ProofVerdict::Proved);
    }
    let (_, rest) = output.split_once("was asserted in frame ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(ProofVerdict::Failed { cycle: digits.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_from_the_output() {
        assert_eq!(verdict("Property proved.  Time = 0.01 sec"), Some(ProofVerdict::Proved));
        let failed = "Output 0 of miter \"a\" was asserted in frame 12.  Time = 0.1 sec";
        assert_eq!(verdict(failed), Some(ProofVerdict::Failed { cycle: 12 }));
        assert_eq!(verdict("Property UNDECIDED."), None);
    }
}
