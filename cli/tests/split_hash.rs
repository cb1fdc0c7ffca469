//! Split&hash networks on the command line, and their figures in docs/optical.md.

use crate::common;

use crate::common::optical::{refused, simulated, table, with_interval};
use crate::common::run;
use serde_json::Value;

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
    let text = common::run(&line.replace("json", "text"));
    assert!(text.stdout.contains("1 run(s) did not end"), "{}", text.stdout);
    // Nodes that are silent at times get past such functions.
    let relation = line.replace("--on-livelock stop", "--workload h-relation --h 2");
    assert_eq!(common::run(&relation).code, 0);
}

/// What functions of one permutation leave goes by the time table: every run ends.
#[test]
fn a_time_table_ends_every_livelock() {
    let report = simulated(
        "split-hash --side 16 --levels 2 --factor 2 --batches 8 --hashing one --on-livelock table \
         --runs 5",
    );
    assert_eq!(report["on_livelock"], "table");
    for run in report["runs"].as_array().unwrap() {
        let count = |field: &str| run[field].as_u64().unwrap();
        // Two levels: a slot of each at least.
        assert!(count("by_table") > 0 && count("table_slots") >= 2, "{run}");
        assert!(count("slots") > count("table_slots"), "{run}");
    }
}

/// The last step takes as many slots as a sink gets packets, at least, and no permutation has one.
#[test]
fn workloads_of_several_packets_have_a_last_step() {
    let network = "split-hash --side 16 --levels 2 --factor 2";
    for (workload, h) in [("permutation", 1), ("random-function", 1), ("h-relation --h 4", 4)] {
        let report = simulated(&format!("{network} --workload {workload} --runs 3"));
        assert_eq!(report["h"], h);
        assert_eq!(report["workload"], workload.split(' ').next().unwrap());
        for run in report["runs"].as_array().unwrap() {
            let last = &run["last_step"];
            assert_eq!(last.is_null(), workload == "permutation");
            if last.is_null() {
                continue;
            }
            assert!(last["slots"].as_u64() >= last["most_wanted"].as_u64(), "{run}");
            assert!(last["slots"].as_u64() < run["slots"].as_u64(), "{run}");
            let wanted = last["most_wanted"].as_u64().unwrap();
            assert!(if h > 1 { wanted == h } else { wanted > 1 }, "{run}");
        }
        let text = run(&format!("simulate {network} --workload {workload}"));
        assert_eq!(text.stdout.contains("last step: "), workload != "permutation");
        assert!(text.stdout.contains("in 8 batches"));
    }
}

/// On a mesh of d dimensions busses have k nodes, and a step takes 2 a_i phases of 2i + 2 slots, where
/// the blocks fill the level.
#[test]
fn a_network_on_a_mesh_of_busses() {
    let network = "split-hash --side 16 --levels 2 --factor 2";
    let own = simulated(&format!("{network} --batches 256"));
    let mesh = simulated(&format!("{network} --batches 256 --medium mob"));
    assert_eq!(own["medium"], network);
    assert_eq!(mesh["medium"], "mob --shape 16x16");
    let figures = ["longest_bus", "degree"].map(|field| mesh[field].as_u64());
    assert_eq!(figures, [Some(16), Some(2)]);
    // A packet alone takes a step to level 1, and one to its sink.
    let slots = |report: &Value| report["runs"][0]["slots"].as_u64().unwrap();
    assert_eq!(slots(&own), 256 * 2);
    assert_eq!(slots(&mesh), 256 * (2 * 4 * 4 + 1));
}

