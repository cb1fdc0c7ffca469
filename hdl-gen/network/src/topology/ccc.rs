//! Cube-connected cycles in five variants (Heller, Directed Cube Networks, CSG Memo 253, 1985,
//! section 7; the last is Preparata's and Vuillemin's own form, as the memo describes it): the
//! n-cube with each node replaced by a ring.
//!
//! A node (r, p) is position p of ring r. Its label is r in n binary digits and p in decimal,
//! `011_2`; its number is p·2^n + r, so the low n address bits are the ring.
//!
//! Position p of a ring stands at bit p of r, counted from the least significant. (The memo
//! attaches its q-th node to the q-th bit and counts bits from the left: the mirror image.)
//!
//! | port | goes from (r, p) to | variants |
//! | --- | --- | --- |
//! | `forward` | (r, p+1) | all |
//! | `backward` | (r, p−1) | undirected rings |
//! | `lateral` | (r with bit p changed, p) | `ccc`, `dccc`, `pv-ccc` |
//! | `across` | (r with bit p changed, p+1) | the clever ones |
//!
//! Positions count modulo the size of the ring.

mod variant;

pub use variant::{CCC, CLEVER_CCC, CLEVER_DCCC, DCCC, Link, PV_CCC, Variant};

use super::positions::{self, Position};
use super::{Node, Port, Size, Structure, Topology, TopologyError, labels};
use turnpike_base::bits::bits_for;

/// Cube-connected cycles.
#[derive(Debug, Clone, Copy)]
pub struct Ccc {
    variant: Variant,
    dimension: u32,
    /// Whether a translation may turn all rings.
    turning: bool,
}

