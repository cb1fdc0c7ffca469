//! `turnpike search`: what it finds is a relation like any other, and where there is nothing it
//! says why.

use crate::common;

use crate::common::{refused_in, run, run_in, tree};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

const OPEN_QUESTION: &str =
    "search hypercube --dim 4 --any-failure regenerated --max-crosspoints 7 --max-fan-out 2";

#[test]
fn what_is_found_is_a_relation_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let run = run_in(folder.path(), line);
        assert_eq!(run.code, 0, "{line}: {}", run.stderr);
        run.stdout
    };
    let text = run(&format!("{OPEN_QUESTION} --name mine --save mine.relation"));
    assert!(text.contains("Found, in "), "{text}");
    assert!(text.contains("  7  crosspoints of a switch, at most"), "{text}");
    let analysis = run("analyze hypercube --dim 4 --routing mine.relation --format json");
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    assert_eq!(analysis["routing"], "mine");
    assert_eq!(analysis["crosspoints_per_switch"], 7);
    assert_eq!(analysis["max_fan_out"], 2);
    assert_eq!(analysis["properties"]["shortest_path"]["holds"], true);
    assert_eq!(analysis["failed"][0], "0000", "{}", analysis["failed"]);
    assert_eq!(analysis["failure_cost"]["nodes"][0], "0000");
    let verdict = run("verify hypercube --dim 4 --routing mine.relation");
    assert!(verdict.contains("every check holds"), "{verdict}");
    // The same question, the same relation.
    let first = fs::read(folder.path().join("mine.relation")).unwrap();
    run(&format!("{OPEN_QUESTION} --name mine --save mine.relation"));
    assert_eq!(first, fs::read(folder.path().join("mine.relation")).unwrap());
}

/// The other construction in docs/results.md: all five properties in dimension 6, with node 0 failed.
/// What `analyze` says of it; and the same from the file's lines alone, which share nothing with that.
/// The fifth property is that it can be had for any one failed switch: by translation, all 64 of them.
#[test]
fn all_five_properties_hold_together_in_dimension_6() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/survives_000000.relation");
    let analysis = run(&format!("analyze hypercube --dim 6 --routing {file} --format json")).stdout;
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    assert_eq!((&analysis["failed"][0], &analysis["terminals"]), (&"000000".into(), &63.into()));
    let properties = &analysis["properties"];
    for property in ["shortest_path", "port_bound", "oblivious", "balance"] {
        assert_eq!(properties[property]["holds"], true, "{property}");
    }
    assert_eq!(
        (&properties["port_bound"]["bound"], &analysis["max_fan_out"]),
        (&3.into(), &3.into())
    );
    let load = &properties["balance"]["total"];
    assert_eq!((&load["least"]["packets"], &load["most"]["packets"]), (&32.into(), &32.into()));

    let text = fs::read_to_string(file).unwrap();
    let bits = |label: &str| usize::from_str_radix(label, 2).unwrap();
    let hops = text.lines().filter_map(|line| {
        let (ends, dimension) = line.split_once(" dim")?;
        let (at, to) = ends.split_once(' ')?;
        Some(((bits(at), bits(to)), dimension.parse::<usize>().ok()?))
    });
    let hops: BTreeMap<(usize, usize), usize> = hops.collect();
    for failed in 0..64 {
        let alive = || (0..64).filter(move |&node| node != failed);
        let mut loads = BTreeMap::new();
        let mut outputs: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
        for (from, to) in alive().flat_map(|from| alive().map(move |to| (from, to))) {
            let (mut at, mut came) = (from, None);
            while at != to {
                // The table of the failed node 0, both ends moved by the node that failed.
                let over = hops[&(at ^ failed, to ^ failed)];
                assert!((at ^ to) >> over & 1 == 1, "each hop is one nearer");
                *loads.entry((at, over)).or_insert(0) += 1;
                if let Some(input) = came {
                    outputs.entry((at, input)).or_default().insert(over);
                }
                (at, came) = (at ^ 1 << over, Some(over));
                assert_ne!(at, failed);
            }
        }
        assert_eq!(loads.len(), 372);
        assert!(loads.values().all(|&routes| routes == 32), "{failed}: {loads:?}");
        assert!(outputs.values().all(|outputs| outputs.len() <= 3), "{failed}: {outputs:?}");
    }
}

