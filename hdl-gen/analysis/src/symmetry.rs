//! Whether a relation looks the same from every node that translations make equal.
//!
//! Where it does, one representative of each orbit stands for all its nodes: routes from the
//! representatives give the turns, the load and the dependency graph of the whole network. It
//! is looked at here, in full up to [`ALL_SOURCES`] nodes; the network then asks the relation at
//! the representatives alone ([`turnpike_network::routing::invariant`]), so that it holds by construction at
//! any size. Where it does not, every node stands for itself, and the same code does all by
//! exhaustion.

use crate::sample;
use std::collections::BTreeMap;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::walk::{RouteError, route};
use turnpike_network::routing::{Draw, Hop, Input, Relation};
use turnpike_network::topology::{Node, Port, Terminal, Topology, sources_at};

/// Networks up to this many nodes are looked at from every source: all that can be written as
/// Verilog. Larger ones from the translations' generators and from [`SAMPLES`] further nodes, to
/// [`SINKS`](crate::sample::SINKS) terminals at most.
pub(crate) const ALL_SOURCES: u32 = 1 << 11;
const SAMPLES: u32 = 4;

/// Orbits of the nodes under the translations that keep all routes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// The nodes that stand for all, ascending.
    sites: Vec<Node>,
    /// Whether a site stands for its orbit, or each node for itself.
    by_translation: bool,
}

impl Symmetry {
    /// Every node stands for itself.
    pub fn none(topology: &dyn Topology) -> Self {
        Self { sites: topology.all_nodes().collect(), by_translation: false }
    }

    /// By translation where the topology's channels keep them and every route of `relation` is
    /// the translate of a route from a representative: the same ports, virtual channels and
    /// headers, made by injectors of one kind. Otherwise none. Of more than [`ALL_SOURCES`] nodes
    /// only some are looked at as sources, and of large networks only some as destinations.
    ///
    /// Costs one walk per destination and source looked at.
    ///
    /// # Errors
    /// [`RouteError`] where a route does not arrive.
    pub fn of(topology: &dyn Topology, relation: &Relation) -> Result<Self, RouteError> {
        let symmetric = !topology.generators().is_empty()
            && channels_are_kept(topology)
            && routes_are_kept(topology, relation)?;
        if !symmetric {
            return Ok(Self::none(topology));
        }
        let sites = topology.all_nodes().filter(|&n| topology.representative(n) == n);
        Ok(Self { sites: sites.collect(), by_translation: true })
    }

    /// Orbits by as many of the topology's translations as the routes keep, with the topology of
    /// those translations.
    ///
    /// # Errors
    /// As [`Symmetry::of`].
    pub fn most_of(
        mut topology: Box<dyn Topology>,
        relation: &Relation,
    ) -> Result<(Box<dyn Topology>, Self), RouteError> {
        let mut symmetry = Self::of(&*topology, relation)?;
        while !symmetry.by_translation
            && let Some(fewer) = topology.with_fewer_translations()
        {
            topology = fewer;
            symmetry = Self::of(&*topology, relation)?;
        }
        Ok((topology, symmetry))
    }

    /// Whether a site stands for more than itself.
    pub fn is_by_translation(&self) -> bool {
        self.by_translation
    }

    /// The nodes that stand for all, ascending.
    pub fn sites(&self) -> &[Node] {
        &self.sites
    }

    /// The terminals that send at the sites: their routes stand for all routes. Ascending.
    pub fn sources(&self, topology: &dyn Topology) -> Vec<Terminal> {
        topology.sources().filter(|&source| self.source(topology, source) == source).collect()
    }

    /// The terminal that stands for one that sends.
    pub fn source(&self, topology: &dyn Topology, source: Terminal) -> Terminal {
        match self.by_translation {
            true => topology.standing_source(source),
            false => source,
        }
    }

    /// The site that stands for a node.
    pub fn site(&self, topology: &dyn Topology, node: Node) -> Node {
        if self.by_translation { topology.representative(node) } else { node }
    }

    /// Index of the node's representative in [`Symmetry::sites`].
    pub fn index(&self, topology: &dyn Topology, node: Node) -> usize {
        match (self.by_translation, self.sites.len()) {
            (false, _) => node.0 as usize,
            (true, 1) => 0,
            (true, _) => {
                let site = topology.representative(node);
                self.sites.binary_search(&site).expect("a representative is its own")
            }
        }
    }

