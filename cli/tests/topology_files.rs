//! Topologies from files: in every command, as good as one that Turnpike has; and what is said of
//! those that are none.

use crate::common::{Run, refused_in, run_in, tree};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const LITTLE: &str = "turnpike-topology 1\nname little\nnode a b\nnode c\nterminal cpu a\n\
    source dma b\nsink log c\nterminal split b c\nlink a.east b.west\nlink b c\n\
    channel c.ring a.ring\nchannel c a\n";
const ANYNET: &str =
    "router 0 node 0 node 1 router 1 1\nrouter 1 node 2 router 2\nrouter 2 node 3 router 0\n";
const GRAPHML: &str = "<graphml><graph edgedefault=\"undirected\"><node id=\"x\"/><node id=\"y y\"/>\
    <edge source=\"x\" target=\"y y\"/></graph></graphml>";
const DOT: &str = "graph { hub [terminals=0]; hub -- { a b c } }";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("little.topology", LITTLE),
        ("bs.anynet", ANYNET),
        ("two.graphml", GRAPHML),
        ("star.gv", DOT),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn succeeds(folder: &Path, line: &str) -> Run {
    let run = run_in(folder, line);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}: {}", run.stdout);
    run
}

#[test]
fn every_command_takes_every_format() {
    let folder = folder();
    for file in ["little.topology", "bs.anynet", "two.graphml", "star.gv"] {
        for command in [
            format!("analyze {file} --format json"),
            format!("compare {file}"),
            format!("simulate {file} --load 0.1 --cycles 500"),
            format!("verify {file}"),
            format!("generate {file} --out out_{file}"),
            format!("export {file}"),
        ] {
            succeeds(folder.path(), &command);
        }
    }
    let route = succeeds(folder.path(), "route little.topology cpu log");
    assert!(route.stdout.contains("cpu to log, 2 channels (a shortest path)"), "{}", route.stdout);
    // What is no part of an identifier is kept beside what stands for it.
    let manifest = folder.path().join("out_two.graphml/two_up_down.json");
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
    let names = serde_json::json!({ "y_y": "y y" });
    assert_eq!(manifest["topology_file"]["node_names"], names);
    assert_eq!(manifest["topology_file"]["file"], "two.topology");
    let analysis = succeeds(folder.path(), "analyze star.gv --format json");
    let analysis: serde_json::Value = serde_json::from_str(&analysis.stdout).unwrap();
    assert_eq!((&analysis["topology"], &analysis["routing"]), (&"star".into(), &"up-down".into()));
    assert_eq!(analysis["nodes"], 4);
}

/// The modules of a folder, from their frame on: the text before it names the configuration.
fn modules(folder: &Path) -> BTreeMap<String, String> {
    let files = tree(folder).into_iter().filter_map(|(path, bytes)| {
        let name = path.file_name()?.to_str()?.to_owned();
        let text = String::from_utf8(bytes?).ok()?;
        let (_, body) = text.split_once("`resetall")?;
        name.ends_with(".v").then(|| (name, body.to_owned()))
    });
    files.collect()
}

