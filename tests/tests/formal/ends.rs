//! Proofs of memory-mapped ends, and faults that they refute: those among them that other makers' ends had.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Sby, prove, refuted};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::plan_with_ends;
use turnpike_tests::any_kind::proofs;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

/// Two transactions in flight of each direction, and writes of up to two beats.
const SMALL: (&str, &str) = (
    "mesh 2x2 dimension-order",
    "name,protocol,role,id-width,outstanding,burst,range\n\
     0_0,axi4,manager,1,2,2,\n1_0,axi4,manager,2,1,1,\n\
     0_1,axi4,subordinate,,2,,0x0..0x7fffffff\n1_1,axi4,subordinate,,2,,0x80000000..0x8fffffff\n",
);

/// Three transactions in flight.
const LARGER: (&str, &str) = (
    "mesh 2x2 dimension-order",
    "name,protocol,role,data-width,id-width,outstanding,burst,range\n\
     0_0,axi4,manager,64,4,3,2,\n1_0,axi4,manager,64,2,8,2,\n0_1,axi4,subordinate,64,,3,,0x0..0x7fffffff\n",
);

/// Files of proofs of ends.
const FILES: [&str; 3] = ["manager.sby", "subordinate.sby", "in_flight.sby"];

fn prove_ends(ends: (&str, &str), tasks: usize) {
    let Some(sby) = require::<Sby>() else { return };
    let plan = plan_with_ends(ends, Parameters::default());
    let mut proofs = proofs(&plan).proofs;
    proofs.retain(|proof| FILES.iter().any(|file| proof.path.ends_with(file)));
    assert_eq!(proofs.iter().map(|proof| proof.tasks.len()).sum::<usize>(), tasks, "{ends:?}");
    prove(&sby, &Fabric::of_plan(plan).folder(), &proofs, ends.0);
}

#[test]
fn small_ends_are_proven() {
    prove_ends(SMALL, 10);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn larger_ends_are_proven() {
    prove_ends(LARGER, 8);
}

#[test]
fn mutants_of_ends_are_refuted() {
    let plan = plan_with_ends(SMALL, Parameters::default());
    refuted(&Fabric::of_plan(plan), FAULTS);
}

const FAULTS: &[Fault] = &[
    fault(
        "in_flight",
        "prove_in_flight_2_1",
        mutant("an ID may be with two targets", TABLE, "(|free) & ~waits", "|free"),
    ),
    fault(
        "in_flight",
        "prove_in_flight_2_1",
        mutant(
            "a tag is given twice",
            TABLE,
            "(busy & ~ends) | ({2{take}} & first)",
            "busy & ~ends",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "a write goes before its beats are there",
            MANAGER,
            "(~write_refused & whole)",
            "~write_refused",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "a write goes with the last beat of the one before counted",
            MANAGER,
            "(|whole_writes) & (~(last_goes & (whole_writes == 2'd1)))",
            "|whole_writes",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "a reply ends another transaction",
            MANAGER,
            "reply_tag <= reply_data[1]",
            "reply_tag <= ~reply_data[1]",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "data of a read goes while the manager does not take it",
            MANAGER,
            "in_data ? rready",
            "in_data ? 1'b1",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "an answer waits for a read to nobody",
            MANAGER,
            "reply_data[0] ? ~drop_ends",
            "reply_data[0] ? ~drop_ends & rready",
        ),
    ),
    fault(
        "manager",
        "prove_manager_0",
        mutant(
            "an answer goes away while data of a read is there",
            MANAGER,
            "bvalid = ~rst & answer_valid",
            "bvalid = ~rst & answer_valid & ~rvalid",
        ),
    ),
    fault(
        "subordinate",
        "prove_subordinate",
        mutant(
            "the answer to a write waits for a read",
            SUBORDINATE,
            "bready = ~rst & answer_room",
            "bready = ~rst & answer_room & ~in_data",
        ),
    ),
    fault(
        "subordinate",
        "prove_subordinate",
        mutant(
            "a reply goes to whoever asked for the other",
            SUBORDINATE,
            "answers_write ? write_first : read_first",
            "answers_write ? read_first : write_first",
        ),
    ),
    fault(
        "subordinate",
        "prove_subordinate",
        mutant(
            "a reply changes while it waits",
            SUBORDINATE,
            "offered ? offered_write : ",
            "1'b0 ? offered_write : ",
        ),
    ),
    fault(
        "subordinate",
        "prove_subordinate",
        mutant("a read goes where there is no room", SUBORDINATE, "read & read_room", "read"),
    ),
    fault(
        "subordinate",
        "prove_subordinate",
        mutant(
            "an error is answered twice",
            SUBORDINATE,
            "write_replied = header_leaves & answers_write",
            "write_replied = header_leaves & answers_write & ~answer[1]",
        ),
    ),
];

const TABLE: &str = "*_in_flight_2_1.v";
const MANAGER: &str = "*_manager_0.v";
const SUBORDINATE: &str = "*_subordinate.v";
