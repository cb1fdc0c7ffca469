//! A given relation as a [`Relation`].
//!
//! The header is the destination: as source XOR destination where the relation is the same at
//! every node, each hop correcting the bit that it crosses; else the address as it is. Route
//! logic covers the headers that routes really bring to an input, and no others.

use super::orders::Orders;
use super::rules::Ways;
use super::waits::{self, Waits};
use super::{Fault, Given, GivenError, Hops};
use crate::routing::walk::RouteError;
use crate::routing::{
    Carried, Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc, View, low_bits,
};
use crate::topology::{Node, Port, Topology};
use std::collections::{BTreeMap, BTreeSet};

/// A relation given hop by hop.
#[derive(Debug)]
pub struct GivenRelation {
    name: String,
    /// Whether the header is a difference, and every node the same.
    by_difference: bool,
    /// Bits of a header.
    bits: u32,
    /// By [`GivenRelation::site`]: where packets go, by header.
    definition: Vec<Ways>,
    /// Route logic per site and input.
    logic: BTreeMap<(usize, Input), Select>,
    /// Turns on which the bit that is crossed may be right before, by difference.
    crosses_right_bits: BTreeSet<(Input, Port)>,
    /// Ports in the order that takes fewest virtual channels.
    order: Vec<Port>,
    /// Places of the channels, where that takes fewer yet.
    places: Option<Vec<u32>>,
}

impl GivenRelation {
    /// The relation, on [`Given::network`]. Walks every route.
    ///
    /// # Errors
    /// [`GivenError`]: what [`Given::check`] finds; a route that does not arrive.
    pub fn new(given: &Given, topology: &dyn Topology) -> Result<Self, GivenError> {
        given.check()?;
        let bits = topology.address_bits();
        let by_difference = given.by_difference();
        let sites = if by_difference.is_some() { 1 } else { topology.nodes() };
        let mut definition = vec![Ways::none(bits); sites as usize];
        match (&by_difference, &given.hops) {
            (Some(hops), _) | (None, Hops::ByDifference(hops)) => {
                definition[0].set(0, Output::Eject);
                hops.iter().for_each(|(&d, &port)| definition[0].set(d, Output::Network(port)));
            }
            (None, Hops::ByPair(hops)) => {
                for node in topology.terminal_nodes() {
                    definition[node.0 as usize].set(node.0.into(), Output::Eject);
                }
                for (&(node, destination), &port) in hops {
                    let ways = &mut definition[node.0 as usize];
                    ways.set(destination.0.into(), Output::Network(port));
                }
            }
        }
        let mut relation = Self {
            name: given.name.clone(),
            by_difference: by_difference.is_some(),
            bits,
            definition,
            logic: BTreeMap::new(),
            crosses_right_bits: BTreeSet::new(),
            order: Vec::new(),
            places: None,
        };
        relation.learn(topology)?;
        Ok(relation)
    }

    /// Walks every route, for the headers that come to each input.
    fn learn(&mut self, topology: &dyn Topology) -> Result<(), GivenError> {
        let mut orders = Orders::of(topology.ports());
        let mut seen: BTreeMap<(usize, Input), Ways> = BTreeMap::new();
        // By difference node 0 stands for all.
        let sources = topology.terminal_nodes().take(match self.by_difference {
            true => 1,
            false => usize::MAX,
        });
        let mut waits = Waits::default();
        for source in sources {
            for destination in topology.terminal_nodes() {
                let route = self.walk(topology, source, destination, &mut seen)?;
                orders.see(&route);
                waits.see(&channels(topology, source, &route));
            }
        }
        let (order, most) = orders.best();
        self.order = order;
        // A cycle takes one crossing at least. By difference all nodes cross alike.
        if most > 1 && !self.by_difference {
            let places = waits.places(topology.nodes() as usize * usize::from(topology.ports()));
            let mut crossed = 0;
            for source in topology.terminal_nodes() {
                for destination in topology.terminal_nodes() {
                    let route = self.walk(topology, source, destination, &mut seen)?;
                    let route = channels(topology, source, &route);
                    crossed = crossed.max(waits::crossed(&places, &route));
                }
            }
            self.places = (crossed < most).then_some(places);
        }
        self.logic = seen.into_iter().map(|(at, ways)| (at, ways.select())).collect();
        Ok(())
    }

    fn walk(
        &mut self,
        topology: &dyn Topology,
        source: Node,
        destination: Node,
        seen: &mut BTreeMap<(usize, Input), Ways>,
    ) -> Result<Vec<Port>, GivenError> {
        let label = |node| topology.label(node);
        let (mut node, mut input) = (source, Input::Inject);
        let mut header = self.inject(source, destination);
        let mut route = Vec::new();
        for _ in 0..=topology.nodes() {
            let Some(output) = self.way(node, header) else {
                let (from, to, at) = (label(source), label(destination), label(node));
                return Err(Fault::NoHop { from, to, at }.into());
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

    /// The nodes that stand for themselves, or the one that stands for all.
    fn site(&self, node: Node) -> usize {
        if self.by_difference { 0 } else { node.0 as usize }
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

/// The channels of a route, by node and port.
fn channels(topology: &dyn Topology, source: Node, route: &[Port]) -> Vec<u32> {
    let mut node = source;
    let channel = |port: &Port| {
        let channel = node.0 * u32::from(topology.ports()) + u32::from(port.0);
        node = topology.channel(node, *port).map_or(node, |(to, _)| to);
        channel
    };
    route.iter().map(channel).collect()
}

impl Relation for GivenRelation {
    fn name(&self) -> &str {
        &self.name
    }
    fn inject(&self, source: Node, destination: Node) -> Header {
        match self.by_difference {
            true => u64::from(source.0 ^ destination.0),
            false => destination.0.into(),
        }
    }
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits
    }
    fn hop(&self, node: Node, _input: Input, _vc: Vc, header: Header) -> Hop {
        match self.way(node, header) {
            Some(Output::Network(port)) => {
                let output = Output::Network(port);
                Hop { output, vc: Vc(0), header: self.after(port, header) }
            }
            // No route comes where nothing is given: `learn` saw to that.
            Some(Output::Eject) | None => Hop { output: Output::Eject, vc: Vc(0), header: 0 },
        }
    }
    fn injection(&self, _node: Node) -> Injection {
        Injection::plain(match self.by_difference {
            true => View::difference(self.bits),
            false => View { difference_bits: 0, plain_bits: self.bits },
        })
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let none = || Select::FirstRule { rules: Vec::new(), one_hot: false };
        self.logic.get(&(self.site(node), input)).cloned().unwrap_or_else(none)
    }
    fn carry(&self, _node: Node, input: Input, output: Port) -> Carry {
        let all = low_bits(self.bits);
        if !self.by_difference {
            return Carry::keeping(all);
        }
        let bit = u32::from(output.0);
        let others = Carry::keeping(all & !(1 << bit));
        match self.crosses_right_bits.contains(&(input, output)) {
            true => others.with(bit, Carried::Inverse(bit)),
            false => others,
        }
    }
    fn header_legend(&self) -> Vec<String> {
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
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        Some(self.definition[self.site(node)].table())
    }
    fn dateline_order(&self) -> Vec<Port> {
        self.order.clone()
    }
    fn dateline_places(&self) -> Option<&[u32]> {
        self.places.as_deref()
    }
}
