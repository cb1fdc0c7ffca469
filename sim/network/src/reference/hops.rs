//! The relation's decisions, asked once each where memory allows.

use super::flit::{Decision, Flit, NARROW};
use super::layout::{Layout, NONE};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::{Draw, Header, Input, Vc};
use turnpike_network::topology::{Node, Port, Terminal};

/// Most decisions that are remembered: a table of 2 MiB, which a core's cache holds.
const MOST_REMEMBERED: usize = 1 << 19;
/// Entries remembered for each node, where these are more: in large networks asking the relation
/// takes longer than memory does. 128 bytes, beside a kilobyte and more of queues and outputs.
const REMEMBERED_PER_NODE: usize = 1 << 5;
/// Most terminals of which all pairs are remembered: 256 KiB.
const MOST_TERMINALS: usize = 256;
/// Headers at injection that are remembered, where they are longer than those on channels: 256 KiB. A power
/// of two.
const LONG: usize = 1 << 14;
/// No [`Decision::low`].
const UNKNOWN: u32 = u32::MAX;

/// Decision of the relation on a header that is longer than those on channels.
#[derive(Clone, Copy, Debug)]
struct Long {
    header: Header,
    /// By class, as [`Layout::of_class`] has it.
    queue: u32,
    /// [`Decision::low`], or [`UNKNOWN`].
    low: u32,
}

/// Asks the relation, and remembers what it said where the node is of no account.
#[derive(Debug)]
pub(super) struct Hops {
    network: Arc<Network>,
    is_adaptive: bool,
    /// [`Decision::low`] by (class, queue, header); empty where nothing is remembered. Several threads may
    /// look, and note what they found: what was found twice is the same.
    remembered: Vec<AtomicU32>,
    /// Header bits that index `remembered`.
    bits: u32,
    /// By a hash, the longer header that was asked about last; empty where nothing is remembered, or no
    /// header is longer.
    long: Vec<Long>,
    /// [`Decision::low`] by source and destination, for packets that draw nothing; empty where nothing is
    /// remembered, or there are too many.
    injected: Vec<u32>,
}

impl Hops {
    pub fn new(plan: &FabricPlan, layout: &Layout) -> Self {
        let network = plan.network().clone();
        let (topology, relation) = (network.topology(), network.relation());
        let ports = (0..topology.ports()).map(|p| Input::Network(Port(p)));
        let bits = ports.map(|input| relation.header_bits(input)).max().unwrap_or(0);
        // The plan holds the logic of a class against the relation: queue and header decide.
        let queues = layout.fields.at(layout.classes.len(), 0);
        let size = 1usize.checked_shl(bits).and_then(|rows| rows.checked_mul(queues));
        let fits = bits <= NARROW;
        let most = MOST_REMEMBERED.max(layout.nodes * REMEMBERED_PER_NODE);
        let is_adaptive = relation.choices().is_some();
        let size = size.filter(|&s| fits && s <= most).unwrap_or(0);
        let bits = if size == 0 { 0 } else { bits };
        let terminals = layout.terminals as usize;
        let draws = (0..layout.terminals).any(|t| plan.generator(Terminal(t)).is_some());
        let remembers = size > 0 && !draws && terminals <= MOST_TERMINALS;
        let pairs = if remembers { terminals * terminals } else { 0 };
        let has_long = size > 0 && relation.header_bits(Input::INJECT) > bits;
        let long = Long { header: 0, queue: 0, low: UNKNOWN };
        let long = vec![long; if has_long { LONG } else { 0 }];
        let remembered = (0..size).map(|_| AtomicU32::new(UNKNOWN)).collect();
        let injected = vec![UNKNOWN; pairs];
        Self { network, is_adaptive, remembered, bits, long, injected }
    }

