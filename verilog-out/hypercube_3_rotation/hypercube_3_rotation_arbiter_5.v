// hypercube_3_rotation_arbiter_5
// Round-robin arbiter over 5 requests. A choice is held until its packet's
// last flit has left; the next search starts after the last owner.
//
// Configuration: hypercube --dim 3 --routing rotation --width 32 --depth 4 --name
//   hypercube_3_rotation
// Turnpike 0.1.0, digest d6db2151e6472a09
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_3_rotation_arbiter_5 (
  input  wire       clk,
  input  wire       rst,
  input  wire [4:0] request,
  input  wire       done,
  output wire [4:0] grant
);

  // ---- Choice ----------------------------------------------------------------------------
  // `owner` is the last winner, one-hot; `locked`: its packet is still on the way.
  // Requests above the owner come first, then all from request 0 up.
  reg [4:0] owner;
  wire [4:0] above_owner = {|owner[3:0], |owner[2:0], |owner[1:0], owner[0], 1'd0};
  wire [4:0] request_above = request & above_owner;
  wire [4:0] pool = (|request_above) ? request_above : request;
  // The lowest request of the pool.
  wire [4:0] lowest = pool & (~pool + 5'd1);
  reg locked;
  assign grant = locked ? (request & owner) : lowest;

  // ---- Next state ------------------------------------------------------------------------
  wire busy = |grant;
  always @(posedge clk) begin
    if (rst) begin
      owner <= 5'd16;
      locked <= 1'd0;
    end else if (busy) begin
      owner <= grant;
      locked <= ~done;
    end
  end

endmodule

`resetall
