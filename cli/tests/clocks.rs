//! Terminals in clocks of their own, as a user asks for them.

use crate::common::folders::{
    changes_nothing, files_in, simulated_and_verified, system_as_options, with_files,
};
use crate::common::refused_in;
use serde_json::Value;
use std::fs;

const SYSTEM: &str = r#"turnpike-system = 1
[network]
topology = "mesh"
shape = "2x2"
[options]
ports = "named"
[[terminal]]
name = "cpu"
at = "0_0"
[[terminal]]
name = "uart"
at = "1_0"
clock = "io_clk"
width = 8
[[terminal]]
name = "ddr"
at = "0_1"
clock = "mem_clk"
"#;

/// The clocks of a system are those of the option: the same bytes; and the words of the manifest's
/// configuration make them again.
#[test]
fn a_system_says_the_clocks_of_its_terminals() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let options = "--ports named --terminal-width uart=8 --terminal-clock uart=io_clk,d*=mem_clk";
    let manifest = system_as_options(here.path(), options);
    let read = |file: &str| fs::read_to_string(here.path().join("a").join(file)).unwrap();
    let terminals = manifest["terminals"].as_array().unwrap();
    let clock = |name: &str| &terminals.iter().find(|t| t["name"] == name).unwrap()["clock"];
    assert_eq!((clock("uart"), clock("ddr")), (&"io_clk".into(), &"mem_clk".into()));
    assert_eq!(clock("cpu"), &Value::Null);
    let words = manifest["configuration"].as_str().unwrap();
    let expected = "--terminal-clock ddr=mem_clk --terminal-clock uart=io_clk";
    assert!(words.contains(expected), "{words}");
    for clock in ["io_clk", "mem_clk"] {
        assert!(read("soc.sdc").contains(&format!("create_clock -name {clock} ")));
        assert!(read("soc.v").contains(&format!("output wire        {clock}_rst,")));
        assert!(read("soc.xml").contains(&format!("<ipxact:name>{clock}_rst<")));
        assert!(read("soc.xml").contains(&format!("<ipxact:physicalPort><ipxact:name>{clock}<")));
        assert!(read("soc_addresses.py").contains(&format!("\"clock\": \"{clock}\"")));
    }
    let bounds = read("soc.xdc");
    assert!(bounds.contains("[get_ports {clk io_clk mem_clk}]"));
    // What the filters name is there; words are bounded from where they are kept alone, for other paths to
    // where they are read are within one clock, and would lose their check of hold.
    let files = files_in(&here.path().join("a")).into_iter();
    let files = files.filter(|(path, _)| path.extension().is_some_and(|ending| ending == "v"));
    let verilog: Vec<u8> = files.flat_map(|(_, text)| text.unwrap_or_default()).collect();
    let verilog = String::from_utf8(verilog).unwrap();
    for (filter, register) in [
        ("*_sync1_reg*", "_sync1;"),
        ("*_cross/writer/words_reg*", " words [0:"),
        ("*_cross/reader/out_data_reg*", "output reg  [WIDTH-1:0] out_data"),
    ] {
        assert!(bounds.contains(&format!("{{NAME =~ {filter}}}")), "{bounds}");
        assert!(verilog.contains(register), "{register}");
    }
    assert!(verilog.contains(") writer (") && verilog.contains("_cross ("), "names of instances");
    assert!(bounds.contains("-from $kept -to $read") && !bounds.contains("$clocks -to $read"));
    assert!(!here.path().join("a/soc_reset_request_1.v").exists(), "two clocks answer");
    let checked = simulated_and_verified(here.path());
    for said in ["3 clocks (clk, io_clk, mem_clk)", "synchronisers of 2 flip-flops"] {
        assert!(checked.replace("\n ", "").contains(said) || checked.contains(said), "{checked}");
    }
}

/// A terminal in the network's clock has nothing between, and no file of constraints.
#[test]
fn the_clock_of_the_network_changes_nothing() {
    let here = changes_nothing("--terminal-clock *=clk");
    assert!(!here.path().join("a/soc.xdc").exists());
}

#[test]
fn clocks_that_cannot_be_are_refused() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let mesh = |options: &str| format!("generate mesh --shape 5x4 {options}");
    let many: Vec<String> = (0..17).map(|i| format!("{}_{}=clk{i}", i % 5, i / 5)).collect();
    let many = format!("--ports named --terminal-clock {}", many.join(","));
    for (options, expected) in [
        ("--terminal-clock 0_0=a_clk", &["--terminal-clock", "--ports named"][..]),
        ("--ports named --terminal-clock 0_0", &["NAME=CLOCK", "uart=slow_clk"]),
        ("--ports named --terminal-clock 0_0=", &["NAME=CLOCK"]),
        ("--ports named --terminal-clock 0_0=2fast", &["NAME=CLOCK", "a letter"]),
        ("--ports named --terminal-clock 0_0=wire", &["NAME=CLOCK"]),
        ("--ports named --terminal-clock 9_9=a_clk", &["a clock is for '9_9'", "no terminal"]),
        ("--ports named --terminal-clock 0_*=a,0_1=b", &["0_1", "two clocks, a and b"]),
        ("--ports named --terminal-clock 0_0=rst", &["'rst'", "another port called 'rst'"]),
        ("--ports named --terminal-clock 0_0=s_1_1_axis_tdata", &["another port called"]),
        (
            "--ports named --terminal-clock 0_0=a,0_1=a_rst",
            &["clock 'a_rst'", "another port called 'a_rst'"],
        ),
        ("--ports named --terminal-clock 0_0=CLK", &["'CLK'", "in case alone"]),
        ("--ports named --terminal-clock 0_0=io,0_1=IO", &["'IO'", "'io'", "in case alone"]),
        (&many, &["17 clocks", "16 are the most"]),
        ("--ports named --terminal-clock 0_0=a --sync-stages 1", &["--sync-stages 1", "2 to 4"]),
        ("--ports named --terminal-clock 0_0=a --sync-stages 9", &["--sync-stages 9", "2 to 4"]),
        ("--ports named --sync-stages 3", &["--sync-stages does nothing", "clock of the network"]),
    ] {
        refused_in(here.path(), &[(&mesh(options), expected)]);
    }
    refused_in(
        here.path(),
        &[
            ("simulate mesh --terminal-clock *=a_clk", &["--terminal-clock does nothing"]),
            ("generate soc.system --terminal-clock urat=a", &["'urat'", "did you mean 'uart'?"]),
        ],
    );
}
