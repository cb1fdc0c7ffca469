//! The emitted `Makefile` where tools are missing, and where they are found.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use turnpike_fabric::board::{BOARDS, Flow};
use turnpike_flow::find;

use crate::folder::make::Targets;
use crate::folder::{copy, make, smallest};

/// A `PATH` on which a shell finds what every system has, and nothing else.
struct Bare(TempDir);

impl Bare {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sh", "basename", "cat", "grep", "mkdir", "rm", "tee"] {
            symlink(find::on_path(name).unwrap(), folder.path().join(name)).unwrap();
        }
        Self(folder)
    }

    fn path(&self) -> OsString {
        self.0.path().as_os_str().to_owned()
    }

    /// Puts a tool there that does nothing.
    fn stand_in(&self, tool: &str) {
        stand_in(self.0.path(), tool);
    }
}

fn stand_in(folder: &Path, tool: &str) {
    symlink(find::on_path("true").unwrap(), folder.join(tool)).unwrap();
}

/// The tools that a target asks for in turn, each put there once it was asked for.
fn asked_for(folder: &Path, target: &str) -> BTreeSet<String> {
    let bare = Bare::new();
    let mut asked = BTreeSet::new();
    loop {
        let run = make(folder, &bare.path(), &[target]);
        let missing =
            run.stderr.lines().find_map(|line| Some((line, line.split_once(" is missing;")?.0)));
        let Some((line, tool)) = missing else {
            // All are there, and do nothing; so what they would have made is not there.
            let unnamed = |line: &&str| line.contains("not found") && !line.contains("build/");
            assert_eq!(run.stderr.lines().find(unnamed), None, "make {target}");
            return asked;
        };
        let tool = tool.rsplit(' ').next().unwrap();
        let remedy = line.contains("installs it") || line.contains("AMD has it");
        let variable = tool.to_uppercase().replace('-', "_");
        assert!(remedy && line.ends_with(&format!("{variable}=PROGRAM")), "make {target}: {line}");
        assert!(!run.success() && asked.insert(tool.to_owned()), "make {target}: {line}");
        bare.stand_in(tool);
    }
}

#[test]
fn a_missing_tool_is_named_with_what_installs_it() {
    for board in BOARDS {
        let fabric = smallest(board.name);
        let base = tempfile::tempdir().unwrap();
        for target in Targets::of(&fabric.folder()).commands {
            let folder = copy(&fabric, base.path(), &target);
            let asked = asked_for(&folder, &target);
            let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
            match target.as_str() {
                "clean" => assert!(asked.is_empty(), "{asked:?}"),
                "lint" => assert_eq!(asked, ["iverilog", "verilator", "yosys"]),
                "bitstream" => match board.flow {
                    Flow::Ice40 { .. } => assert_eq!(asked, ["icepack", "nextpnr-ice40", "yosys"]),
                    Flow::Ecp5 { .. } => assert_eq!(asked, ["ecppack", "nextpnr-ecp5", "yosys"]),
                    Flow::Vivado => assert_eq!(asked, ["vivado"]),
                },
                _ => assert!(!asked.is_empty(), "make {target} asks for no tool"),
            }
        }
    }
}

/// In the project the tools need not be on `PATH`: those of `make tools` are found.
#[test]
fn the_environment_of_a_folder_above_is_found() {
    let fabric = smallest("ice40-hx8k");
    let base = tempfile::tempdir().unwrap();
    let parent: PathBuf = base.path().join("verilog-out");
    let environment = base.path().join(".venv");
    fs::create_dir_all(&parent).unwrap();
    fs::create_dir_all(environment.join("bin")).unwrap();
    let folder = copy(&fabric, &parent, "fabric");
    let bare = Bare::new();
    bare.stand_in("iverilog");
    bare.stand_in("yosys");
    stand_in(&environment.join("bin"), "verilator");
    let lint = |arguments: &[&str]| make(&folder, &bare.path(), arguments);
    let run = lint(&["lint"]);
    assert!(run.stderr.contains("verilator is missing"), "half an environment: {}", run.stderr);
    let named = format!("VERILATOR={}", find::on_path("true").unwrap().display());
    assert!(lint(&["lint", &named]).success(), "another program can be named");
    fs::write(environment.join(".installed"), "").unwrap();
    let run = lint(&["lint"]);
    assert!(run.success(), "{}{}", run.stdout, run.stderr);
}
