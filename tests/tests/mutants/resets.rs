//! Faults that show only after a reset in the middle of traffic, or in how long something takes:
//! each is seen by the testbench and by the lockstep.

use crate::mutants::faults::{anywhere, fault};
use turnpike_tests::mutate::Find::Regex;
use turnpike_tests::mutate::Mutant;
use turnpike_tests::mutate::Occurrence::{Every, Only};

const FIFO: &str = "*_fifo_4.v";
const INJECTOR: &str = "*_injector.v";
const SWITCH: &str = "*_switch.v";

/// Of `hypercube --dim 3 --routing rotation`: registers that have the right value in the
/// beginning, and that a reset misses.
pub const RESETS: &[Mutant] = &[
    anywhere(
        "queue's head is not reset",
        FIFO,
        Regex(r"(?s)reg \[1:0\] head;(.*)head <= 2'd0;"),
        "reg [1:0] head = 2'd0;${1}head <= head;",
        Only,
    ),
    anywhere(
        "queue's tail is not reset",
        FIFO,
        Regex(r"(?s)reg \[1:0\] tail;(.*)tail <= 2'd0;"),
        "reg [1:0] tail = 2'd0;${1}tail <= tail;",
        Only,
    ),
    anywhere(
        "lock is not reset",
        "*_arbiter_*.v",
        Regex(r"(?s)reg locked;(.*)locked <= 1'd0;"),
        "reg locked = 1'd0;${1}locked <= locked;",
        Every,
    ),
    anywhere(
        "injector is not reset inside a packet",
        INJECTOR,
        Regex(r"(?s)reg inside_packet;(.*)inside_packet <= 1'd0;"),
        "reg inside_packet = 1'd0;${1}inside_packet <= inside_packet;",
        Only,
    ),
    anywhere(
        "injector's register is not reset",
        INJECTOR,
        Regex(r"(?s)reg stage_full;(.*)stage_full <= 1'd0;"),
        "reg stage_full = 1'd0;${1}stage_full <= stage_full;",
        Only,
    ),
];

/// Of the same: who shares a link, and the rate of injection.
pub const TIMES: &[Mutant] = &[
    fault(
        "virtual channel 0 goes first",
        SWITCH,
        ".request(dim2_link_request)",
        ".request({dim2_link_request[1] & ~dim2_link_request[0], dim2_link_request[0]})",
    ),
    fault(
        "virtual channel 1 goes first",
        SWITCH,
        ".request(dim2_link_request)",
        ".request({dim2_link_request[1], dim2_link_request[0] & ~dim2_link_request[1]})",
    ),
    fault(
        "injector takes a beat every second cycle",
        INJECTOR,
        "= ~stage_full | out_ready",
        "= ~stage_full",
    ),
];
