//! The independent checker of deadlock certificates.
//!
//! It shares no code with [`crate::deadlock`], which makes them: it walks routes by asking
//! the relation and the topology directly, and looks every channel's number up.

use crate::deadlock::Certificate;
use crate::routing::{Input, Output, Relation, Vc};
use crate::topology::{Node, Topology};
use std::collections::BTreeMap;

/// Networks up to this many nodes are checked over all pairs; of larger ones, routes from the
/// nodes that stand for others and from the translations' generators.
const ALL_PAIRS_NODES: u32 = 1 << 10;

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
}

/// Checks that the numbers ascend along every route. Returns how many routes it walked.
///
/// # Errors
/// [`CertificateError`] with the route at fault.
pub fn check(
    topology: &dyn Topology,
    relation: &dyn Relation,
    certificate: &Certificate,
) -> Result<u64, CertificateError> {
    let numbers: BTreeMap<_, u32> =
        certificate.numbers.iter().map(|n| ((n.from, n.output, n.vc), n.number)).collect();
    let sources: Vec<Node> = if topology.nodes() <= ALL_PAIRS_NODES {
        topology.terminal_nodes().collect()
    } else {
        let standing = topology.terminal_nodes().filter(|&n| topology.representative(n) == n);
        let generators = topology.generators().into_iter();
        standing.chain(generators.filter(|&n| topology.is_terminal(n))).collect()
    };
    let mut routes = 0;
    for &source in &sources {
        for destination in topology.terminal_nodes() {
            let labels = || (topology.label(source), topology.label(destination));
            let (mut at, mut input, mut vc) = (source, Input::Inject, Vc(0));
            let mut header = relation.inject(source, destination);
            let mut before = None;
            loop {
                let hop = relation.hop(at, input, vc, header);
                let Output::Network(port) = hop.output else { break };
                let key = if certificate.by_translation { topology.representative(at) } else { at };
                let Some(&after) = numbers.get(&(key, port, hop.vc)) else {
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
                before = Some(after);
                let Some((to, arrives)) = topology.channel(at, port) else { break };
                (at, input, vc, header) = (to, Input::Network(arrives), hop.vc, hop.header);
            }
            routes += 1;
        }
    }
    Ok(routes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;

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
