//! Collective operations, as the messages that the terminals exchange. A new one is a function and a line in
//! [`COLLECTIVES`].
//!
//! The terminals that send and take packets are ranks, in the order of their numbers. Each has a vector of as many
//! *pieces* as there are ranks, and a piece has a number of flits. Arithmetic takes no time (Thakur, Rabenseifner
//! and Gropp, Optimization of Collective Communication Operations in MPICH, International Journal of High
//! Performance Computing Applications 19(1), 2005).

use super::{Job, JobError, Message};
use crate::traffic::MOST_FLITS;
use turnpike_base::nearest::Nearest;
use turnpike_network::topology::Topology;

/// An operation of the list.
pub struct Collective {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Operation for any number of ranks, where this one is for powers of two alone.
    otherwise: Option<&'static str>,
    /// Number of messages, by that of the ranks.
    count: fn(u64) -> u64,
    steps: fn(u32) -> Vec<Step>,
}

/// Message between ranks, before it is one between terminals.
struct Step {
    from: u32,
    to: u32,
    /// Pieces of the vector that it has.
    pieces: u32,
    /// Messages that it waits for.
    after: Vec<u32>,
}

/// Every operation there is.
pub const COLLECTIVES: &[Collective] = &[
    Collective {
        name: "broadcast",
        summary: "rank 0 sends a piece to all others, by a tree in which the ranks that have it double",
        otherwise: None,
        count: |ranks| ranks - 1,
        steps: broadcast,
    },
    Collective {
        name: "all-to-all",
        summary: "each rank sends each other a piece, the next rank first",
        otherwise: None,
        count: |ranks| ranks * (ranks - 1),
        steps: all_to_all,
    },
    Collective {
        name: "all-gather-ring",
        summary: "each piece goes around the ring of the ranks, to all",
        otherwise: None,
        count: |ranks| ranks * (ranks - 1),
        steps: |ranks| ring(ranks, ranks - 1),
    },
    Collective {
        name: "all-gather-doubling",
        summary: "ranks at distances 1, 2, 4 ... exchange all pieces that they have",
        otherwise: Some("all-gather-ring"),
        count: |ranks| ranks * u64::from(ranks.ilog2()),
        steps: |ranks| exchanges(&doubling(ranks)),
    },
    Collective {
        name: "reduce-scatter-ring",
        summary: "each piece is added up around the ring of the ranks, and ends at one of them",
        otherwise: None,
        count: |ranks| ranks * (ranks - 1),
        steps: |ranks| ring(ranks, ranks - 1),
    },
    Collective {
        name: "reduce-scatter-halving",
        summary: "ranks at distances half their number, a quarter ... exchange half of what they have to add",
        otherwise: Some("reduce-scatter-ring"),
        count: |ranks| ranks * u64::from(ranks.ilog2()),
        steps: |ranks| exchanges(&halving(ranks)),
    },
    Collective {
        name: "all-reduce-ring",
        summary: "each piece is added up around the ring of the ranks, and goes around once more, to all",
        otherwise: None,
        count: |ranks| 2 * ranks * (ranks - 1),
        steps: |ranks| ring(ranks, 2 * (ranks - 1)),
    },
    Collective {
        name: "all-reduce-halving-doubling",
        summary: "reduce-scatter-halving, then all-gather-doubling",
        otherwise: Some("all-reduce-ring"),
        count: |ranks| 2 * ranks * u64::from(ranks.ilog2()),
        steps: |ranks| exchanges(&[halving(ranks), doubling(ranks)].concat()),
    },
];

/// The operation of that name.
///
/// # Errors
/// The known name that is nearest.
pub fn find(name: &str) -> Result<&'static Collective, Nearest> {
    let found = COLLECTIVES.iter().find(|collective| collective.name == name);
    found.ok_or_else(|| Nearest::of(name, COLLECTIVES.iter().map(|collective| collective.name)))
}

