//! The proofs of circuit fabrics, and mutants of these.

use crate::formal::faults::{Fault, fault, found, mutant};
use crate::formal::{Sby, names_are_their_own, prove, refuted_in};
use tempfile::TempDir;
use turnpike_circuit::plan::{CircuitPlan, Control, Parameters};
use turnpike_circuit::testing::plans;
use turnpike_emit::folder;
use turnpike_schedule::network::Network;
use turnpike_tests::any_kind::{files, proofs};
use turnpike_tests::mutate::{Find, Mutant, Occurrence};
use turnpike_tests::require;

/// A small network of this name.
pub fn network(name: &str) -> Network {
    let made = match name {
        "benes 1" => Network::benes(1),
        "benes 2" => Network::benes(2),
        "benes 3" => Network::benes(3),
        "benes 4" => Network::benes(4),
        "benes 5" => Network::benes(5),
        "reduced benes 3" => Network::reduced_benes(3),
        "butterfly 2" => Network::butterfly(2, 2),
        "butterfly 3" => Network::butterfly(2, 3),
        "butterfly of radix 3" => Network::butterfly(3, 2),
        "clos 2,2,2" => Network::clos(2, 2, 2),
        "clos 3,2,2" => Network::clos(3, 2, 2),
        "clos 3,2,3" => Network::clos(3, 2, 3),
        _ => panic!("no {name}"),
    };
    made.unwrap()
}

fn plan(name: &str, slots: u32, parameters: Parameters) -> CircuitPlan {
    let control = Control::Memory(slots);
    CircuitPlan::new(name, network(name), parameters, control, Some("circuit")).unwrap()
}

/// Words of four bits.
pub fn narrow() -> Parameters {
    Parameters { width: 4, ..Parameters::default() }
}

/// A fabric in a folder, `fabric` in this one.
pub fn written(plan: &CircuitPlan) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    folder::write(&folder.path().join("fabric"), &files(plan), false).unwrap();
    folder
}

/// Every proof of a fabric with a settings memory holds, and every cover is reached.
fn holds(network: &str, slots: u32, parameters: Parameters) {
    let parts = ["swap", "permutation", "port", "sequencer", "switch"];
    holds_in(&plan(network, slots, parameters), &parts);
}

/// These proofs of a fabric are all that there are, and hold; every cover is reached.
pub fn holds_in(plan: &CircuitPlan, parts: &[&str]) {
    let Some(sby) = require::<Sby>() else { return };
    let proofs = proofs(plan).proofs;
    let files: Vec<&str> = proofs.iter().map(|proof| &*proof.path).collect();
    let wanted: Vec<String> = parts.iter().map(|part| format!("formal/{part}.sby")).collect();
    assert_eq!(files, wanted);
    prove(&sby, &written(plan).path().join("fabric"), &proofs, &plan.canonical());
}

