//! Whether a relation looks the same from every node.
//!
//! Where it does, one representative node stands for all: routes from node 0 give the turns,
//! the load and the dependency graph of the whole network. It is checked, never assumed.

use crate::routing::Relation;
use crate::routing::walk::{RouteError, route};
use crate::topology::{Node, Port, Topology};

/// Networks up to this many nodes are checked at every source; larger ones at node 0, at the
/// translations' generators and at [`SAMPLES`] further nodes.
const EXHAUSTIVE_NODES: u32 = 256;
const SAMPLES: u32 = 4;

/// Whether `topology` has translations, its channels keep them, and every route of `relation`
/// is the translate of a route from node 0: the same ports, virtual channels and headers.
///
/// Costs one walk per destination and source looked at: time and memory linear in the nodes.
///
/// # Errors
/// [`RouteError`] where a route does not arrive.
pub fn is_translation_invariant(
    topology: &dyn Topology,
    relation: &dyn Relation,
) -> Result<bool, RouteError> {
    let Some(sources) = sources(topology) else {
        return Ok(false);
    };
    if !channels_are_invariant(topology) {
        return Ok(false);
    }
    let origin = Node(0);
    for destination in topology.all_nodes() {
        let reference = route(topology, relation, origin, destination)?;
        for &source in &sources {
            let image = |node| topology.translate(node, source);
            let Some(to) = image(destination) else {
                return Ok(false);
            };
            let moved = route(topology, relation, source, to)?;
            let same = moved.len() == reference.len()
                && moved.iter().zip(&reference).all(|(m, r)| {
                    Some(m.node) == image(r.node)
                        && (m.input, m.vc, m.header, m.hop) == (r.input, r.vc, r.header, r.hop)
                });
            if !same {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The sources to compare with node 0; `None` where there are no translations.
fn sources(topology: &dyn Topology) -> Option<Vec<Node>> {
    topology.translate(Node(0), Node(0))?;
    let nodes = topology.nodes();
    if nodes <= EXHAUSTIVE_NODES {
        return Some((1..nodes).map(Node).collect());
    }
    let mut sources = topology.generators();
    // Nodes spread over the network by the golden ratio; any fixed choice serves.
    let spread = |i: u32| Node(i.wrapping_mul(0x9E37_79B9) % nodes);
    sources.extend((1..=SAMPLES).map(spread));
    Some(sources)
}

fn channels_are_invariant(topology: &dyn Topology) -> bool {
    topology.generators().into_iter().all(|by| {
        topology.all_nodes().all(|node| {
            (0..topology.ports()).map(Port).all(|port| {
                let moved = topology.translate(node, by).and_then(|n| topology.channel(n, port));
                let image = topology
                    .channel(node, port)
                    .and_then(|(to, input)| Some((topology.translate(to, by)?, input)));
                moved == image
            })
        })
    })
}
