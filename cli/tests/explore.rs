//! `turnpike explore`: the networks that it finds are built by every command, with the figures that it told.

use crate::common::{json_in, number, refused_in, run_in};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use turnpike_flow::tool::YOSYS;
use turnpike_tests::tools::require_found;

const VOPD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/vopd.flows.csv");
/// Managers and memories: each manager to each memory, and back.
const SOC: &str = "source,destination,bandwidth\n\
    cpu0,mem0,0.1\ncpu1,mem1,0.1\ncpu2,mem2,0.1\ncpu0,mem1,0.2\ncpu1,mem2,0.2\ncpu2,mem0,0.2\n\
    mem*,cpu*,0.1\n";

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

/// Candidates of a report that are worth building.
fn front(report: &Value) -> Vec<&Value> {
    let rows = report["candidates"].as_array().unwrap();
    rows.iter().filter(|row| row["is_on_front"] == true).collect()
}

/// Commands that take what was written, with the figures that were told.
#[test]
fn what_is_found_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "soc.csv", SOC);
    let line = "explore --flows soc.csv --switch-ports 4 --network mesh~--shape~3x2 --time-limit 3 --out found";
    let words: Vec<String> = line.split(' ').map(|word| word.replace('~', " ")).collect();
    let run = crate::common::turnpike_in(
        here,
        words.iter().map(String::as_str).chain(["--format", "json"]),
    );
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let front = front(&report);
    assert!(!front.is_empty());
    let mut written: BTreeSet<String> = BTreeSet::new();
    for row in front {
        let name = row["name"].as_str().unwrap();
        let system = format!("found/{name}.system");
        written.insert(format!("{name}.system"));
        let analysis = json_in(here, &format!("analyze {system}"));
        let built = &analysis["flows"]["built"];
        for field in ["switches", "channels", "queues", "multiplexer_inputs", "virtual_channels"] {
            assert_eq!(row[field], built[field], "{name} {field}");
        }
        let load = &analysis["flows"]["load"]["flits_per_cycle"];
        assert_eq!(&row["max_load"], if load.is_null() { &row["max_load"] } else { load });
        assert!(number(&row["max_load"]) <= 0.75 && row["ports"].as_u64() <= Some(4));
        let room = number(&row["head_room"]);
        let links = number(&row["max_load"]).max(number(&report["busiest"]));
        assert!((room * links - 1.0).abs() < 1e-9);
        // Every bandwidth is met, and packets take the cycles that were told where they meet no others.
        let run = json_in(here, &format!("simulate {system} --cycles 40000"));
        assert_eq!(run["verdict"], "steady", "{name}");
        let quiet = json_in(here, &format!("simulate {system} --cycles 50000 --load 0.01"));
        let (own, told) = (number(&quiet["latency"]["mean"]), number(&row["mean_cycles"]));
        assert!((own - told).abs() < 0.1 * told, "{name}: {own} and {told}");
        let verified = run_in(here, &format!("verify {system}"));
        assert_eq!(verified.code, 0, "{name}: {}{}", verified.stdout, verified.stderr);
    }
    let there: BTreeSet<String> = fs::read_dir(here.join("found"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".system"))
        .collect();
    assert_eq!(there, written);
}

/// All that is compared is on the front, or beaten.
#[test]
fn the_front_is_what_nothing_beats() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let line = format!("explore --flows {VOPD} --time-limit 3");
    let report = json_in(here, &line);
    let star = front(&report).into_iter().find(|row| row["name"] == "star").unwrap();
    assert_eq!((&star["multiplexer_inputs"], &star["channels"]), (&11.into(), &0.into()));
    assert_eq!(report["least_multiplexer_inputs"], 7);
    let measures = |row: &Value| {
        [number(&row["luts"]), number(&row["mean_cycles"]), -number(&row["head_room"])]
    };
    let rows = report["candidates"].as_array().unwrap();
    assert!(["mesh_4x4", "ring_16"].iter().all(|name| rows.iter().any(|row| row["name"] == *name)));
    for row in rows {
        assert!(number(&row["luts"]) >= number(&report["least_luts"]));
        let own = measures(row);
        let beats = |other: &Value| {
            let other = measures(other);
            other != own && other.iter().zip(&own).all(|(other, own)| other <= own)
        };
        assert_eq!(row["is_on_front"] == true, !rows.iter().any(beats), "{row}");
    }
    let text = run_in(here, &line).stdout;
    assert!(text.contains("head room") && text.contains("LUTs by the model"), "{text}");
}

/// Message classes and latencies hold, and both ends of a terminal stay together where that is asked.
#[test]
fn classes_latencies_and_terminals() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(
        here,
        "kinds.csv",
        "class ask\nclass say after ask\nsource,destination,class,bandwidth,latency\n\
         a*,m*,ask,0.2,\nm*,a*,say,0.2,9\na0,a1,ask,0.1,3\na1,m0,say,0.05,\nm0,m1,say,0.1,\n\
         m1,m0,ask,0.1,\n",
    );
    for more in ["", " --together"] {
        let line =
            format!("explore --flows kinds.csv --switch-ports 5 --time-limit 3 --out found{more}");
        let report = json_in(here, &line);
        let rows = front(&report);
        assert!(!rows.is_empty(), "{report}");
        for row in rows {
            let condition = row["deadlock_free_condition"].as_str().unwrap();
            assert!(condition.contains("last message classes"), "{condition}");
            let name = row["name"].as_str().unwrap();
            let analysis = json_in(here, &format!("analyze found/{name}.system"));
            assert_eq!(analysis["flows"]["distant"], serde_json::json!([]));
            let text = fs::read_to_string(here.join(format!("found/{name}.topology"))).unwrap();
            let is_split = text
                .lines()
                .any(|line| line.starts_with("terminal ") && line.split(' ').count() > 3);
            assert!(!is_split || more.is_empty(), "{text}");
        }
    }
    // One switch has no table of routes, and is in time; packets of two flits are not.
    write(here, "near.csv", "source,destination,bandwidth,latency\na,b,0.1,1\n");
    let report = json_in(here, "explore --flows near.csv --time-limit 1");
    assert_eq!(front(&report)[0]["name"], "star");
    write(here, "near.csv", "source,destination,bandwidth,packet,latency\na,b,0.1,2,1\n");
    let wanted = "from a to b asks for a latency of 1 cycle, and its packets take 2";
    refused_in(here, &[("explore --flows near.csv", &[wanted])]);
}

