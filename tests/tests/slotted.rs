//! Slotted fabrics as they are emitted: no warning from any lint, the self-checking testbench passes, and a
//! fault in the Verilog is found.

use std::fs;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::plan_of;
use turnpike_slotted::testing::{plans, slotted_of};
use turnpike_tests::any_kind::{lints_and_passes, said, written};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;

#[test]
fn some_small_fabrics_pass() {
    plans().iter().skip(1).step_by(4).for_each(|plan| lints_and_passes(plan));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_small_fabric_passes() {
    plans().iter().for_each(|plan| lints_and_passes(plan));
}

/// Faults in the Verilog, by file and texts, that the testbench has to find.
const FAULTS: [(&str, &str, &str); 6] = [
    (".v", "slot <= 3'd0;\n    end else", "slot <= 3'd1;\n    end else"),
    (".v", "m_axis_tvalid = {6{~rst}} &", "m_axis_tvalid = {6{1'b1}} &"),
    (".v", "_from <= sink_", "_from <= ~sink_"),
    ("_switch_0.v", "eject_out_valid <= eject_open &", "eject_out_valid <= ~eject_open &"),
    ("_injector_0.v", "fits = slot_valid &", "fits = 1'b1 &"),
    ("_injector_0.v", "in_error = in_valid & ~known", "in_error = ~known"),
];

#[test]
fn faults_are_found() {
    let Some(icarus) = require::<Icarus>() else { return };
    let parameters = Parameters { width: 8, ..Parameters::default() };
    let plan = slotted_of(plan_of("mesh 3x2 dimension-order", parameters), 1, Some("slotted"));
    for (ending, from, to) in FAULTS {
        let written = written(&plan);
        let folder = written.path().join("fabric");
        let path = folder.join(format!("{}{ending}", plan.name));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{}: {from} is not there:\n{text}", path.display());
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = said(&icarus, &folder, &plan.name);
        assert!(said.lines().any(|line| line.starts_with("FAIL: ")), "{from} became {to}: {said}");
    }
}
