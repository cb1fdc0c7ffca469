//! Every format that Turnpike reads, fed with damaged files: refused or read, and never a panic
//! or a hang. A new format is an entry of `formats!`.

use crate::common::fuzz::fuzz;
use serde::de::DeserializeOwned;
use std::path::Path;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_audit::readers::{self, Reading};
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Switching, verdict};
use turnpike_cli::system::System;
use turnpike_emit::folder;
use turnpike_emit::origin::Origin;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::cache::{self, Key};
use turnpike_flow::cells::Cells;
use turnpike_flow::placement::{self, Placement, Utilization};
use turnpike_flow::{liberty, sby};
use turnpike_network::description::{self, Description, FORMATS};
use turnpike_network::flows::FlowList;
use turnpike_network::places::PlaceList;
use turnpike_network::routing::given::Given;
use turnpike_network::topology::Topology;
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::with_flows::WithFlows;
use turnpike_network::topology::{arc_cube, hypercube};
use turnpike_sim_network::traffic::Trace;
use turnpike_tests::any_kind::files;

/// For each format a short and a long run.
macro_rules! formats {
    ($($format:ident),*) => {
        mod short {
            $(#[test] fn $format() { super::$format(30_000) })*
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

fn relation(count: u32) {
    let words = ["arc-cube", "ccc", "directed-cube", "dim2", "ring", "0x1", "difference", "pair"];
    fuzz("relation", count, &[BY_PAIR, BY_DIFFERENCE, FAILED], &words, |bytes| {
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

/// A file of routes, or of a network with them, is refused, or audited; a network is then read again from
/// its next hops.
fn audited(format: &'static str, count: u32, network: &[&str], routes: &[&str], words: &[&str]) {
    let format = readers::Format::named(format).expect("a format");
    let examples = if routes.is_empty() { network } else { routes };
    let fixed =
        if routes.is_empty() { None } else { network.first().map(|text| (*text).to_owned()) };
    fuzz(format.name, count, examples, words, move |bytes| {
        let input = |bytes| readers::Input { name: "fuzz.dot", bytes };
        let inputs = match &fixed {
            Some(network) => {
                let network = input(network.as_bytes());
                readers::Inputs { network, routes: Some(input(bytes)) }
            }
            None => readers::Inputs { network: input(bytes), routes: None },
        };
        match format.read(&inputs) {
            Err(error) => drop(error.to_string()),
            Ok(Reading { routed, traffic, .. }) => {
                let traffic = traffic.unwrap_or_else(Traffic::all_to_all);
                if let Err(error) = verdict(&routed, &traffic, Switching::Wormhole) {
                    drop(error.to_string());
                }
                drop(readers::save(&routed));
            }
        }
    });
}

fn next_hops(count: u32) {
    let network = "graph net { a -- b -- c -- a; a -- b }";
    let routes = "switch,destination,next,input\na,b,p0,\na,b,p1:1,inject\na,c,c,\nb,a,p0,c:1\nb,c,c,\nc,a,a,\nc,b,b,\n";
    audited(
        "csv",
        count,
        &[network],
        &[routes],
        &["inject", ":63", ":64", "switch", "p0", "\"", "#"],
    );
}

fn floogen(count: u32) {
    let top = "module two (\nlocalparam id_t E0_ID = id_t'(0);\nlocalparam id_t E1_ID = '{x: 1, y: 0, port_id: 0};\n\
        localparam route_map_rule_t[1:0] M = '{\n'{ idx: 0,\n start_addr: 0,\n end_addr: 9} // x\n};\n\
        assign r0_in[0] = e0_r0;\nassign r0_in[1] = r1_r0;\nassign r0_e0 = r0_out[0];\nassign r0_r1 = r0_out[1];\n\
        assign r1_in[0] = e1_r1;\nassign r1_in[1] = r0_r1;\nassign r1_e1 = r1_out[0];\nassign r1_r0 = r1_out[1];\n\
        floo_axi_chimney #(\n.Cfg(set_ports(C, 1'b1, 1'b1)),\n) e0 (\n.id_i (E0_ID),\n.floo_req_o (e0_r0),\n.floo_req_i (r0_e0)\n);\n\
        floo_axi_chimney #(\n) e1 (\n.id_i (E1_ID),\n.floo_req_o (e1_r1),\n.floo_req_i (r1_e1)\n);\n\
        floo_axi_router #(\n.RouteAlgo (IdTable),\n.NumRoutes (2),\n) r0 (\n.id_i (E0_ID),\n.id_route_map_i (M),\n.floo_req_i (r0_in),\n.floo_req_o (r0_out)\n);\n\
        floo_axi_router #(\n.RouteAlgo (XYRouting),\n.NumRoutes (2),\n) r1 (\n.id_i (E1_ID),\n.id_route_map_i ('0),\n.floo_req_i (r1_in),\n.floo_req_o (r1_out)\n);\n";
    let words = ["SourceRouting", "4294967295", "'{", "};", ");", "port_id", "floo_wide_o", "[3]"];
    audited("floogen", count, &[top], &[], &words);
}

fn opensm(count: u32) {
    let network = "Switch 36 \"S-a1\" # lid 10\n[1] \"H-b1\"[1](b2) # lid 1\n[2] \"S-a2\"[5] # lid 11\n\
        Switch 36 \"S-a2\" # lid 11\n[1] \"H-c1\"[1] # lid 2\n[5] \"S-a1\"[2] # lid 10\n\
        Ca 1 \"H-b1\"\n[1](b2) \"S-a1\"[1] # lid 1 lmc 0\nCa 1 \"H-c1\"\n[1] \"S-a2\"[1] # lid 2 lmc 1\n";
    let tables = "Unicast lids [0-9] of switch Lid 10 guid 0xa1 (x):\n0x0001 001 # x\n0x0002 002\n\
        Unicast lids [0-9] of switch Lid 11 guid 0xa2 (x):\n0x0001 005\n0x0002 001\n2 lids dumped\n";
    let words = ["0xffffffff", "lid", "lmc", "\"", "[", "guid", "UNREACHABLE", "Switch", "Ca"];
    audited("opensm", count, &[network], &[tables], &words);
    audited("opensm", count / 4, &[network, tables], &[tables], &words);
}

fn garnet(count: u32) {
    let links = "link,from,to,weight\n# one\next,n0,r0,1\next,n1,r1,1\nint,r0,r1,1\nint,r1,r0,2\nint,r0,r1,1\n";
    audited("garnet", count, &[links], &[], &["int", "ext", "4294967296", "0", "r0", "\""]);
}

fn certificate(count: u32) {
    let text = "turnpike-certificate 1\nnetwork n\nswitching wormhole\nrule escape\ncondition c\n\
        switch a\nswitch b\nterminal 0 0 a\nterminal 1 1 b\nclass - x\nclass 0 y\n\
        channel 0 1 0 1 1 escape\nchannel 1 0 0 0 5 escape\nsink 1 0 4\ninject 0 0 0\ninject 0 1 1\n\
        inject 1 0 0\ninject 1 1 1\nflow 0 1 0\nflow 1 0 1\ntable 1:0\ntable 0:1\nend 22\n";
    assert_eq!(turnpike_audit::certificate::check(text).map(|checked| checked.channels), Ok(2));
    let words = ["end 22", "-", "escape", "1:0,1", "flows all", "999999999999999999"];
    fuzz("certificate", count, &[text], &words, |bytes| {
        if let Err(flaw) = turnpike_audit::certificate::check(&String::from_utf8_lossy(bytes)) {
            drop(flaw.to_string());
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

const STAT: &str = r#"{"modules": {"\\top": {"num_cells_by_type": {"\\mid": 2, "LUT4": 5}},
    "\\mid": {"num_cells_by_type": {"LUT4": 3, "SB_DFF": 1}}},
    "design": {"num_cells_by_type": {"LUT4": 11, "SB_DFF": 2, "$scopeinfo": 3}}}"#;

const REPORT: &str = r#"{"critical_paths": [{"from": "posedge clk", "to": "posedge clk",
    "path": [{"delay": 1.5, "type": "clk-to-q", "from": {"cell": "a"}, "to": {"cell": "a"}},
    {"delay": 2.0, "type": "routing", "from": {"cell": "a"}, "to": {"cell": "b"}}]}],
    "fmax": {"clk": {"achieved": 190.5}},
    "utilization": {"ICESTORM_LC": {"available": 7680, "used": 7681}}}"#;

fn cells(count: u32) {
    fuzz("cells", count, &[STAT], &["\\\\top", "\\\\mid"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(cells) = Cells::from_stat(&text) {
            figures(&cells);
        }
        if let Ok(modules) = Cells::by_module(&text, "top") {
            let mut sum = Cells::default();
            modules.iter().for_each(|(_, times, cells)| sum.add(*times, cells));
            figures(&sum);
        }
    });
}

fn figures(cells: &Cells) {
    let sums = [cells.luts(), cells.flip_flops(), cells.lut_rams(), cells.block_rams()];
    assert!(sums.iter().all(|&sum| sum <= cells.all() * 2), "{cells:?}");
}

fn placement_report(count: u32) {
    fuzz("placement", count, &[REPORT], &["1e308", "logic", "<async>"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(placement) = placement::placement(&text, 1) {
            let path = &placement.critical_path;
            let figures = [placement.mhz, path.ns, path.logic_ns, path.routing_ns];
            assert!(figures.iter().all(|x| x.is_finite()), "{placement:?}");
        }
        if let Ok(utilization) = placement::utilization(&text) {
            utilization.excess();
        }
    });
}

fn cache_entry(count: u32) {
    let cells = Cells::from_stat(STAT).unwrap();
    let modules = Cells::by_module(STAT, "top").unwrap();
    let placement = placement::placement(REPORT, 1).unwrap();
    let utilization = placement::utilization(REPORT).unwrap();
    let examples = [
        serde_json::to_string(&cells).unwrap(),
        serde_json::to_string(&modules).unwrap(),
        serde_json::to_string(&placement).unwrap(),
        serde_json::to_string(&utilization).unwrap(),
    ];
    let examples: Vec<&str> = examples.iter().map(String::as_str).collect();
    fuzz("cache entry", count, &examples, &[], |bytes| {
        let value = String::from_utf8_lossy(bytes);
        // As it stands, which is damage, and as an entry of another version would be.
        for text in
            [value.to_string(), format!("{}\n{value}", cache::check_of(&Key::of([]), &value))]
        {
            entry::<Cells>(&text);
            entry::<Vec<(String, u64, Cells)>>(&text);
            entry::<Placement>(&text);
            entry::<Utilization>(&text);
        }
    });
}

fn entry<T: DeserializeOwned>(text: &str) {
    drop(cache::parse::<T>(&Key::of([]), text));
}

fn liberty_file(count: u32) {
    let example = "library (x) {\n  wire_load(\"small\") { area : 9; }\ncell (INVX1) {\n  area : 16;\n\
        pin(A) { area : 3; }\n}\ncell(NAND2X1) {\n  area : 24.5;\n}\n}\n";
    fuzz("liberty", count, &[example], &["area", "cell"], |bytes| {
        for area in liberty::areas(&String::from_utf8_lossy(bytes)).values() {
            assert!(area.is_finite() && *area >= 0.0, "{area}");
        }
    });
}

fn proof_summary(count: u32) {
    let example = "SBY 1:2:3 [x] summary: engine_0 (abc pdr) returned FAIL\n\
        SBY 1:2:3 [x] summary:   failed assertion top.in_order at top.v:12.5-12.9 step 4\n\
        SBY 1:2:3 [x] summary: unreached cover statements:\n\
        SBY 1:2:3 [x] summary:   top.full at top.v:3.1-3.9\n";
    fuzz("proof summary", count, &[example], &["summary: ", " at "], |bytes| {
        sby::failed(&String::from_utf8_lossy(bytes));
    });
}
