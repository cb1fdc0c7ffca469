//! Every format that Turnpike reads, fed with damaged files: refused or read, and never a panic
//! or a hang. A new format is an entry of `formats!`.

mod audit;
mod tools;

use crate::common::fuzz::fuzz;
use audit::{certificate, floogen, garnet, next_hops, opensm};
use std::path::Path;
use tools::{cache_entry, cells, liberty_file, placement_report, proof_summary};
use turnpike_analysis::network::{Network, Wanted};
use turnpike_cli::system::System;
use turnpike_emit::folder;
use turnpike_emit::origin::Origin;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::description::{self, Description, FORMATS};
use turnpike_network::flows::FlowList;
use turnpike_network::places::PlaceList;
use turnpike_network::routing::given::Given;
use turnpike_network::topology::Topology;
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::with_flows::WithFlows;
use turnpike_network::topology::{arc_cube, hypercube};
use turnpike_sim_network::job;
use turnpike_sim_network::traffic::Trace;
use turnpike_tests::any_kind::files;

/// For each format a short and a long run.
macro_rules! formats {
    ($($format:ident),*) => {
        mod short {
            $(#[test] fn $format() { super::$format(10_000) })*
        }
        mod long {
            $(
                #[test]
                #[ignore = "1,000,000 inputs: minutes"]
                fn $format() { super::$format(1_000_000) }
            )*
        }
    };
}

formats!(
    relation,
    flows_file,
    trace,
    job_file,
    configuration,
    system,
    places,
    list_of_files,
    manifest_of_a_fabric,
    list_of_written_files,
    cache_entry,
    cells,
    placement_report,
    liberty_file,
    proof_summary,
    next_hops,
    floogen,
    opensm,
    garnet,
    certificate,
    topology_file,
    anynet,
    graphml,
    dot
);

const BY_PAIR: &str = "turnpike-relation 1\n# A remark\nname mine\ntopology hypercube\n\
    dimension 2\nby pair\n00 01 dim0\n00 10 dim1\n00 11 dim0\n01 00 dim0\n01 10 dim0\n\
    01 11 dim1\n10 00 dim1\n10 01 dim0\n10 11 dim0\n11 00 dim0\n11 01 dim1\n11 10 dim0\n";
const BY_DIFFERENCE: &str = "turnpike-relation 1\nname other\ntopology hypercube\n\
    dimension 2\nby difference\n01 dim0\n10 dim1\n11 dim0\n";
const FAILED: &str = "turnpike-relation 1\nname rest\ntopology hypercube\ndimension 2\n\
    failed 11\n00 01 dim0\n00 10 dim1\n01 00 dim0\n01 10 dim0\n10 00 dim1\n10 01 dim1\n";

const BY_ROUTE: &str = "turnpike-relation 1\nname ways\ntopology mesh\nshape 2x2\nby route\n\
    0_0 1_0 vc=0 x_plus\n0_0 0_1 vc=1 x_plus y_plus x_minus\n0_0 1_1 vc=0 x_plus y_plus\n\
    1_0 0_0 vc=0 x_minus\n1_0 0_1 vc=0 x_minus y_plus\n1_0 1_1 vc=0 y_plus\n0_1 0_0 vc=0 y_minus\n\
    0_1 1_0 vc=1 y_minus x_plus\n0_1 1_1 vc=0 x_plus\n1_1 0_0 vc=0 x_minus y_minus\n\
    1_1 1_0 vc=0 y_minus\n1_1 0_1 vc=0 x_minus\n";

fn relation(count: u32) {
    let words = [
        "arc-cube",
        "ccc",
        "directed-cube",
        "dim2",
        "ring",
        "0x1",
        "difference",
        "pair",
        "route",
        "vc=7",
    ];
    fuzz("relation", count, &[BY_PAIR, BY_DIFFERENCE, FAILED, BY_ROUTE], &words, |bytes| {
        match Given::from_bytes(bytes, None) {
            Err(error) => drop(error.to_string()),
            Ok(given) => {
                let again =
                    Given::from_bytes(given.text().as_bytes(), None).expect("it was written");
                assert_eq!(again.text(), given.text());
                if let Err(error) = Network::given(&given, None) {
                    drop(error.to_string());
                }
            }
        }
    });
}

const LITTLE: &str = "turnpike-topology 1\nname little\nports east west\nnode a b c\nterminal cpu a\n\
    source dma b\nsink log c\nterminal split b c\nlink a.east b.west delay=3\nlink b c\nchannel c a # one\n";

/// A file of a network is refused, or can be written and read again.
fn network_file(ending: &str, count: u32, examples: &[&str], words: &[&str]) {
    let name = format!("fuzz.{ending}");
    fuzz(ending, count, examples, words, move |bytes| match description::read(&name, bytes) {
        Err(error) => drop(error.to_string()),
        Ok(network) => {
            for format in FORMATS {
                let Ok(text) = format.write(&network) else { continue };
                let file = format!("fuzz.{}", format.endings[0]);
                let again = description::read(&file, text.as_bytes()).expect("it was written");
                assert_eq!(again.channels.len(), network.channels.len());
                assert_eq!(again.terminals.len(), network.terminals.len());
                let delays = |network: &Description| -> u32 {
                    network.channels.iter().map(|channel| channel.delay).sum()
                };
                assert_eq!(delays(&again), delays(&network), "{}", format.name);
            }
        }
    });
}

fn topology_file(count: u32) {
    let words =
        ["link", "channel", "source", "sink", "ports", "a.p0", "eject", "inject1", ".", "delay=64"];
    network_file("topology", count, &[LITTLE], &words);
}

fn anynet(count: u32) {
    let example =
        "router 0 node 0 node 1 router 1 15\nrouter 1 node 2\nRouter 2 Node 3 Router 1 2\n";
    network_file("anynet", count, &[example], &["router 4", "node 0", "-1", "4294967296"]);
}

fn graphml(count: u32) {
    let example = "<?xml version=\"1.0\"?>\n<graphml>\n<key id=\"d0\" attr.name=\"terminals\"/>\n\
        <graph edgedefault=\"undirected\">\n<node id=\"hub\"><data key=\"d0\">0</data></node>\n\
        <node id=\"a\"/><node id=\"b b\"><data key=\"role\">sink</data></node>\n\
        <edge source=\"hub\" target=\"a\" sourceport=\"x\"><data key=\"delay\">2</data></edge>\n\
        <edge source=\"a\" target=\"b b\" directed=\"true\"/></graph></graphml>\n";
    let words = ["<edge/>", "<graph>", "&lt;", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "source"];
    network_file("graphml", count, &[example], &words);
}

fn dot(count: u32) {
    let undirected = "graph g { rankdir=LR; node [terminals=0]; hub;\nnode [terminals=2]; a; b\n\
        hub -- { a b:x } [color=red]; a:n -- b /* c */ [delay=2] }";
    let directed = "strict digraph { a -> b -> c -> a; a -> b; a:east -> c [headport=\"w w\"] }";
    let words = ["subgraph", "{", "}", "->", "--", "\"", "<", "role=sink", "terminals=99999999"];
    network_file("dot", count, &[undirected, directed], &words);
}

/// Networks of few terminals: some that only send or only take packets, and some that failed.
fn networks() -> [Box<dyn Topology>; 3] {
    let cube = || Box::new(hypercube::Hypercube::new(2).unwrap());
    let failed = Failed::new(cube(), &["10".to_owned()]).unwrap();
    [cube(), Box::new(arc_cube::ArcCube::new(2).unwrap()), Box::new(failed)]
}

/// A file of flows is refused, or those of a network can be written and read again.
fn flows_file(count: u32) {
    let examples = [
        "# who talks to whom\nsource,destination,bandwidth,packet,latency\n0*,11,0.25,4,\n11, 01 ,.5,,9\n",
        "class ask\nclass reply after ask\nsource,destination,class,words\n0x,x1,ask,2\n*,0*,reply,\n",
        "00 01 3\n01 11  # one word\n0x x1\n",
    ];
    let words = ["class ", " after ", "*", "**", "0.000000001", "1.000000001", "x0", "source"];
    fuzz("flows", count, &examples, &words, move |bytes| {
        let list = match FlowList::parse(&String::from_utf8_lossy(bytes)) {
            Err(error) => return drop(error.to_string()),
            Ok(list) => list,
        };
        for (network, plain) in networks().into_iter().zip(networks()) {
            match list.on(&*network) {
                Err(error) => drop(error.to_string()),
                Ok(flows) => {
                    let text = flows.text(&WithFlows::new(network, flows.clone()));
                    let again = FlowList::parse(&text).and_then(|list| list.on(&*plain));
                    assert_eq!(again, Ok(flows), "{text}");
                }
            }
        }
    });
}

fn trace(count: u32) {
    let networks = networks();
    let examples = [
        "cycle,source,destination,flits\n0,00,01,1\n5,11,10,3\n# remark\n5,11,11,1\n",
        "cycle,source,destination,flits\n\"1\",0x,x1,2\r\n7,x0,1x,1\r\n",
    ];
    fuzz("trace", count, &examples, &["00", "0x", "\"\"", "\"0\n"], move |bytes| {
        for network in &networks {
            match Trace::read_labelled(&**network, bytes) {
                Err(error) => drop(error.to_string()),
                Ok(trace) => {
                    for (_, packet) in trace.packets() {
                        let ends = [packet.source, packet.destination];
                        let terminal =
                            |&end| network.is_terminal(turnpike_network::topology::Terminal(end));
                        assert!(packet.flits > 0 && ends.iter().all(terminal));
                    }
                }
            }
        }
    });
}

fn job_file(count: u32) {
    let networks = networks();
    let examples = [
        "message,source,destination,flits,after,delay\na,00,01,1,,0\nb,01,10,3,a,5\n# remark\nc,01,11,1,a b,0\n",
        "message,source,destination,flits,after,delay\nb,0x,x1,2,a,9\r\na,x0,0x,1,,1\r\n",
    ];
    fuzz("job", count, &examples, &["00", "0x", " a", "b c", "\"0\n"], move |bytes| {
        for network in &networks {
            match job::read::read(&**network, bytes) {
                Err(error) => drop(error.to_string()),
                Ok(named) => assert_eq!(named.job.messages().len(), named.names.len()),
            }
        }
    });
}

fn configuration(count: u32) {
    let mut command = turnpike_cli::command();
    command.build();
    let examples = [
        "topology = \"hypercube\"\ndim = 4\nrouting = \"rotation\"\nkeep = true\nload = 0.25\n",
        "# A remark\ntraffic = 'hotspot'\nhotspot = [\"0001\", \"0010\"]\nseed = 1_000\ndim = 0b11\n",
        "failed = [\"01\"]\nwidth = 0x20\ncycles = 1e3\nself-addressed = false\n[table]\nx = 1\n",
    ];
    let words = ["format", "json", "name", "vcd", "1979-05-27", "'''", "[", "]", "no-cache"];
    fuzz("configuration", count, &examples, &words, move |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let path = Path::new("fuzz.toml");
        let values = turnpike_cli::config::values(&command, "simulate", path, &text, |_| false);
        if let Err(error) = values {
            drop(format!("{error:#}"));
        }
    });
}

