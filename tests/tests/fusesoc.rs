//! The emitted `.core`, really run by FuseSoC: lint, simulation, synthesis.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use turnpike_flow::find;
use turnpike_hdl_gen::plan::{MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_sim::verilated::Verilator;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;
use turnpike_tests::tools::Tool;

/// FuseSoC with the tools that its backends call by their names.
struct FuseSoc {
    program: PathBuf,
    verilator: Verilator,
    /// Where the system's Yosys is: the pinned one knows no Tcl, which FuseSoC's backend speaks.
    system: PathBuf,
}

impl Tool for FuseSoc {
    const NAME: &'static str = "one of FuseSoC, Verilator and a Yosys with Tcl";

    fn locate() -> Option<Self> {
        let program = find::environment()?.join("bin/fusesoc");
        let folders = env::split_paths(&env::var_os("PATH")?).collect::<Vec<_>>();
        let own = find::environment()?.join("bin");
        let system = folders.into_iter().find(|f| *f != own && f.join("yosys").is_file())?;
        let verilator = Verilator::find().ok()?;
        program.is_file().then_some(Self { program, verilator, system })
    }
}

impl FuseSoc {
    /// Runs a target of the fabric's core in `folder`.
    fn run(&self, fabric: &Fabric, folder: &Path, target: &str) -> Finished {
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).unwrap();
        let root = self.verilator.root.as_deref().map(|root| root.display().to_string());
        let root = root.map_or(String::new(), |root| format!("VERILATOR_ROOT='{root}' "));
        let script =
            format!("#!/bin/sh\n{root}exec '{}' \"$@\"\n", self.verilator.program.display());
        let verilator = bin.join("verilator");
        fs::write(&verilator, script).unwrap();
        fs::set_permissions(&verilator, fs::Permissions::from_mode(0o755)).unwrap();
        let mut path = OsString::from(&bin);
        for folder in [Some(self.system.as_os_str()), env::var_os("PATH").as_deref()] {
            path.push(":");
            path.push(folder.unwrap_or_default());
        }
        let mut command = Command::new(&self.program);
        command.arg("--cores-root").arg(fabric.folder());
        command.args(["run", "--target", target, "--build-root", target]);
        command.arg(format!("turnpike:fabric:{}", fabric.plan.name));
        command.env("PATH", path).env("HOME", folder).env("XDG_CACHE_HOME", folder);
        process::run(command.current_dir(folder), LIMIT)
    }
}

/// Files below `folder` whose name ends so.
fn ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(ending(&path, end)),
            false if path.to_string_lossy().ends_with(end) => found.push(path),
            false => {}
        }
    }
    found
}

#[test]
fn every_target_of_the_core_runs() {
    let Some(fusesoc) = require::<FuseSoc>() else { return };
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    let plain = Parameters::default();
    for parameters in [plain, Parameters { pipeline, queue, mux, ..plain }] {
        let fabric = Fabric::hypercube("rotation", 2, parameters);
        let folder = tempfile::tempdir().unwrap();
        let run = |target: &str| {
            let run = fusesoc.run(&fabric, folder.path(), target);
            assert!(run.success(), "{target}: {}\n{}", run.stdout, run.stderr);
            run
        };
        let lint = run("lint");
        assert!(!(lint.stdout + &lint.stderr).contains("%Warning"), "lint warns");
        let sim = run("sim");
        assert!((sim.stdout + &sim.stderr).contains("PASS: "), "the testbench does not pass");
        run("synth");
        let netlist = ending(&folder.path().join("synth"), ".json");
        let text = fs::read_to_string(netlist.first().expect("a netlist")).unwrap();
        assert!(text.contains("SB_LUT4"), "no cells of an iCE40");
    }
}
