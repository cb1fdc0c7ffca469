// hypercube_2_ecube_lut4_mux_3
// Multiplexer over 3 sources by a one-hot select.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_lut4_mux_3 (
  input  wire  [2:0] select,
  input  wire [32:0] in0,
  input  wire [32:0] in1,
  input  wire [32:0] in2,
  output wire [32:0] out
);

  // ---- Two sources per stage -------------------------------------------------------------
  wire [32:0] stage0_out;
  hypercube_2_ecube_lut4_stage_either #(
    .WIDTH(33)
  ) stage0 (
    .take_a(select[0]),
    .take_b(select[1]),
    .a(in0),
    .b(in1),
    .out(stage0_out)
  );
  wire [32:0] stage1_out;
  hypercube_2_ecube_lut4_stage_two #(
    .WIDTH(33)
  ) stage1 (
    .choice(select[2]),
    .a(stage0_out),
    .b(in2),
    .out(stage1_out)
  );
  assign out = stage1_out;

endmodule

`resetall
