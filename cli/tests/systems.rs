//! System files, as a user writes them.

use crate::common::folders::{files_in, runs, with_files};
use crate::common::{json_in, refused, refused_in, turnpike_in};
use serde_json::{Value, json};
use std::fs;

const SOC: &str = r#"turnpike-system = 1
name = "soc"
[network]
topology = "mesh"
shape = [3, 2]
[options]
ports = "named"
width = 16
[[terminal]]
name = "cpu0"
at = "0_0"
[[terminal]]
name = "cpu1"
at = "0_0"
[[terminal]]
name = "mem"
at = "2_1"
[[class]]
name = "request"
[[class]]
name = "reply"
after = "request"
[[flow]]
source = "cpu*"
destination = "mem"
class = "request"
bandwidth = 0.2
[[flow]]
source = "mem"
destination = "cpu*"
class = "reply"
bandwidth = 0.1
packet = 4
"#;

/// The system with one terminal at each switch, until several go with message classes.
fn plain() -> String {
    SOC.replacen("at = \"0_0\"", "at = \"1_0\"", 1)
}

/// The first file that `init` writes goes through the commands, and has all kinds of tables.
#[test]
fn the_first_file_is_a_system() {
    let here = with_files(&[]);
    runs(here.path(), "init");
    for line in [
        "analyze soc.system",
        "verify soc.system",
        "generate soc.system --out fabric",
        "simulate soc.system --load 1 --cycles 2000",
        "route soc.system cpu0_request mem_request",
    ] {
        runs(here.path(), line);
    }
    let flows = fs::read_to_string(here.path().join("fabric/flows.csv")).unwrap();
    assert!(flows.contains("class reply after request\n"), "{flows}");
    assert!(flows.contains("cpu1,mem,request,0.1,2\n"), "{flows}");
    let places = fs::read_to_string(here.path().join("fabric/places.csv")).unwrap();
    assert_eq!(places, "name,at\ncpu0,0_0\ncpu1,1_0\ndma,0_1\nmem,1_1\n");
    assert!(here.path().join("fabric/soc.v").is_file());
    // It is there now.
    fs::write(here.path().join("soc.system"), "mine").unwrap();
    let refused: [(&str, &[&str]); 2] = [("init x.toml", &["soc.system"]), ("init", &["--force"])];
    refused_in(here.path(), &refused);
}

/// A fabric's folder makes the fabric again, and the options of a line say the same as the system.
#[test]
fn a_system_is_the_options_that_it_says() {
    let here = with_files(&[("my.system", &plain())]);
    runs(here.path(), "generate my.system --out one");
    let manifest = fs::read_to_string(here.path().join("one/soc.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let configuration = manifest["configuration"].as_str().unwrap();
    assert!(configuration.contains("--places places.csv --flows flows.csv"), "{configuration}");
    assert_eq!(manifest["places"]["count"], 3);
    for file in ["places.csv", "flows.csv"] {
        fs::copy(here.path().join("one").join(file), here.path().join(file)).unwrap();
    }
    // The configuration spells the size as the topology's own words.
    let options = configuration.replacen("mesh 3x2", "mesh --shape 3x2", 1);
    runs(here.path(), &format!("generate {options} --out two"));
    assert!(files_in(&here.path().join("one")) == files_in(&here.path().join("two")));
    // The command line wins.
    runs(here.path(), "generate my.system --width 8 --name narrow --out three");
    let top = fs::read_to_string(here.path().join("three/narrow.v")).unwrap();
    assert!(top.contains("s_cpu0_request_axis_tvalid") && top.contains("[7:0]"), "{top}");
}

/// Terminals without flows send to each other, several at a switch.
#[test]
fn terminals_alone_send_to_each_other() {
    let text = SOC.split("[[class]]").next().unwrap();
    let here = with_files(&[("my.system", text)]);
    let report = runs(here.path(), "analyze my.system --format json").stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["flows"]["count"], &report["concentration"]), (&6.into(), &2.into()));
    let route = runs(here.path(), "route my.system cpu1 mem").stdout;
    assert!(route.contains("2_1"), "{route}");
    let wanted: &[&str] = &["no terminal is called 'men'; did you mean 'mem'?"];
    refused_in(here.path(), &[("route my.system cpu1 men", wanted)]);
    runs(here.path(), "verify my.system");
}

