// hypercube_2_ecube_fifo_4_formal
// A queue never overflows, never underflows, and keeps order and data: any one word is
// followed through it. Words have 2 bits here, for a queue only stores them.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 2507117d739abb6a
`default_nettype none


module hypercube_2_ecube_fifo_4_formal (
  input wire clk,
  // Free, in every cycle.
  input wire reset_again,
  input wire in_valid,
  input wire [1:0] in_data,
  input wire out_ready,
  input wire choose
);

  localparam DEPTH = 4;

  // ---- A cycle of reset, and any later ---------------------------------------------------
  reg started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  wire rst = ~started | reset_again;
  wire running = ~rst;

  // ---- The queue -------------------------------------------------------------------------
  wire in_ready;
  wire out_valid;
  wire [1:0] out_data;
  hypercube_2_ecube_fifo_4 #(
    .WIDTH(2)
  ) dut (
    .clk(clk),
    .rst(rst),
    .in_valid(in_valid),
    .in_ready(in_ready),
    .in_data(in_data),
    .out_valid(out_valid),
    .out_ready(out_ready),
    .out_data(out_data)
  );

  // ---- Words inside, as the ports tell ---------------------------------------------------
  wire push = running & in_valid & in_ready;
  wire pop = running & out_valid & out_ready;
  reg [2:0] level;
  always @(posedge clk) begin
    if (rst) level <= 0;
    else if (push & ~pop) level <= level + 1'b1;
    else if (pop & ~push) level <= level - 1'b1;
  end

  // ---- Any one word is followed through the queue ----------------------------------------
  reg following;
  reg [1:0] word;
  reg [2:0] ahead;
  always @(posedge clk) begin
    if (rst) begin
      following <= 1'b0;
    end else if (~following) begin
      following <= push & choose;
      word <= in_data;
      ahead <= pop ? level - 1'b1 : level;
    end else if (pop) begin
      following <= ahead != 0;
      ahead <= ahead - 1'b1;
    end
  end

  // ---- Properties ------------------------------------------------------------------------
  always @* if (running) begin
    never_overflows: assert (level <= DEPTH);
    takes_while_there_is_room: assert (in_ready == (level != DEPTH));
    never_underflows: assert (out_valid == (level != 0));
    nothing_is_lost: assert (~following | ahead < level);
    order_and_data: assert (~(following & ahead == 0) | out_data == word);
  end

  // ---- What must be reached --------------------------------------------------------------
  always @* reset_with_words_inside: cover (started & rst & level != 0);
  always @* if (running) begin
    full: cover (level == DEPTH);
    last_of_a_full_queue: cover (following & ahead == DEPTH - 1);
    followed_word_leaves: cover (following & ahead == 0 & pop);
    both_ways_at_once: cover (following & push & pop);
  end

endmodule
