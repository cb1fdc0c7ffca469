// hypercube_2_ecube_registers_store_4
// The words of a queue of 4, in registers. What it holds is known outside:
// push and pop say when a word comes and when the oldest goes.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_registers_store_4 (
  input  wire        clk,
  input  wire        rst,
  input  wire        write,
  input  wire        push,
  input  wire        pop,
  input  wire [31:0] in_data,
  output wire [31:0] out_data
);

  // ---- Words -----------------------------------------------------------------------------
  // While write is high the next place takes on the input in every cycle, word or not.
  reg [31:0] word0;
  reg [1:0] tail;
  reg [31:0] word1;
  reg [31:0] word2;
  reg [31:0] word3;
  always @(posedge clk) begin
    if ((tail == 2'd0) & write) begin
      word0 <= in_data;
    end
    if ((tail == 2'd1) & write) begin
      word1 <= in_data;
    end
    if ((tail == 2'd2) & write) begin
      word2 <= in_data;
    end
    if ((tail == 2'd3) & write) begin
      word3 <= in_data;
    end
  end
  reg [1:0] head;
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

  // ---- The oldest word -------------------------------------------------------------------
  assign out_data = head[1] ? (head[0] ? word3 : word2) : (head[0] ? word1 : word0);

endmodule

`resetall
