//! The independent checker of deadlock certificates.
//!
//! It shares no code with [`crate::deadlock`], which makes them: it walks routes by asking
//! the relation and the topology directly, and looks every channel's number up.

mod error;

use crate::deadlock::Certificate;
use crate::sample;
pub use error::CertificateError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use turnpike_network::routing::choice::Choices;
use turnpike_network::routing::{Header, Hop, Input, Output, Relation, Vc};
use turnpike_network::topology::grid::{Direction, Grid};
use turnpike_network::topology::{Node, Port, Terminal, Topology, by_destination, sources_at};

/// Networks up to this many nodes are checked over all pairs; of relations that draw, as long as the
/// draws of all pairs are no more than that. Of larger ones, where some nodes stand
/// for others (by construction: [`turnpike_network::routing::invariant`]): routes from those nodes, of which
/// all others are translates, and from the translations' generators, there to
/// [`SINKS`](crate::sample::SINKS) terminals at most. Else over all pairs.
const ALL_PAIRS_NODES: u32 = 1 << 10;
/// Limit in place of [`ALL_PAIRS_NODES`] for adaptive relations, which have more routes per pair;
/// in larger networks only the orbit representatives are sources.
const ALL_CHOICES_NODES: u32 = 1 << 6;

/// Checks that the numbers ascend along every route. Returns how many routes it walked: of draws that lead a
/// packet alike one ([`Relation::unlike_draws`]).
///
/// Of an adaptive relation it goes to every place that a packet can come to by choice, and walks
/// the escape route from each: the numbers ascend along it, it never comes back to where there
/// is a choice, and it arrives. Without escape channels the numbers ascend with every hop that a
/// packet may choose, and whatever it chooses it arrives: every route of a pair counts as one.
///
/// Numbers of one row per dimension, for a relation that goes row by row by construction, are checked
/// along all routes of these rows, to be higher in each dimension than in those before it, and along
/// [some](rows::pairs) routes of the whole: every route is one of each row, X first.
///
/// # Errors
/// [`CertificateError`] with the route at fault.
pub fn check(
    topology: &dyn Topology,
    relation: &Relation,
    certificate: &Certificate,
) -> Result<u64, CertificateError> {
    let numbers = certificate.numbers.iter().map(|n| ((n.from, n.output, n.vc), n.number));
    let by_translation = certificate.by_translation;
    let (numbers, known) = (numbers.collect(), FxHashMap::default());
    let spans = BTreeMap::new();
    let grid = Grid::of_topology(topology).filter(|_| certificate.by_row);
    let mut checker = Checker {
        topology,
        relation,
        by_translation,
        grid,
        numbers,
        destination: None,
        known,
        spans,
    };
    if let (Some(grid), Some(_)) = (grid, relation.rows()) {
        rows::above(&grid, &checker.numbers)?;
        return checker.routes(rows::pairs(&grid));
    }
    let Sources { all, again } = sources(topology, relation, by_translation);
    // A network for flows has no translations, and no sources to look at again.
    let sinks = sample::sinks(topology);
    let again = sinks.iter().flat_map(|&sink| again.iter().map(move |&source| (source, sink)));
    let routes = checker.routes(by_destination(topology, &all).chain(again))?;
    checker.classes()?;
    Ok(routes)
}

/// The sources whose routes are walked.
struct Sources {
    /// To every destination.
    all: Vec<Terminal>,
    /// Translates of others, looked at once more, to the destinations of a sample.
    again: Vec<Terminal>,
}

fn sources(topology: &dyn Topology, relation: &Relation, by_translation: bool) -> Sources {
    let adaptive = relation.choices().is_some();
    let whole = if adaptive { ALL_CHOICES_NODES } else { ALL_PAIRS_NODES };
    let drawn = u64::from(topology.nodes()).pow(2) * u64::from(relation.draw_count());
    let all_pairs = topology.nodes() <= whole && drawn <= u64::from(whole).pow(2);
    if all_pairs || !by_translation {
        return Sources { all: topology.sources().collect(), again: Vec::new() };
    }
    let standing = topology.sources().filter(|&t| topology.standing_source(t) == t);
    // Choices take all shortest paths: on large networks, those from the standing nodes will do.
    let few = adaptive && topology.nodes() > ALL_PAIRS_NODES;
    let generators = topology.generators().into_iter().filter(|_| !few);
    let again = generators.flat_map(|node| sources_at(topology, node)).collect();
    Sources { all: standing.collect(), again }
}

