// hypercube_2_ecube_fifo_4
// First-in first-out queue of 4 words, one word per cycle in and out.
// Ready and valid come from registers; a word can leave in the cycle after it came.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest e59951cf42c1cbd6
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_fifo_4 #(
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             in_valid,
  output wire             in_ready,
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
  reg [3:0] filled;
  always @(posedge clk) begin
    if (rst) begin
      filled <= 4'd0;
    end else if (push ^ pop) begin
      filled <= pop ? {1'd0, filled[3:1]} : {filled[2:0], 1'd1};
    end
  end
  assign in_ready = ~filled[3];
  assign out_valid = filled[0];

  // ---- Storage ---------------------------------------------------------------------------
  reg [WIDTH-1:0] words [0:3];
  reg [1:0] tail;
  always @(posedge clk) begin
    if (push) words[tail] <= in_data;
  end
  reg [1:0] head;
  assign out_data = words[head];
  always @(posedge clk) begin
    if (rst) begin
      tail <= 2'd0;
      head <= 2'd0;
    end else begin
      if (push) begin
        tail <= tail + 2'd1;
      end
      if (pop) begin
        head <= head + 2'd1;
      end
    end
  end

endmodule

`resetall
