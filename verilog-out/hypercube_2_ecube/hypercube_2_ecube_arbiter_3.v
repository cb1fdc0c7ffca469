// hypercube_2_ecube_arbiter_3
// Round-robin arbiter over 3 requests. A choice is held until its packet's
// last flit has left; the next search starts after the last owner.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest a11340cd970e2879
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
  // `owner` is the last winner, one-hot; `locked`: its packet is still on the way,
  // and no other request counts.
  reg locked;
  reg [2:0] owner;
  wire [2:0] live = request & ({3{~locked}} | owner);
  // A request is granted if none stands between the owner and it.
  assign grant = {live[2] & (owner[1] | (owner[0] & ~live[1]) | (owner[2] & ~live[0] & ~live[1])),
      live[1] & (owner[0] | (owner[2] & ~live[0]) | (owner[1] & ~live[2] & ~live[0])), live[0] &
      (owner[2] | (owner[1] & ~live[2]) | (owner[0] & ~live[1] & ~live[2]))};

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
