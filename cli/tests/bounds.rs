//! `analyze --bounds`: cycles that no packet of a flow exceeds.

use crate::common::folders::with_files;
use crate::common::{Run, run, run_in};
use serde_json::Value;

const SOC: &str = "analyze mesh --shape 4x4 --flows ../docs/examples/soc.flows.csv --bounds";

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stderr))
}

/// Bounds of the flows by their ends, and the exit code.
fn bounds(line: &str, flows: &str) -> (Vec<Option<u64>>, i32) {
    let here = with_files(&[("f.csv", flows)]);
    let run = run_in(here.path(), &format!("{line} --flows f.csv --bounds --format json"));
    let flows = report(&run)["flows"].as_array().unwrap().clone();
    (flows.iter().map(|flow| flow["bound_cycles"].as_u64()).collect(), run.code)
}

/// The condition stands with the figures, in text and in JSON.
#[test]
fn figures_come_with_their_condition() {
    let json = report(&run(&format!("{SOC} --format json")));
    let most = json["flows"].as_array().unwrap().iter().map(|flow| flow["bound_cycles"].as_u64());
    assert_eq!(most.max().flatten(), Some(49));
    let condition = json["condition"].as_str().unwrap();
    assert!(condition.contains("token buckets") && condition.contains("each sink takes"));
    let text = run(SOC).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&format!("they hold as long as {condition}")), "{text}");
    assert!(text.contains("1_0 0_0 4 4 0.05 6 22 flows"), "{text}");
}

/// A packet that meets no other takes its time alone; one more burst, and it waits for the one before.
#[test]
fn a_flow_alone_is_as_fast_as_it_can_be() {
    let mesh = "analyze mesh --shape 4x4";
    let (found, code) = bounds(mesh, "source,destination,bandwidth,packet\n0_0,3_3,0.05,3\n");
    assert_eq!((found, code), (vec![Some(10)], 0));
    let burst = "source,destination,bandwidth,packet,burst\n0_0,1_0,0.01,4,8\n";
    assert_eq!(bounds(mesh, burst), (vec![Some(13)], 0));
}

/// What is asked for is kept from the bound on, and not a cycle below it; a flow that has none keeps nothing.
#[test]
fn latencies_are_held_against_the_bounds() {
    let mesh = "analyze mesh --shape 3x3";
    let asking = |latency: u64, rate: &str| {
        let head = "source,destination,bandwidth,packet,latency\n";
        let others = format!("1_0,2_2,{rate},4,\n0_1,2_2,{rate},4,\n");
        bounds(mesh, &format!("{head}0_0,2_2,{rate},4,{latency}\n{others}"))
    };
    let (found, _) = asking(1000, "0.05");
    let bound = found[0].unwrap();
    assert_eq!(asking(bound, "0.05").1, 0);
    assert_eq!(asking(bound - 1, "0.05").1, 1);
    let (found, code) = asking(1000, "0.3");
    assert_eq!((found[0], code), (None, 1));
}

/// A system file says bursts as a file of flows does.
#[test]
fn systems_have_bursts() {
    let system = "turnpike-system = 1\n[network]\ntopology = \"mesh\"\nshape = \"2x2\"\n\
        [[flow]]\nsource = \"0_0\"\ndestination = \"1_0\"\nbandwidth = 0.01\npacket = 4\nburst = 8\n";
    let here = with_files(&[("s.system", system)]);
    let run = run_in(here.path(), "analyze s.system --bounds --format json");
    assert_eq!(report(&run)["flows"][0]["bound_cycles"], 13, "{}", run.stderr);
}

#[test]
fn what_has_no_bounds_says_why() {
    let here = with_files(&[
        ("f.csv", "source,destination,bandwidth\n0_0,1_0,0.1\n"),
        ("silent.csv", "source,destination\n0_0,1_0\n"),
        ("short.csv", "source,destination,bandwidth,packet,burst\n0_0,1_0,0.1,4,3\n"),
    ]);
    for (line, reason) in [
        ("mesh --shape 2x2", "this network is from all to all"),
        ("mesh --shape 2x2 --flows silent.csv", "give each a bandwidth"),
        ("mesh --shape 2x2 --flows short.csv", "a burst of 3 flits and packets of 4"),
        ("mesh --shape 2x2 --flows f.csv --routing adaptive", "choose their way"),
        (
            "mesh --shape 2x2 --flows f.csv --link-registers 1",
            "leave --link-registers or --bounds out",
        ),
        ("mesh --shape 2x2 --flows f.csv --pattern transpose", "leave --bounds or --pattern out"),
        ("ocpc --nodes 4", "leave --bounds out"),
    ] {
        let run = run_in(here.path(), &format!("analyze {line} --bounds"));
        assert_eq!(run.code, 2, "{line}");
        assert!(run.stderr.contains(reason), "{line}: {}", run.stderr);
    }
}
