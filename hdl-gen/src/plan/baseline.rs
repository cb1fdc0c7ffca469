//! The switch that a depopulated one is measured against: the same queues, arbiters and
//! multiplexers, but a crossbar of every turn that does not lead straight back.

use super::SwitchPlan;
use super::switch::{channel_end, lay_out};
use crate::network::Network;
use crate::routing::{Header, Input, Output, Relation, Select, Vc};
use crate::topology::{Port, Topology};
use crate::turns::{SwitchTurns, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// The switch of this class with every turn but U-turns, over the queues that the relation
/// uses and no others:
/// - a queue's route logic looks for the first bit set among those of all other ports, in the
///   relation's order, ports that the relation never takes from there last;
/// - so it stores the bits of all other ports, and channels carry them;
/// - a turn that no route takes leads to the VC by the relation's rule; where the channel ends
///   at no queue of that VC, to the highest below it that has one, else to the lowest.
///
/// It is no switch to build a network of: nothing says that its turns are free of deadlock.
pub fn full_crossbar_no_uturn(network: &Network, class: &SwitchTurns, name: String) -> SwitchPlan {
    let (topology, relation) = (network.topology(), network.relation());
    let bits = port_bits(topology, relation);
    let selects: BTreeMap<(Input, Vc), Select> =
        class.queues().map(|q| (q, complete(relation, q.0, &bits))).collect();
    let mut masks: BTreeMap<(Input, Vc), Header> = BTreeMap::new();
    for (&(input, vc), select) in &selects {
        let all = bits.values().fold(0, |mask, bit| mask | 1 << bit);
        let own = match (input, select) {
            (_, Select::Table { bits, .. }) => crate::routing::low_bits(*bits),
            // What other switches look at goes through the injection queue as well.
            (Input::Inject, Select::FirstSet { order, .. }) => {
                order.iter().fold(all, |mask, (bit, _)| mask | 1 << bit)
            }
            (Input::Network(_), Select::FirstSet { order, .. }) => {
                order.iter().fold(0, |mask, (bit, _)| mask | 1 << bit)
            }
        };
        masks.insert((input, vc), own);
    }
    let mut turns = Vec::new();
    for (input, input_vc) in class.queues() {
        turns.push(Turn { input, input_vc, output: Output::Eject, output_vc: Vc(0) });
        for port in (0..topology.ports()).map(Port) {
            let output = Output::Network(port);
            if input == Input::Network(port) {
                continue;
            }
            let wanted = relation.output_vc(input, input_vc, output);
            let Some(end) = channel_end(topology, port) else { continue };
            let there: BTreeSet<Vc> =
                masks.keys().filter(|(i, _)| *i == end).map(|(_, vc)| *vc).collect();
            let below = there.range(..=wanted).next_back();
            if let Some(&output_vc) = below.or(there.first()) {
                turns.push(Turn { input, input_vc, output, output_vc });
            }
        }
    }
    lay_out(network, &turns, &masks, |input, vc| selects[&(input, vc)].clone(), name)
}

/// The header bit by which a packet downstream of injection asks for each port.
fn port_bits(topology: &dyn Topology, relation: &dyn Relation) -> BTreeMap<Port, u32> {
    let mut bits = BTreeMap::new();
    for input in (0..topology.ports()).map(|p| Input::Network(Port(p))) {
        if let Select::FirstSet { order, .. } = relation.select(input) {
            bits.extend(order.into_iter().map(|(bit, port)| (port, bit)));
        }
    }
    bits
}

/// Route logic that can ask for every port but that of the channel's other end.
fn complete(relation: &dyn Relation, input: Input, bits: &BTreeMap<Port, u32>) -> Select {
    match relation.select(input) {
        Select::FirstSet { mut order, one_hot } => {
            order.retain(|(_, port)| input != Input::Network(*port));
            let missing = bits.iter().filter(|&(port, _)| {
                input != Input::Network(*port) && order.iter().all(|(_, p)| p != port)
            });
            let missing: Vec<(u32, Port)> = missing.map(|(&port, &bit)| (bit, port)).collect();
            // The bits of other ports are not one-hot with those of the first port.
            let one_hot = one_hot && missing.is_empty();
            order.extend(missing);
            Select::FirstSet { order, one_hot }
        }
        table @ Select::Table { .. } => table,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(routing: &str, k: u32, vcs: Option<u8>) -> (Network, SwitchPlan) {
        let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
        let plan = full_crossbar_no_uturn(&network, &network.turns().classes[0], "full".into());
        (network, plan)
    }

    /// Multiplexer inputs as `compare` counts them, and nothing but U-turns left out.
    #[test]
    fn every_turn_but_u_turns() {
        for (routing, k, vcs, inputs) in [
            ("ecube", 4, None, 21),
            ("ecube", 8, None, 73),
            ("rotation", 4, None, 29),
            ("rotation", 8, None, 121),
            ("rotation", 8, Some(1), 73),
            ("thacker", 4, None, 29),
        ] {
            let (network, plan) = baseline(routing, k, vcs);
            let sources: usize = plan.output_vcs.iter().map(|ov| ov.sources.len()).sum();
            assert_eq!(sources, inputs, "{routing} {k}");
            let queues = network.turns().classes[0].queues().count();
            assert_eq!(plan.queues.len(), queues, "{routing} {k}: the relation's queues");
            for ov in &plan.output_vcs {
                let Output::Network(port) = plan.outputs[ov.output].output else { continue };
                for source in &ov.sources {
                    let from = plan.inputs[plan.queues[source.queue].input].input;
                    assert_ne!(from, Input::Network(port), "{routing} {k}: no U-turn");
                }
            }
        }
    }

    /// Each channel ends at a queue of the VC on which it is sent.
    #[test]
    fn the_lanes_of_a_channel_have_queues_at_its_end() {
        for (routing, k) in [("ecube", 3), ("rotation", 3), ("rotation", 7), ("thacker", 4)] {
            let (network, plan) = baseline(routing, k, None);
            for output in &plan.outputs {
                let Output::Network(port) = output.output else { continue };
                let end = channel_end(network.topology(), port).unwrap();
                let input = plan.inputs.iter().find(|i| i.input == end).unwrap();
                assert!(output.vcs.iter().all(|vc| input.vcs.contains(vc)), "{routing} {k}");
                assert_eq!(output.header, input.header, "{routing} {k}");
            }
        }
    }

    #[test]
    fn route_logic_can_ask_for_every_other_port() {
        let (_, plan) = baseline("ecube", 4, None);
        for queue in &plan.queues {
            let Select::FirstSet { order, .. } = &queue.select else { panic!("a formula") };
            let network = plan.inputs[queue.input].input != Input::Inject;
            assert_eq!(order.len(), if network { 3 } else { 4 }, "{}", queue.name);
            assert_eq!(queue.header.len(), order.len(), "{}", queue.name);
        }
    }
}
