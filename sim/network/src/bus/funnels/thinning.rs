//! The Modified Thinning Phase (section 5 of the paper): brings a batch of an h-relation, whose
//! nodes hold up to h packets each, to a level.
//!
//! In a round each active node picks one of a window of its packets, and the picked ones take part
//! in a round of the Funnel Algorithm. The window stays for 2(w + log h) rounds and halves down to
//! 2; a node that then holds more than half of it is out until the phase is over. The paper ends
//! after one phase with the packets that are left spread over busses that the network does not have.
//! Here the phase begins again, with a window that no node fills, until all are through: as nodes
//! are silent at random, no two packets keep each other from a place for ever.

use super::functions::Funnels;
use super::level::{Count, Level};
use super::{MOST_SLOTS, Outcome, Packet};
use crate::traffic::random::Random;
use turnpike_bus::protocol::Thinning;

/// The packets of a batch that are left, by the node that holds them.
struct Left {
    /// Indices of packets.
    held: Vec<Vec<usize>>,
    packets: usize,
}

impl Left {
    fn new(packets: &[Packet], left: &[usize]) -> Self {
        let nodes = left.iter().map(|&index| packets[index].at as usize + 1).max().unwrap_or(0);
        let mut held = vec![Vec::new(); nodes];
        left.iter().for_each(|&index| held[packets[index].at as usize].push(index));
        held.retain(|own| !own.is_empty());
        Self { held, packets: left.len() }
    }

    /// Forgets those that got on.
    fn drop_those_on(&mut self, packets: &[Packet], got_on: usize) {
        self.packets -= got_on;
        if got_on > 0 {
            self.held.iter_mut().for_each(|own| own.retain(|&index| !packets[index].on));
        }
    }
}

impl Level {
    /// Brings the packets of a batch to this level; no node of it takes more than h. After a
    /// livelock, in which every packet that is left finds all its places full, those that did not
    /// get on are where they were.
    pub fn thin(
        &mut self,
        packets: &mut [Packet],
        h: u32,
        random: &mut Random,
        slots: &mut u64,
    ) -> (Outcome, Count) {
        let left = self.funnels.begin(packets);
        let mut count = Count::new(left.len());
        let mut left = Left::new(packets, &left);
        let mut first = h.next_power_of_two().max(2);
        while left.packets > 0 {
            phase(&mut self.funnels, packets, &mut left, (first, h), random, slots, &mut count);
            count.left_by_thinning.get_or_insert(left.packets as u64);
            first = (h + 1).next_power_of_two();
            let shut_out = |&index: &usize| self.funnels.is_shut_out(&packets[index], h);
            if left.packets > 0 && left.held.iter().flatten().all(shut_out) {
                return (Outcome::Livelock, count);
            }
            if left.packets > 0 && *slots > MOST_SLOTS {
                return (Outcome::TooLong, count);
            }
        }
        (Outcome::Through, count)
    }
}

/// One phase, from a first window on; it ends early where no packet is left.
fn phase(
    funnels: &mut Funnels,
    packets: &mut [Packet],
    left: &mut Left,
    (first, h): (u32, u32),
    random: &mut Random,
    slots: &mut u64,
    count: &mut Count,
) {
    let thinning = Thinning::new(first).expect("a power of two from 2 on");
    let mut out = vec![false; left.held.len()];
    for halved in 0..thinning.windows() {
        let window = thinning.window(halved);
        for _ in 0..thinning.slots(halved) {
            let mut picked = Vec::new();
            for (own, _) in
                left.held.iter().zip(&out).filter(|(own, out)| !own.is_empty() && !**out)
            {
                picked.extend(own.get(random.below(window) as usize));
            }
            let before = picked.len();
            let taken = funnels.round(packets, &mut picked, h);
            left.drop_those_on(packets, before - picked.len());
            count.round(left.packets);
            if left.packets == 0 {
                *slots += taken;
                return;
            }
            *slots += funnels.round_slots();
        }
        for (own, out) in left.held.iter().zip(&mut out) {
            *out |= own.len() as u32 > window / 2;
        }
    }
}