#[test]
fn benes_2() {
    holds("benes 2", 2, narrow());
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn one_switch_and_one_slot() {
    holds("benes 1", 2, narrow());
    holds("benes 1", 1, Parameters { width: 1, ..narrow() });
}

/// No registers at all, and some for two stages each.
#[test]
#[ignore = "a minute: `make test-all`"]
fn fewer_registers() {
    for stages_per_register in [0, 2] {
        let reset_low = stages_per_register == 2;
        holds("benes 2", 3, Parameters { stages_per_register, reset_low, ..narrow() });
    }
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn clos() {
    holds("clos 2,2,2", 2, narrow());
    holds("clos 3,2,2", 3, narrow());
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn more_terminals() {
    holds("benes 3", 4, narrow());
    holds("reduced benes 3", 2, narrow());
    holds("benes 2", 16, Parameters::default());
}

/// More than eight terminals: of the whole fabric nothing is proven.
#[test]
fn what_takes_long_is_named() {
    let proofs = proofs(&plan("butterfly of radix 3", 2, narrow()));
    let files: Vec<&str> = proofs.proofs.iter().map(|proof| &*proof.path).collect();
    assert_eq!(files, ["formal/port.sby", "formal/sequencer.sby", "formal/switch.sby"]);
    assert_eq!(proofs.nothing_to_show.len(), 2);
}

#[test]
fn names_of_properties_are_their_own() {
    for plan in plans() {
        names_are_their_own(&plan.canonical(), &files(&plan));
    }
}

/// A sink's `tlast` comes from another register, on Benes networks of four terminals.
pub const ANOTHER_TLAST: Mutant = mutant(
    "tlast of another word",
    "circuit.v",
    "m_axis_tlast = {stage2_switch1_register1_word[4]",
    "m_axis_tlast = {stage2_switch1_register0_word[4]",
);

/// Of `benes --dim 2` with two slots.
const BENES: &[Fault] = &[
    fault(
        "port",
        "prove",
        mutant(
            "written while words are on the way",
            "*_registers.v",
            "(~pending & ~draining)",
            "~pending",
        ),
    ),
    fault(
        "port",
        "prove",
        mutant(
            "a response does not wait",
            "*_registers.v",
            "answers_write | (s_axil_bvalid & ~s_axil_bready)",
            "answers_write",
        ),
    ),
    fault(
        "port",
        "prove",
        mutant(
            "written under reset",
            "*_registers.v",
            "answers_write & writes_settings & ~rst",
            "answers_write & writes_settings",
        ),
    ),
    fault(
        "sequencer",
        "prove",
        mutant(
            "the bank changes before the last slot",
            "*_sequencer.v",
            "next_bank = bank ^ swaps",
            "next_bank = bank ^ pending",
        ),
    ),
    fault(
        "switch",
        "prove_2x2",
        mutant(
            "a word goes to both outputs",
            "*_switch.v",
            "out1_valid = crossed ? in0_valid : in1_valid",
            "out1_valid = in1_valid",
        ),
    ),
    fault(
        "permutation",
        "prove",
        Mutant {
            name: "a source leads to two switches",
            file: "circuit.v",
            find: Find::Regex(r"source1_(word|valid) = .*;"),
            replace: "source1_${1} = source0_${1};",
            occurrence: Occurrence::Every,
        },
    ),
    fault("permutation", "prove", ANOTHER_TLAST),
    fault(
        "permutation",
        "prove_open",
        mutant(
            "a word enters with that of another source alone",
            "circuit.v",
            "source0_valid = s_axis_tvalid[0]",
            "source0_valid = s_axis_tvalid[0] & s_axis_tvalid[1]",
        ),
    ),
    fault(
        "swap",
        "prove",
        mutant(
            "a stage takes its settings too early",
            "circuit.v",
            "group1_address({bank, slot})",
            "group1_address({next_bank, next_slot})",
        ),
    ),
    fault(
        "swap",
        "prove",
        found(
            "words in the last stage are not waited for",
            "circuit.v",
            r"\(running_after3 & \(bank_after3 \^\s+bank\)\)",
            "1'd0",
        ),
    ),
    fault(
        "swap",
        "prove",
        mutant(
            "the bank that runs is written",
            "circuit.v",
            "write_address({~bank, write_slot})",
            "write_address({bank, write_slot})",
        ),
    ),
    fault(
        "swap",
        "prove",
        found(
            "settings move on while disabled",
            "*_settings.v",
            r"if \(enable\) begin\s+word1 <= (.*);\s+end",
            "word1 <= ${1};",
        ),
    ),
];

/// Of `clos --shape 3,2,2`.
const CLOS: &[Fault] = &[fault(
    "switch",
    "prove_2x3",
    mutant(
        "two outputs take one input",
        "*_switch_2x3.v",
        "(taken0 == taken2) | (taken1 == taken2)",
        "taken0 == taken2",
    ),
)];

#[test]
fn mutants_are_refuted() {
    for (network, faults) in [("benes 2", BENES), ("clos 3,2,2", CLOS)] {
        let folder = written(&plan(network, 2, narrow()));
        refuted_in(&folder.path().join("fabric"), faults);
    }
}
