//! Demands: how many words each source has for each sink.

use crate::network::MOST_TERMINALS;
use crate::permutation::{Connection, PartialPermutation};

/// The most words of a demand, all together.
pub const MOST_WORDS: u32 = 1 << 24;

/// Words from a source to a sink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// The terminal that sends.
    pub source: u32,
    /// The terminal that takes.
    pub sink: u32,
    /// Number of words, at least 1.
    pub words: u32,
}

/// Demand of all sources for all sinks. Where no source sends and no sink takes more than h words,
/// this is an h-relation; a partial permutation is one of h = 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    terminals: u32,
    transfers: Vec<Transfer>,
    words: u32,
    h: u32,
}

/// Reason that a demand cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DemandError {
    /// The number of terminals.
    #[error("{0} terminals are out of range; use 1 to {MOST_TERMINALS}")]
    Terminals(u32),
    /// A source that the network does not have.
    #[error("source {sender} is out of range; use 0 to {last}")]
    Source {
        /// The source.
        sender: u32,
        /// The last terminal.
        last: u32,
    },
    /// A sink that the network does not have.
    #[error("sink {sink} of source {sender} is out of range; use 0 to {last}")]
    Sink {
        sink: u32,
        /// The source.
        sender: u32,
        /// The last terminal.
        last: u32,
    },
    /// A transfer of nothing.
    #[error("0 words from source {sender} to sink {sink}; use at least 1")]
    NoWords {
        /// The source.
        sender: u32,
        sink: u32,
    },
    /// More words than a demand has.
    #[error(
        "{words} words in all, with those from source {sender} to sink {sink}, \
             are more than {MOST_WORDS}"
    )]
    Words {
        /// Words up to this transfer.
        words: u64,
        /// Source of the words.
        sender: u32,
        /// Sink of the words.
        sink: u32,
    },
}

impl Demand {
    /// The demand of these transfers, at most [`MOST_WORDS`] words between 1 to
    /// [`MOST_TERMINALS`] terminals. Those of one source and sink are added up.
    ///
    /// # Errors
    /// [`DemandError`], with the first transfer that cannot be.
    pub fn new(
        terminals: u32,
        transfers: impl IntoIterator<Item = Transfer>,
    ) -> Result<Self, DemandError> {
        let mut adding = Adding::new(terminals)?;
        transfers.into_iter().try_for_each(|transfer| adding.add(transfer))?;
        Ok(adding.finish())
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// The transfers, by ascending source and sink, no two of the same.
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// All words together.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// The most words that one source sends or one sink takes. No network can do with fewer slots.
    pub fn h(&self) -> u32 {
        self.h
    }
}

impl From<&PartialPermutation> for Demand {
    fn from(permutation: &PartialPermutation) -> Self {
        let word = |Connection { source, sink }| Transfer { source, sink, words: 1 };
        Self {
            terminals: permutation.terminals(),
            transfers: permutation.connections().map(word).collect(),
            words: permutation.len(),
            h: u32::from(!permutation.is_empty()),
        }
    }
}

/// A demand to which transfers are still added.
pub(crate) struct Adding {
    terminals: u32,
    transfers: Vec<Transfer>,
    words: u32,
}

impl Adding {
    pub(crate) fn new(terminals: u32) -> Result<Self, DemandError> {
        match terminals {
            1..=MOST_TERMINALS => Ok(Self { terminals, transfers: Vec::new(), words: 0 }),
            _ => Err(DemandError::Terminals(terminals)),
        }
    }

    pub(crate) fn add(&mut self, transfer: Transfer) -> Result<(), DemandError> {
        let Transfer { source: sender, sink, words } = transfer;
        let last = self.terminals - 1;
        let all = u64::from(self.words) + u64::from(words);
        match () {
            () if sender > last => Err(DemandError::Source { sender, last }),
            () if sink > last => Err(DemandError::Sink { sink, sender, last }),
            () if words == 0 => Err(DemandError::NoWords { sender, sink }),
            () if all > u64::from(MOST_WORDS) => {
                Err(DemandError::Words { words: all, sender, sink })
            }
            () => {
                self.words += words;
                self.transfers.push(transfer);
                Ok(())
            }
        }
    }

    pub(crate) fn finish(self) -> Demand {
        let Self { terminals, mut transfers, words } = self;
        transfers.sort_unstable();
        transfers.dedup_by(|later, first| {
            let same = (later.source, later.sink) == (first.source, first.sink);
            first.words += if same { later.words } else { 0 };
            same
        });
        let mut ends = vec![[0; 2]; terminals as usize];
        for transfer in &transfers {
            ends[transfer.source as usize][0] += transfer.words;
            ends[transfer.sink as usize][1] += transfer.words;
        }
        let h = ends.into_iter().flatten().max().unwrap_or(0);
        Demand { terminals, transfers, words, h }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(transfers: &[(u32, u32, u32)]) -> Result<Demand, DemandError> {
        let transfer = |&(source, sink, words)| Transfer { source, sink, words };
        Demand::new(4, transfers.iter().map(transfer))
    }

    #[test]
    fn h_is_the_most_at_one_terminal() {
        let demand = of(&[(2, 1, 3), (0, 1, 2), (2, 1, 1), (2, 3, 1)]).unwrap();
        let sums: Vec<u32> = demand.transfers().iter().map(|t| t.words).collect();
        assert_eq!((demand.words(), demand.h(), sums), (7, 6, vec![2, 4, 1]));
        assert_eq!(of(&[]).unwrap().h(), 0);
        let permutation = PartialPermutation::whole(&[1, 0, 3, 2]).unwrap();
        let same = of(&[(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)]).unwrap();
        assert_eq!(Demand::from(&permutation), same);
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        let text = |transfer| of(&[(0, 0, 1), transfer]).unwrap_err().to_string();
        assert_eq!(text((4, 0, 1)), "source 4 is out of range; use 0 to 3");
        assert_eq!(text((3, 5, 1)), "sink 5 of source 3 is out of range; use 0 to 3");
        assert_eq!(text((3, 2, 0)), "0 words from source 3 to sink 2; use at least 1");
        let all = "16777217 words in all, with those from source 3 to sink 2";
        assert_eq!(text((3, 2, MOST_WORDS)), format!("{all}, are more than 16777216"));
        for terminals in [0, MOST_TERMINALS + 1] {
            assert_eq!(Demand::new(terminals, []), Err(DemandError::Terminals(terminals)));
        }
    }
}
