//! Clos networks of three stages (Clos, A Study of Non-Blocking Switching Networks, Bell System
//! Technical Journal 32(2), 1953).
//!
//! Stage 0 has r switches of n inputs and m outputs, stage 1 has m switches of r inputs and
//! outputs, stage 2 has r switches of m inputs and n outputs. Output j of first switch i leads to
//! input i of middle switch j; output k of middle switch j leads to input j of last switch k.
//! Source t is input t mod n of first switch t / n, and sinks are numbered alike.

use super::{MOST_LINKS, MOST_PORTS, MOST_TERMINALS, NetworkError, Place};

/// A Clos network of three stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clos {
    m: u32,
    n: u32,
    r: u32,
}

impl Clos {
    /// The network of `m` middle switches and `n` terminals at each of `r` first and last
    /// switches.
    ///
    /// # Errors
    /// [`NetworkError`] where a number is 0 or the network is too large.
    pub fn new(m: u32, n: u32, r: u32) -> Result<Self, NetworkError> {
        if let Some((name, _)) = [("m", m), ("n", n), ("r", r)].into_iter().find(|x| x.1 == 0) {
            return Err(NetworkError::Zero(name));
        }
        let terminals = u64::from(n) * u64::from(r);
        if terminals > u64::from(MOST_TERMINALS) {
            return Err(NetworkError::Terminals(terminals));
        }
        if let Some(ports) = [m, n, r].into_iter().find(|&ports| ports > MOST_PORTS) {
            return Err(NetworkError::Ports(ports));
        }
        let links = u64::from(m) * u64::from(r);
        if links > u64::from(MOST_LINKS) {
            return Err(NetworkError::Links(links));
        }
        Ok(Self { m, n, r })
    }

    /// Middle switches.
    pub fn m(&self) -> u32 {
        self.m
    }

    /// Terminals at each first switch, and at each last.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// First switches, and as many last.
    pub fn r(&self) -> u32 {
        self.r
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.n * self.r
    }

    /// Whether settings exist for every permutation: m is at least n (Slepian and Duguid; Dally
    /// and Towles, section 6.3).
    pub fn is_rearrangeable(&self) -> bool {
        self.m >= self.n
    }

    /// Whether a free source can always be joined to a free sink, whatever middle switches the
    /// connections that are there have: m is at least 2 n - 1 (Clos 1953). With two or more first
    /// switches no smaller m is enough.
    pub fn is_strictly_nonblocking(&self) -> bool {
        self.m >= 2 * self.n - 1
    }

    /// Place of a terminal: an input of a first switch as a source, an output of a last switch as a
    /// sink.
    pub(crate) fn place(&self, terminal: u32) -> Place {
        Place { switch: terminal / self.n, port: terminal % self.n }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(Clos::new(0, 1, 1), Err(NetworkError::Zero("m")));
        assert_eq!(Clos::new(1, 0, 1), Err(NetworkError::Zero("n")));
        assert_eq!(Clos::new(1, 1, 0), Err(NetworkError::Zero("r")));
        assert_eq!(Clos::new(1, 257, 256), Err(NetworkError::Terminals(257 * 256)));
        assert!(Clos::new(1, u32::MAX, u32::MAX).is_err());
        assert_eq!(Clos::new(1, 1, 65_536), Err(NetworkError::Ports(65_536)));
        assert_eq!(Clos::new(65_536, 1, 1), Err(NetworkError::Ports(65_536)));
        assert_eq!(Clos::new(1_025, 1, 1_024), Err(NetworkError::Links(1_025 * 1_024)));
        assert!(Clos::new(511, 256, 256).unwrap().is_strictly_nonblocking());
        assert!(!Clos::new(510, 256, 256).unwrap().is_strictly_nonblocking());
    }
}
