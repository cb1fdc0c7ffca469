//! The relation's decisions, asked once each where memory allows.

use super::layout::{Layout, NONE};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::{Draw, Header, Input, Vc};
use turnpike_network::topology::{Node, Port, Terminal};

/// Most decisions that are remembered: a table of 2 MiB, which a core's cache holds.
const MOST_REMEMBERED: usize = 1 << 19;
/// Most terminals of which all pairs are remembered: 256 KiB.
const MOST_TERMINALS: usize = 256;
const UNKNOWN: u32 = u32::MAX;
/// Bits of a remembered decision that name the (output, VC), all of them 1 for [`NONE`].
const WANTS_BITS: u32 = 7;
const WANTS: u32 = (1 << WANTS_BITS) - 1;

/// Where a packet goes at a switch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Decision {
    /// The (output, VC); [`NONE`] where the packet has a choice ([`super::adaptive`]).
    pub wants: u8,
    /// The header from there on; where the packet has a choice, up to there.
    pub header: Header,
}

fn pack(decision: Decision) -> u32 {
    (decision.header as u32) << WANTS_BITS | u32::from(decision.wants) & WANTS
}

#[inline]
fn unpack(known: u32) -> Decision {
    let wants = match known & WANTS {
        WANTS => NONE,
        wants => wants as u8,
    };
    Decision { wants, header: u64::from(known >> WANTS_BITS) }
}

/// Asks the relation, and remembers what it said where the node is of no account.
#[derive(Debug)]
pub(super) struct Hops {
    network: Arc<Network>,
    is_adaptive: bool,
    /// Decision by (class, queue, header), `header << WANTS_BITS | wants`; empty where nothing
    /// is remembered.
    remembered: Vec<u32>,
    /// Header bits that index `remembered`.
    bits: u32,
    /// Decision by source and destination, for packets that draw nothing; empty where nothing is
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
        let fits = bits + WANTS_BITS < 32;
        let is_adaptive = relation.choices().is_some();
        let size = size.filter(|&s| fits && s <= MOST_REMEMBERED).unwrap_or(0);
        let bits = if size == 0 { 0 } else { bits };
        let terminals = layout.terminals as usize;
        let draws = (0..layout.terminals).any(|t| plan.generator(Terminal(t)).is_some());
        let remembers = size > 0 && !draws && terminals <= MOST_TERMINALS;
        let pairs = if remembers { terminals * terminals } else { 0 };
        let (remembered, injected) = (vec![UNKNOWN; size], vec![UNKNOWN; pairs]);
        Self { network, is_adaptive, remembered, bits, injected }
    }

    /// Asks anew from now on, as where memory does not allow otherwise.
    #[cfg(test)]
    pub fn forget(&mut self) {
        (self.remembered, self.injected, self.bits) = (Vec::new(), Vec::new(), 0);
    }

    /// The decision on a packet that enters the network.
    #[inline]
    pub fn inject(
        &mut self,
        layout: &Layout,
        source: Terminal,
        destination: Terminal,
        draw: Draw,
    ) -> Decision {
        let pair = source.0 as usize * layout.terminals as usize + destination.0 as usize;
        match self.injected.get(pair) {
            Some(&known) if known != UNKNOWN => unpack(known),
            entry => {
                let remember = entry.is_some();
                let header = self.network.relation().inject(source, destination, draw);
                let at = layout.inject(source.0).expect("who sends has an injection queue");
                let decision = self.arrive(layout, at, header);
                if remember {
                    self.injected[pair] = pack(decision);
                }
                decision
            }
        }
    }

    /// The decision on a flit that enters a queue.
    #[inline(always)]
    pub fn arrive(&mut self, layout: &Layout, queue: usize, header: Header) -> Decision {
        let of_class = layout.of_class(queue);
        let at = of_class << self.bits | header as usize;
        match self.remembered.get(at) {
            Some(&known) if known != UNKNOWN && header >> self.bits == 0 => unpack(known),
            _ => self.find(layout, queue, header),
        }
    }

    /// The same where it is not remembered.
    #[cold]
    fn find(&mut self, layout: &Layout, queue: usize, header: Header) -> Decision {
        let of_class = layout.of_class(queue);
        let (class, index) = (layout.fields.switch(of_class), layout.fields.index(of_class));
        let node = layout.fields.switch(queue);
        let decision = self.ask(layout, node, layout.classes[class].queues[index], header);
        if header >> self.bits == 0
            && let Some(entry) = self.remembered.get_mut(of_class << self.bits | header as usize)
        {
            *entry = pack(decision);
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
            return Decision { wants: NONE, header };
        }
        // The plan's turns are enumerated over every route, and packets follow routes.
        assert_ne!(wants, NONE, "the switch has every turn of its relation");
        Decision { wants, header: hop.header }
    }
}