    /// Number of nodes in each orbit, in the order of the representatives.
    pub fn orbit_sizes(&self, topology: &dyn Topology) -> Vec<u64> {
        let mut sizes = vec![0; self.sites.len()];
        topology.all_nodes().for_each(|node| sizes[self.index(topology, node)] += 1);
        sizes
    }

    /// [`Symmetry::moved`] of a terminal.
    pub fn moved_terminal(
        &self,
        topology: &dyn Topology,
        terminal: Terminal,
        from: Node,
        to: Node,
    ) -> Terminal {
        let by = self.translation(topology, from, to);
        by.map_or(terminal, |by| topology.translate_terminal(terminal, by))
    }

    /// The image of `node` under the translation that takes `from` to `to`, two nodes that one
    /// site stands for.
    pub fn moved(&self, topology: &dyn Topology, node: Node, from: Node, to: Node) -> Node {
        self.translation(topology, from, to).map_or(node, |by| topology.translate(node, by))
    }

    /// Translation from one node to another, by the image of the first node's representative;
    /// `None` where nothing is moved.
    fn translation(&self, topology: &dyn Topology, from: Node, to: Node) -> Option<Node> {
        if !self.by_translation || from == to {
            return None;
        }
        let orbit = topology.representative(Node(0));
        topology
            .all_nodes()
            .filter(|&by| topology.representative(by) == orbit)
            .find(|&by| topology.translate(from, by) == to)
    }
}

