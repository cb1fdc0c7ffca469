//! Permutations that have a name, wherever a command takes one: over the list that all of them come from.

use crate::common::{json, refused, run, run_in};
use serde_json::Value;
use std::fs;
use turnpike_analysis::patterns::PERMUTATIONS;

/// What comes before the name of a permutation, of a command on this network.
fn commands(network: &str) -> [String; 7] {
    [
        format!("analyze {network} --pattern"),
        format!("schedule {network} --pattern"),
        format!("simulate {network} --machine steps --pattern"),
        format!("simulate {network} --cycles 50 --pattern"),
        format!("simulate {network} --workload"),
        format!("simulate {network} --cycles 50 --traffic"),
        format!("sweep {network} --cycles 50 --seeds 1 --load 0.1 --traffic"),
    ]
}

/// Where there is such a permutation, and where some terminal is missing.
#[test]
fn every_command_takes_every_permutation() {
    for permutation in PERMUTATIONS {
        for command in commands("mesh --shape 4x2") {
            let line = format!("{command} {}", permutation.name);
            let run = run(&line);
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
        }
        for command in commands("mesh --shape 3x3 --failed 1_1 --routing shortest") {
            let line = format!("{command} {}", permutation.name);
            // Eight that are left of nine: the bits of their numbers will do, their coordinates will not.
            match ["tornado", "neighbour"].contains(&permutation.name) {
                true => refused(
                    &run(&line),
                    &line,
                    &["every point of a grid of 3x3", "not of 8 terminals", permutation.name],
                ),
                false => assert_eq!(run(&line).code, 0, "{line}"),
            }
        }
    }
}

/// `analyze` counts the words of the definition: those of a file that says who sends to whom.
#[test]
fn coordinates_lead_where_they_should() {
    let folder = tempfile::tempdir().unwrap();
    let counted = |line: &str| -> Value {
        let run = run_in(folder.path(), &format!("{line} --format json"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
        let mut report: Value = serde_json::from_str(&run.stdout).unwrap();
        report["pattern"]["name"].take();
        report
    };
    for (network, [columns, rows]) in [("torus --shape 5x3", [5, 3]), ("mesh --shape 4x6", [4, 6])]
    {
        for (name, by) in
            [("tornado", [columns, rows].map(|side| (side + 1) / 2 - 1)), ("neighbour", [1, 1])]
        {
            let mut text = String::new();
            for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                text += &format!("{x}_{y} {}_{}\n", (x + by[0]) % columns, (y + by[1]) % rows);
            }
            fs::write(folder.path().join("words.txt"), text).unwrap();
            let [named, listed] = [name, "words.txt"]
                .map(|pattern| counted(&format!("analyze {network} --pattern {pattern}")));
            assert_eq!(named, listed, "{network}: {name}");
        }
    }
    // On a ring of eight tornado goes three on, one way round: three words on each channel of it.
    let report = json("analyze ring --nodes 8 --pattern tornado");
    assert_eq!(report["pattern"]["max_link_load"], 3, "{}", report["pattern"]);
}

#[test]
fn names_that_are_none() {
    for (line, expected) in [
        (
            "analyze ring --nodes 8 --pattern tornadoe",
            "did you mean 'tornado'? (there are: transpose,",
        ),
        ("simulate ring --nodes 8 --workload neighbor", "did you mean 'neighbour'?"),
        ("sweep ring --nodes 8 --traffic x", "(there are: uniform, transpose,"),
    ] {
        let found = run(line);
        refused(&found, line, &[expected]);
        assert!(!found.stderr.contains("file") || line.contains("--pattern"), "{}", found.stderr);
    }
}
