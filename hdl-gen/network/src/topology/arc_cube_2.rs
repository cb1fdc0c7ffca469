//! The n-cube with two processing elements on each edge, one for each direction (Heller,
//! Directed Cube Networks, CSG Memo 253, 1985, section 2, footnote 4): n·2^n processing
//! elements with one input and one output, and 2^n switches, which have no terminal.
//!
//! **Nodes.** Processing elements come first: the one on the way from switch s across bit i is
//! number i·2^n + s. Then come the switches, in the order of their labels.
//!
//! **Labels.** A switch has the n binary digits of the cube's node, a processing element those
//! with `u` (up, from 0 to 1) or `d` (down) in the place of the bit that it leads across:
//! `0u1` stands on the way from `001` to `011`, `0d1` on the way back.
//!
//! **Ports.** `dim<i>` leads across bit i, from the switch into the processing element and out
//! of it into the next switch. XOR by any vector keeps all names.

use super::positions::{self, Position};
use super::{Node, Port, Size, Sizes, Topology, TopologyError, TopologyKind, labels};

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "arc-cube-2",
    aliases: &[],
    summary: "n-cube with a processing element on each direction of each edge",
    sizes: Sizes::dim(2, 7, 7),
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(ArcCube2::new(size.dim())?)),
};

/// The n-cube with two processing elements on each edge.
#[derive(Debug, Clone, Copy)]
pub struct ArcCube2 {
    dimension: u32,
}

impl ArcCube2 {
    /// The network over the cube of this dimension, 2 to 8.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside that range.
    pub fn new(dimension: u32) -> Result<Self, TopologyError> {
        KIND.check(dimension)?;
        Ok(Self { dimension })
    }

    /// The bit that a processing element leads across (n for a switch), and the label of the
    /// switch before it (for a switch its own).
    pub fn place(&self, node: Node) -> (u32, u32) {
        (node.0 >> self.dimension, node.0 & ((1 << self.dimension) - 1))
    }

    /// The processing element on the way from switch `from` across bit `dimension`; the
    /// switch itself for `dimension` = n.
    pub fn at(&self, dimension: u32, from: u32) -> Node {
        Node(dimension << self.dimension | from)
    }
}

impl Topology for ArcCube2 {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_dim(self.dimension)
    }
    fn nodes(&self) -> u32 {
        (self.dimension + 1) << self.dimension
    }
    fn terminals(&self) -> u32 {
        self.dimension << self.dimension
    }
    fn label(&self, node: Node) -> String {
        let (dimension, from) = self.place(node);
        if dimension == self.dimension {
            return labels::binary(from, self.dimension);
        }
        let direction = if from >> dimension & 1 == 0 { 'u' } else { 'd' };
        labels::crossed(from, self.dimension, dimension, direction)
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (dimension, from) = self.place(node);
        Some(match dimension == self.dimension {
            true => positions::corner(from, self.dimension),
            false => positions::on_edge(from, dimension, self.dimension, 0.15),
        })
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let n = self.dimension;
        let switch = || labels::parse_binary(label, n).map(|from| self.at(n, from));
        let up = || labels::parse_crossed(label, n, 'u').map(|(i, low)| self.at(i, low));
        let down = || labels::parse_crossed(label, n, 'd').map(|(i, low)| self.at(i, low | 1 << i));
        switch().or_else(up).or_else(down).ok_or_else(|| TopologyError::Label {
            topology: KIND.name,
            label: label.to_owned(),
            expected: format!(
                "{n} binary digits for a switch, with a u (up) or d (down) in the place of one \
                 of them for the processing element across that bit, such as {}",
                self.label(Node(0))
            ),
        })
    }
    fn ports(&self) -> u8 {
        self.dimension as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("dim{}", port.0)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let crossed = u32::from(output.0);
        let (dimension, label) = self.place(from);
        let to = if dimension == self.dimension {
            (crossed < dimension).then(|| self.at(crossed, label))
        } else {
            (crossed == dimension).then(|| self.at(self.dimension, label ^ 1 << dimension))
        };
        to.map(|to| (to, output))
    }
    /// A processing element leads one way, and none has its own input behind it.
    /// XOR by any vector; its orbits are the processing elements of a dimension and the
    /// switches.
    fn representative(&self, node: Node) -> Node {
        self.at(self.place(node).0, 0)
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        Node(node.0 ^ self.place(to).1)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.translate(node, to)
    }
    fn generators(&self) -> Vec<Node> {
        (0..self.dimension).map(|i| self.at(self.dimension, 1 << i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests;

    #[test]
    fn keeps_the_contract() {
        for n in 2..=6 {
            tests::keeps_the_contract(&ArcCube2::new(n).unwrap());
        }
    }

    #[test]
    fn elements_stand_on_the_way_that_their_label_says() {
        let cube = ArcCube2::new(3).unwrap();
        let reach = |from: &str, to: &str| {
            let (from, to) = (cube.node(from).unwrap(), cube.node(to).unwrap());
            cube.distances(from)[to.0 as usize]
        };
        assert_eq!((reach("001", "0u1"), reach("0u1", "011")), (1, 1));
        assert_eq!((reach("011", "0d1"), reach("0d1", "001")), (1, 1));
        // Out at 011, across 00x back to 001's other way: not through itself.
        assert_eq!((reach("0u1", "0d1"), reach("011", "0u1")), (2, 3));
        assert_eq!((cube.node("0u1"), cube.node("000")), (Ok(Node(9)), Ok(Node(24))));
        for n in 2..=7 {
            let cube = ArcCube2::new(n).unwrap();
            assert_eq!(cube.channels(), 2 * u64::from(cube.terminals()));
        }
    }

    /// From the far end of the first to the near end of the second, twice the cube's distance.
    #[test]
    fn distances_are_twice_the_cubes() {
        for n in 2..=6 {
            let cube = ArcCube2::new(n).unwrap();
            for from in cube.all_nodes() {
                let distances = cube.distances(from);
                for to in cube.all_nodes().filter(|&to| to != from) {
                    let ((i, a), (j, b)) = (cube.place(from), cube.place(to));
                    let (first, last) = (u32::from(i < n), u32::from(j < n));
                    let exit = if i < n { a ^ 1 << i } else { a };
                    let expected = 2 * (exit ^ b).count_ones() + first + last;
                    assert_eq!(distances[to.0 as usize], expected);
                }
            }
        }
    }

    #[test]
    fn labels_and_dimensions_are_bounded() {
        let cube = ArcCube2::new(3).unwrap();
        for bad in ["", "0ud", "uuu", "0x1", "0u", "00u1"] {
            let text = cube.node(bad).unwrap_err().to_string();
            assert!(text.contains("a u (up) or d (down)"), "{text}");
        }
        for bad in [0, 1, 8, u32::MAX] {
            assert!(ArcCube2::new(bad).unwrap_err().to_string().ends_with("use 2 to 7"));
        }
    }
}
