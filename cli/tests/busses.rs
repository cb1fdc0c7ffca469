//! Bus fabrics and their workloads on the command line, and the figures of docs/optical.md.

use crate::common::optical::{json, refused, simulated, table, with_interval};
use crate::common::turnpike;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What `generate` says is what the manifest says, and follows from the sides.
#[test]
fn the_manifest_says_what_was_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (line, terminals, busses, crosspoints, order) in [
        ("ocpc --nodes 6", 6, 1, 30, true),
        ("ocpc --nodes 4 --protocol thinning --window 32", 4, 1, 12, false),
        ("ocpc --nodes 12 --protocol rotor --depth 8", 12, 1, 132, true),
        ("mob --shape 3x4 --protocol window --source-id", 12, 7, 60, true),
        ("mob --shape 2x2x3 --exponent 4 --reset low", 12, 16, 48, true),
        // Four functions of one place, five groups of four nodes: 4 busses of 25 senders, 5 of 4.
        (
            "split-hash --side 5 --levels 2 --factor 2 --seed 3",
            25,
            9,
            4 * 25 * 5 + 5 * 4 * 5,
            false,
        ),
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
    for network in ["mob --shape 3x2", "split-hash --side 4 --levels 2 --factor 2"] {
        let report = json(Path::new("."), &format!("verify {network} --width 9 --depth 2"));
        assert_eq!(report["holds"], true, "{network}");
        assert_eq!(report["checks"].as_array().unwrap().len(), 2);
    }
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

/// Two phases spread a transpose; they take twice as many ways, under every protocol.
#[test]
fn two_phases_on_a_mesh() {
    let slots = |report: &Value| report["summary"]["slots"]["mean"].as_f64().unwrap();
    let tries = |report: &Value| report["summary"]["tries"]["mean"].as_f64().unwrap();
    for protocol in ["backoff", "window", "thinning", "rotor"] {
        let line = format!("mob --shape 16x16 --workload transpose --protocol {protocol} --runs 5");
        let (one, two) = (simulated(&line), simulated(&format!("{line} --two-phase")));
        assert_eq!((&one["two_phase"], &two["two_phase"]), (&false.into(), &true.into()));
        assert_eq!(two["summary"]["given_up"], 0, "{protocol}");
        assert_eq!(one["runs"][0]["words"], two["runs"][0]["words"]);
        if protocol == "rotor" {
            assert!(tries(&one) < tries(&two));
        }
        if protocol == "backoff" || protocol == "window" {
            assert!(slots(&two) < slots(&one), "{protocol}: {} {}", slots(&two), slots(&one));
        }
    }
}

/// Figures of networks, by hand: k^d nodes, and the lengths k and k + k a_i of the papers.
#[test]
fn analyze_counts_busses() {
    for (network, busses, lengths, degree, crosspoints, diameter) in [
        ("ocpc --nodes 64", vec![1], vec![64], 1, 64 * 63, 1),
        ("mob --shape 8x8", vec![8, 8], vec![8, 8], 2, 2 * 8 * 56, 2),
        ("mob --shape 4x4x4", vec![16; 3], vec![4; 3], 3, 3 * 16 * 12, 3),
        // a_1 = 4: a block of 4 places for each function, 256 senders on 16 busses, 4 each.
        (
            "split-hash --side 16 --levels 2 --factor 2",
            vec![16, 16],
            vec![16 + 64, 32],
            4,
            256 * 4 * 16 + 256 * 16,
            2,
        ),
    ] {
        let report = json(Path::new("."), &format!("analyze {network}"));
        assert_eq!(report["topology"], network);
        let column = |name: &str| -> Vec<u64> {
            let rows = report["busses"].as_array().unwrap();
            rows.iter().map(|row| row[name].as_u64().unwrap()).collect()
        };
        assert_eq!(column("count"), busses, "{network}");
        assert_eq!(column("length"), lengths, "{network}");
        assert_eq!(column("length_of_the_paper"), lengths, "{network}");
        let figures = ["degree", "crosspoints", "diameter"].map(|name| report[name].as_u64());
        assert_eq!(figures, [Some(degree), Some(crosspoints), Some(diameter)], "{network}");
    }
}

/// Busses stand beside switched networks of as many terminals.
#[test]
fn busses_beside_switched_networks() {
    let mesh = "mob --shape 4x4";
    let window = "mob --shape 4x4 --protocol window --window 8";
    let compared = |networks: &[&str], format: &str| {
        let given = networks.iter().flat_map(|network| ["--network", network]);
        turnpike(["compare", "--format", format].into_iter().chain(given))
    };
    let report = compared(&["hypercube --dim 4", mesh, window], "json");
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let (rows, busses) = (&report["rows"], &report["busses"]);
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["processors"], busses[0]["terminals"]);
    let throughput = |row: &Value| row["saturation_throughput"].as_f64().unwrap();
    // A window of 8 on busses of 4 wastes slots.
    assert!(throughput(&busses[1]) < throughput(&busses[0]));
    assert!(throughput(&busses[0]) < throughput(&rows[0]));
    let unlike = "unlike numbers of terminals";
    assert!(compared(&["ocpc --nodes 8", mesh], "text").stdout.contains(unlike));
    assert!(!compared(&["ocpc --nodes 16", mesh], "text").stdout.contains(unlike));
    let csv = compared(&["hypercube --dim 4", mesh], "csv");
    assert!(csv.code == 2 && csv.stderr.contains("use --format json"), "{}", csv.stderr);
}

