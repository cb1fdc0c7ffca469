//! `turnpike place`: the places that it finds are places for every command, at the cost that was said.

use crate::common::{refused_in, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

const VOPD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/vopd.flows.csv");

/// What a line prints for programs, with its exit code.
fn json(folder: &Path, line: &str, code: u8) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    assert_eq!(run.code, i32::from(code), "{line}: {}{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Writes a file.
fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

/// From flows to a network: places, routes, and the figures of every command at the places that were found.
#[test]
fn places_are_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mesh = format!("mesh --shape 4x4 --flows {VOPD}");
    let found = json(here, &format!("place {mesh} --save places.csv"), 0);
    assert_eq!((&found["cost"], &found["bound"]), (&2.0595.into(), &2.0595.into()));
    assert_eq!((&found["is_least"], &found["gap"]), (&true.into(), &0.0.into()));
    let placed = format!("{mesh} --places places.csv");
    let analysis = json(here, &format!("analyze {placed}"), 0);
    let figures = &found["figures"];
    assert_eq!(figures["routing"], analysis["routing"]);
    assert_eq!(figures["max_load"], analysis["flows"]["load"]["flits_per_cycle"]);
    assert_eq!(figures["multiplexer_inputs"], analysis["flows"]["built"]["multiplexer_inputs"]);
    // By hand: the channels of each flow, from the file of places.
    let places = fs::read_to_string(here.join("places.csv")).unwrap();
    let at = |name: &str| {
        let line = places.lines().find_map(|line| line.strip_prefix(&format!("{name},")));
        let (x, y) = line.unwrap().split_once('_').unwrap();
        [x, y].map(|digits| digits.parse::<i32>().unwrap())
    };
    let flows = fs::read_to_string(VOPD).unwrap();
    let cost = |line: &str| {
        let [from, to, bandwidth] = line.split(',').collect::<Vec<_>>()[..] else { panic!() };
        let ([x, y], [to_x, to_y]) = (at(from), at(to));
        f64::from((x - to_x).abs() + (y - to_y).abs()) * bandwidth.parse::<f64>().unwrap()
    };
    let lines = flows.lines().filter(|line| !line.starts_with('#')).skip(1);
    let sum: f64 = lines.map(cost).sum();
    assert!((sum - 2.0595).abs() < 1e-9, "{sum}");
    for command in ["design", "verify"] {
        let run = run_in(here, &format!("{command} {placed}"));
        assert_eq!(run.code, 0, "{command}: {}{}", run.stdout, run.stderr);
    }
    // Every bandwidth is met.
    let line = format!("simulate {placed} --cycles 20000 --load 1");
    assert_eq!(json(here, &line, 0)["verdict"], "steady");
    // What is there is begun with, and told.
    let again = json(here, &format!("place {placed}"), 0);
    assert_eq!((&again["known_cost"], &again["cost"]), (&2.0595.into(), &2.0595.into()));
}

/// Systems, ends, classes, several terminals at a switch, trees, multistage networks, failed nodes: the cost is the
/// one of the network itself, which the command holds it against.
#[test]
fn any_network_has_places() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(
        here,
        "small.system",
        "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshape = \"3x2\"\n\
         [[terminal]]\nname = \"cpu0\"\nat = \"0_0\"\n[[terminal]]\nname = \"cpu1\"\nat = \"0_1\"\n\
         [[terminal]]\nname = \"mem\"\nat = \"2_1\"\n\
         [[class]]\nname = \"request\"\n[[class]]\nname = \"reply\"\nafter = \"request\"\n\
         [[flow]]\nsource = \"cpu*\"\ndestination = \"mem\"\nclass = \"request\"\nbandwidth = 0.25\n\
         [[flow]]\nsource = \"mem\"\ndestination = \"cpu*\"\nclass = \"reply\"\nbandwidth = 0.5\n",
    );
    write(
        here,
        "ends.csv",
        "name,protocol,role,range\ncpu,axi4,manager,\nmem,axi4,subordinate,0..4095\nio,axi4,subordinate,4096..8191\n",
    );
    write(
        here,
        "chain.csv",
        "source,destination,bandwidth\na,b,0.5\nb,c,0.25\nc,d,0.125\nd,e,0.1\n",
    );
    write(
        here,
        "roles.topology",
        "turnpike-topology 1\nname roles\nnode s\nnode t\nnode u\nlink s t\nlink t u\n\
         source in s\nterminal mid t\nsink out u\nterminal far u\n",
    );
    // A label that stands for a terminal of another switch is not used.
    write(
        here,
        "twice.topology",
        "turnpike-topology 1\nname twice\nnode a\nnode b\nnode e\nlink a b\nlink b e\nlink e a\n\
         terminal b a\nterminal y b\nterminal e e\n",
    );
    write(here, "ring.csv", "source,destination,bandwidth\nq,r,0.1\nr,c,0.1\nc,q,0.1\n");
    // Packets of a terminal to itself take channels where it sends at one switch and takes them at another.
    write(
        here,
        "loops.topology",
        "turnpike-topology 1\nname loops\nnode a\nnode b\nnode c\nlink a b\nlink b c\n\
         terminal near b\nterminal far a c\nterminal side c\n",
    );
    write(here, "self.csv", "source,destination,bandwidth\na,a,0.8\nb,b,0.1\nc,c,0.2\n");
    write(here, "through.csv", "source,destination,bandwidth\ngen,dut,0.5\ndut,check,0.5\n");
    for (line, cost, at) in [
        ("place small.system", 1.5, None),
        ("place small.system --fixed mem", 1.5, Some(("mem", "2_1"))),
        ("place small.system --fixed *", 3.75, Some(("cpu0", "0_0"))),
        ("place mesh --shape 3x2 --ends ends.csv", 3.0, None),
        ("place mesh --shape 3x2 --flows chain.csv", 0.975, None),
        ("place ring --nodes 3 --flows chain.csv", 0.35, None),
        ("place mesh --shape 3x2 --flows chain.csv --concentration 2", 0.35, None),
        ("place mesh --shape 3x2 --flows chain.csv --failed 1_0", 0.975, None),
        ("place fat-tree --arity 2 --levels 3 --flows chain.csv", 0.9, None),
        ("place benes --dim 3 --flows chain.csv", 3.9, None),
        ("place roles.topology --flows through.csv", 0.5, Some(("gen", "mid"))),
        ("place twice.topology --flows ring.csv", 0.3, None),
        ("place loops.topology --flows self.csv", 0.2, Some(("b", "far"))),
        ("place mesh --shape 2x2 --flows chain.csv --failed 0_0", 0.35, None),
    ] {
        let found = json(here, line, 0);
        assert_eq!((&found["cost"], &found["is_least"]), (&cost.into(), &true.into()), "{line}");
        let own = |row: &&Value| at.is_some_and(|(name, _)| row["terminal"] == name);
        let row = found["placement"].as_array().unwrap().iter().find(own);
        assert_eq!(row.map(|row| row["at"].as_str().unwrap()), at.map(|(_, at)| at), "{line}");
    }
}