fn system(count: u32) {
    let mut command = turnpike_cli::command();
    command.build();
    let first = include_str!("../../templates/system/first.system");
    let inline = "turnpike-system = 1\n[network]\ninline = '''\nnode a b\nlink a b\n'''\n\
        [[terminal]]\nname = 'x'\nat = 'a'\n[options]\nwidth = 8\n";
    let words = ["[[flow]]", "[network]", "after = [", "'''", "\"\"\"", "1979-05-27", "* = 1"];
    fuzz("system", count, &[first, inline], &words, move |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let system = match System::parse(Path::new("fuzz.system"), text) {
            Ok(system) => system,
            Err(error) => return drop(format!("{error:#}")),
        };
        let errors = [
            system.values(&command, "simulate", |_| false).err(),
            system.network().err(),
            system.description().err(),
            system.places().err(),
            system.flows().err(),
        ];
        errors.into_iter().flatten().for_each(|error| drop(format!("{error:#}")));
    });
}

fn places(count: u32) {
    let network = hypercube::Hypercube::new(2).unwrap();
    let example = "name,at\ncpu,00\n# remark\nmem,11\n";
    fuzz("places", count, &[example], &["name,at", "00", "\"", ",", "_"], move |bytes| {
        let list = PlaceList::parse(&String::from_utf8_lossy(bytes));
        match list.and_then(|list| list.on(&network)) {
            Err(error) => drop(error.to_string()),
            Ok(places) => {
                let again = PlaceList::parse(&places.text()).and_then(|list| list.on(&network));
                assert_eq!(again.as_ref(), Ok(&places));
            }
        }
    });
}

