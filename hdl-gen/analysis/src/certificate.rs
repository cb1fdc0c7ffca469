//! The independent checker of deadlock certificates.
//!
//! It shares no code with [`crate::deadlock`], which makes them: it walks routes by asking
//! the relation and the topology directly, and looks every channel's number up.

use crate::deadlock::Certificate;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use turnpike_network::routing::{Header, Hop, Input, Output, Relation, Vc};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Networks up to this many nodes are checked over all pairs. Of larger ones, where some nodes stand
/// for others (by construction: [`turnpike_network::routing::invariant`]): routes from those nodes, of which
/// all others are translates, and from the translations' generators. Else over all pairs.
const ALL_PAIRS_NODES: u32 = 1 << 10;
/// The same with adaptive relations, which have more routes per pair; beyond [`ALL_PAIRS_NODES`]
/// only the nodes that stand for others are sources.
const ALL_CHOICES_NODES: u32 = 1 << 6;

/// A certificate that does not hold.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CertificateError {
    /// A route uses a channel that has no number.
    #[error(
        "the certificate has no number for {port} vc{vc} of {at}, which the route from \
             {source_label} to {destination} uses"
    )]
    Missing {
        /// The switch.
        at: String,
        /// The output port.
        port: String,
        /// The virtual channel.
        vc: u8,
        /// Source label.
        source_label: String,
        /// Destination label.
        destination: String,
    },
    /// A route does not ascend.
    #[error(
        "the route from {source_label} to {destination} does not ascend at {at}: number \
             {after} follows {before}"
    )]
    Descends {
        /// The switch.
        at: String,
        /// The number before.
        before: u32,
        /// The number after.
        after: u32,
        /// Source label.
        source_label: String,
        /// Destination label.
        destination: String,
    },
    /// An escape route that does not lead out.
    #[error(
        "the escape route of the packet from {source_label} to {destination} ends at {at}, or \
             goes back to an adaptive channel there"
    )]
    NoEscape {
        /// The switch.
        at: String,
        /// Source label.
        source_label: String,
        /// Destination label.
        destination: String,
    },
}

/// Checks that the numbers ascend along every route. Returns how many routes it walked.
///
/// Of an adaptive relation it goes to every place that a packet can come to by choice, and walks
/// the escape route from each: the numbers ascend along it, it never comes back to where there
/// is a choice, and it arrives.
///
/// # Errors
/// [`CertificateError`] with the route at fault.
pub fn check(
    topology: &dyn Topology,
    relation: &dyn Relation,
    certificate: &Certificate,
) -> Result<u64, CertificateError> {
    let numbers = certificate.numbers.iter().map(|n| ((n.from, n.output, n.vc), n.number));
    let by_translation = certificate.by_translation;
    let numbers = numbers.collect();
    let mut checker =
        Checker { topology, relation, by_translation, numbers, known: FxHashMap::default() };
    let sources = sources(topology, by_translation, relation.adaptive().is_some());
    let mut routes = 0;
    for &source in &sources {
        let Some((at, input)) = Input::of(topology, source) else { continue };
        for destination in topology.sinks() {
            let header = relation.inject(source, destination);
            let packet = Packet { at, input, vc: Vc(0), header };
            routes += checker.every_choice(source, destination, packet)?;
        }
    }
    Ok(routes)
}

/// The sources whose routes are walked.
fn sources(topology: &dyn Topology, by_translation: bool, adaptive: bool) -> Vec<Terminal> {
    let all = if adaptive { ALL_CHOICES_NODES } else { ALL_PAIRS_NODES };
    if topology.nodes() <= all || !by_translation {
        return topology.sources().collect();
    }
    // Where there are translations, terminals have the numbers of their nodes.
    let standing = topology.sources().filter(|t| topology.representative(Node(t.0)).0 == t.0);
    // Choices take all shortest paths: on large networks, those from the standing nodes will do.
    let few = adaptive && topology.nodes() > ALL_PAIRS_NODES;
    let generators = topology.generators().into_iter().filter(|_| !few);
    let generators = generators.map(|node| Terminal(node.0));
    standing.chain(generators.filter(|&t| topology.source(t).is_some())).collect()
}

