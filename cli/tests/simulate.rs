//! `simulate` and `verify`, run.

use crate::common::traffic::on_both_engines;
use crate::common::{json, run, run_in};
use serde_json::Value;
use std::fs;

/// The RTL reports the figures of the reference router, for every relation.
#[test]
fn the_rtl_equals_the_reference_router() {
    for (k, routing) in [(2, "ecube"), (2, "rotation"), (3, "ecube"), (3, "rotation")] {
        for traffic in ["uniform", "transpose", "all-pairs", "hotspot"] {
            let line = format!(
                "simulate hypercube --dim {k} --routing {routing} --traffic {traffic} --load 0.4 \
                 --packet-length 3 --cycles 500 --warmup 100"
            );
            let ([reference, rtl], comparison) = on_both_engines(&line);
            let most = rtl["cycles"].as_u64().unwrap() - rtl["settle_cycles"].as_u64().unwrap();
            assert_eq!(comparison["cycles"], most);
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
            let ([reference, rtl], comparison) = on_both_engines(&line);
            assert_eq!(comparison["cycles"], rtl["cycles"]);
            assert_eq!(rtl["outcome"], "delivered");
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
            assert_eq!(report["pipelined"]["backlog_growth"].is_null(), !pipelined);
            // Nine rounds are too few to tell.
            assert!(report["pipelined"]["keeps_up"].is_null());
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
        // Of seven flits six cross three channels; measured to the last delivery.
        assert_eq!(report["hops_per_flit"].as_f64().unwrap(), 18.0 / 7.0);
        assert_eq!(report["measured_cycles"], report["cycles"]);
        assert!(report["measured_cycles"].as_u64().unwrap() > 901);
        let per_node = 7.0 / (8.0 * report["cycles"].as_f64().unwrap());
        for throughput in ["offered_throughput", "accepted_throughput"] {
            assert!((report[throughput].as_f64().unwrap() - per_node).abs() < 1e-12);
        }
        assert!(report["verdict"].is_null());
        let text = run_in(folder.path(), &line).stdout;
        assert!(text.contains("traffic: trace") && text.contains("to the last delivery"), "{text}");
        for word in ["saturated", "steady", "confidence"] {
            assert!(!text.to_lowercase().contains(word), "{text}");
        }
    }
}

/// Saturated, steady and too short a run: what is said, in the same columns.
#[test]
fn verdicts_and_intervals_are_in_every_format() {
    let line = "simulate hypercube --dim 4 --routing rotation --packet-length";
    let mut columns = None;
    for (options, verdict, words) in [
        ("4 --load 0.7 --cycles 5000", "saturated", "SATURATED: less is delivered"),
        ("1 --load 0.2 --cycles 40000", "steady", "mean from release"),
        ("4 --load 0.3 --cycles 300", "undecided", "would probably do, --cycles auto"),
    ] {
        let line = format!("{line} {options}");
        let report = json(&line);
        assert_eq!(report["verdict"], verdict, "{line}");
        for mean in ["latency", "network_latency"] {
            let interval = &report[format!("{mean}_interval")];
            let ends = ["low", "high"].map(|end| interval[end].as_f64());
            match ends {
                [Some(low), Some(high)] => {
                    let mean = report[mean]["mean"].as_f64().unwrap();
                    assert!(verdict == "steady" && low < mean && mean < high, "{interval}");
                }
                ends => assert!(verdict != "steady" && ends == [None, None], "{line}"),
            }
        }
        let text = run(&line).stdout;
        assert!(text.contains("verdict: ") && text.contains(words), "{text}");
        let csv = run(&format!("{line} --format csv")).stdout;
        let (names, values) = csv.trim_end().split_once('\n').unwrap();
        assert!(names.contains(",latency_interval_low,latency_interval_high,"), "{names}");
        assert!(values.contains(&format!(",{verdict},")), "{values}");
        assert_eq!(*columns.get_or_insert_with(|| names.to_owned()), names);
    }
}

/// 4,000 packets of one node in one cycle arrive one by one.
#[test]
fn percentiles_of_a_burst_are_those_of_its_packets() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "0,000,001,1\n".repeat(4000);
    fs::write(folder.path().join("t.csv"), format!("cycle,source,destination,flits\n{rows}"))
        .unwrap();
    let run = run_in(folder.path(), "simulate hypercube --dim 3 --trace t.csv --format json");
    let latency = &serde_json::from_str::<Value>(&run.stdout).unwrap()["latency"];
    let max = latency["max"].as_u64().unwrap();
    let of = |name: &str| latency[name].as_u64().unwrap();
    assert_eq!((of("p50"), latency["mean"].as_f64().unwrap()), (max - 2000, max as f64 - 1999.5));
    assert!((max - 200..=max - 196).contains(&of("p95")), "{latency}");
    assert!((max - 40..=max - 36).contains(&of("p99")), "{latency}");
}

