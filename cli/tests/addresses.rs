//! Addresses of terminals that a user chooses.

use crate::common::folders::{
    changes_nothing, made_again, runs, simulated_and_verified, system_as_options, with_files,
};
use crate::common::refused_in;
use std::fs;

const SYSTEM: &str = r#"turnpike-system = 1
[network]
topology = "mesh"
shape = "2x2"
[options]
ports = "named"
source-id = true
[[terminal]]
name = "cpu"
at = "0_0"
address = 0x10
[[terminal]]
name = "uart"
at = "1_0"
[[terminal]]
name = "ddr"
at = "0_1"
address = 32
"#;

/// The addresses of a system are those of the option: the same bytes; and the words of the manifest's
/// configuration make them again. Constants have them, too.
#[test]
fn a_system_says_the_addresses_of_its_terminals() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let options = "--ports named --source-id --terminal-address cpu=0x10,d*=32";
    let manifest = system_as_options(here.path(), options);
    assert_eq!(manifest["terminal"]["address_bits"], 6);
    let terminals = manifest["terminals"].as_array().unwrap();
    for (name, address) in [("cpu", 16), ("uart", 1), ("ddr", 32)] {
        let is_it = |terminal: &&serde_json::Value| terminal["name"] == name;
        assert_eq!(terminals.iter().find(is_it).unwrap()["address"], address, "{name}");
    }
    let words = manifest["configuration"].as_str().unwrap();
    assert!(words.contains("--terminal-address cpu=16 --terminal-address ddr=32"), "{words}");
    let said = fs::read_to_string(here.path().join("a/soc_addresses.h")).unwrap();
    assert!(said.contains("#define SOC_DDR_ADDRESS 32 "), "{said}");
    assert!(said.contains("#define SOC_ADDRESS_BITS 6\n"), "{said}");
    let checked = simulated_and_verified(here.path());
    assert!(checked.contains("interfaces"), "{checked}");
}

/// Addresses of several terminals follow each other, in the order of the network's; where they are those of the
/// network, nothing is between.
#[test]
fn addresses_of_the_network_change_nothing() {
    changes_nothing("--terminal-address *=0");
    let here = with_files(&[]);
    let line = "generate mesh --shape 2x2 --ports named --terminal-address *=40";
    let manifest = made_again(here.path(), line);
    let terminals = manifest["terminals"].as_array().unwrap().iter();
    let said: Vec<_> =
        terminals.map(|t| (t["name"].as_str().unwrap(), t["address"].as_u64().unwrap())).collect();
    assert_eq!(said, [("0_0", 40), ("1_0", 41), ("0_1", 42), ("1_1", 43)]);
}

const FILE: &str = "turnpike-topology 1
name net
node a b
terminal cpu a @16
source dma b
sink log b @0x20
link a.east b.west
";

/// Addresses of a file are those of the option; the option wins; the file is written with them.
#[test]
fn a_topology_file_gives_addresses() {
    let plain = FILE.replace(" @16", "").replace(" @0x20", "");
    let here = with_files(&[("net.topology", FILE), ("plain.topology", &plain)]);
    let named = "--ports named --source-id --name net";
    let addresses = |line: &str, out: &str| {
        runs(here.path(), &format!("generate {line} {named} --out {out}"));
        let manifest = fs::read_to_string(here.path().join(out).join("net.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let terminals = manifest["terminals"].as_array().unwrap().iter();
        terminals.map(|terminal| terminal["address"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(addresses("net.topology", "a"), [16, 1, 32]);
    let asked = "--terminal-address cpu=16 --terminal-address log=32";
    assert_eq!(addresses(&format!("plain.topology {asked}"), "b"), [16, 1, 32]);
    let module =
        |out: &str| fs::read_to_string(here.path().join(out).join("net_s_address.v")).unwrap();
    let body = |text: String| text.split_once("module ").unwrap().1.to_owned();
    assert_eq!(body(module("a")), body(module("b")));
    assert_eq!(addresses("net.topology --terminal-address log=2", "c"), [16, 1, 2]);
    assert_eq!(addresses("a/net.topology", "d"), [16, 1, 32]);
    let written = runs(here.path(), "export net.topology").stdout;
    assert!(
        written.contains("terminal cpu a @16\n") && written.contains("sink log b @32\n"),
        "{written}"
    );
    made_again(here.path(), &format!("generate net.topology {named} --terminal-address dma=9"));
    // Figures are of the network, and shared ports have its addresses alone.
    runs(here.path(), "analyze net.topology");
    let shared =
        &["error: --ports: the file of the network gives terminals addresses", "named"][..];
    refused_in(here.path(), &[("generate net.topology --out e", shared)]);
}

#[test]
fn addresses_that_cannot_be_are_refused() {
    let here = with_files(&[("soc.system", SYSTEM)]);
    let mesh = |options: &str| format!("generate mesh --shape 2x2 {options}");
    for (options, expected) in [
        ("--terminal-address 0_0=8", &["--terminal-address", "--ports named"][..]),
        ("--ports named --terminal-address 0_0", &["NAME=ADDRESS", "mem=0x10"]),
        ("--ports named --terminal-address 0_0=-1", &["NAME=ADDRESS"]),
        ("--ports named --terminal-address 0_0=0xg", &["NAME=ADDRESS"]),
        ("--ports named --terminal-address 0_0=4294967295", &["0_0", "0 to 2147483647"]),
        ("--ports named --terminal-address 0_0=4294967296", &["NAME=ADDRESS"]),
        ("--ports named --terminal-address *=2147483646", &["0_1", "2147483648 is out of range"]),
        ("--ports named --terminal-address 9_9=8", &["'9_9'", "no terminal", "an address is for"]),
        ("--ports named --terminal-address 0_0=8,0_*=9", &["0_0", "two addresses, 8 and 9"]),
        ("--ports named --terminal-address 0_0=3", &["address 3 is that of 0_0 and of 1_1"]),
    ] {
        refused_in(here.path(), &[(&mesh(options), expected)]);
    }
    refused_in(
        here.path(),
        &[
            ("simulate mesh --terminal-address *=8", &["--terminal-address does nothing"]),
            ("generate soc.system --terminal-address urat=8", &["did you mean 'uart'?"]),
        ],
    );
}
