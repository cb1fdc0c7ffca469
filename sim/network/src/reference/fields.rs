//! Numbers for the queues, and for the (output, VC)s, of all switches, and sets of them.

use crate::terminals::Bits;

/// Numbers them switch by switch, each switch with as many numbers as the largest one needs, rounded
/// up to a power of two: 64 or a part of 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fields {
    bits: u32,
    /// The bits of a number that say which one of its switch it is.
    low: usize,
}

/// Numbers in a word of a set. Those of one switch are in one word.
pub(super) const WORD: usize = 64;

impl Fields {
    /// Fields for switches with up to `most` queues and (output, VC)s, at most 64.
    pub fn new(most: usize) -> Self {
        let each = most.max(1).next_power_of_two();
        Self { bits: each.ilog2(), low: each - 1 }
    }

    /// Number of places of a switch.
    #[inline]
    pub fn each(self) -> usize {
        self.low + 1
    }

    /// Number of places of so many switches, in whole words.
    pub fn all(self, switches: usize) -> usize {
        self.at(switches, 0).next_multiple_of(WORD)
    }

    /// The number of a queue or (output, VC) of a switch.
    #[inline]
    pub fn at(self, switch: usize, index: usize) -> usize {
        switch << self.bits | index
    }

    /// The switch of a number.
    #[inline]
    pub fn switch(self, at: usize) -> usize {
        at >> self.bits
    }

    /// Index of a place within its switch.
    #[inline]
    pub fn index(self, at: usize) -> usize {
        at & self.low
    }

    /// Place of another index of the same switch.
    #[inline]
    pub fn sibling(self, at: usize, index: usize) -> usize {
        at & !self.low | index
    }
}

/// A set of (output, VC)s. A word has those of several switches.
#[derive(Clone, Debug)]
pub(super) struct OutputSet {
    fields: Fields,
    words: Vec<u64>,
}

impl OutputSet {
    /// No (output, VC)s of so many switches.
    pub fn none(fields: Fields, switches: usize) -> Self {
        Self { fields, words: vec![0; fields.all(switches) / WORD] }
    }

    #[inline]
    pub fn insert(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Puts all of them in.
    #[inline]
    pub fn extend(&mut self, outputs: impl Iterator<Item = u32>) {
        outputs.for_each(|output| self.insert(output as usize));
    }

    #[inline]
    pub fn remove(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// Members of one switch.
    #[inline]
    pub fn of(&self, switch: usize) -> u64 {
        let first = self.fields.at(switch, 0);
        self.words[first / 64] >> (first % 64) & u64::MAX >> (64 - self.fields.each())
    }

    /// Members with the numbers from 64 `word` on.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    pub fn fill(&mut self, member: bool) {
        self.words.fill(if member { u64::MAX } else { 0 });
    }
}

/// A set of (output, VC)s that, where there are many words, knows in which of them something is.
#[derive(Debug)]
pub(super) struct BusySet {
    set: OutputSet,
    /// A bit for each word that may have something; all of them in a small set, where looking is
    /// faster than noting.
    busy: Vec<u64>,
    is_small: bool,
}

/// Most words of a small set.
const SMALL: usize = 1 << 10;

impl BusySet {
    /// No (output, VC)s of so many switches.
    pub fn none(fields: Fields, switches: usize) -> Self {
        let set = OutputSet::none(fields, switches);
        let words = set.words.len();
        let mut busy_set =
            Self { busy: vec![0; words.div_ceil(WORD)], is_small: words <= SMALL, set };
        busy_set.clear();
        busy_set
    }

    #[inline(always)]
    pub fn insert(&mut self, at: usize) {
        self.set.insert(at);
        if !self.is_small {
            self.busy[at / WORD / WORD] |= 1 << (at / WORD % WORD);
        }
    }

    /// Members of a word.
    #[inline(always)]
    pub fn word(&self, word: usize) -> u64 {
        self.set.words[word]
    }

    /// Takes out some of a word, a bit for each.
    #[inline(always)]
    pub fn remove(&mut self, word: usize, members: u64) {
        self.set.words[word] &= !members;
    }

    /// Number of words of words.
    pub fn groups(&self) -> usize {
        self.busy.len()
    }

    /// The words of a word of words in which something may be.
    #[inline(always)]
    pub fn busy(&self, group: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        Bits(self.busy[group]).map(move |bit| group * WORD + bit as usize)
    }

    /// A word in which nothing is will not be in its group from now on.
    pub fn rest(&mut self, word: usize) {
        if !self.is_small {
            self.busy[word / WORD] &= !(1 << (word % WORD));
        }
    }

    pub fn clear(&mut self) {
        self.set.fill(false);
        self.busy.fill(0);
        for word in (0..self.set.words.len()).filter(|_| self.is_small) {
            self.busy[word / WORD] |= 1 << (word % WORD);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Members are those that a set of pairs has, for fields of every length.
    #[test]
    fn members_are_what_was_put_in() {
        for most in [1, 2, 5, 8, 11, 16, 21, 33, 64] {
            let (switches, fields) = (21, Fields::new(most));
            let mut set = OutputSet::none(fields, switches);
            let mut pairs = BTreeSet::new();
            for draw in 0..400 {
                let (switch, index) = (draw * 7 % switches, draw * 11 / 3 % most);
                let at = fields.at(switch, index);
                assert_eq!((fields.switch(at), fields.index(at)), (switch, index));
                assert_eq!(fields.sibling(fields.at(switch, most - 1), index), at);
                if draw % 3 == 2 {
                    set.remove(at);
                    pairs.remove(&(switch, index));
                } else {
                    set.insert(at);
                    pairs.insert((switch, index));
                }
            }
            let by_word = (0..fields.all(switches) / WORD)
                .flat_map(|word| Bits(set.word(word)).map(move |bit| word * 64 + bit as usize));
            let by_word: BTreeSet<_> =
                by_word.map(|at| (fields.switch(at), fields.index(at))).collect();
            assert_eq!(by_word, pairs);
            for switch in 0..switches {
                let of = Bits(set.of(switch)).map(|index| (switch, index as usize));
                assert!(of.eq(pairs.iter().copied().filter(|pair| pair.0 == switch)));
            }
            set.fill(false);
            assert!((0..switches).all(|switch| set.of(switch) == 0));
        }
    }
}
