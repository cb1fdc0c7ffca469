//! Workloads of networks of busses: all words are at their sources before the first slot, and the
//! run ends with the last delivery. Queues hold any number of words.

use super::{Model, Word};
use crate::traffic::random::Random;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_base::nearest::Nearest;
use turnpike_bus::grid::GridError;
use turnpike_bus::time_table::{TimeTable, TimeTableError};
use turnpike_bus::{Grid, Protocol};
use turnpike_schedule::colouring::ColouringError;
use turnpike_schedule::network::MOST_TERMINALS;

/// The most words of a run.
pub const MOST_WORDS: u64 = 1 << 24;
/// The most words of a node.
pub const MOST_H: u32 = 4096;
/// Slots after which a run is given up.
pub const MOST_SLOTS: u64 = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workload {
    /// A word from each node, to a permutation that is drawn.
    Permutation,
    /// A word from each node to the one with its coordinates in reverse order.
    Transpose,
    /// A number of words from each node and to each: the sum of drawn permutations.
    HRelation(u32),
    /// A word from each node, to any.
    RandomFunction,
}

/// Names of the workloads, with a summary of each.
pub const WORKLOADS: &[(&str, &str)] = &[
    ("permutation", "a word from each node and to each, drawn"),
    ("transpose", "a word from each node to that with its coordinates reversed"),
    ("h-relation", "h words from each node and to each, drawn"),
    ("random-function", "a word from each node to any, drawn"),
];

/// Reason that a workload cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BusWorkloadError {
    /// A name.
    #[error("unknown workload '{name}'{nearest} (busses have: {all})")]
    Unknown {
        /// Name that was given.
        name: String,
        /// The nearest, in words.
        nearest: String,
        all: String,
    },
    /// Words of each node.
    #[error("{h} words of each node are out of range; use 1 to {most}")]
    H {
        /// Number that was given.
        h: u32,
        /// The most there may be.
        most: u32,
    },
    #[error("{0} words are more than {MOST_WORDS}")]
    Words(u64),
    /// No mesh.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// No time table.
    #[error(transparent)]
    Colouring(#[from] ColouringError),
    /// More nodes than a time table is made of, where one is needed.
    #[error(
        "a mesh of busses, and a time table that ends livelocks, take up to {MOST_TERMINALS} nodes, \
         not {0}"
    )]
    Tables(u32),
    /// A time table in which words meet.
    #[error("internal error: {0}")]
    TimeTable(#[from] TimeTableError),
    /// A grid whose sides are not the same in reverse order.
    #[error("transpose takes sides that read the same backwards, such as 8x8")]
    Transpose,
}

impl Workload {
    /// The workload of this name; `h` words of each node.
    ///
    /// # Errors
    /// An unknown name; words out of range.
    pub fn named(name: &str, h: u32) -> Result<Self, BusWorkloadError> {
        match name {
            "permutation" => Ok(Self::Permutation),
            "transpose" => Ok(Self::Transpose),
            "h-relation" if !(1..=MOST_H).contains(&h) => {
                Err(BusWorkloadError::H { h, most: MOST_H })
            }
            "h-relation" => Ok(Self::HRelation(h)),
            "random-function" => Ok(Self::RandomFunction),
            _ => {
                let names = || WORKLOADS.iter().map(|(name, _)| *name);
                Err(BusWorkloadError::Unknown {
                    name: name.to_owned(),
                    nearest: Nearest::of(name, names()).to_string(),
                    all: names().collect::<Vec<_>>().join(", "),
                })
            }
        }
    }

    /// Words of each node.
    pub fn h(self) -> u32 {
        match self {
            Self::HRelation(h) => h,
            Self::Permutation | Self::Transpose | Self::RandomFunction => 1,
        }
    }

    /// Whether each node has a word, and each gets one.
    pub fn is_permutation(self) -> bool {
        matches!(self, Self::Permutation | Self::Transpose)
    }

