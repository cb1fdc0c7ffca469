//! Step after step until every packet has arrived.

use super::Queueing;
use super::queues::Queues;
use super::routes::Spans;

/// Measurements of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Delivery {
    /// The step in which each packet arrived, 0 for one that crosses no channel.
    pub arrivals: Vec<u32>,
    /// The last of them.
    pub steps: u32,
    /// The step in which the last packet came to the end of its first phase.
    pub first_phase: u32,
    /// Most packets that waited for one channel at the beginning of a step, the one that then moves
    /// among them.
    pub longest_queue: u32,
}

/// Runs a part of all routes, from its beginning. `phase_ends` are where the first phases end.
pub(super) fn deliver(
    queues: &mut Queues,
    spans: Spans<'_>,
    queueing: Queueing,
    phase_ends: &[usize],
) -> Delivery {
    let packets = spans.packets();
    queues.fit(packets);
    let mut at: Vec<usize> = (0..packets).map(|packet| spans.begin(packet)).collect();
    let mut delivery =
        Delivery { arrivals: vec![0; packets], steps: 0, first_phase: 0, longest_queue: 0 };
    for (packet, &place) in at.iter().enumerate() {
        if place < spans.end(packet) {
            queues.push(spans.at(place), packet as u32);
        }
    }
    let mut moved = Vec::new();
    while !queues.is_empty() {
        delivery.steps += 1;
        delivery.longest_queue = delivery.longest_queue.max(queues.longest());
        moved.clear();
        let to_go = |packet: u32| spans.end(packet as usize) - at[packet as usize];
        match queueing {
            Queueing::FirstCome => queues.pop_each(None, &mut moved),
            Queueing::FarthestFirst => queues.pop_each(Some(&to_go), &mut moved),
        }
        // Those that come in one step come in the order of their numbers.
        moved.sort_unstable();
        for &number in &moved {
            let packet = number as usize;
            at[packet] += 1;
            let place = at[packet];
            if place == phase_ends[packet] {
                delivery.first_phase = delivery.steps;
            }
            match place < spans.end(packet) {
                true => queues.push(spans.at(place), number),
                false => delivery.arrivals[packet] = delivery.steps,
            }
        }
    }
    delivery
}
