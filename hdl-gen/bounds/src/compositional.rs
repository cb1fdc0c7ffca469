//! The compositional method: how long any packet holds a queue, from the sinks back to the sources, as if
//! all other sources had packets waiting at all times.
//!
//! Let T(q) be the most cycles from a packet's first flit being at the head of queue q until its last one
//! has left. A packet at the head of q that wants output o waits while o carries one packet of each other
//! queue that feeds it, and then crosses o as the next queue q' has room. Whatever is in q' leaves it at
//! T(q') a packet. So T(q) follows from T(q') of the queues behind q, which the certificate against
//! deadlock puts in an order.
//!
//! At its source a packet waits for those before it: as many as the token buckets of the source's flows let
//! through.

use crate::queue_network::{BucketFlow, LinkSharing, QueueNetwork, Spread};
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use std::collections::BTreeMap;
use turnpike_fabric::plan::Granting;
use turnpike_network::flows::Bandwidth;
use turnpike_network::topology::Terminal;

/// Most releases of packets that a source's longest time of work is followed through.
const MOST_RELEASES: usize = 1 << 16;
/// Cycles that stand for more than can be counted.
pub const TOO_LONG: u64 = 1 << 40;

/// Times of queues and hops, in cycles, saturating at [`TOO_LONG`].
#[derive(Clone, Debug)]
pub struct Times<'a> {
    network: &'a QueueNetwork,
    /// Queues, each behind those that its packets go on to.
    order: Vec<usize>,
    /// By queue, the most cycles that a packet is at its head.
    pub at_head: Vec<u64>,
    /// By queue, flits of the shortest and of the longest packet.
    lengths: Vec<[u64; 2]>,
    /// By output, and by queue that feeds it, the most cycles that one packet takes from its grant; empty
    /// where that is not known yet.
    passes: Vec<BTreeMap<usize, u64>>,
    /// By hop, the most cycles that a packet of its flow is at the head of its queue.
    pub stay: Vec<u64>,
}

/// Queues in an order in which each comes behind those that its packets go on to; `None` where there is
/// none.
fn from_the_sinks(network: &QueueNetwork) -> Option<Vec<usize>> {
    let edges = network.hops.iter().filter_map(|hop| {
        let next = network.outputs[hop.output].next?;
        Some((hop.queue as u32, next as u32))
    });
    let mut graph: DiGraph<(), ()> = DiGraph::from_edges(edges);
    while graph.node_count() < network.queues.len() {
        graph.add_node(());
    }
    let order = toposort(&graph, None).ok()?;
    Some(order.into_iter().rev().map(|node| node.index()).collect())
}

impl<'a> Times<'a> {
    /// Times of all queues; `None` where queues wait for each other in a circle.
    pub fn new(network: &'a QueueNetwork) -> Option<Self> {
        let (at_head, stay) = (vec![0; network.queues.len()], vec![0; network.hops.len()]);
        let length = |&hop: &usize| network.flow_of(hop).packet();
        let lengths = network.queues.iter().map(|queue| {
            let [least, most] =
                [Iterator::min, Iterator::max].map(|end| end(queue.hops.iter().map(length)));
            [least.unwrap_or(1), most.unwrap_or(1)]
        });
        let lengths = lengths.collect();
        let passes = vec![BTreeMap::new(); network.outputs.len()];
        let order = from_the_sinks(network)?;
        let mut times = Self { network, order: Vec::new(), at_head, lengths, passes, stay };
        for &queue in &order {
            for &hop in &network.queues[queue].hops {
                let output = network.hops[hop].output;
                if times.passes[output].is_empty() {
                    times.passes[output] = times.passes_of(output);
                }
                times.stay[hop] = times.stay_of(hop);
            }
            let stays = network.queues[queue].hops.iter().map(|&hop| times.stay[hop]);
            times.at_head[queue] = stays.max().unwrap_or(0);
        }
        Some(Self { order, ..times })
    }

