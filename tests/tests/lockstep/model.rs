//! The stand-in `relay.v` and its stimulus, written again in Rust.

use std::fmt::Write;

use turnpike_tests::lockstep::Terminals;

const CYCLES: u64 = 2000;
const RESET: u64 = 3;
const GAP: u64 = 70;
const STALL: u64 = 90;
const PACKETS: usize = 150;

/// Packet `index` of a source: destination and flits.
fn packet(shape: Terminals, seed: u64, source: usize, index: usize) -> (u64, usize) {
    let hash = hash(seed, &[9, source as u64, index as u64]);
    (hash % (1 << shape.address), 1 + (hash >> 32) as usize % 5)
}

/// The stimulus as the harness reads it.
pub fn stimulus(shape: Terminals, seed: u64) -> String {
    let mut text =
        format!("seed {seed}\ncycles {CYCLES}\nreset {RESET}\ngap {GAP}\nstall {STALL}\n");
    for source in 0..shape.count {
        for index in 0..PACKETS {
            let (destination, flits) = packet(shape, seed, source, index);
            writeln!(text, "packet {source} {destination} {flits}").unwrap();
        }
    }
    text
}

fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn hash(seed: u64, words: &[u64]) -> u64 {
    words.iter().fold(seed, |hash, word| mix(hash ^ word))
}

/// A beat: packet, beat of it, `tlast`.
#[derive(Clone, Copy)]
struct Beat {
    packet: usize,
    beat: usize,
    last: bool,
}

/// One terminal's source and the register that it feeds.
#[derive(Clone, Default)]
struct Lane {
    packet: usize,
    beat: usize,
    offered: bool,
    register: Option<Beat>,
}

/// The model.
pub struct Relay {
    shape: Terminals,
    seed: u64,
    lanes: Vec<Lane>,
}

impl Relay {
    pub fn new(shape: Terminals, seed: u64) -> Self {
        Relay { shape, seed, lanes: vec![Lane::default(); shape.count] }
    }

    /// The digest of each cycle.
    pub fn digests(mut self) -> Vec<u64> {
        (0..CYCLES).map(|cycle| self.cycle(cycle)).collect()
    }

    fn cycle(&mut self, cycle: u64) -> u64 {
        let (count, seed) = (self.shape.count, self.seed);
        // The register that tells the relay that reset is over lags by one cycle.
        let running = cycle > RESET;
        for (t, lane) in self.lanes.iter_mut().enumerate() {
            if cycle >= RESET && !lane.offered && lane.packet < PACKETS {
                lane.offered = hash(seed, &[1, t as u64, cycle]) & 255 >= GAP;
            }
        }
        let digest = self.digest(running);
        for t in 0..count {
            let sink = (t + 1) % count;
            let ready = hash(seed, &[2, sink as u64, cycle]) & 255 >= STALL;
            let lane = &mut self.lanes[t];
            if lane.register.is_some() {
                if ready {
                    lane.register = None;
                }
            } else if running && lane.offered {
                let (_, flits) = packet(self.shape, seed, t, lane.packet);
                let last = lane.beat + 1 == flits;
                lane.register = Some(Beat { packet: lane.packet, beat: lane.beat, last });
                lane.offered = false;
                lane.beat += 1;
                if last {
                    lane.packet += 1;
                    lane.beat = 0;
                }
            }
        }
        digest
    }

    fn digest(&self, running: bool) -> u64 {
        let count = self.shape.count;
        let mut bytes = Vec::new();
        for t in 0..count {
            let lane = &self.lanes[t];
            let ready = running && lane.register.is_none();
            let error = ready
                && lane.offered
                && packet(self.shape, self.seed, t, lane.packet).0 >= count as u64;
            let source = (t + count - 1) % count;
            let out = self.lanes[source].register;
            let last = out.is_some_and(|beat| beat.last);
            let flags = [ready, error, out.is_some(), last];
            bytes.push(flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag)));
            if let Some(Beat { packet, beat, .. }) = out {
                for (word, low) in (0..self.shape.width).step_by(64).enumerate() {
                    let bits = (self.shape.width - low).min(64);
                    let words = [3, source as u64, packet as u64, beat as u64, word as u64];
                    let data = hash(self.seed, &words) & (u64::MAX >> (64 - bits));
                    bytes.extend_from_slice(&data.to_le_bytes()[..bits.div_ceil(8)]);
                }
            }
        }
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }
}
