//! How a terminal's side makes the header of a new packet, as hardware and as a function.

use super::{Header, low_bits};
use crate::topology::Node;

/// How a destination is seen from a source, what a header begins with: the low bits of its
/// address XOR those of the source's, the bits above as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// How many low bits of an address are seen as source XOR destination.
    pub difference_bits: u32,
    /// How many bits above them are seen as they are.
    pub plain_bits: u32,
}

impl View {
    /// Source XOR destination.
    pub fn difference(bits: u32) -> Self {
        Self { difference_bits: bits, plain_bits: 0 }
    }

    /// Bits of an address, and of what is seen of it.
    pub fn bits(self) -> u32 {
        self.difference_bits + self.plain_bits
    }

    /// What is seen.
    pub fn of(self, source: Node, destination: Node) -> u64 {
        let source = u64::from(source.0) & low_bits(self.difference_bits);
        u64::from(destination.0) ^ source
    }
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

/// How the terminal's side makes a header: what is seen of the destination, unless only tables
/// need it, and above that, each above the other, fields by table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injection {
    /// What is seen of the destination.
    pub view: View,
    /// Whether the header begins with that.
    pub keeps_view: bool,
    /// The fields above them.
    pub fields: Vec<FieldTable>,
    /// Whether a register stands between the terminal and the tables, so that they never share
    /// a clock cycle with the user's logic. Costs one cycle of latency.
    pub registered: bool,
}

impl Injection {
    /// What is seen alone.
    pub fn plain(view: View) -> Self {
        Self { view, keeps_view: true, fields: Vec::new(), registered: false }
    }

    /// The header of a packet.
    pub fn header(&self, source: Node, destination: Node) -> Header {
        let seen = self.view.of(source, destination);
        let mut low = self.fields_at();
        let mut header = if self.keeps_view { seen } else { 0 };
        for field in &self.fields {
            let index = seen >> field.low & low_bits(field.index_bits);
            header |= field.rows[index as usize] << low;
            low += field.bits;
        }
        header
    }

    /// The lowest bit of the first field.
    pub fn fields_at(&self) -> u32 {
        if self.keeps_view { self.view.bits() } else { 0 }
    }

    /// Width of the header.
    pub fn bits(&self) -> u32 {
        self.fields_at() + self.fields.iter().map(|field| field.bits).sum::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_above_what_is_seen() {
        let view = View { difference_bits: 2, plain_bits: 1 };
        assert_eq!(view.of(Node(0b101), Node(0b110)), 0b111);
        let rows = vec![0, 2];
        let field = FieldTable { name: "field", low: 2, index_bits: 1, bits: 2, rows };
        let fields = vec![field];
        let mut injection = Injection { view, keeps_view: true, fields, registered: false };
        assert_eq!((injection.bits(), injection.header(Node(5), Node(6))), (5, 0b10_111));
        assert_eq!(injection.header(Node(5), Node(2)), 0b00_011);
        injection.keeps_view = false;
        assert_eq!((injection.bits(), injection.header(Node(5), Node(6))), (2, 0b10));
    }
}
