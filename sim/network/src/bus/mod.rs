//! The reference models of bus fabrics, cycle for cycle, without their RTL: here that of a grid.

mod cycle;
pub mod fabric;
pub mod funnels;
pub mod leveled;
pub mod one_bus;
pub mod saturation;
mod sender;
mod stimulus;
pub mod summary;
pub mod workload;

pub use stimulus::Stimulus;

use cycle::Cycle;
use sender::Sender;
use std::collections::VecDeque;
use turnpike_bus::{BusPlan, Grid, Protocol};

/// A word on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The node that it comes from.
    pub source: u32,
    /// The node that it goes to.
    pub destination: u32,
    /// Number that tells the word from all others.
    pub number: u64,
}

/// Offer of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    Word(Word),
    /// A word to an address without a node: it is taken, and goes nowhere.
    Unknown,
}

/// Counts of slots for data, since the reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Slots for data.
    pub slots: u64,
    /// Words that were sent.
    pub sent: u64,
    /// Words that were understood: no other word met them.
    pub understood: u64,
    /// Words that were understood and that their receiver took.
    pub taken: u64,
}

/// A word that was sent: which of those that the sender holds, and to which node.
#[derive(Clone, Copy, Debug)]
struct Sent {
    place: usize,
    to: u32,
}

/// A fabric's state.
#[derive(Clone, Debug)]
pub struct Model {
    grid: Grid,
    depth: usize,
    data_slot: bool,
    /// By node, the words at its source.
    sources: Vec<VecDeque<Word>>,
    /// By node and dimension, the words for a bus.
    queues: Vec<VecDeque<Word>>,
    /// By node and dimension, what decides when they are sent.
    senders: Vec<Sender>,
    /// Word that a tap sent in the last slot for data.
    sent: Vec<Option<Sent>>,
    /// Whether the word that came to a tap was taken.
    taken: Vec<bool>,
    /// By node, the words for its sink.
    sinks: Vec<VecDeque<Word>>,
    /// By node and queue (of each dimension, of the sink), the candidate that was taken last.
    owners: Vec<u32>,
    /// By node and dimension, how many send there in this slot, and the last of them.
    hits: Vec<(u32, u32)>,
    counts: Counts,
}

impl Model {
    /// A fabric after its reset.
    pub fn new(plan: &BusPlan) -> Self {
        let BusPlan { grid, protocol, parameters, .. } = plan;
        Self::of(grid, *protocol, parameters.depth as usize, parameters.draw_seed)
    }

    /// State of a grid that may be too large to be built, or whose queues hold any number of words.
    pub fn of(grid: &Grid, protocol: Protocol, depth: usize, seed: u64) -> Self {
        let nodes = grid.nodes();
        let dimensions = grid.dimensions();
        let ends = nodes as usize;
        let taps = ends * dimensions;
        let senders = (0..nodes).flat_map(|node| {
            let sender = move |d| Sender::new(protocol, seed, grid, node, d);
            (0..dimensions).map(sender)
        });
        let mut model = Self {
            grid: grid.clone(),
            depth,
            data_slot: true,
            sources: vec![VecDeque::new(); ends],
            queues: vec![VecDeque::new(); taps],
            senders: senders.collect(),
            sent: vec![None; taps],
            taken: vec![false; taps],
            sinks: vec![VecDeque::new(); ends],
            owners: vec![0; ends * (dimensions + 1)],
            hits: vec![(0, 0); taps],
            counts: Counts::default(),
        };
        model.reset();
        model
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        self.data_slot = true;
        self.sources
            .iter_mut()
            .chain(&mut self.queues)
            .chain(&mut self.sinks)
            .for_each(VecDeque::clear);
        self.senders.iter_mut().for_each(Sender::reset);
        self.sent.fill(None);
        self.taken.fill(false);
        let queues = self.grid.dimensions() + 1;
        // The search begins after the last owner: with the first candidate.
        (0..).zip(&mut self.owners).for_each(|(at, owner)| *owner = at % queues as u32);
        self.counts = Counts::default();
    }

    /// Whether a source may send a word in this cycle.
    pub fn ready(&self, node: u32) -> bool {
        self.sources[node as usize].len() < self.depth
    }

    /// The word that a sink is offered in this cycle.
    pub fn offered(&self, node: u32) -> Option<Word> {
        self.sinks[node as usize].front().copied()
    }

    /// Whether this is a slot for data.
    pub fn is_data_slot(&self) -> bool {
        self.data_slot
    }

