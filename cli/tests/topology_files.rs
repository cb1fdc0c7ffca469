//! Topologies from files: in every command, as good as one that Turnpike has; and what is said of
//! those that are none.

mod common;

use common::{Run, refused_in, run_in, tree};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const LITTLE: &str = "turnpike-topology 1\nname little\nnode a b\nnode c\nterminal cpu a\n\
    source dma b\nsink log c\nterminal split b c\nlink a.east b.west\nlink b c\n\
    channel c.ring a.ring\nchannel c a\n";
const ANYNET: &str =
    "router 0 node 0 node 1 router 1 3\nrouter 1 node 2 router 2\nrouter 2 node 3 router 0\n";
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

/// A topology that is exported and given back makes the same fabric.
#[test]
fn what_is_exported_is_the_same_fabric() {
    let folder = folder();
    for (topology, size, name) in [
        ("mesh", "--shape 3x2", "mesh_3x2"),
        ("ring", "--nodes 5", "ring_5"),
        ("arc-cube", "--dim 2", "arc_cube_2"),
        ("directed-ring", "--nodes 5", "directed_ring_5"),
        ("de-bruijn", "--arity 2 --dim 3", "de_bruijn_2_3"),
        ("kautz", "--arity 2 --dim 2", "kautz_2_2"),
    ] {
        for routing in ["shortest", "up-down"] {
            if routing == "up-down" && !["mesh", "ring"].contains(&topology) {
                continue;
            }
            let options = format!("--routing {routing} --name same --width 5");
            let own = format!("generate {topology} {size} {options} --out own_{name}_{routing}");
            succeeds(folder.path(), &own);
            let file = format!("{name}.topology");
            succeeds(folder.path(), &format!("export {topology} {size} --out {file}"));
            let given = format!("generate {file} {options} --out given_{name}_{routing}");
            succeeds(folder.path(), &given);
            let [own, given] = ["own", "given"]
                .map(|which| modules(&folder.path().join(format!("{which}_{name}_{routing}"))));
            assert!(own.len() > 5, "{topology}: {:?}", own.keys());
            if topology == "arc-cube" {
                // Nodes that translations make alike share tables there.
                let module = |modules: &BTreeMap<String, String>| modules["same_fifo_4.v"].clone();
                assert_eq!(module(&own), module(&given));
                continue;
            }
            assert!(own == given, "{topology} {routing}");
        }
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
        ("bad.graphml", "<graphml><graph>"),
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
            ("analyze bad.graphml", &["bad.graphml:1: XML"]),
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