impl Ccc {
    /// The dimension of its cube.
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    /// The network of this variant over the cube of this dimension, 3 to 16.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside that range.
    pub fn new(variant: Variant, dimension: u32) -> Result<Self, TopologyError> {
        variant.kind().check(dimension)?;
        let turning = variant != Variant::PowerOfTwo;
        Ok(Self { variant, dimension, turning })
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Nodes of a ring.
    pub fn ring(&self) -> u32 {
        match self.variant {
            Variant::PowerOfTwo => self.dimension.next_power_of_two(),
            _ => self.dimension,
        }
    }

    /// The node at position `p` (taken modulo the ring) of ring `r`.
    pub fn at(&self, r: u32, p: u32) -> Node {
        Node((p % self.ring()) << self.dimension | r)
    }

    /// The ring and the position of a node.
    pub fn place(&self, node: Node) -> (u32, u32) {
        (node.0 & self.rings_mask(), node.0 >> self.dimension)
    }

    /// The port of a link, where the variant has it.
    pub fn port(&self, link: Link) -> Option<Port> {
        self.variant.links().iter().position(|&l| l == link).map(|p| Port(p as u8))
    }

    fn link(&self, port: Port) -> Option<Link> {
        self.variant.links().get(usize::from(port.0)).copied()
    }

    fn rings_mask(&self) -> u32 {
        (1 << self.dimension) - 1
    }

    /// Whether turning all rings by one position, and the bits of r with them, is a translation.
    fn turns(&self) -> bool {
        self.turning && self.ring() == self.dimension
    }

    /// r with its bits moved up by `p` < n, cyclically.
    fn rotate(&self, r: u32, p: u32) -> u32 {
        (r << p | r >> (self.dimension - p)) & self.rings_mask()
    }
}

impl Topology for Ccc {
    fn name(&self) -> &'static str {
        self.variant.kind().name
    }
    fn size(&self) -> Size {
        Size::of_dim(self.dimension)
    }
    fn structure(&self) -> Structure {
        Structure::Cycles(*self)
    }
    fn nodes(&self) -> u32 {
        self.ring() << self.dimension
    }
    fn address_bits(&self) -> u32 {
        self.dimension + bits_for(self.ring())
    }
    fn label(&self, node: Node) -> String {
        let (r, p) = self.place(node);
        format!("{}_{p}", labels::binary(r, self.dimension))
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (r, p) = self.place(node);
        Some(positions::in_ring_at_corner(r, self.dimension, p, self.ring()))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let place = label.split_once('_').and_then(|(r, p)| {
            let r = labels::parse_binary(r, self.dimension)?;
            let position = p.parse().ok().filter(|n: &u32| *n < self.ring())?;
            // Neither a sign nor leading zeros.
            (position.to_string() == p).then_some((r, position))
        });
        place.map(|(r, p)| self.at(r, p)).ok_or_else(|| TopologyError::Label {
            topology: self.name(),
            label: label.to_owned(),
            expected: format!(
                "{} binary digits (the ring), an underscore and a position from 0 to {}, such as {}",
                self.dimension,
                self.ring() - 1,
                self.label(self.at(1, 2))
            ),
        })
    }
    fn ports(&self) -> u8 {
        self.variant.links().len() as u8
    }
    fn port_name(&self, port: Port) -> String {
        self.link(port).map_or_else(|| format!("port{}", port.0), |link| link.name().to_owned())
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let (r, p) = self.place(from);
        let to = match self.link(output)? {
            Link::Forward => self.at(r, p + 1),
            Link::Backward => self.at(r, p + self.ring() - 1),
            Link::Lateral | Link::Across if p >= self.dimension => return None,
            Link::Lateral => self.at(r ^ 1 << p, p),
            Link::Across => self.at(r ^ 1 << p, p + 1),
        };
        Some((to, output))
    }
    fn with_fewer_translations(&self) -> Option<Box<dyn Topology>> {
        self.turns().then(|| Box::new(Self { turning: false, ..*self }) as _)
    }
    fn representative(&self, node: Node) -> Node {
        let (_, p) = self.place(node);
        if self.turns() { Node(0) } else { self.at(0, p) }
    }
    /// Image of a node under the translation that takes node 0 to `to` = (R, P): where all rings
    /// turn, (r, p) goes to (r moved up by P, XOR R, p + P), otherwise to (r XOR R, p).
    fn translate(&self, node: Node, to: Node) -> Node {
        let ((r, p), (by_r, by_p)) = (self.place(node), self.place(to));
        if self.turns() {
            self.at(self.rotate(r, by_p) ^ by_r, p + by_p)
        } else {
            self.at(r ^ by_r, p)
        }
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        let ((r, p), (by_r, by_p)) = (self.place(node), self.place(to));
        if self.turns() {
            // As far up again as makes a whole turn.
            let back = (self.ring() - by_p) % self.ring();
            self.at(self.rotate(r ^ by_r, back), p + back)
        } else {
            self.at(r ^ by_r, p)
        }
    }
    fn generators(&self) -> Vec<Node> {
        if self.turns() {
            vec![self.at(1, 0), self.at(0, 1)]
        } else {
            (0..self.dimension).map(|i| self.at(1 << i, 0)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests;

    fn each(n: u32) -> impl Iterator<Item = Ccc> {
        Variant::ALL.into_iter().map(move |v| Ccc::new(v, n).unwrap())
    }

    #[test]
    fn keeps_the_contract() {
        for n in 3..=6 {
            each(n).for_each(|ccc| tests::keeps_the_contract(&ccc));
        }
    }

    /// The memo's section 7, link by link, on pairs (r, p) and with bits as characters.
    #[test]
    fn links_are_the_memos() {
        for ccc in (3..=5).flat_map(each) {
            let ring = ccc.ring();
            for node in ccc.all_nodes() {
                let label = ccc.label(node);
                let (digits, p) = label.split_once('_').unwrap();
                let p: u32 = p.parse().unwrap();
                let flipped: Option<String> = (p < ccc.dimension()).then(|| {
                    // The memo's p-th bit is this one in the mirror image.
                    let mut bits: Vec<char> = digits.chars().rev().collect();
                    bits[p as usize] = if bits[p as usize] == '0' { '1' } else { '0' };
                    bits.into_iter().rev().collect()
                });
                let on = (p + 1) % ring;
                let back = (p + ring - 1) % ring;
                let forward = Some(format!("{digits}_{on}"));
                let backward = Some(format!("{digits}_{back}"));
                let lateral = flipped.as_ref().map(|f| format!("{f}_{p}"));
                let across = flipped.as_ref().map(|f| format!("{f}_{on}"));
                let expected = match ccc.name() {
                    "ccc" | "pv-ccc" => vec![forward, backward, lateral],
                    "dccc" => vec![forward, lateral],
                    "clever-ccc" => vec![forward, backward, across],
                    _ => vec![forward, across],
                };
                let ends: Vec<_> = (0..ccc.ports())
                    .map(|port| ccc.channel(node, Port(port)).map(|(to, _)| ccc.label(to)))
                    .collect();
                assert_eq!(ends, expected, "{} {label}", ccc.name());
            }
        }
    }

    #[test]
    fn nodes_and_channels_are_counted() {
        for n in 3..=10u32 {
            for ccc in each(n) {
                let size = u64::from(n) << n;
                let (nodes, channels) = match ccc.variant() {
                    Variant::Undirected | Variant::Clever => (size, 3 * size),
                    Variant::Directed | Variant::CleverDirected => (size, 2 * size),
                    Variant::PowerOfTwo => {
                        let ring = u64::from(n.next_power_of_two()) << n;
                        (ring, 2 * ring + size)
                    }
                };
                assert_eq!((u64::from(ccc.nodes()), ccc.channels()), (nodes, channels));
                assert!(!ccc.distances(Node(5)).contains(&u32::MAX), "connected");
            }
        }
        let largest = Ccc::new(Variant::PowerOfTwo, 16).unwrap();
        assert_eq!((largest.nodes(), largest.address_bits()), (1 << 20, 20));
    }

    /// Both forms are one network where the ring's size is a power of two.
    #[test]
    fn rings_of_a_power_of_two_are_preparatas_and_vuillemins() {
        for n in [4, 8] {
            let plain = Ccc::new(Variant::Undirected, n).unwrap();
            let padded = Ccc::new(Variant::PowerOfTwo, n).unwrap();
            let ends = |t: &Ccc, node| (0..3).map(|p| t.channel(node, Port(p))).collect::<Vec<_>>();
            assert_eq!(plain.nodes(), padded.nodes());
            plain.all_nodes().for_each(|node| assert_eq!(ends(&plain, node), ends(&padded, node)));
            assert_eq!(padded.representative(Node(7)), Node(0));
        }
        let padded = Ccc::new(Variant::PowerOfTwo, 5).unwrap();
        assert_eq!(padded.generators().len(), 5);
        let sites = padded.all_nodes().filter(|&n| padded.representative(n) == n).count();
        assert_eq!(sites, 8);
    }

    #[test]
    fn labels_and_dimensions_are_bounded() {
        let ccc = Ccc::new(Variant::Directed, 3).unwrap();
        assert_eq!(ccc.label(ccc.at(0b011, 2)), "011_2");
        for bad in ["", "011", "011_", "011_3", "011_02", "011_+2", "11_2", "+11_2", "0112_2"] {
            let text = ccc.node(bad).unwrap_err().to_string();
            assert!(text.contains("a position from 0 to 2, such as 001_2"), "{text}");
        }
        for bad in [0, 2, 17, u32::MAX] {
            let text = Ccc::new(Variant::Clever, bad).unwrap_err().to_string();
            assert!(text.contains("clever-ccc") && text.ends_with("use 3 to 16"), "{text}");
        }
    }
}
