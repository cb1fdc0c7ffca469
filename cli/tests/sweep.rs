//! `sweep`: curves held to closed forms and to `simulate`, the same bytes however they come about, and
//! runs that are kept.

use crate::common::{Run, json, number, rows, run, run_in, tree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Flits per terminal and cycle that a 4x4 mesh delivers where every terminal offers one in each cycle.
fn carried(pipeline: &str, packet: u32) -> f64 {
    let line = format!(
        "simulate mesh --shape 4x4 --pipeline {pipeline} --load 1 --packet-length {packet} \
         --warmup 2000 --cycles 20000"
    );
    number(&json(&line)["accepted_throughput"])
}

/// Registered grants that are asked for ahead carry what grants without a register do: the figures of
/// docs/hardware.md, Latency.
#[test]
fn grants_that_are_asked_for_ahead_cost_no_throughput() {
    for packet in [1, 4] {
        let [none, one, one_ahead, two, two_ahead] =
            ["0", "1", "1-ahead", "2", "2-ahead"].map(|pipeline| carried(pipeline, packet));
        assert!(one_ahead > 0.98 * none && two_ahead > 0.93 * none, "{packet}: {none} {one_ahead}");
        assert!(one < 0.87 * none && two < 0.82 * none, "{packet}: {none} {one} {two}");
        assert!(packet != 1 || one_ahead > 0.62 && two_ahead > 0.6, "{one_ahead} {two_ahead}");
    }
}

/// At a load of next to nothing every packet of a fixed pattern takes the cycles that the manifest's
/// closed form gives, whatever the pipeline.
#[test]
fn at_zero_load_latency_is_the_closed_form() {
    for (network, hops) in [("hypercube --dim 4", 4), ("hypercube --dim 5 --routing rotation", 5)] {
        for pipeline in ["0", "1", "1-ahead", "2", "2-ahead"] {
            let folder = tempfile::tempdir().unwrap();
            let fabric = format!("{network} --pipeline {pipeline}");
            let made = run_in(folder.path(), &format!("generate {fabric} --out made --name made"));
            assert_eq!(made.code, 0, "{}", made.stderr);
            let manifest = fs::read_to_string(folder.path().join("made/made.json")).unwrap();
            let manifest: Value = serde_json::from_str(&manifest).unwrap();
            let latency = &manifest["latency"];
            let wanted = number(&latency["zero_load_longest_cycles"]);
            let of_hops = number(&latency["hop_cycles"]) * f64::from(hops);
            assert_eq!(wanted, number(&latency["zero_load_self_cycles"]) + of_hops);
            let line = format!(
                "sweep {fabric} --traffic bit-complement --load 0.002 --seeds 3 --cycles 100000"
            );
            let row = &json(&line)["rows"][0];
            for from in ["latency", "network_latency"] {
                let median = &row[from]["p50"];
                for end in ["value", "low", "high"] {
                    assert_eq!(number(&median[end]), wanted, "{fabric}: {from} {median}");
                }
                assert!((number(&row[from]["mean"]["value"]) - wanted).abs() < 0.1, "{row}");
            }
        }
    }
}

/// No network carries more than its busiest channel lets through: 1 over the words that a pattern puts
/// there.
#[test]
fn saturation_is_below_the_bound_of_channel_loads() {
    for (network, pattern) in
        [("hypercube --dim 4", "transpose"), ("mesh --shape 4x4", "bit-complement")]
    {
        let analysis = json(&format!("analyze {network} --pattern {pattern}"));
        let bound = 1.0 / number(&analysis["pattern"]["max_link_load"]);
        assert!(bound <= 0.5, "{bound}");
        let line = format!("sweep {network} --traffic {pattern} --load 0.1..=1:0.1 --cycles 4000");
        let report = json(&format!("{line} --seeds 3 --saturation"));
        let rows = report["rows"].as_array().unwrap();
        let saturation = &rows[0]["saturation"];
        assert!(number(&saturation["low"]) <= bound * 1.01, "{network}: {saturation}, {bound}");
        assert!(number(&saturation["high"]) > number(&saturation["low"]), "{saturation}");
        assert!(number(&saturation["high"]) > 0.5 * bound, "{network}: {saturation}, {bound}");
        for row in rows {
            let load = number(&row["traffic"]["offered_load"]);
            if load > 1.2 * bound || load < 0.75 * bound {
                assert_eq!(row["verdict"] == "saturated", load > bound, "{network}: {row}");
            }
            assert_eq!(row["stopped_runs"], row["saturated_runs"], "{row}");
            let is_saturated = row["verdict"] == "saturated";
            assert_eq!(row["latency"]["mean"]["value"].is_null(), is_saturated, "{row}");
        }
    }
}

/// Tornado on a ring of eight goes three channels, all one way round, so that each carries three
/// times the load: no router carries more than a third (Dally and Towles, 3.3). With the virtual channels
/// of a dateline it saturates before that, and carries less and less beyond.
#[test]
fn tornado_on_a_ring_carries_no_more_than_a_third() {
    let report =
        json("sweep ring --nodes 8 --traffic tornado --load 0.01,0.2,0.34..=1:0.22 --seeds 3");
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for (at, row) in rows.iter().enumerate() {
        let wanted = if at < 2 { "steady" } else { "saturated" };
        assert_eq!(row["verdict"], wanted, "{row}");
        assert!(number(&row["accepted_throughput"]["value"]) < 1.0 / 3.0, "{row}");
    }
    let median = |row: &Value| number(&row["latency"]["p50"]["value"]);
    let alone = json("sweep ring --nodes 8 --traffic neighbour --load 0.01 --seeds 3");
    // Three channels, and one: a cycle for each.
    assert_eq!(median(&rows[0]), median(&alone["rows"][0]) + 2.0);
}

/// Bursts leave the load as it is, and make packets wait for one another.
#[test]
fn bursts_lengthen_queues_and_not_the_load() {
    let line = "sweep hypercube --dim 4 --load 0.3 --seeds 3";
    let (even, bursts) = (json(line), json(&format!("{line} --burst 20")));
    let (even, bursts) = (&even["rows"][0], &bursts["rows"][0]);
    assert_eq!(
        (&bursts["traffic"]["burst_cycles"], &even["verdict"]),
        (&20.0.into(), &"steady".into())
    );
    for row in [even, bursts] {
        assert!((number(&row["offered_throughput"]) - 0.3).abs() < 0.01, "{row}");
    }
    let latency = |row: &Value, of: &str| number(&row["latency"][of]["value"]);
    assert!(latency(bursts, "mean") > 1.2 * latency(even, "mean"), "{bursts}");
    assert!(latency(bursts, "p99") > latency(even, "p99"), "{bursts}");
}

/// A point of one seed is the run of `simulate`: its figures, and its intervals.
#[test]
fn one_seed_is_one_run_of_simulate() {
    let fabric = "torus --shape 4x4 --depth 6 --pipeline 1";
    let options = "--traffic transpose --load 0.2 --seed 5 --packet-length 2 --no-self-addressed";
    let run = json(&format!("simulate {fabric} {options}"));
    let row = &json(&format!("sweep {fabric} {options} --seeds 1"))["rows"][0];
    assert_eq!((&row["verdict"], &run["verdict"]), (&"steady".into(), &"steady".into()));
    assert_eq!(row["configuration"], run["configuration"]);
    for (of_row, of_run, interval) in [
        (&row["latency"]["mean"], &run["latency"]["mean"], &run["latency_interval"]),
        (
            &row["network_latency"]["mean"],
            &run["network_latency"]["mean"],
            &run["network_latency_interval"],
        ),
        (
            &row["accepted_throughput"],
            &run["accepted_throughput"],
            &run["accepted_throughput_interval"],
        ),
    ] {
        assert_eq!(of_row["value"], *of_run);
        for end in ["low", "high"] {
            assert!((number(&of_row[end]) - number(&interval[end])).abs() < 1e-12, "{of_row}");
        }
    }
    for percentile in ["p50", "p95", "p99"] {
        assert_eq!(
            number(&row["latency"][percentile]["value"]),
            number(&run["latency"][percentile])
        );
        assert!(row["latency"][percentile]["low"].is_null(), "one run has no interval of it");
    }
}

const SHORT: &str = "sweep hypercube --dim 3 --routing ecube,rotation --traffic uniform,transpose \
     --load 0.2,0.5..=1:0.25 --seeds 3 --cycles 600";

/// Relation by relation, pattern by pattern, load by load, in every format.
#[test]
fn points_are_in_order() {
    let csv = run(&format!("{SHORT} --format csv"));
    let keys = ["routing", "traffic_pattern", "traffic_offered_load"];
    let found: Vec<String> =
        rows(&csv.stdout).iter().map(|row| keys.map(|key| row[key].clone()).join(" ")).collect();
    let mut wanted = Vec::new();
    for routing in ["ecube", "rotation"] {
        for pattern in ["uniform", "transpose"] {
            for load in ["0.2", "0.5", "0.75", "1.0"] {
                wanted.push(format!("{routing} {pattern} {load}"));
            }
        }
    }
    assert_eq!(found, wanted);
    let text = run(SHORT).stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no '{part}' in {text}"));
    assert!(at("routing ecube") < at("routing rotation"));
    assert!(at("traffic uniform") < at("traffic transpose"));
    assert!(text.contains("seeds 1 to 3") && text.contains("from injection"), "{text}");
}

/// A load is shown as it was given, however small.
#[test]
fn small_loads_are_no_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "sweep ring --nodes 3 --load 0.000000001,0.12345 --seeds 1 --cycles 50 --html x.html";
    let text = run_in(folder.path(), line).stdout;
    let page = fs::read_to_string(folder.path().join("x.html")).unwrap();
    for load in ["0.000000001", "0.12345"] {
        assert!(text.lines().any(|line| line.split_whitespace().next() == Some(load)), "{text}");
        assert!(
            page.contains(&format!("<td>{load}</td>")) && page.contains(&format!("load {load}:"))
        );
    }
}

