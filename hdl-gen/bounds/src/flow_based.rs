//! The flow-based method: which packets can be in the way, and how many cycles each of them takes.
//!
//! While a packet is under way, follow who waits for whom. A packet behind another in its source or in a
//! queue waits for the one in front. The first flit of a packet at the head of a queue waits for the
//! owner of its output; once it is granted, for the packet at the head of the next queue, while that has
//! no room. There is no deadlock, so the chain ends: at a packet whose first flit moves on, or is at the
//! sink with the others coming in behind it. The cycle is charged to that packet. No packet is charged
//! more cycles than it takes alone, with the other virtual channels of its links busy. So the packets
//! that can stand in the chain of a flow bound its time.
//!
//! The other virtual channels of a link that take turns are counted in one of two ways ([`LinkSharing`]): as if
//! all took their turn whenever they may; or by the flits that they send, as those are that go first. Then a cycle in which a flit of another
//! virtual channel takes a link, where one of the chain's last packet could, is charged to the packet of
//! that flit: a cycle for each of its flits and each such link. A packet is late by no more cycles than its
//! links were taken in, for what holds up its flits otherwise are fixed times behind one another.
//!
//! Which packets these are is known in two ways, which go together. Of flows that have a bound: those
//! that may still be under way, or are released meanwhile. Of the others: all that were released since
//! none of theirs was under way ([`by_chains`]).

use crate::compositional::TOO_LONG;
use crate::queue_network::{LinkSharing, QueueNetwork};
use std::collections::BTreeMap;

/// Steps in which a time is looked for, at most.
const MOST_STEPS: usize = 1 << 14;

/// Place of a packet's first flit on its route. Places of one route compare as it passes them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place(usize);

impl Place {
    /// At the source.
    pub const SOURCE: Self = Self(0);

    /// Waiting in the queue of a hop.
    pub fn waiting(hop: usize) -> Self {
        Self(2 * hop + 1)
    }

    /// Granted the output of a hop.
    pub fn granted(hop: usize) -> Self {
        Self(2 * hop + 2)
    }
}

/// By route, the first place from which on its packets can be in a chain; `None` where they never are.
pub type Reach = Vec<Option<Place>>;

/// Places that were followed already: sources and queues with all that wait there, outputs with all that
/// own them.
struct Followed {
    reach: Reach,
    sources: Vec<bool>,
    queues: Vec<bool>,
    outputs: Vec<bool>,
    open: Vec<(usize, Place)>,
}

impl Followed {
    fn none(network: &QueueNetwork) -> Self {
        Self {
            reach: vec![None; network.routes.len()],
            sources: vec![false; network.flows.len()],
            queues: vec![false; network.queues.len()],
            outputs: vec![false; network.outputs.len()],
            open: Vec::new(),
        }
    }

    /// Follows who the packets that are open may wait for.
    fn follow(&mut self, network: &QueueNetwork) {
        while let Some((route, place)) = self.open.pop() {
            if self.reach[route].is_some_and(|before| before <= place) {
                continue;
            }
            self.reach[route] = Some(place);
            let flow = network.routes[route].flow;
            if place == Place::SOURCE && !self.sources[flow] {
                self.behind_the_source_of(network, flow);
            }
            for hop in network.routes[route].hops.clone() {
                let own = network.hops[hop];
                if place <= Place::waiting(hop) {
                    self.queue(network, own.queue);
                    if !std::mem::replace(&mut self.outputs[own.output], true) {
                        let owners = network.outputs[own.output].hops.iter();
                        self.open
                            .extend(owners.map(|&at| (network.hops[at].route, Place::granted(at))));
                    }
                }
                if place <= Place::granted(hop)
                    && let Some(next) = network.outputs[own.output].next
                {
                    self.queue(network, next);
                }
            }
        }
    }

    fn behind_the_source_of(&mut self, network: &QueueNetwork, flow: usize) {
        let source = network.flows[flow].source;
        for (at, other) in network.flows.iter().enumerate() {
            self.sources[at] |= other.source == source;
        }
        let routes = network.routes.iter().enumerate();
        let same = routes.filter(|(_, route)| network.flows[route.flow].source == source);
        self.open.extend(same.map(|(at, _)| (at, Place::SOURCE)));
    }

