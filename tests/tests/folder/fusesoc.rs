//! Every target of the emitted `.core`, really run by FuseSoC.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use turnpike_emit::Vlnv;
use turnpike_fabric::board::{BOARDS, Board, Flow};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;

use crate::folder::{Installed, assert_clean, files, smallest};

/// FuseSoC in a folder of its own, which is also its home.
struct FuseSoc<'a> {
    path: &'a Installed,
    cores: &'a Path,
    folder: &'a Path,
}

impl FuseSoc<'_> {
    fn call(&self, arguments: &[&str]) -> Finished {
        let mut command = Command::new("fusesoc");
        command.arg("--cores-root").arg(self.cores).args(arguments).current_dir(self.folder);
        command.env("PATH", &self.path.0).env("HOME", self.folder);
        command.env("XDG_CACHE_HOME", self.folder).env("XDG_CONFIG_HOME", self.folder);
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
        process::run(&mut command, LIMIT)
    }

    /// Runs a target of a core, or sets its build up and no more.
    fn target(&self, core: &str, target: &str, setup: &[&str]) {
        let arguments = ["run", "--target", target, "--build-root", target];
        let arguments: Vec<&str> = arguments.iter().chain(setup).chain([&core]).copied().collect();
        assert_clean(&format!("fusesoc {arguments:?}"), &self.call(&arguments));
    }

    /// The targets of a core, as FuseSoC lists them. `default` is no build of its own: it is
    /// what cores get that depend on this one.
    fn targets(&self, core: &str) -> Vec<String> {
        let shown = self.call(&["core", "show", core]).stdout;
        let (_, targets) = shown.split_once("\nTargets:\n").expect("FuseSoC lists the targets");
        let names = targets.lines().filter_map(|line| Some(line.split_once(':')?.0.trim()));
        let (default, rest): (Vec<_>, Vec<_>) = names.partition(|name| *name == "default");
        assert_eq!(default.len(), 1, "{shown}");
        rest.into_iter().map(str::to_owned).collect()
    }
}

fn core_of(fabric: &Fabric) -> String {
    format!("turnpike:fabric:{}", fabric.plan.name)
}

/// What the build of `target` was told, or was told to do: its files but for the design's own.
fn build_files(folder: &Path, target: &str) -> String {
    let root = folder.join(target);
    let made = files(&root).into_iter().filter(|name| !name.contains("/src/"));
    let texts = made.filter_map(|name| fs::read_to_string(root.join(name)).ok());
    texts.collect()
}

/// The files that a core lists.
fn listed(fabric: &Fabric) -> BTreeSet<String> {
    let core = fabric.folder().join(format!("{}.core", fabric.plan.name));
    let text = fs::read_to_string(core).unwrap();
    let files = text.split_once("\ntargets:").unwrap().0.lines();
    let files = files.filter_map(|line| line.trim().strip_prefix("- "));
    files.map(|file| file.split(' ').next().unwrap().to_owned()).collect()
}

/// Every target runs without a word of warning; a file that no target takes would be dead.
#[test]
fn every_target_of_the_core_runs() {
    let Some(path) = require::<Installed>() else { return };
    let fabric = smallest("ice40-hx8k");
    let (cores, folder) = (fabric.folder(), tempfile::tempdir().unwrap());
    let fusesoc = FuseSoc { path: &path, cores: &cores, folder: folder.path() };
    let core = core_of(&fabric);
    let mut untaken = listed(&fabric);
    for target in fusesoc.targets(&core) {
        fusesoc.target(&core, &target, &[]);
        let told = build_files(folder.path(), &target);
        // Data of the testbench is named in no list of sources; it stands where that runs.
        let copied = files(&folder.path().join(&target));
        let copied = |name: &str| {
            copied.iter().any(|at| at.ends_with(&format!("/{name}")) && !at.contains("/src/"))
        };
        untaken.retain(|name| !told.contains(&format!("/{name}\n")) && !copied(name));
        if target == "synth" {
            assert!(told.contains("SB_LUT4"), "no cells of an iCE40");
        }
    }
    assert!(untaken.is_empty(), "files of no target: {untaken:?}");
}

