//! The reference model of one bus for flows, cycle for cycle, without its RTL.

use super::cycle::{self, Cycle};
use super::sender::Sender;
use super::{Counts, Offer, Sent, Word};
use std::collections::VecDeque;
use turnpike_bus::{BusFlows, BusPlan, Grid, Parameters, Protocol};

/// A fabric's state, by node.
#[derive(Clone, Debug)]
pub struct OneBus {
    depth: usize,
    data_slot: bool,
    /// Whether the node sends.
    is_source: Vec<bool>,
    /// Words for the bus.
    queues: Vec<VecDeque<Word>>,
    /// Senders, which decide when words are sent.
    senders: Vec<Sender>,
    /// Word that was sent in the last slot for data.
    sent: Vec<Option<Sent>>,
    /// Whether what came was taken.
    taken: Vec<bool>,
    /// Words for the sink.
    sinks: Vec<VecDeque<Word>>,
    counts: Counts,
}

impl OneBus {
    /// A fabric for these flows, after its reset.
    pub fn new(plan: &BusPlan, flows: &BusFlows) -> Self {
        let Parameters { depth, draw_seed, .. } = plan.parameters;
        Self::of(&plan.grid, flows, plan.protocol, depth, draw_seed)
    }

    /// Flows on one bus of any size, after its reset.
    pub fn of(
        grid: &Grid,
        flows: &BusFlows,
        protocol: Protocol,
        depth: u32,
        draw_seed: u64,
    ) -> Self {
        let nodes = grid.nodes();
        let sender = |node| Sender::new(protocol, draw_seed, grid, node, 0);
        let sources = flows.sources();
        let mut model = Self {
            depth: depth as usize,
            data_slot: true,
            is_source: (0..nodes).map(|node| sources.contains(&node)).collect(),
            queues: vec![VecDeque::new(); nodes as usize],
            senders: (0..nodes).map(sender).collect(),
            sent: vec![None; nodes as usize],
            taken: vec![false; nodes as usize],
            sinks: vec![VecDeque::new(); nodes as usize],
            counts: Counts::default(),
        };
        model.reset();
        model
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        self.data_slot = true;
        self.queues.iter_mut().chain(&mut self.sinks).for_each(VecDeque::clear);
        self.senders.iter_mut().for_each(Sender::reset);
        self.sent.fill(None);
        self.taken.fill(false);
        self.counts = Counts::default();
    }

    /// Whether a source may send a word in this cycle.
    pub fn ready(&self, node: u32) -> bool {
        let at = node as usize;
        self.is_source[at] && self.data_slot && self.queues[at].len() < self.depth
    }

    /// The word that a sink is offered in this cycle.
    pub fn offered(&self, node: u32) -> Option<Word> {
        self.sinks[node as usize].front().copied()
    }

    /// Counts since the reset.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// One cycle: by node, what its source offers, and whether its sink takes a word.
    pub fn clock(&mut self, offers: &[Option<Offer>], takes: &[bool]) {
        cycle::clock(self, offers, takes);
    }
}

impl Cycle for OneBus {
    fn data_slot(&mut self) -> &mut bool {
        &mut self.data_slot
    }
    fn is_ready(&self, terminal: u32) -> bool {
        self.ready(terminal)
    }
    fn source(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        &mut self.queues[terminal]
    }
    fn sink(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        &mut self.sinks[terminal]
    }

    fn data(&mut self) {
        self.counts.slots += 1;
        let mut come: Vec<Vec<Word>> = vec![Vec::new(); self.sinks.len()];
        for (at, words) in self.queues.iter().enumerate() {
            let place = self.senders[at].sends(words, |word| word.destination);
            self.sent[at] = place.map(|place| Sent { place, to: words[place].destination });
            if let Some(Sent { place, to }) = self.sent[at] {
                self.counts.sent += 1;
                come[to as usize].push(words[place]);
            }
        }
        for (at, words) in come.into_iter().enumerate() {
            self.taken[at] = false;
            let [word] = words[..] else { continue };
            self.counts.understood += 1;
            if self.sinks[at].len() < self.depth {
                self.sinks[at].push_back(word);
                self.taken[at] = true;
                self.counts.taken += 1;
            }
        }
    }

    fn acknowledge(&mut self) {
        for (at, words) in self.queues.iter_mut().enumerate() {
            let Some(Sent { place, to }) = self.sent[at].take() else { continue };
            let taken = self.taken[to as usize];
            self.senders[at].told(taken);
            if taken {
                self.senders[at].remove(words, place);
            }
        }
        self.taken.fill(false);
    }
}