/// A topology that is exported and given back makes the same fabric. `shortest` chooses paths and
/// virtual channels of a file by load, and those of a built-in topology by the order of its ports; so
/// there a file is held to its own export.
#[test]
fn what_is_exported_is_the_same_fabric() {
    let folder = folder();
    for (topology, size, name, routing) in [
        ("mesh", "--shape 3x2", "mesh_3x2", "up-down"),
        ("ring", "--nodes 5", "ring_5", "up-down"),
        ("mesh", "--shape 3x2", "mesh_3x2_s", "shortest"),
        ("ring", "--nodes 5", "ring_5_s", "shortest"),
        ("arc-cube", "--dim 2", "arc_cube_2", "shortest"),
        ("directed-ring", "--nodes 5", "directed_ring_5", "shortest"),
        ("de-bruijn", "--arity 2 --dim 3", "de_bruijn_2_3", "shortest"),
        ("kautz", "--arity 2 --dim 2", "kautz_2_2", "shortest"),
    ] {
        let file = format!("{name}.topology");
        succeeds(folder.path(), &format!("export {topology} {size} --out {file}"));
        let (first, second) = match routing {
            "shortest" => (file.clone(), format!("{name}_again.topology")),
            _ => (format!("{topology} {size}"), file.clone()),
        };
        if routing == "shortest" {
            succeeds(folder.path(), &format!("export {file} --out {second}"));
        }
        let [own, given] = [("own", first), ("given", second)].map(|(which, network)| {
            let out = format!("{which}_{name}");
            let options = format!("--routing {routing} --name same --width 5 --out {out}");
            succeeds(folder.path(), &format!("generate {network} {options}"));
            modules(&folder.path().join(out))
        });
        assert!(own.len() > 5, "{topology}: {:?}", own.keys());
        assert!(own == given, "{topology} {routing}");
    }
    // The folder keeps the file, and the file makes the folder again.
    succeeds(folder.path(), "generate little.topology --out first");
    succeeds(folder.path(), "generate first/little.topology --out second");
    let [first, second] = ["first", "second"].map(|name| {
        let files = tree(&folder.path().join(name)).into_iter();
        files
            .map(|(path, bytes)| (path.file_name().map(|n| n.to_owned()), bytes))
            .collect::<Vec<_>>()
    });
    assert!(first == second);
}

/// Ports that are named like compass points come back from DOT, and all from GraphML.
#[test]
fn what_is_exported_in_other_formats_is_the_same_fabric() {
    let folder = folder();
    let text = "turnpike-topology 1\nname net\nports n e s w c ne _x se\nnode a b c\nterminal a a\n\
                terminal b b\nterminal c c\nlink a.n b.s\nlink a.e b.w\nlink b.ne c.se\n\
                channel c.c a.c\nchannel c.s a.w\n";
    fs::write(folder.path().join("net.topology"), text).unwrap();
    let fabric = |file: &str, out: &str| {
        let options = "--routing shortest --name same --width 5";
        succeeds(folder.path(), &format!("generate {file} {options} --out {out}"));
        modules(&folder.path().join(out))
    };
    let own = fabric("net.topology", "own");
    assert!(own.len() > 5);
    for format in ["dot", "graphml"] {
        // As a file is called that has no ending, or has one in capital letters.
        let other = if format == "dot" { "net" } else { "net.GRAPHML" };
        succeeds(folder.path(), &format!("export net.topology --format {format} --out {other}"));
        let read = if format == "dot" { "net --as dot" } else { other };
        assert!(fabric(read, &format!("{format}_out")) == own, "{format}");
    }
}

/// A latency of BookSim's is said to be without effect, on standard error and once.
#[test]
fn latencies_are_noted() {
    let folder = folder();
    let text = "router 0 node 0 15 router 1\nrouter 1 node 1\n";
    fs::write(folder.path().join("slow.anynet"), text).unwrap();
    fs::write(folder.path().join("anynet_file"), text).unwrap();
    for (file, command) in
        [("slow.anynet", ""), ("anynet_file", " --as anynet"), ("slow.anynet", " --format json")]
    {
        let command = format!("analyze {file}{command}");
        let run = run_in(folder.path(), &command);
        let note = format!(
            "note: {file}: 1 connection of a terminal with a latency (the first in line 1, of 15 cycles): \
             these are not used, a terminal is at its switch\n"
        );
        assert_eq!((run.code, run.stderr), (0, note), "{command}");
    }
    // An error is one line.
    refused_in(
        folder.path(),
        &[("analyze slow.anynet --routing ecube", &["unknown routing 'ecube'"])],
    );
    let run = run_in(folder.path(), "schedule slow.anynet --pattern bit-complement");
    assert_eq!((run.code, run.stderr.matches("note: ").count()), (0, 1), "{}", run.stderr);
}

