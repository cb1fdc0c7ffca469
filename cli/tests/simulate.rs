//! `simulate` and `verify`, run.

mod common;

use common::{run, run_in};
use serde_json::Value;
use std::fs;

fn json(line: &str) -> Value {
    let run = run(&format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// The RTL reports the figures of the reference router, for every relation.
#[test]
fn the_rtl_equals_the_reference_router() {
    for (k, routing) in [(2, "ecube"), (2, "rotation"), (3, "ecube"), (3, "rotation")] {
        for traffic in ["uniform", "transpose", "all-pairs", "hotspot"] {
            let line = format!(
                "simulate hypercube --dim {k} --routing {routing} --traffic {traffic} --load 0.4 \
                 --packet-length 3 --cycles 500 --warmup 100"
            );
            let (mut reference, mut rtl) = (json(&line), json(&format!("{line} --engine rtl")));
            assert_eq!(rtl["comparison"]["equal"], true, "{line}");
            let most = rtl["cycles"].as_u64().unwrap() - rtl["settle_cycles"].as_u64().unwrap();
            assert_eq!(rtl["comparison"]["cycles"], most);
            for report in [&mut reference, &mut rtl] {
                let report = report.as_object_mut().unwrap();
                report.remove("engine");
                report.remove("comparison");
            }
            // The drain of a saturated network has a shorter limit on the RTL.
            if reference["outcome"] == "drained" {
                assert_eq!(reference, rtl, "{line}");
            }
        }
    }
}

/// The same for workloads: what is delivered on the reference router is acknowledged in the
/// same cycle on the RTL.
#[test]
fn the_rtl_equals_the_reference_router_on_workloads() {
    for workload in ["permutation --interval 2", "random", "local --interval 3 --packet-length 3"] {
        for options in ["", "--acknowledge", "--acknowledge --pipeline 2"] {
            let line = format!(
                "simulate hypercube --dim 3 --routing rotation --workload {workload} --seed 7 \
                 {options}"
            );
            let rounds = if workload.contains("interval") { "--rounds 20" } else { "" };
            let line = format!("{line} {rounds}");
            let (mut reference, mut rtl) = (json(&line), json(&format!("{line} --engine rtl")));
            assert_eq!(rtl["comparison"]["equal"], true, "{line}");
            assert_eq!(rtl["comparison"]["cycles"], rtl["cycles"]);
            assert_eq!(rtl["outcome"], "delivered");
            for report in [&mut reference, &mut rtl] {
                let report = report.as_object_mut().unwrap();
                report.remove("engine");
                report.remove("comparison");
            }
            assert_eq!(reference, rtl, "{line}");
        }
    }
}

/// Acknowledgements deadlock where terminals take messages in only while they have room, and
/// not where they take everything.
#[test]
fn a_deadlocked_workload_is_no_success() {
    let line = "simulate hypercube --dim 4 --routing rotation --workload random --interval 1 \
                --acknowledge";
    assert_eq!(json(line)["outcome"], "delivered");
    for format in ["text", "json", "csv"] {
        let run = run(&format!("{line} --acknowledgement-room 1 --format {format}"));
        assert_eq!((run.code, &*run.stderr), (1, ""), "{format}");
        assert!(run.stdout.to_lowercase().contains("deadlocked"), "{}", run.stdout);
    }
    // The room that it is said to need is enough.
    let bound = json(line)["most_unacknowledged"].as_u64().unwrap();
    assert_eq!(json(&format!("{line} --acknowledgement-room {bound}"))["outcome"], "delivered");
}

/// Every format has the figures of every kind.
#[test]
fn workloads_of_every_kind_report_in_every_format() {
    for workload in ["permutation", "random", "local", "transpose", "bit-complement"] {
        for options in ["", "--interval 5 --rounds 9", "--acknowledge"] {
            let line = format!("simulate hypercube --dim 3 --workload {workload} {options}");
            let report = json(&line);
            let pipelined = options.contains("interval");
            assert_eq!(report["workload"]["name"], workload);
            assert_eq!(report["messages"], if pipelined { 72 } else { 8 });
            assert_eq!(report["pipeline"]["keeps_up"].is_null(), !pipelined);
            assert_eq!(report["round_trip"].is_null(), !options.contains("acknowledge"));
            let csv = run(&format!("{line} --format csv")).stdout;
            let (names, values) = csv.trim_end().split_once('\n').unwrap();
            assert!(names.contains("latency_p99") && names.contains("round_time_max"), "{names}");
            assert!(values.contains(&format!(",{workload},")), "{values}");
            let text = run(&line).stdout;
            assert!(text.contains(&format!("workload: {workload}")), "{text}");
            assert_eq!(text.contains("whole round"), pipelined);
        }
    }
}

#[test]
fn a_trace_is_run_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "cycle,source,destination,flits\n0,000,111,4\n0,111,000,2\n# a pause\n900,011,011,1\n";
    fs::write(folder.path().join("t.csv"), text).unwrap();
    for engine in ["reference", "rtl"] {
        let line = format!("simulate hypercube --dim 3 --trace t.csv --engine {engine}");
        let run = run_in(folder.path(), &format!("{line} --format json"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{engine}");
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(report["delivered_packets"], 3);
        assert_eq!(report["delivered_flits"], 7);
        assert_eq!(report["traffic"]["pattern"], "trace");
        assert_eq!(report["measured_cycles"], 901);
        let text = run_in(folder.path(), &line).stdout;
        assert!(text.contains("traffic: trace"), "{text}");
    }
}

/// With one virtual channel only, and the report says so in every format.
#[test]
fn a_deadlock_is_no_success() {
    let line = "simulate hypercube --dim 4 --routing rotation --load 1 --packet-length 16";
    for format in ["text", "json", "csv"] {
        let run = run(&format!("{line} --vcs 1 --format {format}"));
        assert_eq!((run.code, &*run.stderr), (1, ""), "{format}");
        assert!(run.stdout.to_lowercase().contains("deadlocked"), "{}", run.stdout);
    }
    let report = json(line);
    assert_eq!((&report["outcome"], &report["saturated"]), (&"drained".into(), &true.into()));
    let rtl = run(&format!("{line} --vcs 1 --engine rtl --cycles 2000 --warmup 0"));
    assert_eq!(rtl.code, 1);
    assert!(rtl.stdout.contains("every output equal to the reference router"), "{}", rtl.stdout);
}

#[test]
fn every_relation_verifies() {
    for k in 1..=4 {
        for routing in ["ecube", "rotation", "thacker"] {
            if routing == "thacker" && k != 4 {
                continue;
            }
            let report = json(&format!("verify hypercube --dim {k} --routing {routing}"));
            assert_eq!(report["holds"], true);
            for check in report["checks"].as_array().unwrap() {
                assert_eq!(check["verdict"], "holds", "{routing} {k}: {check}");
            }
        }
    }
}

#[test]
fn what_can_deadlock_does_not_verify() {
    for routing in ["rotation", "thacker"] {
        for format in ["text", "json", "csv"] {
            let line = format!("verify hypercube --dim 4 --routing {routing} --vcs 1");
            let run = run(&format!("{line} --format {format}"));
            assert_eq!((run.code, &*run.stderr), (1, ""), "{line}");
            assert!(run.stdout.contains(" -dim"), "the cycle is drawn: {}", run.stdout);
        }
    }
    // One virtual channel is all that it needs.
    assert_eq!(json("verify hypercube --dim 3 --vcs 1")["holds"], true);
}

#[test]
fn every_parameter_verifies() {
    for options in ["--depth 2 --width 1", "--depth 33", "--keep --user-width 70 --source-id"] {
        json(&format!("verify hypercube --dim 3 --routing rotation {options}"));
    }
}
