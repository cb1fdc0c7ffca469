//! Binary exponential backoff: a word that comes to the front is sent at once. After its i-th
//! failure the sender lets a number of slots pass that is drawn evenly from 0 to 2^min(i,m) - 1
//! (Metcalfe and Boggs, Ethernet, CACM 1976).

use super::{Order, Protocol, ProtocolError, ProtocolKind};
use turnpike_base::bits::low_bits;

/// The largest exponent.
pub const MOST_EXPONENT: u32 = 16;

/// The entry in the list.
pub const KIND: ProtocolKind = ProtocolKind {
    name: "backoff",
    summary: "sends at once; after each failure waits for a time from a range that doubles",
    source: "binary exponential backoff, Metcalfe and Boggs, CACM 1976",
    order: Order::All,
    usual: |_, _| Protocol::Backoff(Backoff { most: 10 }),
};

/// Backoff with a largest exponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backoff {
    most: u32,
}

impl Backoff {
    /// The range doubles so many times at most.
    ///
    /// # Errors
    /// Less than 1 or more than [`MOST_EXPONENT`].
    pub fn new(most: u32) -> Result<Self, ProtocolError> {
        match most {
            1..=MOST_EXPONENT => Ok(Self { most }),
            _ => Err(ProtocolError::Exponent(most)),
        }
    }

    /// Number of times that the range doubles, at most.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Random bits that are drawn at a failure.
    pub fn draw_bits(&self) -> u32 {
        self.most
    }

    /// Slots to let pass after so many failures of a word, 1 or more, by what was drawn.
    pub fn wait(&self, failures: u32, drawn: u32) -> u32 {
        drawn & low_bits(failures.min(self.most)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_doubles() {
        let backoff = Backoff::new(3).unwrap();
        for (failures, most) in [(1, 1), (2, 3), (3, 7), (4, 7), (100, 7)] {
            let waits = (0..8).map(|drawn| backoff.wait(failures, drawn));
            let mut waits: Vec<u32> = waits.collect();
            waits.sort_unstable();
            waits.dedup();
            assert_eq!(waits, (0..=most).collect::<Vec<_>>());
        }
        assert_eq!(Backoff::new(17), Err(ProtocolError::Exponent(17)));
    }
}