/// Registers on links, in every format: packets take as long, and are built so.
#[test]
fn links_have_registers() {
    let folder = folder();
    let native = "turnpike-topology 1\nnode a b\nterminal x a\nterminal y b\n\
                  channel a.p b.p delay=3\nchannel b.p a.p\n";
    let dot = "digraph { a -> b [delay=3]; b -> a }";
    let graphml = "<graphml><key id=\"d\" for=\"edge\" attr.name=\"delay\"/>\
                   <graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                   <edge source=\"a\" target=\"b\"><data key=\"d\">3</data></edge>\
                   <edge source=\"b\" target=\"a\"/></graph></graphml>";
    let anynet = "router 0 node 0 router 1 4\nrouter 1 node 1\n";
    let files =
        [("n.topology", native), ("n.dot", dot), ("n.graphml", graphml), ("n.anynet", anynet)];
    for (file, text) in files {
        fs::write(folder.path().join(file), text).unwrap();
        let names = match file {
            "n.topology" => ["x", "y"],
            "n.anynet" => ["t0", "t1"],
            _ => ["a", "b"],
        };
        let cycles = |from: &str, to: &str| {
            let flows = format!("source,destination,bandwidth\n{from},{to},0.001\n");
            fs::write(folder.path().join("flows.csv"), flows).unwrap();
            let command = "--flows flows.csv --cycles 30000 --warmup 10 --format json";
            let run = run_in(folder.path(), &format!("simulate {file} {command}"));
            assert_eq!(run.code, 0, "{file}: {}", run.stderr);
            let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
            report["latency"]["p50"].as_f64().unwrap()
        };
        let [there, back] = [cycles(names[0], names[1]), cycles(names[1], names[0])];
        assert_eq!(there - back, 3.0, "{file}: {there} and {back} cycles");
    }
    for (line, message) in [
        ("delay=65", "delay '65' is no number of registers on a link; use 0 to 64"),
        ("delay=x", "delay 'x' is no number of registers on a link; use 0 to 64"),
        ("delay=1 delay=2", "'delay=2' is one too many: delay=N once"),
        ("weight=1", "'weight=1' is not known; a link has a delay=N"),
    ] {
        let text = native.replace("delay=3", line);
        fs::write(folder.path().join("bad.topology"), text).unwrap();
        refused_in(folder.path(), &[("analyze bad.topology", &["bad.topology:5: ", message])]);
    }
    refused_in(
        folder.path(),
        &[
            ("schedule n.topology --pattern bit-complement", &["have up to 3 registers"]),
            (
                "generate n.topology --queue shift --depth 6",
                &[
                    "links of this network have up to 3 registers: with",
                    "would hold 12 flits, and at most 8 fit; use --depth 2 or less, or --queue ram",
                ],
            ),
            // The message names what was asked for, and not the sum.
            (
                "generate n.topology --queue registers --depth 2 --link-registers 2",
                &[
                    "up to 3 registers, beside --link-registers 2",
                    "would hold 12 flits, and at most 8 fit; use --queue ram",
                ],
            ),
        ],
    );
}

/// What is drawn without arrows may be meant to go both ways: said where a path is missing.
#[test]
fn edges_are_read_both_ways_where_that_is_asked() {
    let folder = folder();
    let files = [
        (
            "yed.graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"n0\"/><node id=\"n1\"/><node id=\"n2\"/>\n\
             <edge source=\"n0\" target=\"n1\"/><edge source=\"n1\" target=\"n2\"/></graph></graphml>",
        ),
        ("line.dot", "digraph { n0 -> n1 -> n2 }"),
        ("both.dot", "graph { n0 -- n1 -- n2 }"),
        ("apart.dot", "graph { n0 -- n1; n2 -- n3 }"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for file in ["yed.graphml --two-way", "line.dot --two-way", "both.dot"] {
        let run = succeeds(folder.path(), &format!("analyze {file} --format json"));
        let analysis: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&analysis["channels"], &analysis["routing"]), (&4.into(), &"up-down".into()));
    }
    refused_in(
        folder.path(),
        &[
            (
                "analyze yed.graphml",
                &[
                    "no path from n1 to n0",
                    "edges of yed.graphml are read one way",
                    "edgedefault=\"undirected\" in <graph>, or use --two-way",
                ],
            ),
            ("verify line.dot", &["no path from", "graph and -- in place of digraph and ->"]),
            (
                "analyze both.dot --two-way",
                &["both.dot: every edge goes both ways already", "leave --two-way out"],
            ),
            (
                "analyze bs.anynet --two-way",
                &["an edge of anynet says which way it goes", "leave --two-way out"],
            ),
            (
                "analyze mesh --shape 3x3 --two-way",
                &["--two-way", "it is for files, and this network is none"],
            ),
            ("analyze ring --as dot", &["cannot read the topology ring"]),
            (
                "generate mob --shape 3x3 --two-way",
                &["--two-way", "it is for files, and this network is none"],
            ),
        ],
    );
    let run = run_in(folder.path(), "analyze apart.dot");
    assert!(
        run.stderr.contains("no path from n0 to n2") && !run.stderr.contains("two-way"),
        "{}",
        run.stderr
    );
}