/// `taskset` gives the program one core.
#[test]
fn the_number_of_cores_does_not_matter() {
    let line = format!("{SHORT} --format json");
    let mut alone = Command::new("taskset");
    alone.args(["-c", "0", env!("CARGO_BIN_EXE_turnpike")]).args(line.split_whitespace());
    let alone = alone.output().expect("taskset of util-linux").stdout;
    assert_eq!(String::from_utf8(alone).unwrap(), run(&line).stdout);
}

/// The names and times of the files of kept runs.
fn kept(folder: &std::path::Path) -> BTreeMap<PathBuf, std::time::SystemTime> {
    let files = tree(folder).into_keys().filter(|path| path.is_file());
    files.map(|path| (path.clone(), fs::metadata(&path).unwrap().modified().unwrap())).collect()
}

#[track_caller]
fn same(run: &Run, as_without: &str) {
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout, as_without);
}

/// What is there is not run again; what is damaged, of another version or another run's is named, and
/// is. The report is the same bytes each time, and other sweeps share the folder.
#[test]
fn kept_runs_are_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{SHORT} --saturation --format json");
    let without = run(&line).stdout;
    let with = format!("{line} --out sub/runs");
    same(&run_in(folder.path(), &with), &without);
    let first = kept(folder.path());
    assert!(first.len() >= 48, "{}", first.len());
    let again = run_in(folder.path(), &with);
    same(&again, &without);
    assert_eq!((again.stderr.as_str(), kept(folder.path())), ("", first.clone()));

    let files: Vec<&PathBuf> = first.keys().collect();
    let text = |at: usize| fs::read_to_string(files[at]).unwrap();
    let (damaged, cut, other, foreign) = (text(0), text(1), text(2), text(3));
    fs::write(files[0], damaged.replacen("0.", "1.", 1)).unwrap();
    fs::write(files[1], &cut[..cut.len() / 2]).unwrap();
    let value = other.lines().nth(1).unwrap().replacen("\"version\":\"0.", "\"version\":\"9.", 1);
    let check = turnpike_flow::cache::digest(&value);
    fs::write(files[2], format!("{check}\n{value}\n")).unwrap();
    fs::write(files[3], text(4)).unwrap();
    fs::remove_file(files[5]).unwrap();
    let mended = run_in(folder.path(), &with);
    same(&mended, &without);
    let name = |at: usize| files[at].file_name().unwrap().to_str().unwrap();
    for (at, why) in [
        (0, "is damaged"),
        (1, "is damaged"),
        (2, "is of another version (9."),
        (3, "is another run"),
    ] {
        let notes: Vec<&str> = mended.stderr.lines().filter(|l| l.contains(name(at))).collect();
        assert_eq!(notes.len(), 1, "{}", mended.stderr);
        assert!(notes[0].starts_with("note: ") && notes[0].contains(why), "{}", mended.stderr);
        assert!(notes[0].ends_with("run again"), "{}", notes[0]);
    }
    assert_eq!(mended.stderr.lines().count(), 4, "{}", mended.stderr);
    assert_eq!([text(0), text(1), text(2), text(3)], [damaged, cut, other, foreign]);
    let changed = kept(folder.path());
    let written = files.iter().filter(|&&file| changed[file] != first[file]).count();
    assert_eq!((written, changed.len()), (5, first.len()));

    let deeper = run_in(folder.path(), &format!("{SHORT} --depth 8 --out sub/runs"));
    assert_eq!((deeper.code, deeper.stderr.as_str()), (0, ""));
    assert_eq!(kept(folder.path()).len(), changed.len() + 48);
}

