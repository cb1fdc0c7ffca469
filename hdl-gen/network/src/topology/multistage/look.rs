//! A digit of an address.

use crate::topology::Terminal;
use std::fmt;

/// A digit of an address: the address by `stride`, modulo `base`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Look {
    /// Step of the address that adds one to the digit.
    pub stride: u32,
    /// Number of values of the digit.
    pub base: u32,
}

impl Look {
    /// The digit of a terminal's address.
    pub fn of(self, terminal: Terminal) -> u32 {
        terminal.0 / self.stride % self.base
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stride {
            1 => write!(f, "address mod {}", self.base),
            stride => write!(f, "address / {stride} mod {}", self.base),
        }
    }
}
