//! Packets in which transactions travel: a header of one or more words, then the beats of a write or of
//! a read, one in each word.

use crate::protocol::axi4::ATTRIBUTES;

/// Widths of the words between ends, and what stands in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layout {
    /// Bits of data of a beat.
    pub data: u32,
    /// Bits of addresses of the memory map.
    pub address: u32,
    /// Bits of the address of a terminal on `tdest`.
    pub terminal: u32,
    /// Bits of a tag.
    pub tag: u32,
}

/// Field of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Bits of the field.
    pub bits: u32,
    /// Lowest bit in the header.
    pub low: u32,
}

/// Field of a header that says whether it is of a write: the lowest bit.
pub const WRITE: &str = "write";
/// Field of a header with the tag by which the manager knows its transaction.
pub const TAG: &str = "tag";
/// Field of the header of a request with the address of the terminal that waits for the reply.
pub const SOURCE: &str = "source";
/// Field of the header of a reply to a write with its answer.
pub const RESP: &str = "resp";

impl Layout {
    /// Bits beside the data of a beat: strobes of a write, the answer of a read.
    pub fn side(&self) -> u32 {
        self.word() - self.data
    }

    /// Bits of a word.
    pub fn word(&self) -> u32 {
        word(self.data)
    }

    /// Fields of the header of a request, from bit 0 on.
    pub fn request(&self) -> Vec<Field> {
        let own = [(WRITE, 1), (TAG, self.tag), (SOURCE, self.terminal), ("addr", self.address)];
        placed(own.into_iter().chain(ATTRIBUTES))
    }

    /// Fields of the header of a reply, from bit 0 on.
    pub fn reply(&self) -> Vec<Field> {
        placed([(WRITE, 1), (TAG, self.tag), (RESP, 2)].into_iter())
    }

    /// Words of a header of these fields.
    pub fn words(&self, fields: &[Field]) -> u32 {
        bits(fields).div_ceil(self.word())
    }
}

/// Bits of a word with so many bits of data: those, and the strobes of a write or the answer of a read.
pub fn word(data: u32) -> u32 {
    data + (data / 8).max(2)
}

/// Bits of a header.
pub fn bits(fields: &[Field]) -> u32 {
    fields.iter().map(|field| field.bits).sum()
}

fn placed(fields: impl Iterator<Item = (&'static str, u32)>) -> Vec<Field> {
    let mut low = 0;
    let place = |(name, bits)| {
        let field = Field { name, bits, low };
        low += bits;
        field
    };
    fields.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_side_by_side() {
        let layout = Layout { data: 32, address: 32, terminal: 4, tag: 3 };
        let request = layout.request();
        assert_eq!(request[..4].iter().map(|field| field.low).collect::<Vec<_>>(), [0, 1, 4, 8]);
        assert_eq!((bits(&request), layout.word(), layout.words(&request)), (68, 36, 2));
        assert_eq!(layout.words(&layout.reply()), 1);
        // A beat of 8 bits has room for the answer of a read.
        assert_eq!(Layout { data: 8, ..layout }.word(), 10);
    }
}
