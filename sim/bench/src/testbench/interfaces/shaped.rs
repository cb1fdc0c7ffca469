//! Packets of sources that are held to token buckets: as long as those of their flows, or refused.

use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::TokenBucket;
use turnpike_network::topology::Terminal;

/// Cycles for which the packets of a source may be held by its token buckets in all, about: those of one flow
/// wait behind those of another.
const HELD_CYCLES: f64 = 4_096.0;

/// Cycles that shapers may hold packets for, beside the time of their way.
pub(super) fn cycles(plan: &FabricPlan) -> u64 {
    if plan.has_shapers() { 2 * HELD_CYCLES as u64 } else { 0 }
}

/// Flow of a packet.
#[derive(Clone, Copy)]
pub(super) struct Shaped {
    pub destination: Terminal,
    /// Whether it is not as long as the packets of its flow.
    pub is_wrong: bool,
    /// Flits of the packet.
    flits: u32,
}

/// Size of a packet at its terminal.
pub(super) struct Size {
    /// Words of the packet, at least 1.
    pub words: u64,
    /// Bytes of the last one, where there is a `tkeep`.
    pub last_bytes: u32,
}

impl Shaped {
    /// Size of the packet in words of `width` bits, where flits have `flit` bits: any that makes so many
    /// flits.
    pub fn size(&self, flit: u32, width: u32, has_keep: bool, draw: u64) -> Size {
        let flits = u64::from(self.flits);
        match has_keep {
            true => {
                let [per_flit, per_word] = [flit, width].map(|bits| u64::from(bits / 8));
                // Up to all bytes of the last flit are data.
                let bytes = flits * per_flit - draw % per_flit;
                let words = bytes.div_ceil(per_word);
                Size { words, last_bytes: (bytes - (words - 1) * per_word) as u32 }
            }
            false if width < flit => {
                let ratio = u64::from(flit / width);
                Size { words: flits * ratio - draw % ratio, last_bytes: 0 }
            }
            false => Size { words: flits.div_ceil(u64::from(width / flit)), last_bytes: 0 },
        }
    }
}

/// Packets that the token buckets of a source let go in time.
pub(super) struct Allowance {
    /// Destinations, each with the flits of a packet and the packets that are left.
    flows: Vec<(Terminal, u32, u32)>,
    /// Flits of a word, where words are wider than flits and none of their parts may be left out.
    step: u32,
}

impl Allowance {
    /// Allowance of a source; `None` where it has no shaper.
    pub fn of(plan: &FabricPlan, source: Terminal) -> Option<Self> {
        let flows = plan.shaped_flows(source);
        let cycles = HELD_CYCLES / flows.len() as f64;
        let of_flow = |(destination, bucket): (Terminal, TokenBucket)| {
            let held = cycles * bucket.rate.flits_per_cycle();
            let left = ((f64::from(bucket.burst) + held) / f64::from(bucket.packet)) as u32;
            (destination, bucket.packet, left)
        };
        let flows: Vec<_> = flows.into_iter().map(of_flow).collect();
        let step = match plan.parameters.keep {
            true => 1,
            false => (plan.data_width(source) / plan.parameters.width).max(1),
        };
        (!flows.is_empty()).then_some(Self { flows, step })
    }

    /// Packet of the flow to a destination; `None` where the source has no such flow.
    pub fn packet_to(&self, to: Terminal) -> Option<Shaped> {
        let &(destination, flits, _) = self.flows.iter().find(|(of, ..)| *of == to)?;
        Some(Shaped { destination, is_wrong: false, flits })
    }

    /// Packet of a flow that is drawn; `None` where none may send more in time. One that is to be refused
    /// is too short or too long.
    pub fn next(&mut self, draw: u64, is_refused: bool) -> Option<Shaped> {
        let first = draw as usize % self.flows.len();
        let (later, earlier) = (first..self.flows.len(), 0..first);
        let at = later.chain(earlier).find(|&at| self.flows[at].2 > 0)?;
        let (destination, packet, ref mut left) = self.flows[at];
        if !is_refused {
            *left -= 1;
            return Some(Shaped { destination, is_wrong: false, flits: packet });
        }
        let longer = packet + self.step * (1 + (draw >> 16) as u32 % 8);
        let shorter =
            packet.checked_sub(self.step).filter(|&flits| flits > 0 && draw >> 8 & 1 == 1);
        Some(Shaped { destination, is_wrong: true, flits: shorter.unwrap_or(longer) })
    }
}
