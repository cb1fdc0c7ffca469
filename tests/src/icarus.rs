//! Icarus Verilog: a four-valued simulator, which shows missing resets that
//! two-valued ones hide.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{self, LIMIT};
use crate::report::Report;
use crate::sources::Sources;
use crate::tools::{Tool, on_path};

/// The file of models that those of ECP5's cells include.
const INCLUDED: &str = "common_sim.vh";

/// An installed Icarus Verilog.
#[derive(Clone, Debug)]
pub struct Icarus {
    compiler: PathBuf,
    runtime: PathBuf,
}

impl Tool for Icarus {
    const NAME: &'static str = "Icarus Verilog";

    fn locate() -> Option<Self> {
        Some(Icarus { compiler: on_path("iverilog")?, runtime: on_path("vvp")? })
    }
}

impl Icarus {
    /// Elaborates as Verilog-2005 with `-Wall`. Icarus prints nothing where it has
    /// nothing to say: every line is a finding.
    pub fn lint(&self, sources: &Sources) -> Report {
        let mut command = self.command(sources);
        Report::new("Icarus lint", process::run(command.arg("-tnull"), LIMIT), said)
    }

    /// Compiles and runs a testbench; the report's `run.stdout` holds what it
    /// printed. Warnings of the compiler are findings, and so is a `$stop`: it
    /// ends the run with exit code 1.
    pub fn simulate(&self, sources: &Sources, plusargs: &[&str], limit: Duration) -> Report {
        self.simulate_with(sources, &[], plusargs, limit)
    }

    /// Simulates with parameters of the testbench set: name and value.
    pub fn simulate_with(
        &self,
        sources: &Sources,
        parameters: &[(&str, u32)],
        plusargs: &[&str],
        limit: Duration,
    ) -> Report {
        self.run(sources, parameters, plusargs, None, limit)
    }

    /// Simulates in a folder, whose files the testbench reads.
    pub fn simulate_in(&self, folder: &Path, sources: &Sources, limit: Duration) -> Report {
        self.run(sources, &[], &[], Some(folder), limit)
    }

    fn run(
        &self,
        sources: &Sources,
        parameters: &[(&str, u32)],
        plusargs: &[&str],
        within: Option<&Path>,
        limit: Duration,
    ) -> Report {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let compiled = folder.path().join("simulation.vvp");
        let mut command = self.command(sources);
        for (name, value) in parameters {
            command.arg(format!("-P{}.{name}={value}", sources.top));
        }
        let built = process::run(command.arg("-o").arg(&compiled), limit);
        let built = Report::new("Icarus compile", built, said);
        if !built.is_clean() {
            return built;
        }
        let mut command = Command::new(&self.runtime);
        command.arg("-N").arg(&compiled).args(plusargs);
        // A testbench reads what stands beside it.
        command.current_dir(within.unwrap_or_else(|| sources.home()));
        let run = process::run(&mut command, limit);
        let spoken: Vec<String> = run.stderr.lines().map(str::to_owned).collect();
        Report { what: "Icarus simulation".to_owned(), run, findings: spoken }
    }

    /// Simulates with a netlist of a vendor's cells: warnings on the cells' models, which are not
    /// ours, do not count.
    pub fn simulate_netlist(&self, sources: &Sources, limit: Duration) -> Report {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let compiled = folder.path().join("simulation.vvp");
        let mut command = Command::new(&self.compiler);
        // This version of Icarus knows no default values of ports, which Yosys's models have.
        command.arg("-DNO_ICE40_DEFAULT_ASSIGNMENTS");
        // The models of ECP5's cells include one file twice unless told to include none.
        command.arg("-DNO_INCLUDES");
        command.arg("-I").arg(folder.path());
        for file in &sources.files {
            // The models of some families include others.
            let models = file.parent().unwrap_or(Path::new("."));
            command.arg("-I").arg(models);
            // Nor does it know an `$error` outside of a process, which ECP5's have in one place.
            if let Ok(text) = fs::read_to_string(models.join(INCLUDED)) {
                let spared = text.lines().filter(|line| !line.trim().starts_with("$error("));
                let spared = spared.collect::<Vec<_>>().join("\n");
                fs::write(folder.path().join(INCLUDED), spared).expect("it can be written");
            }
        }
        command.args(["-g2012", "-s", &sources.top, "-o"]).arg(&compiled).args(&sources.files);
        let built = process::run(&mut command, limit);
        if !built.success() {
            return Report::new("Icarus compile", built, said);
        }
        let mut command = Command::new(&self.runtime);
        command.arg("-N").arg(&compiled).current_dir(sources.home());
        let run = process::run(&mut command, limit);
        Report { what: "Icarus simulation".to_owned(), run, findings: Vec::new() }
    }

    fn command(&self, sources: &Sources) -> Command {
        let mut command = Command::new(&self.compiler);
        command.args(["-Wall", "-g2005", "-s", &sources.top]).args(&sources.files);
        command
    }
}

fn said(line: &str) -> bool {
    !line.trim().is_empty()
}
