// hypercube_2_ecube_fifo_4
// First-in first-out queue of 4 words, one word per cycle in and out.
// Ready and valid come from registers; a word can leave in the cycle after it came.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest c19f9a073d87be82
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_fifo_4 #(
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

  // ---- Storage ---------------------------------------------------------------------------
  // Every cycle with room writes the input, word or not; the next word goes to that place.
  reg [WIDTH-1:0] words [0:3];
  reg [1:0] tail;
  always @(posedge clk) begin
    if (in_ready) words[tail] <= in_data;
  end
  reg [1:0] head;
  assign out_data = words[head];
  always @(posedge clk) begin
    if (rst) begin
      tail <= 2'd0;
      head <= 2'd0;
    end else begin
      if (push) begin
        tail <= {tail[0], ~tail[1]};
      end
      if (pop) begin
        head <= {head[0], ~head[1]};
      end
    end
  end

endmodule

`resetall
