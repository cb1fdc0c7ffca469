//! Times at the heads of queues, which the bounds by queues are made of: measured where all sources of a switch
//! always have a packet for one sink. None is longer than its step says, and without registers in the switch
//! all are as long.

use crate::common::{Packet, Sender};
use std::collections::BTreeMap;
use turnpike_base::random::Random;
use turnpike_bounds::bounds;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan_for, plan_of};
use turnpike_network::routing::Input;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::Reference;
use turnpike_sim_network::terminals::TerminalSet;

const FABRIC: &str = "mesh 2x2 dimension-order concentrated 4";
/// Sources of its first switch.
const SOURCES: u32 = 4;
/// Packets of each source.
const PACKETS: usize = 200;

/// By source, the most cycles that a packet was at the head of its injection queue.
fn at_heads(plan: &FabricPlan, packets: &[Packet]) -> BTreeMap<u32, u64> {
    let mut reference = Reference::new(plan).unwrap();
    let terminals = reference.terminals();
    let sinks = TerminalSet::all(terminals);
    let mut sender = Sender::new(terminals, packets);
    let pipeline = plan.parameters.pipeline;
    // A flit is at the sink a cycle after it left its queue where outputs have registers.
    let output = u64::from(pipeline.registers_output());
    let (mut left, mut most) = (BTreeMap::new(), BTreeMap::new());
    let mut arrived = 0;
    for cycle in 0.. {
        for terminal in 0..terminals {
            sender.offer(&mut reference, packets, terminal);
        }
        for delivery in reference.clock(&sinks).iter().filter(|delivery| delivery.flit.last) {
            let source = packets[delivery.flit.packet as usize].source;
            let now = cycle - output;
            // The packet was at the head from the cycle after the one before it had left.
            if let Some(before) = left.insert(source, now) {
                let longest: &mut u64 = most.entry(source).or_default();
                *longest = (*longest).max(now - before);
            }
            arrived += 1;
        }
        if arrived == packets.len() {
            break;
        }
    }
    most
}

#[test]
fn packets_are_at_the_head_for_as_long_as_it_says() {
    let mut random = Random::new(5);
    for &pipeline in Pipeline::ALL {
        let mut reached = 0;
        for _ in 0..8 {
            let depth = pipeline.least_depth() + random.below(6);
            let parameters = Parameters { width: 1, pipeline, depth, ..Parameters::default() };
            let all = plan_of(FABRIC, parameters);
            let label = |address| all.topology().terminal_label(Terminal(address));
            // The terminals of the first switch, the first of which takes all packets.
            let lengths: Vec<u32> = (0..SOURCES).map(|_| 1 + random.below(7)).collect();
            let row =
                |(from, flits): (u32, &u32)| format!("{},{},0.05,{flits}\n", label(from), label(0));
            let rows: String = (0..).zip(&lengths).map(row).collect();
            let flows = format!("source,destination,bandwidth,packet\n{rows}");
            let plan = plan_for(FABRIC, &flows, parameters);
            let packets: Vec<Packet> = (0..PACKETS)
                .flat_map(|_| (0..).zip(&lengths))
                .map(|(source, &flits)| Packet { source, destination: 0, flits })
                .collect();
            let steps = bounds(&plan).unwrap().steps.queues;
            for (source, longest) in at_heads(&plan, &packets) {
                let (node, input) = Input::of(plan.topology(), Terminal(source)).unwrap();
                let input = input.name(plan.topology(), node);
                let step = steps.iter().find(|step| step.input == input).unwrap();
                let claimed = step.cycles.unwrap();
                assert!(longest <= claimed, "{} {lengths:?} {source}: {longest}", plan.name);
                reached += u32::from(longest == claimed);
            }
        }
        assert!(pipeline != Pipeline::None || reached == 8 * SOURCES, "{reached}");
    }
}