    /// Words of the workload on a grid, drawn from a seed, in random order.
    ///
    /// # Errors
    /// Too many words; a grid that it does not go with.
    pub fn words(self, grid: &Grid, seed: u64) -> Result<Vec<Word>, BusWorkloadError> {
        let nodes = grid.nodes();
        let count = u64::from(nodes) * u64::from(self.h());
        if count > MOST_WORDS {
            return Err(BusWorkloadError::Words(count));
        }
        let reversed: Vec<u32> = grid.sides().iter().rev().copied().collect();
        if self == Self::Transpose && grid.sides() != reversed {
            return Err(BusWorkloadError::Transpose);
        }
        // A stream of its own: words do not depend on what senders draw.
        let mut random = Random::new(seed ^ u64::from_be_bytes(*b"busloads"));
        let mut words = Vec::new();
        for round in 0..self.h() {
            let mut sinks: Vec<u32> = (0..nodes).collect();
            match self {
                Self::Permutation | Self::HRelation(_) => random.shuffle(&mut sinks),
                Self::Transpose => {
                    sinks.iter_mut().for_each(|sink| *sink = transposed(grid, *sink))
                }
                Self::RandomFunction => {
                    sinks.iter_mut().for_each(|sink| *sink = random.below(nodes))
                }
            }
            words.extend((0..nodes).zip(sinks).map(|(source, destination)| Word {
                source,
                destination,
                number: u64::from(round) * u64::from(nodes) + u64::from(source),
            }));
        }
        // Else the first words of all nodes would be one permutation, and not meet.
        random.shuffle(&mut words);
        Ok(words)
    }
}

/// The node with the coordinates in reverse order.
fn transposed(grid: &Grid, node: u32) -> u32 {
    let dimensions = grid.dimensions();
    (0..dimensions).fold(node, |at, dimension| {
        grid.along(at, dimension, grid.coordinate(node, dimensions - 1 - dimension))
    })
}

/// One run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BusRun {
    /// Seed of the words and of the senders' draws.
    pub seed: u64,
    /// Words that go over a bus: those of a node to itself are left out.
    pub words: u64,
    /// Slots for data until the last of them is at its sink; `null` where the run was given up.
    pub slots: Option<u64>,
    /// Words that were sent in the first slot.
    pub sent_in_first_slot: u64,
    /// Words of the first slot that their receivers took.
    pub delivered_in_first_slot: u64,
    /// Words sent over busses in all, each try counted.
    pub sent: u64,
}

/// Routes of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordRoute {
    /// To their destination, dimension by dimension.
    Direct,
    /// First to a node that is drawn for each evenly, then to the destination (Valiant and Brebner,
    /// Universal schemes for parallel communication, 1981). No word waits for others between.
    TwoPhase,
}

/// Runs these words to the last delivery, or to `most` slots.
pub fn run(
    grid: &Grid,
    (protocol, way): (Protocol, WordRoute),
    words: &[Word],
    seed: u64,
    most: u64,
) -> BusRun {
    let mut model = Model::of(grid, protocol, usize::MAX, seed);
    let words: Vec<&Word> = words.iter().filter(|w| w.source != w.destination).collect();
    // A stream of its own: what is drawn does not depend on the protocol.
    let mut random = Random::new(seed ^ u64::from_be_bytes(*b"twophase"));
    for (number, &&Word { source, destination, .. }) in (0..).zip(&words) {
        let first = match way {
            WordRoute::Direct => destination,
            WordRoute::TwoPhase => random.below(grid.nodes()),
        };
        // One that is where it has to go first goes on at once.
        let destination = if first == source { destination } else { first };
        model.load(Word { source, destination, number });
    }
    let count = words.len() as u64;
    let mut left = count;
    let mut first = None;
    while left > 0 && model.counts().slots < most {
        for come in model.slot() {
            let destination = words[come.number as usize].destination;
            match come.destination == destination {
                true => left -= 1,
                false => model.load(Word { source: come.destination, destination, ..come }),
            }
        }
        first.get_or_insert(model.counts());
    }
    let counts = model.counts();
    let first = first.unwrap_or_default();
    BusRun {
        seed,
        words: count,
        slots: (left == 0).then_some(counts.slots),
        sent_in_first_slot: first.sent,
        delivered_in_first_slot: first.taken,
        sent: counts.sent,
    }
}

