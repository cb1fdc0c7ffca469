//! Slotted fabrics on the command line: what is written, what is said of it, what is refused.

use crate::common::{json_in, refused, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Flows of a mesh of 3 by 2, with bandwidths, packets and latencies.
const FLOWS: &str = "source,destination,bandwidth,packet,latency\n\
    0_0,2_1,0.5,4,\n1_0,2_1,0.25,2,20\n2_1,0_0,0.125,1,\n";
const MESH: &str = "mesh --shape 3x2 --kind slotted --flows flows.csv --name s --out x --force";

fn manifest(at: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(at.join("x/s.json")).unwrap()).unwrap()
}

/// What the manifest says of the flows is what the file asks for, and what the time table is.
#[test]
fn flows_have_their_slots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("flows.csv"), FLOWS).unwrap();
    let report = json_in(at, &format!("generate {MESH}"));
    let manifest = manifest(at);
    assert_eq!(manifest["kind"], "slotted");
    assert_eq!(manifest["configuration"], report["configuration"]);
    assert_eq!(fs::read_to_string(at.join("x/flows.csv")).unwrap(), FLOWS);
    let slots = manifest["slots"].as_u64().unwrap();
    let mut taken = std::collections::BTreeSet::new();
    let flows = manifest["time_table"].as_array().unwrap();
    for flow in flows {
        let own: Vec<u64> =
            flow["slots"].as_array().unwrap().iter().map(|slot| slot.as_u64().unwrap()).collect();
        let asked = flow["asked_bandwidth"].as_f64().unwrap();
        let has = own.len() as f64 / slots as f64;
        assert!(has >= asked, "{flow}");
        assert_eq!(flow["bandwidth"].as_f64(), Some(has));
        // A sink takes one word in a slot.
        for start in own {
            let cycles = flow["cycles"].as_u64().unwrap();
            assert!(taken.insert(((start + cycles) % slots, flow["destination"].to_string())));
        }
    }
    assert_eq!((flows.len(), report["flows"].as_u64()), (3, Some(3)));
    let most = flows.iter().map(|flow| flow["most_cycles"].as_u64().unwrap()).max();
    assert_eq!(most, report["most_cycles"].as_u64());
    // Switches of the route from 0_0 to 2_1, each with an output that takes its words.
    let switches = manifest["switches"].as_array().unwrap();
    for (node, output, input) in
        [("0_0", "x_plus", "inject"), ("1_0", "x_plus", "x_plus"), ("2_1", "eject", "y_plus")]
    {
        let switch = switches.iter().find(|switch| switch["node"] == node).unwrap();
        let outputs = switch["outputs"].as_array().unwrap();
        let found = outputs.iter().find(|own| own["name"] == output).unwrap();
        assert!(found["slots"].as_array().unwrap().iter().any(|own| own == input), "{found}");
    }
}

/// More slots than are needed leave some of them free; the frame that is asked for is the one that is built.
#[test]
fn the_frame_that_is_asked_for_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("flows.csv"), FLOWS).unwrap();
    for slots in [8, 16] {
        let report = json_in(at, &format!("generate {MESH} --slots {slots}"));
        assert_eq!(report["slots"], slots);
        assert_eq!(report["words"], slots * 7 / 8);
        assert_eq!(manifest(at)["slots"], slots);
    }
    // Without flows every pair has a word.
    let all = json_in(at, "generate mesh --shape 2x2 --kind slotted --out y");
    assert_eq!((all["flows"].as_u64(), all["words"].as_u64()), (Some(16), Some(16)));
}

/// Two tables of one network have one default name only where the frames are alike; the one does not silently
/// replace the other.
#[test]
fn another_frame_is_another_fabric() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "generate mesh --shape 2x2 --kind slotted";
    let (first, second) = (json_in(at, line), json_in(at, &format!("{line} --slots 9")));
    assert_ne!(first["fabric"], second["fabric"]);
    assert_ne!(first["folder"], second["folder"]);
    assert_eq!(run_in(at, line).code, 0);
}

