//! The stand-in `relay.v` and its stimulus, written again in Rust.

use std::fmt::Write;

use turnpike_tests::lockstep::{Digests, Terminals};

/// Cycles that a run takes; enough for all packets of [`stimulus`] to arrive.
pub const CYCLES: u64 = 2500;

const GAP: u64 = 1_200_000_000;
const STALL: u64 = 1_500_000_000;
const PACKETS: usize = 150;

/// Packet `index` of a source: release cycle, destination and flits.
fn packet(shape: Terminals, seed: u64, source: usize, index: usize) -> (u64, u64, usize) {
    let hash = hash(seed, &[9, source as u64, index as u64]);
    (index as u64 * 9, hash % shape.count as u64, 1 + (hash >> 32) as usize % 5)
}

/// The fields of a flit with their widths, those that there are.
fn fields(shape: Terminals) -> Vec<(&'static str, usize)> {
    let Terminals { data, keep, user, id, .. } = shape;
    let all = [("data", data), ("keep", keep), ("user", user), ("id", id), ("last", 1)];
    all.into_iter().filter(|(_, width)| *width > 0).collect()
}

/// The stimulus as the harness reads it.
pub fn stimulus(shape: Terminals, seed: u64) -> String {
    let (terminals, fields) = (shape.count, fields(shape));
    let mut text = format!("turnpike-stimulus 2\nseed {seed}\ngap {GAP}\nstall {STALL}\n");
    writeln!(text, "terminals {terminals}\nfields {}", fields.len()).unwrap();
    for (name, width) in fields {
        writeln!(text, "{name} {width}").unwrap();
    }
    writeln!(text, "resets 0").unwrap();
    writeln!(text, "packets {}", terminals * PACKETS).unwrap();
    for source in 0..terminals {
        for index in 0..PACKETS {
            let (release, destination, flits) = packet(shape, seed, source, index);
            writeln!(text, "{source} {release} {destination} {flits}").unwrap();
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
    accepted: u64,
    delivered: u64,
}

impl Relay {
    /// The model after reset.
    pub fn new(shape: Terminals, seed: u64) -> Self {
        let lanes = vec![Lane::default(); shape.count];
        Relay { shape, seed, lanes, accepted: 0, delivered: 0 }
    }

    /// All cycles of a run.
    pub fn run(mut self) -> Digests {
        let digests = (0..CYCLES).map(|cycle| self.cycle(cycle)).collect();
        Digests { digests, accepted: self.accepted, delivered: self.delivered }
    }

    fn cycle(&mut self, cycle: u64) -> u64 {
        let (shape, count, seed) = (self.shape, self.shape.count, self.seed);
        for (t, lane) in self.lanes.iter_mut().enumerate() {
            if !lane.offered && lane.packet < PACKETS {
                let (release, ..) = packet(shape, seed, t, lane.packet);
                let pauses = hash(seed, &[1, t as u64, cycle]) >> 32 < GAP;
                lane.offered = release <= cycle && !pauses;
            }
        }
        // The register that tells the relay that reset is over lags by one cycle.
        let running = cycle > 0;
        let digest = self.digest(running);
        for t in 0..count {
            let sink = (t + 1) % count;
            let ready = hash(seed, &[2, sink as u64, cycle]) >> 32 >= STALL;
            let lane = &mut self.lanes[t];
            if lane.register.is_some() {
                if ready {
                    lane.register = None;
                    self.delivered += 1;
                }
            } else if running && lane.offered {
                let (.., flits) = packet(shape, seed, t, lane.packet);
                let last = lane.beat + 1 == flits;
                lane.register = Some(Beat { packet: lane.packet, beat: lane.beat, last });
                lane.offered = false;
                lane.beat += 1;
                if last {
                    lane.packet += 1;
                    lane.beat = 0;
                }
                self.accepted += 1;
            }
        }
        digest
    }

    fn digest(&self, running: bool) -> u64 {
        let count = self.shape.count;
        let mut bytes = Vec::new();
        for t in 0..count {
            let ready = running && self.lanes[t].register.is_none();
            let source = (t + count - 1) % count;
            let out = self.lanes[source].register;
            bytes.push(u8::from(ready) | u8::from(out.is_some()) << 1);
            for (name, width) in out.iter().flat_map(|_| fields(self.shape)) {
                let value = self.field(name, source, out.expect("there is a beat"));
                for (word, low) in (0..width).step_by(64).enumerate() {
                    let bits = (width - low).min(64);
                    let value = value(word as u64) & (u64::MAX >> (64 - bits));
                    bytes.extend_from_slice(&value.to_le_bytes()[..bits.div_ceil(8)]);
                }
            }
        }
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// The 64-bit words of a field, by their index.
    fn field(&self, name: &str, source: usize, beat: Beat) -> impl Fn(u64) -> u64 + use<> {
        let (seed, name) = (self.seed, name.to_owned());
        let place = [source, beat.packet, beat.beat].map(|place| place as u64);
        move |word| {
            let code = match &*name {
                "id" => return place[0],
                "last" => return u64::from(beat.last),
                "keep" => 17,
                "user" => 18,
                _ => 16,
            };
            hash(seed, &[code, place[0], place[1], place[2], word])
        }
    }
}
