//! Source routing, the memo's complete path generation (Heller, Directed Cube Networks, CSG
//! Memo 253, 1985, section 2): the source looks the whole route up, and the header carries it,
//! a digit per switch. Switches look at the first digit and take it off; they know nothing of
//! the network. The end of a route needs no digit where it is the first eject port of its switch.
//!
//! A route starts on VC 0; where that is needed against deadlock, a bit of the digit moves it to
//! the next VC ([`super::layers`]), or the first digit to the VC that the route keeps to
//! ([`super::balanced`]). Where routes go by two legs, each leg has VCs of its own.

mod symmetric;
mod width;

pub use width::{MOST_HEADER_BITS, port_bits};

use super::balanced::Kept;
use super::{
    Built, Carried, ChannelOrder, DestinationEncoding, Draw, Drawn, Header, HeaderUpdate, Hop,
    Injection, Input, Output, Relation, RouteDecision, RouteLogic, RoutingError, RoutingFunction,
    Select, Vc, layers, low_bits,
};
use crate::routing::MAX_VCS;
use crate::topology::{Local, Node, Port, Terminal, Topology};
use std::sync::Arc;
use symmetric::{Symmetric, view};
use turnpike_base::bits::bits_for;
use width::ejects;

/// Bits that the tables of a network may have in all, those of nodes that stand for others
/// counted once.
pub const MOST_TABLE_BITS: u64 = 1 << 24;

/// A relation by table at the source.
#[derive(Debug)]
struct SourceRouted {
    view: DestinationEncoding,
    /// Bits of a digit's port: 0 is the first eject port, 1 + p is port p, and the eject ports
    /// behind the first follow.
    port_bits: u32,
    /// Bits of a digit: above the port, where there are several VCs, by how many to move up.
    digit: u32,
    vcs: u8,
    longest: u32,
    ports: u8,
    /// Most eject ports of a switch, at least 1.
    ejects: u8,
    /// Index of each terminal's table.
    table_of: Vec<u32>,
    /// Tables by the encoding of the destination, and above it the draw. An entry is the digits of
    /// a route, the first lowest.
    tables: Vec<Vec<u64>>,
    /// Bits of a draw.
    draw_bits: u32,
}

/// The relation of these routes: `route` gives the ports from a source to a destination,
/// one that sends and one that takes packets; an error where there is none. It is asked for
/// the terminals that stand for others only, and must look alike from the others.
///
/// # Errors
/// Those of `route`; [`RoutingError::Header`] and [`RoutingError::Tables`] for a network that
/// is too large; [`RoutingError::Vcs`].
pub fn source_routed(
    topology: &dyn Topology,
    name: &str,
    mut route: impl FnMut(Terminal, Terminal) -> Result<Vec<Port>, RoutingError>,
) -> Built {
    source_drawn(topology, name, 0, |source, destination, _| route(source, destination))
}

/// Relation by tables as [`source_routed`], where `route` may also say the virtual channel that a
/// route keeps to: of all routes or of none. of all routes or of none. On each of them the routes
/// close no cycle of waits.
///
/// # Errors
/// As [`source_routed`].
pub fn source_layered(
    topology: &dyn Topology,
    name: &str,
    mut route: impl FnMut(Terminal, Terminal) -> Result<Kept, RoutingError>,
) -> Built {
    let draws = Draws { bits: 0, alike: true };
    let (relation, _) = source_legs(topology, name, draws, |source, destination, _| {
        let (ports, vc) = route(source, destination)?;
        Ok(Legs { ports: [ports, Vec::new()], vc })
    })?;
    Ok(relation)
}

/// Relation by tables as [`source_routed`], with 2^`draw_bits` routes for each pair, of which the
/// source draws one for each packet.
///
/// # Errors
/// As [`source_routed`].
pub fn source_drawn(
    topology: &dyn Topology,
    name: &str,
    draw_bits: u32,
    mut route: impl FnMut(Terminal, Terminal, Draw) -> Result<Vec<Port>, RoutingError>,
) -> Built {
    let draws = Draws { bits: draw_bits, alike: true };
    let (relation, _) = source_legs(topology, name, draws, |source, destination, draw| {
        Ok(Legs::moving([route(source, destination, draw)?, Vec::new()]))
    })?;
    Ok(relation)
}

