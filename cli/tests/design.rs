//! `turnpike design`: what it finds is a relation like any other, its bounds hold, and where there are no
//! routes it says why.

use crate::common::{refused_in, run_in};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SOC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/soc.flows.csv");
const CLASSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/soc.classes.csv");
const RING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/ring.dot");

/// What a line prints for programs, with its exit code.
fn json(folder: &Path, line: &str, code: u8) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    assert_eq!(run.code, i32::from(code), "{line}: {}{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// A file of all pairs.
fn all_pairs(folder: &Path) {
    fs::write(folder.join("all.csv"), "source,destination\n*,*\n").unwrap();
}

/// On a mesh, a network of classes, a ring that takes two virtual channels, one with several terminals at a
/// switch, and a system: the relation is what was said of it, in every command.
#[test]
fn what_is_found_is_a_relation_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    all_pairs(here);
    fs::write(
        here.join("small.system"),
        "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshape = \"3x2\"\n\
         [[terminal]]\nname = \"cpu0\"\nat = \"0_0\"\n[[terminal]]\nname = \"cpu1\"\nat = \"0_0\"\n\
         [[terminal]]\nname = \"mem\"\nat = \"2_1\"\n\
         [[class]]\nname = \"request\"\n[[class]]\nname = \"reply\"\nafter = \"request\"\n\
         [[flow]]\nsource = \"cpu*\"\ndestination = \"mem\"\nclass = \"request\"\nbandwidth = 0.25\n\
         [[flow]]\nsource = \"mem\"\ndestination = \"cpu*\"\nclass = \"reply\"\nbandwidth = 0.5\n",
    )
    .unwrap();
    fs::write(
        here.join("ends.csv"),
        "name,protocol,role,range\n0_0,axi4,manager,\n2_1,axi4,subordinate,0..4095\n\
         1_1,axi4,subordinate,4096..8191\n",
    )
    .unwrap();
    let ring = format!("{RING} --flows all.csv");
    for (network, options) in [
        (
            format!("mesh --shape 4x4 --flows {SOC}"),
            "--minimize max-load,multiplexer-inputs,queues",
        ),
        (format!("mesh --shape 4x4 --flows {CLASSES}"), "--detour 2 --minimize queues"),
        (ring, "--minimize vcs,max-load"),
        ("mesh --shape 2x2 --concentration 2 --flows all.csv".into(), ""),
        ("small.system".into(), ""),
        (format!("mesh --shape 4x4 --flows {SOC} --failed 1_1"), "--detour 2"),
        (format!("torus --shape 4x4 --flows {SOC}"), "--vcs 2"),
        ("mesh --shape 3x2 --ends ends.csv".into(), ""),
    ] {
        let line = format!("design {network} {options} --name mine --save m.relation --force");
        let found = json(here, &line, 0);
        assert_eq!(found["verdict"], "found", "{line}");
        for measure in found["measures"].as_array().unwrap() {
            assert_eq!((&measure["is_least"], &measure["gap"]), (&true.into(), &0.0.into()));
        }
        let relation = fs::read_to_string(here.join("m.relation")).unwrap();
        assert_eq!(found["relation"], relation);
        let with = format!("{network} --routing m.relation");
        let analysis = json(here, &format!("analyze {with}"), 0);
        assert_eq!(
            (&analysis["routing"], &found["flows"]),
            (&"mine".into(), &analysis["flows"]["count"])
        );
        for figure in ["multiplexer_inputs", "arbiters", "queues", "channels", "turns", "switches"]
        {
            assert_eq!(
                found["figures"][figure], analysis["flows"]["built"][figure],
                "{line}: {figure}"
            );
        }
        let vcs = &analysis["flows"]["built"]["virtual_channels"];
        assert_eq!(&found["figures"]["virtual_channels"], vcs, "{line}");
        let verdict = run_in(here, &format!("verify {with}"));
        assert!(
            verdict.stdout.contains("every check holds"),
            "{line}: {}{}",
            verdict.stdout,
            verdict.stderr
        );
        let run = run_in(here, &format!("simulate {with} --cycles 500 --load 0.2"));
        assert_eq!(run.code, 0, "{line}: {}", run.stderr);
        // The same question, the same routes.
        json(here, &line, 0);
        assert_eq!(relation, fs::read_to_string(here.join("m.relation")).unwrap());
    }
}

