//! `simulate` and `verify`, run.

mod common;

use common::{run, run_in, tree};
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

#[test]
fn a_waveform_replaces_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vcd");
    fs::write(&path, "old").unwrap();
    let line = "simulate hypercube --dim 1 --engine rtl --cycles 20 --warmup 0 --vcd x.vcd";
    let run = run_in(folder.path(), line);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("$enddefinitions") && text.contains("s_axis_tvalid"));
    assert_eq!(tree(folder.path()).len(), 1, "nothing is left beside it");
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
