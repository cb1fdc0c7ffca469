//! The proof that a fixed schedule is the same as a settings memory that holds it, and mutants.

use crate::formal::circuits::{ANOTHER_TLAST, holds_in, narrow, network, written};
use crate::formal::faults::{Fault, fault, found, mutant};
use crate::formal::{Sby, outcome, refuted_in};
use turnpike_circuit::baked::Baked;
use turnpike_circuit::plan::{CircuitPlan, Control, Parameters};
use turnpike_flow::sby::Outcome;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::rearrange::rearrange;
use turnpike_tests::any_kind::proofs;
use turnpike_tests::mutate::{Find, Mutant, Occurrence};
use turnpike_tests::require;

/// Connections of a slot: sources and sinks.
type Slot = Vec<(u32, u32)>;

/// The fabric of a fixed schedule.
fn fixed(name: &str, slots: &[Slot], parameters: Parameters) -> CircuitPlan {
    let network = network(name);
    let slot = |slot: &Slot| {
        let connections = slot.iter().map(|&(source, sink)| Connection { source, sink });
        let permutation = PartialPermutation::new(network.terminals(), connections).unwrap();
        let settings = rearrange(&network, &permutation).unwrap();
        (permutation, settings)
    };
    let control = Control::Baked(Baked::new(&network, slots.iter().map(slot)).unwrap());
    CircuitPlan::new(name, network.clone(), parameters, control, Some("circuit")).unwrap()
}

/// Between the stages of a Fourier transform of 2^bits points: shuffles by 1, 2 and 3 bits, and the
/// bit reversal.
fn fourier(bits: u32) -> Vec<Slot> {
    let count = 1u32 << bits;
    let shuffle = |by: u32| {
        let sink = move |a: u32| ((a << (by % bits)) | (a >> (bits - by % bits))) & (count - 1);
        (0..count).map(|a| (a, sink(a))).collect()
    };
    let reversal = (0..count).map(|a| (a, a.reverse_bits() >> (32 - bits))).collect();
    (1..4).map(shuffle).chain([reversal]).collect()
}

/// Three slots for four terminals; in the second two sinks take nothing.
fn partial() -> Vec<Slot> {
    let whole = |sinks: [u32; 4]| (0..4).zip(sinks).collect();
    vec![whole([0, 2, 1, 3]), vec![(0, 3), (1, 2)], whole([1, 2, 3, 0])]
}

/// A fixed schedule is the same as that schedule in a memory.
fn same(network: &str, slots: &[Slot], parameters: Parameters) {
    holds_in(&fixed(network, slots, parameters), &["equivalence"]);
}

#[test]
fn a_fixed_schedule_is_as_in_a_memory() {
    same("benes 2", &partial(), narrow());
}

