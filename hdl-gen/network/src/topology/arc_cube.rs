//! The n-cube with a processing element on each edge (Heller, Directed Cube Networks, CSG Memo
//! 253, 1985, section 2, figure 2-1): n·2^(n−1) dual-ported processing elements, which switch
//! both ways, and the cube's 2^n switches, which have no terminal.
//!
//! **Nodes.** Processing elements come first, so that their numbers are the addresses: the one
//! on the edge that changes bit i between the switches u (bit i = 0) and u + 2^i is number
//! i·2^(n−1) + (u without bit i). Then come the switches, in the order of their labels.
//!
//! **Labels.** A switch has the n binary digits of the cube's node, a processing element those
//! of its ends with an `x` where they differ: `0x1` stands between `001` and `011`.
//!
//! **Ports.** `dim<i>_even` and `dim<i>_odd` (numbers 2i and 2i + 1) lead across bit i. A
//! processing element has both of its bit, one to the end whose label has an even number of
//! ones and one to the other end; the switch at that end calls the link the same. So a link has
//! one name at both ends, and XOR by an even vector keeps all names.

use super::positions::{self, Position};
use super::{Node, Port, Size, Sizes, Topology, TopologyError, TopologyKind, labels};

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "arc-cube",
    aliases: &[],
    summary: "n-cube with a dual-ported processing element on each edge",
    sizes: Sizes::dim(2, 6, 6),
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(ArcCube::new(size.dim())?)),
};

/// The n-cube with a processing element on each edge.
#[derive(Debug, Clone, Copy)]
pub struct ArcCube {
    dimension: u32,
}

/// Kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The processing element on the edge that changes bit `dimension` of switch `low`, where
    /// that bit is 0.
    Element {
        /// The bit.
        dimension: u32,
        /// The label of the end where it is 0.
        low: u32,
    },
    /// The switch of this label.
    Switch(u32),
}

impl ArcCube {
    /// The network over the cube of this dimension, 2 to 8.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside that range.
    pub fn new(dimension: u32) -> Result<Self, TopologyError> {
        KIND.check(dimension)?;
        Ok(Self { dimension })
    }

    /// Kind of a node, with its place.
    pub fn place(&self, node: Node) -> Place {
        match node.0.checked_sub(self.terminals()) {
            Some(label) => Place::Switch(label),
            None => {
                let dimension = node.0 >> (self.dimension - 1);
                let rest = node.0 & ((1 << (self.dimension - 1)) - 1);
                let below = rest & ((1 << dimension) - 1);
                Place::Element { dimension, low: (rest - below) << 1 | below }
            }
        }
    }

    /// The switch of a label.
    pub fn switch(&self, label: u32) -> Node {
        Node(self.terminals() + label)
    }

    /// The processing element on the edge that changes bit `dimension` of the switch `end`.
    pub fn element(&self, dimension: u32, end: u32) -> Node {
        let below = end & ((1 << dimension) - 1);
        Node(dimension << (self.dimension - 1) | (end >> (dimension + 1)) << dimension | below)
    }
}

