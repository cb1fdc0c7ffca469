//! Transactions of the bench, and what each is answered: all follow from a seed.

use super::port::Payload;
use turnpike_base::bits::low_bits;
use turnpike_base::hash::hash;
use turnpike_ends::axi4::{ATTRIBUTES, DECERR, Widths};
use turnpike_ends::{AddressRange, Ends, Manager, PAGE};

/// Answer to a write that is longer than the buffer of an end.
const SLVERR: u64 = 2;
/// Kinds of burst: `FIXED`, `INCR`, `WRAP`.
const FIXED: u64 = 0;
const WRAP: u64 = 2;

/// A transaction of a manager.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    /// Payload of its channel of addresses.
    pub address: Payload,
    /// ID of the transaction.
    pub id: u64,
    /// Beats of a write, without `last`; of a read none.
    pub beats: Vec<Payload>,
    /// Number of beats.
    pub count: u64,
    /// Subordinate that answers it; `None`: the end of the manager does.
    pub target: Option<usize>,
    /// Answer of the end, where no subordinate answers.
    pub refusal: u64,
}

/// Draws of one transaction.
struct Draw {
    state: u64,
}

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.state = hash(self.state, &[1]);
        self.state % most.max(1)
    }
}

impl Transaction {
    /// The transaction of a manager with this number.
    pub fn drawn(ends: &Ends, manager: &Manager, is_write: bool, seed: u64) -> Self {
        let mut draw = Draw { state: seed };
        let widths = widths(ends, manager.id_width);
        let (page, target) = place(ends, manager, &mut draw);
        let size = draw.below(u64::from((ends.data_width / 8).ilog2()) + 1);
        let bytes = 1 << size;
        let burst = draw.below(3);
        let most = match (burst, draw.below(16)) {
            (FIXED, _) => 16,
            (WRAP, _) => 2 << draw.below(4),
            // A long one now and then.
            (_, 0) => (PAGE / bytes).min(256),
            (_, _) => (PAGE / bytes).min(8),
        };
        let mut count = if burst == WRAP { most } else { 1 + draw.below(most) };
        let longest = u64::from(manager.burst);
        // Most are no longer than they may be.
        if is_write && count > longest && (burst == WRAP || draw.below(4) > 0) {
            count = if burst == WRAP { count } else { longest };
        }
        let offset = match burst {
            WRAP => draw.below(PAGE / bytes) * bytes,
            FIXED => draw.below(PAGE),
            _ => draw.below(PAGE / bytes - count + 1) * bytes + draw.below(bytes),
        };
        let id = draw.below(1 << manager.id_width);
        let value = |name: &str, bits: u32, draw: &mut Draw| match name {
            "len" => count - 1,
            "size" => size,
            "burst" => burst,
            _ => draw.below(1 << bits),
        };
        let mut address = vec![vec![id], vec![page + offset]];
        address.extend(ATTRIBUTES.map(|(name, bits)| vec![value(name, bits, &mut draw)]));
        let beat = |beat: u64| {
            let word = |what: u64, bits: u32| words(hash(seed, &[2, what, beat]), bits);
            vec![word(0, widths.data), word(1, widths.data / 8)]
        };
        let beats = if is_write { (0..count).map(beat).collect() } else { Vec::new() };
        let too_long = is_write && count > longest;
        let refusal = if target.is_none() { DECERR } else { SLVERR };
        let target = target.filter(|_| !too_long);
        Self { address, id, beats, count, target, refusal }
    }

    /// Digest by which a subordinate's transactions are told apart: attributes but for the ID, and data.
    pub fn digest(&self) -> u64 {
        digest(&self.address, &self.beats)
    }
}

/// Digest of the attributes and data of a transaction.
pub(super) fn digest(address: &Payload, beats: &[Payload]) -> u64 {
    let attributes = address[1..].iter().flatten();
    let data = beats.iter().flatten().flatten();
    let all: Vec<u64> = attributes.chain(data).copied().collect();
    hash(beats.len() as u64, &all)
}

/// Answer of a subordinate to a write: `OKAY` or `SLVERR`.
pub(super) fn answer(digest: u64) -> u64 {
    if hash(digest, &[3]).is_multiple_of(4) { SLVERR } else { 0 }
}

/// Data and answer of a beat of a read.
pub(super) fn read_beat(digest: u64, beat: u64, data: u32) -> (Vec<u64>, u64) {
    let resp = if hash(digest, &[4, beat]).is_multiple_of(4) { SLVERR } else { 0 };
    (words(hash(digest, &[5, beat]), data), resp)
}

/// Widths of a port of a manager, or of a subordinate with its one bit of ID.
pub(super) fn widths(ends: &Ends, id: u32) -> Widths {
    Widths { address: ends.address_bits, data: ends.data_width, id }
}

/// Words of so many bits that follow from a seed.
fn words(seed: u64, bits: u32) -> Vec<u64> {
    let word = |place: u32| hash(seed, &[place.into()]) & low_bits(bits - 64 * place);
    (0..bits.div_ceil(64)).map(word).collect()
}

/// A page of addresses, and the subordinate that answers there to the manager.
fn place(ends: &Ends, manager: &Manager, draw: &mut Draw) -> (u64, Option<usize>) {
    let all = ends.subordinates.len() as u64;
    let also_nobody = u64::from(draw.below(4) == 0);
    let number = draw.below(all + also_nobody) as usize;
    let Some(end) = ends.subordinates.get(number) else {
        return match ends.nobody() {
            Some(page) => (page, None),
            None => place(ends, manager, draw),
        };
    };
    let AddressRange { first, last } = end.ranges[draw.below(end.ranges.len() as u64) as usize];
    let pages = (last - first) / PAGE + 1;
    // The first and the last are drawn more often.
    let page = match draw.below(4) {
        0 => 0,
        1 => pages - 1,
        _ => draw.below(pages),
    };
    (first + page * PAGE, manager.reach.contains(&number).then_some(number))
}