/// A latency holds a pair together, or says that nothing does.
#[test]
fn latencies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let flows = |latency: u32| {
        let tail = format!("hub,far,0.1,{latency}\n");
        let light = (0..4).map(|leaf| format!("hub,leaf{leaf},0.2,\n")).collect::<String>();
        write(here, "flows.csv", &format!("source,destination,bandwidth,latency\n{light}{tail}"));
    };
    let line = "place mesh --shape 3x3 --flows flows.csv";
    flows(9);
    assert_eq!(json(here, line, 0)["cost"], 1.0);
    flows(3);
    let near = json(here, line, 0);
    assert_eq!((&near["cost"], &near["figures"]["fits"]), (&1.1.into(), &true.into()));
    flows(2);
    let star = json(here, "place star --nodes 6 --flows flows.csv", 1);
    assert_eq!((&star["verdict"], &star["cost"]), (&"none".into(), &Value::Null));
    flows(1);
    refused_in(
        here,
        &[(line, &["from hub to far asks for a latency of 1 cycle, and its packets take 2"])],
    );

    // Kept on one-way links, where the cheapest assignment has no path for some flow; refused with registers on links.
    let one_way = |delay: &str| {
        let node = |at| format!("node n{at}\nterminal t{at} n{at}\n");
        let nodes: String = (0..5).map(node).collect();
        let channel = |at| format!("channel n{at} n{}{delay}\n", (at + 1) % 5);
        let channels: String = (0..5).map(channel).collect();
        write(here, "way.topology", &format!("turnpike-topology 1\nname way\n{nodes}{channels}"));
    };
    let back = "a,b,0.1,9\nb,c,0.1,3\nc,d,0.1,3\nd,e,0.1,3\ne,a,0.1,3\n";
    write(here, "back.csv", &format!("source,destination,bandwidth,latency\n{back}"));
    one_way("");
    let around = json(here, "place way.topology --flows back.csv", 0);
    assert_eq!((&around["cost"], &around["figures"]["fits"]), (&0.5.into(), &true.into()));
    write(here, "back.csv", &format!("source,destination,bandwidth,latency\n{back}b,a,0.1,3\n"));
    assert_eq!(json(here, "place way.topology --flows back.csv", 1)["verdict"], "none");
    one_way(" delay=2");
    let wanted = "place counts no registers of channels";
    refused_in(here, &[("place way.topology --flows back.csv", &[wanted])]);
}