/// The name of a file that is no identifier names no fabric.
#[test]
fn a_file_of_any_name_is_a_system() {
    let text = plain().replacen("name = \"soc\"\n", "", 1);
    let here = with_files(&[("4x4-soc.system", &text), ("noc.system", &text)]);
    let said = runs(here.path(), "generate 4x4-soc.system --out one").stdout;
    assert!(said.starts_with("mesh_3x2_dimension_order_flows_"), "{said}");
    assert!(runs(here.path(), "generate noc.system --out two").stdout.starts_with("noc: "));
}

/// Files that a system names are beside it, wherever the command runs.
#[test]
fn files_are_beside_the_system() {
    let text = "turnpike-system = 1\n[network]\ntopology = \"net.topology\"\nflows = \"few.csv\"\n";
    let net =
        "turnpike-topology 1\nnode a b c\nterminal cpu a\nterminal mem c\nlink a b\nlink b c\n";
    let here = with_files(&[]);
    let sub = here.path().join("sub");
    fs::create_dir(&sub).unwrap();
    for (name, text) in
        [("my.system", text), ("net.topology", net), ("few.csv", "source,destination\ncpu,mem\n")]
    {
        fs::write(sub.join(name), text).unwrap();
    }
    let report = runs(here.path(), "analyze sub/my.system --format json").stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["flows"]["count"], 1);
    // The same word as the value of an option stays.
    let refused: &[&str] = &["no flows"];
    refused_in(here.path(), &[("generate sub/my.system --flows sub/my.system", refused)]);
}

