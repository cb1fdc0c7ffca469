//! Times of queues: whether each follows from those of the queues behind it.

use super::ways::{Checker, QueueKey, Stop, next_release, released};
use super::{Wrong, at_least};
use crate::compositional::TOO_LONG;
use crate::queue_network::LinkSharing;
use std::collections::BTreeMap;
use turnpike_fabric::plan::Granting;

/// Releases of packets that a source's work is followed through.
const MOST_RELEASES: usize = 1 << 17;

impl Checker<'_> {
    fn claimed(&self, queue: &QueueKey) -> u64 {
        self.steps[self.places[queue]].cycles.unwrap_or(TOO_LONG)
    }

    /// Flits of the shortest and of the longest packet in a queue.
    fn lengths(&self, queue: &QueueKey) -> [u64; 2] {
        let mut lengths: Vec<u64> =
            self.waiters[queue].iter().map(|&(way, _)| self.packet(way)).collect();
        lengths.sort_unstable();
        [lengths[0], lengths[lengths.len() - 1]]
    }

    /// Most packets in a queue.
    fn inside(&self, queue: &QueueKey) -> u64 {
        let ([holds, ..], [shortest, _]) = (self.depths(queue), self.lengths(queue));
        1 + (holds - 1) / shortest
    }

    /// Cycles until a queue takes so many flits at once; `None` where it never holds as many.
    fn room_for(&self, queue: &QueueKey, flits: u64) -> Option<u64> {
        let ([holds, room, _], [shortest, longest]) = (self.depths(queue), self.lengths(queue));
        let may_stay = room.checked_sub(flits)?;
        let (mut stays, mut gone) = (holds - 1, 1);
        while whole_packets(stays, shortest, longest) > may_stay {
            stays = stays.saturating_sub(shortest);
            gone += 1;
        }
        Some(gone * self.claimed(queue))
    }

    /// Cycles until it is a packet's turn on its link: too long to count where others go first.
    fn in_turn(&self, stop: &Stop) -> u64 {
        match self.gives_way(stop) {
            true => TOO_LONG,
            false => self.sharing(stop, LinkSharing::Turns),
        }
    }

    /// Cycles from a grant until the first flit is at the head of the next queue.
    fn arrival(&self, stop: &Stop, next: &QueueKey) -> u64 {
        let [_, output] = self.registers();
        self.inside(next) * self.claimed(next) + 2 * output + self.in_turn(stop)
    }

    /// Cycles from a packet at the head of a queue, granted after so many, until all of it has left.
    fn leaving(&self, (way, at): (usize, usize), granted: u64) -> u64 {
        let stop = &self.ways[way].stops[at];
        let paces = self.paces(way, at, LinkSharing::Turns);
        let ([grant, output], [pace, trail]) = (self.registers(), paces);
        // Where its flits come from they may have to wait, too.
        if self.ways[way].stops[..=at].iter().any(|stop| self.gives_way(stop)) {
            return TOO_LONG;
        }
        let sharing = self.sharing(stop, LinkSharing::Turns);
        let crossing = (self.packet(way) - 1) * pace + sharing;
        let last = trail + sharing + grant;
        let Some(next) = &stop.next else { return last.max(granted + crossing) };
        match self.room_for(next, self.packet(way)) {
            Some(room) => last.max(granted + room + output + crossing),
            None => granted + self.arrival(stop, next) + self.claimed(next),
        }
    }

    /// Cycles that a packet at the head of a queue waits for packets of others.
    fn others(&self, (way, at): (usize, usize)) -> u64 {
        let stop = &self.ways[way].stops[at];
        let mut longest: BTreeMap<QueueKey, u64> = BTreeMap::new();
        for &(other, there) in &self.takers[&stop.output] {
            let queue = self.ways[other].stops[there].queue;
            if queue != stop.queue {
                let leaves = self.leaving((other, there), self.registers()[0]);
                let known = longest.entry(queue).or_insert(leaves);
                *known = leaves.max(*known);
            }
        }
        let all = longest.values().sum::<u64>();
        match self.plan.parameters.pipeline.granting() {
            Granting::AtOnce => all,
            Granting::Registered => all + all,
            Granting::Ahead => all + longest.into_values().max().unwrap_or_default(),
        }
    }

    /// Cycles that a packet is at the head of a queue.
    fn at_head(&self, place: (usize, usize)) -> u64 {
        self.leaving(place, self.others(place) + self.registers()[0])
    }

    pub fn queues(&self) -> Result<(), Wrong> {
        for (queue, &step) in &self.places {
            for &(way, at) in &self.waiters[queue] {
                let next = self.ways[way].stops[at].next;
                if next.is_some_and(|next| self.places[&next] >= step) {
                    return Err(Wrong::Order { queue: step });
                }
                let Some(claimed) = self.steps[step].cycles else { continue };
                at_least(|| format!("queue {step}"), claimed, self.at_head((way, at)))?;
            }
        }
        Ok(())
    }

    /// Bound of a flow by the times of the queues.
    pub fn through_queues(&self, flow: usize) -> Result<u64, Wrong> {
        let source = self.flows[flow].source;
        let keeps = |flow: usize| self.ways_of(flow).map(|way| self.kept(way)).max().unwrap_or(0);
        let own = keeps(flow);
        let beside: Vec<(usize, u64)> = (0..self.flows.len())
            .filter(|&other| self.flows[other].source == source)
            .map(|other| (other, keeps(other)))
            .collect();
        let way = self.ways_of(flow).map(|way| self.way_through(way)).max().unwrap_or(0);
        // Releases from the cycle on in which the source began to work without a pause.
        let (mut cycles, mut most) = (0, 0);
        for _ in 0..MOST_RELEASES {
            let work: u64 = beside
                .iter()
                .map(|&(flow, keeps)| released(&self.flows[flow], cycles) * keeps)
                .sum();
            most = most.max(work.saturating_sub(cycles));
            // No packet more is released in the cycles that pass over; and once the source is done it
            // begins anew.
            let next =
                beside.iter().map(|&(flow, _)| next_release(&self.flows[flow], cycles)).min();
            match next.filter(|&next| next < work) {
                Some(next) => cycles = next,
                None => return Ok(most - own + way),
            }
        }
        Err(Wrong::Other("a source that is never done has a bound"))
    }

    /// Cycles that a packet keeps its source.
    fn kept(&self, way: usize) -> u64 {
        let first = &self.ways[way].stops[0].queue;
        match self.room_for(first, self.packet(way)) {
            Some(room) => room + self.packet(way) + u64::from(self.plan.injection_cycles()) - 1,
            None => self.entered(first) + self.at_head((way, 0)),
        }
    }

    fn entered(&self, first: &QueueKey) -> u64 {
        self.inside(first) * self.claimed(first) + u64::from(self.plan.injection_cycles())
    }

    /// Cycles of a packet that is the first at its source.
    fn way_through(&self, way: usize) -> u64 {
        let [grant, output] = self.registers();
        let stops = &self.ways[way].stops;
        let mut cycles = self.entered(&stops[0].queue);
        for (at, stop) in stops.iter().enumerate() {
            cycles += match &stop.next {
                Some(next) => self.others((way, at)) + grant + self.arrival(stop, next),
                None => self.at_head((way, at)) + output - 1,
            };
        }
        cycles
    }
}

/// Flits of whole packets among so many, where packets have these lengths.
fn whole_packets(flits: u64, shortest: u64, longest: u64) -> u64 {
    if shortest == longest { flits - flits % shortest } else { flits }
}
