//! `schedule` of switched networks, as the program prints it.

use crate::common::{refused_in, rows, run, run_in};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use turnpike_analysis::network::Wanted;
use turnpike_network::routing::Draw;
use turnpike_network::routing::{Header, Input, Output, Relation, Vc};
use turnpike_network::topology::parameter::{ARITY, DIM, LEVELS, RADIX};
use turnpike_network::topology::{Node, Shape, Size, Topology};

fn json(line: &str) -> Value {
    let run = run(&format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// A word on its way.
struct Word {
    node: Node,
    input: Input,
    vc: Vc,
    header: Header,
    destination: String,
    arrives: u64,
}

/// Runs some frames of a printed table step by step: in each step every word that is on its way moves over
/// one channel, and no two over the same. Returns how many arrive, each in the slot that the table says.
fn steps(topology: &dyn Topology, relation: &Relation, report: &Value) -> usize {
    let frame = report["slot_count"].as_u64().unwrap();
    let mut words: Vec<Word> = Vec::new();
    let mut arrived = 0;
    for step in 0..3 * frame + 100 {
        let mut moved: BTreeSet<(Node, Output)> = BTreeSet::new();
        for mut word in std::mem::take(&mut words) {
            let hop = relation.hop(word.node, word.input, word.vc, word.header);
            let free = moved.insert((word.node, hop.output));
            assert!(free, "two words leave {} by {:?}", topology.label(word.node), hop.output);
            match hop.output {
                Output::Network(port) => {
                    let (node, input) = topology.channel(word.node, port).unwrap();
                    (word.node, word.input) = (node, Input::Network(input));
                    (word.vc, word.header) = (hop.vc, hop.header);
                    words.push(word);
                }
                Output::Eject(local) => {
                    let sink = topology.sink_at(word.node, local).unwrap();
                    assert_eq!(topology.terminal_label(sink), word.destination);
                    assert_eq!(step % frame, word.arrives);
                    arrived += 1;
                }
            }
        }
        if step >= 3 * frame {
            continue;
        }
        let mut sent = BTreeSet::new();
        let slot = &report["slots"][(step % frame) as usize];
        assert_eq!(slot["slot"], step % frame);
        for fields in slot["words"].as_array().unwrap() {
            let label = |key: &str| fields[key].as_str().unwrap().to_owned();
            let source = topology.sender(&label("source")).unwrap();
            let destination = topology.receiver(&label("destination")).unwrap();
            assert!(sent.insert(source), "{source:?} sends two words in one slot");
            let (node, input) = Input::of(topology, source).unwrap();
            let header = relation.inject(source, destination, Draw::NONE);
            let arrives = fields["arrives"].as_u64().unwrap();
            let destination = label("destination");
            words.push(Word { node, input, vc: Vc(0), header, destination, arrives });
        }
    }
    assert!(words.is_empty());
    arrived
}

fn shape(text: &str) -> Size {
    text.parse::<Shape>().unwrap().into()
}

#[test]
fn words_move_in_every_step_and_never_meet() {
    let failed = ["0110".to_owned()];
    let wanted = |name, size| Wanted::new(name, size);
    for (line, wanted, words) in [
        ("mesh --shape 4x4 --pattern transpose", wanted("mesh", shape("4x4")), 16),
        (
            "hypercube --dim 4 --routing rotation --pattern bit-reversal",
            Wanted { routing: Some("rotation"), ..wanted("hypercube", Size::of_dim(4)) },
            16,
        ),
        (
            "hypercube --dim 4 --failed 0110 --pattern permutation:4",
            Wanted { failed: &failed, ..wanted("hypercube", Size::of_dim(4)) },
            15,
        ),
        (
            "mesh --shape 3x3 --concentration 2 --pattern permutation:2",
            Wanted { concentration: 2, ..wanted("mesh", shape("3x3")) },
            18,
        ),
        (
            "fat-tree --arity 2 --levels 3 --pattern bit-complement",
            { wanted("fat-tree", Size::of([(&ARITY, 2), (&LEVELS, 3)])) },
            8,
        ),
        (
            "butterfly --dim 4 --kind switched --pattern transpose",
            wanted("butterfly", Size::of([(&DIM, 4), (&RADIX, 2)])),
            16,
        ),
    ] {
        let (topology, relation) = wanted.build().unwrap();
        let report = json(&format!("schedule {line}"));
        assert_eq!(report["words"], words, "{line}");
        assert_eq!(steps(&*topology, &relation, &report), 3 * words, "{line}");
        assert_eq!((&report["outcome"], &report["is_least"]), (&"table".into(), &true.into()));
        assert_eq!(report["slot_count"], report["bound"], "{line}");
    }
}

/// A network from a file, with words for the same pair, in slots that are asked for.
#[test]
fn words_of_a_file_go_in_the_slots_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let exported = run("export ring --nodes 5");
    fs::write(folder.path().join("five.topology"), &exported.stdout).unwrap();
    fs::write(folder.path().join("words.txt"), "0 2 2\n1 2\n0 2 # a third\n4 1\n").unwrap();
    let line = "schedule ./five.topology --pattern words.txt --format csv";
    for (options, slots, is_least) in
        [("", "4", "true"), (" --slots 4", "4", "true"), (" --slots 6", "6", "")]
    {
        let run = run_in(folder.path(), &format!("{line}{options}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let mut words: BTreeMap<(String, String), usize> = BTreeMap::new();
        for row in rows(&run.stdout) {
            assert_eq!((&*row["slot_count"], &*row["bound"]), (slots, "4"));
            assert_eq!(row["is_least"], is_least);
            *words.entry((row["source"].clone(), row["destination"].clone())).or_default() += 1;
        }
        let words: Vec<(&str, &str, usize)> =
            words.iter().map(|((s, t), n)| (&**s, &**t, *n)).collect();
        assert_eq!(words, [("0", "2", 3), ("1", "2", 1), ("4", "1", 1)]);
    }
}

/// Exit code 1: fewer slots than words on a channel, or a frame that the solver refutes; 3: not decided.
#[test]
fn slots_that_are_too_few_are_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("triangle.txt"), "1 3\n2 0\n3 2\n").unwrap();
    let pairs = |n: u32| (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)));
    let all: String =
        pairs(16).map(|(a, b)| format!("{}_{} {}_{}\n", a / 4, a % 4, b / 4, b % 4)).collect();
    fs::write(folder.path().join("all.txt"), all).unwrap();
    let ring = "schedule directed-ring --nodes 4 --pattern triangle.txt";
    for (line, code, text, excess) in [
        (
            "schedule mesh --shape 4x4 --pattern transpose --slots 2".to_owned(),
            1,
            "there is no table of 2 slots: 3 words take the channel 1_0 x_minus, 1 more than the frame \
             has slots",
            1,
        ),
        (
            format!("{ring} --slots 2"),
            1,
            "there is no table of 2 slots: no channel has more than 2 words, but the SAT solver refuted it",
            0,
        ),
        (
            "schedule mesh --shape 4x4 --pattern all.txt --slots 16 --conflicts 5".to_owned(),
            3,
            "a table of 16 slots: not decided",
            0,
        ),
        (ring.to_owned(), 0, "no table has 2 slots\nso there is none with fewer\n", 1),
    ] {
        let ran = run_in(folder.path(), &line);
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
        assert!(ran.stdout.contains(text), "{line}: {}", ran.stdout);
        let json = run_in(folder.path(), &format!("{line} --format json"));
        let json: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(json["excess"], excess, "{line}");
        let csv = run_in(folder.path(), &format!("{line} --format csv"));
        let lines = rows(&csv.stdout);
        assert!(code == 0 || (lines.len() == 1 && lines[0]["source"].is_empty()), "{line}");
    }
    let hasty = run_in(folder.path(), "schedule mesh --shape 4x4 --pattern all.txt --conflicts 5");
    assert_eq!(hasty.code, 0);
    assert!(hasty.stdout.contains("not decided whether fewer slots are enough: 16"));
    assert!(!hasty.stdout.contains("none with fewer"), "{}", hasty.stdout);
}