/// The routes of the example load no channel more than 0.15 flits per cycle, where dimension order loads one
/// with 0.25, and take no more than 15 inputs of multiplexers; 14 with the load of dimension order.
#[test]
fn the_figures_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("design mesh --shape 4x4 --flows {SOC}");
    let found = json(folder.path(), &line, 0);
    let value = |found: &Value, at: usize| found["measures"][at]["value"].as_f64().unwrap();
    assert_eq!((value(&found, 0), value(&found, 1)), (0.15, 15.0));
    let found = json(folder.path(), &format!("{line} --minimize multiplexer-inputs,max-load"), 0);
    assert_eq!((value(&found, 0), value(&found, 1)), (14.0, 0.2));
    let analysis = json(folder.path(), &format!("analyze mesh --shape 4x4 --flows {SOC}"), 0);
    assert_eq!(analysis["flows"]["load"]["flits_per_cycle"], 0.25);
    assert_eq!(analysis["flows"]["built"]["multiplexer_inputs"], 14);
    // All pairs of an 8x8 mesh: half of them cross the middle.
    all_pairs(folder.path());
    let all = "design mesh --shape 8x8 --flows all.csv --minimize max-load";
    let found = &json(folder.path(), all, 0)["measures"][0];
    let load = found["value"].as_f64().unwrap();
    assert!((load - 128.0 / 63.0).abs() < 1e-6 && found["is_least"] == true, "{found}");
    assert_eq!(found["reason"]["lengths"].as_array().unwrap().len(), 32);
    let text = run_in(folder.path(), &line).stdout;
    let expected = "mesh shape 4x4, 20 flows, shortest paths, max-load at most 1, vcs at most 1\n\
                    The least max-load is 0.15: lengths of 48 of the 48 channels show that no routes \
                    have\n    less.\nWith that: The least multiplexer-inputs is 15: a solver refuted less (";
    assert!(text.starts_with(expected), "{text}");
}

/// The lengths in a report, checked with nothing of the program: shortest paths of a mesh go by one of two
/// ports at each switch, and the longest load is no less than what they say.
#[test]
fn the_lengths_of_a_report_are_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let found = json(folder.path(), &format!("design mesh --shape 4x4 --flows {SOC}"), 0);
    let reason = &found["measures"][0]["reason"]["lengths"];
    let mut lengths = BTreeMap::new();
    for one in reason.as_array().unwrap() {
        let key = (one["from"].as_str().unwrap(), one["output"].as_str().unwrap());
        lengths.insert(key, one["length"].as_u64().unwrap());
    }
    fn shortest(lengths: &BTreeMap<(&str, &str), u64>, at: (i32, i32), to: (i32, i32)) -> u64 {
        let label = format!("{}_{}", at.0, at.1);
        let by = |port: &str, next| {
            lengths.get(&(&*label, port)).copied().unwrap_or(0) + shortest(lengths, next, to)
        };
        let x = (to.0 != at.0).then(|| match to.0 > at.0 {
            true => by("x_plus", (at.0 + 1, at.1)),
            false => by("x_minus", (at.0 - 1, at.1)),
        });
        let y = (to.1 != at.1).then(|| match to.1 > at.1 {
            true => by("y_plus", (at.0, at.1 + 1)),
            false => by("y_minus", (at.0, at.1 - 1)),
        });
        x.into_iter().chain(y).min().unwrap_or(0)
    }
    let place = |label: &str| {
        let (x, y) = label.split_once('_').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    // The flows that a network of these has: their ends from a run, their bandwidths from the file.
    let out = "simulate mesh --shape 4x4 --flows";
    let line = format!("{out} {SOC} --cycles 4000 --pairs pairs.csv");
    assert_eq!(run_in(folder.path(), &line).code, 0);
    let pairs = fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    let flows: Vec<(&str, &str)> = pairs
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|words| (words[0], words[1]))
        .collect();
    assert_eq!(flows.len(), 20, "{pairs}");
    let file = fs::read_to_string(SOC).unwrap();
    let bandwidth = |from: &str, to: &str| -> f64 {
        let fits = |pattern: &str, label: &str| match pattern.strip_suffix('*') {
            Some(begin) => label.starts_with(begin),
            None => pattern == label,
        };
        let lines = file.lines().filter(|line| !line.starts_with('#')).skip(1);
        let mut words = lines.map(|line| line.split(',').collect::<Vec<_>>());
        let found = words.find(|words| fits(words[0], from) && fits(words[1], to));
        found.unwrap_or_else(|| panic!("{from} {to}"))[2].parse().unwrap()
    };
    let total: f64 = flows
        .iter()
        .map(|(from, to)| bandwidth(from, to) * shortest(&lengths, place(from), place(to)) as f64)
        .sum();
    let bound = total / lengths.values().sum::<u64>() as f64;
    assert!(bound > 0.14 && bound <= 0.15 + 1e-9, "{bound}");
}

