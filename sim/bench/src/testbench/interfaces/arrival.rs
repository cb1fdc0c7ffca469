//! Packets that arrive, each compared with those on the way.

use super::packets::{LEAST_BITS, Packet, Word, bit_of, ones};
use super::stream::{Signal, Stream};
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_rtl::dut::Dut;

/// Packet that arrived at a sink.
pub(super) struct Arrival<'a> {
    sink: &'a Stream,
    /// Name of the sink.
    at: String,
    words: &'a [Word],
    /// The bits that are data, the first lowest.
    bits: Vec<bool>,
    /// `tid`, where there is one.
    id: Option<u64>,
}

impl<'a> Arrival<'a> {
    /// The packet of some words.
    ///
    /// # Errors
    /// A word with gaps.
    pub fn new(
        plan: &FabricPlan,
        sink: &'a Stream,
        words: &'a [Word],
        id: Option<u64>,
    ) -> Result<Self, String> {
        let at = plan.topology().terminal_label(sink.terminal);
        match bits_of(sink, words) {
            Some(bits) => Ok(Self { sink, at, words, bits, id }),
            None => Err(format!("{at}: a word within a packet has bytes without data")),
        }
    }

    /// Takes the packet that it is from those on the way, by source: of several that are alike any.
    ///
    /// # Errors
    /// A packet that no one sent, or what is wrong with it.
    pub fn take_from(
        &self,
        plan: &FabricPlan,
        sources: &[Stream],
        on_the_way: &mut [Vec<Packet>],
    ) -> Result<(), String> {
        let mut first_fault = None;
        for (source, list) in sources.iter().zip(on_the_way) {
            for place in (0..list.len()).filter(|&place| self.has_bits_of(&list[place])) {
                match self.fault(plan, source, list, place) {
                    None => {
                        list.remove(place);
                        return Ok(());
                    }
                    fault => first_fault = first_fault.or(fault),
                }
            }
        }
        let at = &self.at;
        Err(match first_fault {
            Some(fault) => format!("{at}: {fault}"),
            None => format!("{at}: a packet of {} words that no one sent", self.words.len()),
        })
    }

    fn has_bits_of(&self, packet: &Packet) -> bool {
        match self.sink.keep {
            Some(_) => packet.bits == self.bits,
            None => self.bits.starts_with(&packet.bits),
        }
    }

    /// Fault, if it is the packet at a place of those on the way from a source.
    fn fault(
        &self,
        plan: &FabricPlan,
        source: &Stream,
        list: &[Packet],
        place: usize,
    ) -> Option<String> {
        let packet = &list[place];
        let label = |terminal| plan.topology().terminal_label(terminal);
        let fault =
            |what: String| Some(format!("a packet from {}: {what}", label(source.terminal)));
        if let Some(to) = packet.destination.filter(|to| *to != self.sink.terminal) {
            return fault(format!("it is for {}", label(to)));
        }
        let filled = &self.bits[packet.bits.len()..];
        let width = source.data.width.max(plan.parameters.width);
        let widest = width.max(self.sink.data.width) as usize;
        if filled.len() >= widest || filled.iter().any(|bit| *bit) {
            return fault(format!("{} bits follow its {}", filled.len(), packet.bits.len()));
        }
        let user = |words: &[Word]| words.last().map(|word| word.user.clone());
        if user(self.words) != user(&packet.words) {
            return fault("tuser of its last word is another".to_owned());
        }
        let address = plan.address(source.terminal);
        if self.id.is_some_and(|id| id != u64::from(address)) {
            return fault(format!("tid {:?} is not its address {address}", self.id));
        }
        // Shorter ones of several sources may be alike, and one counted for another.
        let is_told = |packet: &Packet| packet.bits.len() >= LEAST_BITS as usize;
        let is_overtaken =
            |other: &Packet| is_told(other) && other.destination == packet.destination;
        if plan.keeps_order() && is_told(packet) && list[..place].iter().any(is_overtaken) {
            return fault(format!("number {} overtook one before it", packet.number));
        }
        None
    }
}

/// The word that a sink is offered.
pub(super) fn word_at(dut: &Dut, sink: &Stream) -> Word {
    let of = |signal: Option<Signal>| {
        signal.map_or(Vec::new(), |s| dut.get_words(s.port, 0, s.width).collect())
    };
    Word { data: of(Some(sink.data)), keep: of(sink.keep), user: of(sink.user) }
}

/// The bits of the words that are data; `None` where there are gaps.
fn bits_of(sink: &Stream, words: &[Word]) -> Option<Vec<bool>> {
    let mut bits = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let width = match sink.keep {
            None => sink.data.width,
            Some(keep) => {
                let kept = (0..keep.width).filter(|&byte| bit_of(&word.keep, byte)).count() as u32;
                let is_whole = kept == keep.width || at + 1 == words.len();
                if !is_whole || word.keep != ones(kept, keep.width) {
                    return None;
                }
                8 * kept
            }
        };
        bits.extend((0..width).map(|bit| bit_of(&word.data, bit)));
    }
    Some(bits)
}
