//! Minimal routing on dragonflies: a local channel to the router that has the global channel to the
//! destination's group, that channel, and a local channel to the destination's router (Kim, Dally, Scott
//! and Abts, ISCA 2008, section 4.1).
//!
//! The source looks the route up by the destination's address: the header says for each of the three
//! channels how far on or by which port, and above them the terminal's number at its router. So no
//! router knows where it stands and all of them are one module.
//!
//! Local channels behind a global one are taken on VC 1, all else on VC 0: a route takes a local
//! channel on VC 0, a global one and a local one on VC 1 in that order, so no cycle of waits is left.

use super::grid_header::MOST_TABLE_BITS;
use super::{
    Build, Built, ChannelOrder, Draw, Header, HeaderUpdate, Hop, Injection, Input, Output,
    Relation, RelationKind, RouteLogic, RoutingError, RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::dragonfly::{Dragonfly, Way};
use crate::topology::{Local, Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::{bits_for, in_words};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "minimal",
    routes: |network| matches!(network, Structure::Dragonfly(_)),
    summary: "a local channel, the global one to the destination's group, a local one there",
    source: "Kim, Dally, Scott and Abts, ISCA 2008, section 4.1",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let network = Dragonfly::of_topology(topology).expect("the relation is of dragonflies");
    let mut low = 0;
    // A field of one value takes no bits.
    let mut field = |values: u32| {
        let bits = if values > 1 { bits_for(values) } else { 0 };
        low += bits;
        Field { low: low - bits, bits }
    };
    let [routers, globals] = [network.routers(), network.globals()];
    let fields = [field(routers), field(globals + 1), field(routers), field(network.at_router())];
    let relation = Minimal { network, fields, bits: low };
    let bits = (u64::from(network.terminals()) << network.address_bits()) * u64::from(low);
    if bits > MOST_TABLE_BITS {
        let (name, most) = (KIND.name.to_owned(), MOST_TABLE_BITS);
        return Err(RoutingError::Tables { name, bits, most });
    }
    let order = ChannelOrder::by_number(network.ports());
    let vcs = if routers > 1 { 2 } else { 1 };
    Ok(Relation::new(KIND.name, order, relation.legend(), Arc::new(relation)).with_vcs(vcs))
}

/// A field of the header.
#[derive(Clone, Copy, Debug)]
struct Field {
    low: u32,
    bits: u32,
}

impl Field {
    fn mask(self) -> Header {
        low_bits(self.bits) << self.low
    }
    fn of(self, header: Header) -> u32 {
        (header >> self.low & low_bits(self.bits)) as u32
    }
    fn value(self, value: u32) -> Header {
        u64::from(value) << self.low
    }
}

/// Places of the fields.
const FIRST: usize = 0;
const GLOBAL: usize = 1;
const LAST: usize = 2;
const TERMINAL: usize = 3;

/// The relation on one network.
#[derive(Debug)]
struct Minimal {
    network: Dragonfly,
    /// First local channel, how far on, 0 for none; global channel, its number plus 1, 0 for none; last
    /// local channel, as the first; and the number of the terminal at its router.
    fields: [Field; 4],
    /// Width of the header.
    bits: u32,
}

impl Minimal {
    /// The fields that a packet by this input may still have to follow, of the three channels.
    fn left(&self, input: Input, vc: Vc) -> &'static [usize] {
        match input {
            Input::Inject(_) => &[FIRST, GLOBAL],
            Input::Network(port) => match self.network.way(port) {
                Way::Local(_) if vc == Vc(0) => &[GLOBAL],
                Way::Local(_) => &[],
                Way::Global(_) => &[LAST],
            },
        }
    }

    /// Values of a field that name a port, each with that port.
    fn ways(&self, field: usize) -> impl Iterator<Item = (u32, Port)> + use<> {
        let network = self.network;
        let most = if field == GLOBAL { network.globals() } else { network.routers() - 1 };
        let way = move |value| match field {
            GLOBAL => Way::Global(value - 1),
            _ => Way::Local(value),
        };
        (1..=most).map(move |value| (value, network.port(way(value))))
    }

    /// The header bits behind a turn: the fields that come later.
    fn later(&self, input: Input, output: Port) -> Header {
        let first = match (self.network.way(output), input) {
            (Way::Local(_), Input::Inject(_)) => GLOBAL,
            (Way::Local(_), _) => TERMINAL,
            (Way::Global(_), _) => LAST,
        };
        self.fields[first..].iter().fold(0, |mask, field| mask | field.mask())
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = vec![
            "Header bits: how far on the first local channel leads, the global channel plus 1,"
                .to_owned(),
            "how far on the last local channel leads, 0 for none, and the terminal's number."
                .to_owned(),
        ];
        let names = ["First", "Global", "Last", "Terminal"];
        for (name, field) in names.iter().zip(&self.fields).filter(|(_, field)| field.bits > 0) {
            legend.push(format!("{name}: {}.", in_words(field.low + field.bits - 1, field.low)));
        }
        legend
    }
}

