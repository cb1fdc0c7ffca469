//! The last step: from level 1 to the sinks, where nodes hold several packets and sinks get several.
//! Each group of level 1 has a bus of its own, and its nodes go by thinning.

use super::{Medium, Packet};
use crate::bus::Word;
use crate::bus::sender::Sender;
use crate::bus::workload::MOST_SLOTS;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::VecDeque;
use turnpike_bus::protocol::{Thinning, thinning::MOST_WINDOW};
use turnpike_bus::{Grid, Protocol};

/// Figures of the last step, from level 1 to the sinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LastStep {
    /// Packets that a node of level 1 held, at most.
    pub most_held: u32,
    /// Packets for one sink, at most.
    pub most_wanted: u32,
    /// The first window of thinning: the next power of two of the larger of both.
    pub window: u32,
    /// Slots of the last step; `null` where it was given up.
    pub slots: Option<u64>,
}

/// Brings packets that stand on level 1 to their sinks. The busses go at the same time; there is one
/// bus to each sink. `nodes`: of a level. On a mesh a packet may be at its sink.
pub(super) fn deliver(nodes: u32, packets: &[Packet], medium: Medium, seed: u64) -> LastStep {
    let is_left = |packet: &&Packet| medium == Medium::Own || packet.at != packet.sink;
    let packets: Vec<&Packet> = packets.iter().filter(is_left).collect();
    let most = |end: fn(&Packet) -> u32| {
        let mut count = vec![0u32; nodes as usize];
        packets.iter().for_each(|packet| count[end(packet) as usize] += 1);
        count.into_iter().max().unwrap_or(0)
    };
    let (most_held, most_wanted) = (most(|packet| packet.at), most(|packet| packet.sink));
    let window = most_held.max(most_wanted).max(2).next_power_of_two().min(MOST_WINDOW);
    let protocol = Protocol::Thinning(Thinning::new(window).expect("a power of two from 2 on"));
    // One bus of as many nodes has senders that draw as these do.
    let grid = Grid::new(&[nodes]).expect("a level has 4 nodes to 2^20");
    let mut senders: Vec<Sender> =
        (0..nodes).map(|node| Sender::new(protocol, seed, &grid, node, 0)).collect();
    let mut held = vec![VecDeque::new(); nodes as usize];
    for (number, packet) in (0..).zip(&packets) {
        held[packet.at as usize].push_back(Word {
            source: packet.at,
            destination: packet.sink,
            number,
        });
    }
    let mut left = packets.len();
    let mut slots = 0;
    let mut comes = vec![0u32; nodes as usize];
    while left > 0 && slots < MOST_SLOTS {
        let mut sent = Vec::new();
        for (node, (sender, words)) in senders.iter_mut().zip(&held).enumerate() {
            let Some(place) = sender.sends(words, |word| word.destination) else { continue };
            let to = words[place].destination as usize;
            comes[to] += 1;
            sent.push((node, place, to));
        }
        for &(node, place, to) in &sent {
            let taken = comes[to] == 1;
            senders[node].told(taken);
            if taken {
                senders[node].remove(&mut held[node], place);
                left -= 1;
            }
        }
        sent.iter().for_each(|&(_, _, to)| comes[to] = 0);
        slots += 1;
    }
    LastStep { most_held, most_wanted, window, slots: (left == 0).then_some(slots) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(pairs: &[(u32, u32)]) -> Vec<Packet> {
        pairs.iter().map(|&(at, sink)| Packet { at, sink, on: true }).collect()
    }

    #[test]
    fn every_packet_arrives_and_none_does_it_at_once_with_another() {
        // Sink 1 gets four, one in a slot at most; node 3 sends five.
        let all = packets(&[(0, 1), (1, 1), (2, 1), (3, 1), (3, 0), (3, 2), (3, 3), (3, 0)]);
        for seed in 0..20 {
            let last = deliver(4, &all, Medium::Own, seed);
            assert_eq!((last.most_held, last.most_wanted, last.window), (5, 4, 8));
            assert!(last.slots.unwrap() >= 5, "{last:?}");
            assert_eq!(last, deliver(4, &all, Medium::Own, seed));
        }
        assert_eq!(deliver(4, &[], Medium::Own, 1).slots, Some(0));
        // On a mesh the last but one is where it has to be.
        let last = deliver(4, &all, Medium::Mesh, 1);
        assert_eq!((last.most_held, last.most_wanted), (4, 3));
    }
}
