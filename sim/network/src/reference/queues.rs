//! Every queue of the fabric: a first flit, and a ring for those behind it.

use super::fields::WORD;
use super::flit::{Flit, NARROW};
use turnpike_network::routing::Header;

/// A queue but for its ring: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Queue {
    /// The first flit, where there is one.
    front: u64,
    /// The (output, VC) that fills it.
    upstream: u32,
    /// Place of the second flit in the ring.
    second: u16,
    count: u16,
}

/// All queues, by number; a whole number of [`WORD`]s.
///
/// A flit is a word, and a second one for its header where headers are wide. Below saturation few
/// queues hold more than a flit, so that a cycle reads little memory: the first flit stands beside its
/// queue's state, and the first places of all rings side by side, then the second ones, and so on.
#[derive(Debug)]
pub(super) struct Queues {
    queues: Vec<Queue>,
    rings: Rings,
}

/// Flits behind the first ones, and wide headers.
#[derive(Debug)]
struct Rings {
    /// Places in a ring.
    places: u16,
    /// Ring places: that of a queue and then those of the others.
    behind: Vec<u64>,
    /// Headers of the first flits; empty where headers are narrow.
    front_headers: Vec<Header>,
    /// Wide headers of the places of the rings.
    headers: Vec<Header>,
}

/// The queues of one word.
pub(super) struct QueueWord<'a> {
    queues: &'a mut [Queue; WORD],
    rings: &'a mut Rings,
    /// The number of the first one.
    first: usize,
    /// Number of queues of all words.
    all: usize,
}

/// State of a queue after a flit has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Popped {
    pub flit: Flit,
    /// The flit at the head from now on.
    pub next: Option<Flit>,
    /// Number of flits that are left.
    pub left: u16,
}

impl Queues {
    /// Empty queues of a depth in flits, each with the (output, VC) that fills it, for headers of so
    /// many bits.
    pub fn new(upstream: &[u32], depth: u16, header_bits: u32) -> Self {
        let queue = |&upstream| Queue { front: 0, upstream, second: 0, count: 0 };
        let behind = upstream.len() * usize::from(depth - 1);
        let wide = usize::from(is_wide(header_bits));
        let rings = Rings {
            places: depth - 1,
            behind: vec![0; behind],
            front_headers: vec![0; upstream.len() * wide],
            headers: vec![0; behind * wide],
        };
        Self { queues: upstream.iter().map(queue).collect(), rings }
    }

    /// Bytes of a queue of a depth.
    pub fn bytes(depth: u64, header_bits: u32) -> u64 {
        let header = if is_wide(header_bits) { size_of::<Header>() as u64 } else { 0 };
        size_of::<Queue>() as u64 + header + (depth - 1) * (size_of::<u64>() as u64 + header)
    }

    /// Empties all.
    pub fn clear(&mut self) {
        for queue in &mut self.queues {
            (queue.second, queue.count) = (0, 0);
        }
    }

    /// Number of flits in a queue.
    #[inline]
    pub fn count(&self, at: usize) -> u16 {
        self.queues[at].count
    }

    /// The (output, VC) that fills a queue, or `NO_LINK`.
    pub fn upstream(&self, at: usize) -> u32 {
        self.queues[at].upstream
    }

    /// The first flit of a queue that has one.
    #[inline]
    pub fn front(&self, at: usize) -> Flit {
        let wide = self.rings.front_headers.get(at).copied().unwrap_or(0);
        Flit::from_words(self.queues[at].front, wide)
    }

    /// The flits of a queue, the first one first.
    #[cfg(test)]
    pub fn flits(&self, at: usize) -> impl Iterator<Item = Flit> + '_ {
        let Queue { second, count, .. } = self.queues[at];
        let Rings { places, behind, headers, .. } = &self.rings;
        let behind = (0..count.saturating_sub(1)).map(move |i| {
            let place = usize::from((second + i) % places) * self.queues.len() + at;
            Flit::from_words(behind[place], headers.get(place).copied().unwrap_or(0))
        });
        (count > 0).then(|| self.front(at)).into_iter().chain(behind)
    }

    /// Queues of a word.
    #[inline(always)]
    pub fn word(&mut self, word: usize) -> QueueWord<'_> {
        let all = self.queues.len();
        let queues = &mut self.queues.as_chunks_mut().0[word];
        QueueWord { queues, rings: &mut self.rings, first: word * WORD, all }
    }

    /// Appends a flit: how many there are now, and the (output, VC) that fills the queue.
    #[inline(always)]
    pub fn push<const WIDE: bool>(&mut self, at: usize, flit: Flit) -> (u16, u32) {
        let all = self.queues.len();
        let queue = &mut self.queues[at];
        let Queue { upstream, second, count, .. } = *queue;
        let (word, wide) = flit.words();
        queue.count = count + 1;
        if count == 0 {
            queue.front = word;
            if WIDE {
                self.rings.front_headers[at] = wide;
            }
        } else {
            let place = second + count - 1;
            let places = self.rings.places;
            let place = if place >= places { place - places } else { place };
            let place = usize::from(place) * all + at;
            self.rings.behind[place] = word;
            if WIDE {
                self.rings.headers[place] = wide;
            }
        }
        (count + 1, upstream)
    }
}

