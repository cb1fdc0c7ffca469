//! Relations that are said hop by hop: at which node, for which destination, by which output.
//!
//! The header is the destination: as source XOR destination where nodes are alike so, each hop
//! correcting the bit that it crosses; else the address as it is. Route logic covers the headers
//! that routes really bring to an input, and no others.

mod orders;
mod rules;
mod waits;

pub use rules::Ways;

use super::walk::RouteError;
use super::{
    Carried, ChannelOrder, DestinationEncoding, Draw, Header, HeaderUpdate, Hop, Injection, Input,
    Output, Relation, RouteLogic, RoutingFunction, Select, Vc, low_bits,
};
use crate::topology::{Node, Port, Terminal, Topology};
use orders::Orders;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use waits::Waits;

/// A route that does not arrive.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HopError {
    /// A switch without a hop for packets that come there.
    #[error("the packet from {from} to {to} comes to {at}, where there is no hop for {to}")]
    NoHop {
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
    },
    /// A route that never ends.
    #[error(transparent)]
    Route(#[from] RouteError),
}

/// Parts of a relation that is given hop by hop.
#[derive(Debug)]
pub struct Parts {
    /// Name of the relation.
    pub name: String,
    /// Whether headers are source XOR destination, on a network whose port i crosses bit i.
    pub by_difference: bool,
    /// The site of each node: nodes of one site send packets alike.
    pub sites: Vec<usize>,
    /// By site: where packets go, by header.
    pub definition: Vec<Ways>,
    /// Whether routes may wait for each other in a circle, so that a dateline may be needed.
    pub cycles: bool,
}

/// A relation said hop by hop.
#[derive(Debug)]
pub struct HopByHop {
    name: String,
    /// Whether the header is a difference.
    by_difference: bool,
    /// The site of each node: nodes of one site have the same route logic.
    sites: Vec<usize>,
    /// Bits of a header.
    bits: u32,
    /// By [`HopByHop::site`]: where packets go, by header.
    definition: Vec<Ways>,
    /// Route logic per site and input.
    logic: BTreeMap<(usize, Input), Select>,
    /// Turns on which the bit that is crossed may be right before, by difference.
    crosses_right_bits: BTreeSet<(Input, Port)>,
}

impl HopByHop {
    /// The relation of a topology that `parts` say. Walks every route.
    ///
    /// # Errors
    /// [`HopError`] for a route that does not arrive.
    ///
    /// # Panics
    /// Where a hop is not by a channel.
    pub fn relation(topology: &dyn Topology, parts: Parts) -> Result<Relation, HopError> {
        let Parts { name, by_difference, sites, definition, cycles } = parts;
        let mut relation = Self {
            name,
            by_difference,
            sites,
            bits: topology.address_bits(),
            definition,
            logic: BTreeMap::new(),
            crosses_right_bits: BTreeSet::new(),
        };
        let order = relation.learn(topology, cycles)?;
        let (name, legend) = (relation.name.clone(), relation.legend());
        Ok(Relation::new(&name, order, legend, Arc::new(relation)))
    }

    /// Relation by the destination's address: `way` gives the output at a node for a destination,
    /// `None` where no packet for it comes.
    ///
    /// # Errors
    /// As [`HopByHop::relation`].
    pub fn by_address(
        topology: &dyn Topology,
        name: &str,
        cycles: bool,
        way: impl Fn(Node, Terminal) -> Option<Output>,
    ) -> Result<Relation, HopError> {
        let ways = |node: Node| {
            let mut ways = Ways::none(topology.address_bits());
            for sink in topology.sinks() {
                if let Some(output) = way(node, sink) {
                    ways.set(sink.0.into(), output);
                }
            }
            ways
        };
        let definition = topology.all_nodes().map(ways).collect();
        let sites = (0..topology.nodes() as usize).collect();
        let name = name.to_owned();
        Self::relation(topology, Parts { name, by_difference: false, sites, definition, cycles })
    }

    /// Walks every route, for the headers that come to each input. Returns the order of ports that
    /// takes fewest virtual channels, and places of the channels where they take fewer yet.
    fn learn(&mut self, topology: &dyn Topology, cycles: bool) -> Result<ChannelOrder, HopError> {
        let mut orders = Orders::of(topology.ports());
        let mut seen: BTreeMap<(usize, Input), Ways> = BTreeMap::new();
        for source in self.representatives(topology) {
            for destination in topology.destinations(source) {
                let route = self.walk(topology, source, destination, &mut seen)?;
                if cycles {
                    orders.see(&route);
                }
            }
        }
        let (ports, most) = orders.best();
        // A cycle takes one crossing at least. Where all nodes are alike they cross alike.
        let places = match most > 1 && self.definition.len() > 1 {
            true => self.better_places(topology, most)?,
            false => None,
        };
        self.logic = seen.into_iter().map(|(at, ways)| (at, ways.select())).collect();
        Ok(ChannelOrder { ports, places })
    }

    /// Terminals that stand for all: one of each site; where the network is for flows, each has its own.
    fn representatives(&self, topology: &dyn Topology) -> Vec<Terminal> {
        if topology.flows().is_some() {
            return topology.sources().collect();
        }
        let mut met = BTreeSet::new();
        let place = |source: &Terminal| topology.source(*source);
        let first = |source: &Terminal| {
            place(source).is_some_and(|(node, local)| met.insert((self.site(node), local)))
        };
        topology.sources().filter(first).collect()
    }