/// Where a packet is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Packet {
    at: Node,
    input: Input,
    vc: Vc,
    header: Header,
}

struct Checker<'a> {
    topology: &'a dyn Topology,
    relation: &'a dyn Relation,
    by_translation: bool,
    numbers: BTreeMap<(Node, Port, Vc), u32>,
    /// Packets whose routes were found to ascend, where routes join: their destinations, and the
    /// numbers of the channels by which they go on.
    known: FxHashMap<Packet, (Terminal, Option<u32>)>,
}

/// Packets remembered at most: some 200 MB.
const MOST_KNOWN: usize = 1 << 22;

impl Checker<'_> {
    /// The routes from wherever the packet can come to by choice; returns their number.
    fn every_choice(
        &mut self,
        source: Terminal,
        destination: Terminal,
        packet: Packet,
    ) -> Result<u64, CertificateError> {
        if self.relation.adaptive().is_none() {
            self.ascends(source, destination, packet)?;
            return Ok(1);
        }
        let mut known = FxHashSet::from_iter([packet]);
        let mut open = vec![packet];
        while let Some(packet) = open.pop() {
            self.ascends(source, destination, packet)?;
            let Some(choices) = self.relation.choices_of(packet.vc) else { continue };
            for hop in choices.hops(packet.at, packet.input, packet.header) {
                let Some(next) = self.next(packet, hop) else { continue };
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(known.len() as u64)
    }

    fn next(&self, packet: Packet, hop: Hop) -> Option<Packet> {
        let Output::Network(port) = hop.output else { return None };
        let (at, arrives) = self.topology.channel(packet.at, port)?;
        Some(Packet { at, input: Input::Network(arrives), vc: hop.vc, header: hop.header })
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
        // Where nodes stand for others routes are few, and seldom join.
        let remembers = !self.by_translation;
        let mut trail: Vec<(Packet, Option<u32>)> = Vec::new();
        let leaves = loop {
            let Packet { at, input, vc, header } = packet;
            let joined = self.known.get(&packet).filter(|_| remembers).copied();
            if let Some((other, after)) = joined {
                if let (Some(before), Some(after)) = (before, after)
                    && before >= after
                {
                    let ((source_label, destination), at) = (labels(), topology.label(at));
                    let error =
                        CertificateError::Descends { at, before, after, source_label, destination };
                    return Err(error);
                }
                break Output::of(topology, other);
            }
            let hop = self.relation.hop(at, input, vc, header);
            let next = self.next(packet, hop);
            let (Output::Network(port), Some(next)) = (hop.output, next) else {
                trail.push((packet, None));
                break Some((at, hop.output));
            };
            let key = if self.by_translation { topology.representative(at) } else { at };
            let Some(&after) = self.numbers.get(&(key, port, hop.vc)) else {
                let (source_label, destination) = labels();
                return Err(CertificateError::Missing {
                    at: topology.label(at),
                    port: topology.port_name(port),
                    vc: hop.vc.0,
                    source_label,
                    destination,
                });
            };
            if let Some(before) = before.filter(|&b| b >= after) {
                let (source_label, destination) = labels();
                let at = topology.label(at);
                return Err(CertificateError::Descends {
                    at,
                    before,
                    after,
                    source_label,
                    destination,
                });
            }
            if self.relation.choices_of(hop.vc).is_some() {
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
        if remembers && self.known.len() < MOST_KNOWN {
            // No other route enters where this one did, for this destination.
            let joined = trail.into_iter().filter(|(packet, _)| !packet.input.is_inject());
            let known = joined.map(|(packet, after)| (packet, (destination, after)));
            self.known.extend(known);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::ChannelNumber;
    use crate::network::Network;
    use turnpike_network::routing;
    use turnpike_network::routing::choice::ADAPTIVE_VC;
    use turnpike_network::routing::twisted::Twisted;
    use turnpike_network::topology::hypercube::Hypercube;

    /// Where no node stands for another, no source is left out, however large the network.
    #[test]
    fn only_translates_are_left_out() {
        let count = |k, by_translation, adaptive| {
            sources(&Hypercube::new(k).unwrap(), by_translation, adaptive).len()
        };
        assert_eq!([true, false].map(|by| count(10, by, false)), [1024, 1024]);
        assert_eq!([true, false].map(|by| count(11, by, false)), [1 + 11, 2048]);
        assert_eq!([true, false].map(|by| count(7, by, true)), [1 + 7, 128]);
        assert_eq!([true, false].map(|by| count(11, by, true)), [1, 2048]);
    }

    #[test]
    fn a_wrong_certificate_is_refused() {
        let network = Network::new("hypercube", 4, Some("rotation"), None).unwrap();
        let good = network.certificate().unwrap().clone();
        assert_eq!(check(network.topology(), network.relation(), &good), Ok(256));
        for i in 0..good.numbers.len() {
            let mut missing = good.clone();
            missing.numbers.remove(i);
            assert!(matches!(
                check(network.topology(), network.relation(), &missing),
                Err(CertificateError::Missing { .. })
            ));
        }
        let mut reversed = good.clone();
        for n in &mut reversed.numbers {
            n.number = 100 - n.number;
        }
        assert!(matches!(
            check(network.topology(), network.relation(), &reversed),
            Err(CertificateError::Descends { .. })
        ));
    }

    /// Numbers that repeat do not ascend: two packets could wait for each other.
    #[test]
    fn numbers_have_to_differ_along_a_route() {
        let network = Network::new("hypercube", 2, Some("ecube"), None).unwrap();
        let mut level = network.certificate().unwrap().clone();
        level.numbers.iter_mut().for_each(|n| n.number = 7);
        let found = check(network.topology(), network.relation(), &level);
        let (at, source_label, destination) = ("01".into(), "00".into(), "11".into());
        let wanted =
            CertificateError::Descends { at, before: 7, after: 7, source_label, destination };
        assert_eq!(found, Err(wanted));
    }

    /// A packet that is ejected elsewhere, or comes back to where it may choose, has not escaped.
    #[test]
    fn an_escape_route_leads_out_and_arrives() {
        let lost = |error| matches!(error, Err(CertificateError::NoEscape { .. }));
        let network = Network::new("hypercube", 3, Some("ecube"), None).unwrap();
        let mut relation = Twisted::new(routing::build("ecube", network.topology()).unwrap());
        let proof = network.certificate().unwrap();
        assert_eq!(check(network.topology(), &relation, proof), Ok(64));
        relation.hop = |_, _, _, header, hop| match header {
            0b110 => Hop { output: Output::EJECT, ..hop },
            _ => hop,
        };
        assert!(lost(check(network.topology(), &relation, proof)));

        let network = Network::new("hypercube", 3, Some("adaptive"), None).unwrap();
        let mut relation = Twisted::new(routing::build("adaptive", network.topology()).unwrap());
        let mut proof = network.certificate().unwrap().clone();
        assert!(check(network.topology(), &relation, &proof).is_ok());
        // With numbers for the adaptive channels too they ascend, but out of order of VCs.
        let numbers = proof.numbers.clone();
        proof.numbers.extend(numbers.into_iter().map(|n| ChannelNumber { vc: ADAPTIVE_VC, ..n }));
        assert!(check(network.topology(), &relation, &proof).is_ok());
        relation.hop = |_, _, _, _, hop| Hop { vc: ADAPTIVE_VC, ..hop };
        assert!(lost(check(network.topology(), &relation, &proof)));
    }

    /// One per pair; with choices, an escape route from every place that they can bring the packet
    /// to.
    #[test]
    fn as_many_routes_are_walked_as_is_said() {
        let walked = |k, routing| {
            let network = Network::new("hypercube", k, Some(routing), None).unwrap();
            network.routes_checked()
        };
        assert_eq!(walked(6, "ecube"), 64 * 64);
        // For w bits to correct: injection, and each set of crossed bits by each bit crossed last.
        // These are w 2^(w - 1), and k 3^(k - 1) over all destinations.
        let places = |k: u32| (1 << k) + u64::from(k) * 3u64.pow(k - 1);
        assert_eq!(walked(6, "adaptive"), 64 * places(6));
        assert_eq!(walked(7, "adaptive"), 8 * places(7));
    }
}
