// hypercube_2_ecube_arbiter_2
// Round-robin arbiter over 2 requests. A choice is held until its packet's
// last flit has left; the next search starts after the last owner.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest d31902d8cfed8975
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_arbiter_2 (
  input  wire       clk,
  input  wire       rst,
  input  wire [1:0] request,
  input  wire       done,
  output wire [1:0] grant
);

  // ---- Choice ----------------------------------------------------------------------------
  // `owner` is the last winner, one-hot; `locked`: its packet is still on the way,
  // and no other request counts.
  reg locked;
  reg [1:0] owner;
  wire [1:0] live = request & ({2{~locked}} | owner);
  // A request is granted if none stands between the owner and it.
  assign grant = {live[1] & (owner[0] | (owner[1] & ~live[0])), live[0] & (owner[1] | (owner[0] &
      ~live[1]))};

  // ---- Next state ------------------------------------------------------------------------
  wire busy = |grant;
  always @(posedge clk) begin
    if (rst) begin
      owner <= 2'd2;
      locked <= 1'd0;
    end else if (busy) begin
      owner <= grant;
      locked <= ~done;
    end
  end

endmodule

`resetall