/// A network in the file itself, whose faults have the lines of the file.
#[test]
fn a_network_stands_in_the_file() {
    let text = "turnpike-system = 1\n[network]\ninline = \"\"\"\nnode left right\n\
                link left.east right.west\nterminal cpu left\nterminal mem right\n\"\"\"\n";
    let apart = text.replace("terminal cpu left\nterminal mem right\n", "");
    let apart = apart
        + "[[terminal]]\nname = \"cpu\"\nat = \"left\"\n[[terminal]]\nat = \"right\"\nname = \"mem\"\n";
    let nowhere = apart.replace("\"right\"", "\"rigth\"");
    let both = text.to_owned() + "[[terminal]]\nname = \"cpu\"\nat = \"left\"\n";
    let faulty = text.replace("terminal mem right", "terminal mem rigth");
    let here = with_files(&[
        ("my.system", text),
        ("bad.system", &faulty),
        ("nowhere.system", &nowhere),
        ("both.system", &both),
    ]);
    runs(here.path(), "generate my.system --out fabric");
    let top = fs::read_to_string(here.path().join("fabric/my.topology")).unwrap();
    assert!(top.contains("terminal cpu left\n"), "{top}");
    // Terminals in tables of their own are the same network.
    fs::write(here.path().join("my.system"), &apart).unwrap();
    runs(here.path(), "generate my.system --out other");
    let same = |file: &str| {
        let of = |folder: &str| fs::read(here.path().join(folder).join(file)).unwrap();
        of("fabric") == of("other")
    };
    assert!(same("my.v") && same("my_tb.v"));
    let refused: [(&str, &[&str]); 3] = [
        ("analyze bad.system", &["error: bad.system:7: "]),
        ("analyze nowhere.system", &["error: nowhere.system:11: "]),
        ("analyze both.system", &["error: both.system:10: ", "leave [[terminal]] out"]),
    ];
    refused_in(here.path(), &refused);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let soc = plain();
    for (from, to, wanted) in [
        ("turnpike-system = 1", "", "1: 'turnpike-system' is missing; add turnpike-system = 1"),
        ("turnpike-system = 1", "turnpike-system = 2", "1: version 2 is not known; use 1"),
        (
            "turnpike-system = 1",
            "turnpike-system = 99999999999999999999",
            "1: version 99999999999999999999 is not known; use 1",
        ),
        ("width = 16", "width = 9223372036854775808", "invalid value '9223372036854775808'"),
        ("packet = 4", "packet = 9223372036854775808", "'9223372036854775808' is no length"),
        ("bandwidth = 0.2", "bandwidth = 9223372036854775808", "'9223372036854775808' is no"),
        ("width = 16", "width = 9999", "my.system:8: --width 9999 is out of range"),
        ("shape = [3, 2]", "shape = [3, 2]\nrouting = \"up\"", "my.system:6: unknown routing 'up'"),
        ("shape = [3, 2]", "shape = [3, 2]\nfailed = \"z\"", "my.system:6: 'z' is not a node"),
        ("width = 16", "config = \"x\"", "8: 'config' is for the command line alone"),
        ("name = \"soc\"", "name = \"2x\"", "my.system:2: "),
        ("name = \"cpu0\"", "name = \"cpu0\"\nwidth = -8", "my.system:11: invalid value 'cpu0=-8'"),
        ("at = \"2_1\"", "at = \"2_1\"\nclock = \"2x\"", "my.system:18: invalid value 'mem=2x'"),
        (
            "at = \"2_1\"",
            "at = \"2_1\"\nwidth = 9999",
            "my.system:18: --terminal-width: terminal mem: width 9999 is out of range",
        ),
        // Two terminals have a width, and the second is at fault.
        (
            "at = \"0_0\"\n[[terminal]]\nname = \"mem\"\nat = \"2_1\"",
            "at = \"0_0\"\nwidth = 8\n[[terminal]]\nname = \"mem\"\nat = \"2_1\"\nwidth = 24",
            "my.system:19: --terminal-width: terminal mem: of 24 and --width 16",
        ),
        (
            "at = \"2_1\"",
            "at = \"2_1\"\naddress = 1",
            "my.system:18: --terminal-address: address 1",
        ),
        ("width = 16", "widht = 16", "8: unknown key 'widht'; did you mean 'width'?"),
        ("width = 16", "routing = \"x\"", "8: 'routing' belongs in [network]"),
        ("shape = [3, 2]", "width = 8", "5: 'width' belongs in [options]"),
        ("topology = \"mesh\"", "topology = \"mehs\"", "did you mean 'mesh'?"),
        ("topology = \"mesh\"", "topology = 3", "4: 'topology' must be a text in quotes"),
        ("topology = \"mesh\"", "", "5: no topology; add topology = \"mesh\""),
        ("name = \"cpu0\"", "nmae = \"cpu0\"", "10: unknown key 'nmae'; did you mean 'name'?"),
        ("name = \"cpu0\"", "name = \"mem\"", "16: terminal mem stands in line 10 already"),
        ("at = \"2_1\"", "at = \"3_1\"", "16: terminal mem is at no switch: "),
        (
            "shape = [3, 2]",
            "shape = [3, 2]\nconcentration = 1",
            "14: terminal cpu1: 0_0 has room for 1",
        ),
        ("after = \"request\"", "after = \"reply\"", "21: "),
        ("after = \"request\"", "after = 3", "22: 'after' must be a text in quotes, or a list"),
        ("source = \"cpu*\"", "source = \"cpu9\"", "24: no terminal that sends is called 'cpu9'"),
        ("bandwidth = 0.2", "bandwidth = 0", "24: '0' is no bandwidth"),
        ("bandwidth = 0.2", "bandwidth = \"much\"", "27: 'bandwidth' must be a number"),
        ("[options]", "[option]", "6: unknown key 'option'; did you mean 'options'?"),
        ("[network]", "[[network]]", "'network' must be a table; write [network]"),
        ("packet = 4", "packet = \"\"\"", "not TOML"),
    ] {
        let soc = if to.contains("concentration") { SOC } else { &*soc };
        let text = soc.replacen(from, to, 1);
        assert_ne!(text, soc, "{from}");
        let here = with_files(&[("my.system", &text)]);
        refused_in(here.path(), &[("generate my.system --out fabric", &[wanted])]);
    }
    // Of a fault that has its place already the values of options say none.
    let twice =
        soc.replacen("width = 16", "vendor = \"cpu9\"", 1).replacen("\"cpu*\"", "\"cpu9\"", 1);
    let here = with_files(&[("my.system", &twice)]);
    let at_once: &[&str] = &["error: my.system:24: no terminal that sends is called 'cpu9'"];
    refused_in(here.path(), &[("generate my.system --out fabric", at_once)]);
    let without_flows = &soc[..soc.find("[[flow]]").unwrap()];
    let lone = &soc[..soc.find("[[terminal]]\nname = \"cpu1\"").unwrap()];
    let files = [("my.system", without_flows), ("all.system", &soc), ("lone.system", lone)];
    let here = with_files(&files);
    let refused: [(&str, &[&str]); 4] = [
        ("analyze lone.system", &["no flows: cpu0 is the only terminal"]),
        ("analyze my.system", &["my.system:19: message classes, and no flows"]),
        // A command that takes no flows leaves none out in silence.
        ("export all.system", &["`export` takes no places"]),
        ("analyze none.system", &["cannot read the system none.system"]),
    ];
    refused_in(here.path(), &refused);
}

