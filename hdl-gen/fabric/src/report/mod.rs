//! Report of `turnpike analyze`: every figure of a fabric, with labels and port names in place of
//! indices, ready to be serialised.
//!
//! A figure of "a switch" is that of the class with the largest; [`SwitchClass`] holds each
//! class's own. Averages are over all N² ordered pairs, a node to itself included.

mod configuration;
mod deadlock;
mod failed;
mod flows;
mod switch_class;

pub use configuration::{Configuration, SizeFields};
pub use deadlock::{LabelledCertificate, LabelledNumber, LabelledWait};
pub use failed::FailedNodes;
pub use flows::{DistantFlow, FlowFigures, FlowLoad, FlowRoute, Totals};
pub use switch_class::{LabelledTurn, SwitchClass};

use crate::plan::FabricPlan;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_analysis::properties::{Lengths, Properties, ShortestPath};
use turnpike_analysis::turns::full_crossbar;
use turnpike_network::topology::Scale;

/// Raised whenever a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 3;

/// The figures of a fabric.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Analysis {
    /// Version of these fields: 3.
    pub schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// The topology's size.
    #[serde(skip)]
    pub size: Scale,
    /// Directed links between switches of the topology; of a network for flows, those that no flow takes
    /// among them.
    pub channels: u64,
    /// Whether some nodes stand for all others by construction: the relation is asked at them
    /// alone, and their routes were walked alone. Else all pairs were, or `by_row` holds.
    pub invariant: bool,
    /// Whether every route goes row by row by construction, the same in all rows of a dimension: the
    /// routes of one row per dimension were walked alone.
    pub by_row: bool,
    /// Labels of the nodes whose routes were walked; empty where that is all.
    pub representatives: Vec<String>,
    /// Pairs that averages are taken over.
    pub averages_over: &'static str,

    /// Crosspoints from network port to network port, virtual channels merged; those of
    /// `inject` and `eject` excluded. The largest class.
    pub crosspoints_per_switch: u32,
    /// Crosspoints from `inject` or to `eject`. The largest class.
    pub terminal_crosspoints: u32,
    /// Most network input ports that feed one network output port.
    pub max_fan_in: u32,
    /// Most network output ports that one network input port feeds.
    pub max_fan_out: u32,
    /// Baseline: every network input port to every network output port.
    pub full_crosspoints: u32,
    /// Baseline: crosspoints of the full crossbar without turns back to the node that the packet
    /// came from.
    pub full_crosspoints_no_uturn: u32,
    /// Data inputs of the multiplexers of a switch, `eject`'s included: over the output ports,
    /// the queues that feed the port (`inject`'s included, each virtual channel's by itself).
    /// A port that one queue feeds is a wire and counts 0. The largest class.
    pub multiplexer_inputs: u32,
    /// Baseline: multiplexer inputs of the same queues behind the full crossbar without U-turns.
    pub full_multiplexer_inputs_no_uturn: u32,

    /// Queues of a switch that channels fill: (input port, virtual channel)s that some route
    /// uses. `inject`'s queue is counted apart. The largest class.
    pub queues_per_switch: u32,
    /// Bits that the queues of channels hold: (flit and header) x depth. The largest class.
    pub queue_bits_per_switch: u64,
    /// Queues of a switch that its terminals fill.
    pub injection_queues_per_switch: u32,
    /// Bits that the injection queues of a switch hold. The largest class.
    pub injection_queue_bits_per_switch: u64,

    /// Whether packets choose among ports. Where there are escape channels the certificate is of them, and routes
    /// are those by them alone. Where there are none, the certificate is of every route, and routes are those by
    /// the hops liked best.
    pub adaptive: bool,
    /// Whether some virtual channels are escape channels; the others are adaptive then, and have no numbers in the
    /// certificate.
    pub escape_channels: bool,
    /// Whether there is a certificate that no packets wait for each other for ever.
    pub deadlock_free: bool,
    /// Condition under which the certificate holds packets free of deadlock; absent without one.
    pub deadlock_free_condition: Option<&'static str>,
    /// Numbers for the channels such that every route ascends.
    pub certificate: Option<LabelledCertificate>,
    /// Routes along which the independent checker found the numbers to ascend; where packets choose
    /// and there are no escape channels, pairs along whose every route it did.
    pub routes_checked: u64,
    /// A cycle of channels, where there is no certificate: each is held by a packet that waits for
    /// the next, the last by one that waits for the first.
    pub deadlock_cycle: Option<Vec<LabelledWait>>,
    /// The cycle that the relation has on one virtual channel, where it has one.
    pub single_vc_cycle: Option<Vec<LabelledWait>>,

    /// Distances in the graph and lengths of routes, in channels.
    #[serde(flatten)]
    pub lengths: Lengths,
    /// Distances with and without the failed nodes, where some failed.
    pub failure_cost: Option<FailedNodes>,
    /// Each class of identical switches.
    pub switch_classes: Vec<SwitchClass>,
    /// The five properties of SRC Technical Note 2000-001, which are of packets from all to all; absent
    /// where the network is for flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Properties>,
    /// The flows, where the network is for flows: what they ask of channels, and what they save.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flows: Option<FlowFigures>,
}