/// State of a packet on its route.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Packet {
    at: Node,
    input: Input,
    vc: Vc,
    header: Header,
}

struct Checker<'a> {
    topology: &'a dyn Topology,
    relation: &'a Relation,
    by_translation: bool,
    /// The grid, where numbers are those of one row per dimension.
    grid: Option<Grid>,
    numbers: BTreeMap<(Node, Port, Vc), u32>,
    /// The destination of the last route.
    destination: Option<Terminal>,
    /// Packets whose routes there were found to ascend, and the numbers of the channels by which
    /// they go on.
    known: FxHashMap<Packet, Option<u32>>,
    /// By message class: the least and the largest number on its routes.
    spans: BTreeMap<usize, (u32, u32)>,
}

impl Checker<'_> {
    /// Whether each class has higher numbers than those that it comes after.
    fn classes(&self) -> Result<(), CertificateError> {
        let classes = self.topology.flows().map_or(&[][..], |flows| flows.classes());
        for (at, class) in classes.iter().enumerate() {
            let Some(&(after, _)) = self.spans.get(&at) else { continue };
            // Also those that a class in between, which may use no channel, comes after.
            let mut before = class.after.clone();
            let mut seen = 0;
            while let Some(&other) = before.get(seen) {
                seen += 1;
                for more in &classes[other].after {
                    if !before.contains(more) {
                        before.push(*more);
                    }
                }
                let Some(&(_, before)) = self.spans.get(&other) else { continue };
                if before >= after {
                    let (earlier, later) = (classes[other].name.clone(), class.name.clone());
                    return Err(CertificateError::Classes { earlier, before, later, after });
                }
            }
        }
        Ok(())
    }

    /// The routes of these pairs; returns how many they are.
    fn routes(
        &mut self,
        pairs: impl Iterator<Item = (Terminal, Terminal)>,
    ) -> Result<u64, CertificateError> {
        let (topology, relation) = (self.topology, self.relation);
        let mut routes = 0;
        let mut known = FxHashSet::default();
        for ((source, destination), draw) in relation.with_each_route(pairs) {
            let Some((at, input)) = Input::of(topology, source) else { continue };
            let header = relation.inject(source, destination, draw);
            let packet = Packet { at, input, vc: Vc(0), header };
            routes += match relation.choices() {
                Some(choices) if !relation.has_escape() => {
                    self.every_hop(choices, source, destination, packet, &mut known)?;
                    1
                }
                _ => self.every_choice(source, destination, packet)?,
            };
        }
        Ok(routes)
    }

    /// The routes from wherever the packet can come to by choice; returns their number.
    fn every_choice(
        &mut self,
        source: Terminal,
        destination: Terminal,
        packet: Packet,
    ) -> Result<u64, CertificateError> {
        if self.relation.choices().is_none() {
            self.ascends(source, destination, packet)?;
            return Ok(1);
        }
        let mut known = FxHashSet::from_iter([packet]);
        let mut open = vec![packet];
        while let Some(packet) = open.pop() {
            self.ascends(source, destination, packet)?;
            let Some(choices) = self.relation.choices_of(packet.input, packet.vc) else { continue };
            for hop in choices.hops(packet.at, packet.input, packet.vc, packet.header) {
                let Some((_, next)) = self.next(packet, hop) else { continue };
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(known.len() as u64)
    }

    /// Notes the number of a channel that packets of a source go by, for their message class.
    fn note(&mut self, source: Terminal, number: u32) {
        if let Some(flows) = self.topology.flows() {
            let span = self.spans.entry(flows.class_of(source)).or_insert((number, number));
            *span = (span.0.min(number), span.1.max(number));
        }
    }

    /// Every hop from wherever the packet can come to, where no packet to its destination was
    /// before.
    fn every_hop(
        &mut self,
        choices: &dyn Choices,
        source: Terminal,
        destination: Terminal,
        packet: Packet,
        known: &mut FxHashSet<(Packet, Terminal)>,
    ) -> Result<(), CertificateError> {
        let mut open = vec![(packet, None)];
        while let Some((packet, before)) = open.pop() {
            // All that come to a place came by one channel.
            if !known.insert((packet, destination)) {
                continue;
            }
            let Packet { at, input, vc, header } = packet;
            let mut hops = choices.hops(at, input, vc, header);
            hops.push(self.relation.hop(at, input, vc, header));
            for hop in hops {
                if let Some((channel, next)) = self.next(packet, hop) {
                    let after = self.ascending(source, destination, channel, before)?;
                    self.note(source, after);
                    open.push((next, Some(after)));
                } else if Some((at, hop.output)) != Output::of(self.topology, destination) {
                    let output = hop.output.name(self.topology, at);
                    let at = self.topology.label(at);
                    let [source_label, destination] =
                        [source, destination].map(|t| self.topology.terminal_label(t));
                    return Err(CertificateError::Astray { at, output, source_label, destination });
                }
            }
        }
        Ok(())
    }

    /// The number of a channel that a packet goes on by, which is to be above the one before.
    fn ascending(
        &self,
        source: Terminal,
        destination: Terminal,
        (at, port, vc): (Node, Port, Vc),
        before: Option<u32>,
    ) -> Result<u32, CertificateError> {
        let topology = self.topology;
        let labels = || (topology.terminal_label(source), topology.terminal_label(destination));
        let key = match self.grid {
            Some(grid) => grid.on_axis(at, Direction::of(port).dimension),
            None if self.by_translation => topology.representative(at),
            None => at,
        };
        let Some(&after) = self.numbers.get(&(key, port, vc)) else {
            let ((source_label, destination), at) = (labels(), topology.label(at));
            let (port, vc) = (topology.port_name(port), vc.0);
            return Err(CertificateError::Missing { at, port, vc, source_label, destination });
        };
        match before.filter(|&before| before >= after) {
            None => Ok(after),
            Some(before) => {
                let ((source_label, destination), at) = (labels(), topology.label(at));
                Err(CertificateError::Descends { at, before, after, source_label, destination })
            }
        }
    }

    /// The channel of a hop, and where the packet then is; `None` where it leaves the network.
    fn next(&self, packet: Packet, hop: Hop) -> Option<((Node, Port, Vc), Packet)> {
        let Output::Network(port) = hop.output else { return None };
        let (at, arrives) = self.topology.channel(packet.at, port)?;
        let next = Packet { at, input: Input::Network(arrives), vc: hop.vc, header: hop.header };
        Some(((packet.at, port, hop.vc), next))
    }

    /// The route without any choice from where the packet is.
    fn ascends(
        &mut self,
        source: Terminal,
        destination: Terminal,
        mut packet: Packet,
    ) -> Result<(), CertificateError> {
        let topology = self.topology;
        let labels = || (topology.terminal_label(source), topology.terminal_label(destination));
        let mut before = None;
        if self.destination.replace(destination) != Some(destination) {
            self.known.clear();
        }
        // Where nodes stand for others routes are few, and seldom join.
        let remembers = !self.by_translation;
        let mut trail: Vec<(Packet, Option<u32>)> = Vec::new();
        let leaves = loop {
            let Packet { at, input, vc, header } = packet;
            let joined = self.known.get(&packet).filter(|_| remembers).copied();
            if let Some(after) = joined {
                if let (Some(before), Some(after)) = (before, after)
                    && before >= after
                {
                    let ((source_label, destination), at) = (labels(), topology.label(at));
                    let error =
                        CertificateError::Descends { at, before, after, source_label, destination };
                    return Err(error);
                }
                break Output::of(topology, destination);
            }
            let hop = self.relation.hop(at, input, vc, header);
            let Some((channel, next)) = self.next(packet, hop) else {
                trail.push((packet, None));
                break Some((at, hop.output));
            };
            let after = self.ascending(source, destination, channel, before)?;
            self.note(source, after);
            if self.relation.is_chosen(hop.vc) {
                let ((source_label, destination), at) = (labels(), topology.label(at));
                return Err(CertificateError::NoEscape { at, source_label, destination });
            }
            before = Some(after);
            trail.push((packet, before));
            packet = next;
        };
        if leaves != Output::of(topology, destination) {
            let ((source_label, destination), at) = (labels(), topology.label(packet.at));
            return Err(CertificateError::NoEscape { at, source_label, destination });
        }
        if remembers {
            // No other route enters where this one did, for this destination.
            self.known.extend(trail.into_iter().filter(|(packet, _)| !packet.input.is_inject()));
        }
        Ok(())
    }
}

mod rows;
#[cfg(test)]
mod tests;
