//! A fixed window: whoever has a word sends it in each slot with probability 1/h. For an h-relation
//! whose words are all there, each arrives in the first slot with probability (1-1/h)^(h-1) at
//! least.

use super::{Order, Protocol, ProtocolError, ProtocolKind};

/// The most slots of a window.
pub const MOST_SLOTS: u32 = 4096;
/// Random bits where the window is no power of two.
const BITS: u32 = 16;

/// The entry in the list.
pub const KIND: ProtocolKind = ProtocolKind {
    name: "window",
    summary: "sends in each slot with probability 1/h",
    source: "fixed window, as in Anderson and Miller 1988",
    order: Order::All,
    // As many as may meet on a bus: of fewer slots all together might never get through.
    usual: |most, _| Protocol::Window(Window { slots: most.next_power_of_two().min(MOST_SLOTS) }),
};

/// A window of h slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    slots: u32,
}

impl Window {
    /// A window of so many slots.
    ///
    /// # Errors
    /// Fewer than 2, for then all senders of a collision meet again for ever; more than
    /// [`MOST_SLOTS`].
    pub fn new(slots: u32) -> Result<Self, ProtocolError> {
        match slots {
            1 => Err(ProtocolError::AlwaysSends),
            2..=MOST_SLOTS => Ok(Self { slots }),
            _ => Err(ProtocolError::Window(slots)),
        }
    }

    /// Slots of the window.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Random bits of a slot: as many as 1/h takes exactly, or 16.
    pub fn draw_bits(&self) -> u32 {
        if self.slots.is_power_of_two() { self.slots.ilog2() } else { BITS }
    }

    /// Draws below this send: the nearest to 1/h of them, so that the probability is off by less
    /// than 2^-16.
    pub fn threshold(&self) -> u32 {
        let draws = 1 << self.draw_bits();
        (draws + self.slots / 2) / self.slots
    }

    /// Whether a sender that drew this sends.
    pub fn sends(&self, drawn: u32) -> bool {
        drawn < self.threshold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_draws_sends() {
        for slots in 2..=MOST_SLOTS {
            let window = Window::new(slots).unwrap();
            let draws = 1u32 << window.draw_bits();
            let sending = f64::from(window.threshold()) / f64::from(draws);
            let off = (sending - 1.0 / f64::from(slots)).abs();
            assert!(off < 1.0 / 65_536.0, "{slots}: {off}");
            assert!(!slots.is_power_of_two() || off == 0.0);
            assert!(window.sends(0) && !window.sends(draws - 1));
        }
        assert_eq!(Window::new(1), Err(ProtocolError::AlwaysSends));
        assert_eq!(Window::new(0), Err(ProtocolError::Window(0)));
    }
}
