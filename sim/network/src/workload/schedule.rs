//! Every message of a workload, drawn before it runs.

use super::kinds::{Draw, find};
use super::{WorkloadConfig, WorkloadError};
use turnpike_analysis::network::Network;
use turnpike_network::topology::{Terminal, Topology};

/// The destinations of all messages: round after round, in each by source. All of a round are
/// released at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The terminals that send and take, ascending.
    terminals: Vec<u32>,
    /// Terminals too.
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
        let terminals = terminals(network.topology());
        if terminals.is_empty() {
            return Err(WorkloadError::NoTerminal);
        }
        config.check(terminals.len() as u32)?;
        let (rounds, seed) = (config.rounds(), config.seed);
        let to_itself = config.self_addressed && kind.to_itself;
        let draw = Draw { network, terminals: &terminals, rounds, seed, to_itself };
        let destinations = kind.draw(&draw)?;
        Ok(Self { terminals, destinations })
    }

    /// Whether it is for as many rounds on a network with this topology.
    pub(super) fn fits(&self, topology: &dyn Topology, rounds: u32) -> bool {
        let messages = u64::from(rounds) * self.terminals.len() as u64;
        self.terminals == terminals(topology) && u64::from(self.messages()) == messages
    }

    /// The terminals that send a message in each round, ascending.
    pub fn terminals(&self) -> &[u32] {
        &self.terminals
    }

    /// Number of messages of a round.
    pub(super) fn per_round(&self) -> u32 {
        self.terminals.len() as u32
    }

    /// Number of messages.
    pub fn messages(&self) -> u32 {
        self.destinations.len() as u32
    }

    /// The destinations of a round, by source; none where there is no such round.
    pub fn round(&self, round: u32) -> &[u32] {
        let mut rounds = self.destinations.chunks(self.terminals.len().max(1));
        rounds.nth(round as usize).unwrap_or_default()
    }

    /// The terminal that a message comes from, and the one that it goes to.
    pub(super) fn ends(&self, message: u32) -> (u32, u32) {
        let source = self.terminals[(message % self.per_round()) as usize];
        (source, self.destinations[message as usize])
    }
}

/// The terminals that send and take.
fn terminals(topology: &dyn Topology) -> Vec<u32> {
    let both = topology.sources().filter(|&terminal| topology.sink(terminal).is_some());
    both.map(|Terminal(terminal)| terminal).collect()
}
