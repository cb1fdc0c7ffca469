//! Figures of a network by which candidates are compared.

use std::collections::BTreeSet;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_fabric::report::{FlowFigures, Totals};
use turnpike_network::flows::Bandwidth;
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{Draw, Input};
use turnpike_search::growing::area::Counts;

/// Figures of a network for flows.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Hardware that is built.
    pub built: Totals,
    /// Figures of it that the area follows.
    pub counts: Counts,
    /// The most inputs of a switch, and the most outputs.
    pub ports: u32,
    /// Cycles from the acceptance of a flit to its delivery in an empty network, in the mean over all flits; `None`
    /// where packets choose their way.
    pub mean_cycles: Option<f64>,
    /// Flits per cycle over the channel between switches that carries most; `None` where packets choose their way.
    pub max_load: Option<f64>,
    /// Number of flows that ask for less latency than an empty network has.
    pub distant: usize,
    /// Condition of the claim that the network is free of deadlock; `None` where it is not.
    pub condition: Option<&'static str>,
}

impl Figures {
    /// Measures that it is compared by, where the link of some terminal carries `busiest` flits per cycle; `None` where packets
    /// choose their way.
    pub fn measures(&self, busiest: f64) -> Option<Measures> {
        Some(Measures([self.counts.luts(), self.mean_cycles?, busiest.max(self.max_load?)]))
    }

    /// Figures of a fabric; `None` of one without flows.
    pub fn of(plan: &FabricPlan) -> Option<Self> {
        let flows = FlowFigures::of(plan, None)?;
        let is_inject = |input: &Input| matches!(input, Input::Inject(_));
        let sources = plan.built_classes().map(|(switch, nodes)| {
            let queues = switch.queues.iter().map(|queue| switch.inputs[queue.input].input);
            u64::from(nodes) * queues.filter(is_inject).count() as u64
        });
        let sources = sources.sum();
        let ports = plan.built_classes().map(|(switch, _)| {
            let inputs: BTreeSet<usize> = switch.queues.iter().map(|queue| queue.input).collect();
            let outputs: BTreeSet<usize> = switch.output_vcs.iter().map(|to| to.output).collect();
            inputs.len().max(outputs.len()) as u32
        });
        let ports = ports.max().unwrap_or(0);
        let counts = Counts {
            sources,
            tables: if plan.registers_injection() { sources } else { 0 },
            queues: u64::from(flows.built.queues) - sources,
            inputs: flows.built.multiplexer_inputs.into(),
            multiplexers: plan.built_classes().map(multiplexers).sum(),
        };
        let chooses = plan.relation().chooses_ports();
        let load = flows.load.as_ref().map_or(0.0, |load| load.flits_per_cycle);
        Some(Self {
            built: flows.built,
            counts,
            ports,
            mean_cycles: if chooses { None } else { mean_cycles(plan) },
            max_load: (!chooses).then_some(load),
            distant: flows.distant.len(),
            condition: plan.deadlock_free_condition(),
        })
    }
}

/// Measures that networks are compared by, less of each being better: LUTs, cycles, and the load of the fullest link, in flits per
/// cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measures(pub [f64; 3]);

impl Measures {
    /// Whether this is as good in everything and better in something.
    pub fn beat(&self, others: &Self) -> bool {
        self != others && self.0.iter().zip(&others.0).all(|(own, other)| own <= other)
    }
}

/// Outputs of switches of a class that several queues feed.
fn multiplexers((switch, nodes): (&SwitchPlan, u32)) -> u64 {
    let feeds = |output: usize| -> BTreeSet<usize> {
        let vcs = switch.output_vcs.iter().filter(|vc| vc.output == output);
        vcs.flat_map(|vc| vc.sources.iter().map(|source| source.queue)).collect()
    };
    let several = (0..switch.outputs.len()).filter(|&output| feeds(output).len() > 1);
    u64::from(nodes) * several.count() as u64
}

/// Cycles of a flit in an empty network, in the mean over all flits.
fn mean_cycles(plan: &FabricPlan) -> Option<f64> {
    let topology = plan.topology();
    let flows = topology.live_flows()?;
    let (mut sum, mut all) = (0.0, 0.0);
    for flow in &flows {
        let share = flow.bandwidth.unwrap_or(Bandwidth::WHOLE).flits_per_cycle();
        let steps = route(topology, plan.relation(), flow.source, flow.destination, Draw::NONE);
        sum += share * f64::from(plan.route_latency(&steps.ok()?));
        all += share;
    }
    Some(sum / all)
}
