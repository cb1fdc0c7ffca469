// ccc_3_two_stage_injector
// Makes the header of a packet at injection. An address is {position in the ring,
// ring [2:0]}. The header begins with the ring's bits still to be
// corrected, source XOR destination; bits 4 to 3 are the
// destination's position.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ccc_3_two_stage_injector (
  input  wire        clk,
  input  wire        rst,
  input  wire  [2:0] address,
  input  wire        in_valid,
  output wire        in_ready,
  input  wire  [4:0] in_dest,
  input  wire [32:0] in_flit,
  output wire        in_error,
  output wire        out_valid,
  input  wire        out_ready,
  output wire  [4:0] out_header,
  output wire [32:0] out_flit
);

  // ---- Ring bits to correct, and the position as it is -----------------------------------
  // The first flit of a packet says it; it is kept for the packet's other flits.
  wire accept = in_valid & in_ready;
  reg inside_packet;
  reg [4:0] kept_way;
  wire [4:0] way = inside_packet ? kept_way : {in_dest[4:3], in_dest[2:0] ^ address};
  always @(posedge clk) begin
    if (rst) begin
      inside_packet <= 1'd0;
    end else if (accept) begin
      inside_packet <= ~in_flit[32];
    end
  end
  always @(posedge clk) begin
    if (accept) begin
      kept_way <= way;
    end
  end

  // ---- Addresses without a terminal ------------------------------------------------------
  wire unknown = in_dest[4] & in_dest[3];
  reg refusing;
  wire refused = inside_packet ? refusing : unknown;
  always @(posedge clk) begin
    if (accept) begin
      refusing <= refused;
    end
  end
  assign in_error = (accept & ~inside_packet) & unknown;

  // ---- To the injection queue ------------------------------------------------------------
  assign in_ready = out_ready;
  assign out_valid = in_valid & ~refused;
  assign out_flit = in_flit;
  assign out_header = {way[4], way[3], way[2], way[1], way[0]};

endmodule

`resetall
