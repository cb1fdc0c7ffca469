// hypercube_2_ecube_arbiter_3
// Round-robin arbiter over 3 requests. A choice is held until its packet's
// last flit has left; the next search starts after the last owner.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 90870d4cc7a7a9bf
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_arbiter_3 (
  input  wire       clk,
  input  wire       rst,
  input  wire [2:0] request,
  input  wire       done,
  output wire [2:0] grant
);

  // ---- Choice ----------------------------------------------------------------------------
  // `owner` is the last winner, one-hot; `locked`: its packet is still on the way.
  // Requests above the owner come first, then all from request 0 up.
  reg [2:0] owner;
  wire [2:0] above_owner = {|owner[1:0], owner[0], 1'd0};
  wire [2:0] request_above = request & above_owner;
  wire [2:0] pool = (|request_above) ? request_above : request;
  // The lowest request of the pool.
  wire [2:0] lowest = pool & (~pool + 3'd1);
  reg locked;
  assign grant = locked ? (request & owner) : lowest;

  // ---- Next state ------------------------------------------------------------------------
  wire busy = |grant;
  always @(posedge clk) begin
    if (rst) begin
      owner <= 3'd4;
      locked <= 1'd0;
    end else if (busy) begin
      owner <= grant;
      locked <= ~done;
    end
  end

endmodule

`resetall
