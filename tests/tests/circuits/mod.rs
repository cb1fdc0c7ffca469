//! Circuit fabrics as they are emitted: no warning from any lint, the self-checking testbench
//! passes, every permutation passes, and a fault in the Verilog is found.

use std::fs;
use std::time::Duration;
use turnpike_circuit::plan::{CircuitPlan, Control, Parameters};
use turnpike_circuit::testing::{baked, permutations, plans};
use turnpike_emit::circuit::Vectors;
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::rearrange::rearrange;
use turnpike_tests::any_kind::{lints_and_passes, said, written};
use turnpike_tests::fabric::with_testbench;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::verilator::{BuildOptions, Verilator};

const LIMIT: Duration = Duration::from_secs(300);

/// Every network and control; each with its own number of stages per register.
#[test]
fn some_of_every_network_and_control_pass() {
    plans().iter().skip(1).step_by(5).for_each(|plan| lints_and_passes(plan));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_small_fabric_passes() {
    plans().iter().for_each(|plan| lints_and_passes(plan));
}

/// A word of more than 64 bits, more slots than a bank holds, several settings words.
#[test]
#[ignore = "half a minute: `make test-all`"]
fn a_larger_fabric_passes_on_verilator() {
    let Some(verilator) = require::<Verilator>() else { return };
    let parameters = Parameters { width: 70, ..Parameters::default() };
    let network = Network::benes(3).unwrap();
    let control = Control::Memory(5);
    let plan = CircuitPlan::new("benes --dim 3", network, parameters, control, None).unwrap();
    let written = written(&plan);
    let folder = written.path().join("fabric");
    let sources = with_testbench(&folder, &plan.name);
    let options = BuildOptions { verilator_flags: vec!["-Wall".into()], ..BuildOptions::default() };
    let built = verilator.build_testbench(&sources, &options).unwrap_or_else(|r| panic!("{r:?}"));
    let run = built.run(&[], LIMIT);
    assert!(run.stdout.starts_with("PASS: "), "{}", run.stdout);
}

/// All 40,320 permutations of 8 terminals, and the 24 of 4, through the emitted Verilog: the
/// testbench reads them in place of its own.
#[test]
fn every_permutation_passes_the_verilog() {
    let Some(verilator) = require::<Verilator>() else { return };
    for (dim, stages_per_register) in [(2, 1), (3, 0)] {
        let network = Network::benes(dim).unwrap();
        let parameters = Parameters { width: 8, stages_per_register, ..Parameters::default() };
        let control = Control::Memory(64);
        let plan = CircuitPlan::new("benes", network, parameters, control, None).unwrap();
        let written = written(&plan);
        let folder = written.path().join("fabric");
        let all = permutations(plan.terminals());
        let slot = |sinks: &Vec<u32>| {
            let permutation = PartialPermutation::whole(sinks).unwrap();
            let settings = rearrange(&plan.network, &permutation).unwrap();
            (permutation, settings)
        };
        let vectors = Vectors::connecting(&plan, all.iter().map(slot));
        let options = BuildOptions {
            verilator_flags: vec![format!("-GSLOTS={}", all.len()), "-GROUNDS=2".into()],
            ..BuildOptions::default()
        };
        let sources = with_testbench(&folder, &plan.name);
        let built =
            verilator.build_testbench(&sources, &options).unwrap_or_else(|r| panic!("{r:?}"));
        for file in vectors.files(&plan.name) {
            fs::write(built.folder().join(file.name), file.contents).unwrap();
        }
        let run = built.run(&[], LIMIT);
        assert!(run.stdout.starts_with("PASS: "), "dim {dim}: {}", run.stdout);
    }
}

/// Faults in the Verilog, by file and texts, that the testbench has to find.
const FAULTS: [(&str, &str, &str, &str); 6] = [
    (
        "benes --dim 2",
        "switch",
        "out1_valid = crossed ? in0_valid",
        "out1_valid = crossed ? in1_valid",
    ),
    ("benes --dim 2", "switch", "out0_word = crossed ? in1_word", "out0_word = crossed ? in0_word"),
    ("benes --dim 2", "sequencer", "next_bank = bank ^ swaps", "next_bank = bank | swaps"),
    (
        "benes --dim 2",
        "settings",
        "word1 <= slots1[group1_address]",
        "word1 <= slots1[group0_address]",
    ),
    ("benes --dim 2", "registers", "write_word = aw_address", "write_word = ~aw_address"),
    ("clos --shape 2,2,3", "switch_3x3", "taken0[0] ?", "~taken0[0] ?"),
];

#[test]
fn faults_are_found() {
    let Some(icarus) = require::<Icarus>() else { return };
    for (words, file, from, to) in FAULTS {
        let network = match words {
            "benes --dim 2" => Network::benes(2),
            _ => Network::clos(2, 2, 3),
        };
        let parameters = Parameters { width: 8, ..Parameters::default() };
        let control = Control::Memory(4);
        let plan = CircuitPlan::new(words, network.unwrap(), parameters, control, None).unwrap();
        let written = written(&plan);
        let folder = written.path().join("fabric");
        let path = folder.join(format!("{}_{file}.v", plan.name));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{}: {from} is not there:\n{text}", path.display());
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = said(&icarus, &folder, &plan.name);
        assert!(!said.starts_with("PASS"), "{words}: {from} became {to}: {said}");
    }
}

/// Faults that show only where some sources send and others do not, or after a reset in the middle.
const PARTIAL_FAULTS: [(&str, &str, &str, &str); 5] = [
    ("self-routing", ".v", "source1_valid = s_axis_tvalid[1]", "source1_valid = s_axis_tvalid[2]"),
    ("self-routing", "_switch_by_upper.v", "in0_turn : ~in1_turn", "in0_turn : in1_turn"),
    ("self-routing", "_switch_by_both.v", "in0_valid & in1_valid &", "in1_valid &"),
    ("baked", ".v", "source1_valid = s_axis_tvalid[1]", "source1_valid = s_axis_tvalid[2]"),
    (
        "baked",
        ".v",
        "if (rst) begin\n      slot <= 2'd0;",
        "if (rst & enable) begin\n      slot <= 2'd0;",
    ),
];

#[test]
fn faults_in_partial_traffic_are_found() {
    let Some(icarus) = require::<Icarus>() else { return };
    for (control, ending, from, to) in PARTIAL_FAULTS {
        let network = Network::benes(2).unwrap();
        let parameters = Parameters { width: 8, ..Parameters::default() };
        let slots = [vec![1, 0, 3, 2], vec![3, 2, 1, 0], vec![2, 3, 1, 0]];
        let how = match control {
            "baked" => Control::Baked(baked(&network, &slots)),
            _ => Control::SelfRouting,
        };
        let plan = CircuitPlan::new("benes", network, parameters, how, None).unwrap();
        let written = written(&plan);
        let folder = written.path().join("fabric");
        let path = folder.join(format!("{}{ending}", plan.name));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{}: {from} is not there:\n{text}", path.display());
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = said(&icarus, &folder, &plan.name);
        assert!(said.starts_with("FAIL: "), "{control}: {from} became {to}: {said}");
    }
}
