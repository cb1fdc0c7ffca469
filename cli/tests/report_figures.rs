//! The figures of `report`, counted again from the routes that `route` prints.

use crate::common::page::{by_id, cells, parsed, words};
use crate::common::{json_in, run_in};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Switches with several terminals and with none, networks of one direction, of a file, and with a hole.
const NETWORKS: &[&str] = &[
    "mesh --shape 3x2 --concentration 2",
    "mesh --shape 2x2 --concentration 4",
    "clos --shape 2,2,3",
    "butterfly --dim 2",
    "tree --arity 2 --levels 2",
    "my.topology",
    "hypercube --dim 3 --failed 010",
    "mesh --shape 3x3 --failed 1_1 --routing shortest",
    "ring --nodes 3",
];

/// The switch, input and output of each hop between two terminals.
#[track_caller]
fn hops(at: &Path, network: &str, source: &str, destination: &str) -> Vec<[String; 3]> {
    let route = json_in(at, &format!("route {network} {source} {destination}"));
    let hops = route["hops"].as_array().unwrap().iter();
    hops.map(|hop| ["node", "input", "output"].map(|key| hop[key].as_str().unwrap().to_owned()))
        .collect()
}

/// The labels of the terminals that send, and of those that take packets.
fn ends(routes: &Value) -> [Vec<&str>; 2] {
    let terminals = routes["terminals"].as_array().unwrap();
    [1, 3].map(|side| {
        let has = |terminal: &&Value| terminal[side].as_i64().unwrap() >= 0;
        terminals.iter().filter(has).map(|terminal| terminal[0].as_str().unwrap()).collect()
    })
}

#[test]
fn loads_crossbars_and_witnesses_are_those_of_the_routes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(run_in(at, "export mesh --shape 3x2 --out my.topology").code, 0);
    for network in NETWORKS {
        let line = format!("report {network} --no-curves --out x.html");
        assert_eq!(run_in(at, &line).code, 0, "{network}");
        let text = fs::read_to_string(at.join("x.html")).unwrap();
        let page = parsed(&text);
        let analysis = json_in(at, &format!("analyze {network}"));
        let routes: Value = serde_json::from_str(&words(by_id(&page, "routes").unwrap())).unwrap();
        let [sources, sinks] = ends(&routes);

        let mut packets: BTreeMap<[String; 2], u32> = BTreeMap::new();
        for (source, sink) in sources.iter().flat_map(|from| sinks.iter().map(move |to| (from, to)))
        {
            for [node, _, output] in hops(at, network, source, sink) {
                *packets.entry([node, output]).or_default() += 1;
            }
        }
        packets.retain(|[_, output], _| !output.starts_with("eject"));
        let load = |packets: u32| format!("{:.4}", f64::from(packets) / sinks.len() as f64);
        let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
        packets.values().for_each(|&packets| *wanted.entry(load(packets)).or_default() += 1);
        let idle = analysis["channels"].as_u64().unwrap() - packets.len() as u64;
        if idle > 0 {
            wanted.insert(load(0), idle);
        }
        let mut found = BTreeMap::new();
        for row in cells(&page, "loads") {
            let (of_row, channels) =
                (row[0].parse::<f64>().unwrap(), row[1].parse::<u64>().unwrap());
            found.insert(format!("{of_row:.4}"), channels);
            let [from, output, _] = row[2].split(' ').collect::<Vec<_>>()[..] else {
                panic!("{row:?}")
            };
            let output = output.trim_start_matches('-').trim_end_matches("->");
            let first = packets.get(&[from, output].map(str::to_owned)).copied().unwrap_or(0);
            assert_eq!(load(first), format!("{of_row:.4}"), "{network}: {row:?}");
        }
        assert_eq!(found, wanted, "{network}");

        let turns = cells(&page, "turns");
        for class in analysis["switch_classes"].as_array().unwrap() {
            let of_class = turns.iter().filter(|row| class["name"] == row[0]);
            let port = |name: &str| name.split(' ').next().unwrap().to_owned();
            let crosspoints: std::collections::BTreeSet<_> =
                of_class.map(|row| (port(&row[1]), port(&row[2]))).collect();
            let wanted =
                ["crosspoints", "terminal_crosspoints"].map(|key| class[key].as_u64().unwrap());
            // Of five and more classes four are shown.
            let is_shown = !crosspoints.is_empty();
            assert!(
                !is_shown || crosspoints.len() as u64 == wanted[0] + wanted[1],
                "{network}: {class}"
            );
        }
        assert!(turns.len() >= sinks.len(), "{network}");
        for row in turns {
            let port = |name: &str| name.split(' ').next().unwrap().to_owned();
            let wanted = [row[3].clone(), port(&row[1]), port(&row[2])];
            let hops = hops(at, network, &row[4], &row[5]);
            assert!(hops.contains(&wanted), "{network}: {row:?}, {hops:?}");
        }
    }
}
