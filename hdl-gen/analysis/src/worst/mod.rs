//! The permutation that loads some channel most, under a relation whose routes depend on nothing that
//! other packets do (Towles and Dally, Worst-case traffic for oblivious routing functions, SPAA 2002).
//!
//! How often a packet of a source and a sink uses a channel, in the mean over what it draws, is a weight
//! of the two. So a permutation that loads the channel most is an assignment of sinks to sources of the
//! largest weight. One assignment for each channel finds the worst of all permutations. One channel
//! stands for all that translations take to it, and a channel whose bound is no more than a load that
//! was found needs no assignment.
//!
//! The pairs of a network for flows are its flows.

mod assignment;
mod uses;

use crate::expected::Expected;
use crate::symmetry::Symmetry;
pub use assignment::disjoint;
use assignment::{Assignment, MOST_WEIGHTED, TooMany, heaviest};
use std::collections::BTreeSet;
use std::sync::Arc;
use turnpike_network::routing::Relation;
use turnpike_network::routing::invariant::invariant;
use turnpike_network::routing::walk::RouteError;
use turnpike_network::topology::{Node, Port, Terminal, Topology};
use uses::{MOST_PAIRS, Summary, Uses};

/// Pairs that are kept at a time, of as many channels as have no more, or of one.
const KEPT: u64 = 1 << 25;

/// The worst case of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorstCase {
    /// The most packets that a permutation puts on one channel: one packet from each source.
    pub load: Expected,
    /// A channel with that load under [`WorstCase::permutation`]; `None` where no packet uses any.
    pub channel: Option<(Node, Port)>,
    /// The permutation: each source and each sink once at most, ascending by source. All of them, where
    /// there are as many sources as sinks and all send to all; a packet may go to its own terminal.
    pub permutation: Vec<(Terminal, Terminal)>,
    /// The most packets that uniform traffic puts on one channel: one packet from each source, to any
    /// of its destinations with equal odds. `None` where unlike numbers of destinations make that a
    /// fraction of numbers beyond 64 bits.
    pub uniform: Option<Expected>,
    /// Number of channels that represent all.
    pub standing: usize,
    /// Number of those channels for which an assignment was looked for.
    pub assignments: usize,
}

/// Reason that the worst case is not known.
#[derive(Debug, thiserror::Error)]
pub enum WorstError {
    /// Packets that choose.
    #[error(
        "packets choose their way under '{0}': where one goes depends on the others, so a pair has no \
         load of its own; the worst case is known of oblivious relations, deterministic or randomised"
    )]
    Chooses(String),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// More routes than are walked.
    #[error(
        "routes from {sources} sources to {sinks} sinks with {draws} draws are too many for the worst \
         case: their product may be 2^28, and draws times switches 2^32"
    )]
    Routes {
        /// Sources that stand for all.
        sources: usize,
        sinks: usize,
        /// Draws for each packet.
        draws: u32,
    },
    /// Larger tables than are kept.
    #[error(
        "{ports} output ports of switches and {terminals} terminals are too many for the worst case: \
         their product may be 2^26"
    )]
    Ports {
        /// Output ports of the switches that stand for all, with a channel or without.
        ports: usize,
        /// Number of terminals.
        terminals: u32,
    },
    /// A channel of more pairs than are kept.
    #[error(
        "{pairs} pairs use one channel, too many for the worst case: it goes up to {MOST_PAIRS}, as of \
         half of 8192 terminals with the other half"
    )]
    Pairs {
        /// Number of pairs.
        pairs: u64,
    },
    /// Unlike weights of more terminals than go.
    #[error(
        "pairs of {terminals} terminals use one channel unlike often, too many for the worst case: it \
         goes up to {MOST_WEIGHTED} terminals there"
    )]
    Weighted {
        /// Number of terminals.
        terminals: usize,
    },
}

impl From<TooMany> for WorstError {
    fn from(TooMany(terminals): TooMany) -> Self {
        Self::Weighted { terminals }
    }
}

