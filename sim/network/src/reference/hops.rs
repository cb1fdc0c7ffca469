//! The relation's decisions, asked once each where memory allows.

use super::layout::{Layout, NONE};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_network::routing::{Draw, Header, Input, Vc};
use turnpike_network::topology::{Node, Port, Terminal};

/// Most decisions that are remembered: a table of 2 MiB, which a core's cache holds.
const MOST_REMEMBERED: usize = 1 << 19;
const UNKNOWN: u32 = u32::MAX;
/// Bits of a remembered decision that name the (output, VC).
const WANTS_BITS: u32 = 6;

/// Where a packet goes at a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    /// The (output, VC); [`NONE`] where the packet has a choice ([`super::adaptive`]).
    pub wants: u8,
    /// The header from there on; where the packet has a choice, up to there.
    pub header: Header,
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
}

impl Hops {
    pub fn new(network: Arc<Network>, layout: &Layout) -> Self {
        let (topology, relation) = (network.topology(), network.relation());
        let ports = (0..topology.ports()).map(|p| Input::Network(Port(p)));
        let bits = ports.map(|input| relation.header_bits(input)).max().unwrap_or(0);
        // The plan holds the logic of a class against the relation: queue and header decide.
        let queues = layout.classes.len() * layout.queue_stride;
        let size = 1usize.checked_shl(bits).and_then(|rows| rows.checked_mul(queues));
        let fits = bits + WANTS_BITS < 32;
        let is_adaptive = relation.choices().is_some();
        let fits = fits && !is_adaptive;
        let size = size.filter(|&s| fits && s <= MOST_REMEMBERED).unwrap_or(0);
        let bits = if size == 0 { 0 } else { bits };
        Self { network, is_adaptive, remembered: vec![UNKNOWN; size], bits }
    }

    /// Asks anew from now on, as where memory does not allow otherwise.
    #[cfg(test)]
    pub fn forget(&mut self) {
        (self.remembered, self.bits) = (Vec::new(), 0);
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
        let header = self.network.relation().inject(source, destination, draw);
        let at = layout.inject(source.0).expect("who sends has an injection queue");
        self.arrive(layout, at.node(), at.index(), header)
    }

    /// The decision on a flit that enters a queue.
    #[inline]
    pub fn arrive(
        &mut self,
        layout: &Layout,
        node: usize,
        queue: usize,
        header: Header,
    ) -> Decision {
        let class = layout.class_index(node);
        let at = (class * layout.queue_stride + queue) << self.bits | header as usize;
        let entry = if header >> self.bits == 0 { self.remembered.get(at) } else { None };
        match entry {
            Some(&known) if known != UNKNOWN => Decision {
                wants: (known & ((1 << WANTS_BITS) - 1)) as u8,
                header: u64::from(known >> WANTS_BITS),
            },
            entry => {
                let remember = entry.is_some();
                let key = layout.classes[class].queues[queue];
                let decision = self.ask(layout, node, key, header);
                if remember {
                    self.remembered[at] =
                        (decision.header as u32) << WANTS_BITS | u32::from(decision.wants);
                }
                decision
            }
        }
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
