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
//! Where packets draw, the stages before the last that a destination needs go by digits of the draw
//! instead (Valiant and Brebner, Universal schemes for parallel communication, STOC 1981): a packet comes
//! to the middle at a row that is drawn from all that its source reaches.
//!
//! The header holds the digits that are still looked at. Packets go from stage to
//! stage, so that one virtual channel is free of deadlock.

use super::two_phase;
use super::{
    Build, Built, ChannelOrder, Condition, DestinationEncoding, Draw, Drawn, Header, HeaderUpdate,
    Hop, Injection, Input, Output, Relation, RelationKind, RouteLogic, RoutingError,
    RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::multistage::{Look, Multistage};
use crate::topology::{Local, Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::{bits_for, in_words};

/// Greedy routing on butterflies.
pub const GREEDY: RelationKind = RelationKind {
    name: "greedy",
    routes: |network| matches!(network, Structure::Multistage(stages) if stages.is_butterfly()),
    summary: "destination-tag routing: a digit of the destination in each stage",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, section 8.4.1",
    build: Build::Fixed(|topology| build(GREEDY.name, topology)),
};
/// Relation on networks with several paths.
pub const SHORTEST: RelationKind = RelationKind {
    name: "shortest",
    routes: has_choices,
    summary: "the destination's digits, one in each stage; the middle by destination, too",
    source: "Zahavi, J. Parallel and Distributed Computing 72(11), 2012: D-mod-k",
    build: Build::Fixed(|topology| build(SHORTEST.name, topology)),
};
/// Relation with a middle switch that packets draw, on networks with several paths.
pub const TWO_PHASE: RelationKind = RelationKind {
    name: two_phase::KIND.name,
    routes: has_choices,
    summary: "to a row or a middle switch drawn from all, then by the destination's digits",
    source: two_phase::KIND.source,
    build: Build::Fixed(build_drawn),
};

/// Whether a network has stages whose switches may choose.
fn has_choices(network: &Structure) -> bool {
    matches!(network, Structure::Multistage(stages) if !stages.is_butterfly())
}

fn build(name: &str, topology: &dyn Topology) -> Built {
    let network =
        Multistage::of_topology(topology).expect("the relation is of multistage networks");
    Ok(ByDigit::of(network, 0).relation(name))
}

fn build_drawn(topology: &dyn Topology) -> Built {
    let network =
        Multistage::of_topology(topology).expect("the relation is of multistage networks");
    let name = TWO_PHASE.name;
    let free = network.free_stages();
    if let Some(count) =
        (0..free).map(|stage| network.outputs(stage)).find(|count| !count.is_power_of_two())
    {
        return Err(RoutingError::MiddleSwitches { name, count });
    }
    let draws: u32 = (0..free).map(|stage| network.outputs(stage)).product();
    match draws {
        1 => Err(RoutingError::OnePath { name, instead: SHORTEST.name }),
        _ => Ok(ByDigit::of(network, free).relation(name).with_draws(draws)),
    }
}

/// The relation on one network.
#[derive(Debug)]
struct ByDigit {
    network: Multistage,
    /// Stages of the network, by the digit that each routes by.
    stages: Vec<Stage>,
    /// The digits of the destination that there are, the lowest header bits first.
    digits: Vec<Look>,
    /// The bits of the draw, above them: those of the first stages.
    drawn: u32,
}

/// A stage: the digit of the address by which its switches route. Every hop asks for it, so it is
/// worked out beforehand.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// Number of values of the digit.
    base: u32,
    /// Lowest header bit of the digit.
    low: u32,
    /// Number of header bits of the digit.
    bits: u32,
    /// The header bits of the digits that later stages look at.
    kept: Header,
}

impl ByDigit {
    /// The relation whose first stages, so many, go by what is drawn.
    fn of(network: Multistage, free: u32) -> Self {
        let looks: Vec<Look> = (free..network.stages()).map(|stage| network.look(stage)).collect();
        let mut digits = looks.clone();
        digits.sort_unstable();
        digits.dedup();
        let mut relation = Self { network, stages: Vec::new(), digits, drawn: 0 };
        // A base, the lowest bit and the bits of the digit of each stage.
        let mut fields = Vec::new();
        for stage in 0..free {
            let base = relation.network.outputs(stage);
            fields.push((base, relation.bits(), bits_for(base)));
            relation.drawn += bits_for(base);
        }
        for &look in &looks {
            let (low, bits) = relation.field(look);
            fields.push((look.base, low, bits));
        }
        let mask = |&(_, low, bits): &(u32, u32, u32)| low_bits(bits) << low;
        relation.stages = (1..=fields.len())
            .map(|next| {
                let (base, low, bits) = fields[next - 1];
                let kept = fields[next..].iter().fold(0, |kept, field| kept | mask(field));
                Stage { base, low, bits, kept }
            })
            .collect();
        relation
    }

    fn relation(self, name: &str) -> Relation {
        let order = ChannelOrder::by_number(self.network.ports());
        let legend = self.legend();
        Relation::new(name, order, legend, Arc::new(self))
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

    /// The header bits of the destination's digits.
    fn address_digits(&self) -> u32 {
        self.digits.iter().map(|digit| bits_for(digit.base)).sum()
    }

    fn bits(&self) -> u32 {
        self.address_digits() + self.drawn
    }

    fn header(&self, destination: Terminal) -> Header {
        let digit = |&look: &Look| u64::from(look.of(destination)) << self.field(look).0;
        self.digits.iter().map(digit).sum()
    }

    /// Whether a header is the address as it is.
    fn is_address(&self) -> bool {
        self.address_digits() == self.network.address_bits()
            && self.digits.iter().all(|look| look.stride == 1 << self.field(*look).0)
    }

    /// Output by which a packet leaves a stage, by the digit that is looked at there.
    fn output(&self, stage: u32, digit: u32) -> Output {
        let digit = digit % self.network.outputs(stage);
        match stage + 1 == self.network.stages() {
            true => Output::Eject(Local(digit as u8)),
            false => Output::Network(Port(digit as u8)),
        }
    }

    fn legend(&self) -> Vec<String> {
        let digits = self.digits.iter().rev().map(|digit| digit.to_string());
        let mut lines = vec![
            format!("Header bits, from the highest: {}.", digits.collect::<Vec<_>>().join(", ")),
            "A digit is 0 behind the last stage that looks at it.".to_owned(),
        ];
        if self.drawn > 0 {
            let bits = in_words(self.bits() - 1, self.address_digits());
            lines.push(format!("Above them, {bits}, a digit that is drawn for each stage before."));
        }
        lines
    }
}

impl RoutingFunction for ByDigit {
    fn inject(&self, _source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.header(destination) | u64::from(draw.0) << self.address_digits()
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
        let digits = self.address_digits();
        let injection = match self.is_address() {
            true => Injection::plain(DestinationEncoding::plain(bits)),
            false => {
                let header = |destination| self.header(destination);
                Injection::by_address("digits", bits, digits, terminals, header)
            }
        };
        let drawn = (self.drawn > 0).then_some(Drawn::Field { low: digits, bits: self.drawn });
        Injection { drawn, ..injection }
    }
    fn select(&self, node: Node, _input: Input, _vc: Vc) -> Select {
        let (stage, Stage { base, low, mut bits, .. }) = self.stage(node);
        let outputs = self.network.outputs(stage);
        // The lowest bits of a digit are it modulo a power of two.
        if base.is_power_of_two() && outputs.is_power_of_two() {
            bits = bits.min(outputs.ilog2());
        }
        let rule = |digit: u32| {
            let value = u64::from(digit) << low;
            Rule::to(low_bits(bits) << low, value, self.output(stage, digit).into())
        };
        let mut rules: Vec<Rule> = (0..base.min(1 << bits)).map(rule).collect();
        // What is left goes by the last.
        if let Some(last) = rules.last_mut() {
            last.when = Condition::value(0, 0);
        }
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, node: Node, _input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::keeping(self.stage(node).1.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::{Step, route};
    use crate::topology::fly;
    use crate::topology::multistage::CLOS;
    use crate::topology::paths::Paths;
    use crate::topology::{self, TOPOLOGIES};
    use std::collections::BTreeSet;

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
            of("k-ary-n-fly", &["2 1", "2 4", "3 3", "4 2"]),
            of("benes", &["2 1", "2 2", "2 4"]),
            of("double-butterfly", &["2 1", "2 3"]),
            of("clos", &["2,2,2", "3,2,4", "2,4,3", "3,5,2", "1,1,2", "5,3,4", "4,3,32"]),
        ]
        .into_iter()
        .flatten()
    }

    /// Walks every route, and holds route logic and injector to it: a channel between each two stages,
    /// and an end at its terminal. Gives the switches in the middle.
    fn middles(topology: &dyn Topology, relation: &Relation) -> BTreeSet<Node> {
        let network = Multistage::of_topology(topology).unwrap();
        let mut middles = BTreeSet::new();
        for source in topology.sources() {
            let injection = relation.injection(source);
            for destination in topology.sinks() {
                for draw in relation.draws() {
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                    let steps = route(topology, relation, source, destination, draw).unwrap();
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
        }
        middles
    }

    #[test]
    fn routes_arrive_and_the_hardware_is_the_definition() {
        for topology in networks() {
            let name = topology::find(topology.name()).unwrap().default_routing;
            let relation = super::build(name, &*topology).unwrap();
            let middles = middles(&*topology, &relation);
            let Some(clos) = topology.size().clos() else { continue };
            assert_eq!(middles.len() as u32, clos.middle.min(clos.inputs * clos.outer));
        }
    }

    /// Each draw is another path, and together they are all that a pair has.
    #[test]
    fn every_path_is_drawn() {
        for topology in networks().filter(|topology| has_choices(&topology.structure())) {
            let Ok(relation) = build_drawn(&*topology) else { continue };
            for source in topology.sources() {
                let from = topology.source(source).unwrap().0;
                for destination in topology.sinks() {
                    let to = topology.sink(destination).unwrap().0;
                    let way = |draw| -> Vec<(Node, Output)> {
                        let steps = route(&*topology, &relation, source, destination, draw);
                        steps.unwrap().iter().map(|step| (step.node, step.hop.output)).collect()
                    };
                    let drawn: BTreeSet<_> = relation.draws().map(way).collect();
                    assert_eq!(drawn.len() as u32, relation.draw_count(), "{topology:?}");
                    let paths = Paths::new(&*topology).from(from).count(to);
                    assert_eq!(paths, relation.draw_count().into(), "{topology:?}");
                }
            }
            middles(&*topology, &relation);
        }
        let refused = |name: &str, size: &str| {
            let kind = TOPOLOGIES.iter().find(|kind| kind.name == name).unwrap();
            let size = kind.sizes.of_keys(&size.split(' ').collect::<Vec<_>>()).unwrap();
            build_drawn(&*kind.build(size).unwrap()).unwrap_err().to_string()
        };
        assert!(refused("clos", "3,2,4").contains("there are 3; use a power of two"));
        assert!(refused("benes", "2 1").contains("one path for each pair; use 'shortest'"));
    }

    /// A shift, in which each terminal sends to the one so many addresses on, puts no two packets
    /// on one channel of a butterfly, a Benes network or a double butterfly (Lawrie, Access and
    /// alignment of data in an array processor, IEEE Trans. Computers C-24(12), 1975, theorem 3). A
    /// fly, whose terminals send into other rows, is no such network.
    #[test]
    fn shifts_are_free_of_contention_between_rows() {
        let others = [CLOS.name, fly::KIND.name];
        for topology in networks().filter(|topology| !others.contains(&topology.name())) {
            let name = topology::find(topology.name()).unwrap().default_routing;
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