impl WorstCase {
    /// Worst case of a relation, which from then on is asked at the orbit representatives alone,
    /// where there are translations ([`invariant`]).
    ///
    /// # Errors
    /// [`WorstError`].
    pub fn of(topology: Box<dyn Topology>, relation: Relation) -> Result<Self, WorstError> {
        if relation.chooses_ports() {
            return Err(WorstError::Chooses(relation.name().to_owned()));
        }
        let (topology, symmetry) = Symmetry::most_of(topology, &relation)?;
        let topology: Arc<dyn Topology> = Arc::from(topology);
        let relation = match symmetry.is_by_translation() {
            true => invariant(relation, Arc::clone(&topology)),
            false => relation,
        };
        Self::by_symmetry(&*topology, &relation, &symmetry)
    }

    fn by_symmetry(
        topology: &dyn Topology,
        relation: &Relation,
        symmetry: &Symmetry,
    ) -> Result<Self, WorstError> {
        let uses = Uses::new(topology, relation, symmetry)?;
        let mut channels = uses.summaries()?;
        let draws = u64::from(relation.draw_count());
        let uniform = uses.uniform(&channels);
        let standing = channels.len();
        // Those that may have most come first, and those with the fewest pairs of them.
        channels.sort_by_key(|c| (std::cmp::Reverse(c.bound), c.pairs, c.channel));
        let mut worst: Option<(usize, Assignment)> = None;
        let mut assignments = 0;
        let mut rest = &channels[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(batch(rest));
            if weight(&worst) >= now[0].bound {
                break;
            }
            if let Some(&Summary { pairs, .. }) = now.iter().find(|c| c.pairs > MOST_PAIRS) {
                return Err(WorstError::Pairs { pairs });
            }
            for (channel, pairs) in now.iter().zip(uses.pairs(now)?) {
                let beat = weight(&worst);
                if channel.bound > beat {
                    assignments += 1;
                    let better = heaviest(&pairs, beat)?;
                    worst = better.map(|found| (channel.channel, found)).or(worst);
                }
            }
            rest = later;
        }
        Ok(Self {
            load: Expected::over(weight(&worst), draws),
            channel: worst.as_ref().map(|(channel, _)| uses.place(*channel)),
            permutation: completed(topology, worst.map_or(Vec::new(), |(_, found)| found.pairs)),
            uniform,
            standing,
            assignments,
        })
    }

    /// Flits per cycle that every terminal can send under any permutation, where channels and
    /// terminals move one in each cycle.
    pub fn throughput(&self) -> Expected {
        throughput(self.load)
    }

    /// Throughput under uniform traffic, as far as its load is known.
    pub fn uniform_throughput(&self) -> Option<Expected> {
        self.uniform.map(throughput)
    }
}

fn weight(worst: &Option<(usize, Assignment)>) -> u64 {
    worst.as_ref().map_or(0, |(_, found)| found.weight)
}

/// Number of these channels, from the first, that have no more than [`KEPT`] pairs together; 1 at
/// least.
fn batch(channels: &[Summary]) -> usize {
    let mut pairs = 0;
    let within = channels.iter().take_while(|channel| {
        pairs += channel.pairs;
        pairs <= KEPT
    });
    within.count().max(1)
}

fn throughput(load: Expected) -> Expected {
    let load = load.max(1.into()).ratio();
    Expected::over(*load.denom(), *load.numer())
}

/// Permutation of these pairs and the other terminals. From all to all, each to itself where it is left
/// on both sides, the rest in order. Along flows, those that still go beside each other, in order.
fn completed(topology: &dyn Topology, pairs: Vec<(u32, u32)>) -> Vec<(Terminal, Terminal)> {
    let mut all: Vec<(Terminal, Terminal)> =
        pairs.into_iter().map(|(source, sink)| (Terminal(source), Terminal(sink))).collect();
    let mut sources: BTreeSet<Terminal> = topology.sources().collect();
    let mut sinks: BTreeSet<Terminal> = topology.sinks().collect();
    for (source, sink) in &all {
        sources.remove(source);
        sinks.remove(sink);
    }
    if topology.flows().is_some() {
        for (source, sink) in topology.pairs() {
            if sources.contains(&source) && sinks.contains(&sink) {
                sources.remove(&source);
                sinks.remove(&sink);
                all.push((source, sink));
            }
        }
        all.sort_unstable();
        return all;
    }
    let both: Vec<Terminal> = sources.intersection(&sinks).copied().collect();
    for terminal in both {
        sources.remove(&terminal);
        sinks.remove(&terminal);
        all.push((terminal, terminal));
    }
    all.extend(sources.into_iter().zip(sinks));
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests;