    /// The queues that the times are of.
    pub fn network(&self) -> &'a QueueNetwork {
        self.network
    }

    /// Queues in the order in which their times follow from each other, from the sinks back.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Most cycles that a packet is at the head of a hop's queue.
    fn stay_of(&self, hop: usize) -> u64 {
        self.crossing(hop, self.passed_over(hop) + self.network.timing.grant).min(TOO_LONG)
    }

    /// Most cycles that a packet at the head of a hop's queue waits for other queues, until it is granted.
    pub fn passed_over(&self, hop: usize) -> u64 {
        let own = self.network.hops[hop];
        let passes = &self.passes[own.output];
        let others =
            || passes.iter().filter(|(queue, _)| **queue != own.queue).map(|(_, pass)| *pass);
        let once: u64 = others().sum();
        match self.network.timing.granting {
            // Whoever is under way, and each other queue behind it, makes one packet of each.
            Granting::AtOnce => once,
            // Passed over by at most 2n - 3 packets of n queues, beside the one that is under way.
            Granting::Registered => 2 * once,
            // Passed over by at most n - 1, beside the one that is under way.
            Granting::Ahead => once + others().max().unwrap_or(0),
        }
        .min(TOO_LONG)
    }

    /// Most cycles from the grant of an output until a packet has crossed it, by queue that feeds it.
    fn passes_of(&self, output: usize) -> BTreeMap<usize, u64> {
        let mut slowest: BTreeMap<usize, u64> = BTreeMap::new();
        for &hop in &self.network.outputs[output].hops {
            let pass = slowest.entry(self.network.hops[hop].queue).or_default();
            *pass = (*pass).max(self.crossing(hop, self.network.timing.grant));
        }
        slowest
    }

    /// Most cycles from a packet's first flit being at the head of a hop's queue, where its output is
    /// granted after so many, until its last flit has left the queue.
    fn crossing(&self, hop: usize, granted: u64) -> u64 {
        let network = self.network;
        let output = &network.outputs[network.hops[hop].output];
        let packet = network.flow_of(hop).packet();
        let Spread { per_flit, trail, gives_way } = network.spread(hop, LinkSharing::Turns);
        // Who goes first may have a flit in every cycle, here or where the packet's flits come from.
        if gives_way {
            return TOO_LONG;
        }
        let across = (packet - 1) * per_flit + output.sharing;
        let behind = trail + output.sharing + network.timing.grant;
        let Some(next) = output.next else { return behind.max(granted + across) };
        match self.until_room(next, packet) {
            Some(room) => behind.max(granted + room + network.timing.output + across),
            // The packet is longer than the queue: it crosses as it leaves the next one.
            None => granted + self.until_head(hop) + self.at_head[next],
        }
    }

    /// Most packets that are in a queue, in part or whole.
    fn packets_inside(&self, queue: usize) -> u64 {
        (self.network.queues[queue].holds - 1) / self.lengths[queue][0] + 1
    }

    /// Most cycles until a queue has room for all flits of a packet, whatever is inside; `None` where it
    /// is too short.
    fn until_room(&self, queue: usize, packet: u64) -> Option<u64> {
        let left = self.network.queues[queue].room.checked_sub(packet)?;
        let (holds, [shortest, longest]) = (self.network.queues[queue].holds, self.lengths[queue]);
        // Once n packets are gone, those that are left are whole, and were beside a flit of the first one.
        let inside = |gone: u64| {
            let flits = (holds - 1).saturating_sub((gone - 1) * shortest);
            if shortest == longest { flits / shortest * shortest } else { flits }
        };
        let gone = (1..).find(|&gone| inside(gone) <= left).expect("all may go");
        Some((gone * self.at_head[queue]).min(TOO_LONG))
    }

    /// Most cycles from the grant of a hop's output to a packet's first flit being at the head of the
    /// next queue.
    fn until_head(&self, hop: usize) -> u64 {
        let output = &self.network.outputs[self.network.hops[hop].output];
        if !output.above.is_empty() {
            return TOO_LONG;
        }
        let next = output.next.expect("there is a next queue");
        let ahead = (self.packets_inside(next) * self.at_head[next]).min(TOO_LONG);
        ahead + 2 * self.network.timing.output + output.sharing
    }

    /// Most cycles between the first flits of a packet of a route and of the one behind it at their source.
    fn at_source(&self, route: usize) -> u64 {
        let first = self.network.routes[route].hops.start;
        let (queue, packet) =
            (self.network.hops[first].queue, self.network.flow_of(first).packet());
        let registered = self.network.timing.injection - 1;
        match self.until_room(queue, packet) {
            Some(room) => room + packet + registered,
            None => self.until_in(route) + self.stay[first],
        }
        .min(TOO_LONG)
    }

    /// Most cycles from a packet being the first at its source to its first flit being at the head of its
    /// injection queue.
    fn until_in(&self, route: usize) -> u64 {
        let queue = self.network.hops[self.network.routes[route].hops.start].queue;
        let ahead = self.packets_inside(queue) * self.at_head[queue];
        ahead.min(TOO_LONG) + self.network.timing.injection
    }

    /// Most cycles from a packet of a route being the first at its source to its last flit at the sink.
    fn through(&self, route: usize) -> u64 {
        let hops = self.network.routes[route].hops.clone();
        let last = hops.end - 1;
        let on = |hop| self.passed_over(hop) + self.network.timing.grant + self.until_head(hop);
        let way: u64 = (hops.start..last).map(on).sum();
        let all = self.until_in(route) + way + self.stay[last] - 1 + self.network.timing.output;
        all.min(TOO_LONG)
    }

    /// Bound of each flow, in cycles from the release of a packet to its last flit at the sink; `None`
    /// where the source may release more than the network is sure to take.
    pub fn bounds(&self) -> Vec<Option<u64>> {
        let flows = &self.network.flows;
        let (mut between, mut through) = (vec![0u64; flows.len()], vec![0u64; flows.len()]);
        for (at, route) in self.network.routes.iter().enumerate() {
            between[route.flow] = between[route.flow].max(self.at_source(at));
            through[route.flow] = through[route.flow].max(self.through(at));
        }
        let mut of_source: BTreeMap<Terminal, Vec<(&BucketFlow, u64)>> = BTreeMap::new();
        for (flow, &between) in flows.iter().zip(&between) {
            of_source.entry(flow.source).or_default().push((flow, between));
        }
        let waits: BTreeMap<Terminal, Option<u64>> =
            of_source.into_iter().map(|(source, flows)| (source, backlog(&flows))).collect();
        let bound = |at: usize| {
            // The wait ends when the packet is the first at its source.
            let work = waits[&flows[at].source]?;
            Some(work - between[at] + through[at]).filter(|&bound| bound < TOO_LONG)
        };
        (0..flows.len()).map(bound).collect()
    }
}

