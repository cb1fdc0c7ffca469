//! Proofs of the exchange of addresses, and faults that they refute.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Sby, prove, refuted};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::{ADDRESS_FABRICS, plan_of};
use turnpike_tests::any_kind::proofs;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

fn fields() -> Parameters {
    Parameters { keep: true, user_width: 1, source_id: true, ..Parameters::default() }
}

#[test]
fn exchanges_are_proven() {
    let Some(sby) = require::<Sby>() else { return };
    for &named in ADDRESS_FABRICS {
        let fabric = Fabric::of_plan(plan_of(named, fields()));
        let mut proofs = proofs(&fabric.plan).proofs;
        proofs.retain(|proof| proof.path == "formal/address.sby");
        assert_eq!(proofs[0].tasks.len(), 4, "{named}");
        prove(&sby, &fabric.folder(), &proofs, named);
    }
}

#[test]
fn mutants_of_exchanges_are_refuted() {
    refuted(&Fabric::of("mesh 2x2 dimension-order as 0_0=@16,1_1=@7", fields()), ADDRESSES);
}

/// In `mesh --shape 2x2 --keep --user-width 1 --source-id --ports named --terminal-address 0_0=16,1_1=7`.
const ADDRESSES: &[Fault] = &[
    fault(
        "address",
        "prove_s_address",
        mutant("another address", SENDS, "in_dest == 5'd7", "in_dest == 5'd3"),
    ),
    fault(
        "address",
        "prove_s_address",
        mutant("another terminal", SENDS, "is_of[2] | is_of[3]", "is_of[1] | is_of[3]"),
    ),
    fault(
        "address",
        "prove_s_address",
        mutant(
            "beats of a refused packet go on",
            SENDS,
            "in_packet ? refused :",
            "in_packet ? 1'd0 :",
        ),
    ),
    fault(
        "address",
        "prove_s_address",
        mutant(
            "told of with each beat",
            SENDS,
            "(accept & refuse) & ~in_packet",
            "accept & refuse",
        ),
    ),
    fault(
        "address",
        "prove_s_address",
        mutant(
            "a beat that waits begins a packet",
            SENDS,
            "else if (accept)",
            "else if (in_valid)",
        ),
    ),
    fault(
        "address",
        "prove_m_address",
        mutant("another source", TAKES, "in_id == 2'd3", "in_id == 2'd2"),
    ),
];

const SENDS: &str = "*_s_address.v";
const TAKES: &str = "*_m_address.v";
