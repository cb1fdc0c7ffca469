//! The example of a test in Python, really run by `make cocotb` on Icarus and on Verilator.

use std::fs;

use turnpike_fabric::plan::{Parameters, PortStyle};
use turnpike_fabric::testing::{ENDS_FABRICS, plan_with_ends, sample};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::process::Finished;
use turnpike_tests::require;

use crate::folder::{Installed, copy, make};
use crate::integration::fabrics;

/// Runs the example in a copy of a fabric's folder, where its addresses are changed.
fn run(
    path: &Installed,
    fabric: &Fabric,
    simulator: &str,
    change: impl Fn(&str) -> String,
) -> Finished {
    let base = tempfile::tempdir().unwrap();
    let folder = copy(fabric, base.path(), "fabric");
    let addresses = folder.join(format!("{}_addresses.py", fabric.plan.name));
    let text = fs::read_to_string(&addresses).unwrap();
    fs::write(&addresses, change(&text)).unwrap();
    let run = make(&folder, &path.0, &["cocotb", &format!("SIM={simulator}")]);
    let cache = folder.join("__pycache__");
    assert!(!cache.exists(), "{}: a cache is left in the folder", fabric.plan.name);
    run
}

#[track_caller]
fn passes(path: &Installed, fabric: &Fabric, simulator: &str) {
    let run = run(path, fabric, simulator, str::to_owned);
    let passed = run.stdout.contains("PASS: 1 tests, 0 failed");
    assert!(run.success() && passed, "{}: {}{}", fabric.plan.name, run.stdout, run.stderr);
}

#[test]
fn packets_of_every_pair_arrive_on_icarus() {
    let Some(path) = require::<Installed>() else { return };
    let words = Parameters { width: 6, ..Parameters::default() };
    let bytes = Parameters { width: 16, source_id: true, keep: true, user_width: 3, ..words };
    let as_wide = "mesh 2x2 dimension-order as 0_0=8,1_0=24,0_1=64,1_1=40";
    let more = [
        ("wired gathered up-down", bytes),
        (as_wide, Parameters { width: 32, ..bytes }),
        // Packets that overtake each other.
        ("hypercube 2 adaptive", words),
    ];
    let more = more.map(|(named, parameters)| Fabric::of(named, parameters));
    let all: Vec<Fabric> = fabrics().chain(more).collect();
    let all: Vec<&Fabric> = all.iter().collect();
    sample("fabrics", &all).into_iter().for_each(|fabric| passes(&path, fabric, "icarus"));
}

#[test]
fn packets_of_every_pair_arrive_on_verilator() {
    let Some(path) = require::<Installed>() else { return };
    let flat = Parameters { width: 8, ..Parameters::default() };
    let named = Parameters { ports: PortStyle::Named, ..flat };
    let all = [
        ("wired mixed shortest as x=32,s=16,t=64", Parameters { keep: true, ..flat }),
        ("wired mixed shortest", flat),
        ("wired mixed shortest", named),
    ];
    for (named, parameters) in sample("fabrics", &all) {
        passes(&path, &Fabric::of(named, parameters), "verilator");
    }
}

/// A packet at another terminal than it is sent to fails the example.
#[test]
fn a_wrong_address_is_found() {
    let Some(path) = require::<Installed>() else { return };
    let fabric = Fabric::of("hypercube 1 ecube", Parameters { width: 8, ..Parameters::default() });
    let exchanged = |text: &str| {
        let text = text.replace("\"address\": 0", "\"address\": 2");
        text.replace("\"address\": 1", "\"address\": 0").replace("\"address\": 2", "\"address\": 1")
    };
    let run = run(&path, &fabric, "icarus", exchanged);
    assert!(!run.success() && run.stdout.contains("arrived a packet"), "{}", run.stdout);
}

/// Writes and reads through memory-mapped ends, and an end that drops the strobes of writes.
#[test]
fn memories_behind_ends_hold_what_was_written() {
    let Some(path) = require::<Installed>() else { return };
    let all = [(0, "icarus"), (3, "verilator"), (6, "icarus"), (7, "icarus")];
    for (at, simulator) in sample("fabrics", &all) {
        let fabric = Fabric::of_plan(plan_with_ends(ENDS_FABRICS[at], Parameters::default()));
        let base = tempfile::tempdir().unwrap();
        let folder = copy(&fabric, base.path(), "fabric");
        let simulator = format!("SIM={simulator}");
        let run = make(&folder, &path.0, &["cocotb", &simulator, "TRANSFERS=8"]);
        let passed = run.stdout.contains("PASS: 1 tests, 0 failed");
        assert!(run.success() && passed, "{}: {}{}", fabric.plan.name, run.stdout, run.stderr);
    }
    let fabric = Fabric::of_plan(plan_with_ends(ENDS_FABRICS[0], Parameters::default()));
    let base = tempfile::tempdir().unwrap();
    let folder = copy(&fabric, base.path(), "fabric");
    let end = folder.join(format!("{}_subordinate_0.v", fabric.plan.name));
    let text = fs::read_to_string(&end).unwrap();
    let broken = text.replace("wstrb = request_data[35:32]", "wstrb = 4'd15 | request_data[35:32]");
    assert_ne!(text, broken);
    fs::write(&end, broken).unwrap();
    let run = make(&folder, &path.0, &["cocotb"]);
    assert!(!run.success() && run.stdout.contains("FAIL"), "{}", run.stdout);
}
