//! Transactions of the bench, and what each is answered: all follow from a seed.

use super::bursts::{parts, spans};
use super::port::Payload;
use std::collections::BTreeMap;
use std::ops::Range;
use turnpike_base::bits::low_bits;
use turnpike_base::hash::hash;
use turnpike_ends::protocol::axi4::{ATTRIBUTES, DECERR, FIXED, INCR, SLVERR, WRAP};
use turnpike_ends::{AddressRange, EndPort, Ends, Manager, PAGE, Protocol};

/// Bytes by their addresses.
type Bytes = BTreeMap<u64, u8>;

/// Beat of a read as it is due: its bytes in the order of the port, and the answer.
pub(super) type DueBeat = (Vec<u8>, u64);

/// A transaction of a manager.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    pub is_write: bool,
    /// Payload of its channel of addresses, as AXI4.
    pub address: Payload,
    /// ID of the transaction.
    pub id: u64,
    /// Beats of a write as words of the manager's port: data, strobes; of a read none.
    pub beats: Vec<Payload>,
    /// Number of beats.
    pub count: u64,
    /// Subordinate that answers it; `None`: the end of the manager does.
    pub target: Option<usize>,
    /// Digests of what the subordinate is asked, in order.
    pub asks: Vec<u64>,
    /// Answer that is due to a write.
    pub due_answer: u64,
    /// Beats that are due to a read.
    pub due_beats: Vec<DueBeat>,
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

/// View that a subordinate has of a transaction, or of an access.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub is_write: bool,
    /// Address, as the protocol gives it.
    pub address: u64,
    /// Attributes that the protocol has.
    pub attributes: Vec<u64>,
    /// Beats of a write: bytes of data, 0 where there is no strobe, and strobes. Of a read of Wishbone the
    /// bytes that it names.
    pub beats: Vec<Payload>,
}

impl Seen {
    /// Digest by which what a subordinate sees is told apart.
    pub fn digest(&self) -> u64 {
        let beats = self.beats.iter().flatten().flatten();
        let all = [u64::from(self.is_write), self.address, self.beats.len() as u64];
        let all = all.into_iter().chain(self.attributes.iter().copied()).chain(beats.copied());
        hash(0, &all.collect::<Vec<_>>())
    }
}

