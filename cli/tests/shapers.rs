//! Shapers that cannot be, as a user asks for them.

use crate::common::folders::with_files;
use crate::common::refused_in;
use std::fmt::Write;

/// Flows of a 2x2 mesh, of which each is wrong but for the first.
const FLOWS: &[(&str, &str)] = &[
    ("right.csv", "source,destination,bandwidth\n0_0,1_0,0.25\n"),
    ("none.csv", "source,destination\n0_0,1_0\n"),
    ("small.csv", "source,destination,bandwidth,packet,burst\n0_0,1_0,0.25,4,3\n"),
    ("long.csv", "source,destination,bandwidth,packet\n0_0,1_0,0.25,4097\n"),
    ("odd.csv", "source,destination,bandwidth,packet\n0_0,1_0,0.25,3\n"),
];

#[test]
fn shapers_that_cannot_be_are_refused() {
    let here = with_files(FLOWS);
    let named = "--shaper --ports named";
    for (options, expected) in [
        ("--flows right.csv --shaper", &["--ports named"][..]),
        (named, &["there are none", "add --flows FILE"]),
        (&format!("--flows none.csv {named}"), &["from 0_0 to 1_0", "a bandwidth"]),
        (&format!("--flows small.csv {named}"), &["from 0_0 to 1_0", "burst", "3", "4"]),
        (&format!("--flows long.csv {named}"), &["packets of 4097 flits", "4096"]),
        (&format!("--flows odd.csv {named} --terminal-width 0_0=64"), &["0_0", "3", "2"]),
        ("--flows right.csv --shaper-room 8 --ports named", &["--shaper"]),
        (&format!("--flows right.csv {named} --shaper-room 65537"), &["65537", "65536"]),
    ] {
        refused_in(here.path(), &[(&format!("generate mesh --shape 2x2 {options}"), expected)]);
    }
}

/// More flows than token buckets are made for, refused before any is.
#[test]
fn flows_are_bounded() {
    let sinks = (0..17).flat_map(|x| (0..17).map(move |y| (x, y)));
    let mut flows = "source,destination,bandwidth,packet\n".to_owned();
    for (x, y) in sinks {
        writeln!(flows, "*,{x}_{y},0.0001,1").unwrap();
    }
    let here = with_files(&[("all.csv", &flows)]);
    let line = "generate mesh --shape 17x17 --flows all.csv --shaper --ports named";
    refused_in(here.path(), &[(line, &["up to 65536", "83232 flows", "use fewer"])]);
}
