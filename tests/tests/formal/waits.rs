//! Faults in `hypercube --dim 3 --routing rotation` that show only after a reset in the middle of
//! traffic, or in how long something waits.

use crate::formal::faults::{ARBITER, FIFO, Fault, INJECTOR, SWITCH_FILE, fault, found, mutant};

/// Registers that have the right value in the beginning, and that a reset misses.
pub const RESETS: &[Fault] = &[
    fault(
        "queue",
        "prove_4",
        found(
            "head not reset",
            FIFO,
            r"(?s)reg \[1:0\] head;(.*)head <= 2'd0;",
            "reg [1:0] head = 2'd0;${1}head <= head;",
        ),
    ),
    fault(
        "queue",
        "prove_4",
        found(
            "tail not reset",
            FIFO,
            r"(?s)reg \[1:0\] tail;(.*)tail <= 2'd0;",
            "reg [1:0] tail = 2'd0;${1}tail <= tail;",
        ),
    ),
    fault(
        "arbiter",
        "prove_2",
        found(
            "lock not reset",
            ARBITER,
            r"(?s)reg locked;(.*)locked <= 1'd0;",
            "reg locked = 1'd0;${1}locked <= locked;",
        ),
    ),
    fault(
        "injector",
        "prove",
        found(
            "inside a packet after a reset",
            INJECTOR,
            r"(?s)reg inside_packet;(.*)inside_packet <= 1'd0;",
            "reg inside_packet = 1'd0;${1}inside_packet <= inside_packet;",
        ),
    ),
    fault(
        "injector",
        "prove",
        found(
            "register full after a reset",
            INJECTOR,
            r"(?s)reg stage_full;(.*)stage_full <= 1'd0;",
            "reg stage_full = 1'd0;${1}stage_full <= stage_full;",
        ),
    ),
    fault(
        "injector",
        "prove",
        mutant("a beat every second cycle", INJECTOR, "= ~stage_full | out_ready", "= ~stage_full"),
    ),
];

/// Who goes first on a link, in a fabric for flows of three classes of which the first has a priority.
pub const PRIORITIES: &[Fault] = &[
    fault(
        "switch",
        "wait_1",
        found(
            "the others go first",
            "*_switch_1.v",
            r"(?s)(x_plus_link_priority2_grant = x_plus_link_priority2_request);(.*) & \{2\{~x_plus_link_priority2_busy\}\}",
            "${1} & ~(|x_plus_link_priority0_request);${2}",
        ),
    ),
    fault(
        "switch",
        "wait_1",
        mutant(
            "the others do not take turns",
            "*_switch_1.v",
            ".request(x_plus_link_priority0_request &",
            ".request({x_plus_link_priority0_request[1] & ~x_plus_link_priority0_request[0], \
             x_plus_link_priority0_request[0]} &",
        ),
    ),
    fault(
        "switch",
        "prove_1",
        mutant(
            "the others go beside the first",
            "*_switch_1.v",
            "{2{~x_plus_link_priority2_busy}}",
            "2'b11",
        ),
    ),
    fault(
        "switch",
        "progress_1",
        mutant(
            "nobody goes where both have a flit",
            "*_switch_1.v",
            "x_plus_link_priority2_grant = x_plus_link_priority2_request;",
            "x_plus_link_priority2_grant = x_plus_link_priority2_request & ~(|x_plus_link_priority0_request);",
        ),
    ),
];

/// Who shares a link, and who an output; the bounds of the waits are reached.
pub const WAITS: &[Fault] = &[
    fault(
        "switch",
        "wait",
        mutant(
            "virtual channel 0 goes first",
            SWITCH_FILE,
            ".request(dim2_link_request)",
            ".request({dim2_link_request[1] & ~dim2_link_request[0], dim2_link_request[0]})",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "virtual channel 1 goes first",
            SWITCH_FILE,
            ".request(dim2_link_request)",
            ".request({dim2_link_request[1], dim2_link_request[0] & ~dim2_link_request[1]})",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "requests of an arbiter by priority",
            SWITCH_FILE,
            ".request(dim0_vc0_request)",
            ".request({dim0_vc0_request[1] & ~dim0_vc0_request[0], dim0_vc0_request[0]})",
        ),
    ),
    fault(
        "switch",
        "wait",
        found(
            "turns of a link are one less",
            "formal/*_switch_formal.v",
            r"(dim2_vc0_served_in_turn.*held_back) <= 1\)",
            "${1} <= 0)",
        ),
    ),
    fault(
        "switch",
        "wait",
        found(
            "packets that go first are one less",
            "formal/*_switch_formal.v",
            r"(dim0_vc0_bounded_wait.*passed) <= 1\)",
            "${1} <= 0)",
        ),
    ),
];
