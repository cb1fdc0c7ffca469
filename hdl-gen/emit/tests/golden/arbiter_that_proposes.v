// hypercube_2_adaptive_proposing_arbiter_2
// Proposes an output to one of 2 packets, which may turn it down, in turn.
// A packet that accepts holds it until its last flit has left.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_adaptive_proposing_arbiter_2 (
  input  wire       clk,
  input  wire       rst,
  input  wire [1:0] ask,
  input  wire       taken,
  input  wire       done,
  output wire [1:0] proposal,
  output wire [1:0] holds
);

  // ---- Choice ----------------------------------------------------------------------------
  // `owner` is the last one proposed to, one-hot; `locked`: it accepted, and its
  // packet is still on the way.
  reg locked;
  wire [1:0] live = ask & {2{~locked}};
  reg [1:0] owner;
  assign proposal = {live[1] & (owner[0] | (owner[1] & ~live[0])), live[0] & (owner[1] | (owner[0] &
      ~live[1]))};
  assign holds = {2{locked}} & owner;

  // ---- Next state ------------------------------------------------------------------------
  wire proposes = |proposal;
  always @(posedge clk) begin
    if (rst) begin
      owner <= 2'd2;
    end else if (proposes) begin
      owner <= proposal;
    end
  end
  always @(posedge clk) begin
    if (rst) begin
      locked <= 1'd0;
    end else begin
      locked <= (locked | taken) & ~done;
    end
  end

endmodule

`resetall