/// Two streams, or two nodes, of one label are refused: files and options name them by it.
#[test]
fn labels_of_streams_differ() {
    let named = |terminals: [&str; 2], classes: [&str; 2]| {
        let mut text =
            "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshape = \"2x2\"\n".to_owned();
        for (terminal, at) in terminals.iter().zip(["0_0", "1_0"]) {
            text += &format!("[[terminal]]\nname = \"{terminal}\"\nat = \"{at}\"\n");
        }
        for class in classes {
            text +=
                &format!("[[flow]]\nsource = \"*\"\ndestination = \"*\"\nclass = \"{class}\"\n");
        }
        text
    };
    let same = named(["a", "a_b"], ["c", "b_c"]);
    let net = "turnpike-topology 1\nnode a a_b\nlink a a_b\nterminal x a\nterminal y a_b\n";
    let flows = "source,destination,class\nx,y,c\ny,x,b_c\n";
    let here = with_files(&[
        ("same.system", &same),
        ("other.system", &named(["a", "ab"], ["c", "b_c"])),
        ("net.topology", net),
        ("flows.csv", flows),
    ]);
    let both = "a_b_c would stand for terminal a_b on class c and for terminal a on class b_c";
    let nodes = "a_b_c would stand for node a_b on class c and for node a on class b_c";
    refused_in(
        here.path(),
        &[
            ("generate same.system --out fabric", &[both, "rename a terminal or a class"]),
            ("analyze net.topology --flows flows.csv --classes separate", &[nodes]),
        ],
    );
    runs(here.path(), "analyze net.topology --flows flows.csv");
    let report = runs(here.path(), "simulate other.system --load 0.2 --cycles 2000").stdout;
    assert!(report.contains("load 0.2 flits per stream and cycle"), "{report}");
    assert!(report.contains("Throughput, flits per stream and cycle"), "{report}");
}

