//! Packets of the bench: what is sent, bit by bit.

use super::Work;
use super::shaped::{Allowance, Shaped, Size};
use super::stream::Stream;
use std::collections::BTreeSet;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;

/// Bits at least of a packet: as many as tell it from all others.
pub(super) const LEAST_BITS: u32 = 48;
/// Words at most of a packet, beside those of its least bits.
const MOST_WORDS: u64 = 5;

/// A word at a terminal's ports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub data: Vec<u64>,
    /// Bytes that are data, each a bit; 0 where there is no `tkeep`.
    pub keep: Vec<u64>,
    pub user: Vec<u64>,
}

/// A packet as it is sent.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    /// Terminal that it goes to; none: its address is nobody's.
    pub destination: Option<Terminal>,
    pub address: u32,
    /// Number among those of its source.
    pub number: u32,
    pub words: Vec<Word>,
    /// The bits that are data, the first sent first.
    pub bits: Vec<bool>,
}

/// Words of a packet of a source whose words have so many bits, on average.
pub fn words_of_a_packet(width: u32) -> u32 {
    LEAST_BITS.div_ceil(width) + MOST_WORDS as u32 / 2
}

/// Packets among which one goes to nobody, where there is such an address; never the last.
const TO_NOBODY: u32 = 4;

/// An address that no terminal has, in the bits of those at the ports.
fn nobody(plan: &FabricPlan) -> Option<u32> {
    let taken: BTreeSet<u32> = plan.address_pairs().iter().map(|pair| pair.outer).collect();
    let every = 1u64 << plan.address_bits();
    (0..every).map(|address| address as u32).find(|address| !taken.contains(address))
}

/// Packets of a source, all unlike.
pub(super) fn packets_of(plan: &FabricPlan, source: &Stream, work: Work) -> Vec<Packet> {
    let sender = Sender::new(plan, source, work);
    // A terminal that failed with its switch sends nothing.
    if sender.destinations.is_empty() || plan.topology().source(source.terminal).is_none() {
        return Vec::new();
    }
    match Allowance::of(plan, source.terminal) {
        None => (0..work.packets).map(|number| sender.packet(number, None)).collect(),
        Some(mut allowance) => {
            let shaped = (0..work.packets).map_while(|number| {
                let draw = hash(work.seed, &[u64::from(source.terminal.0), number.into(), 5]);
                Some(sender.packet(number, Some(allowance.next(draw, is_refused(number, work))?)))
            });
            let mut shaped: Vec<Packet> = shaped.collect();
            // One that arrives is behind each that is refused.
            while shaped.last().is_some_and(|packet| packet.destination.is_none()) {
                shaped.pop();
            }
            shaped
        }
    }
}

/// Source, and what its packets are drawn from.
pub(super) struct Sender<'a> {
    plan: &'a FabricPlan,
    source: &'a Stream,
    work: Work,
    destinations: Vec<Terminal>,
    /// An address that no terminal has.
    nobody: Option<u32>,
}

impl<'a> Sender<'a> {
    pub fn new(plan: &'a FabricPlan, source: &'a Stream, work: Work) -> Self {
        let destinations = plan.topology().destinations(source.terminal).collect();
        Self { plan, source, work, destinations, nobody: nobody(plan) }
    }

    /// Packet with this number, of a flow that is wished for or of any.
    pub fn packet(&self, number: u32, wish: Option<Shaped>) -> Packet {
        let Self { plan, source, work, .. } = *self;
        let width = source.data.width;
        let has_keep = source.keep.is_some();
        let draw = |what: u64, at: u64| {
            hash(work.seed, &[u64::from(source.terminal.0), number.into(), what, at])
        };
        let least = u64::from(LEAST_BITS.div_ceil(width));
        let Size { words: count, last_bytes } = match &wish {
            Some(shaped) => shaped.size(plan.parameters.width, width, has_keep, draw(0, 0)),
            // The last word may have no byte at all.
            None => Size {
                words: least + u64::from(has_keep) + draw(0, 0) % MOST_WORDS,
                last_bytes: draw(2, 0) as u32 % (width / 8 + 1),
            },
        };
        let words = |salt: u64, at: u64, width: u32| -> Vec<u64> {
            (0..width.div_ceil(64))
                .map(|word| {
                    let bits = (width - 64 * word).min(64);
                    draw(salt, at << 8 | u64::from(word)) & (u64::MAX >> (64 - bits))
                })
                .collect()
        };
        let mut list = Vec::new();
        let mut bits = Vec::new();
        for at in 0..count {
            let data = words(1, at, width);
            let bytes = width / 8;
            let kept = if at + 1 == count && has_keep { last_bytes } else { bytes };
            let data_bits = if has_keep { 8 * kept } else { width };
            bits.extend((0..data_bits).map(|bit| bit_of(&data, bit)));
            let keep = source.keep.map_or(Vec::new(), |signal| ones(kept, signal.width));
            let user = source.user.map_or(Vec::new(), |signal| words(3, at, signal.width));
            list.push(Word { data, keep, user });
        }
        let refused = self.nobody.filter(|_| is_refused(number, work));
        let destination = match &wish {
            Some(shaped) => shaped.destination,
            None => self.destinations[draw(4, 0) as usize % self.destinations.len()],
        };
        let address = match &wish {
            // Refused for its length, where the address is one that it may have.
            Some(shaped) if shaped.is_wrong && draw(6, 0) % 2 == 0 => plan.address(destination),
            _ => refused.unwrap_or_else(|| plan.address(destination)),
        };
        let goes = refused.is_none() && wish.is_none_or(|shaped| !shaped.is_wrong);
        Packet { destination: goes.then_some(destination), address, number, words: list, bits }
    }
}

/// Whether a packet is one that is to be refused, where such packets can be.
fn is_refused(number: u32, work: Work) -> bool {
    number % TO_NOBODY == 1 && number + 1 < work.packets
}

pub(super) fn bit_of(words: &[u64], bit: u32) -> bool {
    words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
}

/// The lowest `count` of `width` bits.
pub(super) fn ones(count: u32, width: u32) -> Vec<u64> {
    let word = |low: u32| match count.saturating_sub(low) {
        0 => 0,
        some => u64::MAX >> (64 - some.min(64)),
    };
    (0..width).step_by(64).map(word).collect()
}
