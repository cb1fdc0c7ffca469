// hypercube_2_ecube_tb
// Self-checking testbench: every source-destination pair, random bursts, a flood of long
// packets; random gaps and back-pressure; then what the reference router does, cycle for cycle.
// Ends with PASS or FAIL.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 4c107dc62fe4517d
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_tb #(
  // Destinations that each source sends to in the third phase: 4 is every pair.
  parameter [31:0] PAIRS  = 32'd4,
  // Random packets of each source in the fourth phase.
  parameter [31:0] BURSTS = 32'd50,
  // Packets of each source in the fifth phase: the longest, without pause.
  parameter [31:0] FLOOD  = 32'd62,
  // Everything random follows from this.
  parameter [31:0] SEED   = 32'd1
);

  localparam [31:0] T = 32'd4;  // terminals
  localparam [31:0] SOURCES = 32'd4;  // terminals that send
  localparam [31:0] A = 32'd2;  // bits of an address
  localparam [31:0] W = 32'd32;  // bits of tdata
  // A packet opens with its own description, sent over as many beats as it takes:
  // {count [18], destination [A], source [A]}. A count is {kind [2], sequence number [16] from
  // this source to this destination}.
  localparam [31:0] HEAD_BEATS = 32'd1;
  localparam [31:0] WORDS = 32'd1;  // 32-bit words of a beat
  localparam [31:0] LONGEST = 32'd16;  // more beats than a queue holds, four times
  localparam [31:0] STUCK = 32'd2000;  // cycles without a transfer
  // The first phase: packets that are alone in the network, one after the other. Each goes
  // at full rate, a beat per cycle. The cycles from its first beat's acceptance
  // to `tvalid` are known: LATENCY for all of them together.
  localparam [31:0] LONE = 32'd16;
  localparam [31:0] STRIDE = 32'd1;  // pairs from one to the next
  localparam [31:0] LONE_BEATS = HEAD_BEATS + 32'd4;
  localparam [31:0] LATENCY = 32'd32;
  // Kinds of packets.
  localparam [1:0] ANY_LENGTH = 2'd0;
  localparam [1:0] LONGEST_OF_ALL = 2'd1;
  localparam [1:0] ALONE = 2'd2;

  reg clk;
  reg rst;
  reg [4-1:0] s_valid;
  wire [4-1:0] s_ready;
  reg [128-1:0] s_data;
  reg [8-1:0] s_dest;
  reg [4-1:0] s_last;
  wire [4-1:0] s_error;
  wire [4-1:0] m_valid;
  reg [4-1:0] m_ready;
  wire [128-1:0] m_data;
  wire [4-1:0] m_last;

  hypercube_2_ecube dut (
    .clk(clk),
    .rst(rst),
    .s_axis_tvalid(s_valid),
    .s_axis_tready(s_ready),
    .s_axis_tdest(s_dest),
    .s_axis_tdata(s_data),
    .s_axis_tlast(s_last),
    .s_axis_error(s_error),
    .m_axis_tvalid(m_valid),
    .m_axis_tready(m_ready),
    .m_axis_tdata(m_data),
    .m_axis_tlast(m_last)
  );

  // ---- What is on the way --------------------------------------------------------------------

  // By source.
  reg [31:0] packets [0:4-1];  // packets begun
  reg [31:0] dest [0:4-1];
  reg [31:0] beat [0:4-1];
  reg [31:0] beats [0:4-1];
  reg in_packet [0:4-1];
  reg [17:0] count_now [0:4-1];
  // By source * T + destination.
  reg [15:0] sequence_next [0:16-1];
  reg [15:0] expected [0:16-1];
  // By sink.
  reg [31:0] sink_beat [0:4-1];
  reg [32-1:0] sink_head [0:4-1];

  reg [31:0] cycle;
  reg [31:0] sent;
  reg [31:0] received;
  reg [31:0] delivered;  // in all phases
  reg [31:0] still;
  reg [31:0] errors;
  reg [31:0] t;
  reg [31:0] from;
  reg [31:0] pair;
  reg [17:0] number;
  reg [31:0] cut;  // runs that a reset has ended
  reg flood;  // the fifth phase: all before it has arrived
  reg [31:0] lone;  // the packet of the first phase that is on its way
  reg lone_sent;  // all its beats are accepted
  reg [31:0] lone_begins;  // the cycle in which its first beat is offered
  reg [31:0] lone_arrives;  // and the one in which that is at its sink
  reg [31:0] latency;  // of all packets of the first phase so far
  reg done;
  reg moved;
  reg [4-1:0] taken;  // beats accepted in this cycle
  reg [4-1:0] held;  // offered and not taken in the cycle before
  reg [128-1:0] held_data;
  reg [4-1:0] held_last;
  reg [32-1:0] head;

  function [31:0] mix;
    input [31:0] x;
    reg [31:0] y;
    begin
      y = x ^ (x >> 16);
      y = y * 32'h7feb352d;
      y = y ^ (y >> 15);
      y = y * 32'h846ca68b;
      mix = y ^ (y >> 16);
    end
  endfunction

  // A random number for a purpose, a place and a time.
  function [31:0] chance;
    input [31:0] purpose;
    input [31:0] place;
    input [31:0] moment;
    chance = mix(mix(mix(SEED ^ (purpose << 24)) + place) + moment);
  endfunction

  function [31:0] packet_key;
    input [31:0] source;
    input [31:0] destination;
    input [17:0] count;
    packet_key = chance(32'd1, source * T + destination, {14'd0, count});
  endfunction

  // Beats of a packet: most are short, some are longer than all queues on their way.
  function [31:0] length_of;
    input [31:0] key;
    input [1:0] kind;
    begin
      if (kind == ALONE) length_of = LONE_BEATS;
      else if (kind != ANY_LENGTH) length_of = HEAD_BEATS + LONGEST;
      else if (key[1:0] == 2'd0) length_of = HEAD_BEATS + ((key >> 2) % LONGEST);
      else length_of = HEAD_BEATS + ((key >> 2) % 32'd3);
    end
  endfunction

  // The low bits of a number, as an address.
  function [2-1:0] addressed;
    input [31:0] number_in;
    reg [31:0] at;
    begin
      addressed = {2{1'b0}};
      for (at = 32'd0; at < A; at = at + 32'd1)
        addressed[at] = |(number_in & (32'd1 << at));
    end
  endfunction

  function [32-1:0] head_of;
    input [31:0] source;
    input [31:0] destination;
    input [17:0] count;
    begin
      head_of = {32{1'b0}};
      head_of[22-1:0] = {count, addressed(destination), addressed(source)};
    end
  endfunction

  function [32-1:0] filler;
    input [31:0] key;
    input [31:0] at;
    reg [31:0] word;
    begin
      filler = {32{1'b0}};
      for (word = 32'd0; word < WORDS; word = word + 32'd1)
        filler[word*32 +: 32] = mix(key + (at << 8) + word);
    end
  endfunction

  function [32-1:0] data_of;
    input [31:0] source;
    input [31:0] destination;
    input [17:0] count;
    input [31:0] at;
    reg [32-1:0] fill;
    reg [32-1:0] opening;
    reg [31:0] bit_at;
    begin
      fill = filler(packet_key(source, destination, count), at);
      opening = head_of(source, destination, count) >> (at * W);
      data_of = {32{1'b0}};
      for (bit_at = 32'd0; bit_at < W; bit_at = bit_at + 32'd1)
        data_of[bit_at] = (at < HEAD_BEATS) ? opening[bit_at] : fill[bit_at];
    end
  endfunction

  task fail;
    input [31:0] place;
    input [31:0] what;
    begin
      errors = errors + 32'd1;
      if (errors <= 32'd10) begin
        case (what)
          32'd0: $display("cycle %0d, terminal %0d: active under reset", cycle, place);
          32'd1: $display("cycle %0d, terminal %0d: an offered beat changed", cycle, place);
          32'd2: $display("cycle %0d, terminal %0d: a beat is not what was sent", cycle, place);
          32'd3: $display("cycle %0d, terminal %0d: not for this terminal", cycle, place);
          32'd4: $display("cycle %0d, terminal %0d: out of order", cycle, place);
          32'd5: $display("cycle %0d, terminal %0d: tlast is wrong", cycle, place);
          32'd6: $display("cycle %0d, terminal %0d: refused", cycle, place);
          32'd7: $display("cycle %0d, terminal %0d: not a beat per cycle", cycle, place);
          32'd9: $display("cycle %0d: packets alone took %0d cycles and not %0d", cycle, latency,
                          LATENCY);
          32'd11: $display("cycle %0d, terminal %0d: tready or error is not the model's",
                           cycle, place);
          32'd12: $display("cycle %0d, terminal %0d: tvalid is not the model's", cycle, place);
          32'd13: $display("cycle %0d, terminal %0d: another beat than the model's", cycle, place);
          default: $display("cycle %0d: no transfer for %0d cycles", cycle, still);
        endcase
      end
    end
  endtask

  // ---- Before the clock's edge: sources and sinks --------------------------------------------

  // A packet of source t to dest[t].
  task begin_packet;
    input [1:0] kind;
    begin
      pair = t * T + dest[t];
      count_now[t] = {kind, sequence_next[pair]};
      sequence_next[pair] = sequence_next[pair] + 16'd1;
      beats[t] = length_of(packet_key(t, dest[t], count_now[t]), kind);
      beat[t] = 32'd0;
      in_packet[t] = 1'b1;
    end
  endtask

  // The next beat of source t.
  task offer;
    begin
      s_valid[t] = 1'b1;
      s_data[t*W +: 32] = data_of(t, dest[t], count_now[t], beat[t]);
      // tdest counts on the first beat only: elsewhere it is noise.
      from = (beat[t] == 32'd0) ? dest[t] : chance(32'd5, t, cycle);
      s_dest[t*A +: 2] = addressed(from);
      s_last[t] = (beat[t] + 32'd1 == beats[t]);
    end
  endtask

  // The first phase: one packet at a time, and every sink ready.
  task drive_lone;
    begin
      m_ready = {4{1'b1}};
      from = lone * STRIDE;
      t = from % T;
      // Some cycles after the one before has arrived.
      if (!in_packet[t] && !lone_sent && still >= 32'd4) begin
        dest[t] = (from / T + from) % T;
          begin_packet(ALONE);
        lone_begins = cycle;
      end
      if (in_packet[t] && !s_valid[t]) offer;
    end
  endtask


  // The other phases: all sources at once.
  task drive;
    for (t = 32'd0; t < T; t = t + 32'd1) begin
      if (!in_packet[t] && packets[t] < PAIRS + BURSTS + (flood ? FLOOD : 32'd0)
          && (flood || chance(32'd3, t, cycle) % 32'd4 != 32'd0)) begin
        if (packets[t] < PAIRS)
          dest[t] = (t + packets[t]) % T;
        else
          dest[t] = chance(32'd2, t, packets[t]) % T;
        begin_packet(flood ? LONGEST_OF_ALL : ANY_LENGTH);
        packets[t] = packets[t] + 32'd1;
      end
      // Once a beat is offered it stays.
      if (!s_valid[t] && in_packet[t] && (flood || chance(32'd4, t, cycle) % 32'd8 != 32'd0)) offer;
      // Mostly ready, with spells in which the sink hardly takes anything.
      if (flood)
        m_ready[t] = 1'b1;
      else if (chance(32'd6, t, cycle >> 6) % 32'd4 == 32'd0)
        m_ready[t] = (chance(32'd7, t, cycle) % 32'd16 == 32'd0);
      else
        m_ready[t] = (chance(32'd7, t, cycle) % 32'd8 != 32'd0);
    end
  endtask

  // ---- What was transferred ------------------------------------------------------------------

  // After the edge: what was taken is no longer offered.
  task source_edge;
    if (taken[t]) begin
      s_valid[t] = 1'b0;
      beat[t] = beat[t] + 32'd1;
      if (beat[t] == beats[t]) begin
        in_packet[t] = 1'b0;
        sent = sent + 32'd1;
        if (lone < LONE) begin
          lone_sent = 1'b1;
          if (cycle - lone_begins + 32'd1 != LONE_BEATS) fail(t, 32'd7);
        end
      end
    end
  endtask

  // Before the edge: what is offered is looked at.
  task sink_edge;
    begin
      // Case equality throughout: an unknown bit is a fault, not a match.
      if (m_valid[t] !== 1'b0 && m_valid[t] !== 1'b1) fail(t, 32'd1);
      if (s_ready[t] !== 1'b0 && s_ready[t] !== 1'b1) fail(t, 32'd1);
      if (held[t] && (m_valid[t] !== 1'b1 || m_last[t] !== held_last[t]
          || m_data[t*W +: 32] !== held_data[t*W +: 32]))
        fail(t, 32'd1);
      held[t] = m_valid[t] && !m_ready[t];
      held_last[t] = m_last[t];
      held_data[t*W +: 32] = m_data[t*W +: 32];
      if (m_valid[t] && m_ready[t]) begin
        moved = 1'b1;
        if (sink_beat[t] < HEAD_BEATS) begin
          head = sink_head[t];
          head[sink_beat[t]*W +: 32] = m_data[t*W +: 32];
          sink_head[t] = head;
        end
        head = sink_head[t];
        if (sink_beat[t] + 32'd1 >= HEAD_BEATS) begin
          from = {30'd0, head[2-1:0]};
          number = head[4 +: 18];
          if (^head[22-1:0] === 1'bx || from >= T
              || head[2 +: 2] !== addressed(t))
            fail(t, 32'd3);
          else begin
            pair = from * T + t;
            if (expected[pair] !== number[15:0]) fail(t, 32'd4);
            if (m_data[t*W +: 32] !== data_of(from, t, number, sink_beat[t])) fail(t, 32'd2);
            if (m_last[t]
                !== (sink_beat[t] + 32'd1 == length_of(packet_key(from, t, number), number[17:16])))
              fail(t, 32'd5);
            if (m_last[t]) expected[pair] = number[15:0] + 16'd1;
          end
        end
        if (m_last[t] && sink_beat[t] + 32'd1 < HEAD_BEATS) fail(t, 32'd5);
        if (lone < LONE && sink_beat[t] == 32'd0) lone_arrives = cycle;
        if (lone < LONE && m_last[t]) begin
          if (cycle - lone_arrives + 32'd1 != LONE_BEATS) fail(t, 32'd7);
          latency = latency + lone_arrives - lone_begins;
          lone = lone + 32'd1;
          lone_sent = 1'b0;
        end
        sink_beat[t] = m_last[t] ? 32'd0 : sink_beat[t] + 32'd1;
        if (m_last[t]) received = received + 32'd1;
        if (m_last[t]) delivered = delivered + 32'd1;
      end
    end
  endtask

  // ---- The run -------------------------------------------------------------------------------

  // What was on the way is gone. Sequence numbers go on, so that a beat from before is seen.
  task forget;
    begin
      sent = 32'd0;
      received = 32'd0;
      still = 32'd0;
      held = {4{1'b0}};
      for (t = 32'd0; t < T; t = t + 32'd1) begin
        packets[t] = 32'd0;
        beat[t] = 32'd0;
        in_packet[t] = 1'b0;
        sink_beat[t] = 32'd0;
      end
      for (pair = 32'd0; pair < T * T; pair = pair + 32'd1) begin
        expected[pair] = sequence_next[pair];
      end
    end
  endtask

  // Offered beats are not taken under reset, and nothing comes out.
  task reset;
    input [31:0] cycles;
    begin
      rst = 1'b1;
      s_valid = {4{1'b1}};
      m_ready = {4{1'b1}};
      repeat (cycles) begin
        #4;
        for (t = 32'd0; t < T; t = t + 32'd1)
          if (s_ready[t] !== 1'b0 || m_valid[t] !== 1'b0 || s_error[t] !== 1'b0) fail(t, 32'd0);
        clk = 1'b1;
        #4;
        clk = 1'b0;
        cycle = cycle + 32'd1;
      end
      rst = 1'b0;
      s_valid = {4{1'b0}};
      forget;
    end
  endtask

  task one_cycle;
    begin
      if (lone < LONE) drive_lone;
      else drive;
      #4;
      moved = 1'b0;
      for (t = 32'd0; t < T; t = t + 32'd1) begin
        if (s_error[t] !== 1'b0) fail(t, 32'd6);
        sink_edge;
      end
      taken = s_valid & s_ready;
      if (|taken) moved = 1'b1;
      still = moved ? 32'd0 : still + 32'd1;
      // `tready` is sampled before the edge, `s_valid` changes after it.
      clk = 1'b1;
      #4;
      clk = 1'b0;
      for (t = 32'd0; t < T; t = t + 32'd1) source_edge;
      if (still == STUCK) begin
        fail(32'd0, 32'd10);
        done = 1'b1;
      end
      if (errors > 32'd10) done = 1'b1;
      cycle = cycle + 32'd1;
    end
  endtask
  // ---- Cycles of the reference router --------------------------------------------------------

  // A row for each: what goes in, and what the router says of it.
  localparam [31:0] CYCLES = 32'd2048;
  reg [77-1:0] recorded [0:CYCLES-1];
  reg [77-1:0] known;
  reg [31:0] at_row;
  reg [31:0] beats_taken [0:4-1];  // by source
  reg [31:0] sender;
  reg [31:0] its_number;

  function [31:0] replayed_key;
    input [31:0] source;
    replayed_key = mix(source ^ 32'h80000000);
  endfunction

  // The data of a source's beat of this number, among those that are replayed.
  function [32-1:0] replayed;
    input [31:0] source;
    input [31:0] at;
    reg [32-1:0] fill;
    reg [31:0] bit_at;
    begin
      fill = filler(replayed_key(source), at);
      replayed = {32{1'b0}};
      for (bit_at = 32'd0; bit_at < W; bit_at = bit_at + 32'd1) replayed[bit_at] = fill[bit_at];
    end
  endfunction

  task hold_row;
    begin
      if (s_ready[t] !== known[32'd21 + t]) fail(t, 32'd11);
      if (s_error[t] !== known[32'd25 + t]) fail(t, 32'd11);
      if (m_valid[t] !== known[32'd29 + t]) fail(t, 32'd12);
      if (known[32'd29 + t]) begin
        sender = {30'd0, known[32'd37 + t*2 +: 2]};
        its_number = {24'd0, known[32'd45 + t*8 +: 8]};
        if (m_last[t] !== known[32'd33 + t]) fail(t, 32'd13);
        if (m_data[t*W +: 32] !== replayed(sender, its_number)) fail(t, 32'd13);
      end
    end
  endtask

  task replay;
    begin
      for (t = 32'd0; t < T; t = t + 32'd1) beats_taken[t] = 32'd0;
      for (at_row = 32'd0; at_row < CYCLES; at_row = at_row + 32'd1) begin
        known = recorded[at_row];
        rst = known[0];
        s_valid = known[1 +: 4];
        s_last = known[5 +: 4];
        s_dest = known[9 +: 8];
        m_ready = known[17 +: 4];
        for (t = 32'd0; t < T; t = t + 32'd1) begin
          its_number = beats_taken[t] & 32'd255;
          s_data[t*W +: 32] = replayed(t, its_number);
        end
        #4;
        for (t = 32'd0; t < T; t = t + 32'd1) begin
          hold_row;
          if (known[32'd1 + t] && known[32'd21 + t])
            beats_taken[t] = beats_taken[t] + 32'd1;
        end
        clk = 1'b1;
        #4;
        clk = 1'b0;
        cycle = cycle + 32'd1;
      end
    end
  endtask

  initial begin
    $readmemh("hypercube_2_ecube_tb_cycles.hex", recorded);
    clk = 1'b0;
    s_data = {128{1'b0}};
    s_dest = {8{1'b0}};
    s_last = {4{1'b1}};
    held_data = {128{1'b0}};
    held_last = {4{1'b0}};
    cycle = 32'd0;
    errors = 32'd0;
    delivered = 32'd0;
    done = 1'b0;
    flood = 1'b0;
    lone = LONE;
    lone_sent = 1'b0;
    lone_begins = 32'd0;
    lone_arrives = 32'd0;
    latency = 32'd0;
    number = 18'd0;
    for (t = 32'd0; t < T; t = t + 32'd1) begin
      dest[t] = 32'd0;
      beats[t] = 32'd0;
      count_now[t] = 18'd0;
      sink_head[t] = {32{1'b0}};
    end
    for (pair = 32'd0; pair < T * T; pair = pair + 32'd1) sequence_next[pair] = 16'd0;

    // Traffic that is cut short by a reset, of one cycle and of several.
    reset(32'd4);
    for (cut = 32'd0; cut < 32'd4; cut = cut + 32'd1) begin
      repeat (32'd40 + cut * 32'd29) if (!done) one_cycle;
      reset(32'd1 + cut);
    end

    // Packets alone.
    lone = 32'd0;
    while (lone < LONE && !done) one_cycle;
    if (latency != LATENCY && !done) fail(32'd0, 32'd9);
    forget;

    // All pairs, random packets, long packets without pause.
    while (!done) begin
      one_cycle;
      flood = (received >= SOURCES * (PAIRS + BURSTS));
      // Idle for a while at the end: nothing more may come.
      if (received == SOURCES * (PAIRS + BURSTS + FLOOD) && still == 32'd64) done = 1'b1;
    end
    if (errors == 32'd0) replay;
    if (errors == 32'd0 && sent == received)
      $display("PASS: %0d packets over %0d cycles, seed %0d", delivered, cycle, SEED);
    else
      $display("FAIL: %0d errors; %0d packets sent, %0d received, %0d cycles, seed %0d",
               errors, sent, received, cycle, SEED);
    $finish;
  end

endmodule

`resetall
