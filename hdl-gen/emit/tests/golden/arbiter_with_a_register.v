// hypercube_2_ecube_pipeline1_registered_arbiter_2
// Round-robin arbiter over 2 requests with its grant in a register. A grant
// stands until its packet's last flit has left; the next is chosen in that cycle.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_pipeline1_registered_arbiter_2 (
  input  wire       clk,
  input  wire       rst,
  input  wire [1:0] request,
  input  wire       done,
  output reg  [1:0] grant
);

  // ---- Choice ----------------------------------------------------------------------------
  // A granted queue still shows the packet that leaves: its request does not count.
  wire [1:0] live = request & ~grant;
  // Requests behind the last owner come first, then all from request 0 up.
  reg after_owner;
  wire live_after = live[1] & after_owner;
  wire any_after = |live_after;
  wire [1:0] choice = {live_after | (~any_after & (live[1] & ~live[0])), ~any_after & live[0]};

  // ---- Next state ------------------------------------------------------------------------
  reg busy;
  wire free = ~busy | done;
  always @(posedge clk) begin
    if (rst) begin
      grant <= 2'd0;
      busy <= 1'd0;
    end else if (free) begin
      grant <= choice;
      busy <= |live;
    end
  end
  // Bit i: request i+1 comes after the owner. One cycle behind, off the longest path.
  always @(posedge clk) begin
    if (rst) begin
      after_owner <= 1'd0;
    end else if (busy) begin
      after_owner <= grant[0];
    end
  end

endmodule

`resetall
