//! Figures of the flows that a network is for: the load of the channels, and what is not built.

use super::switch_class::multiplexer_inputs;
use crate::plan::FabricPlan;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use turnpike_analysis::pattern_load::{self, Message, PatternLoad};
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_network::routing::Output;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::Topology;
use turnpike_network::topology::paths::Paths;

/// Figures of the flows that a network is for.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FlowFigures {
    /// Number of flows.
    pub count: usize,
    /// Terminals that send.
    pub sources: usize,
    /// Terminals that take packets.
    pub sinks: usize,
    /// Load of the channel between switches that the flows load most; absent where they have no
    /// bandwidths, where packets choose their way, and where no channel is used.
    pub load: Option<FlowLoad>,
    /// Flows that ask for less latency than an empty network has.
    pub distant: Vec<DistantFlow>,
    /// Hardware that is built, over all switches.
    pub built: Totals,
    /// Hardware for packets from all to all under the same relation and options; absent where there is
    /// no such network, or where it has so many routes that they cost more than the answer is worth.
    pub all_pairs: Option<Totals>,
}

/// Load of the channel that flows load most.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FlowLoad {
    /// Flits per cycle, in the mean over what packets draw; 1 is what a channel carries.
    pub flits_per_cycle: f64,
    /// Node that the channel leaves.
    pub from: String,
    /// Output port of the channel.
    pub output: String,
    /// The flows that meet there.
    pub flows: Vec<FlowRoute>,
}

/// A flow, by the labels of its ends.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FlowRoute {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// Flits per cycle that the flow asks for.
    pub bandwidth: f64,
}

/// Flow that asks for less latency than an empty network has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DistantFlow {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// Cycles within which each of its packets should arrive.
    pub latency_cycles: u32,
    /// Cycles from the acceptance of its packet's first flit to the last flit at the destination, at
    /// least: of a packet that meets no other, by the shortest route that it may take.
    pub least_cycles: u32,
}

/// Hardware of a whole fabric.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Totals {
    /// Switches.
    pub switches: u32,
    /// Channels between switches that some packet takes.
    pub channels: u64,
    /// Turns, each virtual channel's by itself.
    pub turns: u32,
    /// Data inputs of the multiplexers: those of one input are wires, and count 0.
    pub multiplexer_inputs: u32,
    /// Arbiters of more than one queue.
    pub arbiters: u32,
    /// Queues, those that terminals fill among them.
    pub queues: u32,
    /// Bits that the queues hold.
    pub queue_bits: u64,
    /// Virtual channels.
    pub virtual_channels: u8,
}

impl Totals {
    fn of(plan: &FabricPlan) -> Self {
        let mut totals = Self {
            switches: plan.switch_count(),
            channels: plan.channel_count(),
            turns: 0,
            multiplexer_inputs: 0,
            arbiters: 0,
            queues: 0,
            queue_bits: 0,
            virtual_channels: plan.relation().vcs(),
        };
        for (switch, nodes) in plan.built_classes() {
            let arbiters = switch.output_vcs.iter().filter(|to| to.sources.len() > 1).count();
            let bits =
                switch.queues.iter().map(|queue| plan.queue_bits(switch, queue)).sum::<u64>();
            totals.turns += nodes * switch.turns.len() as u32;
            totals.multiplexer_inputs += nodes * multiplexer_inputs(switch);
            totals.arbiters += nodes * arbiters as u32;
            totals.queues += nodes * switch.queues.len() as u32;
            totals.queue_bits += u64::from(nodes) * bits;
        }
        totals
    }
}

impl FlowFigures {
    /// Figures of a fabric for flows; `None` for one from all to all. `all_pairs` is the same fabric from
    /// all to all.
    pub fn of(plan: &FabricPlan, all_pairs: Option<&FabricPlan>) -> Option<Self> {
        let topology = plan.topology();
        let flows = topology.live_flows()?;
        let sources: BTreeSet<_> = flows.iter().map(|flow| flow.source).collect();
        let sinks: BTreeSet<_> = flows.iter().map(|flow| flow.destination).collect();
        Some(Self {
            count: flows.len(),
            sources: sources.len(),
            sinks: sinks.len(),
            load: FlowLoad::of(plan, &flows),
            distant: DistantFlow::all(plan, &flows),
            built: Totals::of(plan),
            all_pairs: all_pairs.map(Totals::of),
        })
    }

    /// Whether each channel carries what the flows ask of it, and no flow asks for less latency than an
    /// empty network has, as far as that is known.
    pub fn fits(&self) -> bool {
        let carries = self.load.as_ref().is_none_or(|load| load.flits_per_cycle <= 1.0);
        carries && self.distant.is_empty()
    }
}

impl DistantFlow {
    /// Distant flows among those of a network.
    fn all(plan: &FabricPlan, flows: &[Flow]) -> Vec<Self> {
        let topology = plan.topology();
        let mut paths = Paths::new(topology);
        let mut distant = |flow: &Flow| {
            let latency_cycles = flow.latency?;
            let alone = least_latency(plan, &mut paths, flow)?;
            let behind = flow.packet_flits.unwrap_or(1) - 1;
            let least_cycles = alone.saturating_add(behind);
            (least_cycles > latency_cycles).then(|| Self {
                source: topology.terminal_label(flow.source),
                destination: topology.terminal_label(flow.destination),
                latency_cycles,
                least_cycles,
            })
        };
        flows.iter().filter_map(&mut distant).collect()
    }
}

/// Cycles of the quickest route that a flow's packets may take; where they choose, of a shortest path.
fn least_latency<'a>(
    plan: &FabricPlan,
    paths: &mut Paths<'a, dyn Topology + 'a>,
    flow: &Flow,
) -> Option<u32> {
    let (relation, Flow { source, destination, .. }) = (plan.relation(), *flow);
    if relation.chooses_ports() {
        let (from, to) = paths.between(source, destination)?;
        return from.distance(to).map(|channels| plan.zero_load_latency(channels));
    }
    let cycles = |(draw, _)| {
        let steps = route(plan.topology(), relation, source, destination, draw).ok()?;
        Some(plan.route_latency(&steps))
    };
    relation.unlike_draws(source, destination).filter_map(cycles).min()
}

impl FlowLoad {
    fn of(plan: &FabricPlan, flows: &[Flow]) -> Option<Self> {
        let (topology, relation) = (plan.topology(), plan.relation());
        if relation.chooses_ports() {
            return None;
        }
        let message = |flow: &Flow| {
            // At most one flit per cycle: no more than fits.
            let words = flow.bandwidth?.0 as u32;
            Some(Message { source: flow.source, destination: flow.destination, words })
        };
        let messages: Vec<Message> = flows.iter().map(message).collect::<Option<_>>()?;
        let PatternLoad { links, .. } = pattern_load::load(topology, relation, &messages).ok()?;
        let (from, port) = links.busiest?;
        let in_flits = |words: f64| words / Bandwidth::WHOLE.0 as f64;
        let met = |message: &Message| FlowRoute {
            source: topology.terminal_label(message.source),
            destination: topology.terminal_label(message.destination),
            bandwidth: in_flits(message.words.into()),
        };
        Some(Self {
            flits_per_cycle: in_flits(links.most.to_f64()),
            from: topology.label(from),
            output: Output::Network(port).name(topology, from),
            flows: links.meeting.iter().map(met).collect(),
        })
    }
}
