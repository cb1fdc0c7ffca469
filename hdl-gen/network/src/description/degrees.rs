//! Counts of the channels that leave each node and that arrive there, kept while channels are made.

use super::MOST_PORTS;

/// Channels that leave and that arrive, by node.
#[derive(Default)]
pub(super) struct Degrees(Vec<[usize; 2]>);

impl Degrees {
    /// Counts a channel, and with `both_ways` that back.
    ///
    /// # Errors
    /// The node that would have more than [`MOST_PORTS`] that leave or arrive.
    pub(super) fn add(&mut self, from: usize, to: usize, both_ways: bool) -> Result<(), usize> {
        let most = from.max(to);
        if self.0.len() <= most {
            self.0.resize(most + 1, [0; 2]);
        }
        for (node, leaves, arrives) in [(from, true, both_ways), (to, both_ways, true)] {
            for (way, counts) in [leaves, arrives].into_iter().enumerate() {
                let count = &mut self.0[node][way];
                *count += usize::from(counts);
                if *count > MOST_PORTS {
                    return Err(node);
                }
            }
        }
        Ok(())
    }
}
