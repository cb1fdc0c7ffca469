//! Failed nodes, and every shortest path.

use crate::common::{refused_in, run};

/// What a command prints that holds.
#[track_caller]
fn printed(line: &str) -> String {
    let run = run(line);
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    run.stdout
}

#[test]
fn analyze_says_what_failed_nodes_cost() {
    // Heller, table 5-5, n = 4: 2.809 with one node down.
    let found = printed("analyze directed-cube --dim 4 --failed 0000");
    for part in [
        "0000 failed, 15 terminals left, every pair connected",
        "average distance 2.8089 without them, 2.7378 with",
        "4 pairs are farther apart: 4 by 4",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn fabrics_with_failed_nodes_are_simulated_and_verified() {
    let fabric = "hypercube --dim 3 --failed 011 --failed 100";
    let found = printed(&format!("verify {fabric}"));
    assert!(found.contains("every check holds"), "{found}");
    let found = printed(&format!("simulate {fabric} --load 0.3 --cycles 500"));
    assert!(found.contains("outcome: drained"), "{found}");
}

#[test]
fn route_lists_every_shortest_path() {
    let found = printed("route hypercube --dim 3 000 111 --all --format csv");
    assert_eq!(found.lines().count(), 1 + 6, "{found}");
    // Two of the six begin with dim0.
    let around = printed("route hypercube --dim 3 000 111 --all --failed 001");
    assert!(around.contains("4 shortest paths of 3 channels"), "{around}");
    let directed = printed("route directed-cube --dim 4 0000 0111 --all");
    assert!(directed.contains("8 shortest paths of 5 channels"), "{directed}");
}

#[test]
fn bad_failures_are_named() {
    let folder = tempfile::tempdir().unwrap();
    refused_in(
        folder.path(),
        &[
            ("analyze hypercube --dim 3 --failed 0", &["'0' is not a node of this hypercube"]),
            (
                "generate directed-cube --dim 2 --failed 00",
                &["no path from 01 to 10", "without 00"],
            ),
            ("analyze hypercube --dim 1 --failed 0 --failed 1", &["no terminal", "is left"]),
            ("analyze hypercube --dim 1 --failed 0", &["one terminal", "is left, 1;"]),
            ("verify hypercube --dim 1 --failed 0", &["one terminal", "is left, 1;"]),
            ("generate hypercube --dim 1 --failed 0", &["one terminal", "is left, 1;"]),
            ("simulate arc-cube --dim 2 --failed 0x --failed 1x --failed x0", &["left, x1;"]),
            ("route hypercube --dim 3 000 111 --failed 111", &["node 111 failed"]),
            ("route hypercube --dim 3 111 000 --failed 111", &["node 111 failed"]),
            ("route hypercube --dim 3 111 111 --failed 111 --all", &["node 111 failed"]),
            (
                "simulate hypercube --dim 3 --failed 111 --traffic hotspot --hotspot 111",
                &["node 111 failed"],
            ),
            ("analyze hypercube --dim 10 --failed 0000000000", &["bits", "more than 16777216"]),
            (
                "analyze hypercube --dim 3 --routing adaptive --failed 000",
                &["'adaptive'", "with --failed use another, such as --routing ecube"],
            ),
            ("route hypercube --dim 2 00 11 --all --routing ecube", &["--all", "--routing"]),
        ],
    );
}
