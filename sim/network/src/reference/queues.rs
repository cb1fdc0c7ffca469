//! Every queue of the fabric: a first flit, and a ring for those behind it.

use super::flit::{Flit, TAG_BITS};
use turnpike_network::routing::Header;

/// Bits of a header that go in one word with the tag of their flit.
const NARROW: u32 = 64 - TAG_BITS;

/// A queue but for its ring: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Queue {
    /// The first flit, where there is one.
    front: u64,
    /// The (output, VC) that fills it.
    upstream: u32,
    /// Where in the ring the second flit is.
    second: u16,
    count: u16,
}

/// All queues, by number.
///
/// A flit is a word, and a second one for its header where headers have more than 24 bits. Below
/// saturation few queues hold more than a flit, so that a cycle reads little memory: the first flit
/// stands beside its queue's state, and the first places of all rings side by side, then the second
/// ones, and so on.
#[derive(Debug)]
pub(super) struct Queues {
    queues: Vec<Queue>,
    /// Places in a ring.
    places: u16,
    /// Ring places: that of a queue and then those of the others.
    behind: Vec<u64>,
    /// Headers of the first flits; empty where they go in the words.
    front_headers: Vec<Header>,
    /// The same for the places of the rings.
    headers: Vec<Header>,
}

/// What is left after a flit has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Popped {
    pub flit: Flit,
    /// The flit at the head from now on.
    pub next: Option<Flit>,
    /// How many flits are left.
    pub left: u16,
    /// The (output, VC) that fills the queue.
    pub upstream: u32,
}

impl Queues {
    /// Empty queues of a depth in flits, each with the (output, VC) that fills it, for headers of so
    /// many bits.
    pub fn new(upstream: &[u32], depth: u16, header_bits: u32) -> Self {
        let queue = |&upstream| Queue { front: 0, upstream, second: 0, count: 0 };
        let behind = upstream.len() * usize::from(depth - 1);
        let wide = usize::from(header_bits > NARROW);
        Self {
            queues: upstream.iter().map(queue).collect(),
            places: depth - 1,
            behind: vec![0; behind],
            front_headers: vec![0; upstream.len() * wide],
            headers: vec![0; behind * wide],
        }
    }

    /// Bytes of a queue of a depth.
    pub fn bytes(depth: u64, header_bits: u32) -> u64 {
        let header = if header_bits > NARROW { size_of::<Header>() as u64 } else { 0 };
        size_of::<Queue>() as u64 + header + (depth - 1) * (size_of::<u64>() as u64 + header)
    }

    /// Empties all.
    pub fn clear(&mut self) {
        for queue in &mut self.queues {
            (queue.second, queue.count) = (0, 0);
        }
    }

    /// How many flits a queue holds.
    #[inline]
    pub fn count(&self, at: usize) -> u16 {
        self.queues[at].count
    }

    /// The first flit of a queue that has one.
    #[inline]
    pub fn front(&self, at: usize) -> Flit {
        flit(self.queues[at].front, &self.front_headers, at)
    }

    /// The flits of a queue, the first one first.
    #[cfg(test)]
    pub fn flits(&self, at: usize) -> impl Iterator<Item = Flit> + '_ {
        let Queue { second, count, .. } = self.queues[at];
        let behind = (0..count.saturating_sub(1)).map(move |i| {
            let place = self.place((second + i) % self.places, at);
            flit(self.behind[place], &self.headers, place)
        });
        (count > 0).then(|| self.front(at)).into_iter().chain(behind)
    }

    #[inline(always)]
    fn place(&self, place: u16, at: usize) -> usize {
        usize::from(place) * self.queues.len() + at
    }

    /// Takes the first flit out.
    #[inline(always)]
    pub fn pop(&mut self, at: usize) -> Popped {
        let queue = &self.queues[at];
        let Queue { front, upstream, second, count } = *queue;
        let first = flit(front, &self.front_headers, at);
        let left = count - 1;
        let next = if left == 0 {
            let queue = &mut self.queues[at];
            (queue.count, queue.second) = (0, 0);
            None
        } else {
            let place = self.place(second, at);
            let word = self.behind[place];
            if !self.headers.is_empty() {
                self.front_headers[at] = self.headers[place];
            }
            let queue = &mut self.queues[at];
            let third = second + 1;
            (queue.front, queue.count) = (word, left);
            queue.second = if third == self.places { 0 } else { third };
            Some(flit(word, &self.front_headers, at))
        };
        Popped { flit: first, next, left, upstream }
    }

    /// Appends a flit: how many there are now, and the (output, VC) that fills the queue.
    #[inline(always)]
    pub fn push(&mut self, at: usize, flit: Flit) -> (u16, u32) {
        let Queue { upstream, second, count, .. } = self.queues[at];
        let narrow = self.front_headers.is_empty();
        let word = if narrow { flit.tag() | flit.header << TAG_BITS } else { flit.tag() };
        if count == 0 {
            self.queues[at].front = word;
            if !narrow {
                self.front_headers[at] = flit.header;
            }
        } else {
            let place = second + count - 1;
            let place = if place >= self.places { place - self.places } else { place };
            let place = self.place(place, at);
            self.behind[place] = word;
            if !narrow {
                self.headers[place] = flit.header;
            }
        }
        self.queues[at].count = count + 1;
        (count + 1, upstream)
    }
}

/// A flit from its word, or from its word and its header.
#[inline(always)]
fn flit(word: u64, headers: &[Header], at: usize) -> Flit {
    let header = if headers.is_empty() { word >> TAG_BITS } else { headers[at] };
    Flit::from_tag(word & (u64::MAX >> NARROW), header)
}

#[cfg(test)]
mod tests {
    use super::super::hops::Decision;
    use super::super::layout::NONE;
    use super::*;
    use crate::traffic::random::Random;
    use std::collections::VecDeque;

    /// Each queue is a queue, whatever is in the others; headers of every width.
    #[test]
    fn flits_come_out_as_they_went_in() {
        let mut random = Random::new(1);
        for header_bits in [0, 1, 23, 24, 25, 63, 64] {
            for depth in [1, 2, 3, 8] {
                let most = u64::MAX.checked_shr(64 - header_bits).unwrap_or(0);
                let mut queues = Queues::new(&[70, 71, 72], depth, header_bits);
                let mut models = [const { VecDeque::<Flit>::new() }; 3];
                for _ in 0..500 {
                    let at = random.below(3) as usize;
                    let model = &mut models[at];
                    if random.below(2) == 0 && model.len() < usize::from(depth) {
                        let wants = [0, 21, 63, NONE][random.below(4) as usize];
                        let header =
                            turnpike_base::hash::hash(1, &[random.below(1 << 30).into()]) & most;
                        let flit = Flit::new(
                            random.below(u32::MAX),
                            random.below(2) == 0,
                            Decision { wants, header },
                        );
                        model.push_back(flit);
                        let count = model.len() as u16;
                        assert_eq!(queues.push(at, flit), (count, 70 + at as u32));
                    } else if let Some(flit) = model.pop_front() {
                        assert_eq!(queues.front(at), flit);
                        let popped = queues.pop(at);
                        assert_eq!((popped.flit, popped.next), (flit, model.front().copied()));
                        assert_eq!(usize::from(popped.left), model.len());
                        assert_eq!(popped.upstream, 70 + at as u32);
                    }
                    for (at, model) in models.iter().enumerate() {
                        assert!(queues.flits(at).eq(model.iter().copied()));
                        assert_eq!(usize::from(queues.count(at)), model.len());
                    }
                }
                queues.clear();
                assert!((0..3).all(|at| queues.count(at) == 0));
            }
        }
    }
}