impl Topology for ArcCube {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_dim(self.dimension)
    }
    fn nodes(&self) -> u32 {
        self.terminals() + (1 << self.dimension)
    }
    fn terminals(&self) -> u32 {
        self.dimension << (self.dimension - 1)
    }
    fn label(&self, node: Node) -> String {
        match self.place(node) {
            Place::Switch(label) => labels::binary(label, self.dimension),
            Place::Element { dimension, low } => {
                labels::crossed(low, self.dimension, dimension, 'x')
            }
        }
    }
    fn position(&self, node: Node) -> Option<Position> {
        Some(match self.place(node) {
            Place::Switch(label) => positions::corner(label, self.dimension),
            Place::Element { dimension, low } => {
                positions::on_edge(low, dimension, self.dimension, 0.0)
            }
        })
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let element = || {
            let (dimension, end) = labels::parse_crossed(label, self.dimension, 'x')?;
            Some(self.element(dimension, end))
        };
        let switch = labels::parse_binary(label, self.dimension).map(|label| self.switch(label));
        switch.or_else(element).ok_or_else(|| TopologyError::Label {
            topology: KIND.name,
            label: label.to_owned(),
            expected: format!(
                "{} binary digits for a switch, with an x in the place of one of them for the \
                 processing element between two, such as {}",
                self.dimension,
                self.label(Node(0))
            ),
        })
    }
    fn ports(&self) -> u8 {
        2 * self.dimension as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("dim{}_{}", port.0 / 2, if port.0.is_multiple_of(2) { "even" } else { "odd" })
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let (crossed, odd) = (u32::from(output.0 / 2), u32::from(output.0 % 2));
        let to = match self.place(from) {
            Place::Switch(label) => (crossed < self.dimension && label.count_ones() % 2 == odd)
                .then(|| self.element(crossed, label)),
            Place::Element { dimension, low } => (crossed == dimension).then(|| {
                let is_low = low.count_ones() % 2 == odd;
                self.switch(if is_low { low } else { low | 1 << dimension })
            }),
        };
        to.map(|to| (to, output))
    }
    /// XOR by an even vector keeps the parity of switches, and no edge lies on itself. Its
    /// orbits are the processing elements of a dimension, the even and the odd switches.
    fn representative(&self, node: Node) -> Node {
        match self.place(node) {
            Place::Switch(label) => self.switch(label.count_ones() % 2),
            Place::Element { dimension, .. } => self.element(dimension, 0),
        }
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        let vector = match self.place(to) {
            Place::Switch(label) => label ^ (label.count_ones() % 2),
            // Of the two vectors that take edge to edge, the even one.
            Place::Element { dimension, low } => low | ((low.count_ones() % 2) << dimension),
        };
        match self.place(node) {
            Place::Switch(label) => self.switch(label ^ vector),
            Place::Element { dimension, low } => self.element(dimension, low ^ vector),
        }
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.translate(node, to)
    }
    fn generators(&self) -> Vec<Node> {
        (0..self.dimension - 1).map(|i| self.switch(0b11 << i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests;

    #[test]
    fn keeps_the_contract() {
        for n in 2..=6 {
            tests::keeps_the_contract(&ArcCube::new(n).unwrap());
        }
    }

    #[test]
    fn switches_have_n_links_both_ways_and_elements_two() {
        for n in 2..=6 {
            let cube = ArcCube::new(n).unwrap();
            assert_eq!(cube.channels(), 4 * u64::from(cube.terminals()));
            for node in cube.all_nodes() {
                let label = cube.label(node);
                let is_element = label.contains('x');
                assert_eq!(node.0 < cube.terminals(), is_element);
                let ends: Vec<String> = (0..cube.ports())
                    .filter_map(|p| cube.channel(node, Port(p)))
                    .map(|(to, _)| cube.label(to))
                    .collect();
                assert_eq!(ends.len(), if is_element { 2 } else { n as usize });
                for end in ends {
                    let (element, switch) =
                        if is_element { (&label, &end) } else { (&end, &label) };
                    let differs = element.chars().zip(switch.chars()).filter(|(a, b)| a != b);
                    assert_eq!(differs.map(|(a, _)| a).collect::<String>(), "x");
                }
            }
        }
    }

    /// Between switches twice the cube's; between elements 2 more than twice the distance of
    /// their nearest ends, both of any two ends being open.
    #[test]
    fn distances_are_twice_the_cubes() {
        for n in 2..=6 {
            let cube = ArcCube::new(n).unwrap();
            let ends = |node| match cube.place(node) {
                Place::Switch(label) => vec![label],
                Place::Element { dimension, low } => vec![low, low | 1 << dimension],
            };
            for from in cube.all_nodes() {
                let distances = cube.distances(from);
                for to in cube.all_nodes().filter(|&to| to != from) {
                    let (a, b) = (ends(from), ends(to));
                    let near = a.iter().flat_map(|x| b.iter().map(move |y| (x ^ y).count_ones()));
                    let elements = (a.len() + b.len() - 2) as u32;
                    let expected = 2 * near.min().unwrap() + elements;
                    assert_eq!(distances[to.0 as usize], expected);
                }
            }
        }
    }

    #[test]
    fn numbers_labels_and_dimensions() {
        let cube = ArcCube::new(3).unwrap();
        // Bit 1 between 001 and 011: 1 * 4 + 01.
        assert_eq!(cube.node("0x1"), Ok(Node(5)));
        assert_eq!(cube.node("000"), Ok(Node(12)));
        assert_eq!((cube.port_name(Port(4)), cube.port_name(Port(5))).1, "dim2_odd");
        for bad in ["", "0xx", "xxx", "0x", "0X1", "00x1", "0u1", "+x1"] {
            let text = cube.node(bad).unwrap_err().to_string();
            assert!(text.contains("3 binary digits for a switch"), "{text}");
        }
        for bad in [0, 1, 7, u32::MAX] {
            assert!(ArcCube::new(bad).unwrap_err().to_string().ends_with("use 2 to 6"));
        }
    }
}