    /// Places of the channels for a dateline that routes cross less than `most` times.
    fn better_places(
        &mut self,
        topology: &dyn Topology,
        most: u32,
    ) -> Result<Option<Vec<u32>>, HopError> {
        let mut waits = Waits::default();
        self.each_route(topology, |route| waits.see(route))?;
        let places = waits.places(topology.nodes() as usize * usize::from(topology.ports()));
        let mut crossed = 0;
        self.each_route(topology, |route| crossed = crossed.max(waits::crossed(&places, route)))?;
        Ok((crossed < most).then_some(places))
    }

    /// Calls `visit` with the channels of every route.
    fn each_route(
        &mut self,
        topology: &dyn Topology,
        mut visit: impl FnMut(&[u32]),
    ) -> Result<(), HopError> {
        // What switches see on the way was gathered before, and is not looked at here.
        let mut seen = BTreeMap::new();
        for source in topology.sources() {
            for destination in topology.destinations(source) {
                let route = self.walk(topology, source, destination, &mut seen)?;
                let Some((node, _)) = topology.source(source) else { continue };
                visit(&channels(topology, node, &route));
            }
        }
        Ok(())
    }

    fn walk(
        &mut self,
        topology: &dyn Topology,
        source: Terminal,
        destination: Terminal,
        seen: &mut BTreeMap<(usize, Input), Ways>,
    ) -> Result<Vec<Port>, HopError> {
        let label = |terminal| topology.terminal_label(terminal);
        let start = Input::of(topology, source).expect("routes are from terminals that send");
        let (mut node, mut input) = start;
        let mut header = self.inject(source, destination, Draw::NONE);
        let mut route = Vec::new();
        for _ in 0..=topology.nodes() {
            let Some(output) = self.way(node, header) else {
                let (from, to, at) = (label(source), label(destination), topology.label(node));
                return Err(HopError::NoHop { from, to, at });
            };
            let site = (self.site(node), input);
            seen.entry(site).or_insert_with(|| Ways::none(self.bits)).set(header, output);
            let Output::Network(port) = output else { return Ok(route) };
            route.push(port);
            if self.by_difference && header >> port.0 & 1 == 0 {
                self.crosses_right_bits.insert((input, port));
            }
            header = self.after(port, header);
            let end = topology.channel(node, port);
            let (to, by) = end.expect("every hop was checked to be by a channel");
            (node, input) = (to, Input::Network(by));
        }
        let (relation, from, to) = (self.name.clone(), label(source), label(destination));
        Err(RouteError::Endless { relation, from, to }.into())
    }

    fn site(&self, node: Node) -> usize {
        self.sites[node.0 as usize]
    }

    /// The definition.
    fn way(&self, node: Node, header: Header) -> Option<Output> {
        self.definition[self.site(node)].get(header)
    }

    /// The header after a port.
    fn after(&self, port: Port, header: Header) -> Header {
        if self.by_difference { header ^ 1 << port.0 } else { header }
    }
}

/// The channels of a route from a node, by node and port.
fn channels(topology: &dyn Topology, mut node: Node, route: &[Port]) -> Vec<u32> {
    let channel = |port: &Port| {
        let channel = node.0 * u32::from(topology.ports()) + u32::from(port.0);
        node = topology.channel(node, *port).map_or(node, |(to, _)| to);
        channel
    };
    route.iter().map(channel).collect()
}

impl RoutingFunction for HopByHop {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        match self.by_difference {
            true => u64::from(source.0 ^ destination.0),
            false => destination.0.into(),
        }
    }
    fn hop(&self, node: Node, _input: Input, _vc: Vc, header: Header) -> Hop {
        match self.way(node, header) {
            Some(Output::Network(port)) => {
                let output = Output::Network(port);
                Hop { output, vc: Vc(0), header: self.after(port, header) }
            }
            Some(output) => Hop { output, vc: Vc(0), header: 0 },
            // No route comes where nothing is given: `learn` saw to that.
            None => Hop { output: Output::EJECT, vc: Vc(0), header: 0 },
        }
    }
}

impl RouteLogic for HopByHop {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits
    }
    fn injection(&self, _source: Terminal) -> Injection {
        Injection::plain(match self.by_difference {
            true => DestinationEncoding::difference(self.bits),
            false => DestinationEncoding::plain(self.bits),
        })
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let none = || Select::FirstRule { rules: Vec::new(), one_hot: false };
        self.logic.get(&(self.site(node), input)).cloned().unwrap_or_else(none)
    }
    fn carry(&self, _node: Node, input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        let all = low_bits(self.bits);
        if !self.by_difference {
            return HeaderUpdate::keeping(all);
        }
        let bit = u32::from(output.0);
        let others = HeaderUpdate::keeping(all & !(1 << bit));
        match self.crosses_right_bits.contains(&(input, output)) {
            true => others.with(bit, Carried::Inverse(bit)),
            false => others,
        }
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        Some(self.definition[self.site(node)].table())
    }
    fn table(&self, node: Node) -> Option<Vec<(Terminal, Output)>> {
        let known = self.definition[self.site(node)].known().into_iter();
        let entry = |(header, output)| (Terminal(header as u32), output);
        (!self.by_difference).then(|| known.map(entry).collect())
    }
}

impl HopByHop {
    fn legend(&self) -> Vec<String> {
        match self.by_difference {
            true if self.crosses_right_bits.is_empty() => {
                vec!["Header bits per port: the bits still to be corrected, by number.".into()]
            }
            true => vec![
                "Header bits per port: the bits still to be corrected, by number, and those that"
                    .into(),
                "a detour crossed, to be crossed again.".into(),
            ],
            false => vec!["Header bits per port: the destination's address.".into()],
        }
    }
}
