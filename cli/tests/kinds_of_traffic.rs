//! Packets of several lengths, requests and replies, and classes of traffic: what `simulate` and `sweep` say of
//! them, and that other engines run them as the reference router does.

use crate::common;

use crate::common::traffic::on_both_engines;
use crate::common::{json, number, rows, run, run_in};
use serde_json::Value;
use std::fs;

/// The RTL reports the figures of the reference router for packets of several lengths, in bursts or not.
#[test]
fn the_rtl_equals_the_reference_router_on_several_lengths() {
    for traffic in ["uniform", "tornado", "permutation", "hotspot"] {
        for burst in ["", "--burst 6"] {
            let line = format!(
                "simulate mesh --shape 3x3 --traffic {traffic} --load 0.3 {burst} \
                 --packet-length 1:0.6,4:0.3,11:0.1 --cycles 400 --warmup 100"
            );
            let rtl = json(&format!("{line} --engine rtl"));
            assert_eq!(rtl["comparison"]["equal"], true, "{line}");
            assert_eq!(rtl["by_length"].as_array().unwrap().len(), 3);
        }
    }
}

/// Lengths stand in every format, and one length has no table.
#[test]
fn several_lengths_are_told_apart() {
    let line = "simulate mesh --shape 3x3 --load 0.3 --packet-length";
    let report = json(&format!("{line} 5:0.2,1:0.8"));
    assert_eq!(report["traffic"]["packet_lengths"], "1:0.8,5:0.2");
    assert!(report["traffic"]["packet_flits"].is_null());
    let lengths = report["by_length"].as_array().unwrap();
    let means = lengths.iter().map(|l| l["latency"]["mean"].as_f64().unwrap());
    let means: Vec<f64> = means.collect();
    assert!(means[0] + 3.0 < means[1], "{means:?}");
    let text = run(&format!("{line} 5:0.2,1:0.8")).stdout;
    assert!(
        text.contains("packets of 1:0.8,5:0.2 flits") && text.contains("\n  5 flits "),
        "{text}"
    );
    let csv = run(&format!("{line} 5:0.2,1:0.8 --format csv")).stdout;
    assert!(csv.contains("\"1:0.8,5:0.2\""), "{csv}");
    assert!(json(&format!("{line} 5"))["by_length"].is_null());
}

/// Lengths with shares leave the load as it is; runs that are kept are told apart by them.
#[test]
fn several_lengths_stand_at_each_point() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = |lengths: &str| {
        let line = format!(
            "sweep mesh --shape 3x3 --load 0.2 --seeds 2 --cycles 3000 --packet-length {lengths} \
             --out {} --format json",
            folder.path().display()
        );
        let run = run(&line);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()["rows"][0].clone()
    };
    let (mixed, one) = (sweep("1:0.8,5:0.2"), sweep("1"));
    assert_eq!(mixed["traffic"]["packet_lengths"], "1:0.8,5:0.2");
    assert!((number(&mixed["offered_throughput"]) - 0.2).abs() < 0.02, "{mixed}");
    let mean = |row: &Value| number(&row["latency"]["mean"]["value"]);
    assert!(mean(&mixed) > mean(&one) + 0.5, "{mixed}");
    // Kept, and found again.
    assert_eq!(sweep("5:0.2,1:0.8"), mixed);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// So it does for packets that are answered: what a request is on the reference router is answered in the same
/// cycle on the RTL.
#[test]
fn the_rtl_equals_the_reference_router_on_replies() {
    for traffic in ["uniform --load 0.15", "permutation --load 0.6", "hotspot --load 0.1 --burst 5"]
    {
        for options in ["--reply 1", "--reply 5 --pipeline 2 --packet-length 1:0.5,3:0.5"] {
            let line = format!(
                "simulate mesh --shape 3x3 --traffic {traffic} {options} --cycles 400 --warmup 100"
            );
            let ([reference, rtl], _) = on_both_engines(&line);
            let replies = &rtl["request_reply"]["replies"]["measured_delivered_packets"];
            assert!(replies.as_u64().unwrap() > 0, "{line}");
            if reference["outcome"] == "drained" {
                assert_eq!(reference, rtl, "{line}");
            }
        }
    }
}

