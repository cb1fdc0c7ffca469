//! The switch that a depopulated one is measured against: the same queues, arbiters and
//! multiplexers, but a crossbar of every turn that does not lead straight back.

use super::SwitchPlan;
use super::switch::{Headers, Stored, lay_out, sent_to};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::network::Network;
use turnpike_analysis::turns::{SwitchTurns, Turn};
use turnpike_network::routing::{Header, Input, Output, Rule, Select, Vc};
use turnpike_network::topology::{Node, Port};

/// The switch of this class with a crosspoint from every port to every other, over the queues
/// that the relation uses and no others. It is the smallest that deserves the name:
/// - a queue turns to a port on the VC by the relation's rule. Where no queue of that VC is at
///   the channel's end, the turn is left out: beyond the last VC nothing can be asked for;
/// - unless no VC of the port could turn there then: its lowest does, to the nearest VC below;
/// - a queue's route logic looks for the first bit set among those of the ports that it turns
///   to, in the relation's order, ports that the relation never takes from there last;
/// - it stores those bits, and channels carry them.
///
/// It is no switch to build a network of: nothing says that its turns are free of deadlock.
pub fn full_crossbar_no_uturn(network: &Network, class: &SwitchTurns, name: String) -> SwitchPlan {
    let crossbar = Crossbar::new(network, class);
    let mut all = Stored::new();
    for class in &network.turns().classes {
        for (queue, mask) in Crossbar::new(network, class).stored(class) {
            *all.entry(queue).or_default() |= mask;
        }
    }
    let select = |input, vc| crossbar.select(input, vc);
    let sent = sent_to(network.topology(), class, &all);
    let headers = Headers { stored: &crossbar.stored(class), received: None, sent: &sent };
    lay_out(network, class, &crossbar.turns, headers, select, name)
}

struct Crossbar<'a> {
    network: &'a Network,
    site: Node,
    turns: Vec<Turn>,
    /// By port, the rules by which a packet downstream of injection asks for it.
    rules: BTreeMap<Port, Vec<Rule>>,
    /// The header bits of these rules.
    looked_at: Header,
}

impl<'a> Crossbar<'a> {
    fn new(network: &'a Network, class: &SwitchTurns) -> Self {
        let (site, turns) = (class.site, turns(network, class));
        let mut rules: BTreeMap<Port, Vec<Rule>> = BTreeMap::new();
        for input in (0..network.topology().ports()).map(|p| Input::Network(Port(p))) {
            for &rule in network.relation().select(site, input, Vc(0)).rules() {
                let Output::Network(port) = rule.way.output else { continue };
                let known = rules.entry(port).or_default();
                if !known.contains(&rule) {
                    known.push(rule);
                }
            }
        }
        let looked_at = rules.values().flatten().fold(0, |mask, rule| mask | rule.looks_at());
        Self { network, site, turns, rules, looked_at }
    }

    /// Header bits that the queues store.
    fn stored(&self, class: &SwitchTurns) -> Stored {
        let mask = |(input, vc): (Input, Vc)| {
            let looks_at = self.select(input, vc).looks_at();
            // What other switches look at goes through the injection queue as well.
            let through = if input.is_inject() { self.looked_at } else { 0 };
            // The relation's packets may go back where those of the full crossbar go no further.
            let goes_on = !self.ports(input, vc).is_empty();
            looks_at | if goes_on { through | class.stored[&(input, vc)] } else { 0 }
        };
        class.queues().map(|queue| (queue, mask(queue))).collect()
    }

    /// Ports to which a queue turns.
    fn ports(&self, input: Input, vc: Vc) -> BTreeSet<Port> {
        let own = self.turns.iter().filter(|t| (t.input, t.input_vc) == (input, vc));
        let ports = own.filter_map(|turn| match turn.output {
            Output::Network(port) => Some(port),
            Output::Eject(_) => None,
        });
        ports.collect()
    }

    /// Route logic that can ask for every port that a queue turns to.
    fn select(&self, input: Input, vc: Vc) -> Select {
        let ports = self.ports(input, vc);
        let select = self.network.relation().select(self.site, input, vc);
        select.with_rules(|mut rules, one_hot| {
            let to = |rule: &Rule, port| rule.way.output == Output::Network(port);
            let ejects = |rule: &Rule| rule.way.output.is_eject();
            rules.retain(|rule| ejects(rule) || ports.iter().any(|&port| to(rule, port)));
            let missing = ports.iter().filter(|port| !rules.iter().any(|rule| to(rule, **port)));
            let missing: Vec<Rule> =
                missing.flat_map(|port| self.rules.get(port)).flatten().copied().collect();
            // The bits of other ports are not one-hot with those of the first port.
            let one_hot = one_hot && missing.is_empty();
            // Where a switch has several terminals, one of the rules that tell them apart always holds.
            let at = rules.iter().position(ejects).unwrap_or(rules.len());
            rules.splice(at..at, missing);
            (rules, one_hot)
        })
    }
}

