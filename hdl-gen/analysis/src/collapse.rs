//! A butterfly with its levels merged: each row becomes one node, and the butterfly the hypercube.
//!
//! As a graph a butterfly of N = 2^n rows has the nodes (i, x) of level i and row x, and edges from
//! level i to level i + 1: straight ones within a row, and cross edges between the rows that differ in
//! one bit. Where the nodes of each row are one, straight edges lead from a node to itself and vanish,
//! and each cross edge is a channel of the hypercube. A packet's route becomes bit fixing, in the order
//! of the stages.
//!
//! Edges are read off the switches' ports, routes walked from switch to switch. What they become is held
//! against the hypercube's own channels, and against bit fixing along them.

use crate::pattern_load::Message;
use turnpike_network::routing::walk::{RouteError, Step, route};
use turnpike_network::routing::{Draw, Input, Output, Relation};
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::multistage::Multistage;
use turnpike_network::topology::{Node, Port, Topology, TopologyError};

/// A butterfly with its levels merged, and what messages put on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collapse {
    /// Rows: nodes once the levels are merged.
    pub rows: u32,
    /// Levels: nodes of a row before.
    pub levels: u32,
    /// Straight edges, which vanish.
    pub straight_edges: u64,
    /// Cross edges, which become channels.
    pub cross_edges: u64,
    /// Channels that cross edges become.
    pub channels: u64,
    /// Whether these are the hypercube's, each of one cross edge.
    pub is_hypercube: bool,
    /// The messages whose routes become those of bit fixing in the order of the stages.
    pub bit_fixing: u64,
    /// Stage by stage, from the first.
    pub stages: Vec<StageLoad>,
}

/// Load of messages on the cross edges of a stage, and of bit fixing on the channels that these
/// become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StageLoad {
    /// The dimension of the hypercube whose channels the cross edges become.
    pub dimension: u32,
    /// Least and most words on a cross edge.
    pub on_edges: (u64, u64),
    /// Least and most words on a channel, where the hypercube's packets go by bit fixing.
    pub on_channels: (u64, u64),
    /// Whether each channel has as many words as the cross edge that it comes from.
    pub alike: bool,
}

impl Collapse {
    /// Whether the butterfly became the hypercube: its channels, routes and loads.
    pub fn holds(&self, messages: usize) -> bool {
        let alike = self.stages.iter().all(|stage| stage.alike);
        self.is_hypercube && self.bit_fixing == messages as u64 && alike
    }
}

/// A network whose levels do not merge into a hypercube.
#[derive(Debug, thiserror::Error)]
pub enum CollapseError {
    /// No rows, digits that are no bits, a bit in two stages, or failed switches.
    #[error(
        "{topology} does not become a hypercube: that takes rows of bits and one stage of switches \
         for each bit, none failed, as a butterfly of radix 2 has"
    )]
    NoButterfly { topology: String },
    /// Routes that packets draw or choose.
    #[error(
        "packets take several routes under '{relation}'; merging levels needs one for each pair"
    )]
    SeveralRoutes { relation: String },
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// No such hypercube.
    #[error(transparent)]
    Cube(#[from] TopologyError),
}

/// Merges the levels of a butterfly, and walks the routes of these messages in both networks. Takes
/// memory as the butterfly has edges.
///
/// # Errors
/// [`CollapseError`].
pub fn collapse(
    topology: &dyn Topology,
    relation: &Relation,
    messages: &[Message],
) -> Result<Collapse, CollapseError> {
    let butterfly = butterfly(topology)?;
    if relation.is_randomised() || relation.chooses_ports() {
        return Err(CollapseError::SeveralRoutes { relation: relation.name().to_owned() });
    }
    let rows = topology.terminals();
    let cube = Hypercube::new(butterfly.stages())?;
    let mut merged = Merged::new(&butterfly, rows);
    let channels = merged.edges_of_channels.iter().filter(|edges| **edges > 0).count() as u64;
    let is_channel = |(at, &edges): (usize, &u32)| {
        let (from, port) = (Node(at as u32 % rows), Port((at as u32 / rows) as u8));
        edges == u32::from(cube.channel(from, port).is_some())
    };
    let is_hypercube =
        cube.channels() == channels && merged.edges_of_channels.iter().enumerate().all(is_channel);
    let mut by_bits = vec![0; merged.words.len()];
    let mut bit_fixing = 0;
    for message in messages {
        let steps = route(topology, relation, message.source, message.destination, Draw::NONE)?;
        let collapsed = merged.load(&butterfly, &steps, message.words.into());
        // A source's row is that of its switch's input: terminals may send into other rows.
        let (node, local) = topology.source(message.source).expect("a source sends");
        let (from, to) = (butterfly.row(node, local.0.into()), message.destination.0);
        let fixed = fix_bits(&cube, &merged.order, from, to);
        for &(at, port) in &fixed {
            by_bits[merged.channel(at, port)] += u64::from(message.words);
        }
        bit_fixing += u64::from(collapsed == fixed);
    }
    let stages = merged.order.iter().map(|&dimension| {
        let of_dimension = merged.channel(0, dimension)..merged.channel(rows, dimension);
        let (edges, bits) = (&merged.words[of_dimension.clone()], &by_bits[of_dimension]);
        let ends = |words: &[u64]| {
            (words.iter().min().copied().unwrap_or(0), words.iter().max().copied().unwrap_or(0))
        };
        let (on_edges, on_channels) = (ends(edges), ends(bits));
        StageLoad { dimension, on_edges, on_channels, alike: edges == bits }
    });
    Ok(Collapse {
        rows,
        levels: butterfly.stages() + 1,
        straight_edges: merged.straight,
        cross_edges: merged.cross,
        channels,
        is_hypercube,
        bit_fixing,
        stages: stages.collect(),
    })
}