/// The construction in docs/results.md.
#[test]
fn the_construction_of_the_documents_survives() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/survives_0000.relation");
    let fabric = format!("hypercube --dim 4 --routing {file}");
    let analysis = run(&format!("analyze {fabric} --format json")).stdout;
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    for (figure, value) in [
        ("crosspoints_per_switch", 7),
        ("max_fan_in", 2),
        ("max_fan_out", 2),
        ("virtual_channels", 1),
    ] {
        assert_eq!(analysis[figure], value, "{figure}");
    }
    assert_eq!(analysis["properties"]["shortest_path"]["holds"], true);
    let verdict = run(&format!("verify {fabric}"));
    assert!(verdict.stdout.contains("every check holds"), "{}", verdict.stdout);
}

#[test]
fn where_there_is_none_it_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let run = run_in(folder.path(), line);
        assert_eq!(run.code, 1, "{line}: {}", run.stderr);
        run.stdout
    };
    // Failed nodes cut the last two off from each other.
    run("search hypercube --dim 2 --failed 01 --failed 10 --balanced total");
    let text = run("search hypercube --dim 4 --any-failure regenerated --max-crosspoints 6");
    assert!(text.contains("crosspoints: at least 7, not 6: 48 pairs"), "{text}");
    assert!(tree(folder.path()).is_empty());
    let ties = "search hypercube --dim 8 --symmetric rotations --minimal-rotations \
                --balanced per-step --imbalance 1";
    let text = run(&format!("{ties} --proof ties.drat"));
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("has no solution; the proof is in ties.drat"), "{text}");
    let names: Vec<_> = tree(folder.path()).into_keys().collect();
    assert_eq!(names.len(), 2, "{names:?}");
    // Where an argument decides, no old proof is left that would pass for this one's.
    let text = run("search hypercube --dim 4 --any-failure regenerated --max-crosspoints 6 \
                    --proof ties.drat");
    assert!(text.contains("ties.drat is not written, nor kept from before"), "{text}");
    assert!(tree(folder.path()).is_empty());
    let json: Value = serde_json::from_str(&run(&format!("{ties} --format json"))).unwrap();
    assert_eq!(json["verdict"], "none");
    assert_eq!(json["impossible"]["proof_checked"], false);
}

#[test]
fn the_least_is_proven() {
    let text = run("search hypercube --dim 3 --vcs 1 --minimize fan-out").stdout;
    assert!(text.contains("The least fan-out is 2, in "), "{text}");
    assert!(text.contains("fan-out: at least 2, not 1: the pairs at distance 2"), "{text}");
    let csv = run("search hypercube --dim 6 --symmetric rotations --minimal-rotations \
                   --balanced per-step --minimize imbalance --format csv");
    assert_eq!(common::rows(&csv.stdout)[0]["figures_imbalance_per_step"], "1");
}

/// The bound on the worst permutation: what `worst` says of the relation that is found; a proof where
/// there is none.
#[test]
fn the_worst_case_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let json = |line: &str, code: i32| -> Value {
        let run = run_in(folder.path(), &format!("{line} --format json"));
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    };
    for (k, options) in [
        (4, ""),
        (4, " --symmetric"),
        (4, " --parities 1"),
        (4, " --vcs 1"),
        (4, " --max-fan-out 2"),
        (3, " --detour 2"),
    ] {
        let line =
            format!("search hypercube --dim {k} --max-worst-case 2 --save w.relation --force");
        let found = json(&format!("{line}{options}"), 0);
        assert_eq!(found["figures"]["worst_case"], 2, "{options}");
        let worst = json(&format!("worst hypercube --dim {k} --routing w.relation"), 0);
        assert_eq!(worst["max_channel_load"], 2, "{options}");
    }
    let unbounded = json("search hypercube --dim 3", 0);
    assert_eq!(unbounded["figures"]["worst_case"], Value::Null);
    let none = json("search hypercube --dim 4 --max-worst-case 1 --proof none.drat", 1);
    assert_eq!(none["impossible"]["proof_checked"], true);
    let line = "search hypercube --dim 5 --symmetric --minimize worst-case";
    let text = run_in(folder.path(), line).stdout;
    assert!(text.contains("The least worst-case is 3, in "), "{text}");
    assert!(text.contains("  3  packets of a permutation over a channel, at most"), "{text}");
}