impl Analysis {
    /// Every figure of this fabric.
    pub fn of(plan: &FabricPlan) -> Self {
        let network = plan.network();
        let (topology, relation) = (network.topology(), network.relation());
        let (properties, lengths) = match topology.flows() {
            None => {
                let (properties, lengths) = Properties::of(network);
                (Some(properties), lengths)
            }
            Some(_) => (None, ShortestPath::of(network).1),
        };
        let classes = switch_class::classes(plan);
        let largest = |figure: fn(&SwitchClass) -> u32| {
            classes.iter().map(figure).max().expect("a fabric has switches")
        };
        let largest_bits = |figure: fn(&SwitchClass) -> u64| {
            classes.iter().map(figure).max().expect("a fabric has switches")
        };
        let (full_crosspoints, full_crosspoints_no_uturn) =
            full_crossbar(topology, network.entering());
        let single_vc_cycle =
            network.single_vc_cycle().map(|cycle| deadlock::label_cycle(network, cycle));
        let (certificate, deadlock_cycle) = match network.verdict() {
            DeadlockVerdict::Free(certificate) => {
                (Some(deadlock::label_certificate(network, certificate)), None)
            }
            DeadlockVerdict::Cyclic(cycle) => (None, Some(deadlock::label_cycle(network, cycle))),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            configuration: Configuration::of(plan),
            size: topology.scale(),
            channels: topology.channels(),
            invariant: network.symmetry().is_by_translation(),
            by_row: network.is_by_row(),
            representatives: match network.symmetry().is_by_translation() {
                true => network.sources().into_iter().map(|t| topology.terminal_label(t)).collect(),
                false => Vec::new(),
            },
            averages_over: match topology.flows() {
                None => "all ordered pairs, a node to itself included",
                Some(_) => "the flows",
            },
            crosspoints_per_switch: largest(|c| c.crosspoints),
            terminal_crosspoints: largest(|c| c.terminal_crosspoints),
            max_fan_in: largest(|c| c.max_fan_in),
            max_fan_out: largest(|c| c.max_fan_out),
            full_crosspoints,
            full_crosspoints_no_uturn,
            multiplexer_inputs: largest(|c| c.multiplexer_inputs),
            full_multiplexer_inputs_no_uturn: largest(|c| c.full_multiplexer_inputs_no_uturn),
            queues_per_switch: largest(|c| c.queues),
            queue_bits_per_switch: largest_bits(|c| c.queue_bits),
            injection_queues_per_switch: largest(|c| c.injection_queues),
            injection_queue_bits_per_switch: largest_bits(|c| c.injection_queue_bits),
            adaptive: relation.chooses_ports(),
            escape_channels: relation.has_escape(),
            deadlock_free: certificate.is_some(),
            deadlock_free_condition: plan.deadlock_free_condition(),
            certificate,
            routes_checked: network.routes_checked(),
            deadlock_cycle,
            single_vc_cycle,
            lengths,
            failure_cost: FailedNodes::of(topology),
            switch_classes: classes,
            properties,
            flows: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Parameters;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;

    fn analysis(routing: &str, k: u32, vcs: Option<u8>) -> Analysis {
        let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
        Analysis::of(&plan)
    }

    #[test]
    fn the_expected_figures() {
        for k in 2..=14 {
            let rotation = analysis("rotation", k, None);
            assert_eq!(rotation.crosspoints_per_switch, k * (k - 1) / 2);
            assert_eq!(rotation.max_fan_in, (k - 1).div_ceil(2));
            assert_eq!(rotation.max_fan_out, (k - 1).div_ceil(2));
            assert_eq!(rotation.configuration.virtual_channels, if k < 3 { 1 } else { 2 });
            let ecube = analysis("ecube", k, None);
            assert_eq!(ecube.crosspoints_per_switch, k * (k - 1) / 2);
            assert_eq!(ecube.max_fan_in, k - 1);
            assert_eq!(ecube.configuration.virtual_channels, 1);
            for a in [rotation, ecube] {
                assert_eq!(a.full_crosspoints_no_uturn, k * (k - 1));
                assert_eq!(a.terminal_crosspoints, 2 * k + 1);
                assert!(a.deadlock_free && a.deadlock_cycle.is_none());
                assert_eq!(a.lengths.average_distance, f64::from(k) / 2.0);
            }
        }
    }

    #[test]
    fn queues_and_multiplexers_of_ecube() {
        let a = analysis("ecube", 4, None);
        assert_eq!((a.queues_per_switch, a.injection_queues_per_switch), (4, 1));
        // 33 bits of flit, depth 4; dim<i> keeps the header bits above i.
        assert_eq!(a.queue_bits_per_switch, 4 * (4 * 33 + 3 + 2 + 1));
        assert_eq!(a.injection_queue_bits_per_switch, 4 * (33 + 4));
        // dim0 is fed by inject alone: a wire. dim1..3 by 2 to 4 queues, eject by 5.
        assert_eq!(a.multiplexer_inputs, 2 + 3 + 4 + 5);
        assert_eq!(a.full_multiplexer_inputs_no_uturn, 4 * 4 + 5);
    }

    #[test]
    fn every_turn_has_a_witness_that_takes_it() {
        for a in [analysis("rotation", 5, None), analysis("thacker", 4, None)] {
            for turn in a.switch_classes.iter().flat_map(|class| &class.turns) {
                let at = turn.route.nodes.iter().position(|node| *node == turn.at).unwrap();
                match &*turn.input {
                    "inject" => assert_eq!(at, 0),
                    port => assert_eq!(turn.route.ports[at - 1], port),
                }
                match &*turn.output {
                    "eject" => assert_eq!(at, turn.route.ports.len()),
                    port => assert_eq!(turn.route.ports[at], port),
                }
            }
        }
    }

    #[test]
    fn one_virtual_channel_leaves_the_cycle() {
        let one = analysis("rotation", 4, Some(1));
        assert!(!one.deadlock_free && one.certificate.is_none());
        assert_eq!(one.routes_checked, 0);
        let cycle = one.deadlock_cycle.unwrap();
        for (i, wait) in cycle.iter().enumerate() {
            assert_eq!(wait.to, cycle[(i + 1) % cycle.len()].from);
            assert!(wait.route.nodes.contains(&wait.from) && wait.route.nodes.contains(&wait.to));
        }
        let two = analysis("rotation", 4, None);
        assert_eq!(two.single_vc_cycle.unwrap().len(), cycle.len());
        assert_eq!(analysis("ecube", 4, None).single_vc_cycle, None);
    }
}
