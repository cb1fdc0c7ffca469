// hypercube_3_rotation_arbiter_5
// Round-robin arbiter over 5 requests. A choice is held until its packet's
// last flit has left; the next search starts after the last owner.
//
// Configuration: hypercube --dim 3 --routing rotation --width 32 --depth 4 --name
//   hypercube_3_rotation
// Turnpike 0.1.0, digest 73af30c09e370553
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
  // `owner` is the last winner, one-hot; `locked`: its packet is still on the way,
  // and no other request counts.
  reg locked;
  reg [4:0] owner;
  wire [4:0] live = request & ({5{~locked}} | owner);
  // A request is granted if none stands between the owner and it.
  assign grant = {live[4] & (owner[3] | (owner[2] & ~live[3]) | (owner[1] & ~live[2] & ~live[3]) |
      (owner[0] & ~live[1] & ~live[2] & ~live[3]) | (owner[4] & ~live[0] & ~live[1] & ~live[2] &
      ~live[3])), live[3] & (owner[2] | (owner[1] & ~live[2]) | (owner[0] & ~live[1] & ~live[2]) |
      (owner[4] & ~live[0] & ~live[1] & ~live[2]) | (owner[3] & ~live[4] & ~live[0] & ~live[1] &
      ~live[2])), live[2] & (owner[1] | (owner[0] & ~live[1]) | (owner[4] & ~live[0] & ~live[1]) |
      (owner[3] & ~live[4] & ~live[0] & ~live[1]) | (owner[2] & ~live[3] & ~live[4] & ~live[0] &
      ~live[1])), live[1] & (owner[0] | (owner[4] & ~live[0]) | (owner[3] & ~live[4] & ~live[0]) |
      (owner[2] & ~live[3] & ~live[4] & ~live[0]) | (owner[1] & ~live[2] & ~live[3] & ~live[4] &
      ~live[0])), live[0] & (owner[4] | (owner[3] & ~live[4]) | (owner[2] & ~live[3] & ~live[4]) |
      (owner[1] & ~live[2] & ~live[3] & ~live[4]) | (owner[0] & ~live[1] & ~live[2] & ~live[3] &
      ~live[4]))};

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
