//! Senders that take turns: in data slot t the node at coordinate i of a bus of k sends only to the
//! one at i + 1 + (t mod (k - 1)), counted mod k. The slots of a turn are the matchings of an edge
//! colouring of all pairs, so no two words meet, whatever the traffic is (RotorNet, Mellette and
//! others, SIGCOMM 2017; Sirius, Ballani and others, SIGCOMM 2020).
//!
//! A word that its receiver has no room for waits for the next turn. A receiver that is busy in step
//! with the turns refuses the same senders for ever, as the node of a mesh does that sends on along
//! another bus of as many nodes: fabrics of one bus alone take turns.

use super::{Order, Protocol, ProtocolKind};

/// The most words of a queue: a sender compares the receivers of all of them in a slot.
pub const MOST_DEPTH: u32 = 64;

/// The most nodes on a bus in a simulation: a turn takes the square of them.
pub const MOST_SIMULATED: u32 = 1 << 14;

/// The entry in the list.
pub const KIND: ProtocolKind = ProtocolKind {
    name: "rotor",
    summary: "takes turns: in each slot to one receiver alone, no two senders to the same",
    source: "round-robin matchings, as RotorNet, Mellette and others, SIGCOMM 2017",
    order: Order::PerReceiver,
    usual: |_, _| Protocol::Rotor,
};

/// Slots of a turn on a bus of `side` nodes.
pub fn slots(side: u32) -> u32 {
    side - 1
}

/// Receiver to which the node at `position` on a bus of `side` nodes may send in a slot of its turn.
pub fn receiver(side: u32, position: u32, slot: u32) -> u32 {
    (position + 1 + slot) % side
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every node hears one other in each slot; in a turn each hears all others.
    #[test]
    fn every_slot_is_a_matching_and_a_turn_has_all_pairs() {
        for side in 2..=40 {
            let mut pairs = BTreeSet::new();
            for slot in 0..slots(side) {
                let heard: BTreeSet<u32> = (0..side).map(|i| receiver(side, i, slot)).collect();
                assert_eq!(heard.len() as u32, side);
                pairs.extend((0..side).map(|i| (i, receiver(side, i, slot))));
            }
            assert_eq!(pairs.len() as u32, side * (side - 1));
            assert!(pairs.iter().all(|(from, to)| from != to));
        }
    }
}
