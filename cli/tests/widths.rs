//! Terminals of widths of their own, as a user asks for them.

use crate::common::folders::{
    changes_nothing, simulated_and_verified, system_as_options, with_files,
};
use crate::common::refused_in;
use std::fs;

const SYSTEM: &str = r#"turnpike-system = 1
[network]
topology = "mesh"
shape = "2x2"
[options]
ports = "named"
keep = true
[[terminal]]
name = "cpu"
at = "0_0"
[[terminal]]
name = "uart"
at = "1_0"
width = 8
[[terminal]]
name = "ddr"
at = "0_1"
width = 64
"#;

/// The widths of a system are those of the option: the same bytes; and the words of the manifest's
/// configuration make them again.
#[test]
fn a_system_says_the_widths_of_its_terminals() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let options = "--ports named --keep --terminal-width uart=8,d*=64";
    let manifest = system_as_options(here.path(), options);
    let terminals = manifest["terminals"].as_array().unwrap();
    let widths: Vec<_> = terminals.iter().map(|t| (&t["name"], &t["width"])).collect();
    assert_eq!(format!("{widths:?}").matches("Number").count(), 3, "{widths:?}");
    for (name, width) in [("cpu", 32), ("uart", 8), ("ddr", 64)] {
        assert!(terminals.iter().any(|t| t["name"] == name && t["width"] == width), "{widths:?}");
    }
    let words = manifest["configuration"].as_str().unwrap();
    assert!(words.contains("--terminal-width ddr=64 --terminal-width uart=8"), "{words}");
    let said = fs::read_to_string(here.path().join("a/soc_addresses.h")).unwrap();
    assert!(said.contains("#define SOC_UART_DATA_WIDTH 8\n"), "{said}");
    let checked = simulated_and_verified(here.path());
    assert!(checked.contains("interfaces"), "{checked}");
}

/// A terminal that is as wide as the network has nothing between.
#[test]
fn the_width_of_the_network_changes_nothing() {
    changes_nothing("--terminal-width *=32");
}

#[test]
fn widths_that_cannot_be_are_refused() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let mesh = |options: &str| format!("generate mesh --shape 2x2 {options}");
    for (options, expected) in [
        ("--terminal-width 0_0=8", &["--terminal-width", "--ports named"][..]),
        ("--ports named --terminal-width 0_0", &["NAME=BITS", "uart=8"]),
        ("--ports named --terminal-width =8", &["NAME=BITS"]),
        ("--ports named --terminal-width 0_0=x", &["NAME=BITS"]),
        ("--ports named --terminal-width 0_0=0", &["terminal 0_0", "width 0", "1 to 1024"]),
        ("--ports named --terminal-width 0_0=2048", &["width 2048", "1 to 1024"]),
        ("--ports named --terminal-width 9_9=8", &["'9_9'", "no terminal"]),
        ("--ports named --terminal-width 0_*=8,0_1=16", &["0_1", "two widths, 8 and 16"]),
        ("--ports named --terminal-width 0_0=24", &["24", "--width 32", "--keep"]),
        ("--ports named --keep --terminal-width 0_0=12", &["--keep", "multiple of 8"]),
        (
            "--ports named --keep --width 1016 --terminal-width 0_0=1000",
            &["127000 bits", "4096 are the most"],
        ),
    ] {
        refused_in(here.path(), &[(&mesh(options), expected)]);
    }
    refused_in(
        here.path(),
        &[
            ("simulate mesh --terminal-width *=8", &["--terminal-width does nothing"]),
            (
                "synth mesh --shape 2x2 --target xilinx7 --terminal-width *=8",
                &["--terminal-width", "--part fabric"],
            ),
            ("generate soc.system --terminal-width urat=8", &["'urat'", "did you mean 'uart'?"]),
        ],
    );
}