/// A route of two legs.
#[derive(Clone, Debug)]
pub struct Legs {
    /// The ports of each leg.
    pub ports: [Vec<Port>; 2],
    /// The virtual channel that it keeps to; `None` where it moves to the next one against deadlock.
    pub vc: Option<u32>,
}

impl Legs {
    /// A route that moves from one virtual channel to the next.
    pub fn moving(ports: [Vec<Port>; 2]) -> Self {
        Self { ports, vc: None }
    }
}

/// Draw of each packet.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    /// Width of the draw, in bits.
    pub bits: u32,
    /// Whether a draw means the same to all sources, seen from where they stand.
    pub alike: bool,
}

/// Relation by tables as [`source_routed`], where each route is of two legs, the second on virtual
/// channels above those of the first. Gives the second leg's first virtual channel, too.
///
/// # Errors
/// As [`source_routed`].
pub fn source_legs(
    topology: &dyn Topology,
    name: &str,
    Draws { bits: draw_bits, alike }: Draws,
    mut route: impl FnMut(Terminal, Terminal, Draw) -> Result<Legs, RoutingError>,
) -> Result<(Relation, Vc), RoutingError> {
    let local = |sink| topology.sink(sink).map_or(0, |(_, local)| local.0);
    let ejects = ejects(topology);
    let port_bits = port_bits(topology);
    let fit = |bits: u32, tables: usize| {
        // A row per address and draw.
        let bits = (u64::from(bits) << (topology.address_bits() + draw_bits)) * tables as u64;
        let most = MOST_TABLE_BITS;
        match bits > most {
            true => Err(RoutingError::Tables { name: name.to_owned(), bits, most }),
            false => Ok(()),
        }
    };
    // Before the symmetry and the routes, which may take long: there are no fewer tables than
    // that, and no route is shorter than the distance.
    let node_of = |source| topology.source(source).map(|(node, _)| node);
    let itself = |source: &Terminal| {
        node_of(*source).is_some_and(|node| !alike || topology.representative(node) == node)
    };
    let fewest = topology.sources().filter(itself).count();
    fit(port_bits * farthest(topology), fewest)?;
    let (view, fewer) = match alike {
        true => view(topology),
        false => (DestinationEncoding::difference(topology.address_bits()), Symmetric::None),
    };
    let site = |node| match &fewer {
        Symmetric::Itself => topology.representative(node),
        Symmetric::Fewer(topology) => topology.representative(node),
        Symmetric::None => node,
    };
    let itself = |source: &Terminal| node_of(*source).is_some_and(|node| site(node) == node);
    let sources: Vec<Terminal> = topology.sources().filter(itself).collect();
    fit(port_bits, sources.len())?;
    let mut routes = Vec::new();
    for &source in &sources {
        for destination in topology.destinations(source) {
            for draw in (0..1 << draw_bits).map(Draw) {
                let Legs { ports: [mut ports, onward], vc } = route(source, destination, draw)?;
                let first = ports.len();
                ports.extend(onward);
                routes.push(Route { source, destination, draw, ports, first, vc });
            }
        }
    }
    if let Some(order) = topology.canonical() {
        // The virtual channels go by the order of the routes.
        routes.sort_by_key(|route| {
            let [from, to] = [route.source, route.destination].map(|end| order.terminal(end));
            (from, to, route.draw)
        });
    }
    let digits = |route: &Route| route.ports.len() as u32 + u32::from(local(route.destination) > 0);
    // Switches look at a digit, also where no route has one.
    let longest = routes.iter().map(digits).max().unwrap_or(0).max(1);
    fit(port_bits * longest, sources.len())?;
    let ports = usize::from(topology.ports());
    let channels: Vec<Vec<layers::Channel>> = routes
        .iter()
        .map(|Route { source, ports: route, .. }| {
            let mut at = node_of(*source).expect("routes are from terminals that send");
            let channel = |port: &Port| {
                let channel = site(at).0 as usize * ports + usize::from(port.0);
                at = topology.channel(at, *port).map_or(at, |(to, _)| to);
                channel
            };
            route.iter().map(channel).collect()
        })
        .collect();
    let legs =
        || routes.iter().zip(&channels).map(|(route, channels)| channels.split_at(route.first));
    let kept: Option<Vec<Vec<u32>>> =
        routes.iter().map(|route| Some(vec![route.vc?; route.ports.len()])).collect();
    let mut assigned = kept.unwrap_or_else(|| layers::assign(legs().map(|(first, _)| first)));
    let onward = layers::assign(legs().map(|(_, onward)| onward));
    let vcs_of = |assigned: &[Vec<u32>]| assigned.iter().flatten().max().map_or(0, |vc| vc + 1);
    let (second, above) = (vcs_of(&assigned), vcs_of(&onward));
    for (vcs, onward) in assigned.iter_mut().zip(onward) {
        vcs.extend(onward.iter().map(|vc| second + vc));
    }
    let vcs = (second + above).max(1);
    if vcs > u32::from(MAX_VCS) {
        return Err(RoutingError::too_many_vcs(topology, name, vcs, MAX_VCS));
    }
    let up = assigned.iter().flat_map(|vcs| ups(vcs)).max().unwrap_or(0);
    let digit = port_bits + bits_for(up + 1);
    let bits = digit * longest;
    if bits > MOST_HEADER_BITS {
        return Err(RoutingError::Header {
            name: name.to_owned(),
            longest,
            bits,
            most: MOST_HEADER_BITS,
        });
    }
    fit(digit * longest, sources.len())?;
    let mut tables = vec![vec![0; 1 << (view.bits() + draw_bits)]; sources.len()];
    for (Route { source, destination, draw, ports: route, .. }, vcs) in routes.iter().zip(assigned)
    {
        let mut digits = match local(*destination) {
            0 => 0,
            local => u64::from(topology.ports()) + u64::from(local),
        };
        let steps = route.iter().zip(ups(&vcs)).collect::<Vec<_>>();
        for (port, up) in steps.into_iter().rev() {
            let one = u64::from(up) << port_bits | (u64::from(port.0) + 1);
            digits = digits << digit | one;
        }
        let table = sources.binary_search(source).expect("routes are from sources");
        let seen = view.of(*source, *destination) | u64::from(draw.0) << view.bits();
        tables[table][seen as usize] = digits;
    }
    let table_of = (0..topology.terminals()).map(Terminal).map(|source| {
        let standing = node_of(source).map(|node| match site(node) == node {
            true => source,
            // Where there are translations, a terminal has the number of its node.
            false => Terminal(site(node).0),
        });
        let table = standing.and_then(|standing| sources.binary_search(&standing).ok());
        table.map_or(0, |table| table as u32)
    });
    let parts = SourceRouted {
        view,
        port_bits,
        digit,
        vcs: vcs as u8,
        longest,
        ports: topology.ports(),
        ejects,
        table_of: table_of.collect(),
        tables,
        draw_bits,
    };
    let (order, legend) = (ChannelOrder::by_number(topology.ports()), parts.legend());
    let relation = Relation::new(name, order, legend, Arc::new(parts)).with_vcs(vcs as u8);
    Ok((relation.with_draws(1 << draw_bits), Vc(second as u8)))
}

