// hypercube_2_ecube_shift_shift_fifo_4
// First-in first-out queue of 4 words, one word per cycle in and out.
// Ready and valid come from registers; a word can leave in the cycle after it came.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_shift_shift_fifo_4 #(
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             in_valid,
  output reg              in_ready,
  input  wire [WIDTH-1:0] in_data,
  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  // ---- Transfers -------------------------------------------------------------------------
  wire push = in_valid & in_ready;
  wire pop = out_valid & out_ready;

  // ---- Fill level ------------------------------------------------------------------------
  // Bit i is set while there are more than i words.
  wire changes = push ^ pop;
  reg [2:0] filled;
  always @(posedge clk) begin
    if (rst) begin
      filled <= 3'd0;
      in_ready <= 1'd1;
    end else if (changes) begin
      filled <= pop ? {~in_ready, filled[2:1]} : {filled[1:0], 1'd1};
      in_ready <= pop | ~filled[2];
    end
  end
  assign out_valid = filled[0];

  // ---- Storage: the oldest word in front -------------------------------------------------
  // A free place takes on the input in every cycle, word or not: the next word goes there.
  reg [WIDTH-1:0] word0;
  reg [WIDTH-1:0] word1;
  reg [WIDTH-1:0] word2;
  reg [WIDTH-1:0] word3;
  always @(posedge clk) begin
    if (~filled[0] | pop) begin
      word0 <= filled[1] ? word1 : in_data;
    end
    if (~filled[1] | pop) begin
      word1 <= filled[2] ? word2 : in_data;
    end
    if (~filled[2] | pop) begin
      word2 <= ~in_ready ? word3 : in_data;
    end
    if (~(~in_ready)) begin
      word3 <= in_data;
    end
  end
  assign out_data = word0;

endmodule

`resetall