impl Collective {
    /// The job on the terminals of a network that send and take packets, with so many flits for each piece.
    ///
    /// # Errors
    /// [`JobError`] for a number of terminals that the operation is not for, and messages that are too long.
    pub fn job(&self, topology: &dyn Topology, flits: u32) -> Result<Job, JobError> {
        let sends = topology.sources().filter(|&terminal| topology.sink(terminal).is_some());
        let terminals: Vec<u32> = sends.map(|terminal| terminal.0).collect();
        let ranks = terminals.len() as u32;
        if ranks < 2 {
            return Err(JobError::Alone(ranks));
        }
        if let Some(instead) = self.otherwise.filter(|_| !ranks.is_power_of_two()) {
            let name = self.name;
            return Err(JobError::PowerOfTwo { name, terminals: ranks, instead });
        }
        let count = (self.count)(ranks.into());
        if count > super::MOST_MESSAGES.into() {
            return Err(JobError::Count { count });
        }
        let message = |(message, step): (u32, Step)| {
            let flits = u64::from(step.pieces) * u64::from(flits);
            match u32::try_from(flits).ok().filter(|&flits| flits <= MOST_FLITS) {
                None => Err(JobError::Flits { message, flits }),
                Some(flits) => Ok(Message {
                    source: terminals[step.from as usize],
                    destination: terminals[step.to as usize],
                    flits,
                    after: step.after,
                    delay: 0,
                }),
            }
        };
        let messages = (0..).zip((self.steps)(ranks)).map(message);
        Job::new(self.name, messages.collect::<Result<_, _>>()?)
    }
}

/// Rounds of a ring, in each of which every rank sends the next one the piece that came in the round before.
fn ring(ranks: u32, rounds: u32) -> Vec<Step> {
    let step = |(round, from): (u32, u32)| {
        let came = (from + ranks - 1) % ranks;
        let after = round.checked_sub(1).map(|before| before * ranks + came).into_iter().collect();
        Step { from, to: (from + 1) % ranks, pieces: 1, after }
    };
    (0..rounds).flat_map(|round| (0..ranks).map(move |from| (round, from))).map(step).collect()
}

/// Rounds of exchanges: the distance of those that exchange, the pieces that each sends, and the ranks.
type Exchange = (u32, u32, u32);

fn doubling(ranks: u32) -> Vec<Exchange> {
    (0..ranks.ilog2()).map(|round| (1 << round, 1 << round, ranks)).collect()
}

fn halving(ranks: u32) -> Vec<Exchange> {
    doubling(ranks).into_iter().rev().collect()
}

/// Exchanges between ranks whose numbers differ in one bit, each after what came and what was sent in the round
/// before: behind that are the rounds before it, whose pieces are sent as well.
fn exchanges(rounds: &[Exchange]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut before: Option<(u32, u32)> = None;
    for &(distance, pieces, ranks) in rounds {
        let first = steps.len() as u32;
        let step = |from: u32| Step {
            from,
            to: from ^ distance,
            pieces,
            after: match before {
                Some((first, distance)) => vec![first + (from ^ distance), first + from],
                None => Vec::new(),
            },
        };
        steps.extend((0..ranks).map(step));
        before = Some((first, distance));
    }
    steps
}

fn all_to_all(ranks: u32) -> Vec<Step> {
    let step = |(further, from): (u32, u32)| Step {
        from,
        to: (from + further) % ranks,
        pieces: 1,
        after: Vec::new(),
    };
    (1..ranks).flat_map(|further| (0..ranks).map(move |from| (further, from))).map(step).collect()
}

