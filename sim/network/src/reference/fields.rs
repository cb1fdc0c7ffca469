//! Numbers for the queues, and for the (output, VC)s, of all switches, and sets of them.

/// Numbers them switch by switch, each switch with as many numbers as the largest one needs, rounded
/// up to a power of two: 64 or a part of 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fields {
    bits: u32,
}

impl Fields {
    /// For switches with up to `most` queues and (output, VC)s, at most 64.
    pub fn new(most: usize) -> Self {
        Self { bits: most.max(1).next_power_of_two().ilog2() }
    }

    /// How many numbers a switch has.
    #[inline]
    pub fn each(self) -> usize {
        1 << self.bits
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

    /// Which one of its switch it is.
    #[inline]
    pub fn index(self, at: usize) -> usize {
        at & (self.each() - 1)
    }

    /// Another one of the same switch.
    #[inline]
    pub fn sibling(self, at: usize, index: usize) -> usize {
        at & !(self.each() - 1) | index
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
        Self { fields, words: vec![0; fields.at(switches, 0).div_ceil(64)] }
    }

    #[inline]
    pub fn insert(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    #[inline]
    pub fn remove(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// Those of one switch.
    #[inline]
    pub fn of(&self, switch: usize) -> u64 {
        let first = self.fields.at(switch, 0);
        self.words[first / 64] >> (first % 64) & u64::MAX >> (64 - self.fields.each())
    }

    /// Those with the numbers from 64 `word` on.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    pub fn words(&self) -> usize {
        self.words.len()
    }

    pub fn fill(&mut self, member: bool) {
        self.words.fill(if member { u64::MAX } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminals::Bits;
    use std::collections::BTreeSet;

    /// As a set of pairs has them, for fields of every length.
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
            let by_word = (0..set.words())
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
