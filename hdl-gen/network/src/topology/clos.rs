//! The three numbers of a Clos network.

use std::fmt;
use std::str::FromStr;
use turnpike_base::numbers::digits;

/// A Clos network C(M, N, R).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clos {
    /// M: middle switches, 1 to 63.
    pub middle: u32,
    /// N: terminals of a first or last switch, 1 to 32.
    pub inputs: u32,
    /// R: first switches, and as many last, 2 to 32.
    pub outer: u32,
}

/// No such three numbers, and what would be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is no shape of a Clos network: give M,N,R, the middle switches ({m} to {mm}), the \
     terminals of a first switch ({n} to {nn}) and the first switches ({r} to {rr}), such as 3,2,4",
    m = Clos::RANGES[0].0, mm = Clos::RANGES[0].1, n = Clos::RANGES[1].0, nn = Clos::RANGES[1].1, r = Clos::RANGES[2].0,
    rr = Clos::RANGES[2].1
)]
pub struct ClosError(pub String);

impl Clos {
    /// Least and largest of M, N and R. M may be 2N - 1, which never blocks.
    pub const RANGES: [(u32, u32); 3] = [(1, 63), (1, 32), (2, 32)];
}

impl FromStr for Clos {
    type Err = ClosError;

    fn from_str(text: &str) -> Result<Self, ClosError> {
        let wrong = || ClosError(text.to_owned());
        let words: Vec<&str> = text.split(',').collect();
        let words: [&str; 3] = words.try_into().map_err(|_| wrong())?;
        let mut numbers = [0; 3];
        for ((number, word), (low, high)) in numbers.iter_mut().zip(words).zip(Self::RANGES) {
            let fits = |value: &u32| (low..=high).contains(value);
            *number = digits(word).filter(fits).ok_or_else(wrong)?;
        }
        let [middle, inputs, outer] = numbers;
        Ok(Self { middle, inputs, outer })
    }
}

impl fmt::Display for Clos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { middle, inputs, outer } = self;
        write!(f, "{middle},{inputs},{outer}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_written() {
        for text in ["1,1,2", "3,2,4", "63,32,32"] {
            assert_eq!(text.parse::<Clos>().unwrap().to_string(), text);
        }
        for text in ["", ",,", "3,2", "3,2,4,1", "0,2,4", "64,2,4", "3,33,4", "3,2,1", "+3,2,4"] {
            let error = text.parse::<Clos>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is no shape of a Clos network")));
            assert!(error.contains("(1 to 63)") && error.contains("(2 to 32)"), "{error}");
        }
    }
}