impl RoutingFunction for Minimal {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        let network = &self.network;
        let at = |terminal: Terminal| network.place(Node(terminal.0 / network.at_router()));
        let ((from_group, from), (to_group, to)) = (at(source), at(destination));
        let terminal = destination.0 % network.at_router();
        let [first, global, last] = match from_group == to_group {
            true => [network.further(from, to), 0, 0],
            false => {
                let leaving = network.global_to(from_group, to_group);
                let entering = network.global_to(to_group, from_group);
                let [out, into] = [leaving, entering].map(|channel| channel / network.globals());
                let global = leaving % network.globals() + 1;
                [network.further(from, out), global, network.further(into, to)]
            }
        };
        let values = self.fields.iter().zip([first, global, last, terminal]);
        values.map(|(field, value)| field.value(value)).sum()
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let taken = self.left(input, vc).iter().find_map(|&field| {
            let value = self.fields[field].of(header);
            self.ways(field).find(|way| way.0 == value)
        });
        match taken {
            Some((_, port)) => {
                let output = Output::Network(port);
                let header = header & self.later(input, port);
                Hop { output, vc: self.output_vc(node, input, vc, output), header }
            }
            None => {
                let local = Local(self.fields[TERMINAL].of(header) as u8);
                Hop { output: Output::Eject(local), vc: Vc(0), header: 0 }
            }
        }
    }
    fn output_vc(&self, _node: Node, input: Input, _vc: Vc, output: Output) -> Vc {
        match (input, output) {
            (Input::Network(came), Output::Network(port)) => {
                let ways = [came, port].map(|port| self.network.way(port));
                Vc(u8::from(matches!(ways, [Way::Global(_), Way::Local(_)])))
            }
            _ => Vc(0),
        }
    }
}