/// The network as one whose levels merge into a hypercube.
fn butterfly(topology: &dyn Topology) -> Result<Multistage, CollapseError> {
    let none = || CollapseError::NoButterfly { topology: topology.title() };
    let network = Multistage::of_topology(topology).ok_or_else(none)?;
    let binary = (0..network.stages()).all(|stage| network.look(stage).base == 2);
    let is_whole = topology.failed_nodes().is_empty();
    let is_butterfly =
        is_whole && network.edges().is_some() && network.free_stages() == 0 && binary;
    if is_butterfly { Ok(network) } else { Err(none()) }
}

/// Rows as nodes.
struct Merged {
    rows: u32,
    /// The dimensions that the stages cross, from the first.
    order: Vec<u32>,
    straight: u64,
    cross: u64,
    /// By channel, the cross edges that become it.
    edges_of_channels: Vec<u32>,
    /// By channel, the words on them.
    words: Vec<u64>,
}

impl Merged {
    fn new(butterfly: &Multistage, rows: u32) -> Self {
        let stages = 0..butterfly.stages();
        let channels = rows as usize * stages.len();
        let mut merged = Self {
            rows,
            order: stages.map(|stage| butterfly.look(stage).stride.ilog2()).collect(),
            straight: 0,
            cross: 0,
            edges_of_channels: vec![0; channels],
            words: vec![0; channels],
        };
        for node in (0..butterfly.nodes()).map(Node) {
            for [input, output] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let [from, to] = [input, output].map(|digit| butterfly.row(node, digit));
                match crossed(from, to) {
                    None => merged.straight += 1,
                    Some(dimension) => {
                        merged.cross += 1;
                        let channel = merged.channel(from, dimension);
                        merged.edges_of_channels[channel] += 1;
                    }
                }
            }
        }
        merged
    }

    /// The number of a channel: by dimension, then by the node that it leaves.
    fn channel(&self, from: u32, dimension: u32) -> usize {
        (dimension * self.rows + from) as usize
    }

    /// Puts the words of a route on the channels that it becomes: these, each by the node that it
    /// leaves and its dimension.
    fn load(&mut self, butterfly: &Multistage, steps: &[Step], words: u64) -> Vec<(u32, u32)> {
        let mut collapsed = Vec::new();
        for step in steps {
            let input = match step.input {
                Input::Network(port) => port.0,
                Input::Inject(local) => local.0,
            };
            let output = match step.hop.output {
                Output::Network(port) => port.0,
                Output::Eject(local) => local.0,
            };
            let [from, to] = [input, output].map(|digit| butterfly.row(step.node, digit.into()));
            if let Some(dimension) = crossed(from, to) {
                let channel = self.channel(from, dimension);
                self.words[channel] += words;
                collapsed.push((from, dimension));
            }
        }
        collapsed
    }
}

/// The dimension between two rows that differ in one bit; `None` for one row.
fn crossed(from: u32, to: u32) -> Option<u32> {
    (from != to).then(|| (from ^ to).ilog2())
}