fn list_of_files(count: u32) {
    let digest = "00".repeat(32);
    let list = format!("{digest}  a.v\n{digest}  formal/a.sby\n{}  a.v\n", "1f".repeat(32));
    fuzz("list of files", count, &[&list], &["  ../x", "  /etc/x", "  a/b/c", "  .."], |bytes| {
        for name in folder::parse_list(&String::from_utf8_lossy(bytes)).keys() {
            let parts: Vec<&str> = name.split('/').collect();
            assert!(parts.len() <= 2, "{name}");
            assert!(parts.iter().all(|part| !["", ".", ".."].contains(part)), "{name}");
        }
    });
}

fn manifest_of_a_fabric(count: u32) {
    let wanted = Wanted::new("hypercube", 1);
    let network = Network::wanted(&wanted).unwrap();
    let plan = FabricPlan::new(network.into(), Default::default(), None).unwrap();
    let files = files(&plan);
    let text = files.iter().find(|file| file.name.ends_with(".json")).unwrap().contents.clone();
    assert_eq!(Origin::read(&text), Some(Origin::of(&plan)));
    let small = r#"{"schema_version": 1, "configuration": "hypercube --dim 1", "x": [1, null]}"#;
    fuzz("manifest", count, &[small], &["configuration"], |bytes| {
        Origin::read(&String::from_utf8_lossy(bytes));
    });
}

fn list_of_written_files(count: u32) {
    let list = format!("{}  /a/b.vcd\n{}  /a/c d.svg\n", "00".repeat(32), "1f".repeat(32));
    fuzz("list of written files", count, &[&list], &["  "], |bytes| {
        turnpike_cli::written::parse(&String::from_utf8_lossy(bytes));
    });
}
