// hypercube_2_adaptive_matrix_arbiter_3
// Matrix arbiter over 3 packets: of those that ask it grants an output to the one
// that was granted longest ago. A cycle has two rounds; at most one of them grants.
// The packet holds the output until its last flit has left.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_adaptive_matrix_arbiter_3 (
  input  wire       clk,
  input  wire       rst,
  input  wire [2:0] ask,
  input  wire [2:0] again,
  input  wire       done,
  output wire       free,
  output wire [2:0] first,
  output wire [2:0] second,
  output wire [2:0] holds
);

  reg locked;
  assign free = ~locked;

  // ---- Choice ----------------------------------------------------------------------------
  // before_i: packet i goes before the one i+1, i+2, and so on.
  reg [1:0] before_0;
  reg before_1;
  assign first = {ask[2] & (~(ask[0] & before_0[1])) & (~(ask[1] & before_1)), ask[1] & (~(ask[0] &
      before_0[0])) & (~(ask[2] & ~before_1)), ask[0] & (~(ask[1] & ~before_0[0])) & (~(ask[2] &
      ~before_0[1]))};
  assign second = {again[2] & (~(again[0] & before_0[1])) & (~(again[1] & before_1)), again[1] &
      (~(again[0] & before_0[0])) & (~(again[2] & ~before_1)), again[0] & (~(again[1] &
      ~before_0[0])) & (~(again[2] & ~before_0[1]))};
  reg [2:0] owner;
  assign holds = {3{locked}} & owner;

  // ---- Next state ------------------------------------------------------------------------
  wire [2:0] granted = first | second;
  wire busy = |granted;
  // The packet that is granted goes behind all others.
  always @(posedge clk) begin
    if (rst) begin
      before_0 <= 2'd3;
      before_1 <= 1'd1;
    end else if (busy) begin
      before_0 <= (before_0 & {2{~granted[0]}}) | granted[2:1];
      before_1 <= (before_1 & ~granted[1]) | granted[2];
    end
  end
  always @(posedge clk) begin
    if (busy) begin
      owner <= granted;
    end
  end
  always @(posedge clk) begin
    if (rst) begin
      locked <= 1'd0;
    end else begin
      locked <= (locked | busy) & ~done;
    end
  end

endmodule

`resetall
