//! Proofs of shapers and token buckets, and faults that they refute.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Outcome, Sby, outcome, prove, refuted};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::plan_for;
use turnpike_tests::any_kind::proofs;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

/// Packets of one length and of two; rates of one, of a whole number of cycles and of neither; bursts of a
/// packet, of several and of a part more.
const FLOWS: &str = "source,destination,bandwidth,packet,burst\n\
                     0_0,1_0,0.25,2,\n0_0,0_1,0.3,1,5\n\
                     1_0,0_0,0.3,2,5\n1_0,0_1,0.123456789,2,4\n\
                     0_1,0_0,0.05,1,\n1_1,1_0,0.4,1,1\n";

fn fabric() -> Fabric {
    let parameters = Parameters { width: 8, ..Parameters::default() };
    Fabric::of_plan(plan_for("mesh 2x2 dimension-order as shaper", FLOWS, parameters))
}

#[test]
fn shapers_are_proven() {
    let Some(sby) = require::<Sby>() else { return };
    let fabric = fabric();
    let mut proofs = proofs(&fabric.plan).proofs;
    proofs.retain(|proof| proof.path == "formal/shaper.sby");
    // Six token buckets and four shapers, each proven, and what must be reached looked for.
    assert_eq!(proofs[0].tasks.len(), 2 * (6 + 4));
    prove(&sby, &fabric.folder(), &proofs, "shapers");
}

/// What must be reached is, in the smallest shaper of all.
#[test]
fn a_shaper_of_single_flits_is_proven() {
    let Some(sby) = require::<Sby>() else { return };
    let flows = "source,destination,bandwidth,packet\n0_0,1_0,0.5,1\n";
    let plan = plan_for("mesh 2x2 dimension-order as shaper", flows, Parameters::default());
    let fabric = Fabric::of_plan(plan);
    let mut proofs = proofs(&fabric.plan).proofs;
    proofs.retain(|proof| proof.path == "formal/shaper.sby");
    proofs[0].tasks.retain(|task| task.name.contains("shaper"));
    assert_eq!(proofs[0].tasks.len(), 2);
    for task in &proofs[0].tasks {
        let outcome = outcome(&sby, &fabric.folder(), &proofs[0].path, &task.name);
        assert!(matches!(outcome, Outcome::Passed), "{}: {outcome:?}", task.name);
    }
}

#[test]
fn larger_shapers_are_not_claimed() {
    let flows =
        "source,destination,bandwidth,packet\n0_0,1_0,0.25,5\n1_0,0_0,0.1,4\n1_0,0_1,0.1,1\n";
    let plan = plan_for("mesh 2x2 dimension-order as shaper", flows, Parameters::default());
    let nothing = proofs(&plan).nothing_to_show;
    let named = nothing.iter().filter(|nothing| nothing.module.contains("_shaper_"));
    assert_eq!(named.count(), 2);
}

#[test]
fn mutants_of_shapers_are_refuted() {
    refuted(&fabric(), SHAPERS);
}

const BUCKET: &str = "*_bucket_3.v";
const SHAPER: &str = "*_shaper_0.v";

const fn of_bucket(what: &'static str, from: &'static str, to: &'static str) -> Fault {
    fault("shaper", "prove_bucket_3", mutant(what, BUCKET, from, to))
}

const fn of_shaper(what: &'static str, from: &'static str, to: &'static str) -> Fault {
    fault("shaper", "prove_shaper_0", mutant(what, SHAPER, from, to))
}

/// In the fabric of [`FLOWS`]: the token bucket of packets of a flit, 0.3 flits per cycle and bursts of
/// five, and the shaper of two flows.
const SHAPERS: &[Fault] = &[
    of_bucket("more comes back", "owed - 6'd3", "owed - 6'd4"),
    of_bucket("less comes back", "owed - 6'd3", "owed - 6'd2"),
    of_bucket("a packet takes too little", "owed + 6'd7", "owed + 6'd6"),
    of_bucket("goes while too much is owed", "owed[5] & (owed[4] |", "owed[5] & (owed[4] &"),
    of_bucket("held while enough is there", "owed[5] & (owed[4] |", "owed[5] | (owed[4] |"),
    of_shaper("a packet too long goes on", "(in_last ^ ends)", "(in_last & ~ends)"),
    of_shaper("a packet too short goes on", "(in_last ^ ends)", "(~in_last & ends)"),
    of_shaper(
        "flits of a refused packet stay",
        "refusing ? start : after",
        "refused ? start : after",
    ),
    of_shaper("told of again", "accept & ~refused & wrong", "accept & wrong"),
    of_shaper("leaves before it is granted", "~(released == left)", "~(came == left)"),
    of_shaper("asks for the flow behind it", "flows[released[1:0]]", "flows[came[1:0]]"),
    of_shaper("a flit is offered twice", "words[read_next[1:0]]", "words[read[1:0]]"),
    of_shaper("takes what it has no room for", "(~((write", "(1'b1 | ((write"),
];
