// hypercube_2_ecube_mux_2
// Multiplexer over 2 sources by a one-hot select.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 882f49388456c4f4
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_mux_2 #(
  parameter WIDTH = 32
) (
  input  wire       [1:0] select,
  input  wire [WIDTH-1:0] in0,
  input  wire [WIDTH-1:0] in1,
  output wire [WIDTH-1:0] out
);

  assign out = ({WIDTH{select[0]}} & in0) | ({WIDTH{select[1]}} & in1);

endmodule

`resetall