    fn queue(&mut self, network: &QueueNetwork, queue: usize) {
        if !std::mem::replace(&mut self.queues[queue], true) {
            let inside = network.queues[queue].hops.iter();
            self.open.extend(inside.map(|&hop| (network.hops[hop].route, Place::waiting(hop))));
        }
    }
}

/// Places in which packets can be that are in a chain of packets of these flows.
pub fn reach(network: &QueueNetwork, flows: &[usize]) -> Reach {
    let mut followed = Followed::none(network);
    let routes = network.routes.iter().enumerate();
    let own = routes.filter(|(_, route)| flows.binary_search(&route.flow).is_ok());
    followed.open.extend(own.map(|(route, _)| (route, Place::SOURCE)));
    followed.follow(network);
    followed.reach
}

/// Flows, this one among them, whose packets wait for those of none but each other and of flows that
/// `is_known` takes. Ascending.
pub fn together(
    network: &QueueNetwork,
    flow: usize,
    sharing: LinkSharing,
    is_known: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut flows = vec![flow];
    loop {
        let reached = reach(network, &flows);
        let places = network.routes.iter().zip(&reached);
        let met = places.filter(|(_, place)| place.is_some()).map(|(route, _)| route.flow);
        let met = met.chain(links_taken(network, &reached, sharing).into_keys());
        let mut all: Vec<usize> = met.filter(|&met| met == flow || !is_known(met)).collect();
        all.extend(&flows);
        all.sort_unstable();
        all.dedup();
        if all.len() == flows.len() {
            return flows;
        }
        flows = all;
    }
}

/// Hops of all routes that packets in these places are on. Their flits may be on any of them.
fn hops_of<'a>(network: &'a QueueNetwork, reach: &'a Reach) -> impl Iterator<Item = usize> + 'a {
    let routes = network.routes.iter().zip(reach).filter(|(_, place)| place.is_some());
    routes.flat_map(|(route, _)| route.hops.clone())
}

/// By flow, the most links of packets in these places that a packet of it takes on another virtual channel whose
/// flits are charged.
fn links_taken(
    network: &QueueNetwork,
    reach: &Reach,
    sharing: LinkSharing,
) -> BTreeMap<usize, u64> {
    let mut goes_before = vec![false; network.outputs.len()];
    for hop in hops_of(network, reach) {
        for other in network.outputs[network.hops[hop].output].charged(sharing) {
            goes_before[other] = true;
        }
    }
    let mut most = BTreeMap::new();
    for route in &network.routes {
        let taken = route.hops.clone().filter(|&hop| goes_before[network.hops[hop].output]);
        let taken = taken.count() as u64;
        if taken > 0 {
            let known: &mut u64 = most.entry(route.flow).or_default();
            *known = taken.max(*known);
        }
    }
    most
}

/// Cycles that a packet of a route holds up others at most, from this place on. One of a single flit holds
/// nothing while it is in registers from one queue to the next, nor does it hold its source.
pub fn charge(network: &QueueNetwork, route: usize, from: Place, sharing: LinkSharing) -> u64 {
    let hops = network.routes[route].hops.clone();
    let last = hops.end - 1;
    let (entering, output) = match is_single(network, route) {
        true => (1, 0),
        false => (network.timing.injection, network.timing.output),
    };
    let entering = if from == Place::SOURCE { entering } else { 0 };
    let held = hops.filter(|&hop| from <= Place::granted(hop));
    let trail = network.spread(last, sharing).trail;
    entering + held.map(|hop| network.step(hop, sharing) + output).sum::<u64>() + trail
}

/// Cycles that a packet of a route takes alone at most, beside those that it holds up others.
pub fn in_registers(network: &QueueNetwork, route: usize) -> u64 {
    let hops = network.routes[route].hops.len() as u64;
    match is_single(network, route) {
        true => network.timing.injection - 1 + hops * network.timing.output,
        false => 0,
    }
}

fn is_single(network: &QueueNetwork, route: usize) -> bool {
    network.flows[network.routes[route].flow].packet() == 1
}

/// A flow whose packets can be in the way, and the most cycles that each of them is charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charge {
    /// Flow that is charged.
    pub flow: usize,
    /// Cycles for each of its packets.
    pub cycles: u64,
}

