//! `schedule` and `analyze --pattern`, as the program prints them.

use crate::common;

use crate::common::{json, run, run_in, turnpike};
use serde_json::Value;
use std::fs;
use turnpike_network::topology::{Local, Port, Topology, find};

fn topology(name: &str, size: &[&str]) -> Box<dyn Topology> {
    let kind = find(name).unwrap();
    kind.build(kind.sizes.of_keys(size).unwrap()).unwrap()
}

/// Follows each connection of each slot along the channels of the topology that `generate` builds,
/// which settings know nothing of. Returns the connections.
fn follow(topology: &dyn Topology, report: &Value) -> Vec<(u32, u32)> {
    let mut followed = Vec::new();
    for slot in report["slots"].as_array().unwrap() {
        let stages = slot["settings"].as_array().unwrap();
        for pair in slot["connections"].as_array().unwrap() {
            let [source, sink] =
                [0, 1].map(|end| topology.terminal(pair[end].as_str().unwrap()).unwrap());
            let (mut node, Local(mut input)) = topology.source(source).unwrap();
            for (stage, switches) in stages.iter().enumerate() {
                let (label, index) = (topology.label(node), topology.label(node));
                let index: usize = index.split_once('_').unwrap().1.parse().unwrap();
                assert!(label.starts_with(&format!("{stage}_")));
                let outputs = switches[index].as_array().unwrap();
                let output = outputs.iter().position(|taken| *taken == u64::from(input)).unwrap();
                match topology.channel(node, Port(output as u8)) {
                    Some((to, Port(by))) => (node, input) = (to, by),
                    None => assert_eq!(topology.sink_at(node, Local(output as u8)), Some(sink)),
                }
            }
            followed.push((source.0, sink.0));
        }
    }
    followed
}

#[test]
fn settings_connect_along_the_channels_that_are_built() {
    for dim in 1..=6 {
        let benes = topology("benes", &["2", &dim.to_string()]);
        for (options, switches) in
            [("", (2 * dim - 1) << (dim - 1)), (" --reduced", (dim << dim) - (1 << dim) + 1)]
        {
            for pattern in ["transpose", "bit-reversal", "permutation:7"] {
                let line = format!("schedule benes --dim {dim} --pattern {pattern}{options}");
                let report = json(&line);
                assert_eq!(follow(&*benes, &report).len(), 1 << dim, "{line}");
                assert_eq!((&report["slot_count"], &report["h"]), (&1.into(), &1.into()));
                assert_eq!(report["switches"], switches, "{line}");
                let wires = report["wires"].as_array().unwrap();
                assert_eq!(wires.len() as u32 + switches, (2 * dim - 1) << (dim - 1));
                for wire in wires {
                    let [stage, switch] = [0, 1].map(|at| wire[at].as_u64().unwrap() as usize);
                    let straight = &report["slots"][0]["settings"][stage][switch];
                    assert_eq!(*straight, serde_json::json!([0, 1]));
                }
            }
        }
    }
    for shape in ["2,2,2", "3,2,4", "4,4,4", "7,4,8"] {
        let clos = topology("clos", &[shape]);
        let report = json(&format!("schedule clos --shape {shape} --pattern permutation:3"));
        assert_eq!(follow(&*clos, &report).len() as u32, clos.terminals());
    }
    let butterfly = topology("butterfly", &["4", "2"]);
    let report =
        json("schedule butterfly --dim 2 --radix 4 --pattern bit-complement --self-routing");
    assert_eq!(follow(&*butterfly, &report).len(), 16);
}

/// An h-relation takes h slots, in which each word goes once.
#[test]
fn words_go_in_as_many_slots_as_the_busiest_terminal_has() {
    let folder = tempfile::tempdir().unwrap();
    let words = "0 1 3 # three words\n0 2\n5 1 2\n7 7\n\n3 0 1\n";
    fs::write(folder.path().join("words.txt"), words).unwrap();
    for network in ["benes --dim 3", "benes --dim 3 --reduced", "clos --shape 2,2,4"] {
        let line = format!("schedule {network} --pattern words.txt --format json");
        let run = run_in(folder.path(), &line);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        // Sink 1 takes 3 and 2.
        assert_eq!((&report["h"], &report["slot_count"]), (&5.into(), &5.into()));
        let topology = match network.starts_with("benes") {
            true => topology("benes", &["2", "3"]),
            false => topology("clos", &["2,2,4"]),
        };
        let mut went = follow(&*topology, &report);
        went.sort_unstable();
        assert_eq!(went, [(0, 1), (0, 1), (0, 1), (0, 2), (3, 0), (5, 1), (5, 1), (7, 7)]);
    }
}

