//! Two relations one after the other: a packet goes to an intermediate terminal by the first, and
//! from there to its destination by the second (Valiant and Brebner, Universal schemes for parallel
//! communication, STOC 1981).
//!
//! The header holds both headers, that of the second phase on top: it is made at the source, as if
//! the packet were injected at the intermediate terminal. Each phase has virtual channels of its own,
//! so that no packet waits for one of an earlier phase: where each relation is free of deadlock, the
//! two are. At the intermediate terminal's switch the packet does not leave the network: it turns, from
//! whatever input, to where a packet that starts there goes.

use super::{
    ChannelOrder, Draw, Drawn, Header, HeaderUpdate, Hop, Injection, Input, Intermediate, Output,
    Relation, RouteDecision, RouteLogic, RoutingError, RoutingFunction, Rule, Select, Vc, Via,
    low_bits,
};
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::in_words;

/// Width of a header at most.
const MOST_HEADER_BITS: u32 = 64;

/// Nodes whose route logic is looked at.
const LOOKED_AT: usize = 1 << 10;

/// The parts of a relation of two phases.
#[derive(Debug)]
struct Phases {
    first: Relation,
    second: Relation,
    via: Via,
    /// The lowest bit of the second phase's header.
    low: u32,
    /// Injection of all sources, of each phase.
    injections: [Injection; 2],
}

/// Whether a relation can be a phase ([`phases`]): packets neither choose nor draw, go by rules, and have
/// headers that every source makes alike.
pub fn can_be_phase(topology: &dyn Topology, relation: &Relation, via: &Via) -> bool {
    let sees = |injection: Injection| {
        let view = injection.view;
        (!via.is_by_difference() || view.plain_bits == 0 && !view.is_by_offset())
            && (!via.is_by_offset() || view.is_by_offset())
    };
    relation.keeps_order()
        && goes_by_rules(topology, relation)
        && common_injection(topology, relation).is_some_and(sees)
}

/// `first` to an intermediate terminal and `second` from there on, with the virtual channels that each
/// of them has: relations that [can be phases](can_be_phase). The intermediate terminal is drawn: one of
/// 2^`bits`, as `via` says.
///
/// # Errors
/// [`RoutingError::PhaseHeaders`] where both headers are too wide for one.
pub fn phases(
    name: &'static str,
    topology: &dyn Topology,
    [first, second]: [Relation; 2],
    (via, bits): (Via, u32),
    intermediate: &Intermediate,
) -> Result<Relation, RoutingError> {
    // Those of all sources are alike.
    let source = topology.sources().next().unwrap_or(Terminal(0));
    let injection =
        |phase: &Relation| phase.common_injection().unwrap_or_else(|| phase.injection(source));
    let injections = [&first, &second].map(injection);
    let width = |phase, at: usize| width(topology, phase, &injections[at]);
    let [low, above] = [width(&first, 0), width(&second, 1)];
    if low + above > MOST_HEADER_BITS {
        let (bits, most) = (low + above, MOST_HEADER_BITS);
        return Err(RoutingError::PhaseHeaders { name, bits, most });
    }
    let vcs = first.vcs() + second.vcs();
    let uniform = first.has_uniform_headers() || second.has_uniform_headers();
    let names = [&first, &second].map(|phase| phase.name().to_owned());
    let legend = legend(&first, &second, low, above);
    let order = ChannelOrder::by_number(topology.ports());
    let later = Vc(first.vcs());
    let parts = Arc::new(Phases { first, second, via: via.clone(), low, injections });
    let relation = Relation::new(name, order, legend, parts).with_vcs(vcs).with_draws(1 << bits);
    Ok(relation.with_uniform_headers(uniform).with_phases(names, later, (intermediate, via)))
}

/// Whether no routes were drawn, and route logic is rules that lead over channels, and to the terminal
/// where none holds. All nodes of small networks are looked at.
fn goes_by_rules(topology: &dyn Topology, relation: &Relation) -> bool {
    let ports = (0..topology.ports()).map(|port| Input::Network(Port(port)));
    let inputs: Vec<Input> = ports.chain([Input::INJECT]).collect();
    let plain = |select: Select| match select {
        Select::FirstRule { rules, .. } => rules.iter().all(|rule| !rule.way.output.is_eject()),
        Select::Table { .. } | Select::Concentrated { .. } => false,
    };
    let at = |node| inputs.iter().all(|&input| plain(relation.select(node, input, Vc(0))));
    relation.route_seed().is_none() && topology.all_nodes().take(LOOKED_AT).all(at)
}

/// Injection of all sources; `None` where one makes headers unlike another.
fn common_injection(topology: &dyn Topology, relation: &Relation) -> Option<Injection> {
    let alike = || {
        let mut injections = topology.sources().map(|source| relation.injection(source));
        let first = injections.next();
        injections.all(|injection| Some(&injection) == first.as_ref()).then_some(first)?
    };
    relation.common_injection().or_else(alike)
}

/// Bits of a relation's headers, in any queue and as they are made.
fn width(topology: &dyn Topology, relation: &Relation, injection: &Injection) -> u32 {
    let ports = (0..topology.ports()).map(|port| Input::Network(Port(port)));
    let queues = ports.chain([Input::INJECT]).map(|input| relation.header_bits(input));
    queues.max().unwrap_or(0).max(injection.bits())
}

