//! Counters at terminals, as a user asks for them.

use crate::common::folders::{changes_nothing, made_again, simulated_and_verified, with_files};
use crate::common::refused_in;
use serde_json::Value;
use std::fs;

/// A system asks for them as the command line does, and its manifest says where each stream is counted.
#[test]
fn a_system_has_counters() {
    let here = with_files(&[(
        "soc.system",
        "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshape = \"2x2\"\n\
         [options]\nports = \"named\"\ncounters = true\nwatchdog = 500\n",
    )]);
    let manifest = made_again(here.path(), "generate soc.system");
    let words = manifest["configuration"].as_str().unwrap();
    assert!(words.contains("--counters --watchdog 500 --ports named"), "{words}");
    let terminals = manifest["terminals"].as_array().unwrap();
    for (side, first) in [("s_axis", 0x40), ("m_axis", 0x80)] {
        let of = terminals.iter().map(|terminal| terminal[side]["counters"].as_u64().unwrap());
        assert_eq!(of.collect::<Vec<_>>(), [0, 1, 2, 3].map(|at| first + 16 * at));
    }
    let read = |end: &str| fs::read_to_string(here.path().join("one").join(end)).unwrap();
    assert!(read("soc_counters.rdl").contains("LIMIT[15:0] = 500;"));
    assert!(read("soc.v").contains("output wire        hang\n"));
    assert!(read("soc_addresses.h").contains("#define SOC_COUNTERS_HANG_OFFSET 20\n"));
    let checked = simulated_and_verified(here.path());
    assert!(checked.contains("counters        holds    8 ports: "), "{checked}");
}

/// Without the option nothing of it is there.
#[test]
fn nothing_is_counted_unasked() {
    let here = changes_nothing("--counters=false");
    let manifest = fs::read_to_string(here.path().join("a/soc.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["terminals"][0]["s_axis"]["counters"], Value::Null);
    assert!(!here.path().join("a/soc_counters.rdl").exists());
}

#[test]
fn counters_that_cannot_be_are_refused() {
    let here = with_files(&[]);
    for (options, said) in [
        ("mesh --shape 2x2 --counters", &["--counters", "add --ports named"][..]),
        (
            "mesh --shape 2x2 --ports named --counters --watchdog 65536",
            &["--watchdog 65536", "65535"],
        ),
        ("mesh --shape 2x2 --ports named --counters --watchdog -1", &["--watchdog", "-1"]),
        (
            "mesh --shape 2x2 --ports named --watchdog 9",
            &["--watchdog does nothing", "no counters"],
        ),
        ("benes --dim 2 --kind circuit --counters", &["--counters does nothing"]),
        ("mob --shape 2x2 --counters", &["--counters does nothing"]),
        (
            "mesh --shape 2x2 --ports named --counters --terminal-clock 0_0=hang",
            &["--terminal-clock", "'hang'", "another port called"],
        ),
    ] {
        refused_in(here.path(), &[(&format!("generate {options} --out a"), said)]);
    }
}
