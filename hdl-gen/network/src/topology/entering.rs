//! The inverse of [`Topology::channel`]: which channel ends at an input port. It is built here and
//! nowhere else.

use super::{Node, Port, Topology};

/// A channel by its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EnteringChannel {
    /// The input port where it ends.
    pub input: Port,
    /// The node that it leaves.
    pub from: Node,
    /// The output port that it leaves by.
    pub output: Port,
}

/// The channels that end at some nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entering {
    /// Ascending.
    nodes: Vec<Node>,
    /// By place in `nodes`; those of a node by their input ports, ascending.
    channels: Vec<Vec<EnteringChannel>>,
}

impl Entering {
    /// The channels that end at any node. Memory is linear in the number of channels.
    pub fn of<T: Topology + ?Sized>(topology: &T) -> Self {
        let nodes: Vec<Node> = topology.all_nodes().collect();
        Self::at(topology, &nodes)
    }

    /// The channels that end at these nodes, which ascend. Memory is linear in their number.
    pub fn at<T: Topology + ?Sized>(topology: &T, nodes: &[Node]) -> Self {
        let mut channels = vec![Vec::new(); nodes.len()];
        for from in topology.all_nodes() {
            for output in (0..topology.ports()).map(Port) {
                if let Some((to, input)) = topology.channel(from, output)
                    && let Some(at) = place(nodes, to)
                {
                    channels[at].push(EnteringChannel { input, from, output });
                }
            }
        }
        channels.iter_mut().for_each(|channels| channels.sort_unstable());
        Self { nodes: nodes.to_vec(), channels }
    }

    /// The nodes whose channels are known, ascending.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The channels that end at a node, by their input ports; none for a node that is not known.
    pub fn channels(&self, node: Node) -> &[EnteringChannel] {
        place(&self.nodes, node).map_or(&[], |at| &self.channels[at])
    }

    /// The node and the output port whose channel ends at this input port.
    pub fn channel(&self, node: Node, input: Port) -> Option<(Node, Port)> {
        let channels = self.channels(node);
        let at = channels.binary_search_by_key(&input, |channel| channel.input).ok()?;
        Some((channels[at].from, channels[at].output))
    }

    /// Whether a turn at a node goes back to the node that the packet came from: the channel of
    /// the output ends where the channel of the input begins.
    pub fn is_u_turn(
        &self,
        topology: &dyn Topology,
        node: Node,
        input: Port,
        output: Port,
    ) -> bool {
        let came = self.channel(node, input).map(|(from, _)| from);
        let goes = topology.channel(node, output).map(|(to, _)| to);
        came.is_some() && came == goes
    }
}

fn place(nodes: &[Node], node: Node) -> Option<usize> {
    // Most often all nodes are there.
    match nodes.get(node.0 as usize) {
        Some(&there) if there == node => Some(node.0 as usize),
        _ => nodes.binary_search(&node).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::hypercube::Hypercube;

    #[test]
    fn every_channel_is_found_by_its_end() {
        let cube = Hypercube::new(3).unwrap();
        let (all, some) = (Entering::of(&cube), Entering::at(&cube, &[Node(2), Node(5)]));
        for node in cube.all_nodes() {
            assert_eq!(all.channels(node).len(), 3);
            assert_eq!(some.channels(node).len(), if [2, 5].contains(&node.0) { 3 } else { 0 });
            for port in (0..3).map(Port) {
                let (to, input) = cube.channel(node, port).unwrap();
                assert_eq!(all.channel(to, input), Some((node, port)));
                for back in (0..3).map(Port) {
                    assert_eq!(all.is_u_turn(&cube, to, input, back), back == port);
                }
            }
        }
        assert_eq!(some.channel(Node(3), Port(0)), None);
    }
}
