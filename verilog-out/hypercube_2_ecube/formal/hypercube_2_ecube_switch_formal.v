// hypercube_2_ecube_switch_formal
// Any one packet through the switch: it leaves once, at the output and with the header that
// the relation names, in order, uncorrupted, not interleaved, and does not get stuck.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 02d52da5f1f22d1f
`default_nettype none


module hypercube_2_ecube_switch_formal (
  input wire clk,
  // Free, in every cycle: what comes in, what can go out, which packet is followed.
  input wire reset_again,
  input wire inject_in_valid,
  input wire inject_in_last,
  input wire [31:0] inject_in_other,
  input wire [1:0] inject_in_header,
  input wire dim0_in_valid,
  input wire dim0_in_last,
  input wire [31:0] dim0_in_other,
  input wire [0:0] dim0_in_header,
  input wire dim1_in_valid,
  input wire dim1_in_last,
  input wire [31:0] dim1_in_other,
  input wire dim0_out_ready,
  input wire dim1_out_ready,
  input wire eject_out_ready,
  input wire choose
);

  localparam [1:0] TO_DIM0 = 2'd0;
  localparam [1:0] TO_DIM1 = 2'd1;
  localparam [1:0] TO_EJECT = 2'd2;

  // ---- A cycle of reset, and any later ---------------------------------------------------
  reg started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  wire rst = ~started | reset_again;
  wire running = ~rst;

  // ---- Any one packet is followed: any queue, any moment, any header that the relation ----
  // brings there, any data. Its flits carry `tag`; those of other packets differ from it in
  // bits 0 and 1, and else carry anything.
  (* anyconst *) reg [1:0] source;
  (* anyconst *) reg [31:0] tag;
  always @* assume (source < 3);
  reg entering;
  reg entered;
  // Packets that come into the same queue later differ in bit 1 alone.
  wire [1:0] earlier_or_elsewhere = ~tag[1:0];
  wire [1:0] later = {~tag[1], tag[0]};

  // ---- Queue inject ------------------------------------------------------------------------
  wire inject_in_ready;
  wire inject_push = running & inject_in_valid & inject_in_ready;
  reg inject_inside_packet;
  always @(posedge clk) begin
    if (rst) inject_inside_packet <= 1'b0;
    else if (inject_push) inject_inside_packet <= ~inject_in_last;
  end
  wire inject_followed = source == 0 & inject_in_valid &
      (entering | (choose & ~entered & ~inject_inside_packet));
  wire inject_later = source == 0 & inject_in_valid & entered;
  // What the relation does with each header that comes to a queue.
  wire [1:0] inject_header = inject_in_header;
  reg [1:0] inject_kept_header;
  always @(posedge clk) if (inject_push) inject_kept_header <= inject_header;
  reg inject_possible;
  reg [1:0] inject_to;
  reg [0:0] inject_next;
  always @* begin
    inject_possible = 1'b1;
    case (inject_header)
      2'b00: begin
        inject_to = TO_EJECT;
        inject_next = 1'b0;
      end
      2'b01: begin
        inject_to = TO_DIM0;
        inject_next = 1'b0;
      end
      2'b10: begin
        inject_to = TO_DIM1;
        inject_next = 1'b0;
      end
      2'b11: begin
        inject_to = TO_DIM0;
        inject_next = 1'b1;
      end
      default: begin
        inject_possible = 1'b0;
        inject_to = 0;
        inject_next = 0;
      end
    endcase
  end
  // The environment: headers that can come, one for a whole packet.
  always @* if (running & inject_in_valid) begin
    assume (inject_possible);
    assume (~inject_inside_packet | inject_header == inject_kept_header);
  end

  // ---- Queue dim0 --------------------------------------------------------------------------
  wire dim0_in_ready;
  wire dim0_push = running & dim0_in_valid & dim0_in_ready;
  reg dim0_inside_packet;
  always @(posedge clk) begin
    if (rst) dim0_inside_packet <= 1'b0;
    else if (dim0_push) dim0_inside_packet <= ~dim0_in_last;
  end
  wire dim0_followed = source == 1 & dim0_in_valid &
      (entering | (choose & ~entered & ~dim0_inside_packet));
  wire dim0_later = source == 1 & dim0_in_valid & entered;
  // What the relation does with each header that comes to a queue.
  wire [0:0] dim0_header = dim0_in_header;
  reg [0:0] dim0_kept_header;
  always @(posedge clk) if (dim0_push) dim0_kept_header <= dim0_header;
  reg dim0_possible;
  reg [1:0] dim0_to;
  reg [0:0] dim0_next;
  always @* begin
    dim0_possible = 1'b1;
    case (dim0_header)
      1'b0: begin
        dim0_to = TO_EJECT;
        dim0_next = 1'b0;
      end
      1'b1: begin
        dim0_to = TO_DIM1;
        dim0_next = 1'b0;
      end
      default: begin
        dim0_possible = 1'b0;
        dim0_to = 0;
        dim0_next = 0;
      end
    endcase
  end
  // The environment: headers that can come, one for a whole packet; a flit comes only where
  // there is room, as on every channel.
  always @* if (running & dim0_in_valid) begin
    assume (dim0_possible);
    assume (~dim0_inside_packet | dim0_header == dim0_kept_header);
    assume (dim0_in_ready);
  end

  // ---- Queue dim1 --------------------------------------------------------------------------
  wire dim1_in_ready;
  wire dim1_push = running & dim1_in_valid & dim1_in_ready;
  reg dim1_inside_packet;
  always @(posedge clk) begin
    if (rst) dim1_inside_packet <= 1'b0;
    else if (dim1_push) dim1_inside_packet <= ~dim1_in_last;
  end
  wire dim1_followed = source == 2 & dim1_in_valid &
      (entering | (choose & ~entered & ~dim1_inside_packet));
  wire dim1_later = source == 2 & dim1_in_valid & entered;
  // What the relation does with each header that comes to a queue.
  reg dim1_possible;
  reg [1:0] dim1_to;
  reg [0:0] dim1_next;
  always @* begin
    dim1_possible = 1'b1;
    dim1_to = TO_EJECT;
    dim1_next = 1'b0;
  end
  // The environment: headers that can come, one for a whole packet; a flit comes only where
  // there is room, as on every channel.
  always @* if (running & dim1_in_valid) begin
    assume (dim1_possible);
    assume (dim1_in_ready);
  end

  // ---- What comes in ---------------------------------------------------------------------
  wire inject_in_followed = inject_followed;
  wire dim0_in_followed = dim0_followed;
  wire dim1_in_followed = dim1_followed;
  wire [1:0] inject_in_mark = inject_later ? later : earlier_or_elsewhere;
  wire [32:0] inject_in_flit = {inject_in_last,
      inject_in_followed ? tag : {inject_in_other[31:2], inject_in_mark}};
  wire [1:0] dim0_in_mark = dim0_later ? later : earlier_or_elsewhere;
  wire [32:0] dim0_in_flit = {dim0_in_last,
      dim0_in_followed ? tag : {dim0_in_other[31:2], dim0_in_mark}};
  wire [1:0] dim1_in_mark = dim1_later ? later : earlier_or_elsewhere;
  wire [32:0] dim1_in_flit = {dim1_in_last,
      dim1_in_followed ? tag : {dim1_in_other[31:2], dim1_in_mark}};

  // ---- The switch ------------------------------------------------------------------------
  wire dim0_out_valid;
  wire dim1_out_valid;
  wire eject_out_valid;
  wire [32:0] dim0_out_flit;
  wire [0:0] dim0_out_header;
  wire [32:0] dim1_out_flit;
  wire [32:0] eject_out_flit;
  hypercube_2_ecube_switch dut (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(inject_in_valid),
    .inject_in_ready(inject_in_ready),
    .inject_in_header(inject_in_header),
    .inject_in_flit(inject_in_flit),
    .dim0_in_valid(dim0_in_valid),
    .dim0_in_ready(dim0_in_ready),
    .dim0_in_header(dim0_in_header),
    .dim0_in_flit(dim0_in_flit),
    .dim1_in_valid(dim1_in_valid),
    .dim1_in_ready(dim1_in_ready),
    .dim1_in_flit(dim1_in_flit),
    .dim0_out_valid(dim0_out_valid),
    .dim0_out_ready(dim0_out_ready),
    .dim0_out_header(dim0_out_header),
    .dim0_out_flit(dim0_out_flit),
    .dim1_out_valid(dim1_out_valid),
    .dim1_out_ready(dim1_out_ready),
    .dim1_out_flit(dim1_out_flit),
    .eject_out_valid(eject_out_valid),
    .eject_out_ready(eject_out_ready),
    .eject_out_flit(eject_out_flit)
  );

  // ---- The packet on its way -------------------------------------------------------------
  reg entry;
  reg entry_last;
  reg [1:0] entry_to;
  reg [0:0] entry_next;
  always @* begin
    case (source)
      0: begin
        entry = inject_push & inject_followed;
        entry_last = inject_in_last;
        entry_to = inject_to;
        entry_next = inject_next;
      end
      1: begin
        entry = dim0_push & dim0_followed;
        entry_last = dim0_in_last;
        entry_to = dim0_to;
        entry_next = dim0_next;
      end
      default: begin
        entry = dim1_push & dim1_followed;
        entry_last = dim1_in_last;
        entry_to = dim1_to;
        entry_next = dim1_next;
      end
    endcase
  end
  // Where the packet must leave, and with which header: what the relation said when it came.
  reg [1:0] wanted;
  reg [0:0] wanted_next;
  always @(posedge clk) begin
    if (rst) begin
      entering <= 1'b0;
      entered <= 1'b0;
    end else if (entry) begin
      entering <= ~entry_last;
      entered <= entry_last;
    end
    if (entry & ~entering) begin
      wanted <= entry_to;
      wanted_next <= entry_next;
    end
  end
  wire dim0_moves = running & dim0_out_valid & dim0_out_ready;
  wire dim0_leave = dim0_moves & dim0_out_flit[1:0] == tag[1:0];
  wire dim1_moves = running & dim1_out_valid & dim1_out_ready;
  wire dim1_leave = dim1_moves & dim1_out_flit[1:0] == tag[1:0];
  wire eject_moves = running & eject_out_valid & eject_out_ready;
  wire eject_leave = eject_moves & eject_out_flit[1:0] == tag[1:0];
  wire leave = dim0_leave |
      dim1_leave |
      eject_leave;
  // Its flits inside the switch, and whether some have left and some have not.
  reg [3:0] inside;
  reg leaving;
  wire last_leaves = entered & inside == 1;
  always @(posedge clk) begin
    if (rst) begin
      inside <= 0;
      leaving <= 1'b0;
    end else begin
      if (entry & ~leave) inside <= inside + 1'b1;
      if (leave & ~entry) inside <= inside - 1'b1;
      if (leave) leaving <= ~last_leaves;
    end
  end
  // Cycles in which it could go on and nothing moves: every output ready, every packet whole.
  wire all_ready = dim0_out_ready & dim1_out_ready & eject_out_ready;
  wire some_moves = dim0_moves | dim1_moves | eject_moves;
  wire some_open = inject_inside_packet | dim0_inside_packet | dim1_inside_packet;
  reg [2:0] still;
  always @(posedge clk) begin
    if (rst | inside == 0 | ~all_ready | some_moves | some_open) still <= 0;
    else if (still != 5) still <= still + 1'b1;
  end

  // ---- Properties ------------------------------------------------------------------------
  // Proofs in parts, each with one of these macros, are faster than one of the whole.
`ifndef ONLY_WAIT
`ifndef ONLY_DELIVERY
  always @* if (running) begin
    no_more_than_fit: assert (inside <= 7);
    goes_on: assert (still != 5);
  end
`endif
`ifndef ONLY_PROGRESS
  always @* if (dim0_leave) begin
    dim0_named_by_the_relation: assert (wanted == TO_DIM0);
    dim0_delivered_once: assert (inside != 0);
    dim0_last: assert (dim0_out_flit[32] == last_leaves);
    dim0_uncorrupted: assert (dim0_out_flit[31:0] == tag);
    dim0_header_goes_on: assert (dim0_out_header == wanted_next);
  end
  always @* if (dim0_moves) begin
    dim0_not_interleaved: assert (~leaving | wanted != TO_DIM0 | dim0_leave);
    dim0_in_order: assert (dim0_out_flit[1:0] != later | (entered & inside == 0));
    dim0_known: assert (dim0_out_flit[1:0] != {tag[1], ~tag[0]});
  end
  always @* if (dim1_leave) begin
    dim1_named_by_the_relation: assert (wanted == TO_DIM1);
    dim1_delivered_once: assert (inside != 0);
    dim1_last: assert (dim1_out_flit[32] == last_leaves);
    dim1_uncorrupted: assert (dim1_out_flit[31:0] == tag);
  end
  always @* if (dim1_moves) begin
    dim1_not_interleaved: assert (~leaving | wanted != TO_DIM1 | dim1_leave);
    dim1_in_order: assert (dim1_out_flit[1:0] != later | (entered & inside == 0));
    dim1_known: assert (dim1_out_flit[1:0] != {tag[1], ~tag[0]});
  end
  always @* if (eject_leave) begin
    eject_named_by_the_relation: assert (wanted == TO_EJECT);
    eject_delivered_once: assert (inside != 0);
    eject_last: assert (eject_out_flit[32] == last_leaves);
    eject_uncorrupted: assert (eject_out_flit[31:0] == tag);
  end
  always @* if (eject_moves) begin
    eject_not_interleaved: assert (~leaving | wanted != TO_EJECT | eject_leave);
    eject_in_order: assert (eject_out_flit[1:0] != later | (entered & inside == 0));
    eject_known: assert (eject_out_flit[1:0] != {tag[1], ~tag[0]});
  end
`endif
`endif
`ifdef ONLY_WAIT

  // ---- How long it waits, at any one (output, VC) that it may take ------------------------
  // One word stands for a queue here: a flit that has come in is at its queue's head. A
  // channel that is ready stays so until a flit is sent: the queue at its end sees to that.
  reg dim0_stays_ready;
  always @(posedge clk) dim0_stays_ready <= running & dim0_out_ready & ~dim0_out_valid;
  always @* if (running) assume (~dim0_stays_ready | dim0_out_ready);
  // A packet, this one or another, is on its way through.
  reg dim0_open;
  always @(posedge clk) begin
    if (rst) dim0_open <= 1'b0;
    else if (dim0_moves) dim0_open <= ~dim0_out_flit[32];
  end
  reg dim1_stays_ready;
  always @(posedge clk) dim1_stays_ready <= running & dim1_out_ready & ~dim1_out_valid;
  always @* if (running) assume (~dim1_stays_ready | dim1_out_ready);
  // A packet, this one or another, is on its way through.
  reg dim1_open;
  always @(posedge clk) begin
    if (rst) dim1_open <= 1'b0;
    else if (dim1_moves) dim1_open <= ~dim1_out_flit[32];
  end
  // A packet, this one or another, is on its way through.
  reg eject_open;
  always @(posedge clk) begin
    if (rst) eject_open <= 1'b0;
    else if (eject_moves) eject_open <= ~eject_out_flit[32];
  end
  (* anyconst *) reg [1:0] watched;
  reg waits_there;
  reg other_goes;
  reg could_go;
  reg goes;
  always @* begin
    waits_there = 1'b0;
    other_goes = 1'b0;
    could_go = 1'b0;
    goes = 1'b0;
    case (watched)
      0: begin
        waits_there = inside != 0 & ~leaving & wanted == TO_DIM0;
        other_goes = dim0_moves & dim0_out_flit[32];
        // A flit of it has room, and no other packet is on its way through.
        could_go = inside != 0 & wanted == TO_DIM0 & dim0_out_ready & (leaving | ~dim0_open);
        goes = dim0_moves;
      end
      1: begin
        waits_there = inside != 0 & ~leaving & wanted == TO_DIM1;
        other_goes = dim1_moves & dim1_out_flit[32];
        // A flit of it has room, and no other packet is on its way through.
        could_go = inside != 0 & wanted == TO_DIM1 & dim1_out_ready & (leaving | ~dim1_open);
        goes = dim1_moves;
      end
      2: begin
        waits_there = inside != 0 & ~leaving & wanted == TO_EJECT;
        other_goes = eject_moves & eject_out_flit[32];
        // A flit of it has room, and no other packet is on its way through.
        could_go = inside != 0 & wanted == TO_EJECT & eject_out_ready & (leaving | ~eject_open);
        goes = eject_moves;
      end
    endcase
  end
  reg [1:0] passed;
  always @(posedge clk) begin
    if (rst | ~waits_there | leave) passed <= 0;
    else if (other_goes) passed <= passed + 1'b1;
  end
  // Cycles in a row in which a flit could go there and none does.
  reg [0:0] held_back;
  always @(posedge clk) begin
    if (rst | ~could_go | goes) held_back <= 0;
    else held_back <= held_back + 1'b1;
  end
  always @* if (running) begin
    dim0_bounded_wait: assert (watched != 0 | passed <= 0);
    dim0_served_in_turn: assert (watched != 0 | held_back <= 0);
    dim1_bounded_wait: assert (watched != 1 | passed <= 1);
    dim1_served_in_turn: assert (watched != 1 | held_back <= 0);
    eject_bounded_wait: assert (watched != 2 | passed <= 2);
    eject_served_in_turn: assert (watched != 2 | held_back <= 0);
  end
