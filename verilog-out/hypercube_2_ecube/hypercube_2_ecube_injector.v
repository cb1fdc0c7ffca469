// hypercube_2_ecube_injector
// Makes the header of a packet at injection: source XOR destination, the bits still
// to be corrected.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 64d3a5b46f1415dd
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_injector (
  input  wire        clk,
  input  wire        rst,
  input  wire  [1:0] address,
  input  wire        in_valid,
  output wire        in_ready,
  input  wire  [1:0] in_dest,
  input  wire [32:0] in_flit,
  output wire        out_valid,
  input  wire        out_ready,
  output wire  [1:0] out_header,
  output wire [32:0] out_flit
);

  // ---- Bits to correct -------------------------------------------------------------------
  // The first flit of a packet says it; it is kept for the packet's other flits.
  wire accept = in_valid & in_ready;
  reg inside_packet;
  reg [1:0] kept_difference;
  wire [1:0] difference = inside_packet ? kept_difference : (in_dest ^ address);
  always @(posedge clk) begin
    if (rst) begin
      inside_packet <= 1'd0;
    end else if (accept) begin
      inside_packet <= ~in_flit[32];
    end
  end
  always @(posedge clk) begin
    if (accept) begin
      kept_difference <= difference;
    end
  end

  // ---- To the injection queue ------------------------------------------------------------
  assign in_ready = out_ready;
  assign out_valid = in_valid;
  assign out_flit = in_flit;
  assign out_header = {difference[1], difference[0]};

endmodule

`resetall
