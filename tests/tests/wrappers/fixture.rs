//! A small clean design, and copies of it with one fault.

use std::fs;

use tempfile::TempDir;
use turnpike_tests::sources::Sources;

/// Counts the cycles in which `step` is high; two modules, so that ports connect.
const COUNTER: &str = "\
`resetall
`timescale 1ns / 1ps
`default_nettype none
module counter (
  input wire clk,
  input wire rst,
  input wire step,
  output wire [3:0] count
);
  wire [3:0] next;
  assign next = count + 4'd1;
  enabled_register state (.clk(clk), .rst(rst), .enable(step), .d(next), .q(count));
endmodule
`resetall
";

const REGISTER: &str = "\
`resetall
`timescale 1ns / 1ps
`default_nettype none
module enabled_register (
  input wire clk,
  input wire rst,
  input wire enable,
  input wire [3:0] d,
  output reg [3:0] q
);
  always @(posedge clk) begin
    if (rst) q <= 4'd0;
    else if (enable) q <= d;
  end
endmodule
`resetall
";

/// Counts 20 steps out of 40 cycles and says whether the counter kept up.
const TESTBENCH: &str = "\
`resetall
`timescale 1ns / 1ps
`default_nettype none
module counter_tb;
  reg clk = 1'b0;
  reg rst = 1'b1;
  reg step = 1'b0;
  wire [3:0] count;
  counter dut (.clk(clk), .rst(rst), .step(step), .count(count));
  always #5 clk = !clk;
  initial begin
    repeat (2) @(negedge clk);
    rst = 1'b0;
    repeat (20) begin
      step = 1'b1;
      @(negedge clk);
      step = 1'b0;
      @(negedge clk);
    end
    if (count === 4'd4) $display(\"PASS\");
    else $display(\"FAIL: %d\", count);
    $finish;
  end
endmodule
`resetall
";

/// A design on disk.
pub struct Fixture {
    pub folder: TempDir,
    /// The counter.
    pub design: Sources,
    /// The counter in its testbench.
    pub bench: Sources,
}

/// The clean design.
pub fn clean() -> Fixture {
    changed("", "")
}

/// The design with one piece of text, which must stand in it, replaced.
#[track_caller]
pub fn changed(find: &str, replace: &str) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let mut found = find.is_empty();
    for (name, text) in [("counter", COUNTER), ("enabled_register", REGISTER)] {
        found |= text.contains(find);
        let text = if find.is_empty() { text.to_owned() } else { text.replace(find, replace) };
        fs::write(folder.path().join(format!("{name}.v")), text).unwrap();
    }
    assert!(found, "`{find}` does not stand in the fixture");
    fs::write(folder.path().join("counter.f"), "enabled_register.v\ncounter.v\n").unwrap();
    fs::create_dir(folder.path().join("bench")).unwrap();
    let bench = folder.path().join("bench/counter_tb.v");
    fs::write(&bench, TESTBENCH).unwrap();
    let design = Sources::from_list(folder.path(), "counter").unwrap();
    let bench = design.with(bench, "counter_tb").unwrap();
    Fixture { folder, design, bench }
}
