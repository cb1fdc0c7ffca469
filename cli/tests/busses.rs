//! Bus fabrics and their workloads on the command line, and the figures of docs/optical.md.

mod common;

use common::{run, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(folder: &Path, line: &str) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

fn simulated(line: &str) -> Value {
    json(Path::new("."), &format!("simulate {line}"))
}

/// What `generate` says is what the manifest says, and follows from the sides.
#[test]
fn the_manifest_says_what_was_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (line, terminals, busses, crosspoints, order) in [
        ("ocpc --nodes 6", 6, 1, 30, true),
        ("ocpc --nodes 4 --protocol thinning --window 32", 4, 1, 12, false),
        ("mob --shape 3x4 --protocol window --source-id", 12, 7, 60, true),
        ("mob --shape 2x2x3 --exponent 4 --reset low", 12, 16, 48, true),
    ] {
        let report = json(at, &format!("generate {line} --name x --out x --force"));
        let manifest = fs::read_to_string(at.join("x/x.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["kind"], "bus");
        assert_eq!(manifest["configuration"], report["configuration"], "{line}");
        let found = [&report["terminals"], &report["busses"], &report["crosspoints"]];
        assert_eq!(found.map(|n| n.as_u64().unwrap()), [terminals, busses, crosspoints], "{line}");
        assert_eq!(manifest["terminal"]["count"], terminals, "{line}");
        assert_eq!(manifest["crosspoints"], crosspoints, "{line}");
        assert_eq!(manifest["protocol"]["keeps_order"], order, "{line}");
        // The canonical words make it again.
        let words = report["configuration"].as_str().unwrap();
        let again = json(at, &format!("generate {words} --name x --out x"));
        assert_eq!(again["files"], report["files"], "{line}");
    }
}

#[test]
fn small_fabrics_are_verified() {
    let report = json(Path::new("."), "verify mob --shape 3x2 --width 9 --depth 2");
    assert_eq!(report["holds"], true);
    assert_eq!(report["checks"].as_array().unwrap().len(), 2);
}

/// The same seed gives the same run; runs have the seeds after it.
#[test]
fn runs_repeat() {
    for network in
        ["ocpc --nodes 32", "mob --shape 4x4", "split-hash --side 16 --levels 2 --factor 2"]
    {
        let of = |seed: u32, runs: u32| {
            let line = format!("{network} --workload permutation --seed {seed} --runs {runs}");
            simulated(&line)["runs"].clone()
        };
        let (three, one) = (of(5, 3), of(7, 1));
        assert_eq!(three, of(5, 3), "{network}");
        assert_eq!(three[2], one[0], "{network}");
    }
}

/// A time table takes 2d - 1 slots for a permutation, and h times as many for an h-relation.
#[test]
fn time_tables_take_as_many_slots_as_they_should() {
    for (network, slots) in [
        ("ocpc --nodes 24", 1),
        ("mob --shape 8x8", 3),
        ("mob --shape 5x4", 3),
        ("mob --shape 4x4x4", 5),
        ("mob --shape 2x3x2x2", 7),
    ] {
        for h in [1, 3] {
            let line = format!("{network} --protocol schedule --workload h-relation --h {h}");
            assert_eq!(simulated(&line)["summary"]["slots"]["largest"], f64::from(slots * h));
        }
    }
}

/// Functions of one permutation, as the paper draws them, livelock; the run then does not hold.
#[test]
fn a_livelock_is_a_result() {
    let line = "simulate split-hash --side 16 --levels 2 --factor 2 --batches 8 --hashing one \
                --on-livelock stop --format json";
    let run = run(line);
    assert_eq!((run.code, &*run.stderr), (1, ""));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["runs"][0]["livelock"], true);
    assert_eq!(report["runs"][0]["slots"], Value::Null);
    assert_eq!(report["livelock_share"], 1.0);
}

#[test]
fn wrong_usage_is_refused() {
    for (line, text) in [
        ("generate ocpc", "the size is missing: ocpc takes --nodes N"),
        ("generate ocpc --nodes 1", "a bus has 2 to 1048576 nodes, not 1"),
        ("generate ocpc --nodes 2000", "number of nodes 2000 is out of range; use 2 to 1024"),
        ("generate mob --shape 200x2", "nodes on a bus 200 is out of range; use 2 to 128"),
        ("generate mob --nodes 4", "mob takes --shape SIDES; leave --nodes out"),
        ("generate mob --shape 3,2,2", "not --shape 3,2,2"),
        ("generate ocpc --nodes 4 --concentration 2", "leave --concentration out"),
        ("generate ocpc --nodes 4 --routing ecube", "no routes; leave --routing out"),
        ("generate ocpc --nodes 4 --kind circuit", "leave --kind out"),
        ("generate ocpc --nodes 4 --keep", "leave --keep out"),
        ("generate ocpc --nodes 4 --picture", "--picture is for --kind switched"),
        ("generate ocpc --nodes 4 --protocol widow", "did you mean 'window'?"),
        ("generate ocpc --nodes 4 --protocol window --window 1", "sends in every slot"),
        ("generate ocpc --nodes 4 --protocol window --window 5000", "use 2 to 4096"),
        ("generate ocpc --nodes 4 --protocol thinning --window 24", "no power of two"),
        ("generate ocpc --nodes 4 --protocol thinning --window 4", "use a window above 4"),
        ("generate ocpc --nodes 4 --exponent 17", "exponent 17 is out of range; use 1 to 16"),
        ("generate ocpc --nodes 4 --window 4", "--window is for --protocol window or thinning"),
        ("generate ocpc --nodes 4 --protocol schedule", "is for simulate"),
        ("generate hypercube --dim 3 --protocol window", "networks of busses"),
        ("analyze ocpc --nodes 4", "ocpc is a network of busses, which has no routes"),
        ("route mob --shape 4x4 0 1", "mob is a network of busses"),
        ("compare split-hash", "simulate alone takes it"),
        ("generate split-hash --levels 2", "simulate alone takes it"),
        ("simulate ocpc --nodes 4", "add --workload"),
        ("simulate ocpc --nodes 4 --workload local", "unknown workload 'local'"),
        ("simulate ocpc --nodes 4 --workload h-relation --h 0", "use 1 to 4096"),
        ("simulate ocpc --nodes 4 --workload permutation --h 2", "--h is for"),
        ("simulate ocpc --nodes 8 --workload permutation --depth 9", "leave --depth out"),
        ("simulate mob --shape 4x2 --workload transpose", "read the same backwards"),
        ("simulate hypercube --dim 3 --workload h-relation", "unknown workload"),
        ("simulate hypercube --dim 3 --workload permutation --h 2", "networks of busses"),
        ("simulate hypercube --dim 3 --side 2", "leave --side out"),
        ("simulate split-hash --side 5 --levels 3 --factor 2", "use a side of at least 6"),
        ("simulate split-hash --side 8 --levels 2 --factor 1", "use 2 to 1024"),
        ("simulate split-hash --side 8 --levels 2", "split-hash takes"),
        ("simulate split-hash --side 8 --levels 2 --factor 2 --batches 65", "more than the 64"),
        ("simulate split-hash --side 8 --levels 2 --factor 2 --hashing one", "collide alike"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let run = run_in(folder.path(), line);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{line}");
        assert!(run.stderr.contains(text), "{line}: {}", run.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{line}");
    }
}

/// The rows of a table of docs/optical.md whose header begins with this.
fn table(header: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/optical.md"));
    let page = page.unwrap();
    let from = page.find(header).unwrap_or_else(|| panic!("no {header}"));
    let rows = page[from..].lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// `mean (largest)` of the slots of a line's runs.
fn slots(line: &str) -> String {
    let slots = &simulated(line)["summary"]["slots"];
    format!("{:.1} ({})", slots["mean"].as_f64().unwrap(), slots["largest"].as_f64().unwrap())
}

/// Rows of up to 1,024 nodes, computed again.
#[test]
fn the_slots_of_one_bus() {
    let rows = table("| N | h | `window`");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[0].parse::<u32>().unwrap() <= 256) {
        for (protocol, cell) in ["window", "backoff", "thinning"].iter().zip(&row[2..]) {
            let line = format!(
                "ocpc --nodes {} --workload h-relation --h {} --protocol {protocol} --runs 100",
                row[0], row[1]
            );
            assert_eq!(slots(&line), *cell, "{line}");
            again += 1;
        }
    }
    assert!(again >= 15);
}

#[test]
fn the_slots_of_meshes() {
    let rows = table("| sides | workload |");
    let mut again = 0;
    for row in rows.iter().filter(|row| ["8x8", "16x16", "8x8x8"].contains(&&*row[0])) {
        let (sides, workload) = (&row[0], &row[1]);
        for (protocol, cell) in ["backoff", "window", "thinning"].iter().zip(&row[2..]) {
            let line = format!(
                "mob --shape {sides} --workload {workload} --protocol {protocol} --runs 100"
            );
            assert_eq!(slots(&line), *cell, "{line}");
            again += 1;
        }
    }
    assert!(again >= 12);
}

#[test]
fn the_livelocks_of_split_hash() {
    let rows = table("| d | k | a | batches |");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[1].parse::<u32>().unwrap() <= 16 && row[0] == "2") {
        let network = format!(
            "split-hash --side {} --levels {} --factor {} --batches {} --runs 100",
            row[1], row[0], row[2], row[3]
        );
        let report = simulated(&network);
        let share = report["livelock_share"].as_f64().unwrap();
        let mean = report["slots"]["mean"].as_f64().unwrap();
        assert_eq!([format!("{share:.2}"), format!("{mean:.1}")], row[4..6], "{network}");
        again += 1;
    }
    assert!(again >= 6);
}
