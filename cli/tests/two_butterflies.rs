//! Random routing on two butterflies (docs/results.md, "Two butterflies, a random middle").

use crate::common::run;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(line: &str) -> Value {
    let run = run(&format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// One packet on every link and half a packet on every edge, whatever the permutation: over all
/// draws.
#[test]
fn every_link_has_the_same_load() {
    for dim in 2..=5 {
        for pattern in
            ["transpose", "bit-complement", "bit-reversal", "permutation:1", "permutation:7"]
        {
            let line = format!(
                "analyze double-butterfly --dim {dim} --routing two-phase --pattern {pattern}"
            );
            let report = json(&line);
            let steps = report["pattern"]["steps"].as_array().unwrap();
            assert_eq!(steps.len(), 2 * dim, "{line}");
            for (at, step) in steps.iter().enumerate() {
                // Nothing but the terminals is behind the last stage. As many links are in use as
                // there are packets: where none has more than one, all have one.
                let links = if at + 1 == steps.len() { 0 } else { 1u64 << dim };
                let load = |field: &str| step[field].as_f64().unwrap();
                assert_eq!(step["links_used"], links, "{line}: {step}");
                assert_eq!(load("max_link_load"), f64::from(u8::from(links > 0)), "{line}: {step}");
                assert_eq!(step["edges_used"], 2u64 << dim, "{line}: {step}");
                assert_eq!(load("max_edge_load"), 0.5, "{line}: {step}");
            }
        }
    }
}

/// The rows of small networks, run again.
#[test]
fn the_page_has_the_largest_loads() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("results.md")).unwrap();
    for dim in 4..=8 {
        let cells = ["transpose", "bit-reversal", "permutation:1"].map(|pattern| {
            let report = json(&format!(
                "simulate double-butterfly --dim {dim} --routing two-phase --machine steps --runs \
                 100 --pattern {pattern}"
            ));
            let load = &report["summary"]["max_link_load"];
            format!("{:.1} ({})", load["mean"].as_f64().unwrap(), load["largest"])
        });
        let row = format!("| {dim} | 100 | {} |", cells.join(" | "));
        assert!(page.contains(&row), "{row}");
    }
}