fn routes_are_kept(topology: &dyn Topology, relation: &Relation) -> Result<bool, RouteError> {
    let mut of_origin: BTreeMap<Terminal, Vec<(Node, Terminal)>> = BTreeMap::new();
    for node in sources(topology) {
        for source in sources_at(topology, node) {
            let origin = topology.standing_source(source);
            if source != origin {
                of_origin.entry(origin).or_default().push((node, source));
            }
        }
    }
    let sinks = sample::sinks(topology);
    for (origin, sources) in of_origin {
        let injection = relation.injection(origin);
        if sources.iter().any(|&(_, source)| relation.injection(source) != injection) {
            return Ok(false);
        }
        let draws = sample::draws(relation);
        let drawn = draws.iter().flat_map(|&draw| sinks.iter().map(move |&sink| (sink, draw)));
        for (destination, draw) in drawn {
            let reference = route(topology, relation, origin, destination, draw)?;
            let chosen = choices(topology, relation, origin, destination);
            for &(by, source) in &sources {
                let image = |node| topology.translate(node, by);
                let there = topology.translate_terminal(destination, by);
                let moved = route(topology, relation, source, there, draw)?;
                let same = moved.len() == reference.len()
                    && moved.iter().zip(&reference).all(|(m, r)| {
                        m.node == image(r.node)
                            && (m.input, m.vc, m.header, m.hop) == (r.input, r.vc, r.header, r.hop)
                    });
                if !same || choices(topology, relation, source, there) != chosen {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Hops that packets at the switch of a source may choose on their way to `to`, by every input:
/// none where the relation is deterministic.
fn choices(
    topology: &dyn Topology,
    relation: &Relation,
    source: Terminal,
    to: Terminal,
) -> Vec<Hop> {
    let Some(adaptive) = relation.choices() else { return Vec::new() };
    let Some((at, inject)) = Input::of(topology, source) else { return Vec::new() };
    let header = relation.inject(source, to, Draw::NONE);
    let ports = (0..topology.ports()).map(|port| Input::Network(Port(port)));
    let inputs = [inject].into_iter().chain(ports);
    inputs.flat_map(|input| adaptive.hops(at, input, ADAPTIVE_VC, header)).collect()
}

/// The nodes whose terminals to compare with their representatives.
fn sources(topology: &dyn Topology) -> Vec<Node> {
    let nodes = topology.nodes();
    if nodes <= ALL_SOURCES {
        return topology.all_nodes().collect();
    }
    let mut sources = topology.generators();
    sources.extend(sample::spread(SAMPLES, nodes).map(Node));
    sources
}

fn channels_are_kept(topology: &dyn Topology) -> bool {
    topology.generators().into_iter().all(|by| {
        topology.all_nodes().all(|node| {
            let image = |node| topology.translate(node, by);
            topology.representative(image(node)) == topology.representative(node)
                && (0..topology.ports()).map(Port).all(|port| {
                    let end = topology.channel(node, port);
                    topology.channel(image(node), port) == end.map(|(to, i)| (image(to), i))
                })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::routing::twisted::Twisted;
    use turnpike_network::routing::{self, FieldTable, Output, Vc, low_bits};
    use turnpike_network::topology::hypercube::Hypercube;

    fn by_translation(routing: &str, twist: fn(&mut Twisted)) -> bool {
        let cube = Hypercube::new(3).unwrap();
        let mut relation = Twisted::new(routing::build(routing, &cube).unwrap());
        twist(&mut relation);
        Symmetry::of(&cube, &relation.relation()).unwrap().is_by_translation()
    }

    /// Each thing that may differ at one node alone: the way, the virtual channel, the choices,
    /// their order, the injector.
    #[test]
    fn one_node_that_differs_is_enough() {
        assert!(by_translation("ecube", |_| ()) && by_translation("adaptive", |_| ()));
        // The highest bit first, at node 5: routes as long, and over other nodes.
        let way: fn(&mut Twisted) = |relation| {
            relation.hop = |node, _, _, header, hop| match (node, header & low_bits(3)) {
                (Node(5), 1..) => {
                    let bit = header.ilog2();
                    let output = Output::Network(Port(bit as u8));
                    Hop { output, vc: Vc(0), header: header & !(1 << bit) }
                }
                _ => hop,
            };
        };
        let vc: fn(&mut Twisted) = |relation| {
            relation.hop = |node, input, _, _, hop| match (node, input, hop.output) {
                (Node(5), Input::Inject(_), Output::Network(_)) => Hop { vc: Vc(1), ..hop },
                _ => hop,
            };
        };
        let injector: fn(&mut Twisted) = |relation| {
            relation.injection = |source, mut injection| {
                let rows = vec![0, 0];
                let field = FieldTable { name: "none", low: 0, index_bits: 1, bits: 1, rows };
                injection.fields.extend((source == Terminal(5)).then_some(field));
                injection
            };
        };
        for twist in [way, vc, injector] {
            assert!(!by_translation("ecube", twist));
        }
        let fewer: fn(&mut Twisted) = |relation| {
            relation.hops = |node, mut hops| {
                hops.truncate(if node == Node(5) { 2 } else { 3 });
                hops
            };
        };
        let order: fn(&mut Twisted) = |relation| {
            relation.hops = |node, mut hops| {
                if node == Node(5) {
                    hops.reverse();
                }
                hops
            };
        };
        for twist in [fewer, order] {
            assert!(!by_translation("adaptive", twist));
        }
    }

    /// All nodes of what can be Verilog; beyond, the generators and some nodes more.
    #[test]
    fn sources_are_nodes_and_as_many_as_is_said() {
        for (k, count) in [(3, 8), (11, 2048), (12, 12 + SAMPLES), (20, 20 + SAMPLES)] {
            let sources = sources(&Hypercube::new(k).unwrap());
            let distinct: std::collections::BTreeSet<Node> = sources.iter().copied().collect();
            assert_eq!((sources.len(), distinct.len()), (count as usize, count as usize));
            assert!(distinct.into_iter().all(|node| node.0 < 1 << k), "{k}");
        }
    }

    /// The translation that takes one node to another takes every other by the same difference.
    #[test]
    fn a_cube_is_moved_by_the_difference() {
        let cube = Hypercube::new(4).unwrap();
        let relation = routing::build("ecube", &cube).unwrap();
        let symmetry = Symmetry::of(&cube, &relation).unwrap();
        let none = Symmetry::none(&cube);
        for (node, from, to) in [(3, 0, 5), (7, 9, 9), (12, 6, 1), (0, 15, 2)] {
            let [node, from, to] = [node, from, to].map(Node);
            let moved = Node(node.0 ^ from.0 ^ to.0);
            assert_eq!(symmetry.moved(&cube, node, from, to), moved);
            assert_eq!(none.moved(&cube, node, from, to), node);
        }
        assert_eq!(symmetry.orbit_sizes(&cube), [16]);
        assert_eq!(none.orbit_sizes(&cube), [1; 16]);
    }
}
