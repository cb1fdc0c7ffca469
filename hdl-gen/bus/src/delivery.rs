//! Promise of bus fabrics on the delivery of words.

use crate::BusPlan;
use turnpike_base::delivery::CONDITION;

impl BusPlan {
    /// Promise of delivery, with its condition, as a sentence.
    pub fn delivery(&self) -> String {
        match self.protocol.draw_bits() {
            // Only senders that take turns draw nothing.
            0 => "No delivery is promised: no words meet, and each waits for its turn, which comes \
                  every k - 1 slots on a bus of k nodes. It is delivered once, when its receiver has \
                  room in its turn: a receiver that is busy in step with the turns, as its sink \
                  stalls or its own words come, may starve a sender for as long as it is."
                .to_owned(),
            _ => format!(
                "Every word that was taken from a source is delivered, once, with probability 1 \
                 {CONDITION}: queues never overflow, and no words wait for each other in a circle. \
                 There is no bound on its time: senders that meet more often than the protocol's \
                 numbers foresee may take very long."
            ),
        }
    }
}
