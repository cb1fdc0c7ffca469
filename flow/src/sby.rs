//! SymbiYosys: one task of a file, and what came of it.

use crate::process::{self, ProcessError};
use crate::tool::Found;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Outcome of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Proven; or no counterexample within the depth; or every cover reached.
    Passed,
    /// Refuted, or a cover is not reached.
    Failed {
        /// The properties: `NAME at FILE:LINE`.
        properties: Vec<String>,
    },
    /// Yosys read the design with a warning: what was shown may mean nothing.
    Warned { warnings: Vec<String> },
    /// The engine gave up.
    Unknown,
    /// The time limit was reached.
    TimeLimit,
}

/// A task that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Outcome of the task.
    pub outcome: Outcome,
    /// SymbiYosys' folder: logs, the model, traces.
    pub folder: PathBuf,
    /// Wall time.
    pub elapsed: Duration,
}

/// Exit codes of SymbiYosys.
const PASS: i32 = 0;
const FAIL: i32 = 2;
const UNKNOWN: i32 = 4;
const TIMEOUT: i32 = 8;

/// Runs task `task` of `file`, a path inside `folder`, in which file names of the task start.
/// What SymbiYosys writes goes to `folder/work`.
///
/// # Errors
/// [`ProcessError`] where SymbiYosys or a tool of its own fails; the whole log is then in
/// `folder/work`.
pub fn run(
    sby: &Found,
    folder: &Path,
    file: &str,
    task: &str,
    limit: Duration,
) -> Result<Ended, ProcessError> {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}_{task}");
    let work = folder.join("work").join(&name);
    let mut command = sby.command();
    // What a tool leaves behind when it is ended goes with the folder.
    command.env("TMPDIR", folder);
    command.current_dir(folder).args(["-f", "-d"]).arg(&work).args([file, task]);
    let run = process::run(&mut command, limit)?;
    let elapsed = run.elapsed;
    let outcome = match run.status.map(|status| status.code()) {
        None | Some(Some(TIMEOUT)) => Outcome::TimeLimit,
        Some(Some(PASS | FAIL | UNKNOWN)) if !warnings(&work).is_empty() => {
            Outcome::Warned { warnings: warnings(&work) }
        }
        Some(Some(PASS)) => Outcome::Passed,
        Some(Some(FAIL)) => Outcome::Failed { properties: failed(&run.stdout) },
        Some(Some(UNKNOWN)) => Outcome::Unknown,
        _ => {
            let log = folder.join("work").join(format!("{name}.log"));
            run.well(&format!("SymbiYosys ({name})"), &log)?;
            Outcome::Unknown
        }
    };
    Ok(Ended { outcome, folder: work, elapsed })
}

/// Warnings of Yosys while it read and prepared the design.
fn warnings(work: &Path) -> Vec<String> {
    let logs = ["design.log", "design_prep.log"].map(|log| work.join("model").join(log));
    let texts = logs.iter().map(|log| fs::read_to_string(log).unwrap_or_default());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.contains("Warning:")).collect()
}

/// The properties that fail, from SymbiYosys' summary.
pub fn failed(output: &str) -> Vec<String> {
    let said =
        output.lines().filter_map(|line| line.split_once("summary: ").map(|(_, s)| s.trim()));
    let mut properties = Vec::new();
    let mut unreached = false;
    for line in said {
        let named = line.strip_prefix("failed assertion ");
        match named.or(unreached.then_some(line).filter(|line| line.contains(" at "))) {
            Some(property) => properties.push(property.to_owned()),
            None => unreached = line.starts_with("unreached cover"),
        }
    }
    properties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_properties_are_read_from_the_summary() {
        let output = "SBY 1:2:3 [x] summary: engine_0 (abc pdr) returned FAIL\n\
                      SBY 1:2:3 [x] summary:   failed assertion top.in_order at top.v:12.5-12.9 step 4\n\
                      SBY 1:2:3 [x] DONE (FAIL, rc=2)\n";
        assert_eq!(failed(output), ["top.in_order at top.v:12.5-12.9 step 4"]);
        let output = "SBY 1:2:3 [x] summary: unreached cover statements:\n\
                      SBY 1:2:3 [x] summary:   top.full at top.v:3.1-3.9\n";
        assert_eq!(failed(output), ["top.full at top.v:3.1-3.9"]);
        assert!(failed("SBY 1:2:3 [x] summary: Elapsed clock time: 1").is_empty());
    }
}