#[test]
fn bad_files_are_refused() {
    let folder = folder();
    let files = [
        (
            "two.topology",
            "turnpike-topology 1\nnode a b c d\nterminal x a\nterminal y c\nlink a b\nlink c d\n",
        ),
        ("again.topology", "turnpike-topology 1\nnode a\nnode a\n"),
        ("port.topology", "turnpike-topology 1\nnode a b c\nlink a.p b.p\nlink a.p c.p\n"),
        ("none.topology", "turnpike-topology 1\nnode a b\nlink a b\n"),
        ("alone.topology", "turnpike-topology 1\nnode a\nterminal x a\n"),
        (
            "one_way.topology",
            "turnpike-topology 1\nnode a b c\nterminal x a\nterminal y b\n\
            channel a b\nchannel b c\nchannel c a\n",
        ),
        ("binary.topology", "turnpike-topology 1\nnode \u{1}\n"),
        ("bad.anynet", "router 0 node 0\nrouter one\n"),
        ("bad.graphml", "<graphml>\n<graph>\n"),
        ("net.xml", GRAPHML),
        ("bad.dot", "graph { a -> b }"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let large = fs::File::create(folder.path().join("large.topology")).unwrap();
    large.set_len(100 << 20).unwrap();
    refused_in(
        folder.path(),
        &[
            ("analyze two.topology", &["no path from x to y"]),
            ("analyze again.topology", &["again.topology:3: there is a node 'a' already"]),
            (
                "analyze port.topology",
                &["port.topology:4: output port 'p' of a is in use already, by line 3"],
            ),
            ("analyze none.topology", &["none.topology: no terminal sends"]),
            ("analyze alone.topology", &["one terminal alone"]),
            (
                "analyze one_way.topology --routing up-down",
                &["needs links that go both ways", "shortest"],
            ),
            ("analyze binary.topology", &["binary.topology:2: this is no text"]),
            ("analyze bad.anynet", &["bad.anynet:2: 'router' is followed by its number"]),
            ("analyze bad.graphml", &["bad.graphml:2: the file ends before </graphml>"]),
            (
                "analyze net.xml",
                &[
                    "'net.xml' is a file whose name does not say its format",
                    "--as topology, anynet",
                ],
            ),
            ("analyze net.xml --as yaml", &["invalid value 'yaml' for '--as <FORMAT>'"]),
            ("analyze ./net.xml", &["'./net.xml' is a file whose name does not say its format"]),
            ("analyze bad.dot", &["bad.dot:1: '->' stands in a graph whose edges are '--'"]),
            ("analyze large.topology", &["it has 104857600 bytes; use at most 64 MiB"]),
            ("analyze missing.topology", &["cannot read the topology missing.topology"]),
            ("analyze ./network.txt", &["cannot read the topology ./network.txt"]),
            ("analyze little.topology --dim 3", &["which says the size; leave --dim out"]),
            ("analyze little.topology --routing ecube", &["unknown routing 'ecube' for network"]),
            ("generate little.topology --failed b", &["no path from"]),
            ("analyze little.topology --failed nobody", &["'nobody' is not a node"]),
            ("route little.topology dma cpu2", &["'cpu2' is not a node"]),
            ("route little.topology log cpu", &["terminal log only takes packets"]),
            (
                "export directed-cube --dim 3 --format anynet",
                &["anynet cannot say channels that lead one way"],
            ),
        ],
    );
}
