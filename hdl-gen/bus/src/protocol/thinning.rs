//! Thinning: each node picks one of the words of a window at random and sends it, if it holds so
//! many; the window halves as words get fewer (Anderson and Miller, Optical communication for
//! pointer based algorithms, 1988; Goldberg, Jerrum, Leighton and Rao 1993).
//!
//! With a window of w every word is sent with probability 1/w, and one of an h-relation with h at
//! most w gets through with probability (1-1/w)^(w-1) at least, which is more than 1/e. The window
//! stays for 2(w + log h) slots, is halved down to 2, and begins at h again: with 1, two nodes with
//! a word each for one receiver would meet in every slot. So would two that hold a window of words
//! and more: a fabric's window is larger than its queues are deep.

use super::{Order, Protocol, ProtocolError, ProtocolKind};
use turnpike_base::bits::low_bits;

/// The largest window.
pub const MOST_WINDOW: u32 = 4096;

/// The entry in the list.
pub const KIND: ProtocolKind = ProtocolKind {
    name: "thinning",
    summary: "sends a word picked at random from a window, which halves as words get fewer",
    source: "Anderson and Miller 1988; Goldberg, Jerrum, Leighton and Rao 1993",
    order: Order::None,
    usual: |most, words| {
        // As many as may be for one receiver of a bus.
        let most = u32::saturating_mul(most, words);
        let first = most.min(MOST_WINDOW).next_power_of_two().max(2);
        Protocol::Thinning(Thinning { first })
    },
};

/// Thinning from a window of h words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thinning {
    first: u32,
}

/// State of a sender: how often the window was halved, and the slots of this window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// Times that it was halved.
    pub halved: u32,
    /// Slots of this window that are over.
    pub slots: u32,
}

impl Thinning {
    /// Thinning from this window, a power of two.
    ///
    /// # Errors
    /// A window of 1, none, too large, or no power of two.
    pub fn new(first: u32) -> Result<Self, ProtocolError> {
        match first {
            1 => Err(ProtocolError::AlwaysSends),
            2..=MOST_WINDOW if first.is_power_of_two() => Ok(Self { first }),
            _ => Err(ProtocolError::Thinning(first)),
        }
    }

    /// The first window.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Random bits of a slot.
    pub fn draw_bits(&self) -> u32 {
        self.first.ilog2()
    }

    /// Windows: the first, and each half of the one before down to 2.
    pub fn windows(&self) -> u32 {
        self.first.ilog2()
    }

    /// The window that was halved so often.
    pub fn window(&self, halved: u32) -> u32 {
        self.first >> halved
    }

    /// Slots that a window stays.
    pub fn slots(&self, halved: u32) -> u32 {
        2 * (self.window(halved) + self.windows())
    }

    /// Index of the word of a window that a draw picks.
    pub fn picks(&self, halved: u32, drawn: u32) -> u32 {
        drawn & low_bits(self.window(halved).ilog2()) as u32
    }

    /// State after a slot.
    pub fn after(&self, Stand { halved, slots }: Stand) -> Stand {
        match slots + 1 < self.slots(halved) {
            true => Stand { halved, slots: slots + 1 },
            false => Stand { halved: (halved + 1) % self.windows(), slots: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_halve_and_begin_again() {
        let thinning = Thinning::new(8).unwrap();
        let mut stand = Stand { halved: 0, slots: 0 };
        let mut stays = [0; 3];
        for _ in 0..2 * (22 + 14 + 10) {
            stays[stand.halved as usize] += 1;
            assert!(thinning.picks(stand.halved, u32::MAX) + 1 == thinning.window(stand.halved));
            stand = thinning.after(stand);
        }
        assert_eq!(stand, Stand { halved: 0, slots: 0 });
        assert_eq!(stays, [44, 28, 20]);
        for (window, error) in [
            (1, ProtocolError::AlwaysSends),
            (6, ProtocolError::Thinning(6)),
            (0, ProtocolError::Thinning(0)),
            (8192, ProtocolError::Thinning(8192)),
        ] {
            assert_eq!(Thinning::new(window), Err(error));
        }
    }
}