/// The way of a packet that puts its address right bit by bit, in this order, along the hypercube's
/// channels.
fn fix_bits(cube: &Hypercube, order: &[u32], from: u32, to: u32) -> Vec<(u32, u32)> {
    let mut at = Node(from);
    let mut way = Vec::new();
    for &dimension in order {
        let (next, _) = cube.channel(at, Port(dimension as u8)).expect("a dimension of the cube");
        if (at.0 ^ to) >> dimension & 1 == 1 {
            way.push((at.0, dimension));
            at = next;
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use rustc_hash::FxHashMap;
    use turnpike_network::topology::parameter::{DIM, RADIX};
    use turnpike_network::topology::{Size, Terminal};

    fn butterfly_of(dimension: u32) -> Network {
        let size = Size::of([(&DIM, dimension), (&RADIX, 2)]);
        Network::new("butterfly", size, None, None).unwrap()
    }

    fn all_pairs(rows: u32) -> Vec<Message> {
        let ends = || (0..rows).map(Terminal);
        let to = |source| ends().map(move |destination| (source, destination));
        let message = |(source, destination)| Message { source, destination, words: 1 };
        ends().flat_map(to).map(message).collect()
    }

    /// N rows of n + 1 nodes become the N nodes of the n-cube; an all-pairs load of N / 2 words stands
    /// on each channel, as half of all pairs differ in its bit and its dimension has N channels.
    #[test]
    fn butterflies_become_hypercubes() {
        for n in 1..=8 {
            let (network, rows) = (butterfly_of(n), 1 << n);
            let messages = all_pairs(rows);
            let collapse = collapse(network.topology(), network.relation(), &messages).unwrap();
            let edges = u64::from(n * rows);
            let wanted = Collapse {
                rows,
                levels: n + 1,
                straight_edges: edges,
                cross_edges: edges,
                channels: edges,
                is_hypercube: true,
                bit_fixing: messages.len() as u64,
                stages: (0..n)
                    .rev()
                    .map(|dimension| {
                        let half = u64::from(rows / 2);
                        let both = (half, half);
                        StageLoad { dimension, on_edges: both, on_channels: both, alike: true }
                    })
                    .collect(),
            };
            assert_eq!(collapse, wanted);
            assert!(collapse.holds(messages.len()));
        }
    }

    /// The second way: `ecube` walked on the hypercube itself, with the bits of each address in
    /// reverse, for it fixes the lowest bit first and the butterfly the highest. Random messages, each
    /// of its own number of words.
    #[test]
    fn loads_are_those_of_ecube_on_reversed_addresses() {
        for n in 1..=6 {
            let rows = 1u32 << n;
            let reversed = |row: u32| row.reverse_bits() >> (32 - n);
            let mut words = 1;
            let mut messages = all_pairs(rows);
            messages.retain_mut(|message| {
                // Linear congruence: any spread will do.
                words = (words * 37 + 11) % 101;
                message.words = words;
                words % 3 > 0
            });
            let network = butterfly_of(n);
            let collapse = collapse(network.topology(), network.relation(), &messages).unwrap();
            assert!(collapse.holds(messages.len()));
            let cube = Network::new("hypercube", n, Some("ecube"), None).unwrap();
            let mut loads: FxHashMap<(u32, u32), u64> = FxHashMap::default();
            for message in &messages {
                let [from, to] = [message.source, message.destination].map(|end| reversed(end.0));
                let ends = (Terminal(from), Terminal(to));
                for step in
                    route(cube.topology(), cube.relation(), ends.0, ends.1, Draw::NONE).unwrap()
                {
                    if let Output::Network(port) = step.hop.output {
                        let channel = (n - 1 - u32::from(port.0), reversed(step.node.0));
                        *loads.entry(channel).or_default() += u64::from(message.words);
                    }
                }
            }
            for stage in &collapse.stages {
                let of_row = |row| loads.get(&(stage.dimension, row)).copied().unwrap_or(0);
                let loads: Vec<u64> = (0..rows).map(of_row).collect();
                let ends = (*loads.iter().min().unwrap(), *loads.iter().max().unwrap());
                assert_eq!(ends, stage.on_edges, "dimension {} of {n}", stage.dimension);
            }
        }
    }

    /// Networks whose rows are no bits, or come by a bit twice, or that have none.
    #[test]
    fn other_networks_are_refused() {
        let stages = Size::of([(&DIM, 3), (&RADIX, 2)]);
        let others = [
            ("benes", stages, "shortest"),
            ("double-butterfly", stages, "two-phase"),
            ("hypercube", Size::of_dim(3), "ecube"),
        ];
        for (name, size, routing) in others {
            let network = Network::new(name, size, Some(routing), None).unwrap();
            let error = collapse(network.topology(), network.relation(), &[]).unwrap_err();
            assert!(matches!(error, CollapseError::NoButterfly { .. }), "{error}");
            assert!(error.to_string().contains("radix 2"), "{error}");
        }
    }
}
