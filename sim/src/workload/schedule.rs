//! Every message of a workload, drawn before it runs.

use super::kinds::{Draw, find};
use super::{WorkloadConfig, WorkloadError};
use turnpike_hdl_gen::network::Network;

/// The destinations of all messages. Message `round * terminals + source` is that of a source
/// in a round; all of a round are released at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    terminals: u32,
    destinations: Vec<u32>,
}

impl Schedule {
    /// Draws it.
    ///
    /// # Errors
    /// [`WorkloadError`] names what is unknown or out of range, or the terminal that has
    /// nobody to send to.
    pub fn draw(network: &Network, config: &WorkloadConfig) -> Result<Self, WorkloadError> {
        let kind = find(&config.workload)?;
        let terminals = network.topology().nodes();
        config.check(terminals)?;
        let rounds = config.rounds();
        let (seed, to_itself) = (config.seed, config.self_addressed && kind.to_itself);
        let destinations = kind.draw(&Draw { network, terminals, rounds, seed, to_itself })?;
        Ok(Self { terminals, destinations })
    }

    /// How many terminals send in each round.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// How many messages there are.
    pub fn messages(&self) -> u32 {
        self.destinations.len() as u32
    }

    /// The destinations of a round, by source; none where there is no such round.
    pub fn round(&self, round: u32) -> &[u32] {
        let terminals = self.terminals as usize;
        self.destinations.chunks(terminals).nth(round as usize).unwrap_or_default()
    }

    /// The terminal that a message comes from, and the one that it goes to.
    pub(super) fn ends(&self, message: u32) -> (u32, u32) {
        (message % self.terminals, self.destinations[message as usize])
    }
}
