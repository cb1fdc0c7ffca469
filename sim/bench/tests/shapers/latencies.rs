//! Bounds of latency in fabrics with shapers, whatever the sources do, and the room that shapers need.

use super::plan;
use std::collections::{BTreeMap, VecDeque};
use turnpike_base::hash::hash;
use turnpike_bounds::{FlowBound, ShaperRoom, bounds, shaper_rooms};
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline, RELEASE_CYCLES, Side};
use turnpike_fabric::rtl::interface;
use turnpike_netlist::NetKind;
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

/// Flows that all have bounds.
const BOUNDED: &str = "source,destination,bandwidth,packet,burst\n\
                       1_0,0_0,0.1,4,\n\
                       0_1,0_0,0.05,3,7\n\
                       1_1,0_0,0.04,2,4\n1_1,1_0,0.1,4,9\n";

/// Sources that offer all the time, of each flow in turn, and such as stop within packets, with packets
/// among them that are too long or too short or have no flow.
#[test]
fn bounds_hold_whatever_sources_do() {
    let mut checked = 0;
    for (pipeline, depth) in [(Pipeline::None, 4), (Pipeline::None, 2), (Pipeline::GrantAhead, 4)] {
        let parameters = Parameters { width: 64, pipeline, depth, ..Parameters::default() };
        let plan = plan("shaper", BOUNDED, parameters);
        let bounds = bounds(&plan).unwrap();
        let mut fastest = vec![u64::MAX; bounds.flows.len()];
        for greed in 0..4 {
            for (from, to, cycles) in latencies(&plan, greed) {
                let is_its = |flow: &FlowBound| flow.source == from && flow.destination == to;
                let at = bounds.flows.iter().position(is_its).unwrap();
                let bound = bounds.flows[at].bound_cycles.unwrap();
                assert!(cycles <= bound, "{from} to {to}: {cycles} and not {bound}");
                fastest[at] = fastest[at].min(cycles);
                checked += 1;
            }
        }
        // The cycles are those that bounds are of.
        let least: Vec<u64> = bounds.flows.iter().map(|flow| flow.least_cycles).collect();
        assert_eq!(fastest, least, "{pipeline} {depth}");
    }
    assert!(checked > 3_000, "{checked}");
}

/// Cycles of all packets of a run, from their release by the shapers to their last flit.
fn latencies(plan: &FabricPlan, greed: u64) -> Vec<(String, String, u64)> {
    let top = interface::design(plan).unwrap();
    let mut rtl = Evaluator::new(&top);
    let label = |terminal| plan.topology().terminal_label(terminal);
    let port = |side, terminal, signal: &str| plan.port_name(side, terminal, signal);
    struct Source {
        terminal: Terminal,
        ports: [NetId; 5],
        grants: Vec<NetId>,
        /// Place in the packet that comes, its flits and its destination.
        at: u32,
        flits: u32,
        to: u64,
        sent: u64,
    }
    let mut sources: Vec<Source> = Vec::new();
    for &terminal in plan.sources() {
        let Some(class) = plan.shaper_of(terminal) else { continue };
        let net = |signal: &str| rtl.port(&port(Side::Source, terminal, signal)).unwrap();
        let stem = plan.stream_name(Side::Source, terminal);
        let stem = stem.trim_end_matches("_axis");
        let count = plan.shapers()[class].flows.len();
        let grants = (0..count).map(|flow| rtl.find(&format!("{stem}_grants{flow}")).unwrap());
        let grants = grants.collect();
        let ports = ["valid", "ready", "data", "dest", "last"].map(net);
        sources.push(Source { terminal, ports, grants, at: 0, flits: 0, to: 0, sent: 0 });
    }
    let sinks: Vec<(Terminal, [NetId; 3])> = plan
        .sinks()
        .iter()
        .map(|&terminal| {
            let net = |signal: &str| rtl.port(&port(Side::Sink, terminal, signal)).unwrap();
            let (ready, nets) = (net("ready"), ["valid", "data", "last"].map(net));
            rtl.set(ready, &[1]);
            (terminal, nets)
        })
        .collect();
    rtl.set_reset(true);
    rtl.settle();
    rtl.clock();
    rtl.set_reset(false);
    // By pair, the cycles in which packets may enter.
    let mut released: BTreeMap<(Terminal, Terminal), VecDeque<u64>> = BTreeMap::new();
    let mut found = Vec::new();
    for cycle in 0..4_000u64 {
        for source in &mut sources {
            let class = &plan.shapers()[plan.shaper_of(source.terminal).unwrap()];
            if source.at == source.flits {
                let draw = hash(greed, &[source.sent, source.terminal.0.into()]);
                let flow = &class.flows[draw as usize % class.flows.len()];
                source.to = flow.destination.into();
                let packet = flow.bucket.packet;
                source.at = 0;
                // Too long, too short, or without a flow.
                source.flits = match if greed > 1 { draw >> 16 & 7 } else { 7 } {
                    0 => packet + 1,
                    1 => (packet - 1).max(1),
                    2 => {
                        let has_no_flow =
                            |to: &u32| class.flows.iter().all(|flow| flow.destination != *to);
                        source.to = (0..4).find(has_no_flow).unwrap().into();
                        packet
                    }
                    _ => packet,
                };
                source.sent += 1;
            }
            let last = source.at + 1 == source.flits;
            let own = [source.terminal.0.into()];
            let pauses = greed == 3
                && (hash(cycle, &own).is_multiple_of(3)
                    || hash(cycle / 50, &own).is_multiple_of(4));
            let [valid, _, data, dest, end] = source.ports;
            rtl.set(valid, &[(!pauses).into()]);
            rtl.set(data, &[source.terminal.0.into()]);
            rtl.set(dest, &[source.to]);
            rtl.set(end, &[last.into()]);
        }
        rtl.settle();
        for source in &mut sources {
            let class = &plan.shapers()[plan.shaper_of(source.terminal).unwrap()];
            for (flow, &grants) in class.flows.iter().zip(&source.grants) {
                if rtl.get_low(grants) == 1 {
                    let pair = (source.terminal, Terminal(flow.destination));
                    released.entry(pair).or_default().push_back(cycle + 1);
                }
            }
            let [valid, ready, ..] = source.ports;
            source.at += u32::from(rtl.get_low(valid) & rtl.get_low(ready) == 1);
        }
        for (sink, [valid, data, last]) in &sinks {
            if rtl.get_low(*valid) & rtl.get_low(*last) == 1 {
                let source = Terminal(rtl.get_low(*data) as u32);
                let since = released.get_mut(&(source, *sink)).unwrap().pop_front().unwrap();
                found.push((label(source), label(*sink), cycle - since));
            }
        }
        rtl.clock();
    }
    found
}