fn legend(first: &Relation, second: &Relation, low: u32, above: u32) -> Vec<String> {
    let mut lines = vec![format!("Header bits per port, on the way to the intermediate terminal:")];
    lines.extend(first.header_legend().iter().map(|line| format!("  {line}")));
    if above > 0 {
        let bits = in_words(low + above - 1, low);
        lines.push(format!("Those of the second phase, {bits}, counted from bit {low}:"));
    }
    lines.extend(second.header_legend().iter().map(|line| format!("  {line}")));
    lines
}

impl Phases {
    /// The first virtual channel of the second phase.
    fn later(&self) -> u8 {
        self.first.vcs()
    }

    /// Whether packets in a queue are in their second phase.
    fn is_later(&self, input: Input, vc: Vc) -> bool {
        !input.is_inject() && vc.0 >= self.later()
    }

    /// A virtual channel of the second phase, as its relation counts.
    fn own(&self, vc: Vc) -> Vc {
        Vc(vc.0 - self.later())
    }

    /// A virtual channel that the second phase's relation names.
    fn shared(&self, vc: Vc) -> Vc {
        Vc(vc.0 + self.later())
    }

    /// A hop of the second phase's relation.
    fn later_hop(&self, hop: Hop) -> Hop {
        match hop.output {
            Output::Eject(_) => Hop { header: 0, ..hop },
            Output::Network(_) => {
                Hop { vc: self.shared(hop.vc), header: hop.header << self.low, ..hop }
            }
        }
    }

    /// The rules of the second phase in a queue that its relation knows as this one.
    fn later_rules(&self, node: Node, input: Input, vc: Vc) -> Vec<Rule> {
        let rules = rules(self.second.select(node, input, vc));
        let own = |rule: Rule| {
            let output = rule.way.output;
            let by_turn = || self.second.output_vc(node, input, vc, output);
            let way = RouteDecision {
                output,
                vc: Some(self.shared(rule.way.vc.unwrap_or_else(by_turn))),
            };
            Rule { when: rule.when.higher(self.low), way }
        };
        rules.into_iter().map(own).collect()
    }

    /// The rules of the first phase. Where none holds the packet is at the intermediate terminal.
    fn earlier_rules(&self, node: Node, input: Input, vc: Vc) -> Vec<Rule> {
        let rules = rules(self.first.select(node, input, vc));
        let named = |rule: Rule| {
            let output = rule.way.output;
            let by_turn = || self.first.output_vc(node, input, vc, output);
            let way = RouteDecision { output, vc: Some(rule.way.vc.unwrap_or_else(by_turn)) };
            Rule { way, ..rule }
        };
        rules.into_iter().map(named).collect()
    }
}

/// The rules of a relation that goes by rules ([`goes_by_rules`]).
fn rules(select: Select) -> Vec<Rule> {
    match select {
        Select::FirstRule { rules, .. } => rules,
        Select::Table { .. } | Select::Concentrated { .. } => {
            unreachable!("a phase has no tables")
        }
    }
}

impl RoutingFunction for Phases {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let between = self.via.terminal(source, destination, draw);
        let second = self.second.inject(between, destination, Draw::NONE);
        self.first.inject(source, between, Draw::NONE) | second << self.low
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let (first, second) = (header & low_bits(self.low), header >> self.low);
        if self.is_later(input, vc) {
            return self.later_hop(self.second.hop(node, input, self.own(vc), second));
        }
        let hop = self.first.hop(node, input, vc, first);
        match hop.output {
            Output::Network(_) => Hop { header: hop.header | second << self.low, ..hop },
            // It is where it was sent first, and goes on as one that starts here.
            Output::Eject(_) => self.later_hop(self.second.hop(node, Input::INJECT, Vc(0), second)),
        }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        match (self.is_later(input, vc), output) {
            (_, Output::Eject(_)) => Vc(0),
            (true, _) => self.shared(self.second.output_vc(node, input, self.own(vc), output)),
            (false, _) => self.first.output_vc(node, input, vc, output),
        }
    }
}

impl RouteLogic for Phases {
    fn header_bits(&self, input: Input) -> u32 {
        self.low + self.second.header_bits(input).max(self.second.header_bits(Input::INJECT))
    }
    fn injection(&self, _source: Terminal) -> Injection {
        let [first, second] = self.injections.clone();
        let second = Box::new(second);
        let drawn = Drawn::Between { via: self.via.clone(), low: self.low, second };
        Injection { drawn: Some(drawn), ..first }
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let rules = match self.is_later(input, vc) {
            true => self.later_rules(node, input, self.own(vc)),
            false => {
                let mut rules = self.earlier_rules(node, input, vc);
                rules.extend(self.later_rules(node, Input::INJECT, Vc(0)));
                rules
            }
        };
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, (port, to): (Port, Vc)) -> HeaderUpdate {
        if to.0 < self.later() {
            let second = low_bits(MOST_HEADER_BITS - self.low) << self.low;
            // Turns back to the first phase are none of its own, only of a full crossbar.
            let vc = if self.is_later(input, vc) { Vc(0) } else { vc };
            return self.first.carry(node, input, vc, (port, to)).also_keeping(second);
        }
        let to = (port, self.own(to));
        let second = match self.is_later(input, vc) {
            true => self.second.carry(node, input, self.own(vc), to),
            false => self.second.carry(node, Input::INJECT, Vc(0), to),
        };
        second.higher(self.low)
    }
}
