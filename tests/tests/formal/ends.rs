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

/// Reorder buffer of four beats, and a table of transactions that it tells apart.
const REORDER: (&str, &str) = (
    "mesh 2x2 dimension-order",
    "name,protocol,role,data-width,id-width,outstanding,burst,reorder,range\n\
     0_0,axi4,manager,8,1,2,2,4,\n0_1,axi4,subordinate,8,,2,,,0x0..0xfff\n\
     1_1,axi4,subordinate,8,,2,,,0x1000..0x1fff\n",
);

/// Packets that may overtake one another.
const ADAPTIVE: (&str, &str) = (
    "mesh 2x2 adaptive",
    "name,protocol,role,id-width,outstanding,burst,range\n\
     0_0,axi4,manager,2,3,2,\n0_1,axi4,subordinate,,2,,0x0..0xfff\n",
);

/// Every bridge that words of 16 bits have.
const BRIDGES: (&str, &str) = (
    "mesh 3x3 dimension-order",
    "name,protocol,role,data-width,id-width,outstanding,burst,range\n\
     0_0,axi4,manager,16,1,2,2,\n0_1,apb,manager,8,,,,\n0_2,wishbone,manager,8,,,,\n\
     1_0,wishbone-pipelined,manager,16,,,,\n1_1,axi4,subordinate,8,,2,,0x0..0xfff\n\
     1_2,apb,subordinate,8,,2,,0x1000..0x1fff\n2_0,wishbone,subordinate,16,,2,,0x2000..0x2fff\n\
     2_1,wishbone-pipelined,subordinate,8,,2,,0x3000..0x3fff\n",
);

