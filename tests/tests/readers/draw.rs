//! Choices of one seed.

use turnpike_base::hash::hash;

/// Random choices, the same for one seed everywhere.
pub struct Draw {
    seed: u64,
    count: u64,
}

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }

    /// 0 to `below - 1`.
    pub fn below(&mut self, below: usize) -> usize {
        self.count += 1;
        (hash(self.seed, &[self.count]) % below as u64) as usize
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of them.
    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}
