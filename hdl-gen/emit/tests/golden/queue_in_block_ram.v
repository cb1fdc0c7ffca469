// hypercube_2_ecube_d33_fifo_33
// First-in first-out queue of 33 words, one word per cycle in and out.
// Ready and valid come from registers; a word can leave in the cycle after it came.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_d33_fifo_33 #(
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             in_valid,
  output reg              in_ready,
  input  wire [WIDTH-1:0] in_data,
  output reg              out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  // ---- Transfers -------------------------------------------------------------------------
  wire push = in_valid & in_ready;
  wire pop = out_valid & out_ready;

  // ---- Fill level ------------------------------------------------------------------------
  reg [5:0] count;
  wire [5:0] count_next = (push & ~pop) ? (count + 6'd1) : ((pop & ~push) ? (count - 6'd1) : count);
  always @(posedge clk) begin
    if (rst) begin
      count <= 6'd0;
      in_ready <= 1'd1;
      out_valid <= 1'd0;
    end else begin
      count <= count_next;
      in_ready <= ~(count_next == 6'd33);
      out_valid <= |count_next;
    end
  end

  // ---- Storage: two words in front of a block RAM ----------------------------------------
  // Words in the front pair, and whether a word read last cycle is about to join.
  reg [1:0] in_front;
  wire [1:0] left_in_front = in_front - {1'd0, pop};
  reg joining;
  wire [1:0] in_front_and_joining = left_in_front + {1'd0, joining};
  wire [1:0] ahead_of_memory = in_front + {1'd0, joining};
  wire memory_has_words = ~(count == {4'd0, ahead_of_memory});
  // Read when the pair will have room; write unless the pair takes the new word.
  wire room = ~(in_front_and_joining == 2'd2);
  wire fetch = memory_has_words & room;
  wire direct = push & ~memory_has_words & room;
  wire store = push & ~direct;
  reg [WIDTH-1:0] words [0:32];
  reg [5:0] tail;
  always @(posedge clk) begin
    if (store) words[tail] <= in_data;
  end
  reg [WIDTH-1:0] fetched;
  reg [5:0] head;
  always @(posedge clk) begin
    if (fetch) begin
      fetched <= words[head];
    end
  end
  // The pair: first the shift of a word taken, then a joining or a new word.
  wire [WIDTH-1:0] joined = joining ? fetched : in_data;
  reg [WIDTH-1:0] second;
  reg [WIDTH-1:0] front;
  wire [WIDTH-1:0] shifted = pop ? second : front;
  wire joins = joining | direct;
  wire left_none = left_in_front == 2'd0;
  wire both = joining & direct;
  wire [WIDTH-1:0] second_next = both ? in_data : joined;
  always @(posedge clk) begin
    front <= (joins & left_none) ? joined : shifted;
    if (joins) begin
      second <= second_next;
    end
  end
  always @(posedge clk) begin
    if (rst) begin
      in_front <= 2'd0;
      joining <= 1'd0;
      tail <= 6'd0;
      head <= 6'd0;
    end else begin
      in_front <= in_front_and_joining + {1'd0, direct};
      joining <= fetch;
      if (store) begin
        tail <= (tail == 6'd32) ? 6'd0 : (tail + 6'd1);
      end
      if (fetch) begin
        head <= (head == 6'd32) ? 6'd0 : (head + 6'd1);
      end
    end
  end
  assign out_data = front;

endmodule

`resetall