impl RouteLogic for Minimal {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits
    }
    fn injection(&self, source: Terminal) -> Injection {
        let (bits, terminals) = (self.network.address_bits(), self.network.terminals());
        let header = |destination| self.inject(source, destination, Draw::NONE);
        Injection::by_address("route", bits, self.bits, terminals, header)
    }
    fn select(&self, _node: Node, input: Input, vc: Vc) -> Select {
        let onward = self.left(input, vc).iter().flat_map(|&at| {
            let field = self.fields[at];
            self.ways(at)
                .map(move |(value, port)| Rule::value(field.mask(), field.value(value), port))
        });
        let terminal = self.fields[TERMINAL];
        let ejects = (1..self.network.at_router()).map(|local| {
            let output = Output::Eject(Local(local as u8));
            Rule::to(terminal.mask(), terminal.value(local), output.into())
        });
        Select::FirstRule { rules: onward.chain(ejects).collect(), one_hot: false }
    }
    fn carry(&self, _node: Node, input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::keeping(self.later(input, output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::topology::dragonfly;
    use std::collections::BTreeMap;

    fn network(size: &str) -> Box<dyn Topology> {
        let values: Vec<&str> = size.split(' ').collect();
        let kind = dragonfly::KIND;
        kind.build(kind.sizes.of_keys(&values).unwrap()).unwrap()
    }

    /// Every route arrives by a local, a global and a local channel at most, the injector makes its
    /// header, and the route logic of every queue on its way is the definition.
    #[test]
    fn routes_are_local_global_local() {
        for size in ["1 1 1", "1 3 2", "2 1 1", "2 2 3", "3 1 2", "4 2 2"] {
            let network = network(size);
            let dragonfly = Dragonfly::of_topology(&*network).unwrap();
            let relation = build(&*network).unwrap();
            for source in network.sources() {
                let injection = relation.injection(source);
                for destination in network.sinks() {
                    let header = relation.inject(source, destination, Draw::NONE);
                    assert_eq!(injection.header(source, destination, Draw::NONE), header);
                    let steps =
                        route(&*network, &relation, source, destination, Draw::NONE).unwrap();
                    let ports = steps.iter().filter_map(|step| match step.hop.output {
                        Output::Network(port) => Some((dragonfly.way(port), step.hop.vc)),
                        Output::Eject(_) => None,
                    });
                    let order = ports.map(|(way, vc)| match way {
                        Way::Local(_) => 2 * vc.0,
                        Way::Global(_) => 1,
                    });
                    assert!(order.is_sorted_by(|a, b| a < b), "{size}");
                    for step in &steps {
                        let logic = relation.select(step.node, step.input, step.vc);
                        assert_eq!(logic.output(step.header), step.hop.output, "{size}");
                    }
                }
            }
        }
    }

    /// Routes on each channel, by the walk of all of them and in closed form: a global channel has all
    /// pairs of its two groups; a local one on VC 0 has the pairs of its two routers, and of each global
    /// channel of the second those from the first; on VC 1 of each global channel of the first those to
    /// the second.
    #[test]
    fn loads_are_those_of_the_closed_form() {
        for (size, [a, h, p]) in [("2 1 1", [2, 1, 1]), ("3 2 2", [3, 2, 2]), ("4 1 3", [4, 1, 3])]
        {
            let network = network(size);
            let dragonfly = Dragonfly::of_topology(&*network).unwrap();
            let relation = build(&*network).unwrap();
            let mut loads: BTreeMap<(Node, Port, Vc), u32> = BTreeMap::new();
            let mut hops = 0;
            for source in network.sources() {
                for destination in network.sinks() {
                    let steps =
                        route(&*network, &relation, source, destination, Draw::NONE).unwrap();
                    hops += steps.len() as u32 - 1;
                    for step in &steps {
                        if let Output::Network(port) = step.hop.output {
                            *loads.entry((step.node, port, step.hop.vc)).or_default() += 1;
                        }
                    }
                }
            }
            for (&(_, port, vc), &load) in &loads {
                let expected = match (dragonfly.way(port), vc) {
                    (Way::Global(_), _) => a * p * a * p,
                    (Way::Local(_), Vc(0)) => p * p + p * h * a * p,
                    (Way::Local(_), _) => h * a * p * p,
                };
                assert_eq!(load, expected, "{size}: {port:?} {vc:?}");
            }
            let groups = a * h + 1;
            assert_eq!(loads.len() as u32, groups * a * (2 * (a - 1) + h), "{size}: all are used");
            // Pairs of a group one hop; others one global hop, and a local one on each side but
            // from or to the routers of the global channel.
            let pairs = groups * a * (a - 1) + groups * a * h * (a * a + 2 * a * (a - 1));
            assert_eq!(hops, pairs * p * p, "{size}");
            assert_eq!(hops, loads.values().sum::<u32>(), "{size}");
        }
    }

    #[test]
    fn tables_that_are_too_large_are_refused() {
        let error = build(&*network("12 3 9")).unwrap_err();
        assert!(matches!(error, RoutingError::Tables { .. }), "{error}");
    }
}