fn broadcast(ranks: u32) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // By rank: the message by which it came.
    let mut came: Vec<Option<u32>> = vec![None];
    while (came.len() as u32) < ranks {
        let have = came.len() as u32;
        for from in 0..have.min(ranks - have) {
            let message = steps.len() as u32;
            let after = came[from as usize].into_iter().collect();
            steps.push(Step { from, to: have + from, pieces: 1, after });
            came.push(Some(message));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use turnpike_network::topology::{Size, find as topology};

    fn job(name: &str, nodes: u32) -> Result<Job, JobError> {
        let network = topology("full").unwrap().build(Size::of_nodes(nodes)).unwrap();
        find(name).ok().unwrap().job(&*network, 3)
    }

    /// Pieces at each rank, by whose vector and by place: each operation ends as its name says. A message has
    /// what its source is known to have by the messages that it waits for, and no more.
    fn spread(job: &Job, ranks: u32, pieces_of: impl Fn(usize) -> Vec<u32>) -> Vec<BTreeSet<u32>> {
        let mut has: Vec<BTreeSet<u32>> = (0..ranks).map(|rank| BTreeSet::from([rank])).collect();
        // By message: what its source is known to have.
        let mut known: Vec<BTreeSet<u32>> = Vec::new();
        for (at, message) in job.messages().iter().enumerate() {
            let mut own = BTreeSet::from([message.source]);
            for &other in &message.after {
                let (other, before) = (other as usize, &job.messages()[other as usize]);
                match before.destination == message.source {
                    true => own.extend(pieces_of(other)),
                    false => own.extend(&known[other]),
                }
            }
            let pieces = pieces_of(at);
            assert!(pieces.iter().all(|piece| own.contains(piece)), "message {at}");
            has[message.destination as usize].extend(pieces);
            known.push(own);
        }
        has
    }

    #[test]
    fn pieces_end_where_they_belong() {
        for ranks in [2, 3, 4, 7, 8, 16] {
            let all: BTreeSet<u32> = (0..ranks).collect();
            let ring = job("all-gather-ring", ranks).unwrap();
            // In round r rank t passes on the piece of rank t - r.
            let passed = |at: usize| {
                let (round, from) = (at as u32 / ranks, at as u32 % ranks);
                vec![(from + ranks - round) % ranks]
            };
            assert!(spread(&ring, ranks, passed).iter().all(|has| *has == all));
            for name in ["reduce-scatter-ring", "all-gather-ring"] {
                assert_eq!(job(name, ranks).unwrap().messages(), ring.messages());
            }
            let twice = job("all-reduce-ring", ranks).unwrap();
            assert_eq!(twice.messages().len(), 2 * ring.messages().len());
            let to_all = job("all-to-all", ranks).unwrap();
            let pairs: BTreeSet<(u32, u32)> =
                to_all.messages().iter().map(|m| (m.source, m.destination)).collect();
            assert_eq!(pairs.len() as u32, ranks * (ranks - 1));
            assert!(to_all.messages().iter().all(|m| m.flits == 3 && m.after.is_empty()));
            let broadcast = job("broadcast", ranks).unwrap();
            assert!(spread(&broadcast, ranks, |_| vec![0]).iter().all(|has| has.contains(&0)));
            assert_eq!(broadcast.messages().len() as u32, ranks - 1);
            // No rank passes on what it has more than log₂ times one after the other.
            let rounds = ranks.next_power_of_two().ilog2();
            assert!(depth(&broadcast) <= rounds);
            assert!(depth(&broadcast) == rounds || !ranks.is_power_of_two());
        }
        for ranks in [2, 4, 16] {
            let doubling = job("all-gather-doubling", ranks).unwrap();
            let blocks = |at: usize| {
                let (round, from) = (at as u32 / ranks, at as u32 % ranks);
                let first = from >> round << round;
                (first..first + (1 << round)).collect()
            };
            let all: BTreeSet<u32> = (0..ranks).collect();
            assert!(spread(&doubling, ranks, blocks).iter().all(|has| *has == all));
            // Each rank sends all pieces but one, as around the ring, in few messages.
            for name in ["all-gather-doubling", "reduce-scatter-halving"] {
                let job = job(name, ranks).unwrap();
                assert_eq!(job.flits(), u64::from(3 * ranks * (ranks - 1)), "{name}");
                assert_eq!(depth(&job), ranks.ilog2());
            }
            let both = job("all-reduce-halving-doubling", ranks).unwrap();
            assert_eq!(both.flits(), job("all-reduce-ring", ranks).unwrap().flits());
            assert_eq!(depth(&both), 2 * ranks.ilog2());
        }
    }

    /// Messages on the longest way from wait to wait.
    fn depth(job: &Job) -> u32 {
        let mut depths = vec![0; job.messages().len()];
        for &message in &job.order {
            let after = &job.messages()[message as usize].after;
            let before = after.iter().map(|&other| depths[other as usize]).max();
            depths[message as usize] = before.unwrap_or(0) + 1;
        }
        depths.into_iter().max().unwrap_or(0)
    }

    #[test]
    fn messages_are_as_many_as_is_said() {
        for ranks in [2, 4, 8, 32] {
            for collective in COLLECTIVES {
                let count = job(collective.name, ranks).unwrap().messages().len() as u64;
                assert_eq!(count, (collective.count)(ranks.into()), "{}", collective.name);
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = job("all-reduce-halving-doubling", 6).unwrap_err().to_string();
        assert!(error.contains("here 6 send and take packets; use 'all-reduce-ring'"), "{error}");
        let network = topology("full").unwrap().build(Size::of_nodes(64)).unwrap();
        let long = find("all-gather-doubling").ok().unwrap().job(&*network, MOST_FLITS / 16);
        assert!(matches!(long, Err(JobError::Flits { flits: 2_097_152, .. })), "{long:?}");
        assert_eq!(
            find("all-reduce-rink").err().unwrap().to_string(),
            "; did you mean 'all-reduce-ring'?"
        );
    }
}