/// Sends these words by a time table that is known beforehand, and checked.
///
/// # Errors
/// More nodes or words than a time table is made of; [`BusWorkloadError::TimeTable`] never, unless
/// the table is wrong.
pub fn by_time_table(grid: &Grid, words: &[Word], seed: u64) -> Result<BusRun, BusWorkloadError> {
    let pair = |word: &Word| (word.source, word.destination);
    let words: Vec<(u32, u32)> = words.iter().map(pair).filter(|(a, b)| a != b).collect();
    let table = TimeTable::new(grid, &words)?;
    table.check(grid, &words)?;
    let moves = |slot: usize| table.moves(slot) as u64;
    let first = if table.slots() > 0 { moves(0) } else { 0 };
    Ok(BusRun {
        seed,
        words: words.len() as u64,
        slots: Some(table.slots() as u64),
        sent_in_first_slot: first,
        delivered_in_first_slot: first,
        sent: (0..table.slots()).map(moves).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_bus::protocol::{Backoff, PROTOCOLS, Thinning, Window};

    #[test]
    fn every_protocol_ends_every_workload() {
        for sides in [&[16][..], &[4, 4], &[3, 2, 3]] {
            let grid = Grid::new(sides).unwrap();
            for (name, _) in WORKLOADS {
                let workload = Workload::named(name, 3).unwrap();
                let words = match workload.words(&grid, 1) {
                    Err(BusWorkloadError::Transpose) => continue,
                    words => words.unwrap(),
                };
                assert_eq!(words.len() as u32, grid.nodes() * workload.h());
                for kind in PROTOCOLS {
                    let protocol = (kind.usual)(grid.longest_bus(), workload.h());
                    for way in [WordRoute::Direct, WordRoute::TwoPhase] {
                        let run = run(&grid, (protocol, way), &words, 1, MOST_SLOTS);
                        assert!(run.slots.is_some() && run.sent >= run.words, "{name} {kind:?}");
                    }
                }
            }
        }
    }

    /// A permutation on one bus never collides: backoff needs one slot.
    #[test]
    fn a_permutation_on_one_bus_takes_one_slot() {
        let grid = Grid::new(&[64]).unwrap();
        let words = Workload::Permutation.words(&grid, 5).unwrap();
        let backoff = Protocol::Backoff(Backoff::new(4).unwrap());
        let run = run(&grid, (backoff, WordRoute::Direct), &words, 5, MOST_SLOTS);
        assert_eq!(run.slots, Some(1));
        assert_eq!(run.delivered_in_first_slot, run.words);
    }

    /// Words of an h-relation that thinning sends get through in the first slot as often as if each
    /// of the h - 1 others for that receiver were sent with probability 1/h.
    #[test]
    fn the_first_slot_of_thinning_is_as_computed() {
        let grid = Grid::new(&[1024]).unwrap();
        for h in [2, 4, 16] {
            let protocol = Protocol::Thinning(Thinning::new(h).unwrap());
            let (mut sent, mut taken) = (0.0, 0.0);
            for seed in 0..10 {
                let words = Workload::HRelation(h).words(&grid, seed).unwrap();
                let run = run(&grid, (protocol, WordRoute::Direct), &words, seed, 1);
                assert_eq!(run.slots, None);
                sent += run.sent_in_first_slot as f64;
                taken += run.delivered_in_first_slot as f64;
            }
            let share = (1.0 - 1.0 / f64::from(h)).powi(h as i32 - 1);
            // Five standard deviations of as many independent words.
            let off = 5.0 * (share * (1.0 - share) / sent).sqrt();
            assert!((taken / sent - share).abs() < off, "{h}: {} {share}", taken / sent);
        }
    }

    /// A word alone is sent once for each dimension in which the ends of a way differ. To a node that
    /// is drawn, and from it, these are d (k - 1) / k in the mean.
    #[test]
    fn two_phases_take_two_ways() {
        let grid = Grid::new(&[8, 8]).unwrap();
        let rotor = Protocol::Rotor;
        let (mut sent, runs) = (0, 2000);
        for seed in 0..runs {
            let word = Word { source: 0, destination: 63, number: 0 };
            let direct = run(&grid, (rotor, WordRoute::Direct), &[word], seed, MOST_SLOTS);
            assert_eq!((direct.words, direct.sent), (1, 2));
            let both = run(&grid, (rotor, WordRoute::TwoPhase), &[word], seed, MOST_SLOTS);
            assert!(both.slots.is_some() && (2..=4).contains(&both.sent), "{both:?}");
            sent += both.sent;
        }
        let mean = sent as f64 / runs as f64;
        assert!((mean - 2.0 * 2.0 * 7.0 / 8.0).abs() < 0.05, "{mean}");
    }

    /// Two nodes with words for one node never get through where both always send. The protocols
    /// refuse such numbers: this is a window of 2 in which both draw alike.
    #[test]
    fn runs_that_do_not_end_are_given_up() {
        let grid = Grid::new(&[64]).unwrap();
        let words: Vec<Word> =
            (1..64).map(|source| Word { source, destination: 0, number: source.into() }).collect();
        let window = Protocol::Window(Window::new(2).unwrap());
        let run = run(&grid, (window, WordRoute::Direct), &words, 1, 1000);
        assert_eq!(run.slots, None);
        assert!(run.sent > 20_000);
    }
}
