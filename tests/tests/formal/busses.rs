//! The proofs of bus fabrics, and mutants of these.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Sby, names_are_their_own, prove, refuted_in};
use tempfile::TempDir;
use turnpike_bus::protocol::{Backoff, Protocol, Thinning, Window};
use turnpike_bus::testing::plans;
use turnpike_bus::{BusFlows, BusPlan, Grid, Layout, Parameters, SplitHash};
use turnpike_emit::folder;
use turnpike_tests::any_kind::{files, proofs};
use turnpike_tests::require;

fn plan(sides: &[u32], protocol: Protocol, parameters: Parameters) -> BusPlan {
    BusPlan::new(Grid::new(sides).unwrap(), protocol, parameters, Some("fabric")).unwrap()
}

/// That of a split&hash network of two levels and factor 2.
fn split_hash(side: u32, protocol: Protocol, parameters: Parameters) -> BusPlan {
    let network = SplitHash::new(side, 2, 2).unwrap();
    BusPlan::of_split_hash(network, 1, protocol, parameters, Some("fabric")).unwrap()
}

/// Words of two bits.
fn narrow() -> Parameters {
    Parameters { width: 2, depth: 2, ..Parameters::default() }
}

fn window() -> Protocol {
    Protocol::Window(Window::new(3).unwrap())
}

fn backoff() -> Protocol {
    Protocol::Backoff(Backoff::new(3).unwrap())
}

fn thinning() -> Protocol {
    Protocol::Thinning(Thinning::new(8).unwrap())
}

fn written(plan: &BusPlan) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    folder::write(&folder.path().join("fabric"), &files(plan), false).unwrap();
    folder
}

/// Every proof holds, and every cover is reached; none is left out.
fn holds(plan: &BusPlan) {
    let Some(sby) = require::<Sby>() else { return };
    let proofs = proofs(plan);
    assert_eq!(proofs.nothing_to_show, []);
    let files: Vec<&str> = proofs.proofs.iter().map(|proof| &*proof.path).collect();
    let takes_turns = plan.protocol == Protocol::Rotor && plan.grid.sides().iter().any(|&s| s > 2);
    let parts: &[&str] = match plan.layout {
        Layout::Lines => &["sender", "medium", "turn", "switch", "queue", "arbiter"],
        Layout::OneBus(_) => &["sender", "medium", "source", "turn", "entry", "queue"],
        Layout::Leveled(_) => &["sender", "medium", "functions", "entry", "queue"],
    };
    let parts = parts.iter().filter(|part| **part != "turn" || takes_turns);
    let wanted: Vec<String> = parts.map(|part| format!("formal/{part}.sby")).collect();
    assert_eq!(files, wanted);
    prove(&sby, &written(plan).path().join("fabric"), &proofs.proofs, &plan.canonical());
}

/// Words in order and in any order, two dimensions and one, addresses without a node.
#[test]
fn small_fabrics() {
    let turns = Parameters { depth: 3, ..narrow() };
    let all = [plan(&[2, 3], backoff(), narrow()), plan(&[3], Protocol::Rotor, turns)];
    all.iter().for_each(holds);
}

/// Plan of one bus for these flows.
fn for_flows(nodes: u32, pairs: &[(u32, u32)], protocol: Protocol) -> BusPlan {
    let grid = Grid::new(&[nodes]).unwrap();
    let flows = BusFlows::new(pairs.iter().copied(), String::new());
    BusPlan::for_flows(grid, protocol, narrow(), flows, Some("fabric")).unwrap()
}

/// Senders that meet, and one alone; nodes that only send, or only take; addresses without a node.
#[test]
fn small_busses_for_flows() {
    let turns = for_flows(3, &[(0, 2), (1, 2)], Protocol::Rotor);
    let waits = for_flows(5, &[(0, 4), (1, 4), (4, 1), (3, 2)], backoff());
    [turns, waits].iter().for_each(holds);
}