    /// Remembered answer of [`Hops::inject`], for packets from a terminal to any address.
    #[inline(always)]
    pub fn injected(
        &self,
        layout: &Layout,
        source: Terminal,
        destination: Terminal,
    ) -> Option<Decision> {
        let pair = Self::pair(layout, source, destination);
        let known = self.injected.get(pair).filter(|_| destination.0 < layout.terminals);
        known.filter(|&&known| known != UNKNOWN).map(|&known| Decision::of_low(known))
    }

    #[inline(always)]
    fn pair(layout: &Layout, source: Terminal, destination: Terminal) -> usize {
        source.0 as usize * layout.terminals as usize + destination.0 as usize
    }

    /// The decision on a packet to a terminal, that enters the network by the injection queue of its source.
    pub fn inject(
        &mut self,
        layout: &Layout,
        (source, at): (Terminal, usize),
        destination: Terminal,
        draw: Draw,
    ) -> Decision {
        let header = self.network.relation().inject(source, destination, draw);
        let decision = match header >> self.bits {
            0 => match self.known(layout, at, header) {
                UNKNOWN => self.find(layout, at, header),
                known => Decision::of_low(known),
            },
            _ => self.find_long(layout, at, header),
        };
        if let Some(entry) = self.injected.get_mut(Self::pair(layout, source, destination)) {
            *entry = whole(decision);
        }
        decision
    }

    /// Decides upon a flit that enters the queue at the end of its channel.
    #[inline(always)]
    pub fn arrive<const WIDE: bool>(&self, layout: &Layout, queue: u32, flit: Flit) -> Flit {
        let header = flit.header::<WIDE>();
        match self.known(layout, queue as usize, header) {
            UNKNOWN => flit.going(self.find(layout, queue as usize, header)),
            known if WIDE => flit.going(Decision::of_low(known)),
            known => flit.going_by(known),
        }
    }