impl Transaction {
    /// A transaction of a manager, whose port it is.
    pub fn drawn(
        ends: &Ends,
        (manager, port): (&Manager, &EndPort<'_>),
        is_write: bool,
        seed: u64,
    ) -> Self {
        let mut draw = Draw { state: seed };
        let facts = port.protocol.facts();
        let word = u64::from(port.widths.data / 8);
        let (page, target) = place(ends, (manager, port), &mut draw);
        let drawn_size = draw.below(u64::from(word.ilog2()) + 1);
        let size = if facts.has_bursts { drawn_size } else { word.ilog2().into() };
        let bytes = 1 << size;
        let burst = if facts.has_bursts { draw.below(3) } else { INCR };
        let most = match (burst, draw.below(16)) {
            _ if !facts.has_bursts => 1,
            (FIXED, _) => 16,
            (WRAP, _) => 2 << draw.below(4),
            // A long one now and then.
            (_, 0) => (PAGE / bytes).min(256),
            (_, _) => (PAGE / bytes).min(8),
        };
        let mut count = if burst == WRAP { most } else { 1 + draw.below(most) };
        let longest = u64::from(manager.burst);
        // Most are no longer than they may be, or by one beat.
        if is_write && count > longest && burst != WRAP && draw.below(4) > 0 {
            count = longest + draw.below(4) / 3;
        }
        let offset = match burst {
            WRAP => draw.below(PAGE / bytes) * bytes,
            FIXED => draw.below(PAGE),
            _ if !facts.has_bursts => draw.below(PAGE / bytes) * bytes,
            _ => draw.below(PAGE / bytes - count + 1) * bytes + draw.below(bytes),
        };
        let id = if facts.has_ids { draw.below(1 << manager.id_width) } else { 0 };
        let has_prot = port.protocol.signals(port.widths).iter().any(|s| s.name.contains("prot"));
        let mut value = |name: &str, bits: u32| match name {
            "len" => count - 1,
            "size" => size,
            "burst" => burst,
            "prot" if has_prot => draw.below(1 << bits),
            _ if facts.has_bursts => draw.below(1 << bits),
            _ => 0,
        };
        let at = page + offset;
        let mut address = vec![vec![id], vec![at]];
        address.extend(ATTRIBUTES.map(|(name, bits)| vec![value(name, bits)]));
        let spans = spans(at, bytes, burst, count);
        let written = |(beat, span): (usize, &Range<u64>)| written(seed, beat, span);
        let written: Vec<Bytes> = match is_write {
            true => spans.iter().enumerate().map(written).collect(),
            false => Vec::new(),
        };
        let junk = |beat: usize| hash(seed, &[11, beat as u64]);
        let beats = written.iter().enumerate();
        let beats = beats.map(|(at, bytes)| words(bytes, word, Some(junk(at)))).collect();
        let too_long = is_write && count > longest;
        let refusal = if target.is_none() { DECERR } else { SLVERR };
        let target = target.filter(|_| !too_long);
        let none = (vec![0; word as usize], refusal);
        let mut transaction = Self {
            is_write,
            address,
            id,
            beats,
            count,
            target,
            asks: Vec::new(),
            due_answer: refusal,
            due_beats: vec![none; if is_write { 0 } else { count as usize }],
        };
        if let Some(number) = target {
            let port = ends.subordinate_port(&ends.subordinates[number]);
            match port.protocol == Protocol::Axi4 && port.widths.data == ends.data_width {
                true => transaction.asks_whole(ends, word, &spans, &written),
                false => transaction.asks_parts(ends, &port, word, &spans, &written),
            }
        }
        transaction
    }

    /// Sets what is due of a subordinate that takes the transaction as it is.
    fn asks_whole(&mut self, ends: &Ends, word: u64, spans: &[Range<u64>], written: &[Bytes]) {
        let all = u64::from(ends.data_width / 8);
        let seen = Seen {
            is_write: self.is_write,
            address: self.address[1][0],
            attributes: self.address[2..].iter().flatten().copied().collect(),
            beats: written.iter().map(|bytes| words(bytes, all, None)).collect(),
        };
        let digest = seen.digest();
        self.asks = vec![digest];
        self.due_answer = answer(digest);
        let due = |(beat, span): (usize, &Range<u64>)| {
            let (data, resp) = read_beat(digest, beat as u64, ends.data_width);
            (part_of(&bytes_of(&data)[..all as usize], span, word), resp)
        };
        self.due_beats = match self.is_write {
            true => Vec::new(),
            false => spans.iter().enumerate().map(due).collect(),
        };
    }

    /// Sets what is due of a subordinate that is asked by single accesses.
    fn asks_parts(
        &mut self,
        ends: &Ends,
        port: &EndPort<'_>,
        word: u64,
        spans: &[Range<u64>],
        written: &[Bytes],
    ) {
        let narrow = u64::from(port.widths.data / 8);
        let first = |answers: &[u64]| answers.iter().copied().find(|&own| own > 0).unwrap_or(0);
        let mut answers = Vec::new();
        for (beat, span) in spans.iter().enumerate() {
            let mut all = Vec::new();
            let mut of_beat = Vec::new();
            for part in parts(span, narrow) {
                let own = written.get(beat).map(|all| {
                    all.range(part.clone()).map(|(at, byte)| (*at, *byte)).collect::<Bytes>()
                });
                if own.as_ref().is_some_and(Bytes::is_empty) {
                    continue;
                }
                let digest = self.seen(port, &part, own.as_ref()).digest();
                self.asks.push(digest);
                of_beat.push(answer(digest));
                let (data, _) = read_beat(digest, 0, port.widths.data);
                let data = &bytes_of(&data)[..narrow as usize];
                // The first fills the whole word, so that nothing of others is left in it.
                if all.is_empty() {
                    all = data.repeat(ends.data_width as usize / 8 / data.len());
                }
                let lane = (part.start % all.len() as u64 / narrow * narrow) as usize;
                all[lane..lane + data.len()].copy_from_slice(data);
            }
            if !self.is_write {
                self.due_beats[beat] = (part_of(&all, span, word), first(&of_beat));
            }
            answers.extend(of_beat);
        }
        self.due_answer = first(&answers);
    }

    /// View of a part of a beat at a port.
    fn seen(&self, port: &EndPort<'_>, part: &Range<u64>, written: Option<&Bytes>) -> Seen {
        let narrow = u64::from(port.widths.data / 8);
        let of = |name: &str| attribute(&self.address, name);
        let size = of("size").min(narrow.ilog2().into());
        let of_word = part.start / narrow * narrow;
        let (address, attributes) = match port.protocol {
            Protocol::Axi4 => {
                (part.start, vec![size, of("cache"), of("prot"), of("qos"), of("region")])
            }
            Protocol::Axi4Lite => (of_word, vec![of("prot")]),
            Protocol::Apb => (of_word & low_bits(32), vec![of("prot")]),
            Protocol::Wishbone | Protocol::WishbonePipelined => (of_word, Vec::new()),
        };
        let named = |size: u64| {
            let first = part.start >> size << size;
            (first..first + (1 << size)).map(|at| (at, 0)).collect::<Bytes>()
        };
        let beats = match (written, port.protocol.facts().selects_reads) {
            (Some(bytes), _) => vec![words(bytes, narrow, None)],
            (None, true) => vec![words(&named(size), narrow, None)],
            (None, false) => Vec::new(),
        };
        Seen { is_write: self.is_write, address, attributes, beats }
    }
}

/// Attribute of a request, by its name, in the payload of its channel.
pub(super) fn attribute(address: &Payload, name: &str) -> u64 {
    let place = ATTRIBUTES.iter().position(|(known, _)| *known == name);
    address[2 + place.expect("an attribute")][0]
}

/// Bytes of a beat that are written: all of it, or some, or none.
fn written(seed: u64, beat: usize, span: &Range<u64>) -> Bytes {
    let of = |what: u64, at: u64| hash(seed, &[2, what, beat as u64, at]);
    let manner = of(2, 0) % 8;
    let is_written = |at: &u64| manner < 4 || (manner < 7 && of(1, *at) % 2 == 0);
    let byte = |at: u64| (at, of(0, at) as u8);
    span.clone().filter(is_written).map(byte).collect()
}

/// Bytes as words of a port of so many: data, and strobes. What no byte says is 0, or follows from `junk`.
fn words(bytes: &Bytes, word: u64, junk: Option<u64>) -> Payload {
    let length = (word * 8).div_ceil(64) as usize;
    let none = |place: usize| junk.map_or(0, |seed| hash(seed, &[place as u64]));
    let mut data: Vec<u64> = (0..length).map(none).collect();
    let mut strobes = vec![0; word.div_ceil(64) as usize];
    for (at, byte) in bytes {
        let at = at % word;
        let (place, shift) = ((at / 8) as usize, at % 8 * 8);
        data[place] = data[place] & !(0xff << shift) | u64::from(*byte) << shift;
        strobes[(at / 64) as usize] |= 1 << (at % 64);
    }
    if word < 8 {
        data[0] &= low_bits(word as u32 * 8);
    }
    vec![data, strobes]
}

/// Data of a write with 0 where there is no strobe, as [`words`] has it.
pub(super) fn masked(data: &[u64], strobes: &[u64]) -> Payload {
    let bytes = bytes_of(data).into_iter().enumerate();
    let is_written = |at: &usize| strobes[at / 64] >> (at % 64) & 1 == 1;
    let bytes: Bytes =
        bytes.filter(|(at, _)| is_written(at)).map(|(at, b)| (at as u64, b)).collect();
    let mut all = words(&bytes, data.len() as u64 * 8, None);
    all[1].truncate(strobes.len());
    all
}

/// Bytes of a word of the network at a port of `word` bytes: those of the part in which a beat stands.
fn part_of(all: &[u8], span: &Range<u64>, word: u64) -> Vec<u8> {
    let lane = (span.start % all.len() as u64 / word * word) as usize;
    all[lane..lane + word as usize].to_vec()
}

/// Bytes of words, the lowest first.
pub(super) fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Answer of a subordinate to a write, or to an access: `OKAY` or `SLVERR`.
pub(super) fn answer(digest: u64) -> u64 {
    if hash(digest, &[3]).is_multiple_of(4) { SLVERR } else { 0 }
}

/// Data and answer of a beat of a read.
pub(super) fn read_beat(digest: u64, beat: u64, data: u32) -> (Vec<u64>, u64) {
    let resp = if hash(digest, &[4, beat]).is_multiple_of(4) { SLVERR } else { 0 };
    let seed = hash(digest, &[5, beat]);
    let word = |place: u32| hash(seed, &[place.into()]) & low_bits(data - 64 * place);
    ((0..data.div_ceil(64)).map(word).collect(), resp)
}

/// A page of addresses, and the subordinate that answers there to the manager.
fn place(
    ends: &Ends,
    (manager, port): (&Manager, &EndPort<'_>),
    draw: &mut Draw,
) -> (u64, Option<usize>) {
    let all = ends.subordinates.len() as u64;
    let also_nobody = u64::from(draw.below(4) == 0);
    let number = draw.below(all + also_nobody) as usize;
    let reached = low_bits(port.widths.address);
    let Some(end) = ends.subordinates.get(number) else {
        return match ends.nobody() {
            Some(page) if page <= reached => (page, None),
            _ => place(ends, (manager, port), draw),
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
    // A port of fewer bits says another address.
    let page = (first + page * PAGE) & reached;
    (page, answering(ends, manager, page))
}

/// The subordinate that answers an address to a manager.
fn answering(ends: &Ends, manager: &Manager, address: u64) -> Option<usize> {
    let holds = |range: &AddressRange| (range.first..=range.last).contains(&address);
    let found = ends.subordinates.iter().position(|end| end.ranges.iter().any(holds));
    found.filter(|number| manager.reach.contains(number))
}
