// hypercube_2_ecube_lut4_stage_two
// A stage of a multiplexer: one four-input LUT per bit.
// One of two sources.
`resetall
`timescale 1ns / 1ps
`default_nettype none

(* keep_hierarchy *)
module hypercube_2_ecube_lut4_stage_two #(
  parameter WIDTH = 32
) (
  input  wire             choice,
  input  wire [WIDTH-1:0] a,
  input  wire [WIDTH-1:0] b,
  output wire [WIDTH-1:0] out
);

  assign out = choice ? b : a;

endmodule

`resetall
