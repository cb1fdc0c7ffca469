//! Checks of an emitted fabric of any kind: its lints, and its testbench on Icarus.

use crate::fabric::{sources, with_testbench};
use crate::icarus::Icarus;
use crate::{lint, require};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use turnpike_emit::formal::Proofs;
use turnpike_emit::{File, Vlnv, folder};
use turnpike_kind::Fabric;

const LIMIT: Duration = Duration::from_secs(300);

/// Files of a fabric.
///
/// # Panics
/// Where they cannot be made.
pub fn files(fabric: &dyn Fabric) -> Vec<File> {
    fabric.folder(None, &Vlnv::default()).unwrap().files
}

/// Proofs of a fabric.
///
/// # Panics
/// Where they cannot be made.
pub fn proofs(fabric: &dyn Fabric) -> Proofs {
    fabric.folder(None, &Vlnv::default()).unwrap().proofs
}

/// Temporary folder with the files of a fabric, in `fabric/`.
///
/// # Panics
/// Where they cannot be made or written.
pub fn written(fabric: &dyn Fabric) -> TempDir {
    let temporary = tempfile::tempdir().unwrap();
    folder::write(&temporary.path().join("fabric"), &files(fabric), false).unwrap();
    temporary
}

/// Output of the testbench in a folder, on Icarus.
///
/// # Panics
/// Where Icarus warns.
pub fn said(icarus: &Icarus, folder: &Path, name: &str) -> String {
    let report = icarus.simulate_in(folder, &with_testbench(folder, name), LIMIT);
    assert!(report.findings.is_empty(), "{name}: {:?}", report.findings);
    report.run.stdout
}

/// Holds the instance in a fabric's folder to its module: each port has a wire of its width, or is a clock
/// or a reset of the module around it, which the heading names.
///
/// # Panics
/// Where a port is missing, is another's or has another width.
pub fn instance_fits(icarus: &Icarus, folder: &Path, name: &str) {
    let text = fs::read_to_string(folder.join(format!("{name}_instance.vh"))).unwrap();
    let ports = text.lines().filter_map(|line| line.trim().strip_prefix('.')?.split('(').next());
    let wires: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("wire")?.split([' ', ';']).nth_back(1))
        .collect();
    let given: Vec<&str> = ports.filter(|port| !wires.contains(port)).collect();
    if !given.is_empty() {
        assert!(text.contains(&format!("a module that has {},", given.join(", "))), "{text}");
    }
    let inputs: Vec<String> = given.iter().map(|port| format!("input wire {port}")).collect();
    let around = format!(
        "`timescale 1ns / 1ps\n`default_nettype none\nmodule around ({});\n{text}endmodule\n",
        inputs.join(", ")
    );
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("around.v");
    fs::write(&file, around).unwrap();
    icarus.lint(&sources(folder, name).with(file, "around").unwrap()).assert_clean();
}

/// Holds a fabric to every lint, to its instance and to its testbench.
///
/// # Panics
/// With what a lint or the testbench finds.
pub fn lints_and_passes(fabric: &dyn Fabric) {
    let written = written(fabric);
    let folder = written.path().join("fabric");
    for report in lint::every(&sources(&folder, fabric.name())) {
        report.assert_clean();
    }
    let Some(icarus) = require::<Icarus>() else { return };
    instance_fits(&icarus, &folder, fabric.name());
    let said = said(&icarus, &folder, fabric.name());
    assert!(said.starts_with("PASS: "), "{}: {said}", fabric.canonical());
}