fn turns(network: &Network, class: &SwitchTurns) -> Vec<Turn> {
    let (topology, relation) = (network.topology(), network.relation());
    let there: BTreeSet<(Input, Vc)> =
        network.turns().classes.iter().flat_map(|class| class.queues()).collect();
    let queues: BTreeSet<(Input, Vc)> = class.queues().collect();
    let inputs: BTreeSet<Input> = queues.iter().map(|(input, _)| *input).collect();
    let u_turn = |input, port| match input {
        Input::Inject(_) => false,
        Input::Network(from) => network.entering().is_u_turn(topology, class.site, from, port),
    };
    let mut turns = Vec::new();
    let outputs = class.turns.keys().map(|turn| turn.output);
    let ejects: BTreeSet<Output> = outputs.filter(|output| output.is_eject()).collect();
    for &(input, input_vc) in &queues {
        let turn = |&output: &Output| Turn { input, input_vc, output, output_vc: Vc(0) };
        turns.extend(ejects.iter().map(turn));
    }
    for &input in &inputs {
        for port in (0..topology.ports()).map(Port).filter(|&p| !u_turn(input, p)) {
            let Some(end) = class.channel_end(topology, port) else { continue };
            let output = Output::Network(port);
            let from = queues.iter().filter(|(i, _)| *i == input).map(|(_, vc)| *vc);
            let by_rule = from.flat_map(|input_vc| {
                let mut vcs = relation.select(class.site, input, input_vc).named_vcs(output);
                if vcs.is_empty() {
                    vcs.push(relation.output_vc(class.site, input, input_vc, output));
                }
                vcs.into_iter().map(move |output_vc| Turn { input, input_vc, output, output_vc })
            });
            let by_rule: Vec<Turn> = by_rule.collect();
            let before = turns.len();
            turns.extend(by_rule.iter().filter(|t| there.contains(&(end, t.output_vc))));
            if turns.len() == before {
                let nearest = |turn: &Turn| {
                    let mut there = there.iter().filter(|(i, _)| *i == end).map(|(_, vc)| *vc);
                    let first = there.clone().next();
                    there.rfind(|vc| *vc <= turn.output_vc).or(first)
                };
                let lowest = by_rule.first();
                turns.extend(lowest.and_then(|t| Some(Turn { output_vc: nearest(t)?, ..*t })));
            }
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(routing: &str, k: u32, vcs: Option<u8>) -> (Network, SwitchPlan) {
        let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
        let plan = full_crossbar_no_uturn(&network, &network.turns().classes[0], "full".into());
        (network, plan)
    }

    /// The full crossbar leaves nothing out but U-turns. With one VC its multiplexer inputs are
    /// those that `compare` counts; with two, fewer than 29 and 121: a turn that would need a third
    /// VC is none.
    #[test]
    fn every_port_turns_to_every_other() {
        for (routing, k, vcs, inputs) in [
            ("ecube", 4, None, 21),
            ("ecube", 8, None, 73),
            ("rotation", 4, None, 24),
            ("rotation", 8, None, 94),
            ("rotation", 8, Some(1), 73),
            ("thacker", 4, None, 24),
        ] {
            let (network, plan) = baseline(routing, k, vcs);
            let sources: usize = plan.output_vcs.iter().map(|ov| ov.sources.len()).sum();
            assert_eq!(sources, inputs, "{routing} {k}");
            let queues = network.turns().classes[0].queues().count();
            assert_eq!(plan.queues.len(), queues, "{routing} {k}: the relation's queues");
            let mut crosspoints = BTreeSet::new();
            for ov in &plan.output_vcs {
                for source in &ov.sources {
                    let from = plan.inputs[plan.queues[source.queue].input].input;
                    crosspoints.insert((from, plan.outputs[ov.output].output));
                }
            }
            let ports = (0..k as u8).map(Port);
            let u_turn = |p| (Input::Network(p), Output::Network(p));
            assert!(ports.clone().all(|p| !crosspoints.contains(&u_turn(p))), "{routing} {k}");
            assert_eq!(crosspoints.len() as u32, (k + 1) * (k + 1) - k, "{routing} {k}");
        }
    }

    /// Each channel ends at a queue of the VC on which it is sent.
    #[test]
    fn the_lanes_of_a_channel_have_queues_at_its_end() {
        for (routing, k) in [("ecube", 3), ("rotation", 3), ("rotation", 7), ("thacker", 4)] {
            let (network, plan) = baseline(routing, k, None);
            for output in &plan.outputs {
                let Output::Network(port) = output.output else { continue };
                let class = &network.turns().classes[0];
                let end = class.channel_end(network.topology(), port).unwrap();
                let input = plan.inputs.iter().find(|i| i.input == end).unwrap();
                assert!(output.vcs.iter().all(|vc| input.vcs.contains(vc)), "{routing} {k}");
                assert_eq!(output.header, input.header, "{routing} {k}");
            }
        }
    }

    /// Route logic asks for the very ports that the queue feeds.
    #[test]
    fn route_logic_can_ask_for_every_turn() {
        for (routing, k) in [("ecube", 4), ("rotation", 4), ("rotation", 5), ("thacker", 4)] {
            let (_, plan) = baseline(routing, k, None);
            for (at, queue) in plan.queues.iter().enumerate() {
                let Select::FirstRule { rules, .. } = &queue.select else { panic!("a formula") };
                let asked: BTreeSet<Output> = rules.iter().map(|rule| rule.way.output).collect();
                let feeds = plan
                    .output_vcs
                    .iter()
                    .filter(|ov| ov.sources.iter().any(|source| source.queue == at));
                let fed: BTreeSet<Output> =
                    feeds.map(|ov| plan.outputs[ov.output].output).collect();
                let fed: BTreeSet<Output> =
                    fed.into_iter().filter(|output| !output.is_eject()).collect();
                assert_eq!(asked, fed, "{routing} {k}: {}", queue.name);
                let stored = queue.header.iter().fold(0, |mask, bit| mask | 1 << bit);
                assert!(rules.iter().all(|rule| rule.looks_at() & !stored == 0));
            }
        }
    }
}