/// Most cycles from the release of a packet until the source is done with it, where each packet of a flow
/// keeps the source for so many; `None` where that has no bound, or none that can be found in time.
fn backlog(flows: &[(&BucketFlow, u64)]) -> Option<u64> {
    let whole = u128::from(Bandwidth::WHOLE.0);
    let share = |(flow, keeps): &(&BucketFlow, u64)| {
        flow.bucket.rate.flits_per_cycle() * *keeps as f64 / flow.packet() as f64
    };
    // What asks for more than all the time is never done; a little more may be the rounding of the sum.
    if flows.iter().map(share).sum::<f64>() > 1.000_001 {
        return None;
    }
    let (mut now, mut most) = (0, 0);
    for _ in 0..MOST_RELEASES {
        let work = flows.iter().try_fold(0u64, |sum, (flow, keeps)| {
            sum.checked_add(flow.bucket.packets(now).checked_mul(*keeps)?)
        })?;
        if work >= TOO_LONG {
            return None;
        }
        most = most.max(work.saturating_sub(now));
        if work <= now {
            return Some(most);
        }
        // The next cycle in which a bucket lets one packet more through.
        let next = flows.iter().map(|(flow, _)| {
            let packets = u128::from(flow.bucket.packets(now)) + 1;
            let flits = packets * u128::from(flow.packet()) - u128::from(flow.bucket.burst);
            (flits * whole).div_ceil(u128::from(flow.bucket.rate.0)) as u64
        });
        let next = next.min().unwrap_or(u64::MAX);
        if next >= work {
            // Nothing more is released before the source is done.
            return Some(most);
        }
        now = next;
    }
    None
}
