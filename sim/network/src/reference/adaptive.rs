//! Adaptive switches: which packet gets which channel, where packets have a choice.
//!
//! In each cycle
//! - the head of a queue that begins a packet and has no channel yet asks for every (output, VC)
//!   that it may take, of those that are held by no packet and whose queue at the channel's end
//!   is ready; one that is to be ejected has no choice and asks for `eject` as elsewhere;
//! - an allocator gives (output, VC)s to packets, which hold them until their last flit has left;
//! - an adaptive queue is ready for a first flit only when it is empty.

use super::flit::Flit;
use super::layout::{Layout, NONE};
use super::matched::Matched;
use super::matching::{Asking, Given, Liked, Memory, maximum, separable};
use super::recency::Recency;
use crate::terminals::Bits;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::choice::ChosenWay;
use turnpike_network::routing::{Header, Hop, Input, Output};
use turnpike_network::topology::Node;

/// Allocator of channels in adaptive switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocator {
    /// Allocator of the RTL: each packet picks one free channel, each channel goes to the queue
    /// that it was granted to longest ago, and a packet that lost picks once more among the
    /// channels left over. Injected packets give way where there are no escape channels.
    #[default]
    Rtl,
    /// Maximum matching: as many packets as can have channels of their own get one, those that have
    /// waited longest above all (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 4).
    /// For study: no RTL does it.
    Maximum,
}

/// Most masks that are remembered.
const MOST_REMEMBERED: usize = 1 << 20;
const UNKNOWN: u64 = u64::MAX;
/// No header of fewer than 32 bits.
const NO_HEADER: u32 = u32::MAX;

/// State of one switch beyond its queues.
#[derive(Clone, Copy, Default, Debug)]
struct Occupancy {
    /// Queues that have a flit.
    occupied: u64,
    /// (Output, VC)s that packets hold.
    held: u64,
}

/// State of the packet at the head of a queue.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The (output, VC)s that it may take; 0 where it is to be ejected.
    asks: u64,
    /// Header of the packet behind this switch.
    header: Header,
    /// The cycle since which it has asked.
    since: u64,
    /// The (output, VC) that it holds, or [`NONE`].
    holds: u8,
    /// A packet's last flit is still to come into the queue.
    inside: bool,
}

impl Head {
    const NONE: Self = Self { asks: 0, header: 0, since: 0, holds: NONE, inside: false };
}

/// The state of all adaptive switches. Queues and (output, VC)s are numbered as in the [`Layout`].
#[derive(Debug)]
pub(super) struct Adaptive {
    network: Arc<Network>,
    allocator: Allocator,
    /// Whether [`Matched`] is kept.
    pub measures: bool,
    pub matched: Matched,
    /// By class and queue: its (output, VC)s, the best liked first.
    liked: Vec<Liked>,
    /// By class and queue: whether it holds flits of one packet only.
    one_packet: Vec<bool>,
    /// By class, queue and header: the (output, VC)s that a packet may take; empty where too many.
    remembered: Vec<u64>,
    /// By the same and (output, VC): the header behind it; empty where too many.
    headers: Vec<u32>,
    bits: u32,
    nodes: Vec<Occupancy>,
    heads: Vec<Head>,
    /// By (output, VC): the queue whose packet holds it, or last held it.
    owner: Vec<u8>,
    /// By (output, VC): what its [`Recency`] keeps.
    grants: Vec<u16>,
    /// By queue: whether it picks from its last way on.
    from_last: Vec<bool>,
    /// By queue: the (output, VC) of those in turn that it took last, or [`NONE`].
    taken: Vec<u8>,
    /// By queue: how often its head has lost, up to what it gives way.
    waited: Vec<u8>,
    /// By class and queue: how often its head gives way.
    gives_way: Vec<u8>,
    /// Heads that ask at the switch that is being looked at, and the channels that they get.
    asking: Vec<Asking>,
    given: Vec<Given>,
}

impl Adaptive {
    /// `None` for a deterministic relation.
    pub fn new(plan: &FabricPlan, layout: &Layout, allocator: Allocator) -> Option<Self> {
        let network = plan.network().clone();
        network.relation().choices()?;
        let queues = layout.fields.all(layout.nodes);
        let by_class = layout.fields.at(layout.classes.len(), 0);
        let (mut liked, mut one_packet) = (vec![Liked::default(); by_class], vec![false; by_class]);
        let mut gives_way = vec![0; by_class];
        for (class, switch) in plan.switches.iter().enumerate() {
            for (at, queue) in switch.queues.iter().enumerate() {
                let index = layout.fields.at(class, at);
                one_packet[index] = queue.holds_one_packet;
                gives_way[index] = queue.gives_way as u8;
                let mut ways: Vec<&ChosenWay> =
                    queue.choice.iter().flat_map(|choice| &choice.ways).collect();
                ways.sort_by_key(|way| !way.in_turn);
                let in_turn = ways.iter().filter(|way| way.in_turn).count();
                let lane = |way: &&ChosenWay| {
                    layout.classes[class].output_vc(Output::Network(way.port), way.vc)
                };
                liked[index] = Liked::new(ways.iter().map(lane).collect()).in_turn(in_turn);
            }
        }
        let bits = network.relation().header_bits(Input::INJECT);
        let size = by_class.checked_shl(bits).filter(|&size| bits < 32 && size <= MOST_REMEMBERED);
        let rows = size.and_then(|size| size.checked_mul(layout.output_stride));
        let rows = rows.filter(|&rows| rows <= MOST_REMEMBERED);
        Some(Self {
            network,
            allocator,
            headers: vec![NO_HEADER; rows.unwrap_or(0)],
            given: Vec::new(),
            asking: Vec::new(),
            measures: false,
            matched: Matched::default(),
            liked,
            one_packet,
            remembered: vec![UNKNOWN; size.unwrap_or(0)],
            bits,
            nodes: vec![Occupancy::default(); layout.nodes],
            heads: vec![Head::NONE; queues],
            owner: vec![NONE; queues],
            grants: vec![
                0;
                layout.nodes * layout.output_stride * Recency::numbers(layout.queue_stride)
            ],
            from_last: vec![false; queues],
            taken: vec![NONE; queues],
            waited: vec![0; queues],
            gives_way,
        })
    }

