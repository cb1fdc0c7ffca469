// hypercube_3_rotation_injector
// Makes the header of a packet at injection: source XOR destination, the bits still
// to be corrected.
// Above them, one-hot, the first port that the packet takes.
//
// Configuration: hypercube --dim 3 --routing rotation --width 32 --depth 4 --name
//   hypercube_3_rotation
// Turnpike 0.1.0, digest 73af30c09e370553
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_3_rotation_injector (
  input  wire        clk,
  input  wire        rst,
  input  wire  [2:0] address,
  input  wire        in_valid,
  output wire        in_ready,
  input  wire  [2:0] in_dest,
  input  wire [32:0] in_flit,
  output wire        out_valid,
  input  wire        out_ready,
  output wire  [5:0] out_header,
  output wire [32:0] out_flit
);

  // ---- Bits to correct -------------------------------------------------------------------
  // Taken on a packet's first flit, kept for the others.
  wire accept = in_valid & in_ready;
  reg inside_packet;
  reg [2:0] kept_difference;
  wire [2:0] difference = inside_packet ? kept_difference : (in_dest ^ address);
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

  // ---- Register before the table ---------------------------------------------------------
  reg stage_full;
  assign in_ready = ~stage_full | out_ready;
  always @(posedge clk) begin
    if (rst) begin
      stage_full <= 1'd0;
    end else begin
      stage_full <= accept | (stage_full & ~out_ready);
    end
  end
  reg [32:0] stage_flit;
  always @(posedge clk) begin
    if (accept) begin
      stage_flit <= in_flit;
    end
  end
  assign out_valid = stage_full;
  assign out_flit = stage_flit;
  // `kept_difference` belongs to the flit in the register.

  // ---- First port, by table from the bits to correct -------------------------------------
  reg [2:0] first_port;
  always @* begin
    case (kept_difference)
      3'b000: first_port = 3'b000;
      3'b001: first_port = 3'b001;
      3'b010: first_port = 3'b010;
      3'b011: first_port = 3'b010;
      3'b100: first_port = 3'b100;
      3'b101: first_port = 3'b001;
      3'b110: first_port = 3'b100;
      default: first_port = 3'b100;
    endcase
  end
  assign out_header = {first_port[2], first_port[1], first_port[0], kept_difference[2],
      kept_difference[1], kept_difference[0]};

endmodule

`resetall
