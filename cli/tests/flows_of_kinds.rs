//! Circuits, time tables and busses for flows, as a user asks for them.

use crate::common::folders::{files_in, made_again, with_files};
use crate::common::{number, run_in};
use std::fs;

const SOC: &str = "../docs/examples/soc.flows.csv";

/// Settings and time tables are of the flows alone, and each has its bandwidth.
#[test]
fn a_schedule_is_of_the_flows() {
    let rates = "source,destination,bandwidth\n0,1,0.6\n0,2,0.2\n7,2,0.3\n3,3,1\n";
    let here = with_files(&[
        ("rates.csv", rates),
        ("words.csv", "source,destination,words\n0,1,3\n0,2,1\n"),
        ("soc.csv", &fs::read_to_string(SOC).unwrap()),
        ("classes.csv", &fs::read_to_string("../docs/examples/soc.classes.csv").unwrap()),
    ]);
    let report = |line: &str| -> serde_json::Value {
        let run = run_in(here.path(), &format!("{line} --format json"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
        serde_json::from_str(&run.stdout).unwrap()
    };
    // In 3 slots: two words, one, one and three.
    for network in ["benes --dim 3", "clos --shape 2,2,4", "mesh --shape 8"] {
        let found = report(&format!("schedule {network} --flows rates.csv"));
        let slots = found["slots"].as_array().unwrap();
        assert_eq!(slots.len(), 3, "{network}");
        let pairs: Vec<[String; 2]> = slots.iter().flat_map(pairs).collect();
        for (source, destination, words) in [("0", "1", 2), ("0", "2", 1), ("7", "2", 1)] {
            let own = pairs.iter().filter(|pair| **pair == [source, destination]).count();
            assert_eq!(own, words, "{network}: {source} to {destination}");
        }
        assert_eq!(pairs.len(), 7, "{network}");
        let found = report(&format!("schedule {network} --flows words.csv"));
        assert_eq!(found["slots"].as_array().unwrap().len(), 4, "{network}");
    }
    for (line, flows) in [("soc.csv", 20), ("classes.csv", 16), ("soc.csv --slots 40", 20)] {
        let found = report(&format!("schedule mesh --shape 4x4 --flows {line}"));
        assert_eq!(found["pairs"], flows, "{line}");
        assert!(found["short_of"].is_null(), "{line}");
    }
    // A word in each slot, and a frame of two: no table gives both what they ask for.
    let line = "schedule directed-ring --nodes 4 --flows";
    let triangle = "source,destination,bandwidth\n1,3,0.5\n2,0,0.5\n3,2,0.5\n";
    fs::write(here.path().join("triangle.csv"), triangle).unwrap();
    let short = run_in(here.path(), &format!("{line} triangle.csv"));
    assert_eq!(short.code, 1, "{}", short.stderr);
    let said = "TOO LONG for the flow from 1 to 3: 1 word in 3 slots are less than 0.5";
    assert!(short.stdout.contains(said), "{}", short.stdout);
}

/// Source and destination of the words of a slot, of circuits or of a time table.
fn pairs(slot: &serde_json::Value) -> Vec<[String; 2]> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let circuits = slot["connections"].as_array();
    let words = slot["words"].as_array();
    let connections = circuits.into_iter().flatten().map(|pair| [text(&pair[0]), text(&pair[1])]);
    let words =
        words.into_iter().flatten().map(|word| [text(&word["source"]), text(&word["destination"])]);
    connections.chain(words).collect()
}

/// A circuit fabric for flows is one with the schedule of the flows, and has the crosspoints of that alone.
#[test]
fn circuits_for_flows_have_the_crosspoints_that_these_take() {
    let here = with_files(&[
        ("few.pattern", "0 1 2\n0 2\n7 2\n5 4\n"),
        ("rates.csv", "source,destination,bandwidth\n0,1,0.5\n0,2,0.25\n7,2,0.25\n5,4,0.25\n"),
    ]);
    let circuit = "benes --dim 3 --kind circuit";
    for (option, out) in [("--baked few.pattern", "one"), ("--flows few.pattern", "two")] {
        let made = run_in(here.path(), &format!("generate {circuit} {option} --out {out}"));
        assert_eq!(made.code, 0, "{}", made.stderr);
    }
    assert_eq!(files_in(&here.path().join("one")), files_in(&here.path().join("two")));
    let line = format!("{circuit} --flows rates.csv");
    let made = run_in(here.path(), &format!("generate {line} --out rates --format json"));
    let report: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    let [built, all] = ["crosspoints_built", "crosspoints"].map(|name| number(&report[name]));
    assert!(built < 0.5 * all, "{report}");
    let verified = run_in(here.path(), &format!("verify {line}"));
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
}

/// On a bus each sink hears the senders of its flows; others have no port. The folder is made again from its
/// own words and flows.
#[test]
fn a_bus_for_flows_has_the_receivers_of_these() {
    let here = with_files(&[("few.csv", "source,destination\n*,0\n0,3\n")]);
    let line = "ocpc --nodes 6 --flows few.csv";
    let manifest = made_again(here.path(), &format!("generate {line}"));
    assert_eq!(manifest["crosspoints"], 6);
    assert_eq!(manifest["terminal"]["s_axis"], serde_json::json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(manifest["terminal"]["m_axis"], serde_json::json!([0, 3]));
    assert_eq!(manifest["flows"]["count"], 6);
    let verified = run_in(here.path(), &format!("verify {line}"));
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    assert!(verified.stdout.contains("2 sinks on one bus hear 6 senders"), "{}", verified.stdout);
}
