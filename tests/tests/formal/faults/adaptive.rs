//! Faults put into an adaptive switch, with the proof that refutes each.

use super::{Fault, fault, found, mutant};

const MATRIX_ARBITER: &str = "*_matrix_arbiter_3.v";
const ADAPTIVE_SWITCH: &str = "*_adaptive_switch.v";

/// In `hypercube --dim 2 --routing adaptive`: the allocator, and the rule that an adaptive queue
/// holds one packet.
pub const ADAPTIVE: &[Fault] = &[
    fault(
        "switch",
        "prove",
        mutant(
            "packet that has won asks again",
            ADAPTIVE_SWITCH,
            "inject_lost = ~(",
            "inject_lost = |(",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "packet that has a channel asks for another",
            ADAPTIVE_SWITCH,
            "inject_routed = dim0_vc0_holds[0] |",
            "inject_routed =",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "channel is given back with every flit",
            ADAPTIVE_SWITCH,
            "dim0_vc0_done = dim0_vc0_goes & dim0_out_flit[32]",
            "dim0_vc0_done = dim0_vc0_goes",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "turn that the relation does not allow",
            ADAPTIVE_SWITCH,
            "dim0_vc0_to_dim1_vc1 = dim0_vc0_valid & dim0_vc0_header",
            "dim0_vc0_to_dim1_vc1 = dim0_vc0_valid",
        ),
    ),
    fault(
        "switch",
        "prove",
        mutant(
            "adaptive queue takes in a second packet",
            ADAPTIVE_SWITCH,
            "dim0_vc0_room & (dim0_vc0_inside | ~dim0_vc0_valid)",
            "dim0_vc0_room",
        ),
    ),
    fault(
        "switch",
        "bounded",
        mutant(
            "adaptive queue forgets that a packet has ended",
            ADAPTIVE_SWITCH,
            "dim0_vc0_inside <= ~dim0_in_flit[32]",
            "dim0_vc0_inside <= 1'd1",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "packet takes a channel that has no room",
            ADAPTIVE_SWITCH,
            "dim0_vc0_open = dim0_out_vc0_ready & dim0_vc0_free",
            "dim0_vc0_open = dim0_vc0_free",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "escape channel is not asked for",
            ADAPTIVE_SWITCH,
            "inject_to_dim0_vc1 = inject_valid & inject_header[0]",
            "inject_to_dim0_vc1 = 1'd0",
        ),
    ),
    fault(
        "matrix_arbiter",
        "prove_3",
        mutant(
            "whoever is granted keeps its rank",
            MATRIX_ARBITER,
            "before_0 & {2{~granted[0]}}",
            "before_0",
        ),
    ),
    fault(
        "matrix_arbiter",
        "prove_3",
        mutant(
            "another order after a reset",
            MATRIX_ARBITER,
            "before_1 <= 1'd1",
            "before_1 <= 1'd0",
        ),
    ),
    fault(
        "matrix_arbiter",
        "prove_3",
        found(
            "lock not reset",
            MATRIX_ARBITER,
            r"(?s)reg locked;(.*)locked <= 1'd0;",
            "reg locked = 1'd0;${1}locked <= locked;",
        ),
    ),
    fault(
        "switch",
        "wait",
        mutant(
            "whoever is granted keeps its rank, seen from outside",
            MATRIX_ARBITER,
            "before_0 & {2{~granted[0]}}",
            "before_0",
        ),
    ),
    // The bound on the wait is reached.
    fault(
        "switch",
        "wait",
        mutant(
            "bound of the terminal is one less",
            "formal/*_switch_formal.v",
            "watched != 4 | passed <= 4",
            "watched != 4 | passed <= 3",
        ),
    ),
    // That of a packet with a choice, at injection.
    fault(
        "switch",
        "wait",
        mutant(
            "bound of a choice is one less",
            "formal/*_switch_formal.v",
            "assert (lost <= most_lost)",
            "assert (lost == 0 | lost < most_lost | source != 0 | (ways & (ways - 1'b1)) == 0)",
        ),
    ),
];