/// A relation's file that has changed is another relation.
#[test]
fn files_that_changed_are_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let relation = |other: &str| {
        format!(
            "turnpike-relation 1\nname mine\ntopology hypercube\ndimension 2\nby difference\n\
             01 dim0\n10 dim1\n11 {other}\n"
        )
    };
    let line = "sweep hypercube --dim 2 --routing mine.relation --load 0.1 --seeds 2 --cycles 600 \
                --out runs";
    for (times, other) in [(1, "dim0"), (2, "dim1"), (2, "dim0")] {
        fs::write(folder.path().join("mine.relation"), relation(other)).unwrap();
        let run = run_in(folder.path(), line);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert_eq!(kept(&folder.path().join("runs")).len(), 2 * times);
    }
}

/// Ctrl-C in the middle: what is done stays, nothing else is left, and the same command goes on.
#[test]
fn what_is_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "sweep hypercube --dim 6 --load 0.1..=0.3:0.05 --seeds 4 --cycles 20000 --format json";
    let with = format!("{line} --out runs");
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnpike"));
    child.args(with.split_whitespace()).current_dir(folder.path());
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let runs = folder.path().join("runs");
    let count = || {
        let names = fs::read_dir(&runs).into_iter().flatten().flatten();
        names.filter(|entry| entry.path().is_file()).count()
    };
    let begun = Instant::now();
    while count() < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let before = kept(&runs);
    assert!((2..20).contains(&before.len()), "{}", before.len());
    assert!(fs::read_dir(&runs).unwrap().all(|entry| entry.unwrap().path().is_file()));
    same(&run_in(folder.path(), &with), &run(line).stdout);
    let after = kept(&runs);
    assert_eq!(after.len(), 20);
    assert!(before.iter().all(|(path, time)| after[path] == *time));
}

