//! The faults. Each is one that a hand could make, and stands in the text that is emitted.

use turnpike_tests::mutate::Find::{self, Regex, Text};
use turnpike_tests::mutate::Mutant;
use turnpike_tests::mutate::Occurrence::{self, Every, Only};

const FIFO: &str = "*_fifo_4.v";
const SWITCH: &str = "*_switch.v";
const INJECTOR: &str = "*_injector.v";
const MARKS: &str = "*_shift_fifo_4.v";
const STORE: &str = "*_store_4.v";
const GRANT_1: &str = "*_registered_arbiter_1.v";
const GRANT_2: &str = "*_registered_arbiter_2.v";

/// A fault in the one place where its text stands.
pub const fn fault(
    name: &'static str,
    file: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mutant {
    anywhere(name, file, Text(find), replace, Only)
}

/// A fault in the places where its text stands.
pub const fn anywhere(
    name: &'static str,
    file: &'static str,
    find: Find,
    replace: &'static str,
    occurrence: Occurrence,
) -> Mutant {
    Mutant { name, file, find, replace, occurrence }
}

/// Of `hypercube --dim 3 --routing rotation`: queues, arbiters, virtual channels, the
/// injector's table, the wiring.
pub const ROTATION_3: &[Mutant] = &[
    // Queues.
    fault("queue takes a flit that it has no room for", FIFO, "in_valid & in_ready", "in_valid"),
    fault("queue is never full", FIFO, "in_ready <= pop | ~filled[2]", "in_ready <= 1'd1"),
    fault(
        "queue is full at depth - 1",
        FIFO,
        "in_ready <= pop | ~filled[2]",
        "in_ready <= pop ? ~filled[2] : ~filled[1]",
    ),
    anywhere(
        "queue's pointers wrap one early",
        FIFO,
        Regex(r"(head|tail) <= (\{[^}]*\})"),
        "${1} <= (${1} == 2'd3) ? 2'd0 : ${2}",
        Every,
    ),
    fault("queue's level grows with a push and a pop at once", FIFO, "push ^ pop", "push | pop"),
    fault("queue writes where it reads", FIFO, "words[tail] <=", "words[head] <="),
    fault("queue's level is not reset", FIFO, "filled <= 3'd0", "filled <= filled"),
    fault(
        "queue takes a flit in the place of the one that leaves",
        FIFO,
        "in_valid & in_ready",
        "in_valid & (in_ready | pop)",
    ),
    // Arbiters.
    fault("arbiter stuck on one input", "*_arbiter_2.v", "{live[1] &", "{1'd0 &"),
    fault(
        "arbiter grants two at once",
        "*_arbiter_2.v",
        "= {live[1] & (owner[0] | (owner[1] & ~live[0])),",
        "= {live[1],",
    ),
    anywhere(
        "arbiter does not rotate",
        "*_arbiter_2.v",
        Regex(r"assign grant = \{[^;]*;"),
        "assign grant = {live[1] & ~live[0], live[0]};",
        Only,
    ),
    fault("arbiter begins at the wrong input", "*_arbiter_5.v", "owner <= 5'd16", "owner <= 5'd2"),
    anywhere("lock is missing", "*_arbiter_*.v", Text("<= ~done"), "<= 1'd0", Every),
    anywhere("lock is never released", "*_arbiter_*.v", Text("<= ~done"), "<= 1'd1", Every),
    fault(
        "lock is released by every flit",
        SWITCH,
        "dim0_vc0_done = dim0_vc0_goes & dim0_out_flit[32]",
        "dim0_vc0_done = dim0_vc0_goes",
    ),
    fault(
        "eject does not hold its choice",
        SWITCH,
        ".done(eject_done)",
        ".done(eject_done | ~eject_goes)",
    ),
    // Ready.
    fault(
        "output goes without its ready",
        SWITCH,
        "dim0_vc0_goes = (|dim0_vc0_grant) & dim0_out_ready",
        "dim0_vc0_goes = |dim0_vc0_grant",
    ),
    fault(
        "queue popped without the output's ready",
        SWITCH,
        "dim1_vc0_pop = (dim0_vc0_grant[1] & dim0_out_ready)",
        "dim1_vc0_pop = dim0_vc0_grant[1]",
    ),
    fault(
        "the wrong queue is popped",
        SWITCH,
        "dim0_vc0_pop = (dim2_vc1_grant & dim2_vc1_goes) | (eject_grant[1]",
        "dim0_vc0_pop = (dim2_vc1_grant & dim2_vc1_goes) | (eject_grant[2]",
    ),
    // Turns and headers.
    fault(
        "select looks at the wrong header bit",
        SWITCH,
        "inject_to_dim0 = inject_valid & inject_header[3]",
        "inject_to_dim0 = inject_valid & inject_header[4]",
    ),
    fault("a turn is missing", SWITCH, "{dim1_vc0_to_dim0, inject", "{1'd0, inject"),
    fault("header bit is dropped", SWITCH, "{dim2_select[0] & inject_header[1]", "{1'd0"),
    fault(
        "header bit is not cleared",
        SWITCH,
        "dim0_select[0] & inject_header[2]",
        "dim0_select[0] & (inject_header[2] | inject_header[0])",
    ),
    // Multiplexers.
    fault(
        "multiplexer selects two sources",
        "*_mux_2.v",
        "{WIDTH{select[1]}} & in1",
        "{WIDTH{|select}} & in1",
    ),
    fault(
        "multiplexer selects the wrong source",
        "*_mux_2.v",
        "& in0) | ({WIDTH{select[1]}} & in1)",
        "& in1) | ({WIDTH{select[1]}} & in0)",
    ),
    // Virtual channels.
    fault(
        "valid on the other VC",
        SWITCH,
        "dim2_out_vc0_valid = dim2_vc0_goes",
        "dim2_out_vc0_valid = dim2_vc1_goes",
    ),
    anywhere(
        "the VCs of a channel are crossed",
        "hypercube_3_rotation.v",
        Regex(
            r"vc0_valid\((n011_dim2_vc)0(_valid\),\s*\S*vc0_ready\(n011_dim2_vc)0(_ready\),\s*\S*vc1_valid\(n011_dim2_vc)1(_valid\),\s*\S*vc1_ready\(n011_dim2_vc)1",
        ),
        "vc0_valid(${1}1${2}1${3}0${4}0",
        Occurrence::Nth(1),
    ),
    fault(
        "link starves a VC",
        SWITCH,
        ".request(dim2_link_request)",
        ".request({dim2_link_request[1] & ~dim2_link_request[0], dim2_link_request[0]})",
    ),
    fault("link is held for a packet", SWITCH, ".done(1'd1)", ".done(dim2_out_flit[32])"),
    fault(
        "link ignores a VC's ready",
        SWITCH,
        "{dim2_vc1_grant & dim2_out_vc1_ready",
        "{dim2_vc1_grant",
    ),
    // Injection.
    fault(
        "injector takes tdest on every beat",
        INJECTOR,
        "inside_packet ? kept_difference : (in_dest ^ address)",
        "in_dest ^ address",
    ),
    fault("injector does not XOR the address", INJECTOR, "(in_dest ^ address)", "in_dest"),
    fault(
        "injector's table has a wrong row",
        INJECTOR,
        "3'b011: first_port = 3'b010",
        "3'b011: first_port = 3'b001",
    ),
    fault("injector overwrites a flit", INJECTOR, "= ~stage_full | out_ready", "= 1'd1"),
    // The fabric.
    fault(
        "m_axis_tvalid under reset",
        "hypercube_3_rotation.v",
        "m_axis_tvalid = {8{~rst}} & {",
        "m_axis_tvalid = {",
    ),
    fault(
        "s_axis_tready under reset",
        "hypercube_3_rotation.v",
        "s_axis_tready = {8{~rst}} & {",
        "s_axis_tready = {",
    ),
    fault(
        "s_axis_error is stuck",
        "hypercube_3_rotation.v",
        "s_axis_error = 8'd0",
        "s_axis_error = 8'd1",
    ),
    fault("last beat is lost", "hypercube_3_rotation.v", "{s_axis_tlast[5], ", "{1'd0, "),
    fault("every beat is the last", "hypercube_3_rotation.v", "{s_axis_tlast[5], ", "{1'd1, "),
    anywhere(
        "channel comes from the wrong neighbour",
        "hypercube_3_rotation.v",
        Regex(r"\.dim0_in_(valid|header|flit)\(n110_dim0"),
        ".dim0_in_${1}(n100_dim0",
        Every,
    ),
];

/// Of `hypercube --dim 4 --routing rotation`: two links with two VCs each, held by whole packets.
pub const ROTATION_4: &[Mutant] = &[anywhere(
    "link is held for a packet",
    SWITCH,
    Regex(r"(dim\d)_link_request\),\s*\.done\(1'd1\)"),
    "${1}_link_request),\n    .done(${1}_out_flit[32])",
    Every,
)];

/// Of `hypercube --dim 3 --routing ecube`: the order of the bits, and an arbiter of three.
pub const ECUBE_3: &[Mutant] = &[
    anywhere(
        "order of the bits is swapped",
        SWITCH,
        Regex(r"(= dim0_valid & dim0_header\[)0\];(.*\n.*dim0_header\[1\]) & ~dim0_header\[0\];"),
        "${1}0] & ~dim0_header[1];${2};",
        Only,
    ),
    fault(
        "packet goes both ways",
        SWITCH,
        "inject_to_dim1 = inject_valid & inject_header[1] & ~inject_header[0]",
        "inject_to_dim1 = inject_valid & inject_header[1]",
    ),
    fault(
        "arbiter passes over the far request",
        "*_arbiter_3.v",
        "{live[2] & (owner[1] | (owner[0] & ~live[1]) |",
        "{live[2] & (owner[1] |",
    ),
    fault(
        "injector forgets the packet's destination",
        INJECTOR,
        "kept_difference <= difference",
        "kept_difference <= in_dest ^ address",
    ),
    fault("header bit of another dimension", SWITCH, "& dim0_header[1])", "& dim0_header[0])"),
];

/// Of `hypercube --dim 3 --routing rotation --pipeline 2 --queue registers --mux lut4`.
pub const REGISTERED: &[Mutant] = &[
    fault(
        "marks do not move up",
        MARKS,
        "word0 <= filled[1] ? word1 : in_data",
        "word0 <= in_data",
    ),
    fault("place is overwritten", MARKS, "if (~filled[1] | pop)", "if (1'd1)"),
    fault("ready counts no flit on the way", MARKS, "in_ready = ~filled[2]", "in_ready = room"),
    fault("word in the wrong place", STORE, "(tail == 2'd2) & write", "(tail == 2'd1) & write"),
    fault("store is not popped", SWITCH, "dim0_vc0_leave = dim0_vc0_valid &", "dim0_vc0_leave = "),
    fault(
        "injection queue takes what it has no room for",
        SWITCH,
        "inject_offered = inject_in_valid & inject_in_ready",
        "inject_offered = inject_in_valid",
    ),
    fault("arbiter grants the packet that leaves", GRANT_2, "request & ~grant", "request"),
    fault("arbiter does not hold its grant", GRANT_2, "free = ~busy | done", "free = 1'd1"),
    fault("grant is never released", GRANT_2, "free = ~busy | done", "free = ~busy"),
    fault("arbiter does not rotate", GRANT_2, "after_owner <= grant[0]", "after_owner <= 1'd0"),
    fault("arbiter of one holds on", GRANT_1, "~grant | done", "~grant"),
    fault("grant ends with every flit", SWITCH, "eject_goes & eject_ends", "eject_goes"),
    fault(
        "last-flit mark of another queue",
        SWITCH,
        "(eject_grant[1] & dim0_vc0_flit[32])",
        "1'd0",
    ),
    fault(
        "terminal's register is overwritten",
        SWITCH,
        "eject_room = ~eject_out_valid | eject_out_ready",
        "eject_room = 1'd1",
    ),
    fault(
        "stages crossed",
        "*_stage_join.v",
        "(came & b) | (~came & a)",
        "(came & a) | (~came & b)",
    ),
    fault("stage steered wrongly", "*_mux_5.v", "steer = ~(select[0] | select[1])", "steer = 1'd0"),
];

/// Faults in `hypercube --dim 2 --routing ecube --pipeline 1-ahead`.
pub const AHEAD: &[Mutant] = &[
    fault(
        "arbiter does not rotate",
        "*_ahead_arbiter_2.v",
        "after_owner = grant[0]",
        "after_owner = 1'd0",
    ),
    fault("arbiter does not hold its grant", "*_ahead_arbiter_2.v", "(~(|grant)) | done", "1'd1"),
    fault("arbiter of one holds on", "*_ahead_arbiter_1.v", "~grant | done", "~grant"),
    fault(
        "front is overwritten",
        SWITCH,
        "dim0_pop = ~dim0_front_valid | dim0_front_pop",
        "dim0_pop = 1'd1",
    ),
    fault(
        "front waits for a gap",
        SWITCH,
        "inject_pop = ~inject_front_valid | inject_front_pop",
        "inject_pop = ~inject_front_valid",
    ),
    fault(
        "front goes without a grant",
        SWITCH,
        "(eject_grant[1] & dim0_front_valid)",
        "dim0_front_valid",
    ),
    fault(
        "packet does not ask ahead",
        SWITCH,
        "(dim0_pop & dim0_to_eject)",
        "(dim0_pop & ~dim0_front_valid & dim0_to_eject)",
    ),
    fault("packet asks behind one that stays", SWITCH, "(dim0_pop & dim0_to_dim1)", "dim0_to_dim1"),
    fault(
        "front asks for what the head wants",
        SWITCH,
        "inject_front_to_dim1 <= inject_to_dim1",
        "inject_front_to_dim1 <= inject_to_dim0",
    ),
    fault(
        "front's header is the head's",
        SWITCH,
        "dim0_out_header = inject_front_header",
        "dim0_out_header = inject_header[1]",
    ),
];

/// Of `hypercube --dim 2 --routing ecube` with source, keep and user.
pub const OPTIONS: &[Mutant] = &[
    fault(
        "tuser and tkeep are swapped",
        "*_id_user4_keep.v",
        "s_axis_tuser[3:0], s_axis_tkeep[3:0]",
        "s_axis_tkeep[3:0], s_axis_tuser[3:0]",
    ),
    fault(
        "tuser of another terminal",
        "*_id_user4_keep.v",
        "2'd1, s_axis_tuser[7:4]",
        "2'd1, s_axis_tuser[3:0]",
    ),
    fault(
        "tid of another terminal",
        "*_id_user4_keep.v",
        "2'd1, s_axis_tuser[7:4]",
        "2'd2, s_axis_tuser[7:4]",
    ),
];