impl QueueWord<'_> {
    /// (Output, VC) that feeds a queue of the word.
    #[inline(always)]
    pub fn upstream(&self, bit: usize) -> u32 {
        self.queues[bit % WORD].upstream
    }

    /// Takes the first flit out of a queue of the word, by its place there. Notes the queue in `heads`,
    /// with what the next flit wants, where there is one.
    #[inline(always)]
    pub fn pop<const WIDE: bool>(&mut self, bit: usize, heads: &mut Vec<(u32, u8)>) -> Popped {
        let (queue, rings) = (&mut self.queues[bit % WORD], &mut *self.rings);
        let at = self.first + bit;
        let Queue { front, second, count, .. } = *queue;
        let first = Flit::from_words(front, if WIDE { rings.front_headers[at] } else { 0 });
        let left = count - 1;
        queue.count = left;
        let mut next = None;
        if left == 0 {
            queue.second = 0;
        } else {
            let place = usize::from(second) * self.all + at;
            let word = rings.behind[place];
            let wide = if WIDE { rings.headers[place] } else { 0 };
            if WIDE {
                rings.front_headers[at] = wide;
            }
            let third = second + 1;
            queue.front = word;
            queue.second = if third == rings.places { 0 } else { third };
            let flit = Flit::from_words(word, wide);
            heads.push((at as u32, flit.wants()));
            next = Some(flit);
        }
        Popped { flit: first, next, left }
    }
}

/// Whether headers of so many bits are kept in words of their own.
pub(super) fn is_wide(header_bits: u32) -> bool {
    header_bits > NARROW
}

#[cfg(test)]
mod tests {
    use super::super::flit::Decision;
    use super::super::layout::NONE;
    use super::*;
    use crate::traffic::random::Random;
    use std::collections::VecDeque;

    /// Each queue is a queue, whatever is in the others; headers of every width.
    #[test]
    fn flits_come_out_as_they_went_in() {
        let mut random = Random::new(1);
        for header_bits in [0, 1, 23, 24] {
            queues_hold_to_models::<false>(&mut random, header_bits);
        }
        for header_bits in [25, 63, 64] {
            queues_hold_to_models::<true>(&mut random, header_bits);
        }
    }

    fn queues_hold_to_models<const WIDE: bool>(random: &mut Random, header_bits: u32) {
        assert_eq!(is_wide(header_bits), WIDE);
        let seen = |flit: Flit| (flit.packet(), flit.last(), flit.wants(), flit.header::<WIDE>());
        let most = u64::MAX.checked_shr(64 - header_bits).unwrap_or(0);
        for depth in [1, 2, 3, 8] {
            let upstream: Vec<u32> = (0..128).map(|queue| queue + 70).collect();
            let mut queues = Queues::new(&upstream, depth, header_bits);
            let places = [3, 63, 64];
            let mut models = [const { VecDeque::<Flit>::new() }; 3];
            for _ in 0..500 {
                let one = random.below(3) as usize;
                let (at, model) = (places[one], &mut models[one]);
                if random.below(2) == 0 && model.len() < usize::from(depth) {
                    let wants = [0, 21, 63, NONE][random.below(4) as usize];
                    let header =
                        turnpike_base::hash::hash(1, &[random.below(1 << 30).into()]) & most;
                    let (packet, last) = (random.below(u32::MAX), random.below(2) == 0);
                    let flit = Flit::new(packet, last, Decision::new(wants, header));
                    assert_eq!(seen(flit), (packet, last, wants, header));
                    model.push_back(flit);
                    let count = model.len() as u16;
                    assert_eq!(queues.push::<WIDE>(at, flit), (count, 70 + at as u32));
                } else if let Some(flit) = model.pop_front() {
                    assert_eq!(seen(queues.front(at)), seen(flit));
                    let mut heads = Vec::new();
                    let mut word = queues.word(at / WORD);
                    let popped = word.pop::<WIDE>(at % WORD, &mut heads);
                    assert_eq!(word.upstream(at % WORD), 70 + at as u32);
                    let next = model.front().map(|next| (at as u32, next.wants()));
                    assert_eq!(heads, Vec::from_iter(next));
                    assert_eq!(seen(popped.flit), seen(flit));
                    assert_eq!(popped.next.map(seen), model.front().copied().map(seen));
                    assert_eq!(usize::from(popped.left), model.len());
                }
                for (&at, model) in places.iter().zip(&models) {
                    assert!(queues.flits(at).map(seen).eq(model.iter().copied().map(seen)));
                    assert_eq!(usize::from(queues.count(at)), model.len());
                }
            }
            queues.clear();
            assert!(places.iter().all(|&at| queues.count(at) == 0));
        }
    }
}
