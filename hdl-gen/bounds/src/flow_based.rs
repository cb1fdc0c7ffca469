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
//! Which packets these are is known in two ways. All that were released since nobody was under way, of
//! the flows that can meet ([`by_meeting`]). And, once every packet has a bound, those alone that may
//! still be under way ([`by_bounds`]).

use crate::compositional::TOO_LONG;
use crate::queue_network::QueueNetwork;

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

/// Places in which packets can be that are in a chain of a flow's packets.
pub fn reach(network: &QueueNetwork, flow: usize) -> Reach {
    let mut followed = Followed::none(network);
    let own = (0..network.routes.len()).filter(|&route| network.routes[route].flow == flow);
    followed.open.extend(own.map(|route| (route, Place::SOURCE)));
    followed.follow(network);
    followed.reach
}

/// Routes of the flows that can meet a flow, its own among them: none of them ever waits for another flow.
pub fn together(network: &QueueNetwork, flow: usize) -> Reach {
    let mut reached = reach(network, flow);
    loop {
        let late = |place: &Option<Place>| place.is_some_and(|place| place != Place::SOURCE);
        if !reached.iter().any(late) {
            return reached;
        }
        let mut followed = Followed::none(network);
        let all = reached.iter().enumerate().filter(|(_, place)| place.is_some());
        followed.open.extend(all.map(|(route, _)| (route, Place::SOURCE)));
        followed.follow(network);
        reached = followed.reach;
    }
}

/// Cycles that a packet of a route is charged at most, from this place on.
pub fn charge(network: &QueueNetwork, route: usize, from: Place) -> u64 {
    let hops = network.routes[route].hops.clone();
    let last = hops.end - 1;
    let entering = if from == Place::SOURCE { network.timing.injection } else { 0 };
    let ahead = hops.filter(|&hop| from <= Place::granted(hop));
    entering + ahead.map(|hop| network.step(hop)).sum::<u64>() + network.trail(last)
}

/// A flow whose packets can be in the way, and the most cycles that each of them is charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charge {
    /// Flow that is charged.
    pub flow: usize,
    /// Cycles for each of its packets.
    pub cycles: u64,
}

/// Charges of the packets in these places, by ascending flow.
pub fn charges(network: &QueueNetwork, reach: &Reach) -> Vec<Charge> {
    let mut charges: Vec<Charge> = Vec::new();
    // Routes are by ascending flow.
    for (route, place) in reach.iter().enumerate() {
        let Some(place) = *place else { continue };
        let (flow, cycles) = (network.routes[route].flow, charge(network, route, place));
        match charges.last_mut().filter(|last| last.flow == flow) {
            Some(last) => last.cycles = last.cycles.max(cycles),
            None => charges.push(Charge { flow, cycles }),
        }
    }
    charges
}

/// Least number of cycles that is no less than the work that is charged in it; `None` where there is
/// none, or none is found in time.
fn settled(
    network: &QueueNetwork,
    charges: &[Charge],
    window: impl Fn(usize, u64) -> u64,
) -> Option<u64> {
    let share = |charge: &Charge| {
        let flow = &network.flows[charge.flow];
        flow.rate.flits_per_cycle() * charge.cycles as f64 / flow.packet as f64
    };
    if charges.iter().map(share).sum::<f64>() >= 1.0 {
        return None;
    }
    let mut cycles = 0;
    for _ in 0..MOST_STEPS {
        let work = |charge: &Charge| {
            network.flows[charge.flow].packets(window(charge.flow, cycles)) * charge.cycles
        };
        let next = charges.iter().map(work).sum::<u64>();
        if next <= cycles {
            return Some(cycles);
        }
        if next >= TOO_LONG {
            return None;
        }
        cycles = next;
    }
    None
}

/// Bound of a flow by all packets of the flows that can meet it, since nobody of them was under way;
/// `None` where these have too much to do.
pub fn by_meeting(network: &QueueNetwork, charges: &[Charge]) -> Option<u64> {
    settled(network, charges, |_, cycles| cycles).map(|cycles| cycles - 1)
}

/// Bound of a flow by the packets that may still be under way or be released meanwhile, where each has a
/// bound; `None` where one has none.
pub fn by_bounds(
    network: &QueueNetwork,
    own: usize,
    charges: &[Charge],
    bounds: &[Option<u64>],
) -> Option<u64> {
    if charges.iter().any(|charge| bounds[charge.flow].is_none()) {
        return None;
    }
    let window = |flow: usize, cycles| {
        window(network, own, flow, bounds[flow].expect("each has one"), cycles)
    };
    settled(network, charges, window).map(|cycles| cycles - 1)
}

/// Cycles in which the packets of a flow were released that can be in the way of a packet of `own` for so
/// many cycles, where those of the flow are under way for `bound` at most. Packets of its own flow behind
/// it are in no chain of it, where all go one way.
pub fn window(network: &QueueNetwork, own: usize, flow: usize, bound: u64, cycles: u64) -> u64 {
    let ways = network.routes.iter().filter(|route| route.flow == own).count();
    if flow == own && ways == 1 { bound } else { bound + cycles }
}
