//! Sets of terminals, one bit each.

/// A set of terminals, numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalSet {
    terminals: u32,
    words: Vec<u64>,
}

impl TerminalSet {
    /// Empty set of `terminals` terminals.
    pub fn none(terminals: u32) -> Self {
        Self { terminals, words: vec![0; terminals.div_ceil(64) as usize] }
    }

    /// All of `terminals` terminals.
    pub fn all(terminals: u32) -> Self {
        let mut set = Self::none(terminals);
        for terminal in 0..terminals {
            set.insert(terminal);
        }
        set
    }

    /// Number of terminals that may be in the set.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// Whether `terminal` is in the set; one that does not exist is not.
    pub fn contains(&self, terminal: u32) -> bool {
        self.words.get(terminal as usize / 64).is_some_and(|w| w >> (terminal % 64) & 1 == 1)
    }

    /// Puts `terminal` in; one that does not exist is left out. Whether it is new there.
    #[inline]
    pub fn insert(&mut self, terminal: u32) -> bool {
        if terminal >= self.terminals {
            return false;
        }
        let (word, bit) = (&mut self.words[terminal as usize / 64], 1 << (terminal % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes `terminal` out.
    pub fn remove(&mut self, terminal: u32) {
        if terminal < self.terminals {
            self.words[terminal as usize / 64] &= !(1 << (terminal % 64));
        }
    }

    /// Puts `terminal` in or takes it out.
    pub fn set(&mut self, terminal: u32, member: bool) {
        if member {
            self.insert(terminal);
        } else {
            self.remove(terminal);
        }
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether every terminal is in the set.
    pub fn is_all(&self) -> bool {
        let (whole, rest) = (self.terminals as usize / 64, self.terminals % 64);
        self.words[..whole].iter().all(|&word| word == u64::MAX)
            && (rest == 0 || self.words[whole] == (1 << rest) - 1)
    }

    /// Whether no terminal is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(i, &word)| Bits(word).map(move |b| i as u32 * 64 + b))
    }

    /// Number of words of 64 terminals.
    pub(crate) fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Terminals `64 * index` to `64 * index + 63`, the first in bit 0.
    pub(crate) fn word(&self, index: usize) -> u64 {
        self.words[index]
    }
}

/// The positions of the ones of a word, ascending.
#[derive(Clone, Copy)]
pub(crate) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_what_was_put_in() {
        let mut set = TerminalSet::none(70);
        for t in [0, 63, 64, 69, 70, 1000] {
            assert_eq!(set.insert(t), t < 70);
            assert!(!set.insert(t));
        }
        set.remove(63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 69]);
        assert!(set.contains(64) && !set.contains(63) && !set.contains(1000));
        assert_eq!(TerminalSet::all(70).iter().count(), 70);
        for count in [0, 1, 64, 70, 128] {
            let mut set = TerminalSet::all(count);
            assert!(set.is_all());
            for terminal in 0..count {
                set.remove(terminal);
                assert!(!set.is_all());
                set.insert(terminal);
            }
        }
    }
}
