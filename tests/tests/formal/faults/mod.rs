//! Faults put into the RTL of `hypercube --dim 3 --routing rotation`, into its registers of
//! grants and outputs, or into the refusals of `ccc --dim 3`, with the proof that refutes each;
//! and faults of the proofs themselves.

mod adaptive;

pub use adaptive::ADAPTIVE;

use turnpike_tests::mutate::{Find, Mutant, Occurrence};

/// A mutant, and the SymbiYosys file and task that refute it.
#[derive(Clone, Copy)]
pub struct Fault {
    pub mutant: Mutant,
    pub file: &'static str,
    pub task: &'static str,
}

/// A fault in the one place where its text stands.
pub const fn mutant(
    name: &'static str,
    file: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mutant {
    Mutant { name, file, find: Find::Text(find), replace, occurrence: Occurrence::Only }
}

/// A fault in the one place that a regular expression finds.
pub const fn found(
    name: &'static str,
    file: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mutant {
    Mutant { name, file, find: Find::Regex(find), replace, occurrence: Occurrence::Only }
}

/// A mutant, and what refutes it.
pub const fn fault(file: &'static str, task: &'static str, mutant: Mutant) -> Fault {
    Fault { mutant, file, task }
}

pub const FIFO: &str = "*_rotation_fifo_4.v";
pub const ARBITER: &str = "*_rotation_arbiter_2.v";
pub const INJECTOR: &str = "*_rotation_injector.v";
pub const SWITCH_FILE: &str = "*_rotation_switch.v";

/// Of `ccc --dim 3`: packets to addresses without a terminal.
pub const REFUSALS: &[Fault] = &[
    fault(
        "injector",
        "prove",
        mutant(
            "goes on",
            "*_two_stage_injector.v",
            "out_valid = in_valid & ~refused",
            "out_valid = in_valid",
        ),
    ),
    fault(
        "injector",
        "prove",
        mutant(
            "first beat alone is refused",
            "*_two_stage_injector.v",
            "inside_packet ? refusing : unknown",
            "~inside_packet & unknown",
        ),
    ),
    fault(
        "terminals",
        "prove",
        mutant("not flagged", "ccc_3_two_stage.v", "n000_0_inject_error}", "1'd0}"),
    ),
];

/// Queue, arbiter, injector, terminals: a second or two each.
pub const PARTS: &[Fault] = &[
    fault("queue", "prove_4", mutant("queue overflows", FIFO, "pop | ~filled[2]", "1'd1")),
    fault("queue", "prove_4", mutant("wrong end read", FIFO, "= words[head]", "= words[tail]")),
    fault(
        "queue",
        "prove_4",
        mutant("level not reset", FIFO, "filled <= 3'd0", "filled <= filled"),
    ),
    fault("arbiter", "prove_2", mutant("stuck on one", ARBITER, "{live[1] &", "{1'd0 &")),
    fault("arbiter", "prove_2", mutant("lock is missing", ARBITER, "<= ~done", "<= 1'd0")),
    fault(
        "arbiter",
        "prove_2",
        mutant("does not rotate", ARBITER, "owner <= grant", "owner <= 2'd2"),
    ),
    fault(
        "arbiter",
        "prove_2",
        mutant("begins elsewhere after a reset", ARBITER, "owner <= 2'd2", "owner <= 2'd1"),
    ),
    fault(
        "injector",
        "prove",
        mutant(
            "tdest of every beat",
            INJECTOR,
            "inside_packet ? kept_difference : (in_dest ^ address)",
            "in_dest ^ address",
        ),
    ),
    fault(
        "injector",
        "prove",
        mutant("wrong row", INJECTOR, "3'b011: first_port = 3'b010", "3'b011: first_port = 3'b001"),
    ),
    fault(
        "injector",
        "prove",
        mutant("flit is overwritten", INJECTOR, "= ~stage_full | out_ready", "= 1'd1"),
    ),
    fault(
        "terminals",
        "prove",
        mutant(
            "valid under reset",
            "hypercube_3_rotation.v",
            "m_axis_tvalid = {8{~rst}} & {",
            "m_axis_tvalid = {",
        ),
    ),
];

/// The switch: some seconds each.
pub const SWITCH: &[Fault] = &[
    fault(
        "switch",
        "prove",
        mutant(
            "wrong header bit",
            SWITCH_FILE,
            "inject_to_dim0 = inject_valid & inject_header[3]",
            "inject_to_dim0 = inject_valid & inject_header[4]",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "popped without ready",
            SWITCH_FILE,
            "dim1_vc0_pop = (dim0_vc0_grant[1] & dim0_out_ready)",
            "dim1_vc0_pop = dim0_vc0_grant[1]",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant("header bit dropped", SWITCH_FILE, "{dim2_select[0] & inject_header[1]", "{1'd0"),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "on the other VC",
            SWITCH_FILE,
            "dim2_out_vc0_valid = dim2_vc0_goes",
            "dim2_out_vc0_valid = dim2_vc1_goes",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "lock released by every flit",
            SWITCH_FILE,
            "dim0_vc0_done = dim0_vc0_goes & dim0_out_flit[32]",
            "dim0_vc0_done = dim0_vc0_goes",
        ),
    ),
    fault(
        "switch",
        "progress",
        mutant("a turn is missing", SWITCH_FILE, "{dim1_vc0_to_dim0, inject", "{1'd0, inject"),
    ),
];

const FIFO_2: &str = "*_ecube*_fifo_4.v";
const REGISTERED_ARBITER: &str = "*_registered_arbiter_3.v";
const AHEAD_ARBITER: &str = "*_ahead_arbiter_3.v";
const SWITCH_2: &str = "*_ecube*_switch.v";

/// In `hypercube --dim 2 --routing ecube --link-registers 2`.
pub const LINKS: &[Fault] = &[
    fault("queue", "prove_8", LESS_ROOM),
    fault("link", "prove_2", LESS_ROOM),
    fault(
        "link",
        "prove_2",
        mutant("no room but for one", FIFO_8, "in_ready = ~filled[3]", "in_ready = ~filled[0]"),
    ),
    fault(
        "link",
        "prove_2",
        mutant("a flit is lost", LINK, "out_valid <= valid1", "out_valid <= valid1 & out_ready"),
    ),
    fault(
        "link",
        "prove_2",
        mutant(
            "a flit is changed where another follows",
            LINK,
            "out_data <= data1",
            "out_data <= in_valid ? in_data : data1",
        ),
    ),
];

const LESS_ROOM: Mutant = mutant(
    "room for one less on the way",
    FIFO_8,
    "in_ready = ~filled[3]",
    "in_ready = ~filled[4]",
);
const FIFO_8: &str = "*_ecube*_fifo_8.v";
const LINK: &str = "*_ecube*_link_2.v";

/// In `hypercube --dim 2 --routing ecube --pipeline 2`.
pub const REGISTERED: &[Fault] = &[
    fault(
        "queue",
        "prove_4",
        mutant(
            "no room for the word on the way",
            FIFO_2,
            "in_ready = ~filled[2]",
            "in_ready = room",
        ),
    ),
    fault(
        "arbiter",
        "prove_3",
        mutant(
            "grants who leaves",
            REGISTERED_ARBITER,
            "live = request & ~grant",
            "live = request",
        ),
    ),
    fault(
        "arbiter",
        "prove_3",
        mutant(
            "forgets whose turn it is",
            REGISTERED_ARBITER,
            "after_owner <= {|grant[1:0], grant[0]}",
            "after_owner <= 2'd0",
        ),
    ),
    fault(
        "arbiter",
        "prove_3",
        found(
            "busy after a reset",
            REGISTERED_ARBITER,
            r"(?s)reg busy;(.*)busy <= 1'd0;",
            "reg busy = 1'd0;${1}busy <= busy;",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "sends where there is no room",
            SWITCH_2,
            "dim0_goes = dim0_present & dim0_out_ready",
            "dim0_goes = dim0_present",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "overwrites what waits",
            SWITCH_2,
            "eject_room = ~eject_out_valid | eject_out_ready",
            "eject_room = 1'd1",
        ),
    ),
];

/// Faults in `hypercube --dim 2 --routing ecube --pipeline 1-ahead`.
pub const AHEAD: &[Fault] = &[
    fault(
        "arbiter",
        "prove_3",
        mutant(
            "forgets whose turn it is",
            AHEAD_ARBITER,
            "after_owner = {|grant[1:0], grant[0]}",
            "after_owner = 2'd0",
        ),
    ),
    fault(
        "arbiter",
        "prove_3",
        mutant(
            "does not hold its grant",
            AHEAD_ARBITER,
            "free = (~(|grant)) | done",
            "free = 1'd1",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "a packet asks behind one that does not leave",
            SWITCH_2,
            "(dim0_pop & dim0_to_dim1)",
            "dim0_to_dim1",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "a front that is granted asks again",
            SWITCH_2,
            "inject_front_asks = inject_front_valid & ~inject_granted",
            "inject_front_asks = inject_front_valid",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "a front is overwritten",
            SWITCH_2,
            "dim1_pop = ~dim1_front_valid | dim1_front_pop",
            "dim1_pop = 1'd1",
        ),
    ),
    fault(
        "switch",
        "progress",
        mutant(
            "a front that lost never asks again",
            SWITCH_2,
            "(dim0_front_asks & dim0_front_to_eject)",
            "1'd0",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "a front does not ask while another leaves",
            SWITCH_2,
            "inject_front_asks = inject_front_valid & ~inject_granted",
            "inject_front_asks = inject_front_valid & ~inject_granted & ~dim0_front_pop",
        ),
    ),
];

/// A name that nobody declared.
pub const UNDECLARED: Mutant =
    mutant("undeclared name", "formal/*_fifo_4_formal.v", "ahead < level", "ahead < levle");

/// A port of another width.
pub const NARROW: Mutant =
    mutant("narrow port", "formal/*_fifo_4_formal.v", "wire [1:0] out_data", "wire [0:0] out_data");

/// Nobody waits: no request has two bits and one.
pub const VACUOUS: Mutant = mutant(
    "assumption that nothing meets",
    "formal/*_arbiter_2_formal.v",
    "assume (waiter != 0 &",
    "assume (waiter == 0 & waiter != 0 &",
);
