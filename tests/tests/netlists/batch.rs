//! Several netlists under one testbench, so that Icarus starts once for all of them.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use tempfile::TempDir;
use turnpike_base::hash::hash;
use turnpike_netlist::{Design, Module, Net, NetInfo, NetKind};
use turnpike_sim_rtl::eval::Evaluator;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::LIMIT;
use turnpike_tests::sources::Sources;

/// Cycles that each netlist runs, the first one under reset.
pub const CYCLES: u64 = 48;

/// A netlist, printed.
pub struct Printed {
    /// Its top.
    pub module: Arc<Module>,
    /// Its Verilog: file names and contents, the top first.
    pub files: Vec<(String, String)>,
}

impl Printed {
    /// Prints a netlist as fabrics are printed.
    pub fn new(module: Arc<Module>) -> Self {
        let files = turnpike_emit::verilog_files(&Design::new(&module).unwrap()).unwrap();
        Self { module, files: files.into_iter().map(|f| (f.name, f.contents)).collect() }
    }
}

/// A difference between Verilog and evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which netlist of the batch.
    pub netlist: usize,
    /// The first cycle that differs.
    pub cycle: u64,
    /// The outputs that differ, side by side as the netlist's ports are, the last one highest:
    /// what Icarus found, and what the evaluator wants.
    pub values: String,
}

fn ports(module: &Module, kind: NetKind) -> Vec<(Net, &NetInfo)> {
    module.ports().filter(|(_, info)| info.kind == kind).collect()
}

fn bits(ports: &[(Net, &NetInfo)]) -> u32 {
    ports.iter().map(|(net, _)| net.width).sum()
}

/// Words of 64 bits, the lowest first, as `width` binary digits.
fn binary(words: impl Iterator<Item = u64>, width: u32) -> String {
    let words: Vec<u64> = words.collect();
    let digit = |at: u32| if words[(at / 64) as usize] >> (at % 64) & 1 == 1 { '1' } else { '0' };
    (0..width).rev().map(digit).collect()
}

/// The reset in a cycle: in the first, and now and then.
fn reset(seed: u64, cycle: u64) -> bool {
    cycle == 0 || hash(seed, &[1, cycle]).is_multiple_of(16)
}

/// What drives a netlist and what the evaluator says, cycle by cycle, as `$readmemb` reads it:
/// `{inputs, rst}` and the outputs.
fn memories(module: &Arc<Module>, seed: u64) -> (String, String) {
    let mut evaluator = Evaluator::new(&Design::new(module).unwrap());
    let (inputs, outputs) = (ports(module, NetKind::Input), ports(module, NetKind::Output));
    let (mut driven, mut wanted) = (String::new(), String::new());
    for cycle in 0..CYCLES {
        let mut line = Vec::new();
        line.push(u32::from(reset(seed, cycle)).to_string());
        evaluator.set_reset(reset(seed, cycle));
        for (at, (net, _)) in inputs.iter().enumerate() {
            // All zeros and all ones are frequent: comparisons hold and sums overflow.
            let word = |w: u32| {
                let key = hash(seed, &[2, cycle, at as u64, w.into()]);
                match hash(seed, &[3, cycle, at as u64]) % 4 {
                    0 => 0,
                    1 => u64::MAX,
                    _ => key,
                }
            };
            let words: Vec<u64> = (0..net.width.div_ceil(64)).map(word).collect();
            evaluator.set(evaluator.top_net(*net), &words);
            line.push(binary(words.into_iter(), net.width));
        }
        line.reverse();
        writeln!(driven, "{}", line.concat()).unwrap();
        evaluator.settle();
        let value =
            |(net, _): &(Net, &NetInfo)| binary(evaluator.get(evaluator.top_net(*net)), net.width);
        let line: Vec<String> = outputs.iter().rev().map(value).collect();
        writeln!(wanted, "{}", line.concat()).unwrap();
        evaluator.clock();
    }
    (driven, wanted)
}