/// A warm-up that a deadlock ends was neither given so nor found.
#[test]
fn a_deadlock_ends_the_warm_up() {
    let line = "simulate hypercube --dim 4 --routing rotation --load 1 --reply 1 --reply-room 1";
    for warm_up in ["", "--warmup 1000"] {
        let run = run(&format!("{line} {warm_up}"));
        assert!(
            run.code == 1 && run.stdout.contains("cut off: the run ended in it"),
            "{}",
            run.stdout
        );
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
    assert_eq!(
        (&report["outcome"], &report["verdict"]),
        (&"not-drained".into(), &"saturated".into())
    );
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

/// The machine of steps: what the options say is what runs, seed by seed.
#[test]
fn the_machine_of_steps() {
    let cube = "simulate hypercube --dim 4 --machine steps --routing";
    let whole =
        json(&format!("{cube} two-phase --barrier --traffic permutation --seed 5 --runs 3"));
    let runs = whole["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    for (seed, run) in (5..).zip(runs) {
        // A run is that of its seed alone.
        let line = format!("{cube} two-phase --barrier --traffic permutation --seed {seed}");
        assert_eq!(&json(&line)["runs"][0], run);
        let steps = |phase: &str| run[phase].as_u64().unwrap();
        assert_eq!(steps("first_phase_steps") + steps("second_phase_steps"), steps("steps"));
    }
    let of = |field: &str| runs.iter().map(|run| run[field].as_u64().unwrap()).collect::<Vec<_>>();
    let summary = &whole["summary"];
    for field in ["steps", "first_phase_steps", "longest_queue", "max_link_load", "max_delay"] {
        let (largest, sum) = (of(field).into_iter().max(), of(field).iter().sum::<u64>());
        assert_eq!(summary[field]["largest"].as_u64(), largest, "{field}");
        assert_eq!(summary[field]["mean"].as_f64(), Some(sum as f64 / 3.0), "{field}");
    }
    assert_eq!(summary["bounds"]["steps"], 32);
    assert_eq!(summary["violations"], 0);
    let drawn = json(&format!("{cube} two-phase --traffic permutation --seed 5"));
    assert_eq!(drawn["runs"][0]["second_phase_steps"], Value::Null);
    assert!(drawn["runs"][0]["steps"].as_u64() <= runs[0]["steps"].as_u64());

    // Intermediate terminals that are a permutation are others, and the report says so.
    let permuted =
        json(&format!("{cube} two-phase --traffic permutation --seed 5 --drawn permutation"));
    assert_ne!(permuted["runs"], drawn["runs"]);
    assert_eq!(
        (&permuted["drawn"], &drawn["drawn"]),
        (&"permutation".into(), &"independent".into())
    );

    // The pattern of a name is the traffic of that name; a file has a packet for each word.
    let by = |options: &str| json(&format!("{cube} ecube {options}"))["runs"].clone();
    assert_eq!(by("--pattern transpose"), by("--traffic transpose"));
    assert_eq!(by("--pattern permutation:9 --seed 9"), by("--traffic permutation --seed 9"));
    assert_ne!(by("--traffic uniform"), by("--traffic bit-complement"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.pattern"), "0000 0111\n0000 0001 2\n").unwrap();
    for (rule, steps, delay) in [("first-come", 3, 2), ("farthest-first", 3, 2)] {
        let line = format!("{cube} ecube --pattern my.pattern --queueing {rule} --format json");
        let run = run_in(folder.path(), &line);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let found = &report["runs"][0];
        assert_eq!(
            (&found["steps"], &found["max_delay"]),
            (&steps.into(), &delay.into()),
            "{rule}"
        );
        assert_eq!((&found["packets"], &found["longest_queue"]), (&3.into(), &3.into()));
        assert_eq!(report["queueing"], rule);
    }
    // Where the one that goes far came last, it is the rule that tells.
    fs::write(folder.path().join("my.pattern"), "0000 0001 2\n0000 0111\n").unwrap();
    for (rule, steps) in [("first-come", 5), ("farthest-first", 3)] {
        let line = format!("{cube} ecube --pattern my.pattern --queueing {rule} --format json");
        let run = run_in(folder.path(), &line);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(report["runs"][0]["steps"], steps, "{rule}");
    }
}