/// Requests, replies and round trips stand in the text; a trace is answered as well.
#[test]
fn requests_and_replies_are_told_apart() {
    let line = "simulate mesh --shape 3x3 --load 0.1 --packet-length 2 --reply 3";
    let text = run(line).stdout;
    for words in ["each answered by 3 flits", "\n  requests ", "\n  replies ", "\n  round trip "] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let csv = run(&format!("{line} --format csv")).stdout;
    assert!(csv.contains(",request_reply_round_trip_mean,"), "{csv}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.csv"), "cycle,source,destination,flits\n0,000,111,2\n")
        .unwrap();
    let run =
        run_in(folder.path(), "simulate hypercube --dim 3 --trace t.csv --reply 2 --format json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let of = |part: &str| report["request_reply"][part]["latency"]["mean"].as_f64().unwrap();
    let trip = report["request_reply"]["round_trip"]["mean"].as_f64().unwrap();
    assert_eq!(trip, of("requests") + 1.0 + of("replies"));
}

/// The points of one seed have the figures of `simulate` for requests, replies and round trips, kept or not.
#[test]
fn requests_and_replies_at_each_point() {
    let options =
        "mesh --shape 3x3 --load 0.1 --packet-length 1:0.5,2:0.5 --reply 3 --cycles 40000";
    let run = json(&format!("simulate {options}"));
    let folder = tempfile::tempdir().unwrap();
    let line = format!("sweep {options} --seeds 1 --out {}", folder.path().display());
    let row = json(&line)["rows"][0].clone();
    assert_eq!((&row["verdict"], &run["verdict"]), (&"steady".into(), &"steady".into()));
    assert_eq!(
        (&row["traffic"]["reply_flits"], &row["traffic"]["reply_room"]),
        (&3.into(), &Value::Null)
    );
    let (of_row, of_run) = (&row["request_reply"], &run["request_reply"]);
    let mean = |latency: &Value| number(&latency["mean"]);
    for (row, run) in [
        (&of_row["requests"], &of_run["requests"]["latency"]),
        (&of_row["replies"], &of_run["replies"]["latency"]),
        (&of_row["round_trip"], &of_run["round_trip"]),
    ] {
        assert_eq!(number(&row["mean"]["value"]), mean(run));
        assert_eq!(number(&row["p99"]["value"]), number(&run["p99"]));
        assert!(row["mean"]["low"].is_number() && row["p99"]["low"].is_null());
    }
    for (row, run) in [("request_throughput", "requests"), ("reply_throughput", "replies")] {
        let accepted = number(&of_run[run]["accepted_throughput"]);
        assert_eq!(number(&of_row[row]["value"]), accepted);
    }
    assert_eq!(json(&line)["rows"][0], row);
    let text = common::run(&format!("sweep {options} --seeds 1")).stdout;
    assert!(text.contains("each answered by 3 flits") && text.contains("  round trip\n"), "{text}");
}

/// With room for one reply the terminals wait for one another, and the report says so in every format.
#[test]
fn a_deadlock_by_replies_is_no_success() {
    let line = "simulate hypercube --dim 4 --routing rotation --load 1 --reply 1";
    for format in ["text", "json", "csv"] {
        let run = run(&format!("{line} --reply-room 1 --format {format}"));
        assert_eq!((run.code, &*run.stderr), (1, ""), "{format}");
        assert!(run.stdout.to_lowercase().contains("deadlocked"), "{}", run.stdout);
        let why = "a terminal that holds 1 reply takes nothing in until it has sent one";
        assert_eq!(run.stdout.contains(why), format == "text", "{}", run.stdout);
    }
    let report = json(line);
    assert_ne!(report["outcome"], "deadlocked");
    assert_eq!(report["verdict"], "saturated");
}

/// Room for one reply deadlocks, and the runs are not stopped before that is seen.
#[test]
fn a_deadlock_by_replies_ends_the_sweep_with_an_error() {
    let line =
        "sweep hypercube --dim 4 --routing rotation --load 1 --seeds 2 --cycles 4000 --reply 1";
    assert_eq!(run(line).code, 0);
    let run = run(&format!("{line} --reply-room 1"));
    assert_eq!((run.code, &*run.stderr), (1, ""));
    assert!(run.stdout.contains("DEADLOCKED"), "{}", run.stdout);
}

const CLASSES: &str = "--class control:share=0.25,packet-length=1 \
     --class data:share=0.75,traffic=tornado,packet-length=2:0.5,6:0.5";

/// So it does for several classes, answered or not.
#[test]
fn the_rtl_equals_the_reference_router_on_classes() {
    for options in ["", "--burst 5", "--reply 2", "--reply 2 --outstanding 2"] {
        let line = format!(
            "simulate mesh --shape 3x3 --load 0.2 {CLASSES} {options} --cycles 400 --warmup 100 --engine rtl"
        );
        let rtl = json(&line);
        assert_eq!(rtl["comparison"]["equal"], true, "{line}");
        for class in rtl["classes"].as_array().unwrap() {
            assert!(class["measured_delivered_packets"].as_u64().unwrap() > 0, "{line}: {class}");
        }
    }
}

