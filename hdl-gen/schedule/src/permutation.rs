//! Partial permutations: demands in which each source sends to at most one sink, and each sink
//! takes from at most one source.

use crate::network::{MOST_TERMINALS, Network};
use std::fmt;

/// A source and the sink that it is to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Connection {
    /// The terminal that sends.
    pub source: u32,
    /// The terminal that takes.
    pub sink: u32,
}

impl fmt::Display for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.source, self.sink)
    }
}

/// A partial permutation of terminals. It is whole where every source sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialPermutation {
    sinks: Vec<Option<u32>>,
    connections: u32,
}

/// Reason that connections are no partial permutation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PermutationError {
    /// The number of terminals.
    #[error("{0} terminals are out of range; use 1 to {MOST_TERMINALS}")]
    Terminals(usize),
    /// A source that the permutation does not have.
    #[error("source {sender} is out of range; use 0 to {last}")]
    Source {
        /// The source.
        sender: u32,
        /// The last terminal.
        last: u32,
    },
    /// A sink that the permutation does not have.
    #[error("sink {sink} of source {sender} is out of range; use 0 to {last}")]
    Sink {
        sink: u32,
        /// The source that is to reach it.
        sender: u32,
        /// The last terminal.
        last: u32,
    },
    /// Two connections from one source.
    #[error("source {sender} sends to both sink {first} and sink {second}")]
    SourceTwice {
        /// The source.
        sender: u32,
        /// The sink of the connection that came first.
        first: u32,
        /// The sink of the other.
        second: u32,
    },
    /// Two connections to one sink.
    #[error("sink {sink} is taken by both source {first} and source {second}")]
    SinkTwice {
        sink: u32,
        /// The source of the connection that came first.
        first: u32,
        /// The source of the other.
        second: u32,
    },
}

/// A demand between other terminals than the network has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the network has {network} terminals, but the demand is between {demand}")]
pub struct OtherTerminals {
    /// Terminals of the network.
    pub network: u32,
    /// Terminals of the demand.
    pub demand: u32,
}

impl OtherTerminals {
    pub(crate) fn check(network: &Network, demand: u32) -> Result<(), Self> {
        let network = network.terminals();
        if network == demand { Ok(()) } else { Err(Self { network, demand }) }
    }
}

impl PartialPermutation {
    /// The partial permutation of these connections, between 1 to [`MOST_TERMINALS`] terminals.
    ///
    /// # Errors
    /// [`PermutationError`], with the first connection that cannot be.
    pub fn new(
        terminals: u32,
        connections: impl IntoIterator<Item = Connection>,
    ) -> Result<Self, PermutationError> {
        if !(1..=MOST_TERMINALS).contains(&terminals) {
            return Err(PermutationError::Terminals(terminals as usize));
        }
        let last = terminals - 1;
        let mut sinks = vec![None; terminals as usize];
        let mut sources = sinks.clone();
        let mut count = 0;
        for Connection { source, sink } in connections {
            if source > last {
                return Err(PermutationError::Source { sender: source, last });
            }
            if sink > last {
                return Err(PermutationError::Sink { sink, sender: source, last });
            }
            if let Some(first) = sinks[source as usize].replace(sink) {
                let sender = source;
                return Err(PermutationError::SourceTwice { sender, first, second: sink });
            }
            if let Some(first) = sources[sink as usize].replace(source) {
                return Err(PermutationError::SinkTwice { sink, first, second: source });
            }
            count += 1;
        }
        Ok(Self { sinks, connections: count })
    }

    /// The whole permutation in which source t sends to `sinks[t]`.
    ///
    /// # Errors
    /// [`PermutationError`] where a sink is out of range or taken twice.
    pub fn whole(sinks: &[u32]) -> Result<Self, PermutationError> {
        let terminals = sinks.len();
        let too_many = |_| PermutationError::Terminals(terminals);
        let pairs = (0..).zip(sinks).map(|(source, &sink)| Connection { source, sink });
        Self::new(u32::try_from(terminals).map_err(too_many)?, pairs)
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.sinks.len() as u32
    }

    /// The sink of a source; `None` where it sends nothing, or there is no such source.
    pub fn sink(&self, source: u32) -> Option<u32> {
        self.sinks.get(source as usize).copied().flatten()
    }

    /// The connections, by ascending source.
    pub fn connections(&self) -> impl Iterator<Item = Connection> {
        let pairs = (0..).zip(&self.sinks);
        pairs.filter_map(|(source, sink)| sink.map(|sink| Connection { source, sink }))
    }

    /// Number of connections.
    pub fn len(&self) -> u32 {
        self.connections
    }

    /// Whether there are no connections.
    pub fn is_empty(&self) -> bool {
        self.connections == 0
    }

    /// Whether every source sends, so that every sink takes.
    pub fn is_whole(&self) -> bool {
        self.connections == self.terminals()
    }

    /// Sinks by source, with the sources that send nothing joined to the sinks that take nothing,
    /// both in ascending order. That leaves a whole permutation.
    pub(crate) fn completed(&self) -> Vec<u32> {
        let mut taken = vec![false; self.sinks.len()];
        self.connections().for_each(|c| taken[c.sink as usize] = true);
        let mut free = (0..).zip(taken).filter_map(|(sink, taken)| (!taken).then_some(sink));
        let sinks = self.sinks.iter().map(|sink| sink.or_else(|| free.next()));
        sinks.map(|sink| sink.expect("as many sinks are free as sources")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(u32, u32)]) -> Result<PartialPermutation, PermutationError> {
        let pairs = pairs.iter().map(|&(source, sink)| Connection { source, sink });
        PartialPermutation::new(4, pairs)
    }

    #[test]
    fn connections_are_by_source() {
        let some = of(&[(2, 0), (0, 3)]).unwrap();
        assert_eq!((some.sink(0), some.sink(1), some.sink(9)), (Some(3), None, None));
        assert_eq!(
            some.connections().map(|c| c.to_string()).collect::<Vec<_>>().join(", "),
            "0 to 3, 2 to 0"
        );
        assert_eq!((some.len(), some.is_whole(), some.is_empty()), (2, false, false));
        assert_eq!(some.completed(), [3, 1, 0, 2]);
        assert!(PartialPermutation::whole(&[1, 0]).unwrap().is_whole());
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        let text = |pairs| of(pairs).unwrap_err().to_string();
        assert_eq!(text(&[(4, 0)]), "source 4 is out of range; use 0 to 3");
        assert_eq!(text(&[(1, 9)]), "sink 9 of source 1 is out of range; use 0 to 3");
        assert_eq!(text(&[(1, 0), (1, 2)]), "source 1 sends to both sink 0 and sink 2");
        assert_eq!(text(&[(1, 0), (3, 0)]), "sink 0 is taken by both source 1 and source 3");
        assert_eq!(PartialPermutation::new(0, []), Err(PermutationError::Terminals(0)));
        let many = vec![0; (1 << 16) + 1];
        assert_eq!(PartialPermutation::whole(&many), Err(PermutationError::Terminals(65_537)));
    }
}
