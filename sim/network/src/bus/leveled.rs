//! The reference model of the fabric of a split&hash network, cycle for cycle, without its RTL.

use super::cycle::{self, Cycle};
use super::sender::Sender;
use super::{Counts, Offer, Sent, Word};
use std::collections::VecDeque;
use turnpike_bus::{BusPlan, Funnels, Grid, Parameters, Protocol};

/// A fabric's state. Nodes are numbered level by level: those of level i from i N on.
#[derive(Clone, Debug)]
pub struct Leveled {
    funnels: Funnels,
    depth: usize,
    data_slot: bool,
    /// By node, the words that it holds: of level 0, for its sink.
    queues: Vec<VecDeque<Word>>,
    /// By node above level 0, from N on, what decides when words are sent.
    senders: Vec<Sender>,
    /// Word that a tap sent in the last slot for data, to a node of the level below.
    sent: Vec<Option<Sent>>,
    /// By node, whether what came was taken.
    taken: Vec<bool>,
    /// By node, how many send there in this slot, and the last of them.
    hits: Vec<(u32, u32)>,
    counts: Counts,
}

impl Leveled {
    /// A fabric after its reset, of the plan's funnels.
    pub fn new(plan: &BusPlan, funnels: &Funnels) -> Self {
        let Parameters { depth, draw_seed, .. } = plan.parameters;
        Self::of(funnels, &plan.grid, plan.protocol, depth, draw_seed)
    }

    /// State of a network that may be too large to be built, its terminals at the points of a grid.
    pub fn of(funnels: &Funnels, grid: &Grid, protocol: Protocol, depth: u32, seed: u64) -> Self {
        let (levels, nodes) = (funnels.network().levels(), funnels.network().nodes());
        let all = (nodes * (levels + 1)) as usize;
        let senders = (0..levels as usize).flat_map(|level| {
            let sender = move |node| Sender::new(protocol, seed, grid, node, level);
            (0..nodes).map(sender)
        });
        let mut model = Self {
            funnels: funnels.clone(),
            depth: depth as usize,
            data_slot: true,
            queues: vec![VecDeque::new(); all],
            senders: senders.collect(),
            sent: vec![None; all],
            taken: vec![false; all],
            hits: vec![(0, 0); all],
            counts: Counts::default(),
        };
        model.reset();
        model
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        self.data_slot = true;
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.senders.iter_mut().for_each(Sender::reset);
        self.sent.fill(None);
        self.taken.fill(false);
        self.counts = Counts::default();
    }

    fn nodes(&self) -> usize {
        self.funnels.network().nodes() as usize
    }

    fn source_node(&self, terminal: u32) -> usize {
        self.funnels.network().levels() as usize * self.nodes() + terminal as usize
    }

    /// Whether a source may send a word in this cycle.
    pub fn ready(&self, terminal: u32) -> bool {
        self.data_slot && self.queues[self.source_node(terminal)].len() < self.depth
    }

    /// The word that a sink is offered in this cycle.
    pub fn offered(&self, terminal: u32) -> Option<Word> {
        self.queues[terminal as usize].front().copied()
    }

    /// Counts since the reset.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// One cycle: by terminal, what its source offers, and whether its sink takes a word.
    pub fn clock(&mut self, offers: &[Option<Offer>], takes: &[bool]) {
        cycle::clock(self, offers, takes);
    }
}

impl Cycle for Leveled {
    fn data_slot(&mut self) -> &mut bool {
        &mut self.data_slot
    }
    fn is_ready(&self, terminal: u32) -> bool {
        self.ready(terminal)
    }
    fn source(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        let source = self.source_node(terminal as u32);
        &mut self.queues[source]
    }
    fn sink(&mut self, terminal: usize) -> &mut VecDeque<Word> {
        &mut self.queues[terminal]
    }

    fn data(&mut self) {
        let nodes = self.nodes();
        let network = *self.funnels.network();
        for at in nodes..self.queues.len() {
            let (level, node) = ((at / nodes - 1) as u32, (at % nodes) as u32);
            let part = |word: &Word| word.destination / network.group(level) % network.side();
            let words = &self.queues[at];
            let place = self.senders[at - nodes].sends(words, part);
            self.sent[at] = place.map(|place| {
                // Functions take turns from the reset on.
                let function = match level {
                    0 => 0,
                    _ => (self.counts.slots % u64::from(network.functions(level))) as u32,
                };
                let to = self.funnels.receiver(level, node, function, part(&words[place]));
                Sent { place, to }
            });
            let Some(Sent { to, .. }) = self.sent[at] else { continue };
            self.counts.sent += 1;
            let hit = &mut self.hits[level as usize * nodes + to as usize];
            *hit = (hit.0 + 1, at as u32);
        }
        self.counts.slots += 1;
        for at in 0..self.hits.len() {
            let (count, from) = std::mem::take(&mut self.hits[at]);
            self.taken[at] = count == 1 && self.queues[at].len() < self.depth;
            self.counts.understood += u64::from(count == 1);
            if self.taken[at] {
                let Sent { place, .. } = self.sent[from as usize].expect("it was sent");
                let word = self.queues[from as usize][place];
                self.queues[at].push_back(word);
                self.counts.taken += 1;
            }
        }
    }

    fn acknowledge(&mut self) {
        let nodes = self.nodes();
        for at in nodes..self.queues.len() {
            let Some(Sent { place, to }) = self.sent[at].take() else { continue };
            let taken = self.taken[(at / nodes - 1) * nodes + to as usize];
            let sender = &mut self.senders[at - nodes];
            sender.told(taken);
            if taken {
                sender.remove(&mut self.queues[at], place);
            }
        }
        self.taken.fill(false);
    }
}