/// Where there are no routes: a cut of the network, or the solver.
#[test]
fn where_there_are_no_routes() {
    let folder = tempfile::tempdir().unwrap();
    all_pairs(folder.path());
    let line = format!("design mesh --shape 4x4 --flows {SOC} --max-load 0.1");
    let run = run_in(folder.path(), &line);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let cut = "There are no such routes: 3_2 y_plus, 2_3 x_plus, 3_3 x_minus, 3_3 y_minus carry 0.4 \
               flits per cycle at most, and the flows that must cross there put 0.6 on them: 2_0 to 3_3,";
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(cut), "{words}");
    assert!(!json(folder.path(), &line, 1)["impossible"]["lengths"].as_array().unwrap().is_empty());
    let none = json(folder.path(), &format!("design {RING} --flows all.csv"), 1);
    assert!(none["impossible"]["clauses"].as_u64().unwrap() > 0, "{none}");
    assert_eq!((&none["verdict"], &none["relation"]), (&"none".into(), &Value::Null));
    // Time is up before there is less, and the best so far is kept.
    let line = "design mesh --shape 8x8 --flows all.csv --minimize queues --time-limit 1";
    let run = run_in(folder.path(), line);
    assert!(
        run.code == 3 && run.stdout.contains("Time was up") || run.stdout.contains("Not decided")
    );
}

#[test]
fn bad_questions() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("apart.topology"),
        "turnpike-topology 1\nname apart\nnode a b\n\
              terminal a a\nterminal b b\nchannel a b\n",
    )
    .unwrap();
    fs::write(folder.path().join("back.csv"), "source,destination\nb,a\n").unwrap();
    fs::write(folder.path().join("far.csv"), "source,destination\n0_0,39_0\n").unwrap();
    let mesh = format!("design mesh --shape 4x4 --flows {SOC}");
    let cases = [
        ("design hypercube --dim 3".to_owned(), &["there are none", "--flows FILE", "*,*"][..]),
        ("design ocpc --nodes 4".into(), &["network of busses"]),
        (format!("{mesh} --detour 9"), &["a detour of 9", "use 0 to 8"]),
        (format!("{mesh} --max-load 1.5"), &["'1.5'", "up to 1"]),
        (format!("{mesh} --max-load 0"), &["'0'", "above 0"]),
        (format!("{mesh} --vcs 9"), &["1 to 8"]),
        (format!("{mesh} --minimize load"), &["max-load, multiplexer-inputs, queues, vcs"]),
        (format!("{mesh} --minimize queues,vcs,queues"), &["queues stands there twice"]),
        (format!("{mesh} --minimize queues,queues"), &["queues stands there twice"]),
        (format!("{mesh} --name rotation"), &["--name", "a relation that Turnpike has"]),
        (format!("{mesh} --force"), &["--force"]),
        (
            format!("design mesh --shape 4x4 --flows {CLASSES} --vcs 1"),
            &["2 message classes", "use 2 to 8"],
        ),
        ("design apart.topology --flows back.csv".into(), &["no path from b to a", "add a link"]),
        (
            "design mesh --shape 40x2 --flows far.csv".into(),
            &["39 channels", "117 bits", "at most 64", "a smaller network"],
        ),
        ("search mesh --dim 4".into(), &["turnpike design mesh"]),
    ];
    let cases: Vec<(&str, &[&str])> =
        cases.iter().map(|(line, expected)| (line.as_str(), *expected)).collect();
    refused_in(folder.path(), &cases);
}
