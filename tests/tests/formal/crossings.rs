//! Proofs of what passes between two clocks, and faults that they refute.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Outcome, Sby, outcome, prove, refuted};
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Parameters, PortStyle, TerminalWishes};
use turnpike_fabric::testing::sample;
use turnpike_fabric::testing::{network, plan_of};
use turnpike_tests::any_kind::proofs;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

const FABRIC: &str = "hypercube 1 ecube as 0=io_clk";

fn prove_crossings(plan: FabricPlan, tasks: usize, name: &str) {
    let Some(sby) = require::<Sby>() else { return };
    let mut proofs = proofs(&plan).proofs;
    proofs.retain(|proof| proof.path.contains("async"));
    assert_eq!(proofs.iter().map(|proof| proof.tasks.len()).sum::<usize>(), tasks, "{name}");
    prove(&sby, &Fabric::of_plan(plan).folder(), &proofs, name);
}

#[test]
fn crossings_are_proven() {
    prove_crossings(plan_of(FABRIC, Parameters::default()), 6, FABRIC);
}

/// More stages, and several clocks that answer.
#[test]
#[ignore = "minutes: `make test-all`"]
fn crossings_of_more_stages_are_proven() {
    for stages in 3..=4 {
        let clocks = vec!["0=io_clk".parse().unwrap(), "1=mem_clk".parse().unwrap()];
        let wishes = TerminalWishes { clocks, sync_stages: stages, ..TerminalWishes::default() };
        let parameters = Parameters { ports: PortStyle::Named, ..Parameters::default() };
        let network = Arc::new(network("hypercube 1 ecube"));
        let plan = FabricPlan::with_interfaces(network, parameters, &wishes, None).unwrap();
        prove_crossings(plan, 6, &format!("{stages} stages"));
    }
}

#[test]
fn mutants_of_crossings_are_refuted() {
    refuted(&Fabric::of(FABRIC, Parameters::default()), RESETS);
}

/// A fault of the queue leaves no induction: its counterexample is longer than the steps of that. The
/// bench shows that each is one (`every_fault_of_a_crossing_is_found_out`).
#[test]
fn mutants_of_queues_are_not_proven() {
    let Some(sby) = require::<Sby>() else { return };
    let fabric = Fabric::of(FABRIC, Parameters::default());
    for fault in sample("mutants", QUEUES) {
        let copy = fault.mutant.apply(&fabric.folder()).unwrap();
        let file = format!("formal/{}.sby", fault.file);
        let found = outcome(&sby, copy.path(), &file, fault.task);
        let is_refuted = matches!(found, Outcome::Failed { .. } | Outcome::Unknown);
        assert!(is_refuted, "{}: {found:?}", fault.mutant.name);
    }
}

/// In `hypercube --dim 1 --ports named --terminal-clock 0=io_clk`.
const QUEUES: &[Fault] = &[
    fault(
        "async_queue",
        "prove",
        mutant("full a round late", WRITER, "~head_sync2[3:2], head_sync2[1:0]", "~head_sync2"),
    ),
    fault(
        "async_queue",
        "prove",
        mutant(
            "the tail crosses as a number",
            WRITER,
            "in_gray <= next ^ {1'd0, next[3:1]}",
            "in_gray <= next",
        ),
    ),
    fault(
        "async_queue",
        "prove",
        mutant("reads over a word that waits", READER, "~empty & (~offers | out_ready)", "~empty"),
    ),
    fault(
        "async_queue",
        "prove",
        mutant("reads a word that is not still", READER, "head == tail_sync2", "head == tail"),
    ),
];

/// In the same.
const RESETS: &[Fault] = &[
    fault(
        "async_reset",
        "prove_to_network",
        mutant("waits for no answer", REQUEST, "wire all = answer0_sync2", "wire all = asked"),
    ),
    fault(
        "async_reset",
        "prove_from_network",
        mutant(
            "asks while the answer to the one before is there",
            REQUEST,
            "waits & ~any",
            "waits",
        ),
    ),
    fault(
        "async_reset",
        "prove_from_network",
        mutant("goes on a cycle early", ANSWER, "request_sync2 | answered", "request_sync2"),
    ),
];

const WRITER: &str = "*_async_writer_8.v";
const READER: &str = "*_async_reader_8.v";
const REQUEST: &str = "*_reset_request_1.v";
const ANSWER: &str = "*_reset_answer.v";
