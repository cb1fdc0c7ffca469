`timescale 1ns / 1ps
`default_nettype none

// Runs the system of docs/examples/litex_two_cpus.py until its first processor is done.
module two_cpus_tb;
  reg clk = 1'b0, io_clk = 1'b0, rst = 1'b1;
  wire done;
  wire [31:0] total, flits;
  integer cycle;

  top dut (
    .sys_clk(clk),
    .sys_rst(rst),
    .sim_trace(),
    .io_clk(io_clk),
    .done(done),
    .total(total),
    .flits(flits)
  );

  always #5 clk = ~clk;
  always #7 io_clk = ~io_clk;

  initial begin
    repeat (10) @(negedge clk);
    rst = 1'b0;
    for (cycle = 0; !done && cycle < 10000; cycle = cycle + 1) @(negedge clk);
    if (done) $display("PASS: total %0d, flits %0d", total, flits);
    else $display("FAIL: not done");
    $finish;
  end
endmodule

`default_nettype wire