/// The table of docs/optical.md beside switched networks.
#[test]
fn the_table_of_the_manual() {
    let manual = include_str!("../../docs/optical.md");
    let rows: Vec<Vec<&str>> = manual
        .split_once("| 64 terminals |")
        .unwrap()
        .1
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 7);
    let words = rows.iter().map(|row| row[0].split('`').nth(1).unwrap());
    let given = words.flat_map(|network| ["--network", network]);
    let report = turnpike(["compare", "--format", "json"].into_iter().chain(given));
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let found = |list: &str, fields: [&str; 5]| -> Vec<[String; 5]> {
        let list = report[list].as_array().unwrap().clone();
        let cell = |row: &Value, field: &str| match &row[field] {
            Value::Null => String::new(),
            Value::Number(n) if n.is_f64() => format!("{:.3}", n.as_f64().unwrap()),
            other => other.to_string(),
        };
        list.iter().map(|row| fields.map(|field| cell(row, field))).collect()
    };
    let fields = ["degree", "longest_bus", "crosspoints", "diameter", "saturation_throughput"];
    let mut expected = found("busses", fields);
    let fields = ["ports_per_switch", "absent", "crosspoints", "diameter", "saturation_throughput"];
    expected.extend(found("rows", fields));
    for (row, expected) in rows.iter().zip(expected) {
        let degree = row[1].trim_end_matches(" channels");
        let length = if degree == row[1] { row[2] } else { "" };
        let crosspoints = row[3].replace(',', "");
        assert_eq!([degree, length, &crosspoints, row[4], row[5]], expected, "{row:?}");
    }
}