`else
`ifndef ONLY_DELIVERY
`ifndef ONLY_PROGRESS

  // ---- As the proof of the wait assumes of the switch that comes next ----------------------
  reg dim0_stays_ready;
  always @(posedge clk) dim0_stays_ready <= running & dim0_in_ready & ~dim0_in_valid;
  always @* if (running) begin
    dim0_ready_stays: assert (~dim0_stays_ready | dim0_in_ready);
  end
  reg dim1_stays_ready;
  always @(posedge clk) dim1_stays_ready <= running & dim1_in_ready & ~dim1_in_valid;
  always @* if (running) begin
    dim1_ready_stays: assert (~dim1_stays_ready | dim1_in_ready);
  end
`endif
`endif
`endif
  // AXI4-Stream asks this of what is ejected.
  reg waits;
  reg never_ready;
  reg [32:0] last_flit;
  always @(posedge clk) begin
    never_ready <= ~eject_out_ready & (rst | never_ready);
    waits <= running & eject_out_valid & ~eject_out_ready;
    last_flit <= eject_out_flit;
  end
`ifndef ONLY_WAIT
`ifndef ONLY_PROGRESS
  always @* if (running & waits) begin
    eject_valid_stays: assert (eject_out_valid);
    eject_flit_stays: assert (eject_out_flit == last_flit);
  end
`endif
`endif

  // ---- What must be reached: every turn, and what the properties speak of ----------------
  always @* reset_inside_a_packet: cover (started & rst & entering & inside != 0);
  always @* if (running) begin
    inject_to_dim0: cover (source == 0 & dim0_leave & last_leaves);
    inject_to_dim1: cover (source == 0 & dim1_leave & last_leaves);
    inject_to_eject: cover (source == 0 & eject_leave & last_leaves);
    dim0_to_dim1: cover (source == 1 & dim1_leave & last_leaves);
    dim0_to_eject: cover (source == 1 & eject_leave & last_leaves);
    dim1_to_eject: cover (source == 2 & eject_leave & last_leaves);
    second_flit_leaves: cover (leave & leaving);
    could_go_on: cover (inside != 0 & all_ready & ~some_open);
    eject_has_to_wait: cover (waits);
    valid_before_ready: cover (eject_out_valid & never_ready);
    later_packet_leaves: cover ((dim0_moves & dim0_out_flit[1:0] == later) |
        (dim1_moves & dim1_out_flit[1:0] == later) |
        (eject_moves & eject_out_flit[1:0] == later));
  end

endmodule