/// FuseSoC knows the core, and runs it, by the vendor, library and version that are given.
#[test]
fn the_core_is_called_as_it_is_said() {
    let Some(path) = require::<Installed>() else { return };
    let plan = smallest("ice40-hx8k").plan;
    for (vendor, library, version) in [
        (Some("acme.org"), Some("noc-1_x"), Some("1.2.0-r3")),
        (Some("a9"), None, None),
        (None, None, Some("007")),
    ] {
        let vlnv = Vlnv::new(vendor, library, version).unwrap();
        let fabric = Fabric::with_core(plan.clone(), &vlnv);
        let (cores, folder) = (fabric.folder(), tempfile::tempdir().unwrap());
        let fusesoc = FuseSoc { path: &path, cores: &cores, folder: folder.path() };
        fusesoc.target(&vlnv.of(&plan.name), "lint", &[]);
    }
}

/// The build of a board reads its pins. (Placing for an ECP5 takes long, and Vivado is not open.)
#[test]
fn every_board_gets_its_pins() {
    let Some(path) = require::<Installed>() else { return };
    for board in BOARDS {
        let fabric = smallest(board.name);
        let (cores, folder) = (fabric.folder(), tempfile::tempdir().unwrap());
        let fusesoc = FuseSoc { path: &path, cores: &cores, folder: folder.path() };
        fusesoc.target(&core_of(&fabric), "selftest", &["--setup"]);
        let told = build_files(folder.path(), "selftest");
        let pins = format!("{}_selftest.{}", fabric.plan.name, board.constraints_ending());
        let reads = |line: &str| line.contains(&pins) && line.contains(pins_option(board));
        assert!(told.lines().any(reads), "{}: nothing reads {pins}: {told}", board.name);
    }
}

/// How the tool of a board is told of its pins.
fn pins_option(board: &Board) -> &'static str {
    match board.flow {
        Flow::Ice40 { .. } => "--pcf ",
        Flow::Ecp5 { .. } => "--lpf ",
        Flow::Vivado => "read_xdc {",
    }
}

/// A core that depends on the fabric's gets its Verilog and addresses, and no clock: that is its own.
#[test]
fn a_core_can_depend_on_it() {
    let Some(path) = require::<Installed>() else { return };
    let fabric = smallest("ice40-hx8k");
    let folder = tempfile::tempdir().unwrap();
    let name = &fabric.plan.name;
    let text = fs::read_to_string(fabric.folder().join(format!("{name}.v"))).unwrap();
    let ports =
        text.split_once(&format!("module {name} (\n")).unwrap().1.split_once(");").unwrap().0;
    let names = ports.lines().map(|line| line.trim_end_matches(',').rsplit(' ').next().unwrap());
    let wires: Vec<String> = names.map(|port| format!(".{port}({port})")).collect();
    let top = format!(
        "`include \"{name}_addresses.vh\"\nmodule top (\n{ports});\n\
         wire [`{}_ADDRESS_BITS:1] unused = `{}_0_ADDRESS;\n{name} fabric ({});\nendmodule\n",
        name.to_uppercase(),
        name.to_uppercase(),
        wires.join(", ")
    );
    fs::write(folder.path().join("top.v"), top).unwrap();
    let core = format!(
        "CAPI=2:\nname: user:project:top:1.0\nfilesets:\n  rtl:\n    files: [top.v]\n    \
         file_type: verilogSource-2005\n    depend: ['{}']\ntargets:\n  default: &default\n    \
         filesets: [rtl]\n    toplevel: top\n  lint:\n    <<: *default\n    flow: lint\n    \
         flow_options: {{tool: verilator}}\n",
        core_of(&fabric)
    );
    fs::write(folder.path().join("top.core"), core).unwrap();
    let cores = fabric.folder();
    let fusesoc = FuseSoc { path: &path, cores: &cores, folder: folder.path() };
    let run = fusesoc.call(&["--cores-root", ".", "run", "--target", "lint", "user:project:top"]);
    assert_clean("fusesoc run --target lint", &run);
    let told = build_files(folder.path(), "build");
    assert!(told.contains(&format!("/{name}.v\n")) && !told.contains(".sdc"), "{told}");
}
