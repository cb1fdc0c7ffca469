//! The files of a run: what each says is what the report says, and what the others say.

use crate::common::{number, refused_in, rows, run_in, small_disk};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILES: [&str; 5] = ["samples", "pairs", "sources", "histogram", "channels"];

/// The rows of a file, cells by column.
type Rows = Vec<BTreeMap<String, String>>;

/// The report of a run with all files, and each file's rows.
fn all(folder: &Path, line: &str) -> (Value, BTreeMap<&'static str, Rows>) {
    let files: Vec<String> = FILES.iter().map(|name| format!("--{name} {name}.csv")).collect();
    let run = run_in(folder, &format!("{line} {} --format json", files.join(" ")));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    let read =
        |name| (name, rows(&fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap()));
    (serde_json::from_str(&run.stdout).unwrap(), FILES.map(read).into())
}

fn value(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

fn sum(rows: &[BTreeMap<String, String>], column: &str) -> f64 {
    rows.iter().map(|row| value(row, column)).sum()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
}

#[test]
fn files_agree_with_the_report() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "simulate hypercube --dim 3 --load 0.4 --cycles 3000 --warmup 200 --packet-length 3",
        "simulate mesh --shape 3x3 --routing adaptive --load 0.3 --cycles 2000",
        "simulate mesh --shape 3x3 --load 0.3 --cycles 2000 --pipeline 2",
        // Saturated, and measured from its start on.
        "simulate torus --shape 4x4 --load 0.9 --traffic hotspot --cycles 4000 --warmup 0",
    ] {
        let (report, files) = all(folder.path(), line);
        let packets = number(&report["measured_delivered_packets"]);
        let (mean, network) = (&report["latency"]["mean"], &report["network_latency"]["mean"]);
        let samples = &files["samples"];
        close(samples.len() as f64, packets);
        close((sum(samples, "delivered") - sum(samples, "released")) / packets, number(mean));
        close((sum(samples, "delivered") - sum(samples, "injected")) / packets, number(network));
        let longest = samples.iter().map(|row| value(row, "delivered") - value(row, "released"));
        close(longest.fold(0.0, f64::max), number(&report["latency"]["max"]));
        for by in ["pairs", "sources"] {
            close(sum(&files[by], "packets"), packets);
            close(sum(&files[by], "flits"), sum(samples, "flits"));
            let with = |column| {
                let sent = files[by].iter().filter(|row| value(row, "packets") > 0.0);
                sent.map(|row| value(row, column) * value(row, "packets")).sum::<f64>() / packets
            };
            close(with("latency_mean"), number(mean));
            close(with("network_latency_mean"), number(network));
        }
        for pair in &files["pairs"] {
            let of = |row: &&BTreeMap<_, _>| {
                row["source"] == pair["source"] && row["destination"] == pair["destination"]
            };
            close(samples.iter().filter(of).count() as f64, value(pair, "packets"));
        }
        for (column, mean) in [("from_release", mean), ("from_injection", network)] {
            let weigh = |row| value(row, "cycles") * value(row, column);
            close(sum(&files["histogram"], column), packets);
            close(files["histogram"].iter().map(weigh).sum::<f64>() / packets, number(mean));
        }

        // What crosses channels is counted over the measurement, as the throughput is.
        let cycles = number(&report["measured_cycles"]);
        let channels = &files["channels"];
        let (ejects, hops): (Vec<_>, Vec<_>) =
            channels.iter().cloned().partition(|row| row["output"].starts_with("eject"));
        let terminals = files["sources"].len() as f64;
        let delivered = number(&report["accepted_throughput"]) * cycles * terminals;
        let hops_per_flit = number(&report["hops_per_flit"]);
        // With an output register what leaves the switch is delivered some cycles later.
        let late = if line.contains("--pipeline 2") { terminals } else { 1e-6 };
        assert!((sum(&ejects, "flits") - delivered).abs() <= late, "{line}");
        close(sum(&hops, "flits") / delivered, hops_per_flit);
        for row in channels {
            close(value(row, "utilisation"), value(row, "flits") / cycles);
            assert!(value(row, "utilisation") <= 1.0 && !row["to"].is_empty(), "{row:?}");
        }
    }
}

/// Who asks for one file gets what it is beside the others.
#[test]
fn a_file_is_the_same_alone() {
    let (together, alone) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let line = "simulate hypercube --dim 3 --load 0.3 --cycles 500";
    all(together.path(), line);
    for name in FILES {
        let run = run_in(alone.path(), &format!("{line} --{name} {name}.csv"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{name}");
        let [one, other] = [&together, &alone]
            .map(|folder| fs::read_to_string(folder.path().join(format!("{name}.csv"))).unwrap());
        assert_eq!(one, other, "{name}");
        assert!(one.lines().count() > 5, "{name}");
    }
}

/// One source of four has all: 1/4. All alike: 1.
#[test]
fn fairness_is_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.txt"), "01 10 1\n").unwrap();
    let fairness = |options: &str| {
        let line = format!("simulate hypercube --dim 2 --cycles 2000 {options} --format json");
        let run = run_in(folder.path(), &line);
        assert_eq!(run.code, 0, "{}", run.stderr);
        number(&serde_json::from_str::<Value>(&run.stdout).unwrap()["fairness"])
    };
    close(fairness("--pattern one.txt --load 0.5"), 0.25);
    assert!(fairness("--traffic bit-complement --load 1") > 0.999);
    let uniform = fairness("--load 0.3");
    assert!((0.99..1.0).contains(&uniform), "{uniform}");
}

#[test]
fn files_that_cannot_be_are_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    fs::write(folder.path().join("mine.csv"), "precious\n").unwrap();
    let cube = "simulate hypercube --dim 3 --cycles 100";
    let mut cases: Vec<(String, Vec<&str>)> = FILES
        .iter()
        .flat_map(|name| {
            [
                (format!("{cube} --{name} there"), vec!["there", "it is a folder"]),
                (format!("{cube} --{name} mine.csv"), vec!["mine.csv", "--force"]),
                (format!("{cube} --{name} no/x.csv"), vec!["no/x.csv", "there is no folder no"]),
                (format!("simulate ocpc --nodes 8 --{name} x.csv"), vec![name, "leave"]),
                (
                    format!("simulate hypercube --dim 3 --workload permutation --{name} x.csv"),
                    vec![name, "--workload"],
                ),
            ]
        })
        .collect();
    let twice = format!("{cube} --samples x.csv --channels x.csv");
    cases.push((twice, vec!["x.csv is named for two files"]));
    let twice = format!("{cube} --samples x.csv --pairs there/../x.csv");
    cases.push((twice, vec!["x.csv is named for two files"]));
    let twice = format!("{cube} --engine rtl --vcd x.csv --pairs ./x.csv");
    cases.push((twice, vec!["x.csv is named for two files"]));
    let many = "simulate hypercube --dim 13 --cycles 1 --pairs x.csv".to_owned();
    cases.push((many, vec!["up to 4096 terminals", "8192", "--sources"]));
    let cases: Vec<(&str, &[&str])> =
        cases.iter().map(|(line, words)| (line.as_str(), words.as_slice())).collect();
    refused_in(folder.path(), &cases);
    assert_eq!(fs::read_to_string(folder.path().join("mine.csv")).unwrap(), "precious\n");
    let Some(disk) = small_disk(64) else { return };
    let line = "simulate hypercube --dim 6 --cycles 2000 --load 0.5 --samples x.csv";
    refused_in(disk.path(), &[(line, &["x.csv", "No space left"])]);
}