#[test]
fn one_file_for_each_failure() {
    let folder = tempfile::tempdir().unwrap();
    let line = "search hypercube --dim 3 --any-failure fixed --detour 2 --max-crosspoints 4 \
                --save s.relation";
    let run = run_in(folder.path(), line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let names = tree(folder.path()).len();
    assert_eq!(names, 9, "one for none and eight for one failed node");
    let without =
        run_in(folder.path(), "analyze hypercube --dim 3 --routing s-without-101.relation");
    assert_eq!(without.code, 0, "{}", without.stderr);
    // Translations stand for failures in the search, and not in what it gives.
    for symmetry in ["--symmetric", "--parities 1"] {
        let line = "search hypercube --dim 3 --any-failure fixed --detour 2 --save s.relation";
        assert_eq!(run_in(folder.path(), &format!("{line} {symmetry}")).code, 0);
        assert_eq!(tree(folder.path()).len(), 9, "{symmetry}");
        let line = "verify hypercube --dim 3 --routing s-without-110.relation";
        assert_eq!(run_in(folder.path(), line).code, 0, "{symmetry}");
    }
}

/// With two parities the header is the XOR, and there are four kinds of switch.
#[test]
fn nodes_are_alike_by_parities() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let run = run_in(folder.path(), line);
        assert_eq!(run.code, 0, "{line}: {}", run.stderr);
        run.stdout
    };
    let question = "search hypercube --dim 4 --vcs 1 --max-fan-out 2 --max-fan-in 2 \
                    --max-crosspoints 7 --name pairs --save pairs.relation";
    let text = run(&format!("{question} --parities 2"));
    assert!(text.contains("Nodes are alike where their parities under "), "{text}");
    let verdict = run("verify hypercube --dim 4 --routing pairs.relation");
    assert!(verdict.contains("every check holds"), "{verdict}");
    assert!(verdict.contains("4 switch class(es)"), "{verdict}");
    let json = run(&format!("{question} --parities 0100,1000 --format json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["parities"][1], "1000", "{json}");
}

#[test]
fn bad_questions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    refused_in(
        folder.path(),
        &[
            ("search ccc --dim 3", &["hypercube alone", "ccc"][..]),
            ("search hypercub --dim 3", &["did you mean 'hypercube'"]),
            ("search hypercube --dim 1", &["dimension 1", "2 to 10"]),
            ("search hypercube --dim 11", &["dimension 11", "2 to 10"]),
            ("search hypercube --dim 3 --failed 0101", &["'0101'", "3"]),
            ("search hypercube --dim 3 --max-fan-out 3", &["--max-fan-out 3", "0 to 2"]),
            ("search hypercube --dim 3 --max-crosspoints 7", &["--max-crosspoints 7", "0 to 6"]),
            ("search hypercube --dim 3 --vcs 0", &["--vcs 0", "1 to 8"]),
            ("search hypercube --dim 3 --detour 9", &["--detour 9", "0 to 8"]),
            ("search hypercube --dim 3 --failed 000 --symmetric", &["--symmetric", "failed"]),
            ("search hypercube --dim 3 --any-failure fixed --balanced total", &["loads", "fixed"]),
            ("search hypercube --dim 3 --max-worst-case 9", &["--max-worst-case 9", "0 to 8"]),
            (
                "search hypercube --dim 3 --max-worst-case 2 --failed 000",
                &["--max-worst-case", "a failed node"],
            ),
            (
                "search hypercube --dim 3 --any-failure fixed --minimize worst-case",
                &["--max-worst-case", "a failed node"],
            ),
            ("search hypercube --dim 3 --parities 4", &["--parities 4", "1 to 3"]),
            (
                "search hypercube --dim 4 --parities 1 --vcs 2",
                &["--parities", "--vcs", "say which"],
            ),
            ("search hypercube --dim 4 --parities 1 --minimize vcs", &["--parities", "--vcs"]),
            ("search hypercube --dim 3 --parities 0", &["--parities 0", "1 to 3"]),
            ("search hypercube --dim 3 --parities 011,101,110", &["011,101,110", "sums"]),
            ("search hypercube --dim 3 --parities 000", &["000", "independent"]),
            ("search hypercube --dim 3 --parities 0110", &["--parities", "'0110'", "3 binary"]),
            ("search hypercube --dim 3 --parities 001,", &["--parities", "''"]),
            ("search hypercube --dim 3 --parities 1 --symmetric", &["--parities", "--symmetric"]),
            ("search hypercube --dim 3 --parities 1 --failed 000", &["--parities", "failed"]),
            ("search hypercube --dim 6 --vcs 1 --max-fan-out 4 --parities 1 --proof p", &["one"]),
            ("search hypercube --dim 3 --imbalance 1", &["--imbalance", "--balanced"]),
            ("search hypercube --dim 3 --minimize imbalance", &["--balanced"]),
            ("search hypercube --dim 3 --minimize area", &["area", "crosspoints"]),
            ("search hypercube --dim 3 --name wire", &["--name", "wire"]),
            ("search hypercube --dim 3 --name ecube", &["--name", "ecube"]),
            ("search hypercube --dim 3 --save no/s.relation", &["no/s.relation", "no folder"]),
            ("search hypercube --dim 3 --save there", &["there", "folder"]),
            ("search hypercube --dim 3 --max-fan-out 1 --vcs 1 --proof no/p", &["no/p"]),
            ("search hypercube --dim 3 --time-limit 0", &["--time-limit"]),
            (
                "search hypercube --dim 10 --balanced per-step --imbalance 1",
                &["clauses", "smaller dimension"],
            ),
        ],
    );
    assert_eq!(tree(folder.path()).len(), 1, "nothing is left behind");
}

