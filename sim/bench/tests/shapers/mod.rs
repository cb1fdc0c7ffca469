//! Shapers: in whole fabrics; against a model that has the definition of a token bucket and no counter; and
//! the bounds that hold whatever the sources do.

mod exact;
mod latencies;

use crate::common::every_field;
use turnpike_fabric::plan::{FabricPlan, Parameters, ResetStyle};
use turnpike_fabric::testing::plan_for;
use turnpike_sim_bench::verify::counters;
use turnpike_sim_bench::verify::interfaces::check;

/// Three sources of unlike flows to one sink, and one of several flows.
const FLOWS: &str = "source,destination,bandwidth,packet,burst\n\
                     1_0,0_0,0.25,4,\n\
                     0_1,0_0,0.1,3,7\n\
                     1_1,0_0,0.3,1,2\n1_1,1_0,0.125,4,9\n1_1,0_1,0.07,2,\n";

fn plan(wishes: &str, flows: &str, parameters: Parameters) -> FabricPlan {
    plan_for(&format!("mesh 2x2 dimension-order as {wishes}"), flows, parameters)
}

#[test]
fn packets_within_their_flows_arrive_and_others_are_refused() {
    let base = Parameters::default();
    let low = Parameters { reset: ResetStyle::Low, depth: 2, ..base };
    let half = Parameters { width: 16, ..every_field() };
    let one = Parameters { width: 8, ..base };
    for (wishes, flows, parameters) in [
        ("shaper", FLOWS, base),
        ("shaper,1_1=16", FLOWS, every_field()),
        ("shaper,1_0=8,0_1=96,1_1=24,0_0=64", FLOWS, every_field()),
        ("shaper,0_1=slow_clk,0_0=fast_clk,1_1=8", FLOWS, low),
        ("shaper,counters,1_1=@9,0_0=@3,1_0=64", FLOWS, half),
        (
            "shaper,counters",
            "source,destination,bandwidth,packet\n1_0,0_0,0.9,1\n0_1,0_0,0.000001,1\n",
            one,
        ),
    ] {
        let figure = check(&plan(wishes, flows, parameters));
        assert!(figure.is_ok(), "{wishes}: {figure:?}");
    }
    // Of message classes: each terminal has a stream for each, with a shaper of its own.
    let classes = "class ask\nclass say after ask\nsource,destination,class,bandwidth,packet\n\
                   1_0,0_0,ask,0.25,2\n0_0,1_0,say,0.1,5\n1_1,0_0,ask,0.1,1\n0_0,1_1,say,0.1,1\n";
    let found = check(&plan("shaper", classes, base));
    assert!(found.is_ok(), "{found:?}");
}

/// Counters are at the network's side of shapers, and count nothing that these refuse.
#[test]
fn what_shapers_let_through_is_counted() {
    let base = Parameters::default();
    let low = Parameters { reset: ResetStyle::Low, ..base };
    let slow = "source,destination,bandwidth,packet\n1_0,0_0,0.9,1\n0_1,0_0,0.000001,3\n";
    let all_slow = "source,destination,bandwidth,packet\n0_1,0_0,0.000001,4\n";
    for (wishes, flows, parameters, hangs) in [
        ("shaper,counters", FLOWS, base, "3 sinks that take nothing raise hang"),
        ("shaper,counters,0_1=@9,1_1=96", FLOWS, every_field(), "3 sinks"),
        ("shaper,counters,0_1=slow_clk,0_0=fast_clk,1_1=8", FLOWS, low, "3 sinks"),
        ("shaper,counters", slow, base, "1 sinks"),
        // What is between the network and the sink may be 64 words of two flits: that takes too long.
        ("shaper,counters,0_0=64", all_slow, base, "hang is NOT CHECKED"),
    ] {
        let figure = counters::check(&plan(wishes, flows, parameters));
        assert!(figure.as_ref().is_ok_and(|said| said.contains(hangs)), "{wishes}: {figure:?}");
    }
}
