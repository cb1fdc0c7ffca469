//! The figures of one network.

use crate::memory;
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::report::{Analysis, Configuration, FlowFigures, SwitchClass};
use turnpike_network::topology::{Port, Scale, Topology};
use turnpike_sim_network::measure::{self, RunConfig, WarmUp};
use turnpike_sim_network::reference::Reference;
use turnpike_sim_network::report::Outcome;
use turnpike_sim_network::traffic::{Ends, TrafficConfig, synthetic};

/// Cycles before the measurement, and of it.
pub const CYCLES: u64 = 1000;
/// Networks of more nodes are not simulated: packets that wait would take too much memory.
pub const MOST_SIMULATED: u32 = 4096;
/// Bytes of a packet that waits.
const PACKET_BYTES: u64 = 36;

/// One network. A figure of a switch is that of the kind with the largest; figures "in all"
/// are sums over all switches.
#[derive(Serialize, JsonSchema)]
pub struct NetworkFigures {
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    #[serde(skip)]
    pub size: Scale,
    /// Number of terminals; one of several message classes counts once.
    pub processors: u32,
    /// Directed links between switches; of a network for flows those that are built.
    pub links: u64,
    /// Inputs and outputs of a switch without those of its terminal; of a network for flows those that are built.
    pub ports_per_switch: u32,
    /// Network port to network port, virtual channels merged.
    pub crosspoints_per_switch: u32,
    /// Crosspoints between network ports of all switches, virtual channels merged.
    pub crosspoints: u64,
    /// Crosspoints from `inject` or to `eject` of all switches, not counted in `crosspoints`.
    pub terminal_crosspoints: u64,
    /// Queues into each output's multiplexer, the terminal's included.
    pub multiplexer_inputs_per_switch: u32,
    /// Multiplexer inputs of all switches: queues into each output's, the terminals' included.
    pub multiplexer_inputs: u64,
    /// (Port, virtual channel)s in use, `inject`'s left out.
    pub queues_per_switch: u32,
    /// Bits that the queues of all switches hold.
    pub queue_bits: u64,
    /// Bits of the queues of `inject` in all switches, not counted in `queue_bits`.
    pub injection_queue_bits: u64,
    /// Most header bits on a channel, beside the flit.
    pub header_bits: u32,
    /// Largest distance, in channels; of a network for flows, of their ends.
    pub diameter: u32,
    /// Mean over all ordered pairs, a node to itself included; of a network for flows, over the flows.
    pub average_distance: f64,
    /// Mean length of the routes, over all ordered pairs; of a network for flows, over the flows.
    pub average_route_length: f64,
    /// Flits per terminal and cycle that arrive where each terminal offers one in each cycle,
    /// uniform. Of a network for flows those of the flows per terminal that sends (with message classes per
    /// stream): as their bandwidths ask, or where they have none a flit of each source in each cycle. Absent
    /// where not simulated.
    pub saturation_throughput: Option<f64>,
    /// Flits per cycle of the channel that flows load most, as their bandwidths ask. Absent where the network is
    /// for no flows, they have no bandwidths, packets choose their way, or no channel is used.
    pub flow_load: Option<f64>,
    /// Whether the network is for flows.
    #[serde(skip)]
    pub is_for_flows: bool,
}

impl NetworkFigures {
    /// Plans a network, analyses it and, where it is small enough, simulates it.
    ///
    /// # Errors
    /// Parameters that do not go with it; a network beyond memory.
    pub fn of(network: Network, parameters: Parameters, seed: u64) -> anyhow::Result<Self> {
        let plan = FabricPlan::new(Arc::new(network), parameters, None)?;
        let analysis = Analysis::of(&plan);
        let flows = FlowFigures::of(&plan, None);
        let sum = |figure: fn(&SwitchClass) -> u64| {
            analysis.switch_classes.iter().map(|c| u64::from(c.nodes) * figure(c)).sum()
        };
        Ok(Self {
            configuration: analysis.configuration.clone(),
            size: analysis.size,
            processors: plan.terminal_count() as u32,
            links: flows.as_ref().map_or(analysis.channels, |flows| flows.built.channels),
            ports_per_switch: match &flows {
                Some(_) => plan.most_ports(),
                None => ports(plan.topology()),
            },
            crosspoints_per_switch: analysis.crosspoints_per_switch,
            crosspoints: sum(|c| c.crosspoints.into()),
            terminal_crosspoints: sum(|c| c.terminal_crosspoints.into()),
            multiplexer_inputs_per_switch: analysis.multiplexer_inputs,
            multiplexer_inputs: sum(|c| c.multiplexer_inputs.into()),
            queues_per_switch: analysis.queues_per_switch,
            queue_bits: sum(|c| c.queue_bits),
            injection_queue_bits: sum(|c| c.injection_queue_bits),
            header_bits: header_bits(&plan),
            diameter: analysis.lengths.diameter,
            average_distance: analysis.lengths.average_distance,
            average_route_length: analysis.lengths.average_route_length,
            flow_load: flows.as_ref().and_then(|flows| Some(flows.load.as_ref()?.flits_per_cycle)),
            saturation_throughput: saturation(&plan, seed)?,
            is_for_flows: flows.is_some(),
        })
    }
}

/// Most inputs and outputs of a switch.
fn ports(topology: &dyn Topology) -> u32 {
    let mut ports = vec![0; topology.nodes() as usize];
    for node in topology.all_nodes() {
        for output in (0..topology.ports()).map(Port) {
            if let Some((to, _)) = topology.channel(node, output) {
                ports[node.0 as usize] += 1;
                ports[to.0 as usize] += 1;
            }
        }
    }
    ports.into_iter().max().unwrap_or(0)
}

fn header_bits(plan: &FabricPlan) -> u32 {
    let inputs = plan.switches.iter().flat_map(|switch| &switch.inputs);
    let from_channels = inputs.filter(|input| !input.input.is_inject());
    from_channels.map(|input| input.header.len() as u32).max().unwrap_or(0)
}

/// The throughput at an offered load of 1; `None` beyond [`MOST_SIMULATED`] nodes.
fn saturation(plan: &FabricPlan, seed: u64) -> anyhow::Result<Option<f64>> {
    let nodes = plan.topology().nodes();
    if nodes > MOST_SIMULATED {
        return Ok(None);
    }
    let packets = 2 * CYCLES * u64::from(nodes);
    let what = format!("the simulation of {}", plan.name);
    let bytes = Reference::bytes(plan) + packets * PACKET_BYTES;
    memory::check(&what, bytes, "use a smaller network or a lower --depth")?;
    let config = TrafficConfig { load: 1.0, seed, ..TrafficConfig::default() };
    let mut traffic = synthetic(Ends::of(plan.topology()), &config)?;
    // What still waits at the end is not waited for: at saturation it is without end.
    let config = RunConfig {
        warm_up: WarmUp::Cycles(CYCLES),
        measure: Some(CYCLES),
        drain: 0,
        ..RunConfig::default()
    };
    let report = measure::run(plan, &mut *traffic, &config, &mut |_| {})?;
    if report.outcome == Outcome::Deadlocked {
        bail!("internal error: {} has a certificate and deadlocks", plan.name);
    }
    Ok(Some(report.accepted_throughput))
}
