//! Checks of an emitted fabric of any kind: its lints, and its testbench on Icarus.

use crate::fabric::{sources, with_testbench};
use crate::icarus::Icarus;
use crate::{lint, require};
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

/// Holds a fabric to every lint and to its testbench.
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
    let said = said(&icarus, &folder, fabric.name());
    assert!(said.starts_with("PASS: "), "{}: {said}", fabric.canonical());
}
