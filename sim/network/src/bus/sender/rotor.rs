//! Senders that take turns.

use turnpike_bus::protocol::rotor::{receiver, slots};

/// The slot of the turn.
#[derive(Clone, Debug)]
pub(in crate::bus) struct State {
    side: u32,
    position: u32,
    slot: u32,
}

impl State {
    pub fn new(side: u32, position: u32) -> Self {
        Self { side, position, slot: 0 }
    }

    pub fn reset(&mut self) {
        self.slot = 0;
    }

    /// A slot for data: the first of the words that is for the receiver whose turn it is, by their
    /// receivers.
    pub fn picks(&mut self, mut receivers: impl Iterator<Item = u32>) -> Option<usize> {
        let turn = receiver(self.side, self.position, self.slot);
        self.slot = (self.slot + 1) % slots(self.side);
        receivers.position(|receiver| receiver == turn)
    }
}
