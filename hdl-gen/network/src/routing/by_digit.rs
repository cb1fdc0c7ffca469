//! Routing on multistage networks by the destination's digits: the switches of a stage take the
//! output that is the digit they join rows by.
//!
//! On a butterfly there is one path, and this is destination-tag routing (Dally and Towles), also
//! called greedy: bit fixing on the hypercube laid
//! out in time. On a network with several paths the middle is chosen by the destination (as D-mod-k
//! does on fat trees: Zahavi, J. Parallel and Distributed Computing 72(11), 2012): between rows, the
//! first half brings a packet to the destination's row already; in a Clos network it goes by middle
//! switch d mod M. All packets for a terminal meet on the way, and whoever sends to different
//! terminals seldom does.
//!
//! The header holds the digits of the destination that are still looked at. Packets go from stage to
//! stage, so that one virtual channel is free of deadlock.

use super::{
    Build, Built, Carry, ChannelOrder, Condition, Draw, Header, Hop, Injection, Input, Output,
    Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select, Vc, View, low_bits,
};
use crate::topology::multistage::{BENES, BUTTERFLY, CLOS, DOUBLE_BUTTERFLY, Look, Multistage};
use crate::topology::{Local, Node, Port, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::bits_for;

/// Greedy routing on butterflies.
pub const GREEDY: RelationKind = RelationKind {
    name: "greedy",
    topologies: &[BUTTERFLY.name],
    any: false,
    summary: "destination-tag routing: a digit of the destination in each stage",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, section 8.4.1",
    build: Build::Fixed(|topology| build(GREEDY.name, topology)),
};
/// The same on networks with several paths.
pub const SHORTEST: RelationKind = RelationKind {
    name: "shortest",
    topologies: &[BENES.name, DOUBLE_BUTTERFLY.name, CLOS.name],
    any: false,
    summary: "the destination's digits, one in each stage; the middle by destination, too",
    source: "Zahavi, J. Parallel and Distributed Computing 72(11), 2012: D-mod-k",
    build: Build::Fixed(|topology| build(SHORTEST.name, topology)),
};

fn build(name: &str, topology: &dyn Topology) -> Built {
    let network =
        Multistage::of_topology(topology).expect("the relation is of multistage networks");
    let order = ChannelOrder::by_number(topology.ports());
    let relation = ByDigit::of(network);
    let legend = relation.legend();
    Ok(Relation::new(name, order, legend, Arc::new(relation)))
}

/// The relation on one network.
#[derive(Debug)]
struct ByDigit {
    network: Multistage,
    /// What the switches of each stage do.
    stages: Vec<Stage>,
    /// The digits that there are, the lowest header bits first.
    digits: Vec<Look>,
}

/// What the switches of a stage do. Asked for at every hop, so worked out beforehand.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// The digit that they look at.
    look: Look,
    /// Its lowest header bit.
    low: u32,
    /// How many bits it has.
    bits: u32,
    /// The header bits of the digits that later stages look at.
    kept: Header,
}

impl ByDigit {
    fn of(network: Multistage) -> Self {
        let looks: Vec<Look> = (0..network.stages()).map(|stage| network.look(stage)).collect();
        let mut digits = looks.clone();
        digits.sort_unstable();
        digits.dedup();
        let mut relation = Self { network, stages: Vec::new(), digits };
        relation.stages = (1..=looks.len())
            .map(|next| {
                let look = looks[next - 1];
                let (low, bits) = relation.field(look);
                let kept = looks[next..].iter().fold(0, |mask, &look| mask | relation.mask(look));
                Stage { look, low, bits, kept }
            })
            .collect();
        relation
    }

    /// The stage of a switch, and what is done there.
    fn stage(&self, node: Node) -> (u32, Stage) {
        let (stage, _) = self.network.place(node);
        (stage, self.stages[stage as usize])
    }

    /// The header bits of a digit: the lowest, and how many.
    fn field(&self, look: Look) -> (u32, u32) {
        let before = self.digits.iter().take_while(|&&digit| digit != look);
        (before.map(|digit| bits_for(digit.base)).sum(), bits_for(look.base))
    }

    /// The same as a mask.
    fn mask(&self, look: Look) -> Header {
        let (low, bits) = self.field(look);
        low_bits(bits) << low
    }

    fn bits(&self) -> u32 {
        self.digits.iter().map(|digit| bits_for(digit.base)).sum()
    }

    fn header(&self, destination: Terminal) -> Header {
        let digit = |&look: &Look| u64::from(look.of(destination)) << self.field(look).0;
        self.digits.iter().map(digit).sum()
    }

    /// Whether a header is the address as it is.
    fn is_address(&self) -> bool {
        self.bits() == self.network.address_bits()
            && self.digits.iter().all(|look| look.stride == 1 << self.field(*look).0)
    }

    /// Where a packet leaves a stage, by the digit that is looked at there.
    fn output(&self, stage: u32, digit: u32) -> Output {
        let digit = digit % self.network.outputs(stage);
        match stage + 1 == self.network.stages() {
            true => Output::Eject(Local(digit as u8)),
            false => Output::Network(Port(digit as u8)),
        }
    }

    fn legend(&self) -> Vec<String> {
        let digits = self.digits.iter().rev().map(|digit| digit.to_string());
        vec![
            format!("Header bits, from the highest: {}.", digits.collect::<Vec<_>>().join(", ")),
            "A digit is 0 behind the last stage that looks at it.".to_owned(),
        ]
    }
}