    /// Decides upon a longer header.
    fn find_long(&mut self, layout: &Layout, at: usize, header: Header) -> Decision {
        // By a multiple of the golden ratio: all bits of the header count (Knuth, volume 3, section 6.4).
        let hash = (header.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        let place = hash & self.long.len().wrapping_sub(1);
        let queue = layout.of_class(at) as u32;
        let found =
            self.long.get(place).filter(|long| (long.header, long.queue) == (header, queue));
        if let Some(&Long { low, .. }) = found.filter(|long| long.low != UNKNOWN) {
            return Decision::of_low(low);
        }
        let decision = self.find(layout, at, header);
        if let Some(entry) = self.long.get_mut(place) {
            *entry = Long { header, queue, low: whole(decision) };
        }
        decision
    }

    /// Remembered decision, or [`UNKNOWN`], on a header of up to `self.bits` bits, as they arrive
    /// over channels. A longer header would find the entry of another: its owner looks in its own
    /// place first.
    #[inline(always)]
    fn known(&self, layout: &Layout, queue: usize, header: Header) -> u32 {
        let at = layout.of_class(queue) << self.bits | header as usize;
        self.remembered.get(at).map_or(UNKNOWN, |known| known.load(Ordering::Relaxed))
    }

    /// Decision that is not remembered: asks the relation, and remembers it.
    #[cold]
    fn find(&self, layout: &Layout, queue: usize, header: Header) -> Decision {
        let of_class = layout.of_class(queue);
        let (class, index) = (layout.fields.switch(of_class), layout.fields.index(of_class));
        let node = layout.fields.switch(queue);
        let decision = self.ask(layout, node, layout.classes[class].queues[index], header);
        if header >> self.bits == 0
            && let Some(entry) = self.remembered.get(of_class << self.bits | header as usize)
        {
            entry.store(decision.low(), Ordering::Relaxed);
        }
        decision
    }

    fn ask(
        &self,
        layout: &Layout,
        node: usize,
        (input, vc): (Input, Vc),
        header: Header,
    ) -> Decision {
        let hop = self.network.relation().hop(Node(node as u32), input, vc, header);
        let wants = layout.class(node).output_vc(hop.output, hop.vc);
        if self.is_adaptive && !hop.output.is_eject() {
            // Where it goes is decided when it is at the head.
            return Decision::new(NONE, header);
        }
        // The plan's turns are enumerated over every route, and packets follow routes.
        assert_ne!(wants, NONE, "the switch has every turn of its relation");
        Decision::new(wants, hop.header)
    }
}

/// The [`Decision::low`] bits of a decision, where they are all of it.
fn whole(decision: Decision) -> u32 {
    let low = decision.low();
    if Decision::of_low(low) == decision { low } else { UNKNOWN }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{Beat, Reference};
    use crate::terminals::TerminalSet;
    use turnpike_base::hash::hash;
    use turnpike_fabric::plan::Parameters;

    /// Remembered decisions are those of the relation.
    #[test]
    fn remembering_changes_nothing() {
        // Pairs are not remembered of 9 dimensions; of 16 the table is larger than what small networks have.
        let cases = [
            (5, "ecube", 500, false),
            (5, "rotation", 500, true),
            (9, "rotation", 40, true),
            (4, "thacker", 500, true),
            (16, "ecube", 12, false),
        ];
        for (k, routing, cycles, has_long) in cases {
            let network = Network::new("hypercube", k, Some(routing), None).unwrap();
            let parameters = Parameters::default();
            let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
            let mut models = [(); 2].map(|()| Reference::new(&plan).unwrap());
            let hops = &models[0].hops;
            assert!(!hops.remembered.is_empty(), "{routing} {k}");
            assert_eq!(!hops.long.is_empty(), has_long, "{routing} {k}");
            // So few places that headers meet.
            models[0].hops.long.truncate(64);
            // As where memory does not allow otherwise.
            let hops = &mut models[1].hops;
            (hops.remembered, hops.injected, hops.bits) = (Vec::new(), Vec::new(), 0);
            hops.long.clear();
            let terminals = models[0].terminals();
            let all = TerminalSet::all(terminals);
            for cycle in 0..cycles {
                for t in 0..terminals {
                    let destination = Terminal(hash(1, &[cycle, t.into()]) as u32 % terminals);
                    let beat = Beat { packet: cycle as u32, destination, last: true };
                    let taken = models.each_mut().map(|m| m.offer(t, beat));
                    assert_eq!(taken[0], taken[1]);
                }
                let [a, b] = models.each_mut().map(|m| m.clock(&all).to_vec());
                assert_eq!(a, b);
            }
            assert!(models[0].flit_hops() > 5_000);
        }
    }

    /// Entries that another queue, or another header, has left in a place are not taken for one's
    /// own.
    #[test]
    fn a_longer_header_is_known_by_its_queue_and_itself() {
        let network = Network::new("hypercube", 9, Some("rotation"), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
        let mut model = Reference::new(&plan).unwrap();
        let Reference { hops, layout, .. } = &mut model;
        let queue = layout.inject(0).unwrap();
        let inject = |hops: &mut Hops| {
            let to = |to| hops.inject(layout, (Terminal(0), queue), Terminal(to), Draw::NONE);
            (0..512).map(to).collect::<Vec<_>>()
        };
        let asked = inject(hops);
        let known = |hops: &Hops| hops.long.iter().filter(|long| long.low != UNKNOWN).count();
        assert!(known(hops) > 200);
        assert_eq!(inject(hops), asked);
        let wrong = Decision::new(1, 0).low();
        hops.long.iter_mut().for_each(|long| (long.queue, long.low) = (long.queue + 1, wrong));
        assert_eq!(inject(hops), asked);
        hops.long.iter_mut().for_each(|long| (long.header, long.low) = (long.header + 1, wrong));
        assert_eq!(inject(hops), asked);
        // And it is remembered at all: of what is there, what it says is taken.
        hops.long.iter_mut().for_each(|long| long.low = wrong);
        assert_ne!(inject(hops), asked);
    }
}
