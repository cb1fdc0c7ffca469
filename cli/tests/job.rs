//! `job`, as the program prints it.

use crate::common::folders::with_files;
use crate::common::{refused_in, run, run_in};
use serde_json::Value;

const HEADER: &str = "message,source,destination,flits,after,delay\n";

fn json(line: &str) -> Value {
    let run = run(&format!("job {line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// Halving and doubling takes fewer rounds, and so fewer cycles where pieces are short, for as many flits.
#[test]
fn short_pieces_want_few_rounds() {
    let [ring, halving] = ["all-reduce-ring", "all-reduce-halving-doubling"]
        .map(|name| json(&format!("hypercube --dim 4 --collective {name} --piece 1")));
    assert_eq!((&ring["messages"], &halving["messages"]), (&480.into(), &128.into()));
    assert_eq!(ring["flits"], halving["flits"]);
    assert!(halving["cycles"].as_u64() < ring["cycles"].as_u64(), "{halving} {ring}");
    for report in [ring, halving] {
        assert!(report["least_cycles"].as_u64() <= report["cycles"].as_u64());
        assert_eq!(report["piece_flits"], 1);
    }
}

/// Messages of a file, by their names, with the times that the documentation promises.
#[test]
fn messages_of_a_file_go_when_they_may() {
    let rows = "load,0_0,1_1,4,,0\nweights,0_1,1_1,2,,10\nresult,1_1,0_0,1,load weights,200\n";
    let here = with_files(&[("job.csv", &format!("{HEADER}{rows}"))]);
    let line = "job mesh --shape 2x2 --messages job.csv";
    let run = run_in(here.path(), &format!("{line} --format json"));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let time = |row: usize, field: &str| report["rows"][row][field].as_u64().unwrap();
    assert_eq!(report["rows"][2]["message"], "result");
    assert_eq!((time(0, "released"), time(1, "released")), (0, 10));
    let last = time(0, "delivered").max(time(1, "delivered"));
    assert_eq!(time(2, "released"), last + 1 + 200);
    assert_eq!(report["cycles"].as_u64().unwrap(), time(2, "delivered") + 1);
    assert_eq!(report["cycles"], report["least_cycles"]);
    assert_eq!(report["piece_flits"], Value::Null);
    let csv = run_in(here.path(), &format!("{line} --format csv")).stdout;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let text = run_in(here.path(), line).stdout;
    assert!(text.contains("job: file, 3 messages, 7 flits in all\n"), "{text}");
    assert!(text.contains("delivered: every message, once, where it belongs"), "{text}");
}

#[test]
fn a_network_that_deadlocks_does_not_hold() {
    let line =
        "job hypercube --dim 6 --routing rotation --vcs 1 --collective all-to-all --piece 64";
    let run = run(line);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("outcome: DEADLOCKED: "), "{}", run.stdout);
    // No figure beside the least of a job that was done in part.
    assert!(run.stdout.contains("; this one did not end\n"), "{}", run.stdout);
}

#[test]
fn jobs_that_cannot_be_are_refused() {
    let file = |rows: &str| format!("{HEADER}{rows}");
    let here = with_files(&[
        ("round.csv", &file("a,0_0,1_1,1,b,0\nb,1_1,0_0,1,a,0\n")),
        ("twice.csv", &file("a,0_0,1_1,1,,0\na,1_1,0_0,1,,0\n")),
        ("far.csv", &file("a,0_0,1_1,1,,0\nb,0_1,1_0,1,a,0\n")),
        ("nowhere.csv", &file("a,0_0,9_9,1,,0\n")),
        ("right.csv", &file("a,0_0,1_1,1,,0\n")),
        ("empty.csv", HEADER),
        ("other.csv", "cycle,source,destination,flits\n"),
        ("flows.csv", "source,destination\n0_0,1_0\n1_0,1_1\n"),
    ]);
    for (options, expected) in [
        ("", &["no job is given", "--collective", "--messages", "all-reduce-ring"][..]),
        ("--collective all-reduce-rign", &["did you mean 'all-reduce-ring'?"]),
        ("--collective all-to-all --piece 0", &["--piece", "0"]),
        ("--collective all-to-all --piece 1048577", &["--piece 1048577", "1 to 1048576"]),
        ("--collective all-to-all --messages right.csv", &["--messages", "--collective"]),
        ("--messages right.csv --piece 2", &["--piece", "--messages"]),
        ("--messages none.csv", &["none.csv"]),
        ("--messages round.csv", &["round.csv", "a, b", "in a circle"]),
        ("--messages twice.csv", &["line 3", "'a' is there twice"]),
        ("--messages far.csv", &["line 3", "'b' waits for 'a'", "take it in or send it"]),
        ("--messages nowhere.csv", &["line 2", "destination", "9_9"]),
        ("--messages empty.csv", &["empty.csv", "1 to"]),
        ("--messages other.csv", &["line 1", "message,source,destination,flits,after,delay"]),
        ("--messages right.csv --flows flows.csv", &["from 0_0 to 1_1", "no flow"]),
        ("--collective broadcast --failed 0_0 --failed 0_1 --failed 1_0", &["left", "1_1"]),
    ] {
        refused_in(here.path(), &[(&format!("job mesh --shape 2x2 {options}"), expected)]);
    }
    let six = "job ring --nodes 6 --collective all-gather-doubling";
    refused_in(here.path(), &[(six, &["here 6 send", "'all-gather-ring'"])]);
    let large = "job hypercube --dim 12 --collective all-to-all";
    refused_in(here.path(), &[(large, &["1 to 4194304", "16773120"])]);
    refused_in(
        here.path(),
        &[("job ocpc --nodes 4 --collective broadcast", &["network of busses"])],
    );
}
