//! The proofs of circuit fabrics whose words find their way, and mutants of these.

use crate::formal::circuits::{holds_in, narrow, network, written};
use crate::formal::faults::{Fault, fault, found, mutant};
use crate::formal::refuted_in;
use turnpike_circuit::plan::{CircuitPlan, Control, Parameters};
use turnpike_tests::any_kind::proofs;
use turnpike_tests::mutate::{Find, Mutant, Occurrence};

fn plan(name: &str, parameters: Parameters) -> CircuitPlan {
    let control = Control::SelfRouting;
    CircuitPlan::new(name, network(name), parameters, control, Some("circuit")).unwrap()
}

fn holds(name: &str, parameters: Parameters) {
    holds_in(&plan(name, parameters), &["words", "switch"]);
}

#[test]
fn benes_2() {
    holds("benes 2", narrow());
}

/// No registers at all: a word is at its sink in the cycle in which it is offered.
#[test]
fn without_registers() {
    holds("butterfly 2", Parameters { stages_per_register: 0, ..narrow() });
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn more_terminals_and_wide_words() {
    holds("benes 1", Parameters { width: 1, ..narrow() });
    holds("benes 2", Parameters { stages_per_register: 2, reset_low: true, ..narrow() });
    holds("butterfly 3", Parameters::default());
    holds("benes 3", Parameters::default());
}

/// More than eight terminals: of the whole fabric nothing is proven, of its switches all.
#[test]
fn what_takes_long_is_named() {
    let proofs = proofs(&plan("benes 4", narrow()));
    let files: Vec<&str> = proofs.proofs.iter().map(|proof| &*proof.path).collect();
    assert_eq!(files, ["formal/switch.sby"]);
    assert_eq!(proofs.nothing_to_show.len(), 1);
}

/// Of `benes --dim 2`, a fault at least for each property.
const BENES: &[Fault] = &[
    fault(
        "switch",
        "prove_by_both",
        mutant(
            "both words go on where both ask for one output",
            "*_by_both.v",
            "in1_valid & ~meets",
            "in1_valid",
        ),
    ),
    fault(
        "switch",
        "prove_by_both",
        mutant(
            "a loss is told of where there is none",
            "*_by_both.v",
            "in0_valid & in1_valid & (in0_turn == in1_turn)",
            "in1_valid & (in0_turn == in1_turn)",
        ),
    ),
    fault(
        "switch",
        "prove_by_upper",
        mutant(
            "the lower word goes first",
            "*_by_upper.v",
            "in0_valid ? in0_turn : ~in1_turn",
            "in1_valid ? ~in1_turn : in0_turn",
        ),
    ),
    // goes_where_its_bits_say
    fault(
        "words",
        "prove",
        mutant(
            "a turn that is swapped",
            "circuit.v",
            ".in1_turn(stage0_switch1_register0_word[5])",
            ".in1_turn(~stage0_switch1_register0_word[5])",
        ),
    ),
    fault(
        "words",
        "prove",
        mutant(
            "a switch goes by another bit",
            "circuit.v",
            ".in0_turn(stage0_switch0_register1_word[5])",
            ".in0_turn(stage0_switch0_register1_word[6])",
        ),
    ),
    // refused_is_told, alone_it_arrives
    fault(
        "words",
        "prove",
        mutant(
            "a word enters by the tvalid of another source",
            "circuit.v",
            "source1_valid = s_axis_tvalid[1]",
            "source1_valid = s_axis_tvalid[2]",
        ),
    ),
    // not_made_up
    fault(
        "words",
        "prove",
        mutant(
            "a word is always there",
            "circuit.v",
            "source3_valid = s_axis_tvalid[3]",
            "source3_valid = 1'd1",
        ),
    ),
    // stays_whole
    fault(
        "words",
        "prove",
        found(
            "tlast of another word",
            "circuit.v",
            r"m_axis_tlast = \{stage2_switch1_register1_word\[4\]",
            "m_axis_tlast = {stage2_switch1_register0_word[4]",
        ),
    ),
    // refused_is_told
    fault(
        "words",
        "prove",
        found(
            "a loss is told of at once alone",
            "circuit.v",
            r"conflict <= stage1_switch0_conflict \| stage1_switch1_conflict \|",
            "conflict <= stage1_switch0_conflict |",
        ),
    ),
    // nothing_else_is_told
    fault(
        "words",
        "prove",
        found(
            "every word is told of",
            "circuit.v",
            r"conflict <= (stage1_switch0_conflict)",
            "conflict <= s_axis_tvalid[0] | ${1}",
        ),
    ),
    // a_reset_drops_all
    fault(
        "words",
        "prove",
        Mutant {
            name: "a register is not reset",
            file: "circuit.v",
            find: Find::Text("stage1_switch0_register0_valid <= 1'd0;"),
            replace: "stage1_switch0_register0_valid <= stage1_switch0_register0_valid;",
            occurrence: Occurrence::Only,
        },
    ),
];

#[test]
fn mutants_are_refuted() {
    let folder = written(&plan("benes 2", narrow()));
    refuted_in(&folder.path().join("fabric"), BENES);
}