/// Three flows around a ring that no frame of three slots holds at their bandwidths: a longer one is found.
#[test]
fn a_longer_frame_is_tried_where_the_shortest_gives_too_little() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let flows = "source,destination,bandwidth\n1,3,0.5\n2,0,0.5\n3,2,0.5\n";
    fs::write(at.join("ring.csv"), flows).unwrap();
    let line = "generate directed-ring --nodes 4 --kind slotted --flows ring.csv --name s --out x";
    json_in(at, line);
    for flow in manifest(at)["time_table"].as_array().unwrap() {
        assert!(flow["bandwidth"].as_f64() >= Some(0.5), "{flow}");
    }
}

/// Addresses of a topology file are those at the ports.
#[test]
fn addresses_of_a_file_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let topology = "turnpike-topology 1\nnode a b c\nsource tx a\nsource ty b\nterminal rx c @16\n\
        terminal rz c\nlink a.e b.w\nlink b.e c.w\n";
    fs::write(at.join("far.topology"), topology).unwrap();
    json_in(at, "generate far.topology --kind slotted --ports named --name s --out x");
    assert_eq!(manifest(at)["terminal"]["address_bits"], 5);
    assert_eq!(manifest(at)["terminal"]["m_axis"][0], 16);
    let injector = fs::read_to_string(at.join("x/s_injector_0.v")).unwrap();
    assert!(injector.contains("input  wire [4:0] in_dest"), "{injector}");
    assert!(injector.contains("(in_dest == 5'd16)"), "{injector}");
    assert_eq!(run_in(at, "verify far.topology --kind slotted --ports named").code, 0);
}

/// Bandwidths, latencies and frames that cannot be, and networks that have no time table.
#[test]
fn what_no_time_table_keeps_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("flows.csv"), FLOWS).unwrap();
    fs::write(at.join("late.csv"), FLOWS.replace(",20\n", ",5\n")).unwrap();
    fs::write(at.join("full.csv"), "source,destination,bandwidth\n0_0,2_1,0.6\n1_0,2_1,0.4\n")
        .unwrap();
    fs::write(at.join("many.csv"), "source,destination,words\n0_0,2_1,3000\n").unwrap();
    fs::write(
        at.join("delay.topology"),
        "turnpike-topology 1\nnode a b\nterminal x a\nterminal y b\nlink a.e b.w delay=1\n",
    )
    .unwrap();
    for (line, expected) in [
        (
            "mesh --shape 3x2 --flows late.csv",
            &["1_0 to 2_1", "may take 6 cycles", "asks for 5", "longer latency"][..],
        ),
        ("mesh --shape 3x2 --flows full.csv --slots 4", &["--slots 4", "5 words in a frame"]),
        ("mesh --shape 3x2 --slots 5", &["--slots 5", "use more slots"]),
        ("mesh --shape 3x2 --flows many.csv", &["3000 words in a frame", "at most 1024 slots"]),
        ("mesh --shape 12x12 --slots 1024", &["rows of slot tables", "fewer slots"]),
        ("mesh --shape 16x16", &["more than 262144 rows"]),
        ("mesh --shape 3x2 --seed 3", &["--seed does nothing"]),
        ("mesh --shape 3x2 --slots 0", &["--slots 0", "use at least 1"]),
        ("mesh --shape 3x2 --slots 4000", &["--slots 4000 is out of range; use 1 to 1024"]),
        ("mesh --shape 3x2 --routing west-first", &["packets choose", "one route per pair"]),
        ("mesh --shape 3x2 --routing two-phase", &["draws its way", "one route per pair"]),
        ("delay.topology", &["up to 1 registers", "leave 'delay' out"]),
        ("mesh --shape 3x2 --depth 8", &["--depth does nothing", "no queues"]),
        ("mesh --shape 3x2 --ends ends.csv", &["--ends does nothing"]),
        ("mesh --shape 3x2 --vcs 2", &["--vcs does nothing", "no virtual channels"]),
        ("mesh --shape 3x2 --self-routing", &["--self-routing does nothing"]),
        ("mesh --shape 3x2 --picture", &["--picture does nothing"]),
        ("mesh --shape 3x2 --selftest ulx3s-85f", &["--selftest does nothing"]),
    ] {
        let line = format!("generate {line} --kind slotted --out z");
        refused(&run_in(at, &line), &line, expected);
        assert!(!at.join("z").exists(), "{line}");
    }
}
