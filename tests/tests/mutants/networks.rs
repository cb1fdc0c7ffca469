//! Faults in what other networks than the hypercube have.

use crate::mutants::faults::fault;
use turnpike_tests::mutate::Mutant;

const INJECTOR: &str = "*_injector.v";

/// Of `directed-cube --dim 3`: artificial transitions, two kinds of switch, virtual channels by
/// the turn.
pub const DIRECTED_CUBE_3: &[Mutant] = &[
    fault(
        "the bit of an artificial transition is not inverted",
        "*_switch_0.v",
        "~inject_header[0]}",
        "inject_header[0]}",
    ),
    fault(
        "packet stays on its VC",
        "*_switch_0.v",
        "dim0_out_vc1_valid = dim0_vc1_goes",
        "dim0_out_vc1_valid = dim0_vc0_goes",
    ),
    fault(
        "packet goes both ways",
        "*_switch_0.v",
        "inject_to_dim2 = inject_valid & inject_header[2] & ~inject_header[0]",
        "inject_to_dim2 = inject_valid & inject_header[2]",
    ),
];

const ADAPTIVE_SWITCH: &str = "*_adaptive_switch.v";
const MATRIX_ARBITER: &str = "*_matrix_arbiter_2.v";

/// Of `hypercube --dim 2 --routing adaptive`: the allocator, and the rule that an adaptive queue
/// holds one packet.
pub const ADAPTIVE_2: &[Mutant] = &[
    fault(
        "packet that has won asks again",
        ADAPTIVE_SWITCH,
        "inject_lost = ~(",
        "inject_lost = |(",
    ),
    fault(
        "packet that has a channel asks for another",
        ADAPTIVE_SWITCH,
        "inject_routed = dim0_vc0_holds[0] |",
        "inject_routed =",
    ),
    fault(
        "channel is given back with every flit",
        ADAPTIVE_SWITCH,
        "dim0_vc0_done = dim0_vc0_goes & dim0_out_flit[32]",
        "dim0_vc0_done = dim0_vc0_goes",
    ),
    fault(
        "channel is never given back",
        MATRIX_ARBITER,
        "(locked | busy) & ~done",
        "locked | busy",
    ),
    fault("channel is not held", MATRIX_ARBITER, "(locked | busy) & ~done", "1'd0"),
    fault(
        "whoever is granted keeps its rank",
        MATRIX_ARBITER,
        "(before_0 & ~granted[0]) | granted[1]",
        "before_0 | granted[1]",
    ),
    fault(
        "packet that lost picks from the same end",
        ADAPTIVE_SWITCH,
        "inject_from_last <= ~inject_from_last",
        "inject_from_last <= inject_from_last",
    ),
    fault("no second round", ADAPTIVE_SWITCH, "inject_lost = ~(", "inject_lost = 1'd0 & ("),
    fault(
        "adaptive queue takes in a second packet",
        ADAPTIVE_SWITCH,
        "dim0_vc0_room & (dim0_vc0_inside | ~dim0_vc0_valid)",
        "dim0_vc0_room",
    ),
    fault(
        "adaptive queue forgets that a packet has ended",
        ADAPTIVE_SWITCH,
        "dim0_vc0_inside <= ~dim0_in_flit[32]",
        "dim0_vc0_inside <= 1'd1",
    ),
    fault(
        "packet takes a channel that has no room",
        ADAPTIVE_SWITCH,
        "dim0_vc0_open = dim0_out_vc0_ready & dim0_vc0_free",
        "dim0_vc0_open = dim0_vc0_free",
    ),
    fault(
        "escape channel is not asked for",
        ADAPTIVE_SWITCH,
        "inject_to_dim0_vc1 = inject_valid & inject_header[0]",
        "inject_to_dim0_vc1 = 1'd0",
    ),
];

/// Of `ccc --dim 3`: addresses without a terminal, and a header that is no difference alone.
pub const CCC_3: &[Mutant] = &[
    fault(
        "a packet to no terminal goes on",
        INJECTOR,
        "out_valid = in_valid & ~refused",
        "out_valid = in_valid",
    ),
    fault(
        "only the first beat is refused",
        INJECTOR,
        "inside_packet ? refusing : unknown",
        "~inside_packet & unknown",
    ),
    fault(
        "a refusal is flagged on every beat",
        INJECTOR,
        "(accept & ~inside_packet) & unknown",
        "accept & refused",
    ),
    fault(
        "a refusal is flagged before the beat is taken",
        INJECTOR,
        "(accept & ~inside_packet) & unknown",
        "(in_valid & ~inside_packet) & unknown",
    ),
    fault(
        "an address with a terminal is refused",
        INJECTOR,
        "unknown = in_dest[4] & in_dest[3]",
        "unknown = in_dest[4]",
    ),
    fault(
        "an address without a terminal is not",
        INJECTOR,
        "unknown = in_dest[4] & in_dest[3]",
        "unknown = in_dest[4] & in_dest[3] & in_dest[2]",
    ),
    fault(
        "the position is sent as a difference",
        INJECTOR,
        "{in_dest[4:3], in_dest[2:0] ^ address}",
        "in_dest ^ {address[1:0], address}",
    ),
    fault(
        "packet stays on its VC",
        "*_switch_0.v",
        "lateral_out_vc1_valid = lateral_vc1_goes",
        "lateral_out_vc1_valid = lateral_vc0_goes",
    ),
];

/// Of `ccc --dim 3 --routing shortest`: routes by table.
pub const CCC_3_SHORTEST: &[Mutant] = &[
    fault(
        "the digits of a route are rotated",
        "*_injector_0.v",
        "5'b00011: route = 13'b0000010110111",
        "5'b00011: route = 13'b0000000101101",
    ),
    fault(
        "the address is not seen as a difference",
        "*_injector_0.v",
        "(in_dest ^ address)",
        "in_dest",
    ),
    fault(
        "a packet to no terminal goes on",
        "*_injector_0.v",
        "stage_full <= (accept & ~refused)",
        "stage_full <= accept",
    ),
];