/// By how many virtual channels each channel of a route is above the one before it; VC 0 is before the
/// first.
fn ups(vcs: &[u32]) -> impl Iterator<Item = u32> {
    let before = [0].into_iter().chain(vcs.iter().copied());
    vcs.iter().zip(before).map(|(vc, before)| vc - before)
}

/// One route of a pair.
struct Route {
    source: Terminal,
    destination: Terminal,
    draw: Draw,
    ports: Vec<Port>,
    /// Number of ports of the first leg.
    first: usize,
    /// The virtual channel that it keeps to, if to one; it then has one leg.
    vc: Option<u32>,
}

impl SourceRouted {
    /// Route decision of a digit on a VC; `None` for a digit that no route has there.
    fn way(&self, vc: Vc, digit: u64) -> Option<RouteDecision> {
        let vc = Vc(vc.0 + (digit >> self.port_bits) as u8);
        match (digit & low_bits(self.port_bits)).checked_sub(1) {
            None => Some(Output::EJECT.into()),
            Some(port) if port < u64::from(self.ports) && vc.0 < self.vcs => {
                let output = Output::Network(Port(port as u8));
                Some(RouteDecision { output, vc: Some(vc) })
            }
            Some(port) => {
                let local = 1 + port.checked_sub(u64::from(self.ports))?;
                let there = local < u64::from(self.ejects);
                there.then(|| Output::Eject(Local(local as u8)).into())
            }
        }
    }
}