/// Where nothing is built at the places, the report says why; what was given and will not do is said, too.
#[test]
fn what_is_in_the_way_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(
        here,
        "parts.topology",
        "turnpike-topology 1\nname parts\nnode a\nnode b\nnode c\nnode d\nlink a b\nlink c d\n\
         terminal ta a\nterminal tb b\nterminal tc c\nterminal td d\n",
    );
    write(here, "pairs.csv", "source,destination,bandwidth\nv,w,0.5\nx,y,0.5\n");
    write(here, "apart.csv", "name,at\nv,a\nw,c\nx,b\ny,d\n");
    let line = "place parts.topology --flows pairs.csv --places apart.csv";
    let found = json(here, line, 0);
    assert_eq!((&found["cost"], &found["known_cost"]), (&1.0.into(), &Value::Null));
    let text = run_in(here, line).stdout;
    assert!(text.contains("At the places that were given some flow has no path"), "{text}");
    assert_eq!(found["figures"].is_null(), found["refused"].is_string());
    assert_eq!(
        found["refused"].is_string(),
        text.contains("No network is built there by itself: ")
    );
}

#[test]
fn without_time_the_gap_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ends = (0..36).flat_map(|from| [7, 11, 17].map(|step| (from, (from * 5 + step) % 36)));
    let flow = |(at, (from, to)): (u32, (u32, u32))| {
        format!("t{from},t{to},{}\n", f64::from(at % 13 + 1) / 64.0)
    };
    let flows: String = (0..).zip(ends.filter(|(from, to)| from != to)).map(flow).collect();
    write(here, "flows.csv", &format!("source,destination,bandwidth\n{flows}"));
    let places: String = (0..36).map(|at| format!("t{at},{}_{}\n", at % 6, at / 6)).collect();
    write(here, "places.csv", &format!("name,at\n{places}"));
    let line = "place torus --shape 6x6 --flows flows.csv --places places.csv --time-limit 1";
    let found = json(here, line, 3);
    let [cost, bound, known] =
        ["cost", "bound", "known_cost"].map(|key| found[key].as_f64().unwrap());
    assert!(bound < cost && cost <= known, "{bound} {cost} {known}");
    let text = run_in(here, line).stdout;
    assert!(text.contains("% of the least there is: no placement costs"), "{text}");
    assert!(text.contains("At the places that were given it is"), "{text}");
}

#[test]
fn bad_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "pair.csv", "source,destination\na,b\n");
    write(here, "all.csv", "source,destination\n*,*\n");
    write(here, "own.csv", "source,destination\n0_0,1_1\n");
    write(here, "case.csv", "source,destination\ncpu,mem\nCPU,mem\n");
    write(here, "twice.csv", "name,at\na,0_0\nb,0_0\n");
    write(here, "outside.csv", "name,at\na,9_9\n");
    for (name, flows) in [("many.csv", 200), ("more.csv", 300), ("ten.csv", 9)] {
        let lines: String = (0..flows).map(|at| format!("t{at},t{}\n", at + 1)).collect();
        write(here, name, &format!("source,destination\n{lines}"));
    }
    write(
        here,
        "star.topology",
        "turnpike-topology 1\nname star\nnode a\nnode b\nlink a b\nterminal a a\nterminal b b\n",
    );
    refused_in(
        here,
        &[
            ("place mesh --shape 2x2", &["there are none; add --flows FILE"]),
            (
                "place mesh --shape 2x2 --flows all.csv",
                &["all.csv: flows of patterns alone name no terminal"],
            ),
            (
                "place mesh --shape 2x2 --flows own.csv",
                &["own.csv:2: '0_0' is no name of a terminal"],
            ),
            (
                "place mesh --shape 2x2 --flows case.csv",
                &["case.csv:3: terminal CPU stands in line 2 already"],
            ),
            (
                "place mesh --shape 2x2 --flows pair.csv --fixed a",
                &["--fixed keeps terminals where a file has them; add --places FILE"],
            ),
            (
                "place mesh --shape 2x2 --flows pair.csv --places twice.csv --fixed c",
                &["--fixed: twice.csv has no terminal 'c'"],
            ),
            (
                "place star.topology --flows pair.csv",
                &["pair.csv:2: 'a' is a terminal of the network already"],
            ),
            (
                "place mesh --shape 2x2 --flows pair.csv --places outside.csv",
                &["outside.csv:2: terminal a is at no switch"],
            ),
            (
                "place mesh --shape 2x2 --flows pair.csv --places twice.csv --concentration 1",
                &["twice.csv:3: terminal b: 0_0 has room for 1"],
            ),
            (
                "place mesh --shape 2x2 --flows pair.csv --places twice.csv --fixed a --failed 0_0",
                &["--fixed: terminal a is at a node that failed"],
            ),
            (
                "place mesh --shape 2x2 --flows many.csv",
                &["201 terminals, and the network has 64 places; use a larger network"],
            ),
            (
                "place fat-tree --arity 2 --levels 2 --flows ten.csv",
                &["10 terminals, and the network has 4 places; use a larger network"],
            ),
            (
                "place mesh --shape 2x2 --flows ten.csv --concentration 2",
                &["10 terminals, and the network has 8 places", "(--concentration)"],
            ),
            ("place mesh --shape 8x8 --flows more.csv", &["301 terminals are more than the 256"]),
            (
                "place mesh --shape 20x20 --flows pair.csv",
                &["400 places are more than the 256 that are searched"],
            ),
        ],
    );
}
