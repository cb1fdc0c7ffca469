//! Routes that meet: the set S of the theorem that a packet is delayed by at most |S| steps.
//!
//! The theorem holds for a packet whose route crosses no channel twice, and which every other route
//! meets in one run of channels: once another packet has left the route, it does not come back.
//! Whenever the packet falls behind by a step, some packet that shares a channel with it leaves its
//! route for good. The proof asks only that a channel never rests while a packet waits for it, so
//! it holds for any queueing.

use super::routes::Spans;

/// Packets that the route of each packet meets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meetings {
    /// |S|: the packets whose routes share a channel with its own.
    pub others: Vec<u32>,
    /// Whether each of them does so in one run, so that the theorem is of this packet.
    pub in_one_run: Vec<bool>,
    /// Most packets on a channel.
    pub max_link_load: u32,
}

/// The last place where a route was found on another.
#[derive(Clone, Copy)]
struct Seen {
    by: u32,
    place: u32,
    other_place: u32,
}

/// Meetings of each packet, over so many numbers of channels. The time is that of the sum over all
/// channels of the square of their packets.
pub fn meetings(spans: Spans<'_>, links: usize) -> Meetings {
    let packets = spans.packets();
    let mut bounds = vec![0usize; links + 1];
    for packet in 0..packets {
        spans.of(packet).iter().for_each(|&link| bounds[link as usize + 1] += 1);
    }
    let max_link_load = bounds.iter().copied().max().unwrap_or(0) as u32;
    for link in 0..links {
        bounds[link + 1] += bounds[link];
    }
    // Who crosses each channel, and at which place of the route.
    let mut crossings = vec![(0u32, 0u32); bounds[links]];
    let mut next = bounds.clone();
    for packet in 0..packets {
        for (place, &link) in (0..).zip(spans.of(packet)) {
            crossings[next[link as usize]] = (packet as u32, place);
            next[link as usize] += 1;
        }
    }
    let nobody = Seen { by: u32::MAX, place: 0, other_place: 0 };
    let mut seen = vec![nobody; packets];
    let (mut others, mut in_one_run) = (vec![0; packets], vec![true; packets]);
    for packet in 0..packets {
        let by = packet as u32;
        for (place, &link) in (0..).zip(spans.of(packet)) {
            let link = link as usize;
            for &(other, other_place) in &crossings[bounds[link]..bounds[link + 1]] {
                if other == by {
                    in_one_run[packet] &= other_place == place;
                    continue;
                }
                let last = &mut seen[other as usize];
                if last.by != by {
                    others[packet] += 1;
                } else if (last.place + 1, last.other_place + 1) != (place, other_place) {
                    in_one_run[packet] = false;
                }
                *last = Seen { by, place, other_place };
            }
        }
    }
    Meetings { others, in_one_run, max_link_load }
}