/// Charges of the packets in these places, and of those that take their links, by ascending flow. Those of
/// the flows `whole`, ascending, are charged when they are in registers, too.
pub fn charges(
    network: &QueueNetwork,
    reach: &Reach,
    whole: &[usize],
    sharing: LinkSharing,
) -> Vec<Charge> {
    let mut charges: BTreeMap<usize, u64> = BTreeMap::new();
    for (route, place) in reach.iter().enumerate() {
        let Some(place) = *place else { continue };
        let flow = network.routes[route].flow;
        let is_whole = whole.binary_search(&flow).is_ok();
        let alone = if is_whole { in_registers(network, route) } else { 0 };
        let cycles = charge(network, route, place, sharing) + alone;
        let known = charges.entry(flow).or_default();
        *known = cycles.max(*known);
    }
    for (flow, links) in links_taken(network, reach, sharing) {
        *charges.entry(flow).or_default() += links * network.flows[flow].packet();
    }
    charges.into_iter().map(|(flow, cycles)| Charge { flow, cycles }).collect()
}

/// Whether flows do not take all the time there is, with what each of their packets is charged.
fn leave_time(network: &QueueNetwork, charges: &[Charge]) -> bool {
    let share = |charge: &Charge| {
        let flow = &network.flows[charge.flow];
        flow.bucket.rate.flits_per_cycle() * charge.cycles as f64 / flow.packet() as f64
    };
    charges.iter().map(share).sum::<f64>() < 1.0
}

/// Whether a flow can have a bound by chains: not where the packets in its own way alone have too much to
/// do.
pub fn may_be_bounded(network: &QueueNetwork, flow: usize, sharing: LinkSharing) -> bool {
    leave_time(network, &charges(network, &reach(network, &[flow]), &[], sharing))
}

/// Bound of a flow by the packets that can be in its way, and what these are charged: of the flows
/// `since_idle`, ascending, those that were released since none of theirs was under way; of the others
/// those that may still be under way by their bounds. `None` where a bound is missing, and where they
/// have too much to do.
pub fn by_chains(
    network: &QueueNetwork,
    own: usize,
    (since_idle, sharing): (&[usize], LinkSharing),
    bounds: &[Option<u64>],
) -> Option<(u64, Vec<Charge>)> {
    let first = if since_idle.is_empty() { &[own][..] } else { since_idle };
    // Before the packet is released a cycle is charged to any packet of these flows, wherever it is.
    let charges = charges(network, &reach(network, first), since_idle, sharing);
    let is_bounded =
        |flow: usize| since_idle.binary_search(&flow).is_ok() || bounds[flow].is_some();
    if !charges.iter().all(|charge| is_bounded(charge.flow)) {
        return None;
    }
    if !leave_time(network, &charges) {
        return None;
    }
    let own_routes = (0..network.routes.len()).filter(|&route| network.routes[route].flow == own);
    let alone = match since_idle {
        [] => own_routes.map(|route| in_registers(network, route)).max().unwrap_or(0),
        _ => 0,
    };
    let mut cycles = 0;
    for _ in 0..MOST_STEPS {
        let work = |charge: &Charge| {
            let within = window(network, own, since_idle, charge.flow, bounds, cycles);
            network.flows[charge.flow].bucket.packets(within) * charge.cycles
        };
        let next = alone + charges.iter().map(work).sum::<u64>();
        if next <= cycles {
            return Some((cycles - 1, charges));
        }
        if next >= TOO_LONG {
            return None;
        }
        cycles = next;
    }
    None
}

/// Cycles in which the packets of a flow were released that can be in the way of a packet of `own` for so
/// many cycles. Packets of its own flow behind it are in no chain of it, where all go one way and cross no
/// link twice.
pub fn window(
    network: &QueueNetwork,
    own: usize,
    since_idle: &[usize],
    flow: usize,
    bounds: &[Option<u64>],
    cycles: u64,
) -> u64 {
    if since_idle.binary_search(&flow).is_ok() {
        return cycles;
    }
    let is_ahead = flow == own && network.flows[own].is_in_line;
    let meanwhile = if is_ahead { 0 } else { cycles };
    bounds[flow].expect("each has one") + meanwhile
}