/// What does not pass says why, with exit code 1.
#[test]
fn what_is_blocked_says_by_what() {
    let transpose = run("schedule butterfly --dim 4 --pattern transpose --self-routing");
    assert_eq!(transpose.code, 1);
    let reason =
        "it does not pass: stage 0, switch 0: packets 0 to 0 and 8 to 2 both need output 0";
    assert!(transpose.stdout.contains(reason), "{}", transpose.stdout);
    let csv = run("schedule butterfly --dim 4 --pattern transpose --self-routing --format csv");
    let rows = common::rows(&csv.stdout);
    assert_eq!((rows.len(), &*rows[0]["blocked"], &*rows[0]["output"]), (1, &reason[18..], ""));
    let folder = tempfile::tempdir().unwrap();
    // Middle switch 0 has the first and third, 1 the second.
    fs::write(folder.path().join("calls.txt"), "2 0\n3 2\n0 4\n1 3\n").unwrap();
    let line = "schedule clos --pattern calls.txt --in-turn --shape";
    let blocked = run_in(folder.path(), &format!("{line} 2,2,3"));
    let reason = "connection 1 to 3 is blocked; middle switch 0 has 0 to 4 from the first switch; \
                  middle switch 1 has 3 to 2 to the last switch";
    assert_eq!(blocked.code, 1);
    assert!(blocked.stdout.contains(reason), "{}", blocked.stdout);
    // Clos's bound: 2N - 1.
    assert_eq!(run_in(folder.path(), &format!("{line} 3,2,3")).code, 0);
    // And moved, they fit.
    let line = "schedule clos --pattern calls.txt --shape 2,2,3";
    assert_eq!(run_in(folder.path(), line).code, 0);
}

/// Counts of the permutations that route themselves: butterflies have 2 for each switch, Benes
/// networks those of Nassimi and Sahni.
#[test]
fn counts_of_self_routing_are_said() {
    for (network, count) in [
        ("butterfly --dim 1", "2"),
        ("butterfly --dim 3", "4096"),
        ("benes --dim 2", "20"),
        ("benes --dim 3", "11632"),
    ] {
        let report = json(&format!("schedule {network} --pattern bit-complement --self-routing"));
        assert_eq!(report["self_routing_permutations"], count, "{network}");
    }
}

/// Theorem 1 of the lecture: the busiest edge of a butterfly under the transpose has √(N/2) words for
/// an odd number of digits, √N/2 for an even one; the busiest link √(N/2) and √N.
#[test]
fn the_transpose_congests_a_butterfly_by_the_root_of_its_rows() {
    for n in 2..=16 {
        let report = json(&format!("analyze butterfly --dim {n} --pattern transpose"));
        let pattern = &report["pattern"];
        let (links, edges) = if n % 2 == 0 { (n / 2, n / 2 - 1) } else { (n / 2, n / 2) };
        assert_eq!(pattern["max_link_load"], 1 << links, "{n}");
        assert_eq!(pattern["max_edge_load"], 1 << edges, "{n}");
        assert_eq!(pattern["meeting_on_link"].as_array().unwrap().len(), 1 << links);
        // In the middle a sub-butterfly's rows leave by one edge each.
        let used = |step: &Value| step["edges_used"].as_u64().unwrap();
        let fewest = pattern["steps"].as_array().unwrap().iter().map(used).min();
        assert!(fewest <= Some(1 << (n / 2 + 1)), "{n}: {fewest:?}");
    }
    let mesh = json("analyze mesh --shape 4x4 --pattern transpose");
    assert!(mesh["pattern"]["max_edge_load"].is_null() && mesh["pattern"]["edges"].is_null());
    assert!(mesh["pattern"]["max_link_load"].as_u64() > Some(1));
}

