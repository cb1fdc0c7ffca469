//! A trace of packets that stop: those of a deadlock, sent so that each comes to where it waits.

use crate::deadlock::Held;
use crate::model::Routed;
use crate::simulate::{DEPTH, Packet, stops};
use crate::traffic::Traffic;
use crate::waits::Waits;
use turnpike_base::random::Random;

/// Traces that are tried at most.
const MOST_TRIED: u64 = 400;
/// Resources of a deadlock at most of which traces are tried.
const MOST_HELD: usize = 4096;
/// Flits of a packet that holds several queues.
const LONG: u32 = 4 * DEPTH as u32;

/// Packets that stop for ever in [`crate::simulate`], by ascending cycle; `None` where none were found.
pub fn trace(
    routed: &Routed,
    traffic: &Traffic,
    waits: &Waits,
    held: &[Held],
) -> Option<Vec<Packet>> {
    if held.len() > MOST_HELD {
        return None;
    }
    (0..MOST_TRIED).find_map(|attempt| {
        let packets = attempted(routed, traffic, waits, held, attempt);
        stops(routed, traffic, &packets, attempt).then_some(packets)
    })
}

/// The packets of an attempt: at once, so that they come at once, then drawn.
fn attempted(
    routed: &Routed,
    traffic: &Traffic,
    waits: &Waits,
    held: &[Held],
    attempt: u64,
) -> Vec<Packet> {
    let mut random = Random::new(attempt);
    let longest = held.iter().map(|held| held.way.len() as u64).max().unwrap_or(0);
    let mut packets = Vec::new();
    for own in held {
        let length = own.way.len() as u64;
        let (cycle, flits, times) = match attempt {
            0 => (0, LONG, 1),
            1 => (longest - length, DEPTH as u32, 1),
            2 => (longest - length, LONG, 1),
            3 => (0, DEPTH as u32, 4),
            _ => {
                let lengths = [1, DEPTH as u32, LONG, 4 * LONG];
                let cycle = random.below(2 * longest as u32 + 4);
                let flits = lengths[random.below(lengths.len() as u32) as usize];
                (u64::from(cycle), flits, 1 + random.below(8))
            }
        };
        let Held { source, destination, class, .. } = *own;
        let answers = waits.terminal(own.resource).is_some();
        let packet = Packet { cycle, source, destination, class, flits, answers };
        packets.extend(std::iter::repeat_n(packet, times as usize));
        if let Some((terminal, of)) = waits.terminal(own.resource)
            && let Some(from) = traffic.sources(routed, of as usize, terminal).next()
        {
            let (source, destination, class) = (from, terminal, of);
            let packet = Packet { source, destination, class, answers: false, ..packet };
            // One that the terminal takes, and one that waits.
            packets.extend(std::iter::repeat_n(packet, 1 + times as usize));
        }
    }
    packets.sort_by_key(|packet| packet.cycle);
    packets
}