/// Networks that the user names are written so that they build: by options, and from a file elsewhere.
#[test]
fn named_networks_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let flows = "source,destination,bandwidth\na,b,0.2\nb,c,0.2\nc,a,0.2\n";
    write(here, "flows.csv", flows);
    fs::create_dir(here.join("nets")).unwrap();
    write(
        here,
        "nets/one.topology",
        "turnpike-topology 1\nname one\nnode hub\nterminal x hub\nterminal y hub\nterminal z hub\n",
    );
    for (words, name) in [
        ("mesh --shape=2x2 --concentration=2", "mesh_2x2_2"),
        ("nets/one.topology", "nets_one_topology"),
    ] {
        let line = ["explore", "--flows", "flows.csv", "--switch-ports", "4", "--time-limit", "2"];
        let more = ["--network", words, "--out", "found", "--force", "--format", "json"];
        let run = crate::common::turnpike_in(here, line.iter().chain(&more));
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let rows = report["candidates"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == name).unwrap();
        assert!(row["luts"].is_number(), "{row}");
        if row["is_on_front"] == true {
            let analysis = json_in(here, &format!("analyze found/{name}.system"));
            assert_eq!(analysis["flows"]["built"]["queues"], row["queues"]);
        }
        assert!(words.ends_with("=2") || row["is_on_front"] == true, "{report}");
    }
}

#[test]
fn what_cannot_be_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "soc.csv", SOC);
    write(here, "words.csv", "source,destination,words\na,b,2\n");
    write(here, "stars.csv", "source,destination,bandwidth\n*,*,0.01\n");
    let many = (0..65).map(|at| format!("t{at},t{},0.1\n", (at + 1) % 65));
    let many: String = many.collect();
    write(here, "many.csv", &format!("source,destination,bandwidth\n{many}"));
    write(here, "full.csv", "source,destination,bandwidth\na,c,0.6\nb,c,0.6\n");
    refused_in(
        here,
        &[
            ("explore", &["--flows"]),
            ("explore --flows none.csv", &["none.csv"]),
            ("explore --flows words.csv", &["words.csv", "add the column bandwidth"]),
            ("explore --flows stars.csv", &["stars.csv", "patterns alone name no terminal"]),
            ("explore --flows many.csv", &["many.csv", "65 terminals", "64"]),
            ("explore --flows full.csv", &["full.csv", "c"]),
            ("explore --flows soc.csv --switch-ports 2", &["--switch-ports", "3 to 64"]),
            ("explore --flows soc.csv --switch-ports 65", &["--switch-ports", "3 to 64"]),
            ("explore --flows soc.csv --max-load 0", &["--max-load"]),
            ("explore --flows soc.csv --network nonsense", &["--network 'nonsense'", "nonsense"]),
            ("explore --flows soc.csv --network ring", &["--network 'ring'", "--nodes"]),
            ("explore --flows soc.csv --network ring --time-limit 0", &["--time-limit"]),
            ("explore --flows soc.csv --network star --network star", &["--network 'star'"]),
        ],
    );
    // A flow that no channel may carry needs one switch: there is a star, and of small switches nothing is found.
    let line = "explore --flows soc.csv --time-limit 1 --max-load 0.05";
    assert!(front(&json_in(here, line)).iter().any(|row| row["name"] == "star"));
    write(here, "two.csv", "source,destination,bandwidth\na,d,0.2\nb,d,0.2\nc,d,0.2\ne,d,0.2\n");
    let line = "explore --flows two.csv --switch-ports 3 --time-limit 1 --max-load 0.1 --out none";
    let run = run_in(here, line);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("alone is 0.2 flits"), "{}", run.stdout);
    assert!(!run.stdout.contains("are in none") && !here.join("none").exists());
    // Nothing is written over what somebody else wrote.
    fs::create_dir(here.join("mine")).unwrap();
    write(here, "mine/flows.csv", "mine");
    let line = "explore --flows soc.csv --time-limit 1 --out mine";
    refused_in(here, &[(line, &["mine/flows.csv", "not written by turnpike"])]);
    assert_eq!(fs::read_to_string(here.join("mine/flows.csv")).unwrap(), "mine");
}

/// The area of the model is near that of Yosys.
#[test]
fn areas_are_near_those_of_synthesis() {
    if !require_found(&[&YOSYS]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "soc.csv", SOC);
    let line = "explore --flows soc.csv --switch-ports 4 --time-limit 2 --out found";
    let report = json_in(here, line);
    let row = front(&report)[0];
    let system = format!("found/{}.system", row["name"].as_str().unwrap());
    let measured = json_in(here, &format!("synth {system} --part fabric --target xilinx7"));
    let luts = number(&measured["results"][0]["whole"]["luts"]);
    let told = number(&row["luts"]);
    assert!((told - luts).abs() <= 0.2 * luts, "{told} by the model, {luts} by Yosys");
}