/// Bridges of a network of 64 bits, up to eight accesses of a word.
const WIDE_BRIDGES: (&str, &str) = (
    "mesh 4x3 dimension-order",
    "name,protocol,role,data-width,id-width,outstanding,burst,range\n\
     0_0,axi4,manager,64,1,2,2,\n0_1,apb,manager,32,,,,\n0_2,wishbone,manager,32,,,,\n\
     1_0,wishbone-pipelined,manager,64,,,,\n1_1,axi4,subordinate,32,,2,,0x0..0xfff\n\
     1_2,apb,subordinate,32,,2,,0x1000..0x1fff\n2_0,wishbone,subordinate,32,,2,,0x2000..0x2fff\n\
     2_1,wishbone-pipelined,subordinate,8,,2,,0x3000..0x3fff\n2_2,axi4-lite,manager,32,,2,,\n\
     3_0,axi4-lite,subordinate,32,,2,,0x4000..0x4fff\n3_1,axi4-lite,subordinate,64,,2,,0x5000..0x5fff\n",
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
fn tables_are_proven_whatever_keeps_the_order() {
    let Some(sby) = require::<Sby>() else { return };
    for ends in [REORDER, ADAPTIVE] {
        let plan = plan_with_ends(ends, Parameters::default());
        let mut proofs = proofs(&plan).proofs;
        proofs.retain(|proof| proof.path.ends_with("in_flight.sby"));
        assert_eq!(proofs.len(), 1);
        prove(&sby, &Fabric::of_plan(plan).folder(), &proofs, ends.0);
    }
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn reorder_buffers_hold_for_ten_cycles() {
    let Some(sby) = require::<Sby>() else { return };
    let plan = plan_with_ends(REORDER, Parameters::default());
    let mut proofs = proofs(&plan).proofs;
    proofs.retain(|proof| proof.path.ends_with("reorder.sby"));
    assert_eq!(proofs.iter().map(|proof| proof.tasks.len()).sum::<usize>(), 2);
    prove(&sby, &Fabric::of_plan(plan).folder(), &proofs, REORDER.0);
}

#[test]
fn mutants_of_reorder_buffers_are_refuted() {
    let plan = plan_with_ends(REORDER, Parameters::default());
    refuted(&Fabric::of_plan(plan), REORDER_FAULTS);
}

/// Faults of a reorder buffer, among them two that other makers' had: an answer of another, room that is given twice.
const REORDER_FAULTS: &[Fault] = &[
    of_reorder(
        "the answer that came last",
        ["(write_oldest == 1'd0) & answer_there0)", "answer_there0)"],
    ),
    of_reorder(
        "room is given twice",
        ["free <= (places_taken ? left[2:0] : free)", "free <= free"],
    ),
    of_reorder(
        "an entry is given twice",
        ["read_entry_free = ~(reads_there == 2'd2)", "read_entry_free = 1'b1"],
    ),
    of_reorder("beats in the place of another", ["place1)] <= ", "place0)] <= "]),
    of_reorder(
        "a read in the turn of another",
        ["(read_oldest == 1'd0) & read_there0)", "read_there0)"],
    ),
    of_reorder(
        "the ID of another",
        ["assign rid = read_oldest_id", "assign rid = ~read_oldest_id"],
    ),
    of_reorder("a longer read beside others", ["is_longer ? no_read : ", "is_longer ? 1'b1 : "]),
    of_reorder(
        "replies wait for the manager",
        ["end_rready = ~rst & (~(alone & ~rready))", "end_rready = ~rst & rready"],
    ),
    of_reorder(
        "beats that are there wait for the last",
        ["(~no_read & (~(first == oldest_place)))", "1'b0"],
    ),
];

/// A fault of a reorder buffer that its proof refutes.
const fn of_reorder(name: &'static str, [from, to]: [&'static str; 2]) -> Fault {
    fault("reorder", "bounded_reorder", mutant(name, "*_reorder.v", from, to))
}

/// Tasks of the bridges whose names have a text of these.
fn prove_bridges(ends: (&str, &str), of: &[&str], tasks: usize) {
    let Some(sby) = require::<Sby>() else { return };
    let plan = plan_with_ends(ends, Parameters::default());
    let mut proofs = proofs(&plan).proofs;
    proofs.retain(|proof| proof.path.ends_with("bridge.sby"));
    for proof in &mut proofs {
        proof.tasks.retain(|task| of.iter().any(|part| task.name.contains(part)));
    }
    assert_eq!(proofs.iter().map(|proof| proof.tasks.len()).sum::<usize>(), tasks, "{ends:?}");
    prove(&sby, &Fabric::of_plan(plan).folder(), &proofs, ends.0);
}

#[test]
fn bridges_are_proven() {
    prove_bridges(BRIDGES, &["_from_", "_to_apb_"], 8);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn all_bridges_are_proven() {
    prove_bridges(BRIDGES, &["_to_"], 8);
    prove_bridges(WIDE_BRIDGES, &[""], 20);
}

#[test]
fn mutants_of_bridges_are_refuted() {
    let plan = plan_with_ends(BRIDGES, Parameters::default());
    refuted(&Fabric::of_plan(plan), BRIDGE_FAULTS);
}

/// A fault of a bridge that its proof refutes.
const fn of_bridge(
    task: &'static str,
    name: &'static str,
    file: &'static str,
    [from, to]: [&'static str; 2],
) -> Fault {
    fault("bridge", task, mutant(name, file, from, to))
}

const BRIDGE_FAULTS: &[Fault] = &[
    of_bridge(
        "prove_to_apb_8",
        "a burst does not wrap",
        "*_to_apb_8.v",
        ["at_next = (at & ~changes) | (at_sum & changes)", "at_next = at_sum"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "data of the part beside",
        "*_to_apb_8.v",
        ["wire lane = at[0]", "wire lane = ~at[0]"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "access without setup",
        "*_to_apb_8.v",
        ["penable = select & in_access", "penable = select"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "reads have strobes",
        "*_to_apb_8.v",
        ["pstrb = write & write_strobes", "pstrb = write_strobes"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "a beat is taken before all of it is written",
        "*_to_apb_8.v",
        ["end_wready = ~rst & has_beat & ends", "end_wready = ~rst & has_beat & steps"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "an error goes lost",
        "*_to_apb_8.v",
        ["(|error) ? error : ", "1'b0 ? error : "],
    ),
    of_bridge(
        "prove_to_apb_8",
        "reads only while no write waits",
        "*_to_apb_8.v",
        ["~busy & (~(end_arvalid & reads_next))", "~busy"],
    ),
    of_bridge(
        "prove_to_apb_8",
        "an address of FIXED goes on",
        "*_to_apb_8.v",
        ["(beat_ends & fixed) ? ", "1'b0 ? "],
    ),
    of_bridge(
        "prove_to_axi4_8",
        "a read and a write begin at once",
        "*_to_axi4_8.v",
        ["end_arready = ~rst & ~busy & ~write_begins", "end_arready = ~rst & ~busy"],
    ),
    of_bridge(
        "prove_to_axi4_8",
        "the size of the whole beat",
        "*_to_axi4_8.v",
        ["arsize = (size == 3'd1) ? 3'd0 : size", "arsize = size"],
    ),
    of_bridge(
        "prove_to_wishbone_16",
        "a read of all bytes",
        "*_to_wishbone_16.v",
        ["write ? write_strobes : read_bytes", "write ? write_strobes : 2'd3"],
    ),
    of_bridge(
        "prove_to_wishbone_pipelined_8",
        "a strobe that goes on behind the answer",
        "*_to_wishbone_pipelined_8.v",
        ["stb = cycle & ~taken", "stb = cycle"],
    ),
    of_bridge(
        "prove_from_wishbone_8",
        "an answer to who has left",
        "*_from_wishbone_8.v",
        ["answers = done & waits & ~left", "answers = done & waits"],
    ),
    of_bridge(
        "prove_from_wishbone_pipelined_16",
        "a transfer that is taken while another goes",
        "*_from_wishbone_pipelined_16.v",
        ["stall = rst | busy", "stall = rst"],
    ),
    of_bridge(
        "prove_from_apb_8",
        "an answer while the manager waits for none",
        "*_from_apb_8.v",
        ["pready = answers", "pready = 1'b1"],
    ),
];

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
            "a write that began is counted on",
            MANAGER,
            "write_goes ? (whole_writes - 2'd1)",
            "1'b0 ? (whole_writes - 2'd1)",
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