/// The schema takes what the program takes, and refuses unknown keys.
#[test]
fn the_schema_takes_the_first_file() {
    let here = with_files(&[]);
    runs(here.path(), "init");
    let schema: Value = serde_json::from_str(&runs(here.path(), "schema system").stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let text = fs::read_to_string(here.path().join("soc.system")).unwrap();
    let system: Value = toml::from_str(&text).unwrap();
    let errors: Vec<String> = validator.iter_errors(&system).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for (from, to) in [
        ("width", "widht"),
        ("turnpike-system = 1", "turnpike-system = 2"),
        ("\nat =", "\nplace ="),
    ] {
        let system: Value = toml::from_str(&text.replace(from, to)).unwrap();
        assert!(!validator.is_valid(&system), "{to}");
    }
}

/// `compare --network` takes systems: its figures are those of the other commands, over the flows.
#[test]
fn systems_are_compared() {
    let here = with_files(&[("soc.system", &plain())]);
    let networks = [
        "soc.system",
        "soc.system --routing west-first",
        "soc.system --shape 3x3",
        "mesh --shape 3x2",
    ];
    let words = networks.map(|network| ["--network", network]).concat();
    let of = |format| [&["compare", "--seed", "3", "--format", format][..], &words].concat();
    let all: Value = serde_json::from_str(&turnpike_in(here.path(), of("json")).stdout).unwrap();
    for (row, network) in all["rows"].as_array().unwrap().iter().zip(networks) {
        let analysis = json_in(here.path(), &format!("analyze {network}"));
        for name in ["routing", "shape", "crosspoints_per_switch", "average_distance"] {
            assert_eq!(row[name], analysis[name], "{network}: {name}");
        }
        let flows = &analysis["flows"];
        assert_eq!(row["flow_load"], flows["load"]["flits_per_cycle"], "{network}");
        if !flows.is_null() {
            assert_eq!(
                (&row["processors"], &row["links"]),
                (&json!(3), &flows["built"]["channels"])
            );
        }
        let measured = json_in(
            here.path(),
            &format!("simulate {network} --load 1 --seed 3 --cycles 1000 --warmup 1000"),
        );
        assert_eq!(row["saturation_throughput"], measured["accepted_throughput"], "{network}");
    }
    assert_eq!(all["rows"][0]["flow_load"], 0.4);
    assert_eq!(all["rows"].as_array().unwrap().len(), networks.len());

    let text = turnpike_in(here.path(), of("text")).stdout;
    assert!(text.contains("flow load") && text.contains("Of a network for flows"), "{text}");
    assert!(text.contains("unlike numbers of terminals"), "{text}");
    let systems = ["compare", "--network", "soc.system", "--network", "soc.system --shape 3x3"];
    let text = turnpike_in(here.path(), systems).stdout;
    assert!(!text.contains("unlike numbers") && !text.contains("each terminal offering"), "{text}");
    let without = turnpike_in(here.path(), ["compare", "--network", "mesh --shape 3x2"]).stdout;
    assert!(!without.contains("flow"), "{without}");
}

#[test]
fn systems_at_fault_are_not_compared() {
    let here = with_files(&[
        ("soc.system", SOC),
        ("key.system", "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshap = \"3x2\"\n"),
    ]);
    let run = turnpike_in(here.path(), ["compare", "--network", "ring --nodes 4 --config x"]);
    refused(&run, "--config", &["--network 'ring --nodes 4 --config x'", "outside the words"]);
    refused_in(
        here.path(),
        &[
            ("compare soc.system", &["places", "mesh, or the system by --network soc.system"]),
            ("compare --network key.system", &["--network 'key.system'", "key.system:4", "shape"]),
            ("compare --network no.system", &["--network 'no.system'", "cannot read"]),
        ],
    );
}

const BUS: &str = r#"turnpike-system = 1
[network]
topology = "ocpc"
nodes = 4
[[flow]]
source = "0"
destination = "1"
[[flow]]
source = "2"
destination = "3"
"#;

/// One bus for flows, beside the same of all nodes: its figures are those of `analyze`. Flows that share no
/// sink have a word in each slot, which is two cycles.
#[test]
fn a_bus_for_flows_is_compared() {
    let here = with_files(&[("bus.system", BUS)]);
    let words = ["compare", "--network", "bus.system", "--network", "ocpc --nodes 4"];
    let json = [&words[..], &["--format", "json"]].concat();
    let all: Value = serde_json::from_str(&turnpike_in(here.path(), json).stdout).unwrap();
    let rows = all["busses"].as_array().unwrap();
    for (row, network) in rows.iter().zip(["bus.system", "ocpc --nodes 4"]) {
        let analysis = json_in(here.path(), &format!("analyze {network}"));
        for name in ["busses", "terminals", "crosspoints", "longest_bus", "average_distance"] {
            assert_eq!(row[name], analysis[name], "{network}: {name}");
        }
    }
    assert_eq!((&rows[0]["crosspoints"], &rows[1]["crosspoints"]), (&2.into(), &12.into()));
    assert_eq!(rows[0]["saturation_throughput"], 0.5);
    let text = turnpike_in(here.path(), words).stdout;
    assert!(text.contains("uniform traffic, or that of the flows"), "{text}");

    let itself = BUS.replace("destination = \"1\"", "destination = \"0\"");
    let here = with_files(&[("bus.system", &itself)]);
    refused_in(
        here.path(),
        &[
            ("analyze bus.system", &["bus.system", "node 0"]),
            ("compare --network bus.system", &["--network 'bus.system'", "node 0"]),
            ("simulate bus.system --workload permutation", &["--flows does nothing"]),
            ("simulate bus.system", &["no workload of busses is of flows", "compare --network"]),
        ],
    );
}
