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

/// Rows of a long frame's tables, each changed: the testbench finds a word that goes to another, in any slot.
#[test]
fn wrong_rows_of_a_long_frame_are_found() {
    let Some(icarus) = require::<Icarus>() else { return };
    let parameters = Parameters { width: 8, ..Parameters::default() };
    let plan = slotted_of(plan_of("hypercube 2 ecube", parameters), 120, Some("slotted"));
    assert!(plan.frame() > 128, "{}", plan.frame());
    let written = written(&plan);
    let folder = written.path().join("fabric");
    let path = folder.join("slotted_switch_0.v");
    let text = fs::read_to_string(&path).unwrap();
    let table = |name: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.contains(&format!("{name}_next = ")));
        rows.map(str::to_owned).collect()
    };
    let (open, takes) = (table("eject_open"), table("eject_takes"));
    assert_eq!(open.len(), takes.len());
    let live = open.iter().zip(&takes).filter(|(open, _)| open.ends_with("1'b1;"));
    let live: Vec<&String> = live.map(|(_, takes)| takes).take(plan.frame() as usize).collect();
    for row in live.iter().step_by(live.len() / 6) {
        let other = if row.ends_with("00;") {
            row.replace("00;", "01;")
        } else {
            format!("{}00;", &row[..row.len() - 3])
        };
        fs::write(&path, text.replacen(row.as_str(), &other, 1)).unwrap();
        let said = said(&icarus, &folder, &plan.name);
        assert!(
            said.lines().any(|line| line.starts_with("FAIL: ")),
            "{row} became {other}: {said}"
        );
    }
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