/// With `--max-fan-in 2` there is none, and it takes the solver half a minute to say so.
const LONG: &str = "search hypercube --dim 4 --vcs 1 --max-crosspoints 6 --max-fan-out 2";

#[test]
fn an_end_of_the_time_is_no_answer() {
    let run = run(&format!("{LONG} --max-fan-in 2 --time-limit 1"));
    assert_eq!((run.code, &*run.stderr), (3, ""), "{}", run.stdout);
    assert!(run.stdout.contains("Not decided within 1 s; raise --time-limit"), "{}", run.stdout);
}

/// Ctrl-C after so many seconds: what it prints then, and the exit code.
fn interrupted(line: &str, seconds: u64) -> (String, Option<i32>) {
    let search = Command::new(env!("CARGO_BIN_EXE_turnpike"))
        .args(line.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(seconds));
    let sent = Command::new("kill").args(["-INT", &search.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = search.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn ctrl_c_gives_the_best_so_far() {
    let (text, code) = interrupted(&format!("{LONG} --minimize fan-in --time-limit 60"), 4);
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("The least fan-in found is "), "{text}");
    assert!(text.contains("is not known"), "{text}");
}

#[test]
fn ctrl_c_before_anything_is_found_is_no_answer() {
    let line = format!("{LONG} --max-fan-in 2 --time-limit 60 --format json");
    let (text, code) = interrupted(&line, 2);
    assert_eq!(code, Some(130), "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["verdict"], &json["figures"]), (&"undecided".into(), &Value::Null));
}
