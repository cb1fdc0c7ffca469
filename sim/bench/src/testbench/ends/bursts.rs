//! Bytes of the beats of a burst, from its attributes alone (IHI 0022 H, A3.4.1), and the accesses in which
//! a narrower subordinate makes them.

use std::ops::Range;
use turnpike_ends::protocol::axi4::{FIXED, WRAP};

/// Addresses of the bytes of each of `count` beats of `bytes`, from an address on.
pub(super) fn spans(address: u64, bytes: u64, burst: u64, count: u64) -> Vec<Range<u64>> {
    let aligned = address / bytes * bytes;
    let total = bytes * count;
    let base = address / total * total;
    let beat = |beat: u64| {
        let first = match burst {
            FIXED => return address..aligned + bytes,
            WRAP => base + (aligned - base + beat * bytes) % total,
            _ => aligned + beat * bytes,
        };
        first.max(if beat == 0 { address } else { 0 })..first + bytes
    };
    (0..count).map(beat).collect()
}

/// Parts of a beat, each within a word of so many bytes.
pub(super) fn parts(span: &Range<u64>, word: u64) -> Vec<Range<u64>> {
    let words = span.start / word..=(span.end - 1) / word;
    words.map(|at| (at * word).max(span.start)..((at + 1) * word).min(span.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_ends::protocol::axi4::INCR;

    /// Examples that can be followed by hand.
    #[test]
    fn bytes_of_bursts() {
        assert_eq!(spans(0x1003, 4, INCR, 3), [0x1003..0x1004, 0x1004..0x1008, 0x1008..0x100c]);
        assert_eq!(spans(0x1003, 4, FIXED, 2), [0x1003..0x1004, 0x1003..0x1004]);
        assert_eq!(
            spans(0x1008, 4, WRAP, 4),
            [0x1008..0x100c, 0x100c..0x1010, 0x1000..0x1004, 0x1004..0x1008]
        );
        assert_eq!(parts(&(0x1003..0x1008), 4), [0x1003..0x1004, 0x1004..0x1008]);
        assert_eq!(parts(&(0x1001..0x100a), 4), [0x1001..0x1004, 0x1004..0x1008, 0x1008..0x100a]);
    }
}