#[test]
fn wrong_usage_is_refused() {
    let network = "simulate split-hash --side 8 --levels 2 --factor 2";
    let lines = [
        ("--batches 65", "more than the 64"),
        ("--hashing one", "collide alike"),
        ("--protocol window", "go by the Funnel Algorithm; leave --protocol out"),
        ("--window 8", "leave --window out"),
        ("--exponent 4", "leave --exponent out"),
        ("--two-phase", "leave --two-phase out"),
        ("--h 2", "add --workload h-relation, or leave --h out"),
        ("--workload h-relation --h 0", "use 1 to 4096"),
        ("--workload h-relation --h 1025", "use 1 to 1024"),
        ("--workload transpose", "use --workload permutation, random-function or h-relation"),
        ("--medium air", "invalid value 'air'"),
        ("--on-livelock wait", "invalid value 'wait'"),
    ];
    let lines = lines.map(|(words, text)| (format!("{network} {words}"), text));
    refused(&lines.each_ref().map(|(line, text)| (&**line, *text)));
    refused(&[
        ("simulate split-hash --side 5 --levels 3 --factor 2", "use a side of at least 6"),
        ("simulate split-hash --side 8 --levels 2 --factor 1", "use 2 to 1024"),
        ("simulate split-hash --side 8 --levels 2", "split-hash takes"),
        (
            "simulate split-hash --side 257 --levels 2 --factor 2 --medium mob",
            "take up to 65536 nodes, not 66049",
        ),
        ("simulate mob --shape 4x4 --medium mob", "leave --medium out"),
        ("simulate mob --shape 4x4 --on-livelock table", "leave --on-livelock out"),
    ]);
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

/// The slots of a report.
fn slots(report: &Value) -> String {
    with_interval(&report["slots"])
}

/// The mean of a field over the runs of a report.
fn mean(report: &Value, of: impl Fn(&Value) -> Option<f64>) -> f64 {
    let runs = report["runs"].as_array().unwrap();
    let values: Vec<f64> = runs.iter().filter_map(of).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn livelocks_ended_by_a_time_table() {
    let rows = table("| d | k | a | batches | runs with a livelock | slots, `rehash`");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[0] == "2" && row[1] != "64") {
        let network = format!(
            "split-hash --side {} --levels {} --factor {} --batches {} --runs 100",
            row[1], row[0], row[2], row[3]
        );
        let report = simulated(&network);
        let share = report["livelock_share"].as_f64().unwrap();
        assert_eq!([format!("{share:.2}"), slots(&report)], row[4..6], "{network}");
        let report = simulated(&format!("{network} --on-livelock table"));
        let field = |name: &str| format!("{:.1}", mean(&report, |run| run[name].as_f64()));
        assert_eq!(
            [slots(&report), field("by_table"), field("table_slots")],
            row[6..],
            "{network}"
        );
        again += 1;
    }
    assert!(again >= 4);
}

#[test]
fn the_slots_of_random_functions_and_relations() {
    let rows = table("| d | k | workload | slots |");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[0] == "2" && row[1] == "16" && !row[2].contains("16")) {
        let line =
            format!("split-hash --side 16 --levels 2 --factor 2 --workload {} --runs 100", row[2]);
        let report = simulated(&line);
        let share = report["livelock_share"].as_f64().unwrap();
        assert_eq!([slots(&report), format!("{share:.2}")], row[3..5], "{line}");
        if row[2] != "permutation" {
            let last = mean(&report, |run| run["last_step"]["slots"].as_f64());
            assert_eq!(format!("{last:.1}"), row[5], "{line}");
        }
        if row[2].starts_with("h-relation") {
            let left = mean(&report, |run| run["levels"][0]["left_by_thinning"].as_f64());
            assert_eq!(format!("{left:.4}"), row[7], "{line}");
        }
        again += 1;
    }
    assert!(again >= 5);
}

#[test]
fn the_slots_of_a_mesh_that_simulates() {
    let rows = table("| d | k | batches | workload | own busses | on the mesh |");
    let mut again = 0;
    for row in rows.iter().filter(|row| row[0] == "2" && row[1] != "64") {
        let (side, batches, workload) = (&row[1], &row[2], &row[3]);
        let words = format!("--workload {workload} --runs 100");
        let network = format!("split-hash --side {side} --levels 2 --factor 2 {words}");
        let own = simulated(&format!("{network} --batches {batches}"));
        let line = format!("{network} --batches {batches} --medium mob");
        let mesh = simulated(&line);
        let share = format!("{:.2}", mesh["livelock_share"].as_f64().unwrap());
        let by_table = simulated(&format!("{line} --on-livelock table"));
        let retrying = simulated(&format!("mob --shape {side}x{side} {words}"));
        let retrying = with_interval(&retrying["summary"]["slots"]);
        let found = [slots(&own), slots(&mesh), share, slots(&by_table), retrying];
        assert_eq!(found, row[4..], "{line}");
        again += 1;
    }
    assert!(again >= 6);
}
