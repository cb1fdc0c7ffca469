//! The network as the plan gives it: nodes with their classes, channels with both their ends, and
//! what is known of the routes. What builds, prints or runs a fabric asks for no more.

use super::{FabricPlan, SwitchPlan};
use std::collections::BTreeSet;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_base::bits::bits_for;
use turnpike_base::delivery::{
    CONDITION, CONDITION_OF_CLASSES, CONDITION_OF_ENDS, CONDITION_OF_PRIORITIES,
    CONDITION_OF_PRIORITIES_IN_ORDER,
};
use turnpike_network::flows::Flows;
use turnpike_network::routing::Relation;
use turnpike_network::topology::{Node, Port, Terminal, Topology};

impl FabricPlan {
    /// The topology: names of nodes, ports and terminals, and where channels lead.
    pub fn topology(&self) -> &dyn Topology {
        self.network.topology()
    }

    /// The routing relation: the definition that the hardware is held against.
    pub fn relation(&self) -> &Relation {
        self.network.relation()
    }

    /// The analysis that the plan was made from, with turns, loads and certificate: for reports, and
    /// for what holds the plan against it.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The class of a node's switch: an index into [`FabricPlan::switches`].
    pub fn class_of(&self, node: Node) -> usize {
        self.network.turns().class_of(node)
    }

    /// The switch class of a node.
    pub fn switch_of(&self, node: Node) -> &SwitchPlan {
        &self.switches[self.class_of(node)]
    }

    /// The switch classes that are built: not that of nodes that failed.
    pub fn built_switches(&self) -> impl Iterator<Item = &SwitchPlan> {
        self.switches.iter().filter(|switch| !switch.queues.is_empty())
    }

    /// The switch classes that are built, each with the number of its nodes.
    pub fn built_classes(&self) -> impl Iterator<Item = (&SwitchPlan, u32)> {
        let mut nodes = vec![0; self.switches.len()];
        self.topology().all_nodes().for_each(|node| nodes[self.class_of(node)] += 1);
        self.switches.iter().zip(nodes).filter(|(switch, _)| !switch.queues.is_empty())
    }

    /// Number of switches that are built: failed nodes have none, nor nodes that no packet passes.
    pub fn switch_count(&self) -> u32 {
        self.built_classes().map(|(_, nodes)| nodes).sum()
    }

    /// Number of channels between switches that are built, one way each: those that some packet takes.
    pub fn channel_count(&self) -> u64 {
        let links = |switch: &SwitchPlan| {
            switch.outputs.iter().filter(|output| !output.output.is_eject()).count() as u64
        };
        self.built_classes().map(|(switch, nodes)| u64::from(nodes) * links(switch)).sum()
    }

    /// Number of terminals that there are; those of one address in several message classes are one.
    pub fn terminal_count(&self) -> usize {
        let topology = self.topology();
        let ends = topology.all_terminals();
        match topology.flows() {
            None => ends.count(),
            Some(flows) => {
                ends.map(|stream| flows.address(stream)).collect::<BTreeSet<Terminal>>().len()
            }
        }
    }

    /// Number of terminals, in words; where there are message classes with that of their streams.
    pub fn terminals_in_words(&self) -> String {
        let topology = self.topology();
        let terminals = self.terminal_count();
        match topology.flows() {
            Some(flows) if !flows.classes().is_empty() => {
                format!("{terminals} terminals with {} streams", topology.all_terminals().count())
            }
            _ => format!("{terminals} terminals"),
        }
    }

    /// Most ports of a switch that are built, inputs and outputs, those of terminals left out.
    pub fn most_ports(&self) -> u32 {
        let ports = |switch: &SwitchPlan| {
            let inputs = switch.inputs.iter().filter(|input| !input.input.is_inject()).count();
            let outputs = switch.outputs.iter().filter(|output| !output.output.is_eject()).count();
            (inputs + outputs) as u32
        };
        self.built_classes().map(|(switch, _)| ports(switch)).max().unwrap_or(0)
    }

    /// The node and the output port whose channel ends at this input port.
    pub fn channel_into(&self, node: Node, input: Port) -> Option<(Node, Port)> {
        self.network.all_entering().channel(node, input)
    }

    /// Bits that tell the terminals apart: those of an address, and where there are message classes
    /// those of a class above them.
    pub fn number_bits(&self) -> u32 {
        let topology = self.topology();
        let classes = topology.flows().map_or(0, |flows| flows.classes().len());
        match classes {
            0 | 1 => topology.address_bits(),
            _ => bits_for(topology.terminals()),
        }
    }

    /// The injector of a terminal, as an index into [`FabricPlan::injectors`]; `None` for one
    /// that sends nothing.
    pub fn injector_of(&self, source: Terminal) -> Option<usize> {
        let topology = self.topology();
        topology.source(source)?;
        let standing = self.network.symmetry().source(topology, source);
        self.injector_of.get(&standing).copied()
    }

    /// Whether packets choose among several ways.
    pub fn chooses(&self) -> bool {
        self.relation().choices().is_some()
    }

    /// Whether packets of one pair arrive in the order in which they were sent.
    pub fn keeps_order(&self) -> bool {
        self.relation().keeps_order()
    }

    /// Channels on the longest route.
    pub fn longest_route(&self) -> u32 {
        self.network.longest_route()
    }

    /// Whether there is a certificate against deadlock.
    pub fn is_deadlock_free(&self) -> bool {
        self.network.certificate().is_some()
    }

    /// Condition under which the certificate holds packets free of deadlock; `None` without one.
    pub fn deadlock_free_condition(&self) -> Option<&'static str> {
        let flows = self.topology().flows();
        let waits = flows.is_some_and(Flows::have_order);
        let gives_way = flows.is_some_and(Flows::have_priorities);
        let condition = match (waits, gives_way) {
            _ if self.ends().is_some() => CONDITION_OF_ENDS,
            (true, false) => CONDITION_OF_CLASSES,
            (false, false) => CONDITION,
            (true, true) => CONDITION_OF_PRIORITIES_IN_ORDER,
            (false, true) => CONDITION_OF_PRIORITIES,
        };
        self.is_deadlock_free().then_some(condition)
    }
}