#[test]
fn bad_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("slots.txt"), "slot\n0_0 1_1\n").unwrap();
    fs::write(folder.path().join("many.txt"), "0_0 1_1 9000000\n").unwrap();
    let mesh = "schedule mesh --shape 2x2 --pattern";
    let cases = [
        (
            format!("{mesh} transpose --routing adaptive"),
            "a time table needs a relation with one route per",
        ),
        (
            format!("{mesh} transpose --slots 0"),
            "--slots 0: a frame of 0 slots holds no word; use at least 1",
        ),
        (format!("{mesh} transpose --slots 500000000"), "are more than 1073741824 in all"),
        (format!("{mesh} slots.txt"), "leave the lines 'slot' out, or use --kind circuit"),
        (
            format!("{mesh} many.txt"),
            "uses of channels by words are more than 8388608; send fewer words",
        ),
        (format!("{mesh} transpose --kind circuit"), "mesh is no network of circuits; these are"),
        (format!("{mesh} transpose --kind bus"), "there is no kind of fabric 'bus'"),
        (
            format!("{mesh} transpose --reduced"),
            "for networks of circuits, and a time table has none; leave --reduced out",
        ),
        (
            format!("{mesh} transpose --image x"),
            "for networks of circuits, and a time table has none; leave --image out",
        ),
        (
            "schedule benes --dim 2 --pattern transpose --routing greedy".to_owned(),
            "add --kind switched, or leave --routing out",
        ),
        (
            "schedule benes --dim 2 --pattern transpose --conflicts 5".to_owned(),
            "add --kind switched, or leave --conflicts out",
        ),
        (
            "schedule benes --dim 2 --pattern transpose --stages-per-register 1".to_owned(),
            "add --image FILE, or leave --stages-per-register out",
        ),
    ];
    let parts: Vec<[&str; 1]> = cases.iter().map(|(_, part)| [*part]).collect();
    let cases: Vec<(&str, &[&str])> =
        cases.iter().zip(&parts).map(|((line, _), part)| (&**line, &part[..])).collect();
    refused_in(folder.path(), &cases);
}
