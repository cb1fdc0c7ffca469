// hypercube_2_ecube_mux_3
// Multiplexer over 3 sources by a one-hot select.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest be1e07490de91229
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_mux_3 #(
  parameter WIDTH = 32
) (
  input  wire       [2:0] select,
  input  wire [WIDTH-1:0] in0,
  input  wire [WIDTH-1:0] in1,
  input  wire [WIDTH-1:0] in2,
  output wire [WIDTH-1:0] out
);

  assign out = ({WIDTH{select[0]}} & in0) | ({WIDTH{select[1]}} & in1) | ({WIDTH{select[2]}} & in2);

endmodule

`resetall
