//! The independent checker of deadlock certificates.
//!
//! It shares no code with [`crate::deadlock`], which makes them: it walks routes by asking
//! the relation and the topology directly, and looks every channel's number up.

use crate::deadlock::Certificate;
use crate::routing::{Header, Hop, Input, Output, Relation, Vc};
use crate::topology::{Node, Port, Topology};
use std::collections::{BTreeMap, HashSet};

/// Networks up to this many nodes are checked over all pairs. Of larger ones, where some nodes stand
/// for others (by construction: [`crate::routing::invariant`]): routes from those nodes, of which
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
    let checker = Checker { topology, relation, by_translation, numbers: numbers.collect() };
    let sources = sources(topology, by_translation, relation.adaptive().is_some());
    let mut routes = 0;
    for &source in &sources {
        for destination in topology.terminal_nodes() {
            let header = relation.inject(source, destination);
            let packet = Packet { at: source, input: Input::Inject, vc: Vc(0), header };
            routes += checker.every_choice(source, destination, packet)?;
        }
    }
    Ok(routes)
}

/// The sources whose routes are walked.
fn sources(topology: &dyn Topology, by_translation: bool, adaptive: bool) -> Vec<Node> {
    let all = if adaptive { ALL_CHOICES_NODES } else { ALL_PAIRS_NODES };
    if topology.nodes() <= all || !by_translation {
        return topology.terminal_nodes().collect();
    }
    let standing = topology.terminal_nodes().filter(|&n| topology.representative(n) == n);
    // Choices take all shortest paths: on large networks, those from the standing nodes will do.
    let few = adaptive && topology.nodes() > ALL_PAIRS_NODES;
    let generators = topology.generators().into_iter().filter(|_| !few);
    standing.chain(generators.filter(|&n| topology.is_terminal(n))).collect()
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
}

impl Checker<'_> {
    /// The routes from wherever the packet can come to by choice; returns their number.
    fn every_choice(
        &self,
        source: Node,
        destination: Node,
        packet: Packet,
    ) -> Result<u64, CertificateError> {
        let mut known = HashSet::from([packet]);
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
        &self,
        source: Node,
        destination: Node,
        mut packet: Packet,
    ) -> Result<(), CertificateError> {
        let topology = self.topology;
        let labels = || (topology.label(source), topology.label(destination));
        let mut before = None;
        loop {
            let Packet { at, input, vc, header } = packet;
            let hop = self.relation.hop(at, input, vc, header);
            let next = self.next(packet, hop);
            let (Output::Network(port), Some(next)) = (hop.output, next) else { break };
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
            packet = next;
        }
        if packet.at != destination {
            let ((source_label, destination), at) = (labels(), topology.label(packet.at));
            return Err(CertificateError::NoEscape { at, source_label, destination });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use crate::topology::hypercube::Hypercube;

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
}
