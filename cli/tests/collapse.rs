//! `analyze --collapse`: a butterfly with its levels merged is the hypercube.

use crate::common::{refused_with, run};
use serde_json::Value;

fn collapsed(line: &str) -> Value {
    let run = run(&format!("analyze {line} --collapse --format json"));
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Loads of all pairs and of the transpose, which `analyze` finds by other code on both networks: on
/// the butterfly's edges, and on the hypercube's channels under `ecube`. The transpose is its own image
/// when all addresses are reversed, so that the order of the bits is of no account.
#[test]
fn loads_are_what_both_networks_have() {
    for dimension in 2..=10 {
        let report = collapsed(&format!("butterfly --dim {dimension} --pattern transpose"));
        let collapse = &report["collapse"];
        assert_eq!(collapse["holds"], true);
        assert_eq!(collapse["bit_fixing_routes"], collapse["routes"]);
        let most = |field: &str| {
            let stages = collapse["stages"].as_array().unwrap();
            stages.iter().map(|stage| stage[field].as_u64().unwrap()).max().unwrap()
        };
        let pattern = |network: &str| {
            let line =
                format!("analyze {network} --dim {dimension} --pattern transpose --format json");
            let report: Value = serde_json::from_str(&run(&line).stdout).unwrap();
            report["pattern"].clone()
        };
        // Of an odd number of bits the middle one stays: there the busiest edge is a straight one.
        if dimension % 2 == 0 {
            assert_eq!(pattern("butterfly")["max_edge_load"], most("max_edge_load"), "{dimension}");
        }
        let cube = pattern("hypercube --routing ecube");
        assert_eq!(cube["max_link_load"], most("max_channel_load"), "{dimension}");
        assert_eq!(cube["links"], collapse["channels"]);
    }
}

#[test]
fn the_text_says_what_becomes_of_what() {
    let text = run("analyze butterfly --dim 3 --collapse").stdout;
    for line in [
        "graph     32 nodes, 24 straight edges, 24 cross edges\n",
        "merged    8 nodes, 24 channels: those of hypercube --dim 3, a cross edge each\n",
        "routes    64 of 64 become bit fixing in the order dim2, dim1, dim0\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn what_is_no_butterfly_of_bits_is_refused() {
    let no_bits: &[&str] = &["does not become a hypercube", "radix 2"];
    refused_with(
        "analyze --collapse",
        &[
            ("butterfly --dim 2 --radix 3", no_bits),
            ("benes --dim 3", no_bits),
            ("mesh --shape 2x2", no_bits),
            ("butterfly --dim 12", &["16777216 pairs are too many", "--pattern"]),
            ("ocpc --nodes 4", &["busses have no channels", "--collapse"]),
        ],
    );
}