/// Whoever reads may go first: what is said then goes nowhere, and the process still ends.
#[test]
fn it_ends_where_nobody_reads_any_more() {
    let start = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpike"));
        command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        child
    };
    assert_eq!(start("sweep hypercube --dim 3 --load 2").wait().unwrap().code(), Some(2));
    let mut child = start("sweep hypercube --dim 8 --cycles 1000000");
    std::thread::sleep(Duration::from_secs(2));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
    let sent = Instant::now();
    let end = loop {
        let end = child.try_wait().unwrap();
        if end.is_some() || sent.elapsed() > Duration::from_secs(60) {
            break end;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let _ = child.kill();
    assert_eq!(end.and_then(|end| end.code()), Some(130), "it goes on");
}

/// A network that may deadlock is watched to the end, and what deadlocks has no saturation.
#[test]
fn a_deadlock_is_said() {
    let line = "sweep hypercube --dim 4 --routing rotation --vcs 1 --depth 2 --packet-length 16 \
                --cycles 2000 --load 0.9 --seeds 2 --saturation";
    let text = run(line);
    assert_eq!(text.code, 1, "{}", text.stderr);
    assert!(text.stdout.contains("DEADLOCKED"), "{}", text.stdout);
    let json = run(&format!("{line} --format json"));
    let row = &serde_json::from_str::<Value>(&json.stdout).unwrap()["rows"][0];
    assert!(row["verdict"].is_null() && row["saturation"].is_null(), "{row}");
    assert!(row["deadlocked_runs"].as_u64() > Some(0), "{row}");
}
