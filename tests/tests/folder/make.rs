//! Every target of the emitted `Makefile`, each in a fresh copy of the folder.

use std::collections::BTreeSet;
use std::path::Path;

use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::Named;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

use crate::folder::{Installed, assert_clean, copy, files, make, smallest};

/// The targets of a `Makefile`, as make itself lists them.
pub(crate) struct Targets {
    /// Those that are commands.
    pub(crate) commands: BTreeSet<String>,
    /// Those that are files, made on the way.
    pub(crate) files: BTreeSet<String>,
}

impl Targets {
    pub(crate) fn of(folder: &Path) -> Self {
        // All that make knows, printed; nothing is made.
        let path = std::env::var_os("PATH").unwrap();
        let known = make(folder, &path, &["-pnRrq", "no-such-target"]).stdout;
        let known = known.split_once("\n# Files\n").expect("make lists the files it knows").1;
        let (mut commands, mut files) = (BTreeSet::new(), BTreeSet::new());
        let mut before = "";
        for line in known.lines() {
            let rule = !line.starts_with(['#', '\t', ' ', '.']) && before != "# Not a target:";
            if let Some(names) = line.strip_prefix(".PHONY:") {
                commands.extend(names.split_whitespace().map(str::to_owned));
            } else if let Some((name, _)) = line.split_once(':').filter(|_| rule) {
                files.insert(name.to_owned());
            }
            before = line;
        }
        files.retain(|name| !commands.contains(name));
        Self { commands, files }
    }
}

/// Runs these commands, each in a copy of its own; the files that they left there.
fn run_each(fabric: &Fabric, path: &Installed, commands: &BTreeSet<String>) -> BTreeSet<String> {
    let base = tempfile::tempdir().unwrap();
    let mut made = BTreeSet::new();
    for command in commands {
        let folder = copy(fabric, base.path(), command);
        assert_clean(&format!("make {command}"), &make(&folder, &path.0, &[command]));
        made.extend(files(&folder));
        assert_clean("make clean", &make(&folder, &path.0, &["clean"]));
        assert_eq!(files(&folder), files(&fabric.folder()), "`make clean` after `make {command}`");
    }
    made
}

#[test]
fn every_target_runs_in_a_fresh_copy() {
    let Some(path) = require::<Installed>() else { return };
    let fabric = smallest("ice40-hx8k");
    let targets = Targets::of(&fabric.folder());
    assert!(targets.commands.contains("sim-verilator"), "{:?}", targets.commands);
    let made = run_each(&fabric, &path, &targets.commands);
    let missed: Vec<_> = targets.files.difference(&made).collect();
    assert!(missed.is_empty(), "no command makes {missed:?}");
    assert!(!targets.files.is_empty(), "make names the files on the way");
}

/// What is read and what runs: lints, and the testbench on both simulators.
fn runs(named: Named, parameters: Parameters) {
    let Some(path) = require::<Installed>() else { return };
    let commands = ["lint", "sim", "sim-verilator"].map(str::to_owned).into();
    run_each(&Fabric::of(named, parameters), &path, &commands);
}

/// Terminals that only take packets or only send, channels side by side.
#[test]
#[ignore = "a minute: `make test-all`"]
fn a_network_of_a_file_runs() {
    let parameters = Parameters { width: 8, depth: 2, ..Parameters::default() };
    runs("wired mixed shortest", parameters);
}

/// Signals beside the data; one sink; a switch alone.
#[test]
#[ignore = "a minute: `make test-all`"]
fn other_networks_of_a_file_run() {
    let small = Parameters { width: 8, depth: 2, ..Parameters::default() };
    let fields = Parameters { source_id: true, keep: true, user_width: 3, ..small };
    runs("wired mixed shortest", fields);
    runs("wired gathered up-down", small);
    runs("wired alone shortest", Parameters { width: 1, ..small });
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn the_bitstream_of_an_ecp5_is_made() {
    let Some(path) = require::<Installed>() else { return };
    let fabric = smallest("ulx3s-85f");
    let targets = Targets::of(&fabric.folder());
    let made = run_each(&fabric, &path, &BTreeSet::from(["bitstream".to_owned()]));
    let missed: Vec<_> = targets.files.difference(&made).filter(|f| !f.ends_with(".vvp")).collect();
    assert!(missed.is_empty(), "`make bitstream` does not make {missed:?}");
}