/// The largest distance from the first source to a sink that it has a path to.
fn farthest(topology: &dyn Topology) -> u32 {
    let first = topology.sources().find_map(|source| topology.source(source));
    let Some((first, _)) = first else { return 0 };
    let distances = topology.distances(first);
    let sinks = topology.sinks().filter_map(|sink| topology.sink(sink));
    let all = sinks.map(|(node, _)| distances[node.0 as usize]);
    all.filter(|&distance| distance != u32::MAX).max().unwrap_or(0)
}

impl RoutingFunction for SourceRouted {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let seen = self.view.of(source, destination) | u64::from(draw.0) << self.view.bits();
        let table = &self.tables[self.table_of[source.0 as usize] as usize];
        table[seen as usize]
    }
    fn hop(&self, _node: Node, _input: Input, vc: Vc, header: Header) -> Hop {
        let way = self.way(vc, header & low_bits(self.digit));
        let RouteDecision { output, vc } = way.unwrap_or(Output::EJECT.into());
        let header = match output {
            Output::Eject(_) => 0,
            Output::Network(_) => header.checked_shr(self.digit).unwrap_or(0),
        };
        Hop { output, vc: vc.unwrap_or(Vc(0)), header }
    }
    fn output_vc(&self, _node: Node, _input: Input, vc: Vc, output: Output) -> Vc {
        if output.is_eject() { Vc(0) } else { vc }
    }
}

impl RouteLogic for SourceRouted {
    fn header_bits(&self, input: Input) -> u32 {
        match input {
            Input::Inject(_) => self.digit * self.longest,
            Input::Network(_) => self.digit * (self.longest - 1),
        }
    }
    fn injection(&self, source: Terminal) -> Injection {
        let rows = self.tables[self.table_of[source.0 as usize] as usize].clone();
        let bits = self.digit * self.longest;
        let mut injection = Injection::by_table("route", self.view, bits, rows);
        if self.draw_bits > 0 {
            injection.fields[0].index_bits += self.draw_bits;
            injection.drawn = Some(Drawn::Index { bits: self.draw_bits });
        }
        injection
    }
    fn select(&self, _node: Node, _input: Input, vc: Vc) -> Select {
        let ways = (0..1u64 << self.digit)
            .map(|digit| self.way(vc, digit).unwrap_or(Output::EJECT.into()))
            .collect();
        Select::Table { low: 0, bits: self.digit, ways }
    }
    fn carry(&self, _node: Node, input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        let from = self.digit;
        let left = self.header_bits(input).saturating_sub(from);
        (0..left)
            .fold(HeaderUpdate::default(), |carry, bit| carry.with(bit, Carried::Bit(from + bit)))
    }
}

impl SourceRouted {
    fn legend(&self) -> Vec<String> {
        let mut legend = vec![
            format!("Header bits per port: the digits of the route, {} bits each, the next", {
                self.digit
            }),
            "one lowest: 0 ejects, 1 + p is port p of the topology.".to_owned(),
        ];
        if self.ejects > 1 {
            legend.push(format!("{} + l is eject port l, from l = 1 on.", self.ports));
        }
        match self.digit - self.port_bits {
            0 => {}
            1 => legend.push("The top bit of a digit moves the packet to the next VC.".to_owned()),
            bits => legend.push(format!(
                "The top {bits} bits of a digit say by how many VCs the packet moves up."
            )),
        }
        legend
    }
}
