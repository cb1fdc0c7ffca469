//! How a terminal's side makes the header of a new packet, as hardware and as a function.

use super::{Header, low_bits};
use crate::topology::Node;

/// How a destination is seen from a source: what a header begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Source XOR destination.
    Difference {
        /// Bits of an address.
        bits: u32,
    },
    /// On rings of `positions` nodes whose addresses are {position, ring label}: the difference
    /// of the ring labels, turned so that bit j is the bit of the position j steps forward of
    /// the source; above it, in binary, how many steps forward of the source the destination's
    /// position is.
    Ring {
        /// Bits of a ring label, at least 2.
        label_bits: u32,
        /// Nodes of a ring, at least `label_bits`.
        positions: u32,
    },
}

impl View {
    /// Bits of an address.
    pub fn address_bits(self) -> u32 {
        match self {
            Self::Difference { bits } => bits,
            Self::Ring { label_bits, positions } => label_bits + bits_for(positions),
        }
    }

    /// Bits of what is seen.
    pub fn bits(self) -> u32 {
        match self {
            Self::Difference { bits } => bits,
            Self::Ring { positions, .. } => positions + bits_for(positions),
        }
    }

    /// What is seen.
    pub fn of(self, source: Node, destination: Node) -> u64 {
        match self {
            Self::Difference { .. } => u64::from(source.0 ^ destination.0),
            Self::Ring { label_bits, positions } => {
                let at = |node: Node| node.0 >> label_bits;
                let difference = u64::from(source.0 ^ destination.0) & low_bits(label_bits);
                let here = at(source);
                // Bits of positions without a link are 0.
                let turned = difference >> here | difference << (positions - here);
                let steps = (at(destination) + positions - here) % positions;
                (turned & low_bits(positions)) | u64::from(steps) << positions
            }
        }
    }
}

/// Bits that count to `values` exclusive.
pub(crate) fn bits_for(values: u32) -> u32 {
    u32::BITS - (values - 1).leading_zeros()
}

/// A field of the header by table from what is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldTable {
    /// What it holds: a Verilog identifier.
    pub name: &'static str,
    /// The lowest bit of what is seen that counts.
    pub low: u32,
    /// How many bits of what is seen count.
    pub index_bits: u32,
    /// Width of the field.
    pub bits: u32,
    /// 2^index_bits values.
    pub rows: Vec<u64>,
}

/// How the terminal's side makes a header: what is seen of the destination, and above it, each
/// above the other, fields by table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injection {
    /// The low bits.
    pub view: View,
    /// The fields above them.
    pub fields: Vec<FieldTable>,
    /// Whether a register stands between the terminal and the tables, so that they never share
    /// a clock cycle with the user's logic. Costs one cycle of latency.
    pub registered: bool,
}

impl Injection {
    /// What is seen alone.
    pub fn plain(view: View) -> Self {
        Self { view, fields: Vec::new(), registered: false }
    }

    /// The header of a packet.
    pub fn header(&self, source: Node, destination: Node) -> Header {
        let seen = self.view.of(source, destination);
        let mut low = self.view.bits();
        let mut header = seen;
        for field in &self.fields {
            let index = seen >> field.low & low_bits(field.index_bits);
            header |= field.rows[index as usize] << low;
            low += field.bits;
        }
        header
    }

    /// Width of the header.
    pub fn bits(&self) -> u32 {
        self.view.bits() + self.fields.iter().map(|field| field.bits).sum::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On rings of four, from position 1: bit 0 is position 1's, bit 3 is position 0's.
    #[test]
    fn a_ring_is_seen_from_where_one_stands() {
        let view = View::Ring { label_bits: 4, positions: 4 };
        assert_eq!((view.address_bits(), view.bits()), (6, 6));
        let node = |position: u32, label: u32| Node(position << 4 | label);
        let seen = view.of(node(1, 0b0000), node(0, 0b0011));
        assert_eq!(seen, 0b11_1001);
        let narrow = View::Ring { label_bits: 3, positions: 4 };
        let node = |position: u32, label: u32| Node(position << 3 | label);
        assert_eq!(narrow.of(node(3, 0), node(3, 0b101)), 0b00_1010);
    }
}
