// The chip runs until eight packets have left by its byte stream, whose reader pauses at random. Each is
// n and 3 n + 1, in four bytes each.
`timescale 1ns / 1ps
module chip_tb;
  reg clk = 0, slow_clk = 0, rst = 1, ready = 0;
  always #5 clk = !clk;
  always #18.5 slow_clk = !slow_clk;
  initial #200 rst = 0;

  wire valid, last, trap;
  wire [7:0] data;
  chip chip (.clk(clk), .rst(rst), .slow_clk(slow_clk), .bytes_tvalid(valid), .bytes_tready(ready),
    .bytes_tdata(data), .bytes_tlast(last), .trap(trap));

  reg [63:0] bytes;
  integer count = 0, packets = 0, cycles = 0;
  wire [63:0] received = {data, bytes[63:8]};
  wire [31:0] n = packets + 1, result = 3 * n + 1;
  always @(posedge slow_clk) begin
    ready <= ($random & 3) != 0;
    cycles <= cycles + 1;
    if (valid === 1 && ready) begin
      bytes <= received;
      count <= count + 1;
      if (last) begin
        if (count != 7 || received !== {result, n}) begin
          $display("FAIL: packet %0d has %0d bytes and ends in %h", n, count + 1, received);
          $finish;
        end
        count <= 0;
        packets <= packets + 1;
        if (packets == 7) begin
          $display("PASS: 8 packets after %0d cycles of the slow clock", cycles);
          $finish;
        end
      end
    end
    if (cycles == 100000 || trap === 1) begin
      $display("FAIL: %0d packets after %0d cycles, trap %b", packets, cycles, trap);
      $finish;
    end
  end
endmodule
