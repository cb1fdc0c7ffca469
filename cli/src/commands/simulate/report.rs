//! The report of `simulate`.

use super::engines::Comparison;
use super::parts::{self, Fabric};
use super::{Engine, SimulateOptions};
use crate::format::number;
use serde::Serialize;
use turnpike_hdl_gen::plan::FabricPlan;
use turnpike_sim::report::{Outcome, Report};

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    engine: Engine,
    /// Labels of the nodes that hotspot traffic favours.
    hotspots: Option<Vec<String>>,
    hotspot_share: Option<f64>,
    /// The engine beside the reference router; absent where that is the engine.
    comparison: Option<&'a Comparison>,
}

/// The report in the format asked for.
///
/// # Errors
/// None: its keys are strings.
pub fn write(
    options: &SimulateOptions,
    plan: &FabricPlan,
    report: &Report,
    comparison: Option<&Comparison>,
) -> anyhow::Result<String> {
    let hotspot = report.traffic.pattern == "hotspot";
    let labels = || match options.hotspot.is_empty() {
        true => vec![plan.topology().label(turnpike_hdl_gen::topology::Node(0))],
        false => options.hotspot.clone(),
    };
    let whole = Whole {
        report,
        engine: options.engine,
        hotspots: hotspot.then(labels),
        hotspot_share: hotspot.then_some(options.hotspot_share),
        comparison,
    };
    parts::write(options.format.format, &whole, text)
}

fn text(whole: &Whole<'_>) -> String {
    let r = whole.report;
    let fabric = Fabric {
        topology: &r.topology,
        dimension: r.dimension,
        routing: &r.routing,
        route_seed: r.route_seed,
        virtual_channels: r.virtual_channels,
        depth: r.depth,
    };
    let mut text = fabric.line();
    text += &traffic(whole);
    text += &parts::engine(whole.engine, whole.comparison);
    text += &format!("outcome: {}\n", outcome(r));

    text += "\nCycles\n";
    let steady = match r.warm_up_steady {
        Some(true) => "until the network was steady, not measured",
        Some(false) => "the limit: the network was not steady by then; not measured",
        None => "as given, not measured",
    };
    let mut cycles = vec![
        ("warm-up", r.warm_up_cycles.to_string(), steady),
        ("measured", r.measured_cycles.to_string(), ""),
        ("drain", r.drain_cycles.to_string(), "until the last measured packet"),
    ];
    if r.settle_cycles > 0 {
        let remark = "without new packets, until the network was empty or stood still";
        cycles.push(("settle", r.settle_cycles.to_string(), remark));
    }
    text += &parts::figures(&cycles);

    text += "\nPackets, over the whole run\n";
    text += &parts::figures(&[
        ("released", r.released_packets.to_string(), "by the traffic"),
        ("injected", r.injected_packets.to_string(), "taken by the fabric"),
        ("delivered", r.delivered_packets.to_string(), ""),
    ]);

    text += "\nThroughput, flits per node and cycle, while measuring\n";
    text += &parts::figures(&[
        ("offered", number(r.offered_throughput), ""),
        ("delivered", number(r.accepted_throughput), saturated(r)),
    ]);

    text += &format!("\nLatency in cycles, of {} measured packets\n", r.measured_delivered_packets);
    text += &latencies(r);

    text += "\nQueues, in flits\n";
    text += &parts::figures(&[
        ("largest queue", r.largest_queue_flits.to_string(), "in the network"),
        ("largest backlog", r.largest_source_backlog_flits.to_string(), "at one source"),
        ("left at sources", r.source_backlog_flits.to_string(), "at the end"),
        ("left in network", r.network_flits.to_string(), "at the end"),
    ]);
    text
}

fn traffic(whole: &Whole<'_>) -> String {
    let t = &whole.report.traffic;
    let mut words = vec![format!("traffic: {}", t.pattern)];
    if let (Some(nodes), Some(share)) = (&whole.hotspots, whole.hotspot_share) {
        words.push(format!("share {} to {}", number(share), nodes.join(" ")));
    }
    words.extend(t.offered_load.map(|load| format!("load {load} flits per node and cycle")));
    words.extend(
        t.packet_flits.map(|n| format!("packets of {n} flit{}", if n == 1 { "" } else { "s" })),
    );
    words.extend(t.seed.map(|seed| format!("seed {seed}")));
    words.extend(t.self_addressed.map(|drawn| {
        format!("self-addressed packets {}", if drawn { "drawn" } else { "not drawn" })
    }));
    words.join(", ") + "\n"
}

fn outcome(r: &Report) -> String {
    match r.outcome {
        Outcome::Drained => "drained: every measured packet was delivered".to_owned(),
        Outcome::NotDrained => format!(
            "not drained: {} of {} measured packets were delivered in time; the network is saturated",
            r.measured_delivered_packets, r.measured_packets
        ),
        Outcome::Deadlocked => format!(
            "DEADLOCKED: {} flits in the network wait for each other and never arrive",
            r.network_flits
        ),
        Outcome::PacketLimit => {
            "stopped: more packets wait at the sources than a run holds; the network is saturated"
                .to_owned()
        }
    }
}

fn saturated(r: &Report) -> &'static str {
    if r.saturated { "saturated: less than offered" } else { "" }
}

fn latencies(r: &Report) -> String {
    let (Some(whole), Some(network)) = (&r.latency, &r.network_latency) else {
        return "  no packet was measured\n".to_owned();
    };
    parts::latencies(&[("from release", whole), ("from injection", network)])
}