impl RoutingFunction for ByDigit {
    fn inject(&self, _source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        self.header(destination)
    }
    fn hop(&self, node: Node, _input: Input, _vc: Vc, header: Header) -> Hop {
        let (stage, Stage { low, bits, kept, .. }) = self.stage(node);
        let output = self.output(stage, (header >> low & low_bits(bits)) as u32);
        // Behind the last stage nothing is kept.
        let header = header & kept;
        Hop { output, vc: Vc(0), header }
    }
}

impl RouteLogic for ByDigit {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits()
    }
    fn injection(&self, _source: Terminal) -> Injection {
        let (bits, terminals) = (self.network.address_bits(), self.network.terminals());
        match self.is_address() {
            true => Injection::plain(View::plain(bits)),
            false => {
                let header = |destination| self.header(destination);
                Injection::by_address("digits", bits, self.bits(), terminals, header)
            }
        }
    }
    fn select(&self, node: Node, _input: Input, _vc: Vc) -> Select {
        let (stage, Stage { look, low, mut bits, .. }) = self.stage(node);
        let outputs = self.network.outputs(stage);
        // The lowest bits of a digit are it modulo a power of two.
        if look.base.is_power_of_two() && outputs.is_power_of_two() {
            bits = bits.min(outputs.ilog2());
        }
        let rule = |digit: u32| {
            let value = u64::from(digit) << low;
            Rule::to(low_bits(bits) << low, value, self.output(stage, digit).into())
        };
        let mut rules: Vec<Rule> = (0..look.base.min(1 << bits)).map(rule).collect();
        // What is left goes by the last.
        if let Some(last) = rules.last_mut() {
            last.when = Condition::value(0, 0);
        }
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, node: Node, _input: Input, _vc: Vc, _to: (Port, Vc)) -> Carry {
        Carry::keeping(self.stage(node).1.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::{Step, route};
    use crate::topology::{Size, TOPOLOGIES};

    fn networks() -> impl Iterator<Item = Box<dyn Topology>> {
        let of = |topology: &str, sizes: &[&str]| {
            let kind = TOPOLOGIES.iter().find(|kind| kind.name == topology).unwrap();
            let build = |size: &&str| {
                let values: Vec<&str> = size.split(' ').collect();
                kind.build(kind.sizes.of_keys(&values).unwrap()).unwrap()
            };
            sizes.iter().map(build).collect::<Vec<_>>()
        };
        [
            of("butterfly", &["2 1", "2 4", "3 3", "4 2", "5 2"]),
            of("benes", &["2 1", "2 2", "2 4"]),
            of("double-butterfly", &["2 1", "2 3"]),
            of("clos", &["2,2,2", "3,2,4", "2,4,3", "3,5,2", "1,1,2", "5,3,4", "4,3,32"]),
        ]
        .into_iter()
        .flatten()
    }

    /// Every route has a channel between each two stages and ends at its terminal; the route logic
    /// and the injector do what the definition says.
    #[test]
    fn routes_arrive_and_the_hardware_is_the_definition() {
        for topology in networks() {
            let name = if topology.name() == "butterfly" { "greedy" } else { "shortest" };
            let relation = super::build(name, &*topology).unwrap();
            let network = Multistage::of_topology(&*topology).unwrap();
            let mut middles = std::collections::BTreeSet::new();
            for source in topology.sources() {
                let injection = relation.injection(source);
                for destination in topology.sinks() {
                    let header = relation.inject(source, destination, Draw::NONE);
                    assert_eq!(injection.header(source, destination, Draw::NONE), header);
                    let steps =
                        route(&*topology, &relation, source, destination, Draw::NONE).unwrap();
                    assert_eq!(steps.len() as u32, network.stages());
                    for Step { node, input, vc, header, hop } in &steps {
                        let logic = relation.select(*node, *input, *vc);
                        assert_eq!(logic.output(*header), hop.output, "{topology:?}");
                        if let Output::Network(port) = hop.output {
                            let carried =
                                relation.carry(*node, *input, *vc, (port, hop.vc)).apply(*header);
                            assert_eq!(carried, hop.header);
                        }
                    }
                    middles.insert(steps[steps.len() / 2].node);
                }
            }
            let Size::Clos(clos) = topology.size() else { continue };
            assert_eq!(middles.len() as u32, clos.middle.min(clos.inputs * clos.outer));
        }
    }

    /// Where each terminal sends to the one so many addresses on, no two packets share a channel of
    /// a butterfly, a Benes network or a double butterfly (Lawrie, Access and alignment of data in an
    /// array processor, IEEE Trans. Computers C-24(12), 1975, theorem 3).
    #[test]
    fn shifts_are_free_of_contention_between_rows() {
        for topology in networks().filter(|topology| topology.name() != "clos") {
            let name = if topology.name() == "butterfly" { "greedy" } else { "shortest" };
            let relation = super::build(name, &*topology).unwrap();
            let terminals = topology.terminals();
            for shift in 0..terminals {
                let mut used = std::collections::HashSet::new();
                for source in topology.sources() {
                    let to = Terminal((source.0 + shift) % terminals);
                    for step in route(&*topology, &relation, source, to, Draw::NONE).unwrap() {
                        assert!(used.insert((step.node, step.hop.output)), "{topology:?} {shift}");
                    }
                }
            }
        }
    }
}
