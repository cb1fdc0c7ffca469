//! The proof of slotted fabrics, and mutants of these.

use crate::formal::faults::{Fault, fault, found, mutant};
use crate::formal::{Sby, names_are_their_own, prove, refuted_in};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::plan_of;
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::testing::{plans, slotted_of};
use turnpike_tests::any_kind::{files, proofs, written};
use turnpike_tests::mutate::{Find, Mutant, Occurrence};
use turnpike_tests::require;

/// Slotted fabric of a switched one, with words of four bits and up to `most` words of each pair.
fn plan(over: &str, most: u32) -> SlottedPlan {
    let parameters = Parameters { width: 4, ..Parameters::default() };
    slotted_of(plan_of(over, parameters), most, Some("slotted"))
}

fn holds(plan: &SlottedPlan) {
    let Some(sby) = require::<Sby>() else { return };
    let proofs = proofs(plan).proofs;
    assert_eq!(proofs.len(), 1);
    prove(&sby, &written(plan).path().join("fabric"), &proofs, &plan.canonical());
}

#[test]
fn a_mesh_for_flows() {
    holds(&plan("mesh 3x2 dimension-order for 0_*>2_1,2_1>0_*", 3));
}

/// Tables of more than 8 slots, which Yosys takes for memories.
#[test]
fn a_frame_of_many_slots() {
    let plan = plan("hypercube 2 ecube", 5);
    assert!(plan.frame() > 8);
    holds(&plan);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn small_fabrics() {
    for plan in plans() {
        if proofs(&plan).nothing_to_show.is_empty() {
            holds(&plan);
        }
    }
}

/// Many words on their way: nothing is proven, and that is said.
#[test]
fn what_takes_long_is_named() {
    let plan = slotted_of(plan_of("mesh 4x4 dimension-order", Parameters::default()), 1, None);
    let proofs = proofs(&plan);
    assert!(proofs.proofs.is_empty() && proofs.nothing_to_show.len() == 1);
}

#[test]
fn names_of_properties_are_their_own() {
    for plan in plans() {
        names_are_their_own(&plan.canonical(), &files(&plan));
    }
}

/// Faults of a square of four terminals with many slots.
const SQUARE: &[Fault] = &[
    fault(
        "words",
        "bounded",
        mutant("every slot is of a flow", "*_injector_0.v", "fits = slot_valid &", "fits = 1'b1 &"),
    ),
    fault(
        "words",
        "bounded",
        found("a slot is left out", "slotted.v", r"slot \+ (\d+)'d1", "slot + ${1}'d2"),
    ),
    fault(
        "words",
        "bounded",
        nth("a slot of a source", "*_injector_0.v", "open_next = 1'b1", "open_next = 1'b0"),
    ),
    fault(
        "words",
        "bounded",
        nth("an output is closed in its slots", "*_switch_0.v", r"(\w+_open) & ", "~${1} & "),
    ),
    fault(
        "words",
        "bounded",
        nth(
            "data of the other input",
            "*_switch_0.v",
            r"(\w+)_takes \? (\w+_flit) : (\w+_flit)",
            "${1}_takes ? ${3} : ${2}",
        ),
    ),
    fault(
        "words",
        "bounded",
        nth("a word after a reset", "*_switch_0.v", "_out_valid <= 1'd0", "_out_valid <= 1'd1"),
    ),
    fault(
        "words",
        "bounded",
        nth("another source", "slotted.v", r"_from <= (\w+);", "_from <= ~${1};"),
    ),
];

/// Mutant of the first place of an expression.
const fn nth(
    name: &'static str,
    file: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mutant {
    Mutant { name, file, find: Find::Regex(find), replace, occurrence: Occurrence::Nth(1) }
}

#[test]
fn mutants_are_refuted() {
    let folder = written(&plan("hypercube 2 ecube", 5));
    refuted_in(&folder.path().join("fabric"), SQUARE);
}