    /// Counts since the reset.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Puts a word, whose source is not its destination, into the queue of its first bus.
    pub fn load(&mut self, word: Word) {
        let next = self.grid.next_dimension(word.source, word.destination, 0);
        let dimension = next.expect("the nodes differ");
        let tap = word.source as usize * self.grid.dimensions() + dimension;
        self.queues[tap].push_back(word);
    }

    /// A slot for data and one for acknowledgements, in which sources offer nothing and sinks take
    /// everything. The words that came to sinks, by node.
    pub fn slot(&mut self) -> Vec<Word> {
        self.data();
        self.acknowledge();
        self.sinks.iter_mut().flat_map(|sink| sink.drain(..)).collect()
    }

    /// One cycle: by node, what its source offers, and whether its sink takes a word.
    pub fn clock(&mut self, offers: &[Option<Offer>], takes: &[bool]) {
        cycle::clock(self, offers, takes);
    }
}

impl Cycle for Model {
    fn data_slot(&mut self) -> &mut bool {
        &mut self.data_slot
    }
    fn is_ready(&self, terminal: u32) -> bool {
        self.ready(terminal)
    }
    fn source(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        &mut self.sources[terminal]
    }
    fn sink(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        &mut self.sinks[terminal]
    }

    fn data(&mut self) {
        self.counts.slots += 1;
        let dimensions = self.grid.dimensions();
        for tap in 0..self.queues.len() {
            let (node, dimension) = ((tap / dimensions) as u32, tap % dimensions);
            let words = &self.queues[tap];
            let receiver = |word: &Word| self.grid.coordinate(word.destination, dimension);
            self.sent[tap] = self.senders[tap].sends(words, receiver).map(|place| {
                let to = receiver(&words[place]);
                Sent { place, to: self.grid.along(node, dimension, to) }
            });
            let Some(Sent { to, .. }) = self.sent[tap] else { continue };
            self.counts.sent += 1;
            let hit = &mut self.hits[to as usize * dimensions + tap % dimensions];
            *hit = (hit.0 + 1, tap as u32);
        }
        for node in 0..self.sources.len() {
            self.advance(node);
        }
        self.hits.fill((0, 0));
    }

    fn acknowledge(&mut self) {
        let dimensions = self.grid.dimensions();
        for tap in 0..self.queues.len() {
            let Some(Sent { place, to }) = self.sent[tap].take() else { continue };
            let taken = self.taken[to as usize * dimensions + tap % dimensions];
            self.senders[tap].told(taken);
            if taken {
                self.senders[tap].remove(&mut self.queues[tap], place);
            }
        }
        self.taken.fill(false);
    }
}

impl Model {
    /// Moves the words that are at a node into its queues, one into each at most.
    fn advance(&mut self, node: usize) {
        let dimensions = self.grid.dimensions();
        let taps = node * dimensions;
        // By candidate (the source, then each bus), the word and the queue that it goes to.
        let mut words: [Option<(Word, usize)>; turnpike_bus::grid::MOST_DIMENSIONS + 1] =
            Default::default();
        let next = |grid: &Grid, word: Word, from| {
            let next = grid.next_dimension(node as u32, word.destination, from);
            (word, next.unwrap_or(dimensions))
        };
        words[0] = self.sources[node].front().map(|&word| next(&self.grid, word, 0));
        for dimension in 0..dimensions {
            let (count, from) = self.hits[taps + dimension];
            if count == 1 {
                self.counts.understood += 1;
                let from = from as usize;
                let word = self.queues[from][self.sent[from].expect("it was sent").place];
                words[dimension + 1] = Some(next(&self.grid, word, dimension + 1));
            }
        }
        self.taken[taps..taps + dimensions].fill(false);
        if words.iter().all(Option::is_none) {
            return;
        }
        for queue in 0..=dimensions {
            let length = match queue == dimensions {
                true => self.sinks[node].len(),
                false => self.queues[taps + queue].len(),
            };
            if length >= self.depth {
                continue;
            }
            // The candidates of this queue are the source and the busses of lower dimensions.
            let candidates = queue as u32 + 1;
            let owner = &mut self.owners[node * (dimensions + 1) + queue];
            let after = (1..=candidates).map(|step| (*owner + step) % candidates);
            let asks = |c: &u32| words[*c as usize].is_some_and(|(_, to)| to == queue);
            let Some(winner) = { after }.find(asks) else { continue };
            *owner = winner;
            let (word, _) = words[winner as usize].expect("it asks");
            match queue == dimensions {
                true => self.sinks[node].push_back(word),
                false => self.queues[taps + queue].push_back(word),
            }
            match winner {
                0 => drop(self.sources[node].pop_front()),
                bus => {
                    self.taken[taps + bus as usize - 1] = true;
                    self.counts.taken += 1;
                }
            }
        }
    }
}