/// A flow of single flits beside one of long packets, which holds it up now and then.
const HELD_UP: &str = "source,destination,bandwidth,packet,burst\n\
                       1_0,0_0,0.2,1,1\n0_1,0_0,0.01,64,64\n";

#[test]
fn room_for_what_waits_keeps_sources_in_time() {
    let parameters = Parameters { width: 16, ..Parameters::default() };
    let with_room = |wish: &str| {
        let plan = plan(wish, HELD_UP, parameters);
        let bounds = bounds(&plan).unwrap();
        let rooms = shaper_rooms(&plan, &bounds);
        let bound = bounds.flows.iter().find(|flow| flow.source == "1_0").unwrap().bound_cycles;
        (plan, rooms, bound.unwrap())
    };
    // With room for two packets the source is stopped, and its wait grows with each long packet.
    let (plan, rooms, bound) = with_room("shaper");
    assert!(rooms.iter().any(|room| room.source == "1_0" && !room.is_enough()));
    let (stops, slowest) = keeping_to_the_bucket(&plan);
    assert!(stops > 0 && slowest > bound + RELEASE_CYCLES, "{stops} {slowest} {bound}");
    let needed = rooms.iter().map(|room| room.needed_flits.unwrap()).max().unwrap();
    let (plan, rooms, bound) = with_room(&format!("shaper{needed}"));
    assert!(rooms.iter().all(ShaperRoom::is_enough), "{rooms:?}");
    let (stops, slowest) = keeping_to_the_bucket(&plan);
    assert_eq!(stops, 0);
    assert!(slowest <= bound + RELEASE_CYCLES, "{slowest} {bound}");
}

/// Cycles in which the source of single flits is stopped, and the most from a flit's turn to its sink.
fn keeping_to_the_bucket(plan: &FabricPlan) -> (u64, u64) {
    let mut rtl = Evaluator::of_ports(&interface::design(plan).unwrap());
    let port = |rtl: &Evaluator, name: &str| rtl.port(name).unwrap();
    for (name, _) in
        rtl.ports(NetKind::Input).map(|(net, info)| (info.name.clone(), net)).collect::<Vec<_>>()
    {
        let high = name.ends_with("tready");
        let net = port(&rtl, &name);
        rtl.set(net, &[high.into()]);
    }
    rtl.set_reset(true);
    rtl.settle();
    rtl.clock();
    rtl.set_reset(false);
    let [valid, ready, data, last] = ["valid", "ready", "data", "last"]
        .map(|signal| port(&rtl, &format!("s_1_0_axis_t{signal}")));
    let long = ["valid", "last", "data"].map(|signal| port(&rtl, &format!("s_0_1_axis_t{signal}")));
    let sink = ["valid", "data"].map(|signal| port(&rtl, &format!("m_0_0_axis_t{signal}")));
    let (mut due, mut stops, mut slowest) = (VecDeque::new(), 0, 0);
    // Flits whose turn came and that were not taken yet, and the flit of the long packet.
    let (mut waiting, mut at) = (0u64, 0u64);
    for cycle in 0..14 * 6_400u64 {
        if cycle % 5 == 0 {
            due.push_back(cycle);
            waiting += 1;
        }
        // A long packet comes within 6,400 cycles after the one before it.
        let sends = cycle % 6_400 >= 100 && at < 64;
        at = if cycle % 6_400 == 0 { 0 } else { at };
        rtl.set(valid, &[(waiting > 0).into()]);
        rtl.set(last, &[1]);
        rtl.set(data, &[1]);
        rtl.set(long[0], &[sends.into()]);
        rtl.set(long[1], &[(at == 63).into()]);
        rtl.set(long[2], &[0]);
        rtl.settle();
        at += u64::from(sends);
        match (waiting > 0, rtl.get_low(ready) == 1) {
            (true, true) => waiting -= 1,
            (true, false) => stops += 1,
            _ => {}
        }
        if rtl.get_low(sink[0]) == 1 && rtl.get_low(sink[1]) == 1 {
            slowest = slowest.max(cycle - due.pop_front().unwrap());
        }
        rtl.clock();
    }
    (stops, slowest)
}