/// A bus for each function: of as many senders each, and not; addresses without a terminal.
#[test]
#[ignore = "a minute: `make test-all`"]
fn small_split_hash_networks() {
    holds(&split_hash(4, backoff(), narrow()));
    holds(&split_hash(5, thinning(), Parameters { source_id: true, ..narrow() }));
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn more_fabrics() {
    holds(&split_hash(8, window(), Parameters { width: 8, depth: 3, ..narrow() }));
    holds(&plan(&[2], window(), narrow()));
    holds(&plan(&[4], thinning(), narrow()));
    holds(&plan(&[8], window(), Parameters { source_id: true, ..Parameters::default() }));
    holds(&plan(&[2, 2, 3], backoff(), Parameters { depth: 3, source_id: true, ..narrow() }));
    holds(&plan(&[3, 3], thinning(), Parameters { width: 16, depth: 4, ..narrow() }));
}

/// Busses of many nodes and queues of many words: said, in place of a claim.
#[test]
fn what_takes_long_is_named() {
    let parameters = Parameters { depth: 16, width: 64, ..Parameters::default() };
    let proofs = proofs(&plan(&[128], window(), parameters));
    let files: Vec<&str> = proofs.proofs.iter().map(|proof| &*proof.path).collect();
    assert_eq!(files, ["formal/switch.sby", "formal/queue.sby", "formal/arbiter.sby"]);
    assert_eq!(proofs.nothing_to_show.len(), 3);
}

#[test]
fn names_of_properties_are_their_own() {
    for plan in plans() {
        names_are_their_own(&plan.canonical(), &files(&plan));
    }
}

/// Of `mob --shape 2x3` with backoff.
const MOB: &[Fault] = &[
    fault(
        "medium",
        "prove_receiver_y",
        mutant(
            "a collision is understood",
            "*_y_receiver.v",
            "only = (|here) & (~(|all_but_lowest))",
            "only = |here",
        ),
    ),
    fault(
        "medium",
        "prove_bus_y",
        mutant("another's acknowledgement", "*_y_bus.v", "to[3] ? take[2]", "to[3] ? take[1]"),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "acknowledged though another was taken",
            "*_switch.v",
            "x_taken <= y_grant",
            "x_taken <= x_only | y_grant",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "moved in a slot for acknowledgements",
            "*_switch.v",
            "x_request = data_slot & ",
            "x_request = ",
        ),
    ),
    fault(
        "sender",
        "prove_x",
        mutant("leaves without being told", "*_x_sender.v", "done = sent & told", "done = sent"),
    ),
    fault(
        "sender",
        "prove_x",
        mutant(
            "sends in every cycle",
            "*_x_sender.v",
            "send = data_slot & waiting",
            "send = waiting",
        ),
    ),
    fault(
        "sender",
        "prove_x",
        mutant("waits from the whole range", "*_x_sender.v", "(drawn & range)", "drawn"),
    ),
];

/// Of `split-hash --side 4 --levels 2 --factor 2` with backoff.
const FUNNELS: &[Fault] = &[
    fault(
        "medium",
        "prove_to_level1_bus",
        mutant(
            "heard in the slots of all functions",
            "*_to_level1_bus.v",
            "reaches = send & {16{active}}",
            "reaches = send",
        ),
    ),
    fault(
        "medium",
        "prove_to_level0_bus",
        mutant(
            "another's acknowledgement",
            "*_to_level0_bus.v",
            "to[7] ? (to[6] ? take[3]",
            "to[7] ? (to[6] ? take[2]",
        ),
    ),
    fault(
        "entry",
        "prove",
        mutant(
            "acknowledged though there was no room",
            "*_entry.v",
            "taken <= enter & room",
            "taken <= enter",
        ),
    ),
    fault(
        "functions",
        "prove_to_level1",
        mutant(
            "the next after the slot for data",
            "*_to_level1_functions.v",
            "(~data_slot)",
            "(data_slot)",
        ),
    ),
];

/// Of `ocpc --nodes 4` with thinning.
const OCPC: &[Fault] = &[
    fault(
        "sender",
        "prove",
        mutant(
            "the last word does not take the place of the one that leaves",
            "*_sender.v",
            "push ? in_data : last",
            "push ? in_data : head",
        ),
    ),
    fault(
        "sender",
        "prove",
        mutant(
            "another word leaves than was sent",
            "*_sender.v",
            "data_slot ? picked[0] : sent_place",
            "picked[0]",
        ),
    ),
];

/// Of `ocpc --nodes 4` with senders that take turns.
const TURNS: &[Fault] = &[
    fault(
        "turn",
        "prove",
        mutant(
            "one receiver for all",
            "*_turn.v",
            "receiver = position + ahead",
            "receiver = ahead",
        ),
    ),
    fault(
        "turn",
        "prove",
        mutant("itself in its turn", "*_turn.v", "ahead == 2'd3", "ahead == 2'd0"),
    ),
    fault(
        "sender",
        "prove",
        mutant(
            "not the first for a receiver",
            "*_sender.v",
            "here & (~(here - 3'd1))",
            "here & (here - 3'd1)",
        ),
    ),
    fault(
        "sender",
        "prove",
        mutant("another's turn", "*_sender.v", ".position(position)", ".position(~position)"),
    ),
    fault(
        "sender",
        "prove",
        mutant("those behind stay", "*_sender.v", "sent_place[1:0]", "sent_place[0:0]"),
    ),
];

#[test]
fn mutants_are_refuted() {
    for (plan, faults) in [
        (plan(&[2, 3], backoff(), narrow()), MOB),
        (plan(&[4], thinning(), narrow()), OCPC),
        (split_hash(4, backoff(), narrow()), FUNNELS),
        (plan(&[4], Protocol::Rotor, Parameters { depth: 3, ..narrow() }), TURNS),
    ] {
        let folder = written(&plan);
        refuted_in(&folder.path().join("fabric"), faults);
    }
}
