//! Encodings of destinations in tables, and the translations of a network that they keep.

use crate::routing::DestinationEncoding;
use crate::topology::{Node, Terminal, Topology};

/// Translations that the tables keep.
pub(super) enum Symmetric {
    /// Translations of the topology.
    Itself,
    /// Translations of this topology.
    Fewer(Box<dyn Topology>),
    /// No translations.
    None,
}

/// Encoding of destinations in the tables, such that nodes that translations make equal see the
/// same where that may be.
pub(super) fn view(topology: &dyn Topology) -> (DestinationEncoding, Symmetric) {
    let bits = topology.address_bits();
    // On rings of cubes the ring is seen by its difference, the place on it as it is.
    let difference_bits = match topology.size().only_dim() {
        Some(dimension) => dimension.min(bits),
        None => 0,
    };
    let rings = DestinationEncoding::new(difference_bits, bits - difference_bits);
    let views = [DestinationEncoding::difference(bits), rings];
    let kept = |topology: &dyn Topology| views.into_iter().find(|&view| is_kept(topology, view));
    if let Some(view) = kept(topology) {
        return (view, Symmetric::Itself);
    }
    let mut fewer = topology.with_fewer_translations();
    while let Some(next) = fewer {
        if let Some(view) = kept(&*next) {
            return (view, Symmetric::Fewer(next));
        }
        fewer = next.with_fewer_translations();
    }
    (DestinationEncoding::difference(bits), Symmetric::None)
}

/// Whether translations change nothing of what is seen. Terminals have the numbers of their nodes
/// where there are any.
fn is_kept(topology: &dyn Topology, view: DestinationEncoding) -> bool {
    let generators = topology.generators();
    let sites: Vec<Node> =
        topology.all_nodes().filter(|&n| topology.representative(n) == n).collect();
    !generators.is_empty()
        && generators.iter().all(|&by| {
            let image = |node| topology.translate(node, by);
            let seen = |from: Node, to: Node| view.of(Terminal(from.0), Terminal(to.0));
            let same = |from, to| seen(image(from), image(to)) == seen(from, to);
            sites.iter().all(|&from| topology.all_nodes().all(|to| same(from, to)))
        })
}