/// Words of senders that take turns never meet. On one bus each goes over it once, and a permutation
/// of N nodes takes a turn of N - 1 slots at most; on a mesh two may come to a node for one queue.
#[test]
fn turns_have_no_collisions() {
    for network in ["ocpc --nodes 24", "mob --shape 5x4", "mob --shape 4x2x3"] {
        let line = format!("{network} --protocol rotor --workload random-function --runs 5");
        let report = simulated(&line);
        assert_eq!(report["summary"]["given_up"], 0);
        if network.starts_with("mob") {
            continue;
        }
        for run in report["runs"].as_array().unwrap() {
            assert_eq!(run["sent_in_first_slot"], run["delivered_in_first_slot"]);
            assert_eq!(run["sent"], run["words"]);
        }
        let line = format!("{network} --protocol rotor --workload permutation --runs 20");
        let most = simulated(&line)["summary"]["slots"]["largest"].as_f64().unwrap();
        assert!(most <= 23.0, "{most}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    refused(&[
        ("generate ocpc", "the size is missing: ocpc takes --nodes N"),
        ("generate ocpc --nodes 1", "a bus has 2 to 1048576 nodes, not 1"),
        ("generate ocpc --nodes 2000", "number of nodes 2000 is out of range; use 2 to 1024"),
        ("generate mob --shape 200x2", "nodes on a bus 200 is out of range; use 2 to 128"),
        ("generate mob --nodes 4", "mob takes --shape SIDES; leave --nodes out"),
        ("generate mob --shape 1,2,4", "not --shape 1,2,4"),
        ("generate ocpc --nodes 4 --concentration 2", "leave --concentration out"),
        ("generate ocpc --nodes 4 --routing ecube", "no routes; leave --routing out"),
        ("generate ocpc --nodes 4 --kind circuit", "leave --kind out"),
        ("generate ocpc --nodes 4 --keep", "leave --keep out"),
        ("generate ocpc --nodes 4 --picture", "it is for --kind switched; leave --picture out"),
        ("generate ocpc --nodes 4 --selftest ulx3", "unknown board 'ulx3'"),
        ("generate ocpc --nodes 4 --width 5 --selftest ulx3s-85f", "use --width 6 or more"),
        (
            "generate ocpc --nodes 64 --exponent 1 --selftest ulx3s-85f",
            "use another --protocol, --window or --exponent",
        ),
        ("synth ocpc --nodes 4 --target ecp5-85k --crossbar full", "has no crossbar"),
        (
            "synth mob --shape 2x2 --target ecp5-85k --part switch",
            "use --part node or --part fabric",
        ),
        (
            "synth split-hash --side 5 --levels 2 --factor 2 --target ecp5-85k --part switch",
            "it is measured whole; leave --part out",
        ),
        ("synth benes --dim 2 --kind circuit --target ecp5-85k --part node", "measured whole"),
        ("generate ocpc --nodes 4 --protocol widow", "did you mean 'window'?"),
        ("generate ocpc --nodes 4 --protocol window --window 1", "sends in every slot"),
        ("generate ocpc --nodes 4 --protocol window --window 5000", "use 2 to 4096"),
        ("generate ocpc --nodes 4 --protocol thinning --window 24", "no power of two"),
        ("generate ocpc --nodes 4 --protocol thinning --window 4", "use a window above 4"),
        ("generate ocpc --nodes 4 --exponent 17", "exponent 17 is out of range; use 1 to 16"),
        (
            "generate ocpc --nodes 4 --window 4",
            "add --protocol window or thinning, or leave --window out",
        ),
        ("generate ocpc --nodes 4 --protocol schedule", "--protocol rotor is a time table"),
        ("generate ocpc --nodes 4 --protocol rotor --window 4", "leave --window out"),
        ("generate mob --shape 4x3 --protocol rotor", "use it on one bus"),
        (
            "simulate ocpc --nodes 16385 --protocol rotor --workload permutation",
            "up to 16384 nodes on a bus",
        ),
        ("generate ocpc --nodes 4 --protocol rotor --exponent 4", "leave --exponent out"),
        ("generate ocpc --nodes 4 --protocol rotor --draw-seed 4", "leave --draw-seed out"),
        ("generate ocpc --nodes 4 --protocol rotor --depth 65", "use a depth of at most 64"),
        ("generate hypercube --dim 3 --protocol window", "networks of busses"),
        ("worst ocpc --nodes 4", "ocpc is a network of busses, which has no routes"),
        ("analyze ocpc --nodes 4 --pattern transpose", "leave --pattern out"),
        ("analyze ocpc --nodes 4 --svg x.svg", "leave --svg out"),
        ("analyze mob --shape 4x4 --depth 8", "leave --depth out"),
        ("analyze mob --shape 4x4 --side 8", "leave --side out"),
        ("analyze hypercube --dim 3 --factor 2", "leave --factor out"),
        ("analyze split-hash --side 3 --levels 2 --factor 2", "use a side of at least 4"),
        ("analyze split-hash --side 8 --levels 2", "split-hash takes --side K"),
        ("route mob --shape 4x4 0 1", "mob is a network of busses"),
        ("compare split-hash", "split-hash is a network of busses, which has no routes"),
        ("generate split-hash --levels 2", "split-hash takes --side K --levels D --factor A"),
        ("generate split-hash --side 3 --levels 2 --factor 2", "use a side of at least 4"),
        ("generate split-hash --side 5 --levels 3 --factor 2", "use a side of at least 6"),
        (
            "generate split-hash --side 4 --levels 2 --factor 1",
            "factor 1 is out of range; use 2 to",
        ),
        (
            "generate split-hash --side 33 --levels 2 --factor 2",
            "number of nodes of a level 1089 is out of range; use 2 to 1024",
        ),
        (
            "generate split-hash --side 12 --levels 2 --factor 6",
            "number of senders on a bus 144 is out of range; use 2 to 128",
        ),
        (
            "generate split-hash --side 4 --levels 2 --factor 2 --protocol rotor",
            "functions take turns, and the senders of a place meet in its slot; use another protocol",
        ),
        (
            "generate split-hash --side 4 --levels 2 --factor 2 --protocol schedule",
            "is for simulate ocpc and mob: a fabric takes words as they come; use backoff",
        ),
        (
            "generate split-hash --side 4 --levels 2 --factor 2 --on-livelock stop",
            "unknown option '--on-livelock'",
        ),
        ("verify split-hash --side 4 --levels 2 --factor 2 --routing ecube", "leave --routing out"),
        ("verify split-hash --side 4 --levels 2 --factor 2 --kind circuit", "leave --kind out"),
        (
            "synth split-hash --side 4 --levels 2 --factor 2 --target ecp5-85k --part node",
            "its nodes are not alike",
        ),
        ("generate ocpc --nodes 4 --seed 2", "leave --seed out"),
        ("generate hypercube --dim 3 --seed 2", "split&hash networks alone have funnels"),
        ("simulate ocpc --nodes 4", "add --workload"),
        ("simulate ocpc --nodes 4 --workload local", "unknown workload 'local'"),
        ("simulate ocpc --nodes 4 --workload h-relation --h 0", "use 1 to 4096"),
        (
            "simulate ocpc --nodes 4 --workload permutation --h 2",
            "add --workload h-relation, or leave --h out",
        ),
        (
            "simulate mob --shape 4x4 --workload permutation --protocol schedule --two-phase",
            "the way of every word; leave --two-phase out",
        ),
        ("simulate hypercube --dim 3 --two-phase", "others take --routing two-phase"),
        ("simulate ocpc --nodes 8 --workload permutation --depth 9", "leave --depth out"),
        ("simulate mob --shape 4x2 --workload transpose", "read the same backwards"),
        ("simulate hypercube --dim 3 --workload h-relation", "unknown workload"),
        ("simulate hypercube --dim 3 --workload permutation --h 2", "networks of busses"),
        ("simulate hypercube --dim 3 --side 2", "leave --side out"),
    ]);
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
fn the_slots_of_two_phases() {
    let rows = table("| sides | workload | `backoff` | two phases |");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[0] == "8x8" || row[0] == "16x16") {
        for (protocol, cells) in
            ["backoff", "thinning", "window", "rotor"].iter().zip(row[2..].chunks(2))
        {
            for (two, cell) in ["", " --two-phase"].iter().zip(cells) {
                let line = format!(
                    "mob --shape {} --workload {} --protocol {protocol} --runs 100{two}",
                    row[0], row[1]
                );
                assert_eq!(with_interval(&simulated(&line)["summary"]["slots"]), *cell, "{line}");
                again += 1;
            }
        }
    }
    assert!(again >= 32);
}