/// The checker of one netlist: a module with the clock and the cycle from outside.
fn checker(at: usize, module: &Module, folder: &str) -> String {
    let (inputs, outputs) = (ports(module, NetKind::Input), ports(module, NetKind::Output));
    let mut connections = Vec::new();
    connections.extend(module.clocked.then(|| ".clk(clk)".to_owned()));
    connections.extend(module.has_reset.then(|| ".rst(now[0])".to_owned()));
    let mut connect = |ports: &[(Net, &NetInfo)], from: &str, mut low: u32| {
        for (net, info) in ports {
            let high = low + net.width - 1;
            connections.push(format!(".{}({from}[{high}:{low}])", info.name));
            low = high + 1;
        }
    };
    connect(&inputs, "now", 1);
    connect(&outputs, "found", 0);
    let (driven, seen) = (bits(&inputs), bits(&outputs) - 1);
    format!(
        "module check{at} (input wire clk, input wire look, input wire [31:0] cycle);\n  \
           reg [{driven}:0] driven [0:{last}];\n  \
           reg [{seen}:0] wanted [0:{last}];\n  \
           initial $readmemb(\"{folder}/driven{at}\", driven);\n  \
           initial $readmemb(\"{folder}/wanted{at}\", wanted);\n  \
           wire [{driven}:0] now = driven[cycle];\n  \
           wire [{seen}:0] found;\n  \
           {} dut ({});\n  \
           reg quiet;\n  \
           initial quiet = 1'b0;\n  \
           always @(posedge look)\n    \
             if (!quiet && found !== wanted[cycle]) begin\n      \
               quiet = 1'b1;\n      \
               $display(\"differs {at} %0d %b not %b\", cycle, found, wanted[cycle]);\n    \
             end\n\
         endmodule\n",
        module.name,
        connections.join(", "),
        last = CYCLES - 1,
    )
}

/// The top: clock and cycle for all. The first cycle is for the reset; before its clock edge
/// Verilog's registers hold `x`.
fn top(netlists: usize) -> String {
    let instances: String = (0..netlists)
        .map(|at| format!("  check{at} c{at} (.clk(clk), .look(look), .cycle(cycle));\n"))
        .collect();
    format!(
        "module bench;\n  \
           reg clk;\n  \
           reg look;\n  \
           reg [31:0] cycle;\n\
         {instances}  \
           initial begin\n    \
             clk = 1'b0;\n    \
             look = 1'b0;\n    \
             for (cycle = 32'd0; cycle < 32'd{CYCLES}; cycle = cycle + 32'd1) begin\n      \
               #1 look = cycle != 32'd0;\n      \
               #1 clk = 1'b1;\n      \
               #1 clk = 1'b0;\n      \
               look = 1'b0;\n    \
             end\n    \
             $display(\"end\");\n    \
             $finish;\n  \
           end\n\
         endmodule\n"
    )
}

/// Writes the files of one netlist.
pub fn write(folder: &TempDir, printed: &Printed) -> Sources {
    let path = |name: &str| folder.path().join(name);
    for (name, text) in &printed.files {
        fs::write(path(name), text).unwrap();
    }
    let files = printed.files.iter().map(|(name, _)| path(name)).collect();
    Sources { files, top: printed.module.name.clone() }
}

/// Runs netlists on Icarus and says where they differ from the evaluator. The text is what
/// `printed` says, and the evaluator's netlist is `printed`'s module.
///
/// # Panics
/// Where Icarus warns or does not come to the end.
pub fn differences(icarus: &Icarus, batch: &[Printed]) -> Vec<Difference> {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display().to_string();
    let mut bench = String::from("`timescale 1ns / 1ps\n");
    let mut files = Vec::new();
    for (at, printed) in batch.iter().enumerate() {
        files.extend(write(&folder, printed).files);
        let (driven, wanted) = memories(&printed.module, at as u64);
        fs::write(folder.path().join(format!("driven{at}")), driven).unwrap();
        fs::write(folder.path().join(format!("wanted{at}")), wanted).unwrap();
        bench += &checker(at, &printed.module, &place);
    }
    bench += &top(batch.len());
    let file = folder.path().join("bench.v");
    fs::write(&file, bench).unwrap();
    files.push(file);
    let sources = Sources { files, top: "bench".to_owned() };
    let report = icarus.simulate(&sources, &[], LIMIT).assert_clean();
    let mut lines: Vec<&str> = report.run.stdout.lines().collect();
    // `$finish` may say where it stood.
    let end = lines.iter().position(|&line| line == "end").expect("the run comes to its end");
    lines.truncate(end);
    lines.iter().map(|line| difference(line)).collect()
}

fn difference(line: &str) -> Difference {
    let rest = line.strip_prefix("differs ").unwrap_or_else(|| panic!("unexpected: {line}"));
    let mut words = rest.splitn(3, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (netlist, cycle) = (next().parse().unwrap(), next().parse().unwrap());
    Difference { netlist, cycle, values: next().to_owned() }
}