    /// The state after a reset.
    pub fn clear(&mut self, layout: &Layout) {
        self.nodes.fill(Occupancy::default());
        self.heads.fill(Head::NONE);
        self.owner.fill(NONE);
        self.from_last.fill(false);
        self.taken.fill(NONE);
        self.waited.fill(0);
        let each = self.grants.chunks_mut(Recency::numbers(layout.queue_stride));
        each.filter_map(Recency::of).for_each(|mut recency| recency.reset());
    }

    /// Takes away the rule that an adaptive queue is ready for a first flit only when it is empty.
    pub fn share_queues(&mut self) {
        self.one_packet.fill(false);
    }

    /// Whether a node has any flit.
    pub fn is_occupied(&self, node: usize) -> bool {
        self.nodes[node].occupied != 0
    }

    /// The (output, VC)s of a node that packets hold, with whom and whether it has a flit here.
    #[inline]
    pub fn held(&self, layout: &Layout, node: usize) -> impl Iterator<Item = (u8, u8, bool)> + '_ {
        let Occupancy { occupied, held } = self.nodes[node];
        let owners = &self.owner[layout.fields.at(node, 0)..][..layout.fields.each()];
        Bits(held).map(move |lane| {
            let queue = owners[lane as usize];
            (lane as u8, queue, occupied >> queue & 1 == 1)
        })
    }

    /// Gives the free (output, VC)s of a node, of which those in `ready` have room, to packets.
    pub fn allocate(&mut self, layout: &Layout, node: usize, ready: u64) {
        let Occupancy { occupied, held } = self.nodes[node];
        let first = layout.fields.at(node, 0);
        let heads = &self.heads[first..][..layout.fields.each()];
        let mut asking = std::mem::take(&mut self.asking);
        asking.clear();
        for queue in Bits(occupied) {
            let head = &heads[queue as usize];
            let asks = head.asks & ready & !held;
            if head.holds == NONE && asks != 0 {
                asking.push((queue as u8, asks));
            }
        }
        if !asking.is_empty() {
            let mut given = std::mem::take(&mut self.given);
            given.clear();
            match self.allocator {
                Allocator::Rtl => self.separable(layout, node, &asking, &mut given),
                Allocator::Maximum => {
                    asking.sort_by_key(|asking| heads[usize::from(asking.0)].since);
                    given = maximum(&asking, self.liked(layout, node));
                }
            }
            if self.measures {
                self.measure(given.len() as u64, maximum(&asking, self.liked(layout, node)).len());
            }
            for &(queue, lane) in &given {
                self.nodes[node].held |= 1 << lane;
                self.owner[first + usize::from(lane)] = queue;
                self.heads[first + usize::from(queue)].holds = lane;
            }
            self.given = given;
        }
        self.asking = asking;
    }

    fn measure(&mut self, given: u64, most: usize) {
        let Matched { matched, possible, short, cycles } = &mut self.matched;
        *matched += given;
        *possible += most as u64;
        *short += u64::from(given < most as u64);
        *cycles += 1;
    }

    /// By queue of a node: its (output, VC)s, the best liked first.
    pub fn liked(&self, layout: &Layout, node: usize) -> &[Liked] {
        &self.liked[layout.fields.at(layout.class_index(node), 0)..][..layout.queue_stride]
    }

    /// Channels that the RTL's allocator gives to heads that ask.
    pub fn separable(
        &mut self,
        layout: &Layout,
        node: usize,
        heads: &[Asking],
        given: &mut Vec<Given>,
    ) {
        let (queues, lanes) = (layout.queue_stride, layout.output_stride);
        let numbers = Recency::numbers(queues);
        let of_class = layout.fields.at(layout.class_index(node), 0);
        let mut memory = Memory {
            grants: &mut self.grants[node * lanes * numbers..][..lanes * numbers],
            numbers,
            from_last: &mut self.from_last[node * queues..][..queues],
            taken: &mut self.taken[node * queues..][..queues],
            waited: &mut self.waited[node * queues..][..queues],
        };
        let liked = &self.liked[of_class..][..queues];
        separable(heads, liked, &self.gives_way[of_class..][..queues], &mut memory, given);
    }

    /// A flit came into a queue, which now has `count`; whether the queue is not ready for the
    /// next one. `full` flits fill it.
    #[inline(always)]
    pub fn pushed<const WIDE: bool>(
        &mut self,
        layout: &Layout,
        at: usize,
        flit: Flit,
        (count, full): (u16, u16),
        cycle: u64,
    ) -> bool {
        self.heads[at].inside = !flit.last();
        if count == 1 {
            self.nodes[layout.fields.switch(at)].occupied |= 1 << layout.fields.index(at);
            self.shows::<WIDE>(layout, at, flit, cycle);
        }
        !self.is_ready(layout, at, (count, full))
    }

    /// The flit `popped` left a queue, `head` is next; returns it with the header that it goes on with.
    #[inline(always)]
    pub fn popped<const WIDE: bool>(
        &mut self,
        layout: &Layout,
        at: usize,
        popped: Flit,
        head: Option<Flit>,
        cycle: u64,
    ) -> Flit {
        let (lane, node) = (self.heads[at].holds, layout.fields.switch(at));
        let header = match lane {
            NONE => popped.header::<WIDE>(),
            _ => self.next_header(layout, at),
        };
        if popped.last() && lane != NONE {
            self.nodes[node].held &= !(1 << lane);
            self.heads[at].holds = NONE;
        }
        match head {
            Some(flit) => self.shows::<WIDE>(layout, at, flit, cycle),
            None => self.nodes[node].occupied &= !(1 << layout.fields.index(at)),
        }
        popped.with_header(header)
    }

    /// Whether a queue is ready.
    #[inline(always)]
    pub fn is_ready(&self, layout: &Layout, at: usize, (count, full): (u16, u16)) -> bool {
        let one_packet = self.one_packet[layout.of_class(at)];
        count < full && (!one_packet || self.heads[at].inside || count == 0)
    }

    /// A flit is at the head of its queue from now on.
    #[inline(always)]
    fn shows<const WIDE: bool>(&mut self, layout: &Layout, at: usize, flit: Flit, cycle: u64) {
        if self.heads[at].holds == NONE {
            let header = flit.header::<WIDE>();
            let asks = match flit.wants() {
                NONE => self.mask(layout, at, header),
                _ => 0,
            };
            let head = &mut self.heads[at];
            (head.header, head.since, head.asks) = (header, cycle, asks);
        }
    }

    /// The (output, VC)s that a packet may take from a queue.
    #[inline(always)]
    pub fn mask(&mut self, layout: &Layout, at: usize, header: Header) -> u64 {
        let row = layout.of_class(at) << self.bits | header as usize;
        match self.remembered.get(row) {
            Some(&known) if known != UNKNOWN => known,
            _ => self.find_mask(layout, at, header),
        }
    }

    #[cold]
    fn find_mask(&mut self, layout: &Layout, at: usize, header: Header) -> u64 {
        let class = layout.class(layout.fields.switch(at));
        let lane = |hop: &Hop| class.output_vc(hop.output, hop.vc);
        let hops = self.hops(layout, at, header);
        let mask = hops.iter().map(lane).fold(0, |mask, lane| mask | 1 << lane);
        if let Some(entry) =
            self.remembered.get_mut(layout.of_class(at) << self.bits | header as usize)
        {
            *entry = mask;
        }
        mask
    }

    fn hops(&self, layout: &Layout, at: usize, header: Header) -> Vec<Hop> {
        let node = layout.fields.switch(at);
        let (input, vc) = layout.class(node).queues[layout.fields.index(at)];
        let (relation, node) = (self.network.relation(), Node(node as u32));
        let mut hops =
            relation.choices_of(input, vc).map_or(Vec::new(), |c| c.hops(node, input, vc, header));
        hops.push(relation.hop(node, input, vc, header));
        hops
    }

    /// The header of the packet at a queue behind the (output, VC) that it holds.
    #[inline(always)]
    fn next_header(&mut self, layout: &Layout, at: usize) -> Header {
        let Head { header, holds, .. } = self.heads[at];
        let row = layout.of_class(at) << self.bits | header as usize;
        let entry = row * layout.output_stride + usize::from(holds);
        match self.headers.get(entry) {
            Some(&known) if known != NO_HEADER => known.into(),
            _ => self.find_header(layout, at, entry),
        }
    }

    #[cold]
    fn find_header(&mut self, layout: &Layout, at: usize, entry: usize) -> Header {
        let Head { header, holds, .. } = self.heads[at];
        let class = layout.class(layout.fields.switch(at));
        let hops = self.hops(layout, at, header);
        let lane = |hop: &&Hop| class.output_vc(hop.output, hop.vc) == holds;
        let header = hops.iter().find(lane).map_or(0, |hop| hop.header);
        if let Some(entry) = self.headers.get_mut(entry) {
            *entry = u32::try_from(header).unwrap_or(NO_HEADER);
        }
        header
    }
}

#[cfg(test)]
mod tests;