/// Classes stand in every format: a table in the text, a line for each in CSV.
#[test]
fn classes_are_told_apart() {
    let line = format!("simulate mesh --shape 3x3 --load 0.2 {CLASSES}");
    let report = json(&line);
    let [control, data] = &report["classes"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!((&control["name"], &control["pattern"]), (&"control".into(), &"uniform".into()));
    assert_eq!(
        (&data["pattern"], &data["packet_lengths"]),
        (&"tornado".into(), &"2:0.5,6:0.5".into())
    );
    assert_eq!((&control["offered_load"], &control["packet_flits"]), (&0.05.into(), &1.into()));
    let text = run(&line).stdout;
    for words in [
        "\n  class control: share 0.25, uniform, packets of 1 flit\n",
        "\n  class data: share 0.75, tornado, packets of 2:0.5,6:0.5 flits\n",
        "\nBy class, latency in cycles from release\n",
        "\n  control ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let rows = rows(&run(&format!("{line} --format csv")).stdout);
    assert_eq!(rows.len(), 2);
    for (row, class) in rows.iter().zip([control, data]) {
        assert_eq!(row["class_name"], *class["name"].as_str().unwrap());
        assert_eq!(row["class_latency_p99"], class["latency"]["p99"].to_string());
        assert_eq!(row["latency_p99"], report["latency"]["p99"].to_string());
    }
    // Hotspots may be of a class alone.
    let report = json(
        "simulate mesh --shape 3x3 --hotspot 1_1 --class a:share=0.5,traffic=hotspot \
         --class b:share=0.5,traffic=uniform",
    );
    assert_eq!(
        (&report["hotspots"][0], &report["traffic"]["pattern"]),
        (&"1_1".into(), &"classes".into())
    );
}

/// A list of a configuration file is as many classes.
#[test]
fn classes_from_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        "shape = \"3x3\"\nclass = [\"a:share=0.5,packet-length=1:0.5,3:0.5\", \"b:share=0.5\"]\n";
    fs::write(folder.path().join("c.toml"), config).unwrap();
    let run = run_in(folder.path(), "simulate mesh --config c.toml --cycles 300 --format json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["classes"][0]["packet_lengths"], "1:0.5,3:0.5");
    assert_eq!(report["classes"][1]["name"], "b");
}

/// The points of one seed have the figures of `simulate` for each class, kept or not; the load is that of all
/// classes. CSV has a line for each, the page as well.
#[test]
fn classes_at_each_point() {
    let options = "mesh --shape 3x3 --class control:share=0.25 \
         --class data:share=0.75,traffic=tornado,packet-length=3 --cycles 20000";
    let run = json(&format!("simulate {options} --load 0.2"));
    let folder = tempfile::tempdir().unwrap();
    let line =
        format!("sweep {options} --load 0.1,0.2 --seeds 1 --out {}", folder.path().display());
    let report = json(&line);
    let row = &report["rows"][1];
    assert_eq!((&row["verdict"], &run["verdict"]), (&"steady".into(), &"steady".into()));
    for at in 0..2 {
        let (point, class) = (&row["classes"][at], &run["classes"][at]);
        for key in ["name", "share", "pattern", "offered_load", "packet_flits"] {
            assert_eq!(point[key], class[key]);
        }
        assert_eq!(point["accepted_throughput"]["value"], class["accepted_throughput"]);
        assert_eq!(number(&point["latency"]["mean"]["value"]), number(&class["latency"]["mean"]));
        assert_eq!(number(&point["latency"]["p95"]["value"]), number(&class["latency"]["p95"]));
        assert!(point["latency"]["mean"]["low"].is_number());
        let before = &report["rows"][0]["classes"][at]["offered_load"];
        assert!((2.0 * number(before) - number(&point["offered_load"])).abs() < 1e-12);
    }
    assert_eq!(json(&line), report);
    let lines = rows(&common::run(&format!("{line} --format csv")).stdout);
    let names: Vec<&str> = lines.iter().map(|row| &*row["class_name"]).collect();
    assert_eq!(names, ["control", "data", "control", "data"]);
    let text = common::run(&line).stdout;
    for words in [
        "  class control: share 0.25, uniform, packets of 1 flit\n",
        "  class data, from release\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
