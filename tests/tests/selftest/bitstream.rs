//! `make bitstream` in the emitted folder, with the open tools.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use turnpike_fabric::plan::Parameters;
use turnpike_flow::find;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;
use turnpike_tests::tools::Tool;
use turnpike_tests::yosys::{Yosys, read};

/// The project's tools, then those of the system, as a `PATH`.
fn search_path() -> Vec<PathBuf> {
    let project = find::environment().map(|root| root.join("bin"));
    let system = env::var_os("PATH").unwrap_or_default();
    project.into_iter().chain(env::split_paths(&system)).collect()
}

fn all_there(programs: &[&str]) -> bool {
    programs.iter().all(|p| search_path().iter().any(|folder| folder.join(p).is_file()))
}

/// What makes bitstreams for iCE40.
struct Ice40Tools;

impl Tool for Ice40Tools {
    const NAME: &'static str = "one of yosys, nextpnr-ice40 and icepack";

    fn locate() -> Option<Self> {
        all_there(&["make", "yosys", "nextpnr-ice40", "icepack"]).then_some(Self)
    }
}

/// What makes bitstreams for ECP5.
struct Ecp5Tools;

impl Tool for Ecp5Tools {
    const NAME: &'static str = "one of yosys, nextpnr-ecp5 and ecppack";

    fn locate() -> Option<Self> {
        all_there(&["make", "yosys", "nextpnr-ecp5", "ecppack"]).then_some(Self)
    }
}

fn make(folder: &Path, arguments: &[&str]) -> Finished {
    let mut command = Command::new("make");
    command.args(arguments).current_dir(folder);
    command.env("PATH", env::join_paths(search_path()).unwrap());
    process::run(&mut command, LIMIT)
}

/// Makes a bitstream; the clock in MHz that its placement reaches.
fn bitstream(fabric: &Fabric) -> f64 {
    let folder = fabric.folder();
    let run = make(&folder, &["bitstream"]);
    assert!(run.success(), "{}\n{}", run.stdout, run.stderr);
    let build = folder.join("build");
    let file = |ending: &str| build.join(format!("{}_selftest.{ending}", fabric.plan.name));
    assert!(fs::metadata(file("bit")).unwrap().len() > 10_000);
    let log = fs::read_to_string(file("log")).unwrap();
    let reached = log.lines().rfind(|line| line.contains("Max frequency for clock")).unwrap();
    println!("{}: {reached}", fabric.plan.canonical());
    let words: Vec<&str> = reached.split_whitespace().collect();
    let unit = words.iter().position(|word| *word == "MHz").unwrap();
    words[unit - 1].parse().unwrap()
}

/// A clock out of reach, and a fabric too large: errors, and no bitstream is left.
#[test]
#[ignore = "half a minute: `make test-all`"]
fn what_does_not_fit_is_no_bitstream() {
    if require::<Ice40Tools>().is_none() {
        return;
    }
    let parameters = Parameters { width: 8, ..Default::default() };
    let fabric = Fabric::with_selftest("hypercube 1 ecube", parameters, "ice40-hx8k");
    let rules = fabric.folder().join("Makefile");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("--freq 12 ", "--freq 500 ")).unwrap();
    let run = make(&fabric.folder(), &["bitstream"]);
    assert!(!run.success() && run.stderr.contains("FAIL at 500.00 MHz"), "{}", run.stderr);
    for ending in ["asc", "bit"] {
        let left = format!("build/{}_selftest.{ending}", fabric.plan.name);
        assert!(!fabric.folder().join(&left).exists(), "{left}");
    }
    let fabric = Fabric::with_selftest("hypercube 3 ecube", Parameters::default(), "ice40-hx8k");
    let run = make(&fabric.folder(), &["bitstream"]);
    assert!(!run.success() && run.stderr.contains("Unable to place cell"), "{}", run.stderr);
}

#[test]
#[ignore = "half a minute: `make test-all`"]
fn an_ice40_hx8k_takes_a_narrow_three_cube() {
    if require::<Ice40Tools>().is_none() {
        return;
    }
    let parameters = Parameters { width: 8, ..Default::default() };
    let fabric = Fabric::with_selftest("hypercube 3 ecube", parameters, "ice40-hx8k");
    assert!(bitstream(&fabric) >= 12.0);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn an_ulx3s_takes_a_four_cube() {
    if require::<Ecp5Tools>().is_none() {
        return;
    }
    let fabric = Fabric::with_selftest("hypercube 4 rotation", Parameters::default(), "ulx3s-85f");
    assert!(bitstream(&fabric) >= 25.0);
}

/// Vivado is not to be had here; its input is read by Yosys at least.
#[test]
fn the_sources_for_an_arty_synthesise() {
    let Some(yosys) = require::<Yosys>() else { return };
    let parameters = Parameters { width: 8, ..Default::default() };
    let fabric = Fabric::with_selftest("hypercube 1 ecube", parameters, "arty-a7-35t");
    let sources = fabric.selftest();
    let script = format!("{}synth_xilinx -family xc7 -top {}\n", read(&sources), sources.top);
    yosys.run(&script, &fabric.folder(), LIMIT).assert_clean();
}
