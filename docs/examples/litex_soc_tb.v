`timescale 1ns / 1ps
`default_nettype none

// Runs the SoC of litex_soc.py, and shows what it writes to its UART: until the end of a line, or with
// +cycles=N for so many cycles.
module litex_soc_tb;
  reg clk = 1'b0, rst = 1'b1;
  wire valid;
  wire [7:0] character;
  integer cycle, cycles;
  reg goes_on, is_done = 1'b0;

  top dut (
    .sys_clk(clk),
    .sys_rst(rst),
    .sim_trace(),
    .serial_source_valid(valid),
    .serial_source_ready(1'b1),
    .serial_source_data(character),
    .serial_sink_valid(1'b0),
    .serial_sink_ready(),
    .serial_sink_data(8'h00)
  );

  always #5 clk = ~clk;

  always @(posedge clk) if (!rst && valid) begin
    $write("%c", character);
    if (character == "\n" && !goes_on) is_done <= 1'b1;
  end

  initial begin
    cycles = 1000000;
    goes_on = $value$plusargs("cycles=%d", cycles) != 0;
    repeat (10) @(negedge clk);
    rst = 1'b0;
    for (cycle = 0; !is_done && cycle < cycles; cycle = cycle + 1) @(negedge clk);
    $display("%0d cycles", cycle);
    $finish;
  end
endmodule

`default_nettype wire