#[test]
fn bad_patterns_and_networks_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("three.txt", "0 1 2 3\n"),
        ("none.txt", "0 1\n0 1 0\n"),
        ("range.txt", "# one\n0 8\n"),
        ("twice.txt", "0 1\n2 1\n"),
        ("many.txt", "0 1 16777216\n0 2 1\n"),
        ("empty.txt", "# nothing\n"),
        ("again.txt", "0 1\n0 1\n"),
        ("late.txt", "0 1\nslot\n"),
        ("nested.txt", "slot other.txt\n"),
        ("words.txt", "slot shuffle twice\n"),
        ("taken.txt", "slot shuffle\nslot\n0 1\n2 1\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for (line, text) in [
        ("benes --dim 3 --pattern three.txt", "three.txt:1: 4 fields; give SOURCE SINK [WORDS]"),
        (
            "benes --dim 3 --pattern none.txt",
            "none.txt:2: '0' is no number of words; use a whole number from 1 to",
        ),
        ("benes --dim 3 --pattern range.txt", "range.txt:2: "),
        ("benes --dim 3 --pattern many.txt", "many.txt:2: more than 16777216 words up to here"),
        ("benes --dim 3 --pattern empty.txt", "no messages; give SOURCE SINK [WORDS] on a line"),
        ("benes --dim 3 --self-routing --pattern again.txt", "terminal 0 has 2 words for 1"),
        (
            "benes --dim 3 --self-routing --reduced --pattern transpose",
            "leave --self-routing or --reduced out",
        ),
        ("butterfly --dim 16 --radix 16 --self-routing --pattern transpose", "more than 65536"),
        ("benes --dim 3 --pattern gone.txt", "cannot read the pattern gone.txt"),
        ("benes --dim 3 --pattern transpos", "did you mean 'transpose'?"),
        ("benes --dim 3 --pattern permutation:x", "a seed is a whole number"),
        ("benes --dim 0 --pattern transpose", "benes: --dim 0 is out of range; use 1 to 16"),
        ("benes --dim 17 --pattern transpose", "--dim 17 is out of range; use 1 to 16"),
        ("benes --dim 3 --self-routing --pattern twice.txt", "sink 1 is taken by both"),
        ("benes --dim 3 --pattern late.txt", "late.txt:2: messages before the first slot"),
        ("benes --dim 3 --pattern nested.txt", "nested.txt:1: a slot takes the name of a pattern"),
        ("benes --dim 3 --pattern words.txt", "words.txt:1: 2 fields after 'slot'"),
        ("benes --dim 3 --pattern taken.txt", "slot 1: there is one slot: sink 1 is taken by both"),
        ("benes --dim 3 --pattern transpose --slots 3", "--image"),
        ("mesh --shape 2x2 --kind circuit --pattern transpose", "mesh is no network of circuits"),
        ("butterfly --dim 2 --pattern transpose", "add --self-routing, which finds the settings"),
        ("butterfly --dim 2 --pattern transpose --image x", "add --self-routing, which finds"),
        ("clos --shape 1,2,2 --pattern transpose", "1 middle switches"),
        ("clos --shape 2,2,3 --pattern transpose", "needs a power of two of terminals, not 6"),
        ("clos --shape 4x4 --pattern transpose", "clos takes --shape M,N,R, not --shape 4x4"),
        ("clos --shape 0,1,2 --pattern transpose", "is no shape of a Clos network"),
        ("clos --shape 2,2,2 --reduced --pattern transpose", "--reduced is for benes"),
        ("benes --dim 2 --in-turn --pattern transpose", "--in-turn is for clos"),
        ("benes --dim 2 --radix 2 --pattern transpose", "leave --radix out"),
        ("butterfly --dim 2 --radix 33 --self-routing --pattern transpose", "use 2 to 32"),
    ] {
        let run = run_in(folder.path(), &format!("schedule {line}"));
        assert_eq!(run.code, 2, "{line}: {}", run.stdout);
        assert!(run.stderr.contains(text), "{line}: {}", run.stderr);
    }
    let adaptive = "analyze hypercube --dim 3 --routing adaptive --pattern transpose";
    assert!(run(adaptive).stderr.contains("packets choose their way under 'adaptive'"));
    let large = turnpike("analyze butterfly --dim 16".split(' '));
    assert!(large.stderr.contains("too many to walk all routes"), "{}", large.stderr);
}

/// A butterfly without its first switch has fewer sources than sinks.
#[test]
fn what_is_left_of_one_side_is_said() {
    let left = run("analyze butterfly --dim 3 --failed 0_0").stdout;
    assert!(left.contains("0_0 failed, 6 sources and 8 sinks left"), "{left}");
    let left = run("analyze hypercube --dim 3 --failed 000").stdout;
    assert!(left.contains("000 failed, 7 terminals left"), "{left}");
}