/// One slot, and no registers: nothing is clocked where both meet.
#[test]
fn a_fixed_schedule_without_registers() {
    for stages_per_register in [0, 2] {
        for (slots, reset_low) in [(&partial()[..1], false), (&partial(), true)] {
            let parameters = Parameters { stages_per_register, reset_low, ..narrow() };
            same("benes 2", slots, parameters);
        }
    }
    same("benes 1", &[vec![], vec![(1, 0)]], Parameters { width: 1, ..narrow() });
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn fixed_schedules_of_fourier_transforms() {
    same("benes 2", &fourier(2), Parameters::default());
    same("benes 3", &fourier(3), Parameters::default());
    same("reduced benes 3", &fourier(3), narrow());
    same("benes 4", &fourier(4), Parameters::default());
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn fixed_schedules_of_clos_networks() {
    same("clos 3,2,2", &partial(), narrow());
    let rotated = |by| (0..6).map(|t| (t, (t + by) % 6)).collect();
    let slots = [rotated(1), vec![(0, 5), (3, 3)], rotated(4), vec![]];
    same("clos 3,2,3", &slots, Parameters::default());
    same("clos 3,2,3", &slots, Parameters { stages_per_register: 2, ..narrow() });
}

/// Of wide words on many links one bit is compared; of larger fabrics, or of many slots, nothing.
#[test]
fn what_is_compared_is_said() {
    let properties = |bits: u32, rounds| {
        let slots = vec![fourier(bits); rounds].concat();
        let plan = fixed(&format!("benes {bits}"), &slots, Parameters::default());
        let proofs = proofs(&plan);
        let tasks = proofs.proofs.iter().flat_map(|proof| &proof.tasks);
        (tasks.map(|task| task.properties).next(), proofs.nothing_to_show.len())
    };
    let one_bit = |properties: Option<&str>| properties.unwrap().contains("bit 0 of tdata");
    assert!(!one_bit(properties(3, 1).0) && one_bit(properties(4, 1).0));
    for (bits, rounds) in [(3, 3), (5, 1)] {
        assert_eq!(properties(bits, rounds), (None, 1));
    }
}

/// Of `benes --dim 2` with the fixed schedule `partial`.
const FIXED: &[Fault] = &[
    fault(
        "equivalence",
        "prove",
        Mutant {
            name: "a crosspoint is left out",
            file: "circuit.v",
            find: Find::Regex(
                r"stage1_switch0_out1_takes \? stage0_switch1_register0_(?:valid|word) :",
            ),
            replace: "",
            occurrence: Occurrence::Every,
        },
    ),
    fault(
        "equivalence",
        "prove",
        mutant(
            "in one slot an output takes the other input",
            "circuit.v",
            "2'b10: stage2_switch1_out1_takes_next = 1'b1",
            "2'b10: stage2_switch1_out1_takes_next = 1'b0",
        ),
    ),
    fault(
        "equivalence",
        "prove",
        mutant("there is a slot more", "circuit.v", "slot == 2'd2", "slot == 2'd3"),
    ),
    fault(
        "equivalence",
        "prove",
        found(
            "a stage is a slot too early",
            "circuit.v",
            r"case \(slot\)(\s+2'b00: stage1_switch0_out0)",
            "case (next_slot)${1}",
        ),
    ),
    fault(
        "equivalence",
        "prove",
        mutant(
            "the first slot after a reset is another",
            "circuit.v",
            "stage0_switch0_out1_takes <= 1'd1",
            "stage0_switch0_out1_takes <= 1'd0",
        ),
    ),
    fault(
        "equivalence",
        "prove",
        found(
            "a switch moves on while disabled",
            "circuit.v",
            r"else if \(enable\) begin(\s+stage0_switch0_out1_takes <=)",
            "else begin${1}",
        ),
    ),
    fault(
        "equivalence",
        "prove",
        mutant(
            "a sink takes a word that is not for it",
            "circuit.v",
            "stage2_switch1_out0_valid & sink0_open",
            "stage2_switch1_out0_valid",
        ),
    ),
    fault("equivalence", "prove", ANOTHER_TLAST),
    fault(
        "equivalence",
        "prove",
        mutant(
            "two bits of tdata change places",
            "circuit.v",
            "s_axis_tdata[11:8]}",
            "s_axis_tdata[10], s_axis_tdata[11], s_axis_tdata[9:8]}",
        ),
    ),
];

#[test]
fn mutants_of_a_fixed_schedule_are_refuted() {
    refuted_in(&written(&fixed("benes 2", &partial(), narrow())).path().join("fabric"), FIXED);
}

/// Were the schedule of the memory never started, nothing would be compared: the covers tell.
#[test]
fn a_schedule_that_does_not_begin_is_seen() {
    let Some(sby) = require::<Sby>() else { return };
    let folder = written(&fixed("benes 2", &partial(), narrow()));
    let never =
        mutant("no swap", "formal/*_registers_stand_in.v", "swap = ~rst & all_done", "swap = 1'd0");
    let vacuous = never.apply(&folder.path().join("fabric")).unwrap();
    let run = |task| outcome(&sby, vacuous.path(), "formal/equivalence.sby", task);
    assert_eq!(run("prove"), Outcome::Passed);
    assert!(matches!(run("cover"), Outcome::Failed { .. }));
}
