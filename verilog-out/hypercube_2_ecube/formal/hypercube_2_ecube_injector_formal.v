// hypercube_2_ecube_injector_formal
// The injector makes the header that the relation gives a packet, takes the destination
// from its first flit, keeps every flit and its order, and what it offers stays offered.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest a8b2355db9277961
`default_nettype none


module hypercube_2_ecube_injector_formal (
  input wire clk,
  // Free, in every cycle.
  input wire reset_again,
  input wire in_valid,
  input wire [1:0] in_dest,
  input wire [32:0] in_flit,
  input wire out_ready,
  input wire choose
);

  // ---- A cycle of reset, and any later ---------------------------------------------------
  reg started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  wire rst = ~started | reset_again;
  wire running = ~rst;

  // ---- The injector of any node ----------------------------------------------------------
  (* anyconst *) reg [1:0] here;
  wire in_ready;
  wire out_valid;
  wire [1:0] out_header;
  wire [32:0] out_flit;
  hypercube_2_ecube_injector dut (
    .clk(clk),
    .rst(rst),
    .address(here),
    .in_valid(in_valid),
    .in_ready(in_ready),
    .in_dest(in_dest),
    .in_flit(in_flit),
    .out_valid(out_valid),
    .out_ready(out_ready),
    .out_header(out_header),
    .out_flit(out_flit)
  );

  // ---- The terminal keeps to AXI4-Stream -------------------------------------------------
  reg offered;
  reg [32:0] offered_flit;
  reg [1:0] offered_dest;
  always @(posedge clk) begin
    offered <= running & in_valid & ~in_ready;
    offered_flit <= in_flit;
    offered_dest <= in_dest;
  end
  always @* if (running & offered) begin
    assume (in_valid);
    assume (in_flit == offered_flit);
    assume (in_dest == offered_dest);
  end

  // ---- The destination: `in_dest` of a packet's first flit -------------------------------
  wire push = running & in_valid & in_ready;
  wire pop = running & out_valid & out_ready;
  reg inside_packet;
  reg [1:0] kept_dest;
  wire [1:0] dest = inside_packet ? kept_dest : in_dest;
  always @(posedge clk) begin
    if (rst) inside_packet <= 1'b0;
    else if (push) inside_packet <= ~in_flit[32];
    if (push) kept_dest <= dest;
  end

  // ---- The relation's header, by source XOR destination ----------------------------------
  reg [1:0] wanted;
  always @* begin
    case (dest ^ here)
      2'b00: wanted = 2'b00;
      2'b01: wanted = 2'b01;
      2'b10: wanted = 2'b10;
      2'b11: wanted = 2'b11;
      default: wanted = 0;
    endcase
  end

  // ---- Any one flit is followed ----------------------------------------------------------
  reg [1:0] level;
  reg following;
  reg [1:0] ahead;
  reg [32:0] kept_flit;
  reg [1:0] kept_header;
  always @(posedge clk) begin
    if (rst) begin
      level <= 0;
      following <= 1'b0;
    end else begin
      level <= level + push - pop;
      if (following) begin
        following <= ~(pop & ahead == 0);
        if (pop) ahead <= ahead - 1'b1;
      end else begin
        following <= push & choose & ~(pop & level == 0);
        ahead <= level - pop;
        kept_flit <= in_flit;
        kept_header <= wanted;
      end
    end
  end
  // It is the next to leave: it came earlier, or it comes and leaves in this cycle.
  wire waiting = following & ahead == 0;
  wire passing = ~following & level == 0 & in_valid;

  // ---- Properties ------------------------------------------------------------------------
  reg stays;
  reg [32:0] last_flit;
  reg [1:0] last_header;
  always @(posedge clk) begin
    stays <= running & out_valid & ~out_ready;
    last_flit <= out_flit;
    last_header <= out_header;
  end
  always @* if (running) begin
    never_overflows: assert (level <= 1);
    nothing_from_nothing: assert (~out_valid | level != 0 | in_valid);
    nothing_is_lost: assert (~waiting | out_valid);
    flit_is_kept: assert (~(waiting & out_valid) | out_flit == kept_flit);
    header_is_the_relations: assert (~(waiting & out_valid) | out_header == kept_header);
    flit_passes: assert (~(passing & out_valid) | out_flit == in_flit);
    header_passes: assert (~(passing & out_valid) | out_header == wanted);
    valid_stays: assert (~stays | out_valid);
    flit_stays: assert (~stays | (out_flit == last_flit & out_header == last_header));
    takes_when_it_can_send: assert (~out_ready | in_ready);
  end

  // ---- What must be reached --------------------------------------------------------------
  always @* reset_inside_a_packet: cover (started & rst & inside_packet);
  always @* if (running) begin
    second_flit: cover (push & inside_packet);
    taken: cover (push & choose);
    sent: cover (pop & (waiting | passing));
    second_packet: cover (pop & ~inside_packet & stays & last_flit[32]);
    difference_0: cover (out_valid & (dest ^ here) == 2'b00);
    difference_1: cover (out_valid & (dest ^ here) == 2'b01);
    difference_2: cover (out_valid & (dest ^ here) == 2'b10);
    difference_3: cover (out_valid & (dest ^ here) == 2'b11);
  end

endmodule
